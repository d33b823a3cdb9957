//! Steps a second of every strategy, in campaigns that never end.

use anyhow::Result;
use clap::Args;
use provoke::campaign::Limits;
use provoke::strategy::Options;
use serde_json::json;

use super::{chosen, learns};
use crate::clock::allocations;
use crate::passageway::{self, Door, Grid, Passageway};
use crate::table::grouped;

/// Steps a second and memory of every strategy, in-process, in a passageway whose last door is a wall
#[derive(Args, Debug)]
pub struct StepsArgs {
    /// How many rooms
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=250))]
    rooms: u32,
    /// Steps in each campaign
    #[arg(long, default_value_t = 3_000_000)]
    steps: u64,
    /// One strategy of the catalogue only
    #[arg(long)]
    strategy: Vec<String>,
    /// The most nodes a strategy may remember
    #[arg(long, default_value_t = Options::default().nodes)]
    nodes: usize,
    /// The master seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

impl StepsArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let arena = passageway::arena(self.rooms)?;
        let limits = Limits { runs: u64::MAX, total_steps: self.steps, ..Limits::default() };
        let options = Options { nodes: self.nodes, ..Options::default() };
        let mut rows = Vec::new();
        for entry in chosen(&self.strategy, learns)? {
            let mut system = Passageway::new(Grid { last_door: Door::Wall, ..Grid::faulty(self.rooms) });
            let before = allocations();
            let attempt = arena.attempt(entry, &options, limits, &mut system, self.seed)?;
            let steps = attempt.outcome.steps;
            let speed = steps as f64 / attempt.seconds;
            let allocated = (allocations() - before) as f64 / steps as f64;
            rows.push(json!({
                "strategy": entry.name, "rooms": self.rooms, "steps": steps, "runs": attempt.outcome.runs,
                "steps_per_second": speed, "allocations_per_step": allocated, "memory_bytes": attempt.memory,
            }));
            if !self.json {
                println!(
                    "{:<30} {:>7.2} M steps/s  {:>9} runs  {allocated:.4} allocations a step  {:>8} kB",
                    entry.name,
                    speed / 1e6,
                    grouped(attempt.outcome.runs),
                    grouped(attempt.memory as u64 / 1000),
                );
            }
        }
        if self.json {
            println!("{}", json!(rows));
        }
        Ok(())
    }
}
