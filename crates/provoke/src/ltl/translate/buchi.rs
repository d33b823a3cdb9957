//! The whole way from a formula to its Büchi automaton.

use rustc_hash::FxHashSet;

use super::degeneralise::degeneralise;
use super::draft::{Draft, Store};
use super::merge::merge;
use super::prune::{alive, prune};
use super::rounds::rounds;
use super::simulation::{backward, forward, redirect};
use super::tableau::{ASKED, Limits, tableau_within};
use super::weak::weak;
use super::{Translated, TranslationError};
use crate::bdd::Space;
use crate::ltl::Formula;
use crate::ltl::forms::Id;
use crate::ltl::simplify::Logic;

/// The limits of what only helps to make an automaton smaller: the automaton of the negation, and a second one
/// of the same formula.
const ASIDE: Limits = Limits { states: 2_000, effort: 4_000_000, ways: 100_000 };
/// How many nodes that may take, and how many the deterministic automaton of an obligation.
const NODES: usize = 500_000;

/// The generalised Büchi automaton of a form, reduced.
#[cfg(test)]
pub(crate) fn generalised(
    logic: &mut Logic,
    form: Id,
    space: &Space,
    store: &mut Store,
) -> Result<Draft, TranslationError> {
    generalised_within(logic, form, space, store, ASKED, FxHashSet::default())
}

fn generalised_within(
    logic: &mut Logic,
    form: Id,
    space: &Space,
    store: &mut Store,
    limits: Limits,
    rounds: FxHashSet<Id>,
) -> Result<Draft, TranslationError> {
    let form = logic.simplify(form);
    let draft = tableau_within(logic, form, space, store, limits, rounds)?;
    let draft = prune(store, &draft);
    Ok(reduce(store, draft, false))
}

/// The automata to choose from: with rounds followed one at a time, where there are any, and without.
pub(crate) fn candidates(
    logic: &mut Logic,
    form: Id,
    space: &Space,
    store: &mut Store,
) -> Result<Vec<Draft>, TranslationError> {
    let rounds = rounds(&logic.forms, form);
    if rounds.is_empty() {
        return Ok(vec![generalised_within(logic, form, space, store, ASKED, rounds)?]);
    }
    let followed =
        store.attempt(4 * NODES, |store| generalised_within(logic, form, space, store, ASKED, rounds).ok());
    let Some(followed) = followed else {
        return Ok(vec![generalised_within(logic, form, space, store, ASKED, FxHashSet::default())?]);
    };
    // Without rounds the automaton may be a little smaller, or very much larger.
    let limits = Limits { states: 6 * followed.len() + 50, ..ASIDE };
    let plain = store.attempt(NODES, |store| {
        let plain = generalised_within(logic, form, space, store, limits, FxHashSet::default()).ok()?;
        (plain.len() <= 2 * followed.len()).then_some(plain)
    });
    Ok(plain.into_iter().chain([followed]).collect())
}

/// Simulation forwards and backwards until nothing changes.
fn reduce(store: &mut Store, mut draft: Draft, state_based: bool) -> Draft {
    loop {
        let before = draft.rows.clone();
        draft = forward(store, &draft);
        draft = redirect(store, &draft);
        draft = backward(store, &draft, state_based);
        if !state_based {
            draft = prune(store, &draft);
        }
        if draft.rows == before {
            return draft;
        }
    }
}

/// The Büchi automaton of a formula; all arrows that leave a state carry the same marks.
pub(crate) fn buchi(formula: &Formula, space: &Space) -> Result<Translated, TranslationError> {
    let mut store = Store::default();
    let mut logic = Logic::new(false);
    let form = logic.forms.import(formula);
    let form = logic.simplify(form);
    let not = logic.forms.negate(form);
    let drafts = candidates(&mut logic, form, space, &mut store)?;
    let negation = store.attempt(NODES, |store| {
        generalised_within(&mut logic, not, space, store, ASIDE, FxHashSet::default()).ok()
    });
    let surely = logic.forms.traits(form).obligation;
    let made = drafts.into_iter().map(|draft| smallest(&mut store, draft, negation.as_ref(), surely));
    let smallest = made.min_by_key(Draft::len).unwrap_or_else(Draft::nothing);
    store.check(&smallest)?;
    Ok(Translated { store, draft: smallest })
}

/// The smallest automaton with accepting states that we find for a generalised one.
fn smallest(store: &mut Store, mut draft: Draft, negation: Option<&Draft>, surely: bool) -> Draft {
    if let Some(negation) = negation {
        let merged = merge(store, &draft, negation, false);
        if merged.len() < draft.len() {
            let merged = prune(store, &merged);
            draft = reduce(store, merged, false);
        }
    }
    let split = smallest_split(store, &draft, negation);
    let limit = 4 * split.len() + 32;
    let weak = store.attempt(NODES, |store| {
        let weak = weak(store, &draft, negation, surely, limit)?;
        Some(alive(store, &weak))
    });
    match weak {
        Some(weak) if weak.len() <= split.len() => weak,
        _ => split,
    }
}

fn smallest_split(store: &mut Store, draft: &Draft, negation: Option<&Draft>) -> Draft {
    let mut best: Option<Draft> = None;
    for order in orders(draft.marks) {
        let split = degeneralise(store, draft, &order);
        let mut split = reduce(store, split, true);
        if let Some(negation) = negation {
            let merged = merge(store, &split, negation, true);
            if merged.len() < split.len() {
                split = reduce(store, merged, true);
            }
        }
        if best.as_ref().is_none_or(|best| split.len() < best.len()) {
            best = Some(split);
        }
    }
    best.unwrap_or_else(Draft::nothing)
}

/// The orders of marks to try: all of up to three, the rotations of more.
fn orders(marks: u32) -> Vec<Vec<u32>> {
    match marks {
        0..=1 => vec![(0..marks).collect()],
        2 => vec![vec![0, 1], vec![1, 0]],
        3 => vec![vec![0, 1, 2], vec![0, 2, 1], vec![1, 0, 2], vec![1, 2, 0], vec![2, 0, 1], vec![2, 1, 0]],
        _ => vec![(0..marks).collect(), (0..marks).rev().collect()],
    }
}
