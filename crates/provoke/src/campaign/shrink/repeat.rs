//! Violations that rest on how long answers take: slow once is chance, slow most of the time is not.

use std::time::Instant;

use super::story::{Oracle, Told, shortest_story};
use super::{Budget, Event, ShrinkLimits, Shrinking};
use crate::campaign::rerun::rerun;
use crate::letter::{Alphabet, Field, Letter, Outline};
use crate::report::ElapsedReport;
use crate::system::SystemError;
use crate::trace::{Step, Trace};

/// How often what was found is told again, and what came of shortening it.
const CONFIRMATIONS: u32 = 10;

/// How often a candidate is tried, of which more than half must violate the requirement at the same step.
const TRIES: u32 = 5;

/// Runs with the same inputs, each with how many steps it took until the requirement was violated, if it was.
#[derive(Default)]
struct Tally(Vec<(Trace, Option<usize>)>);

impl Tally {
    /// After how many steps the requirement was violated most often, and how often that was; of several, the fewest.
    fn usual(&self) -> Option<(usize, u32)> {
        let lengths = || self.0.iter().filter_map(|(_, violated)| *violated);
        let times = |length: usize| lengths().filter(|other| *other == length).count() as u32;
        lengths()
            .map(|length| (length, times(length)))
            .min_by_key(|&(length, times)| (u32::MAX - times, length))
    }

    /// The story that is told most of the time, if one is told more often than not in so many runs.
    fn mostly(&self, runs: u32) -> Option<usize> {
        self.usual().filter(|(_, times)| 2 * times > runs).map(|(length, _)| length)
    }

    /// A run that was violated after so many steps, up to there.
    fn story(&self, length: usize) -> Option<Trace> {
        let told = self.0.iter().rev().find(|(_, violated)| *violated == Some(length));
        told.map(|(trace, _)| trace[..length].to_vec())
    }

    /// How long the answer to the last of so many steps took.
    fn elapsed(&self, field: &Field, length: usize) -> Option<ElapsedReport> {
        let answer = |(trace, violated): &(Trace, Option<usize>)| {
            let took = field.number(field.get(trace.get(length.checked_sub(1)?)?.output))?;
            Some((u64::try_from(took).ok()?, *violated == Some(length)))
        };
        ElapsedReport::of(self.0.iter().filter_map(answer).collect())
    }
}

/// Takes a candidate for a violation that is one most of the time.
struct Mostly<'a, 'b, 'c>(&'a mut Shrinking<'b, 'c>);

impl Oracle for Mostly<'_, '_, '_> {
    fn try_inputs(&mut self, inputs: &[Letter]) -> Result<Told, SystemError> {
        let mut tally = Tally::default();
        for tried in 1..=TRIES {
            let run = self.0.run_through(inputs)?;
            tally.0.push(run);
            let most = tally.usual().map_or(0, |(_, times)| times);
            // More tries would not change what comes of it.
            if 2 * most > TRIES || 2 * (most + TRIES - tried) <= TRIES || self.interrupted() {
                break;
            }
        }
        let story = tally.mostly(TRIES).and_then(|length| tally.story(length));
        self.0.tell_progress(story.as_ref().map(Vec::len));
        Ok(match story {
            Some(trace) => Told { trace, violated: true },
            None => {
                Told { trace: tally.0.pop().map(|(trace, _)| trace).unwrap_or_default(), violated: false }
            }
        })
    }

    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }

    fn outline(&self) -> Outline {
        self.0.outline()
    }
}

impl Shrinking<'_, '_> {
    /// The shortest story that is told most of the time, how often it was, and how long its last answer took. What is
    /// not told again most of the time stays as it was found.
    pub(super) fn confirm_and_shrink_measured(
        &mut self,
        field: &Field,
        trace: &[Step],
        inputs: &Alphabet,
        limits: ShrinkLimits,
    ) -> (Trace, (u32, u32), Option<ElapsedReport>) {
        let started = Instant::now();
        self.length = trace.len();
        if limits.confirmations == 0 {
            return (trace.to_vec(), (0, 0), None);
        }
        let word = |trace: &[Step]| trace.iter().map(|step| step.input).collect::<Vec<_>>();
        let runs = limits.confirmations.max(CONFIRMATIONS);
        let (first, broke) = self.tally(&word(trace), runs);
        let told = |tally: &Tally, length: usize| {
            let again = tally.usual().filter(|(usual, _)| *usual == length).map_or(0, |(_, times)| times);
            ((again, tally.0.len() as u32), tally.elapsed(field, length))
        };
        let Some(sure) = first.mostly(runs).and_then(|length| first.story(length)).filter(|_| !broke) else {
            let again = first.usual().map_or(0, |(_, times)| times);
            let reproduced = (again, first.0.len() as u32);
            return (trace.to_vec(), reproduced, first.elapsed(field, trace.len()));
        };
        // One more round of runs is left for what comes of it.
        let last = u64::from(runs) * sure.len() as u64;
        let budget = Budget {
            runs: u64::from(limits.candidates / TRIES),
            steps: limits.steps.saturating_sub(self.steps + last) / u64::from(TRIES),
            time: limits.time.saturating_sub(started.elapsed()),
        };
        let until = std::mem::replace(&mut self.bench.loans.until, started.checked_add(limits.time));
        let story = shortest_story(&sure, inputs, &[], budget, &mut Mostly(self));
        self.bench.loans.until = until;
        for shorter in story.stories.iter().skip(1).rev().take(3).filter(|_| story.broken.is_none()) {
            let (again, broke) = self.tally(&word(shorter), runs);
            if let Some(best) = again.mostly(runs).and_then(|length| again.story(length)).filter(|_| !broke) {
                let (reproduced, elapsed) = told(&again, best.len());
                return (best, reproduced, elapsed);
            }
        }
        let (reproduced, elapsed) = told(&first, sure.len());
        (sure, reproduced, elapsed)
    }

    /// So many runs with the same inputs, and whether the system broke in one of them.
    fn tally(&mut self, inputs: &[Letter], runs: u32) -> (Tally, bool) {
        let mut tally = Tally::default();
        for _ in 0..runs {
            let Ok(run) = self.run_through(inputs) else { return (tally, true) };
            if run.1.is_some()
                && let Err(error) = self.bench.system.settle()
            {
                self.broke(error, run.0, None);
                return (tally, true);
            }
            tally.0.push(run);
            let (requirement, again) = (self.requirement(), tally.usual().map_or(0, |(_, times)| times));
            self.tell(&Event::Confirming { requirement, again, tries: tally.0.len() as u32 });
        }
        (tally, false)
    }

    /// One run with all these inputs, and after how many of them the requirement was violated first.
    fn run_through(&mut self, inputs: &[Letter]) -> Result<(Trace, Option<usize>), SystemError> {
        self.runs += 1;
        let wanted = self.requirement();
        let super::Bench { system, judge, gate, loans, .. } = &mut *self.bench;
        let made = rerun(&mut **system, judge, gate, loans, inputs, |made| made.unfair.is_some());
        self.steps += (made.trace.len() + made.waited) as u64;
        let violated = wanted.and_then(|wanted| made.violation_of(wanted)).map(<[Step]>::len);
        match made.broken {
            None => Ok((made.trace, violated)),
            Some((error, unanswered)) => Err(self.broke(error, made.trace, unanswered)),
        }
    }
}
