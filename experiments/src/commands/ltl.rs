//! Sizes of the automata of 192 classic formulas beside those of the reference translator.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use provoke::automaton::{buchi, safety_automaton};
use provoke::bdd::Space;
use provoke::letter::Interface;
use provoke::ltl::parse;
use serde_json::json;

/// Automata of classic LTL formulas (Dwyer, Etessami-Holzmann, Somenzi-Bloem, ...)
#[derive(Args, Debug)]
pub struct LtlArgs {
    /// The table of formulas and reference sizes; ltl/classic.tsv in PROVOKE_DATA unless given
    #[arg(long)]
    table: Option<PathBuf>,
    /// Only sets whose name is given
    #[arg(long)]
    set: Vec<String>,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

/// One formula, measured.
struct Measured {
    set: String,
    formula: String,
    states: usize,
    reference: usize,
    monitor: usize,
    monitor_reference: usize,
    time: Duration,
}

#[derive(Default)]
struct Total {
    formulas: usize,
    states: usize,
    reference: usize,
    monitor: usize,
    monitor_reference: usize,
    time: Duration,
}

impl Total {
    fn add(&mut self, row: &Measured) {
        self.formulas += 1;
        self.states += row.states;
        self.reference += row.reference;
        self.monitor += row.monitor;
        self.monitor_reference += row.monitor_reference;
        self.time += row.time;
    }

    fn print(&self, name: &str) {
        let time = self.time.as_secs_f64() * 1e3;
        println!(
            "{name:8} {:3} formulas: {:4} Büchi states (reference {:4}) in {time:.1} ms, {:4} monitor states \
             (reference {:4})",
            self.formulas, self.states, self.reference, self.monitor, self.monitor_reference
        );
    }
}

impl LtlArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let path = match &self.table {
            Some(path) => path.clone(),
            None => crate::data::path("ltl/classic.tsv")?,
        };
        let table =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut rows = Vec::new();
        for line in table.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [set, formula, states, _, monitor, ..] = fields[..] else { continue };
            if self.set.is_empty() || self.set.iter().any(|chosen| chosen == set) {
                rows.push(measure(set, formula, states.parse()?, monitor.parse()?)?);
            }
        }
        if self.json {
            println!("{}", json!(rows.iter().map(Measured::to_json).collect::<Vec<_>>()));
            return Ok(());
        }
        let mut totals: BTreeMap<&str, Total> = BTreeMap::new();
        let mut all = Total::default();
        for row in &rows {
            row.print();
            totals.entry(&row.set).or_default().add(row);
            all.add(row);
        }
        println!();
        totals.iter().for_each(|(set, total)| total.print(set));
        all.print("together");
        Ok(())
    }
}

fn measure(set: &str, text: &str, reference: usize, monitor_reference: usize) -> Result<Measured> {
    let formula = parse(text)?.formula;
    let names = formula.propositions();
    let interface = Interface::signals(names.iter().map(|name| name.to_string()), []);
    let space = Arc::new(Space::new(interface?));
    let start = Instant::now();
    let automaton = buchi(&formula, &space)?;
    let time = start.elapsed();
    let monitor = safety_automaton(&formula, &space)?;
    Ok(Measured {
        set: set.into(),
        formula: text.into(),
        states: automaton.states.len(),
        reference,
        monitor: monitor.states.len(),
        monitor_reference,
        time,
    })
}

impl Measured {
    fn to_json(&self) -> serde_json::Value {
        json!({
            "set": self.set,
            "formula": self.formula,
            "states": self.states,
            "reference": self.reference,
            "monitor_states": self.monitor,
            "monitor_reference": self.monitor_reference,
            "milliseconds": self.time.as_secs_f64() * 1e3,
        })
    }

    fn print(&self) {
        let Measured { set, formula, states, reference, monitor, monitor_reference, time } = self;
        let sign = match states.cmp(reference) {
            std::cmp::Ordering::Less => "<",
            std::cmp::Ordering::Equal => "=",
            std::cmp::Ordering::Greater => ">",
        };
        let time = time.as_secs_f64() * 1e3;
        println!(
            "{set:6} {states:4} {sign} {reference:4}  {time:8.2} ms  monitor {monitor:3} ({monitor_reference:3})  {formula}"
        );
    }
}
