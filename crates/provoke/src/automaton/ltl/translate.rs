//! The whole way from a formula to its automata.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::TranslationError;
use super::degeneralise::degeneralise;
use super::graph::{Arrow, EMPTY, Graph, Marks, Store};
use super::merge::merge;
use super::prune::{alive, prune};
use super::rounds::rounds;
use super::simulation::{backward, forward, redirect};
use super::tableau::{ASKED, Limits, tableau_within};
use super::weak::weak;
use crate::automaton::{Acceptance, Automaton, Edge, StateInfo};
use crate::forest::Tree;
use crate::space::Space;
use crate::spec::ltl::Formula;
use crate::spec::ltl::forms::Id;
use crate::spec::ltl::simplify::Logic;

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
) -> Result<Graph, TranslationError> {
    generalised_within(logic, form, space, store, ASKED, FxHashSet::default())
}

fn generalised_within(
    logic: &mut Logic,
    form: Id,
    space: &Space,
    store: &mut Store,
    limits: Limits,
    rounds: FxHashSet<Id>,
) -> Result<Graph, TranslationError> {
    let form = logic.simplify(form);
    let graph = tableau_within(logic, form, space, store, limits, rounds)?;
    let graph = prune(store, &graph);
    Ok(reduce(store, graph, false))
}

/// The automata to choose from: with rounds followed one at a time, where there are any, and without.
pub(crate) fn candidates(
    logic: &mut Logic,
    form: Id,
    space: &Space,
    store: &mut Store,
) -> Result<Vec<Graph>, TranslationError> {
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
fn reduce(store: &mut Store, mut graph: Graph, state_based: bool) -> Graph {
    loop {
        let before = graph.rows.clone();
        graph = forward(store, &graph);
        graph = redirect(store, &graph);
        graph = backward(store, &graph, state_based);
        if !state_based {
            graph = prune(store, &graph);
        }
        if graph.rows == before {
            return graph;
        }
    }
}

/// The Büchi automaton of a formula, with accepting states.
pub fn buchi(formula: &Formula, space: &Arc<Space>) -> Result<Automaton, TranslationError> {
    space.bdds().checked(translated(formula, space))
}

fn translated(formula: &Formula, space: &Arc<Space>) -> Result<Automaton, TranslationError> {
    let mut store = Store::default();
    let mut logic = Logic::new(false);
    let form = logic.forms.import(formula);
    let form = logic.simplify(form);
    let not = logic.forms.negate(form);
    let graphs = candidates(&mut logic, form, space, &mut store)?;
    let negation = store.attempt(NODES, |store| {
        generalised_within(&mut logic, not, space, store, ASIDE, FxHashSet::default()).ok()
    });
    let surely = logic.forms.traits(form).obligation;
    let made = graphs.into_iter().map(|graph| smallest(&mut store, graph, negation.as_ref(), surely));
    let smallest = made.min_by_key(Graph::len).unwrap_or_else(Graph::nothing);
    store.check(&smallest)?;
    Ok(state_based(&store, &smallest, space))
}

/// The smallest automaton with accepting states that we find for a generalised one.
fn smallest(store: &mut Store, mut graph: Graph, negation: Option<&Graph>, surely: bool) -> Graph {
    if let Some(negation) = negation {
        let merged = merge(store, &graph, negation, false);
        if merged.len() < graph.len() {
            let merged = prune(store, &merged);
            graph = reduce(store, merged, false);
        }
    }
    let split = smallest_split(store, &graph, negation);
    let limit = 4 * split.len() + 32;
    let weak = store.attempt(NODES, |store| {
        let weak = weak(store, &graph, negation, surely, limit)?;
        Some(alive(store, &weak))
    });
    match weak {
        Some(weak) if weak.len() <= split.len() => weak,
        _ => split,
    }
}

fn smallest_split(store: &mut Store, graph: &Graph, negation: Option<&Graph>) -> Graph {
    let mut best: Option<Graph> = None;
    for order in orders(graph.marks) {
        let split = degeneralise(store, graph, &order);
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
    best.unwrap_or_else(Graph::nothing)
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

/// The automaton of a graph whose arrows carry the mark of the state they leave.
fn state_based(store: &Store, graph: &Graph, space: &Arc<Space>) -> Automaton {
    let mut automaton = export(store, graph, space);
    for state in &mut automaton.states {
        state.marks = state.edges.iter().fold(0, |marks, edge| marks | edge.marks);
        state.edges.iter_mut().for_each(|edge| edge.marks = 0);
    }
    automaton
}

/// The automaton of a graph, with guards over the space.
pub(crate) fn export(store: &Store, graph: &Graph, space: &Arc<Space>) -> Automaton {
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
        states: graph.rows.iter().map(state).collect(),
        initial: graph.initial,
        acceptance: if graph.marks == 0 { Acceptance::All } else { Acceptance::Buchi(graph.marks) },
    }
}

/// The graph of an automaton; the inverse of [`export`].
pub(crate) fn import(store: &mut Store, automaton: &Automaton) -> Graph {
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
    let graph = Graph { rows, initial: automaton.initial, marks };
    let all = graph.all_marks();
    graph.change(store, |_, list| {
        list.iter().map(|arrow| Arrow { marks: arrow.marks & all, ..*arrow }).collect()
    })
}
