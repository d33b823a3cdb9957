//! Short runs that go on for ever: the way to a cycle, and the cycle.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::graph::{Arrow, Graph};
use crate::connected::Components;

/// How many nodes are looked at in search of a shorter lasso.
const EFFORT: usize = 2_000_000;

/// A stem and a cycle, as places of arrows: (node, arrow of the node).
pub(super) type Lasso = (Vec<Place>, Vec<Place>);

/// The arrow with this number of a node.
pub(super) type Place = (u32, u32);

/// For each component, whether a run can stay inside for ever and see every mark again and again.
pub(super) fn accepting(graph: &Graph) -> (Components, Vec<bool>) {
    let successors = |at: u32| graph.rows[at as usize].iter().map(|arrow| arrow.to);
    let components = Components::new(graph.rows.len(), successors);
    let mut seen: Vec<Option<u64>> = vec![None; components.count];
    for (at, row) in graph.rows.iter().enumerate() {
        let own = components.of[at];
        for arrow in row.iter().filter(|arrow| components.of[arrow.to as usize] == own) {
            let seen = &mut seen[own as usize];
            *seen = Some(seen.unwrap_or(0) | arrow.marks);
        }
    }
    let wanted = graph.wanted();
    let accepting = seen.iter().map(|seen| seen.is_some_and(|seen| seen & wanted == wanted)).collect();
    (components, accepting)
}

/// A short lasso that sees every mark again and again; none where there is no such run.
///
/// Every node of an accepting component is tried as the place where the cycle begins, the nearest first, until none
/// could give a shorter lasso or enough nodes were looked at; so the lasso is shortest in graphs of moderate size.
pub(super) fn shortest(graph: &Graph) -> Option<Lasso> {
    let (components, accepting) = accepting(graph);
    let (order, from) = breadth_first(graph);
    let mut depth = vec![0usize; graph.rows.len()];
    for &at in &order {
        depth[at as usize] = from[at as usize].map_or(0, |(before, _)| depth[before as usize] + 1);
    }
    let mut best: Option<Lasso> = None;
    let mut effort = EFFORT;
    for &anchor in order.iter().filter(|&&at| accepting[components.of[at as usize] as usize]) {
        let length = best.as_ref().map_or(usize::MAX, |(stem, cycle)| stem.len() + cycle.len());
        if depth[anchor as usize] + 1 >= length || effort == 0 {
            break;
        }
        let longest = length - depth[anchor as usize] - 1;
        let inside = |arrow: &Arrow| components.of[arrow.to as usize] == components.of[anchor as usize];
        let found = cycle(graph, anchor, longest, &mut effort, inside);
        let found = match (found, &best) {
            (None, None) => Some(greedy(graph, anchor, inside)),
            (found, _) => found,
        };
        if let Some(cycle) = found {
            best = Some((back(&from, anchor), cycle));
        }
    }
    best
}

/// The shortest way from the start to a node.
pub(super) fn way_to(graph: &Graph, node: u32) -> Vec<Place> {
    back(&breadth_first(graph).1, node)
}

fn back(from: &[Option<Place>], mut at: u32) -> Vec<Place> {
    let mut way = Vec::new();
    while let Some(place) = from[at as usize] {
        way.push(place);
        at = place.0;
    }
    way.reverse();
    way
}

/// The nodes in the order in which a breadth-first search meets them, and how each was met.
fn breadth_first(graph: &Graph) -> (Vec<u32>, Vec<Option<Place>>) {
    let mut from: Vec<Option<Place>> = vec![None; graph.rows.len()];
    let mut order: Vec<u32> = Vec::new();
    if !graph.rows.is_empty() {
        order.push(0);
    }
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        next += 1;
        for (place, arrow) in (0..).zip(&graph.rows[at as usize]) {
            if arrow.to != 0 && from[arrow.to as usize].is_none() {
                from[arrow.to as usize] = Some((at, place));
                order.push(arrow.to);
            }
        }
    }
    (order, from)
}

/// The shortest way from the anchor back to it that sees every mark, of at most so many arrows; none where there is
/// none, or it would take too much effort to find.
fn cycle(
    graph: &Graph,
    anchor: u32,
    longest: usize,
    effort: &mut usize,
    inside: impl Fn(&Arrow) -> bool,
) -> Option<Vec<Place>> {
    let wanted = graph.wanted();
    let mut from: FxHashMap<(u32, u64), ((u32, u64), u32)> = FxHashMap::default();
    let mut open: VecDeque<((u32, u64), usize)> = VecDeque::from([((anchor, 0), 0)]);
    while let Some((at, depth)) = open.pop_front() {
        *effort = effort.checked_sub(1)?;
        if depth >= longest {
            return None;
        }
        let (node, seen) = at;
        for (place, arrow) in (0..).zip(&graph.rows[node as usize]) {
            if !inside(arrow) {
                continue;
            }
            let to = (arrow.to, seen | arrow.marks & wanted);
            if to == (anchor, wanted) {
                let mut way = vec![(node, place)];
                let mut back = at;
                while let Some(&(before, place)) = from.get(&back) {
                    way.push((before.0, place));
                    back = before;
                }
                way.reverse();
                return Some(way);
            }
            if to != (anchor, 0) && !from.contains_key(&to) {
                from.insert(to, (at, place));
                open.push_back((to, depth + 1));
            }
        }
    }
    None
}

/// Some way from the anchor back to it that sees every mark: to the nearest arrow with a new one again and again, then
/// home. There is one, because the anchor's component has an arrow for every mark.
fn greedy(graph: &Graph, anchor: u32, inside: impl Fn(&Arrow) -> bool) -> Vec<Place> {
    let wanted = graph.wanted();
    let (mut at, mut seen, mut way) = (anchor, 0, Vec::new());
    while seen != wanted || at != anchor || way.is_empty() {
        let ends = |arrow: &Arrow| match seen == wanted {
            true => arrow.to == anchor,
            false => arrow.marks & wanted & !seen != 0,
        };
        let part = nearest(graph, at, &inside, ends);
        let Some(&(last, place)) = part.last() else { break };
        let arrow = graph.rows[last as usize][place as usize];
        let walked = |&(node, place): &Place| graph.rows[node as usize][place as usize].marks & wanted;
        seen |= part.iter().map(walked).fold(0, |all, marks| all | marks);
        at = arrow.to;
        way.extend(part);
    }
    way
}

/// The shortest way along inner arrows to one that ends it; empty where there is none.
fn nearest(
    graph: &Graph,
    start: u32,
    inside: &impl Fn(&Arrow) -> bool,
    ends: impl Fn(&Arrow) -> bool,
) -> Vec<Place> {
    let mut from: FxHashMap<u32, Place> = FxHashMap::default();
    let mut open = VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        for (place, arrow) in (0..).zip(&graph.rows[node as usize]).filter(|(_, arrow)| inside(arrow)) {
            if ends(arrow) {
                let mut way = vec![(node, place)];
                let mut back = node;
                while back != start
                    && let Some(&before) = from.get(&back)
                {
                    way.push(before);
                    back = before.0;
                }
                way.reverse();
                return way;
            }
            if arrow.to != start && !from.contains_key(&arrow.to) {
                from.insert(arrow.to, (node, place));
                open.push_back(arrow.to);
            }
        }
    }
    Vec::new()
}
