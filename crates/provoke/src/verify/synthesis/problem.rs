//! What is to be synthesised, and the automata of what must not happen.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::join::joined;
use super::universal::{Forbidden, Kind};
use crate::automaton::{Automaton, Omega, TranslationError, buchi, safety_automaton};
use crate::bdd::Space;
use crate::ltl::{Formula, Op};

/// What must hold of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Property {
    /// A formula.
    Formula(Formula),
    /// A deterministic automaton; an exchange without an edge breaks it.
    Safety(Arc<Automaton>),
    /// An automaton that may be broken in the long run.
    Omega(Arc<Omega>),
}

/// Something that a machine must keep on every run that keeps some assumptions.
#[derive(Clone, Debug)]
pub struct Promise {
    /// The places of the assumptions.
    pub premises: Vec<usize>,
    /// What must hold then.
    pub conclusion: Property,
}

/// What a machine must keep.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The variables of the letters.
    pub space: Arc<Space>,
    /// What may be taken for granted of the environment.
    pub assumptions: Vec<Property>,
    /// What the machine must keep.
    pub promises: Vec<Promise>,
}

/// The most states that a conjunction of automata may have.
const STATES: usize = 20_000;

impl Property {
    fn safety(&self, space: &Arc<Space>) -> Result<Automaton, TranslationError> {
        match self {
            Property::Formula(formula) => safety_automaton(formula, space),
            Property::Safety(automaton) => Ok((**automaton).clone()),
            Property::Omega(omega) => Ok(omega.safety.clone()),
        }
    }

    pub(super) fn is_safety(&self) -> bool {
        match self {
            Property::Formula(formula) => formula.is_safety(),
            Property::Safety(_) => true,
            Property::Omega(_) => false,
        }
    }

    /// The variables it speaks of.
    pub(super) fn variables(&self, space: &Space) -> BTreeSet<usize> {
        let of = |automaton: &Automaton| -> BTreeSet<usize> {
            let edges = automaton.states.iter().flat_map(|state| &state.edges);
            edges.flat_map(|edge| edge.guard.support()).collect()
        };
        match self {
            Property::Formula(formula) => {
                let names = formula.propositions();
                names
                    .iter()
                    .filter_map(|name| space.proposition(name))
                    .flat_map(|set| set.support())
                    .collect()
            }
            Property::Safety(automaton) => of(automaton),
            Property::Omega(omega) => of(&omega.accepts),
        }
    }

    /// The same as several that hold together, each with an automaton of its own.
    fn parts(&self) -> Vec<Property> {
        match self {
            Property::Formula(formula) => conjuncts(formula).into_iter().map(Property::Formula).collect(),
            other => vec![other.clone()],
        }
    }
}

/// Formulas that together say the same.
fn conjuncts(formula: &Formula) -> Vec<Formula> {
    match (formula.op(), formula.args()) {
        (Op::And, args) => args.iter().flat_map(conjuncts).collect(),
        (Op::Globally, [inside]) => conjuncts(inside).into_iter().map(Formula::globally).collect(),
        (Op::Implies, [premise, conclusion]) => {
            conjuncts(conclusion).into_iter().map(|part| premise.clone().implies(part)).collect()
        }
        (Op::Iff, [left, right]) if !is_boolean(left) || !is_boolean(right) => {
            let both = [(left, right), (right, left)];
            both.into_iter().flat_map(|(one, other)| conjuncts(&one.clone().implies(other.clone()))).collect()
        }
        _ => vec![formula.clone()],
    }
}

fn is_boolean(formula: &Formula) -> bool {
    formula.fold(|part, sides: &[bool]| {
        let plain = matches!(
            part.op(),
            Op::True
                | Op::False
                | Op::Proposition(_)
                | Op::Not
                | Op::And
                | Op::Or
                | Op::Implies
                | Op::Iff
                | Op::Xor
        );
        plain && sides.iter().all(|&side| side)
    })
}

/// One part of a promise.
pub(super) struct Part {
    pub(super) promise: usize,
    pub(super) premises: Vec<usize>,
    pub(super) conclusion: Property,
    /// The outputs' variables that it speaks of.
    pub(super) outputs: BTreeSet<usize>,
}

/// What the system must avoid, and what frees it.
pub(super) struct Avoided {
    pub(super) forbidden: Vec<Forbidden>,
    /// Once one of these has no edge, an assumption is broken and nothing is asked any more.
    pub(super) monitors: Vec<Automaton>,
    /// Whether losing means that no machine keeps the promises; otherwise it may be that one does.
    pub(super) exact: bool,
}

impl Problem {
    /// The parts of all promises.
    pub(super) fn parts(&self) -> Vec<Part> {
        let inputs = self.space.input_bits();
        let promises = self.promises.iter().enumerate();
        promises
            .flat_map(|(promise, made)| {
                made.conclusion.parts().into_iter().map(move |conclusion| {
                    let outputs =
                        conclusion.variables(&self.space).into_iter().filter(|&at| at >= inputs).collect();
                    Part { promise, premises: made.premises.clone(), conclusion, outputs }
                })
            })
            .collect()
    }

    /// Whether the environment alone decides whether it keeps the assumptions.
    pub(super) fn environment_decides(&self) -> bool {
        let inputs = self.space.input_bits();
        self.assumptions.iter().all(|one| one.variables(&self.space).iter().all(|&at| at < inputs))
    }

    /// The assumptions that every promise may count on.
    fn common(&self) -> Vec<usize> {
        let everywhere = |at: &usize| self.promises.iter().all(|promise| promise.premises.contains(at));
        (0..self.assumptions.len()).filter(everywhere).collect()
    }

    /// What a system must avoid in order to keep some parts.
    ///
    /// Where the environment alone decides whether it keeps the assumptions, they are watched as the game goes on: a
    /// safety promise that is broken while they can all still be kept is broken for good. Otherwise each promise has
    /// one automaton of the runs that keep the assumptions and break it.
    pub(super) fn avoided(&self, parts: &[&Part]) -> Result<Avoided, TranslationError> {
        let watched = if self.environment_decides() { self.common() } else { Vec::new() };
        let (monitors, mut exact) = self.monitors(&watched)?;
        let mut forbidden = Vec::new();
        for part in parts {
            let others: Vec<usize> =
                part.premises.iter().copied().filter(|at| !watched.contains(at)).collect();
            let kind = if part.conclusion.is_safety() && others.is_empty() {
                Kind::Safety(Rc::new(part.conclusion.safety(&self.space)?))
            } else {
                let live = watched.iter().copied().filter(|&at| !self.assumptions[at].is_safety());
                let premises: Vec<usize> = others.into_iter().chain(live).collect();
                match self.breaking(&premises, &part.conclusion) {
                    Ok(automaton) => Kind::Runs(automaton),
                    // Counting on nothing asks for more than was asked.
                    Err(TranslationError::TooLarge) if !premises.is_empty() => {
                        exact = false;
                        Kind::Runs(self.breaking(&[], &part.conclusion)?)
                    }
                    Err(error) => return Err(error),
                }
            };
            forbidden.push(Forbidden { promise: part.promise, kind });
        }
        Ok(Avoided { forbidden, monitors, exact })
    }

    /// Automata that have no edge once some assumptions cannot all be kept, and whether that is all they do.
    fn monitors(&self, watched: &[usize]) -> Result<(Vec<Automaton>, bool), TranslationError> {
        let formula = |&at: &usize| match &self.assumptions[at] {
            Property::Formula(formula) => Some(formula.clone()),
            _ => None,
        };
        let formulas: Option<Vec<Formula>> = watched.iter().map(formula).collect();
        let together =
            formulas.map(Formula::all_of).filter(|all| watched.len() > 1 && all.size() <= TOGETHER);
        if let Some(Ok(monitor)) = together.map(|all| safety_automaton(&all, &self.space)) {
            return Ok((vec![monitor], true));
        }
        let each = watched.iter().map(|&at| self.assumptions[at].safety(&self.space));
        Ok((each.collect::<Result<_, _>>()?, watched.len() <= 1))
    }

    /// The runs on which some assumptions hold and a conclusion does not.
    fn breaking(&self, premises: &[usize], conclusion: &Property) -> Result<Automaton, TranslationError> {
        let formula = |property: &Property| match property {
            Property::Formula(formula) => Some(formula.clone()),
            _ => None,
        };
        let assumed = premises.iter().map(|&at| formula(&self.assumptions[at]));
        let all: Option<Vec<Formula>> = assumed.chain([formula(conclusion).map(Formula::not)]).collect();
        if let Some(all) = all {
            return buchi(&Formula::all_of(all), &self.space);
        }
        let keeps = |&at: &usize| match &self.assumptions[at] {
            Property::Formula(formula) => buchi(formula, &self.space),
            Property::Safety(automaton) => Ok((**automaton).clone()),
            Property::Omega(omega) => Ok(omega.accepts.clone()),
        };
        let breaks = match conclusion {
            Property::Formula(formula) => buchi(&formula.clone().not(), &self.space)?,
            Property::Safety(automaton) => automaton.breaking(),
            Property::Omega(omega) => omega.rejects.clone().ok_or(TranslationError::TooLarge)?,
        };
        let mut automata = premises.iter().map(keeps).collect::<Result<Vec<Automaton>, _>>()?;
        automata.push(breaks);
        let automata: Vec<&Automaton> = automata.iter().collect();
        joined(&automata, STATES).ok_or(TranslationError::TooLarge)
    }

    /// What the environment must avoid in order to keep the assumptions and break some promise; none where that cannot be
    /// told.
    pub(super) fn avoided_by_environment(&self) -> Option<Vec<Forbidden>> {
        let formula = |property: &Property| match property {
            Property::Formula(formula) => Some(formula.clone()),
            _ => None,
        };
        let conclusions: Option<Vec<Formula>> =
            self.promises.iter().map(|promise| formula(&promise.conclusion)).collect();
        let assumptions: Option<Vec<Formula>> = self.assumptions.iter().map(formula).collect();
        let (conclusions, assumptions) = (conclusions?, assumptions?);
        let alike = self.common().len() == self.assumptions.len();
        let mut forbidden = Vec::new();
        let runs = |formula: &Formula| buchi(formula, &self.space).ok().map(Kind::Runs);
        if alike {
            for assumption in assumptions.iter().flat_map(conjuncts) {
                let kind = match assumption.is_safety() {
                    true => Kind::Safety(Rc::new(safety_automaton(&assumption, &self.space).ok()?)),
                    false => runs(&assumption.not())?,
                };
                forbidden.push(Forbidden { promise: 0, kind });
            }
            forbidden.push(Forbidden { promise: 0, kind: runs(&Formula::all_of(conclusions))? });
        } else {
            let made = self.promises.iter().zip(conclusions).map(|(promise, conclusion)| {
                let premises = promise.premises.iter().map(|&at| assumptions[at].clone());
                Formula::all_of(premises).implies(conclusion)
            });
            forbidden.push(Forbidden { promise: 0, kind: runs(&Formula::all_of(made))? });
        }
        Some(forbidden)
    }
}

/// Assumptions of up to this size are watched together.
const TOGETHER: usize = 150;
