//! From generalised Büchi automata to Büchi automata with accepting states.

use rustc_hash::FxHashMap;

use super::draft::{Arrow, Draft, Store};
use super::marks::Part;
use super::prune::reachable;
use crate::connected::Components;
use crate::ltl::forest::Tree;

/// An automaton with one mark, carried by all arrows that leave an accepting state and by no other.
///
/// Each state is split into levels: how many of the marks, in `order`, were seen since the last round; the
/// last level accepts. Components that accept nothing, or where some states can accept in place of the marks,
/// are not split.
pub(crate) fn degeneralise(store: &mut Store, draft: &Draft, order: &[u32]) -> Draft {
    let arrows = draft.arrows(store);
    let components = Components::of_arrows(&arrows);
    let marks = components.marks(&arrows);
    let all = draft.all_marks();
    let top = draft.marks;
    let accepting = |component: u32| marks[component as usize] == Some(all);
    // For each state whose component needs no levels, the one level it has.
    let mut fixed: Vec<Option<u32>> = vec![Some(0); draft.len()];
    for states in components.members().into_iter().filter(|states| accepting(components.of[states[0]])) {
        let inside: Vec<(u32, Arrow)> = states
            .iter()
            .flat_map(|&at| arrows[at].iter().map(move |&arrow| (at as u32, arrow)))
            .filter(|(at, arrow)| components.inside(*at as usize, arrow))
            .collect();
        let accepting = Part::new(&states, &inside, all).accepting_states();
        let level = |at: &usize| Some(if accepting.as_ref()?.contains(at) { top } else { 0 });
        states.iter().for_each(|at| fixed[*at] = level(at));
    }
    let entry = |to: u32| fixed[to as usize].unwrap_or(0);
    let level_after = |at: u32, level: u32, arrow: &Arrow| {
        if !components.inside(at as usize, arrow) || fixed[at as usize].is_some() {
            return entry(arrow.to);
        }
        let mut level = if level == top { 0 } else { level };
        while level < top && arrow.marks >> order[level as usize] & 1 == 1 {
            level += 1;
        }
        level
    };

    let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut states = vec![(draft.initial, entry(draft.initial))];
    numbers.insert(states[0], 0);
    let mut rows: Vec<Tree> = Vec::new();
    while let Some(&(at, level)) = states.get(rows.len()) {
        let row = store.change(draft.rows[at as usize], |list| {
            let split = |arrow: &Arrow| {
                let key = (arrow.to, level_after(at, level, arrow));
                let to = *numbers.entry(key).or_insert_with(|| {
                    states.push(key);
                    (states.len() - 1) as u32
                });
                Arrow { to, marks: u64::from(level == top) }
            };
            list.iter().map(split).collect()
        });
        rows.push(row);
    }
    let split = Draft { rows, initial: 0, marks: 1 };
    settle(store, &split, &states)
}

/// All levels of a state accept the same, so what enters one may as well enter another in a lower component.
fn settle(store: &mut Store, draft: &Draft, states: &[(u32, u32)]) -> Draft {
    let components = Components::of_arrows(&draft.arrows(store));
    let mut lowest: FxHashMap<u32, u32> = FxHashMap::default();
    for (place, &(at, _)) in (0u32..).zip(states) {
        let best = lowest.entry(at).or_insert(place);
        if components.of[place as usize] < components.of[*best as usize] {
            *best = place;
        }
    }
    let target = |place: u32| {
        let best = lowest[&states[place as usize].0];
        if components.of[best as usize] < components.of[place as usize] { best } else { place }
    };
    let changed = draft
        .change(store, |_, list| list.iter().map(|arrow| Arrow { to: target(arrow.to), ..*arrow }).collect());
    reachable(store, &Draft { initial: target(draft.initial), ..changed })
}
