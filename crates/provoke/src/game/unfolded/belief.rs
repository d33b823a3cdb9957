//! The states that a run may be in, numbered as they are met.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::kept::Kept;
use super::ring::{Ring, is_passing};
use crate::action::{Direction, Exchanges, ModelProgram, Track, joined};
use crate::game::Transition;
use crate::game::transition::near;
use crate::letter::{Conflict, Idle, Interface, Letter};
use crate::trace::Step;

/// One model program in an [`Unfolded`](super::Unfolded) game.
pub(super) trait Part: Send + Sync {
    /// Where every run starts.
    fn initial(&self) -> u32;

    /// Appends the controllable actions that are enabled for sure.
    fn inputs(&self, at: u32, into: &mut Vec<Letter>);

    /// Shows what these count as, and gives the one whose place is picked.
    fn choose(&self, at: u32, pick: &mut dyn FnMut(&[Transition]) -> Option<usize>) -> Option<Letter>;

    /// Appends what the system may do by itself; silence is another question.
    fn observables(&self, at: u32, into: &mut Vec<Letter>);

    /// Whether there is such a thing.
    fn expects_output(&self, at: u32) -> bool;

    /// Where an exchange leads.
    fn next(&self, at: u32, step: &Step) -> Led;

    /// The same, without going there: the state has no number.
    fn try_out(&self, at: u32, step: &Step) -> Led<()>;

    /// Appends what the system may do by itself after an exchange.
    fn observables_after(&self, at: u32, step: &Step, into: &mut Vec<Letter>);

    /// What an exchange counts as, where it is an action of this model.
    fn transition(&self, at: u32, step: &Step) -> Option<Transition>;

    /// Whether a run may end here with a reset, for all that is known.
    fn may_reset(&self, at: u32) -> bool;

    /// From now on states get no numbers.
    fn forget(&self);

    /// How many states were met.
    fn met(&self) -> usize;

    /// A state in words; where the run may be in several, all of them.
    fn name(&self, at: u32) -> String;
}

/// Where an exchange leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Led<T = u32> {
    To(T),
    /// The model rejects it.
    Violates,
    /// The model says nothing more of this run.
    Lost,
}

/// A model program whose states have numbers.
pub(super) struct Belief<M: ModelProgram> {
    met: Mutex<Met<M>>,
    /// Where states get no numbers, nothing is shared: every thread follows its own runs.
    forgets: AtomicBool,
    own: Kept,
}

struct Met<M: ModelProgram> {
    exchanges: Exchanges<M>,
    known: Known<M::State>,
    initial: u32,
    /// Room for the states of a set.
    from: Vec<M::State>,
    to: Vec<M::State>,
    actions: Vec<M::Action>,
    others: Vec<M::Action>,
    counted: Vec<Transition>,
    forgets: bool,
    /// Where states get no numbers: whether anybody asks if the system may act, and the answer for the state that was
    /// reached last.
    asked: bool,
    outlook: Option<(u32, bool)>,
}

struct Known<S> {
    states: IndexSet<S, FxBuildHasher>,
    /// Sets of at least two of them, in order.
    sets: IndexSet<Box<[u32]>, FxBuildHasher>,
    most: usize,
    /// What has no number of its own.
    passing: Ring<Vec<S>>,
}

impl<S: Clone + Eq + std::hash::Hash> Known<S> {
    /// The states of a number.
    #[inline]
    fn states<'a>(&'a self, at: u32, room: &'a mut Vec<S>) -> &'a [S] {
        if is_passing(at) {
            return self.passing.get(at);
        }
        let place = (at >> 1) as usize;
        if at & 1 == 0 {
            return self.states.get_index(place).map_or(&[], std::slice::from_ref);
        }
        room.clear();
        let set = self.sets.get_index(place).into_iter().flatten();
        room.extend(set.map(|&state| self.states[state as usize].clone()));
        room
    }

    /// The number of these states, of which there is at least one; the list is left in any order.
    fn number(&mut self, to: &mut Vec<S>) -> u32 {
        if self.states.len() + self.sets.len() + to.len() > self.most {
            return self.find(to);
        }
        if to.len() == 1
            && let Some(state) = to.pop()
        {
            return (self.states.insert_full(state).0 as u32) << 1;
        }
        let mut set: Vec<u32> = to.drain(..).map(|state| self.states.insert_full(state).0 as u32).collect();
        set.sort_unstable();
        set.dedup();
        match &set[..] {
            [one] => one << 1,
            _ => (self.sets.insert_full(set.into()).0 as u32) << 1 | 1,
        }
    }

    /// The same where there is no room for new ones.
    #[cold]
    fn find(&mut self, to: &mut Vec<S>) -> u32 {
        let known = match &to[..] {
            [state] => self.states.get_index_of(state).map(|at| (at as u32) << 1),
            _ => None,
        };
        known.unwrap_or_else(|| self.pass(to))
    }

    /// A number that is good for a few steps.
    fn pass(&mut self, to: &mut Vec<S>) -> u32 {
        self.passing.put(|slot| std::mem::swap(slot, to))
    }
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
        Belief {
            met: Mutex::new(Met::new(Exchanges::new(model, interface, idle, conflict), most, false)),
            forgets: AtomicBool::new(false),
            own: Kept::default(),
        }
    }

    #[inline]
    fn met(&self) -> MutexGuard<'_, Met<M>> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn with<T>(&self, work: impl FnOnce(&mut Met<M>) -> T) -> T {
        match self.forgets.load(Ordering::Relaxed) {
            true => self.own.with(|| self.met().another(), work),
            false => work(&mut self.met()),
        }
    }
}

impl<M: ModelProgram + 'static> Met<M> {
    fn new(exchanges: Exchanges<M>, most: usize, forgets: bool) -> Met<M> {
        let mut to = exchanges.model.initials();
        let mut known =
            Known { states: IndexSet::default(), sets: IndexSet::default(), most, passing: Ring::default() };
        // The start always has a number.
        known.most = most.max(2 * to.len());
        let initial = known.number(&mut to);
        Met {
            exchanges,
            known,
            initial,
            from: Vec::new(),
            to,
            actions: Vec::new(),
            others: Vec::new(),
            counted: Vec::new(),
            forgets,
            asked: false,
            outlook: None,
        }
    }

    /// The same for a thread that follows its runs by itself: it knows the start, and what it meets from now on.
    #[cold]
    fn another(&self) -> Met<M> {
        Met::new(self.exchanges.clone(), self.known.most, true)
    }

    /// Lists the controllable actions that are enabled for sure.
    #[inline]
    fn list(&mut self, at: u32) {
        self.actions.clear();
        let Met { exchanges: Exchanges { model, .. }, known, from, actions, others, .. } = self;
        let [first, rest @ ..] = known.states(at, from) else { return };
        model.enabled(Direction::Controllable, first, actions);
        for state in rest {
            others.clear();
            model.enabled(Direction::Controllable, state, others);
            actions.retain(|action| others.contains(action));
        }
    }

    fn append(&mut self, direction: Direction, into: &mut Vec<Letter>) {
        for action in &self.actions {
            // An alphabet that is full leaves out what it has no letter for.
            into.extend(self.exchanges.lexicon.letter(&self.exchanges.model, direction, action));
        }
    }

    /// What an exchange counts as, where it is an action of this model.
    #[inline]
    fn transition(&mut self, at: u32, step: &Step) -> Option<Transition> {
        let action = self.exchanges.action(step)?;
        let state = self.known.states(at, &mut self.from).first()?;
        Some(count(&*self.exchanges.model, state, &action))
    }

    /// Puts the states that an exchange leads to into `to`.
    #[inline]
    fn follow(&mut self, at: u32, step: &Step) -> Led<()> {
        let from = self.known.states(at, &mut self.from);
        // Another thread may have been there.
        if from.is_empty() {
            return Led::Lost;
        }
        match self.exchanges.follow(from, step, &mut self.to) {
            Track::Lost => Led::Lost,
            Track::Kept if self.to.is_empty() => Led::Violates,
            Track::Kept => Led::To(()),
        }
    }
}

impl<M: ModelProgram + 'static> Part for Belief<M> {
    fn initial(&self) -> u32 {
        self.met().initial
    }

    fn inputs(&self, at: u32, into: &mut Vec<Letter>) {
        self.with(|met| {
            met.list(at);
            met.append(Direction::Controllable, into);
        });
    }

    fn choose(&self, at: u32, pick: &mut dyn FnMut(&[Transition]) -> Option<usize>) -> Option<Letter> {
        self.with(|met| {
            met.list(at);
            let Met { exchanges: Exchanges { model, lexicon, .. }, known, from, actions, counted, .. } = met;
            let state = known.states(at, from).first()?;
            counted.clear();
            match actions.first() {
                Some(first) if model.abstracts_alike() => {
                    let about = model.abstract_state(state, first);
                    counted.extend(actions.iter().map(|action| count_about(&**model, state, about, action)));
                }
                _ => counted.extend(actions.iter().map(|action| count(&**model, state, action))),
            }
            lexicon.letter(model, Direction::Controllable, &actions[pick(counted)?])
        })
    }

    fn observables(&self, at: u32, into: &mut Vec<Letter>) {
        self.with(|met| {
            met.actions.clear();
            for state in met.known.states(at, &mut met.from) {
                met.exchanges.model.enabled(Direction::Observable, state, &mut met.actions);
            }
            met.append(Direction::Observable, into);
        });
    }

    fn expects_output(&self, at: u32) -> bool {
        self.with(|met| {
            if let Some((last, outlook)) = met.outlook
                && last == at
            {
                return outlook;
            }
            met.asked = true;
            let model = &met.exchanges.model;
            let mut states = met.known.states(at, &mut met.from).iter();
            states.any(|state| model.may_act(Direction::Observable, state))
        })
    }

    fn next(&self, at: u32, step: &Step) -> Led {
        self.with(|met| match met.follow(at, step) {
            Led::To(()) if met.forgets => {
                let may_act = |state| met.exchanges.model.may_act(Direction::Observable, state);
                // What will be asked next is answered here, where the state is at hand.
                let outlook = met.asked.then(|| met.to.iter().any(may_act));
                let number = met.known.pass(&mut met.to);
                met.outlook = outlook.map(|outlook| (number, outlook));
                Led::To(number)
            }
            Led::To(()) => Led::To(met.known.number(&mut met.to)),
            Led::Violates => Led::Violates,
            Led::Lost => Led::Lost,
        })
    }

    fn try_out(&self, at: u32, step: &Step) -> Led<()> {
        self.with(|met| met.follow(at, step))
    }

    fn observables_after(&self, at: u32, step: &Step, into: &mut Vec<Letter>) {
        self.with(|met| {
            if met.follow(at, step) == Led::To(()) {
                met.actions.clear();
                for state in &met.to {
                    met.exchanges.model.enabled(Direction::Observable, state, &mut met.actions);
                }
                met.append(Direction::Observable, into);
            }
        });
    }

    fn transition(&self, at: u32, step: &Step) -> Option<Transition> {
        self.with(|met| met.transition(at, step))
    }

    fn may_reset(&self, at: u32) -> bool {
        self.with(|met| {
            let model = &met.exchanges.model;
            met.known.states(at, &mut met.from).iter().all(|state| model.may_reset(state))
        })
    }

    fn forget(&self) {
        self.forgets.store(true, Ordering::Relaxed);
    }

    fn met(&self) -> usize {
        Belief::met(self).known.states.len()
    }

    fn name(&self, at: u32) -> String {
        self.with(|met| {
            let states = met.known.states(at, &mut met.from).iter();
            let names = states.map(|state| met.exchanges.model.show_state(state));
            names.collect::<Vec<_>>().join(" or ")
        })
    }
}

/// What an action in a state counts as.
#[inline]
fn count<M: ModelProgram>(model: &M, state: &M::State, action: &M::Action) -> Transition {
    count_about(model, state, model.abstract_state(state, action), action)
}

/// The same where it is known what the action is about.
#[inline]
fn count_about<M: ModelProgram>(model: &M, state: &M::State, about: u64, action: &M::Action) -> Transition {
    let key = joined(about, model.abstract_action(state, action));
    Transition { key, weight: model.weight(state, action), near: near(about) }
}
