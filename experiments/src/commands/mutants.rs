//! Strategies told apart on mutants of machines: Figure 3 of paper 3.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use provoke::campaign::{Limits, ShrinkLimits};
use provoke::machine::{Machine, flips_over, mutants};
use provoke::report::Report;
use provoke::rng::Rng;
use provoke::session::{Attempt, Here, Pursue};
use provoke::specification::{Specification, Verification};
use provoke::strategy::{self, StrategyChoice};
use provoke::system::Simulated;
use provoke::verify::Outcome;
use serde_json::{Value, json};

use crate::subjects::{Subject, subjects};

/// How many mutants each strategy kills, in how many tests and steps: Figure 3 of paper 3
#[derive(Args, Debug)]
pub struct MutantsArgs {
    /// At most so many specifications: our own, then the public pairs
    #[arg(long, default_value_t = 95)]
    subjects: usize,
    /// So many mutants of each machine
    #[arg(long, default_value_t = 100)]
    mutants: usize,
    /// The most steps of all tests of one mutant
    #[arg(long, default_value_t = 10_000)]
    steps: u64,
    /// Only contenders whose name begins so
    #[arg(long)]
    strategy: Vec<String>,
    /// The seed of mutants and strategies
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw killed mutants and steps as cactus plots
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

/// Who judges the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judge {
    /// Our monitors: only a bad prefix is a violation.
    Sound,
}

impl Judge {
    fn word(self) -> &'static str {
        match self {
            Judge::Sound => "sound",
        }
    }
}

/// A strategy with its options, and who judges.
struct Contender {
    label: &'static str,
    strategy: &'static str,
    options: &'static [(&'static str, &'static str)],
    judge: Judge,
    /// The median of so many attempts counts, where chance decides.
    attempts: u64,
    /// The most steps of a test.
    test: u32,
}

/// All contenders that the catalogue has; one line each.
const CONTENDERS: &[Contender] = &[
    contender("gdfs-1", "gdfs", &[("k-min", "1")], 1, 100),
    contender("gdfs-3", "gdfs", &[("k-min", "3")], 1, 100),
    contender("gdfs-5", "gdfs", &[("k-min", "5")], 1, 100),
    contender("random-walk", "random-walk", &[], 3, 100),
    contender("guided-walk", "guided-walk", &[], 3, 100),
    contender("uniform", "uniform", &[], 3, 250),
    contender("input-classes", "input-classes", &[], 1, 250),
    contender("frontier-experience", "frontier-experience", &[], 1, 250),
];

const fn contender(
    label: &'static str,
    strategy: &'static str,
    options: &'static [(&'static str, &'static str)],
    attempts: u64,
    test: u32,
) -> Contender {
    Contender { label, strategy, options, judge: Judge::Sound, attempts, test }
}

/// A mutant and what model checking says of it.
struct Judged {
    machine: Machine,
    /// Whether it breaks a requirement after finitely many steps, or in the long run only; none where it conforms.
    breaks: Option<bool>,
}

/// One contender on one subject.
struct Row {
    subject: String,
    strategy: &'static str,
    oracle: &'static str,
    mutants: usize,
    violating: usize,
    safety: usize,
    killed: usize,
    killed_safety: usize,
    lassos: usize,
    false_alarms: usize,
    median_steps: Option<u64>,
    mean_steps: f64,
    tests: u64,
    seconds: f64,
}

impl MutantsArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let chosen: Vec<&Contender> = CONTENDERS.iter().filter(|contender| self.takes(contender)).collect();
        ensure!(!chosen.is_empty(), "no such contender");
        let mut rows = Vec::new();
        for subject in subjects(self.subjects)? {
            let judged = self.judged(&subject).with_context(|| subject.name.clone())?;
            for contender in &chosen {
                let row = self.measure(&subject, &judged, contender).with_context(|| subject.name.clone())?;
                if !self.json {
                    row.print();
                }
                rows.push(row);
            }
        }
        if let Some(path) = &self.svg {
            std::fs::write(path, self.drawn(&chosen, &rows))?;
        }
        if self.json {
            println!("{}", Value::from(rows.iter().map(Row::to_json).collect::<Vec<_>>()));
            return Ok(());
        }
        println!();
        chosen.iter().for_each(|contender| total(contender.label, &rows));
        Ok(())
    }

    fn takes(&self, contender: &Contender) -> bool {
        let named =
            self.strategy.is_empty() || self.strategy.iter().any(|name| contender.label.starts_with(name));
        named && strategy::find(contender.strategy).is_ok()
    }

    /// The mutants of a subject, and the machine itself as one that conforms.
    fn judged(&self, subject: &Subject) -> Result<Vec<Judged>> {
        let Subject { specification, machine, .. } = subject;
        let verifier = specification.verifier()?;
        let outputs = &specification.interface().outputs;
        let made = mutants(machine, self.mutants, &mut Rng::new(self.seed), flips_over(machine, outputs));
        let all = std::iter::once(machine.clone()).chain(made.into_iter().map(|mutant| mutant.machine));
        let judge = |machine: Machine| {
            let found = verifier.verify(&specification.reactions(&machine)?)?;
            ensure!(found.holds().is_some(), "a mutant could not be model checked");
            Ok(Judged { machine, breaks: breaks(&found) })
        };
        let judged = all.map(judge).collect::<Result<Vec<_>>>()?;
        ensure!(judged[0].breaks.is_none(), "the machine does not keep its own specification");
        Ok(judged)
    }

    fn measure(&self, subject: &Subject, judged: &[Judged], contender: &Contender) -> Result<Row> {
        let mut row = Row {
            subject: subject.name.clone(),
            strategy: contender.label,
            oracle: contender.judge.word(),
            mutants: judged.len() - 1,
            violating: judged.iter().filter(|one| one.breaks.is_some()).count(),
            safety: judged.iter().filter(|one| one.breaks == Some(true)).count(),
            killed: 0,
            killed_safety: 0,
            lassos: 0,
            false_alarms: 0,
            median_steps: None,
            mean_steps: 0.0,
            tests: 0,
            seconds: 0.0,
        };
        let started = Instant::now();
        let mut steps = Vec::new();
        let mut all_steps = 0;
        for one in judged {
            let report = self.attempt(&subject.specification, &one.machine, contender)?;
            let alarm = !report.violations.is_empty();
            row.tests += report.runs;
            all_steps += report.steps;
            match one.breaks {
                Some(safety) if alarm => {
                    row.killed += 1;
                    row.killed_safety += usize::from(safety);
                    row.lassos += usize::from(!safety);
                    steps.push(report.steps);
                }
                None if alarm => row.false_alarms += 1,
                _ => {}
            }
        }
        steps.sort_unstable();
        row.median_steps = steps.get(steps.len() / 2).copied();
        row.mean_steps = all_steps as f64 / judged.len() as f64;
        row.seconds = started.elapsed().as_secs_f64();
        Ok(row)
    }

    /// Tests one machine until a test fails; of several attempts, the one in the middle.
    fn attempt(
        &self,
        specification: &Specification,
        machine: &Machine,
        contender: &Contender,
    ) -> Result<Report> {
        let options: BTreeMap<String, String> =
            contender.options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let choice = StrategyChoice { name: contender.strategy.to_owned(), options };
        let mut reports = Vec::new();
        for stream in 0..contender.attempts {
            let limits = Limits {
                runs: self.steps,
                steps: contender.test,
                total_steps: self.steps,
                ..Limits::default()
            };
            let shrink = ShrinkLimits { confirmations: 0, candidates: 0, steps: 0, time: Duration::ZERO };
            let mut attempt = Attempt::new(specification, choice.clone(), self.seed);
            attempt.pursue = Pursue::Hunt;
            (attempt.stream, attempt.limits, attempt.shrink) = (stream * 1000, limits, shrink);
            let mut system = Simulated::new(machine, specification.interface())?;
            let mut here = Here { specification, system: &mut system, archive: None, observer: &mut () };
            reports.push(attempt.run(&mut here)?.report);
        }
        reports.sort_by_key(|report| (report.violations.is_empty(), report.steps));
        Ok(reports.swap_remove(reports.len() / 2))
    }

    /// Killed mutants above, steps below, as in the figure: subjects from the easiest to the hardest.
    fn drawn(&self, chosen: &[&Contender], rows: &[Row]) -> String {
        let lines = |value: &dyn Fn(&Row) -> f64| {
            let line = |contender: &&Contender| {
                let mut values: Vec<f64> =
                    rows.iter().filter(|row| row.strategy == contender.label).map(value).collect();
                values.sort_by(f64::total_cmp);
                (contender.label.to_owned(), values)
            };
            chosen.iter().map(line).collect::<Vec<_>>()
        };
        crate::plot::cactus(&[
            ("killed mutants", lines(&|row| row.killed as f64)),
            ("steps for each mutant", lines(&|row| row.mean_steps)),
        ])
    }
}

/// Whether some requirement is broken after finitely many steps, or in the long run only.
fn breaks(found: &Verification) -> Option<bool> {
    let broken = found.outcomes.iter().filter_map(|outcome| match outcome {
        Outcome::Violated(found) => Some(found.is_finite()),
        _ => None,
    });
    broken.max()
}

fn total(label: &str, rows: &[Row]) {
    let own = || rows.iter().filter(|row| row.strategy == label);
    let sum = |value: &dyn Fn(&Row) -> usize| own().map(value).sum::<usize>();
    let mut medians: Vec<u64> = own().filter_map(|row| row.median_steps).collect();
    medians.sort_unstable();
    println!(
        "{label:20} killed {} of {} violating, {} of {} safety, {} in the long run; {} false alarms; median of median steps {}; {:.1} s",
        sum(&|row| row.killed),
        sum(&|row| row.violating),
        sum(&|row| row.killed_safety),
        sum(&|row| row.safety),
        sum(&|row| row.lassos),
        sum(&|row| row.false_alarms),
        medians.get(medians.len() / 2).map_or("-".to_owned(), u64::to_string),
        own().map(|row| row.seconds).sum::<f64>(),
    );
}

impl Row {
    fn print(&self) {
        let Row { subject, strategy, killed, violating, lassos, false_alarms, tests, seconds, .. } = self;
        let steps = self.median_steps.map_or("-".to_owned(), |steps| steps.to_string());
        println!(
            "{subject:28} {strategy:20} killed {killed:3} of {violating:3}  lassos {lassos:3}  alarms {false_alarms}  steps {steps:>6}  tests {tests:7}  {seconds:6.2} s"
        );
    }

    fn to_json(&self) -> Value {
        json!({
            "subject": self.subject,
            "strategy": self.strategy,
            "oracle": self.oracle,
            "mutants": self.mutants,
            "violating": self.violating,
            "safety": self.safety,
            "killed": self.killed,
            "killed_safety": self.killed_safety,
            "lassos": self.lassos,
            "false_alarms": self.false_alarms,
            "median_steps": self.median_steps,
            "mean_steps": self.mean_steps,
            "tests": self.tests,
            "seconds": self.seconds,
        })
    }
}
