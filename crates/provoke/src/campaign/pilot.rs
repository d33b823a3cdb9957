//! Who chooses the inputs of a run: the strategy, unless it was left behind.

use super::{Campaign, Lassos};
use crate::game::{State, Tier};
use crate::letter::Letter;
use crate::objective::{Now, Objective, Progress, Scene};
use crate::strategy::{Suspicion, View};
use crate::trace::{RunEnd, Step};

/// Of very many inputs, so many are listed.
const MOST_LISTED: usize = 32;

/// A run as strategies see it: its outline, where there is one.
#[inline(always)]
pub(super) fn seen<'a>(trace: &'a [Step], outlined: &'a [Step]) -> &'a [Step] {
    if outlined.is_empty() { trace } else { outlined }
}

/// How a run stands besides its trace.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    /// The most steps it may take.
    pub(super) steps: u32,
    /// Being this far from what is pursued, or farther, is nothing new.
    pub(super) nearest: u32,
    pub(super) pilot: Pilot,
    /// Whether it may be left to the system to keep a promise.
    pub(super) dares: bool,
    /// Whether the arena and the strategy know of the last step already.
    pub(super) followed: bool,
    /// How many steps the strategy knew of when it was left behind.
    pub(super) left_strategy: Option<usize>,
}

/// Who chooses the inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Pilot {
    /// The strategy.
    #[default]
    Strategy,
    /// Chance, because the strategy cannot go on.
    Chance,
    /// Chance, in what comes after a violation.
    Aftermath,
    /// The candidate of a lasso.
    Probe,
}

impl<O: Objective + ?Sized> Campaign<'_, O> {
    /// The next input: what was picked, unless the system has waited too long for something else that it was promised.
    #[inline(always)]
    pub(super) fn choose(&mut self, scene: Scene<'_>, at: State) -> Option<Letter> {
        let picked = self.pick(scene, at);
        match picked {
            Some(input) if !self.loans.promises.is_empty() && !self.keeps_promises(input) => {
                self.keep_promise(input)
            }
            _ => picked,
        }
    }

    /// Whether promises can still be kept in time after an input. A probe may be two rounds in which they wait. It may leave it to the
    /// system to keep them, and so may other runs for half of all steps: what only such an input leads to would never be seen, and
    /// what only shows in a run that keeps them would not be seen by who sends it in each.
    #[cold]
    fn keeps_promises(&self, input: Letter) -> bool {
        let is_probe = self.run.pilot == Pilot::Probe;
        let longer = match &self.lassos {
            Some(lassos) if is_probe => 2 * lassos.round_len() as u32,
            _ => 0,
        };
        self.loans.promises.allows(input, longer, is_probe || self.run.dares)
    }

    /// What is sent instead of an input that would make a promise wait. A probe ends: where it keeps the system waiting,
    /// nothing that it shows counts.
    #[cold]
    fn keep_promise(&mut self, picked: Letter) -> Option<Letter> {
        if self.run.pilot == Pilot::Probe {
            return None;
        }
        let after =
            self.aftermath.as_ref().filter(|_| self.run.pilot == Pilot::Aftermath).map(Objective::arena);
        let (arena, at) = (after.as_ref().unwrap_or(&self.arena), self.at);
        let may_send = |input| arena.game.inputs(at).contains(input) && self.gate.allows(input);
        let kept = self.loans.promises.input(&mut self.rng, may_send);
        if kept.is_some() && self.run.pilot == Pilot::Strategy && !self.strategy.goes_by_what_was_sent() {
            // It would take the answer for one to the input that it picked.
            self.strategy.overruled();
            self.leave_strategy(Pilot::Chance);
        }
        Some(kept.unwrap_or(picked))
    }

    #[inline(always)]
    fn pick(&mut self, scene: Scene<'_>, at: State) -> Option<Letter> {
        if self.run.pilot == Pilot::Probe {
            let may_send =
                |input: &Letter| scene.game.inputs(at).contains(*input) && self.gate.allows(*input);
            return self.lassos.as_ref().and_then(Lassos::input).filter(may_send);
        }
        if self.run.pilot != Pilot::Strategy {
            return self.by_chance();
        }
        let view = View::new(scene, at, seen(&self.trace, &self.outlined));
        let chosen = self.strategy.choose(&view, &mut self.rng);
        if !self.gate.is_open() && chosen.is_some_and(|input| !self.gate.allows(input)) {
            self.strategy.overruled();
            self.leave_strategy(Pilot::Chance);
            return self.by_chance();
        }
        chosen
    }

    /// Any input that may be sent; where the objective is lost, one that forces a violation.
    #[cold]
    fn by_chance(&mut self) -> Option<Letter> {
        let after =
            self.aftermath.as_ref().filter(|_| self.run.pilot == Pilot::Aftermath).map(Objective::arena);
        let (arena, at) = (after.as_ref().unwrap_or(&self.arena), self.at);
        let inputs = match arena.guide.distance(at) {
            None => arena.guide.inputs(at, Tier::Forcing),
            Some(_) => arena.game.inputs(at),
        };
        const TRIES: usize = 64;
        let mut drawn = (0..TRIES).map_while(|_| inputs.sample(&mut self.rng));
        if let Some(input) = drawn.find(|&input| self.gate.allows(input)) {
            return Some(input);
        }
        // Few of many: a game that knows no label may offer every code.
        let mut let_through = (0..TRIES).map_while(|_| self.gate.sample(&mut self.rng));
        let_through.find(|&input| inputs.contains(input) && self.gate.allows(input))
    }

    /// Begins a run for a lasso, if there is one to be tried, and says how many steps it may take and whether the strategy
    /// thought of it.
    pub(super) fn begin_probe(&mut self, left: u64) -> Option<(u32, bool)> {
        let lassos = self.lassos.as_mut()?;
        match self.strategy.suspicion() {
            Suspicion::Unasked => Some((lassos.begin(self.outcome.steps, left)?, false)),
            Suspicion::Nothing => None,
            Suspicion::Try(stem, round) => Some((lassos.try_out((stem, round), left)?, true)),
        }
    }

    /// Whether a run for a lasso has shown one.
    #[inline]
    pub(super) fn probed(&mut self, step: &Step) -> Option<RunEnd> {
        if self.run.pilot != Pilot::Probe { None } else { self.book_probe(step) }
    }

    /// A finished run may show what goes round.
    pub(super) fn learn_lassos(&mut self) {
        let Campaign { lassos, trace, outlined, arena, outcome, .. } = self;
        if let (Some(lassos), true) = (lassos, self.run.pilot == Pilot::Strategy) {
            let inputs = || {
                let mut inputs = Vec::new();
                if !arena.game.list_inputs(arena.game.initial(), &mut inputs) {
                    inputs = arena.game.inputs(arena.game.initial()).iter().take(MOST_LISTED).collect();
                    inputs.extend(trace.iter().map(|step| step.input).take(MOST_LISTED));
                    inputs.sort_unstable();
                    inputs.dedup();
                }
                inputs
            };
            lassos.learn(seen(trace, outlined), &inputs, outcome.steps);
        }
    }

    #[cold]
    pub(super) fn leave_strategy(&mut self, pilot: Pilot) {
        self.run.pilot = pilot;
        self.run.left_strategy = self.run.left_strategy.or(Some(self.trace.len()));
    }

    /// Moves on after a step.
    #[inline(always)]
    pub(super) fn follow(&mut self, scene: Scene<'_>, step: &Step) -> Now {
        if !self.gate.is_open() {
            self.gate.follow(step);
        }
        if !self.loans.promises.is_empty() {
            self.loans.promises.follow(step);
        }
        if let (Pilot::Aftermath, Some(aftermath)) = (self.run.pilot, &mut self.aftermath) {
            let now = aftermath.saw(step, &mut self.judge);
            self.at = now.at;
            return now;
        }
        let now = self.objective.saw(step, &mut self.judge);
        self.at = now.at;
        if now.progress != Progress::Over && self.run.pilot == Pilot::Strategy {
            let trace = seen(&self.trace, &self.outlined);
            let step = trace.last().unwrap_or(step);
            self.strategy.observe(step, &View::new(scene, now.at, trace));
        }
        now
    }

    /// Nothing is covered after a violation: what is left of the run is played in the game of what may be sent.
    pub(super) fn go_on_past_violation(&mut self) {
        if let (Some(aftermath), Some((_, before))) = (&mut self.aftermath, self.trace.split_last())
            && self.run.pilot != Pilot::Aftermath
        {
            aftermath.begin_run(&mut self.judge);
            let is_over = |step| aftermath.saw(step, &mut self.judge).progress == Progress::Over;
            if !before.iter().any(is_over) {
                self.leave_strategy(Pilot::Aftermath);
            }
        }
    }
}
