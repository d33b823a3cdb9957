//! A learner whose model is compared with the machine whenever it has changed: once they are equal, there is nothing left to learn.

use provoke::game::{Game, Guide};
use provoke::learn::{Learner, Learnt, differences};
use provoke::letter::Letter;
use provoke::machine::Reactions;
use provoke::rng::Rng;
use provoke::strategy::{Learning, Strategy, View};
use provoke::trace::{RunEnd, Step};

/// Ends a campaign as soon as the learnt model is the machine, and never before.
pub(super) struct Examined {
    inner: Learning,
    machine: Reactions,
    /// The version of the model that was looked at last.
    version: Option<u64>,
}

impl Examined {
    pub(super) fn new(inner: Learning, machine: Reactions) -> Examined {
        Examined { inner, machine, version: None }
    }

    pub(super) fn learner(&self) -> Option<&Learner> {
        self.inner.learner()
    }

    fn is_learnt(&mut self) -> bool {
        let Some(learner) = self.inner.learner() else { return false };
        let before = self.version.replace(learner.version());
        before != self.version
            && learner.hypothesis().is_complete()
            && differences(learner, &self.machine, 1).is_empty()
    }
}

impl Strategy for Examined {
    fn turn_to(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.inner.turn_to(game, guide);
    }

    fn begin_run(&mut self, run: u64, steps: u32) -> bool {
        !self.is_learnt() && self.inner.begin_run(run, steps)
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

    fn learnt(&mut self) -> Option<Learnt> {
        self.inner.learnt()
    }

    fn memory(&self) -> usize {
        self.inner.memory()
    }
}
