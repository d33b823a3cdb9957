//! What a campaign writes down: runs, coverings, violations, breakdowns.

use super::pilot::{Pilot, Run, seen};
use super::{Breakdown, Campaign, Outcome, PATIENTLY, Rerun, ShrinkLimits, Unconfirmed, rerun};
use crate::letter::Letter;
use crate::monitor::Verdict;
use crate::objective::{Objective, Progress};
use crate::strategy::View;
use crate::system::{Silence, SystemError};
use crate::trace::{RequirementNumber, RunEnd, Step};

/// After so many violations that did not recur with more patience, there is more patience from the start.
const OFTEN: u64 = 3;

/// So many look-ups for triggers are made in any case.
const LOOKED_AT: u64 = 100_000;

impl<O: Objective + ?Sized> Campaign<'_, O> {
    /// A run of at most so many steps begins.
    pub(super) fn begin_run(&mut self, steps: u32) {
        let pursued = self.turned_to.unwrap_or(0);
        self.outcome.pursued = pursued;
        self.outcome.objectives[pursued].runs += 1;
        self.outcome.runs += 1;
        self.trace.clear();
        self.outlined.clear();
        self.gate.reset();
        self.loans.promises.reset();
        let dares = self.dared <= self.outcome.steps / 2;
        self.run = Run { steps, nearest: self.nearest(), dares, ..Run::default() };
    }

    /// Tells the strategy that a run is over, and notes what it leaves behind: obligations that stay open, which are
    /// not violations because they may have been met later, and requirements that were put to the test.
    pub(super) fn book_run(&mut self, end: &RunEnd) {
        let known = self.run.left_strategy.unwrap_or(self.trace.len());
        if self.run.pilot != Pilot::Probe || self.run.left_strategy.is_none() {
            let trace = seen(&self.trace, &self.outlined);
            // Which step broke an assumption is known of the last one only.
            let cut = *end == RunEnd::Unfair && known < trace.len();
            let end = if cut { &RunEnd::Inconclusive } else { end };
            self.strategy.end_run(end, &View::new(self.arena.scene(), self.at, &trace[..known]));
        }
        if matches!(end, RunEnd::Active | RunEnd::Covered) {
            self.learn_lassos();
        }
        let Outcome { steps, pending, triggered, unsettled, inconclusive, objectives, pursued, .. } =
            &mut self.outcome;
        objectives[*pursued].steps += self.trace.len() as u64;
        self.dared += if self.run.dares { self.trace.len() as u64 } else { 0 };
        *inconclusive += u64::from(end.is_inconclusive());
        if *end == RunEnd::Lost {
            return;
        }
        for (requirement, age) in self.judge.open_obligations() {
            match pending.iter_mut().find(|(known, _)| *known == requirement) {
                Some((_, oldest)) => *oldest = age.max(*oldest),
                None => pending.push((requirement, age)),
            }
        }
        // Looking for triggers costs a look-up for each step and requirement: what is known to be triggered is counted as
        // long as that is little.
        let judged = self.judge.in_range(&self.trace);
        let may_count = self.looked_at <= LOOKED_AT + *steps / 10;
        for (at, (triggered, unsettled)) in triggered.iter_mut().zip(unsettled).enumerate() {
            let (requirements, number) = (&self.judge.requirements, RequirementNumber(at));
            let mut is_triggered = *triggered > 0;
            if may_count || !is_triggered {
                let first = requirements.first_test(number, judged);
                self.looked_at += first.map_or(judged.len(), |place| place + 1) as u64;
                *triggered += u64::from(first.is_some());
                is_triggered = first.is_some();
            }
            *unsettled |= is_triggered && requirements.verdict(number) != Verdict::Satisfied;
        }
    }

    /// The smallest distance that is nothing new; where other things may be passed, everything is looked at.
    fn nearest(&self) -> u32 {
        match &self.outcome.objectives[..] {
            [only] => only.best_distance.unwrap_or(u32::MAX),
            _ => u32::MAX,
        }
    }

    /// Notes how far what is pursued is.
    pub(super) fn note(&mut self, distance: u32) {
        let best = &mut self.outcome.objectives[self.outcome.pursued].best_distance;
        if best.is_none_or(|best| distance < best) && self.run.pilot != Pilot::Aftermath {
            *best = Some(distance);
            self.run.nearest = self.nearest();
        }
    }

    /// Whether something that is wanted is seen here and now for the first time.
    pub(super) fn passes(&self, progress: Progress) -> bool {
        // What is not pursued is looked at only where there is such a thing.
        let many = self.outcome.objectives.len() > 1 && self.run.pilot != Pilot::Aftermath;
        progress == Progress::Covered || many && self.objective.passes()
    }

    /// A violation of this requirement is known: no other is looked for.
    pub fn forget(&mut self, requirement: RequirementNumber) {
        self.judge.retire(requirement);
        self.lassos.iter_mut().for_each(|lassos| lassos.forget(requirement));
    }

    /// Books what is seen here and now.
    #[cold]
    pub(super) fn cover(&mut self) -> RunEnd {
        let end = self.settled(RunEnd::Covered);
        if end == RunEnd::Covered {
            let places = self.objective.cover();
            self.book_covered(&places);
        }
        end
    }

    fn book_covered(&mut self, places: &[usize]) {
        for &place in places {
            let tally = &mut self.outcome.objectives[place];
            (tally.covered, tally.best_distance) = (Some(self.trace.clone()), Some(0));
            self.news.covered.push(place);
        }
    }

    /// Books what the last step broke. It ends the run unless it was all known before.
    #[cold]
    pub(super) fn violated(&mut self) -> Option<RunEnd> {
        let broken = self.judge.take().into_iter();
        let (known, new): (Vec<RequirementNumber>, Vec<RequirementNumber>) =
            broken.partition(|&requirement| self.judge.is_retired(requirement));
        known.iter().for_each(|requirement| self.outcome.violating_runs[requirement.0] += 1);
        let wanted = new.iter().find(|&&new| self.arena.guide.reached_by_violating(new));
        let Some(&first) = wanted.or(new.first()) else {
            // Behind an answer that is none there is nothing to be judged.
            if self.trace.last().is_some_and(|step| self.judge.is_out_of_range(step)) {
                return Some(RunEnd::Inconclusive);
            }
            self.go_on_past_violation();
            return None;
        };
        let steps = self.trace.len();
        if let Some(end) = self.excused() {
            new.iter().for_each(|requirement| self.outcome.excused[requirement.0] += 1);
            return Some(end);
        }
        new.iter().for_each(|requirement| self.outcome.violating_runs[requirement.0] += 1);
        let trace = self.trace[..steps].to_vec();
        let end = self.settled(RunEnd::Violated(first));
        if end != RunEnd::Broken && !self.recurs_patiently(&new) {
            new.into_iter().for_each(|requirement| self.book_unconfirmed(requirement, &trace));
            return Some(RunEnd::Inconclusive);
        }
        if end != RunEnd::Broken {
            for requirement in new {
                self.forget(requirement);
                let places = self.objective.cover_violation(requirement);
                self.book_covered(&places);
                self.outcome.violations.push((requirement, trace.clone()));
            }
        }
        Some(end)
    }

    /// Books what the end of a run violates by itself.
    pub(super) fn at_the_end(&mut self, end: RunEnd) -> RunEnd {
        let blames = !self.trace.is_empty() && matches!(end, RunEnd::Active | RunEnd::Covered);
        let violated = if blames { self.judge.at_the_end() } else { Vec::new() };
        let Some(&first) = violated.first() else { return end };
        violated.iter().for_each(|requirement| self.outcome.violating_runs[requirement.0] += 1);
        let new = violated.into_iter().filter(|&requirement| !self.judge.is_retired(requirement));
        let new: Vec<RequirementNumber> = new.collect();
        if new.is_empty() || self.settled(end) != end {
            return end;
        }
        for requirement in new {
            self.judge.retire(requirement);
            self.outcome.violations.push((requirement, self.trace.clone()));
        }
        RunEnd::Violated(first)
    }

    /// Books what a step of a probe shows.
    pub(super) fn book_probe(&mut self, step: &Step) -> Option<RunEnd> {
        let found = self.lassos.as_mut().map(|lassos| lassos.saw(step)).unwrap_or_default();
        let first = found.iter().find(|lasso| lasso.is_sure).or(found.first())?;
        let end = if first.is_sure { RunEnd::Violated(first.requirement) } else { RunEnd::Active };
        let end = self.settled(end);
        if end != RunEnd::Broken {
            found.iter().filter(|lasso| lasso.is_sure).for_each(|lasso| {
                self.judge.retire(lasso.requirement);
                self.outcome.violating_runs[lasso.requirement.0] += 1;
            });
            self.outcome.lassos.extend(found);
        }
        Some(end)
    }

    /// Whether what was violated is violated again with ten times the patience, where silence was part of it.
    fn recurs_patiently(&mut self, violated: &[RequirementNumber]) -> bool {
        let silent = |silence: Silence| silence.count(&self.trace) > 0;
        if !self.system.silence().is_some_and(silent) {
            return true;
        }
        let inputs: Vec<Letter> = self.trace.iter().map(|step| step.input).collect();
        let (mut judge, mut gate, mut loans) = (self.judge.clone(), self.gate.clone(), self.loans.clone());
        let mut tries = 0;
        self.system.be_patient(PATIENTLY);
        let recurs = loop {
            let again = |made: &Rerun| violated.iter().any(|&known| made.violation_of(known).is_some());
            let made = rerun(&mut *self.system, &mut judge, &mut gate, &mut loans, &inputs, again);
            tries += 1;
            // What breaks the system is looked into where the violation is.
            if again(&made) || made.broken.is_some() {
                break true;
            }
            if tries == ShrinkLimits::default().confirmations {
                break false;
            }
        };
        self.system.be_patient(self.patience);
        recurs
    }

    /// What was booked as a violation is none: it did not recur with more patience when it was looked into. It is looked
    /// for as before.
    pub fn doubt(&mut self, requirement: RequirementNumber, trace: &[Step]) {
        self.look_again(requirement);
        self.book_unconfirmed(requirement, trace);
    }

    /// What was booked as a violation was not seen for sure: finite runs that violate the requirement are looked for as before.
    pub fn look_again(&mut self, requirement: RequirementNumber) {
        self.judge.look_again(requirement);
        for place in self.objective.doubt_violation(requirement) {
            let tally = &mut self.outcome.objectives[place];
            (tally.covered, tally.best_distance) = (None, None);
        }
    }

    fn book_unconfirmed(&mut self, requirement: RequirementNumber, trace: &[Step]) {
        let unconfirmed = &mut self.outcome.unconfirmed;
        match unconfirmed.iter_mut().find(|known| known.requirement == requirement) {
            Some(known) => known.times += 1,
            None => {
                unconfirmed.push(Unconfirmed { requirement, trace: trace.to_vec(), times: 1 });
            }
        }
        // Who is too impatient again and again learns from it.
        if unconfirmed.iter().map(|known| known.times).sum::<u64>() >= OFTEN {
            self.patience = PATIENTLY;
            self.system.be_patient(PATIENTLY);
        }
    }

    /// A verdict stands only once the system is known to have answered in turn.
    pub(super) fn settled(&mut self, end: RunEnd) -> RunEnd {
        match self.system.settle() {
            Ok(()) => end,
            Err(error) => self.broken(error, None),
        }
    }

    pub(super) fn broken(&mut self, error: SystemError, unanswered: Option<Letter>) -> RunEnd {
        if matches!(error, SystemError::Interrupted | SystemError::Over) {
            return RunEnd::Active;
        }
        if self.system.retry(&error) {
            return RunEnd::Lost;
        }
        let last_words = self.system.last_words();
        self.outcome.broken = Some(Breakdown { error, trace: self.trace.clone(), unanswered, last_words });
        RunEnd::Broken
    }
}
