//! The table the searches run on: the machine's inputs without those that add nothing.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::machine::{Machine, UNDEFINED};

/// The most entries (states times letters) that are kept a second time in columns: 2 MB.
const MOST_IN_COLUMNS: usize = 1 << 19;

/// A machine reduced to what matters for synchronising.
///
/// Inputs that move no state, and all but the first of inputs that act alike, can be left out of every word.
pub(crate) struct Core<'a> {
    pub(crate) states: usize,
    pub(crate) letters: usize,
    // invariant: `states * letters` entries, row by row.
    pub(crate) next: Cow<'a, [u32]>,
    /// The same table letter by letter, on machines small enough to afford it; empty otherwise.
    pub(crate) columns: Vec<u32>,
    /// The machine's input of each letter.
    pub(crate) input: Vec<u32>,
    pub(crate) complete: bool,
}

impl<'a> Core<'a> {
    pub(crate) fn new(machine: &'a Machine) -> Core<'a> {
        let (states, inputs) = (machine.states().len(), machine.inputs().len());
        let table = machine.table();
        let kept = useful(table, states, inputs);
        let next = if kept.len() == inputs {
            Cow::Borrowed(table)
        } else {
            let mut next = Vec::with_capacity(states * kept.len());
            for row in table.chunks_exact(inputs) {
                next.extend(kept.iter().map(|&input| row[input as usize]));
            }
            Cow::Owned(next)
        };
        Core::from_kept(next, states, kept)
    }

    /// The core with every input of the machine, also those that can be left out.
    pub(crate) fn with_all_inputs(machine: &'a Machine) -> Core<'a> {
        let inputs = (0..machine.inputs().len() as u32).collect();
        Core::from_kept(Cow::Borrowed(machine.table()), machine.states().len(), inputs)
    }

    fn from_kept(next: Cow<'a, [u32]>, states: usize, input: Vec<u32>) -> Core<'a> {
        let letters = input.len();
        let columns =
            if next.len() <= MOST_IN_COLUMNS { transposed(&next, states, letters) } else { Vec::new() };
        let complete = !next.contains(&UNDEFINED);
        Core { states, letters, next, columns, input, complete }
    }

    #[inline]
    pub(crate) fn row(&self, state: u32) -> &[u32] {
        let start = state as usize * self.letters;
        &self.next[start..start + self.letters]
    }

    #[inline]
    pub(crate) fn step(&self, state: u32, letter: u32) -> u32 {
        self.next[state as usize * self.letters + letter as usize]
    }

    /// The rows of some states one after another, appended to `rows`.
    ///
    /// On large machines each row is a visit to slow memory. Nothing else is done meanwhile, so that the
    /// processor can have many visits under way at once.
    pub(crate) fn gather(&self, states: &[u32], rows: &mut Vec<u32>) {
        match self.letters {
            2 => rows.extend(states.iter().flat_map(|&state| self.few::<2>(state))),
            3 => rows.extend(states.iter().flat_map(|&state| self.few::<3>(state))),
            4 => rows.extend(states.iter().flat_map(|&state| self.few::<4>(state))),
            _ => states.iter().for_each(|&state| rows.extend_from_slice(self.row(state))),
        }
    }

    #[inline]
    fn few<const P: usize>(&self, state: u32) -> [u32; P] {
        let start = state as usize * P;
        let mut row = [0; P];
        row.copy_from_slice(&self.next[start..start + P]);
        row
    }

    /// A word of letters as the machine's inputs.
    pub(crate) fn word(&self, letters: &[u32]) -> Vec<u32> {
        letters.iter().map(|&letter| self.input[letter as usize]).collect()
    }
}

fn transposed(next: &[u32], states: usize, letters: usize) -> Vec<u32> {
    let mut columns = vec![0; next.len()];
    for (state, row) in next.chunks_exact(letters.max(1)).enumerate() {
        for (letter, &to) in row.iter().enumerate() {
            columns[letter * states + state] = to;
        }
    }
    columns
}

/// The inputs that move some state, one of each group that acts alike.
fn useful(table: &[u32], states: usize, inputs: usize) -> Vec<u32> {
    let mut hashes = vec![0u64; inputs];
    let mut moves = vec![false; inputs];
    if inputs == 0 {
        return Vec::new();
    }
    for (state, row) in table.chunks_exact(inputs).enumerate() {
        for ((&to, hash), moves) in row.iter().zip(&mut hashes).zip(&mut moves) {
            *hash = (hash.rotate_left(5) ^ u64::from(to)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *moves |= to != UNDEFINED && to as usize != state;
        }
    }
    let mut kept: Vec<u32> = Vec::new();
    let mut alike: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    for input in (0..inputs).filter(|&input| moves[input]) {
        let same = |&other: &u32| {
            (0..states).all(|state| table[state * inputs + input] == table[state * inputs + other as usize])
        };
        let group = alike.entry(hashes[input]).or_default();
        if !group.iter().any(same) {
            group.push(input as u32);
            kept.push(input as u32);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Names;

    #[test]
    fn idle_and_repeated_inputs_are_left_out() {
        // Inputs: swap, idle, swap again, merge, and one that is idle wherever it is defined.
        let next = vec![1, 0, 1, 0, UNDEFINED, 0, 1, 0, 0, 1];
        let machine = Machine::from_table(Names::numbered("", 2), Names::numbered("i", 5), next).unwrap();
        let core = Core::new(&machine);
        assert_eq!((core.input.as_slice(), core.letters), ([0, 3].as_slice(), 2));
        assert_eq!(core.next.as_ref(), [1, 0, 0, 0]);
        assert!(core.complete);
        assert_eq!(core.word(&[1, 0]), [3, 0]);
    }
}
