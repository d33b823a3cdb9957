//! One run with given inputs: how violations are confirmed and shrunk, and traces replayed.

use super::Loans;
use crate::game::Gate;
use crate::letter::Letter;
use crate::monitor::{Judge, Ruling, Verdict};
use crate::system::{Silence, System, SystemError};
use crate::trace::{RequirementNumber, Step, Trace};

/// What came of a run with given inputs.
#[derive(Clone, Debug, Default)]
pub struct Rerun {
    /// The exchanges.
    pub trace: Trace,
    /// The requirements that were violated, with the place of the step that broke each.
    pub violated: Vec<(RequirementNumber, usize)>,
    /// The step at which the environment broke an assumption: nothing counts from there on.
    pub unfair: Option<usize>,
    /// What went wrong with the system, and the input that it did not answer.
    pub broken: Option<(SystemError, Option<Letter>)>,
    /// The run ended before an input that the gate forbids.
    pub withheld: bool,
    /// What was violated and does not count: a promise was in the hands of the system then, which it did not keep.
    pub excused: Vec<(RequirementNumber, usize)>,
    /// How many steps it was waited for that after the run; they are not among its exchanges.
    pub waited: usize,
}

impl Rerun {
    fn follow(&mut self, judge: &mut Judge, step: Step) {
        let step = judge.complete(step);
        let place = self.trace.len();
        self.trace.push(step);
        match judge.follow(&step) {
            Ruling::Kept => {}
            Ruling::Unfair => self.unfair = self.unfair.or(Some(place)),
            Ruling::Violated => self.violated.extend(judge.take().into_iter().map(|broken| (broken, place))),
        }
    }

    /// Leaves only those violations that [count](Loans::counts).
    fn excuse(&mut self, system: &mut dyn System, judge: &mut Judge, loans: &mut Loans) {
        if loans.promises.is_empty() || self.violated.is_empty() || self.blames_the_end(judge) {
            return;
        }
        // Nothing is waited for where nobody is to blame any more or nobody answers.
        let fair = self.unfair.unwrap_or(self.trace.len());
        let is_stray = self.trace.last().is_some_and(|step| judge.is_out_of_range(step));
        let mut most = if self.unfair.is_some() || self.broken.is_some() || is_stray { 0 } else { u64::MAX };
        let mut run = self.trace[..fair].to_vec();
        let mut counting = Vec::new();
        // What makes the last one count makes those before it count as well.
        while let Some((requirement, place)) = self.violated.pop() {
            let before = run.len();
            match loans.counts(system, judge, &mut run, place, most) {
                Ok(true) => counting.push((requirement, place)),
                Ok(false) => self.excused.push((requirement, place)),
                // Who did not answer is no less broken for it.
                Err(broken) => {
                    self.excused.push((requirement, place));
                    (self.broken, self.trace) = (Some(broken), run.clone());
                }
            }
            if run.len() > before {
                (self.waited, most) = (run.len() - before, 0);
            }
            if counting.is_empty() {
                // What came last may have broken an assumption.
                run.truncate(before);
            }
        }
        counting.reverse();
        self.violated = counting;
    }

    /// Whether it is the end of the run alone that violates what is violated.
    fn blames_the_end(&self, judge: &Judge) -> bool {
        let Judge { requirements, .. } = judge;
        let by_the_end = |&(requirement, _): &(RequirementNumber, usize)| {
            requirement.0 < requirements.len() && requirements.verdict(requirement) == Verdict::SoFarBad
        };
        requirements.blame_the_end() && self.violated.iter().all(by_the_end)
    }

    /// The exchanges up to the one that violated the requirement.
    pub fn violation_of(&self, requirement: RequirementNumber) -> Option<&[Step]> {
        let found = self.violated.iter().find(|(violated, _)| *violated == requirement);
        found.map(|&(_, place)| &self.trace[..=place])
    }
}

/// What the judge makes of a run that was recorded.
pub fn judged(judge: &mut Judge, trace: &[Step]) -> Rerun {
    let mut made = Rerun::default();
    judge.reset();
    for &step in trace {
        made.follow(judge, step);
        if judge.is_out_of_range(&step) {
            break;
        }
    }
    made
}

/// How often a run is made again that was violated while a promise was in the hands of the system and does not count: what was sent
/// then may be why it was not kept.
const WAITS: u32 = 16;

/// The same as [`rerun`], as often as it takes for what is violated to count, within reason. What the runs before it took was waited.
pub fn rerun_patiently(
    system: &mut dyn System,
    judge: &mut Judge,
    gate: &mut Gate,
    loans: &mut Loans,
    inputs: &[Letter],
    mut enough: impl FnMut(&Rerun) -> bool,
) -> Rerun {
    let (mut waited, mut tries) = (0, 0);
    loop {
        let mut made = rerun(system, judge, gate, loans, inputs, &mut enough);
        tries += 1;
        // Where nothing could be waited for, nothing else comes of it.
        let may_change = made.waited > 0 && made.violated.is_empty() && made.broken.is_none();
        if !may_change || tries == WAITS || !loans.has_time() {
            made.waited += waited;
            return made;
        }
        waited += made.trace.len() + made.waited;
    }
}

/// How often a system that talks when it likes may keep us from sending an input.
const MOST_UNSENT: usize = 1000;

/// Resets the system, sends the inputs one after another and judges every exchange, until `enough` says so. An input
/// that the gate forbids is not sent and ends the run, and so does a system that has ended. Where the system says something
/// before an input could be sent, that is an exchange of its own, and the input is sent after it; a wait takes whatever
/// comes. One whose connection is lost is begun again as long as the
/// system bears it. What is violated while a promise is in the hands of the system counts once that was kept: at the end it is
/// waited for that.
pub fn rerun(
    system: &mut dyn System,
    judge: &mut Judge,
    gate: &mut Gate,
    loans: &mut Loans,
    inputs: &[Letter],
    mut enough: impl FnMut(&Rerun) -> bool,
) -> Rerun {
    loop {
        let mut made = rerun_once(system, judge, gate, inputs, &mut enough);
        made.excuse(system, judge, loans);
        match &made.broken {
            Some((error, _)) if system.retry(error) => {}
            _ => return made,
        }
    }
}

/// Where the system talks when it likes, what it said in time once may be late now: as many waits as met silence are made
/// again at the end, until there is silence.
fn hear_out(
    system: &mut dyn System,
    judge: &mut Judge,
    gate: &mut Gate,
    made: &mut Rerun,
    enough: &mut impl FnMut(&Rerun) -> bool,
) {
    let Some(silence @ Silence { wait: Some(wait), .. }) = system.silence() else { return };
    for _ in 0..silence.count(&made.trace) {
        if !gate.allows(wait) {
            return;
        }
        let step = match system.exchange(wait) {
            Ok(step) => step,
            Err(SystemError::Over) => return,
            Err(error) => {
                made.broken = Some((error, Some(wait)));
                return;
            }
        };
        gate.follow(&step);
        made.follow(judge, step);
        if enough(made) || step.output == silence.letter || judge.is_out_of_range(&step) {
            return;
        }
    }
}

fn rerun_once(
    system: &mut dyn System,
    judge: &mut Judge,
    gate: &mut Gate,
    inputs: &[Letter],
    enough: &mut impl FnMut(&Rerun) -> bool,
) -> Rerun {
    let mut made = Rerun::default();
    judge.reset();
    gate.reset();
    if let Err(error) = system.reset() {
        made.broken = Some((error, None));
        return made;
    }
    for &input in inputs {
        if !gate.allows(input) {
            made.withheld = true;
            return made;
        }
        for _ in 0..MOST_UNSENT {
            let step = match system.exchange(input) {
                Ok(step) => step,
                Err(SystemError::Over) => return made,
                Err(error) => {
                    made.broken = Some((error, Some(input)));
                    return made;
                }
            };
            gate.follow(&step);
            made.follow(judge, step);
            if enough(&made) || judge.is_out_of_range(&step) {
                return made;
            }
            if step.input == input {
                break;
            }
        }
    }
    hear_out(system, judge, gate, &mut made, enough);
    if let Some(last) =
        made.trace.len().checked_sub(1).filter(|_| made.violated.is_empty() && made.unfair.is_none())
    {
        made.violated.extend(judge.at_the_end().into_iter().map(|broken| (broken, last)));
    }
    made
}
