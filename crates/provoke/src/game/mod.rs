//! The game of tester against system: which states there are, how far the goal is, and which inputs help.

pub mod chart;
pub mod explicit;
mod gate;
mod history;
mod transition;
pub mod unfolded;
mod unguided;

use crate::letter::{Letter, LetterSet};
use crate::trace::{RequirementNumber, Step};

pub use gate::Gate;
pub use history::History;
pub use transition::Transition;
pub use unguided::Unguided;

/// The most inputs that are listed one by one.
const MOST_LISTED: u64 = 256;

/// A state of a game. Numbers are dense, from 0; an arena that is unfolded as it is met gives them in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub u32);

/// The place of a component in a game: not the number of the requirement that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(pub usize);

/// Where an exchange leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// To this state.
    To(State),
    /// Out of the game: this component forbids it.
    Violates(Place),
    /// Out of the game: the environment broke an assumption, so nothing more can be said of this run.
    Unfair,
}

/// What requirements let tester and system do: explicit, or unfolded as it is met.
///
/// Sets of letters are borrowed from the arena. One that makes them as it goes keeps them in a
/// [`LetterSets`](crate::letter::LetterSets), which takes them in behind a shared reference. What is the same set has the same
/// [id](LetterSet::id) wherever it is kept.
pub trait Game: Send + Sync {
    /// Where every run starts.
    fn initial(&self) -> State;

    /// What the tester may send: whatever the assumptions leave it. Where the requirements leave no answer to an
    /// input, it is sent all the same, and the violation is the system's.
    fn inputs(&self, at: State) -> &LetterSet;

    /// What the system may answer to an input so that the game goes on. For searches that play the system's part;
    /// may be slow.
    fn outputs(&self, at: State, input: Letter) -> LetterSet;

    /// Where an exchange leads.
    fn next(&self, at: State, input: Letter, output: Letter) -> Next;

    /// Appends what the tester may send, one by one; false, and nothing is appended, where there are too many to list.
    fn list_inputs(&self, at: State, into: &mut Vec<Letter>) -> bool {
        let inputs = self.inputs(at);
        let few = inputs.count().to_u64().is_some_and(|count| count <= MOST_LISTED);
        if few {
            into.extend(inputs.iter());
        }
        few
    }

    /// Whether the system may act by itself here, in games of actions that need not alternate.
    fn expects_output(&self, _at: State) -> bool {
        true
    }

    /// What an exchange counts as for strategies that balance what was done.
    fn transition(&self, at: State, step: &Step) -> Transition {
        Transition::of(at, step.input)
    }
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

    /// What the specification says that being here is worth, in [0, 1]; none where it does not say. For searches that are
    /// told to go by it.
    fn score(&self, _at: State) -> Option<f64> {
        None
    }

    /// Whether the objective is to be in some state: not where there is none, or where it is a violation.
    fn is_about_states(&self) -> bool {
        true
    }

    /// Whether the objective is to see this requirement violated.
    fn reached_by_violating(&self, _requirement: RequirementNumber) -> bool {
        false
    }

    /// The largest distance of any state; none where there is no bound.
    fn farthest(&self) -> Option<u32>;
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
