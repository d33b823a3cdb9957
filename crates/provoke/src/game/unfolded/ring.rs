//! Room for the last few states that have no number of their own.

use crate::game::{PASSING as SLOTS, State};

/// The numbers beyond all others, each for the state that was met last under it.
#[derive(Debug)]
pub(super) struct Ring<T> {
    slots: [T; SLOTS as usize],
    last: u32,
}

impl<T: Default> Default for Ring<T> {
    fn default() -> Ring<T> {
        Ring { slots: Default::default(), last: 0 }
    }
}

/// Whether a number is good for a few steps only.
#[inline]
pub(super) fn is_passing(number: u32) -> bool {
    State(number).is_passing()
}

impl<T> Ring<T> {
    /// What has this number now.
    #[inline]
    pub(super) fn get(&self, number: u32) -> &T {
        &self.slots[(u32::MAX - number) as usize]
    }

    /// Fills the slot that was filled longest ago, and gives its number.
    #[inline]
    pub(super) fn put(&mut self, fill: impl FnOnce(&mut T)) -> u32 {
        self.last = (self.last + 1) % SLOTS;
        fill(&mut self.slots[self.last as usize]);
        u32::MAX - self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_known_for_a_few_steps() {
        let mut ring = Ring::<u32>::default();
        let numbers: Vec<u32> = (0..10).map(|item| ring.put(|slot| *slot = item)).collect();
        for (item, &number) in numbers.iter().enumerate() {
            assert!(is_passing(number));
            let known = *ring.get(number) == item as u32;
            assert_eq!(known, item >= 10 - SLOTS as usize, "{item}");
        }
        assert!(!is_passing(u32::MAX - SLOTS));
    }
}
