//! Words that put a hypothesis to the test.

use std::collections::VecDeque;

use super::{Border, Learner, NOWHERE};
use crate::learn::hypothesis::{Edge, UNKNOWN};
use crate::rng::Rng;

/// What lies beyond a transition that seems to lead to a sink, or to change nothing, is tried so many times less often.
const SELDOM: u32 = 16;
/// What seems to change nothing is tried by itself once others were tried so often.
const SOON: u32 = 8;

/// What seems to stay where it is is sent so often in a row for the first time, then twice as often, and so on so many times.
const PERSISTS: usize = 8;
const LONGER: u8 = 4;

/// Places of a run that are looked at are so many steps from the start, and so many apart.
const FAR: usize = 32;
const APART: usize = 8;
/// What came after a place is compared for so many steps.
const AFTER: usize = 12;

/// A test goes on for so many states after the first place where something was not tried, and no more places are looked at to find it.
const BEYOND: usize = 3;
const SPOTS: usize = 256;

/// What was tried at a place, and what not.
#[derive(Debug, Default)]
struct Spot {
    /// Inputs that were not tried and seem to change nothing.
    idle: Vec<usize>,
    /// Others that were not tried.
    fresh: Vec<Onward>,
    /// Those that were tried and lead on, or were answered like what mostly does; into sinks only where nothing else does.
    onward: Vec<Onward>,
}

/// An input, the node after it where it was tried, and where it seems to lead.
#[derive(Clone, Copy, Debug)]
struct Onward {
    place: usize,
    node: Option<u32>,
    to: u32,
}

impl Learner {
    /// A word that tries something new just beyond a transition: the one beyond which the fewest words were tried, those that
    /// seem to lead to sinks or to change nothing many times more seldom. It goes to the nearest place beyond it at which something was not tried, sends all
    /// that seems to change nothing there, and goes on for a few states in the same way, where it can through what was not tried: random
    /// walks rarely come to what only one input of one transition shows. None where nothing is left to try.
    pub fn beyond(&mut self, rng: &mut Rng) -> Option<Vec<usize>> {
        if self.tree().is_full() {
            return None;
        }
        let entry = self.least_tried_beyond()?;
        self.frontier[entry].beyond = self.frontier[entry].beyond.saturating_add(1);
        if self.tree.stays(self.frontier[entry].node) {
            return Some(self.still_the_same(entry, rng));
        }
        let (way, node, mut state) = self.nearest_untried(entry, rng)?;
        let mut word = self.way_over(entry);
        word.extend(way);
        let mut node = Some(node);
        for left in (0..=BEYOND).rev() {
            let Spot { mut idle, fresh, mut onward } = self.spot(node, state);
            rng.shuffle(&mut idle);
            word.extend(&idle);
            let fine: Vec<Onward> =
                fresh.iter().copied().filter(|one| !self.outlook.is_sink(one.to)).collect();
            if !fine.is_empty() {
                onward = fine;
            } else if left == BEYOND && idle.is_empty() && !fresh.is_empty() {
                // What seems to lead to a sink ends the run, so it is sent where nothing else is left.
                word.extend(rng.pick(&fresh).map(|one| one.place));
                break;
            }
            let Some(&Onward { place, node: next, to }) = rng.pick(&onward).filter(|_| left > 0) else {
                break;
            };
            word.push(place);
            if to == UNKNOWN {
                break;
            }
            (node, state) = (next, to);
        }
        Some(word)
    }

    /// A word that sends again and again what seems to stay in a state, of those the one that was sent least often in a row: a counter, a
    /// timer, a buffer that fills up look like one state until they are full. None once all were sent often enough.
    pub fn persist(&mut self, room: usize) -> Option<Vec<usize>> {
        let inputs = self.hypothesis.inputs;
        let stays = |&entry: &usize| {
            let edge = self.hypothesis.edges[entry];
            let state = (entry / inputs) as u32;
            edge.to == state
                && self.frontier[entry].persisted < LONGER
                && !self.tree.is_end(self.basis[state as usize])
                && !self.tree.is_idle(edge.output)
                && !self.outlook.is_sink(state)
        };
        let key = |&entry: &usize| (self.frontier[entry].persisted, self.depths[entry / inputs]);
        let entry = (0..self.frontier.len()).filter(stays).min_by_key(key)?;
        let border = &mut self.frontier[entry];
        let times = PERSISTS << border.persisted;
        border.persisted += 1;
        let mut word = self.way_over(entry);
        word.extend(std::iter::repeat_n(entry % inputs, times.min(room.saturating_sub(word.len()))));
        Some(word)
    }

    /// A transition that seems to change nothing, right after the shortest way to it, and an input that leads on from its state.
    fn still_the_same(&self, entry: usize, rng: &mut Rng) -> Vec<usize> {
        let mut word = self.way_over(entry);
        let state = (entry / self.hypothesis.inputs) as u32;
        let leads_on = |place: &usize| {
            let edge = self.hypothesis.edge(state, *place);
            edge.is_known() && !self.tree.is_idle(edge.output)
        };
        let places: Vec<usize> = (0..self.hypothesis.inputs).filter(leads_on).collect();
        word.extend(rng.pick(&places));
        word
    }

    /// The transition beyond which the fewest words were tried.
    fn least_tried_beyond(&self) -> Option<usize> {
        let inputs = self.hypothesis.inputs;
        let is_meant = |&(_, border): &(usize, &Border)| {
            border.node != NOWHERE
                && !self.states.contains_key(&border.node)
                && !self.tree.is_end(border.node)
        };
        let key = |(entry, border): (usize, &Border)| {
            let tried = u32::from(border.beyond);
            let is_sink = self.outlook.is_sink(self.hypothesis.edges[entry].to);
            let tried = match self.tree.stays(border.node) {
                // Mostly it was tried among others only: it is tried by itself before long.
                true if tried == 0 => SOON,
                true => (tried + 1) * SELDOM,
                false if is_sink => (tried + 1) * SELDOM,
                false => tried,
            };
            (tried, self.standing(entry), self.depths[entry / inputs], entry)
        };
        let least = self.frontier.iter().enumerate().filter(is_meant).map(key).min();
        least.map(|(.., entry)| entry)
    }

    /// The nearest place beyond a transition at which something was not tried: the way to it, its node and its state.
    fn nearest_untried(&self, entry: usize, rng: &mut Rng) -> Option<(Vec<usize>, u32, u32)> {
        let first = (Vec::new(), self.frontier[entry].node, self.hypothesis.edges[entry].to);
        let mut open = VecDeque::from([first]);
        for looked_at in 1.. {
            let (way, node, state) = open.pop_front()?;
            let Spot { idle, fresh, mut onward } = self.spot(Some(node), state);
            if !idle.is_empty() || !fresh.is_empty() || looked_at == SPOTS {
                return Some((way, node, state));
            }
            rng.shuffle(&mut onward);
            open.extend(onward.into_iter().filter_map(|Onward { place, node, to }| {
                let way = way.iter().copied().chain([place]).collect();
                Some((way, node?, to))
            }));
        }
        None
    }

    /// What was tried at a node that is taken for a state, and what not.
    fn spot(&self, node: Option<u32>, state: u32) -> Spot {
        let (mut spot, mut lost) = (Spot::default(), Vec::new());
        for place in 0..self.hypothesis.inputs {
            let edge = if state == UNKNOWN { Edge::NONE } else { self.hypothesis.edge(state, place) };
            let child = node.and_then(|node| self.tree.child(node, self.alphabet[place]));
            let one = Onward { place, node: child, to: edge.to };
            match child {
                None if node.is_some_and(|node| !self.may_try(node, place)) => {}
                None if self.tree.is_idle(edge.output) => spot.idle.push(place),
                None => spot.fresh.push(one),
                Some(child) if self.tree.is_end(child) || self.tree.stays(child) => {}
                Some(_) if self.outlook.is_sink(edge.to) && !self.outlook.leads_on(edge.output) => {
                    lost.push(one)
                }
                Some(_) => spot.onward.push(one),
            }
        }
        if spot.onward.is_empty() {
            spot.onward = lost;
        }
        spot
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
            if to == UNKNOWN { !self.is_withheld(entry) } else { avoid.get(to as usize) != Some(&true) }
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
