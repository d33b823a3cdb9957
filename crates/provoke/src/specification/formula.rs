//! From formulas to what a specification is made of: automata for the game, monitors for the run, purposes.

use std::sync::Arc;

use super::{Demand, Model};
use crate::automaton::{
    Acceptance, Automaton, TranslationError, Verdict, buchi, common_word, four_valued, obligations,
    safety_automaton, visits,
};
use crate::bdd::Space;
use crate::ltl::Formula;
use crate::monitor::Monitor;

/// Why a formula cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unusable {
    /// There is no automaton for it.
    Translation(TranslationError),
    /// No run satisfies it.
    NeverHolds,
    /// Some run satisfies it without ever having done so for good.
    NoGuarantee,
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
    let monitor =
        Monitor::new(&followed.automaton, followed.verdicts.clone()).map_err(TranslationError::from)?;
    Ok(Demand {
        program: None,
        environment: None,
        followed: monitor.has_obligations().then(|| Arc::new(followed)),
        model: Model::Automaton(Arc::new(automaton)),
        monitor,
        formula: Some(formula),
        omega: None,
    })
}

/// The test purpose of an objective: reaching "satisfied for good". With `times`, visiting an accepting state of the
/// formula's Büchi automaton this many times where that is not possible.
///
/// Without it the formula must be a guarantee: every run that satisfies it has done so for good after finitely many
/// steps. Otherwise a run would be taken to cover what no finite run can show.
pub(super) fn purpose(
    formula: &Formula,
    times: Option<u32>,
    space: &Arc<Space>,
) -> Result<Automaton, Unusable> {
    let purpose = unchecked_purpose(formula, times, space);
    space.bdds().within_bounds().map_err(TranslationError::from)?;
    purpose
}

fn unchecked_purpose(
    formula: &Formula,
    times: Option<u32>,
    space: &Arc<Space>,
) -> Result<Automaton, Unusable> {
    let followed = four_valued(formula, space)?;
    let mut purpose = followed.automaton;
    if times.is_none() && !purpose.states.is_empty() && !is_guarantee(formula, space)? {
        return Err(Unusable::NoGuarantee);
    }
    if !followed.verdicts.contains(&Verdict::Satisfied) {
        let times = times.unwrap_or(1);
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

/// How many combinations of edges it may cost to tell whether a formula is a guarantee.
const BUDGET: usize = 200_000;

/// Whether every run that satisfies the formula has a beginning that no continuation can spoil.
fn is_guarantee(formula: &Formula, space: &Arc<Space>) -> Result<bool, Unusable> {
    // A run that never has such a beginning is one that may always go on to satisfy the negation.
    let never_sure = safety_automaton(&formula.clone().not(), space)?;
    let undecided = common_word(&[&never_sure, &buchi(formula, space)?], BUDGET);
    // Where it would be too costly to tell, what counts is that the purpose can be reached at all.
    Ok(undecided != Some(true))
}
