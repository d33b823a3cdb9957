//! The game of tester against system: which states there are, how far the goal is, and which inputs help.

mod flatten;
mod gate;
mod product;
mod solve;
mod unguided;

use crate::letter::{Letter, LetterSet};

pub use gate::Gate;
pub use product::{Component, Product, ProductError, Role};
pub use solve::{Solved, solve};
pub use unguided::Unguided;

/// A state of a game; numbers are dense, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub u32);

/// Where an exchange leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// To this state.
    To(State),
    /// Out of the game: this requirement (its place in the game) forbids it.
    Violates(usize),
    /// Out of the game: the environment broke an assumption, so nothing more can be said of this run.
    Unfair,
}

/// What a requirement lets tester and system do.
pub trait Game: Send + Sync {
    /// Where every run starts.
    fn initial(&self) -> State;

    /// What the tester may send: whatever the assumptions leave it. Where the requirements leave no answer to an
    /// input, it is sent all the same, and the violation is the system's.
    fn inputs(&self, at: State) -> &LetterSet;

    /// Where an exchange leads.
    fn next(&self, at: State, input: Letter, output: Letter) -> Next;
}

/// A solved objective: how far it is, and which inputs help.
pub trait Guide: Send + Sync {
    /// Whether the objective is reached here.
    fn reached(&self, at: State) -> bool {
        self.distance(at) == Some(0)
    }

    /// Steps to the objective with a system that helps all the way; none where no system can help.
    fn distance(&self, at: State) -> Option<u32>;

    /// How many times the system must help; none where no system can help.
    fn rank(&self, at: State) -> Option<u32>;

    /// The inputs of one tier; see [`Tier`].
    fn inputs(&self, at: State, tier: Tier) -> &LetterSet;

    /// The inputs of the best tier that has any: the greedy strategy of paper 1, section 5.3.
    fn greedy_inputs(&self, at: State) -> &LetterSet {
        let forcing = self.inputs(at, Tier::Forcing);
        if !forcing.is_empty() {
            return forcing;
        }
        let helpful = self.inputs(at, Tier::Helpful);
        if helpful.is_empty() { self.inputs(at, Tier::Hopeful) } else { helpful }
    }

    /// Whether the objective is to see this requirement (by its number in the campaign) violated.
    fn reached_by_violating(&self, _requirement: usize) -> bool {
        false
    }

    /// The largest distance of any state; one more stands for "unreachable" in rewards.
    fn farthest(&self) -> u32;
}

/// How much an input helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// Brings the goal closer whatever the system answers ("winning" in paper 1).
    Forcing,
    /// Brings the goal closer if the system answers well ("cooperative").
    Helpful,
    /// Keeps the goal reachable if the system answers well ("co-reachable").
    Hopeful,
}

impl Tier {
    /// Every tier, best first.
    pub const ALL: [Tier; 3] = [Tier::Forcing, Tier::Helpful, Tier::Hopeful];
}
