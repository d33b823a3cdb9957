//! An older machine beside the system: where they seem to differ, the system is asked.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::learn::{Difference, Learner, Old, ROOT, played, seen_differences, suspects};
use crate::letter::Letter;
use crate::trace::Step;

/// Words on which the hypothesis and an older machine differ, to be played: either the system was seen to have changed, or the
/// older machine has refuted the hypothesis, which is what it is good for as a source of tests.
pub(super) struct Comparison {
    old: Arc<Old>,
    /// Words that are to be played, the shortest last, of this version of the hypothesis and found after so many steps.
    words: Vec<Vec<Letter>>,
    version: Option<u64>,
    at: u64,
    /// What was played is not played again, whatever came of it.
    tried: FxHashSet<Vec<Letter>>,
    /// The next, where everything else is over.
    last: Option<Vec<Letter>>,
    /// Nodes below this one are only remembered, but for those that were seen again.
    remembered: u32,
    again: FxHashSet<u32>,
}

/// No more differences are looked for.
const MOST: usize = 10;
/// As long as there are open transitions words are looked for after so many steps, and then after as many and a part of all.
const FIRST: u64 = 100;
const RARELY: u64 = 4;

impl Comparison {
    pub(super) fn new(old: Arc<Old>) -> Comparison {
        Comparison {
            old,
            words: Vec::new(),
            version: None,
            at: 0,
            tried: FxHashSet::default(),
            last: None,
            remembered: 0,
            again: FxHashSet::default(),
        }
    }

    /// What is known by now was not seen in this session.
    pub(super) fn distrust(&mut self, learner: &Learner) {
        *self = Comparison::new(Arc::clone(&self.old));
        self.remembered = learner.tree().len() as u32;
    }

    /// The next word to be played, of at most so many inputs. It is looked for anew where that is due, and in any case once everything
    /// seems to be known.
    pub(super) fn next(&mut self, learner: &Learner, longest: u32, is_complete: bool) -> Option<Vec<Letter>> {
        if let Some(last) = self.last.take() {
            return Some(last);
        }
        let (version, steps) = (Some(learner.version()), learner.steps());
        let is_due = is_complete || steps >= self.at + self.at / RARELY + FIRST;
        if is_due && self.version != version {
            self.words = suspects(learner, &self.old, MOST);
            self.words.reverse();
            (self.version, self.at) = (version, steps);
        }
        while let Some(word) = self.words.pop() {
            let may_be_played = word.len() <= longest as usize && !self.is_seen(learner, &word);
            if may_be_played && self.tried.insert(word.clone()) {
                return Some(word);
            }
        }
        None
    }

    /// The same where everything else is over: whether there is one.
    pub(super) fn has_last(&mut self, learner: &Learner, longest: u32) -> bool {
        self.last = self.next(learner, longest, true);
        self.last.is_some()
    }

    /// Whether everything else is over.
    pub(super) fn is_all_that_is_left(&self) -> bool {
        self.last.is_some()
    }

    /// Whether nothing is left to be played: the system was seen to do what is said of every word.
    pub(super) fn is_settled(&self, learner: &Learner) -> bool {
        !learner.has_conflict()
            && suspects(learner, &self.old, MOST).iter().all(|word| self.is_seen(learner, word))
    }

    /// The words that the system was seen to answer otherwise.
    pub(super) fn seen(&self, learner: &Learner) -> Vec<Difference> {
        seen_differences(learner, &self.old, self.old.initial(), MOST, |node| self.is_fresh(node))
    }

    /// A run is over: what was only remembered of it is seen by now.
    pub(super) fn note(&mut self, learner: &Learner, trace: &[Step]) {
        let (tree, mut at) = (learner.tree(), ROOT);
        for step in trace.iter().take_while(|_| self.remembered > 1) {
            let child = tree.known_input(step.input).and_then(|input| tree.child(at, input));
            let Some(child) = child.filter(|&child| tree.output(tree.answer(child)) == step.output) else {
                return;
            };
            if child < self.remembered {
                self.again.insert(child);
            }
            at = child;
        }
    }

    fn is_seen(&self, learner: &Learner, word: &[Letter]) -> bool {
        played(learner.tree(), word).is_some_and(|node| self.is_fresh(node))
    }

    fn is_fresh(&self, node: u32) -> bool {
        node >= self.remembered || self.again.contains(&node)
    }
}
