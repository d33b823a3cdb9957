//! A machine that keeps a specification, or why there is none.

use std::time::{Duration, Instant};

use super::relations::smallest;
use super::{Demand, Model, Specification};
use crate::automaton::TranslationError;
use crate::ltl::until;
use crate::machine::Machine;
use crate::monitor::Keepable;
use crate::trace::RequirementNumber;
use crate::verify::Outcome;
use crate::verify::synthesis::{Answer, Bounds, Problem, Promise, Property, Spoiler, synthesise};

/// What came of synthesis.
#[non_exhaustive]
pub enum Synthesis {
    /// A machine that was found to keep every requirement under the assumptions.
    Machine {
        /// The machine, as small as can be.
        machine: Box<Machine>,
        /// The bound it was found with.
        bound: u8,
    },
    /// No machine keeps the requirements.
    Unrealisable {
        /// A smallest set of requirements that clash.
        core: Vec<RequirementNumber>,
        /// How the environment wins against these; its promises are places in `core`.
        spoiler: Option<Box<Spoiler>>,
        /// The largest bound that was tried.
        bound: u8,
    },
    /// It was not found out.
    Unknown {
        /// How the environment keeps every machine from keeping within the bound, where that is known; its promises are
        /// numbers of requirements.
        spoiler: Option<Box<Spoiler>>,
        /// The largest bound within which no machine keeps the requirements.
        bound: u8,
    },
}

/// Why nothing was synthesised.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SynthesisError {
    /// A requirement is a model program.
    #[error("requirement {0} is a model program, of which no machine is synthesised")]
    Program(String),
    /// A requirement is a circuit that is too large to be written down.
    #[error(
        "requirement {0} is a circuit that is too large to be written down, of which no machine is synthesised"
    )]
    Circuit(String),
    /// A signal is neither true nor false.
    #[error(
        "signal `{0}` is not Boolean, and machines are synthesised over Boolean signals and labels alone"
    )]
    Typed(String),
    /// Automata are too large.
    #[error(transparent)]
    Translation(#[from] TranslationError),
    /// The machine that was found does not keep the requirements: a fault of ours.
    #[error("the machine that was found does not keep {0}: please report this")]
    Wrong(String),
}

/// How long it may take to find out whether some of the requirements clash already.
const CORE: Duration = Duration::from_secs(5);

/// The largest bound with which one requirement is looked at alone.
const ALONE: u8 = 4;

/// The most positions of its game. Nothing hangs on time here: what is certain must not depend on the machine it is found on.
const ALONE_POSITIONS: usize = 25_600;

impl Specification {
    /// A machine that keeps all requirements under the assumptions, or why there is none. Whatever machine is given was
    /// model checked.
    pub fn synthesise(&self, bounds: Bounds) -> Result<Synthesis, SynthesisError> {
        let sides = [&self.interface().inputs, &self.interface().outputs];
        if let Some(field) = sides.iter().flat_map(|side| side.fields()).find(|field| !field.is_boolean()) {
            return Err(SynthesisError::Typed(field.name().to_owned()));
        }
        let all: Vec<RequirementNumber> = self.numbers().collect();
        match synthesise(&self.problem(&all)?, bounds)? {
            Answer::Machine(machine, bound) => {
                let late = || bounds.deadline.is_some_and(|deadline| Instant::now() > deadline);
                match until(bounds.deadline, || self.verified(machine, bound)) {
                    Err(SynthesisError::Translation(TranslationError::TooLarge)) if late() => {
                        Ok(Synthesis::Unknown { spoiler: None, bound })
                    }
                    found => found,
                }
            }
            Answer::Unrealisable(spoiler, bound) => self.unrealisable(spoiler, bound, bounds),
            Answer::Unknown(spoiler, bound) => Ok(Synthesis::Unknown { spoiler, bound }),
        }
    }

    /// Whether some machine keeps a requirement under the assumptions: one that was found and model checked, or none because
    /// the environment wins.
    pub(super) fn kept_by_some_machine(&self, number: RequirementNumber) -> Keepable {
        let bounds = Bounds { bound: ALONE, positions: ALONE_POSITIONS, deadline: None };
        let answer = self.problem(&[number]).and_then(|problem| Ok(synthesise(&problem, bounds)?));
        let holds = |machine: &Machine| {
            let found = self.verify(&self.reactions(machine).ok()?).ok()?;
            Some(matches!(found.outcomes.get(number.0)?, Outcome::Holds))
        };
        match answer {
            Ok(Answer::Machine(machine, _)) if holds(&machine) == Some(true) => Keepable::Yes,
            Ok(Answer::Unrealisable(..)) => Keepable::No,
            _ => Keepable::Unknown,
        }
    }

    fn verified(&self, machine: Box<Machine>, bound: u8) -> Result<Synthesis, SynthesisError> {
        let wrong = |what: String| SynthesisError::Wrong(what);
        let reactions = self.reactions(&machine).map_err(|error| wrong(error.to_string()))?;
        let found = self.verify(&reactions)?;
        match found.holds() {
            Some(true) => Ok(Synthesis::Machine { machine, bound }),
            Some(false) => {
                let broken = found.outcomes.iter().zip(&self.requirements);
                let broken = broken.filter(|(outcome, _)| matches!(outcome, Outcome::Violated(_)));
                Err(wrong(
                    broken.map(|(_, requirement)| requirement.id.clone()).collect::<Vec<_>>().join(", "),
                ))
            }
            // What cannot be checked is not given away.
            None => Ok(Synthesis::Unknown { spoiler: None, bound }),
        }
    }

    fn unrealisable(
        &self,
        spoiler: Option<Box<Spoiler>>,
        bound: u8,
        bounds: Bounds,
    ) -> Result<Synthesis, SynthesisError> {
        let mut failed = None;
        let core = smallest(self.numbers().collect(), |subset| {
            let soon = Instant::now() + CORE;
            let deadline = bounds.deadline.map_or(soon, |deadline| deadline.min(soon));
            let asked = self
                .problem(subset)
                .and_then(|problem| Ok(synthesise(&problem, Bounds { deadline: Some(deadline), ..bounds })?));
            match asked {
                Ok(Answer::Unrealisable(..)) => true,
                Ok(_) => false,
                Err(error) => {
                    failed.get_or_insert(error);
                    false
                }
            }
        });
        // How the environment wins against the core alone tells more than how it wins against everything.
        let soon = Instant::now() + CORE;
        let deadline = bounds.deadline.map_or(soon, |deadline| deadline.min(soon));
        let again = Bounds { deadline: Some(deadline), ..bounds };
        let alone = self.problem(&core).and_then(|problem| Ok(synthesise(&problem, again)?));
        let (spoiler, core) = match alone {
            Ok(Answer::Unrealisable(Some(spoiler), _)) => (Some(spoiler), core),
            _ if core.len() == self.requirements.len() => (spoiler, core),
            _ => (None, core),
        };
        Ok(Synthesis::Unrealisable { core, spoiler, bound })
    }

    /// What a machine must keep in order to keep these requirements.
    fn problem(&self, requirements: &[RequirementNumber]) -> Result<Problem, SynthesisError> {
        let property = |id: &str, demand: &Demand| match (&demand.model, &demand.formula, &demand.omega) {
            (Model::Program(_), ..) => Err(SynthesisError::Program(id.to_owned())),
            (_, Some(formula), _) => Ok(Property::Formula(formula.clone())),
            (_, None, Some(omega)) => Ok(Property::Omega(omega.clone())),
            (Model::Automaton(automaton), None, None) => Ok(Property::Safety(automaton.clone())),
            (Model::Circuit(circuit), None, None) => match &circuit.automaton {
                Some(automaton) => Ok(Property::Safety(automaton.clone())),
                None => Err(SynthesisError::Circuit(id.to_owned())),
            },
        };
        let assumptions = self.assumptions.iter().map(|one| property(&one.id, &one.demand));
        let assumptions = assumptions.collect::<Result<_, _>>()?;
        let chosen = self.claims().into_iter().zip(self.numbers());
        let chosen = chosen.filter(|(_, number)| requirements.contains(number));
        let promises = chosen.map(|(claim, _)| {
            let conclusion = match claim.instead {
                Some(formula) => Property::Formula(formula),
                None => property(&claim.requirement.id, &claim.requirement.demand)?,
            };
            Ok(Promise { premises: claim.premises, conclusion })
        });
        let promises = promises.collect::<Result<_, SynthesisError>>()?;
        Ok(Problem { space: self.space.clone(), assumptions, promises })
    }
}
