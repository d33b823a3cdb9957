//! States that the system has for certain, and where their transitions may lead.

use std::cmp::Reverse;

use super::frontier::Border;
use super::{Learner, NOWHERE};
use crate::learn::hypothesis::{Edge, Hypothesis, UNKNOWN};
use crate::learn::tree::ROOT;
use crate::letter::Letter;

impl Learner {
    /// Adds a node to the basis, and whatever is found to be a state because of that.
    pub(super) fn promote(&mut self, node: u32) -> u32 {
        let state = self.adopt(node);
        for place in 0..self.hypothesis.inputs {
            self.refresh(state, place, true);
        }
        state
    }

    /// Adds a node to the basis.
    fn adopt(&mut self, node: u32) -> u32 {
        let state = self.basis.len() as u32;
        self.basis.push(node);
        let before = self.tree.before(node).and_then(|before| self.states.get(&before));
        self.depths.push(before.map_or(0, |&before| self.depths[before as usize] + 1));
        self.states.insert(node, state);
        let inputs = self.hypothesis.inputs;
        let row = self.tree.constant(node).map_or(Edge::NONE, |output| Edge { to: state, output });
        self.hypothesis.edges.extend(std::iter::repeat_n(row, inputs));
        self.frontier.extend(std::iter::repeat_n(Border::unseen(), inputs));
        self.surprise = self.steps;
        self.change();
        state
    }

    /// Finds the basis in a tree that is there already: first what these words lead to, in their order, where it is apart from all before
    /// it; then, of the nodes that are apart from all of it, the nearest first, and of those the one after which the most was seen. Words
    /// that lead to states are as short as when they were found one by one.
    pub(super) fn rebuild(&mut self, words: &[Vec<u32>]) {
        self.basis.clear();
        self.depths.clear();
        self.states.clear();
        self.usual.clear();
        self.witnesses.clear();
        self.answers.clear();
        self.totals.clear();
        self.frontier.clear();
        self.hypothesis = Hypothesis { inputs: self.alphabet.len(), edges: Vec::new() };
        let mut seen_after = vec![1u32; self.tree.len()];
        for node in (1..self.tree.len() as u32).rev() {
            if let Some(before) = self.tree.before(node) {
                seen_after[before as usize] += seen_after[node as usize];
            }
        }
        self.adopt(ROOT);
        for word in words {
            let Some(node) = self.tree.follow(ROOT, word) else { continue };
            let goes_on =
                |before: &u32| self.states.contains_key(before) && self.tree.constant(*before).is_none();
            let is_beside = self.tree.before(node).is_some_and(|before| goes_on(&before));
            if is_beside && self.basis.iter().all(|&known| self.tree.apart(node, known)) {
                self.adopt(node);
            }
        }
        let is_apart =
            |learner: &Learner, node: u32| learner.basis.iter().all(|&known| learner.tree.apart(node, known));
        let mut apart: Vec<((u32, Reverse<u32>), u32)> = Vec::new();
        let mut looked_at = 0;
        loop {
            while looked_at < self.basis.len() {
                let (node, depth) = (self.basis[looked_at], self.depths[looked_at]);
                looked_at += 1;
                if self.tree.constant(node).is_none() {
                    let children = self.placed(node).map(|(child, _)| child);
                    let fresh = children.filter(|&child| is_apart(self, child));
                    apart.extend(fresh.map(|child| ((depth, Reverse(seen_after[child as usize])), child)));
                }
            }
            let Some(&(_, node)) = apart.iter().min() else { break };
            self.adopt(node);
            apart.retain(|&(_, one)| self.tree.apart(one, node));
        }
        for state in 0..self.basis.len() as u32 {
            for place in 0..self.hypothesis.inputs {
                self.refresh(state, place, true);
            }
        }
    }

    /// Looks at what stands at the frontier: at states that were added, and where asked at all that it may be.
    pub(super) fn refresh(&mut self, state: u32, place: usize, again: bool) {
        let entry = state as usize * self.hypothesis.inputs + place;
        let from = self.basis[state as usize];
        if self.tree.constant(from).is_some() {
            return;
        }
        if self.frontier[entry].node == NOWHERE {
            let Some(child) = self.tree.child(from, self.alphabet[place]) else { return };
            self.frontier[entry].node = child;
        }
        let Learner { frontier, tree, basis, .. } = self;
        let border = &mut frontier[entry];
        let node = border.node;
        if again {
            border.candidates.retain(|&state| !tree.apart(node, basis[state as usize]));
        }
        let states = basis.len() as u32;
        let before = self.hypothesis.edges[entry];
        if tree.stays(node) {
            border.stay(state);
        }
        let known = border.candidates.len();
        for state in border.up_to..states {
            if !tree.apart(node, basis[state as usize]) {
                border.candidates.push(state);
            }
        }
        border.up_to = border.up_to.max(states);
        if !again && before.is_known() && border.candidates.len() == known {
            return;
        }
        let output = tree.answer(node);
        let to = match border.candidates[..] {
            [] => self.promote(node),
            [only] if tree.stays(node) => only,
            [only] => {
                let is_sink = self.outlook.is_sink(only);
                self.frontier[entry].is_likely = is_sink && self.likeliest(entry).is_some();
                self.frontier[entry].odds = self.odds(entry, only);
                let places = self.usual.len().max(output as usize + 1);
                self.usual.resize(places, UNKNOWN);
                self.usual[output as usize] = only;
                only
            }
            _ => {
                let usual = self.usual.get(output as usize).copied().unwrap_or(UNKNOWN);
                let likely = self.likeliest(entry);
                self.frontier[entry].is_likely = likely.is_some();
                self.frontier[entry].odds = likely.map_or(0.0, |state| self.odds(entry, state));
                let candidates = &self.frontier[entry].candidates;
                match self.outlook.guess(output, candidates).or(likely) {
                    Some(to) => to,
                    None if before.is_known() && candidates.contains(&before.to) => before.to,
                    None if candidates.contains(&usual) => usual,
                    None => candidates[0],
                }
            }
        };
        let entry = state as usize * self.hypothesis.inputs + place;
        if self.frontier[entry].candidates.is_empty() {
            self.frontier[entry].candidates.push(to);
            self.frontier[entry].up_to = to + 1;
        }
        let edge = Edge { to, output };
        if !before.is_known() {
            *self.answers.entry((place as u32, output)).or_default() += 1;
            self.totals.resize(self.totals.len().max(place + 1), 0);
            self.totals[place] += 1;
        }
        if self.hypothesis.edges[entry] != edge {
            if before.is_known() && before.to != to {
                self.rounds += 1;
                self.note_surprise();
            }
            self.hypothesis.edges[entry] = edge;
            self.change();
        }
    }

    /// The word of inputs that leads to a state.
    pub fn access(&self, state: u32) -> Vec<Letter> {
        self.spell(&self.tree.word(self.basis[state as usize]))
    }

    /// A word that tells two states apart.
    pub fn separator(&mut self, one: u32, other: u32) -> Vec<Letter> {
        let word = self.witness(one, other);
        self.spell(&word)
    }

    pub(super) fn witness(&mut self, one: u32, other: u32) -> Vec<u32> {
        let key = (one.min(other), one.max(other));
        let Learner { tree, basis, witnesses, .. } = self;
        witnesses
            .entry(key)
            .or_insert_with(|| tree.witness(basis[key.0 as usize], basis[key.1 as usize]).unwrap_or_default())
            .clone()
    }
}
