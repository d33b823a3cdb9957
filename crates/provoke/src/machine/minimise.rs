//! The smallest machine that answers the same.

use rustc_hash::FxHashMap;

use super::{Machine, Names, UNDEFINED};

impl Machine {
    /// The smallest machine with the same answers from the same start: states that cannot be reached are gone, states
    /// that no inputs tell apart are one, and states are numbered as a breadth-first search meets them. So two machines
    /// with the same inputs and outputs answer the same exactly when these are equal. An undefined transition is told
    /// apart from every other. A machine without an initial state stays as it is.
    ///
    /// Moore's refinement of partitions.
    #[must_use]
    pub fn minimised(&self) -> Machine {
        let Some(initial) = self.initial else { return self.clone() };
        let inputs = self.inputs.len();
        let order = self.breadth_first(initial);
        let mut class: Vec<u32> = vec![0; self.states.len()];
        let mut count = 0;
        loop {
            let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
            let mut refined = class.clone();
            for &state in &order {
                let first = state as usize * inputs;
                let mut key = Vec::with_capacity(2 * inputs + 1);
                key.push(class[state as usize]);
                for entry in first..first + inputs {
                    key.push(self.output.get(entry).copied().unwrap_or(UNDEFINED));
                    let to = self.next[entry];
                    key.push(if to == UNDEFINED { UNDEFINED } else { class[to as usize] });
                }
                let fresh = known.len() as u32;
                refined[state as usize] = *known.entry(key).or_insert(fresh);
            }
            class = refined;
            if known.len() == count {
                break;
            }
            count = known.len();
        }
        // Classes are numbered in the order in which the search meets them, so the initial state's is 0.
        let mut next = vec![UNDEFINED; count * inputs];
        let mut output = if self.output.is_empty() { Vec::new() } else { vec![UNDEFINED; count * inputs] };
        for &state in order.iter().rev() {
            for input in 0..inputs {
                let (from, to) =
                    (state as usize * inputs + input, class[state as usize] as usize * inputs + input);
                next[to] = match self.next[from] {
                    UNDEFINED => UNDEFINED,
                    state => class[state as usize],
                };
                if let Some(answer) = output.get_mut(to) {
                    *answer = self.output[from];
                }
            }
        }
        let states = Names::numbered("s", count);
        Machine { states, next, output, initial: Some(0), ..self.clone() }
    }

    pub(super) fn breadth_first(&self, initial: u32) -> Vec<u32> {
        let mut seen = vec![false; self.states.len()];
        seen[initial as usize] = true;
        let mut order = vec![initial];
        let mut place = 0;
        while let Some(&state) = order.get(place) {
            place += 1;
            for &to in self.row(state) {
                if to != UNDEFINED && !std::mem::replace(&mut seen[to as usize], true) {
                    order.push(to);
                }
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_answer_alike_are_one() {
        // 2 and 1 behave alike, 3 cannot be reached; 0 says something else to input 1.
        let next = vec![2, 1, 1, 0, 2, 0, 3, 3];
        let output = vec![0, 1, 0, 0, 0, 0, 1, 1];
        let machine = Machine::from_table(Names::numbered("q", 4), Names::numbered("i", 2), next).unwrap();
        let machine = machine.with_outputs(Names::numbered("o", 2), output).unwrap().with_initial(0).unwrap();
        let small = machine.minimised();
        assert_eq!((small.table(), small.output_table()), (&[1, 1, 1, 0][..], &[0, 1, 0, 0][..]));
        assert_eq!(small.minimised(), small);
    }

    #[test]
    fn an_undefined_transition_is_a_difference() {
        let make = |last| {
            let machine =
                Machine::from_table(Names::numbered("q", 2), Names::numbered("i", 1), vec![1, last]);
            machine.unwrap().with_initial(0).unwrap().minimised()
        };
        assert_eq!(make(UNDEFINED).states().len(), 2);
        assert_eq!(make(0).states().len(), 1);
        assert_ne!(make(0), make(UNDEFINED));
    }
}
