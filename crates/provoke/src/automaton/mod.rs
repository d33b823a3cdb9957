//! What a requirement accepts: automata with symbolic guards.

mod classes;
mod common;
mod conjunction;
mod cubes;
mod cycles;
mod expected;
mod factor;
mod formula;
mod guard;
mod omega;
mod progress;
mod read;
mod safety;
mod table;
mod values;
mod visits;
mod write;

use std::sync::Arc;

use crate::bdd::{Bdd, Space};
use crate::trace::Step;

pub use crate::ltl::{TranslationError, Verdict};
pub use classes::{ClassGoal, Classes};
pub use common::common_word;
pub use conjunction::conjunction;
pub use cubes::{CubeEdge, CubeState, Cubes};
pub use expected::{Expected, expected};
pub use formula::{FourValued, buchi, four_valued, obligations, safety_automaton, safety_closure};
pub use guard::show_guard;
pub use omega::{Omega, Required, read_required};
pub(crate) use read::out_of_nodes;
pub use read::{Spans, hoa_interface, read_hoa};
pub use safety::{Unfit, purpose, read_purpose, read_requirement, requirement};
pub use table::Table;
pub use visits::visits;
pub use write::{write_hoa, write_hoa_with};

/// An automaton that reads exchanges, as in the HOA format: guards on edges, acceptance marks on states and
/// edges, names on states.
///
/// The same type serves for deterministic safety automata, test purposes and the Büchi automata of formulas;
/// [`acceptance`](Automaton::acceptance) and the questions below tell them apart.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The variables of the guards.
    pub space: Arc<Space>,
    /// A title for reports, if it has one.
    pub name: Option<String>,
    /// The states; a state's number is its place here.
    pub states: Vec<StateInfo>,
    /// Where reading starts. Meaningless when there is no state: such an automaton accepts nothing.
    pub initial: u32,
    /// Which infinite words are accepted.
    pub acceptance: Acceptance,
}

/// One state of an [`Automaton`].
#[derive(Clone, Debug, Default)]
pub struct StateInfo {
    /// Its name in the file, if it has one.
    pub name: Option<String>,
    /// The acceptance marks of the state: they count for every edge that leaves it.
    pub marks: Marks,
    /// Where it may go. Guards may overlap when the automaton is not deterministic.
    pub edges: Vec<Edge>,
}

/// One edge of an [`Automaton`].
#[derive(Clone, Debug)]
pub struct Edge {
    /// The exchanges that take this edge.
    pub guard: Bdd,
    /// The state it leads to.
    pub to: u32,
    /// Its own acceptance marks.
    pub marks: Marks,
}

/// A set of acceptance marks: bit `i` is mark `i`.
pub type Marks = u32;

/// Which infinite words an automaton accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// Every word that can be read (HOA `0 t`): a monitor.
    All,
    /// The words that visit each of this many marks infinitely often (HOA `Inf(0)&Inf(1)&...`); one mark is
    /// a Büchi automaton.
    Buchi(u32),
}

impl Acceptance {
    /// The marks that must all be seen again and again.
    pub fn marks(self) -> Marks {
        match self {
            Acceptance::All => 0,
            Acceptance::Buchi(marks) => ((1u64 << marks) - 1) as Marks,
        }
    }
}

impl Automaton {
    /// A state's name, or its number where it has none.
    pub fn state_name(&self, at: u32) -> String {
        match &self.states[at as usize].name {
            Some(name) => name.clone(),
            None => at.to_string(),
        }
    }

    /// The state with this name, or with this number where no state has the name.
    pub fn state_named(&self, name: &str) -> Option<u32> {
        let named = self.states.iter().position(|state| state.name.as_deref() == Some(name));
        let numbered = || name.parse().ok().filter(|&at: &usize| at < self.states.len());
        named.or_else(numbered).map(|at| at as u32)
    }

    /// The first pair of edges that one exchange could both take to different states: (state, edge, edge).
    pub fn nondeterminism(&self) -> Option<(u32, usize, usize)> {
        for (at, state) in self.states.iter().enumerate() {
            for (second, edge) in state.edges.iter().enumerate() {
                let clash = |other: &Edge| other.to != edge.to && other.guard.meets(&edge.guard);
                if let Some(first) = state.edges[..second].iter().position(clash) {
                    return Some((at as u32, first, second));
                }
            }
        }
        None
    }

    /// The exchanges that some edge of the state takes.
    pub fn allowed(&self, at: u32) -> Bdd {
        let edges = &self.states[at as usize].edges;
        edges.iter().fold(self.space.bdds().none(), |sum, edge| &sum | &edge.guard)
    }

    /// For each state, whether it can be reached from the initial one.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.states.len()];
        let mut open = Vec::new();
        if let Some(start) = reached.get_mut(self.initial as usize) {
            *start = true;
            open.push(self.initial);
        }
        while let Some(at) = open.pop() {
            for edge in &self.states[at as usize].edges {
                if !std::mem::replace(&mut reached[edge.to as usize], true) {
                    open.push(edge.to);
                }
            }
        }
        reached
    }

    /// Whether everything is said after so many steps at most, whatever comes: nothing goes round but states that allow everything for
    /// ever.
    pub fn is_soon_settled(&self) -> bool {
        let exchanges = self.space.exchanges();
        let allows_all = |at: usize| {
            let stays = |edge: &Edge| edge.to as usize == at && exchanges.is_within(&edge.guard);
            self.states[at].edges.iter().any(stays)
        };
        let is_free: Vec<bool> = (0..self.states.len()).map(allows_all).collect();
        cycles::cycle(self, |from, _, _| !is_free[from as usize]).is_none()
    }

    /// Where a deterministic automaton is after a run; none where it has no edge for it.
    pub fn after(&self, trace: &[Step]) -> Option<u32> {
        trace.iter().try_fold(self.initial, |at, step| {
            let value = self.space.value(step.input, step.output);
            self.states[at as usize].edges.iter().find(|edge| edge.guard.contains(&value)).map(|edge| edge.to)
        })
    }

    /// How many edges in all.
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }
}
