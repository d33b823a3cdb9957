//! Takes out what no accepting run needs: dead states, idle marks.

use super::draft::{Arrow, Draft, Store};
use super::marks::Renaming;
use crate::connected::Components;

/// The same language without states that accept nothing or cannot be reached, and with as few marks as the
/// components allow. Marks outside accepting components mean nothing and are removed.
pub(crate) fn prune(store: &mut Store, draft: &Draft) -> Draft {
    let arrows = draft.arrows(store);
    let components = Components::of_arrows(&arrows);
    let marks = components.marks(&arrows);
    let accepting = |component: u32| marks[component as usize] == Some(draft.all_marks());
    let by_component = components.members();
    let alive = living(draft, &arrows, &components);
    if !alive[draft.initial as usize] {
        return Draft::nothing();
    }

    let rejects = (0..arrows.len()).any(|at| {
        alive[at]
            && !accepting(components.of[at])
            && arrows[at].iter().any(|arrow| components.inside(at, arrow))
    });
    let renamed: Vec<Option<Renaming>> = (0u32..)
        .zip(&by_component)
        .map(|(number, states)| accepting(number).then(|| Renaming::new(draft, &arrows, &components, states)))
        .collect();
    let most = renamed.iter().flatten().map(Renaming::marks).max().unwrap_or(0).max(u32::from(rejects));

    let changed = draft.change(store, |at, list| {
        let rename = |arrow: &Arrow| {
            let marks = match &renamed[components.of[at as usize] as usize] {
                Some(renaming) if components.inside(at as usize, arrow) => renaming.apply(at, arrow, most),
                _ => 0,
            };
            Arrow { to: arrow.to, marks }
        };
        list.iter().filter(|arrow| alive[arrow.to as usize]).map(rename).collect()
    });
    reachable(store, &Draft { marks: most, ..changed })
}

/// For each state, whether it accepts some word.
fn living(draft: &Draft, arrows: &[Vec<Arrow>], components: &Components) -> Vec<bool> {
    let marks = components.marks(arrows);
    let mut alive = vec![false; arrows.len()];
    // Components come lowest first, so what lies behind a state is known before the state.
    for (number, component) in components.members().iter().enumerate() {
        let beyond = |&at: &usize| arrows[at].iter().any(|arrow| alive[arrow.to as usize]);
        if marks[number] == Some(draft.all_marks()) || component.iter().any(beyond) {
            component.iter().for_each(|&at| alive[at] = true);
        }
    }
    alive
}

/// The same automaton, marks and all, without the states that accept no word.
pub(crate) fn alive(store: &mut Store, draft: &Draft) -> Draft {
    let arrows = draft.arrows(store);
    let alive = living(draft, &arrows, &Components::of_arrows(&arrows));
    if !alive[draft.initial as usize] {
        return Draft::nothing();
    }
    let kept = draft
        .change(store, |_, list| list.iter().filter(|arrow| alive[arrow.to as usize]).copied().collect());
    reachable(store, &kept)
}

/// The same automaton without unreachable states, numbered in the order a breadth-first walk meets them.
pub(crate) fn reachable(store: &mut Store, draft: &Draft) -> Draft {
    let mut number = vec![None; draft.len()];
    let mut order = vec![draft.initial];
    number[draft.initial as usize] = Some(0);
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        next += 1;
        for arrow in store.arrows_of(draft.rows[at as usize]) {
            if number[arrow.to as usize].is_none() {
                number[arrow.to as usize] = Some(order.len() as u32);
                order.push(arrow.to);
            }
        }
    }
    draft.renumber(store, &number)
}
