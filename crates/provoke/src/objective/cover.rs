//! All of something.

use std::sync::Arc;

use super::{Arena, Now, Objective, Progress};
use crate::coverage::{Coverage, Standing};
use crate::game::{Next, State};
use crate::monitor::Judge;
use crate::trace::Step;

/// Wants to have seen every element of a game: states, transitions, labels.
///
/// What is pursued is always the nearest element that was not covered; a run goes on from one to the next, and ends where
/// none can be reached from where it is. The objective is covered once all elements are.
pub struct CoverAll {
    coverage: Arc<Coverage>,
    at: State,
    stuck: bool,
    covered: bool,
    given_up: bool,
}

impl CoverAll {
    /// Every element of what was charted.
    pub fn new(coverage: Arc<Coverage>) -> CoverAll {
        let at = coverage.game().initial();
        CoverAll { coverage, at, stuck: false, covered: false, given_up: false }
    }

    fn stands(&mut self) -> Now {
        let progress = match self.coverage.standing(self.at) {
            Standing::Done => Progress::Covered,
            Standing::Open(distance) => Progress::Open(distance),
            Standing::Lost => Progress::Lost,
            Standing::Stuck => {
                self.stuck = true;
                Progress::Lost
            }
        };
        Now { at: self.at, progress }
    }
}

impl Objective for CoverAll {
    fn len(&self) -> usize {
        1
    }

    fn pursue(&mut self, _judge: &mut Judge) -> Option<usize> {
        (!self.covered && !self.given_up && !self.stuck).then_some(0)
    }

    fn arena(&self) -> Arena {
        Arena { game: self.coverage.game().clone(), guide: self.coverage.clone() }
    }

    fn begin_run(&mut self, _judge: &mut Judge) -> Now {
        self.at = self.coverage.game().initial();
        self.coverage.begin_run();
        self.stands()
    }

    fn saw(&mut self, step: &Step, _judge: &mut Judge) -> Now {
        match self.coverage.game().next(self.at, step.input, step.output) {
            Next::To(to) => {
                self.coverage.saw(self.at, step, to);
                self.at = to;
                self.stands()
            }
            Next::Violates(_) | Next::Unfair => Now { at: self.at, progress: Progress::Over },
        }
    }

    fn passes(&self) -> bool {
        !self.covered && self.coverage.standing(self.at) == Standing::Done
    }

    fn cover(&mut self) -> Vec<usize> {
        let covered = self.passes();
        self.covered |= covered;
        if covered { vec![0] } else { Vec::new() }
    }

    fn give_up(&mut self) {
        self.given_up = true;
    }

    fn has_moved_on(&mut self) -> bool {
        self.coverage.has_moved_on()
    }
}
