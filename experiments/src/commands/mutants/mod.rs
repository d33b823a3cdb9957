//! Strategies told apart on mutants of machines: Figure 3 and Tables 1 and 2 of paper 3.

mod contender;
mod tables;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::Args;
use provoke::machine::{flips_over, mutants};
use provoke::rng::Rng;
use serde_json::{Value, json};

use self::contender::{Budget, CONTENDERS, Contender, Judge, Judged, OURS, Score, median, score};
use crate::subjects::{Subject, subjects};

/// How many mutants each strategy kills, in how many tests and steps: Figure 3, Table 1 and Table 2 of paper 3
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
    /// Only this oracle, `sound` or `published`
    #[arg(long)]
    oracle: Option<String>,
    /// Only subjects whose name begins so
    #[arg(long)]
    subject: Vec<String>,
    /// Seconds for one strategy on one subject; mutants that are left then count as not killed
    #[arg(long, default_value_t = 600.0)]
    seconds: f64,
    /// The seed of mutants and strategies
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print a table of the paper instead: 1, the mutants of the cruise controller; 2, the faults of both controllers
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=2))]
    table: Option<u8>,
    /// Test machines that keep every requirement instead: those of all subjects and so many mutants, evenly spread. Every
    /// alarm is a false one
    #[arg(long, value_name = "N")]
    conforming: Option<usize>,
    /// Draw killed mutants and steps as cactus plots
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Say which violating mutants are missed by strategies that are not from the paper, and how short a run shows each
    #[arg(long)]
    misses: bool,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

/// One contender on one subject.
struct Row {
    subject: String,
    contender: Contender,
    /// The machines, the first of them without a mutation.
    judged: Arc<Vec<Arc<Judged>>>,
    score: Score,
}

impl MutantsArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let chosen: Vec<&Contender> = CONTENDERS.iter().filter(|contender| self.takes(contender)).collect();
        ensure!(!chosen.is_empty(), "no such contender");
        match self.table {
            Some(1) => return tables::branches_and_mutants(self, &chosen),
            Some(_) => return tables::faults(self, &chosen),
            None => {}
        }
        let mut rows = Vec::new();
        let is_named = |subject: &Subject| {
            self.subject.is_empty() || self.subject.iter().any(|name| subject.name.starts_with(name))
        };
        let subjects: Vec<Subject> = subjects(self.subjects)?.into_iter().filter(is_named).collect();
        ensure!(!subjects.is_empty(), "no such subject; the public ones are there where PROVOKE_DATA is set");
        let mut conforming = self.conforming;
        for (at, subject) in subjects.iter().enumerate() {
            let mut judged = self.judged(subject).with_context(|| subject.name.clone())?;
            if let Some(wanted) = &mut conforming {
                judged.retain(|one| !one.violates());
                judged.truncate(1 + wanted.div_ceil(subjects.len() - at));
                *wanted -= judged.len() - 1;
            }
            let judged = Arc::new(judged);
            let published = subject.as_published();
            for contender in &chosen {
                let specification = match (contender.judge, &published) {
                    (Judge::Sound, _) => Some(&subject.specification),
                    (Judge::Published, Ok(published)) => Some(published),
                    (Judge::Published, Err(_)) => None,
                };
                let score = match specification {
                    Some(specification) => {
                        score(contender, specification, &judged, self.budget(100), self.seconds)
                            .with_context(|| format!("{}, {}", subject.name, contender.label))?
                    }
                    None => Score { steps: vec![None; judged.len()], ..Score::default() },
                };
                let row = Row {
                    subject: subject.name.clone(),
                    contender: **contender,
                    judged: judged.clone(),
                    score,
                };
                if !self.json {
                    row.print(self.misses);
                }
                rows.push(row);
            }
        }
        if let Some(path) = &self.svg {
            std::fs::write(path, drawn(&chosen, &rows))?;
        }
        if self.json {
            println!("{}", Value::from(rows.iter().map(Row::to_json).collect::<Vec<_>>()));
            return Ok(());
        }
        println!();
        chosen.iter().for_each(|contender| total(contender, &rows));
        Ok(())
    }

    fn takes(&self, contender: &Contender) -> bool {
        let named =
            self.strategy.is_empty() || self.strategy.iter().any(|name| contender.label.starts_with(name));
        named && self.oracle.as_ref().is_none_or(|oracle| contender.judge.word() == oracle)
    }

    fn budget(&self, k_max: u32) -> Budget {
        Budget { steps: self.steps, k_max, seed: self.seed }
    }

    /// The machine of a subject, which must conform, and its mutants.
    fn judged(&self, subject: &Subject) -> Result<Vec<Arc<Judged>>> {
        let Subject { specification, machine, .. } = subject;
        let verifier = specification.verifier()?;
        let outputs = &specification.interface().outputs;
        let made = mutants(machine, self.mutants, &mut Rng::new(self.seed), flips_over(machine, outputs));
        let all = std::iter::once(machine.clone()).chain(made.into_iter().map(|mutant| mutant.machine));
        let judge = |machine| Ok(Arc::new(Judged::new(specification, &verifier, machine)?));
        let judged = all.map(judge).collect::<Result<Vec<_>>>()?;
        ensure!(!judged[0].violates(), "the machine does not keep its own specification");
        Ok(judged)
    }
}

/// Killed mutants above, steps below, as in the figure: subjects from the easiest to the hardest.
fn drawn(chosen: &[&Contender], rows: &[Row]) -> String {
    let lines = |value: &dyn Fn(&Row) -> f64| {
        let line = |contender: &&Contender| {
            let mut values: Vec<f64> = rows.iter().filter(|row| row.is_of(contender)).map(value).collect();
            values.sort_by(f64::total_cmp);
            (format!("{}, {}", contender.label, contender.judge.word()), values)
        };
        chosen.iter().map(line).collect::<Vec<_>>()
    };
    crate::plot::cactus(&[
        ("killed mutants", lines(&|row| row.score.killed as f64)),
        ("steps for each mutant", lines(&|row| row.score.all_steps as f64 / row.judged.len() as f64)),
    ])
}

/// Everything of one contender, beside ours on the same mutants.
fn total(contender: &Contender, rows: &[Row]) {
    let own: Vec<&Row> = rows.iter().filter(|row| row.is_of(contender)).collect();
    let sum = |value: &dyn Fn(&Row) -> usize| own.iter().map(|row| value(row)).sum::<usize>();
    let count =
        |which: &dyn Fn(&Judged) -> bool| sum(&|row| row.judged.iter().filter(|one| which(one)).count());
    let safety = own.iter().flat_map(|row| row.safety_steps());
    let show = |steps: Option<u64>| steps.map_or("-".to_owned(), |steps| steps.to_string());
    println!(
        "{:20} {:9} killed {} of {} violating: {} of {} by finite runs, {} of {} in the long run ({} lassos); {} false alarms, {} machines conform; median steps {}; {:.1} s",
        contender.label,
        contender.judge.word(),
        sum(&|row| row.score.killed),
        count(&Judged::violates),
        sum(&|row| row.score.killed_safety),
        count(&Judged::violates_safety),
        sum(&|row| row.score.killed - row.score.killed_safety),
        count(&|one| one.violates() && !one.violates_safety()),
        sum(&|row| row.score.lassos),
        sum(&|row| row.score.false_alarms),
        count(&|one| !one.violates()),
        show(median(safety)),
        own.iter().map(|row| row.score.seconds).sum::<f64>(),
    );
    let ours =
        |row: &Row| rows.iter().find(|other| other.subject == row.subject && other.contender.label == OURS);
    if !contender.is_published() {
        return;
    }
    let both = own.iter().filter_map(|row| Some((row, ours(row)?))).flat_map(|(row, ours)| {
        let pairs = row.safety_steps().zip(ours.safety_steps()).collect::<Vec<_>>();
        pairs.into_iter().filter(|(theirs, ours)| theirs.is_some() && ours.is_some())
    });
    let both: Vec<_> = both.collect();
    println!(
        "{:30} on the {} that both kill: median steps {}, ours {}",
        "",
        both.len(),
        show(median(both.iter().map(|&(theirs, _)| theirs))),
        show(median(both.iter().map(|&(_, ours)| ours))),
    );
}

impl Row {
    fn is_of(&self, contender: &Contender) -> bool {
        (self.contender.label, self.contender.judge) == (contender.label, contender.judge)
    }

    /// Steps to a kill of each mutant that breaks a requirement after finitely many steps.
    fn safety_steps(&self) -> impl Iterator<Item = Option<u64>> {
        let pairs = self.judged.iter().zip(&self.score.steps);
        pairs.filter(|(one, _)| one.violates_safety()).map(|(_, &steps)| steps)
    }

    /// The median over these, or over all that violate where there are none.
    fn median_steps(&self) -> Option<u64> {
        if self.judged.iter().any(|one| one.violates_safety()) {
            return median(self.safety_steps());
        }
        let pairs = self.judged.iter().zip(&self.score.steps);
        median(pairs.filter(|(one, _)| one.violates()).map(|(_, &steps)| steps))
    }

    fn violating(&self) -> usize {
        self.judged.iter().filter(|one| one.violates()).count()
    }

    fn print(&self, misses: bool) {
        let Row { subject, contender, score, .. } = self;
        let steps = self.median_steps().map_or("-".to_owned(), |steps| steps.to_string());
        println!(
            "{subject:28} {:20} {:9} killed {:3} of {:3}  lassos {:3}  alarms {}  steps {steps:>6}  tests {:7}  {:6.2} s",
            contender.label,
            contender.judge.word(),
            score.killed,
            self.violating(),
            score.lassos,
            score.false_alarms,
            score.tests,
            score.seconds,
        );
        if misses && !contender.is_published() {
            let pairs = self.judged.iter().zip(&score.steps).enumerate();
            for (at, (one, _)) in pairs.filter(|(_, (one, steps))| one.violates() && steps.is_none()) {
                let otherwise = score.otherwise.get(at).map_or("", |otherwise| otherwise);
                let states = one.machine.states().len();
                println!("    misses mutant {at} of {states} states: {}: {otherwise}", one.broken());
            }
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "subject": self.subject,
            "strategy": self.contender.label,
            "oracle": self.contender.judge.word(),
            "mutants": self.judged.len() - 1,
            "violating": self.violating(),
            "killed": self.score.killed,
            "lassos": self.score.lassos,
            "false_alarms": self.score.false_alarms,
            "median_steps": self.median_steps(),
            "tests": self.score.tests,
            "seconds": self.score.seconds,
            "safety": self.judged.iter().filter(|one| one.violates_safety()).count(),
            "killed_safety": self.score.killed_safety,
        })
    }
}
