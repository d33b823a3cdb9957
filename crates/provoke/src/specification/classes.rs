//! The kinds of inputs that requirements tell apart, and which of them can ever be sent.

use std::sync::Arc;

use super::Specification;
use crate::automaton::{Automaton, Classes, TranslationError};
use crate::bdd::{Bdd, OutOfNodes};
use crate::game::explicit::{Component, Product};
use crate::game::{Game, Place, State};

/// No larger product is made to find out what can be sent.
const STATES: usize = 5_000;

/// For each state of an automaton, the inputs that may be sent there in some run.
type Sendable = Vec<Bdd>;

impl Specification {
    /// For each requirement that is an automaton, in order, the inputs that it tells apart in each of its states.
    ///
    /// What can be sent is what some run sends that keeps all requirements and assumptions: they are played together. Where
    /// that would be too large, each requirement is played with the assumptions alone, which finds fewer inputs impossible
    /// and none that is not; the classes are not [known to be all](Classes::are_exact) possible then.
    pub(super) fn classes(&self) -> Result<Vec<Arc<Classes>>, TranslationError> {
        let automata: Vec<&Automaton> =
            self.requirements.iter().filter_map(|known| known.demand.distinguishes()).collect();
        let is_whole = automata.len() == self.requirements.len()
            && self.assumptions.iter().all(|assumption| assumption.demand.automaton().is_some());
        let together = self.play_through(&automata)?;
        let made = automata.iter().enumerate().map(|(place, automaton)| {
            let alone = if together.is_none() { self.play_through(&[automaton])? } else { None };
            let classes = match (&together, &alone) {
                (Some(product), _) => {
                    Classes::new(automaton, &sendable(product, Place(place), automaton), is_whole)
                }
                (None, Some(product)) => {
                    Classes::new(automaton, &sendable(product, Place(0), automaton), false)
                }
                (None, None) => Classes::alone(automaton),
            };
            classes.map(Arc::new)
        });
        made.collect()
    }

    /// These automata played together under the assumptions; none where that is too large.
    fn play_through(&self, automata: &[&Automaton]) -> Result<Option<Product>, OutOfNodes> {
        let restrictions = self.restrictions()?.iter().map(|restriction| &restriction.automaton);
        let assumed = self.assumed().chain(restrictions).chain(self.environments());
        let required = automata.iter().map(|&automaton| Component::requirement(Arc::new(automaton.clone())));
        let components = required.chain(assumed.cloned().map(Component::assumption)).collect();
        let product = Product::new(self.space.clone(), components, STATES).ok();
        self.space.bdds().checked(Ok(product))
    }
}

fn sendable(product: &Product, place: Place, automaton: &Automaton) -> Sendable {
    let space = product.space();
    let mut sendable = vec![space.bdds().none(); automaton.states.len()];
    for at in (0..product.states() as u32).map(State) {
        if let Some(state) = product.component_state(at, place) {
            let known = &mut sendable[state as usize];
            *known = &*known | &space.with_inputs(product.inputs(at));
        }
    }
    sendable
}
