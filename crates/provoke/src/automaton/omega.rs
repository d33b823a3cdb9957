//! Requirements that are no safety properties, given as automata.

use std::sync::Arc;

use super::cycles::{components, live_states};
use super::progress::progress;
use super::read::{Marked, checked, read_marked};
use super::safety::{Unfit, requirement, violations_taken_out};
use super::{Acceptance, Automaton, Edge, FourValued, Marks, StateInfo, TranslationError, safety_closure};
use crate::bdd::Space;
use crate::diagnostic::{Source, SpecError};

/// What an automaton asks of a system.
#[derive(Clone, Debug)]
pub enum Required {
    /// A deterministic automaton: a step without an edge is a violation, and nothing else is.
    Safety(Automaton),
    /// Something that must happen again and again, or must cease to.
    Omega(Box<Omega>),
}

/// A requirement that may be broken in the long run without being broken after any number of steps.
#[derive(Clone, Debug)]
pub struct Omega {
    /// The strongest safety property that follows: deterministic, and a step without an edge is a bad prefix. The
    /// states of a deterministic automaton keep their numbers and names.
    pub safety: Automaton,
    /// Follows a run and says what it makes of it.
    pub four_valued: FourValued,
    /// The Büchi automaton of the runs that are right.
    pub accepts: Automaton,
    /// The Büchi automaton of the runs that are wrong; none where the automaton guesses.
    pub rejects: Option<Automaton>,
}

/// Reads a HOA file as a requirement over an interface: any deterministic safety automaton, and any Büchi,
/// generalised Büchi or co-Büchi automaton, which may guess.
///
/// Automata that accept every run (`0 t`) must be deterministic: two edges for one exchange are more likely to be a
/// slip there than a guess.
pub fn read_required(source: &Source, space: &Arc<Space>) -> Result<Required, SpecError> {
    let Marked { automaton, spans, ceasing } = read_marked(source, Some(space))?;
    let of = match requirement(&automaton) {
        Ok(safety) if !ceasing => return Ok(Required::Safety(safety)),
        Err(unfit @ Unfit::Guesses(..)) if automaton.acceptance == Acceptance::All => Err(unfit),
        _ => Ok(()),
    };
    let found = of.and_then(|()| omega(&automaton, ceasing).transpose().ok_or(Unfit::Empty));
    checked(source, space, Ok(()))?;
    match found {
        Err(unfit) => Err(unfit.at(&automaton, &spans)),
        Ok(Ok(omega)) => Ok(Required::Omega(Box::new(omega))),
        Ok(Err(_)) => Err(SpecError::whole(source, "the automaton guesses too much to be followed")
            .help("make it deterministic, or split the requirement into smaller ones")),
    }
}

/// The requirement of an automaton whose marks must recur or, with `ceasing`, whose one mark must not; nothing where
/// it accepts nothing.
fn omega(automaton: &Automaton, ceasing: bool) -> Result<Option<Omega>, TranslationError> {
    let automaton = &parallel_edges_joined(automaton);
    let accepts = if ceasing { settled(automaton) } else { automaton.clone() };
    let live = live_states(&accepts);
    if live.get(automaton.initial as usize) != Some(&true) {
        return Ok(None);
    }
    let safety = match automaton.nondeterminism() {
        None => violations_taken_out(automaton, &live[..automaton.states.len()]),
        Some(_) => safety_closure(&accepts)?,
    };
    let mut universal = accepts_all(&accepts, false);
    for (known, more) in universal.iter_mut().zip(accepts_all(automaton, ceasing)) {
        *known |= more;
    }
    let four_valued = progress(&accepts, &live, &universal)?;
    let deterministic = (0..automaton.states.len() as u32).all(|at| guesses_not(automaton, at));
    let rejects = deterministic.then(|| rejecting(automaton, ceasing));
    Ok(Some(Omega { safety, four_valued, accepts, rejects }))
}

/// One edge for all that lead from one state to another with the same marks: no guess is made between them.
fn parallel_edges_joined(automaton: &Automaton) -> Automaton {
    let mut result = automaton.clone();
    for state in &mut result.states {
        let mut joined: Vec<Edge> = Vec::with_capacity(state.edges.len());
        for edge in state.edges.drain(..) {
            match joined.iter_mut().find(|known| (known.to, known.marks) == (edge.to, edge.marks)) {
                Some(known) => known.guard = &known.guard | &edge.guard,
                None => joined.push(edge),
            }
        }
        state.edges = joined;
    }
    result
}

fn guesses_not(automaton: &Automaton, at: u32) -> bool {
    let edges = &automaton.states[at as usize].edges;
    let clash =
        |(second, edge): (usize, &Edge)| edges[..second].iter().any(|other| other.guard.meets(&edge.guard));
    !edges.iter().enumerate().any(clash)
}

/// The Büchi automaton of the runs that see some mark only finitely often: the states as they are, then for each
/// mark the states of runs that have seen it for the last time. A run that has is guessed at its first step without
/// the mark into a state without it.
pub(super) fn settled(automaton: &Automaton) -> Automaton {
    let count = automaton.states.len() as u32;
    let copies = automaton.acceptance.marks().count_ones();
    let mut states = Vec::with_capacity(automaton.states.len() * (copies as usize + 1));
    for state in &automaton.states {
        let moved = |edge: &Edge, copy: u32| Edge { to: edge.to + copy * count, marks: 0, ..edge.clone() };
        let settles = |edge: &Edge, copy: u32| {
            let marks = edge.marks | automaton.states[edge.to as usize].marks;
            copy == 0 || marks >> (copy - 1) & 1 == 0
        };
        let edges = state.edges.iter().flat_map(|edge| {
            let copies = (0..=copies).filter(move |&copy| settles(edge, copy));
            copies.map(move |copy| moved(edge, copy))
        });
        states.push(StateInfo { name: state.name.clone(), marks: 0, edges: edges.collect() });
    }
    for mark in 0..copies {
        for state in &automaton.states {
            let free = |edge: &&Edge| (state.marks | edge.marks) >> mark & 1 == 0;
            let moved = |edge: &Edge| Edge { to: edge.to + (mark + 1) * count, marks: 0, ..edge.clone() };
            let edges = state.edges.iter().filter(free).map(moved).collect();
            states.push(StateInfo { name: None, marks: 1, edges });
        }
    }
    Automaton { states, acceptance: Acceptance::Buchi(1), ..automaton.clone() }
}

/// The Büchi automaton of what a deterministic automaton does not accept.
fn rejecting(automaton: &Automaton, ceasing: bool) -> Automaton {
    let mut complete = automaton.clone();
    let sink = automaton.states.len() as u32;
    for (at, state) in (0..).zip(&mut complete.states) {
        let missing = &automaton.space.exchanges() - &automaton.allowed(at);
        if !missing.is_none() {
            state.edges.push(Edge { guard: missing, to: sink, marks: 0 });
        }
    }
    // What was read without an edge is rejected for good: no mark ever recurs, or the one that must not does.
    let stays = Edge { guard: automaton.space.exchanges(), to: sink, marks: 0 };
    complete.states.push(StateInfo { name: None, marks: Marks::from(ceasing), edges: vec![stays] });
    if ceasing { complete } else { settled(&complete) }
}

/// For each state, whether it surely accepts everything: true only where no guess is made from there on, nothing is
/// without an edge, and every cycle is accepted.
fn accepts_all(automaton: &Automaton, ceasing: bool) -> Vec<bool> {
    let exchanges = automaton.space.exchanges();
    let count = automaton.states.len() as u32;
    let mut fails: Vec<bool> = (0..count)
        .map(|at| !guesses_not(automaton, at) || !exchanges.is_within(&automaton.allowed(at)))
        .collect();
    let marks_of = |at: usize, edge: &Edge| automaton.states[at].marks | edge.marks;
    let mut note_cycles = |kept: &dyn Fn(Marks) -> bool, counts: &dyn Fn(Marks) -> bool| {
        let edges =
            |at: usize| automaton.states[at].edges.iter().filter(move |edge| kept(marks_of(at, edge)));
        let graph: Vec<Vec<u32>> =
            (0..automaton.states.len()).map(|at| edges(at).map(|edge| edge.to).collect()).collect();
        let component = components(&graph);
        for at in 0..graph.len() {
            let inside =
                |edge: &&Edge| component[edge.to as usize] == component[at] && counts(marks_of(at, edge));
            fails[at] |= edges(at).any(|edge| inside(&edge));
        }
    };
    match ceasing {
        true => note_cycles(&|_| true, &|marks| marks != 0),
        false => (0..automaton.acceptance.marks().count_ones())
            .for_each(|mark| note_cycles(&|marks| marks >> mark & 1 == 0, &|_| true)),
    }
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); automaton.states.len()];
    for (at, state) in (0..).zip(&automaton.states) {
        state.edges.iter().for_each(|edge| before[edge.to as usize].push(at));
    }
    let mut open: Vec<u32> = (0..count).filter(|&at| fails[at as usize]).collect();
    while let Some(at) = open.pop() {
        for &from in &before[at as usize] {
            if !std::mem::replace(&mut fails[from as usize], true) {
                open.push(from);
            }
        }
    }
    fails.into_iter().map(|fails| !fails).collect()
}

#[cfg(test)]
mod tests;
