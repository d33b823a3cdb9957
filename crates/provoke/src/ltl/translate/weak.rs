//! Smallest deterministic automata for obligations: what is a Boolean combination of safety and co-safety.

use std::collections::VecDeque;
use std::rc::Rc;

use super::chart::{Chart, subsets};
use super::draft::{Arrow, Draft, Store};
use super::language::{is_empty, product};
use crate::connected::Components;

/// The smallest weak deterministic automaton that accepts what the draft accepts, if the formula is an
/// obligation, as a draft with accepting states.
///
/// After Dax, Eisinger and Klaedtke (2007), Löding (2001): read every word with the set of states the draft may
/// be in, call a component of that automaton accepting where the draft accepts one word that stays in it, then
/// minimise. The result is right if the formula is an obligation and wrong otherwise, so unless the formula's
/// shape says that it is one (`surely`), the result is compared with the drafts of formula and negation.
///
/// Nothing where the formula is no obligation, or where more than `limit` sets would be needed.
pub(crate) fn weak(
    store: &mut Store,
    draft: &Draft,
    negation: Option<&Draft>,
    surely: bool,
    limit: usize,
) -> Option<Draft> {
    let (chart, members) = subsets(store, draft, limit).ok()?;
    let accepting = accepting_states(store, draft, &chart, &members);
    let (chart, _) = chart.complete(store);
    let colours = colours(store, &chart, &[accepting, vec![false]].concat());
    let (small, colours) = chart.minimise(store, &colours);
    let weak = small.to_draft(store, |at| colours[at as usize] == 1);
    if !surely {
        let negation = negation?;
        let complement = small.to_draft(store, |at| colours[at as usize] == 0);
        let stray = product(store, &weak, negation).ok()?;
        let missed = product(store, &complement, draft).ok()?;
        if !is_empty(store, &stray) || !is_empty(store, &missed) {
            return None;
        }
    }
    Some(weak)
}

/// For each set of states, whether the draft accepts a word that stays in the set's component. Sets in no cycle
/// are called rejecting.
fn accepting_states(store: &Store, draft: &Draft, chart: &Chart, members: &[Rc<[u32]>]) -> Vec<bool> {
    let arrows: Vec<Vec<Arrow>> = (0..chart.len() as u32)
        .map(|at| chart.successors(store, at).into_iter().map(|to| Arrow { to, marks: 0 }).collect())
        .collect();
    let components = Components::of_arrows(&arrows);
    let mut verdict: Vec<Option<bool>> = vec![None; components.count];
    let mut accepting = Vec::with_capacity(chart.len());
    for (at, from) in members.iter().enumerate() {
        let component = components.of[at] as usize;
        let known = match verdict[component] {
            Some(known) => known,
            None => {
                let cycle = cycle(&arrows, &components, at as u32);
                let fresh = cycle.is_some_and(|cycle| accepts_cycle(store, draft, chart, from, &cycle));
                verdict[component] = Some(fresh);
                fresh
            }
        };
        accepting.push(known);
    }
    accepting
}

/// A shortest way from a state back to itself, as the states it passes, the first one first.
fn cycle(arrows: &[Vec<Arrow>], components: &Components, start: u32) -> Option<Vec<u32>> {
    let mut before = vec![None; arrows.len()];
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for arrow in arrows[at as usize].iter().filter(|arrow| components.inside(at as usize, arrow)) {
            if arrow.to == start {
                let mut way = vec![at];
                while let Some(&last) = way.last()
                    && last != start
                {
                    way.push(before[last as usize]?);
                }
                way.reverse();
                return Some(way);
            }
            if before[arrow.to as usize].is_none() {
                before[arrow.to as usize] = Some(at);
                open.push_back(arrow.to);
            }
        }
    }
    None
}

/// Whether the draft accepts, from one of the states, the word that goes round a cycle of the chart for ever.
fn accepts_cycle(store: &Store, draft: &Draft, chart: &Chart, from: &[u32], cycle: &[u32]) -> bool {
    let length = cycle.len();
    let letters: Vec<Vec<(u32, bool)>> = (0..length)
        .map(|place| {
            let row = chart.rows[cycle[place] as usize];
            store.forest.letter(row, cycle[(place + 1) % length]).unwrap_or_default()
        })
        .collect();
    let arrows: Vec<Vec<Arrow>> = (0..draft.len() * length)
        .map(|state| {
            let (at, place) = (state / length, state % length);
            let leaf = store.forest.at(draft.rows[at], |variable| letters[place].contains(&(variable, true)));
            let to = |to: u32| (to as usize * length + (place + 1) % length) as u32;
            store.arrows.get(leaf).iter().map(|arrow| Arrow { to: to(arrow.to), ..*arrow }).collect()
        })
        .collect();
    let components = Components::of_arrows(&arrows);
    let marks = components.marks(&arrows);
    let mut seen = vec![false; arrows.len()];
    let mut open: Vec<usize> = from.iter().map(|&at| at as usize * length).collect();
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        if marks[components.of[at] as usize] == Some(draft.all_marks()) {
            return true;
        }
        open.extend(arrows[at].iter().map(|arrow| arrow.to as usize));
    }
    false
}

/// Which states of a complete weak automaton should accept so that minimising it as an automaton of finite
/// words gives the smallest: components count the changes still possible, states in no cycle go with what
/// follows them.
fn colours(store: &Store, chart: &Chart, accepting: &[bool]) -> Vec<u32> {
    let arrows: Vec<Vec<Arrow>> = (0..chart.len() as u32)
        .map(|at| chart.successors(store, at).into_iter().map(|to| Arrow { to, marks: 0 }).collect())
        .collect();
    let components = Components::of_arrows(&arrows);
    let cyclic = components.marks(&arrows);
    // Even numbers accept. Twice as many colours as components are more than enough.
    let highest = 2 * components.count as u32 + 2;
    let mut colour = vec![highest; components.count];
    for (own, states) in components.members().iter().enumerate() {
        let outside = states.iter().flat_map(|&at| &arrows[at]).map(|arrow| components.of[arrow.to as usize]);
        let least =
            outside.filter(|&to| to as usize != own).map(|to| colour[to as usize]).min().unwrap_or(highest);
        let fits = cyclic[own].is_none() || least.is_multiple_of(2) == accepting[states[0]];
        colour[own] = if fits { least } else { least - 1 };
    }
    components.of.iter().map(|&component| u32::from(colour[component as usize].is_multiple_of(2))).collect()
}
