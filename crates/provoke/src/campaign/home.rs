//! The end of a run where the system may not be reset: it goes on until it may.

use std::io;
use std::sync::Arc;

use super::pilot::Pilot;
use super::{Campaign, Observer};
use crate::game::Guide;
use crate::monitor::Ruling;
use crate::objective::{Objective, Progress};
use crate::trace::RunEnd;

/// A run goes on for as many steps again as it may have, and for at least so many.
const LEAST: u32 = 1000;

impl<O: Objective + ?Sized> Campaign<'_, O> {
    /// Paper 2, section 3.1 ends a campaign where a run ends and its model does not enable a reset. We go on first to where
    /// it does, as far as one can see the way; what is seen on it is judged like everything else.
    pub(super) fn go_home(&mut self, end: RunEnd, observer: &mut dyn Observer) -> io::Result<RunEnd> {
        let leaves = match end {
            RunEnd::Covered | RunEnd::Active => true,
            RunEnd::Inconclusive | RunEnd::Unfair => self.known,
            _ => false,
        };
        let game = self.arena.game.clone();
        if !leaves || game.may_reset(self.at) || self.is_last_run() || !self.clock.has_time() {
            return Ok(end);
        }
        let Some(guide) = game.clone().way_home() else { return Ok(end) };
        self.leave_strategy(Pilot::Chance);
        for _ in 0..self.run.steps.max(LEAST) {
            if self.clock.tick() {
                self.tell_steps(observer)?;
                if !self.clock.has_time() {
                    return Ok(end);
                }
            }
            match self.homeward(&guide) {
                Homeward::On => {}
                Homeward::Stuck => break,
                Homeward::Ended(other) => return Ok(other),
                // Nobody knows where the system is; a reset is the best that can be done.
                Homeward::Lost => return Ok(end),
            }
            if game.may_reset(self.at) {
                return Ok(end);
            }
        }
        self.outcome.stranded = true;
        Ok(end)
    }

    /// One step towards a reset.
    fn homeward(&mut self, guide: &Arc<dyn Guide>) -> Homeward {
        const TRIES: usize = 64;
        let inputs = guide.greedy_inputs(self.at);
        let mut drawn = (0..TRIES).map_while(|_| inputs.sample(&mut self.rng));
        let Some(input) = drawn.find(|&input| self.gate.allows(input)) else { return Homeward::Stuck };
        let step = match self.system.exchange(input) {
            Ok(step) => step,
            Err(error) => return Homeward::Ended(self.broken(error, Some(input))),
        };
        self.keep(step);
        self.outcome.steps += 1;
        match self.judge.follow(&step) {
            Ruling::Kept => {}
            Ruling::Unfair => return Homeward::Ended(RunEnd::Unfair),
            Ruling::Violated => {
                if let Some(end) = self.violated() {
                    return Homeward::Ended(end);
                }
            }
        }
        if !self.gate.is_open() {
            self.gate.follow(&step);
        }
        self.loans.promises.follow(&step);
        let now = self.objective.saw(&step, &mut self.judge);
        self.at = now.at;
        if now.progress == Progress::Over { Homeward::Lost } else { Homeward::On }
    }

    /// Whether no run comes after this one, as far as can be told.
    fn is_last_run(&self) -> bool {
        let tallies = &self.outcome.objectives;
        let is_spent =
            |place: usize| tallies[place].covered.is_some() || tallies[place].runs >= self.limits.runs;
        (0..tallies.len()).all(is_spent)
    }
}

enum Homeward {
    On,
    Stuck,
    Lost,
    Ended(RunEnd),
}
