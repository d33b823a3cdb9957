//! From a violating run to the shortest story that still tells it, confirmed on the system.

mod allowance;
mod candidates;
mod edits;
mod model;
mod past;
mod repeat;
mod seen;
mod story;
mod words;

use std::time::{Duration, Instant};

use super::rerun::rerun;
use super::{Breakdown, Clock, Event, Loans, Observer, PATIENTLY};
use crate::game::Gate;
use crate::letter::{Alphabet, Field, Letter, Outline};
use crate::monitor::Judge;
use crate::report::ElapsedReport;
use crate::system::{System, SystemError, interrupt};
use crate::trace::{RequirementNumber, Step, Trace};

pub use allowance::Budget;
pub use past::Past;
pub use story::{Oracle, Story, Told, shortest_story};

/// Where findings are tried again.
pub struct Bench<'a> {
    /// What is tested.
    pub system: &'a mut dyn System,
    /// Judges every exchange.
    pub judge: Judge,
    /// Which inputs may be sent.
    pub gate: Gate,
    /// What must be kept for a violation to count.
    pub loans: Loans,
    /// Is told how it goes on.
    pub observer: &'a mut dyn Observer,
    /// What is compared of answers: not what is measured rather than said.
    pub outline: Outline,
    /// What is measured and decides on the requirement at hand, where something is: what was seen once may be chance then.
    pub measured: Option<Field>,
    /// What was seen while other findings were told.
    pub past: Past,
    /// Why the observer could not go on. It is told nothing more, and the search ends with what it has.
    pub failed: Option<std::io::Error>,
}

/// How much confirming and shrinking may cost. Shrinking stops earlier where it gains too little for what a run
/// takes; in our own process it is limited by counts alone, so that it always ends with the same story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub requirement: RequirementNumber,
    /// The shortest violating trace that was found; its last step is the violation.
    pub trace: Trace,
    /// How long the trace was before.
    pub original_len: usize,
    /// How many of the confirming runs violated the requirement again, and how many there were.
    pub reproduced: (u32, u32),
    /// Runs and steps this took.
    pub extra: (u64, u64),
    /// How many steps of what was found were silence; 0 where none was.
    pub silences: usize,
    /// How long the system took to answer the last step in the runs that told the story again, where the requirement is
    /// about that.
    pub elapsed: Option<ElapsedReport>,
    /// How a run broke the system; the trace above stands, unless the system turns out to have spoken out of turn.
    pub broken: Option<Breakdown>,
}

/// A breakdown after it was tried again.
#[derive(Clone, Debug)]
pub struct ConfirmedBreakdown {
    /// The shortest run that still breaks the system in the same way.
    pub breakdown: Breakdown,
    /// How many of the confirming runs broke it in the same way, and how many there were.
    pub reproduced: (u32, u32),
    /// Runs and steps this took.
    pub extra: (u64, u64),
}

/// Tries a violation again, then looks for the shortest run with which the requirement is still violated; see
/// [`shortest_story`].
///
/// Where a violation does not repeat every time, every candidate is tried several times; one that never repeats is left as it
/// is. Whatever trace is given was seen as it stands. What rests on how long answers take is tried more often, and is
/// shortened only to what violates the requirement most of the time, at the same step.
pub fn confirm_and_shrink(
    bench: &mut Bench<'_>,
    inputs: &Alphabet,
    requirement: RequirementNumber,
    trace: &[Step],
    limits: ShrinkLimits,
) -> Confirmed {
    let silences = bench.system.silence().map_or(0, |silence| silence.count(trace));
    let mut work = Shrinking::new(bench, Wanted::Violation(requirement));
    let (trace_now, reproduced, elapsed) = match work.bench.measured.clone() {
        Some(field) => work.confirm_and_shrink_measured(&field, trace, inputs, limits),
        None => {
            let (trace, reproduced) = work.confirm_and_shrink(trace, inputs, limits);
            (trace, reproduced, None)
        }
    };
    work.tell_end(trace_now.len());
    let Shrinking { runs, steps, broken, .. } = work;
    let (trace, original_len) = (trace_now, trace.len());
    Confirmed {
        requirement,
        trace,
        original_len,
        reproduced,
        extra: (runs, steps),
        silences,
        elapsed,
        broken,
    }
}

impl Confirmed {
    /// Whether it rests on silence and did not recur with more patience: it is no violation then.
    pub fn is_doubtful(&self) -> bool {
        self.silences > 0 && self.reproduced.0 == 0
    }
}

/// Tries a breakdown again, then looks for the fewest inputs that still break the system in the same way.
///
/// Where it does not repeat every time, every candidate is tried several times; one that never repeats is left as it is.
pub fn confirm_breakdown(
    bench: &mut Bench<'_>,
    inputs: &Alphabet,
    breakdown: Breakdown,
    limits: ShrinkLimits,
) -> ConfirmedBreakdown {
    let story = breakdown.story();
    if story.is_empty() {
        return ConfirmedBreakdown { breakdown, reproduced: (0, 0), extra: (0, 0) };
    }
    let mut work = Shrinking::new(bench, Wanted::Breakdown(&breakdown.error));
    let (shortest, reproduced) = work.confirm_and_shrink(&story, inputs, limits);
    work.tell_end(shortest.len());
    let Shrinking { runs, steps, broken, .. } = work;
    // The last time it broke in this way is the story that was told last, unless a candidate came between.
    let told = broken.filter(|broken| broken.error.is_like(&breakdown.error) && broken.story() == shortest);
    ConfirmedBreakdown { breakdown: told.unwrap_or(breakdown), reproduced, extra: (runs, steps) }
}

impl Breakdown {
    /// Its exchanges, and the unanswered input with an answer that means nothing.
    fn story(&self) -> Trace {
        let last = self.unanswered.map(|input| Step { input, output: Letter::default() });
        self.trace.iter().copied().chain(last).collect()
    }
}

/// How often a candidate is tried where what is wanted does not happen every time.
const TRIES: u32 = 10;

/// Tries candidates several times.
struct Repeatedly<'a, O> {
    work: &'a mut O,
    patience: u32,
}

impl<O: Oracle> Oracle for Repeatedly<'_, O> {
    fn try_inputs(&mut self, inputs: &[Letter]) -> Result<Told, SystemError> {
        let mut told = self.work.try_inputs(inputs)?;
        for _ in 1..self.patience {
            if told.violated || self.interrupted() {
                break;
            }
            told = self.work.try_inputs(inputs)?;
        }
        Ok(told)
    }

    fn interrupted(&self) -> bool {
        self.work.interrupted()
    }

    fn outline(&self) -> Outline {
        self.work.outline()
    }
}

/// What must happen again.
enum Wanted<'a> {
    Violation(RequirementNumber),
    Breakdown(&'a SystemError),
}

struct Shrinking<'a, 'b> {
    bench: &'a mut Bench<'b>,
    wanted: Wanted<'a>,
    runs: u64,
    steps: u64,
    /// The last run that broke the system: where a violation is wanted, the one that ended the search.
    broken: Option<Breakdown>,
    /// How many inputs the shortest run takes that showed what is wanted.
    length: usize,
    clock: Clock,
}

impl<'a, 'b> Shrinking<'a, 'b> {
    fn new(bench: &'a mut Bench<'b>, wanted: Wanted<'a>) -> Shrinking<'a, 'b> {
        Shrinking {
            bench,
            wanted,
            runs: 0,
            steps: 0,
            broken: None,
            length: usize::MAX,
            clock: Clock::new(None),
        }
    }

    /// The shortest story, and how often the original could be told again.
    fn confirm_and_shrink(
        &mut self,
        trace: &[Step],
        inputs: &Alphabet,
        limits: ShrinkLimits,
    ) -> (Trace, (u32, u32)) {
        let started = Instant::now();
        let original: Vec<Letter> = trace.iter().map(|step| step.input).collect();
        let mut sure = trace.to_vec();
        self.length = trace.len();
        let (mut again, mut tries) = (0, 0);
        for _ in 0..limits.confirmations {
            let Ok(Told { trace: shorter, violated }) = self.surely(&original) else {
                return (sure, (again, tries));
            };
            tries += 1;
            if violated {
                again += 1;
                sure = if shorter.len() <= sure.len() { shorter } else { sure };
            }
            let requirement = self.requirement();
            self.tell(&Event::Confirming { requirement, again, tries });
        }
        // What does not violate every time is tried more than once.
        let patience = if again == tries { 1 } else { TRIES };
        if again > 0 {
            // One more run is left for what comes of it.
            let budget = Budget {
                runs: u64::from(limits.candidates / patience),
                steps: limits.steps.saturating_sub(self.steps + sure.len() as u64) / u64::from(patience),
                time: limits.time.saturating_sub(started.elapsed()),
            };
            let observed = if patience == 1 { self.observed(sure.len()) } else { Vec::new() };
            let until = started.checked_add(limits.time);
            let until = std::mem::replace(&mut self.bench.loans.until, until);
            let mut oracle = Repeatedly { work: self, patience };
            let story = shortest_story(&sure, inputs, &observed, budget, &mut oracle);
            self.bench.loans.until = until;
            // What ends the search is booked; what was found by then stands.
            let best = self.that_recurs(&story.stories, sure.clone(), patience);
            if let (None, Ok(best)) = (story.broken, best) {
                sure = best;
            }
        }
        (sure, (again, tries))
    }

    /// What is known of shorter runs, where runs with the same inputs are the same.
    fn observed(&mut self, length: usize) -> Vec<Told> {
        let wanted = self.requirement();
        let Bench { system, judge, past, loans, .. } = &mut *self.bench;
        let may_differ = system.silence().is_some() || judge.requirements.blame_the_end();
        match wanted.filter(|_| !may_differ) {
            Some(requirement) => past.told(judge, loans, requirement, length),
            None => Vec::new(),
        }
    }

    /// The best of the stories that can be told once more, or else the first, which was told often enough. Listening
    /// for extra lines takes time, so it is done once for what came of all the candidates.
    fn that_recurs(&mut self, stories: &[Trace], sure: Trace, patience: u32) -> Result<Trace, SystemError> {
        for story in stories.iter().skip(1).rev().take(3) {
            let word: Vec<Letter> = story.iter().map(|step| step.input).collect();
            for _ in 0..patience {
                let Told { trace, violated } = self.surely(&word)?;
                if violated {
                    return Ok(trace);
                }
            }
        }
        Ok(sure)
    }

    /// Tries inputs and makes sure that the system answered in turn, and that what is silent stays so for longer.
    fn surely(&mut self, inputs: &[Letter]) -> Result<Told, SystemError> {
        self.bench.system.be_patient(PATIENTLY);
        let told = self.try_inputs(inputs);
        self.bench.system.be_patient(1);
        let told = told?;
        if let (Wanted::Violation(_), true) = (&self.wanted, told.violated)
            && let Err(error) = self.bench.system.settle()
        {
            return Err(self.broke(error, told.trace, None));
        }
        Ok(told)
    }

    fn broke(&mut self, error: SystemError, trace: Trace, unanswered: Option<Letter>) -> SystemError {
        if error != SystemError::Interrupted {
            let last_words = self.bench.system.last_words();
            self.broken = Some(Breakdown { error: error.clone(), trace, unanswered, last_words });
        }
        error
    }
}

impl Oracle for Shrinking<'_, '_> {
    fn try_inputs(&mut self, inputs: &[Letter]) -> Result<Told, SystemError> {
        self.runs += 1;
        let wanted = self.requirement();
        let Bench { system, judge, gate, loans, .. } = &mut *self.bench;
        // Who wants to see it break again asks about no violation.
        let mut none = Loans::default();
        let loans = if wanted.is_some() { loans } else { &mut none };
        let mut made = rerun(&mut **system, judge, gate, loans, inputs, |made| {
            made.unfair.is_some() || wanted.is_some_and(|wanted| made.violation_of(wanted).is_some())
        });
        self.steps += (made.trace.len() + made.waited) as u64;
        if made.broken.is_none()
            && let Wanted::Breakdown(error) = self.wanted
            && error.is_out_of_turn()
        {
            made.broken = system.settle().err().map(|error| (error, None));
        }
        let violated = wanted.is_some_and(|wanted| made.violation_of(wanted).is_some());
        let Some((error, unanswered)) = made.broken else {
            self.bench.past.keep(&made.trace);
            self.tell_progress(violated.then_some(made.trace.len()));
            return Ok(Told { trace: made.trace, violated });
        };
        let error = self.broke(error, made.trace, unanswered);
        match (self.wanted_again(&error), &self.broken) {
            (Some(violated), Some(broken)) if error != SystemError::Interrupted => {
                let trace = broken.story();
                self.tell_progress(violated.then_some(trace.len()));
                Ok(Told { trace, violated })
            }
            _ => Err(error),
        }
    }

    fn interrupted(&self) -> bool {
        interrupt::requested().is_some() || self.bench.failed.is_some()
    }

    fn outline(&self) -> Outline {
        self.bench.outline.clone()
    }
}

impl Shrinking<'_, '_> {
    /// The requirement whose violation is wanted.
    fn requirement(&self) -> Option<RequirementNumber> {
        match self.wanted {
            Wanted::Violation(requirement) => Some(requirement),
            Wanted::Breakdown(_) => None,
        }
    }

    fn tell(&mut self, event: &Event<'_>) {
        if self.bench.failed.is_none() {
            self.bench.failed = self.bench.observer.on(event).err();
        }
    }

    /// Tells how far it is where a run showed what is wanted with fewer inputs, and now and then.
    fn tell_progress(&mut self, shown: Option<usize>) {
        let shorter = shown.filter(|&shown| shown < self.length);
        self.length = shorter.unwrap_or(self.length);
        if self.clock.tick() || shorter.is_some() {
            let Shrinking { runs, steps, length, .. } = *self;
            self.tell(&Event::Shrinking { requirement: self.requirement(), runs, steps, length });
        }
    }

    fn tell_end(&mut self, length: usize) {
        let Shrinking { runs, steps, .. } = *self;
        self.tell(&Event::Shrunk { requirement: self.requirement(), runs, steps, length });
    }

    /// Whether a breakdown is the one that is wanted; nothing where none is.
    fn wanted_again(&self, error: &SystemError) -> Option<bool> {
        match self.wanted {
            Wanted::Violation(_) => None,
            Wanted::Breakdown(wanted) => Some(error.is_like(wanted)),
        }
    }
}
