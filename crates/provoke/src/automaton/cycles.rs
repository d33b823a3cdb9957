//! Where an automaton can go round for ever.

use super::{Automaton, Marks};
use crate::connected::Components;

/// For each node of a graph, the number of its strongly connected component. A component's number is larger
/// than those of the components it leads to.
pub(super) fn components(successors: &[Vec<u32>]) -> Vec<u32> {
    Components::new(successors.len(), |at| successors[at as usize].iter().copied()).of
}

/// The states from which some accepting cycle can be reached: where a word can still be accepted.
pub(super) fn live_states(automaton: &Automaton) -> Vec<bool> {
    let graph = graph(automaton, |_, _, _| true);
    let component = components(&graph);
    let count = component.iter().map(|number| number + 1).max().unwrap_or(0) as usize;
    // What the edges inside each component are marked with; none where there is no such edge.
    let mut inside: Vec<Option<Marks>> = vec![None; count];
    for (at, state) in automaton.states.iter().enumerate() {
        for edge in state.edges.iter().filter(|edge| component[edge.to as usize] == component[at]) {
            *inside[component[at] as usize].get_or_insert(0) |= state.marks | edge.marks;
        }
    }
    let wanted = automaton.acceptance.marks();
    let mut live: Vec<bool> =
        inside.iter().map(|marks| marks.is_some_and(|marks| marks & wanted == wanted)).collect();
    // Components lead to smaller numbers only, so one pass upwards settles them.
    let mut crossing: Vec<(u32, u32)> = (0..graph.len())
        .flat_map(|at| graph[at].iter().map(move |&to| (at, to)))
        .map(|(at, to)| (component[at], component[to as usize]))
        .collect();
    crossing.sort_unstable();
    for (from, to) in crossing {
        live[from as usize] |= live[to as usize];
    }
    component.iter().map(|&number| live[number as usize]).collect()
}

/// A cycle of edges that `keep` (from, to, marks of state and edge) keeps, as the states it goes through.
pub(super) fn cycle(automaton: &Automaton, keep: impl Fn(u32, u32, Marks) -> bool) -> Option<Vec<u32>> {
    let graph = graph(automaton, keep);
    let component = &components(&graph);
    let inside = |at: u32| {
        let successors = graph[at as usize].iter().copied();
        successors.filter(move |&to| component[to as usize] == component[at as usize])
    };
    let start = (0..graph.len() as u32).find(|&at| inside(at).next().is_some())?;
    // Breadth first through the component, back to where it began: the shortest cycle through `start`.
    let mut from = vec![None; graph.len()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for to in inside(at) {
            if to == start {
                let mut cycle = vec![at];
                while let Some(previous) = from[cycle[cycle.len() - 1] as usize] {
                    cycle.push(previous);
                }
                cycle.reverse();
                return Some(cycle);
            }
            if from[to as usize].is_none() {
                from[to as usize] = Some(at);
                queue.push_back(to);
            }
        }
    }
    None
}

fn graph(automaton: &Automaton, keep: impl Fn(u32, u32, Marks) -> bool) -> Vec<Vec<u32>> {
    let states = automaton.states.iter().enumerate();
    let successors = states.map(|(at, state)| {
        let edges = state.edges.iter();
        edges.filter(|edge| keep(at as u32, edge.to, state.marks | edge.marks)).map(|edge| edge.to).collect()
    });
    successors.collect()
}
