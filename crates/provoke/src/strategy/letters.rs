//! Letters by number, so that what a strategy remembers stays small.

use crate::letter::Letter;

pub(crate) use crate::letter::Letters;

/// A number that stands for the letter in tables: the letter itself where it has at most 64 bits, a hash otherwise.
#[inline]
pub(crate) fn key(letter: Letter) -> u64 {
    let rest = [letter.word(1), letter.word(2), letter.word(3)];
    if rest == [0; 3] {
        return letter.index();
    }
    rest.into_iter().fold(letter.index(), mix)
}

/// One hash from two numbers.
#[inline]
pub(crate) fn mix(first: u64, second: u64) -> u64 {
    let second = second.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (first.rotate_left(23) ^ second ^ second >> 29).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ mixed >> 32
}
