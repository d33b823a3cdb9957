//! Candidates on the real system: each is run at most once, and the best story so far is kept.

use std::time::Instant;

use super::allowance::Allowance;
use super::edits::distinct;
use super::seen::{Known, Seen};
use super::story::{Oracle, Told};
use crate::letter::{Alphabet, Letter};
use crate::system::SystemError;
use crate::trace::{Step, Trace};

/// Alphabets up to this size are tried letter by letter; of larger ones, those of the story and simple ones.
const SMALL: usize = 64;

/// Why a search ends before it is through.
#[derive(Debug)]
pub(super) enum Stop {
    /// The allowance is used up, or nothing is gained any more.
    Enough,
    /// The system broke.
    Broken(SystemError),
}

/// The one who runs candidates.
pub(super) struct Candidates<'a> {
    oracle: &'a mut dyn Oracle,
    inputs: &'a Alphabet,
    pub(super) allowance: Allowance,
    pub(super) seen: Seen,
    /// How many runs were known before.
    pub(super) observed: usize,
    /// The stories so far, each shorter or simpler than the one before.
    stories: Vec<Trace>,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(
        oracle: &'a mut dyn Oracle,
        inputs: &'a Alphabet,
        allowance: Allowance,
        original: &[Step],
    ) -> Candidates<'a> {
        let mut seen = Seen::new(oracle.outline());
        seen.add(&[], original, true);
        Candidates { oracle, inputs, allowance, seen, observed: 0, stories: vec![original.to_vec()] }
    }

    /// Takes in other runs of the same system; the best of those that violate the requirement is the next story.
    pub(super) fn take_in(&mut self, observed: &[Told]) {
        let mut seen = Seen::new(self.oracle.outline());
        seen.add(&[], self.best(), true);
        observed.iter().for_each(|run| seen.add(&[], &run.trace, run.violated));
        if !seen.is_sure() {
            return;
        }
        (self.seen, self.observed) = (seen, observed.len());
        let stories = observed.iter().filter(|run| run.violated);
        let best = stories.min_by_key(|run| worth(self.inputs, &run.trace));
        if let Some(best) = best.filter(|best| worth(self.inputs, &best.trace) < self.worth()) {
            self.stories.push(best.trace.clone());
        }
    }

    pub(super) fn alphabet(&self) -> &'a Alphabet {
        self.inputs
    }

    pub(super) fn best(&self) -> &[Step] {
        self.stories.last().map_or(&[], Vec::as_slice)
    }

    pub(super) fn stories(self) -> (Vec<Trace>, Allowance) {
        (self.stories, self.allowance)
    }

    /// The inputs of the best story.
    pub(super) fn word(&self) -> Vec<Letter> {
        self.best().iter().map(|step| step.input).collect()
    }

    /// The letters worth trying anywhere, by number.
    pub(super) fn letters(&mut self) -> Vec<u32> {
        let letters = candidates(self.inputs, self.word());
        letters.into_iter().map(|letter| self.seen.input(letter)).collect()
    }

    /// How short and how simple the best story is.
    pub(super) fn worth(&self) -> (usize, u64) {
        worth(self.inputs, self.best())
    }

    /// Sends these inputs, unless what becomes of them is known. Where they violate the requirement, says with how
    /// many of them; a better story is kept.
    pub(super) fn try_out(&mut self, word: &[Letter]) -> Result<Option<usize>, Stop> {
        if self.seen.is_sure() {
            match self.seen.known(word) {
                Known::Violates(len) => return Ok(Some(len)),
                Known::Spared => return Ok(None),
                Known::No => {}
            }
        }
        if !self.allowance.has(word.len()) || self.oracle.interrupted() {
            return Err(Stop::Enough);
        }
        let started = Instant::now();
        let told = self.oracle.try_inputs(word).map_err(Stop::Broken)?;
        self.allowance.spend(told.trace.len(), started.elapsed());
        self.seen.add(word, &told.trace, told.violated);
        if !told.violated {
            return Ok(None);
        }
        let len = told.trace.len();
        let (before, after) = (self.worth(), worth(self.inputs, &told.trace));
        if after < before {
            let share = |before: f64, after: f64| if before > after { 1.0 - after / before } else { 0.0 };
            let shorter = share(before.0 as f64, after.0 as f64);
            self.allowance.gain(shorter.max(share(before.1 as f64, after.1 as f64) / 2.0));
            self.stories.push(told.trace);
        }
        Ok(Some(len))
    }
}

/// Fewer steps are better; among as many, fewer signals that are 1, or labels that come earlier.
fn worth(inputs: &Alphabet, story: &[Step]) -> (usize, u64) {
    let weights = story.iter().map(|step| inputs.weight(step.input));
    (story.len(), weights.fold(0, u64::saturating_add))
}

/// The letters worth trying: all of a small alphabet; otherwise those of the story and simple ones.
fn candidates(inputs: &Alphabet, story: Vec<Letter>) -> Vec<Letter> {
    if let Some(all) = inputs.letters(SMALL as u64) {
        return all;
    }
    let mut letters = distinct(story);
    for letter in inputs.simple() {
        if letters.len() >= SMALL {
            break;
        }
        if !letters.contains(&letter) {
            letters.push(letter);
        }
    }
    letters
}
