//! A product as one automaton.

use super::Product;
use crate::automaton::{Acceptance, Automaton, Edge, StateInfo};
use crate::bdd::Bdd;
use crate::game::{Game, Next, State};

impl Product {
    /// The automaton that the components are together: an exchange that violates one of them has no edge.
    ///
    /// States keep their numbers; their names are tuples of the components' names.
    pub fn to_automaton(&self) -> Automaton {
        let edges = |at: State| {
            let kept = |(guard, next): (&Bdd, Next)| match next {
                Next::To(to) => Some(Edge { guard: guard.clone(), to: to.0, marks: 0 }),
                Next::Violates(_) | Next::Unfair => None,
            };
            self.edges(at).filter_map(kept).collect()
        };
        let state = |at: State| StateInfo { name: Some(self.state_name(at)), marks: 0, edges: edges(at) };
        let names: Vec<&str> =
            self.components().iter().filter_map(|component| component.automaton.name.as_deref()).collect();
        Automaton {
            space: self.space().clone(),
            name: (!names.is_empty()).then(|| names.join(", ")),
            states: (0..self.states() as u32).map(State).map(state).collect(),
            initial: self.initial().0,
            acceptance: Acceptance::All,
        }
    }
}
