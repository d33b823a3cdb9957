//! Runs that go round in circles are ended.

use rustc_hash::FxHashMap;

use super::{Strategy, View};
use crate::game::{Game, Guide, State};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::{RunEnd, Step};

/// Another strategy, and the end of a run that comes to the same state more than so many times: a termination factor of
/// paper 4, section 8, where it is 5 times. Where no state is looked for, runs go on.
pub struct Repeats {
    inner: Box<dyn Strategy>,
    most: u32,
    /// How often the run was in each state.
    visits: FxHashMap<State, u32>,
    stopped: Option<Stopped>,
}

/// Why a strategy ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It came to the same state too often.
    Repeated,
    /// The strategy does not say what to send: it is undefined there.
    Undefined,
}

impl Repeats {
    /// At most so many visits of a state.
    pub fn new(inner: Box<dyn Strategy>, most: u32) -> Repeats {
        Repeats { inner, most, visits: FxHashMap::default(), stopped: None }
    }

    /// Why the last run was ended by the strategy, if it was.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }
}

impl Strategy for Repeats {
    fn turn_to(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.inner.turn_to(game, guide);
    }

    fn begin_run(&mut self, run: u64, steps: u32) -> bool {
        self.visits.clear();
        self.stopped = None;
        self.inner.begin_run(run, steps)
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if !view.guide.is_about_states() {
            return self.inner.choose(view, rng);
        }
        let visits = self.visits.entry(view.at).or_insert(0);
        *visits += 1;
        if *visits > self.most {
            self.stopped = Some(Stopped::Repeated);
            return None;
        }
        let chosen = self.inner.choose(view, rng);
        self.stopped = chosen.is_none().then_some(Stopped::Undefined);
        chosen
    }

    fn observe(&mut self, step: &Step, now: &View<'_>) {
        self.inner.observe(step, now);
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        self.inner.end_run(end, last);
    }

    fn memory(&self) -> usize {
        self.inner.memory() + self.visits.capacity() * (size_of::<(State, u32)>() + 1)
    }
}
