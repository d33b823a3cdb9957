//! Finding out where a transition leads, input by input.

use super::constant::Sweep;
use super::evidence::{Look, SURE};
use super::twin::Twin;
use super::{Learner, NOWHERE};
use crate::learn::hypothesis::{Edge, UNKNOWN};
use crate::learn::tree::ENDED;
use crate::letter::Letter;
use crate::trace::Step;

/// One run's attempt to find out where a transition leads, from the moment it was taken.
#[derive(Clone, Debug)]
pub struct Inquiry {
    pub(super) border: (u32, usize),
    /// How much was seen before.
    pub(super) nodes: usize,
    begun: bool,
    /// Whether it goes on although much speaks for one suspect: that was so before.
    is_thorough: bool,
    suspects: Vec<Suspect>,
    /// How many inputs were sent to see whether the only suspect answers as it should, and what that said so far.
    walked: usize,
    odds: f64,
    /// Inputs that are sent to see whether all are answered like the transition, in this order.
    sweep: Option<Sweep>,
    /// Whether other inputs were sent in the same state since none changes anything, and whether it was told since that it is still the
    /// same.
    pub(super) in_a_row: Option<bool>,
}

/// What the node after a transition may be.
#[derive(Clone, Copy, Debug)]
struct Suspect {
    /// The state.
    state: u32,
    /// Where it would be by now.
    twin: Twin,
    /// How likely it was before anything was sent.
    weight: f64,
}

/// A suspect is followed for no longer, once it is the only one.
const WALK: usize = 8;
/// What sums of weights may differ by for no reason.
const TINY: f64 = 1e-9;
/// No more pairs of suspects are compared to find a word that tells two apart.
const PAIRS: usize = 64;
/// An answer that says less is not worth asking for.
const LEAST: f64 = 1.02;

impl Inquiry {
    /// Where does this transition lead?
    pub(super) fn new(border: (u32, usize), nodes: usize) -> Inquiry {
        Inquiry {
            border,
            nodes,
            begun: false,
            is_thorough: false,
            suspects: Vec::new(),
            walked: 0,
            odds: 1.0,
            sweep: None,
            in_a_row: None,
        }
    }
}

impl Learner {
    /// What is to be sent next to find out where the transition of an inquiry leads, once it was taken: the input that splits
    /// what it may be the most, or a word that tells two of them apart; and where only one is left, what is unusual of it.
    /// Nothing where there is no more to be found out in this run.
    pub fn ask(&mut self, inquiry: &mut Inquiry) -> Vec<Letter> {
        let (state, place) = inquiry.border;
        let entry = state as usize * self.hypothesis.inputs + place;
        let is_first = !std::mem::replace(&mut inquiry.begun, true);
        if is_first {
            if self.tree.child(self.basis[state as usize], self.alphabet[place]).is_some() {
                self.refresh(state, place, true);
            }
            inquiry.is_thorough = self.is_settled(entry);
            if self.is_open(entry) {
                let prior = self.prior(entry);
                let suspect =
                    |&state: &u32| Suspect { state, twin: self.twin(state), weight: prior.weight(state) };
                inquiry.suspects = self.frontier[entry].candidates.iter().map(suspect).collect();
                inquiry.sweep = self.sweep(entry);
            }
        }
        if let Some(sweep) = &mut inquiry.sweep {
            return sweep.next().map(|place| self.input(place)).into_iter().collect();
        }
        if let Some(place) = self.another(inquiry) {
            return vec![self.input(place)];
        }
        let next = match inquiry.suspects[..] {
            _ if inquiry.in_a_row.is_some() => None,
            [] => self.rest_of_row(inquiry, None),
            [only] if self.outlook.is_sink(only.state) => {
                // Another input that was not sent there: only what answers all of them alike is a sink.
                let node = self.frontier[entry].node;
                let wanted = is_first && node != NOWHERE;
                wanted.then(|| self.untried(node)).flatten()
            }
            [only] => {
                // A state for which little speaks is put to the test by all that would change nothing there.
                let row = inquiry.is_thorough.then(|| self.rest_of_row(inquiry, Some(only.state))).flatten();
                row.or_else(|| self.telling(inquiry, only))
            }
            _ if !is_first && !inquiry.is_thorough && self.is_answered(state, place) => None,
            _ => return self.splitter(&inquiry.suspects),
        };
        next.map(|place| self.input(place)).into_iter().collect()
    }

    /// The input after which the most could speak for a state, if it is that.
    fn telling(&self, inquiry: &mut Inquiry, suspect: Suspect) -> Option<usize> {
        let state = suspect.twin.state();
        let (from, place) = inquiry.border;
        let enough = self.enough(from as usize * self.hypothesis.inputs + place, suspect.state);
        // After a long way a few steps more cost little: as more states become known, more must speak for this one.
        let extra = self.depths[inquiry.border.0 as usize] as usize / 8;
        let enough = if inquiry.is_thorough { SURE as f64 * enough } else { enough };
        let is_enough = inquiry.odds >= enough && inquiry.walked >= extra;
        if inquiry.walked >= WALK.max(extra) || state == UNKNOWN || is_enough {
            return None;
        }
        inquiry.walked += 1;
        let mut best = (LEAST, None);
        for (place, edge) in self.hypothesis.row(state).iter().enumerate() {
            if !edge.is_known() || edge.output == ENDED {
                continue;
            }
            let says = self.says(suspect.twin, place, *edge);
            if says > best.0 {
                best = (says, Some(place));
            }
        }
        best.1
    }

    /// How many times as much could speak for a suspect after an input and all that comes after it, if it is that.
    fn says(&self, twin: Twin, place: usize, edge: Edge) -> f64 {
        let Edge { to, output } = edge;
        let child = self.node.and_then(|node| self.tree.child(node, self.alphabet[place]));
        if self.tree.is_idle(output) {
            // Nothing comes after it that would not come anyway.
            return if child.is_some() { 1.0 } else { self.rarity(place, output) };
        }
        let goes_on = !self.outlook.is_sink(to);
        let all = if goes_on { self.outlook.counts(output, f64::INFINITY) } else { 1.0 };
        let Some(child) = child else { return all * self.rarity(place, output) };
        if !goes_on {
            return all;
        }
        let next = self.expected(twin, place);
        let so_far =
            next.map_or(1.0, |(_, next)| self.speaks(child, next, &mut Look::new(f64::INFINITY, true)));
        all / self.outlook.counts(output, so_far)
    }

    /// The input that splits these suspects the most, or one that begins a word that tells two of them apart: the
    /// first input, or a word of them.
    fn splitter(&mut self, suspects: &[Suspect]) -> Vec<Letter> {
        let count = self.tree.outputs() + 1;
        let mut best = (0.0, 0);
        let mut weights = vec![0.0; count];
        for place in 0..self.alphabet.len() {
            weights.fill(0.0);
            let mut known = 0.0;
            for suspect in suspects {
                if let Some((output, _)) = self.expected(suspect.twin, place) {
                    weights[(output as usize).min(count - 1)] += suspect.weight;
                    known += suspect.weight;
                }
            }
            let alike: f64 = weights.iter().map(|weight| weight * weight).sum();
            let split = known * known - alike;
            if split > best.0 + TINY {
                best = (split, place);
            }
        }
        if best.0 > TINY {
            return vec![self.input(best.1)];
        }
        let mut pairs = PAIRS;
        for (at, first) in suspects.iter().enumerate() {
            for second in &suspects[at + 1..] {
                let (Some(one), Some(other)) = (first.twin.node(), second.twin.node()) else { continue };
                pairs = pairs.saturating_sub(1);
                if pairs == 0 {
                    return Vec::new();
                }
                let at_basis =
                    one == self.basis[first.state as usize] && other == self.basis[second.state as usize];
                let word = match at_basis {
                    true => self.witness(first.state, second.state),
                    false => self.tree.witness(one, other).unwrap_or_default(),
                };
                if !word.is_empty() {
                    return self.spell(&word);
                }
            }
        }
        Vec::new()
    }

    /// An exchange after the transition: suspects that would have answered otherwise are gone, and so are those of which
    /// that is not known, unless there is only one.
    pub fn heard(&self, inquiry: &mut Inquiry, step: &Step) {
        if !inquiry.begun {
            return;
        }
        let Some(place) = self.place_of(step.input) else { return inquiry.suspects.clear() };
        inquiry.sweep.take_if(|sweep| self.tree.output(sweep.output()) != step.output);
        let mut odds = 1.0;
        inquiry.suspects.retain_mut(|suspect| match self.expected(suspect.twin, place) {
            Some((output, next)) if output != ENDED && self.tree.output(output) == step.output => {
                suspect.twin = next;
                odds = self.rarity(place, output);
                true
            }
            _ => false,
        });
        inquiry.odds *= odds;
    }
}
