//! Games whose states are sets of valuations: nothing is written down one by one.
//!
//! State bits, inputs and outputs are variables of decision diagrams; what a state bit is next is a function, and sets are
//! moved by putting these functions in place of the bits, never by one relation for all.

mod arena;
mod diagrams;
mod encode;
mod guide;
mod safety;
mod solve;
mod work;

pub use arena::{Body, Part, Symbolic};
pub use guide::Way;
pub use safety::{Answer, Effort, tester_can_force};
pub use solve::{Aim, Wanted};

/// How much is known of the way to an aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Everything: distances, ranks, and the inputs of all tiers.
    Full,
    /// How far it is, and which inputs may bring it nearer; not what can be forced.
    Distances,
    /// How far it is at least, in a game that does not know this many bits of the state.
    Abstraction {
        /// How many bits are not known.
        dropped: usize,
    },
    /// Only whether it is reached.
    Nothing,
}
