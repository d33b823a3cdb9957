//! A few scattered bits of an exchange as one small number, by one multiplication.

use super::OUTPUT;
use crate::letter::Letter;
use crate::rng::Rng;

/// Brings the bits of interest together at the top of a word.
///
/// The bits are those of one word of the input and one word of the output. A factor that gives each of their
/// valuations a number of its own is looked for at random, as chess programs look for their "magic" factors;
/// there is an instruction for this, but not on every processor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gather {
    input_mask: u64,
    output_mask: u64,
    factor: u64,
    /// How far the output's word is turned, so that no bit meets one of the input's.
    turn: u8,
    shift: u8,
    input_word: u8,
    output_word: u8,
}

/// More bits are not gathered.
pub(super) const BITS: usize = 10;
/// How many factors are tried before one more bit is spent on the number.
const TRIES: usize = 2_000;
/// How many bits more than there are a number may have.
const SPARE: u32 = 2;

impl Gather {
    /// A gatherer of these bits (numbered as in [`Node`](super::compile::Node)); none where they are too many or
    /// stand in too many words.
    pub(super) fn new(bits: &[u32]) -> Option<Gather> {
        if bits.len() > BITS {
            return None;
        }
        let (inputs, outputs): (Vec<u32>, Vec<u32>) = bits.iter().partition(|&&bit| bit < OUTPUT);
        let (input_word, input_mask) = one_word(&inputs)?;
        let (output_word, output_mask) = one_word(&outputs)?;
        let turn = (0..64).find(|&turn| input_mask & output_mask.rotate_left(turn) == 0)?;
        let joined = input_mask | output_mask.rotate_left(turn);
        let (factor, shift) = factor(joined)?;
        Some(Gather {
            input_mask,
            output_mask,
            factor,
            turn: turn as u8,
            shift,
            input_word: input_word as u8,
            output_word: (output_word % 4) as u8,
        })
    }

    /// One more than the largest number.
    pub(super) fn size(&self) -> usize {
        1 << (64 - self.shift)
    }

    /// The number of an exchange: different for exchanges that differ in some bit of interest.
    #[inline(always)]
    pub(super) fn number(&self, input: &Letter, output: &Letter) -> usize {
        let input = input.word(self.input_word as usize) & self.input_mask;
        let output = output.word(self.output_word as usize) & self.output_mask;
        let joined = input | output.rotate_left(u32::from(self.turn));
        (joined.wrapping_mul(self.factor) >> (self.shift & 63)) as usize
    }

    /// Exchanges with every valuation of the bits of interest.
    pub(super) fn exchanges(&self) -> impl Iterator<Item = (Letter, Letter)> {
        let letter = |word: u8, bits: u64| {
            let set = (0..64).filter(move |at| bits >> at & 1 == 1);
            set.fold(Letter::default(), |letter, at| letter.with(64 * word as usize + at, true))
        };
        let Gather { input_mask, output_mask, input_word, output_word, .. } = *self;
        subsets(input_mask).flat_map(move |input| {
            subsets(output_mask).map(move |output| (letter(input_word, input), letter(output_word, output)))
        })
    }
}

/// The word that all bits stand in, and the bits in it; word 0 where there are none.
fn one_word(bits: &[u32]) -> Option<(u32, u64)> {
    let word = bits.first().map_or(0, |bit| bit / 64);
    let mask = bits.iter().fold(0, |mask, bit| mask | 1 << (bit % 64));
    bits.iter().all(|bit| bit / 64 == word).then_some((word, mask))
}

/// Every choice of bits from a mask, the empty one first.
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let now = next?;
        next = Some(now.wrapping_sub(mask) & mask).filter(|&after| after != 0);
        Some(now)
    })
}

/// A factor, and the shift that leaves the top bits of the product: different for all subsets of the mask.
fn factor(mask: u64) -> Option<(u64, u8)> {
    let bits = mask.count_ones().max(1);
    let all: Vec<u64> = subsets(mask).collect();
    let mut rng = Rng::new(mask);
    let mut taken = vec![0u32; 1 << (bits + SPARE)];
    let mut stamp = 0;
    for width in bits..=bits + SPARE {
        let shift = 64 - width;
        for _ in 0..TRIES {
            // Few bits set: sums without carries.
            let factor = rng.bits() & rng.bits() & rng.bits();
            stamp += 1;
            let fresh = |&subset: &u64| {
                let place = (subset.wrapping_mul(factor) >> shift) as usize;
                std::mem::replace(&mut taken[place], stamp) != stamp
            };
            if all.iter().all(fresh) {
                return Some((factor, shift as u8));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_valuation_has_a_number_of_its_own() {
        let mut rng = Rng::new(7);
        let mut found = 0;
        for round in 0..200 {
            let count = round % (BITS + 1);
            // Up to 64 signals each way.
            let bits: BTreeSet<u32> =
                (0..count).map(|_| rng.below(64) as u32 + OUTPUT * rng.below(2) as u32).collect();
            let bits: Vec<u32> = bits.into_iter().collect();
            let Some(gather) = Gather::new(&bits) else { continue };
            found += 1;
            let numbers: BTreeSet<usize> =
                gather.exchanges().map(|(input, output)| gather.number(&input, &output)).collect();
            assert_eq!(numbers.len(), 1 << bits.len(), "{bits:?}");
            assert!(numbers.iter().all(|&number| number < gather.size()));
            assert!(gather.size() <= 1 << (bits.len().max(1) as u32 + SPARE));
            // Other bits change nothing.
            let noise = |bits: &[u32], letter: Letter, first: u32| {
                (0..64).filter(|at| !bits.contains(&(at + first))).fold(letter, |letter, at| {
                    letter.with(at as usize, (at + round as u32).is_multiple_of(3))
                })
            };
            for (input, output) in gather.exchanges().take(64) {
                let (noisy_in, noisy_out) = (noise(&bits, input, 0), noise(&bits, output, OUTPUT));
                assert_eq!(gather.number(&noisy_in, &noisy_out), gather.number(&input, &output));
            }
        }
        assert_eq!(found, 200);
    }

    #[test]
    fn bits_of_two_words_of_a_letter_are_not_gathered() {
        assert!(Gather::new(&[3, 70]).is_none());
        assert!(Gather::new(&[70, 71, OUTPUT + 130]).is_some());
    }
}
