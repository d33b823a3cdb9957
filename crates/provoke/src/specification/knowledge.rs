//! What strategies are told of the requirements: automata of all of them together.

use std::sync::Arc;

use super::{Demand, Requirement, Specification};
use crate::automaton::{
    Automaton, Classes, Cubes, Table, TranslationError, buchi, conjunction, safety_closure,
};
use crate::learn::{Claim, Claims, Rule};
use crate::ltl::Formula;
use crate::ltl::progress::Tidier;
use crate::strategy::{Knowledge, Needs, Options, StrategyEntry};

/// The most states of the automaton of all requirements together.
const STATES: usize = 50_000;

/// Formulas of no more operators than this are translated together, which gives the smaller automaton.
const TOGETHER: usize = 40;

/// More bits of input than this are too many to try every input.
const MANY: usize = 8;

/// More bits of signals than this are too many to begin with every input; labels are there because they are different.
const SEVERAL: usize = 4;

/// Automata of more states than this do not say which inputs to begin with.
const LARGE: usize = 256;

/// Why a strategy cannot be told what it must know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KnowledgeError {
    /// A model program has no automaton.
    #[error(
        "strategy `{strategy}` needs the automaton of all requirements, and `{requirement}` is a model program"
    )]
    Program {
        /// The strategy.
        strategy: String,
        /// The requirement.
        requirement: String,
    },
    /// There is no automaton.
    #[error(
        "failed to make the automaton of all requirements together, which strategy `{strategy}` needs: {error}"
    )]
    Translation {
        /// The strategy.
        strategy: String,
        /// Why.
        error: TranslationError,
    },
}

impl Specification {
    /// The options of a strategy together with what it must know of this specification.
    pub fn inform(&self, entry: &StrategyEntry, options: &Options) -> Result<Options, KnowledgeError> {
        let mut informed = Options { idle: options.idle.or(self.idle), ..options.clone() };
        for entry in [Some(entry), options.roll_out].into_iter().flatten() {
            let failed = |error| KnowledgeError::Translation { strategy: entry.name.to_owned(), error };
            if matches!(entry.needs, Needs::Conjunction | Needs::Monitor)
                && let Some(program) =
                    self.requirements.iter().find(|known| known.demand.automaton().is_none())
            {
                return Err(KnowledgeError::Program {
                    strategy: entry.name.to_owned(),
                    requirement: program.id.clone(),
                });
            }
            let Knowledge { conjunction, monitor, classes, claims, .. } = &mut informed.knowledge;
            match entry.needs {
                Needs::Nothing | Needs::Suite => {}
                Needs::Conjunction if conjunction.is_some() => {}
                Needs::Conjunction => {
                    let cubes = self.conjunction().and_then(|automaton| Cubes::new(&automaton));
                    *conjunction = Some(Arc::new(cubes.map_err(failed)?));
                }
                Needs::Classes => {
                    *classes = Arc::new(self.classes().map_err(failed)?);
                    *claims = Arc::new(self.learnable_claims().map_err(failed)?);
                }
                Needs::Portfolio => {
                    // They only guide: what cannot be made is done without.
                    *claims = Arc::new(self.learnable_claims().unwrap_or_default());
                    *classes = Arc::new(self.classes().unwrap_or_default());
                }
                Needs::Claims => *claims = Arc::new(self.learnable_claims().map_err(failed)?),
                Needs::Monitor if monitor.is_some() => {}
                Needs::Monitor => {
                    let closed = self.conjunction().and_then(|automaton| safety_closure(&automaton));
                    let cubes = closed.and_then(|automaton| Cubes::new(&automaton));
                    *monitor = Some(Arc::new(cubes.map_err(failed)?));
                }
            }
        }
        informed.knowledge.memory = self.memory.clone();
        Ok(informed)
    }

    /// What a learnt model of a system is checked against. What is too large to be followed is left out, and what is about
    /// how long answers take, which no model knows: it is monitored all the same.
    pub fn learnable_claims(&self) -> Result<Claims, TranslationError> {
        let rule = |automaton: &Automaton| {
            let rows =
                automaton.states.iter().map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to)));
            let table = Arc::new(Table::new(&self.space, rows));
            Rule { table, initial: automaton.initial }
        };
        // What must happen some day is followed together with every assumption.
        let few = self.requirements.len() * self.assumptions.len() <= TOGETHER * TOGETHER;
        let claim = |demand: &Demand| Claim {
            safety: demand.automaton().filter(|_| !self.is_timed(demand)).map(|automaton| rule(automaton)),
            breaks: ((few && !self.is_timed(demand)).then(|| self.breaks(demand)).flatten())
                .and_then(|automaton| Cubes::new(&automaton).ok())
                .map(Arc::new),
            lasts: match (&demand.formula, &demand.omega) {
                (Some(formula), _) => !formula.is_safety(),
                (None, omega) => omega.is_some(),
            },
        };
        let assumptions = self.assumptions.iter().filter_map(|known| known.demand.automaton());
        let mut claims = Claims {
            assumptions: assumptions.map(|automaton| rule(automaton)).collect(),
            requirements: self.requirements.iter().map(|known| claim(&known.demand)).collect(),
            soon_settled: false,
            classes: Vec::new(),
        };
        let is_soon_settled = |(known, claim): (&Requirement, &Claim)| {
            !claim.lasts && known.demand.automaton().is_some_and(|automaton| automaton.is_soon_settled())
        };
        claims.soon_settled = self.requirements.iter().zip(&claims.requirements).all(is_soon_settled);
        if self.space.input_bits() > MANY {
            let automata = self.requirements.iter().filter_map(|known| known.demand.automaton());
            let made = automata.map(|automaton| Classes::alone(automaton).map(Arc::new));
            claims.classes = made.collect::<Result<_, _>>()?;
        } else if self.space.input_bits() > SEVERAL && self.interface().inputs.as_labels().is_none() {
            let automata = self.requirements.iter().filter_map(|known| known.demand.distinguishes());
            let small = automata.filter(|automaton| automaton.states.len() <= LARGE);
            claims.classes =
                small.map(|automaton| Classes::alone(automaton).map(Arc::new)).collect::<Result<_, _>>()?;
        }
        self.space.bdds().checked(Ok(claims))
    }

    /// The Büchi automaton of all requirements and assumptions together, with accepting states: the automaton that paper
    /// 3 walks through. Assumptions must hold like requirements there (section 4.1); model programs are left out.
    pub fn conjunction(&self) -> Result<Automaton, TranslationError> {
        let demands = || self.assumptions.iter().chain(&self.requirements).map(|known| &known.demand);
        let mut tidier = Tidier::new();
        let mut alone: Vec<Automaton> = Vec::new();
        let mut formulas: Vec<Formula> = Vec::new();
        let mut shared: Vec<&Arc<Automaton>> = Vec::new();
        for Demand { formula, omega, model, .. } in demands() {
            match (formula, omega) {
                (Some(formula), _) if !tidier.is_safety(formula) => formulas.push(formula.clone()),
                (_, Some(omega)) => alone.push(omega.accepts.clone()),
                _ => shared.extend(model.automaton()),
            }
        }
        if formulas.iter().map(Formula::size).sum::<usize>() <= TOGETHER && !formulas.is_empty() {
            alone.push(buchi(&Formula::all_of(formulas), &self.space)?);
        } else {
            for formula in &formulas {
                alone.push(buchi(formula, &self.space)?);
            }
        }
        let all: Vec<&Automaton> = shared.into_iter().map(|automaton| &**automaton).chain(&alone).collect();
        conjunction(&self.space, &all, STATES)
    }
}
