//! Table 1 of paper 1, then our strategies, then longer passageways.

use anyhow::{Context, Result};
use clap::Args;
use provoke::campaign::Limits;
use provoke::strategy::{self, CATALOGUE, Options, StrategyEntry};
use serde_json::json;

use crate::arena::Attempt;
use crate::passageway::{self, Grid, Passageway};
use crate::table::{self, Paper, Row};

/// The robot in the passageway (paper 1, section 6)
#[derive(Args, Debug)]
pub struct PassagewayArgs {
    /// How many rooms; without it, 10 rooms for every strategy and then longer passageways
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=250))]
    rooms: Option<u32>,
    /// Campaigns for each row
    #[arg(long, default_value_t = 50)]
    attempts: u64,
    /// One strategy of the catalogue only
    #[arg(long)]
    strategy: Vec<String>,
    /// Steps in one run (K)
    #[arg(long, default_value_t = 250)]
    steps: u32,
    /// Runs in one attempt
    #[arg(long, default_value_t = 10_000)]
    runs: u64,
    /// The master seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The chance that a move within a room leaves the robot where it is
    #[arg(long, default_value_t = 0.0)]
    slip: f64,
    /// Cells along each side of a room
    #[arg(long, default_value_t = 4)]
    size: u32,
    /// UCT's constant
    #[arg(long)]
    exploration: Option<f64>,
    /// gamma
    #[arg(long, default_value_t = 0.9)]
    gamma: f64,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

impl PassagewayArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let names: Vec<&str> = match &self.strategy[..] {
            [] => CATALOGUE.iter().map(|entry| entry.name).collect(),
            chosen => chosen.iter().map(String::as_str).collect(),
        };
        let mut rows = Vec::new();
        for name in names {
            rows.push(self.row(name, self.rooms.unwrap_or(10))?);
        }
        if self.json {
            println!("{}", json!(rows.iter().map(Row::to_json).collect::<Vec<_>>()));
        } else {
            table::print(&rows);
        }
        Ok(())
    }

    fn row(&self, name: &str, rooms: u32) -> Result<Row> {
        let entry: &StrategyEntry =
            strategy::find(name).with_context(|| format!("there is no strategy `{name}`"))?;
        let arena = passageway::arena(rooms)?;
        let limits = Limits { runs: self.runs, steps: self.steps, ..Limits::default() };
        let options = Options { exploration: self.exploration, gamma: self.gamma, ..Options::default() };
        let attempts: Result<Vec<Attempt>> = (0..self.attempts)
            .map(|attempt| {
                let grid = Grid { size: self.size, ..Grid::faulty(rooms) };
                let mut system =
                    Passageway::slippery(grid, self.slip, self.seed.wrapping_mul(77_777) + attempt);
                arena.attempt(
                    entry,
                    &options,
                    limits,
                    &mut system,
                    self.seed.wrapping_mul(1_000_003) + attempt,
                )
            })
            .collect();
        let instance = vec![("rooms", json!(rooms)), ("steps", json!(self.steps))];
        Ok(Row { strategy: name.to_owned(), instance, attempts: attempts?, paper: paper(name) })
    }
}

fn paper(name: &str) -> Option<Paper> {
    match name {
        "uniform" | "epsilon-greedy" | "mcts-published" => Some(Paper { success: 0.0, runs: None }),
        "mcts-greedy-rollout-published" => Some(Paper { success: 62.7, runs: Some(4662) }),
        "mcts-greedy-published" => Some(Paper { success: 100.0, runs: Some(1031) }),
        _ => None,
    }
}
