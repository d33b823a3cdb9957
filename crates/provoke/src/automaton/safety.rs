//! Which automata serve as requirements and as test purposes, and why the others do not.

use std::sync::Arc;

use super::cycles::{cycle, live_states};
use super::guard::show_guard;
use super::read::{Marked, Spans, checked, out_of_nodes, read_hoa, read_marked};
use super::{Acceptance, Automaton, Edge, Marks, StateInfo};
use crate::bdd::{OutOfNodes, Space};
use crate::diagnostic::{Source, SpecError};

impl Automaton {
    /// Accepts what this deterministic safety automaton forbids: everything after an exchange without an edge.
    pub(crate) fn breaking(&self) -> Automaton {
        let broken = self.states.len() as u32;
        let mut result = self.clone();
        result.acceptance = Acceptance::Buchi(1);
        for (at, state) in result.states.iter_mut().enumerate() {
            state.marks = 0;
            state.edges.iter_mut().for_each(|edge| edge.marks = 0);
            let missing = &self.space.exchanges() - &self.allowed(at as u32);
            if !missing.is_none() {
                state.edges.push(Edge { guard: missing, to: broken, marks: 0 });
            }
        }
        let stays = Edge { guard: self.space.exchanges(), to: broken, marks: 0 };
        result.states.push(StateInfo { name: None, marks: 1, edges: vec![stays] });
        result
    }
}

/// Why an automaton cannot be used as a requirement or as a test purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// One exchange takes two edges of a state to different states: (state, edge, edge).
    Guesses(u32, usize, usize),
    /// Nothing is accepted at all.
    Empty,
    /// A run may go round this cycle of states for ever and is not accepted, though each of its beginnings
    /// could go on to be accepted.
    Liveness(Vec<u32>),
    /// A test purpose without a reachable accepting state.
    Purposeless,
    /// A test purpose with this many acceptance sets.
    ManyMarks(u32),
    /// Whether it can be used was not found out: that needs more nodes than there may be.
    OutOfNodes(OutOfNodes),
}

impl From<OutOfNodes> for Unfit {
    fn from(error: OutOfNodes) -> Unfit {
        Unfit::OutOfNodes(error)
    }
}

impl Unfit {
    /// What is wrong, shown in the file.
    pub fn at(&self, automaton: &Automaton, spans: &Spans) -> SpecError {
        let initial = spans.state(automaton.initial);
        match self {
            Unfit::OutOfNodes(full) => out_of_nodes(SpecError::whole(&spans.source, ""), *full),
            Unfit::Guesses(state, first, second) => {
                let (line, column) = spans.source.line_column(spans.edge(*state, *first).start);
                let edges = &automaton.states[*state as usize].edges;
                let both = show_guard(&automaton.space, &(&edges[*first].guard & &edges[*second].guard));
                let name = automaton.state_name(*state);
                let message = format!("state {name} is not deterministic: two edges take {both}");
                let error = spans.source.error(spans.edge(*state, *second), message);
                error.help(format!(
                    "the other edge is at line {line}, column {column}; make their labels exclude each other"
                ))
            }
            Unfit::Empty => {
                let error = spans.source.error(initial, "this automaton accepts nothing");
                error.help("give it a `Start:` state; mark accepting states with {0}, or write `Acceptance: 0 t` if every infinite run is accepted")
            }
            Unfit::Liveness(cycle) => {
                let states: Vec<String> = cycle.iter().map(|&state| automaton.state_name(state)).collect();
                let message = match &states[..] {
                    [state] => format!(
                        "not a safety automaton: a run may stay in {state} for ever and is not accepted"
                    ),
                    _ => format!(
                        "not a safety automaton: a run may go through {} for ever and is not accepted",
                        states.join(", ")
                    ),
                };
                let place = cycle.first().map_or(initial, |&state| spans.state(state));
                let error = spans.source.error(place, message);
                error.help("a finite test cannot see such a violation; mark the state with {0}, or take the edge out if it is forbidden")
            }
            Unfit::Purposeless => {
                let error = spans
                    .source
                    .error(initial, "this test purpose has no accepting state that can be reached");
                error.help("write `Acceptance: 1 Inf(0)` and mark the states to reach with {0}")
            }
            Unfit::ManyMarks(marks) => {
                let error = spans
                    .source
                    .error(initial, format!("a test purpose has one acceptance set, not {marks}"));
                error.help("write `Acceptance: 1 Inf(0)`, or one test purpose for each set")
            }
        }
    }
}

/// Reads a HOA file as a requirement over an interface.
pub fn read_requirement(source: &Source, space: &Arc<Space>) -> Result<Automaton, SpecError> {
    let (automaton, spans) = read_hoa(source, Some(space))?;
    checked(source, space, requirement(&automaton).map_err(|unfit| unfit.at(&automaton, &spans)))
}

/// Reads a HOA file as a test purpose over an interface.
pub fn read_purpose(source: &Source, space: &Arc<Space>) -> Result<Automaton, SpecError> {
    let Marked { automaton, spans, ceasing } = read_marked(source, Some(space))?;
    let found = if ceasing { Err(Unfit::Purposeless) } else { purpose(&automaton) };
    checked(source, space, found.map_err(|unfit| unfit.at(&automaton, &spans)))
}

/// The requirement that an automaton states: a deterministic automaton where a step without an edge is a
/// violation, and nothing else is.
///
/// Runs that can no longer be accepted are violations already, so edges to states from which no accepting
/// cycle can be reached are taken out. What remains must be accepted however long it goes on: for a
/// deterministic automaton this is exactly when its language is a safety property. States keep their numbers
/// and names (a name such as `error` means nothing special); marks are gone.
pub fn requirement(automaton: &Automaton) -> Result<Automaton, Unfit> {
    automaton.space.bdds().checked(without_violations(automaton))
}

fn without_violations(automaton: &Automaton) -> Result<Automaton, Unfit> {
    deterministic(automaton)?;
    if automaton.states.is_empty() {
        return Err(Unfit::Empty);
    }
    let Acceptance::Buchi(marks) = automaton.acceptance else {
        return Ok(violations_taken_out(automaton, &vec![true; automaton.states.len()]));
    };
    let live = live_states(automaton);
    if !live[automaton.initial as usize] {
        return Err(Unfit::Empty);
    }
    let result = violations_taken_out(automaton, &live);
    let reachable = result.reachable();
    for mark in 0..marks {
        let without = |at: u32, to: u32, marks: Marks| {
            let inside = reachable[at as usize] && live[at as usize] && live[to as usize];
            inside && marks >> mark & 1 == 0
        };
        if let Some(cycle) = cycle(automaton, without) {
            return Err(Unfit::Liveness(cycle));
        }
    }
    Ok(result)
}

/// The automaton without marks and without edges from and to states where nothing is accepted any more.
pub(super) fn violations_taken_out(automaton: &Automaton, live: &[bool]) -> Automaton {
    let mut result = automaton.clone();
    result.acceptance = Acceptance::All;
    for (at, state) in result.states.iter_mut().enumerate() {
        state.marks = 0;
        state.edges.retain(|edge| live[at] && live[edge.to as usize]);
        state.edges.iter_mut().for_each(|edge| edge.marks = 0);
    }
    result
}

/// The test purpose that an automaton states: a deterministic automaton with one acceptance set, and that on
/// states; reaching one of them serves the purpose.
///
/// Where edges are accepting, the states they lead to are split in two: one that is reached by such an edge
/// and is accepting, one that is not. The split-off states come after all others and share names.
pub fn purpose(automaton: &Automaton) -> Result<Automaton, Unfit> {
    automaton.space.bdds().checked(marked_on_states(automaton))
}

fn marked_on_states(automaton: &Automaton) -> Result<Automaton, Unfit> {
    deterministic(automaton)?;
    match automaton.acceptance {
        Acceptance::All => return Err(Unfit::Purposeless),
        Acceptance::Buchi(1) => {}
        Acceptance::Buchi(marks) => return Err(Unfit::ManyMarks(marks)),
    }
    // An edge mark beside a state mark adds nothing: whoever reads the edge has been in the state.
    let mut result = automaton.clone();
    let mut origins: Vec<u32> = (0..automaton.states.len() as u32).collect();
    let mut twins = vec![None; automaton.states.len()];
    for edge in automaton.states.iter().flat_map(|state| &state.edges) {
        let target = &automaton.states[edge.to as usize];
        if edge.marks != 0 && target.marks == 0 && twins[edge.to as usize].is_none() {
            twins[edge.to as usize] = Some(origins.len() as u32);
            origins.push(edge.to);
            result.states.push(StateInfo { marks: 1, ..target.clone() });
        }
    }
    for edge in result.states.iter_mut().flat_map(|state| &mut state.edges) {
        if std::mem::take(&mut edge.marks) != 0 {
            edge.to = twins[edge.to as usize].unwrap_or(edge.to);
        }
    }
    if let Some((state, first, second)) = result.nondeterminism() {
        return Err(Unfit::Guesses(origins[state as usize], first, second));
    }
    let reachable = result.reachable();
    let served = result.states.iter().zip(reachable).any(|(state, reached)| reached && state.marks != 0);
    if served { Ok(result) } else { Err(Unfit::Purposeless) }
}

fn deterministic(automaton: &Automaton) -> Result<(), Unfit> {
    match automaton.nondeterminism() {
        Some((state, first, second)) => Err(Unfit::Guesses(state, first, second)),
        None => Ok(()),
    }
}
