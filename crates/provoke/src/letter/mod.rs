//! Letters: what tester and system say to each other, one at a time.
//!
//! A [`Letter`] is a valuation of named Boolean signals or the index of a named label; an [`Alphabet`] gives
//! it its names; a [`LetterSet`] is a set of letters that is never enumerated unless asked to.

mod alphabet;
mod count;
mod set;
mod store;

pub use alphabet::{Alphabet, Interface};
pub use count::Count;
pub use set::LetterSet;
pub(crate) use set::LetterSetBuilder;
pub use store::LetterSets;

/// The most signals one direction may have.
pub const MAX_SIGNALS: usize = 256;

/// One letter of an alphabet: 32 bytes, copied freely, no table behind it.
///
/// Bit `i` is the value of signal `i`; a label is the binary code of its index. What the bits mean is
/// known to the [`Alphabet`] alone (see `docs/adr/0001-letters.md`).
#[derive(Clone, Copy, Debug, Default, Eq, PartialOrd, Ord)]
pub struct Letter {
    words: [u64; MAX_SIGNALS / 64],
}

impl Letter {
    /// The letter of a label index, or of a valuation of at most 64 signals.
    #[inline]
    pub const fn from_index(index: u64) -> Letter {
        Letter { words: [index, 0, 0, 0] }
    }

    /// The letter with these values of signals, 64 in a word.
    #[inline]
    pub(crate) const fn from_words(words: [u64; MAX_SIGNALS / 64]) -> Letter {
        Letter { words }
    }

    /// The label index, or the valuation of the first 64 signals.
    #[inline]
    pub const fn index(self) -> u64 {
        self.words[0]
    }

    /// The values of 64 signals, from signal `64 * at` on (modulo the most there can be).
    #[inline]
    pub(crate) const fn word(&self, at: usize) -> u64 {
        self.words[at & 3]
    }

    /// The value of signal `at`.
    #[inline]
    pub const fn get(self, at: usize) -> bool {
        self.words[(at >> 6) & 3] >> (at & 63) & 1 != 0
    }

    /// The same letter with signal `at` set to `value`.
    #[inline]
    #[must_use]
    pub const fn with(mut self, at: usize, value: bool) -> Letter {
        // Without a branch: what systems answer is hard to predict.
        let word = (at >> 6) & 3;
        self.words[word] = self.words[word] & !(1 << (at & 63)) | (value as u64) << (at & 63);
        self
    }
}

// By hand, because letters are compared in every step and the derived comparison calls a function.
impl PartialEq for Letter {
    #[inline]
    fn eq(&self, other: &Letter) -> bool {
        let differs = |at: usize| self.words[at] ^ other.words[at];
        differs(0) | differs(1) | differs(2) | differs(3) == 0
    }
}

impl std::hash::Hash for Letter {
    #[inline]
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.words.iter().for_each(|&word| state.write_u64(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_of_a_wide_letter_are_independent() {
        let letter = Letter::default().with(0, true).with(191, true).with(255, true);
        let set: Vec<usize> = (0..MAX_SIGNALS).filter(|&at| letter.get(at)).collect();
        assert_eq!(set, [0, 191, 255]);
        assert_eq!(letter.with(191, false).with(255, false), Letter::from_index(1));
    }
}
