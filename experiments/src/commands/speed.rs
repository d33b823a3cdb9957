//! How much of the speed of a plain loop a campaign keeps, on the carriage of paper 1.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use provoke::campaign::{Campaign, Event, Limits, Observer};
use provoke::game::explicit::{Product, Solved};
use provoke::game::{Game, Next};
use provoke::letter::Letter;
use provoke::monitor::Judge;
use provoke::objective::Reach;
use provoke::specification::Specification;
use provoke::strategy::{CATALOGUE, DEFAULT, Options, StrategyEntry};
use provoke::system::{Closure, System};
use serde_json::json;

use super::chosen;
use crate::arena::explicit;
use crate::clock::{allocations, processor_time};

/// Steps a second against a plain loop over system and automaton (the carriage of paper 1)
#[derive(Args, Debug)]
pub struct SpeedArgs {
    /// Steps in each round
    #[arg(long, default_value_t = 1_000_000)]
    steps: u64,
    /// Rounds; the best of them is printed
    #[arg(long, default_value_t = 7)]
    rounds: u32,
    /// These strategies of the catalogue only
    #[arg(long)]
    strategy: Vec<String>,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

struct Carriage {
    product: Arc<Product>,
    guide: Arc<Solved>,
    judge: Judge,
}

impl SpeedArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let carriage = Carriage::new()?;
        let (mut plain, mut rows) = (0.0f64, Vec::new());
        let usual = ["uniform", "greedy", "epsilon-greedy", DEFAULT];
        let entries = chosen(&self.strategy, |entry| usual.contains(&entry.name))?;
        let inputs = carriage.recorded_inputs()?;
        let mut best = vec![(0.0f64, f64::INFINITY); entries.len()];
        // In turns, so that a machine that slows down slows all of them.
        for _ in 0..self.rounds {
            plain = plain.max(carriage.plain_loop(&inputs, self.steps)?);
            for (entry, best) in entries.iter().zip(&mut best) {
                let (speed, allocations) = carriage.campaign(entry, self.steps)?;
                *best = (best.0.max(speed), best.1.min(allocations));
            }
        }
        rows.push(("plain loop", plain, 0.0));
        rows.extend(
            entries.iter().zip(best).map(|(entry, (speed, allocations))| (entry.name, speed, allocations)),
        );
        if self.json {
            let row = |&(name, speed, allocations): &(&str, f64, f64)| {
                json!({ "strategy": name, "steps": self.steps, "steps_per_second": speed,
                        "ratio": speed / plain, "allocations_per_step": allocations })
            };
            println!("{}", json!(rows.iter().map(row).collect::<Vec<_>>()));
            return Ok(());
        }
        println!(
            "carriage of paper 1, Fig. 3, in-process, {} steps a round, best of {}",
            self.steps, self.rounds
        );
        for (name, speed, allocations) in rows {
            let (speed, ratio) = (speed / 1e6, speed / plain);
            println!(
                "{name:<20} {speed:>8.1} M steps/s  ratio {ratio:>5.2}  {allocations:.6} allocations a step"
            );
        }
        Ok(())
    }
}

impl Carriage {
    /// The requirement of Fig. 3; the objective is a violation, which a good controller never shows.
    fn new() -> Result<Carriage> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/carriage/hunt-figure3.toml");
        let text = "[signals]\ninputs = ['bwdlimit', 'fwdlimit', 'cargo']\noutputs = ['movefwd', 'movebwd']\n\
            [[requirement]]\nid = 'R'\nautomaton = 'figure3.hoa'\n[[objective]]\nid = 'O'\nviolates = 'R'\n";
        let specification = Specification::from_text(Path::new(path), text)?;
        let guidance = specification.guidance(specification.objectives.first(), 1000)?;
        let (product, guide) = explicit(&guidance)?;
        Ok(Carriage { product, guide, judge: specification.judge() })
    }

    /// A controller that keeps the requirement.
    fn system() -> impl System {
        Closure::new(
            || false,
            |moving: &mut bool, input: Letter| {
                let [at_start, at_end, cargo] = [0, 1, 2].map(|signal| input.get(signal));
                *moving = !at_end && (*moving || (at_start && cargo));
                Letter::default().with(0, *moving)
            },
        )
    }

    fn run(&self, entry: &StrategyEntry, steps: u64, observer: &mut dyn Observer) -> Result<u64> {
        let mut strategy = (entry.build)(&Options::default());
        let mut goal = Reach::one(self.product.clone(), self.guide.clone());
        let limits = Limits { runs: u64::MAX, total_steps: steps, ..Limits::default() };
        let mut system = Carriage::system();
        let campaign = Campaign::new(&mut goal, self.judge.clone(), &mut system, &mut *strategy, limits, 1);
        Ok(campaign.run(observer)?.steps)
    }

    /// Steps a second, and allocations a step.
    fn campaign(&self, entry: &StrategyEntry, steps: u64) -> Result<(f64, f64)> {
        let (allocated, started) = (allocations(), processor_time());
        let steps = self.run(entry, steps, &mut ())? as f64;
        Ok((steps / (processor_time() - started).as_secs_f64(), (allocations() - allocated) as f64 / steps))
    }

    /// The inputs of a hundred uniform runs.
    fn recorded_inputs(&self) -> Result<Vec<Vec<Letter>>> {
        struct Recorder(Vec<Vec<Letter>>);
        impl Observer for Recorder {
            fn on(&mut self, event: &Event<'_>) -> std::io::Result<()> {
                if let Event::RunEnded { trace, .. } = event {
                    self.0.push(trace.iter().map(|step| step.input).collect());
                }
                Ok(())
            }
        }
        let mut recorder = Recorder(Vec::new());
        self.run(&CATALOGUE[0], 25_000, &mut recorder)?;
        Ok(recorder.0)
    }

    /// Only the system and the automaton are stepped.
    fn plain_loop(&self, inputs: &[Vec<Letter>], steps: u64) -> Result<f64> {
        let mut system = Carriage::system();
        let started = processor_time();
        let mut done = 0;
        for run in inputs.iter().cycle() {
            system.reset()?;
            let mut at = self.product.initial();
            for &input in run {
                let output = system.step(input)?;
                match self.product.next(at, input, output) {
                    Next::To(next) => at = next,
                    other => anyhow::bail!("the good controller is not good: {other:?}"),
                }
            }
            done += run.len() as u64;
            if done >= steps {
                break;
            }
        }
        Ok(done as f64 / (processor_time() - started).as_secs_f64())
    }
}
