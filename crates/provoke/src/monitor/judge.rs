//! Who is to blame for an exchange: the one place where requirements and assumptions meet.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{Monitors, Verdict};
use crate::atom::Hidden;
use crate::letter::Alphabet;
use crate::trace::{RequirementNumber, Step, in_range};

/// A monitor that does not go round after so many equal rounds is not waited for any longer.
const MOST_ROUNDS: u32 = 100_000;

/// Every requirement and every assumption, following one run: campaigns, shrinking, replays and recorded runs are all
/// judged here.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// One monitor for each requirement.
    pub requirements: Monitors,
    /// One monitor for each assumption about the environment.
    pub assumptions: Monitors,
    /// The outputs, where they can be out of range; a requirement for each such field comes behind the others.
    ranges: Option<Alphabet>,
    /// What letters say themselves, and the last exchange of this run, where there is such a thing.
    hidden: Option<Arc<Hidden>>,
    before: Option<Step>,
    /// The answer that was out of range, until somebody takes it.
    strayed: Vec<RequirementNumber>,
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
        Judge {
            requirements,
            assumptions,
            ranges: None,
            hidden: None,
            before: None,
            strayed: Vec::new(),
            known,
            settles,
            witness: 0,
        }
    }

    /// The same, and answers must be within their ranges: an implicit requirement for each output that has one, numbered
    /// behind the others in the order of the fields. What is out of range is judged by these alone.
    #[must_use]
    pub fn within_ranges(mut self, outputs: &Alphabet) -> Judge {
        self.ranges = outputs.can_stray().then(|| outputs.clone());
        let more = self.ranges.iter().flat_map(Alphabet::ranged).count();
        self.known.resize(self.requirements.len() + more, false);
        self
    }

    /// The same, and exchanges are [completed](Judge::complete) with what letters say themselves.
    #[must_use]
    pub fn completing(self, hidden: Option<Arc<Hidden>>) -> Judge {
        Judge { hidden, ..self }
    }

    /// The next exchange of this run with what letters say themselves, to be asked before anybody follows it.
    #[inline]
    #[must_use]
    pub fn complete(&self, step: Step) -> Step {
        match &self.hidden {
            None => step,
            Some(hidden) => hidden.completed(self.before, step),
        }
    }

    /// How many requirements there are, the implicit ones included.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether an answer is out of range: nothing that comes after it means anything.
    #[inline]
    pub fn is_out_of_range(&self, step: &Step) -> bool {
        self.ranges.as_ref().is_some_and(|outputs| outputs.is_stray(step.output))
    }

    /// The steps of a run that requirements other than those of ranges have judged.
    pub fn in_range<'t>(&self, trace: &'t [Step]) -> &'t [Step] {
        self.ranges.as_ref().map_or(trace, |outputs| in_range(outputs, trace))
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
        !self.settles || self.requirements.is_empty() || self.may_still_find()
    }

    fn may_still_find(&mut self) -> bool {
        let open = |&requirement: &usize| {
            let verdict = self.requirements.verdict(RequirementNumber(requirement));
            !self.known[requirement] && matches!(verdict, Verdict::SoFarGood | Verdict::SoFarBad)
        };
        if open(&self.witness) {
            return true;
        }
        let other = (0..self.requirements.len()).find(open);
        self.witness = other.unwrap_or(0);
        other.is_some()
    }

    /// Back to the start of a run.
    pub fn reset(&mut self) {
        self.requirements.reset();
        self.assumptions.reset();
        self.strayed.clear();
        self.before = None;
    }

    /// Every monitor sees the exchange. Where the environment breaks an assumption, a requirement that is violated at
    /// the same time is not the system's fault.
    #[inline]
    pub fn follow(&mut self, step: &Step) -> Ruling {
        if self.is_out_of_range(step) {
            return self.out_of_range(step);
        }
        if self.hidden.is_some() {
            self.before = Some(*step);
        }
        let unfair = self.assumptions.violates(step);
        match self.requirements.violates(step) {
            _ if unfair => Ruling::Unfair,
            true => Ruling::Violated,
            false => Ruling::Kept,
        }
    }

    /// Only ranges judge what is no letter: no monitor follows it.
    #[cold]
    fn out_of_range(&mut self, step: &Step) -> Ruling {
        let Some(outputs) = &self.ranges else { return Ruling::Kept };
        if self.assumptions.all(Verdict::Violated).next().is_some() {
            return Ruling::Unfair;
        }
        let (astray, first) = (outputs.strayed(step.output), self.requirements.len());
        let numbered = outputs.ranged().enumerate();
        let broken = numbered.filter(|(_, (field, _))| astray.iter().any(|(known, _)| known == field));
        self.strayed = broken.map(|(at, _)| RequirementNumber(first + at)).collect();
        Ruling::Violated
    }

    /// The requirements that are violated and were not when this was last asked in this run: all that a step broke.
    pub fn take(&mut self) -> Vec<RequirementNumber> {
        match self.strayed.is_empty() {
            true => self.requirements.take(),
            false => std::mem::take(&mut self.strayed),
        }
    }

    /// The requirements that are violated because the run ends here: none, unless the published oracle judges.
    pub fn at_the_end(&self) -> Vec<RequirementNumber> {
        match self.requirements.blame_the_end() {
            true => self.requirements.all(Verdict::SoFarBad).collect(),
            false => Vec::new(),
        }
    }

    /// Whether no assumption is ever broken if these exchanges come again and again from here. What comes is fixed, so each monitor
    /// goes round as soon as it is where it was before one of them; one that never is, or of which it is not known where it is, keeps
    /// this unknown, and that counts as no.
    pub fn is_fair_for_ever(&mut self, round: &[Step]) -> bool {
        let mut met: Vec<FxHashSet<u64>> = vec![FxHashSet::default(); self.assumptions.len()];
        for _ in 0..MOST_ROUNDS {
            let mut new = 0;
            // All of them are asked.
            for (met, place) in met.iter_mut().zip(self.assumptions.fingerprints()) {
                let Some(place) = place else { return false };
                new += usize::from(met.insert(place));
            }
            if new == 0 {
                return true;
            }
            if round.iter().any(|step| self.follow(step) == Ruling::Unfair) {
                return false;
            }
        }
        false
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
