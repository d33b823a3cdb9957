//! How fast many requirements are monitored at once.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use clap::Args;
use provoke::campaign::Limits;
use provoke::letter::Letter;
use provoke::rng::Rng;
use provoke::session::{Settings, test};
use provoke::specification::{STATE_LIMIT, Specification};
use provoke::system::Closure;
use serde_json::json;

use crate::clock::{allocations, processor_time};
use provoke::strategy::find;

/// Steps a second with many random safety requirements over many signals
#[derive(Args, Debug)]
pub struct MonitorsArgs {
    /// How many requirements
    #[arg(long, default_value_t = 50)]
    requirements: usize,
    /// How many signals; half of them are inputs
    #[arg(long, default_value_t = 40)]
    signals: usize,
    /// Steps in each round
    #[arg(long, default_value_t = 1_000_000)]
    steps: u64,
    /// Rounds; the best of them is printed
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Seed of the requirements and of the runs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the specification and do nothing else
    #[arg(long)]
    show: bool,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

impl MonitorsArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        ensure!((8..=512).contains(&self.signals), "--signals must be between 8 and 512");
        if self.show {
            print!("{}", self.text(self.requirements));
            return Ok(());
        }
        let counts = if self.requirements > 1 { vec![1, self.requirements] } else { vec![self.requirements] };
        let mut rows = Vec::new();
        for &count in &counts {
            let started = Instant::now();
            let specification = Specification::from_text(Path::new("monitors.toml"), &self.text(count))?;
            specification.check(STATE_LIMIT)?;
            rows.push((count, specification, started.elapsed().as_secs_f64(), 0.0f64, f64::INFINITY));
        }
        // In turns, so that a machine that slows down slows all of them.
        for _ in 0..self.rounds {
            for (_, specification, _, best, fewest) in &mut rows {
                let (speed, allocated) = self.campaign(specification)?;
                *best = best.max(speed);
                *fewest = fewest.min(allocated);
            }
        }
        let alone = rows[0].3;
        if self.json {
            let rows = rows.iter().map(|(count, _, check, speed, allocated)| {
                json!({ "requirements": count, "signals": self.signals, "check_seconds": check,
                        "steps_per_second": speed, "ratio": speed / alone, "allocations_per_step": allocated })
            });
            println!("{}", json!(rows.collect::<Vec<_>>()));
            return Ok(());
        }
        println!("random safety requirements over {} signals, uniform inputs, in-process", self.signals);
        println!("requirements   check s   steps/s   of one requirement's   allocations a step");
        for (count, _, check, speed, allocated) in rows {
            let ratio = speed / alone;
            println!(
                "{count:12} {check:9.2} {:7.2} M {:21.0} % {allocated:20.4}",
                speed / 1e6,
                100.0 * ratio
            );
        }
        Ok(())
    }

    /// Steps a second and allocations a step of one campaign with a system that keeps all requirements.
    fn campaign(&self, specification: &Specification) -> Result<(f64, f64)> {
        let mut settings = Settings::new(find("uniform")?, self.seed);
        settings.limits = Limits { runs: u64::MAX, total_steps: self.steps, ..Limits::default() };
        // Every output follows its input by one step.
        let mut system =
            Closure::new(Letter::default, |last: &mut Letter, input: Letter| std::mem::replace(last, input));
        let (allocated, started) = (allocations(), processor_time());
        let report = test(specification, &[], None, &mut system, &settings, &mut ())?;
        let seconds = (processor_time() - started).as_secs_f64();
        if let Some(violation) = report.violations.first() {
            bail!("{} ({}) is violated", violation.requirement, violation.text);
        }
        let steps = report.steps as f64;
        Ok((steps / seconds, (allocations() - allocated) as f64 / steps))
    }

    /// A specification of so many requirements.
    fn text(&self, requirements: usize) -> String {
        let pairs = self.signals / 2;
        let list =
            |letter: char| (0..pairs).map(|at| format!("\"{letter}{at}\"")).collect::<Vec<_>>().join(", ");
        let mut text = format!("[signals]\ninputs = [{}]\noutputs = [{}]\n", list('i'), list('o'));
        let mut rng = Rng::new(self.seed);
        for number in 1..=requirements {
            let ltl = requirement(&mut rng, pairs);
            // Writing to a string cannot fail.
            let _ = write!(text, "\n[[requirement]]\nid = \"R{number}\"\nltl = \"{ltl}\"\n");
        }
        text
    }
}

/// A random requirement that a system keeps where output `o1` follows input `i1` by one step, `o2` input `i2`,
/// and so on.
fn requirement(rng: &mut Rng, pairs: usize) -> String {
    let mut signals: Vec<usize> = (0..pairs).collect();
    rng.shuffle(&mut signals);
    let [a, b, c, d] = [0, 1, 2, 3].map(|at| signals[at]);
    let within = 1 + rng.below(5);
    match rng.below(8) {
        // Responses within a bound, with and without a trigger of several steps.
        0 => format!("G(i{a} & !i{b} -> F[0:{within}] o{a})"),
        1 => format!("G(i{a} & X(i{b} & !i{d}) & X X i{c} -> X X F[0:{within}] (o{b} & !o{d} | o{c}))"),
        // Invariants, over one step and over two.
        2 => format!("G(i{a} & (i{b} | i{c}) -> X(o{a} & (o{b} | o{c})))"),
        3 => format!("G(!i{a} & i{b} & !i{c} & !i{d} -> X !(o{a} | !o{b} | o{c} | o{d}))"),
        // Precedence: no answer without a question.
        4 => format!("(!o{a} W i{a}) & (!o{b} W i{b})"),
        // Mutual exclusion of outputs whose inputs exclude each other.
        5 => format!("G(!(i{a} & i{b}) -> X !(o{a} & o{b})) & G(i{c} -> X(o{c} | o{d}))"),
        // Weak until: once it has fallen, an output stays down until it is asked for.
        6 => format!("G(i{a} & X !i{a} -> X X(!o{a} W i{a}))"),
        _ => format!("G(i{a} & X !i{a} & i{b} -> X(o{b} & X((!o{a} | o{c} & o{d}) W i{a})))"),
    }
}
