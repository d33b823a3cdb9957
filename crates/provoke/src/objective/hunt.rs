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
    given_up: bool,
}

impl Hunt {
    /// In a game in which violations end the run.
    pub fn new(game: Arc<dyn Game>) -> Hunt {
        let at = game.initial();
        let guide = Arc::new(Unguided(game.clone()));
        Hunt { arena: Arena { game, guide }, at, outlives_violations: false, given_up: false }
    }

    /// In a game in which runs go on past violations.
    pub fn past_violations(game: Arc<dyn Game>) -> Hunt {
        Hunt { outlives_violations: true, ..Hunt::new(game) }
    }

    #[inline]
    fn stands(&self, judge: &mut Judge) -> Now {
        let progress = if judge.may_find() { Progress::Open(1) } else { Progress::Spent };
        Now { at: self.at, progress }
    }
}

impl Objective for Hunt {
    fn len(&self) -> usize {
        1
    }

    fn pursue(&mut self, judge: &mut Judge) -> Option<usize> {
        (!self.given_up && judge.may_find()).then_some(0)
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
