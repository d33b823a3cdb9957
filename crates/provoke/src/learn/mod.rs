//! What the system has shown so far, kept across runs: as a graph of situations, and as a machine that is learnt.

mod check;
mod hypothesis;
mod learner;
mod learnt;
mod seen;
#[cfg(test)]
mod tests;
mod tree;

pub use check::{Claim, Claims, Rule, Way, goal};
pub use hypothesis::{Edge, Hypothesis, UNKNOWN};
pub use learner::{Learner, Seen as Meaning, Wish};
pub use learnt::{Contradiction, Learnt};
pub use seen::Seen;
pub use tree::{Added, ENDED, ROOT, Tree};
