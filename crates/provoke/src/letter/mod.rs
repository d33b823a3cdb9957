//! Letters: what tester and system say to each other, one at a time.
//!
//! A [`Letter`] holds the values of named [`Field`]s, such as Boolean signals, or is the index of a named label; an
//! [`Alphabet`] knows which, and gives it its names; a [`LetterSet`] is a set of letters that is never enumerated
//! unless asked to.

mod alphabet;
mod codes;
mod count;
mod edge;
mod error;
mod field;
mod idle;
mod interface;
mod kind;
mod label;
mod numbers;
mod outline;
mod set;
mod simple;
mod store;
mod stray;
#[cfg(test)]
mod tests;
mod text;

pub use alphabet::{Alphabet, Cuts};
pub use codes::{Codes, Proposition};
pub use count::Count;
pub use error::{AlphabetError, LetterError};
pub use field::Field;
pub use idle::{Conflict, Idle};
pub use interface::Interface;
pub(crate) use kind::looks_like_a_value;
pub use kind::{Finite, Kind, Value};
pub(crate) use label::compact;
pub use label::{Labels, MAX_LABELS};
pub(crate) use numbers::Letters;
pub use outline::{Outline, Sight};
pub use set::LetterSet;
pub(crate) use set::LetterSetBuilder;
pub use simple::Simpler;
pub use store::LetterSets;
pub use text::{LISTED, Shown};

use std::ops::Range;

/// The most signals one direction may have: the bits of a letter.
pub const MAX_SIGNALS: usize = 256;

/// One letter of an alphabet: 32 bytes, copied freely, no table behind it.
///
/// Each field has some of the bits, a Boolean signal one of them; a label is the binary code of its index. What the
/// bits mean is known to the [`Alphabet`] alone (see `docs/adr/0001-letters.md`).
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

    /// The same letter with every signal false that is not in the mask.
    #[inline]
    #[must_use]
    pub(crate) fn masked(mut self, mask: Letter) -> Letter {
        self.words.iter_mut().zip(mask.words).for_each(|(word, mask)| *word &= mask);
        self
    }

    /// The same letter with a note beside it, in bits that no letter of fewer than 193 signals uses; such letters are for the
    /// books of whoever writes the notes, and go nowhere else.
    #[inline]
    #[must_use]
    pub(crate) const fn annotated(mut self, note: u64) -> Letter {
        self.words[3] = note;
        self
    }

    /// The letter without its note.
    #[inline]
    #[must_use]
    pub(crate) const fn plain(self) -> Letter {
        self.annotated(0)
    }

    /// The number that some bits hold, the first of them least significant; at most 64.
    #[inline]
    pub(crate) fn code(self, bits: &Range<usize>) -> u64 {
        let (word, shift) = (bits.start >> 6 & 3, bits.start & 63);
        let next = if shift == 0 { 0 } else { self.words[(word + 1) & 3] << (64 - shift) };
        (self.words[word] >> shift | next) & ones(bits.len())
    }

    /// The same letter with this number in some bits.
    #[inline]
    #[must_use]
    pub(crate) fn with_code(mut self, bits: &Range<usize>, code: u64) -> Letter {
        let (word, shift, ones) = (bits.start >> 6 & 3, bits.start & 63, ones(bits.len()));
        let code = code & ones;
        self.words[word] = self.words[word] & !(ones << shift) | code << shift;
        if shift + bits.len() > 64 {
            let next = (word + 1) & 3;
            self.words[next] = self.words[next] & !(ones >> (64 - shift)) | code >> (64 - shift);
        }
        self
    }
}

/// So many ones; at most 64.
#[inline]
const fn ones(count: usize) -> u64 {
    if count == 0 { 0 } else { u64::MAX >> (64 - count) }
}

/// A number of so many bits, read from its other end.
#[inline]
pub(crate) const fn reversed(code: u64, bits: usize) -> u64 {
    if bits == 0 { 0 } else { code.reverse_bits() >> (64 - bits) }
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
