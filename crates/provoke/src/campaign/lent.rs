//! What counts while a promise is in the hands of the system.

use super::Campaign;
use super::pilot::Pilot;
use crate::monitor::Ruling;
use crate::objective::Objective;
use crate::trace::RunEnd;

/// So many steps it is waited for the system to keep a promise, and so often in vain.
const PATIENCE: u32 = 200;
const IN_VAIN: u32 = 20;

impl<O: Objective + ?Sized> Campaign<'_, O> {
    /// Whether a violation counts that was seen just now. Where the tester has dared to leave it to the system to keep a promise, and
    /// it never does, the assumption does not hold on this run, and nobody is to blame. So the run goes on until it is kept. None
    /// where it does; otherwise how the run ends.
    #[cold]
    pub(super) fn excused(&mut self) -> Option<RunEnd> {
        let last = *self.trace.last()?;
        if self.promises.is_empty() || self.judge.is_out_of_range(&last) {
            return None;
        }
        // The one that violated was not followed yet.
        let mut promises = self.promises.clone();
        promises.follow(&last);
        if !promises.are_lent() {
            return None;
        }
        if self.waited_in_vain >= IN_VAIN {
            return Some(RunEnd::Inconclusive);
        }
        self.leave_strategy(Pilot::Chance);
        for _ in 0..PATIENCE {
            if !self.clock.has_time() {
                break;
            }
            let may_send = |input| self.gate.allows(input);
            let Some(input) = promises.input(&mut self.rng, may_send) else { break };
            let step = match self.system.exchange(input) {
                Ok(step) => self.judge.complete(step),
                Err(error) => return Some(self.broken(error, Some(input))),
            };
            self.keep(step);
            self.outcome.steps += 1;
            self.gate.follow(&step);
            promises.follow(&step);
            if self.judge.follow(&step) == Ruling::Unfair {
                return Some(RunEnd::Inconclusive);
            }
            if !promises.are_lent() {
                return None;
            }
        }
        self.waited_in_vain += 1;
        Some(RunEnd::Inconclusive)
    }
}
