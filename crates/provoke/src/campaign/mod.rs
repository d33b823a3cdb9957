//! The loop that joins game, strategy, system and monitors: [`Campaign::run`] and `one_run`, on one screen.

mod clock;
mod event;
mod shrink;

use std::time::Duration;

use crate::game::{Game, Guide, Next, State};
use crate::monitor::{Monitors, Verdict};
use crate::rng::Rng;
use crate::strategy::{Strategy, View};
use crate::system::{System, SystemError};
use crate::trace::{RunEnd, Step, Trace};

pub use clock::Clock;
pub use event::{Event, Observer, Progress};
pub use shrink::{
    Attempt, Budget, Confirmed, Judge, Oracle, ShrinkLimits, Story, confirm_and_shrink, shortest_story,
};

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Runs in all.
    pub runs: u64,
    /// Steps in one run: K in paper 1.
    pub steps: u32,
    /// After so many runs, runs may take as many steps more, and so on; 0 for never. A K that grows
    /// without bound reaches every objective that can be reached.
    pub grow: u64,
    /// Steps in all.
    pub total_steps: u64,
    /// Wall time in all.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { runs: 10_000, steps: 250, grow: 0, total_steps: u64::MAX, time: None }
    }
}

impl Limits {
    /// Steps that this run may take; runs count from 0.
    pub fn steps_of(&self, run: u64) -> u32 {
        let grown = run.checked_div(self.grow).unwrap_or(0).saturating_add(1);
        u64::from(self.steps).saturating_mul(grown).min(u64::from(u32::MAX)) as u32
    }
}

/// What a campaign is made of.
pub struct Campaign<'a> {
    /// The arena.
    pub game: &'a dyn Game,
    /// The objective, solved on it.
    pub guide: &'a dyn Guide,
    /// One monitor for each requirement, whether or not the game knows it.
    pub monitors: Monitors,
    /// One monitor for each assumption about the environment.
    pub assumptions: Monitors,
    /// What is tested.
    pub system: &'a mut dyn System,
    /// What picks the inputs.
    pub strategy: &'a mut dyn Strategy,
    /// When to stop.
    pub limits: Limits,
    /// Whether to go on after a violation and collect one for each requirement.
    pub keep_going: bool,
    /// Where all randomness comes from.
    pub rng: Rng,
}

/// What a campaign found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Runs begun.
    pub runs: u64,
    /// Exchanges in all.
    pub steps: u64,
    /// The trace that reached the objective.
    pub covered: Option<Trace>,
    /// The first violating trace of each requirement: its number, and the trace.
    pub violations: Vec<(usize, Trace)>,
    /// What was wrong with the system, and the exchanges that led there.
    pub broken: Option<Breakdown>,
    /// The smallest distance to the objective that was seen.
    pub best_distance: Option<u32>,
    /// Runs that ended because the objective was out of reach.
    pub inconclusive: u64,
    /// Requirements with an obligation that was still open when a run ended, though no assumption was: the
    /// requirement's number, and the most steps it had been open.
    pub pending: Vec<(usize, u32)>,
}

/// A system that crashed, hung or broke the protocol.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// What happened.
    pub error: SystemError,
    /// The exchanges before it, and the input that was not answered.
    pub trace: Trace,
    /// That input; none where the reset failed.
    pub unanswered: Option<crate::letter::Letter>,
    /// The last lines of its stderr.
    pub last_words: Vec<String>,
}

impl Campaign<'_> {
    /// Runs until the objective is covered, a requirement is violated, the system breaks or a limit is hit.
    pub fn run(mut self, observer: &mut dyn Observer) -> std::io::Result<Outcome> {
        let mut outcome = Outcome::default();
        let mut clock = Clock::new(self.limits.time);
        let mut trace = Trace::with_capacity(self.limits.steps.min(1 << 16) as usize);
        while outcome.runs < self.limits.runs
            && outcome.steps < self.limits.total_steps
            && clock.has_time()
            && self.strategy.begin_run(outcome.runs, self.limits.steps_of(outcome.runs))
        {
            outcome.runs += 1;
            let end = self.one_run(&mut trace, &mut outcome, &mut clock, observer)?;
            self.strategy.end_run(&end, &trace);
            self.note_open_obligations(&mut outcome);
            observer.on(&Event::RunEnded { run: outcome.runs, end, trace: &trace, outcome: &outcome })?;
            match end {
                RunEnd::Covered => outcome.covered = Some(trace.clone()),
                RunEnd::Violated(requirement) => {
                    if outcome.violations.iter().all(|&(known, _)| known != requirement) {
                        outcome.violations.push((requirement, trace.clone()));
                    }
                    if self.keep_going && outcome.violations.len() < self.monitors.len() {
                        continue;
                    }
                }
                RunEnd::Inconclusive => {
                    outcome.inconclusive += 1;
                    continue;
                }
                RunEnd::Active => continue,
                RunEnd::Broken => {}
            }
            break;
        }
        // That nothing was found is a verdict as well.
        if outcome.broken.is_none() && outcome.covered.is_none() && outcome.violations.is_empty() {
            self.settled(RunEnd::Active, &trace, &mut outcome);
        }
        observer.on(&Event::Ended { outcome: &outcome })?;
        Ok(outcome)
    }

    fn one_run(
        &mut self,
        trace: &mut Trace,
        outcome: &mut Outcome,
        clock: &mut Clock,
        observer: &mut dyn Observer,
    ) -> std::io::Result<RunEnd> {
        trace.clear();
        if let Err(error) = self.system.reset() {
            return Ok(self.broken(error, None, trace, outcome));
        }
        self.monitors.reset();
        self.assumptions.reset();
        let mut at = self.game.initial();
        let steps = self.limits.steps_of(outcome.runs - 1);
        loop {
            match self.guide.distance(at) {
                Some(0) => return Ok(self.settled(RunEnd::Covered, trace, outcome)),
                Some(distance) if outcome.best_distance.is_some_and(|best| best <= distance) => {}
                Some(distance) => outcome.best_distance = Some(distance),
                None => return Ok(RunEnd::Inconclusive),
            }
            if trace.len() as u32 == steps || outcome.steps == self.limits.total_steps {
                return Ok(RunEnd::Active);
            }
            if clock.tick() {
                observer.on(&Event::Tick { outcome, trace_len: trace.len() })?;
                if !clock.has_time() {
                    return Ok(RunEnd::Active);
                }
            }
            let view = View { at, game: self.game, trace };
            let Some(input) = self.strategy.choose(&view, &mut self.rng) else { return Ok(RunEnd::Active) };
            let output = match self.system.step(input) {
                Ok(output) => output,
                Err(error) => return Ok(self.broken(error, Some(input), trace, outcome)),
            };
            let step = Step { input, output };
            trace.push(step);
            outcome.steps += 1;
            match self.judge(at, &step) {
                Next::To(next) => at = next,
                Next::Violates(requirement) => {
                    let end = RunEnd::Violated(requirement);
                    // Only a first violation is reported, so only that must be sure.
                    let known = outcome.violations.iter().any(|&(known, _)| known == requirement);
                    return Ok(if known { end } else { self.settled(end, trace, outcome) });
                }
                Next::Unfair => return Ok(RunEnd::Inconclusive),
            }
            self.strategy.observe(&step, at);
        }
    }

    /// Every monitor sees the step. Where the environment broke an assumption nobody is to blame; otherwise the
    /// first requirement to object decides, and where none does the game moves on.
    #[inline]
    fn judge(&mut self, at: State, step: &Step) -> Next {
        let unfair = self.assumptions.violates(step);
        match self.monitors.violates(step).then(|| self.monitors.all(Verdict::Violated).next()).flatten() {
            _ if unfair => Next::Unfair,
            Some(requirement) => Next::Violates(requirement),
            None => self.game.next(at, step.input, step.output),
        }
    }

    /// Notes for how long obligations were open at the end of a run. Not a violation: they may have been met
    /// later. While a liveness assumption is open itself, it is not the system's turn.
    fn note_open_obligations(&self, outcome: &mut Outcome) {
        let open = [Verdict::SoFarBad, Verdict::Violated];
        if open.iter().any(|&verdict| self.assumptions.all(verdict).next().is_some()) {
            return;
        }
        for requirement in self.monitors.all(Verdict::SoFarBad) {
            let age = self.monitors.open_for(requirement);
            if age == 0 {
                // The run ended before its first step.
                continue;
            }
            match outcome.pending.iter_mut().find(|(known, _)| *known == requirement) {
                Some((_, oldest)) => *oldest = age.max(*oldest),
                None => outcome.pending.push((requirement, age)),
            }
        }
    }

    /// A verdict stands only once the system is known to have answered in turn.
    fn settled(&mut self, end: RunEnd, trace: &Trace, outcome: &mut Outcome) -> RunEnd {
        match self.system.settle() {
            Ok(()) => end,
            Err(error) => self.broken(error, None, trace, outcome),
        }
    }

    fn broken(
        &mut self,
        error: SystemError,
        unanswered: Option<crate::letter::Letter>,
        trace: &Trace,
        outcome: &mut Outcome,
    ) -> RunEnd {
        let last_words = self.system.last_words();
        outcome.broken = Some(Breakdown { error, trace: trace.clone(), unanswered, last_words });
        RunEnd::Broken
    }
}
