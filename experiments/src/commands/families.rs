//! Every strategy on every family: median steps, and how they compare.

use std::io::{IsTerminal, Write as _};

use anyhow::{Result, bail};
use clap::Args;
use provoke::campaign::Limits;
use provoke::diagnostic::nearest;
use provoke::strategy::{DEFAULT, Options, StrategyEntry};
use serde_json::json;

use super::{chosen, learns};
use crate::families::{FAMILIES, Family, Instance};
use crate::table::{self, Row, grouped};

/// Systems that are not the passageway
#[derive(Args, Debug)]
pub struct FamiliesArgs {
    /// One family only
    #[arg(long)]
    family: Vec<String>,
    /// Instances of each family, each with its own seed
    #[arg(long, default_value_t = 101)]
    attempts: u64,
    /// One strategy of the catalogue only
    #[arg(long)]
    strategy: Vec<String>,
    /// Steps in one run (K)
    #[arg(long, default_value_t = 250)]
    steps: u32,
    /// Steps in one attempt
    #[arg(long, default_value_t = 100_000)]
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
        let entries = chosen(&self.strategy, learns)?;
        let mut rows = Vec::new();
        for family in self.families()? {
            let mut own = Vec::new();
            let instances: Result<Vec<_>> =
                (0..self.attempts).map(|attempt| (family.instance)(self.seed * 1000 + attempt)).collect();
            let instances = instances?;
            for &entry in &entries {
                if std::io::stderr().is_terminal() {
                    eprint!("\r\x1b[K{}, {}", family.name, entry.name);
                    let _ = std::io::stderr().flush();
                }
                own.push(self.row(family, &instances, entry)?);
            }
            if std::io::stderr().is_terminal() {
                eprint!("\r\x1b[K");
            }
            if !self.json {
                println!("{}: {}\n", family.name, family.sentence);
                table::print(&own);
                println!("{}\n", comparison(&own));
            }
            rows.extend(own);
        }
        if self.json {
            println!("{}", json!(rows.iter().map(Row::to_json).collect::<Vec<_>>()));
        }
        Ok(())
    }

    fn families(&self) -> Result<Vec<&'static Family>> {
        if self.family.is_empty() {
            return Ok(FAMILIES.iter().collect());
        }
        let find = |name: &String| match FAMILIES.iter().find(|family| family.name == name) {
            Some(family) => Ok(family),
            None => match nearest(name, FAMILIES.iter().map(|family| family.name)) {
                Some(near) => bail!("there is no family `{name}`; did you mean `{near}`?"),
                None => bail!("there is no family `{name}`"),
            },
        };
        self.family.iter().map(find).collect()
    }

    fn row(&self, family: &Family, instances: &[Instance], entry: &'static StrategyEntry) -> Result<Row> {
        let (steps, total_steps) = (self.steps, self.total_steps);
        let limits = Limits { runs: u64::MAX, steps, total_steps, ..Limits::default() };
        let mut attempts = Vec::new();
        for (attempt, instance) in instances.iter().enumerate() {
            let seed = self.seed * 7_000_003 + attempt as u64;
            let mut system = (instance.system)(seed);
            let options = Options::default();
            attempts.push(instance.arena.attempt(entry, &options, limits, &mut *system, seed)?);
        }
        let instance = vec![("family", json!(family.name)), ("steps", json!(self.steps))];
        let strategy = entry.name.to_owned();
        Ok(Row { strategy, instance, details: Vec::new(), attempts, paper: None })
    }
}

/// How the default's median compares with that of the best strategy.
fn comparison(rows: &[Row]) -> String {
    let medians = rows.iter().filter_map(|row| Some((row.median_steps()?, row.strategy.as_str())));
    let Some((best, name)) = medians.min() else {
        return "no strategy found it in half of its attempts".to_owned();
    };
    match rows.iter().find(|row| row.strategy == DEFAULT).map(Row::median_steps) {
        None => format!("best median: {} steps ({name})", grouped(best)),
        Some(None) => format!("best median: {} steps ({name}); the default failed", grouped(best)),
        Some(Some(own)) => {
            let ratio = own as f64 / best as f64;
            format!(
                "best median: {} steps ({name}); the default takes {ratio:.2} times as many",
                grouped(best)
            )
        }
    }
}
