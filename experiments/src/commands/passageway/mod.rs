//! Table 1 of paper 1, then our strategies, then longer and slippery passageways.

mod published;

use std::io::{IsTerminal, Write as _};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use provoke::campaign::Limits;
use provoke::strategy::{CATALOGUE, DEFAULT, Options, StrategyEntry};
use serde_json::{Value, json};

use self::published::paper;
use super::{chosen, learns};
use crate::passageway::{self, Grid, Passageway};
use crate::plot;
use crate::table::{self, Paper, Row};
use provoke::strategy::find;

/// The robot in the passageway (paper 1, section 6): Table 1, our strategies, longer and slippery passageways
///
/// With --rooms, --slip or --strategy, one table of what was asked for.
#[derive(Args, Debug)]
pub struct PassagewayArgs {
    /// How many rooms [default: 10, then 3 to 100]
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=250))]
    rooms: Option<u32>,
    /// Campaigns for each row [default: 50 for 10 rooms as in the paper, 20 beyond]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    attempts: Option<u64>,
    /// This strategy of the catalogue; may be given several times [default: all]
    #[arg(long)]
    strategy: Vec<String>,
    /// Steps in one run (K) [default: 250 as in the paper, 40 a room beyond 10 rooms]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    steps: Option<u32>,
    /// Runs in one attempt
    #[arg(long, default_value_t = 10_000)]
    runs: u64,
    /// The master seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The chance that a move within a room leaves the robot where it is
    #[arg(long, value_parser = chance)]
    slip: Option<f64>,
    /// Cells along each side of a room
    #[arg(long, default_value_t = 4, value_parser = super::passageway_files::even)]
    cells: u32,
    /// UCT's constant instead of the strategy's own
    #[arg(long)]
    exploration: Option<f64>,
    /// The discount of rewards and of experience
    #[arg(long, default_value_t = 0.9)]
    gamma: f64,
    /// Draw the share of successful attempts against runs into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

struct Section {
    title: String,
    cases: Vec<Case>,
}

/// One row to be measured.
struct Case {
    entry: &'static StrategyEntry,
    rooms: u32,
    attempts: u64,
    slip: f64,
    options: Options,
    /// Steps in one run, where the row says so itself.
    steps: Option<u32>,
    /// What is unusual about it.
    variant: String,
    paper: Option<Paper>,
}

impl PassagewayArgs {
    /// Measures and prints, a section at a time.
    pub fn run(&self) -> Result<()> {
        let sections = if self.rooms.is_some() || self.slip.is_some() || !self.strategy.is_empty() {
            vec![self.asked_for()?]
        } else {
            self.published_and_ours()?
        };
        let count: usize = sections.iter().map(|section| section.cases.len()).sum();
        let (mut rows, mut plotted) = (Vec::new(), Vec::new());
        for section in &sections {
            let mut own = Vec::new();
            for case in &section.cases {
                own.push(self.measure(case, rows.len() + own.len() + 1, count)?);
            }
            if !self.json {
                println!("{}\n", section.title);
                table::print(&own);
                println!();
            }
            // One curve for each strategy on the first instance: the one of the paper.
            if section.cases.iter().all(|case| (case.rooms, case.slip) == (sections[0].cases[0].rooms, 0.0))
                || sections.len() == 1
            {
                plotted.extend(own.iter().cloned());
            }
            rows.extend(own);
        }
        if let Some(path) = &self.plot {
            let svg = plot::success_against_runs(&plotted, self.runs);
            std::fs::write(path, svg).with_context(|| format!("failed to write {}", path.display()))?;
        }
        if self.json {
            println!("{}", json!(rows.iter().map(Row::to_json).collect::<Vec<_>>()));
        }
        Ok(())
    }

    fn asked_for(&self) -> Result<Section> {
        let (rooms, slip) = (self.rooms.unwrap_or(10), self.slip.unwrap_or(0.0));
        let entries = chosen(&self.strategy, learns)?;
        let cases = entries.into_iter().map(|entry| Case {
            paper: paper(entry.name).filter(|_| rooms == 10 && slip == 0.0),
            ..self.case(entry, rooms, slip)
        });
        let slippery =
            if slip > 0.0 { format!(", each move slips with chance {slip}") } else { String::new() };
        Ok(Section { title: format!("Passageway of {rooms} rooms{slippery}"), cases: cases.collect() })
    }

    fn published_and_ours(&self) -> Result<Vec<Section>> {
        let mut published = Vec::new();
        for name in ["uniform", "epsilon-greedy"] {
            published.push(Case { paper: paper(name), ..self.case(find(name)?, 10, 0.0) });
        }
        for (variant, options) in published::variants(self.gamma) {
            for name in published::FORMS {
                let (variant, options) = (variant.to_owned(), options.clone());
                let case = self.case(find(name)?, 10, 0.0);
                published.push(Case { paper: paper(name), variant, options, ..case });
            }
        }
        let mut long = Vec::new();
        for (name, variant, options) in published::long_runs(self.gamma) {
            let (variant, paper) = (variant.to_owned(), published::baseline(name));
            let case = self.case(find(name)?, 10, 0.0);
            long.push(Case { paper, variant, options, steps: Some(1000), ..case });
        }
        let mut ours = Vec::new();
        for entry in CATALOGUE.iter().filter(|entry| paper(entry.name).is_none() && learns(entry)) {
            ours.push(self.case(entry, 10, 0.0));
        }
        let (mut longer, mut slippery) = (Vec::new(), Vec::new());
        for name in ["mcts-greedy", "frontier", DEFAULT] {
            longer.extend([3, 5, 10, 20, 50, 100].map(|rooms| (name, rooms)));
        }
        let longer = longer.into_iter().map(|(name, rooms)| {
            Ok(Case { attempts: self.attempts.unwrap_or(20), ..self.case(find(name)?, rooms, 0.0) })
        });
        for name in ["epsilon-greedy", "mcts-greedy", "frontier", DEFAULT] {
            slippery.extend([0.05, 0.2].map(|slip| (name, slip)));
        }
        let slippery = slippery.into_iter().map(|(name, slip)| {
            let attempts = self.attempts.unwrap_or(20);
            Ok(Case { attempts, variant: format!("slip {slip}"), ..self.case(find(name)?, 10, slip) })
        });
        let section = |title: &str, cases| Section { title: title.to_owned(), cases };
        Ok(vec![
            section(published::TITLE, published),
            section(published::LONG_RUNS, long),
            section("Our scaling of values, and our strategies: 10 rooms", ours),
            section("Other lengths", longer.collect::<Result<_>>()?),
            section(
                "Slippery: a move within a room may leave the robot where it is",
                slippery.collect::<Result<_>>()?,
            ),
        ])
    }

    fn case(&self, entry: &'static StrategyEntry, rooms: u32, slip: f64) -> Case {
        let attempts = self.attempts.unwrap_or(if rooms == 10 { 50 } else { 20 });
        let options = Options { exploration: self.exploration, gamma: self.gamma, ..Options::default() };
        Case { entry, rooms, attempts, slip, options, steps: None, variant: String::new(), paper: None }
    }

    fn measure(&self, case: &Case, number: usize, count: usize) -> Result<Row> {
        let arena = passageway::arena(case.rooms)?;
        let steps = case.steps.or(self.steps).unwrap_or(if case.rooms <= 10 { 250 } else { 40 * case.rooms });
        let limits = Limits { runs: self.runs, steps, ..Limits::default() };
        let grid = Grid { size: self.cells, ..Grid::faulty(case.rooms) };
        let show = std::io::stderr().is_terminal();
        let mut attempts = Vec::new();
        for attempt in 0..case.attempts {
            if show {
                eprint!("\r\x1b[Krow {number} of {count}: {}, attempt {}", case.entry.name, attempt + 1);
                let _ = std::io::stderr().flush();
            }
            let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(attempt);
            let mut system = Passageway::slippery(grid, case.slip, !seed);
            attempts.push(arena.attempt(case.entry, &case.options, limits, &mut system, seed)?);
        }
        if show {
            eprint!("\r\x1b[K");
        }
        let instance =
            vec![("rooms", json!(case.rooms)), ("steps", json!(steps)), ("variant", json!(case.variant))];
        let details: Vec<(&str, Value)> = vec![
            ("slip", json!(case.slip)),
            ("cells", json!(self.cells)),
            ("gamma", json!(case.options.gamma)),
            ("exploration", json!(case.options.exploration)),
            ("reward", json!(case.options.reward)),
        ];
        let strategy = case.entry.name.to_owned();
        Ok(Row { strategy, instance, details, attempts, paper: case.paper })
    }
}

fn chance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(chance) if (0.0..1.0).contains(&chance) => Ok(chance),
        _ => Err("expected a number from 0 to 1, 1 excluded".to_owned()),
    }
}
