//! Every strategy on every family: median steps, and how they compare.

use anyhow::{Context, Result};
use clap::Args;
use provoke::campaign::Limits;
use provoke::strategy::{self, CATALOGUE, Options};
use serde_json::json;

use crate::families::FAMILIES;
use crate::table::{self, Row};

/// Systems that are not the passageway
#[derive(Args, Debug)]
pub struct FamiliesArgs {
    /// One family only
    #[arg(long)]
    family: Vec<String>,
    /// Instances of each family, each with its own seed
    #[arg(long, default_value_t = 21)]
    attempts: u64,
    /// One strategy of the catalogue only
    #[arg(long)]
    strategy: Vec<String>,
    /// Steps in one run (K)
    #[arg(long, default_value_t = 250)]
    steps: u32,
    /// Steps in one attempt
    #[arg(long, default_value_t = 300_000)]
    total_steps: u64,
    /// The master seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

impl FamiliesArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let names: Vec<&str> = match &self.strategy[..] {
            [] => CATALOGUE.iter().map(|entry| entry.name).collect(),
            chosen => chosen.iter().map(String::as_str).collect(),
        };
        let mut rows = Vec::new();
        for family in FAMILIES {
            if !self.family.is_empty() && !self.family.iter().any(|name| name == family.name) {
                continue;
            }
            let instances: Result<Vec<_>> =
                (0..self.attempts).map(|attempt| (family.instance)(self.seed * 1000 + attempt)).collect();
            let instances = instances?;
            for &name in &names {
                let entry = strategy::find(name).with_context(|| format!("there is no strategy `{name}`"))?;
                let limits = Limits {
                    runs: u64::MAX,
                    steps: self.steps,
                    total_steps: self.total_steps,
                    ..Limits::default()
                };
                let mut attempts = Vec::new();
                for (attempt, instance) in instances.iter().enumerate() {
                    let seed = self.seed * 7_000_003 + attempt as u64;
                    let mut system = (instance.system)(seed);
                    attempts.push(instance.arena.attempt(
                        entry,
                        &Options::default(),
                        limits,
                        &mut *system,
                        seed,
                    )?);
                }
                let instance = vec![("family", json!(family.name)), ("steps", json!(self.steps))];
                rows.push(Row { strategy: name.to_owned(), instance, attempts, paper: None });
            }
        }
        if self.json {
            println!("{}", json!(rows.iter().map(Row::to_json).collect::<Vec<_>>()));
        } else {
            table::print(&rows);
        }
        Ok(())
    }
}
