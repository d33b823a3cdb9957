//! A finite-state machine as a table: what reset words are computed on, and what a simulated system runs.
//!
//! States, inputs and outputs are numbers from 0; [`Names`] says what the file called them. A machine may
//! be partial (an input may be undefined in a state) and may have no outputs at all.

mod builder;
mod fault;
mod formulas;
mod letters;
mod minimise;
mod mutant;
mod names;
mod reactions;
mod rows;
mod valuation;

pub use builder::{BuildError, Builder};
pub use fault::ModelError;
pub(crate) use fault::located;
pub(crate) use letters::{answer, columns, outputs, overlap};
pub use mutant::{Mutant, Operator, flips, flips_over, mutants};
pub use names::Names;
pub use reactions::{Reaction, Reactions};
pub(crate) use rows::Row;
pub(crate) use valuation::{guard, valuation};

/// The entry of a transition that does not exist.
pub const UNDEFINED: u32 = u32::MAX;

/// The most table entries (states times inputs) a machine may have: 8 GiB of transitions.
pub const MOST_ENTRIES: usize = 1 << 31;

/// A deterministic machine, complete or partial, with or without outputs.
///
/// The table is dense, one row of `u32` per state, so that 10,000,000 states with two inputs take 80 MB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    states: Names,
    inputs: Names,
    outputs: Names,
    // invariant: `states * inputs` entries, each a state or `UNDEFINED`.
    next: Vec<u32>,
    // invariant: empty (no outputs), or as long as `next`, each an output or `UNDEFINED`.
    output: Vec<u32>,
    initial: Option<u32>,
    input_signals: Vec<String>,
    output_signals: Vec<String>,
}

impl Machine {
    /// A machine from its rows: entry `state * inputs + input` of `next` is where `input` leads from `state`,
    /// or [`UNDEFINED`].
    pub fn from_table(states: Names, inputs: Names, next: Vec<u32>) -> Result<Machine, BuildError> {
        let entries = states.len().checked_mul(inputs.len()).filter(|&entries| entries <= MOST_ENTRIES);
        if entries.is_none() || states.len() >= UNDEFINED as usize {
            return Err(BuildError::TooLarge { states: states.len(), inputs: inputs.len() });
        }
        if entries != Some(next.len()) {
            return Err(BuildError::WrongLength { expected: states.len() * inputs.len(), found: next.len() });
        }
        if let Some(entry) = next.iter().position(|&to| to != UNDEFINED && to as usize >= states.len()) {
            return Err(BuildError::NoSuchState { entry, state: next[entry] });
        }
        Ok(Machine {
            states,
            inputs,
            outputs: Names::numbered("", 0),
            next,
            output: Vec::new(),
            initial: None,
            input_signals: Vec::new(),
            output_signals: Vec::new(),
        })
    }

    /// Adds outputs: entry `state * inputs + input` of `output` is what the system answers, or [`UNDEFINED`].
    pub fn with_outputs(mut self, outputs: Names, output: Vec<u32>) -> Result<Machine, BuildError> {
        if output.len() != self.next.len() {
            return Err(BuildError::WrongLength { expected: self.next.len(), found: output.len() });
        }
        if let Some(entry) = output.iter().position(|&out| out != UNDEFINED && out as usize >= outputs.len())
        {
            return Err(BuildError::NoSuchOutput { entry, output: output[entry] });
        }
        self.outputs = outputs;
        self.output = output;
        Ok(self)
    }

    /// Says in which state the machine starts.
    pub fn with_initial(mut self, initial: u32) -> Result<Machine, BuildError> {
        if initial as usize >= self.states.len() {
            return Err(BuildError::NoSuchState { entry: 0, state: initial });
        }
        self.initial = Some(initial);
        Ok(self)
    }

    /// Says that letters are valuations: bit `k` of an input (output) number is the value of the `k`-th
    /// input (output) signal.
    pub fn with_signals(mut self, inputs: Vec<String>, outputs: Vec<String>) -> Machine {
        self.input_signals = inputs;
        self.output_signals = outputs;
        self
    }

    /// The states' names, and how many there are.
    pub fn states(&self) -> &Names {
        &self.states
    }

    /// The inputs' names, and how many there are.
    pub fn inputs(&self) -> &Names {
        &self.inputs
    }

    /// The outputs' names; empty for a machine without outputs.
    pub fn outputs(&self) -> &Names {
        &self.outputs
    }

    /// Where the machine starts, if its file says so.
    pub fn initial(&self) -> Option<u32> {
        self.initial
    }

    /// The Boolean inputs whose valuations the inputs are; empty where inputs are plain labels.
    pub fn input_signals(&self) -> &[String] {
        &self.input_signals
    }

    /// The Boolean outputs whose valuations the outputs are; empty where outputs are plain labels.
    pub fn output_signals(&self) -> &[String] {
        &self.output_signals
    }

    /// Where `input` leads from `state`; none where it is undefined there.
    #[inline]
    pub fn next(&self, state: u32, input: u32) -> Option<u32> {
        let to = self.next[state as usize * self.inputs.len() + input as usize];
        (to != UNDEFINED).then_some(to)
    }

    /// What the machine answers to `input` in `state`; none where it is undefined or says nothing.
    #[inline]
    pub fn output(&self, state: u32, input: u32) -> Option<u32> {
        let out = *self.output.get(state as usize * self.inputs.len() + input as usize)?;
        (out != UNDEFINED).then_some(out)
    }

    /// The successors of `state` in the order of the inputs, [`UNDEFINED`] where there is none.
    #[inline]
    pub fn row(&self, state: u32) -> &[u32] {
        let start = state as usize * self.inputs.len();
        &self.next[start..start + self.inputs.len()]
    }

    /// The whole table, row by row.
    pub fn table(&self) -> &[u32] {
        &self.next
    }

    /// The outputs row by row; empty for a machine without outputs.
    pub fn output_table(&self) -> &[u32] {
        &self.output
    }

    /// True where every input is defined in every state.
    pub fn is_complete(&self) -> bool {
        !self.next.contains(&UNDEFINED)
    }

    /// The same machine with every missing transition a self-loop without output.
    pub fn completed_by_self_loops(mut self) -> Machine {
        let inputs = self.inputs.len().max(1);
        for (entry, to) in self.next.iter_mut().enumerate() {
            if *to == UNDEFINED {
                *to = (entry / inputs) as u32;
            }
        }
        self
    }

    /// The same machine with every missing transition leading to a new absorbing state `name`.
    ///
    /// A machine that is complete already gets no new state.
    pub fn completed_by_sink(mut self, name: &str) -> Machine {
        if self.is_complete() {
            return self;
        }
        let sink = self.states.len() as u32;
        let mut unique = name.to_owned();
        while self.states.find(&unique).is_some() {
            unique.push('_');
        }
        self.states.push(&unique);
        for to in &mut self.next {
            if *to == UNDEFINED {
                *to = sink;
            }
        }
        self.next.extend(std::iter::repeat_n(sink, self.inputs.len()));
        if !self.output.is_empty() {
            self.output.extend(std::iter::repeat_n(UNDEFINED, self.inputs.len()));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partial() -> Machine {
        let next = vec![1, UNDEFINED, 1, 0];
        Machine::from_table(Names::numbered("s", 2), Names::numbered("i", 2), next).unwrap()
    }

    #[test]
    fn a_partial_machine_stays_partial() {
        let machine = partial();
        assert_eq!(machine.next(0, 0), Some(1));
        assert_eq!(machine.next(0, 1), None);
        assert_eq!(machine.output(0, 0), None);
        assert!(!machine.is_complete());
    }

    #[test]
    fn completion_is_a_loop_or_a_sink() {
        assert_eq!(partial().completed_by_self_loops().table(), [1, 0, 1, 0]);
        let sunk = partial().completed_by_sink("error");
        assert_eq!(sunk.table(), [1, 2, 1, 0, 2, 2]);
        assert_eq!(sunk.states().name(2), "error");
        assert_eq!(sunk.clone().completed_by_sink("error"), sunk);
    }

    #[test]
    fn a_table_that_points_outside_is_refused() {
        let make = |next| Machine::from_table(Names::numbered("", 2), Names::numbered("", 1), next);
        assert!(matches!(make(vec![0, 2]), Err(BuildError::NoSuchState { entry: 1, state: 2 })));
        assert!(matches!(make(vec![0]), Err(BuildError::WrongLength { expected: 2, found: 1 })));
    }
}
