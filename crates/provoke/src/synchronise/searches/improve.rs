//! The shortest word so far, and what it is replaced by.

use super::beam::{Width, forward};
use super::shorten::shorten;
use super::weight::{Scores, weights};
use crate::machine::UNDEFINED;
use crate::rng::Rng;
use crate::synchronise::core::Core;
use crate::synchronise::exact::stretch;
use crate::synchronise::sets::image::Scratch;
use crate::synchronise::watch::Watch;
use crate::synchronise::{Goals, Raw};

/// A word that leads where it may, and how it came to be.
pub(crate) struct Improve<'a> {
    core: &'a Core<'a>,
    goals: &'a Goals,
    word: Vec<u32>,
    by: &'static str,
    /// The lengths of those before, in falling order.
    before: Vec<usize>,
    /// False where the first word cannot be led to a state that is wanted: then there is nothing to improve.
    wanted: bool,
}

impl<'a> Improve<'a> {
    pub(crate) fn new(
        core: &'a Core<'a>,
        goals: &'a Goals,
        word: Vec<u32>,
        by: &'static str,
        watch: &mut Watch<'_>,
    ) -> Improve<'a> {
        let mut best = Improve { core, goals, word, by, before: Vec::new(), wanted: false };
        if let Some(word) = best.run(best.word.clone()) {
            watch.found(word.len());
            (best.word, best.wanted) = (word, true);
        }
        best
    }

    pub(crate) fn len(&self) -> usize {
        self.word.len()
    }

    pub(crate) fn word(&self) -> &[u32] {
        &self.word
    }

    /// The states in which a word may end.
    pub(crate) fn ends(&self) -> Vec<u32> {
        if self.goals.any { (0..self.core.states as u32).collect() } else { self.goals.list.clone() }
    }

    /// True where no word can be shorter, or none is to be looked for.
    ///
    /// A machine of two states or more has no word of no letters; and one of two letters is a shortest if no single letter
    /// does.
    pub(crate) fn is_trivial(&self) -> bool {
        let alone = |letter: u32| self.run(vec![letter]).is_some_and(|word| word.len() == 1);
        !self.wanted || self.len() <= 1 || self.len() == 2 && !(0..self.core.letters as u32).any(alone)
    }

    /// Takes a word if it is shorter: run on all states, and led on to a state that is wanted.
    pub(crate) fn offer(&mut self, word: Option<Vec<u32>>, by: &'static str, watch: &mut Watch<'_>) {
        let Some(word) = word.filter(|word| word.len() < self.len()).and_then(|word| self.run(word)) else {
            return;
        };
        if word.len() < self.len() {
            watch.found(word.len());
            self.before.push(self.len());
            (self.word, self.by) = (word, by);
        }
    }

    /// The word, led on to a state that is wanted; none where it is not a word.
    fn run(&self, mut word: Vec<u32>) -> Option<Vec<u32>> {
        let core = self.core;
        let mut scratch = Scratch::new(core);
        let mut set: Vec<u32> = (0..core.states as u32).collect();
        let mut image = Vec::new();
        for &letter in &word {
            if set.iter().any(|&state| core.step(state, letter) == UNDEFINED) {
                return None;
            }
            image.clear();
            scratch.apply(core, &set, letter, &mut image);
            std::mem::swap(&mut set, &mut image);
        }
        let [target] = set[..] else { return None };
        if !self.goals.any {
            word.extend(self.path(target)?);
        }
        Some(word)
    }

    /// The shortest way from a state to one that is wanted.
    fn path(&self, from: u32) -> Option<Vec<u32>> {
        let mut came: Vec<Option<(u32, u32)>> = vec![None; self.core.states];
        let mut wanted = vec![false; self.core.states];
        self.goals.list.iter().for_each(|&goal| wanted[goal as usize] = true);
        let mut queue = vec![from];
        let mut at = 0;
        while let Some(&state) = queue.get(at) {
            at += 1;
            if wanted[state as usize] {
                let mut path = Vec::new();
                let mut back = state;
                while let Some((before, letter)) = came[back as usize].filter(|_| back != from) {
                    path.push(letter);
                    back = before;
                }
                path.reverse();
                return Some(path);
            }
            for (letter, &to) in (0..).zip(self.core.row(state)) {
                if to != UNDEFINED && to != from && came[to as usize].is_none() {
                    came[to as usize] = Some((state, letter));
                    queue.push(to);
                }
            }
        }
        None
    }

    /// The scores of a beam backwards; shaken, they are a little different each time.
    pub(crate) fn scores(&self, steps: usize, shaken: bool, rng: &mut Rng) -> Scores {
        let mut weights = weights(self.core, steps);
        if shaken {
            for weight in &mut weights {
                *weight += rng.below(u64::from(*weight / 4) + 1) as u32;
            }
        }
        Scores::new(self.core, &weights)
    }

    /// Looks for a shorter word by a beam forwards.
    pub(crate) fn forwards(&mut self, capacity: usize, work: u64, watch: &mut Watch<'_>) {
        let width = Width { capacity, stalled: 4 * capacity, longest: self.len().saturating_sub(1) };
        let found = watch.limited("beam", work, |watch| forward(self.core, width, watch));
        self.offer(found, "beam", watch);
    }

    /// Looks for stretches of the word that can be made shorter.
    pub(crate) fn stretch(&mut self, work: u64, watch: &mut Watch<'_>) {
        let found = watch.limited("stretch", work, |watch| {
            if stretch::fits(self.core) {
                stretch::stretch(self.core, self.goals, &self.word, watch)
            } else {
                Some(shorten(self.core, self.word.clone(), watch))
            }
        });
        self.offer(found, "stretch", watch);
    }

    pub(crate) fn into_raw(self, shortest: bool) -> Raw {
        let shortest = shortest && self.wanted;
        Raw::Word { letters: self.word, shortest, by: self.by, before: self.before }
    }
}
