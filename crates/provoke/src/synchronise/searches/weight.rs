//! What a set of states is worth to a search that goes backwards.

use crate::machine::UNDEFINED;
use crate::synchronise::core::Core;

/// The weight of an average state.
const AVERAGE: f64 = 256.0;

/// What each state weighs: how many states lead there by `steps` random letters.
///
/// A set's weight so is the size to expect of what leads into it. With no steps all states weigh the same, with one it is
/// the in-degree that counts, with many how often a long random walk comes by. No state weighs nothing: the set of all
/// states outweighs every other.
pub(crate) fn weights(core: &Core<'_>, steps: usize) -> Vec<u32> {
    let mut weights = vec![1.0f64; core.states];
    for _ in 0..steps {
        let mut arriving = vec![0.0f64; core.states];
        for (state, row) in core.next.chunks_exact(core.letters.max(1)).enumerate() {
            for &to in row.iter().filter(|&&to| to != UNDEFINED) {
                arriving[to as usize] += weights[state];
            }
        }
        let sum: f64 = arriving.iter().sum();
        if sum <= 0.0 {
            break;
        }
        let scale = core.states as f64 / sum;
        weights = arriving.into_iter().map(|weight| weight * scale).collect();
    }
    weights.into_iter().map(|weight| (AVERAGE * weight).round().max(1.0) as u32).collect()
}

/// The weights of all preimages of a set, looked up four states and two letters at a time.
pub(crate) struct Scores {
    // invariant: for each pair of letters, each four states and each mask of them, the weight of what either letter
    // leads into those states: the first letter's in the lower half of a number, the second's in the upper.
    tables: Vec<u64>,
    // invariant: sixteen tables of sixteen masks for every 64 states.
    words: usize,
    letters: usize,
}

impl Scores {
    pub(crate) fn new(core: &Core<'_>, weights: &[u32]) -> Scores {
        let words = match core.states.div_ceil(64) {
            words @ 0..=8 => words.next_power_of_two(),
            words => words,
        };
        let pairs = core.letters.div_ceil(2);
        let mut tables = vec![0u64; pairs * words * 256];
        for (state, row) in core.next.chunks_exact(core.letters.max(1)).enumerate() {
            for (letter, &to) in row.iter().enumerate().filter(|(_, to)| **to != UNDEFINED) {
                let table = (letter / 2 * words * 16 + to as usize / 4) * 16;
                tables[table + (1 << (to & 3))] += u64::from(weights[state]) << (32 * (letter & 1));
            }
        }
        for table in tables.chunks_exact_mut(16) {
            for mask in 1..16usize {
                table[mask] = table[mask & (mask - 1)] + table[1 << mask.trailing_zeros()];
            }
        }
        Scores { tables, words, letters: core.letters }
    }

    /// Calls with each letter that leads anything into the set, and the weight of what it leads there.
    #[inline]
    pub(crate) fn of(&self, set: &[u64], mut each: impl FnMut(usize, u32)) {
        for (pair, tables) in self.tables.chunks_exact(self.words * 256).enumerate() {
            let mut sum = 0u64;
            for (&word, tables) in set.iter().zip(tables.as_chunks::<256>().0) {
                if word != 0 {
                    for four in 0..16 {
                        sum += tables[four * 16 + (word >> (4 * four) & 15) as usize];
                    }
                }
            }
            self.tell(pair, sum, &mut each);
        }
    }

    /// The same for the set of one state.
    pub(crate) fn of_single(&self, state: u32, mut each: impl FnMut(usize, u32)) {
        for (pair, tables) in self.tables.chunks_exact(self.words * 256).enumerate() {
            let sum = tables[state as usize / 4 * 16 + (1 << (state & 3))];
            self.tell(pair, sum, &mut each);
        }
    }

    #[inline]
    fn tell(&self, pair: usize, sum: u64, each: &mut impl FnMut(usize, u32)) {
        for (letter, score) in [(2 * pair, sum as u32), (2 * pair + 1, (sum >> 32) as u32)] {
            if score > 0 && letter < self.letters {
                each(letter, score);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Machine, Names};
    use crate::rng::Rng;

    #[test]
    fn scores_are_the_weights_of_preimages() {
        let mut rng = Rng::new(7);
        for (states, inputs) in [(1usize, 1usize), (5, 3), (64, 2), (200, 5), (700, 4)] {
            let entry = |rng: &mut Rng| if rng.chance(0.1) { UNDEFINED } else { rng.index(states) as u32 };
            let next = (0..states * inputs).map(|_| entry(&mut rng)).collect();
            let names = (Names::numbered("", states), Names::numbered("", inputs));
            let machine = Machine::from_table(names.0, names.1, next).unwrap();
            let core = Core::with_all_inputs(&machine);
            for steps in [0, 1, 8] {
                let weights = weights(&core, steps);
                let scores = Scores::new(&core, &weights);
                let members: Vec<u32> = (0..states as u32).filter(|_| rng.chance(0.4)).collect();
                let mut set = vec![0u64; scores.words];
                members.iter().for_each(|&state| set[state as usize >> 6] |= 1 << (state & 63));
                let expected: Vec<u32> = (0..inputs as u32)
                    .map(|input| {
                        let led =
                            |state: &u32| machine.next(*state, input).is_some_and(|to| members.contains(&to));
                        (0..states as u32).filter(led).map(|state| weights[state as usize]).sum()
                    })
                    .collect();
                let mut found = vec![0; inputs];
                scores.of(&set, |letter, score| found[letter] = score);
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn states_where_walks_gather_weigh_more() {
        // Letter 0 leads everything to 0, letter 1 moves around.
        let next = vec![0, 1, 0, 2, 0, 3, 0, 0];
        let machine = Machine::from_table(Names::numbered("", 4), Names::numbered("", 2), next).unwrap();
        let core = Core::new(&machine);
        assert_eq!(weights(&core, 0), [256; 4]);
        assert_eq!(weights(&core, 1), [640, 128, 128, 128]);
        assert!(weights(&core, 20)[0] > 500);
    }
}
