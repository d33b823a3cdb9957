//! Two searches that meet: paper 4, section 10.4.

use std::sync::Arc;

use super::induction::{Plan, fixpoint};
use super::simultaneous::{Scores, Search, SimultaneousSettings};
use super::{Strategy, Uniform, View};
use crate::game::chart::{Backward, Chart};
use crate::game::{Game, Guide};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::RunEnd;

/// One strategy goes forward from the start, one backward from the goal, and they meet in the middle.
///
/// Backwards it is [`fixpoint`], for as many states as the search forward has iterations, the nearest to the goal first.
/// Forward it is the search of [`Simultaneous`](super::Simultaneous), to which every state that was met backwards is a goal, worth
/// what it was found to be worth. A run plays the second until it meets the first. Each run that does not arrive is followed by as
/// much more of both. The paper proposes it in one sentence and did not try it.
pub struct MeetInTheMiddle {
    settings: SimultaneousSettings,
    made: Option<Made>,
    rounds: usize,
    is_due: bool,
}

struct Made {
    chart: Arc<Chart>,
    backward: Backward,
    goals: Vec<u32>,
    plan: Plan,
    forward: Search,
}

impl MeetInTheMiddle {
    /// Nothing is searched yet.
    pub fn new(settings: SimultaneousSettings) -> MeetInTheMiddle {
        MeetInTheMiddle { settings, made: None, rounds: 0, is_due: true }
    }

    /// Searches from both ends, unless that is done. A game that is written down already may be given.
    pub fn create(&mut self, chart: Option<Arc<Chart>>, game: &dyn Game, guide: &dyn Guide, rng: &mut Rng) {
        if !std::mem::take(&mut self.is_due) {
            return;
        }
        self.rounds += 1;
        let most = self.rounds.saturating_mul(self.settings.iterations as usize);
        let mut made = self.made.take().unwrap_or_else(|| self.begin(chart, game, guide, rng));
        // What was met forward is kept unless there is more to meet.
        if made.plan.met() >= most - self.settings.iterations as usize {
            made.plan = fixpoint(&made.chart, &made.backward, &made.goals, most);
            let scores = (0..made.chart.len() as u32).map(|place| made.plan.value(place)).collect();
            made.forward.score_anew(Scores::given(scores));
        }
        for _ in 0..self.settings.iterations {
            made.forward.iterate(game, guide, &self.settings, rng);
        }
        self.made = Some(made);
    }

    fn begin(&self, chart: Option<Arc<Chart>>, game: &dyn Game, guide: &dyn Guide, rng: &mut Rng) -> Made {
        let chart = chart.unwrap_or_else(|| Arc::new(Chart::of(game, self.settings.nodes, rng)));
        let is_goal = |place: &u32| guide.reached(chart.state(*place));
        let goals: Vec<u32> = (0..chart.len() as u32).filter(is_goal).collect();
        let backward = Backward::of(&chart);
        let plan = fixpoint(&chart, &backward, &goals, 0);
        let scores = Scores::given(Vec::new());
        let forward = Search::new(chart.clone(), scores, game.initial(), &self.settings);
        Made { chart, backward, goals, plan, forward }
    }

    /// How many states were looked at from both ends.
    pub fn met(&self) -> usize {
        self.made.as_ref().map_or(0, |made| made.plan.met() + made.forward.met())
    }
}

impl Strategy for MeetInTheMiddle {
    fn turn_to(&mut self, _game: &dyn Game, _guide: &dyn Guide) {
        *self = MeetInTheMiddle::new(self.settings);
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if !view.guide.is_about_states() {
            return Uniform.choose(view, rng);
        }
        if view.trace.is_empty() {
            self.create(None, view.game, view.guide, rng);
        }
        let made = self.made.as_ref()?;
        let planned = made.chart.place(view.at).and_then(|place| made.plan.draw(&made.chart, place, rng));
        match planned {
            Some(input) => Some(input),
            None => made.forward.best(view.at, &self.settings, rng),
        }
    }

    fn end_run(&mut self, _end: &RunEnd, _last: &View<'_>) {
        self.is_due = true;
    }

    fn memory(&self) -> usize {
        // The chart is counted with the search.
        self.made.as_ref().map_or(0, |made| {
            made.forward.memory()
                + made.plan.memory()
                + made.backward.memory()
                + made.goals.capacity() * size_of::<u32>()
        })
    }
}
