//! How often an accepting state was visited: the finite shadow of a liveness property.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Acceptance, Automaton, Edge, StateInfo};
use crate::bdd::Bdd;

/// More states than this are not worth building for an objective.
const LIMIT: usize = 50_000;

/// A deterministic automaton that accepts once some run of a Büchi automaton has taken accepting edges, or left
/// accepting states, `times` times; none where it would be too large, or guards ran out of nodes.
///
/// A subset construction whose sets say, for each state, how many visits the best run into it has made.
pub fn visits(automaton: &Automaton, times: u32) -> Option<Automaton> {
    type Counted = BTreeMap<u32, u32>;
    let mut result =
        Automaton { states: Vec::new(), initial: 0, acceptance: Acceptance::Buchi(1), ..automaton.clone() };
    if automaton.states.is_empty() {
        return Some(result);
    }
    let start = Counted::from([(automaton.initial, 0)]);
    let mut numbers: FxHashMap<Counted, u32> = FxHashMap::from_iter([(start.clone(), 0)]);
    let mut sets = vec![start];
    while result.states.len() < sets.len() {
        let set = sets[result.states.len()].clone();
        let mut info = StateInfo::default();
        if set.values().any(|&visits| visits >= times) {
            info.marks = 1;
            info.edges.push(Edge {
                guard: automaton.space.exchanges(),
                to: result.states.len() as u32,
                marks: 0,
            });
            result.states.push(info);
            continue;
        }
        // Letters are told apart only where some edge tells them apart.
        let mut parts: Vec<(Bdd, Counted)> = vec![(automaton.space.exchanges(), Counted::new())];
        for (&at, &visits) in &set {
            let state = &automaton.states[at as usize];
            for edge in &state.edges {
                let accepting = automaton.acceptance.marks() & !(state.marks | edge.marks) == 0;
                let visits = (visits + u32::from(accepting)).min(times);
                parts = parts.into_iter().flat_map(|part| split(part, edge, visits)).collect();
            }
        }
        for (guard, to) in parts {
            if to.is_empty() {
                continue;
            }
            let next = *numbers.entry(to).or_insert_with_key(|to| {
                sets.push(to.clone());
                sets.len() as u32 - 1
            });
            match info.edges.iter_mut().find(|edge| edge.to == next) {
                Some(edge) => edge.guard = &edge.guard | &guard,
                None => info.edges.push(Edge { guard, to: next, marks: 0 }),
            }
        }
        if sets.len() > LIMIT {
            return None;
        }
        result.states.push(info);
    }
    automaton.space.bdds().within_bounds().ok().map(|()| result)
}

/// The letters of a part that take an edge, with its target added, and those that do not.
fn split(
    (guard, to): (Bdd, BTreeMap<u32, u32>),
    edge: &Edge,
    visits: u32,
) -> impl Iterator<Item = (Bdd, BTreeMap<u32, u32>)> {
    let taken = &guard & &edge.guard;
    let rest = &guard - &edge.guard;
    let mut with = to.clone();
    let best = with.entry(edge.to).or_insert(visits);
    *best = visits.max(*best);
    [(taken, with), (rest, to)].into_iter().filter(|(guard, _)| !guard.is_none())
}
