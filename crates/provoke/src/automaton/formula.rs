//! The automata of formulas: where translation has ended, drafts become automata with guards.

use std::sync::Arc;

use super::{Acceptance, Automaton, Edge, StateInfo};
use crate::bdd::Space;
use crate::ltl::forest::Tree;
use crate::ltl::translate::draft::{Arrow, Draft, EMPTY, Marks, Store};
use crate::ltl::translate::{Translated, buchi as translate, safety, verdict};
use crate::ltl::{Formula, TranslationError, Verdict};

/// A deterministic automaton that follows a run, and what each of its states says of the run so far.
#[derive(Clone, Debug)]
pub struct FourValued {
    /// Takes every exchange that does not violate the formula for good; a missing edge does. Without states
    /// where the formula is violated before the first step.
    pub automaton: Automaton,
    /// One verdict for each state, never [`Verdict::Violated`].
    pub verdicts: Vec<Verdict>,
}

impl FourValued {
    /// The automaton, accepting where nothing is open: what is met again and again is met for ever.
    pub fn met_again_and_again(&self) -> Automaton {
        let mut automaton = Automaton { acceptance: Acceptance::Buchi(1), ..self.automaton.clone() };
        for (state, &verdict) in automaton.states.iter_mut().zip(&self.verdicts) {
            state.marks = u32::from(verdict != Verdict::SoFarBad);
            state.edges.iter_mut().for_each(|edge| edge.marks = 0);
        }
        automaton
    }
}

/// The Büchi automaton of a formula, with accepting states.
pub fn buchi(formula: &Formula, space: &Arc<Space>) -> Result<Automaton, TranslationError> {
    let mut automaton = exported(translate::buchi(formula, space), space)?;
    for state in &mut automaton.states {
        state.marks = state.edges.iter().fold(0, |marks, edge| marks | edge.marks);
        state.edges.iter_mut().for_each(|edge| edge.marks = 0);
    }
    Ok(automaton)
}

/// The smallest deterministic automaton whose missing transitions are the bad prefixes of the formula: what was
/// read up to there cannot be continued to a trace where the formula holds.
///
/// For a safety formula this is the formula itself; for others it is the strongest safety property that
/// follows from it (the formula's monitor). An unsatisfiable formula has no states.
pub fn safety_automaton(formula: &Formula, space: &Arc<Space>) -> Result<Automaton, TranslationError> {
    exported(safety::safety(formula, space), space)
}

/// The smallest deterministic automaton whose missing transitions are the bad prefixes of an automaton, which
/// may guess and may have any number of marks. Without states where the automaton accepts nothing.
pub fn safety_closure(automaton: &Automaton) -> Result<Automaton, TranslationError> {
    if automaton.states.is_empty() {
        return Ok(Automaton { acceptance: Acceptance::All, ..automaton.clone() });
    }
    let mut store = Store::default();
    let draft = import(&mut store, automaton);
    let closed = exported(safety::closed(store, &draft), &automaton.space)?;
    Ok(Automaton { name: automaton.name.clone(), ..closed })
}

/// The smallest deterministic monitor of a formula with four verdicts.
///
/// This is RV-LTL (Bauer, Leucker, Schallhart 2010): a prefix is violated for good where no continuation satisfies
/// the formula and satisfied for good where none violates it (LTL3; both from the automata of formula and negation);
/// in between it is good so far where the formula holds on the prefix as a finite trace
/// ([`holds_on`](crate::ltl::holds_on), Definition 9 of paper 3).
pub fn four_valued(formula: &Formula, space: &Arc<Space>) -> Result<FourValued, TranslationError> {
    with_verdicts(verdict::four_valued(formula, space), space)
}

/// The same, except that the end of the trace alone is no open obligation: [`Verdict::SoFarBad`] says that something
/// must happen some day and has not.
///
/// A next step owes nothing before it comes, so every `X` is read as `N`; and of a formula that is violated in
/// finitely many steps if ever (by its shape: without `F`, `U` and `M` but with bounded ones) nothing is ever open.
pub fn obligations(formula: &Formula, space: &Arc<Space>) -> Result<FourValued, TranslationError> {
    with_verdicts(verdict::obligations(formula, space), space)
}

fn with_verdicts(
    translated: Result<(Translated, Vec<Verdict>), TranslationError>,
    space: &Arc<Space>,
) -> Result<FourValued, TranslationError> {
    let (translated, verdicts) = space.bdds().checked(translated)?;
    Ok(FourValued { automaton: exported(Ok(translated), space)?, verdicts })
}

/// The automaton of what a translation ended in, unless there were too few nodes for it or for its guards.
fn exported(
    translated: Result<Translated, TranslationError>,
    space: &Arc<Space>,
) -> Result<Automaton, TranslationError> {
    space.bdds().checked(translated.map(|translated| export(&translated, space)))
}

/// The automaton of a draft, with guards over the space.
fn export(Translated { store, draft }: &Translated, space: &Arc<Space>) -> Automaton {
    let state = |&row: &_| {
        let edges = store.arrows_of(row).into_iter().map(|arrow| {
            let takes = |leaf: u32| store.arrows.get(leaf).binary_search(&arrow).is_ok();
            let guard = store.forest.export(row, space.bdds(), takes);
            Edge { guard, to: arrow.to, marks: arrow.marks as u32 }
        });
        StateInfo { name: None, marks: 0, edges: edges.collect() }
    };
    Automaton {
        space: space.clone(),
        name: None,
        states: draft.rows.iter().map(state).collect(),
        initial: draft.initial,
        acceptance: if draft.marks == 0 { Acceptance::All } else { Acceptance::Buchi(draft.marks) },
    }
}

/// The draft of an automaton; the inverse of [`export`].
fn import(store: &mut Store, automaton: &Automaton) -> Draft {
    let valid = store.forest.import(&automaton.space.exchanges());
    let row = |state: &StateInfo| {
        state.edges.iter().fold(Tree::leaf(EMPTY), |row, edge| {
            let marks = Marks::from(state.marks | edge.marks);
            let Store { forest, arrows } = store;
            let list = arrows.number(vec![Arrow { to: edge.to, marks }]);
            let taken = forest.import(&edge.guard);
            let taken =
                forest.zip(valid, taken, |valid, taken| if valid & taken == 1 { list } else { EMPTY });
            store.join(row, taken, |a, b| [a, b].concat())
        })
    };
    let marks = match automaton.acceptance {
        Acceptance::All => 0,
        Acceptance::Buchi(marks) => marks,
    };
    let rows = automaton.states.iter().map(row).collect();
    let draft = Draft { rows, initial: automaton.initial, marks };
    let all = draft.all_marks();
    draft.change(store, |_, list| {
        list.iter().map(|arrow| Arrow { marks: arrow.marks & all, ..*arrow }).collect()
    })
}
