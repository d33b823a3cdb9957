//! A monitor that follows a model program: the states that a run may be in.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Verdict;
use super::orders::Orders;
use crate::action::{Direction, Exchanges, ModelProgram, Track, fingerprint};
use crate::diagnostic::SpecError;
use crate::letter::{Conflict, Idle, Interface};
use crate::system::Mode;
use crate::trace::Step;

/// The most states that a run may be in. Beyond that nothing more is said of it.
pub(super) const MOST_STATES: usize = 1 << 14;

/// Follows a run through something that is not an automaton.
pub trait Follow: Send + Sync + fmt::Debug {
    /// Another one in the same place.
    fn copy(&self) -> Box<dyn Follow>;

    /// Back to the start of a run.
    fn reset(&mut self);

    /// Follows one exchange and says whether the requirement is violated now.
    fn violates(&mut self, step: &Step) -> bool;

    /// What the requirement says of the run so far.
    fn verdict(&self) -> Verdict;

    /// What is wrong with what it follows; nothing that it said counts then.
    fn fault(&self) -> Option<SpecError> {
        None
    }

    /// What the system may do now, or might have done where the last step violated: actions by name.
    fn allowed(&self) -> Vec<String>;

    /// The place of the first step of a run that put the requirement to the test. Any answer could have been one that a
    /// model rejects.
    fn first_test(&self, trace: &[Step]) -> Option<usize> {
        (!trace.is_empty()).then_some(0)
    }

    /// The state of the automaton that it follows in the order in which things were seen; none where there is no automaton, and
    /// where several states are possible.
    fn state(&self) -> Option<u32> {
        None
    }

    /// Where the run is, as a number that tells places apart as well as hashing does; none where that is not known, or not any
    /// more.
    fn place(&self) -> Option<u64> {
        None
    }

    /// The same for a reader.
    fn show_place(&self) -> String {
        String::new()
    }

    /// Whether a run that ends with an obligation open is the system's fault.
    fn blames_the_end(&self) -> bool {
        false
    }

    /// Whether it may ever say this.
    fn may_say(&self, verdict: Verdict) -> bool {
        matches!(verdict, Verdict::SoFarGood | Verdict::Violated)
    }
}

/// Follows a model program: alternating refinement of interface automata (paper 2, section 3.2).
///
/// A violation is an observable action that the model rejects in every state that the run may be in, silence where no
/// such state allows it, or a controllable action that the system rejects although every such state enables it. After a
/// controllable action that some such state does not enable, nothing more is said of the run: the system was promised
/// that this would not happen.
pub struct Following<M: ModelProgram> {
    exchanges: Exchanges<M>,
    /// The states that the run may be in, each once.
    may_be: Vec<M::State>,
    next: Vec<M::State>,
    /// The same where the system speaks whenever it likes.
    orders: Option<Orders<M>>,
    stand: Stand,
}

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    Followed,
    /// Nothing more is said of it. That is no praise: the requirement stays open.
    Lost,
    Violated,
}

impl<M: ModelProgram + 'static> Following<M> {
    /// A monitor at the start of a run.
    pub fn new(
        model: Arc<M>,
        interface: &Interface,
        idle: Idle,
        conflict: Conflict,
        mode: Mode,
    ) -> Following<M> {
        let exchanges = Exchanges::new(model, interface, idle, conflict);
        let orders = (mode == Mode::Asynchronous).then(|| Orders::new(&exchanges));
        let (may_be, next) = (exchanges.model.initials(), Vec::new());
        Following { exchanges, may_be, next, orders, stand: Stand::Followed }
    }

    /// Follows an exchange; whether some state allows it.
    fn is_allowed(&mut self, step: &Step) -> (Track, bool) {
        if let Some(orders) = &mut self.orders {
            return orders.follow(&mut self.exchanges, step);
        }
        let mut track = self.exchanges.follow(&self.may_be, step, &mut self.next);
        forget_twins(&mut self.next);
        if self.next.len() > MOST_STATES {
            track = Track::Lost;
        }
        let allowed = !self.next.is_empty();
        if allowed {
            std::mem::swap(&mut self.may_be, &mut self.next);
        }
        (track, allowed)
    }
}

impl<M: ModelProgram + 'static> Follow for Following<M> {
    fn copy(&self) -> Box<dyn Follow> {
        Box::new(Following {
            exchanges: self.exchanges.clone(),
            may_be: self.may_be.clone(),
            next: Vec::new(),
            orders: self.orders.clone(),
            stand: self.stand,
        })
    }

    fn reset(&mut self) {
        self.may_be.clear();
        self.may_be.extend(self.exchanges.model.initials());
        if let Some(orders) = &mut self.orders {
            *orders = Orders::new(&self.exchanges);
        }
        self.stand = Stand::Followed;
    }

    fn violates(&mut self, step: &Step) -> bool {
        if self.stand != Stand::Followed {
            return self.stand == Stand::Violated;
        }
        self.stand = match self.is_allowed(step) {
            (Track::Kept, true) => Stand::Followed,
            (Track::Lost, _) => Stand::Lost,
            // A model that is wrong itself convicts nobody.
            (Track::Kept, false) if self.exchanges.model.fault().is_some() => Stand::Lost,
            (Track::Kept, false) => Stand::Violated,
        };
        self.stand == Stand::Violated
    }

    fn verdict(&self) -> Verdict {
        match self.stand {
            Stand::Followed | Stand::Lost => Verdict::SoFarGood,
            Stand::Violated => Verdict::Violated,
        }
    }

    fn fault(&self) -> Option<SpecError> {
        self.exchanges.model.fault()
    }

    fn allowed(&self) -> Vec<String> {
        let model = &self.exchanges.model;
        let mut actions = Vec::new();
        let states = self.orders.as_ref().map_or_else(|| self.may_be.clone(), Orders::states);
        states.iter().for_each(|state| model.enabled(Direction::Observable, state, &mut actions));
        forget_twins(&mut actions);
        actions.iter().map(|action| model.show(action)).collect()
    }

    fn place(&self) -> Option<u64> {
        let is_known = self.stand == Stand::Followed && self.orders.is_none();
        // The states are a set: in whatever order they stand, it is the same place.
        is_known.then(|| self.may_be.iter().fold(0, |sum: u64, state| sum.wrapping_add(fingerprint(state))))
    }

    fn show_place(&self) -> String {
        let shown = |state: &M::State| self.exchanges.model.show_state(state);
        self.may_be.iter().map(shown).collect::<Vec<_>>().join("\nor ")
    }
}

impl<M: ModelProgram> fmt::Debug for Following<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Following");
        shown.field("may_be", &self.may_be).field("stand", &self.stand).finish_non_exhaustive()
    }
}

/// Leaves each item once.
pub(super) fn forget_twins<T: Eq + Hash + Clone>(items: &mut Vec<T>) {
    match items.len() {
        0 | 1 => {}
        2 if items[0] == items[1] => items.truncate(1),
        2 => {}
        _ => {
            let mut seen = FxHashSet::default();
            items.retain(|item| seen.insert(item.clone()));
        }
    }
}
