//! How often abstract transitions were taken.

use crate::game::Transition;

/// The test-trace graph of paper 2, section 3.2: the weight of an abstract transition is 1, and more by what it counts
/// each time it is taken.
///
/// A table with open addressing: it is asked for every input of every step. Transitions of one state stand in one block, which
/// memory gives all at once, as long as there is room; those for which there is none stand where their keys say. Keys are
/// fingerprints, whose bits are mixed already.
#[derive(Clone, Debug)]
pub struct Weights {
    /// A power of two of them, at most three quarters of their slots in use.
    blocks: Box<[Block]>,
    used: usize,
    most: usize,
}

/// As much as memory gives at once.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Block([Slot; SLOTS]);

const SLOTS: usize = 4;

/// A transition and its weight; no transition where that is 0. Slots of a block are used from the first on, and none is ever
/// given up: one that is free says that what belongs into the block and is not in it is nowhere.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    weight: u32,
    near: u32,
}

/// How many blocks there are at first.
const FEWEST: usize = 16;

impl Weights {
    /// No transition was taken yet. Beyond so many of them, new ones are not remembered.
    pub fn new(most: usize) -> Weights {
        Weights { blocks: vec![Block::default(); FEWEST].into(), used: 0, most }
    }

    /// Where a transition stands, or would stand.
    #[inline]
    fn place(&self, key: u64, near: u32) -> (usize, usize) {
        let mask = self.blocks.len() - 1;
        let home = near as usize & mask;
        match self.within(home, key) {
            Some(slot) => (home, slot),
            None => self.beyond(key, mask),
        }
    }

    /// Where it stands, or would stand, in a block; none where that is full.
    #[inline]
    fn within(&self, block: usize, key: u64) -> Option<usize> {
        self.blocks[block].0.iter().position(|slot| slot.key == key || slot.weight == 0)
    }

    /// The same where its own block is full.
    fn beyond(&self, key: u64, mask: usize) -> (usize, usize) {
        let mut block = key as usize & mask;
        loop {
            if let Some(slot) = self.within(block, key) {
                return (block, slot);
            }
            block = (block + 1) & mask;
        }
    }

    /// The weight of a transition.
    #[inline]
    pub fn get(&self, transition: &Transition) -> u32 {
        let (block, slot) = self.place(transition.key, transition.near);
        self.blocks[block].0[slot].weight.max(1)
    }

    /// A transition was taken.
    #[inline]
    pub fn raise(&mut self, &Transition { key, weight: by, near }: &Transition) {
        let (block, slot) = self.place(key, near);
        let slot = &mut self.blocks[block].0[slot];
        if slot.weight > 0 {
            slot.weight = slot.weight.saturating_add(by);
        } else if self.used < self.most {
            *slot = Slot { key, weight: 1u32.saturating_add(by), near };
            self.used += 1;
            if self.used * 4 > self.blocks.len() * SLOTS * 3 {
                self.grow();
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let twice = vec![Block::default(); self.blocks.len() * 2].into();
        let blocks = std::mem::replace(&mut self.blocks, twice);
        let slots = blocks.iter().flat_map(|block| block.0);
        for taken in slots.filter(|slot| slot.weight > 0) {
            let (block, slot) = self.place(taken.key, taken.near);
            self.blocks[block].0[slot] = taken;
        }
    }

    /// How many transitions were taken.
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Forgets them all.
    pub fn clear(&mut self) {
        *self = Weights::new(self.most);
    }

    /// How much memory they take, in bytes.
    pub fn memory(&self) -> usize {
        self.blocks.len() * size_of::<Block>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    fn taken(key: u64, weight: u32, near: u32) -> Transition {
        Transition { key, weight, near }
    }

    proptest! {
        /// Keys that differ in few bits get in each other's way, and so do those of a state with many of them.
        #[test]
        fn weights_are_what_was_counted(
            raised in proptest::collection::vec((0u64..300, 0u64..3, 1u32..5), 0..600),
            most in 0usize..250,
            states in 1u64..40,
        ) {
            let mut weights = Weights::new(most);
            let mut plain: HashMap<u64, u32> = HashMap::new();
            let near = |key: u64| (key % states) as u32;
            for (low, high, by) in raised {
                let key = high << 40 | low;
                weights.raise(&taken(key, by, near(key)));
                if plain.contains_key(&key) || plain.len() < most {
                    *plain.entry(key).or_insert(1) += by;
                }
            }
            prop_assert_eq!(weights.len(), plain.len());
            for key in (0..3).flat_map(|high| (0..300).map(move |low| high << 40 | low)) {
                prop_assert_eq!(weights.get(&taken(key, 1, near(key))), plain.get(&key).copied().unwrap_or(1));
            }
            weights.clear();
            prop_assert!(weights.is_empty() && weights.get(&taken(0, 1, 0)) == 1);
        }
    }

    #[test]
    fn weights_end_somewhere() {
        let mut weights = Weights::new(1);
        weights.raise(&taken(7, u32::MAX, 0));
        weights.raise(&taken(7, u32::MAX, 0));
        assert_eq!((weights.get(&taken(7, 1, 0)), weights.get(&taken(8, 1, 0))), (u32::MAX, 1));
    }
}
