//! The game that guides a campaign towards an objective, made of the requirements that matter to it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Goal, Objective, Requirement, Specification};
use crate::automaton::Automaton;
use crate::game::{Component, Game, Guide, Product, ProductError, Solved, Unguided, solve};

/// How many product states guidance may take unless told otherwise.
pub const STATE_LIMIT: usize = 250_000;

/// How many it may take where there is no objective, and the product only tells what may be sent.
const UNGUIDED_LIMIT: usize = 2_000;

/// A game and an objective solved on it.
pub struct Guidance {
    /// The arena.
    pub game: Arc<Product>,
    /// The objective, solved.
    pub guide: Arc<dyn Guide>,
    /// The same, where there is an objective at all.
    pub solved: Option<Arc<Solved>>,
    /// Requirements (by number) that the game is made of, in the order of its components.
    pub requirements: Vec<usize>,
    /// Requirements that share signals with the objective but were left out, because the product would
    /// have been too large. They are monitored all the same.
    pub left_out: Vec<usize>,
}

/// Why there is no guidance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GuidanceError {
    /// Not even the objective alone fits.
    #[error(transparent)]
    Product(#[from] ProductError),
}

impl Specification {
    /// Builds and solves the game of an objective; without one, the game that only knows what may be sent.
    ///
    /// The requirements that share signals with the objective, directly or through others, are played
    /// together. Where their product has more than `limit` states, the farther half is left out, and again.
    pub fn guidance(&self, objective: Option<&Objective>, limit: usize) -> Result<Guidance, GuidanceError> {
        let Some(wanted) = objective else { return self.unguided(limit) };
        let (own, purpose) = match &wanted.goal {
            Goal::States { requirement, .. } | Goal::Violation(requirement) => (Some(*requirement), None),
            Goal::Purpose(purpose) => (None, Some(purpose)),
        };
        let mut chosen = self.by_relevance(own, purpose.map(|purpose| &**purpose));
        let at_least = usize::from(own.is_some());
        let wanted = chosen.clone();
        loop {
            match self.product(&chosen, purpose, limit) {
                Ok(product) => {
                    let left_out = wanted[chosen.len()..].to_vec();
                    return Ok(self.solved(product, objective, chosen, left_out));
                }
                Err(ProductError::TooLarge(_)) if chosen.len() > at_least.max(1) => {
                    chosen.truncate((chosen.len() / 2).max(at_least).max(1));
                }
                Err(ProductError::TooLarge(_)) if chosen.len() > at_least => chosen.clear(),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The game without an objective. Its product grows from few requirements to many, because where they have
    /// little to do with each other it is soon too large, and then nothing is lost.
    fn unguided(&self, most: usize) -> Result<Guidance, GuidanceError> {
        let limit = most.min(UNGUIDED_LIMIT);
        let all: Vec<usize> = (0..self.requirements.len()).collect();
        let mut count = all.len().min(1);
        let mut product = match self.product(&all[..count], None, limit) {
            Err(ProductError::TooLarge(_)) => {
                count = 0;
                // Assumptions are never left out.
                self.product(&[], None, most)?
            }
            product => product?,
        };
        while count > 0 && count < all.len() {
            let more = (2 * count).min(all.len());
            match self.product(&all[..more], None, limit) {
                Ok(larger) => (product, count) = (larger, more),
                Err(ProductError::TooLarge(_)) => break,
                Err(error) => return Err(error.into()),
            }
        }
        let (chosen, left_out) = all.split_at(count);
        Ok(self.solved(product, None, chosen.to_vec(), left_out.to_vec()))
    }

    fn product(
        &self,
        requirements: &[usize],
        purpose: Option<&Arc<Automaton>>,
        limit: usize,
    ) -> Result<Arc<Product>, ProductError> {
        let automaton = |requirement: &Requirement| requirement.demand.automaton.clone();
        let required =
            requirements.iter().map(|&at| Component::requirement(automaton(&self.requirements[at])));
        let purpose = purpose.map(|purpose| Component::purpose(purpose.clone()));
        let assumed = self.assumptions.iter().map(|assumption| Component::assumption(automaton(assumption)));
        let components = required.chain(purpose).chain(assumed).collect();
        Product::new(self.space.clone(), components, limit).map(Arc::new)
    }

    fn solved(
        &self,
        game: Arc<Product>,
        objective: Option<&Objective>,
        requirements: Vec<usize>,
        left_out: Vec<usize>,
    ) -> Guidance {
        let Some(objective) = objective else {
            let guide = Arc::new(Unguided(game.clone() as Arc<dyn Game>));
            return Guidance { game, guide, solved: None, requirements, left_out };
        };
        let place = |requirement| requirements.iter().position(|&known| known == requirement);
        let solved = Arc::new(match &objective.goal {
            Goal::Purpose(purpose) => {
                let component = requirements.len();
                solve(game.clone(), |at| {
                    game.component_state(at, component)
                        .is_some_and(|state| purpose.states[state as usize].marks != 0)
                })
            }
            Goal::States { requirement, states } => {
                let component = place(*requirement);
                solve(game.clone(), |at| {
                    component
                        .and_then(|component| game.component_state(at, component))
                        .is_some_and(|state| states.contains(&state))
                })
            }
            Goal::Violation(requirement) => {
                let violation = place(*requirement).map(|component| game.violation(component));
                solve(game.clone(), |at| Some(at) == violation).towards_violating(*requirement)
            }
        });
        Guidance { game, guide: solved.clone(), solved: Some(solved), requirements, left_out }
    }

    /// Requirements connected to the objective through shared variables, the nearest first.
    fn by_relevance(&self, own: Option<usize>, purpose: Option<&Automaton>) -> Vec<usize> {
        let variables: Vec<BTreeSet<usize>> =
            self.requirements.iter().map(|requirement| support(&requirement.demand.automaton)).collect();
        let mut known: BTreeSet<usize> = match (own, purpose) {
            (Some(own), _) => variables[own].clone(),
            (None, Some(purpose)) => support(purpose),
            (None, None) => BTreeSet::new(),
        };
        let mut order: Vec<usize> = own.into_iter().collect();
        loop {
            let near: Vec<usize> = (0..variables.len())
                .filter(|at| !order.contains(at) && !variables[*at].is_disjoint(&known))
                .collect();
            if near.is_empty() {
                return order;
            }
            for at in near {
                known.extend(&variables[at]);
                order.push(at);
            }
        }
    }
}

fn support(automaton: &Automaton) -> BTreeSet<usize> {
    let edges = automaton.states.iter().flat_map(|state| &state.edges);
    edges.flat_map(|edge| edge.guard.support()).collect()
}
