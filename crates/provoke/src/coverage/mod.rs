//! What there is to be covered in a game, what was covered, and how far the nearest is that was not.
//!
//! Three layers, each usable without the ones after it:
//!
//! - A [`Chart`] is a directed graph that may grow, with items on its arcs. It knows which items are covered
//!   ([`Chart::cover`]), how many steps the nearest uncovered one is away from a node ([`Chart::distance`]), and which arcs
//!   lead there ([`Chart::closer`]). Distances are kept up to date as items are covered, at a cost that is shared by all of
//!   them. Nodes, items and arc labels are numbers that mean what the caller wants: a strategy that covers pairs of a state
//!   and a class of inputs needs nothing else.
//! - A [`Ground`] says what the ways out of the states of a game are and which [`Element`]s an exchange covers:
//!   [`Explicit`] for products, [`Walked`] for games that are unfolded as they are met.
//! - A [`Coverage`] joins both: it is told of every step ([`Coverage::saw`]), is the [`Guide`](crate::game::Guide) to the
//!   nearest uncovered element, and says in the end what was covered, what never was and what can not be
//!   ([`Coverage::found`]).
//!
//! A system is taken to help until it was seen not to: an arc that was tried in vain several times is left aside until
//! everything that can be had without it was tried; see [`Chart::tried`].

mod chart;
mod explicit;
mod found;
mod survey;
mod walked;

use crate::game::State;
use crate::letter::LetterSet;
use crate::trace::Step;

pub use chart::{Chart, Item};
pub use explicit::Explicit;
pub use found::Found;
pub use survey::{Coverage, Standing};
pub use walked::Walked;

/// What is to be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cover {
    /// Every state.
    States,
    /// Every transition: from one state to another, whatever exchange leads there; in games of actions, every action in
    /// every state.
    Transitions,
    /// Every abstract transition: a state and inputs that are not told apart there; in games of actions, what the model
    /// program calls so.
    AbstractTransitions,
    /// Every label, or every signal with either value.
    Labels,
}

impl Cover {
    /// All of them.
    pub const ALL: [Cover; 4] =
        [Cover::States, Cover::Transitions, Cover::AbstractTransitions, Cover::Labels];

    /// The word in specifications and reports.
    pub fn word(self) -> &'static str {
        match self {
            Cover::States => "states",
            Cover::Transitions => "transitions",
            Cover::AbstractTransitions => "abstract-transitions",
            Cover::Labels => "labels",
        }
    }

    /// What the word stands for.
    pub fn named(word: &str) -> Option<Cover> {
        Cover::ALL.into_iter().find(|cover| cover.word() == word)
    }
}

/// Something to be covered. What its numbers mean is known to the [`Ground`] that it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// A state was reached.
    State(u32),
    /// An edge was taken.
    Edge {
        /// Its source.
        from: u32,
        /// Its target.
        to: u32,
    },
    /// One side acted in a state.
    Act {
        /// The state.
        from: u32,
        /// Whether it was the system.
        output: bool,
        /// The label of the action.
        letter: u64,
    },
    /// An input of a class was sent in a state.
    Class {
        /// The state.
        at: u32,
        /// The place of the class.
        class: u32,
    },
    /// An abstract transition was taken, by its key.
    Abstract(u64),
    /// Something was true of a letter, or false.
    Label {
        /// Whether the letter was an output.
        output: bool,
        /// The place of the proposition, or the label itself.
        at: u64,
        /// Whether it was true.
        truth: bool,
    },
}

/// One way out of a state.
#[derive(Clone, Debug)]
pub struct Way {
    /// The inputs that may lead there.
    pub inputs: LetterSet,
    /// Where it leads.
    pub to: State,
    /// What is covered on the way.
    pub element: Option<Element>,
}

/// Where elements lie in a game.
pub trait Ground: Send + Sync {
    /// Whether all states are known beforehand, so that all of them are charted before the first run.
    fn is_finite(&self) -> bool;

    /// Appends the ways out of a state; false where there are some that cannot be said. Asked once for each state.
    fn ways(&self, at: State, into: &mut Vec<Way>) -> bool;

    /// Appends what being in a state covers by itself: asked for the state in which runs begin.
    fn here(&self, at: State, into: &mut Vec<Element>);

    /// Appends what an exchange covers.
    fn seen(&self, from: State, step: &Step, to: State, into: &mut Vec<Element>);

    /// An element in words.
    fn name(&self, element: Element) -> String;

    /// Elements that the specification names though no run that keeps it covers them; asked once every state is known.
    fn beyond_reach(&self, is_known: &dyn Fn(Element) -> bool) -> Vec<String>;
}
