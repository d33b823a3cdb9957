//! One run with given inputs: how violations are confirmed and shrunk, and traces replayed.

use crate::game::Gate;
use crate::letter::Letter;
use crate::monitor::{Judge, Ruling};
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

/// How often a system that talks when it likes may keep us from sending an input.
const MOST_UNSENT: usize = 1000;

/// Resets the system, sends the inputs one after another and judges every exchange, until `enough` says so. An input
/// that the gate forbids is not sent and ends the run, and so does a system that has ended. Where the system says something
/// before an input could be sent, that is an exchange of its own, and the input is sent after it; a wait takes whatever
/// comes. One whose connection is lost is begun again as long as the
/// system bears it.
pub fn rerun(
    system: &mut dyn System,
    judge: &mut Judge,
    gate: &mut Gate,
    inputs: &[Letter],
    mut enough: impl FnMut(&Rerun) -> bool,
) -> Rerun {
    loop {
        let made = rerun_once(system, judge, gate, inputs, &mut enough);
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
