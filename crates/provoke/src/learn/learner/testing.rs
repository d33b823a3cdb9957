//! Words that put a hypothesis to the test.

use std::collections::VecDeque;

use super::{Learner, NOWHERE};
use crate::learn::hypothesis::UNKNOWN;
use crate::rng::Rng;

/// What lies beyond a transition that seems to lead to a sink is tried so many times less often.
const SELDOM: u32 = 16;

/// Places of a run that are looked at are so many steps from the start, and so many apart.
const FAR: usize = 32;
const APART: usize = 8;
/// What came after a place is compared for so many steps.
const AFTER: usize = 12;

impl Learner {
    /// A word that tries something new just beyond a transition: the one beyond which the fewest words were tried, those that
    /// seem to lead to sinks a few times more seldom; on through what was seen there, and an input that was not. Random walks rarely come to
    /// what only one input of one transition shows. None where nothing is left to try.
    pub fn beyond(&mut self, rng: &mut Rng) -> Option<Vec<usize>> {
        if self.tree.is_full() {
            return None;
        }
        let inputs = self.hypothesis.inputs;
        let mut best: Option<((u32, u32), usize)> = None;
        for (entry, border) in self.frontier.iter().enumerate() {
            if border.node == NOWHERE
                || self.states.contains_key(&border.node)
                || self.tree.is_end(border.node)
            {
                continue;
            }
            let is_sink = self.outlook.is_sink(self.hypothesis.edges[entry].to);
            let tried = u32::from(border.beyond);
            let key = (if is_sink { (tried + 1) * SELDOM } else { tried }, self.depths[entry / inputs]);
            if best.is_none_or(|(known, _)| key < known) {
                best = Some((key, entry));
            }
        }
        let (_, entry) = best?;
        self.frontier[entry].beyond = self.frontier[entry].beyond.saturating_add(1);
        let mut word = self.way_over(entry);
        let (mut node, mut state) = (self.frontier[entry].node, self.hypothesis.edges[entry].to);
        loop {
            let (mut fresh, mut alive, mut others) = (Vec::new(), Vec::new(), Vec::new());
            for place in 0..inputs {
                let to = if state == UNKNOWN { UNKNOWN } else { self.hypothesis.edge(state, place).to };
                match self.tree.child(node, self.alphabet[place]) {
                    None => fresh.push((place, NOWHERE, to)),
                    Some(child) if self.tree.is_end(child) => {}
                    Some(child) if self.outlook.is_sink(to) => {
                        others.push((place, child, to));
                    }
                    Some(child) => alive.push((place, child, to)),
                }
            }
            let from = [&fresh, &alive, &others].into_iter().find(|some| !some.is_empty())?;
            let &(place, child, to) = rng.pick(from)?;
            word.push(place);
            if child == NOWHERE {
                return Some(word);
            }
            (node, state) = (child, to);
        }
    }

    /// How many places on the way to a node are no state that is known, as far as the hypothesis tells what comes after it: of
    /// those that lie far from the start, some steps apart. Runs that do not come so far fall into something.
    pub fn strange(&self, node: u32) -> u64 {
        let mut way: Vec<u32> = std::iter::successors(Some(node), |&at| self.tree.before(at)).collect();
        way.reverse();
        let is_strange = |at: &usize| {
            !(0..self.basis.len() as u32).any(|state| self.explains(state, &way[at + 1..][..AFTER]))
        };
        (FAR..way.len().saturating_sub(AFTER)).step_by(APART).filter(is_strange).count() as u64
    }

    /// Whether a state of the hypothesis would have answered like nodes that follow each other.
    fn explains(&self, state: u32, nodes: &[u32]) -> bool {
        let next = |state: u32, &node: &u32| {
            let edge = self.hypothesis.edge(state, self.place_of_number(self.tree.sent(node))?);
            (edge.is_known() && edge.output == self.tree.answer(node)).then_some(edge.to)
        };
        nodes.iter().try_fold(state, next).is_some()
    }

    /// A walk from the first state that takes the transitions that runs took least, the nearest of them first, and keeps away
    /// from states that are to be avoided. It ends where something was never tried, or after so many inputs.
    pub fn tour(&self, length: usize, avoid: &[bool]) -> Vec<usize> {
        let inputs = self.hypothesis.inputs;
        let mut visits: Vec<u32> = self.frontier.iter().map(|border| border.visits).collect();
        let is_fine = |entry: usize| {
            let to = self.hypothesis.edges[entry].to;
            to == UNKNOWN || avoid.get(to as usize) != Some(&true)
        };
        let (mut word, mut at) = (Vec::new(), 0u32);
        // What can be reached was taken at least so often, and nothing else can later.
        let mut fewest = 0;
        while word.len() < length {
            // The least visited transition that can be reached, and the shortest way to it.
            let mut before: Vec<Option<(u32, usize)>> = vec![None; self.basis.len()];
            let mut is_met = vec![false; self.basis.len()];
            is_met[at as usize] = true;
            let mut open = VecDeque::from([at]);
            let mut best: Option<(u32, u32, usize)> = None;
            while let Some(state) = open.pop_front() {
                if best.is_some_and(|(least, ..)| least <= fewest) {
                    break;
                }
                for place in 0..inputs {
                    let entry = state as usize * inputs + place;
                    if !is_fine(entry) {
                        continue;
                    }
                    if best.is_none_or(|(least, ..)| visits[entry] < least) {
                        best = Some((visits[entry], state, place));
                    }
                    let to = self.hypothesis.edges[entry].to;
                    if to != UNKNOWN && !std::mem::replace(&mut is_met[to as usize], true) {
                        before[to as usize] = Some((state, place));
                        open.push_back(to);
                    }
                }
            }
            let Some((least, state, place)) = best else { break };
            fewest = least;
            let (mut way, mut back) = (vec![place], state);
            while back != at
                && let Some((from, place)) = before[back as usize]
            {
                way.push(place);
                back = from;
            }
            for &place in way.iter().rev() {
                let entry = at as usize * inputs + place;
                visits[entry] = visits[entry].saturating_add(1);
                word.push(place);
                at = self.hypothesis.edges[entry].to;
                if at == UNKNOWN {
                    return word;
                }
            }
        }
        word
    }
}
