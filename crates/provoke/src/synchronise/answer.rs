//! What a search for a reset word answers.

use crate::machine::Machine;

/// A word, a proof that there is none, or neither within the budget.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A word that was run on every state and led all of them to one.
    Found(ResetWord),
    /// There is no such word.
    None(Impossible),
    /// Neither a word nor a proof; the text says what ran out.
    Unknown(String),
}

/// A verified reset word.
#[derive(Clone, Debug, PartialEq)]
pub struct ResetWord {
    /// The inputs, by number.
    pub word: Vec<u32>,
    /// The state they lead to from every state.
    pub target: u32,
    /// States that can still be reached from the target, itself included.
    pub reachable: usize,
    /// True where the target is no place to start from: the machine's initial state cannot be reached from
    /// there or, where no initial state is known, at most half of the states can.
    pub trap: bool,
    /// True where no shorter word exists.
    pub shortest: bool,
    /// The method that found it.
    pub by: &'static str,
    /// The lengths of the longer words found before this one, the first word's first.
    pub before: Vec<usize>,
    /// How many sets of states a learning method met: the nodes of its Q-graph.
    pub nodes: Option<usize>,
}

/// Why there is no word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// The machine has no states.
    NoStates,
    /// No input that moves anything is defined in every state.
    NoTotalInput,
    /// Two components that are never left; a state of each.
    TwoBottoms {
        /// A state of the one.
        one: u32,
        /// A state of the other.
        other: u32,
    },
    /// Two states that no word merges.
    NeverMerge {
        /// The one.
        one: u32,
        /// The other.
        other: u32,
    },
    /// Every set of states that can be reached was visited.
    Exhausted {
        /// How many there are, where they were counted.
        sets: Option<usize>,
    },
    /// There are words, but all lead into states from which no wanted state can be reached.
    NotThere {
        /// A state they lead to.
        target: u32,
        /// How many states can be reached from there.
        reachable: usize,
    },
}

impl Impossible {
    /// A word for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Impossible::NoStates => "no-states",
            Impossible::NoTotalInput => "no-total-input",
            Impossible::TwoBottoms { .. } => "two-bottom-components",
            Impossible::NeverMerge { .. } => "pair-never-merges",
            Impossible::Exhausted { .. } => "all-sets-visited",
            Impossible::NotThere { .. } => "target-unreachable",
        }
    }

    /// A sentence for people.
    pub fn describe(&self, machine: &Machine) -> String {
        let name = |state: &u32| machine.states().name(*state).into_owned();
        match self {
            Impossible::NoStates => "the machine has no states".to_owned(),
            Impossible::NoTotalInput => {
                "no input that moves any state is defined in every state, so no word can begin".to_owned()
            }
            Impossible::TwoBottoms { one, other } => format!(
                "{} and {} lie in two components that are never left, so they never meet",
                name(one),
                name(other)
            ),
            Impossible::NeverMerge { one, other } => {
                format!("no word brings {} and {} to one state", name(one), name(other))
            }
            Impossible::Exhausted { sets: Some(sets) } => {
                format!("all {sets} sets of states that can be reached were visited; none is a single state")
            }
            Impossible::Exhausted { sets: None } => {
                "all sets of states that can be reached were visited; none is a single state".to_owned()
            }
            Impossible::NotThere { target, reachable: 1 } => {
                format!("every word leads to {}, which is never left and not wanted", name(target))
            }
            Impossible::NotThere { target, reachable } => format!(
                "every word leads into the {reachable} states that can be reached from {}; none of them is wanted",
                name(target)
            ),
        }
    }
}
