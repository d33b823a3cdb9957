//! From a violating run to the shortest story that still tells it, confirmed on the system.

use super::Breakdown;
use super::attempt::attempt;
use crate::game::Gate;
use crate::letter::{Alphabet, Letter};
use crate::monitor::Judge;
use crate::system::{System, SystemError};
use crate::trace::{Step, Trace};

/// Where violations are tried again.
pub struct Bench<'a> {
    /// What is tested.
    pub system: &'a mut dyn System,
    /// Judges every exchange.
    pub judge: Judge,
    /// Which inputs may be sent.
    pub gate: Gate,
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
    bench: &mut Bench<'_>,
    inputs: &Alphabet,
    requirement: usize,
    trace: &[Step],
    limits: ShrinkLimits,
) -> Result<Confirmed, SystemError> {
    let started = std::time::Instant::now();
    let mut work = Shrinking { bench, wanted: Wanted::Violation(requirement), runs: 0, steps: 0 };
    let original: Vec<Letter> = trace.iter().map(|step| step.input).collect();
    let mut best = trace.to_vec();
    let mut again = 0;
    for _ in 0..limits.confirmations {
        if let Some(shorter) = work.violates(&original)? {
            work.bench.system.settle()?;
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
            work.bench.system.settle()?;
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

/// A breakdown after it was tried again.
#[derive(Clone, Debug)]
pub struct ConfirmedBreakdown {
    /// What happened.
    pub error: SystemError,
    /// The exchanges of the shortest run that still breaks the system in the same way.
    pub trace: Trace,
    /// The input after them that was not answered.
    pub unanswered: Option<Letter>,
    /// The last lines of its stderr.
    pub last_words: Vec<String>,
    /// How many of the confirming runs broke it in the same way, and how many there were.
    pub reproduced: (u32, u32),
    /// Runs and steps this took.
    pub extra: (u64, u64),
}

/// Tries a breakdown again, then looks for the fewest inputs that still break the system in the same way.
///
/// One that does not repeat every time is left as it is.
pub fn confirm_breakdown(
    bench: &mut Bench<'_>,
    inputs: &Alphabet,
    breakdown: &Breakdown,
    limits: ShrinkLimits,
) -> ConfirmedBreakdown {
    let Breakdown { error, trace, unanswered, last_words } = breakdown;
    let mut confirmed = ConfirmedBreakdown {
        error: error.clone(),
        trace: trace.clone(),
        unanswered: *unanswered,
        last_words: last_words.clone(),
        reproduced: (0, 0),
        extra: (0, 0),
    };
    let original: Vec<Letter> = trace.iter().map(|step| step.input).chain(*unanswered).collect();
    if original.is_empty() {
        return confirmed;
    }
    let started = std::time::Instant::now();
    let mut work = Shrinking { bench, wanted: Wanted::Breakdown(error), runs: 0, steps: 0 };
    let mut again = 0;
    for _ in 0..limits.confirmations {
        match work.violates(&original) {
            Ok(found) => again += u32::from(found.is_some()),
            Err(_) => break,
        }
    }
    confirmed.reproduced = (again, limits.confirmations);
    if again == limits.confirmations {
        let enough = |work: &Shrinking<'_, '_>| {
            work.runs >= u64::from(limits.confirmations + limits.candidates)
                || started.elapsed() >= limits.time
        };
        let mut best: Trace =
            original.iter().map(|&input| Step { input, output: Letter::default() }).collect();
        // What breaks in another way on the way ends the search; what was found by then stands.
        let _ = work.drop_steps(&mut best, enough).and_then(|()| work.simplify(&mut best, inputs, enough));
        let shortest: Vec<Letter> = best.iter().map(|step| step.input).collect();
        let Bench { system, judge, gate } = &mut *work.bench;
        let made = attempt(&mut **system, judge, gate, &shortest, |made| made.unfair.is_some());
        let settled =
            if made.broken.is_none() { system.settle().err().map(|error| (error, None)) } else { None };
        if let Some((found, unanswered)) = made.broken.or(settled)
            && found.is_like(error)
        {
            confirmed.last_words = system.last_words();
            (confirmed.error, confirmed.trace, confirmed.unanswered) = (found, made.trace, unanswered);
        }
    }
    confirmed.extra = (work.runs, work.steps);
    confirmed
}

/// What must happen again.
enum Wanted<'a> {
    Violation(usize),
    Breakdown(&'a SystemError),
}

struct Shrinking<'a, 'b> {
    bench: &'a mut Bench<'b>,
    wanted: Wanted<'a>,
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

    /// The trace up to the violation, if these inputs still lead to it.
    fn violates(&mut self, inputs: &[Letter]) -> Result<Option<Trace>, SystemError> {
        self.runs += 1;
        let Bench { system, judge, gate } = &mut *self.bench;
        let wanted = &self.wanted;
        let mut made = attempt(&mut **system, judge, gate, inputs, |made| {
            made.unfair.is_some()
                || matches!(wanted, Wanted::Violation(wanted) if made.violation_of(*wanted).is_some())
        });
        self.steps += made.trace.len() as u64;
        match (wanted, made.broken.take()) {
            (_, Some((SystemError::Interrupted, _))) => Err(SystemError::Interrupted),
            (Wanted::Violation(_), Some((error, _))) => Err(error),
            (Wanted::Violation(wanted), None) => Ok(made.violation_of(*wanted).map(<[Step]>::to_vec)),
            (Wanted::Breakdown(wanted), Some((error, unanswered))) => {
                let last = unanswered.map(|input| Step { input, output: Letter::default() });
                made.trace.extend(last);
                Ok(error.is_like(wanted).then_some(made.trace))
            }
            (Wanted::Breakdown(wanted), None) if wanted.is_out_of_turn() => {
                Ok(system.settle().is_err_and(|error| error.is_like(wanted)).then_some(made.trace))
            }
            (Wanted::Breakdown(_), None) => Ok(None),
        }
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
