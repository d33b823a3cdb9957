//! Tables 1 and 2 of paper 2.

use anyhow::Result;
use clap::Args;
use provoke::campaign::Limits;
use provoke::strategy;
use serde_json::{Value, json};

use crate::robots::{Cell, Covered, ROOM, ROWS, Robots, Row, STRATEGIES, attempt};
use crate::table::grouped;

/// States that least-cost, randomised-least-cost and random cover on the recycling robots: Tables 1 and 2 of paper 2
///
/// All rows of both tables, unless a row is picked: --robots, --runs and --steps narrow them down, with --grouped those of
/// Table 2 and without it those of Table 1; where no such row was published, it is measured all the same.
#[derive(Args, Debug)]
pub struct RobotsArgs {
    /// The most robots
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=ROOM as u64))]
    robots: Option<u64>,
    /// Runs of a campaign
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// Steps of a run
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    steps: Option<u32>,
    /// Group states and actions, as in Table 2
    #[arg(long)]
    grouped: bool,
    /// Campaigns for each cell
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    repetitions: u64,
    /// One strategy of the catalogue only
    #[arg(long)]
    strategy: Vec<String>,
    /// Read the model from examples/robots/robots.model instead of the same in Rust
    #[arg(long)]
    file: bool,
    /// The master seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

/// One strategy on one row.
struct Measured {
    row: Row,
    strategy: &'static str,
    mean: f64,
    deviation: f64,
    steps_per_second: f64,
    paper: Option<Cell>,
}

impl RobotsArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let mut measured = Vec::new();
        for row in self.rows() {
            for entry in super::chosen(&self.strategy, |entry| STRATEGIES.contains(&entry.name))? {
                let one = self.measure(row, strategy::find(entry.name)?)?;
                if !self.json {
                    one.print();
                }
                measured.push(one.to_json());
            }
        }
        if self.json {
            println!("{}", json!(measured));
        }
        Ok(())
    }

    /// The rows that are picked.
    fn rows(&self) -> Vec<Row> {
        let RobotsArgs { robots, runs, steps, grouped, .. } = *self;
        let narrows = robots.is_some() || runs.is_some() || steps.is_some();
        if !narrows && !grouped {
            return ROWS.to_vec();
        }
        let is_picked = |row: &&Row| {
            row.grouped == grouped
                && robots.is_none_or(|robots| row.robots as u64 == robots)
                && runs.is_none_or(|runs| row.runs == runs)
                && steps.is_none_or(|steps| row.steps == steps)
        };
        let picked: Vec<Row> = ROWS.iter().filter(is_picked).copied().collect();
        if !picked.is_empty() {
            return picked;
        }
        let robots = robots.unwrap_or(5) as usize;
        vec![Row { grouped, robots, runs: runs.unwrap_or(100), steps: steps.unwrap_or(100), cells: None }]
    }

    fn measure(&self, row: Row, entry: &'static strategy::StrategyEntry) -> Result<Measured> {
        let robots = Robots { most: row.robots, grouped: row.grouped };
        let limits = Limits { runs: row.runs, steps: row.steps, ..Limits::default() };
        let one = |at| attempt(robots, self.file, entry, limits, self.seed.wrapping_add(at));
        let all: Vec<Covered> = (0..self.repetitions).map(one).collect::<Result<_>>()?;
        let count = all.len() as f64;
        let mean = all.iter().map(|one| one.states as f64).sum::<f64>() / count;
        let squares = all.iter().map(|one| (one.states as f64 - mean).powi(2)).sum::<f64>();
        let steps: u64 = all.iter().map(|one| one.steps).sum();
        let seconds: f64 = all.iter().map(|one| one.seconds).sum();
        let column = STRATEGIES.iter().position(|name| *name == entry.name);
        Ok(Measured {
            row,
            strategy: entry.name,
            mean,
            deviation: (squares / (count - 1.0).max(1.0)).sqrt(),
            steps_per_second: steps as f64 / seconds.max(1e-9),
            paper: column.and_then(|column| Some(row.cells?[column])),
        })
    }
}

impl Measured {
    fn print(&self) {
        let Row { grouped: in_groups, robots, runs, steps, .. } = self.row;
        let paper = self.paper.map_or(String::new(), |cell| {
            let time = cell.milliseconds.map_or("< 1 ms".to_owned(), |time| format!("{time} ms"));
            format!("paper {} ± {}, {time}", grouped(cell.states as u64), cell.deviation)
        });
        let table = if in_groups { "grouped" } else { "" };
        println!(
            "{robots:>2} robots {runs:>4} runs {steps:>4} steps {table:>7}  {:<21} {:>9.1} ± {:<6.1} {:>6.2} M steps/s  {paper}",
            self.strategy,
            self.mean,
            self.deviation,
            self.steps_per_second / 1e6,
        );
    }

    fn to_json(&self) -> Value {
        let Row { grouped, robots, runs, steps, .. } = self.row;
        let paper = self.paper.map(|cell| {
            json!({
                "mean_states": cell.states, "deviation": cell.deviation, "milliseconds": cell.milliseconds,
            })
        });
        json!({
            "strategy": self.strategy, "robots": robots, "runs": runs, "steps": steps, "grouped": grouped,
            "mean_states": self.mean, "deviation": self.deviation,
            "steps_per_second": self.steps_per_second, "paper": paper,
        })
    }
}
