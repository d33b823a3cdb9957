//! Steps to every error output, to the whole model and to every violated property, on machines that are small inside.

mod machines;
mod until;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use provoke::campaign::{Campaign, Found, Lassos, Limits};
use provoke::letter::Letter;
use provoke::machine::Machine;
use provoke::objective::Hunt;
use provoke::specification::{STATE_LIMIT, Specification};
use provoke::strategy::{Options, Strategy, StrategyEntry};
use provoke::system::{Simulated, System, SystemError};
use provoke::verify::Outcome;
use serde_json::{Value, json};

use self::machines::Course;
use self::until::{Until, is_learnt};
use super::{chosen, learns};
use crate::clock::processor_time;
use crate::irregular::{Doom, Irregular, KINDS, Kind, doomed};
use crate::table::grouped;

/// Machines that are small inside and irregular: error outputs, states, properties
#[derive(Args, Debug)]
pub struct LearningArgs {
    /// One family only
    #[arg(long)]
    family: Vec<String>,
    /// Instead, machines with so many live states, doomed states, inputs, and such a part of transitions into doom: 100,33,20,0.75
    #[arg(long, value_name = "LIVE,DOOMED,INPUTS,PART", conflicts_with = "family")]
    doomed: Vec<Doom>,
    /// Instead, this specification and a machine of one's own
    #[arg(long, value_name = "FILE", requires = "model", conflicts_with_all = ["family", "doomed"])]
    spec: Option<PathBuf>,
    /// The machine, in a format of `provoke verify`
    #[arg(long, value_name = "FILE", requires = "spec")]
    model: Option<PathBuf>,
    /// One strategy of the catalogue only
    #[arg(long)]
    strategy: Vec<String>,
    /// Instances of each family, each with its own seed
    #[arg(long, default_value_t = 20)]
    seeds: u64,
    /// Steps in one run; twice as many as lead to the farthest state where that is more
    #[arg(long, default_value_t = 250)]
    steps: u32,
    /// Steps in one campaign
    #[arg(long, default_value_t = 100_000)]
    total_steps: u64,
    /// End a campaign once every error output, false property and state was found, and look for no false alarm after that
    #[arg(long)]
    until_complete: bool,
    /// Learn the machines of the public data instead, those with at most 100 states and 64 inputs
    #[arg(long)]
    machines: bool,
    /// With --machines, compare with so many mutants as well
    #[arg(long, default_value_t = 100)]
    mutants: u64,
    /// With --machines, only those whose names have this in them
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,
    /// With --machines, the seed of every campaign
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
    /// Write a picture of the steps to all error outputs to this file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// What a family is called, what it is, and the machine of a seed with its specification.
type Making = (String, String, Box<dyn Fn(u64) -> Result<Subject>>);

/// The model is looked at once in so many runs.
const EVERY: u32 = 50;

/// What one campaign took; none where it did not get there.
#[derive(Clone, Debug, Default)]
struct Took {
    outputs: Option<u64>,
    model: Option<u64>,
    properties: Option<u64>,
    /// The properties that are violated, and when each was found to be.
    each: Vec<(String, Option<u64>)>,
    false_alarms: usize,
    /// Steps in which lassos were confirmed: in none of the others.
    confirming: u64,
    micros: f64,
    bytes: usize,
}

/// One family and strategy.
struct Line {
    family: String,
    strategy: &'static str,
    took: Vec<Took>,
    /// For each seed, the fewest steps in which every transition can be tried.
    fewest: Vec<u64>,
}

impl LearningArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        if self.machines {
            let course = Course {
                only: &self.only,
                mutants: self.mutants,
                seed: self.seed,
                steps: self.steps,
                total_steps: self.total_steps,
            };
            return machines::run(&course, self.json);
        }
        if let Some(unknown) = self.family.iter().find(|name| KINDS.iter().all(|kind| kind.name != **name)) {
            let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
            bail!("no family is called {unknown}; there are {}", names.join(", "));
        }
        let entries = chosen(&self.strategy, |entry| learns(entry) && !entry.needs.ends())?;
        let mut lines = Vec::new();
        for (name, sentence, make) in self.kinds() {
            let subjects: Result<Vec<Subject>> = (0..self.seeds).map(make).collect();
            let subjects = subjects?;
            if !self.json {
                println!("{name}: {sentence}");
            }
            for &entry in &entries {
                let mut took = Vec::new();
                for (seed, subject) in subjects.iter().enumerate() {
                    took.push(self.campaign(subject, entry, seed as u64)?);
                }
                let fewest = subjects.iter().map(|subject| subject.fewest).collect();
                let line = Line { family: name.clone(), strategy: entry.name, took, fewest };
                if !self.json {
                    line.print();
                }
                lines.push(line);
            }
        }
        if self.json {
            println!("{}", json!(lines.iter().map(Line::json).collect::<Vec<_>>()));
        }
        if let Some(path) = &self.plot {
            std::fs::write(path, crate::plot::bars(&lines.iter().map(Line::bar).collect::<Vec<_>>()))?;
        }
        Ok(())
    }

    /// The families that are asked for: what each is called, what it is, and the machine of a seed.
    fn kinds(&self) -> Vec<Making> {
        let made = |doom: &Doom| -> Making {
            let doom = *doom;
            let make = move |seed| Subject::new(&doomed(&doom, seed), seed);
            (format!("doomed {doom}"), doom.to_string(), Box::new(make))
        };
        if let Some((spec, model)) = self.spec.clone().zip(self.model.clone()) {
            let (name, sentence) = (spec.display().to_string(), model.display().to_string());
            return vec![(name, sentence, Box::new(move |_| Subject::read(&spec, &model)))];
        }
        if !self.doomed.is_empty() {
            return self.doomed.iter().map(made).collect();
        }
        let is_meant = |kind: &&Kind| match self.family.is_empty() {
            true => !kind.is_large,
            false => self.family.iter().any(|name| name == kind.name),
        };
        let known = |kind: &Kind| -> Making {
            let make = kind.make;
            let make = move |seed| Subject::new(&make(seed), seed);
            (kind.name.to_owned(), kind.sentence.to_owned(), Box::new(make))
        };
        KINDS.iter().filter(is_meant).map(known).collect()
    }

    fn campaign(&self, subject: &Subject, entry: &'static StrategyEntry, seed: u64) -> Result<Took> {
        let specification = &subject.specification;
        let options = specification.inform(entry, &Options::default())?;
        let has_all = AtomicBool::new(false);
        let machine = specification.reactions(&subject.machine)?;
        let mut runs = 0u32;
        // The model is looked at now and then, once everything else was found.
        let is_over = |strategy: &mut (dyn Strategy + 'static)| {
            if !self.until_complete || !has_all.load(Ordering::Relaxed) {
                return false;
            }
            runs += 1;
            runs.is_multiple_of(EVERY)
                && strategy.learnt().is_none_or(|learnt| is_learnt(&learnt.learner, &machine))
        };
        let mut strategy = Until { inner: (entry.build)(&options), is_over };
        let guidance = specification.guidance_past_violations(STATE_LIMIT)?;
        let mut hunt = Hunt::past_violations(guidance.game);
        let watched = Arc::new(Watched::new(subject.errors.len()));
        let mut system =
            Spy { inner: subject.system()?, watched: watched.clone(), errors: subject.errors.clone() };
        let limits = Limits {
            runs: u64::MAX,
            steps: self.steps.max(2 * subject.depth),
            total_steps: self.total_steps,
            ..Limits::default()
        };
        let judge = specification.judge();
        let started = processor_time();
        let mut campaign = Campaign::new(&mut hunt, judge.clone(), &mut system, &mut strategy, limits, seed);
        campaign.keep_going = true;
        campaign.gate = guidance.gate;
        let long_run = Arc::new(specification.long_run()?);
        let rounds = specification.rounds_of_violations();
        let keepable = |requirement| specification.keepable(requirement);
        campaign.lassos = Some(Lassos::new(long_run, keepable, judge, Some(subject.states), rounds));
        let mut found = vec![None; specification.requirements.len()];
        let (mut violations, mut lassos) = (0, 0);
        // Where the rounds that rules demand lie, and how many there were before: they are counted apart.
        let mut confirmed: Vec<(u64, u64)> = vec![(0, 0)];
        loop {
            let what = campaign.go_on(&mut ())?;
            let spent = campaign.lassos.as_ref().map_or(0, Lassos::spent);
            let at = campaign.outcome.steps - spent.min(campaign.outcome.steps);
            confirmed.push((campaign.outcome.steps, spent));
            for (requirement, _) in &campaign.outcome.violations[violations..] {
                found[requirement.0].get_or_insert(at);
            }
            violations = campaign.outcome.violations.len();
            for lasso in &campaign.outcome.lassos[lassos..] {
                found[lasso.requirement.0].get_or_insert(at);
            }
            lassos = campaign.outcome.lassos.len();
            let mut pairs = found.iter().zip(&subject.broken);
            has_all.store(pairs.all(|(found, broken)| !broken || found.is_some()), Ordering::Relaxed);
            if what != Found::Violations {
                break;
            }
        }
        let steps = campaign.outcome.steps;
        drop(campaign);
        let seconds = (processor_time() - started).as_secs_f64();
        let pairs = || found.iter().zip(&subject.broken);
        let properties = pairs()
            .filter(|(_, broken)| **broken)
            .try_fold(0, |so_far: u64, (found, _)| found.map(|at| at.max(so_far)));
        let learnt = strategy.learnt().filter(|learnt| is_learnt(&learnt.learner, &machine));
        let model = learnt.map(|learnt| learnt.learner.last_surprise());
        // As many of the rounds as were made before: those until the finding that came last.
        let without = |at: u64| {
            let spent = confirmed.iter().rev().find(|(steps, _)| *steps <= at).map_or(0, |(_, spent)| *spent);
            at - spent.min(at)
        };
        let each = specification.requirements.iter().zip(pairs()).filter(|(_, (_, broken))| **broken);
        Ok(Took {
            each: each.map(|(requirement, (found, _))| (requirement.id.clone(), *found)).collect(),
            outputs: watched.all().map(without),
            model: model.map(without),
            confirming: confirmed.last().map_or(0, |(_, spent)| *spent),
            properties,
            false_alarms: pairs().filter(|(found, broken)| found.is_some() && !**broken).count(),
            micros: seconds * 1e6 / steps.max(1) as f64,
            bytes: strategy.memory(),
        })
    }
}

/// A machine with its specification and what is known of both.
struct Subject {
    machine: Machine,
    specification: Specification,
    /// For each requirement, whether the machine breaks it.
    broken: Vec<bool>,
    errors: Vec<Letter>,
    states: u32,
    /// How many steps it takes to get to the state that is farthest away.
    depth: u32,
    /// The fewest steps in which every transition can be tried.
    fewest: u64,
}

impl Subject {
    fn new(irregular: &Irregular, seed: u64) -> Result<Subject> {
        let machine = irregular.machine()?;
        let text = irregular.specification(seed);
        let specification = Specification::from_text("irregular.toml".as_ref(), &text)?;
        Subject::of(irregular, machine, specification)
    }

    fn read(spec: &Path, model: &Path) -> Result<Subject> {
        let machine = provoke::format::machine::read(model)?;
        let irregular =
            Irregular::of(&machine).context("the machine does not answer every input in every state")?;
        Subject::of(&irregular, machine, Specification::load(spec)?)
    }

    fn of(irregular: &Irregular, machine: Machine, specification: Specification) -> Result<Subject> {
        let found = specification.verify(&specification.reactions(&machine)?)?;
        let broken = found.outcomes.iter().map(|outcome| matches!(outcome, Outcome::Violated(_))).collect();
        let label = |error: usize| specification.interface().outputs.label(&format!("err{error}"));
        let errors = (0..irregular.errors).map(label).collect::<Result<_, _>>()?;
        let (states, depth) = (irregular.rows.len() as u32, irregular.depth());
        let fewest = irregular.fewest_steps();
        Ok(Subject { broken, errors, states, depth, fewest, machine, specification })
    }

    fn system(&self) -> Result<Simulated> {
        Simulated::new(&self.machine, self.specification.interface())
            .map_err(|error| anyhow::anyhow!("{}", error.message))
    }
}

/// When each error output was first seen.
struct Watched {
    steps: AtomicU64,
    first: Vec<AtomicU64>,
}

impl Watched {
    fn new(count: usize) -> Watched {
        Watched { steps: AtomicU64::new(0), first: (0..count).map(|_| AtomicU64::new(0)).collect() }
    }

    fn all(&self) -> Option<u64> {
        let mut first =
            self.first.iter().map(|first| Some(first.load(Ordering::Relaxed)).filter(|&at| at > 0));
        first.try_fold(0, |so_far: u64, first| Some(first?.max(so_far)))
    }
}

/// A system whose error outputs are noted.
struct Spy {
    inner: Simulated,
    watched: Arc<Watched>,
    errors: Vec<Letter>,
}

impl System for Spy {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.inner.reset()
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let output = self.inner.step(input)?;
        let steps = self.watched.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(error) = self.errors.iter().position(|&error| error == output) {
            let _ =
                self.watched.first[error].compare_exchange(0, steps, Ordering::Relaxed, Ordering::Relaxed);
        }
        Ok(output)
    }
}

/// The middle one; none where that did not get there.
fn median(of: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    let mut all: Vec<u64> = of.map(|steps| steps.unwrap_or(u64::MAX)).collect();
    all.sort_unstable();
    all.get((all.len().max(1) - 1) / 2).copied().filter(|&steps| steps < u64::MAX)
}

impl Line {
    fn of(&self, what: impl Fn(&Took) -> Option<u64>) -> Option<u64> {
        median(self.took.iter().map(what))
    }

    /// How many the slowest took, leaving out one in twenty.
    fn most(&self, what: impl Fn(&Took) -> Option<u64>) -> Option<u64> {
        let mut all: Vec<u64> = self.took.iter().map(|took| what(took).unwrap_or(u64::MAX)).collect();
        all.sort_unstable();
        let place = (all.len() * 19).div_ceil(20).max(1) - 1;
        all.get(place).copied().filter(|&steps| steps < u64::MAX)
    }

    /// For each property, how many steps it took where it is violated.
    fn each(&self) -> BTreeMap<&str, Option<u64>> {
        let mut found: BTreeMap<&str, Vec<Option<u64>>> = BTreeMap::new();
        for (property, steps) in self.took.iter().flat_map(|took| &took.each) {
            found.entry(property).or_default().push(*steps);
        }
        found.into_iter().map(|(property, steps)| (property, median(steps.into_iter()))).collect()
    }

    fn complete(&self) -> usize {
        self.took.iter().filter(|took| took.outputs.is_some() && took.properties.is_some()).count()
    }

    fn false_alarms(&self) -> usize {
        self.took.iter().map(|took| took.false_alarms).sum()
    }

    fn mean(&self, what: impl Fn(&Took) -> f64) -> f64 {
        self.took.iter().map(what).sum::<f64>() / self.took.len().max(1) as f64
    }

    fn bar(&self) -> (String, String, Option<u64>) {
        (self.family.clone(), self.strategy.to_owned(), self.of(|took| took.outputs))
    }

    fn print(&self) {
        let shown = |steps: Option<u64>| steps.map_or("-".to_owned(), grouped);
        println!(
            "  {:24} complete {:>2} of {:>2}   outputs {:>9}   model {:>9} (19 of 20: {:>9}, {})   properties {:>9} (19 of 20: {:>9})   false alarms {}   {:.2} us/step",
            self.strategy,
            self.complete(),
            self.took.len(),
            shown(self.of(|took| took.outputs)),
            shown(self.of(|took| took.model)),
            shown(self.most(|took| took.model)),
            self.took.iter().filter(|took| took.model.is_some()).count(),
            shown(self.of(|took| took.properties)),
            shown(self.most(|took| took.properties)),
            self.false_alarms(),
            self.mean(|took| took.micros),
        );
    }

    fn json(&self) -> Value {
        json!({
            "family": self.family,
            "strategy": self.strategy,
            "seeds": self.took.len(),
            "complete": self.complete(),
            "median_steps_to_outputs": self.of(|took| took.outputs),
            "median_steps_to_model": self.of(|took| took.model),
            "median_steps_to_properties": self.of(|took| took.properties),
            "median_steps_to_each_property": self.each(),
            "false_alarms": self.false_alarms(),
            "mean_confirming_steps": self.mean(|took| took.confirming as f64),
            "most_steps_to_model": self.most(|took| took.model),
            "most_steps_to_properties": self.most(|took| took.properties),
            "fewest_steps": median(self.fewest.iter().copied().map(Some)),
            "each_seed": self.took.iter().zip(&self.fewest).map(|(took, fewest)| json!({
                "fewest_steps": fewest,
                "steps_to_outputs": took.outputs,
                "steps_to_model": took.model,
                "steps_to_properties": took.properties,
                "steps_to_each_property": took.each.iter().cloned().collect::<BTreeMap<_, _>>(),
            })).collect::<Vec<_>>(),
            "models": self.took.iter().filter(|took| took.model.is_some()).count(),
            "microseconds_per_step": self.mean(|took| took.micros),
            "bytes": self.mean(|took| took.bytes as f64),
        })
    }
}

#[cfg(test)]
mod tests {
    use provoke::strategy::find;

    use super::*;

    #[test]
    fn what_goes_round_is_played_long_before_everything_is_known() -> Result<()> {
        let args = LearningArgs {
            family: Vec::new(),
            doomed: Vec::new(),
            spec: None,
            model: None,
            strategy: Vec::new(),
            seeds: 1,
            steps: 250,
            total_steps: 20_000,
            until_complete: false,
            machines: false,
            mutants: 0,
            only: String::new(),
            seed: 1,
            json: false,
            plot: None,
        };
        let entry = find("learning")?;
        let (mut loops, mut soon) = (0, 0);
        for seed in 0..5 {
            let machine = doomed(&Doom { live: 80, doomed: 30, inputs: 10, share: 0.7 }, seed);
            let took = args.campaign(&Subject::new(&machine, seed)?, entry, seed)?;
            let model = took.model.unwrap_or(args.total_steps);
            // Of the properties of many shapes, the third of four is about finite runs.
            let is_loop = |id: &str| {
                id.strip_prefix('P').is_some_and(|at| at.parse::<u32>().is_ok_and(|at| at % 4 != 2))
            };
            for (_, at) in took.each.iter().filter(|(id, _)| is_loop(id)) {
                loops += 1;
                soon += usize::from(at.is_some_and(|at| 3 * at <= 2 * model));
            }
        }
        // These seeds have 42, and all but 3 or so are found so soon; 26 of them where a check is due each time the steps have
        // grown by a quarter.
        assert!(loops > 30 && 10 * soon >= 9 * loops, "{soon} of {loops}");
        Ok(())
    }
}
