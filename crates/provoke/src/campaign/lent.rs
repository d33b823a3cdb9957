//! What counts while a promise is in the hands of the system.

use std::time::Instant;

use super::Campaign;
use super::pilot::Pilot;
use crate::game::{Gate, Promises};
use crate::letter::Letter;
use crate::monitor::{Judge, Ruling};
use crate::objective::Objective;
use crate::rng::Rng;
use crate::system::{System, SystemError, interrupt};
use crate::trace::{RunEnd, Step, Trace};

/// So many steps it is waited for the system to keep a promise, and then to keep it once more.
const PATIENCE: u64 = 200;

/// A wait sends the same inputs again and again, fewer than so many; where that would be none, it goes by chance.
const PERIODS: u64 = 4;

/// After so many times in vain, a campaign waits for as long only now and then, and mostly for few steps.
const OFTEN: u32 = 4;
const FEW: u64 = 8;

/// A promise that stays in the hands of the system must be kept so often that a system of so many states does so for ever: of as
/// many states as the system is said to have, up to the second number, or else of the first.
const STATES: [u32; 2] = [20, 100];

/// What was promised to happen some day, and what may be sent while it is waited for that: by these it is told whether a
/// violation counts. The tables are shared between clones.
#[derive(Clone, Debug)]
pub struct Loans {
    /// Assumptions about what happens some day.
    pub promises: Promises,
    /// When nobody waits any longer.
    pub until: Option<Instant>,
    gate: Gate,
    states: u32,
    /// How long it is waited.
    patience: u64,
    /// What was sent the last time that this was not in vain.
    worked: Vec<Letter>,
    rng: Rng,
}

impl Default for Loans {
    fn default() -> Loans {
        Loans::new(Promises::default(), Gate::default(), None)
    }
}

impl Loans {
    /// These promises, with a gate that knows all that keeps an input from being sent, and a bound on the system's states if there is
    /// one.
    pub fn new(promises: Promises, gate: Gate, states: Option<u32>) -> Loans {
        let [usual, most] = STATES;
        let states = states.map_or(usual, |states| states.clamp(1, most));
        Loans {
            promises,
            until: None,
            gate,
            states,
            patience: PATIENCE,
            worked: Vec::new(),
            rng: Rng::new(0),
        }
    }

    /// Takes over how another waited that was not disappointed.
    pub(crate) fn remember(&mut self, other: &Loans) {
        self.worked.clone_from(&other.worked);
    }

    /// The same, and nobody waits after this.
    #[must_use]
    pub fn until(self, until: Option<Instant>) -> Loans {
        Loans { until, ..self }
    }

    /// Whether a promise is broken or in the hands of the system where a run ends: what its last step violates may not count then.
    pub(super) fn are_open_after(&mut self, judge: &Judge, run: &[Step]) -> bool {
        if self.promises.is_empty() || run.last().is_none_or(|step| judge.is_out_of_range(step)) {
            return false;
        }
        self.promises.reset();
        self.gate.reset();
        run.iter().for_each(|step| self.follow(step));
        self.promises.are_broken() || self.promises.are_lent()
    }

    /// Whether a violation counts that this step of a run is, at whose end the system is now.
    ///
    /// Where the tester has left it to the system to keep a promise, and it never does, the assumption does not hold on this run, and
    /// nobody is to blame. So it is looked at what came after the violation, and then the run goes on, for at most so many steps,
    /// until nothing is in the hands of the system any more; or until it has kept what stays in its hands so often that it can go on
    /// like that: a promise that is made anew with each step that keeps it is always in its hands. Who asks gets the steps at the
    /// end of the run. An error comes with the input that was not answered.
    pub(super) fn counts(
        &mut self,
        system: &mut dyn System,
        judge: &mut Judge,
        run: &mut Trace,
        place: usize,
        most: u64,
    ) -> Result<bool, (SystemError, Option<Letter>)> {
        if !self.are_open_after(judge, &run[..=place]) {
            return Ok(true);
        }
        self.promises.count_meetings();
        for step in &run[place + 1..] {
            if judge.is_out_of_range(step) {
                return Ok(false);
            }
            self.follow(step);
            if self.are_kept() {
                return Ok(true);
            }
        }
        let (mut left, mut waited) = (u64::MAX, 0);
        let begun = run.len();
        let period = self.rng.below(PERIODS) as usize;
        for _ in 0..most {
            if waited == self.patience || self.promises.are_broken() || !self.has_time() {
                break;
            }
            let Some(input) = self.input(&run[begun..], period) else { break };
            let step = match system.exchange(input) {
                Ok(step) => judge.complete(step),
                Err(SystemError::Over) => break,
                Err(error) => return Err((error, Some(input))),
            };
            run.push(step);
            if judge.follow(&step) == Ruling::Unfair || judge.is_out_of_range(&step) {
                break;
            }
            self.follow(&step);
            if self.are_kept() {
                self.worked = run[begun..].iter().map(|step| step.input).collect();
                return Ok(true);
            }
            let still = self.promises.meetings_left(self.states);
            waited = if still < left { 0 } else { waited + 1 };
            left = left.min(still);
        }
        Ok(false)
    }

    fn are_kept(&self) -> bool {
        !self.promises.are_broken() && self.promises.meetings_left(self.states) == 0
    }

    pub(super) fn has_time(&self) -> bool {
        interrupt::requested().is_none() && self.until.is_none_or(|until| Instant::now() < until)
    }

    fn follow(&mut self, step: &Step) {
        self.promises.follow(step);
        self.gate.follow(step);
    }

    /// What worked before, as far as that goes; or else what may bring the promise nearer, now by chance and now the same again and
    /// again, since some systems keep a promise over and over for nobody else; or else anything that may be sent.
    fn input(&mut self, waited: &[Step], period: usize) -> Option<Letter> {
        const TRIES: usize = 64;
        let Loans { promises, gate, worked, rng, .. } = self;
        let before =
            waited.len().checked_sub(period.max(1)).filter(|_| period > 0).map(|at| waited[at].input);
        let known = worked.get(waited.len()).copied().or(before);
        if let Some(input) = known.filter(|&input| gate.allows(input) && promises.allows(input, 0, true)) {
            return Some(input);
        }
        if let Some(input) = promises.input(rng, |input| gate.allows(input)) {
            return Some(input);
        }
        let mut drawn = (0..TRIES).map_while(|_| gate.sample(rng));
        drawn.find(|&input| gate.allows(input))
    }
}

impl<O: Objective + ?Sized> Campaign<'_, O> {
    /// Whether a violation that was seen just now does not count, and how the run ends then. What never counts must not keep what does
    /// from being found: waiting in vain takes half of all steps at most, and after a while most waits are short, every second one
    /// twice as long, and so on (Luby, Sinclair and Zuckerman 1993).
    #[cold]
    pub(super) fn excused(&mut self) -> Option<RunEnd> {
        if !self.loans.are_open_after(&self.judge, &self.trace) {
            return None;
        }
        // Where later runs go on past this violation, the strategy must know where it leads.
        if self.objective.outlives_violations()
            && let Some(&last) = self.trace.last()
        {
            let arena = std::rc::Rc::clone(&self.arena);
            self.follow(arena.scene(), &last);
            self.run.followed = true;
        }
        // What it does not know of is not told to it.
        if self.run.pilot != Pilot::Probe || self.run.left_strategy.is_none() {
            self.leave_strategy(Pilot::Chance);
        }
        let steps = self.trace.len();
        let spent = self.outcome.objectives[self.outcome.pursued].steps + steps as u64;
        let (times, waited) = self.in_vain;
        let most = match waited <= PATIENCE + self.outcome.steps / 2 {
            true => self.limits.total_steps.saturating_sub(spent),
            false => 0,
        };
        self.loans.patience = match times.checked_sub(OFTEN) {
            None | Some(0) => PATIENCE,
            Some(more) => (FEW << more.trailing_zeros()).min(PATIENCE),
        };
        let Campaign { loans, system, judge, trace, .. } = self;
        let counts = loans.counts(&mut **system, judge, trace, steps - 1, most);
        let waited = (self.trace.len() - steps) as u64;
        self.outcome.steps += waited;
        match counts {
            Ok(true) => return None,
            Ok(false) => {}
            Err((error, input)) => return Some(self.broken(error, input)),
        }
        if waited > 0 {
            self.in_vain = (times + 1, self.in_vain.1 + waited);
        }
        // The arena did not come along.
        self.known = false;
        Some(RunEnd::Inconclusive)
    }
}
