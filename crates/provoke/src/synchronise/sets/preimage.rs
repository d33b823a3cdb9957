//! Which states a letter leads into a set, for sets of any size kept as bits.

use super::bits::{Bits, Tables};
use crate::synchronise::core::Core;

/// The most bytes that tables of whole sets may take; one second-level cache holds a good part of them.
const MOST_BYTES: usize = 1 << 23;

/// Computes preimages.
pub(crate) enum Preimages {
    One(Tables<1>),
    Two(Tables<2>),
    Four(Tables<4>),
    Eight(Tables<8>),
    Large(Columns),
}

/// Room to compute a preimage in.
#[derive(Default)]
pub(crate) struct Room(Vec<u8>);

impl Preimages {
    pub(crate) fn new(core: &Core<'_>) -> Preimages {
        let bytes = |words: usize| core.letters * core.states.div_ceil(4) * 16 * words * 8;
        match core.states.div_ceil(64) {
            0 | 1 if bytes(1) <= MOST_BYTES => Preimages::One(Tables::preimages(core)),
            2 if bytes(2) <= MOST_BYTES => Preimages::Two(Tables::preimages(core)),
            3 | 4 if bytes(4) <= MOST_BYTES => Preimages::Four(Tables::preimages(core)),
            5..=8 if bytes(8) <= MOST_BYTES => Preimages::Eight(Tables::preimages(core)),
            _ => Preimages::Large(Columns::new(core)),
        }
    }

    /// Words of 64 bits in a set.
    pub(crate) fn words(&self) -> usize {
        match self {
            Preimages::One(_) => 1,
            Preimages::Two(_) => 2,
            Preimages::Four(_) => 4,
            Preimages::Eight(_) => 8,
            Preimages::Large(columns) => columns.states.div_ceil(64),
        }
    }

    /// The work of one preimage.
    pub(crate) fn moves(&self) -> usize {
        match self {
            Preimages::One(_) | Preimages::Two(_) => 64,
            Preimages::Four(_) => 128,
            Preimages::Eight(_) => 384,
            Preimages::Large(columns) => 2 * columns.states,
        }
    }

    /// Appends the states from which the letter leads into the set.
    #[inline]
    pub(crate) fn push(&self, set: &[u64], letter: usize, room: &mut Room, onto: &mut Vec<u64>) {
        match self {
            Preimages::One(tables) => onto.extend(tables.apply(&bits(set), letter)),
            Preimages::Two(tables) => onto.extend(tables.apply(&bits(set), letter)),
            Preimages::Four(tables) => onto.extend(tables.apply(&bits(set), letter)),
            Preimages::Eight(tables) => onto.extend(tables.apply(&bits(set), letter)),
            Preimages::Large(columns) => columns.push(set, letter, room, onto),
        }
    }
}

#[inline]
fn bits<const W: usize>(set: &[u64]) -> Bits<W> {
    let mut bits = [0; W];
    bits.copy_from_slice(set);
    bits
}

/// The table letter by letter, so that a preimage is one pass over a column.
pub(crate) struct Columns {
    // invariant: `letters * states` entries; one that is undefined is the number of states, which no set holds.
    next: Vec<u32>,
    states: usize,
}

impl Columns {
    fn new(core: &Core<'_>) -> Columns {
        let none = core.states as u32;
        let mut next = vec![none; core.states * core.letters];
        for state in 0..core.states {
            for (letter, &to) in core.row(state as u32).iter().enumerate() {
                next[letter * core.states + state] = to.min(none);
            }
        }
        Columns { next, states: core.states }
    }

    fn push(&self, set: &[u64], letter: usize, room: &mut Room, onto: &mut Vec<u64>) {
        // A byte for each state is asked faster than a bit.
        let inside = &mut room.0;
        inside.resize(set.len() * 64 + 1, 0);
        for (bytes, &word) in inside.chunks_exact_mut(64).zip(set) {
            for (bit, byte) in bytes.iter_mut().enumerate() {
                *byte = (word >> bit & 1) as u8;
            }
        }
        let inside = &inside[..self.states + 1];
        let column = &self.next[letter * self.states..(letter + 1) * self.states];
        onto.extend(column.chunks(64).map(|targets| {
            let each = targets.iter().enumerate();
            each.fold(0u64, |bits, (bit, &to)| bits | u64::from(inside[to as usize]) << bit)
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Machine, Names, UNDEFINED};
    use crate::rng::Rng;

    #[test]
    fn every_kind_of_table_agrees_with_single_steps() {
        let mut rng = Rng::new(6);
        for states in [1usize, 64, 65, 130, 300, 512, 513, 1000] {
            let entry = |rng: &mut Rng| if rng.chance(0.1) { UNDEFINED } else { rng.index(states) as u32 };
            let next = (0..states * 2).map(|_| entry(&mut rng)).collect();
            let names = (Names::numbered("", states), Names::numbered("", 2));
            let machine = Machine::from_table(names.0, names.1, next).unwrap();
            let core = Core::with_all_inputs(&machine);
            for preimages in [Preimages::new(&core), Preimages::Large(Columns::new(&core))] {
                let mut room = Room::default();
                for share in [0.0, 0.1, 0.9, 1.0] {
                    let mut set = vec![0u64; preimages.words()];
                    for state in (0..states).filter(|_| rng.chance(share)) {
                        set[state >> 6] |= 1 << (state & 63);
                    }
                    let holds = |set: &[u64], state: usize| set[state >> 6] >> (state & 63) & 1 == 1;
                    for letter in 0..2 {
                        let mut preimage = Vec::new();
                        preimages.push(&set, letter, &mut room, &mut preimage);
                        assert_eq!(preimage.len(), set.len());
                        for state in 0..states {
                            let led = machine.next(state as u32, letter as u32);
                            let led = led.is_some_and(|to| holds(&set, to as usize));
                            assert_eq!(holds(&preimage, state), led);
                        }
                    }
                }
            }
        }
    }
}
