//! Backward induction: paper 4, section 6.1.

mod fixpoint;
mod published;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{Strategy, Uniform, View};
use crate::game::chart::{Backward, Chart, NEVER};
use crate::game::{Game, Guide};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::RunEnd;

pub use fixpoint::fixpoint;
pub use published::published;

/// What every state of a chart is worth, and what to send there.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Numbers of choices; [`NEVER`] where there is nothing to send.
    choices: Vec<u32>,
    values: Vec<f64>,
    /// How many steps the plan leads through at least, or at most where a goal is forced; nothing in plans that send the first
    /// of equals.
    steps: Vec<u32>,
    /// How many states were looked at.
    met: usize,
}

impl Plan {
    fn new(places: usize, met: usize) -> Plan {
        Plan { choices: vec![NEVER; places], values: vec![0.0; places], steps: Vec::new(), met }
    }

    /// The number of the choice in a place; none where the plan is undefined.
    pub fn choice(&self, place: u32) -> Option<u32> {
        self.choices.get(place as usize).copied().filter(|&choice| choice != NEVER)
    }

    /// The numbers of the choices in a place that are as good as the one of the plan: worth as much, and as near.
    pub fn equals<'a>(&'a self, chart: &'a Chart, place: u32) -> impl Iterator<Item = u32> + 'a {
        let own = self.choice(place);
        let quality = move |number: u32| {
            let answers = chart.answers(chart.choice(number)).iter();
            let steps = answers.clone().map(|answer| self.steps.get(answer.to as usize).unwrap_or(&NEVER));
            let worth = fixpoint::mean(answers.map(|answer| self.value(answer.to)));
            (steps.clone().min(), steps.max(), worth)
        };
        let is_equal = move |number: &u32| match own {
            Some(own) => own == *number || !self.steps.is_empty() && quality(own) == quality(*number),
            None => false,
        };
        chart.choice_numbers(place).map(|number| number as u32).filter(is_equal)
    }

    /// One of these, as an input; none where the plan is undefined.
    pub fn draw(&self, chart: &Chart, place: u32, rng: &mut Rng) -> Option<Letter> {
        let equals: Vec<u32> = self.equals(chart, place).collect();
        rng.pick(&equals).map(|&number| chart.letter(chart.choice(number).input))
    }

    /// What a place is worth: the chance to arrive if every answer is as likely as any other.
    pub fn value(&self, place: u32) -> f64 {
        self.values.get(place as usize).copied().unwrap_or(0.0)
    }

    /// How many states were looked at to make it: "coverage" in paper 4, section 9.1.2.
    pub fn met(&self) -> usize {
        self.met
    }

    pub(super) fn memory(&self) -> usize {
        (self.choices.capacity() + self.steps.capacity()) * size_of::<u32>()
            + self.values.capacity() * size_of::<f64>()
    }
}

/// How the values of loops are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loops {
    /// As the least solution of the equations: [`fixpoint`].
    Solved,
    /// By what is known of a state when it is met again: [`published`].
    AsSeen,
}

/// Plays a plan that was made before the first step: the best input of every state, if every answer is as likely as any other.
///
/// The game is written down first, as far as there is room; where a run leaves what is written down, that is done
/// again from there. Where the plan of [`Loops::Solved`] knows no way, because something was cut off or left out, the guide's
/// best inputs are sent; where it knows that there is none, and wherever [`Loops::AsSeen`] knows none, the strategy is
/// undefined and the run ends. Chance decides among inputs that are equally good to [`Loops::Solved`]; [`Loops::AsSeen`] always
/// sends the first. Where a violation is wanted, or nothing, there is nothing to plan for, and every hopeful input is as good
/// as any other.
pub struct BackwardInduction {
    loops: Loops,
    most: usize,
    chart: Option<Arc<Chart>>,
    plan: Option<Plan>,
    /// Whether the last run ended before its first step, as every other would.
    hopeless: bool,
}

impl BackwardInduction {
    /// With room for so many states.
    pub fn new(loops: Loops, most: usize) -> BackwardInduction {
        BackwardInduction { loops, most, chart: None, plan: None, hopeless: false }
    }

    /// With a plan that was made before, for the goal that will be pursued in this game.
    pub fn with_plan(loops: Loops, chart: Arc<Chart>, plan: Plan) -> BackwardInduction {
        let most = chart.len();
        BackwardInduction { loops, most, chart: Some(chart), plan: Some(plan), hopeless: false }
    }

    /// The plan, once there is one.
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    fn make(&mut self, view: &View<'_>, rng: &mut Rng) {
        let chart = match self.chart.take() {
            Some(chart) if chart.place(view.at).is_some_and(|place| chart.is_known(place)) => chart,
            _ => Arc::new(Chart::from(view.game, view.at, self.most, rng)),
        };
        let is_goal = |place: &u32| view.guide.reached(chart.state(*place));
        let goals: Vec<u32> = (0..chart.len() as u32).filter(is_goal).collect();
        self.plan = Some(match self.loops {
            Loops::Solved => fixpoint(&chart, &Backward::of(&chart), &goals, usize::MAX),
            Loops::AsSeen => published(&chart, 0, |place| goals.binary_search(&place).is_ok()),
        });
        self.chart = Some(chart);
    }
}

impl Strategy for BackwardInduction {
    fn turn_to(&mut self, _game: &dyn Game, _guide: &dyn Guide) {
        *self = BackwardInduction::new(self.loops, self.most);
    }

    fn begin_run(&mut self, _run: u64, _steps: u32) -> bool {
        !self.hopeless
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if !view.guide.is_about_states() {
            return Uniform.choose(view, rng);
        }
        let is_known = |chart: &Arc<Chart>| chart.place(view.at).is_some_and(|place| chart.is_known(place));
        if self.plan.is_none() || !self.chart.as_ref().is_some_and(is_known) {
            self.make(view, rng);
        }
        let (chart, plan) = (self.chart.as_ref()?, self.plan.as_ref()?);
        let planned = chart.place(view.at).and_then(|place| plan.draw(chart, place, rng));
        match planned {
            Some(input) => Some(input),
            None if self.loops == Loops::Solved && !chart.is_whole() => {
                view.guide.greedy_inputs(view.at).sample(rng)
            }
            None => None,
        }
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        self.hopeless = *end == RunEnd::Active && last.trace.is_empty();
    }

    fn memory(&self) -> usize {
        self.chart.as_ref().map_or(0, |chart| chart.memory()) + self.plan.as_ref().map_or(0, Plan::memory)
    }
}
