//! What the system has shown so far, kept across runs: as a graph of situations, and as a machine that is learnt.

mod check;
mod compare;
mod hypothesis;
mod learner;
mod learnt;
mod memory;
mod seen;
mod splitting;
#[cfg(test)]
mod tests;
mod tree;

pub use check::{Believed, Claim, Claims, Rule, Way, goal};
pub use compare::{
    Difference, Old, differences, differences_from_anywhere, played, seen_differences, suspects,
};
pub use hypothesis::{Edge, Hypothesis, UNKNOWN};
pub use learner::{Inquiry, Learner, Open, Seen as Meaning, Wish};
pub use learnt::{Contradiction, Gauge, Learnt, Patience};
pub use memory::{Memory, read_memory, write_memory};
pub use seen::Seen;
pub use splitting::Splitting;
pub use tree::{Added, ENDED, ROOT, Tree};
