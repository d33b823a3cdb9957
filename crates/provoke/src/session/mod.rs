//! A whole test session: saved findings first, then the objectives.

mod archive;
mod calibrate;
mod finding;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::campaign::{
    Breakdown, Campaign, Clock, Found, Limits, Observer, Outcome, ShrinkLimits, Tally, rerun,
};
use crate::game::Gate;
use crate::letter::Letter;
use crate::monitor::Judge;
use crate::objective::{self, Hunt, Reach};
use crate::report::{ObjectiveReport, Overall, Report, RequirementReport, ViolationReport};
use crate::specification::{Goal, Guidance, Objective, STATE_LIMIT, Specification};
use crate::strategy::{Options, Strategy, StrategyEntry};
use crate::system::{System, SystemError, interrupt};
use crate::trace::{Recording, RequirementNumber};

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
    /// The observer could not go on.
    #[error("failed to report progress: {0}")]
    Observer(#[from] std::io::Error),
}

/// Tests a system against a specification: first what the archive holds, then the objectives in one
/// campaign; without objectives, it only looks for violations. Findings are archived as they are made.
pub fn test(
    specification: &Specification,
    objectives: &[&Objective],
    archive: Option<&Archive>,
    system: &mut dyn System,
    settings: &Settings,
    watcher: &mut dyn Watcher,
) -> Result<Report, SessionError> {
    if let Some(conflict) = specification.conflict() {
        if conflict.is_empty() {
            return Err(SessionError::ContradictingAssumptions);
        }
        return Err(SessionError::Contradiction(specification.ids(&conflict)));
    }
    let started = Instant::now();
    let mut session = Session {
        specification,
        judge: specification.judge(),
        gate: specification.gate(),
        archive,
        kept: Vec::new(),
        settings: settings.clone(),
        clock: Clock::new(settings.limits.time),
        report: blank_report(specification, settings),
        uncounted_reset_steps: 0,
        unreachable: None,
    };
    session.replay_saved(system, watcher);
    session.calibrate(system, watcher)?;
    session.pursue(objectives, system, watcher)?;
    // What was found before it was the turn of an objective that cannot be reached is not withheld for it.
    if let Some(id) = session.unreachable.take().filter(|_| !session.is_over()) {
        return Err(SessionError::Unreachable(id));
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
    /// Steps that resets took while it was measured what they cost.
    uncounted_reset_steps: u64,
    /// The first objective that no system could cover; neither it nor those after it are pursued.
    unreachable: Option<String>,
}

/// What a campaign of a session is about.
struct Pursuit<'a, O> {
    objective: &'a mut O,
    gate: Gate,
    /// The first stream of random numbers that it draws from.
    stream: u64,
    aftermath: Option<Hunt>,
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
        let mut made = rerun(system, &mut self.judge, &mut self.gate, &inputs, |made| made.unfair.is_some());
        self.report.runs += 1;
        self.report.resets += 1;
        self.report.steps += made.trace.len() as u64;
        if made.broken.is_none()
            && let Err(error) = system.settle()
        {
            made.broken = Some((error, None));
            made.violated.clear();
        }
        for (number, entry) in self.specification.numbers().zip(&mut self.report.requirements) {
            entry.tested |= self.judge.requirements.is_tested_by(number, &made.trace);
        }
        let is_wanted = |&(found, _): &(RequirementNumber, usize)| match kind {
            Kind::Violation { requirement: Some(id), .. } => self.specification.requirement(found).id == *id,
            Kind::Violation { requirement: None, .. } => true,
            Kind::Breakdown => false,
        };
        let mut recurred = made.violated.iter().any(is_wanted);
        for (requirement, place) in made.violated {
            let entry = &mut self.report.requirements[requirement.0];
            entry.violating_runs += 1;
            if !entry.violated {
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

    /// Pursues the objectives, or violations where there are none, and books what became of each.
    fn pursue(
        &mut self,
        objectives: &[&Objective],
        system: &mut dyn System,
        watcher: &mut dyn Watcher,
    ) -> Result<(), SessionError> {
        let open: Vec<&Objective> =
            objectives.iter().copied().filter(|objective| self.known(objective).is_none()).collect();
        let is_wanted = !open.is_empty() || objectives.is_empty();
        let mut tallies = Vec::new();
        if is_wanted && !self.is_over() {
            let mut strategy = (self.settings.strategy.build)(&self.settings.options);
            let outcome = match objectives.is_empty() {
                true => self.hunt(&mut *strategy, system, watcher)?,
                false => self.reach(&open, &mut *strategy, system, watcher)?,
            };
            self.report.strategy_bytes = strategy.memory();
            tallies = outcome.objectives;
        }
        let mut tallies = tallies.into_iter();
        for objective in objectives {
            let was_open = open.iter().any(|open| std::ptr::eq(*open, *objective));
            let tally = was_open.then(|| tallies.next()).flatten().unwrap_or_default();
            let entry = self.objective_report(objective, tally);
            self.report.objectives.push(entry);
        }
        Ok(())
    }

    fn hunt(
        &mut self,
        strategy: &mut dyn Strategy,
        system: &mut dyn System,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome, SessionError> {
        let limit = self.settings.state_limit;
        let (guidance, mut hunt) = if self.settings.keep_going {
            let guidance = self.specification.guidance_past_violations(limit)?;
            let hunt = Hunt::past_violations(guidance.game.clone());
            (guidance, hunt)
        } else {
            let guidance = self.specification.guidance(None, limit)?;
            let hunt = Hunt::new(guidance.game.clone());
            (guidance, hunt)
        };
        self.note_left_out(&guidance);
        let pursuit = Pursuit { objective: &mut hunt, gate: guidance.gate, stream: 0, aftermath: None };
        self.campaign(pursuit, strategy, system, watcher)
    }

    fn reach(
        &mut self,
        objectives: &[&Objective],
        strategy: &mut dyn Strategy,
        system: &mut dyn System,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome, SessionError> {
        let limit = self.settings.state_limit;
        let guidances = self.specification.guidance_to_all(objectives, limit)?;
        let mut gate = Gate::default();
        let mut goals = Vec::new();
        for (objective, guidance) in objectives.iter().zip(guidances) {
            if guidance.guide.distance(guidance.game.initial()).is_none() {
                self.unreachable = self.unreachable.take().or(Some(objective.id.clone()));
                break;
            }
            self.note_left_out(&guidance);
            gate = gate.stricter(&guidance.gate);
            goals.push((guidance.game, guidance.guide));
        }
        let aftermath = match self.settings.keep_going {
            true => Some(Hunt::new(self.specification.permitted(limit)?.game)),
            false => None,
        };
        if goals.is_empty() {
            return Ok(Outcome::default());
        }
        let mut reach = Reach::all(goals);
        let pursuit = Pursuit { objective: &mut reach, gate, stream: 0, aftermath };
        self.campaign(pursuit, strategy, system, watcher)
    }

    fn note_left_out(&mut self, guidance: &Guidance) {
        for id in self.specification.ids(&guidance.left_out) {
            if !self.report.not_guiding.contains(&id) {
                self.report.not_guiding.push(id);
            }
        }
    }

    /// Runs one campaign and books what it finds as it finds it.
    fn campaign<O: objective::Objective>(
        &mut self,
        pursuit: Pursuit<'_, O>,
        strategy: &mut dyn Strategy,
        system: &mut dyn System,
        watcher: &mut dyn Watcher,
    ) -> Result<Outcome, SessionError> {
        let Pursuit { objective, gate, stream, aftermath } = pursuit;
        let limits = Limits { time: self.time_left(), ..self.settings.limits };
        let judge = self.judge.clone();
        let mut campaign = Campaign::new(objective, judge, system, strategy, limits, self.settings.seed);
        campaign.keep_going = self.settings.keep_going;
        (campaign.gate, campaign.stream, campaign.aftermath) = (gate, stream, aftermath);
        for (number, entry) in self.specification.numbers().zip(&self.report.requirements) {
            if entry.violated {
                campaign.judge.retire(number);
            }
        }
        let mut booked = 0;
        loop {
            let found = campaign.go_on(watcher)?;
            for (requirement, trace) in &campaign.outcome.violations[booked..] {
                self.book_violation(*requirement, trace, &mut *campaign.system, watcher);
            }
            booked = campaign.outcome.violations.len();
            match found {
                _ if self.report.system.is_some() => break,
                Found::Violations if self.settings.keep_going => {}
                Found::Covered if !campaign.is_done() => {}
                _ => break,
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

    /// The shortest violation that was found of the requirement whose violation is the objective.
    fn known(&self, objective: &Objective) -> Option<&ViolationReport> {
        let Goal::Violation(wanted) = objective.goal else { return None };
        let id = &self.specification.requirement(wanted).id;
        self.report.violations.iter().find(|found| found.requirement == *id)
    }

    fn objective_report(&self, objective: &Objective, tally: Tally) -> ObjectiveReport {
        let known = self.known(objective).map(|found| found.trace.clone());
        let trace = known.or(tally.covered);
        ObjectiveReport {
            id: objective.id.clone(),
            covered: trace.is_some(),
            best_distance: if trace.is_some() { Some(0) } else { tally.best_distance },
            trace,
            runs: tally.runs,
            steps: tally.steps,
        }
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
            let id = &self.specification.requirement(requirement).id;
            match report.pending.iter_mut().find(|(known, _)| known == id) {
                Some((_, oldest)) => *oldest = age.max(*oldest),
                None => report.pending.push((id.clone(), age)),
            }
        }
    }
}

fn blank_report(specification: &Specification, settings: &Settings) -> Report {
    let requirement = |number| RequirementReport {
        id: specification.requirement(number).id.clone(),
        violated: false,
        violating_runs: 0,
        tested: false,
        withholds: specification.withheld_by(number),
    };
    let takes_reset_cost = settings.strategy.options.contains(&"reset-cost");
    Report {
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
        requirements: specification.numbers().map(requirement).collect(),
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
    }
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
