//! A product as one automaton.

use super::{Game, Product, State};
use crate::automaton::{Acceptance, Automaton, Edge, StateInfo};

impl Product {
    /// The automaton that the components are together: an exchange that violates one of them has no edge.
    ///
    /// States keep their numbers; their names are tuples of the components' names.
    pub fn to_automaton(&self) -> Automaton {
        let edges = |at: State| {
            let edges = self.edges(at).iter().filter(|(_, to)| !self.is_violation(State(*to)));
            edges.map(|(guard, to)| Edge { guard: guard.clone(), to: *to, marks: 0 }).collect()
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
