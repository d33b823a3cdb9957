//! Where each exchange leads from each state of a small game.

use super::Product;
use crate::game::State;
use crate::letter::Letter;

/// All moves of a small game, written down: states times exchanges.
pub(super) struct Moves {
    input_bits: u32,
    bits: u32,
    to: Vec<u32>,
}

impl Moves {
    /// How many entries are small enough to be worth it: the table should stay in the cache.
    const MOST: usize = 1 << 14;

    pub(super) fn of(product: &Product) -> Option<Moves> {
        let (input_bits, output_bits) = (product.space().input_bits(), product.space().output_bits());
        let bits = input_bits + output_bits;
        if bits > 14 || product.states() << bits > Moves::MOST {
            return None;
        }
        let mut to = Vec::with_capacity(product.states() << bits);
        for entry in 0..(product.states() << bits) as u64 {
            let (at, code) = ((entry >> bits) as u32, entry & ((1 << bits) - 1));
            let (input, output) = (code & ((1 << input_bits) - 1), code >> input_bits);
            let next =
                product.move_components(State(at), Letter::from_index(input), Letter::from_index(output));
            to.push(product.number(next));
        }
        Some(Moves { input_bits: input_bits as u32, bits: bits as u32, to })
    }

    #[inline]
    pub(super) fn to(&self, at: State, input: Letter, output: Letter) -> u32 {
        let code = input.index() | output.index() << self.input_bits;
        self.to[(u64::from(at.0) << self.bits | code) as usize]
    }
}
