//! How many steps it takes to have seen everything.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, ensure};
use clap::Args;
use provoke::campaign::{Campaign, Limits};
use provoke::coverage::Cover;
use provoke::game::{Game, Next, State};
use provoke::letter::Letter;
use provoke::objective::CoverAll;
use provoke::rng::Rng;
use provoke::specification::{Objective, STATE_LIMIT, Specification};
use provoke::strategy::{Options, StrategyEntry};
use provoke::system::{System, SystemError};
use serde_json::{Value, json};

use super::chosen;
use crate::table::grouped;

/// Steps until all states, transitions or labels of specifications were seen, strategy by strategy
#[derive(Args, Debug)]
pub struct CoverageArgs {
    /// These subjects only: coffee, session, robots, grid, carriage, choices
    #[arg(long)]
    subject: Vec<String>,
    /// What is to be covered
    #[arg(long, value_parser = ["states", "transitions", "abstract-transitions", "labels"])]
    cover: Vec<String>,
    /// Attempts of each kind
    #[arg(long, default_value_t = 20)]
    attempts: u64,
    /// The most steps of an attempt
    #[arg(long, default_value_t = 200_000)]
    total_steps: u64,
    /// The most steps of a run
    #[arg(long, default_value_t = 250)]
    steps: u32,
    /// These strategies of the catalogue only
    #[arg(long)]
    strategy: Vec<String>,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

/// The subjects, and the files that they are, from the folder of this crate.
const SUBJECTS: [(&str, &str); 6] = [
    ("coffee", "subjects/coffee.toml"),
    ("session", "subjects/session.toml"),
    ("robots", "subjects/robots.toml"),
    ("grid", "subjects/grid.toml"),
    ("carriage", "../examples/carriage/carriage.toml"),
    ("choices", "../examples/choices/choices.toml"),
];

impl CoverageArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let names = match self.strategy.is_empty() {
            true => ["tour", "least-cost", "random", "uniform"].map(str::to_owned).to_vec(),
            false => self.strategy.clone(),
        };
        let covers = match self.cover.is_empty() {
            true => vec![Cover::States, Cover::Transitions],
            false => self.cover.iter().filter_map(|word| Cover::named(word)).collect(),
        };
        for name in &self.subject {
            ensure!(SUBJECTS.iter().any(|(known, _)| known == name), "there is no subject `{name}`");
        }
        let wanted = |name: &str| self.subject.is_empty() || self.subject.iter().any(|one| one == name);
        let mut rows = Vec::new();
        for (name, path) in SUBJECTS.into_iter().filter(|(name, _)| wanted(name)) {
            let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
            let specification = Specification::load(&path)?;
            for &cover in &covers {
                for entry in chosen(&names, |_| true)? {
                    rows.push(self.measure(name, &specification, cover, entry)?);
                }
            }
        }
        match self.json {
            true => println!("{:#}", json!(rows)),
            false => print(&rows),
        }
        Ok(())
    }

    fn measure(
        &self,
        name: &str,
        specification: &Specification,
        cover: Cover,
        entry: &StrategyEntry,
    ) -> Result<Value> {
        let (mut elements, mut successes, mut steps, mut runs) = (0, 0u64, 0, 0);
        for seed in 1..=self.attempts {
            let guidance = specification.guidance(Some(&Objective::cover(cover)), STATE_LIMIT)?;
            let Some(coverage) = guidance.coverage else { continue };
            let mut all = CoverAll::new(coverage.clone());
            let options = Options { idle: specification.idle, ..Options::default() };
            let mut strategy = (entry.build)(&options);
            let mut system = Fair { at: guidance.game.initial(), game: guidance.game, rng: Rng::new(seed) };
            let limits = Limits {
                runs: u64::MAX,
                steps: self.steps,
                total_steps: self.total_steps,
                ..Limits::default()
            };
            let judge = specification.judge();
            let mut campaign = Campaign::new(&mut all, judge, &mut system, &mut *strategy, limits, seed);
            campaign.gate = guidance.gate;
            let outcome = campaign.run(&mut ())?;
            elements = coverage.found().elements;
            if outcome.objectives.iter().all(|tally| tally.covered.is_some()) {
                successes += 1;
                steps += outcome.steps;
                runs += outcome.runs;
            }
        }
        let mean = |sum: u64| (successes > 0).then(|| sum as f64 / successes as f64);
        Ok(json!({
            "subject": name,
            "cover": cover.word(),
            "strategy": entry.name,
            "attempts": self.attempts,
            "successes": successes,
            "mean_steps": mean(steps),
            "mean_runs": mean(runs),
            "elements": elements,
        }))
    }
}

/// A system that answers whatever is allowed, each with the same chance.
struct Fair {
    game: Arc<dyn Game>,
    at: State,
    rng: Rng,
}

impl System for Fair {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.at = self.game.initial();
        Ok(())
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let output = self.game.outputs(self.at, input).sample(&mut self.rng).unwrap_or_default();
        if let Next::To(to) = self.game.next(self.at, input, output) {
            self.at = to;
        }
        Ok(output)
    }
}

fn print(rows: &[Value]) {
    println!(
        "{:<10} {:<21} {:<22} {:>8} {:>9} {:>11} {:>10}",
        "subject", "cover", "strategy", "elements", "success", "mean steps", "mean runs"
    );
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let whole = |row: &Value, key: &str| match row[key].as_f64() {
        Some(mean) => grouped(mean.round() as u64),
        None => "-".to_owned(),
    };
    for row in rows {
        println!(
            "{:<10} {:<21} {:<22} {:>8} {:>9} {:>11} {:>10}",
            text(row, "subject"),
            text(row, "cover"),
            text(row, "strategy"),
            row["elements"].to_string(),
            format!("{}/{}", row["successes"], row["attempts"]),
            whole(row, "mean_steps"),
            whole(row, "mean_runs"),
        );
    }
}
