//! A whole test session: saved findings first, then the objectives.

mod archive;
mod booking;
mod calibrate;
mod finding;
mod learn;
mod log;
mod plan;
mod saved;

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::booking::blank_report;
use crate::automaton::Classes;
use crate::bdd::OutOfNodes;
use crate::campaign::{
    Campaign, Clock, Event, Found, Lassos, Limits, Loans, Observer, Opening, Outcome, Past, Phase,
    ShrinkLimits, Tally,
};
use crate::coverage::Found as Covered;
use crate::diagnostic::SpecError;
use crate::game::unfolded::Unfolded;
use crate::game::{FAIRNESS, Gate, History};
use crate::monitor::{Judge, LongRun};
use crate::objective::{self, CoverAll, Hunt, Reach};
use crate::report::{CoverageReport, Report, SilenceReport, ViolationReport};
use crate::specification::{Goal, Guidance, Objective, STATE_LIMIT, Specification};
use crate::strategy::{Options, Strategy, StrategyEntry};
use crate::system::{Mode, System, interrupt};
use crate::trace::RequirementNumber;

pub use archive::{Archive, ArchiveError, Finding, Kind, Saved, write_whole};
pub use learn::{Curriculum, Lesson, learn};
pub use log::{
    About, AboutObjective, AboutRequirement, Counts, Exchange, LOG_VERSION, Log, LogError, Mark, Picture,
    Progress, Record, Recorder, Spot, Story, Tallies, Visits,
};
pub use plan::{Attempt, AttemptReport, Here, Plan, PlanError, Pursue};

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
    /// The first stream of random numbers: each objective draws from one of its own, beginning with this.
    pub stream: u64,
    /// Whether to go on after a violation and collect one for each requirement.
    pub keep_going: bool,
    /// How much confirming and shrinking may cost.
    pub shrink: ShrinkLimits,
    /// How many product states guidance may take.
    pub state_limit: usize,
    /// Whether to measure what a reset costs, instead of taking the strategy's option.
    pub calibrate: bool,
    /// A bound on the number of the system's states, where it is not the specification that says one.
    pub states: Option<u32>,
    /// For how many steps the system may wait for what the assumptions promise to happen some day.
    pub fairness: u32,
}

impl Settings {
    /// The usual settings with a strategy and a seed.
    pub fn new(strategy: &'static StrategyEntry, seed: u64) -> Settings {
        Settings {
            strategy,
            options: Options::default(),
            limits: Limits::default(),
            seed,
            stream: 0,
            keep_going: false,
            shrink: ShrinkLimits::default(),
            state_limit: STATE_LIMIT,
            calibrate: false,
            states: None,
            fairness: FAIRNESS,
        }
    }
}

/// Why a session could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No game could be built.
    #[error(transparent)]
    Guidance(#[from] crate::specification::GuidanceError),
    /// The strategy cannot be told what it must know of the requirements.
    #[error(transparent)]
    Knowledge(#[from] crate::specification::KnowledgeError),
    /// A model program is wrong, as was found out by running it. Nothing that was found with it counts.
    #[error(transparent)]
    Model(Box<SpecError>),
    /// The model that stands in for the system does not say what comes next.
    #[error("failed to go on: {0}")]
    Unmodelled(String),
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

/// Tests a system against a specification: first what the archive holds, then the objectives in one
/// campaign; without objectives, it only looks for violations. Findings are archived as they are made.
pub fn test(
    specification: &Specification,
    objectives: &[&Objective],
    archive: Option<&Archive>,
    system: &mut dyn System,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Report, SessionError> {
    let store = Store { archive, replay: true, kept: Vec::new() };
    test_with(specification, objectives, store, system, settings, observer)
}

/// What a session does with saved traces.
struct Store<'a> {
    archive: Option<&'a Archive>,
    /// Whether those of earlier sessions are run again.
    replay: bool,
    /// Saved traces that new findings must not replace.
    kept: Vec<PathBuf>,
}

fn test_with(
    specification: &Specification,
    objectives: &[&Objective],
    store: Store<'_>,
    system: &mut dyn System,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Report, SessionError> {
    if let Some(conflict) = specification.conflict()? {
        if conflict.is_empty() {
            return Err(SessionError::ContradictingAssumptions);
        }
        return Err(SessionError::Contradiction(specification.ids(&conflict)));
    }
    let started = Instant::now();
    let (losses_before, reset_steps_before) = (system.losses().len(), system.reset_steps());
    let (promises, unkept) = specification.promises(settings.fairness)?;
    let gate = specification.gate()?;
    let states = settings.states.or(specification.system.states);
    let mut session = Session {
        specification,
        judge: specification.judge(),
        gate: gate.clone(),
        loans: Loans::new(promises, gate, states),
        store,
        settings: settings.clone(),
        clock: Clock::new(settings.limits.time),
        telling: Duration::ZERO,
        past: Past::default(),
        report: Report { unkept, ..blank_report(specification, settings)? },
        classes: Arc::default(),
        long_run: specification.long_run().ok().filter(|long_run| !long_run.is_empty()).map(Arc::new),
        unsettled: vec![false; specification.requirements.len()],
        uncounted_reset_steps: 0,
        arenas: Vec::new(),
        unreachable: None,
        no_system: OnceCell::new(),
    };
    session.tell_start(objectives, observer)?;
    session.replay_saved(system, observer)?;
    session.calibrate(system, observer)?;
    session.pursue(objectives, system, observer)?;
    session.book_classes();
    session.report.suite = session.settings.options.knowledge.suite.as_ref().map(|tests| tests.tally());
    session.sound_models()?;
    // What was found before it was the turn of an objective that cannot be reached is not withheld for it.
    if let Some(id) = session.unreachable.take().filter(|_| !session.is_over()) {
        return Err(SessionError::Unreachable(id));
    }
    let mut report = session.judged();
    report.retries = system.losses().get(losses_before..).unwrap_or_default().to_vec();
    report.reset_steps = system.reset_steps() - reset_steps_before - session.uncounted_reset_steps;
    report.pace = system.pace();
    report.seconds = started.elapsed().as_secs_f64();
    report.interrupted = interrupt::requested();
    report.verdict = report.overall();
    observer.on(&Event::Ended(&report))?;
    Ok(report)
}

struct Session<'a> {
    specification: &'a Specification,
    judge: Judge,
    /// What may be sent when findings are tried again.
    gate: Gate,
    /// What the system is not kept waiting for, and what it may be waited for itself.
    loans: Loans,
    store: Store<'a>,
    settings: Settings,
    clock: Clock,
    /// How much of the time went into telling findings, and what was seen meanwhile.
    telling: Duration,
    past: Past,
    report: Report,
    /// The inputs that requirements tell apart, where the strategy asks.
    classes: Arc<Vec<Arc<Classes>>>,
    /// What decides on runs that go on for ever.
    long_run: Option<Arc<LongRun>>,
    /// For each requirement, whether some run put it to the test and ended before it was satisfied for good.
    unsettled: Vec<bool>,
    /// Steps that resets took while it was measured what they cost.
    uncounted_reset_steps: u64,
    /// Games that are unfolded as they are met.
    arenas: Vec<Arc<Unfolded>>,
    /// The first objective that no system could cover; neither it nor those after it are pursued.
    unreachable: Option<String>,
    /// Whether no system could keep all requirements, once that was asked.
    no_system: OnceCell<bool>,
}

/// What a campaign of a session is about.
struct Pursuit<'o, 'a, O> {
    objective: &'o mut O,
    gate: Gate,
    /// The first stream of random numbers that it draws from.
    stream: u64,
    aftermath: Option<Hunt>,
    lassos: Option<Lassos<'a>>,
}

/// What is said where there is nothing to be violated.
const NO_REQUIREMENT: &str =
    "no requirement: only crashes, hangs and breaches of the protocol count, whatever the system answers";
/// The same where answers can be out of range.
const NO_REQUIREMENT_BUT_RANGES: &str =
    "no requirement: only crashes, hangs, breaches of the protocol and answers out of range count";

impl<'a> Session<'a> {
    fn is_over(&self) -> bool {
        let violated = !self.report.violations.is_empty() && !self.settings.keep_going;
        violated || self.report.system.is_some() || !self.clock.has_time()
    }

    /// That no model program turned out to be wrong.
    fn sound_models(&self) -> Result<(), SessionError> {
        self.specification.model_fault().map_or(Ok(()), |fault| Err(SessionError::Model(Box::new(fault))))
    }

    fn tell_start(&self, objectives: &[&Objective], observer: &mut dyn Observer) -> std::io::Result<()> {
        let objectives = ids_of(objectives);
        let requirements: Vec<&str> =
            self.specification.requirements.iter().map(|requirement| requirement.id.as_str()).collect();
        observer.on(&Event::Started(&Opening {
            interface: self.specification.interface(),
            strategy: self.settings.strategy.name,
            seed: self.settings.seed,
            stream: self.settings.stream,
            objectives: &objectives,
            requirements: &requirements,
        }))
    }

    /// Pursues the objectives, or violations where there are none, and books what became of each.
    fn pursue(
        &mut self,
        objectives: &[&Objective],
        system: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<(), SessionError> {
        let open: Vec<&Objective> =
            objectives.iter().copied().filter(|objective| self.known(objective).is_none()).collect();
        for (objective, found) in objectives.iter().filter_map(|known| Some((known, self.known(known)?))) {
            observer.on(&Event::AlreadyCovered { objective: &objective.id, trace: &found.trace })?;
        }
        let (whole, goals): (Vec<&Objective>, Vec<&Objective>) =
            open.iter().partition(|objective| objective.covers().is_some());
        let is_wanted = !goals.is_empty() || objectives.is_empty();
        let mut tallies = Vec::new();
        if is_wanted && !self.is_over() {
            let mut strategy = self.strategy()?;
            let outcome = match objectives.is_empty() {
                true => self.hunt(&mut *strategy, system, observer)?,
                false => self.reach(&goals, &mut *strategy, system, observer)?,
            };
            self.report.strategy_bytes = strategy.memory();
            self.report.model = strategy.learnt().map(|learnt| self.model(&learnt));
            tallies = outcome.objectives;
        }
        tallies.resize_with(goals.len(), Tally::default);
        let mut tallies: Vec<(&Objective, Tally)> = goals.into_iter().zip(tallies).collect();
        for objective in whole {
            // Each draws from a stream of its own.
            let stream = self.settings.stream.wrapping_add(tallies.len() as u64);
            let tally = self.cover(objective, stream, system, observer)?;
            tallies.push((objective, tally));
        }
        for objective in objectives {
            let own = |(known, _): &(&Objective, Tally)| std::ptr::eq(*known, *objective);
            let tally = tallies.iter().position(own).map(|place| tallies.swap_remove(place).1);
            let mut entry = self.objective_report(objective, tally.unwrap_or_default());
            entry.silence = entry.trace.as_ref().and_then(|trace| SilenceReport::of(system.silence(), trace));
            self.report.objectives.push(entry);
        }
        Ok(())
    }

    /// The strategy, which has seen nothing yet.
    fn strategy(&mut self) -> Result<Box<dyn Strategy>, SessionError> {
        let entry = self.settings.strategy;
        let informed = self.specification.inform(entry, &self.settings.options)?;
        self.classes = informed.knowledge.classes.clone();
        Ok((entry.build)(&informed))
    }

    fn hunt(
        &mut self,
        strategy: &mut dyn Strategy,
        system: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, SessionError> {
        let limit = self.settings.state_limit;
        let keep_going = self.settings.keep_going;
        let guidance = match keep_going {
            true => self.specification.guidance_past_violations(limit)?,
            false => self.specification.guidance(None, limit)?,
        };
        self.note_left_out(&guidance);
        self.arenas.extend(guidance.inside.unfolded().cloned());
        if !strategy.tells_states_apart() && !self.specification.restricts_reset() {
            guidance.game.forget_states();
        }
        observer.on(&Event::Phase(Phase::Hunt))?;
        let Guidance { game, gate, .. } = guidance;
        let mut hunt = match self.specification.requirements.is_empty() {
            true => {
                let note = match self.specification.ranges.is_empty() {
                    true => NO_REQUIREMENT,
                    false => NO_REQUIREMENT_BUT_RANGES,
                };
                self.report.note = Some(note.to_owned());
                Hunt::new(Arc::new(History::of(game)))
            }
            false if keep_going => Hunt::past_violations(game),
            false => Hunt::new(game),
        };
        let stream = self.settings.stream;
        let lassos = self.lassos();
        if lassos.is_some() {
            self.warn_of_too_many_states(observer)?;
        }
        let pursuit = Pursuit { objective: &mut hunt, gate, stream, aftermath: None, lassos };
        self.campaign(pursuit, strategy, system, observer)
    }

    fn reach(
        &mut self,
        objectives: &[&Objective],
        strategy: &mut dyn Strategy,
        system: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, SessionError> {
        let limit = self.settings.state_limit;
        let guidances = self.specification.guidance_to_all(objectives, limit)?;
        let mut gate = Gate::default();
        let mut goals = Vec::new();
        for (objective, guidance) in objectives.iter().zip(guidances) {
            if guidance.guide.distance(guidance.game.initial()).is_none() {
                self.unreachable = Some(objective.id.clone());
                break;
            }
            self.note_left_out(&guidance);
            self.arenas.extend(guidance.inside.unfolded().cloned());
            gate = gate.stricter(&guidance.gate);
            goals.push((guidance.game, guidance.guide));
        }
        if goals.is_empty() {
            return Ok(Outcome::default());
        }
        let aftermath = match self.settings.keep_going {
            true => Some(Hunt::new(self.specification.permitted(limit)?.game)),
            false => None,
        };
        observer.on(&Event::Phase(Phase::Pursuit(&ids_of(&objectives[..goals.len()]))))?;
        let mut reach = Reach::all(goals);
        let stream = self.settings.stream;
        let pursuit = Pursuit { objective: &mut reach, gate, stream, aftermath, lassos: None };
        self.campaign(pursuit, strategy, system, observer)
    }

    /// Covers all of something, in a campaign of its own.
    fn cover(
        &mut self,
        objective: &Objective,
        stream: u64,
        system: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<Tally, SessionError> {
        let limit = self.settings.state_limit;
        let guidance = self.specification.guidance(Some(objective), limit)?;
        self.note_left_out(&guidance);
        let Guidance { coverage: Some(coverage), gate, .. } = guidance else { return Ok(Tally::default()) };
        let mut tally = Tally::default();
        if !self.is_over() && self.unreachable.is_none() {
            let aftermath = match self.settings.keep_going {
                true => Some(Hunt::new(self.specification.permitted(limit)?.game)),
                false => None,
            };
            observer.on(&Event::Phase(Phase::Pursuit(&[&objective.id])))?;
            let mut strategy = self.strategy()?;
            let mut all = CoverAll::new(coverage.clone());
            let pursuit = Pursuit { objective: &mut all, gate, stream, aftermath, lassos: None };
            let outcome = self.campaign(pursuit, &mut *strategy, system, observer)?;
            self.report.strategy_bytes = self.report.strategy_bytes.max(strategy.memory());
            if self.report.system.is_some() {
                // A run that broke the system shows nothing for sure.
                coverage.doubt_run();
            }
            tally = outcome.objectives.into_iter().next().unwrap_or_default();
        }
        let Covered { cover, elements, covered, never, cannot, complete, .. } = coverage.found();
        self.report.coverage.push(CoverageReport {
            objective: Some(objective.id.clone()),
            of: cover.word().to_owned(),
            elements,
            covered,
            never,
            cannot,
            complete,
        });
        Ok(tally)
    }

    fn note_left_out(&mut self, guidance: &Guidance) {
        for id in self.specification.ids(&guidance.left_out) {
            if !self.report.not_guiding.contains(&id) {
                self.report.not_guiding.push(id);
            }
        }
        for said in &guidance.notes {
            match &mut self.report.note {
                Some(note) if note.contains(said) => {}
                Some(note) => *note = format!("{note}; {said}"),
                None => self.report.note = Some(said.clone()),
            }
        }
    }

    /// Runs one campaign and books what it finds as it finds it.
    fn campaign<O: objective::Objective>(
        &mut self,
        pursuit: Pursuit<'_, 'a, O>,
        strategy: &mut dyn Strategy,
        system: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, SessionError> {
        let Pursuit { objective, gate, stream, aftermath, lassos } = pursuit;
        let limits = Limits { time: self.time_left(), ..self.settings.limits };
        let judge = self.judge.clone();
        let mut campaign = Campaign::new(objective, judge, system, strategy, limits, self.settings.seed);
        campaign.keep_going = self.settings.keep_going;
        (campaign.gate, campaign.stream, campaign.aftermath) = (gate, stream, aftermath);
        campaign.lassos = lassos;
        campaign.outline = self.outline();
        campaign.loans = self.loans.clone().until(self.clock.end());
        for number in (0..self.judge.len()).map(RequirementNumber) {
            if self.is_violated(number) {
                campaign.forget(number);
            }
        }
        let (mut booked, mut lassos) = (0, 0);
        loop {
            let found = campaign.go_on(observer)?;
            for place in lassos..campaign.outcome.lassos.len() {
                let lasso = campaign.outcome.lassos[place].clone();
                if !self.book_lasso(&lasso, &mut *campaign.system, observer)? && lasso.is_sure {
                    campaign.look_again(lasso.requirement);
                }
            }
            lassos = campaign.outcome.lassos.len();
            self.loans.remember(&campaign.loans);
            self.sound_models()?;
            for place in booked..campaign.outcome.violations.len() {
                let (requirement, trace) = campaign.outcome.violations[place].clone();
                if !self.book_violation(requirement, &trace, &mut *campaign.system, observer)? {
                    campaign.doubt(requirement, &trace);
                }
            }
            booked = campaign.outcome.violations.len();
            match found {
                _ if self.report.system.is_some() => break,
                Found::Violations if self.settings.keep_going || self.report.violations.is_empty() => {}
                Found::Covered if !campaign.is_done() => {}
                _ => break,
            }
        }
        if let Some(breakdown) = campaign.outcome.broken.take() {
            self.book_breakdown(breakdown, "", &mut *campaign.system, observer)?;
        }
        let outcome = campaign.end(observer)?;
        if let Some(full) = self.arenas.iter().find(|arena| arena.is_full()) {
            let states = full.met();
            let message = format!(
                "there is no room for more than {states} states of the model: runs went on, but others were not remembered"
            );
            observer.on(&Event::Warning(&message))?;
        }
        if outcome.stranded {
            let runs = outcome.runs;
            let message = format!(
                "stopped after run {runs}: it ended where the model does not enable a reset, and found no way to where it does"
            );
            observer.on(&Event::Warning(&message))?;
            self.report.stranded = true;
        }
        self.book_tally(&outcome);
        for found in &outcome.unconfirmed {
            self.note_unconfirmed(found.requirement, &found.trace, found.times, system.silence());
        }
        Ok(outcome)
    }

    /// Looks for violations that no finite run shows, where there may be any. Strategies that end by themselves are left
    /// as they were published.
    fn lassos(&self) -> Option<Lassos<'a>> {
        if self.settings.strategy.needs.ends() || self.judge.requirements.blame_the_end() {
            return None;
        }
        // Who speaks when it likes is not deterministic.
        let long_run =
            self.long_run.clone().filter(|_| self.specification.system.mode == Mode::Synchronous)?;
        let states = self.settings.states.or(self.specification.system.states);
        let rounds = self.specification.rounds_of_violations();
        let specification = self.specification;
        let keepable = |requirement| specification.keepable(requirement);
        Some(Lassos::new(long_run, keepable, self.judge.clone(), states, rounds))
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
}

fn ids_of<'a>(objectives: &[&'a Objective]) -> Vec<&'a str> {
    objectives.iter().map(|objective| objective.id.as_str()).collect()
}
