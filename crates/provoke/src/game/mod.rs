//! The game of tester against system: which states there are, how far the goal is, and which inputs help.

pub mod bounded;
pub mod chart;
pub mod explicit;
mod gate;
mod history;
mod promise;
pub mod symbolic;
mod transition;
pub mod unfolded;
mod unguided;

use std::sync::Arc;

use crate::letter::{Idle, Letter, LetterSet};
use crate::trace::{RequirementNumber, Step};

pub use gate::Gate;
pub use history::History;
pub use promise::{FAIRNESS, Promises};
pub use transition::Transition;
pub use unguided::Unguided;

/// The most inputs that are listed one by one.
const MOST_LISTED: u64 = 256;

/// A state of a game. Numbers are dense, from 0; an arena that is unfolded as it is met gives them in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub u32);

/// How many states without a number of their own are known at a time.
const PASSING: u32 = 4;

impl State {
    /// Whether this is no number of its own but one of a few that are used again and again, because there is no room for
    /// more or [nobody needs it](Game::forget_states). Such a state is known for a few steps; asking where it leads counts.
    #[inline]
    pub fn is_passing(self) -> bool {
        self.0 > u32::MAX - PASSING
    }
}

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

    /// Whether the tester may send this letter, by which it waits.
    fn may_wait(&self, at: State, wait: Letter) -> bool {
        self.inputs(at).contains(wait)
    }

    /// Whether the system may act by itself here, in games of actions that need not alternate.
    fn expects_output(&self, _at: State) -> bool {
        true
    }

    /// Shows what the inputs but waiting count as, and gives the one whose place is picked. Nothing where none is picked, or
    /// where there are too many to list.
    fn choose_input(
        &self,
        at: State,
        idle: Option<Idle>,
        pick: &mut dyn FnMut(&[Transition]) -> Option<usize>,
    ) -> Option<Letter> {
        let mut inputs = Vec::new();
        self.list_inputs(at, &mut inputs);
        inputs.retain(|&input| idle.is_none_or(|idle| input != idle.wait));
        let output = idle.map_or_else(Letter::default, |idle| idle.quiet);
        let counted: Vec<Transition> =
            inputs.iter().map(|&input| self.transition(at, &Step { input, output })).collect();
        pick(&counted).and_then(|place| inputs.get(place).copied())
    }

    /// Whether a run may end here with a reset.
    fn may_reset(&self, _at: State) -> bool {
        true
    }

    /// The way to where a run may end with a reset; none where it may end anywhere.
    fn way_home(self: Arc<Self>) -> Option<Arc<dyn Guide>> {
        None
    }

    /// From now on nobody needs to know whether a state was met before: an arena that is unfolded as it is met need not
    /// remember states. A state is then known until the second step after it.
    fn forget_states(&self) {}

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
