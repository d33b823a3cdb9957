//! Sets of letters that are made as they are needed.

use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use super::LetterSet;

/// A list that grows behind a shared reference; what is in it never moves.
#[derive(Debug)]
pub(super) struct Grown<T> {
    /// Blocks of doubling length.
    blocks: [OnceLock<Box<[OnceLock<T>]>>; BLOCKS],
}

const BLOCKS: usize = 32;
/// The length of the first block, as a power of two.
const FIRST: u32 = 4;

impl<T> Default for Grown<T> {
    fn default() -> Grown<T> {
        Grown { blocks: [const { OnceLock::new() }; BLOCKS] }
    }
}

impl<T> Grown<T> {
    /// What stands in a place; where there is nothing yet, this.
    pub(super) fn get_or_put(&self, place: usize, item: T) -> &T {
        let (block, offset) = split(place);
        let room = || (0..1usize << (FIRST + block as u32)).map(|_| OnceLock::new()).collect();
        self.blocks[block].get_or_init(room)[offset].get_or_init(|| item)
    }

    /// What stands in a place.
    pub(super) fn get(&self, place: usize) -> Option<&T> {
        let (block, offset) = split(place);
        self.blocks.get(block)?.get()?.get(offset)?.get()
    }
}

/// Sets of letters, each kept once, for as long as the store lives.
///
/// For arenas that find out what may be sent only when a state is met: taking a set in needs no exclusive access, so that
/// games can lend what they have just made.
#[derive(Debug, Default)]
pub struct LetterSets {
    /// The place of each set that was taken in, by its id.
    known: Mutex<FxHashMap<u64, usize>>,
    sets: Grown<LetterSet>,
}

impl LetterSets {
    /// No sets yet.
    pub fn new() -> LetterSets {
        LetterSets::default()
    }

    /// The set as it is kept here; one that is new is taken in.
    pub fn keep(&self, set: LetterSet) -> &LetterSet {
        self.get(self.place(set))
    }

    /// Where the set is kept; one that is new is taken in.
    pub fn place(&self, set: LetterSet) -> usize {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = known.len();
        let place = *known.entry(set.id()).or_insert(fresh);
        drop(known);
        self.sets.get_or_put(place, set);
        place
    }

    /// The set that is kept in a place; panics where there is none.
    pub fn get(&self, place: usize) -> &LetterSet {
        self.sets.get(place).expect("a place that was given")
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The block of a place, and where it is in there.
fn split(place: usize) -> (usize, usize) {
    let shifted = place + (1 << FIRST);
    let length = shifted.ilog2();
    ((length - FIRST) as usize, shifted - (1 << length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::Letter;

    #[test]
    fn every_set_is_kept_once_and_stays_where_it_is() {
        let store = LetterSets::new();
        let set = |code: u64| {
            let letters = (0..9).filter(|at| code >> at & 1 == 1).map(Letter::from_index);
            LetterSet::of(4, &letters.collect::<Vec<_>>())
        };
        let first: Vec<&LetterSet> = (0..500).map(|code| store.keep(set(code))).collect();
        assert_eq!(store.len(), 500);
        for (code, first) in (0..500).zip(first) {
            assert!(std::ptr::eq(first, store.keep(set(code))));
            assert!(*first == set(code));
        }
        assert_eq!(store.len(), 500);
    }

    #[test]
    fn blocks_follow_each_other_without_gaps() {
        let mut last = (0, 0);
        for place in 1..10_000 {
            let next = split(place);
            let wrapped = next == (last.0 + 1, 0) && last.1 + 1 == 1 << (FIRST as usize + last.0);
            assert!(next == (last.0, last.1 + 1) || wrapped, "{last:?} {next:?}");
            last = next;
        }
    }
}
