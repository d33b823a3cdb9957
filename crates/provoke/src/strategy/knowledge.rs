//! What strategies are told of the requirements before a campaign begins.

use std::sync::Arc;

use crate::automaton::{Classes, Cubes};
use crate::learn::{Claims, Memory};
use crate::suite::Tests;

/// What a strategy must know of the requirements besides the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Needs {
    /// Nothing: it plays any game.
    #[default]
    Nothing,
    /// The Büchi automaton of all requirements and assumptions together. It gives up once it has seen all of it.
    Conjunction,
    /// The deterministic automaton of what cannot be violated yet. It gives up once it has tried all of it.
    Monitor,
    /// The inputs that each requirement tells apart, state by state, and what to check a learnt model against.
    Classes,
    /// The tests of a suite. It gives up once it has run all of them.
    Suite,
    /// What to check a learnt model against.
    Claims,
    /// The classes of inputs, and what to check a learnt model against, as far as they can be made.
    Portfolio,
}

impl Needs {
    /// Whether a strategy that needs this gives up by itself: there is an end to what it has to try.
    pub fn ends(self) -> bool {
        matches!(self, Needs::Conjunction | Needs::Monitor | Needs::Suite)
    }

    /// Whether a strategy that needs this learns a model of the system, so that what it has seen can be kept.
    pub fn learns(self) -> bool {
        matches!(self, Needs::Classes | Needs::Claims | Needs::Portfolio)
    }
}

/// What a specification tells a strategy; what it does not [need](Needs) is left out.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// The Büchi automaton of all requirements and assumptions together.
    pub conjunction: Option<Arc<Cubes>>,
    /// The deterministic automaton whose missing edges are the bad prefixes of the conjunction.
    pub monitor: Option<Arc<Cubes>>,
    /// The tests of a suite; knows what became of them.
    pub suite: Option<Arc<Tests>>,
    /// For each requirement that is an automaton, the inputs that it tells apart; knows what was sent.
    pub classes: Arc<Vec<Arc<Classes>>>,
    /// What to check a learnt model against.
    pub claims: Arc<Claims>,
    /// What earlier campaigns have seen of the system.
    pub memory: Option<Arc<Memory>>,
}
