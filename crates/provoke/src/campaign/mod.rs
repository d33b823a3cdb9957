//! The loop that joins objective, strategy, system and judge: [`Campaign::go_on`] and `one_run`, on one screen.

mod book;
mod clock;
mod event;
mod home;
mod lasso;
mod lent;
mod outcome;
mod pilot;
mod rerun;
mod shrink;
mod tell;

use std::rc::Rc;

use self::pilot::{Pilot, Run};
use self::tell::News;
use crate::game::{Gate, State};
use crate::letter::Outline;
use crate::monitor::{Judge, Ruling};
use crate::objective::{Arena, Hunt, Objective, Progress};
use crate::rng::Rng;
use crate::strategy::Strategy;
use crate::system::System;
use crate::trace::{RunEnd, Step, Trace};

pub use clock::Clock;
pub use event::{Event, Observer, Opening, Phase};
pub use lasso::{ConfirmedLasso, Lasso, Lassos, ROUNDS, confirm_lasso};
pub use lent::Loans;
pub use outcome::{Breakdown, Limits, Outcome, Tally, Unconfirmed};
pub use rerun::{Rerun, judged, rerun, rerun_patiently};
pub use shrink::{
    Bench, Budget, Confirmed, ConfirmedBreakdown, Oracle, Past, ShrinkLimits, Story, Told,
    confirm_and_shrink, confirm_breakdown, shortest_story,
};

/// How many times the usual patience a violation is tried again with where silence is part of it.
pub const PATIENTLY: u32 = 10;

/// A campaign: what it is made of, and what it has found so far.
///
/// The objective's type may be left open (`dyn Objective`); known, it is followed faster.
pub struct Campaign<'a, O: Objective + ?Sized = dyn Objective> {
    /// What is to be seen.
    pub objective: &'a mut O,
    /// Assumptions that the objective's arena does not know.
    pub gate: Gate,
    /// Assumptions about what happens some day, which are kept whatever the strategy picks; a violation counts only in a run that keeps
    /// them.
    pub loans: Loans,
    /// Judges every exchange, whether or not the arena knows the requirement.
    pub judge: Judge,
    /// What is tested.
    pub system: &'a mut dyn System,
    /// What picks the inputs.
    pub strategy: &'a mut dyn Strategy,
    /// When to stop. Runs and steps are those of each thing that is pursued, time is that of the whole campaign.
    pub limits: Limits,
    /// Whether to go on after a violation and collect one for each requirement.
    pub keep_going: bool,
    /// What is pursued for the rest of a run that violated a requirement which was collected before. Without it such a
    /// run ends, unless the objective's own arena goes on.
    pub aftermath: Option<Hunt>,
    /// Looks for violations that no finite run shows, between the other runs.
    pub lassos: Option<Lassos<'a>>,
    /// What strategies see of answers: not what is measured rather than said.
    pub outline: Outline,
    /// The master seed. Each thing that is pursued draws from a stream of its own, beginning with `stream`.
    pub seed: u64,
    /// The stream of the first thing that is pursued.
    pub stream: u64,
    /// What was found so far.
    pub outcome: Outcome,
    clock: Clock,
    rng: Rng,
    /// How many steps were looked at for triggers of requirements.
    looked_at: u64,
    /// How many steps belong to runs that may leave it to the system to keep a promise.
    dared: u64,
    /// How often it was waited for the system to keep a promise that it did not keep, and for how many steps.
    in_vain: (u32, u64),
    /// The place of what the strategy pursues.
    turned_to: Option<usize>,
    /// How many times the usual patience the system has with itself.
    patience: u32,
    trace: Trace,
    /// The same as strategies see it, where they do not see all of it.
    outlined: Trace,
    /// Where the run is played, and where it is there.
    arena: Rc<Arena>,
    at: State,
    /// Whether that is where the system is, as far as the arena knows.
    known: bool,
    run: Run,
    news: News,
}

/// Why a campaign stopped for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// What was pursued was covered.
    Covered,
    /// Requirements were violated that had not been: the last entries of [`Outcome::violations`], or of
    /// [`Outcome::lassos`].
    Violations,
    /// The system broke.
    Broken,
    /// The limits were reached, or there is nothing left to find.
    Nothing,
}

impl<'a, O: Objective + ?Sized> Campaign<'a, O> {
    /// A campaign that has done nothing yet. It ends with the first violation; see its fields.
    pub fn new(
        objective: &'a mut O,
        judge: Judge,
        system: &'a mut dyn System,
        strategy: &'a mut dyn Strategy,
        limits: Limits,
        seed: u64,
    ) -> Campaign<'a, O> {
        Campaign {
            outcome: Outcome::new(objective.len(), judge.requirements.len(), judge.len()),
            arena: Rc::new(objective.arena()),
            at: State(0),
            known: true,
            objective,
            gate: Gate::default(),
            loans: Loans::default(),
            judge,
            system,
            strategy,
            limits,
            keep_going: false,
            aftermath: None,
            lassos: None,
            outline: Outline::default(),
            seed,
            stream: 0,
            clock: Clock::new(limits.time),
            rng: Rng::new(seed),
            looked_at: 0,
            dared: 0,
            in_vain: (0, 0),
            turned_to: None,
            patience: 1,
            trace: Trace::with_capacity(limits.steps.min(1 << 16) as usize),
            outlined: Trace::new(),
            run: Run::default(),
            news: News::default(),
        }
    }

    /// Goes on until everything is covered, the system breaks, the limits are hit or, unless it keeps going, a
    /// requirement is violated.
    pub fn run(mut self, observer: &mut dyn Observer) -> std::io::Result<Outcome> {
        loop {
            match self.go_on(observer)? {
                Found::Violations if self.keep_going => {}
                Found::Covered if !self.is_done() => {}
                _ => return self.end(observer),
            }
        }
    }

    /// Says that the campaign is over and gives what it found.
    pub fn end(self, observer: &mut dyn Observer) -> std::io::Result<Outcome> {
        observer.on(&Event::CampaignEnded { outcome: &self.outcome })?;
        Ok(self.outcome)
    }

    /// Whether nothing is left to be pursued.
    pub fn is_done(&mut self) -> bool {
        self.judge.reset();
        self.objective.pursue(&mut self.judge).is_none()
    }

    /// Runs until something is found or there is nothing left; may be called again after violations and coverings.
    pub fn go_on(&mut self, observer: &mut dyn Observer) -> std::io::Result<Found> {
        while self.may_begin() {
            let end = self.one_run(observer)?;
            let end = self.go_home(end, observer)?;
            let end = self.at_the_end(end);
            self.book_run(&end);
            self.tell_end(end, observer)?;
            // Whatever a model says that is wrong itself is no finding; its fault is told by who asked for the campaign.
            if self.judge.requirements.fault().is_some() {
                return Ok(Found::Nothing);
            }
            match end {
                RunEnd::Covered => return Ok(Found::Covered),
                RunEnd::Violated(_) => return Ok(Found::Violations),
                RunEnd::Broken => return Ok(Found::Broken),
                _ if self.news.lassos < self.outcome.lassos.len() => {
                    self.news.lassos = self.outcome.lassos.len();
                    return Ok(Found::Violations);
                }
                RunEnd::Inconclusive | RunEnd::Unfair | RunEnd::Active | RunEnd::Lost => {}
            }
        }
        // That nothing was found is a verdict as well.
        Ok(if self.settled(RunEnd::Active) == RunEnd::Broken { Found::Broken } else { Found::Nothing })
    }

    /// One run: from reset to end, every exchange judged.
    fn one_run(&mut self, observer: &mut dyn Observer) -> std::io::Result<RunEnd> {
        if let Some(end) = self.reset(observer)? {
            return Ok(end);
        }
        let arena = Rc::clone(&self.arena);
        let scene = arena.scene();
        let mut now = self.objective.begin_run(&mut self.judge);
        (self.at, self.known) = (now.at, true);
        loop {
            if let Some(end) = self.is_over(now.progress) {
                return Ok(end);
            }
            if self.clock.tick() {
                self.tell_steps(observer)?;
                if !self.clock.has_time() {
                    return Ok(RunEnd::Active);
                }
            }
            let Some(input) = self.choose(scene, now.at) else { return Ok(RunEnd::Active) };
            let step = match self.system.exchange(input) {
                Ok(step) => self.judge.complete(step),
                Err(error) => return Ok(self.broken(error, Some(input))),
            };
            self.keep(step);
            self.outcome.steps += 1;
            let end = match self.judge.follow(&step) {
                Ruling::Kept => None,
                Ruling::Unfair => self.unfair(),
                Ruling::Violated => self.violated(),
            };
            // Where later runs go on past this violation, the strategy must know where it leads.
            if end.is_none() || self.objective.outlives_violations() && !self.run.followed {
                now = self.follow(scene, &step);
            }
            if let Some(end) = end.or_else(|| self.probed(&step)) {
                return Ok(end);
            }
        }
    }

    /// The answer broke an assumption: the arena does not know where that leads.
    #[cold]
    fn unfair(&mut self) -> Option<RunEnd> {
        self.known = false;
        Some(RunEnd::Unfair)
    }

    /// Adds a step to the run.
    #[inline(always)]
    fn keep(&mut self, step: Step) {
        self.trace.push(step);
        if !self.outline.is_whole() {
            self.outlined.push(step.outlined(&self.outline));
        }
    }

    /// Whether the run ends before its next step.
    #[inline(always)]
    fn is_over(&mut self, progress: Progress) -> Option<RunEnd> {
        match progress {
            Progress::Open(distance) if distance >= self.run.nearest => {}
            progress => {
                if let Some(end) = self.look_closer(progress) {
                    return Some(end);
                }
            }
        }
        (self.trace.len() as u32 == self.run.steps).then_some(RunEnd::Active)
    }

    /// The same where something is new: usually nothing is.
    #[inline(never)]
    fn look_closer(&mut self, progress: Progress) -> Option<RunEnd> {
        if self.passes(progress) {
            let end = self.cover();
            if end != RunEnd::Covered || progress == Progress::Covered {
                return Some(end);
            }
        }
        match progress {
            Progress::Open(distance) => self.note(distance),
            Progress::Cornered => self.leave_strategy(Pilot::Chance),
            Progress::Over => {
                self.known = false;
                return Some(RunEnd::Inconclusive);
            }
            Progress::Lost => return Some(RunEnd::Inconclusive),
            Progress::Spent
                if self.run.pilot == Pilot::Strategy && self.strategy.goes_on_when_all_is_settled() => {}
            Progress::Spent => return Some(RunEnd::Active),
            Progress::Covered => {}
        }
        None
    }

    /// Whether another run may begin. What has had its share of runs and steps is not pursued any longer.
    fn may_begin(&mut self) -> bool {
        self.judge.reset();
        if self.outcome.stranded {
            return false;
        }
        while let Some(place) = self.objective.pursue(&mut self.judge) {
            if !self.clock.has_time() {
                return false;
            }
            self.turn_to(place);
            if self.objective.has_moved_on() {
                self.strategy.look_anew(&*self.arena.game, &*self.arena.guide);
            }
            let Tally { runs, steps, .. } = self.outcome.objectives[place];
            let has_share = runs < self.limits.runs && steps < self.limits.total_steps;
            let most = self.limits.steps_of(runs);
            if has_share && let Some((most, own)) = self.begin_probe(self.limits.total_steps - steps) {
                self.begin_run(most);
                self.run.pilot = Pilot::Probe;
                self.run.left_strategy = (!own).then_some(0);
                return true;
            }
            if has_share && self.strategy.begin_run(runs, most) {
                let left = self.limits.total_steps - steps;
                self.begin_run(u64::from(most).min(left) as u32);
                return true;
            }
            self.objective.give_up();
        }
        false
    }

    fn turn_to(&mut self, place: usize) {
        if self.turned_to != Some(place) {
            self.rng = Rng::stream(self.seed, self.stream.wrapping_add(place as u64));
            self.arena = Rc::new(self.objective.arena());
            if self.turned_to.is_some() {
                self.strategy.turn_to(&*self.arena.game, &*self.arena.guide);
            }
            self.turned_to = Some(place);
        }
    }
}
