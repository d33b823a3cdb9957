//! A strategy that gives up once there is nothing left to find: what comes after is not measured.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use provoke::game::{Game, Guide};
use provoke::learn::{Learnt, differences};
use provoke::letter::Letter;
use provoke::machine::Reactions;
use provoke::rng::Rng;
use provoke::strategy::{Strategy, Suspicion, View};
use provoke::trace::{RunEnd, Step};

/// Ends a campaign once everything else was found and the learnt model is the machine.
pub(super) struct Sated {
    pub(super) inner: Box<dyn Strategy>,
    /// Whether everything but the model was found; none where the campaign goes on whatever was found.
    pub(super) found: Option<Arc<AtomicBool>>,
    pub(super) machine: Reactions,
    /// How many runs there were since the model was looked at.
    pub(super) runs: u32,
}

/// The model is looked at once in so many runs.
const EVERY: u32 = 50;

impl Sated {
    /// Whether nothing is left to find.
    fn has_all(&mut self) -> bool {
        if !self.found.as_ref().is_some_and(|found| found.load(Ordering::Relaxed)) {
            return false;
        }
        self.runs += 1;
        self.runs.is_multiple_of(EVERY)
            && self.inner.learnt().is_none_or(|learnt| {
                learnt.is_complete() && differences(&learnt.learner, &self.machine, 1).is_empty()
            })
    }
}

impl Strategy for Sated {
    fn turn_to(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.inner.turn_to(game, guide);
    }

    fn look_anew(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.inner.look_anew(game, guide);
    }

    fn begin_run(&mut self, run: u64, steps: u32) -> bool {
        !self.has_all() && self.inner.begin_run(run, steps)
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        self.inner.choose(view, rng)
    }

    fn observe(&mut self, step: &Step, now: &View<'_>) {
        self.inner.observe(step, now);
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        self.inner.end_run(end, last);
    }

    fn goes_by_what_was_sent(&self) -> bool {
        self.inner.goes_by_what_was_sent()
    }

    fn tells_states_apart(&self) -> bool {
        self.inner.tells_states_apart()
    }

    fn suspicion(&mut self) -> Suspicion {
        self.inner.suspicion()
    }

    fn learnt(&mut self) -> Option<Learnt> {
        self.inner.learnt()
    }

    fn memory(&self) -> usize {
        self.inner.memory()
    }
}
