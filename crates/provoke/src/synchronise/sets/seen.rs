//! Which fingerprints were met before: an open table of 64-bit numbers.

/// A set of fingerprints. Faster and smaller than a general hash set, because its keys are already mixed.
pub(crate) struct Seen {
    // invariant: a power of two long, at most half full, 0 where empty.
    slots: Vec<u64>,
    count: usize,
    holds_zero: bool,
}

impl Seen {
    pub(crate) fn new() -> Seen {
        Seen { slots: vec![0; 64], count: 0, holds_zero: false }
    }

    /// Adds a fingerprint; false if it was there.
    #[inline]
    pub(crate) fn insert(&mut self, print: u64) -> bool {
        if print == 0 {
            return !std::mem::replace(&mut self.holds_zero, true);
        }
        if 2 * self.count >= self.slots.len() {
            self.grow();
        }
        let fresh = place(&mut self.slots, print);
        self.count += usize::from(fresh);
        fresh
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    fn grow(&mut self) {
        let mut slots = vec![0; 2 * self.slots.len()];
        for &print in self.slots.iter().filter(|&&print| print != 0) {
            place(&mut slots, print);
        }
        self.slots = slots;
    }

    /// Forgets everything but keeps the memory, unless there is much of it.
    pub(crate) fn clear(&mut self) {
        if self.slots.len() > 1 << 16 && self.count < self.slots.len() / 16 {
            self.slots = vec![0; 1 << 10];
        } else {
            self.slots.fill(0);
        }
        self.count = 0;
        self.holds_zero = false;
    }
}

#[inline]
fn place(slots: &mut [u64], print: u64) -> bool {
    let mask = slots.len() - 1;
    let mut at = (print >> 7) as usize & mask;
    loop {
        let slot = &mut slots[at];
        if *slot == print {
            return false;
        }
        if *slot == 0 {
            *slot = print;
            return true;
        }
        at = (at + 1) & mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn it_is_a_set() {
        let (mut seen, mut known) = (Seen::new(), std::collections::BTreeSet::new());
        let mut rng = Rng::new(1);
        for _ in 0..20_000 {
            let print = rng.below(9000).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            assert_eq!(seen.insert(print), known.insert(print));
        }
        seen.clear();
        assert!(seen.insert(0) && !seen.insert(0) && seen.insert(5) && !seen.insert(5));
    }
}
