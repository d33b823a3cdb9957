//! The application of paper 4 (`examples/choices`) as a game: one goal for each of its 846 states.

mod guide;
mod model;
pub mod paper;

use std::sync::Arc;

use anyhow::{Context, Result};
use provoke::campaign::{Campaign, Limits};
use provoke::game::Game;
use provoke::game::chart::{Backward, Chart};
use provoke::letter::{Idle, Letter};
use provoke::monitor::Judge;
use provoke::objective::Reach;
use provoke::rng::Rng;
use provoke::specification::Specification;
use provoke::strategy::{Repeats, Stopped, Strategy};
use provoke::system::{Closure, Protocol, System};

#[allow(unreachable_pub)]
#[path = "../../../examples/choices/application.rs"]
pub mod application;

use application::{Application, Part, Reply, State};
pub use guide::Towards;
use model::Table;

/// The application, its specification, and the game of it.
pub struct World {
    /// Every state of the application.
    pub states: Arc<[State]>,
    /// The game.
    pub game: Arc<dyn Game>,
    /// The game, written down; a place is the number of a state of the application.
    pub chart: Arc<Chart>,
    /// The same, backwards.
    pub backward: Arc<Backward>,
    /// The letters for doing nothing.
    pub idle: Idle,
    /// For each place the number of its state in the application.
    pub numbers: Vec<usize>,
    specification: Specification,
    judge: Judge,
}

/// How a run ended (paper 4, section 9.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The goal was reached.
    Won,
    /// The goal is out of reach: in the paper the run then ends in a terminal state.
    Terminal,
    /// The same state came too often.
    Repeated,
    /// The strategy does not say what to send.
    Undefined,
    /// The application said something that it may not.
    NotConforming,
}

/// A run that comes to a state more often than this has failed.
pub const REPEATS: u32 = 5;

impl World {
    /// Reads the table into a game.
    pub fn new() -> Result<World> {
        let states: Arc<[State]> = application::states().into();
        let specification = Specification::of_model("choices", Table::new(&states), Protocol::default())?;
        let idle = specification.idle.context("a model has letters for doing nothing")?;
        let game = specification.guidance(None, 0)?.game;
        let chart = Arc::new(Chart::of(&*game, 10_000, &mut Rng::new(0)));
        let numbers = numbers(&states, &specification, idle, &chart);
        let (backward, judge) = (Arc::new(Backward::of(&chart)), specification.judge());
        Ok(World { states, game, chart, backward, idle, numbers, specification, judge })
    }

    /// The part that the state in a place belongs to.
    pub fn part(&self, place: u32) -> Part {
        self.states[self.numbers[place as usize]].part
    }

    /// The way to the state in a place.
    pub fn towards(&self, place: u32) -> Towards {
        let bits = self.specification.interface().inputs.bits();
        Towards::new(self.chart.clone(), &self.backward, place, bits)
    }

    /// The application as a system in our own process.
    pub fn application(&self, seed: u64) -> impl System + use<> {
        let interface = self.specification.interface().clone();
        let (states, idle) = (self.states.clone(), self.idle);
        let mut rng = Rng::new(seed);
        let fresh = move || Application::new(states.clone(), false, rng.bits());
        let step = move |application: &mut Application, input: Letter| {
            let told = (input != idle.wait).then(|| interface.inputs.show(input).to_string());
            match application.step(told.as_deref()) {
                Reply::Said(Some(label)) => interface.outputs.label(&label).unwrap_or(idle.quiet),
                Reply::Said(None) => idle.quiet,
                Reply::Exit => panic!("told something that it does not know"),
            }
        };
        Closure::new(fresh, step)
    }

    /// Plays a strategy once.
    pub fn play(&self, guide: &Arc<Towards>, strategy: Box<dyn Strategy>, seed: u64) -> Result<End> {
        let mut strategy = Repeats::new(strategy, REPEATS);
        let mut goal = Reach::one(self.game.clone(), guide.clone());
        let mut system = self.application(seed);
        // No run comes through more states, each as often as it may.
        let limits = Limits { runs: 1, steps: REPEATS * self.states.len() as u32, ..Limits::default() };
        let campaign = Campaign::new(&mut goal, self.judge.clone(), &mut system, &mut strategy, limits, seed);
        let outcome = campaign.run(&mut ())?;
        anyhow::ensure!(outcome.broken.is_none(), "the application broke");
        Ok(match strategy.stopped() {
            _ if outcome.objectives[0].covered.is_some() => End::Won,
            _ if !outcome.violations.is_empty() => End::NotConforming,
            Some(Stopped::Repeated) => End::Repeated,
            Some(Stopped::Undefined) => End::Undefined,
            None => End::Terminal,
        })
    }
}

/// Follows the table along the chart: which state of the application is in which place.
fn numbers(states: &[State], specification: &Specification, idle: Idle, chart: &Chart) -> Vec<usize> {
    let interface = specification.interface();
    let mut numbers = vec![usize::MAX; chart.len()];
    numbers[0] = 0;
    // A place is met before its own moves are written down.
    for place in 0..chart.len() as u32 {
        let state = &states[numbers[place as usize]];
        let to = |moves: &[(String, usize)], label: &str| {
            moves.iter().find(|(known, _)| known == label).map(|(_, to)| *to)
        };
        for choice in chart.choices(place) {
            let input = chart.letter(choice.input);
            for answer in chart.answers(choice) {
                let output = chart.letter(answer.output);
                let next = if output != idle.quiet {
                    to(&state.outputs, &interface.outputs.show(output).to_string())
                } else if input != idle.wait {
                    to(&state.inputs, &interface.inputs.show(input).to_string())
                } else {
                    Some(state.quiet)
                };
                numbers[answer.to as usize] = next.unwrap_or(usize::MAX);
            }
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_846_states_and_each_is_in_one_place() {
        let world = World::new().unwrap();
        let mut numbers = world.numbers.clone();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..846).collect::<Vec<_>>());
        let count = |part| world.states.iter().filter(|state| state.part == part).count();
        let parts = [Part::Start, Part::Loop, Part::Line, Part::Choice].map(count);
        assert_eq!(parts, [1, 4, 60, 781]);
        assert!(world.chart.is_whole());
    }

    #[test]
    fn the_committed_specification_is_the_table() {
        let committed = include_str!("../../../examples/choices/choices.aut");
        assert_eq!(
            committed,
            application::aut(),
            "`choices aut > examples/choices/choices.aut` makes it anew"
        );
    }
}
