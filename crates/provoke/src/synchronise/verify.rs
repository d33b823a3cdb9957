//! A word is believed only after it was run.

use crate::machine::Machine;

/// Why a word does not synchronise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refuted {
    /// The letter at this place (from 0) is undefined in this state, which the word leads to.
    Undefined {
        /// Place in the word.
        at: usize,
        /// The state.
        state: u32,
    },
    /// The word ends in several states; two of them.
    Apart(u32, u32),
    /// The machine has no states.
    Empty,
}

/// Runs a word from every state of the machine; the one state in which all runs end, or why not.
///
/// Runs that have met go on together. This reads the machine itself, not what the searches made of it.
pub fn verify(machine: &Machine, word: &[u32]) -> Result<u32, Refuted> {
    let count = machine.states().len();
    let mut states: Vec<u32> = (0..count as u32).collect();
    let mut taken = vec![0u64; count.div_ceil(64)];
    for (at, &input) in word.iter().enumerate() {
        let mut kept = 0;
        for index in 0..states.len() {
            let state = states[index];
            let Some(to) = machine.next(state, input) else { return Err(Refuted::Undefined { at, state }) };
            if taken[to as usize >> 6] >> (to & 63) & 1 == 0 {
                taken[to as usize >> 6] |= 1 << (to & 63);
                states[kept] = to;
                kept += 1;
            }
        }
        states.truncate(kept);
        if kept > taken.len() {
            // Many states are put in order, so that the machine's rows are read one after another.
            states.clear();
            for (index, word) in taken.iter_mut().enumerate() {
                let mut left = std::mem::take(word);
                while left != 0 {
                    states.push((index as u32) << 6 | left.trailing_zeros());
                    left &= left - 1;
                }
            }
        } else {
            states.iter().for_each(|&state| taken[state as usize >> 6] = 0);
        }
    }
    match states[..] {
        [] => Err(Refuted::Empty),
        [target] => Ok(target),
        [one, other, ..] => Err(Refuted::Apart(one, other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Names, UNDEFINED};

    #[test]
    fn a_word_is_run_from_every_state() {
        let next = vec![1, 0, 2, UNDEFINED, 2, 2];
        let machine = Machine::from_table(Names::numbered("", 3), Names::numbered("", 2), next).unwrap();
        assert_eq!(verify(&machine, &[0, 0]), Ok(2));
        assert_eq!(verify(&machine, &[0]), Err(Refuted::Apart(1, 2)));
        assert_eq!(verify(&machine, &[0, 1]), Err(Refuted::Undefined { at: 1, state: 1 }));
        let empty = Machine::from_table(Names::numbered("", 0), Names::numbered("", 0), vec![]).unwrap();
        assert_eq!(verify(&empty, &[]), Err(Refuted::Empty));
    }
}
