//! A whole test session: saved findings first, then the objectives one after another.

mod archive;
mod calibrate;
mod finding;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::bdd::OutOfNodes;
use crate::campaign::{Breakdown, Campaign, Clock, Found, Limits, Observer, Outcome, ShrinkLimits, attempt};
use crate::game::{Game, Gate};
use crate::letter::Letter;
use crate::monitor::Judge;
use crate::report::{ObjectiveReport, Overall, Report, RequirementReport, ViolationReport};
use crate::rng::Rng;
use crate::specification::{Goal, Guidance, Objective, Requirement, STATE_LIMIT, Specification};
use crate::strategy::{Knowledge, Options, Strategy, StrategyEntry};
use crate::system::{System, SystemError, interrupt};
use crate::trace::Recording;

pub use archive::{Archive, Finding, Kind, Saved, write_whole};

/// What a session may cost and how it goes about it.
#[derive(Clone)]
pub struct Settings {
    /// The strategy.
    pub strategy: &'static StrategyEntry,
    /// Its parameters.
    pub options: Options,
    /// Limits for each objective; `time` is for the whole session.
    pub limits: Limits,
    /// The master seed.
    pub seed: u64,
    /// Whether to go on after a violation and collect one for each requirement.
    pub keep_going: bool,
    /// How much confirming and shrinking may cost.
    pub shrink: ShrinkLimits,
    /// How many product states guidance may take.
    pub state_limit: usize,
    /// Whether to measure what a reset costs, instead of taking the strategy's option.
    pub calibrate: bool,
}

impl Settings {
    /// The usual settings with a strategy and a seed.
    pub fn new(strategy: &'static StrategyEntry, seed: u64) -> Settings {
        Settings {
            strategy,
            options: Options::default(),
            limits: Limits::default(),
            seed,
            keep_going: false,
            shrink: ShrinkLimits::default(),
            state_limit: STATE_LIMIT,
            calibrate: false,
        }
    }
}

/// Watches a session.
pub trait Watcher: Observer {
    /// A violation was found, confirmed, shrunk and saved.
    fn violation(&mut self, _violation: &ViolationReport) {}

    /// Something could not be done that does not change the verdict.
    fn warn(&mut self, _warning: &str) {}
}

impl Watcher for () {}

/// Why a session could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No game could be built.
    #[error(transparent)]
    Guidance(#[from] crate::specification::GuidanceError),
    /// No system whatever could cover the objective.
    #[error("objective `{0}` cannot be reached: no system that keeps the requirements ever gets there")]
    Unreachable(String),
    /// No run whatever keeps these requirements.
    #[error("the requirements contradict each other: no run keeps {}", .0.join(" and "))]
    Contradiction(Vec<String>),
    /// No run whatever keeps the assumptions.
    #[error("the assumptions contradict each other: no run keeps them")]
    ContradictingAssumptions,
    /// What may be sent needs more decision-diagram nodes than there may be.
    #[error("failed to begin: {0}")]
    OutOfNodes(#[from] OutOfNodes),
    /// The observer could not go on.
    #[error("failed to report progress: {0}")]
    Observer(#[from] std::io::Error),
}

/// Tests a system against a specification: first what the archive holds, then each objective in turn; without
/// objectives, one campaign that only looks for violations. Findings are archived as they are made.
pub fn test(
    specification: &Specification,
    objectives: &[&Objective],
    archive: Option<&Archive>,
    system: &mut dyn System,
    settings: &Settings,
    watcher: &mut dyn Watcher,
) -> Result<Report, SessionError> {
    if let Some(conflict) = specification.conflict()? {
        if conflict.is_empty() {
            return Err(SessionError::ContradictingAssumptions);
        }
        let ids = conflict.into_iter().map(|at| specification.requirements[at].id.clone());
        return Err(SessionError::Contradiction(ids.collect()));
    }
    let started = Instant::now();
    let mut session = Session {
        specification,
        judge: specification.judge(),
        gate: specification.gate()?,
        archive,
        kept: Vec::new(),
        settings: settings.clone(),
        clock: Clock::new(settings.limits.time),
        report: blank_report(specification, settings)?,
        calibrating: false,
        uncounted_reset_steps: 0,
    };
    session.replay_saved(system, watcher);
    session.calibrate(system, watcher)?;
    if objectives.is_empty() && !session.is_over() {
        session.pursue(None, system, watcher)?;
    }
    for (place, objective) in objectives.iter().enumerate() {
        match session.known(objective) {
            Some(known) => session.report.objectives.push(known),
            None if session.is_over() => session.report.objectives.push(not_tried(objective)),
            None => session.pursue(Some((place, objective)), system, watcher)?,
        }
    }
    let mut report = session.report;
    report.retries = system.losses().to_vec();
    report.reset_steps = system.reset_steps() - session.uncounted_reset_steps;
    report.seconds = started.elapsed().as_secs_f64();
    report.interrupted = interrupt::requested();
    report.verdict = verdict(&report);
    Ok(report)
}

struct Session<'a> {
    specification: &'a Specification,
    judge: Judge,
    /// What may be sent when findings are tried again.
    gate: Gate,
    archive: Option<&'a Archive>,
    /// Saved traces that new findings must not replace.
    kept: Vec<PathBuf>,
    settings: Settings,
    clock: Clock,
    report: Report,
    /// Whether runs are made to measure what a reset costs; steps that resets took meanwhile.
    calibrating: bool,
    uncounted_reset_steps: u64,
}

/// How often a saved violation that does not recur every time is tried.
const FLAKY_TRIES: u32 = 3;

impl Session<'_> {
    fn is_over(&self) -> bool {
        let violated = !self.report.violations.is_empty() && !self.settings.keep_going;
        violated || self.report.system.is_some() || !self.clock.has_time()
    }

    fn replay_saved(&mut self, system: &mut dyn System, watcher: &mut dyn Watcher) {
        let Some(archive) = self.archive else { return };
        let (saved, warning) = archive.load(self.specification);
        warning.iter().for_each(|warning| watcher.warn(warning));
        for Saved { path, recording, kind } in saved {
            let flaky = matches!(kind, Kind::Violation { flaky: true, .. });
            let mut recurred = false;
            for _ in 0..if flaky { FLAKY_TRIES } else { 1 } {
                if self.is_over() {
                    return;
                }
                recurred = recurred || self.replay_one(&recording, &kind, system, watcher);
            }
            let unknown = self.report.system.is_some() || interrupt::requested().is_some();
            if !recurred && !unknown && flaky {
                self.report.not_this_time.push(path.display().to_string());
                self.kept.push(path);
            } else if !recurred && !unknown && kind == Kind::Breakdown {
                self.report.no_longer_breaks.push(path.display().to_string());
            } else if !recurred && !unknown {
                self.report.no_longer.push(path.display().to_string());
            }
        }
    }

    /// Runs a saved trace once, books what it shows, and says whether that is what it was saved for.
    fn replay_one(
        &mut self,
        recording: &Recording,
        kind: &Kind,
        system: &mut dyn System,
        watcher: &mut dyn Watcher,
    ) -> bool {
        let inputs: Vec<Letter> = recording.inputs().collect();
        let mut made =
            attempt(system, &mut self.judge, &mut self.gate, &inputs, |made| made.unfair.is_some());
        self.report.runs += 1;
        self.report.resets += 1;
        self.report.steps += made.trace.len() as u64;
        if made.broken.is_none()
            && let Err(error) = system.settle()
        {
            made.broken = Some((error, None));
            made.violated.clear();
        }
        for (at, entry) in self.report.requirements.iter_mut().enumerate() {
            entry.tested |= self.judge.requirements.is_tested_by(at, &made.trace);
        }
        let requirements = &self.specification.requirements;
        let is_wanted = |&(found, _): &(usize, usize)| match kind {
            Kind::Violation { requirement: Some(id), .. } => requirements[found].id == *id,
            Kind::Violation { requirement: None, .. } => true,
            Kind::Breakdown => false,
        };
        let mut recurred = made.violated.iter().any(is_wanted);
        for (requirement, place) in made.violated {
            self.report.requirements[requirement].violating_runs += 1;
            if !self.report.requirements[requirement].violated {
                self.book_violation(requirement, &made.trace[..=place], system, watcher);
            }
        }
        if let Some((error, unanswered)) = made.broken
            && error != SystemError::Interrupted
        {
            recurred |= *kind == Kind::Breakdown;
            let last_words = system.last_words();
            let breakdown = Breakdown { error, trace: made.trace, unanswered, last_words };
            self.book_breakdown(breakdown, system, watcher);
        }
        recurred
    }

    fn pursue(
        &mut self,
        objective: Option<(usize, &Objective)>,
        system: &mut dyn System,
        watcher: &mut dyn Watcher,
    ) -> Result<(), SessionError> {
        let (place, wanted) = (objective.map_or(0, |(place, _)| place), objective.map(|(_, wanted)| wanted));
        let (limit, keep_going) = (self.settings.state_limit, self.settings.keep_going);
        let guidance = match wanted {
            None if keep_going => self.specification.guidance_past_violations(limit)?,
            wanted => self.specification.guidance(wanted, limit)?,
        };
        if let Some(wanted) = wanted
            && guidance.guide.distance(guidance.game.initial()).is_none()
        {
            return Err(SessionError::Unreachable(wanted.id.clone()));
        }
        for &left_out in &guidance.left_out {
            let id = &self.specification.requirements[left_out].id;
            if !self.report.not_guiding.contains(id) {
                self.report.not_guiding.push(id.clone());
            }
        }
        let knowledge = Knowledge { game: guidance.game.clone(), guide: guidance.guide.clone() };
        let mut strategy = (self.settings.strategy.build)(&knowledge, &self.settings.options);
        let rng = Rng::stream(self.settings.seed, place as u64);
        let outcome = self.campaign(&guidance, wanted, &mut *strategy, rng, system, watcher)?;
        self.report.strategy_bytes = self.report.strategy_bytes.max(strategy.memory());
        if let Some(wanted) = wanted {
            let found = self.known(wanted).unwrap_or_else(|| not_tried(wanted));
            let covered = outcome.covered.is_some() || found.covered;
            self.report.objectives.push(ObjectiveReport {
                covered,
                best_distance: if covered { Some(0) } else { outcome.best_distance },
                trace: outcome.covered.or(found.trace),
                runs: outcome.runs,
                steps: outcome.steps,
                ..found
            });
        }
        Ok(())
    }

    /// Runs one campaign and books what it finds as it finds it.
    fn campaign(
        &mut self,
        guidance: &Guidance,
        wanted: Option<&Objective>,
        strategy: &mut dyn Strategy,
        rng: Rng,
        system: &mut dyn System,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome, SessionError> {
        let (limit, keep_going) = (self.settings.state_limit, self.settings.keep_going);
        let past =
            (wanted.is_some() && keep_going).then(|| self.specification.permitted(limit)).transpose()?;
        let (game, guide, judge) = (&*guidance.game, &*guidance.guide, self.judge.clone());
        let limits = Limits { time: self.time_left(), ..self.settings.limits };
        let mut campaign = Campaign::new(game, guide, judge, system, strategy, limits, rng);
        (campaign.hunting, campaign.keep_going) = (wanted.is_none() && !self.calibrating, keep_going);
        campaign.gate = guidance.gate.clone();
        campaign.aftermath = past.as_ref().map(|past| &*past.game as &dyn Game);
        let known = self.report.requirements.iter().map(|entry| entry.violated);
        known.enumerate().filter(|(_, violated)| *violated).for_each(|(at, _)| campaign.retire(at));
        let mut booked = 0;
        loop {
            let found = campaign.go_on(watcher)?;
            for (requirement, trace) in &campaign.outcome.violations[booked..] {
                self.book_violation(*requirement, trace, &mut *campaign.system, watcher);
            }
            booked = campaign.outcome.violations.len();
            let over = self.report.system.is_some() || !keep_going;
            if found != Found::Violations || over {
                break;
            }
        }
        if let Some(breakdown) = campaign.outcome.broken.take() {
            self.book_breakdown(breakdown, &mut *campaign.system, watcher);
        }
        let outcome = campaign.end(watcher)?;
        self.book_tally(&outcome);
        Ok(outcome)
    }

    fn time_left(&self) -> Option<Duration> {
        self.settings.limits.time.map(|limit| limit.saturating_sub(self.clock.elapsed()))
    }

    /// What is known of an objective without looking for it: a violation that was found covers the objective to find
    /// one.
    fn known(&self, objective: &Objective) -> Option<ObjectiveReport> {
        let Goal::Violation(wanted) = objective.goal else { return None };
        let id = &self.specification.requirements[wanted].id;
        let found = self.report.violations.iter().find(|found| found.requirement == *id)?;
        let trace = Some(found.trace.clone());
        Some(ObjectiveReport { covered: true, best_distance: Some(0), trace, ..not_tried(objective) })
    }

    fn book_tally(&mut self, outcome: &Outcome) {
        let report = &mut self.report;
        report.runs += outcome.runs;
        report.resets += outcome.runs;
        report.steps += outcome.steps;
        for (at, entry) in report.requirements.iter_mut().enumerate() {
            entry.violating_runs += outcome.violating_runs[at];
            entry.tested |= outcome.tested[at];
        }
        for violation in &mut report.violations {
            let entry = report.requirements.iter().find(|entry| entry.id == violation.requirement);
            violation.runs = entry.map_or(0, |entry| entry.violating_runs);
        }
        for &(requirement, age) in &outcome.pending {
            let id = &self.specification.requirements[requirement].id;
            match report.pending.iter_mut().find(|(known, _)| known == id) {
                Some((_, oldest)) => *oldest = age.max(*oldest),
                None => report.pending.push((id.clone(), age)),
            }
        }
    }
}

fn not_tried(objective: &Objective) -> ObjectiveReport {
    let id = objective.id.clone();
    ObjectiveReport { id, covered: false, best_distance: None, trace: None, runs: 0, steps: 0 }
}

fn blank_report(specification: &Specification, settings: &Settings) -> Result<Report, OutOfNodes> {
    let requirement = |(at, requirement): (usize, &Requirement)| {
        Ok(RequirementReport {
            id: requirement.id.clone(),
            violated: false,
            violating_runs: 0,
            tested: false,
            withholds: specification.withheld_by(at)?,
        })
    };
    let requirements = specification.requirements.iter().enumerate().map(requirement);
    let takes_reset_cost = settings.strategy.options.contains(&"reset-cost");
    Ok(Report {
        verdict: Overall::Exhausted,
        strategy: settings.strategy.name.to_owned(),
        seed: settings.seed,
        runs: 0,
        resets: 0,
        steps: 0,
        reset_steps: 0,
        shrink_resets: 0,
        shrink_steps: 0,
        seconds: 0.0,
        strategy_bytes: 0,
        objectives: Vec::new(),
        violations: Vec::new(),
        requirements: requirements.collect::<Result<_, OutOfNodes>>()?,
        no_longer: Vec::new(),
        no_longer_breaks: Vec::new(),
        not_this_time: Vec::new(),
        interrupted: None,
        reset_cost: takes_reset_cost.then_some(settings.options.reset_cost),
        calibration: (0, 0),
        system: None,
        pending: Vec::new(),
        not_guiding: Vec::new(),
        retries: Vec::new(),
    })
}

fn verdict(report: &Report) -> Overall {
    if !report.violations.is_empty() {
        Overall::Violated
    } else if report.system.is_some() {
        Overall::Broken
    } else if report.objectives.iter().all(|objective| objective.covered) {
        Overall::Covered
    } else {
        Overall::Exhausted
    }
}
