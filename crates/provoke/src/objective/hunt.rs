//! Violations, whichever.

use std::sync::Arc;

use super::{Arena, Now, Objective, Progress};
use crate::game::{Game, Next, State, Unguided};
use crate::monitor::Judge;
use crate::trace::Step;

/// Looks for violations: every input that may be sent is as good as any other, and nothing is ever covered. A run is
/// spent once no requirement is left that may be violated in it and has not been before.
pub struct Hunt {
    arena: Arena,
    at: State,
    outlives_violations: bool,
    /// Whether there is nothing to be violated, and only a system that breaks is looked for.
    for_breakdowns: bool,
    given_up: bool,
}

impl Hunt {
    /// In a game in which violations end the run.
    pub fn new(game: Arc<dyn Game>) -> Hunt {
        let at = game.initial();
        let guide = Arc::new(Unguided(game.clone()));
        let arena = Arena { game, guide };
        Hunt { arena, at, outlives_violations: false, for_breakdowns: false, given_up: false }
    }

    /// In a game in which runs go on past violations.
    pub fn past_violations(game: Arc<dyn Game>) -> Hunt {
        Hunt { outlives_violations: true, ..Hunt::new(game) }
    }

    /// In a game without requirements: the system may break, and runs go on until it does.
    pub fn for_breakdowns(game: Arc<dyn Game>) -> Hunt {
        Hunt { for_breakdowns: true, ..Hunt::new(game) }
    }

    #[inline]
    fn may_find(&self, judge: &mut Judge) -> bool {
        self.for_breakdowns || judge.may_find()
    }

    #[inline]
    fn stands(&self, judge: &mut Judge) -> Now {
        let progress = if self.may_find(judge) { Progress::Open(1) } else { Progress::Spent };
        Now { at: self.at, progress }
    }
}

impl Objective for Hunt {
    fn len(&self) -> usize {
        1
    }

    fn pursue(&mut self, judge: &mut Judge) -> Option<usize> {
        (!self.given_up && self.may_find(judge)).then_some(0)
    }

    fn arena(&self) -> Arena {
        self.arena.clone()
    }

    fn begin_run(&mut self, judge: &mut Judge) -> Now {
        self.at = self.arena.game.initial();
        self.stands(judge)
    }

    #[inline]
    fn saw(&mut self, step: &Step, judge: &mut Judge) -> Now {
        match self.arena.game.next(self.at, step.input, step.output) {
            Next::To(at) => self.at = at,
            Next::Violates(_) | Next::Unfair => return Now { at: self.at, progress: Progress::Over },
        }
        self.stands(judge)
    }

    fn passes(&self) -> bool {
        false
    }

    fn cover(&mut self) -> Vec<usize> {
        Vec::new()
    }

    fn give_up(&mut self) {
        self.given_up = true;
    }

    fn outlives_violations(&self) -> bool {
        self.outlives_violations
    }
}
