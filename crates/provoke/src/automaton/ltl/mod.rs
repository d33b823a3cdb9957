//! From temporal formulas to automata.

mod chart;
mod degeneralise;
mod graph;
mod language;
mod marks;
mod merge;
mod prune;
mod refine;
mod rounds;
mod safety;
mod scc;
mod simulation;
mod tableau;
#[cfg(test)]
mod tests;
mod translate;
mod verdict;
mod weak;

use std::fmt;
use std::sync::Arc;

use crate::bdd::OutOfNodes;

pub use safety::{safety_automaton, safety_closure};
pub use translate::buchi;
pub use verdict::{Judged, Verdict, judged, obligations};

/// Why a formula has no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranslationError {
    /// The formula speaks of something that is not in the interface.
    Unknown(Arc<str>),
    /// The automaton would be too large to be of use.
    TooLarge,
    /// The guards need more nodes than there may be.
    OutOfNodes(OutOfNodes),
}

impl From<OutOfNodes> for TranslationError {
    fn from(error: OutOfNodes) -> TranslationError {
        TranslationError::OutOfNodes(error)
    }
}

impl fmt::Display for TranslationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranslationError::Unknown(name) => write!(f, "unknown proposition `{name}`"),
            TranslationError::TooLarge => f.write_str("the formula's automaton is too large"),
            TranslationError::OutOfNodes(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TranslationError {}
