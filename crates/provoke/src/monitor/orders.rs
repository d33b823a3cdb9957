//! A system that speaks whenever it likes: what came first is not always known.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::follow::{MOST_STATES, forget_twins};
use crate::action::{Deed, Exchanges, ModelProgram, Track};
use crate::trace::Step;

/// The most inputs that may be under way at once. Beyond that nothing more is said of a run.
const MOST_SENT: usize = 64;

/// Every order in which what was sent and what was said may have happened.
///
/// An output that comes after an input may have been on its way before the input arrived. So a state goes together with how
/// many of the inputs it has taken, and all orders are followed until silence is seen: by then every input has arrived.
#[derive(Debug)]
pub(super) struct Orders<M: ModelProgram> {
    /// The states that the run may be in, with how many inputs each has taken since the run began.
    may_be: Vec<(M::State, u64)>,
    /// Inputs that some of these have not taken yet, and how many came before them.
    sent: VecDeque<M::Action>,
    before: u64,
}

impl<M: ModelProgram> Clone for Orders<M> {
    fn clone(&self) -> Orders<M> {
        Orders { may_be: self.may_be.clone(), sent: self.sent.clone(), before: self.before }
    }
}

impl<M: ModelProgram> Orders<M> {
    pub(super) fn new(exchanges: &Exchanges<M>) -> Orders<M> {
        let may_be = exchanges.model.initials().into_iter().map(|state| (state, 0)).collect();
        Orders { may_be, sent: VecDeque::new(), before: 0 }
    }

    /// The states that the run may be in.
    pub(super) fn states(&self) -> Vec<M::State> {
        self.may_be.iter().map(|(state, _)| state.clone()).collect()
    }

    /// Follows an exchange; whether some order allows it. Where none does, nothing changes.
    pub(super) fn follow(&mut self, exchanges: &mut Exchanges<M>, step: &Step) -> (Track, bool) {
        let (sent, said) = exchanges.deeds(step);
        if sent == Deed::Unknown {
            return (Track::Lost, true);
        }
        let all = self.before + self.sent.len() as u64;
        let mut next = self.may_be.clone();
        if said == Deed::Refused {
            // It is about the last input, which everything before it has reached.
            next.retain(|(_, taken)| *taken == all);
            let (from, mut to): (Vec<_>, _) = (next.drain(..).map(|(state, _)| state).collect(), Vec::new());
            exchanges.refused(&from, &sent, &mut to);
            return self.settle(to.into_iter().map(|state| (state, all)).collect());
        }
        let silence = sent == Deed::Nothing && said == Deed::Nothing;
        if let Deed::Act(action) = sent {
            self.sent.push_back(action);
        }
        if self.arrive(exchanges, &mut next) == Track::Lost {
            return (Track::Lost, true);
        }
        if silence {
            next.retain(|(_, taken)| *taken == all);
        }
        if silence || said != Deed::Nothing {
            let mut given = Vec::new();
            for (state, taken) in &next {
                let mut to = Vec::new();
                exchanges.give(std::slice::from_ref(state), &said, &mut to);
                given.extend(to.into_iter().map(|state| (state, *taken)));
            }
            forget_twins(&mut given);
            next = given;
            if self.arrive(exchanges, &mut next) == Track::Lost {
                return (Track::Lost, true);
            }
        }
        self.settle(next)
    }

    /// Adds every state in which more of the inputs that are under way were taken.
    fn arrive(&self, exchanges: &Exchanges<M>, places: &mut Vec<(M::State, u64)>) -> Track {
        let mut seen: FxHashSet<(M::State, u64)> = places.iter().cloned().collect();
        let mut at = 0;
        while let Some((state, taken)) = places.get(at) {
            at += 1;
            let Some(action) = self.sent.get((taken - self.before) as usize) else { continue };
            let (taken, mut to) = (taken + 1, Vec::new());
            if !exchanges.model.steps(state, action, &mut to) {
                return Track::Lost;
            }
            let to = to.into_iter().map(|state| (state, taken));
            places.extend(to.filter(|place| seen.insert(place.clone())));
            if places.len() > MOST_STATES {
                return Track::Lost;
            }
        }
        Track::Kept
    }

    fn settle(&mut self, next: Vec<(M::State, u64)>) -> (Track, bool) {
        let Some(least) = next.iter().map(|(_, taken)| *taken).min() else { return (Track::Kept, false) };
        self.sent.drain(..(least - self.before) as usize);
        self.before = least;
        self.may_be = next;
        (if self.sent.len() > MOST_SENT { Track::Lost } else { Track::Kept }, true)
    }
}
