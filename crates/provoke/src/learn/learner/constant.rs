//! Places that are never left and answer everything alike: errors that swallow whatever comes, programs that hang.

use super::{Learner, NOWHERE};
use crate::learn::hypothesis::Edge;
use crate::learn::tree::ROOT;

/// After at least so many answers that are alike, to every input at least once, a place is taken to answer like this for ever.
const ALIKE: usize = 8;

/// Every input, one after the other, as long as the answers are alike: one run instead of one for each input.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    output: u32,
    /// The places of the inputs, the next one last.
    left: Vec<usize>,
}

impl Sweep {
    /// The answer that is looked for.
    pub(super) fn output(&self) -> u32 {
        self.output
    }

    /// The place of the next input; none once all were sent.
    pub(super) fn next(&mut self) -> Option<usize> {
        self.left.pop()
    }
}

impl Learner {
    /// Whether an answer was never followed by another, so that what is answered like this may be never left. Where all seems to
    /// be lost from the start too little is known to say so.
    fn may_last(&self, output: u32) -> bool {
        self.followed.get(output as usize) != Some(&true)
            && !self.tree.is_idle(output)
            && !self.hypothesis.is_sink(0)
    }

    /// What shows whether a transition leads where nothing else is answered, or did lead from there: none where that is known
    /// or is not so.
    pub(super) fn sweep(&self, entry: usize) -> Option<Sweep> {
        let (node, inputs) = (self.frontier[entry].node, self.alphabet.len());
        if node == NOWHERE || !self.may_last(self.tree.answer(node)) || self.tree.constant(node).is_some() {
            return None;
        }
        let (from, output) = (self.basis[entry / inputs], self.tree.answer(node));
        // Where the transition came from may be such a place itself; its own input was sent there just now.
        let is_after = from != ROOT && self.tree.answer(from) == output;
        let first = entry % inputs + 1;
        let places = (first..first + inputs.max(ALIKE)).map(|place| place % inputs);
        let mut left: Vec<usize> = places.take(inputs.max(ALIKE) - usize::from(is_after)).collect();
        left.reverse();
        Some(Sweep { output, left })
    }

    /// An exchange: whether something else was answered than what was taken to be answered for ever, here or elsewhere.
    pub(super) fn watch(&mut self, from: u32, to: u32) {
        self.note_followed(from, to);
        self.is_held |= self.tree.constant(to).is_some();
    }

    /// One node came after another: whether another answer did.
    fn note_followed(&mut self, from: u32, to: u32) {
        let output = self.tree.answer(from);
        if from == ROOT || output == self.tree.answer(to) {
            return;
        }
        self.followed.resize(self.followed.len().max(output as usize + 1), false);
        if !std::mem::replace(&mut self.followed[output as usize], true) {
            self.is_refuted |= self.tree.release(|one| one == output);
        }
    }

    /// Looks at everything that was seen for answers that came after others.
    pub(super) fn note_what_followed(&mut self) {
        for node in 1..self.tree.len() as u32 {
            if let Some(before) = self.tree.before(node) {
                self.note_followed(before, node);
            }
        }
    }

    /// Looks at everything that was seen for places that are never left; whether there are any.
    pub(super) fn hold_all(&mut self) -> bool {
        let leaves: Vec<u32> = (1..self.tree.len() as u32).filter(|&node| self.tree.is_leaf(node)).collect();
        for leaf in leaves {
            self.hold(leaf);
        }
        self.tree.has_held()
    }

    /// Takes the place that a run came to for one that is never left, where every input was answered alike there and after it.
    pub(super) fn hold(&mut self, last: u32) {
        if last == ROOT || self.is_held || !self.may_last(self.tree.answer(last)) {
            return;
        }
        let output = self.tree.answer(last);
        let mut missing = vec![true; self.alphabet.len()];
        let (mut at, mut left, mut alike) = (last, missing.len(), 0);
        while at != ROOT && self.tree.answer(at) == output && (left > 0 || alike < ALIKE) {
            let place = self.place_of_number(self.tree.sent(at));
            left -= usize::from(place.is_some_and(|place| std::mem::take(&mut missing[place])));
            alike += 1;
            at = self.tree.before(at).unwrap_or(ROOT);
        }
        // Whatever led there was answered otherwise: it may be what leads to such a place only by some inputs.
        if at == ROOT || left > 0 || alike < ALIKE || self.tree.answer(at) != output {
            return;
        }
        self.tree.hold(at, output);
        if let Some(&state) = self.states.get(&at) {
            let inputs = self.hypothesis.inputs;
            self.hypothesis.edges[state as usize * inputs..][..inputs].fill(Edge { to: state, output });
            self.change();
        }
    }

    /// Learns anew from everything that was seen.
    pub(super) fn start_over(&mut self) {
        let inputs: Vec<_> = self.inputs().collect();
        let words: Vec<_> = self.basis.iter().map(|&node| self.tree.word(node)).collect();
        let (tree, raw) = self.fold();
        let made = Learner::of_trees(tree, raw, inputs, &words);
        let version = self.version + made.version + 1;
        let (steps, rounds) = (self.steps, self.rounds + made.rounds + 1);
        let telling = std::mem::take(&mut self.telling);
        *self = Learner { version, steps, rounds, surprise: steps, telling, ..made };
    }
}
