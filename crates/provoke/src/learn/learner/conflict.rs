//! What was seen and what the hypothesis says: where they disagree, and which transition is to blame.

use super::{Conflict, Learner};
use crate::learn::hypothesis::UNKNOWN;
use crate::learn::tree::ROOT;

impl Learner {
    /// Goes on with a conflict between hypothesis and tree; the word that must be seen for that, if one must.
    pub(super) fn settle(&mut self) -> Option<Vec<u32>> {
        loop {
            let Some(mut conflict) = self.working.take().or_else(|| self.next_conflict()) else {
                if self.conflicts.is_empty() {
                    return None;
                }
                continue;
            };
            let Conflict { word, witness, .. } = &conflict;
            let (Some(node), Some(state)) = (self.tree.follow(ROOT, word), self.state_after(word)) else {
                continue;
            };
            let base = self.basis[state as usize];
            if node == base || self.tree.difference(node, base, witness).0.is_none() {
                continue;
            }
            // How far the word stays in the basis, and the first node beyond it.
            let mut inside = ROOT;
            let mut beyond = 0;
            while beyond < word.len()
                && let Some(next) = self.tree.child(inside, word[beyond])
            {
                beyond += 1;
                if !self.states.contains_key(&next) {
                    break;
                }
                inside = next;
            }
            let from = self.states[&inside];
            if beyond == word.len() {
                let place = self.places[word[beyond - 1] as usize] as usize;
                let entry = from as usize * self.hypothesis.inputs + place;
                self.frontier[entry].candidates.retain(|&candidate| candidate != state);
                self.refresh(from, place, true);
                continue;
            }
            // What is to blame is mostly near the end, and what is asked for is the shorter the nearer it is: the last input
            // first, then twice as many each time, until half of the word is left.
            let last = witness.len().clamp(1, (word.len() - beyond).div_ceil(2));
            let half = word.len() - last;
            let (first, second) = word.split_at(half);
            let (Some(reached), Some(between)) = (self.tree.follow(ROOT, first), self.state_after(first))
            else {
                continue;
            };
            let rest: Vec<u32> = second.iter().chain(witness).copied().collect();
            let access = self.basis[between as usize];
            match self.tree.difference(reached, access, &rest) {
                (Some(length), _) => {
                    let (word, witness) = (first.to_vec(), rest[..length].to_vec());
                    self.working = Some(Conflict { word, witness, tries: 0 });
                }
                (None, true) => {
                    let mut shorter = self.tree.word(access);
                    shorter.extend_from_slice(second);
                    let witness = std::mem::take(&mut conflict.witness);
                    self.working = Some(Conflict { word: shorter, witness, tries: 0 });
                }
                (None, false) => {
                    if conflict.tries >= 3 || self.tree().is_full() {
                        continue;
                    }
                    conflict.tries += 1;
                    let mut asked = self.tree.word(access);
                    asked.extend(rest);
                    self.working = Some(conflict);
                    return Some(asked);
                }
            }
        }
    }

    /// The first place at which a run that surprised still does.
    fn next_conflict(&mut self) -> Option<Conflict> {
        let node = self.conflicts.pop_front()?;
        let word = self.tree.word(node);
        let (mut at, mut state) = (ROOT, 0);
        for (place, &input) in word.iter().enumerate() {
            let edge = self.hypothesis.edge(state, self.place_of_number(input)?);
            at = self.tree.child(at, input)?;
            let is_withheld = self.tree.barred(self.basis[state as usize]).contains(&input);
            if is_withheld || edge.is_known() && edge.output != self.tree.answer(at) {
                return Some(Conflict { word: word[..place].to_vec(), witness: vec![input], tries: 0 });
            }
            if !edge.is_known() {
                return None;
            }
            state = edge.to;
        }
        if self.tree.is_end(at) && !self.tree.is_end(self.basis[state as usize]) {
            let child = self.tree.children(self.basis[state as usize]).next()?;
            return Some(Conflict { word, witness: vec![self.tree.sent(child)], tries: 0 });
        }
        let is_sent = |&&input: &&u32| self.tree.child(self.basis[state as usize], input).is_some();
        let input = *self.tree.barred(at).iter().find(is_sent)?;
        Some(Conflict { word, witness: vec![input], tries: 0 })
    }

    fn state_after(&self, word: &[u32]) -> Option<u32> {
        word.iter().try_fold(0, |state, &input| {
            Some(self.hypothesis.edge(state, self.place_of_number(input)?).to).filter(|&to| to != UNKNOWN)
        })
    }

    /// Looks whether the hypothesis disagrees with something that was seen; not more often than is worth it.
    pub(super) fn disagrees(&mut self) -> bool {
        let (version, nodes) = self.checked;
        if version == self.version && nodes == self.tree.len() {
            return false;
        }
        if version == self.version && self.tree.len() < nodes + nodes / 4 {
            return false;
        }
        self.checked = (self.version, self.tree.len());
        let found = self.disagreement();
        self.conflicts.extend(found);
        found.is_some()
    }

    /// A node that the hypothesis disagrees with.
    fn disagreement(&self) -> Option<u32> {
        let mut open = vec![(ROOT, 0)];
        while let Some((at, state)) = open.pop() {
            if self.tree.is_end(at) != self.tree.is_end(self.basis[state as usize])
                && self.tree.apart(at, self.basis[state as usize])
            {
                return Some(at);
            }
            if let Some(input) = self.tree.barred_once(at, self.basis[state as usize]) {
                return self.tree.child(at, input).or(Some(at));
            }
            for (child, _, edge) in self.beside(at, state) {
                if edge.output != self.tree.answer(child) {
                    return Some(child);
                }
                open.push((child, edge.to));
            }
        }
        None
    }
}
