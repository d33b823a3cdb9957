//! From a violating run to the shortest story that still tells it, confirmed on the system.

mod allowance;
mod attempts;
mod edits;
mod model;
mod seen;
mod story;
mod words;

use std::time::{Duration, Instant};

use crate::game::{Game, Next};
use crate::letter::{Alphabet, Letter};
use crate::monitor::{Monitors, Verdict};
use crate::system::{System, SystemError};
use crate::trace::{Step, Trace};

pub use allowance::Budget;
pub use story::{Attempt, Oracle, Story, shortest_story};

/// Re-runs input sequences and says whether they still violate a requirement.
pub struct Judge<'a> {
    /// Which inputs may be sent.
    pub game: &'a dyn Game,
    /// One monitor for each requirement.
    pub monitors: Monitors,
    /// One monitor for each assumption about the environment.
    pub assumptions: Monitors,
    /// What is tested.
    pub system: &'a mut dyn System,
}

/// How much confirming and shrinking may cost. Shrinking stops earlier where it gains too little for what a run
/// takes; in our own process it is limited by counts alone, so that it always ends with the same story.
#[derive(Clone, Copy, Debug)]
pub struct ShrinkLimits {
    /// Runs to confirm a violation; these are always made.
    pub confirmations: u32,
    /// Runs on shorter or simpler candidates.
    pub candidates: u32,
    /// Exchanges, those of the confirming runs included; 0 for no shrinking.
    pub steps: u64,
    /// Wall time for it all, 0 for no shrinking: a slow system must not shrink for hours.
    pub time: Duration,
}

impl Default for ShrinkLimits {
    fn default() -> ShrinkLimits {
        ShrinkLimits { confirmations: 3, candidates: 30_000, steps: 1_000_000, time: Duration::from_secs(30) }
    }
}

/// A violation after it was tried again.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The requirement's number.
    pub requirement: usize,
    /// The shortest violating trace that was found; its last step is the violation.
    pub trace: Trace,
    /// How long the trace was before.
    pub original_len: usize,
    /// How many of the confirming runs violated the requirement again, and how many there were.
    pub reproduced: (u32, u32),
    /// Runs and steps this took.
    pub extra: (u64, u64),
    /// How a candidate for a shorter trace broke the system; the trace above stands.
    pub broken: Option<SystemError>,
}

/// Tries a violation again, then looks for the shortest run with which the requirement is still violated; see
/// [`shortest_story`].
///
/// A violation that does not repeat every time is left as it is: what looks shorter would be luck.
pub fn confirm_and_shrink(
    judge: &mut Judge<'_>,
    inputs: &Alphabet,
    requirement: usize,
    trace: &[Step],
    limits: ShrinkLimits,
) -> Result<Confirmed, SystemError> {
    let started = Instant::now();
    let mut work = Shrinking { judge, requirement, runs: 0, steps: 0 };
    let original: Vec<Letter> = trace.iter().map(|step| step.input).collect();
    let mut sure = trace.to_vec();
    let mut again = 0;
    for _ in 0..limits.confirmations {
        let Attempt { trace: shorter, violated } = work.try_inputs(&original)?;
        if violated {
            work.judge.system.settle()?;
            again += 1;
            sure = if shorter.len() <= sure.len() { shorter } else { sure };
        }
    }
    let mut broken = None;
    if again == limits.confirmations {
        // One more run is left for what comes of it.
        let budget = Budget {
            runs: limits.candidates.into(),
            steps: limits.steps.saturating_sub(work.steps + sure.len() as u64),
            time: limits.time.saturating_sub(started.elapsed()),
        };
        let story = shortest_story(&sure, inputs, &[], budget, &mut work);
        match work.that_recurs(&story.stories, sure.clone()) {
            Ok(best) => sure = best,
            Err(error) => broken = Some(error),
        }
        broken = story.broken.or(broken);
    }
    // Answers that may have been shifted against our inputs prove nothing.
    if let Some(error) = broken.take_if(|error| error.is_out_of_turn()) {
        return Err(error);
    }
    Ok(Confirmed {
        requirement,
        trace: sure,
        original_len: trace.len(),
        reproduced: (again, limits.confirmations),
        extra: (work.runs, work.steps),
        broken,
    })
}

struct Shrinking<'a, 'b> {
    judge: &'a mut Judge<'b>,
    requirement: usize,
    runs: u64,
    steps: u64,
}

impl Shrinking<'_, '_> {
    /// The best of the stories that can be told once more, or else the first, which was told often enough. Listening
    /// for extra lines takes time, so it is done once for what came of all the candidates.
    fn that_recurs(&mut self, stories: &[Trace], sure: Trace) -> Result<Trace, SystemError> {
        for story in stories.iter().skip(1).rev().take(3) {
            let word: Vec<Letter> = story.iter().map(|step| step.input).collect();
            let Attempt { trace, violated } = self.try_inputs(&word)?;
            if violated {
                self.judge.system.settle()?;
                return Ok(trace);
            }
        }
        Ok(sure)
    }
}

impl Oracle for Shrinking<'_, '_> {
    fn try_inputs(&mut self, inputs: &[Letter]) -> Result<Attempt, SystemError> {
        self.runs += 1;
        let Judge { game, monitors, assumptions, system } = &mut *self.judge;
        system.reset()?;
        monitors.reset();
        assumptions.reset();
        let mut at = game.initial();
        let mut trace = Trace::with_capacity(inputs.len());
        for &input in inputs {
            if !game.inputs(at).contains(input) {
                break;
            }
            let output = system.step(input)?;
            self.steps += 1;
            let step = Step { input, output };
            trace.push(step);
            if assumptions.violates(&step) {
                break;
            }
            if monitors.violates(&step) {
                // Another requirement's violation ends the game's knowledge of what may be sent.
                let violated = monitors.verdict(self.requirement) == Verdict::Violated;
                return Ok(Attempt { trace, violated });
            }
            at = match game.next(at, input, output) {
                Next::To(next) => next,
                _ => break,
            };
        }
        Ok(Attempt { trace, violated: false })
    }
}
