//! Several reports about one specification as one.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::{
    CoverageReport, ObjectiveReport, Report, RequirementReport, SystemReport, UnconfirmedReport,
    ViolationReport,
};
use crate::system::interrupt::Interrupt;
use crate::trace::Step;

impl Report {
    /// This report and another one about the same specification, as one.
    ///
    /// - Counts add up: runs, resets, steps, seconds, and those of each objective and each requirement.
    /// - An objective is covered where either covered it; the shortest trace is kept, and the smallest distance.
    /// - Of two violations of one requirement the one with the shorter trace is kept, where they are equally long the one
    ///   that recurred more often, then the one whose text comes first; the same of two breakdowns.
    /// - Of two judgements of a requirement the greater stands; see [`Judgement`](super::Judgement).
    /// - What was noted by either stays noted. Of two seeds the lower is named, of two strategies both are, and of memory
    ///   and of what a reset is worth the larger.
    /// - The verdict is that of the whole: an objective that one left open may have been covered by the other.
    ///
    /// It does not matter which reports are merged first, nor in which order, except that lists name things in the order
    /// in which they are met, and that seconds are rounded.
    #[must_use]
    pub fn merge(mut self, other: Report) -> Report {
        self.strategy = both(&self.strategy, &other.strategy);
        self.seed = self.seed.min(other.seed);
        self.runs += other.runs;
        self.resets += other.resets;
        self.steps += other.steps;
        self.reset_steps += other.reset_steps;
        self.shrink_resets += other.shrink_resets;
        self.shrink_steps += other.shrink_steps;
        self.seconds += other.seconds;
        self.strategy_bytes = self.strategy_bytes.max(other.strategy_bytes);
        join(&mut self.objectives, other.objectives, |a, b| a.id == b.id, ObjectiveReport::merge);
        let same = |a: &CoverageReport, b: &CoverageReport| (&a.objective, &a.of) == (&b.objective, &b.of);
        join(&mut self.coverage, other.coverage, same, CoverageReport::merge);
        self.suite = match (self.suite, other.suite) {
            (Some(a), Some(b)) => Some(a.and(b)),
            (a, b) => a.or(b),
        };
        self.note = self.note.or(other.note);
        let same = |a: &ViolationReport, b: &ViolationReport| a.requirement == b.requirement;
        join(&mut self.violations, other.violations, same, ViolationReport::merge);
        join(&mut self.suspected, other.suspected, same, ViolationReport::merge);
        join(&mut self.requirements, other.requirements, |a, b| a.id == b.id, RequirementReport::merge);
        union(&mut self.no_longer, other.no_longer);
        union(&mut self.no_longer_breaks, other.no_longer_breaks);
        union(&mut self.not_this_time, other.not_this_time);
        union(&mut self.not_guiding, other.not_guiding);
        union(&mut self.unkept, other.unkept);
        self.stranded |= other.stranded;
        self.interrupted = [self.interrupted, other.interrupted].into_iter().flatten().min_by_key(politeness);
        self.reset_cost = self.reset_cost.max(other.reset_cost);
        self.calibration.0 += other.calibration.0;
        self.calibration.1 += other.calibration.1;
        self.system = match (self.system, other.system) {
            (Some(a), Some(b)) => Some(a.merge(b)),
            (a, b) => a.or(b),
        };
        join(&mut self.pending, other.pending, |a, b| a.0 == b.0, |a, b| a.1 = a.1.max(b.1));
        self.retries.extend(other.retries);
        self.pace = match (self.pace, other.pace) {
            (Some(a), Some(b)) => Some(a.and(b)),
            (a, b) => a.or(b),
        };
        self.model = match (self.model, other.model) {
            (Some(a), Some(b)) => Some(a.merge(b)),
            (a, b) => a.or(b),
        };
        let same = |a: &UnconfirmedReport, b: &UnconfirmedReport| a.requirement == b.requirement;
        join(&mut self.unconfirmed, other.unconfirmed, same, UnconfirmedReport::merge);
        self.verdict = self.overall();
        self
    }
}

impl ObjectiveReport {
    fn merge(&mut self, other: ObjectiveReport) {
        self.covered |= other.covered;
        self.best_distance = [self.best_distance, other.best_distance].into_iter().flatten().min();
        self.runs += other.runs;
        self.steps += other.steps;
        let told = [(self.trace.take(), self.silence), (other.trace, other.silence)];
        let told = told.into_iter().filter_map(|(trace, silence)| Some((trace?, silence)));
        let shortest = told.min_by(|a, b| shorter(&a.0, &b.0).then(a.1.cmp(&b.1)));
        self.silence = shortest.as_ref().and_then(|(_, silence)| *silence);
        self.trace = shortest.map(|(trace, _)| trace);
    }
}

impl ViolationReport {
    fn merge(&mut self, other: ViolationReport) {
        let runs = self.runs + other.runs;
        if other.order(self) == Ordering::Less {
            *self = other;
        }
        self.runs = runs;
    }

    fn order(&self, other: &ViolationReport) -> Ordering {
        let rest = |report: &ViolationReport| {
            let ViolationReport { text, original_len, reproduced: (_, tries), .. } = report;
            let ViolationReport { no_answer, no_system, silence, elapsed, saved, .. } = report;
            (
                *tries,
                *original_len,
                text.clone(),
                no_answer.clone(),
                *no_system,
                *silence,
                *elapsed,
                saved.clone(),
                report.evidence,
            )
        };
        let lengths = self.trace.len().cmp(&other.trace.len());
        let tries = other.reproduced.0.cmp(&self.reproduced.0);
        let steps = shorter(&self.trace, &other.trace);
        lengths.then(tries).then(steps).then_with(|| rest(self).cmp(&rest(other)))
    }
}

impl UnconfirmedReport {
    fn merge(&mut self, other: UnconfirmedReport) {
        let times = self.times + other.times;
        if shorter(&other.trace, &self.trace).then(other.silence.cmp(&self.silence)) == Ordering::Less {
            *self = other;
        }
        self.times = times;
    }
}

impl RequirementReport {
    fn merge(&mut self, other: RequirementReport) {
        self.violated |= other.violated;
        self.violating_runs += other.violating_runs;
        self.excused += other.excused;
        self.tested |= other.tested;
        self.triggered += other.triggered;
        self.judgement = self.judgement.max(other.judgement);
        self.left_out |= other.left_out;
        union(&mut self.withholds, other.withholds);
    }
}

impl SystemReport {
    fn merge(self, other: SystemReport) -> SystemReport {
        if other.order(&self) == Ordering::Less { other } else { self }
    }

    fn order(&self, other: &SystemReport) -> Ordering {
        let rest = |report: &SystemReport| {
            let SystemReport { error, original_len, reproduced: (_, tries), stderr, saved, .. } = report;
            (*tries, *original_len, error.clone(), stderr.clone(), saved.clone())
        };
        let lengths = self.inputs().cmp(&other.inputs());
        let tries = other.reproduced.0.cmp(&self.reproduced.0);
        let steps = shorter(&self.trace, &other.trace);
        let unanswered = self.unanswered.cmp(&other.unanswered);
        lengths.then(tries).then(steps).then(unanswered).then_with(|| rest(self).cmp(&rest(other)))
    }
}

/// The shorter trace first, and of equally long ones the one with the lower letters.
fn shorter(a: &[Step], b: &[Step]) -> Ordering {
    let letters = |trace: &[Step]| trace.iter().map(|step| (step.input, step.output)).collect::<Vec<_>>();
    a.len().cmp(&b.len()).then_with(|| letters(a).cmp(&letters(b)))
}

/// Puts what is met for the first time at the end, and merges the rest with what is there.
fn join<T>(here: &mut Vec<T>, there: Vec<T>, same: impl Fn(&T, &T) -> bool, merge: impl Fn(&mut T, T)) {
    for item in there {
        match here.iter_mut().find(|known| same(known, &item)) {
            Some(known) => merge(known, item),
            None => here.push(item),
        }
    }
}

fn union(here: &mut Vec<String>, there: Vec<String>) {
    join(here, there, |a, b| a == b, |_, _| {});
}

/// The names in either list, each once, in the order of the alphabet. A single name is a list.
fn both(a: &str, b: &str) -> String {
    let names: BTreeSet<&str> = a.split(", ").chain(b.split(", ")).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

fn politeness(interrupt: &Interrupt) -> u8 {
    match interrupt {
        Interrupt::Sigint => 0,
        Interrupt::Sigterm => 1,
    }
}

#[cfg(test)]
mod tests;
