//! From formulas to what a specification is made of: automata for the game, monitors for the run, purposes.

use std::sync::Arc;

use super::Demand;
use crate::automaton::{
    Acceptance, Automaton, TranslationError, Verdict, buchi, judged, obligations, safety_automaton, visits,
};
use crate::monitor::Monitor;
use crate::space::Space;
use crate::spec::ltl::Formula;

/// Why a formula cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unusable {
    /// There is no automaton for it.
    Translation(TranslationError),
    /// No run satisfies it.
    NeverHolds,
}

impl From<TranslationError> for Unusable {
    fn from(error: TranslationError) -> Unusable {
        Unusable::Translation(error)
    }
}

/// The game automaton and the monitor of a requirement or an assumption.
///
/// The game knows the strongest safety property that follows from the formula; obligations that stay open are
/// for the monitor to tell.
pub(super) fn demand(formula: Formula, space: &Arc<Space>) -> Result<Demand, Unusable> {
    let automaton = safety_automaton(&formula, space)?;
    let followed = obligations(&formula, space)?;
    if automaton.states.is_empty() || followed.automaton.states.is_empty() {
        return Err(Unusable::NeverHolds);
    }
    Ok(Demand {
        automaton: Arc::new(automaton),
        monitor: Monitor::new(&followed.automaton, followed.verdicts),
        formula: Some(formula),
        omega: None,
    })
}

/// The test purpose of an objective: reaching "satisfied for good" where that is possible, otherwise visiting an
/// accepting state of the formula's Büchi automaton this many times.
pub(super) fn purpose(formula: &Formula, times: u32, space: &Arc<Space>) -> Result<Automaton, Unusable> {
    let followed = judged(formula, space)?;
    let mut purpose = followed.automaton;
    if !followed.verdicts.contains(&Verdict::Satisfied) {
        purpose = visits(&buchi(formula, space)?, times).ok_or(TranslationError::TooLarge)?;
    } else {
        for (state, verdict) in purpose.states.iter_mut().zip(followed.verdicts) {
            state.marks = u32::from(verdict == Verdict::Satisfied);
        }
        purpose.acceptance = Acceptance::Buchi(1);
    }
    if purpose.states.is_empty() {
        return Err(Unusable::NeverHolds);
    }
    Ok(purpose)
}
