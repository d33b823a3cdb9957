//! Automata from lists of exchanges.

use std::sync::Arc;

use provoke::automaton::{Acceptance, Automaton, Edge, StateInfo};
use provoke::bdd::Space;
use provoke::letter::{Interface, Letter};

/// Signals `i0..` and `o0..`, so many bits each.
pub(super) fn space(input_bits: usize, output_bits: usize) -> anyhow::Result<Arc<Space>> {
    let inputs = (0..input_bits).map(|bit| format!("i{bit}"));
    let outputs = (0..output_bits).map(|bit| format!("o{bit}"));
    Ok(Arc::new(Space::new(Interface::signals(inputs, outputs)?)))
}

/// The deterministic automaton with `states` states in which `next(state, input, output)` says where each
/// exchange leads; none is a violation.
pub(super) fn automaton(
    space: &Arc<Space>,
    states: u32,
    next: impl Fn(u32, u64, u64) -> Option<u32>,
) -> Automaton {
    let none = space.bdds().none();
    let row = |at: u32| {
        let mut edges: Vec<Edge> = Vec::new();
        for input in 0..1 << space.input_bits() {
            for output in 0..1 << space.output_bits() {
                let Some(to) = next(at, input, output) else { continue };
                let exchange =
                    &space.input(Letter::from_index(input)) & &space.output(Letter::from_index(output));
                let place = edges.iter().position(|edge| edge.to == to).unwrap_or_else(|| {
                    edges.push(Edge { guard: none.clone(), to, marks: 0 });
                    edges.len() - 1
                });
                edges[place].guard = &edges[place].guard | &exchange;
            }
        }
        StateInfo { name: None, marks: 0, edges }
    };
    Automaton {
        space: space.clone(),
        name: None,
        states: (0..states).map(row).collect(),
        initial: 0,
        acceptance: Acceptance::All,
    }
}
