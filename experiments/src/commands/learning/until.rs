//! A strategy that gives up once there is nothing left to find: what comes after is not measured.

use provoke::game::{Game, Guide};
use provoke::learn::{Learner, Learnt, differences};
use provoke::letter::Letter;
use provoke::machine::Reactions;
use provoke::rng::Rng;
use provoke::strategy::{Strategy, Suspicion, View};
use provoke::trace::{RunEnd, Step};

/// Ends a campaign before the first run for which that is so.
pub(super) struct Until<S: ?Sized, F> {
    pub(super) inner: Box<S>,
    pub(super) is_over: F,
}

/// Whether the learnt model is the machine.
pub(super) fn is_learnt(learner: &Learner, machine: &Reactions) -> bool {
    learner.hypothesis().is_complete() && differences(learner, machine, 1).is_empty()
}

impl<S: Strategy + ?Sized, F: FnMut(&mut S) -> bool + Send> Strategy for Until<S, F> {
    fn turn_to(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.inner.turn_to(game, guide);
    }

    fn look_anew(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.inner.look_anew(game, guide);
    }

    fn begin_run(&mut self, run: u64, steps: u32) -> bool {
        !(self.is_over)(&mut self.inner) && self.inner.begin_run(run, steps)
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

    fn overruled(&mut self) {
        self.inner.overruled();
    }

    fn goes_on_when_all_is_settled(&self) -> bool {
        self.inner.goes_on_when_all_is_settled()
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
