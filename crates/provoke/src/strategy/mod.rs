//! Which input next: one strategy a file, all of them in the [`CATALOGUE`].

mod auto;
pub mod balance;
mod catalogue;
mod choice;
mod experience;
mod frontier;
mod gdfs;
mod greedy;
pub mod induction;
mod input_classes;
mod knowledge;
mod learning;
pub(crate) mod letters;
mod mcts;
mod middle;
mod mix;
mod repeats;
mod shapes;
mod shares;
mod simultaneous;
mod suite;
mod tour;
#[cfg(test)]
mod toy;
mod uniform;
mod walk;

use crate::game::{Game, Guide, State};
use crate::learn::Learnt;
use crate::letter::{Letter, LetterSet};
use crate::objective::Scene;
use crate::rng::Rng;
use crate::trace::{RunEnd, Step};

pub use auto::Auto;
pub use balance::{Balanced, Pick};
pub use catalogue::{CATALOGUE, DEFAULT, Options, StrategyEntry, TOUR, WITHOUT_AUTOMATA, find};
pub use choice::{ChoiceError, StrategyChoice, check_option};
pub use frontier::{Frontier, FrontierSettings};
pub use gdfs::Gdfs;
pub use greedy::Greedy;
pub use induction::{BackwardInduction, Loops};
pub use input_classes::InputClasses;
pub use knowledge::{Knowledge, Needs};
pub use learning::{Homing, Learning};
pub use mcts::{Mcts, MctsSettings, Reward};
pub use middle::MeetInTheMiddle;
pub use mix::Mix;
pub use repeats::{Repeats, Stopped};
pub use simultaneous::{Score, Search, Selection, Simultaneous, SimultaneousSettings};
pub use suite::{SUITE, SuiteRun};
pub use tour::Tour;
pub use uniform::Uniform;
pub use walk::{Gait, Walk};

/// What a strategy sees.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Where the game is.
    pub at: State,
    /// The game, which knows what may be sent here.
    pub game: &'a dyn Game,
    /// The way to what is pursued.
    pub guide: &'a dyn Guide,
    /// The exchanges of this run so far.
    pub trace: &'a [Step],
}

impl<'a> View<'a> {
    /// What a run looks like that is at this state of an arena.
    #[inline]
    pub fn new(scene: Scene<'a>, at: State, trace: &'a [Step]) -> View<'a> {
        View { at, game: scene.game, guide: scene.guide, trace }
    }

    /// What may be sent here.
    pub fn inputs(&self) -> &'a LetterSet {
        self.game.inputs(self.at)
    }
}

/// What a strategy thinks may go round for ever and violate a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suspicion {
    /// It does not look for that; whoever asks may.
    Unasked,
    /// It looks for that itself, and has nothing to try now.
    Nothing,
    /// A stem, and a round after it. The run that tries it is one that the strategy chose, but for `choose` and `observe`,
    /// which are not called: it sees all of it when it ends.
    Try(Vec<Letter>, Vec<Letter>),
}

/// Picks the inputs. Lives for the whole campaign, so it can learn from run to run.
///
/// The loop calls `begin_run`, then `choose` and `observe` in turn, then `end_run`. A strategy draws all its
/// randomness from the generator it is given: the same seed must give the same choices.
pub trait Strategy: Send {
    /// From the next run on something else is pursued. States and distances that it remembers mean nothing any more;
    /// what the system answered does.
    fn turn_to(&mut self, _game: &dyn Game, _guide: &dyn Guide) {}

    /// What is pursued is the same, but the way to it has changed: distances that it remembers are out of date.
    fn look_anew(&mut self, _game: &dyn Game, _guide: &dyn Guide) {}

    /// A run of at most `steps` steps starts; runs count from 0, anew for each thing that is pursued. False gives that
    /// up: there is nothing left to try.
    fn begin_run(&mut self, _run: u64, _steps: u32) -> bool {
        true
    }

    /// The next input, one of [`View::inputs`]; none ends the run.
    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter>;

    /// What the system answered, and how things are after it. Not called for the step that ends the run by a
    /// violation or a broken system.
    fn observe(&mut self, _step: &Step, _now: &View<'_>) {}

    /// The run is over; the view has its exchanges as far as it was this strategy that chose them.
    fn end_run(&mut self, _end: &RunEnd, _last: &View<'_>) {}

    /// Whether it goes by the input that was sent, which may be another than the one it chose: the tester keeps its
    /// promises. One that does not is left behind for the rest of such a run.
    fn goes_by_what_was_sent(&self) -> bool {
        false
    }

    /// The input that it chose was not sent, and the rest of the run is not its own: what it sees when that ends is over before it.
    fn overruled(&mut self) {}

    /// Whether it has a use for the rest of a run in which nothing can be violated any more.
    fn goes_on_when_all_is_settled(&self) -> bool {
        false
    }

    /// Whether it must know which states are the same. One that need not makes games without end cheap.
    fn tells_states_apart(&self) -> bool {
        true
    }

    /// What may go round for ever and violate a requirement: asked between runs, where that counts.
    fn suspicion(&mut self) -> Suspicion {
        Suspicion::Unasked
    }

    /// What it has learnt of the system, where it learns a model of it.
    fn learnt(&mut self) -> Option<Learnt> {
        None
    }

    /// What makes tests without a system, where it can.
    fn offline(&self) -> Option<&dyn Offline> {
        None
    }

    /// How much memory what it has learnt takes, in bytes.
    fn memory(&self) -> usize {
        0
    }
}

/// A strategy that knows all it goes by from the requirements: it can make tests without a system.
pub trait Offline {
    /// The same strategy, which goes on from here by itself.
    fn fork(&self) -> Box<dyn Strategy>;

    /// The answer that it hopes for to the input it chose last.
    fn hopes_for(&self) -> Option<Letter>;
}
