//! Letters by what some of their bits say.

use std::ops::Range;

use super::{Letter, reversed};

/// The letters in which some bits, read as a number, lie between two bounds.
///
/// What a proposition means, and which codes stand for anything at all, is said in this way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Codes {
    /// Which bits.
    pub bits: Range<usize>,
    /// Whether the first of them is the most significant, as it is in fields; the index of a label begins with the least.
    pub leading: bool,
    /// The least number.
    pub low: u64,
    /// The greatest number; none where it is less than the least.
    pub high: u64,
}

impl Codes {
    /// Exactly this number, the first bit least significant.
    pub(super) fn only(bits: Range<usize>, code: u64) -> Codes {
        Codes { bits, leading: false, low: code, high: code }
    }

    /// The first so many numbers.
    pub(super) fn first(bits: Range<usize>, count: u64) -> Codes {
        match count.checked_sub(1) {
            Some(high) => Codes { bits, leading: false, low: 0, high },
            None => Codes { bits, leading: false, low: 1, high: 0 },
        }
    }

    /// The same numbers with the first bit most significant.
    pub(super) fn leading(self) -> Codes {
        Codes { leading: true, ..self }
    }

    /// How much each bit counts, from the first on: the power of two.
    pub(crate) fn powers(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
        let (bits, leading, last) = (self.bits.clone(), self.leading, self.bits.len().saturating_sub(1));
        bits.enumerate().map(move |(at, bit)| (bit, if leading { last - at } else { at }))
    }

    /// Whether a letter is one of these.
    #[inline]
    pub fn contain(&self, letter: Letter) -> bool {
        let code = letter.code(&self.bits);
        let code = if self.leading { reversed(code, self.bits.len()) } else { code };
        (self.low..=self.high).contains(&code)
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
