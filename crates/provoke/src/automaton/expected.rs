//! What each state of a formula's automaton still expects, as a formula.

use std::collections::VecDeque;

use super::Automaton;
use crate::bdd::{Bdd, Space};
use crate::ltl::progress::Tidier;
use crate::ltl::{Formula, Op};

/// What the states of a formula's automaton stand for.
#[derive(Clone, Debug)]
pub struct Expected {
    /// For each state, what must hold from there on; nothing where that takes too many words, or too much work.
    ///
    /// Exchanges that lead to the same state may leave different formulas. They agree on which exchanges can
    /// still violate the requirement, and this is a short one of them.
    pub formulas: Vec<Option<Formula>>,
    /// Whether they agree altogether: the formula is a safety property by its shape. Otherwise they may differ
    /// in what must happen some day, which such an automaton does not keep.
    pub is_exact: bool,
}

/// A formula with more operators than this is not kept.
const LONG: usize = 2_000;

/// How many operators may be looked at for all states together.
const WORK: usize = 400_000;

/// What each state of a formula's [safety automaton](super::safety_automaton) still expects.
///
/// The formula is taken along a shortest way to each state, step by step
/// ([`Formula::after_step`]), then along every other edge as long as that makes a state's formula shorter.
pub fn expected(formula: &Formula, automaton: &Automaton) -> Expected {
    let mut tidier = Tidier::new();
    let is_exact = tidier.is_safety(formula);
    let mut formulas: Vec<Option<Formula>> = vec![None; automaton.states.len()];
    let mut queue = VecDeque::new();
    if let Some(start) = formulas.get_mut(automaton.initial as usize) {
        *start = Some(formula.clone());
        queue.push_back(automaton.initial as usize);
    }
    // What is left of an expression with `prev` has no words.
    if formula.has_relations() {
        return Expected { formulas, is_exact };
    }
    // What is expected all along, tidied and as it was written.
    let always: Vec<(Formula, Formula)> =
        conjuncts(formula).into_iter().map(|part| (tidier.tidy(&part), part)).collect();
    let mut work = 0usize;
    // A state waits here once; its formula then is the shortest known.
    let mut waits = vec![false; automaton.states.len()];
    while let Some(at) = queue.pop_front() {
        waits[at] = false;
        for edge in &automaton.states[at].edges {
            let to = edge.to as usize;
            let Some(here) = &formulas[at] else { break };
            work = work.saturating_add(2 * here.size());
            if work > WORK {
                return Expected { formulas, is_exact };
            }
            let guard = &edge.guard & &automaton.space.exchanges();
            let left = [false, true].map(|value| after(here, &automaton.space, &guard, value));
            let left = left.into_iter().map(|left| ordered(&tidier.tidy(&left), &always));
            let Some(left) = left.min_by_key(Formula::size) else { continue };
            if automaton.space.bdds().within_bounds().is_err() {
                return Expected { formulas, is_exact };
            }
            let known = formulas[to].as_ref().map_or(LONG, Formula::size);
            if left.size() < known {
                formulas[to] = Some(left);
                if !std::mem::replace(&mut waits[to], true) {
                    queue.push_back(to);
                }
            }
        }
    }
    Expected { formulas, is_exact }
}

/// What is left of a formula after an exchange of the guard with as few true signals as possible, or as many.
fn after(formula: &Formula, space: &Space, guard: &Bdd, prefer: bool) -> Formula {
    let mut chosen = rustc_hash::FxHashMap::default();
    let mut rest = guard.clone();
    while let Some((variable, low, high)) = rest.split() {
        let (wanted, other) = if prefer { (high, low) } else { (low, high) };
        let value = if wanted.is_none() { !prefer } else { prefer };
        rest = if wanted.is_none() { other } else { wanted };
        chosen.insert(variable, value);
    }
    let value = |variable: usize| chosen.get(&variable).copied().unwrap_or(prefer);
    formula.after_step(|name| space.proposition(name).is_some_and(|set| set.contains(value)))
}

fn conjuncts(formula: &Formula) -> Vec<Formula> {
    match formula.op() {
        Op::And => formula.args().to_vec(),
        _ => vec![formula.clone()],
    }
}

/// What is new comes before what has been expected all along, so that it is read first; the latter in the words
/// it was written in.
fn ordered(formula: &Formula, always: &[(Formula, Formula)]) -> Formula {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for part in conjuncts(formula) {
        match always.iter().find(|(tidied, written)| *tidied == part || *written == part) {
            Some((_, written)) => old.push(written.clone()),
            None => new.push(part),
        }
    }
    Formula::all_of(new.into_iter().chain(old))
}
