//! Model checking of machines and hypotheses: does a machine keep a requirement, whatever its inputs?
//!
//! A machine is followed together with automata: those of the assumptions first, and only what can go on keeping them
//! for ever counts; then the safety automaton of a requirement, of which the first exchange without an edge is the
//! shortest violation, and where that finds nothing the Büchi automaton of the runs that break it, of which an
//! accepting cycle is one (Vardi and Wolper 1986). Machines may be partial: what they do not tell is not known, and
//! then neither is whether they keep a requirement that could be broken there.

mod checker;
mod graph;
mod lasso;
pub mod synthesis;
#[cfg(test)]
mod tests;

use crate::letter::Letter;
use crate::trace::Trace;

pub use checker::Checker;

/// What came of asking whether a machine keeps a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Every run that keeps the assumptions keeps the requirement.
    Holds,
    /// Some run keeps the assumptions and breaks it.
    Violated(Counterexample),
    /// It was not found out.
    Unknown(Unknown),
}

/// A run of a machine that keeps the assumptions and breaks a requirement: as short as one can be where it breaks the
/// requirement in finitely many steps, and otherwise as short as was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The exchanges from the start. Where there is no cycle, the last of them breaks the requirement for good.
    pub stem: Trace,
    /// The exchanges that are repeated for ever after the stem; empty where finitely many break the requirement.
    pub cycle: Trace,
}

impl Counterexample {
    /// Whether the requirement is broken after finitely many steps.
    pub fn is_finite(&self) -> bool {
        self.cycle.is_empty()
    }

    /// How many exchanges tell it.
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// Whether no exchange is needed: nothing keeps the requirement.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Why it was not found out whether a machine keeps a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unknown {
    /// After these exchanges the machine does not say what it answers to this input, and nothing else breaks the
    /// requirement.
    Gap {
        /// The shortest exchanges before it.
        after: Trace,
        /// The input.
        input: Letter,
    },
    /// There would be more to look at than was allowed.
    TooLarge,
    /// The requirement is an automaton that guesses, and there is none of the runs that break it.
    Guesses,
    /// The requirement is a model program.
    Program,
}
