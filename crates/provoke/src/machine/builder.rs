//! A machine from its transitions, in whatever order a file lists them.

use rustc_hash::FxHashMap;

use super::{MOST_ENTRIES, Machine, Names, UNDEFINED};

/// Why transitions do not make a machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// Two transitions of one state and input disagree; both are given by the order in which they were added.
    #[error("transitions {first} and {second} leave the same state with the same input but differ")]
    Conflict {
        /// The earlier of the two.
        first: usize,
        /// The one that disagrees with it.
        second: usize,
    },
    /// The table would not fit.
    #[error("{states} states times {inputs} inputs are more than a table holds")]
    TooLarge {
        /// How many states there are.
        states: usize,
        /// How many inputs there are.
        inputs: usize,
    },
    /// A table with more or fewer entries than states times inputs.
    #[error("the table has {found} entries instead of {expected}")]
    WrongLength {
        /// States times inputs.
        expected: usize,
        /// The entries given.
        found: usize,
    },
    /// An entry names a state that does not exist.
    #[error("entry {entry} leads to state {state}, which does not exist")]
    NoSuchState {
        /// Where in the table.
        entry: usize,
        /// The state it names.
        state: u32,
    },
    /// An entry names an output that does not exist.
    #[error("entry {entry} answers output {output}, which does not exist")]
    NoSuchOutput {
        /// Where in the table.
        entry: usize,
        /// The output it names.
        output: u32,
    },
}

/// Collects named states, letters and transitions. A transition given twice is taken once; two that differ
/// are a [`BuildError::Conflict`].
#[derive(Default)]
pub struct Builder {
    states: Index,
    inputs: Index,
    outputs: Index,
    transitions: Vec<Transition>,
    numbered: Option<usize>,
    initial: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Transition {
    state: u32,
    input: u32,
    output: u32,
    next: u32,
}

impl Builder {
    /// A machine without states yet.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// The number of a state, new if its name is.
    pub fn state(&mut self, name: &str) -> u32 {
        self.states.number(name)
    }

    /// Makes the states the numbers below `count`, known without a name each. Nothing else may name states.
    pub fn numbered_states(&mut self, count: usize) {
        self.numbered = Some(count);
    }

    /// The number of an input, new if its name is.
    pub fn input(&mut self, name: &str) -> u32 {
        self.inputs.number(name)
    }

    /// The number of an output, new if its name is.
    pub fn output(&mut self, name: &str) -> u32 {
        self.outputs.number(name)
    }

    /// How many states are known so far.
    pub fn state_count(&self) -> usize {
        self.numbered.unwrap_or(self.states.names.len())
    }

    /// Adds a transition.
    pub fn add(&mut self, state: u32, input: u32, output: Option<u32>, next: u32) {
        self.transitions.push(Transition { state, input, output: output.unwrap_or(UNDEFINED), next });
    }

    /// Says where the machine starts.
    pub fn initial(&mut self, state: u32) {
        self.initial = Some(state);
    }

    /// The machine, unless two transitions contradict each other.
    pub fn build(self) -> Result<Machine, BuildError> {
        let (states, inputs) = (self.state_count(), self.inputs.names.len());
        let too_large = BuildError::TooLarge { states, inputs };
        let entries = states.checked_mul(inputs).filter(|&entries| entries <= MOST_ENTRIES);
        let entries = entries.ok_or(too_large)?;
        let mut next = vec![UNDEFINED; entries];
        let with_outputs = !self.outputs.names.is_empty();
        let mut output = if with_outputs { vec![UNDEFINED; entries] } else { Vec::new() };
        for (second, transition) in self.transitions.iter().enumerate() {
            let entry = transition.state as usize * inputs + transition.input as usize;
            let agrees =
                next[entry] == transition.next && (!with_outputs || output[entry] == transition.output);
            if next[entry] != UNDEFINED && !agrees {
                let same = |earlier: &Transition| {
                    (earlier.state, earlier.input) == (transition.state, transition.input)
                };
                let first = self.transitions.iter().position(same).unwrap_or(second);
                return Err(BuildError::Conflict { first, second });
            }
            next[entry] = transition.next;
            if with_outputs {
                output[entry] = transition.output;
            }
        }
        let names = self.numbered.map_or_else(|| self.states.names(), |count| Names::numbered("", count));
        let mut machine = Machine::from_table(names, self.inputs.names(), next)?;
        if with_outputs {
            machine = machine.with_outputs(self.outputs.names(), output)?;
        }
        match self.initial {
            Some(initial) => machine.with_initial(initial),
            None => Ok(machine),
        }
    }
}

/// Numbers names in the order in which they are first seen.
#[derive(Default)]
struct Index {
    numbers: FxHashMap<String, u32>,
    names: Vec<String>,
}

impl Index {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }

    fn names(&self) -> Names {
        self.names.iter().map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_states(differ: bool) -> Result<Machine, BuildError> {
        let mut builder = Builder::new();
        let (a, b, go) = (builder.state("a"), builder.state("b"), builder.input("go"));
        builder.add(a, go, None, b);
        builder.add(b, go, None, b);
        builder.add(a, go, None, if differ { a } else { b });
        builder.build()
    }

    #[test]
    fn a_duplicate_is_taken_once_and_a_conflict_is_refused() {
        assert_eq!(two_states(false).unwrap().table(), [1, 1]);
        assert_eq!(two_states(true), Err(BuildError::Conflict { first: 0, second: 2 }));
    }

    #[test]
    fn no_states_make_an_empty_machine() {
        assert!(Builder::new().build().unwrap().states().is_empty());
    }
}
