//! Two automata as one that accepts what both do.

use rustc_hash::FxHashMap;

use crate::automaton::{Acceptance, Automaton, Edge, StateInfo};

/// The Büchi automaton, with accepting states, of the words that all automata accept; none where it would have more than
/// so many states.
pub(super) fn joined(automata: &[&Automaton], limit: usize) -> Option<Automaton> {
    let first = automata.first()?;
    let marks: u32 = automata.iter().map(|automaton| automaton.acceptance.marks().count_ones()).sum();
    let mut numbers: FxHashMap<(Vec<u32>, u32), u32> = FxHashMap::default();
    let mut open: Vec<(Vec<u32>, u32)> = Vec::new();
    let mut states = Vec::new();
    if automata.iter().all(|automaton| !automaton.states.is_empty()) {
        // The last place means that every mark was seen since it was last reached; its state accepts.
        let start = (automata.iter().map(|automaton| automaton.initial).collect::<Vec<u32>>(), 0);
        numbers.insert(start.clone(), 0);
        open.push(start);
    }
    while let Some((tuple, place)) = open.get(states.len()).cloned() {
        let mut edges = Vec::new();
        let mut ways = vec![(first.space.exchanges(), Vec::new(), 0u64, 0u32)];
        for (automaton, &at) in automata.iter().zip(&tuple) {
            let state = &automaton.states[at as usize];
            let all = automaton.acceptance.marks();
            ways = ways
                .iter()
                .flat_map(|(guard, to, seen, shift)| {
                    state.edges.iter().filter_map(move |edge| {
                        let guard = guard & &edge.guard;
                        let own = u64::from((state.marks | edge.marks) & all);
                        let to = [&to[..], &[edge.to]].concat();
                        (!guard.is_none()).then(|| (guard, to, seen | own << shift, shift + all.count_ones()))
                    })
                })
                .collect();
        }
        for (guard, to, seen, _) in ways {
            // From the accepting place the count begins again.
            let mut next = if place == marks { 0 } else { place };
            while next < marks && seen >> next & 1 == 1 {
                next += 1;
            }
            let key = (to, next);
            let number = match numbers.get(&key) {
                Some(&number) => number,
                None => {
                    let number = open.len() as u32;
                    numbers.insert(key.clone(), number);
                    open.push(key);
                    number
                }
            };
            edges.push(Edge { guard, to: number, marks: 0 });
        }
        if open.len() > limit {
            return None;
        }
        states.push(StateInfo { name: None, marks: u32::from(place == marks), edges });
    }
    Some(Automaton {
        space: first.space.clone(),
        name: None,
        states,
        initial: 0,
        acceptance: Acceptance::Buchi(1),
    })
}
