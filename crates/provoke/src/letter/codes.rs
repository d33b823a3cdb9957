//! Letters by what some of their bits say.

use std::ops::Range;

use super::Letter;

/// The letters in which some bits, read as a number with bit 0 least significant, lie between two bounds.
///
/// What a proposition means, and which codes stand for anything at all, is said in this way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Codes {
    /// Which bits.
    pub bits: Range<usize>,
    /// The least number.
    pub low: u64,
    /// The greatest number; none where it is less than the least.
    pub high: u64,
}

impl Codes {
    /// Exactly this number.
    pub(super) fn only(bits: Range<usize>, code: u64) -> Codes {
        Codes { bits, low: code, high: code }
    }

    /// The first so many numbers.
    pub(super) fn first(bits: Range<usize>, count: u64) -> Codes {
        match count.checked_sub(1) {
            Some(high) => Codes { bits, low: 0, high },
            None => Codes { bits, low: 1, high: 0 },
        }
    }

    /// Whether a letter is one of these.
    #[inline]
    pub fn contain(&self, letter: Letter) -> bool {
        (self.low..=self.high).contains(&letter.code(&self.bits))
    }
}

/// Something that can be true of a letter, and when it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proposition {
    /// The name by which formulas and automata know it.
    pub name: String,
    /// The letters of which it is true.
    pub codes: Codes,
}
