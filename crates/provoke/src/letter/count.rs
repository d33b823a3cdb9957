//! How many letters a set holds, exactly: up to 2^256.

use std::fmt;

use crate::rng::Rng;

/// An exact number of letters.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Count {
    // invariant: most significant word first, so that the derived order is the numeric one.
    words: [u64; 5],
}

impl Count {
    /// No letter.
    pub const ZERO: Count = Count { words: [0; 5] };
    /// One letter.
    pub const ONE: Count = Count::small(1);

    /// A count that fits a machine word.
    pub const fn small(count: u64) -> Count {
        Count { words: [0, 0, 0, 0, count] }
    }

    /// The count as a machine word, where it fits.
    #[inline]
    pub fn to_u64(self) -> Option<u64> {
        (self.words[..4] == [0; 4]).then_some(self.words[4])
    }

    /// Whether there is nothing to count.
    #[inline]
    pub fn is_zero(self) -> bool {
        self.words == [0; 5]
    }

    /// The sum; sets of letters cannot overflow it.
    #[must_use]
    pub fn plus(self, other: Count) -> Count {
        self.digits(other, u64::overflowing_add)
    }

    /// The difference; `other` must not be larger.
    #[must_use]
    pub fn minus(self, other: Count) -> Count {
        debug_assert!(other <= self);
        self.digits(other, u64::overflowing_sub)
    }

    fn digits(self, other: Count, step: fn(u64, u64) -> (u64, bool)) -> Count {
        let mut words = [0; 5];
        let mut carry = false;
        for at in (0..5).rev() {
            let (word, first) = step(self.words[at], other.words[at]);
            let (word, second) = step(word, u64::from(carry));
            words[at] = word;
            carry = first || second;
        }
        Count { words }
    }

    /// A number below this one, each with exactly the same chance; this one must not be zero.
    pub fn random_below(self, rng: &mut Rng) -> Count {
        if let Some(bound) = self.to_u64() {
            return Count::small(rng.below(bound));
        }
        let top = self.words.iter().position(|&word| word != 0).unwrap_or(4);
        let mask = u64::MAX >> self.words[top].leading_zeros();
        // Rejection keeps it exact; more than half of the tries succeed.
        loop {
            let mut words = [0; 5];
            words[top..].fill_with(|| rng.bits());
            words[top] &= mask;
            let number = Count { words };
            if number < self {
                return number;
            }
        }
    }
}

impl fmt::Debug for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Count {
    /// Exact where it fits a word, otherwise with a power of two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(count) = self.to_u64() {
            return write!(f, "{count}");
        }
        let value = self.words.iter().fold(0.0, |sum, &word| sum * 2f64.powi(64) + word as f64);
        write!(f, "{:.2}*2^{}", value / 2f64.powi(value.log2() as i32), value.log2() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_cross_words() {
        let max = Count::small(u64::MAX);
        let two = Count::small(2);
        let sum = max.plus(two);
        assert!(sum > max && sum.to_u64().is_none());
        assert_eq!(sum.minus(two), max);
    }

    #[test]
    fn wide_numbers_are_drawn_below_their_bound() {
        let mut rng = Rng::new(3);
        let bound = (0..200).fold(Count::ONE, |count, _| count.plus(count)).plus(Count::ONE);
        let mut upper = 0;
        for _ in 0..2000 {
            let drawn = bound.random_below(&mut rng);
            assert!(drawn < bound);
            upper += usize::from(drawn.plus(drawn) >= bound);
        }
        // Half of them lie in the upper half; 5 standard deviations are 112.
        assert!((888..=1112).contains(&upper), "{upper}");
    }
}
