//! How often abstract transitions were taken.

/// The test-trace graph of paper 2, section 3.2: the weight of an abstract transition is 1, and more by what it counts
/// each time it is taken.
///
/// A table with open addressing: it is asked for every input of every step. Keys are fingerprints, whose bits are mixed
/// already, so that their low bits say where they belong.
#[derive(Clone, Debug)]
pub struct Weights {
    /// A power of two of them, at most three quarters of them in use.
    slots: Box<[Slot]>,
    used: usize,
    most: usize,
}

/// A transition and its weight; no transition where that is 0.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    weight: u32,
}

/// How many slots there are at first.
const FEWEST: usize = 64;

impl Weights {
    /// No transition was taken yet. Beyond so many of them, new ones are not remembered.
    pub fn new(most: usize) -> Weights {
        Weights { slots: vec![Slot::default(); FEWEST].into(), used: 0, most }
    }

    /// Where a transition stands, or would stand.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = key as usize & mask;
        loop {
            let slot = &self.slots[place & mask];
            if slot.key == key || slot.weight == 0 {
                return place & mask;
            }
            place += 1;
        }
    }

    /// The weight of a transition.
    #[inline]
    pub fn get(&self, key: u64) -> u32 {
        self.slots[self.place(key)].weight.max(1)
    }

    /// A transition was taken.
    #[inline]
    pub fn raise(&mut self, key: u64, by: u32) {
        let place = self.place(key);
        let slot = &mut self.slots[place];
        if slot.weight > 0 {
            slot.weight = slot.weight.saturating_add(by);
        } else if self.used < self.most {
            *slot = Slot { key, weight: 1u32.saturating_add(by) };
            self.used += 1;
            if self.used * 4 > self.slots.len() * 3 {
                self.grow();
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let twice = vec![Slot::default(); self.slots.len() * 2].into();
        let slots = std::mem::replace(&mut self.slots, twice);
        for slot in slots.into_iter().filter(|slot| slot.weight > 0) {
            self.slots[self.place(slot.key)] = slot;
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
        self.slots.len() * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Keys that differ in few bits get in each other's way.
        #[test]
        fn weights_are_what_was_counted(
            raised in proptest::collection::vec((0u64..300, 0u64..3, 1u32..5), 0..600),
            most in 0usize..250,
        ) {
            let mut weights = Weights::new(most);
            let mut plain: HashMap<u64, u32> = HashMap::new();
            for (low, high, by) in raised {
                let key = high << 40 | low;
                weights.raise(key, by);
                if plain.contains_key(&key) || plain.len() < most {
                    *plain.entry(key).or_insert(1) += by;
                }
            }
            prop_assert_eq!(weights.len(), plain.len());
            for key in (0..3).flat_map(|high| (0..300).map(move |low| high << 40 | low)) {
                prop_assert_eq!(weights.get(key), plain.get(&key).copied().unwrap_or(1));
            }
            weights.clear();
            prop_assert!(weights.is_empty() && weights.get(0) == 1);
        }
    }

    #[test]
    fn weights_end_somewhere() {
        let mut weights = Weights::new(1);
        weights.raise(7, u32::MAX);
        weights.raise(7, u32::MAX);
        assert_eq!((weights.get(7), weights.get(8)), (u32::MAX, 1));
    }
}
