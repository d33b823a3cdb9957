//! The whole way from a formula to its automata.

use std::sync::Arc;

use super::TranslationError;
use super::degeneralise::degeneralise;
use super::graph::{Graph, Store};
use super::prune::{alive, prune};
use super::simulation::{backward, forward, redirect};
use super::tableau::tableau;
use super::weak::weak;
use crate::automaton::{Acceptance, Automaton, Edge, StateInfo};
use crate::space::Space;
use crate::spec::ltl::Formula;
use crate::spec::ltl::forms::Id;
use crate::spec::ltl::simplify::Logic;

/// The generalised Büchi automaton of a form, reduced.
pub(crate) fn generalised(
    logic: &mut Logic,
    form: Id,
    space: &Space,
    store: &mut Store,
) -> Result<Graph, TranslationError> {
    let form = logic.simplify(form);
    let graph = tableau(logic, form, space, store)?;
    let graph = prune(store, &graph);
    Ok(reduce(store, graph, false))
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
    let mut store = Store::default();
    let mut logic = Logic::new(false);
    let form = logic.forms.import(formula);
    let graph = generalised(&mut logic, form, space, &mut store)?;
    let split = smallest_split(&mut store, &graph);
    let surely = logic.forms.traits(form).obligation;
    let limit = 4 * split.len() + 32;
    let negation = if surely {
        None
    } else {
        let not = logic.forms.negate(form);
        Some(generalised(&mut logic, not, space, &mut store)?)
    };
    let smallest = match weak(&mut store, &graph, negation.as_ref(), surely, limit) {
        Some(weak) => {
            let weak = alive(&mut store, &weak);
            if weak.len() <= split.len() { weak } else { split }
        }
        None => split,
    };
    Ok(state_based(&store, &smallest, space))
}

fn smallest_split(store: &mut Store, graph: &Graph) -> Graph {
    let order: Vec<u32> = (0..graph.marks).collect();
    let split = degeneralise(store, graph, &order);
    reduce(store, split, true)
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
