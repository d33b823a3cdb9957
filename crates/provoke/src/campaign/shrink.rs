//! From a violating run to the shortest story that still tells it, confirmed on the system.

use crate::game::{Game, Next};
use crate::letter::{Alphabet, Letter};
use crate::monitor::{Monitors, Verdict};
use crate::system::{System, SystemError};
use crate::trace::{Step, Trace};

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

/// How much shrinking may cost.
#[derive(Clone, Copy, Debug)]
pub struct ShrinkLimits {
    /// Runs to confirm a violation.
    pub confirmations: u32,
    /// Runs on shorter or simpler candidates.
    pub candidates: u32,
    /// Wall time for it all: a slow system must not shrink for hours.
    pub time: std::time::Duration,
}

impl Default for ShrinkLimits {
    fn default() -> ShrinkLimits {
        ShrinkLimits { confirmations: 3, candidates: 300, time: std::time::Duration::from_secs(30) }
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
}

/// Tries a violation again, then drops and simplifies steps as long as the requirement is still violated.
///
/// A violation that does not repeat every time is left as it is: what looks shorter would be luck.
pub fn confirm_and_shrink(
    judge: &mut Judge<'_>,
    inputs: &Alphabet,
    requirement: usize,
    trace: &[Step],
    limits: ShrinkLimits,
) -> Result<Confirmed, SystemError> {
    let started = std::time::Instant::now();
    let mut work = Shrinking { judge, requirement, runs: 0, steps: 0 };
    let original: Vec<Letter> = trace.iter().map(|step| step.input).collect();
    let mut best = trace.to_vec();
    let mut again = 0;
    for _ in 0..limits.confirmations {
        if let Some(shorter) = work.violates(&original)? {
            work.judge.system.settle()?;
            again += 1;
            best = if shorter.len() <= best.len() { shorter } else { best };
        }
    }
    if again == limits.confirmations {
        let sure = best.clone();
        let enough = |work: &Shrinking<'_, '_>| {
            work.runs >= u64::from(limits.confirmations + limits.candidates)
                || started.elapsed() >= limits.time
        };
        work.drop_steps(&mut best, enough)?;
        work.simplify(&mut best, inputs, enough)?;
        // Listening for extra lines takes time, so it is done once for what came of all the candidates.
        if best != sure {
            let shrunk: Vec<Letter> = best.iter().map(|step| step.input).collect();
            best = work.violates(&shrunk)?.unwrap_or(sure);
            work.judge.system.settle()?;
        }
    }
    Ok(Confirmed {
        requirement,
        trace: best,
        original_len: trace.len(),
        reproduced: (again, limits.confirmations),
        extra: (work.runs, work.steps),
    })
}

struct Shrinking<'a, 'b> {
    judge: &'a mut Judge<'b>,
    requirement: usize,
    runs: u64,
    steps: u64,
}

impl Shrinking<'_, '_> {
    /// Drops ever smaller blocks of steps (the ddmin of Zeller and Hildebrandt), last steps first: what
    /// comes late depends on what came early, not the other way round.
    fn drop_steps(
        &mut self,
        best: &mut Trace,
        enough: impl Fn(&Shrinking<'_, '_>) -> bool,
    ) -> Result<(), SystemError> {
        let mut block = best.len() / 2;
        while block > 0 {
            let mut end = best.len();
            while end > 0 && !enough(self) {
                let start = end.saturating_sub(block);
                let kept = best[..start].iter().chain(&best[end.min(best.len())..]);
                let candidate: Vec<Letter> = kept.map(|step| step.input).collect();
                if let Some(shorter) = self.violates(&candidate)? {
                    *best = shorter;
                }
                end = start.min(best.len());
            }
            block /= 2;
        }
        Ok(())
    }

    /// Sets signals to 0, and labels to earlier ones, one at a time.
    fn simplify(
        &mut self,
        best: &mut Trace,
        inputs: &Alphabet,
        enough: impl Fn(&Shrinking<'_, '_>) -> bool,
    ) -> Result<(), SystemError> {
        for place in 0..best.len() {
            for simpler in
                simpler_letters(inputs, best.get(place).map_or(Letter::default(), |step| step.input))
            {
                if place >= best.len() || enough(self) {
                    return Ok(());
                }
                // A signal set to 0 earlier in this loop stays 0.
                let current = best[place].input;
                let replacement = match simpler {
                    Simpler::Clear(signal) => current.with(signal, false),
                    Simpler::Label(label) => label,
                };
                let mut candidate: Vec<Letter> = best.iter().map(|step| step.input).collect();
                candidate[place] = replacement;
                if let Some(simpler) = self.violates(&candidate)?
                    && simpler.len() <= best.len()
                {
                    *best = simpler;
                }
            }
        }
        Ok(())
    }

    /// The trace up to the violation, if these inputs still lead to it. Runs whose connection is lost are begun
    /// again as long as the system bears it.
    fn violates(&mut self, inputs: &[Letter]) -> Result<Option<Trace>, SystemError> {
        loop {
            match self.try_once(inputs) {
                Err(error) if self.judge.system.retry(&error) => {}
                result => return result,
            }
        }
    }

    fn try_once(&mut self, inputs: &[Letter]) -> Result<Option<Trace>, SystemError> {
        self.runs += 1;
        let Judge { game, monitors, assumptions, system } = &mut *self.judge;
        system.reset()?;
        monitors.reset();
        assumptions.reset();
        let mut at = Some(game.initial());
        let mut trace = Trace::with_capacity(inputs.len());
        for &input in inputs {
            if at.is_some_and(|at| !game.inputs(at).contains(input)) {
                return Ok(None);
            }
            let output = system.step(input)?;
            self.steps += 1;
            let step = Step { input, output };
            trace.push(step);
            if assumptions.violates(&step) {
                return Ok(None);
            }
            if monitors.violates(&step) {
                // Another requirement's violation ends the game's knowledge of what may be sent.
                let wanted = monitors.verdict(self.requirement) == Verdict::Violated;
                return Ok(wanted.then_some(trace));
            }
            at = match at.map(|at| game.next(at, input, output)) {
                Some(Next::To(next)) => Some(next),
                _ => return Ok(None),
            };
        }
        Ok(None)
    }
}

enum Simpler {
    Clear(usize),
    Label(Letter),
}

fn simpler_letters(inputs: &Alphabet, letter: Letter) -> Vec<Simpler> {
    if inputs.is_labelled() {
        return (0..letter.index().min(8)).map(|at| Simpler::Label(Letter::from_index(at))).collect();
    }
    (0..inputs.names().len()).filter(|&at| letter.get(at)).map(Simpler::Clear).collect()
}
