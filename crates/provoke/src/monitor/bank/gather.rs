//! The bits that monitors read, gathered for many monitors at once.

use super::LANES;
use crate::letter::MAX_SIGNALS;
use crate::trace::Step;

/// The words of an exchange that are read: 0 to 3 for those of the input, 4 to 7 for those of the output.
#[derive(Debug, Default)]
pub(super) struct Words(Vec<usize>);

/// An exchange in pieces of four bits: for each word, the lower halves of all bytes and the upper ones.
pub(super) type Nibbles = [[[u8; 8]; 2]; 2 * MAX_SIGNALS / 64];

/// How many pieces there are.
const PIECES: usize = 2 * MAX_SIGNALS / 4;

/// An exchange in which nothing is true.
pub(super) const NONE: Nibbles = [[[0; 8]; 2]; 2 * MAX_SIGNALS / 64];

impl Words {
    /// The pieces of an exchange; those of words that are not read are left as they are. In place, because
    /// copying what was just written is slow.
    #[inline(always)]
    pub(super) fn split(&self, step: &Step, into: &mut Nibbles) {
        const LOWER: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        for &word in &self.0 {
            let letter = if word < 4 { &step.input } else { &step.output };
            let bits = letter.word(word);
            let [lower, upper] = &mut into[word % 8];
            *lower = (bits & LOWER).to_le_bytes();
            *upper = (bits >> 4 & LOWER).to_le_bytes();
        }
    }

    pub(super) fn read(&mut self, bit: u32) {
        let word = bit as usize / 64;
        if !self.0.contains(&word) {
            self.0.push(word);
        }
    }
}

/// What each piece of an exchange adds to the valuations that the monitors of a group read.
#[derive(Debug, Default)]
pub(super) struct Gather(Vec<Piece>);

#[derive(Debug)]
struct Piece {
    nibble: usize,
    adds: [[u16; LANES]; 16],
}

impl Gather {
    /// For each monitor, the valuation of the bits that it reads, as one small number.
    #[inline(always)]
    pub(super) fn valuations(&self, nibbles: &Nibbles) -> [u16; LANES] {
        let mut valuations = [0; LANES];
        for piece in &self.0 {
            let nibble = nibbles.as_flattened().as_flattened()[piece.nibble % PIECES];
            let adds = &piece.adds[usize::from(nibble % 16)];
            valuations.iter_mut().zip(adds).for_each(|(valuation, add)| *valuation |= add);
        }
        valuations
    }

    /// From now on, this bit of an exchange stands at a place of a monitor's valuation.
    pub(super) fn read(&mut self, lane: usize, bit: u32, place: usize) {
        let (word, byte, half) = (bit / 64, bit % 64 / 8, bit % 8 / 4);
        let nibble = (16 * word + 8 * half + byte) as usize;
        let at = self.0.iter().position(|piece| piece.nibble == nibble).unwrap_or_else(|| {
            self.0.push(Piece { nibble, adds: [[0; LANES]; 16] });
            self.0.len() - 1
        });
        for (value, adds) in self.0[at].adds.iter_mut().enumerate() {
            adds[lane] |= ((value >> (bit % 4) & 1) << place) as u16;
        }
    }
}
