//! Guidance where requirements are too large to be written down state by state.

use std::sync::Arc;

use super::{Goal, Guidance, GuidanceError, Inside, Model, Objective, Requirement, Specification};
use crate::circuit::WRITTEN_STATES;
use crate::game::explicit::Role;
use crate::game::symbolic::{Aim, Body, Depth, Part, Symbolic, Wanted, Way};
use crate::game::{Game, Gate, Guide, Place, Unguided};
use crate::trace::RequirementNumber;

/// How many decision-diagram nodes a symbolic game may take: full, about 400 MB.
const NODES: usize = 1 << 24;

/// Which limit a game is beyond that is played symbolically.
#[derive(Clone, Copy)]
pub(super) enum Beyond {
    /// A circuit is too large to be written down.
    Circuit,
    /// The product has more states than this.
    States(usize),
}

impl std::fmt::Display for Beyond {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Beyond::Circuit => {
                write!(f, "a circuit has more than {WRITTEN_STATES} states, or too many edges")
            }
            Beyond::States(limit) => write!(f, "it has more than {limit} states"),
        }
    }
}

impl Specification {
    /// Whether a requirement or an assumption is a circuit that is too large to be written down.
    pub(super) fn is_large(&self, requirement: &Requirement) -> bool {
        matches!(&requirement.demand.model, Model::Circuit(circuit) if circuit.automaton.is_none())
    }

    /// Whether one of these requirements is, or an assumption.
    pub(super) fn any_large(&self, requirements: &[RequirementNumber]) -> bool {
        requirements.iter().any(|&at| self.is_large(self.requirement(at)))
            || self.assumptions.iter().any(|assumption| self.is_large(assumption))
    }

    /// Whether a requirement is a circuit.
    pub(super) fn has_circuits(&self) -> bool {
        self.requirements.iter().any(|requirement| matches!(requirement.demand.model, Model::Circuit(_)))
    }

    /// The symbolic game of these requirements, with the way to an objective as deep as there is room for.
    pub(super) fn symbolic(
        &self,
        requirements: Vec<RequirementNumber>,
        beyond: Beyond,
        objective: Option<&Objective>,
        goes_on: bool,
    ) -> Result<Guidance, GuidanceError> {
        let body = |requirement: &Requirement| match &requirement.demand.model {
            Model::Circuit(circuit) => Some(Body::Circuit(circuit.wired.clone())),
            Model::Automaton(automaton) => Some(Body::Automaton(automaton.clone())),
            Model::Program(_) => None,
        };
        let role = if goes_on { Role::Purpose } else { Role::Requirement };
        let mut parts: Vec<Part> = requirements
            .iter()
            .filter_map(|&at| Some(Part { body: body(self.requirement(at))?, role }))
            .collect();
        let purpose = parts.len();
        if let Some(Goal::Purpose(automaton)) = objective.map(|objective| &objective.goal) {
            parts.push(Part { body: Body::Automaton(automaton.clone()), role: Role::Purpose });
        }
        let assumption = |body| Part { body, role: Role::Assumption };
        parts.extend(self.assumptions.iter().filter_map(body).map(assumption));
        let demanded = self.restrictions()?.iter().map(|restriction| restriction.automaton.clone());
        parts.extend(demanded.map(Body::Automaton).map(assumption));
        let game = Arc::new(Symbolic::new(self.space.clone(), parts, NODES)?);
        let place = |at: &RequirementNumber| requirements.iter().position(|known| known == at).map(Place);
        let aim = objective.and_then(|objective| match &objective.goal {
            Goal::Purpose(automaton) => {
                let marked = automaton.states.iter().zip(0..).filter(|(state, _)| state.marks != 0);
                let states = Wanted::States(marked.map(|(_, at)| at).collect());
                Some(Aim::States(vec![(Place(purpose), states)]))
            }
            Goal::States(places) => {
                let wanted =
                    |(at, states): &(RequirementNumber, Vec<u32>)| self.wanted(place(at)?, *at, states);
                Some(Aim::States(places.iter().filter_map(wanted).collect()))
            }
            Goal::Holds(at, value) => Some(Aim::States(vec![(place(at)?, Wanted::Holds(*value))])),
            Goal::Violation(at) => Some(Aim::Violation(place(at)?)),
            Goal::Cover(..) => None,
        });
        let mut notes = vec![format!(
            "the product is not written down state by state ({beyond}): its {} state bits are played symbolically",
            game.state_bits()
        )];
        let apart: Vec<&str> = self
            .numbers()
            .filter(|at| objective.is_some() && !requirements.contains(at))
            .map(|at| self.requirement(at).id.as_str())
            .collect();
        if !apart.is_empty() {
            notes.push(format!(
                "left out of the game, outside the objective's cone of influence: {}",
                apart.join(", ")
            ));
        }
        let guide: Arc<dyn Guide> = match (aim, objective.map(|objective| &objective.goal)) {
            (Some(aim), Some(goal)) => {
                let way = Way::new(game.clone(), aim);
                notes.extend(said_of(way.depth()));
                match goal {
                    Goal::Violation(requirement) => Arc::new(way.towards_violating(*requirement)),
                    _ => Arc::new(way),
                }
            }
            _ => Arc::new(Unguided(game.clone())),
        };
        // Where there was no room for diagrams, assumptions that are automata still say what may be sent.
        let gate = if game.is_encoded() { Gate::default() } else { self.gate()? };
        if !game.is_encoded() {
            notes.push("what answers requirements leave needs too much memory to know".to_owned());
        }
        let inside = Inside::Symbolic(game.clone());
        Ok(Guidance { game, guide, coverage: None, inside, gate, requirements, left_out: Vec::new(), notes })
    }

    /// Whether the tester can force a violation of all requirements played together; none where that is too much to know.
    pub(super) fn can_force_symbolically(&self) -> Result<Option<bool>, GuidanceError> {
        let guidance = self.symbolic(self.numbers().collect(), Beyond::Circuit, None, false)?;
        let Inside::Symbolic(game) = guidance.inside else { return Ok(None) };
        // Towards nothing at all: what has rank 0 then is what forces a violation.
        let start = game.initial();
        let way = Way::new(game, Aim::States(vec![(Place(0), Wanted::States(Vec::new()))]));
        Ok((way.depth() == Depth::Full).then(|| way.rank(start) == Some(0)))
    }

    /// The states of a requirement as a symbolic game knows them.
    fn wanted(&self, place: Place, at: RequirementNumber, states: &[u32]) -> Option<(Place, Wanted)> {
        match &self.requirement(at).demand.model {
            Model::Circuit(circuit) => circuit.value_of(states).map(|value| (place, Wanted::Holds(value))),
            _ => Some((place, Wanted::States(states.to_vec()))),
        }
    }
}

fn said_of(depth: Depth) -> Option<String> {
    match depth {
        Depth::Full => None,
        Depth::Distances => {
            Some("what can be forced needs too much memory to know; distances guide alone".to_owned())
        }
        Depth::Abstraction { dropped } => Some(format!(
            "distances need too much memory to know; those in a game that forgets {dropped} state bits guide"
        )),
        Depth::Nothing => {
            Some("the game needs too much memory; inputs are chosen without guidance".to_owned())
        }
    }
}
