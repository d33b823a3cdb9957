//! Follows a run through a Büchi automaton and says what is still to come.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::cycles::components;
use super::{Acceptance, Automaton, Edge, FourValued, Marks, StateInfo, TranslationError, Verdict};
use crate::bdd::Bdd;

/// The most sets of states a monitor may be made of.
const SETS: usize = 20_000;

/// How many guards may be compared while a monitor is made.
const WORK: usize = 5_000_000;

/// Where a run may be: a state and how many of the marks, in their order, were seen in this round. The value says
/// whether the last step ended a round.
type Places = BTreeMap<(u32, u32), bool>;

/// The monitor of a Büchi automaton, which may guess, given from which states anything and from which everything is
/// accepted; the second may be left unsaid.
///
/// A run is violated where no state is left from which anything is accepted, and satisfied where one is reached from
/// which everything is. In between an obligation is open while every guess has seen fewer than all marks since they
/// were last complete and could go on like that for ever; a state that must be accepting soon, or be left by a
/// violation, owes nothing.
///
/// A subset construction, as in [`super::visits()`].
pub(super) fn progress(
    automaton: &Automaton,
    live: &[bool],
    universal: &[bool],
) -> Result<FourValued, TranslationError> {
    let rounds = Rounds { automaton, live, marks: automaton.acceptance.marks().count_ones() };
    let waits = rounds.waits();
    let mut states: Vec<StateInfo> = Vec::new();
    let mut verdicts = Vec::new();
    let start = rounds.start();
    let mut numbers: FxHashMap<Places, u32> = FxHashMap::from_iter([(start.clone(), 0)]);
    let mut sets = vec![start];
    let mut work = 0;
    while let Some(places) = sets.get(states.len()).cloned() {
        let own = states.len() as u32;
        let mut info = StateInfo::default();
        if places.keys().any(|&(at, _)| universal[at as usize]) {
            info.edges.push(Edge { guard: automaton.space.exchanges(), to: own, marks: 0 });
            states.push(info);
            verdicts.push(Verdict::Satisfied);
            continue;
        }
        let owes_nothing =
            places.iter().any(|(&(at, seen), &ended)| ended || !waits[rounds.number(at, seen)]);
        verdicts.push(if owes_nothing { Verdict::SoFarGood } else { Verdict::SoFarBad });
        // Letters are told apart only where some edge tells them apart.
        let mut parts: Vec<(Bdd, Places)> = vec![(automaton.space.exchanges(), Places::new())];
        for &(at, seen) in places.keys() {
            for (edge, place, ended) in rounds.steps(at, seen) {
                work += parts.len();
                parts = parts.into_iter().flat_map(|part| split(part, &edge.guard, place, ended)).collect();
            }
        }
        for (guard, to) in parts {
            if to.is_empty() {
                continue;
            }
            let next = *numbers.entry(to).or_insert_with_key(|to| {
                sets.push(to.clone());
                sets.len() as u32 - 1
            });
            match info.edges.iter_mut().find(|edge| edge.to == next) {
                Some(edge) => edge.guard = &edge.guard | &guard,
                None => info.edges.push(Edge { guard, to: next, marks: 0 }),
            }
        }
        if sets.len() > SETS || work > WORK {
            return Err(TranslationError::TooLarge);
        }
        states.push(info);
    }
    let followed = Automaton {
        states,
        initial: 0,
        acceptance: Acceptance::All,
        name: None,
        space: automaton.space.clone(),
    };
    Ok(FourValued { automaton: followed, verdicts })
}

/// The letters of a part that take an edge, with its target added, and those that do not.
fn split(
    (guard, to): (Bdd, Places),
    taken: &Bdd,
    place: (u32, u32),
    ended: bool,
) -> impl Iterator<Item = (Bdd, Places)> {
    let (taken, rest) = (&guard & taken, &guard - taken);
    let mut with = to.clone();
    *with.entry(place).or_insert(false) |= ended;
    [(taken, with), (rest, to)].into_iter().filter(|(guard, _)| !guard.is_none())
}

/// How marks are counted off in rounds.
struct Rounds<'a> {
    automaton: &'a Automaton,
    live: &'a [bool],
    marks: u32,
}

impl Rounds<'_> {
    fn number(&self, at: u32, seen: u32) -> usize {
        at as usize * self.marks as usize + seen as usize
    }

    /// How many marks of the round were seen after these, and whether that ended the round.
    fn after(&self, mut seen: u32, marks: Marks) -> (u32, bool) {
        while seen < self.marks && marks >> seen & 1 == 1 {
            seen += 1;
        }
        if seen == self.marks { (0, true) } else { (seen, false) }
    }

    /// The edges of a state that leave hope, where they lead, and whether they end a round. A state's marks count
    /// when it is reached.
    fn steps(&self, at: u32, seen: u32) -> impl Iterator<Item = (&Edge, (u32, u32), bool)> {
        let states = &self.automaton.states;
        let edges = states[at as usize].edges.iter().filter(|edge| self.live[edge.to as usize]);
        edges.map(move |edge| {
            let (seen, ended) = self.after(seen, edge.marks | states[edge.to as usize].marks);
            (edge, (edge.to, seen), ended)
        })
    }

    /// Before the first step. Where marks stand on edges alone, nothing is owed yet in a state that can be come back
    /// to with all of them seen.
    fn start(&self) -> Places {
        let states = &self.automaton.states;
        let initial = self.automaton.initial;
        let (seen, mut ended) = self.after(0, states[initial as usize].marks);
        if states.iter().all(|state| state.marks == 0) {
            let graph: Vec<Vec<u32>> =
                states.iter().map(|state| state.edges.iter().map(|edge| edge.to).collect()).collect();
            let component = components(&graph);
            let own = component[initial as usize];
            let inside = |at: &usize| component[*at] == own;
            let edges = (0..states.len()).filter(inside).flat_map(|at| &states[at].edges);
            let around = edges.filter(|edge| component[edge.to as usize] == own);
            ended = around.fold(0, |all, edge| all | edge.marks) & self.automaton.acceptance.marks()
                == self.automaton.acceptance.marks();
        }
        Places::from([((initial, seen), ended)])
    }

    /// For each place, whether a run can go on from it for ever without ending a round.
    fn waits(&self) -> Vec<bool> {
        let count = self.automaton.states.len() as u32;
        let mut graph: Vec<Vec<u32>> = Vec::with_capacity(count as usize * self.marks as usize);
        for at in 0..count {
            for seen in 0..self.marks {
                let on = self.steps(at, seen).filter(|(_, _, ended)| !ended);
                graph.push(on.map(|(_, (to, seen), _)| self.number(to, seen) as u32).collect());
            }
        }
        let component = components(&graph);
        let mut order: Vec<usize> = (0..graph.len()).collect();
        // Components lead to smaller numbers only.
        order.sort_unstable_by_key(|&at| component[at]);
        let mut waits = vec![false; graph.len()];
        for members in order.chunk_by(|&a, &b| component[a] == component[b]) {
            let round = |at: usize| graph[at].iter().any(|&to| component[to as usize] == component[at]);
            let on = |at: usize| graph[at].iter().any(|&to| waits[to as usize]);
            let wait = members.iter().any(|&at| round(at) || on(at));
            members.iter().for_each(|&at| waits[at] = wait);
        }
        waits
    }
}
