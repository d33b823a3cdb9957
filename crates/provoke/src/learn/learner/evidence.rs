//! How much speaks for what a transition may lead to.

use super::twin::Twin;
use super::{Border, Learner, NOWHERE};
use crate::learn::hypothesis::UNKNOWN;

/// What speaks for a state that a node may be is enough where it makes that so many times as likely as not.
pub(super) const CERTAINTY: f64 = 16.0;
/// What speaks so many times as much as is enough is not looked into any more.
pub(super) const SURE: u64 = 1024;
/// No more of what was seen after a node is looked at to see what speaks for it.
const LOOKED_AT: usize = 256;

/// How far it is looked for what speaks for something.
pub(super) struct Look {
    /// So much is enough.
    enough: f64,
    /// No more nodes are looked at.
    left: usize,
    /// Whether it is kept in mind that other states may lead to where this one leads: all that comes after that says nothing of which
    /// of them it is.
    is_wary: bool,
}

impl Look {
    pub(super) fn new(enough: f64, is_wary: bool) -> Look {
        Look { enough, left: LOOKED_AT, is_wary }
    }
}

impl Learner {
    /// Looks anew at how much speaks for what seems to be known: what is likely from the start may have changed since.
    pub(super) fn weigh(&mut self) {
        if std::mem::replace(&mut self.outlook.is_weighed, true) {
            return;
        }
        for entry in 0..self.frontier.len() {
            let Border { node, candidates, is_likely, .. } = &self.frontier[entry];
            if *node != NOWHERE && (*is_likely || candidates.len() == 1) {
                self.frontier[entry].odds = self.odds(entry, self.hypothesis.edges[entry].to);
            }
        }
    }

    /// How much must speak for a state that a transition may lead to, to make it much likelier than all others that it may
    /// lead to and one that is not known yet: see [`Learner::evidence`].
    pub(super) fn enough(&self, entry: usize, state: u32) -> f64 {
        let prior = self.prior(entry);
        let candidates = &self.frontier[entry].candidates;
        let all = prior.seen(candidates).map(|(_, weight)| weight).sum();
        prior.enough(all, prior.weight(state))
    }

    /// How many times as much speaks for a state that a transition may lead to as is enough, warily.
    pub(super) fn odds(&self, entry: usize, state: u32) -> f64 {
        let enough = self.enough(entry, state);
        let node = self.frontier[entry].node;
        self.speaks(node, self.twin(state), &mut Look::new(SURE as f64 * enough, true)) / enough
    }

    /// What an answer says of where it came from: of so many states one answers like this.
    pub(super) fn rarity(&self, place: usize, output: u32) -> f64 {
        let all = self.totals.get(place).copied().unwrap_or(0);
        let alike = self.answers.get(&(place as u32, output)).copied().unwrap_or(0);
        f64::from(all + 1) / f64::from(alike.max(1))
    }

    /// Of the states that a transition may lead to, the only one for which enough speaks, as far as the hypothesis knows what
    /// each of them answers.
    pub(super) fn likeliest(&self, entry: usize) -> Option<u32> {
        let Border { node, candidates, .. } = &self.frontier[entry];
        if self.tree.is_leaf(*node) {
            return None;
        }
        let prior = self.prior(entry);
        let seen: Vec<(u32, f64)> = prior.seen(candidates).collect();
        let all: f64 = seen.iter().map(|(_, weight)| weight).sum();
        let most = self.most_evidence(*node);
        let is_likely = |&(state, weight): &(u32, f64)| {
            let enough = prior.enough(all, weight);
            // Much is answered like a sink would by states from which little leads on.
            let is_new_sink = weight <= prior.never && self.outlook.is_sink(state);
            !is_new_sink
                && most >= enough
                && self.evidence(*node, state, enough) >= enough
                && self.agrees(*node, state)
        };
        let only = |likely: &mut dyn Iterator<Item = (u32, f64)>| {
            let (first, None) = (likely.next()?, likely.next()) else { return None };
            Some(first.0)
        };
        // Where nothing can speak enough for one that no such answer led to, only the others are looked at.
        if most < prior.enough(all, prior.never) {
            return only(&mut seen.into_iter().filter(is_likely));
        }
        only(&mut candidates.iter().map(|&state| (state, prior.weight(state))).filter(is_likely))
    }

    /// Whether everything that was answered after a node, as far as it is looked at, is what a state would answer.
    fn agrees(&self, node: u32, state: u32) -> bool {
        let mut open = vec![(node, self.twin(state))];
        let mut left = LOOKED_AT;
        while let Some((node, twin)) = open.pop() {
            for (child, place) in self.placed(node) {
                let Some((output, next)) = self.expected(twin, place) else { continue };
                if output != self.tree.answer(child) {
                    return false;
                }
                left = left.saturating_sub(1);
                if left == 0 {
                    return true;
                }
                open.push((child, next));
            }
        }
        true
    }

    /// What can speak for a node being any state, at most.
    fn most_evidence(&self, node: u32) -> f64 {
        let mut odds = 1.0;
        let mut open = vec![node];
        let mut left = LOOKED_AT;
        while let Some(node) = open.pop() {
            for (child, place) in self.placed(node) {
                odds *= self.rarity(place, self.tree.answer(child));
                left = left.saturating_sub(1);
                if left == 0 {
                    return f64::INFINITY;
                }
                open.push(child);
            }
        }
        odds
    }

    /// What speaks for a node being a state: all that was answered after it as the state would, by how unusual that is: of so
    /// many states one would. A state that nothing speaks for may be the only one left merely because others are not known yet.
    pub(super) fn evidence(&self, node: u32, state: u32, enough: f64) -> f64 {
        self.speaks(node, self.twin(state), &mut Look::new(enough, false))
    }

    /// The same of where something else would be.
    pub(super) fn speaks(&self, node: u32, twin: Twin, look: &mut Look) -> f64 {
        self.speaks_after(node, twin, NOWHERE, look)
    }

    /// The same after an input that changed nothing, if it was one.
    fn speaks_after(&self, node: u32, twin: Twin, stayed: u32, look: &mut Look) -> f64 {
        let mut odds = 1.0;
        for (child, place) in self.placed(node) {
            let Some((output, next)) = self.expected(twin, place) else { continue };
            if output != self.tree.answer(child) {
                continue;
            }
            // Where an input changes nothing, sending it again and again says nothing more.
            let is_again = stayed == place as u32;
            odds *= if is_again { 1.0 } else { self.rarity(place, output) };
            look.left = look.left.saturating_sub(1);
            // A sink answers everything alike: that says nothing more.
            if odds < look.enough && look.left > 0 && !self.outlook.is_sink(next.state()) {
                let stays = next.state() == twin.state() && next.state() != UNKNOWN;
                let stayed = if stays { place as u32 } else { NOWHERE };
                let more = self.speaks_after(child, next, stayed, look);
                odds *= if look.is_wary { self.outlook.counts(output, more) } else { more };
            }
            if odds >= look.enough || look.left == 0 {
                return odds;
            }
        }
        odds
    }
}
