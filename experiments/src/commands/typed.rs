//! Signals with types: faults of a lift with twenty floors, faults at boundaries, and what types cost.

use anyhow::{Result, bail};
use clap::Args;
use provoke::Test;
use provoke::report::Report;
use serde_json::{Value, json};

use crate::table::grouped;
use crate::typed::edges::{EDGES, Edge, State};
use crate::typed::lift::{self, Lift};
use crate::typed::speed;
use crate::typed::threshold::{self, Tank};

/// Signals with types: a lift with twenty floors, faults at boundaries of 0..9999, speed beside Booleans
#[derive(Args, Debug)]
pub struct TypedArgs {
    /// Campaigns against each fault of the lift, each with its own seed; at boundaries five times as many
    #[arg(long, default_value_t = 20)]
    seeds: u64,
    /// Steps in one campaign
    #[arg(long, default_value_t = 100_000)]
    total_steps: u64,
    /// Steps for each measurement of speed
    #[arg(long, default_value_t = 2_000_000)]
    speed_steps: u64,
    /// Only one of lift, boundaries, edges (boundaries of other kinds), speed
    #[arg(long, value_parser = ["lift", "boundaries", "edges", "speed"])]
    only: Option<String>,
    /// These strategies beside the usual one
    #[arg(long, default_values_t = ["uniform".to_owned()])]
    strategy: Vec<String>,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

/// What is tested.
#[derive(Clone, Copy)]
struct Subject<'a> {
    name: &'a str,
    text: &'a str,
}

/// Steps within which a fault at a boundary is to be found.
const SOON: u64 = 200;

impl TypedArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let mut rows = Vec::new();
        let wanted = |part: &str| self.only.as_deref().is_none_or(|only| only == part);
        if wanted("lift") {
            let about = Subject { name: "lift", text: include_str!("../../subjects/lift20.toml") };
            for strategy in self.strategies() {
                self.campaign(about, "none", strategy, 1, &mut rows, |test| of_lift(test, None))?;
                for (name, fault) in lift::FAULTS {
                    let faulty = |test| of_lift(test, Some(fault));
                    self.campaign(about, name, strategy, self.seeds, &mut rows, faulty)?;
                }
            }
        }
        if wanted("boundaries") {
            let text = threshold::specification();
            let about = Subject { name: "boundaries", text: &text };
            for strategy in self.strategies() {
                self.campaign(about, "none", strategy, 1, &mut rows, |test| of_tank(test, None))?;
                for fault in 0..threshold::FAULTS {
                    let name =
                        format!("{} at {}", if fault < 4 { ">" } else { "<=" }, threshold::level(fault));
                    let faulty = |test| of_tank(test, Some(fault));
                    self.campaign(about, &name, strategy, 5 * self.seeds, &mut rows, faulty)?;
                }
            }
        }
        if wanted("edges") {
            for strategy in self.strategies() {
                for edge in &EDGES {
                    let text = edge.specification();
                    let about = Subject { name: "edges", text: &text };
                    let good = |test| of_edge(test, edge, 0, false);
                    self.campaign(about, &format!("{}: none", edge.name), strategy, 1, &mut rows, good)?;
                    for (off, second) in [(1, false), (-1, false), (1, true), (-1, true)] {
                        if second && !edge.has_second {
                            continue;
                        }
                        let name =
                            format!("{}: {off:+}{}", edge.name, if second { " at the end" } else { "" });
                        let faulty = |test| of_edge(test, edge, off, second);
                        self.campaign(about, &name, strategy, 5 * self.seeds, &mut rows, faulty)?;
                    }
                }
            }
        }
        if wanted("speed") {
            self.speed(&mut rows)?;
        }
        if self.json {
            println!("{}", Value::Array(rows));
        }
        Ok(())
    }

    /// The usual strategy, and those that were named.
    fn strategies(&self) -> impl Iterator<Item = Option<&str>> {
        std::iter::once(None).chain(self.strategy.iter().map(|name| Some(name.as_str())))
    }

    /// Campaigns against one system; one without a fault must pass.
    fn campaign(
        &self,
        Subject { name: subject, text }: Subject<'_>,
        fault: &str,
        strategy: Option<&str>,
        seeds: u64,
        rows: &mut Vec<Value>,
        test: impl Fn(Test<'static>) -> Test<'static>,
    ) -> Result<()> {
        let mut steps = Vec::new();
        let mut name = String::new();
        for seed in 0..seeds {
            let named = Test::of_text(text).seed(seed).total_steps(self.total_steps).hunt();
            let named = match strategy {
                Some(strategy) => named.strategy(strategy),
                None => named,
            };
            let report = test(named).run()?;
            if fault.ends_with("none") && !report.violations.is_empty() {
                bail!("{subject} has no fault, and violates {}", report.violations[0].requirement);
            }
            steps.extend((!report.violations.is_empty()).then_some(report.steps));
            name.clone_from(&report.strategy);
        }
        let found = steps.len() as u64;
        let soon = steps.iter().filter(|&&steps| steps <= SOON).count();
        steps.resize(seeds as usize, u64::MAX);
        steps.sort_unstable();
        let median = steps.get(steps.len() / 2).copied().filter(|&steps| steps < u64::MAX);
        if !self.json {
            let shown = median.map_or_else(|| "-".to_owned(), grouped);
            println!(
                "{subject:<11} {fault:<28} {name:<20} found {found:>3} of {seeds:>3}, {soon:>3} within {SOON} steps, \
                 median {shown} steps"
            );
        }
        rows.push(json!({ "subject": subject, "fault": fault, "strategy": name, "usual": strategy.is_none(),
            "seeds": seeds, "found": found, "within_200": soon, "median_steps": median }));
        Ok(())
    }

    fn speed(&self, rows: &mut Vec<Value>) -> Result<()> {
        for strategy in self.strategies() {
            let (mut best, mut name) = ([0.0f64; 2], String::new());
            // In turns, so that a machine that slows down slows both of them.
            for _ in 0..5 {
                for (text, best) in [speed::TYPED, speed::BOOLEAN].into_iter().zip(&mut best) {
                    let test = Test::of_text(text).total_steps(self.speed_steps).on(speed::system());
                    let report = match strategy {
                        Some(strategy) => test.strategy(strategy).run()?,
                        None => test.run()?,
                    };
                    if !report.violations.is_empty() {
                        bail!("the system of the speed test violates {}", report.violations[0].requirement);
                    }
                    *best = best.max(rate(&report));
                    name.clone_from(&report.strategy);
                }
            }
            let [typed, boolean] = best;
            if !self.json {
                println!(
                    "speed       {name:<20} {:.2} M steps/s with types, {:.2} M with Booleans, ratio {:.2}",
                    typed / 1e6,
                    boolean / 1e6,
                    typed / boolean
                );
            }
            rows.push(json!({ "subject": "speed", "strategy": name, "steps_per_second": typed,
                "boolean_steps_per_second": boolean, "ratio": typed / boolean }));
        }
        Ok(())
    }
}

fn rate(report: &Report) -> f64 {
    report.steps as f64 / report.seconds
}

fn of_lift(test: Test<'static>, fault: Option<lift::Fault>) -> Test<'static> {
    test.system(
        move || Lift::new(fault),
        |lift, input, output| {
            let shown = lift.step(input.int("call"), input["button"]);
            output.set_int("floor", shown.floor);
            output.set_word("motor", shown.motor.word());
            output.set("door", shown.door);
        },
    )
}

fn of_edge(test: Test<'static>, edge: &'static Edge, off: i64, second: bool) -> Test<'static> {
    test.system(State::default, move |state, input, output| edge.step(state, input, output, off, second))
}

fn of_tank(test: Test<'static>, fault: Option<usize>) -> Test<'static> {
    test.system(
        move || Tank::new(fault),
        |tank, input, output| {
            let (valves, pump) = tank.step(input.int("level"));
            for (name, open) in ["valve_1", "valve_2", "valve_3"].into_iter().zip(valves) {
                output.set(name, open);
            }
            output.set("pump", pump);
        },
    )
}
