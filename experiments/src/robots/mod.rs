//! The recycling robots of paper 2: campaigns against robots that do what the model says, and what they cover.

mod paper;
// The example is where people look for it.
#[path = "../../../examples/robots/robots.rs"]
mod model;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use provoke::action::{Exchanges, FileModel, ModelProgram};
use provoke::campaign::{Campaign, Event, Limits, Observer};
use provoke::diagnostic::Source;
use provoke::format::program::Program;
use provoke::letter::Conflict;
use provoke::objective::Hunt;
use provoke::specification::{STATE_LIMIT, Specification};
use provoke::strategy::{Options, StrategyEntry};
use provoke::system::{Modelled, Protocol};

pub use model::{Act, Action, Fleet, ROOM, Robots};
pub use paper::{Cell, ROWS, Row, STRATEGIES};

use crate::clock::processor_time;

/// The model file of the example.
const FILE: &str = include_str!("../../../examples/robots/robots.model");

/// What one campaign covered and cost.
#[derive(Clone, Copy, Debug)]
pub struct Covered {
    /// Different states that were reached: concrete ones; where they are grouped, those of the robot that did something.
    pub states: usize,
    /// Exchanges.
    pub steps: u64,
    /// Processor time of the campaign alone.
    pub seconds: f64,
}

/// The robots as a specification: the model in Rust, or the same as a file.
pub fn specification(robots: Robots, from_file: bool) -> Result<Specification> {
    if !from_file {
        return Ok(Specification::of_model("robots", robots, Protocol::default())?);
    }
    let grouping = |line: &&str| robots.grouped || !line.trim_start().starts_with("abstract");
    let text: String = FILE.lines().filter(grouping).flat_map(|line| [line, "\n"]).collect();
    let program = Program::read_with(&Source::new("robots.model", text), &[("MOST", robots.most as i64)])?;
    Ok(Specification::of_model("robots", FileModel::new(program), Protocol::default())?)
}

/// Runs one campaign and counts what it covered.
pub fn attempt(
    robots: Robots,
    from_file: bool,
    strategy: &StrategyEntry,
    limits: Limits,
    seed: u64,
) -> Result<Covered> {
    let specification = specification(robots, from_file)?;
    let idle = specification.idle.context("there are letters for doing nothing")?;
    let interface = specification.interface();
    let model = Arc::new(robots);
    let mut system = Modelled::new(model.clone(), interface, idle, seed ^ 0x5eed);
    // The paper's oracle knows what the system can do, and never listens in vain.
    let options = Options { idle: Some(idle), observe: 0.5, listen: 0.0, ..Options::default() };
    let mut coverage = Coverage {
        exchanges: Exchanges::new(model, interface, idle, Conflict::default()),
        seen: HashSet::default(),
        took: Duration::ZERO,
    };
    let started = processor_time();
    let mut strategy = (strategy.build)(&options);
    let game = specification.guidance(None, STATE_LIMIT)?.game;
    game.forget_states();
    let mut hunt = Hunt::new(game);
    let judge = specification.judge();
    let campaign = Campaign::new(&mut hunt, judge, &mut system, &mut *strategy, limits, seed);
    let outcome = campaign.run(&mut coverage)?;
    let seconds = (processor_time() - started - coverage.took).as_secs_f64();
    anyhow::ensure!(outcome.violations.is_empty() && outcome.broken.is_none(), "the robots are good");
    Ok(Covered { states: coverage.seen.len(), steps: outcome.steps, seconds })
}

/// Notes, after each run, the states that it reached.
struct Coverage {
    exchanges: Exchanges<Robots>,
    seen: HashSet<u64>,
    took: Duration,
}

impl Observer for Coverage {
    fn on(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        let Event::RunEnded { trace, .. } = event else { return Ok(()) };
        let started = processor_time();
        let model = self.exchanges.model.clone();
        let mut at = model.initial();
        for step in trace.iter() {
            let Some(action) = self.exchanges.action(step) else { continue };
            at = model.step(&at, &action).unwrap_or(at);
            // Of a robot that was just started as well, which no action is about before.
            let of_robot = Action(Act::Wait, action.1);
            self.seen.insert(model.abstract_state(&at, &of_robot));
        }
        self.took += processor_time() - started;
        Ok(())
    }
}
