//! From temporal formulas to drafts, which are automata while they are computed with.
//!
//! `automaton/formula.rs` makes automata with guards of them.

pub(crate) mod buchi;
mod chart;
mod degeneralise;
pub(crate) mod draft;
mod history;
mod inside;
mod language;
mod marks;
mod merge;
mod prune;
mod refine;
mod rounds;
pub(crate) mod safety;
mod simulation;
mod tableau;
#[cfg(test)]
mod tests;
pub(crate) mod verdict;
mod weak;

use std::fmt;
use std::sync::Arc;

use self::draft::{Draft, Store};
use crate::bdd::OutOfNodes;

/// What a translation ends in: a draft, and the store that its rows are in.
pub(crate) struct Translated {
    pub(crate) store: Store,
    pub(crate) draft: Draft,
}

/// Why a formula has no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranslationError {
    /// The formula speaks of something that is not in the interface.
    Unknown(Arc<str>),
    /// An operator that looks back stands over one that looks ahead.
    PastOfFuture,
    /// The automaton would be too large to be of use.
    TooLarge,
    /// The guards need more nodes than there may be.
    OutOfNodes(OutOfNodes),
}

/// What is said of a formula in which the past is about the future.
pub(crate) const PAST_OF_FUTURE: &str = "an operator that looks back cannot stand over one that looks ahead";

impl From<OutOfNodes> for TranslationError {
    fn from(error: OutOfNodes) -> TranslationError {
        TranslationError::OutOfNodes(error)
    }
}

impl fmt::Display for TranslationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranslationError::Unknown(name) => write!(f, "unknown proposition `{name}`"),
            TranslationError::PastOfFuture => f.write_str(PAST_OF_FUTURE),
            TranslationError::TooLarge => f.write_str("the formula's automaton is too large"),
            TranslationError::OutOfNodes(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TranslationError {}
