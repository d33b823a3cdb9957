//! What can be said of a specification without running anything.

use super::{GuidanceError, Inside, Model, Realisability, Relations, Requirement, Specification};
use crate::action::{Anomaly, Survey, Suspension};
use crate::bdd::OutOfNodes;
use crate::diagnostic::SpecError;
use crate::monitor::never_violated;

/// How many states the safety game of all requirements may have.
const GAME_STATES: usize = 50_000;

/// How many actions of a model program are tried.
const SURVEYED: usize = 100_000;

/// What [`Specification::check`] found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Check {
    /// How the requirements relate to each other.
    pub relations: Relations,
    /// One entry for each requirement.
    pub requirements: Vec<RequirementCheck>,
    /// One entry for each objective.
    pub objectives: Vec<ObjectiveCheck>,
    /// Whether the requirements can be realised, and where they clash.
    pub realisability: Realisability,
    /// Assumptions about what happens some day that are too large to be kept by the tester, by id.
    pub unkept: Vec<String>,
}

/// What can be said of one requirement.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RequirementCheck {
    /// Its id.
    pub id: String,
    /// States of its automaton, and how many of them can be reached.
    pub states: usize,
    /// Reachable states.
    pub reachable: usize,
    /// Edges of its automaton.
    pub edges: usize,
    /// No system whatever can violate it.
    pub never_violated: bool,
    /// Inputs that are never sent because of it, and when: it restricts the environment.
    pub withholds: Vec<String>,
    /// What its first states look like, where it is a model program.
    pub survey: Option<Survey>,
    /// What is wrong with it, where it is a model program and that was found by looking at its states.
    pub error: Option<SpecError>,
    /// What there is to say of the suspension automaton, where it is a labelled transition system.
    pub suspension: Option<SuspensionCheck>,
}

/// What can be said of a suspension automaton.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SuspensionCheck {
    /// Its states.
    pub states: usize,
    /// Its transitions, those of silence included.
    pub transitions: usize,
    /// A state and an input that it does not take; none where it takes every input everywhere.
    pub missing: Option<(String, String)>,
    /// A state of the transition system on a cycle of internal steps.
    pub divergence: Option<String>,
    /// What no transition system would do.
    pub anomalies: Vec<Anomaly>,
}

impl SuspensionCheck {
    fn of(automaton: &Suspension) -> SuspensionCheck {
        let missing = |state: u32| {
            let input = automaton.missing_input(state)?;
            Some((automaton.state_name(state).to_owned(), input.to_owned()))
        };
        SuspensionCheck {
            states: automaton.states(),
            transitions: automaton.transitions(),
            missing: (0..automaton.states() as u32).find_map(missing),
            divergence: automaton.divergence().map(str::to_owned),
            anomalies: automaton.validity().anomalies,
        }
    }
}

/// What can be said of one objective.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ObjectiveCheck {
    /// Its id.
    pub id: String,
    /// Requirements that guide towards it, by id.
    pub guiding: Vec<String>,
    /// Requirements that share signals with it but are too large to guide, by id.
    pub left_out: Vec<String>,
    /// States of the product.
    pub states: usize,
    /// Edges of the product.
    pub edges: usize,
    /// Steps to it with a system that helps all the way; none: no system can reach it.
    pub distance: Option<u32>,
    /// How many times the system must help; 0: the tester can force it, or a violation.
    pub rank: Option<u32>,
}

/// A circuit that is too large to be written down is known by its gates alone.
fn circuit_check(requirement: &Requirement) -> RequirementCheck {
    RequirementCheck {
        id: requirement.id.clone(),
        states: 0,
        reachable: 0,
        edges: 0,
        never_violated: false,
        withholds: Vec::new(),
        survey: None,
        suspension: None,
        error: None,
    }
}

impl Specification {
    /// Looks at every requirement and solves every objective.
    pub fn check(&self, state_limit: usize) -> Result<Check, GuidanceError> {
        let requirements = self
            .numbers()
            .map(|number| {
                let requirement = self.requirement(number);
                let program = requirement.demand.program.as_ref();
                let suspension = program.and_then(|model| model.suspension()).map(SuspensionCheck::of);
                let automaton = match &requirement.demand.model {
                    Model::Automaton(automaton) => automaton,
                    Model::Circuit(circuit) => match &circuit.automaton {
                        Some(automaton) => automaton,
                        None => return Ok(circuit_check(requirement)),
                    },
                    Model::Program(model) => {
                        let (survey, error) = model.survey(SURVEYED);
                        return Ok(RequirementCheck {
                            id: requirement.id.clone(),
                            states: survey.states,
                            reachable: survey.states,
                            edges: survey.actions,
                            never_violated: false,
                            withholds: Vec::new(),
                            survey: Some(survey),
                            suspension,
                            error,
                        });
                    }
                };
                Ok(RequirementCheck {
                    id: requirement.id.clone(),
                    states: automaton.states.len(),
                    reachable: automaton.reachable().iter().filter(|&&reached| reached).count(),
                    edges: automaton.edge_count(),
                    never_violated: never_violated(automaton)?
                        .get(automaton.initial as usize)
                        .copied()
                        .unwrap_or(false),
                    withholds: self.withheld_by(number)?,
                    survey: None,
                    suspension,
                    error: None,
                })
            })
            .collect::<Result<_, OutOfNodes>>()?;
        let mut objectives = Vec::new();
        for objective in &self.objectives {
            let guidance = self.guidance(Some(objective), state_limit)?;
            let start = guidance.game.initial();
            let (states, edges) = match &guidance.inside {
                Inside::Explicit { product, .. } => (product.states(), product.edge_count()),
                Inside::Unfolded(game) => (game.met(), 0),
                Inside::Symbolic(game) => (game.met(), 0),
            };
            objectives.push(ObjectiveCheck {
                id: objective.id.clone(),
                guiding: self.ids(&guidance.requirements),
                left_out: self.ids(&guidance.left_out),
                states,
                edges,
                distance: guidance.guide.distance(start),
                rank: guidance.guide.rank(start),
            });
        }
        let relations = self.relations()?;
        let contradictory = relations.conflict.is_some() || relations.assumptions_conflict;
        let all: Vec<_> = self.numbers().collect();
        let realisability = match contradictory {
            true => Realisability { tester_can_force_violation: Some(true), clash: None },
            false if self.any_large(&all) => {
                Realisability { tester_can_force_violation: self.can_force_symbolically()?, clash: None }
            }
            false => self.realisability(state_limit.min(GAME_STATES))?,
        };
        let (_, unkept) = self.promises(1)?;
        self.space.bdds().checked(Ok(Check { relations, requirements, objectives, realisability, unkept }))
    }
}
