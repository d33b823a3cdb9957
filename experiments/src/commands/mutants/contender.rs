//! Who tests, who judges, and what came of testing one machine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use provoke::campaign::{Limits, ShrinkLimits};
use provoke::machine::Machine;
use provoke::report::{Evidence, Report};
use provoke::session::{self, Settings};
use provoke::specification::{Specification, Verification, Verifier};
use provoke::strategy::{self, Needs, Options};
use provoke::system::{Simulated, System};
use provoke::verify::Outcome;

/// Who judges the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judge {
    /// Our monitors: only a bad prefix is a violation, or a lasso where the system's number of states is known.
    Sound,
    /// The oracle of paper 3, which may blame the system for an obligation that is merely pending.
    Published,
}

impl Judge {
    /// Its name in rows.
    pub(super) fn word(self) -> &'static str {
        match self {
            Judge::Sound => "sound",
            Judge::Published => "published",
        }
    }
}

/// A strategy with its options, and who judges.
#[derive(Clone, Copy)]
pub(super) struct Contender {
    /// Its name in rows.
    pub(super) label: &'static str,
    strategy: &'static str,
    k_min: u32,
    /// Who judges.
    pub(super) judge: Judge,
    /// The median of so many attempts counts, where chance decides.
    attempts: u64,
    /// The most steps of a test; none for k_max of the paper.
    test: Option<u32>,
}

/// All contenders, one line each: those of the paper judged by both oracles, then others.
pub(super) const CONTENDERS: &[Contender] = &[
    contender("gdfs-1", "gdfs", 1, Judge::Published, 1),
    contender("gdfs-3", "gdfs", 3, Judge::Published, 1),
    contender("gdfs-5", "gdfs", 5, Judge::Published, 1),
    contender("random-walk", "random-walk", 1, Judge::Published, 3),
    contender("guided-walk", "guided-walk", 1, Judge::Published, 3),
    contender("gdfs-1", "gdfs", 1, Judge::Sound, 1),
    contender("gdfs-3", "gdfs", 3, Judge::Sound, 1),
    contender("gdfs-5", "gdfs", 5, Judge::Sound, 1),
    contender("random-walk", "random-walk", 1, Judge::Sound, 3),
    contender("guided-walk", "guided-walk", 1, Judge::Sound, 3),
    Contender { test: Some(250), ..contender("uniform", "uniform", 1, Judge::Sound, 3) },
    Contender { test: Some(250), ..contender(OURS, OURS, 1, Judge::Sound, 1) },
    Contender { test: Some(250), ..contender("learning", "learning", 1, Judge::Sound, 1) },
    Contender { test: Some(250), ..contender(strategy::DEFAULT, strategy::DEFAULT, 1, Judge::Sound, 1) },
];

/// The strategy of ours that is compared with those of the paper.
pub(super) const OURS: &str = "input-classes";

const fn contender(
    label: &'static str,
    strategy: &'static str,
    k_min: u32,
    judge: Judge,
    attempts: u64,
) -> Contender {
    Contender { label, strategy, k_min, judge, attempts, test: None }
}

impl Contender {
    /// Whether it is from the paper.
    pub(super) fn is_published(&self) -> bool {
        self.test.is_none()
    }
}

/// A specification for one contender: what is the same for all machines is made once.
pub(super) struct Prepared<'a> {
    specification: &'a Specification,
    settings: Settings,
    attempts: u64,
}

/// How much testing one machine may cost, and the seed of it all.
#[derive(Clone, Copy)]
pub(super) struct Budget {
    /// Steps of all tests.
    pub(super) steps: u64,
    /// k_max of the paper.
    pub(super) k_max: u32,
    /// The seed.
    pub(super) seed: u64,
}

impl Contender {
    /// Makes what it needs of the specification; none where that is too large for it: the paper's time-outs.
    pub(super) fn prepare<'a>(
        &self,
        specification: &'a Specification,
        budget: Budget,
    ) -> Result<Option<Prepared<'a>>> {
        let entry = strategy::find(self.strategy)?;
        let options = Options { k_min: self.k_min, k_max: budget.k_max, ..Options::default() };
        // What is counted while testing is made anew for each machine.
        let options = match entry.needs {
            Needs::Conjunction | Needs::Monitor => match specification.inform(entry, &options) {
                Ok(informed) => informed,
                Err(error) => {
                    eprintln!("{} does without {}: {error}", self.label, specification.path.display());
                    return Ok(None);
                }
            },
            _ => options,
        };
        let mut settings = Settings::new(entry, budget.seed);
        settings.options = options;
        settings.limits = Limits {
            runs: budget.steps,
            steps: self.test.unwrap_or(budget.k_max),
            total_steps: budget.steps,
            ..Limits::default()
        };
        settings.shrink = ShrinkLimits { confirmations: 0, candidates: 0, steps: 0, time: Duration::ZERO };
        Ok(Some(Prepared { specification, settings, attempts: self.attempts }))
    }
}

impl Prepared<'_> {
    /// Tests one machine until a test fails; of several attempts, the one in the middle.
    pub(super) fn attempt(&self, machine: &Machine) -> Result<Report> {
        let states = u32::try_from(machine.states().len())?;
        self.attempt_on(states, &|| Ok(Box::new(Simulated::new(machine, self.specification.interface())?)))
    }

    /// Tests any system with so many states.
    pub(super) fn attempt_on(
        &self,
        states: u32,
        system: &dyn Fn() -> Result<Box<dyn System>>,
    ) -> Result<Report> {
        let mut reports = Vec::new();
        for attempt in 0..self.attempts {
            let settings = Settings { stream: attempt * 1000, states: Some(states), ..self.settings.clone() };
            let mut system = system()?;
            reports.push(session::test(self.specification, &[], None, &mut *system, &settings, &mut ())?);
        }
        reports.sort_by_key(|report| (report.violations.is_empty(), report.steps));
        Ok(reports.swap_remove(reports.len() / 2))
    }
}

/// A machine and what model checking says of it.
pub(super) struct Judged {
    /// The machine.
    pub(super) machine: Machine,
    /// The requirements that it breaks, in the order of the specification.
    broken: Vec<Broken>,
}

/// A requirement that a machine breaks.
struct Broken {
    id: String,
    /// A shortest run that shows it: exchanges before it goes round, and of one round where no finite run shows it.
    shown_by: (usize, usize),
}

impl Broken {
    fn is_finite(&self) -> bool {
        self.shown_by.1 == 0
    }
}

impl Judged {
    /// Model checks a machine.
    pub(super) fn new(
        specification: &Specification,
        verifier: &Verifier,
        machine: Machine,
    ) -> Result<Judged> {
        let found = verifier.verify(&specification.reactions(&machine)?)?;
        found.holds().context("a machine could not be model checked")?;
        Ok(Judged { machine, broken: broken(specification, &found) })
    }

    /// Whether it breaks a requirement.
    pub(super) fn violates(&self) -> bool {
        !self.broken.is_empty()
    }

    /// Whether it breaks one after finitely many steps.
    pub(super) fn violates_safety(&self) -> bool {
        self.broken.iter().any(Broken::is_finite)
    }

    /// What it breaks and how short a run shows it, in words.
    pub(super) fn broken(&self) -> String {
        let word = |Broken { id, shown_by: (stem, round) }: &Broken| match round {
            0 => format!("{id} in {stem} steps"),
            round => format!("{id} in the long run, {stem} steps and rounds of {round}"),
        };
        self.broken.iter().map(word).collect::<Vec<_>>().join("; ")
    }

    /// What an alarm is worth: whether what it says is so, and whether it was a lasso.
    pub(super) fn weigh(&self, report: &Report) -> Option<Alarm> {
        let found = report.violations.first()?;
        let lasso = matches!(found.evidence, Evidence::Lasso { .. });
        let known = self.broken.iter().find(|broken| broken.id == found.requirement);
        let right = match found.evidence {
            // Judges all requirements as one.
            Evidence::Published => self.violates(),
            Evidence::Lasso { .. } => known.is_some(),
            _ if found.requirement == "conjunction" => self.violates(),
            _ => known.is_some_and(Broken::is_finite),
        };
        Some(Alarm { right, lasso })
    }
}

/// A test that failed.
#[derive(Clone, Copy)]
pub(super) struct Alarm {
    /// Model checking agrees.
    pub(super) right: bool,
    /// It is a run that goes round.
    pub(super) lasso: bool,
}

fn broken(specification: &Specification, found: &Verification) -> Vec<Broken> {
    let outcomes = specification.requirements.iter().zip(&found.outcomes);
    let violated = outcomes.filter_map(|(requirement, outcome)| match outcome {
        Outcome::Violated(found) => {
            Some(Broken { id: requirement.id.clone(), shown_by: (found.stem.len(), found.cycle.len()) })
        }
        _ => None,
    });
    violated.collect()
}

/// What came of one contender on all machines of one subject.
#[derive(Clone, Default)]
pub(super) struct Score {
    /// Whether it could begin.
    pub(super) ran: bool,
    /// Mutants that were killed, and safety violating ones among them.
    pub(super) killed: usize,
    /// Those among them that break a requirement after finitely many steps.
    pub(super) killed_safety: usize,
    /// Those that a run that goes round killed.
    pub(super) lassos: usize,
    /// Alarms that model checking does not agree with.
    pub(super) false_alarms: usize,
    /// For each machine, the steps to a true alarm.
    pub(super) steps: Vec<Option<u64>>,
    /// For each machine without one, what came of testing it, in words.
    pub(super) otherwise: Vec<String>,
    /// Steps of all tests.
    pub(super) all_steps: u64,
    /// Tests.
    pub(super) tests: u64,
    /// Time, preparing included.
    pub(super) seconds: f64,
}

/// Tests all machines of a subject; after `seconds` those that are left count as not killed.
pub(super) fn score(
    contender: &Contender,
    specification: &Specification,
    judged: &[Arc<Judged>],
    budget: Budget,
    seconds: f64,
) -> Result<Score> {
    let started = Instant::now();
    let mut score = Score {
        steps: vec![None; judged.len()],
        otherwise: vec!["no time was left".to_owned(); judged.len()],
        ..Score::default()
    };
    if let Some(prepared) = contender.prepare(specification, budget)? {
        score.ran = true;
        for (at, one) in judged.iter().enumerate() {
            if started.elapsed().as_secs_f64() > seconds {
                break;
            }
            let report = prepared.attempt(&one.machine)?;
            score.tests += report.runs;
            score.all_steps += report.steps;
            match one.weigh(&report) {
                Some(alarm) if alarm.right => {
                    score.killed += 1;
                    score.killed_safety += usize::from(one.violates_safety());
                    score.lassos += usize::from(alarm.lasso);
                    score.steps[at] = Some(report.steps);
                }
                Some(_) => score.false_alarms += 1,
                None => {
                    let ids = report.suspected.iter().map(|suspected| suspected.requirement.as_str());
                    let ids: Vec<&str> = ids.collect();
                    let seconds = report.seconds;
                    score.otherwise[at] = match ids.is_empty() {
                        true => format!("nothing in {} steps, {seconds:.1} s", report.steps),
                        false => {
                            format!("suspects {} in {} steps, {seconds:.1} s", ids.join(", "), report.steps)
                        }
                    };
                }
            }
        }
    }
    score.seconds = started.elapsed().as_secs_f64();
    Ok(score)
}

/// The one in the middle, where those that are missing are the largest; none where it is missing.
pub(super) fn median(values: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    let mut values: Vec<u64> = values.map(|value| value.unwrap_or(u64::MAX)).collect();
    values.sort_unstable();
    values.get(values.len().saturating_sub(1) / 2).copied().filter(|&value| value != u64::MAX)
}
