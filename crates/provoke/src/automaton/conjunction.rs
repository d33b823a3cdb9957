//! Several automata as one: what they all accept, with accepting states.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cycles::live_states;
use super::{Acceptance, Automaton, Edge, Marks, StateInfo, TranslationError};
use crate::bdd::{Bdd, Space};

/// The most edges that may be combined.
const WORK: usize = 2_000_000;

/// The Büchi automaton of what all these automata accept, with accepting states; without states where that is nothing.
/// Of no automaton at all: one that accepts everything.
///
/// The product, in which marks are waited for one after another: a state is accepting when the last of them was seen.
/// States from which nothing is accepted are taken out, so that what has no edge is no beginning of an accepted word.
pub fn conjunction(
    space: &Arc<Space>,
    automata: &[&Automaton],
    limit: usize,
) -> Result<Automaton, TranslationError> {
    let mut shifts = Vec::new();
    let mut marks = 0;
    for automaton in automata {
        shifts.push(marks);
        marks += automaton.acceptance.marks().count_ones();
    }
    let mut product = Automaton {
        space: space.clone(),
        name: None,
        states: Vec::new(),
        initial: 0,
        acceptance: Acceptance::Buchi(1),
    };
    if automata.iter().any(|automaton| automaton.states.is_empty()) {
        return Ok(product);
    }
    if marks > 64 {
        return Err(TranslationError::TooLarge);
    }
    let after = |level: u32, seen: u64| {
        let mut level = if level == marks { 0 } else { level };
        while level < marks && seen >> level & 1 == 1 {
            level += 1;
        }
        level
    };
    let start: Vec<u32> = automata.iter().map(|automaton| automaton.initial).collect();
    let marked = automata.iter().zip(&shifts).fold(0, |seen, (automaton, &shift)| {
        let own = automaton.states[automaton.initial as usize].marks & automaton.acceptance.marks();
        seen | u64::from(own) << shift
    });
    let level = after(0, marked);
    let mut numbers = FxHashMap::from_iter([((start.clone(), level), 0)]);
    let mut tuples = vec![(start, level)];
    let mut work = 0;
    while let Some((tuple, level)) = tuples.get(product.states.len()).cloned() {
        let mut ways: Vec<(Bdd, Vec<u32>, u64)> = vec![(space.exchanges(), Vec::new(), 0)];
        for ((automaton, &at), &shift) in automata.iter().zip(&tuple).zip(&shifts) {
            let state = &automaton.states[at as usize];
            let wanted = automaton.acceptance.marks();
            let mut longer = Vec::new();
            for (guard, to, seen) in &ways {
                for edge in &state.edges {
                    work += 1;
                    let guard = guard & &edge.guard;
                    if guard.is_none() {
                        continue;
                    }
                    // A state's marks count when it is reached, so that the product accepts where its parts do.
                    let own: Marks = (automaton.states[edge.to as usize].marks | edge.marks) & wanted;
                    let to = to.iter().copied().chain([edge.to]).collect();
                    longer.push((guard, to, seen | u64::from(own) << shift));
                }
            }
            ways = longer;
            if work > WORK {
                return Err(TranslationError::TooLarge);
            }
        }
        let mut info = StateInfo { marks: Marks::from(level == marks), ..StateInfo::default() };
        for (guard, to, seen) in ways {
            let key = (to, after(level, seen));
            let next = *numbers.entry(key).or_insert_with_key(|key| {
                tuples.push(key.clone());
                tuples.len() as u32 - 1
            });
            match info.edges.iter_mut().find(|edge| edge.to == next) {
                Some(edge) => edge.guard = &edge.guard | &guard,
                None => info.edges.push(Edge { guard, to: next, marks: 0 }),
            }
        }
        if tuples.len() > limit {
            return Err(TranslationError::TooLarge);
        }
        product.states.push(info);
    }
    space.bdds().checked(Ok(live_part(&product)))
}

/// The automaton without states that cannot be reached or from which nothing is accepted.
fn live_part(automaton: &Automaton) -> Automaton {
    let live = live_states(automaton);
    let mut pruned = automaton.clone();
    for state in &mut pruned.states {
        state.edges.retain(|edge| live[edge.to as usize]);
    }
    let reached = pruned.reachable();
    let kept = |at: usize| live[at] && reached[at];
    let mut number = 0;
    let numbers: Vec<u32> = (0..pruned.states.len())
        .map(|at| {
            number += u32::from(kept(at));
            number.saturating_sub(1)
        })
        .collect();
    let mut at = 0;
    pruned.states.retain(|_| {
        at += 1;
        kept(at - 1)
    });
    for edge in pruned.states.iter_mut().flat_map(|state| &mut state.edges) {
        edge.to = numbers[edge.to as usize];
    }
    // The initial state comes first, if it is kept at all; if it is not, nothing is.
    pruned.initial = 0;
    pruned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::{buchi, common_word};
    use crate::letter::Interface;
    use crate::ltl::parse;

    #[test]
    fn the_conjunction_accepts_what_all_accept() {
        let space = Arc::new(Space::new(Interface::signals(["a", "b"], ["x", "y"]).unwrap()));
        let of = |text: &str| buchi(&parse(text).unwrap().formula, &space).unwrap();
        let texts = ["G(a -> F x)", "G F y", "F G !x | G F b", "G(x -> X !x)", "G(a -> N !y)"];
        for (at, first) in texts.iter().enumerate() {
            for second in &texts[at..] {
                let both = conjunction(&space, &[&of(first), &of(second)], 10_000).unwrap();
                let text = format!("({first}) & ({second})");
                // Nothing in one without the other: the word of one and of the other's negation is common to none.
                let not_second = of(&format!("!({text})"));
                assert_eq!(common_word(&[&both, &not_second], 1_000_000), Some(false), "{text}");
                let probe = of(&text);
                assert_eq!(
                    common_word(&[&both, &probe], 1_000_000),
                    Some(!probe.states.is_empty()),
                    "{text}"
                );
                for probe in ["G a", "G(a & x & X !x)", "F G(x & !y)", "G(a & F x & F y)", "G F(b & y)"] {
                    let expected = common_word(&[&of(&text), &of(probe)], 1_000_000);
                    assert_eq!(common_word(&[&both, &of(probe)], 1_000_000), expected, "{text}, {probe}");
                }
            }
        }
        assert!(conjunction(&space, &[&of("G x"), &of("F !x")], 100).unwrap().states.is_empty());
        assert_eq!(conjunction(&space, &[], 100).unwrap().states.len(), 1);
    }
}
