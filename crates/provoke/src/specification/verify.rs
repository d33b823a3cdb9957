//! Whether a machine keeps a specification's requirements under its assumptions.

use std::path::Path;
use std::sync::Arc;

use super::{Demand, Model, Specification};
use crate::automaton::{Automaton, TranslationError, buchi, safety_automaton};
use crate::bdd::OutOfNodes;
use crate::diagnostic::{Source, SpecError};
use crate::format::machine;
use crate::ltl::Formula;
use crate::machine::{Machine, ModelError, Reactions, located};
use crate::trace::RequirementNumber;
use crate::verify::{Checker, Outcome, Unknown};

/// What a specification asks, translated once for any number of machines.
pub struct Verifier {
    /// None for one that is too large to be written down.
    assumptions: Vec<Option<Arc<Automaton>>>,
    claims: Vec<Translated>,
}

struct Translated {
    premises: Vec<usize>,
    /// Violated where an exchange has no edge; none for a model program.
    safety: Option<Arc<Automaton>>,
    breaks: Breaks,
}

/// The runs that break a requirement without breaking it after any number of steps.
enum Breaks {
    /// There are none.
    None,
    Automaton(Automaton),
    Unknown(Unknown),
}

/// What was found out about a machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verification {
    /// One outcome for each requirement.
    pub outcomes: Vec<Outcome>,
    /// How many states the machine has together with all assumptions; none where they were too many.
    pub states: Option<usize>,
    /// No run of the machine keeps the assumptions.
    pub vacuous: bool,
}

impl Verification {
    /// Whether every requirement holds: no, yes, or not known.
    pub fn holds(&self) -> Option<bool> {
        if self.outcomes.iter().any(|outcome| matches!(outcome, Outcome::Violated(_))) {
            return Some(false);
        }
        self.outcomes.iter().all(|outcome| *outcome == Outcome::Holds).then_some(true)
    }
}

impl Specification {
    /// Reads a machine over the specification's interface; it may be partial. Errors show the transition they are
    /// about.
    pub fn machine(&self, path: &Path) -> Result<Reactions, SpecError> {
        if let Some(hidden) = self.interface().outputs.hidden().first() {
            let source = Source::new(path.display().to_string(), "");
            let message =
                format!("machines are not held against {hidden}, which compares signals of very many values");
            return Err(
                SpecError::whole(&source, message).help("test the machine instead: `[system] model = ...`")
            );
        }
        let machine = machine::read(path)?;
        self.reactions(&machine).map_err(|error| match Source::read(path) {
            Ok(source) => located(&source, &error),
            // A table in binary has no place to show.
            Err(_) => SpecError::whole(&Source::new(path.display().to_string(), ""), error.message),
        })
    }

    /// What a machine does, in letters of the specification's interface.
    pub fn reactions(&self, machine: &Machine) -> Result<Reactions, ModelError> {
        Reactions::new(machine, &self.space)
    }

    /// Translates what the specification asks of a machine.
    pub fn verifier(&self) -> Result<Verifier, TranslationError> {
        let assumptions = self.assumptions.iter().map(|one| holding(&one.demand));
        let assumptions = assumptions.collect::<Result<_, _>>()?;
        let claim = |claim: super::claim::Claim<'_>| {
            let demand = &claim.requirement.demand;
            let (safety, breaks) = match &claim.instead {
                Some(formula) => {
                    let safety = Arc::new(safety_automaton(formula, &self.space)?);
                    (Some(safety), breaking(formula, self)?)
                }
                None => (demand.automaton().cloned(), breaks(demand, self)?),
            };
            Ok(Translated { premises: claim.premises, safety, breaks })
        };
        let claims = self.claims().into_iter().map(claim).collect::<Result<_, TranslationError>>()?;
        Ok(Verifier { assumptions, claims })
    }

    /// A machine under all assumptions, ready to be asked for runs.
    pub fn checker(&self, machine: &Reactions) -> Result<Checker, TranslationError> {
        let assumptions = self.assumptions.iter().filter_map(|one| holding(&one.demand).transpose());
        let assumptions = assumptions.collect::<Result<Vec<_>, _>>()?;
        let assumptions: Vec<&Automaton> = assumptions.iter().map(|automaton| &**automaton).collect();
        Ok(Checker::new(machine, &assumptions)?)
    }

    /// The runs that keep a requirement, as an automaton; none for a model program or a large circuit.
    pub fn keeping(&self, number: RequirementNumber) -> Result<Option<Arc<Automaton>>, TranslationError> {
        holding(&self.requirement(number).demand)
    }

    /// Whether a machine keeps the requirements under the assumptions.
    pub fn verify(&self, machine: &Reactions) -> Result<Verification, TranslationError> {
        Ok(self.verifier()?.verify(machine)?)
    }
}

/// The runs on which an assumption holds; none for a large circuit, and for a model program, which no assumption is.
fn holding(demand: &Demand) -> Result<Option<Arc<Automaton>>, TranslationError> {
    let Some(safety) = demand.automaton() else { return Ok(None) };
    Ok(Some(match (&demand.formula, &demand.omega) {
        (Some(formula), _) if !formula.is_safety() => Arc::new(buchi(formula, &safety.space)?),
        (None, Some(omega)) => Arc::new(omega.accepts.clone()),
        _ => safety.clone(),
    }))
}

fn breaks(demand: &Demand, specification: &Specification) -> Result<Breaks, TranslationError> {
    Ok(match (&demand.model, &demand.formula, &demand.omega) {
        (Model::Program(_), ..) => Breaks::Unknown(Unknown::Program),
        (Model::Circuit(circuit), ..) if circuit.automaton.is_none() => Breaks::Unknown(Unknown::TooLarge),
        (_, Some(formula), _) => breaking(formula, specification)?,
        (_, None, Some(omega)) => match &omega.rejects {
            Some(rejects) => Breaks::Automaton(rejects.clone()),
            None => Breaks::Unknown(Unknown::Guesses),
        },
        (_, None, None) => Breaks::None,
    })
}

fn breaking(formula: &Formula, specification: &Specification) -> Result<Breaks, TranslationError> {
    if formula.is_safety() {
        return Ok(Breaks::None);
    }
    match buchi(&formula.clone().not(), &specification.space) {
        Ok(automaton) => Ok(Breaks::Automaton(automaton)),
        Err(TranslationError::TooLarge) => Ok(Breaks::Unknown(Unknown::TooLarge)),
        Err(error) => Err(error),
    }
}

impl Verifier {
    /// Whether a machine keeps the requirements under the assumptions.
    pub fn verify(&self, machine: &Reactions) -> Result<Verification, OutOfNodes> {
        let all: Vec<usize> = (0..self.assumptions.len()).collect();
        // Nearly always all requirements have the same premises.
        let mut checkers: Vec<(Vec<usize>, Checker)> = vec![(all.clone(), self.checker(&all, machine)?)];
        let mut outcomes = Vec::with_capacity(self.claims.len());
        for claim in &self.claims {
            let place = match checkers.iter().position(|(premises, _)| *premises == claim.premises) {
                Some(place) => place,
                None => {
                    checkers.push((claim.premises.clone(), self.checker(&claim.premises, machine)?));
                    checkers.len() - 1
                }
            };
            let outcome = claim.outcome(&mut checkers[place].1)?;
            outcomes.push(match outcome {
                // The run may break an assumption that was not looked at.
                Outcome::Violated(_) if !self.are_known(&claim.premises) => {
                    Outcome::Unknown(Unknown::TooLarge)
                }
                outcome => outcome,
            });
        }
        let (states, vacuous) = (checkers[0].1.states(), checkers[0].1.is_vacuous());
        Ok(Verification { outcomes, states, vacuous })
    }

    fn checker(&self, premises: &[usize], machine: &Reactions) -> Result<Checker, OutOfNodes> {
        let known = premises.iter().filter_map(|&at| self.assumptions.get(at)?.as_deref());
        Checker::new(machine, &known.collect::<Vec<_>>())
    }

    /// Whether all of these assumptions are looked at.
    fn are_known(&self, premises: &[usize]) -> bool {
        premises.iter().all(|&at| self.assumptions.get(at).is_some_and(Option::is_some))
    }
}

impl Translated {
    fn outcome(&self, checker: &mut Checker) -> Result<Outcome, OutOfNodes> {
        let kept = match &self.safety {
            Some(safety) => checker.safety(safety)?,
            None => Outcome::Holds,
        };
        if matches!(kept, Outcome::Violated(_)) {
            return Ok(kept);
        }
        match &self.breaks {
            Breaks::None => Ok(kept),
            Breaks::Automaton(automaton) => checker.avoids(automaton),
            Breaks::Unknown(why) => Ok(Outcome::Unknown(why.clone())),
        }
    }
}
