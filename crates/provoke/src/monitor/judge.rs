//! Who is to blame for an exchange: the one place where requirements and assumptions meet.

use super::{Monitors, Verdict};
use crate::trace::{RequirementNumber, Step};

/// Every requirement and every assumption, following one run: campaigns, shrinking, replays and recorded runs are all
/// judged here.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// One monitor for each requirement.
    pub requirements: Monitors,
    /// One monitor for each assumption about the environment.
    pub assumptions: Monitors,
    /// For each requirement, whether a violation of it is known, so that no other is looked for.
    known: Vec<bool>,
    /// Whether a requirement may be settled before a run ends, or is not looked at any more.
    settles: bool,
    /// A requirement that may still be violated in this run, as far as was known when it was last looked for.
    witness: usize,
}

/// What an exchange means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Nothing is violated that was not before.
    Kept,
    /// The environment broke an assumption, now or before: nobody is to blame for anything from now on.
    Unfair,
    /// The system violated a requirement; [`Judge::take`] says which.
    Violated,
}

impl Judge {
    /// A judge of these requirements under these assumptions.
    pub fn new(requirements: Monitors, assumptions: Monitors) -> Judge {
        let (known, settles) = (vec![false; requirements.len()], requirements.can_settle());
        Judge { requirements, assumptions, known, settles, witness: 0 }
    }

    /// A violation of this requirement is known: no other is looked for.
    pub fn retire(&mut self, requirement: RequirementNumber) {
        self.known[requirement.0] = true;
        self.settles = true;
    }

    /// What was taken for a violation of this requirement was none.
    pub fn look_again(&mut self, requirement: RequirementNumber) {
        self.known[requirement.0] = false;
    }

    /// Whether a violation of this requirement is known.
    pub fn is_retired(&self, requirement: RequirementNumber) -> bool {
        self.known[requirement.0]
    }

    /// Whether some requirement may still be violated in this run of which no violation is known. Without any
    /// requirement there are still systems that break.
    #[inline]
    pub fn may_find(&mut self) -> bool {
        !self.settles || self.known.is_empty() || self.may_still_find()
    }

    fn may_still_find(&mut self) -> bool {
        let open = |&requirement: &usize| {
            let verdict = self.requirements.verdict(RequirementNumber(requirement));
            !self.known[requirement] && matches!(verdict, Verdict::SoFarGood | Verdict::SoFarBad)
        };
        if open(&self.witness) {
            return true;
        }
        let other = (0..self.known.len()).find(open);
        self.witness = other.unwrap_or(0);
        other.is_some()
    }

    /// Back to the start of a run.
    pub fn reset(&mut self) {
        self.requirements.reset();
        self.assumptions.reset();
    }

    /// Every monitor sees the exchange. Where the environment breaks an assumption, a requirement that is violated at
    /// the same time is not the system's fault.
    #[inline]
    pub fn follow(&mut self, step: &Step) -> Ruling {
        let unfair = self.assumptions.violates(step);
        match self.requirements.violates(step) {
            _ if unfair => Ruling::Unfair,
            true => Ruling::Violated,
            false => Ruling::Kept,
        }
    }

    /// The requirements that are violated and were not when this was last asked in this run: all that a step broke.
    pub fn take(&mut self) -> Vec<RequirementNumber> {
        self.requirements.take()
    }

    /// The requirements that are violated because the run ends here: none, unless the published oracle judges.
    pub fn at_the_end(&self) -> Vec<RequirementNumber> {
        match self.requirements.blame_the_end() {
            true => self.requirements.all(Verdict::SoFarBad).collect(),
            false => Vec::new(),
        }
    }

    /// Where every monitor is: runs that are in the same place are judged alike from there on.
    pub fn places(&self) -> Vec<u32> {
        self.requirements.places().chain(self.assumptions.places()).collect()
    }

    /// Requirements whose obligations are open, with the steps they have been open for. While an assumption is open
    /// itself it is not the system's turn, and there are none.
    pub fn open_obligations(&self) -> impl Iterator<Item = (RequirementNumber, u32)> {
        let waiting = [Verdict::SoFarBad, Verdict::Violated]
            .iter()
            .any(|&verdict| self.assumptions.all(verdict).next().is_some());
        let open = self.requirements.all(Verdict::SoFarBad).filter(move |_| !waiting);
        // An age of 0: the run ended before its first step.
        open.map(|requirement| (requirement, self.requirements.open_for(requirement)))
            .filter(|(_, age)| *age > 0)
    }
}
