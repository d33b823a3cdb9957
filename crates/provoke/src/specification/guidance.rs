//! The game that guides a campaign towards an objective, made of the requirements that matter to it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::symbolic::Beyond;
use super::{Goal, Objective, Specification, support};
use crate::automaton::Automaton;
use crate::bdd::OutOfNodes;
use crate::coverage::{Coverage, Explicit};
use crate::game::explicit::{Component, Product, ProductError, Role, Scored, Solved, solve};
use crate::game::symbolic::Symbolic;
use crate::game::unfolded::Unfolded;
use crate::game::{Game, Gate, Guide, Next, Place, Unguided};
use crate::trace::RequirementNumber;

/// How many product states guidance may take unless told otherwise.
pub const STATE_LIMIT: usize = 250_000;

/// How many it may take where there is no objective, and the product only tells what may be sent.
const UNGUIDED_LIMIT: usize = 2_000;

/// A game and an objective solved on it.
#[non_exhaustive]
pub struct Guidance {
    /// The arena.
    pub game: Arc<dyn Game>,
    /// The objective, solved.
    pub guide: Arc<dyn Guide>,
    /// The guide once more, where the objective is to cover all of something.
    pub coverage: Option<Arc<Coverage>>,
    /// What both are made of, for those who want to look inside.
    pub inside: Inside,
    /// What else keeps the tester from sending an input: assumptions that did not fit into the game.
    pub gate: Gate,
    /// Requirements that the game is made of, in the order of its components.
    pub requirements: Vec<RequirementNumber>,
    /// Requirements that share signals with the objective but were left out, because the product would
    /// have been too large. They are monitored all the same.
    pub left_out: Vec<RequirementNumber>,
    /// What there is to say of how the game is played: that it is symbolic, and what did not fit.
    pub notes: Vec<String>,
}

/// What a game is made of.
#[non_exhaustive]
pub enum Inside {
    /// States written down one by one.
    Explicit {
        /// The product of the automata.
        product: Arc<Product>,
        /// The objective solved on it, where there is one.
        solved: Option<Arc<Solved>>,
    },
    /// Model programs, unfolded as they are met.
    Unfolded(Arc<Unfolded>),
    /// Circuits and automata whose states are not written down.
    Symbolic(Arc<Symbolic>),
}

impl Inside {
    /// The product, where the game is one.
    pub fn product(&self) -> Option<&Arc<Product>> {
        match self {
            Inside::Explicit { product, .. } => Some(product),
            Inside::Unfolded(_) | Inside::Symbolic(_) => None,
        }
    }

    /// The game of model programs, where it is one.
    pub fn unfolded(&self) -> Option<&Arc<Unfolded>> {
        match self {
            Inside::Explicit { .. } | Inside::Symbolic(_) => None,
            Inside::Unfolded(game) => Some(game),
        }
    }

    /// The objective solved on a product, where there is one.
    pub fn solved(&self) -> Option<&Arc<Solved>> {
        match self {
            Inside::Explicit { solved, .. } => solved.as_ref(),
            Inside::Unfolded(_) | Inside::Symbolic(_) => None,
        }
    }
}

/// Why there is no guidance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GuidanceError {
    /// Not even the objective alone fits.
    #[error(transparent)]
    Product(#[from] ProductError),
    /// What may be sent, or what helps, needs more nodes than there may be.
    #[error("failed to solve the game: {0}")]
    OutOfNodes(#[from] OutOfNodes),
}

/// A game of requirements alone that was made before.
type Known = (Vec<RequirementNumber>, Assumed, Arc<Product>);

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
        if let Some(idle) = self.plays_programs() {
            return self.unfold(idle, objective);
        }
        match objective {
            Some(objective) => self.guidance_to(objective, limit, &mut Vec::new()),
            None => self.unguided(limit, Violated::Ends),
        }
    }

    /// The same for several objectives. Those that are about the same requirements share their game.
    pub fn guidance_to_all(
        &self,
        objectives: &[&Objective],
        limit: usize,
    ) -> Result<Vec<Guidance>, GuidanceError> {
        if let Some(idle) = self.plays_programs() {
            return objectives.iter().map(|objective| self.unfold(idle, Some(objective))).collect();
        }
        let mut known = Vec::new();
        objectives.iter().map(|objective| self.guidance_to(objective, limit, &mut known)).collect()
    }

    fn guidance_to(
        &self,
        wanted: &Objective,
        limit: usize,
        known: &mut Vec<Known>,
    ) -> Result<Guidance, GuidanceError> {
        let (mut own, purpose): (Vec<RequirementNumber>, _) = match &wanted.goal {
            Goal::States(places) => (places.iter().map(|(requirement, _)| *requirement).collect(), None),
            Goal::Violation(requirement) | Goal::Holds(requirement, _) => (vec![*requirement], None),
            Goal::Purpose(purpose) => (Vec::new(), Some(purpose)),
            Goal::Cover(_, requirement) => (requirement.iter().copied().collect(), None),
        };
        // What is scored is played.
        for (requirement, ..) in &wanted.scores {
            if !own.contains(requirement) {
                own.push(*requirement);
            }
        }
        let relevant = match wanted.goal {
            Goal::Cover(_, None) => self.numbers().collect(),
            _ => self.by_relevance(&own, purpose.map(|purpose| &**purpose)),
        };
        let (mut relevant, mut too_large) = (relevant, Vec::new());
        if matches!(wanted.goal, Goal::Cover(..)) {
            // What is to be covered is counted one by one.
            (relevant, too_large) =
                relevant.into_iter().partition(|&at| !self.is_large(self.requirement(at)));
        } else if self.any_large(&relevant) {
            return self.symbolic(relevant, Beyond::Circuit, Some(wanted), false);
        }
        let mut chosen = relevant.clone();
        let mut assumed = Assumed::All;
        loop {
            let same = |(requirements, inside, _): &&Known| *requirements == chosen && *inside == assumed;
            let shared = known.iter().find(same).filter(|_| purpose.is_none());
            let (is_new, product) = match shared {
                Some((.., product)) => (false, Ok(product.clone())),
                None => (true, self.product(&chosen, purpose, assumed, Violated::Ends, limit)),
            };
            match product {
                Ok(product) => {
                    if is_new && purpose.is_none() {
                        known.push((chosen.clone(), assumed, product.clone()));
                    }
                    let left_out = [&relevant[chosen.len()..], &too_large].concat();
                    return self.solved(product, Some(wanted), assumed, chosen, left_out);
                }
                // Circuits are made to be played symbolically, and bring the others along.
                Err(ProductError::TooLarge(_)) if self.has_circuits() && wanted.covers().is_none() => {
                    return self.symbolic(relevant, Beyond::States(limit), Some(wanted), false);
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
        if let Some(idle) = self.plays_programs() {
            return self.unfold(idle, None);
        }
        self.unguided(limit, Violated::GoesOn)
    }

    /// The game of what may be sent, whatever the requirements say of the answers.
    pub fn permitted(&self, limit: usize) -> Result<Guidance, GuidanceError> {
        if let Some(idle) = self.plays_programs() {
            return self.unfold(idle, None);
        }
        if self.any_large(&[]) {
            return self.symbolic(Vec::new(), Beyond::Circuit, None, false);
        }
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
        if self.any_large(&[]) {
            // Assumptions that are not written down can only be kept in a symbolic game.
            return self.symbolic(
                self.numbers().collect(),
                Beyond::Circuit,
                None,
                violated == Violated::GoesOn,
            );
        }
        let is_playable = |&at: &RequirementNumber| self.requirement(at).demand.automaton().is_some();
        let (all, other): (Vec<_>, Vec<_>) = self.numbers().partition(is_playable);
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
            let left_out = self.numbers().collect();
            return Ok(Guidance { left_out, ..self.permitted(most)? });
        };
        let (chosen, rest) = all.split_at(count);
        let left_out = [rest, &other].concat();
        self.solved(product, None, Assumed::All, chosen.to_vec(), left_out)
    }

    fn product(
        &self,
        requirements: &[RequirementNumber],
        purpose: Option<&Arc<Automaton>>,
        assumed: Assumed,
        violated: Violated,
        limit: usize,
    ) -> Result<Arc<Product>, ProductError> {
        let role = match violated {
            Violated::Ends => Role::Requirement,
            Violated::GoesOn => Role::Purpose,
        };
        let required = requirements.iter().filter_map(|&at| {
            let automaton = self.requirement(at).demand.automaton()?.clone();
            Some(Component { automaton, role })
        });
        let purpose = purpose.map(|purpose| Component::purpose(purpose.clone()));
        let (inside, _) = self.assumptions_of(assumed)?;
        let assumed = inside.into_iter().cloned().map(Component::assumption);
        let components = required.chain(purpose).chain(assumed).collect();
        let product = Product::new(self.space.clone(), components, limit)?;
        let actions = self.idle.filter(|_| self.programs().next().is_some());
        let conflict = self.system.protocol.conflict;
        Ok(Arc::new(match actions {
            Some(idle) => product.of_actions(idle, conflict)?,
            None => product,
        }))
    }

    /// The assumptions that are in the game, and those beside it.
    fn assumptions_of(&self, assumed: Assumed) -> Result<Divided<'_>, OutOfNodes> {
        let stated = self.assumed().map(|automaton| (true, automaton));
        let restrictions = self.restrictions()?.iter().map(|restriction| &restriction.automaton);
        let demanded = restrictions.chain(self.environments()).map(|automaton| (false, automaton));
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
        product: Arc<Product>,
        objective: Option<&Objective>,
        assumed: Assumed,
        requirements: Vec<RequirementNumber>,
        left_out: Vec<RequirementNumber>,
    ) -> Result<Guidance, GuidanceError> {
        let (_, beside) = self.assumptions_of(assumed)?;
        let gate = Gate::new(beside.into_iter().map(|automaton| &**automaton))?;
        let game: Arc<dyn Game> = product.clone();
        if let Some(Goal::Cover(cover, requirement)) = objective.map(|objective| &objective.goal) {
            let place = |wanted| requirements.iter().position(|&known| known == wanted).map(Place);
            let ground = Explicit::new(product.clone(), *cover, requirement.and_then(place))?;
            let coverage = Arc::new(Coverage::new(*cover, game.clone(), Box::new(ground)));
            let coverage = self.space.bdds().checked::<_, OutOfNodes>(Ok(coverage))?;
            let (guide, inside) = (coverage.clone(), Inside::Explicit { product, solved: None });
            return Ok(Guidance {
                game,
                guide,
                coverage: Some(coverage),
                inside,
                gate,
                requirements,
                left_out,
                notes: Vec::new(),
            });
        }
        let solved = objective.map(|objective| solve_goal(&product, &objective.goal, &requirements));
        let solved = self.space.bdds().checked(solved.transpose())?.map(Arc::new);
        let scores = objective.map_or(&[][..], |objective| &objective.scores);
        let guide: Arc<dyn Guide> = match &solved {
            Some(solved) if scores.is_empty() => solved.clone(),
            Some(solved) => {
                let place = |number| requirements.iter().position(|known| *known == number).map(Place);
                let scores =
                    scores.iter().filter_map(|(of, state, score)| Some((place(*of)?, *state, *score)));
                Arc::new(Scored::new(solved.clone(), scores.collect()))
            }
            None => Arc::new(Unguided(game.clone())),
        };
        let inside = Inside::Explicit { product, solved };
        Ok(Guidance { game, guide, coverage: None, inside, gate, requirements, left_out, notes: Vec::new() })
    }

    /// The objective's own requirements, then those connected to it through shared variables, the nearest first.
    fn by_relevance(&self, own: &[RequirementNumber], purpose: Option<&Automaton>) -> Vec<RequirementNumber> {
        let variables: Vec<BTreeSet<usize>> =
            self.requirements.iter().map(|requirement| requirement.demand.variables()).collect();
        let mut known: BTreeSet<usize> = purpose.map(support).unwrap_or_default();
        known.extend(own.iter().flat_map(|own| &variables[own.0]));
        let mut order: Vec<RequirementNumber> = own.to_vec();
        loop {
            let near: Vec<RequirementNumber> = self
                .numbers()
                .filter(|at| !order.contains(at) && !variables[at.0].is_disjoint(&known))
                .collect();
            if near.is_empty() {
                return order;
            }
            for at in near {
                known.extend(&variables[at.0]);
                order.push(at);
            }
        }
    }
}

/// Solves a goal on the product of these requirements, which come first among its components, and of the purpose, which
/// comes next. The one place where requirements become places.
fn solve_goal(
    product: &Arc<Product>,
    goal: &Goal,
    requirements: &[RequirementNumber],
) -> Result<Solved, OutOfNodes> {
    let place = |requirement| requirements.iter().position(|&known| known == requirement).map(Place);
    let is_in = |next: Next, place: Option<Place>, wanted: &dyn Fn(u32) -> bool| match (next, place) {
        (Next::To(at), Some(place)) => product.component_state(at, place).is_some_and(wanted),
        _ => false,
    };
    match goal {
        Goal::Purpose(purpose) => {
            let accepts = |state: u32| purpose.states[state as usize].marks != 0;
            solve(product.clone(), |next| is_in(next, Some(Place(requirements.len())), &accepts))
        }
        Goal::States(wanted) => {
            let wanted: Vec<_> =
                wanted.iter().map(|(requirement, states)| (place(*requirement), states)).collect();
            let is_there = |next, (place, states): &(Option<Place>, &Vec<u32>)| {
                is_in(next, *place, &|state| states.contains(&state))
            };
            solve(product.clone(), |next| wanted.iter().all(|wanted| is_there(next, wanted)))
        }
        Goal::Violation(requirement) => {
            let violation = place(*requirement).map(Next::Violates);
            let solved = solve(product.clone(), |next| Some(next) == violation)?;
            Ok(solved.towards_violating(*requirement))
        }
        // Only circuits without an automaton have such goals, and they are played symbolically.
        Goal::Holds(..) => solve(product.clone(), |_| false),
        // Not solved once and for all: the guide changes as elements are covered.
        Goal::Cover(..) => solve(product.clone(), |_| false),
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
