use super::{Strategy, View};
use crate::game::{Game, Guide};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::{RunEnd, Step};

/// A coin before each input: `first` with the given chance, otherwise `second`.
///
/// Uniform first and greedy second is the epsilon-greedy of paper 1, section 5.4.
pub struct Mix {
    /// The chance of `first`, in (0, 1).
    pub chance: f64,
    /// Asked when the coin says so.
    pub first: Box<dyn Strategy>,
    /// Asked otherwise.
    pub second: Box<dyn Strategy>,
}

impl Strategy for Mix {
    fn turn_to(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.first.turn_to(game, guide);
        self.second.turn_to(game, guide);
    }

    fn look_anew(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.first.look_anew(game, guide);
        self.second.look_anew(game, guide);
    }

    fn begin_run(&mut self, run: u64, steps: u32) -> bool {
        // Both are told, whatever the first one says.
        let first = self.first.begin_run(run, steps);
        self.second.begin_run(run, steps) && first
    }

    #[inline]
    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        let chosen = if rng.chance(self.chance) { &mut self.first } else { &mut self.second };
        chosen.choose(view, rng)
    }

    #[inline]
    fn observe(&mut self, step: &Step, now: &View<'_>) {
        self.first.observe(step, now);
        self.second.observe(step, now);
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        self.first.end_run(end, last);
        self.second.end_run(end, last);
    }

    fn goes_by_what_was_sent(&self) -> bool {
        self.first.goes_by_what_was_sent() && self.second.goes_by_what_was_sent()
    }

    fn memory(&self) -> usize {
        self.first.memory() + self.second.memory()
    }
}
