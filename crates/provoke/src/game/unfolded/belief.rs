//! The states that a run may be in, numbered as they are met.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::action::{Direction, Exchanges, ModelProgram, Track, joined};
use crate::game::Transition;
use crate::letter::{Conflict, Idle, Interface, Letter};
use crate::trace::Step;

/// One model program in an [`Unfolded`](super::Unfolded) game.
pub(super) trait Part: Send + Sync {
    /// Where every run starts.
    fn initial(&self) -> u32;

    /// Appends the controllable actions that are enabled for sure.
    fn inputs(&self, at: u32, into: &mut Vec<Letter>);

    /// Appends what the system may do by itself; silence is another question.
    fn observables(&self, at: u32, into: &mut Vec<Letter>);

    /// Where an exchange leads.
    fn next(&self, at: u32, step: &Step) -> Led;

    /// What an exchange counts as, where it is an action of this model.
    fn transition(&self, at: u32, step: &Step) -> Option<Transition>;

    /// How many states were met.
    fn met(&self) -> usize;

    /// A state in words; where the run may be in several, all of them.
    fn name(&self, at: u32) -> String;
}

/// Where an exchange leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Led {
    To(u32),
    /// The model rejects it.
    Violates,
    /// The model says nothing more of this run.
    Lost,
}

/// The one number beyond those that there is room for: the state that was met last.
const BEYOND: u32 = u32::MAX;

/// A model program whose states have numbers.
pub(super) struct Belief<M: ModelProgram>(Mutex<Met<M>>);

struct Met<M: ModelProgram> {
    exchanges: Exchanges<M>,
    states: IndexSet<M::State, FxBuildHasher>,
    /// Sets of at least two of them, in order.
    sets: IndexSet<Box<[u32]>, FxBuildHasher>,
    most: usize,
    /// What [`BEYOND`] stands for now.
    beyond: Vec<M::State>,
    initial: u32,
    from: Vec<M::State>,
    to: Vec<M::State>,
    actions: Vec<M::Action>,
}

impl<M: ModelProgram + 'static> Belief<M> {
    /// Numbers for at most so many states. Where there is no room for more, states are followed one at a time, and
    /// nothing is known of them once they are left.
    pub(super) fn new(
        model: Arc<M>,
        interface: &Interface,
        idle: Idle,
        conflict: Conflict,
        most: usize,
    ) -> Belief<M> {
        let to = model.initials();
        let mut met = Met {
            exchanges: Exchanges::new(model, interface, idle, conflict),
            states: IndexSet::default(),
            sets: IndexSet::default(),
            most,
            beyond: Vec::new(),
            initial: 0,
            from: Vec::new(),
            to,
            actions: Vec::new(),
        };
        met.initial = met.number();
        Belief(Mutex::new(met))
    }

    fn met(&self) -> MutexGuard<'_, Met<M>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: ModelProgram + 'static> Met<M> {
    /// The number of the states in `to`, of which there is at least one.
    fn number(&mut self) -> u32 {
        if self.states.len() + self.sets.len() + self.to.len() > self.most {
            return self.find();
        }
        if let [_] = &self.to[..] {
            let state = self.to.pop().expect("there is one");
            return (self.states.insert_full(state).0 as u32) << 1;
        }
        let mut set: Vec<u32> =
            self.to.drain(..).map(|state| self.states.insert_full(state).0 as u32).collect();
        set.sort_unstable();
        set.dedup();
        match &set[..] {
            [one] => one << 1,
            _ => (self.sets.insert_full(set.into()).0 as u32) << 1 | 1,
        }
    }

    /// The same where there is no room for new ones.
    #[cold]
    fn find(&mut self) -> u32 {
        let known = match &self.to[..] {
            [state] => self.states.get_index_of(state).map(|at| (at as u32) << 1),
            _ => None,
        };
        known.unwrap_or_else(|| {
            std::mem::swap(&mut self.beyond, &mut self.to);
            BEYOND
        })
    }

    /// Puts the states of a number into `from`.
    fn gather(&mut self, at: u32) {
        self.from.clear();
        match (at, at & 1) {
            (BEYOND, _) => self.from.extend_from_slice(&self.beyond),
            (_, 0) => self.from.push(self.states[(at >> 1) as usize].clone()),
            _ => {
                let set = &self.sets[(at >> 1) as usize];
                self.from.extend(set.iter().map(|&state| self.states[state as usize].clone()));
            }
        }
    }

    fn append(&mut self, direction: Direction, into: &mut Vec<Letter>) {
        for action in &self.actions {
            // An alphabet that is full leaves out what it has no letter for.
            into.extend(self.exchanges.lexicon.letter(&self.exchanges.model, direction, action));
        }
    }
}

impl<M: ModelProgram + 'static> Part for Belief<M> {
    fn initial(&self) -> u32 {
        self.met().initial
    }

    fn inputs(&self, at: u32, into: &mut Vec<Letter>) {
        let met = &mut *self.met();
        met.gather(at);
        met.actions.clear();
        let model = &met.exchanges.model;
        let [first, others @ ..] = &met.from[..] else { return };
        model.enabled(Direction::Controllable, first, &mut met.actions);
        let mut enabled = Vec::new();
        for state in others {
            enabled.clear();
            model.enabled(Direction::Controllable, state, &mut enabled);
            met.actions.retain(|action| enabled.contains(action));
        }
        met.append(Direction::Controllable, into);
    }

    fn observables(&self, at: u32, into: &mut Vec<Letter>) {
        let met = &mut *self.met();
        met.gather(at);
        met.actions.clear();
        for state in &met.from {
            met.exchanges.model.enabled(Direction::Observable, state, &mut met.actions);
        }
        met.append(Direction::Observable, into);
    }

    fn next(&self, at: u32, step: &Step) -> Led {
        let met = &mut *self.met();
        met.gather(at);
        match met.exchanges.follow(&met.from, step, &mut met.to) {
            Track::Lost => Led::Lost,
            Track::Kept if met.to.is_empty() => Led::Violates,
            Track::Kept => Led::To(met.number()),
        }
    }

    fn transition(&self, at: u32, step: &Step) -> Option<Transition> {
        let met = &mut *self.met();
        let action = met.exchanges.action(step)?;
        met.gather(at);
        let (model, state) = (&met.exchanges.model, met.from.first()?);
        let key = joined(model.abstract_state(state, &action), model.abstract_action(state, &action));
        Some(Transition { key, weight: model.weight(state, &action) })
    }

    fn met(&self) -> usize {
        Belief::met(self).states.len()
    }

    fn name(&self, at: u32) -> String {
        let met = &mut *Belief::met(self);
        met.gather(at);
        let names = met.from.iter().map(|state| met.exchanges.model.show_state(state));
        names.collect::<Vec<_>>().join(" or ")
    }
}
