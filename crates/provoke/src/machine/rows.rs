//! The rows of a state table: inputs of a state that are answered alike, as cubes over the input signals.

use rustc_hash::FxHashMap;

use super::Machine;

/// Inputs of a state with one answer and one successor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) state: u32,
    /// For each input signal its value; none where it does not matter.
    pub(crate) cube: Vec<Option<bool>>,
    pub(crate) to: u32,
    pub(crate) output: Option<u32>,
}

impl Row {
    /// The inputs that it stands for, in their order.
    pub(crate) fn inputs(&self) -> Vec<u32> {
        let mut inputs = vec![0];
        for (bit, value) in self.cube.iter().enumerate() {
            let others: Vec<u32> = inputs.iter().map(|input| input | 1 << bit).collect();
            match value {
                Some(false) => {}
                Some(true) => inputs = others,
                None => inputs.extend(others),
            }
        }
        inputs
    }
}

impl Machine {
    /// Whether every input is a valuation of the input signals.
    pub(crate) fn reads_signals(&self) -> bool {
        let bits = self.input_signals.len();
        self.inputs.len() == 1 << bits && (bits > 0 || self.inputs.name(0).is_empty())
    }

    /// The rows of one state. No signal is asked for that makes no difference, and those come first that leave the fewest
    /// reactions on both sides: that comes to about as many rows as tables are written with.
    ///
    /// Inputs must be valuations of signals.
    pub(crate) fn rows(&self, state: u32) -> Vec<Row> {
        let reaction = |input: u32| (self.next(state, input), self.output(state, input));
        let mut numbers = FxHashMap::default();
        let reactions: Vec<u32> = (0..self.inputs.len() as u32)
            .map(|input| {
                let number = numbers.len() as u32;
                *numbers.entry(reaction(input)).or_insert(number)
            })
            .collect();
        let mut table = Table { reactions, counted: vec![0; numbers.len()], counts: 0, found: Vec::new() };
        let bits = self.input_signals.len();
        table.split(vec![None; bits], (0..bits).collect(), (0..self.inputs.len() as u32).collect());
        let row = |(cube, input)| {
            let (to, output) = reaction(input);
            to.map(|to| Row { state, cube, to, output })
        };
        table.found.into_iter().filter_map(row).collect()
    }
}

/// What one state does.
struct Table {
    /// The number of the reaction to each input.
    reactions: Vec<u32>,
    /// When each of them was counted last, and how often they were counted.
    counted: Vec<u32>,
    counts: u32,
    /// Cubes with one reaction, and an input of each.
    found: Vec<(Vec<Option<bool>>, u32)>,
}

impl Table {
    /// Splits a cube until all of it is answered alike. `free` are signals without a value that may make a difference; the inputs
    /// have every valuation of these.
    fn split(&mut self, cube: Vec<Option<bool>>, mut free: Vec<usize>, mut inputs: Vec<u32>) {
        free.retain(|bit| {
            let differs = |input: &u32| self.reaction(*input) != self.reaction(input | 1 << bit);
            let matters = inputs.iter().any(differs);
            inputs.retain(|input| matters || input >> bit & 1 == 0);
            matters
        });
        let mut left =
            |bit: usize| [0, 1].map(|value| self.distinct(&inputs, bit, value)).iter().sum::<u32>();
        let Some(bit) = free.iter().copied().min_by_key(|&bit| left(bit)) else {
            self.found.push((cube, inputs[0]));
            return;
        };
        free.retain(|&other| other != bit);
        for value in [false, true] {
            let mut inner = cube.clone();
            inner[bit] = Some(value);
            let has = |input: &u32| input >> bit & 1 == u32::from(value);
            self.split(inner, free.clone(), inputs.iter().copied().filter(has).collect());
        }
    }

    fn reaction(&self, input: u32) -> u32 {
        self.reactions[input as usize]
    }

    /// How many reactions there are to those of the inputs in which a bit has a value.
    fn distinct(&mut self, inputs: &[u32], bit: usize, value: u32) -> u32 {
        self.counts += 1;
        let mut found = 0;
        for &input in inputs.iter().filter(|&input| input >> bit & 1 == value) {
            let counted = &mut self.counted[self.reactions[input as usize] as usize];
            found += u32::from(std::mem::replace(counted, self.counts) != self.counts);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Names, UNDEFINED};
    use super::*;
    use crate::rng::Rng;

    /// One state of a machine over signals, and where each input leads from it.
    fn machine(bits: usize, next: &[u32]) -> Machine {
        let inputs: Vec<String> = (0..next.len())
            .map(|input| (0..bits).map(|bit| (input >> bit & 1).to_string()).collect())
            .collect();
        let states = next.iter().filter(|&&to| to != UNDEFINED).max().map_or(1, |most| most + 1) as usize;
        let mut table = next.to_vec();
        table.resize(states * next.len(), 0);
        let machine = Machine::from_table(
            Names::numbered("q", states),
            inputs.iter().map(String::as_str).collect(),
            table,
        );
        let signals = (0..bits).map(|bit| format!("x{bit}")).collect();
        machine.unwrap().with_signals(signals, Vec::new())
    }

    #[test]
    fn a_signal_that_makes_no_difference_has_no_value() {
        // Only the last of three matters.
        let rows = machine(3, &[0, 0, 0, 0, 1, 1, 1, 1]).rows(0);
        let cubes: Vec<_> = rows.iter().map(|row| (row.cube.clone(), row.to)).collect();
        assert_eq!(cubes, [(vec![None, None, Some(false)], 0), (vec![None, None, Some(true)], 1)]);
        assert_eq!(rows[1].inputs(), [4, 5, 6, 7]);
    }

    #[test]
    fn the_signal_that_says_most_is_asked_for_first() {
        // x2 ? (x0 and x1 tell four states apart) : always the same. Asking for x0 first would make seven rows of it.
        let rows = machine(3, &[0, 0, 0, 0, 1, 2, 3, 4]).rows(0);
        assert_eq!(rows.len(), 5);
        assert_eq!(rows[0].cube, [None, None, Some(false)]);
    }

    #[test]
    fn rows_say_of_every_input_what_the_machine_does_and_only_once() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let bits = 1 + rng.index(5);
            let kinds = 1 + rng.below(4) as u32;
            let draw =
                |rng: &mut Rng| if rng.chance(0.1) { UNDEFINED } else { rng.below(kinds.into()) as u32 };
            let next: Vec<u32> = (0..1 << bits).map(|_| draw(&mut rng)).collect();
            let mut said = vec![UNDEFINED; next.len()];
            for row in machine(bits, &next).rows(0) {
                for input in row.inputs() {
                    assert_eq!(std::mem::replace(&mut said[input as usize], row.to), UNDEFINED);
                }
            }
            assert_eq!(said, next);
        }
    }
}
