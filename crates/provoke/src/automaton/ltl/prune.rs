//! Takes out what no accepting run needs: dead states, idle marks.

use super::graph::{Arrow, Graph, Marks, Store, all_marks};
use super::scc::Components;

/// The same language without states that accept nothing or cannot be reached, and with as few marks as the
/// components allow.
///
/// A mark is idle in a component where another one never comes without it. Marks outside accepting components
/// mean nothing and are removed.
pub(crate) fn prune(store: &mut Store, graph: &Graph) -> Graph {
    let arrows = graph.arrows(store);
    let components = Components::new(&arrows);
    let marks = components.marks(&arrows);
    let accepting = |component: u32| marks[component as usize] == Some(graph.all_marks());
    let by_component = components.members();
    let alive = living(graph, &arrows, &components);
    if !alive[graph.initial as usize] {
        return Graph::nothing();
    }

    let mut kept: Vec<Vec<u32>> = vec![Vec::new(); components.count];
    for (number, component) in (0u32..).zip(&by_component) {
        if accepting(number) {
            let inside: Vec<Marks> = component
                .iter()
                .flat_map(|&at| arrows[at].iter().map(move |arrow| (at, arrow)))
                .filter(|(at, arrow)| components.inside(*at, arrow))
                .map(|(_, arrow)| arrow.marks)
                .collect();
            kept[number as usize] = needed_marks(graph.marks, &inside);
        }
    }
    let rejects = (0..arrows.len()).any(|at| {
        alive[at]
            && !accepting(components.of[at])
            && arrows[at].iter().any(|arrow| components.inside(at, arrow))
    });
    let most = kept.iter().map(Vec::len).max().unwrap_or(0).max(usize::from(rejects));

    let changed = graph.change(store, |at, list| {
        let renamed = |arrow: &Arrow| {
            let inside = components.inside(at as usize, arrow) && accepting(components.of[at as usize]);
            let kept = &kept[components.of[at as usize] as usize];
            let place = |(place, &mark): (usize, &u32)| ((arrow.marks >> mark & 1) as Marks) << place;
            let own: Marks = kept.iter().enumerate().map(place).sum();
            let spare = all_marks(most as u32) & !all_marks(kept.len() as u32);
            Arrow { to: arrow.to, marks: if inside { own | spare } else { 0 } }
        };
        list.iter().filter(|arrow| alive[arrow.to as usize]).map(renamed).collect()
    });
    reachable(store, &Graph { marks: most as u32, ..changed })
}

/// For each state, whether it accepts some word.
fn living(graph: &Graph, arrows: &[Vec<Arrow>], components: &Components) -> Vec<bool> {
    let marks = components.marks(arrows);
    let mut alive = vec![false; arrows.len()];
    // Components come lowest first, so what lies behind a state is known before the state.
    for (number, component) in components.members().iter().enumerate() {
        let beyond = |&at: &usize| arrows[at].iter().any(|arrow| alive[arrow.to as usize]);
        if marks[number] == Some(graph.all_marks()) || component.iter().any(beyond) {
            component.iter().for_each(|&at| alive[at] = true);
        }
    }
    alive
}

/// The same automaton, marks and all, without the states that accept no word.
pub(crate) fn alive(store: &mut Store, graph: &Graph) -> Graph {
    let arrows = graph.arrows(store);
    let alive = living(graph, &arrows, &Components::new(&arrows));
    if !alive[graph.initial as usize] {
        return Graph::nothing();
    }
    let kept = graph
        .change(store, |_, list| list.iter().filter(|arrow| alive[arrow.to as usize]).copied().collect());
    reachable(store, &kept)
}

/// The marks without those that always come along with another one.
fn needed_marks(count: u32, inside: &[Marks]) -> Vec<u32> {
    let mut kept: Vec<u32> = (0..count).collect();
    let mut at = 0;
    while at < kept.len() {
        let this = kept[at];
        let idle = inside.iter().all(|marks| marks >> this & 1 == 1)
            || kept.iter().any(|&other| {
                other != this && inside.iter().all(|marks| marks >> other & 1 <= marks >> this & 1)
            });
        match idle {
            true => drop(kept.remove(at)),
            false => at += 1,
        }
    }
    kept
}

/// The same automaton without unreachable states, numbered in the order a breadth-first walk meets them.
pub(crate) fn reachable(store: &mut Store, graph: &Graph) -> Graph {
    let mut number = vec![None; graph.len()];
    let mut order = vec![graph.initial];
    number[graph.initial as usize] = Some(0);
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        next += 1;
        for arrow in store.arrows_of(graph.rows[at as usize]) {
            if number[arrow.to as usize].is_none() {
                number[arrow.to as usize] = Some(order.len() as u32);
                order.push(arrow.to);
            }
        }
    }
    graph.renumber(store, &number)
}
