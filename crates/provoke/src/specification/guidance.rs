//! The game that guides a campaign towards an objective, made of the requirements that matter to it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Goal, Objective, Specification, support};
use crate::automaton::Automaton;
use crate::bdd::OutOfNodes;
use crate::game::{Component, Game, Gate, Guide, Product, ProductError, Role, Solved, Unguided, solve};

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
    /// What else keeps the tester from sending an input: assumptions that did not fit into the game.
    pub gate: Gate,
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
    /// What may be sent, or what helps, needs more nodes than there may be.
    #[error("failed to solve the game: {0}")]
    OutOfNodes(#[from] OutOfNodes),
}

/// Which assumptions a game knows; the others are followed beside it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Assumed {
    /// Those of the file, and what requirements demand of the environment.
    All,
    /// Those of the file.
    Stated,
    None,
}

/// The assumptions that are in the game, and those beside it.
type Divided<'a> = (Vec<&'a Arc<Automaton>>, Vec<&'a Arc<Automaton>>);

/// What becomes of a run that violates a requirement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Violated {
    /// It ends.
    Ends,
    /// It goes on, and the requirement is out of the game.
    GoesOn,
}

impl Specification {
    /// Builds and solves the game of an objective; without one, the game that only knows what may be sent.
    ///
    /// The requirements that share signals with the objective, directly or through others, are played
    /// together. Where their product has more than `limit` states, the farther half is left out, and again.
    pub fn guidance(&self, objective: Option<&Objective>, limit: usize) -> Result<Guidance, GuidanceError> {
        let Some(wanted) = objective else { return self.unguided(limit, Violated::Ends) };
        let (own, purpose): (Vec<usize>, _) = match &wanted.goal {
            Goal::States(places) => (places.iter().map(|(requirement, _)| *requirement).collect(), None),
            Goal::Violation(requirement) => (vec![*requirement], None),
            Goal::Purpose(purpose) => (Vec::new(), Some(purpose)),
        };
        let relevant = self.by_relevance(&own, purpose.map(|purpose| &**purpose));
        let mut chosen = relevant.clone();
        let mut assumed = Assumed::All;
        loop {
            match self.product(&chosen, purpose, assumed, Violated::Ends, limit) {
                Ok(product) => {
                    let left_out = relevant[chosen.len()..].to_vec();
                    return self.solved(product, objective, assumed, chosen, left_out);
                }
                Err(ProductError::TooLarge(_)) if chosen.len() > own.len() => {
                    let half = if chosen.len() == 1 { 0 } else { chosen.len() / 2 };
                    chosen.truncate(half.max(own.len()));
                }
                Err(error) => assumed = assumed.fewer().ok_or(error)?,
            }
        }
    }

    /// The game without an objective in which a run goes on after a violation.
    pub fn guidance_past_violations(&self, limit: usize) -> Result<Guidance, GuidanceError> {
        self.unguided(limit, Violated::GoesOn)
    }

    /// The game of what may be sent, whatever the requirements say of the answers.
    pub fn permitted(&self, limit: usize) -> Result<Guidance, GuidanceError> {
        let mut assumed = Assumed::All;
        loop {
            match self.product(&[], None, assumed, Violated::Ends, limit) {
                Ok(product) => return self.solved(product, None, assumed, Vec::new(), Vec::new()),
                Err(error) => assumed = assumed.fewer().ok_or(error)?,
            }
        }
    }

    /// The game without an objective. Its product grows from few requirements to many, because where they have
    /// little to do with each other it is soon too large, and then nothing is lost.
    fn unguided(&self, most: usize, violated: Violated) -> Result<Guidance, GuidanceError> {
        let limit = most.min(UNGUIDED_LIMIT);
        let all: Vec<usize> = (0..self.requirements.len()).collect();
        let mut made = None;
        let mut count = all.len().min(1);
        while made.as_ref().is_none_or(|&(_, known)| known < all.len()) {
            match self.product(&all[..count], None, Assumed::All, violated, limit) {
                Ok(larger) => made = Some((larger, count)),
                Err(ProductError::TooLarge(_)) => break,
                Err(error) => return Err(error.into()),
            }
            count = (2 * count).min(all.len());
        }
        let Some((product, count)) = made else {
            return Ok(Guidance { left_out: all, ..self.permitted(most)? });
        };
        let (chosen, left_out) = all.split_at(count);
        self.solved(product, None, Assumed::All, chosen.to_vec(), left_out.to_vec())
    }

    fn product(
        &self,
        requirements: &[usize],
        purpose: Option<&Arc<Automaton>>,
        assumed: Assumed,
        violated: Violated,
        limit: usize,
    ) -> Result<Arc<Product>, ProductError> {
        let role = match violated {
            Violated::Ends => Role::Requirement,
            Violated::GoesOn => Role::Purpose,
        };
        let required = requirements.iter().map(|&at| {
            let automaton = self.requirements[at].demand.automaton.clone();
            Component { automaton, role }
        });
        let purpose = purpose.map(|purpose| Component::purpose(purpose.clone()));
        let (inside, _) = self.assumptions_of(assumed)?;
        let assumed = inside.into_iter().cloned().map(Component::assumption);
        let components = required.chain(purpose).chain(assumed).collect();
        Product::new(self.space.clone(), components, limit).map(Arc::new)
    }

    /// The assumptions that are in the game, and those beside it.
    fn assumptions_of(&self, assumed: Assumed) -> Result<Divided<'_>, OutOfNodes> {
        let stated = self.assumptions.iter().map(|assumption| (true, &assumption.demand.automaton));
        let demanded = self.restrictions()?.iter().map(|restriction| (false, &restriction.automaton));
        let inside = |stated: bool| match assumed {
            Assumed::All => true,
            Assumed::Stated => stated,
            Assumed::None => false,
        };
        let (inside, beside): (Vec<_>, Vec<_>) =
            stated.chain(demanded).partition(|(stated, _)| inside(*stated));
        let automata = |list: Vec<(bool, _)>| list.into_iter().map(|(_, automaton)| automaton).collect();
        Ok((automata(inside), automata(beside)))
    }

    fn solved(
        &self,
        game: Arc<Product>,
        objective: Option<&Objective>,
        assumed: Assumed,
        requirements: Vec<usize>,
        left_out: Vec<usize>,
    ) -> Result<Guidance, GuidanceError> {
        let (_, beside) = self.assumptions_of(assumed)?;
        let gate = Gate::new(beside.into_iter().map(|automaton| &**automaton))?;
        let Some(objective) = objective else {
            let guide = Arc::new(Unguided(game.clone() as Arc<dyn Game>));
            return Ok(Guidance { game, guide, solved: None, gate, requirements, left_out });
        };
        let place = |requirement| requirements.iter().position(|&known| known == requirement);
        let solved = Arc::new(match &objective.goal {
            Goal::Purpose(purpose) => {
                let component = requirements.len();
                solve(game.clone(), |at| {
                    game.component_state(at, component)
                        .is_some_and(|state| purpose.states[state as usize].marks != 0)
                })?
            }
            Goal::States(places) => {
                let places: Vec<_> =
                    places.iter().map(|(requirement, states)| (place(*requirement), states)).collect();
                let is_there = |at, (component, states): &(Option<usize>, &Vec<u32>)| {
                    let state = component.and_then(|component| game.component_state(at, component));
                    state.is_some_and(|state| states.contains(&state))
                };
                solve(game.clone(), |at| places.iter().all(|place| is_there(at, place)))?
            }
            Goal::Violation(requirement) => {
                let violation = place(*requirement).map(|component| game.violation(component));
                solve(game.clone(), |at| Some(at) == violation)?.towards_violating(*requirement)
            }
        });
        Ok(Guidance { game, guide: solved.clone(), solved: Some(solved), gate, requirements, left_out })
    }

    /// The objective's own requirements, then those connected to it through shared variables, the nearest first.
    fn by_relevance(&self, own: &[usize], purpose: Option<&Automaton>) -> Vec<usize> {
        let variables: Vec<BTreeSet<usize>> =
            self.requirements.iter().map(|requirement| support(&requirement.demand.automaton)).collect();
        let mut known: BTreeSet<usize> = purpose.map(support).unwrap_or_default();
        known.extend(own.iter().flat_map(|&own| &variables[own]));
        let mut order: Vec<usize> = own.to_vec();
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

impl Assumed {
    fn fewer(self) -> Option<Assumed> {
        match self {
            Assumed::All => Some(Assumed::Stated),
            Assumed::Stated => Some(Assumed::None),
            Assumed::None => None,
        }
    }
}
