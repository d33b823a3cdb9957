//! A whole test session: saved violations first, then the objectives one after another.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::campaign::{Campaign, Clock, Judge, Limits, Observer, Outcome, ShrinkLimits, confirm_and_shrink};
use crate::game::{Game, Unguided};
use crate::letter::Interface;
use crate::monitor::Monitors;
use crate::report::{ObjectiveReport, Overall, Report, SystemReport, ViolationReport};
use crate::rng::Rng;
use crate::specification::{Goal, Guidance, Objective, STATE_LIMIT, Specification};
use crate::strategy::{Knowledge, Options, Replay, Strategy, StrategyEntry};
use crate::system::{System, SystemError};
use crate::trace::Trace;

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
        }
    }
}

/// A violation from an earlier session: where it was saved, and its trace.
pub struct Saved {
    /// The file.
    pub path: PathBuf,
    /// What was saved.
    pub trace: Trace,
}

/// Why a session could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No game could be built.
    #[error(transparent)]
    Guidance(#[from] crate::specification::GuidanceError),
    /// No system whatever could cover the objective.
    #[error("objective `{0}` cannot be reached: no system that keeps the requirements ever gets there")]
    Unreachable(String),
    /// The observer could not go on.
    #[error("failed to report progress: {0}")]
    Observer(#[from] std::io::Error),
}

/// Tests a system against a specification: first the saved violations, then each objective in turn; without
/// objectives, one campaign that only looks for violations.
pub fn test(
    specification: &Specification,
    objectives: &[&Objective],
    saved: &[Saved],
    system: &mut dyn System,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Report, SessionError> {
    let mut session = Session {
        specification,
        monitors: specification.monitors(),
        assumptions: specification.assumption_monitors(),
        system,
        settings,
        clock: Clock::new(settings.limits.time),
        report: blank_report(settings),
    };
    let started = Instant::now();
    session.replay_saved(saved, observer)?;
    if objectives.is_empty() && !session.is_over() {
        session.pursue(None, observer)?;
    }
    for (place, objective) in objectives.iter().enumerate() {
        if session.is_over() {
            session.report.objectives.push(not_tried(objective));
        } else {
            session.pursue(Some((place, objective)), observer)?;
        }
    }
    let mut report = session.report;
    report.reset_steps = session.system.reset_steps();
    report.seconds = started.elapsed().as_secs_f64();
    report.verdict = verdict(&report);
    Ok(report)
}

struct Session<'a> {
    specification: &'a Specification,
    monitors: Monitors,
    assumptions: Monitors,
    system: &'a mut dyn System,
    settings: &'a Settings,
    clock: Clock,
    report: Report,
}

impl Session<'_> {
    fn is_over(&self) -> bool {
        let violated = !self.report.violations.is_empty() && !self.settings.keep_going;
        violated || self.report.system.is_some() || !self.clock.has_time()
    }

    fn replay_saved(&mut self, saved: &[Saved], observer: &mut dyn Observer) -> Result<(), SessionError> {
        if saved.is_empty() {
            return Ok(());
        }
        let guidance = self.specification.guidance(None, self.settings.state_limit)?;
        for (place, Saved { path, trace }) in saved.iter().enumerate() {
            if self.is_over() {
                return Ok(());
            }
            let mut strategy = Replay::new(vec![trace.clone()]);
            let limits = Limits { runs: 1, steps: u32::MAX, ..self.settings.limits };
            let before = self.report.violations.len();
            let rng = Rng::stream(self.settings.seed, u64::MAX - place as u64);
            self.campaign(&guidance, &Unguided(guidance.game.clone()), &mut strategy, limits, rng, observer)?;
            if self.report.violations.len() == before && self.report.system.is_none() {
                self.report.no_longer.push(path.display().to_string());
            }
        }
        Ok(())
    }

    fn pursue(
        &mut self,
        objective: Option<(usize, &Objective)>,
        observer: &mut dyn Observer,
    ) -> Result<(), SessionError> {
        let (place, wanted) = (objective.map_or(0, |(place, _)| place), objective.map(|(_, wanted)| wanted));
        let guidance = self.specification.guidance(wanted, self.settings.state_limit)?;
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
        let limits = Limits { time: self.time_left(), ..self.settings.limits };
        let rng = Rng::stream(self.settings.seed, place as u64);
        let guide = guidance.guide.clone();
        let outcome = self.campaign(&guidance, &*guide, &mut *strategy, limits, rng, observer)?;
        self.report.strategy_bytes = self.report.strategy_bytes.max(strategy.memory());
        if let Some(wanted) = wanted {
            self.report.objectives.push(self.judged(wanted, outcome));
        }
        Ok(())
    }

    fn time_left(&self) -> Option<Duration> {
        self.settings.limits.time.map(|limit| limit.saturating_sub(self.clock.elapsed()))
    }

    /// Runs one campaign and books what it found; violations are confirmed and shrunk at once.
    fn campaign(
        &mut self,
        guidance: &Guidance,
        guide: &dyn crate::game::Guide,
        strategy: &mut dyn Strategy,
        limits: Limits,
        rng: Rng,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, SessionError> {
        let campaign = Campaign {
            game: &*guidance.game,
            guide,
            monitors: self.monitors.clone(),
            assumptions: self.assumptions.clone(),
            system: &mut *self.system,
            strategy,
            limits,
            keep_going: self.settings.keep_going,
            rng,
        };
        let mut outcome = campaign.run(observer)?;
        self.report.runs += outcome.runs;
        self.report.resets += outcome.runs;
        self.report.steps += outcome.steps;
        if let Some(breakdown) = &outcome.broken {
            self.report.system = Some(SystemReport {
                error: breakdown.error.to_string(),
                trace: breakdown.trace.clone(),
                unanswered: breakdown.unanswered.map(|input| self.interface().inputs.show(input).to_string()),
                stderr: breakdown.last_words.clone(),
            });
        }
        for &(requirement, age) in &outcome.pending {
            let id = &self.specification.requirements[requirement].id;
            match self.report.pending.iter_mut().find(|(known, _)| known == id) {
                Some((_, oldest)) => *oldest = age.max(*oldest),
                None => self.report.pending.push((id.clone(), age)),
            }
        }
        outcome.violations.retain(|(requirement, trace)| {
            let id = &self.specification.requirements[*requirement].id;
            if self.report.violations.iter().any(|known| known.requirement == *id) {
                return true;
            }
            let violation = self.confirm(guidance, *requirement, trace);
            let believed = violation.is_some();
            self.report.violations.extend(violation);
            believed
        });
        Ok(outcome)
    }

    /// The violation after it was tried again; none where it cannot be believed.
    fn confirm(&mut self, guidance: &Guidance, requirement: usize, trace: &Trace) -> Option<ViolationReport> {
        let mut judge = Judge {
            game: &*guidance.game,
            monitors: self.monitors.clone(),
            assumptions: self.assumptions.clone(),
            system: &mut *self.system,
        };
        let inputs = &self.specification.interface().inputs;
        let confirmed = confirm_and_shrink(&mut judge, inputs, requirement, trace, self.settings.shrink);
        let requirement = &self.specification.requirements[requirement];
        let mut violation = ViolationReport {
            requirement: requirement.id.clone(),
            text: requirement.text.clone(),
            trace: trace.clone(),
            original_len: trace.len(),
            reproduced: (0, 0),
            saved: None,
        };
        match confirmed {
            Ok(confirmed) => {
                self.report.resets += confirmed.extra.0;
                self.report.shrink_resets += confirmed.extra.0;
                self.report.shrink_steps += confirmed.extra.1;
                if let Some(error) = confirmed.broken {
                    self.report.system = Some(self.broke_while_confirming(&error, &confirmed.trace));
                }
                violation.trace = confirmed.trace;
                violation.reproduced = confirmed.reproduced;
            }
            // The violation was seen; that the system broke while it was tried again does not undo it, unless
            // it turns out that its answers may have been shifted against our inputs.
            Err(error) => {
                self.report.system = Some(self.broke_while_confirming(&error, trace));
                if error.is_out_of_turn() {
                    return None;
                }
            }
        }
        Some(violation)
    }

    fn broke_while_confirming(&self, error: &SystemError, trace: &Trace) -> SystemReport {
        SystemReport {
            error: format!("while confirming a violation: {error}"),
            trace: trace.clone(),
            unanswered: None,
            stderr: self.system.last_words(),
        }
    }

    fn judged(&self, objective: &Objective, outcome: Outcome) -> ObjectiveReport {
        // Where the objective is a violation, finding it covers the objective.
        let violating = match objective.goal {
            Goal::Violation(wanted) => outcome.violations.iter().find(|(found, _)| *found == wanted),
            _ => None,
        };
        let trace = outcome.covered.or_else(|| violating.map(|(_, trace)| trace.clone()));
        ObjectiveReport {
            id: objective.id.clone(),
            covered: trace.is_some(),
            best_distance: if trace.is_some() { Some(0) } else { outcome.best_distance },
            trace,
            runs: outcome.runs,
            steps: outcome.steps,
        }
    }

    fn interface(&self) -> &Interface {
        self.specification.interface()
    }
}

fn not_tried(objective: &Objective) -> ObjectiveReport {
    let id = objective.id.clone();
    ObjectiveReport { id, covered: false, best_distance: None, trace: None, runs: 0, steps: 0 }
}

fn blank_report(settings: &Settings) -> Report {
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
        no_longer: Vec::new(),
        system: None,
        pending: Vec::new(),
        not_guiding: Vec::new(),
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
