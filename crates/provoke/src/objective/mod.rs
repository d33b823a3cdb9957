//! What a campaign wants to have seen, kept across runs.

mod cover;
mod hunt;
mod reach;

use std::sync::Arc;

use crate::game::{Game, Guide, State};
use crate::monitor::Judge;
use crate::trace::{RequirementNumber, Step};

pub use cover::CoverAll;
pub use hunt::Hunt;
pub use reach::Reach;

/// What a campaign wants to have seen: one thing, or several.
///
/// An objective owns its arena and its position there. It offers the guide to what it pursues now, is told of every
/// step, and goes on to the next thing when told that one is covered or has had its share. Things to be seen have places,
/// from 0; only the campaign counts what was spent on them.
pub trait Objective: Send {
    /// How many things there are to be seen.
    fn len(&self) -> usize;

    /// Whether there is nothing to be seen.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Turns to what the next run shall pursue and gives its place; none where nothing is left to be pursued.
    fn pursue(&mut self, judge: &mut Judge) -> Option<usize>;

    /// The arena of what is pursued now, and the way through it: the same as long as a run lasts.
    fn arena(&self) -> Arena;

    /// A run begins.
    fn begin_run(&mut self, judge: &mut Judge) -> Now;

    /// A step was made, and judged: nothing was violated by it, or the objective [lives on](Objective::outlives_violations).
    fn saw(&mut self, step: &Step, judge: &mut Judge) -> Now;

    /// Whether something is seen here and now that had not been seen before, pursued or not.
    fn passes(&self) -> bool;

    /// What is seen here and now counts, because the system is known to have answered in turn: gives the places of what
    /// had not been seen before.
    fn cover(&mut self) -> Vec<usize>;

    /// A requirement was violated: gives the places of what wanted to see that.
    fn cover_violation(&mut self, _requirement: RequirementNumber) -> Vec<usize> {
        Vec::new()
    }

    /// What was taken for a violation of a requirement was none: gives the places of what has not been seen after all.
    fn doubt_violation(&mut self, _requirement: RequirementNumber) -> Vec<usize> {
        Vec::new()
    }

    /// What is pursued has had its share of steps and runs: on to the next.
    fn give_up(&mut self);

    /// Whether the way to what is pursued has changed so much since the last run that those who remember distances should
    /// look at them anew.
    fn has_moved_on(&mut self) -> bool {
        false
    }

    /// Whether runs that violate a requirement go on in its arena.
    fn outlives_violations(&self) -> bool {
        false
    }
}

/// A game, and the way to what is pursued in it.
#[derive(Clone)]
pub struct Arena {
    /// The game.
    pub game: Arc<dyn Game>,
    /// The way.
    pub guide: Arc<dyn Guide>,
}

/// An [`Arena`], borrowed.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The game.
    pub game: &'a dyn Game,
    /// The way.
    pub guide: &'a dyn Guide,
}

impl Arena {
    /// The same, borrowed.
    pub fn scene(&self) -> Scene<'_> {
        Scene { game: &*self.game, guide: &*self.guide }
    }
}

/// Where a run is in the arena of an objective, and what that means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// The state; where the arena is [over](Progress::Over), any.
    pub at: State,
    /// What it means.
    pub progress: Progress,
}

/// How a run stands towards an objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// What is pursued is so many steps away, if the system helps.
    Open(u32),
    /// What is pursued was seen.
    Covered,
    /// What is pursued is out of reach, but the system can be forced into a violation.
    Cornered,
    /// What is pursued is out of reach.
    Lost,
    /// The arena ends with this step, without a verdict.
    Over,
    /// There is nothing left to be seen in this run.
    Spent,
}
