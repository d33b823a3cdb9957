//! What became of the elements of a game.

use super::Cover;

/// What was covered, what never was, and what can not be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// What was to be covered.
    pub cover: Cover,
    /// How many elements there are that a system which keeps the specification and helps could show; as far as is known.
    pub elements: usize,
    /// How many of them were covered.
    pub covered: usize,
    /// Those that were not, in words.
    pub never: Vec<String>,
    /// What no run that keeps the specification covers, in words.
    pub cannot: Vec<String>,
    /// Whether these are all elements there are, and not only those that are known so far.
    pub complete: bool,
}
