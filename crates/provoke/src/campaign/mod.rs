//! The loop that joins game, strategy, system and judge: [`Campaign::go_on`] and `one_run`, on one screen.

mod attempt;
mod clock;
mod event;
mod shrink;

use std::time::Duration;

use crate::game::{Game, Gate, Guide, Next, State, Tier};
use crate::letter::Letter;
use crate::monitor::{Judge, Ruling, Verdict};
use crate::rng::Rng;
use crate::strategy::{Strategy, View};
use crate::system::{System, SystemError};
use crate::trace::{RunEnd, Step, Trace};

pub use attempt::{Attempt, attempt, judged};
pub use clock::Clock;
pub use event::{Event, Observer, Progress};
pub use shrink::{
    Bench, Budget, Confirmed, ConfirmedBreakdown, Oracle, ShrinkLimits, Story, Told, confirm_and_shrink,
    confirm_breakdown, shortest_story,
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

/// A campaign: what it is made of, and what it has found so far.
pub struct Campaign<'a> {
    /// The arena.
    pub game: &'a dyn Game,
    /// The objective, solved on it.
    pub guide: &'a dyn Guide,
    /// Assumptions that the arena does not know.
    pub gate: Gate,
    /// Judges every exchange, whether or not the game knows the requirement.
    pub judge: Judge,
    /// What is tested.
    pub system: &'a mut dyn System,
    /// What picks the inputs.
    pub strategy: &'a mut dyn Strategy,
    /// When to stop.
    pub limits: Limits,
    /// Whether there is no objective but to find violations.
    pub hunting: bool,
    /// Whether to go on after a violation and collect one for each requirement.
    pub keep_going: bool,
    /// With an objective: what may be sent once a run has violated a requirement that was collected before. Without it
    /// such a run ends.
    pub aftermath: Option<&'a dyn Game>,
    /// Where all randomness comes from.
    pub rng: Rng,
    /// What was found so far.
    pub outcome: Outcome,
    clock: Clock,
    trace: Trace,
    /// For each requirement, whether a violation of it has been collected.
    collected: Vec<bool>,
    /// A requirement that may still be violated in this run, as far as was known when it was last looked for.
    witness: usize,
    /// Whether a requirement may be settled before a run ends.
    settles: bool,
    run: Run,
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
    /// For each requirement, how many runs violated it.
    pub violating_runs: Vec<u64>,
    /// For each requirement, whether some run put it to the test.
    pub tested: Vec<bool>,
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
    /// The exchanges before it.
    pub trace: Trace,
    /// The input that was not answered; none where the reset failed or the system spoke out of turn.
    pub unanswered: Option<Letter>,
    /// The last lines of its stderr.
    pub last_words: Vec<String>,
}

/// Why a campaign stopped for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The objective was covered.
    Covered,
    /// Requirements were violated that had not been: the last entries of [`Outcome::violations`].
    Violations,
    /// The system broke.
    Broken,
    /// A limit was reached, or there is nothing left to find.
    Nothing,
}

/// How a run stands besides its trace.
#[derive(Clone, Copy, Debug)]
struct Run {
    at: State,
    pilot: Pilot,
    /// How many steps the strategy knew of when it was left behind.
    left_strategy: Option<usize>,
}

/// Who chooses the inputs, and in which game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pilot {
    /// The strategy.
    Strategy,
    /// Chance, because the strategy cannot go on.
    Chance,
    /// Chance, in the game of what may be sent after a violation.
    Aftermath,
}

impl<'a> Campaign<'a> {
    /// A campaign that has done nothing yet. It has an objective and ends with the first violation; see its fields.
    pub fn new(
        game: &'a dyn Game,
        guide: &'a dyn Guide,
        judge: Judge,
        system: &'a mut dyn System,
        strategy: &'a mut dyn Strategy,
        limits: Limits,
        rng: Rng,
    ) -> Campaign<'a> {
        let (requirements, judge_settles) = (judge.requirements.len(), judge.requirements.can_settle());
        let (violating_runs, tested) = (vec![0; requirements], vec![false; requirements]);
        Campaign {
            game,
            guide,
            gate: Gate::default(),
            judge,
            system,
            strategy,
            limits,
            hunting: false,
            keep_going: false,
            aftermath: None,
            rng,
            outcome: Outcome { violating_runs, tested, ..Outcome::default() },
            clock: Clock::new(limits.time),
            trace: Trace::with_capacity(limits.steps.min(1 << 16) as usize),
            collected: vec![false; requirements],
            witness: 0,
            settles: judge_settles,
            run: Run { at: State(0), pilot: Pilot::Strategy, left_strategy: None },
        }
    }

    /// Goes on until the objective is covered, the system breaks, a limit is hit or, unless it keeps going, a
    /// requirement is violated.
    pub fn run(mut self, observer: &mut dyn Observer) -> std::io::Result<Outcome> {
        while self.go_on(observer)? == Found::Violations && self.keep_going {}
        self.end(observer)
    }

    /// Says that the campaign is over and gives what it found.
    pub fn end(self, observer: &mut dyn Observer) -> std::io::Result<Outcome> {
        observer.on(&Event::Ended { outcome: &self.outcome })?;
        Ok(self.outcome)
    }

    /// Does not look for violations of this requirement any more: one is known.
    pub fn retire(&mut self, requirement: usize) {
        self.collected[requirement] = true;
    }

    /// Runs until something is found or there is nothing left; may be called again after violations.
    pub fn go_on(&mut self, observer: &mut dyn Observer) -> std::io::Result<Found> {
        while self.may_begin() {
            self.outcome.runs += 1;
            let end = self.one_run(observer)?;
            let known = self.run.left_strategy.unwrap_or(self.trace.len());
            self.strategy.end_run(&end, &self.trace[..known]);
            if end != RunEnd::Lost {
                self.note_run();
            }
            let Campaign { trace, outcome, .. } = &*self;
            observer.on(&Event::RunEnded { run: outcome.runs, end, trace, outcome })?;
            match end {
                RunEnd::Covered => {
                    self.outcome.covered = Some(self.trace.clone());
                    return Ok(Found::Covered);
                }
                RunEnd::Violated(_) => return Ok(Found::Violations),
                RunEnd::Broken => return Ok(Found::Broken),
                RunEnd::Inconclusive => self.outcome.inconclusive += 1,
                RunEnd::Active | RunEnd::Lost => {}
            }
        }
        // That nothing was found is a verdict as well.
        Ok(if self.settled(RunEnd::Active) == RunEnd::Broken { Found::Broken } else { Found::Nothing })
    }

    fn may_begin(&mut self) -> bool {
        let Limits { runs, total_steps, .. } = self.limits;
        self.judge.reset();
        let mut violated = self.outcome.violations.iter();
        let reached = violated.any(|(found, _)| self.guide.reached_by_violating(*found));
        !reached
            && (!self.hunting || self.may_find())
            && self.outcome.runs < runs
            && self.outcome.steps < total_steps
            && self.clock.has_time()
            && self.strategy.begin_run(self.outcome.runs, self.limits.steps_of(self.outcome.runs))
    }

    /// One run: from reset to end, every exchange judged.
    fn one_run(&mut self, observer: &mut dyn Observer) -> std::io::Result<RunEnd> {
        self.trace.clear();
        self.run = Run { at: self.game.initial(), pilot: Pilot::Strategy, left_strategy: None };
        if let Err(error) = self.system.reset() {
            return Ok(self.broken(error, None));
        }
        self.judge.reset();
        self.gate.reset();
        let steps = self.limits.steps_of(self.outcome.runs - 1);
        loop {
            if let Some(end) = self.is_over(steps) {
                return Ok(end);
            }
            if self.clock.tick() {
                let Campaign { trace, outcome, .. } = &*self;
                observer.on(&Event::Tick { outcome, trace_len: trace.len() })?;
                if !self.clock.has_time() {
                    return Ok(RunEnd::Active);
                }
            }
            let Some(input) = self.choose() else { return Ok(RunEnd::Active) };
            let output = match self.system.step(input) {
                Ok(output) => output,
                Err(error) => return Ok(self.broken(error, Some(input))),
            };
            let step = Step { input, output };
            self.trace.push(step);
            self.outcome.steps += 1;
            let end = match self.judge.follow(&step) {
                Ruling::Kept => None,
                Ruling::Unfair => Some(RunEnd::Inconclusive),
                Ruling::Violated => self.violated(),
            };
            // Where later runs go on past this violation, the strategy must know where it leads.
            let is_followed = end.is_none() || self.hunting && self.keep_going;
            let goes_on = is_followed && self.follow(&step);
            if end.is_some() || !goes_on {
                return Ok(end.unwrap_or(RunEnd::Inconclusive));
            }
        }
    }

    /// Whether the run ends before its next step.
    #[inline(always)]
    fn is_over(&mut self, steps: u32) -> Option<RunEnd> {
        if self.run.pilot != Pilot::Aftermath {
            match self.guide.distance(self.run.at) {
                Some(0) => return Some(self.settled(RunEnd::Covered)),
                Some(distance) if self.outcome.best_distance.is_some_and(|best| best <= distance) => {}
                Some(distance) => self.outcome.best_distance = Some(distance),
                // The objective is lost, but not the game: the system can be forced into a violation.
                None if self.guide.rank(self.run.at) == Some(0) => self.leave_strategy(Pilot::Chance),
                None => return Some(RunEnd::Inconclusive),
            }
        }
        let spent = self.trace.len() as u32 == steps || self.outcome.steps == self.limits.total_steps;
        let looks = (self.settles || self.keep_going) && (self.hunting || self.run.pilot == Pilot::Aftermath);
        (spent || looks && !self.may_find()).then_some(RunEnd::Active)
    }

    /// Whether some requirement may still be violated in this run, and no violation of it is known. Without any
    /// requirement there are still systems that break.
    #[inline]
    fn may_find(&mut self) -> bool {
        let requirements = self.collected.len();
        if requirements == 0 {
            return true;
        }
        let open = |&requirement: &usize| {
            let verdict = self.judge.requirements.verdict(requirement);
            !self.collected[requirement] && matches!(verdict, Verdict::SoFarGood | Verdict::SoFarBad)
        };
        if open(&self.witness) {
            return true;
        }
        let other = (0..requirements).find(open);
        self.witness = other.unwrap_or(0);
        other.is_some()
    }

    /// The next input: the strategy's, unless it was left behind.
    #[inline(always)]
    fn choose(&mut self) -> Option<Letter> {
        if self.run.pilot != Pilot::Strategy {
            return self.by_chance();
        }
        let view = View { at: self.run.at, game: self.game, trace: &self.trace };
        let chosen = self.strategy.choose(&view, &mut self.rng);
        if !self.gate.is_open() && chosen.is_some_and(|input| !self.gate.allows(input)) {
            self.leave_strategy(Pilot::Chance);
            return self.by_chance();
        }
        chosen
    }

    /// Any input that may be sent; where the objective is lost, one that forces a violation.
    #[cold]
    fn by_chance(&mut self) -> Option<Letter> {
        let at = self.run.at;
        let inputs = match (self.run.pilot, self.aftermath) {
            (Pilot::Aftermath, Some(aftermath)) => aftermath.inputs(at),
            _ if self.guide.distance(at).is_none() => self.guide.inputs(at, Tier::Forcing),
            _ => self.game.inputs(at),
        };
        const TRIES: usize = 64;
        let mut drawn = (0..TRIES).map_while(|_| inputs.sample(&mut self.rng));
        drawn.find(|&input| self.gate.allows(input))
    }

    fn leave_strategy(&mut self, pilot: Pilot) {
        self.run.pilot = pilot;
        self.run.left_strategy = self.run.left_strategy.or(Some(self.trace.len()));
    }

    /// Moves on after a step; false where the game ends without a verdict.
    #[inline(always)]
    fn follow(&mut self, step: &Step) -> bool {
        if !self.gate.is_open() {
            self.gate.follow(step);
        }
        let game = match (self.run.pilot, self.aftermath) {
            (Pilot::Aftermath, Some(aftermath)) => aftermath,
            _ => self.game,
        };
        let Next::To(next) = game.next(self.run.at, step.input, step.output) else { return false };
        self.run.at = next;
        if self.run.pilot == Pilot::Strategy {
            self.strategy.observe(step, next);
        }
        true
    }

    /// Books what the last step broke. It ends the run unless it was all known before.
    #[cold]
    fn violated(&mut self) -> Option<RunEnd> {
        let broken = self.judge.take();
        broken.iter().for_each(|&requirement| self.outcome.violating_runs[requirement] += 1);
        let new: Vec<usize> =
            broken.into_iter().filter(|&requirement| !self.collected[requirement]).collect();
        let wanted = new.iter().find(|&&new| self.guide.reached_by_violating(new));
        let Some(&first) = wanted.or(new.first()) else {
            self.go_on_past_violation();
            return None;
        };
        let end = self.settled(RunEnd::Violated(first));
        if end != RunEnd::Broken {
            new.iter().for_each(|&requirement| self.collected[requirement] = true);
            self.outcome.violations.extend(new.into_iter().map(|new| (new, self.trace.clone())));
        }
        Some(end)
    }

    /// No objective is covered after a violation: with one, what is left of the run is played in the game of what may
    /// be sent.
    fn go_on_past_violation(&mut self) {
        if let (Some(aftermath), Some((_, before))) = (self.aftermath, self.trace.split_last())
            && self.run.pilot != Pilot::Aftermath
            && let Next::To(at) = after(aftermath, before)
        {
            self.leave_strategy(Pilot::Aftermath);
            self.run.at = at;
        }
    }

    /// Notes what a run leaves behind: obligations that stay open, which are not violations because they may have
    /// been met later, and requirements that were put to the test.
    fn note_run(&mut self) {
        let Outcome { pending, tested, .. } = &mut self.outcome;
        for (requirement, age) in self.judge.open_obligations() {
            match pending.iter_mut().find(|(known, _)| *known == requirement) {
                Some((_, oldest)) => *oldest = age.max(*oldest),
                None => pending.push((requirement, age)),
            }
        }
        for (requirement, tested) in tested.iter_mut().enumerate().filter(|(_, tested)| !**tested) {
            *tested = self.judge.requirements.is_tested_by(requirement, &self.trace);
        }
    }

    /// A verdict stands only once the system is known to have answered in turn.
    fn settled(&mut self, end: RunEnd) -> RunEnd {
        match self.system.settle() {
            Ok(()) => end,
            Err(error) => self.broken(error, None),
        }
    }

    fn broken(&mut self, error: SystemError, unanswered: Option<Letter>) -> RunEnd {
        if error == SystemError::Interrupted {
            return RunEnd::Active;
        }
        if self.system.retry(&error) {
            return RunEnd::Lost;
        }
        let last_words = self.system.last_words();
        self.outcome.broken = Some(Breakdown { error, trace: self.trace.clone(), unanswered, last_words });
        RunEnd::Broken
    }
}

/// Where a game is after a whole run.
fn after(game: &dyn Game, trace: &[Step]) -> Next {
    trace.iter().fold(Next::To(game.initial()), |at, step| match at {
        Next::To(at) => game.next(at, step.input, step.output),
        over => over,
    })
}
