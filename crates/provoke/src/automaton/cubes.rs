//! An automaton whose every edge is one assignment: how paper 3 walks through it.

use std::ops::Range;

use super::{Acceptance, Automaton, TranslationError};
use crate::letter::Letter;
use crate::trace::Step;

/// More edges than this are not walked one by one.
const MOST_EDGES: usize = 1 << 20;

/// An automaton with its guards split into cubes, ready to be followed without diagrams; it may guess.
///
/// Paper 3, section 3.1: "exactly one assignment for each edge". A cube leaves out the signals that do not matter; of these
/// the inputs are false where one input letter is wanted, and the outputs may be anything.
#[derive(Clone, Debug)]
pub struct Cubes {
    /// Where reading starts; there is no state where nothing is accepted.
    pub initial: u32,
    /// The states; a state's number is its place here.
    pub states: Vec<CubeState>,
    /// All edges, those of one state next to each other; an edge's number is its place here.
    pub edges: Vec<CubeEdge>,
}

/// One state of [`Cubes`].
#[derive(Clone, Debug)]
pub struct CubeState {
    /// Whether it is accepting.
    pub accepting: bool,
    /// How many edges it takes to the nearest accepting state; the largest number where there is none.
    pub distance: u32,
    /// Its edges.
    pub edges: Range<usize>,
}

/// One edge of [`Cubes`].
#[derive(Clone, Debug)]
pub struct CubeEdge {
    /// The state it leaves.
    pub from: u32,
    /// The state it leads to.
    pub to: u32,
    /// The input of the cube, in which what does not matter is false.
    pub input: Letter,
    /// How many signals matter, inputs and outputs.
    pub literals: usize,
    inputs: Pattern,
    outputs: Pattern,
}

/// Bits that matter, and what they must be.
#[derive(Clone, Copy, Debug, Default)]
struct Pattern {
    mask: Letter,
    want: Letter,
}

impl Pattern {
    fn note(&mut self, bit: usize, value: bool) {
        self.mask = self.mask.with(bit, true);
        self.want = self.want.with(bit, value);
    }

    fn fits(&self, letter: Letter) -> bool {
        letter.masked(self.mask) == self.want
    }
}

impl CubeEdge {
    /// Whether an exchange takes this edge.
    pub fn takes(&self, step: &Step) -> bool {
        self.takes_input(step.input) && self.outputs.fits(step.output)
    }

    /// The output of the cube, in which what does not matter is false.
    pub fn output(&self) -> Letter {
        self.outputs.want
    }

    /// Whether an input can take this edge, if the system answers well.
    pub fn takes_input(&self, input: Letter) -> bool {
        self.inputs.fits(input)
    }
}

impl Cubes {
    /// Splits the guards of an automaton, whose states are accepting or not.
    pub fn new(automaton: &Automaton) -> Result<Cubes, TranslationError> {
        let space = &automaton.space;
        let exchanges = space.exchanges();
        let accepts = |marks: u32| automaton.acceptance == Acceptance::All || marks != 0;
        let (mut states, mut edges) = (Vec::new(), Vec::new());
        for (from, state) in (0..).zip(&automaton.states) {
            let first = edges.len();
            for edge in &state.edges {
                for cube in (&edge.guard & &exchanges).products() {
                    let mut made = CubeEdge {
                        from,
                        to: edge.to,
                        input: Letter::default(),
                        literals: cube.len(),
                        inputs: Pattern::default(),
                        outputs: Pattern::default(),
                    };
                    for (variable, value) in cube {
                        match variable.checked_sub(space.input_bits()) {
                            None => made.inputs.note(variable, value),
                            Some(bit) => made.outputs.note(bit, value),
                        }
                    }
                    made.input = made.inputs.want;
                    edges.push(made);
                }
                if edges.len() > MOST_EDGES {
                    return Err(TranslationError::TooLarge);
                }
            }
            let accepting = accepts(state.marks);
            states.push(CubeState { accepting, distance: u32::MAX, edges: first..edges.len() });
        }
        let mut cubes = Cubes { initial: automaton.initial, states, edges };
        cubes.measure();
        space.bdds().checked(Ok(cubes))
    }

    fn measure(&mut self) {
        let accepting = |at: &u32| self.states[*at as usize].accepting;
        let near: Vec<u32> = (0..self.states.len() as u32).filter(accepting).collect();
        let distances = self.distances_to(&near);
        for (state, distance) in self.states.iter_mut().zip(distances) {
            state.distance = distance;
        }
    }

    /// For each state, how many edges it takes to one of these; the largest number where none can be reached.
    pub fn distances_to(&self, goals: &[u32]) -> Vec<u32> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for edge in &self.edges {
            before[edge.to as usize].push(edge.from);
        }
        let mut distances = vec![u32::MAX; self.states.len()];
        goals.iter().for_each(|&goal| distances[goal as usize] = 0);
        let mut queue: std::collections::VecDeque<u32> = goals.iter().copied().collect();
        while let Some(at) = queue.pop_front() {
            for &from in &before[at as usize] {
                if distances[from as usize] == u32::MAX {
                    distances[from as usize] = distances[at as usize] + 1;
                    queue.push_back(from);
                }
            }
        }
        distances
    }

    /// The edges of a state, with their numbers.
    pub fn edges_of(&self, at: u32) -> impl Iterator<Item = (usize, &CubeEdge)> {
        let places = self.states[at as usize].edges.clone();
        places.clone().zip(&self.edges[places])
    }

    /// Where every reading starts, as a set of states.
    pub fn start(&self) -> Vec<u32> {
        if self.states.is_empty() { Vec::new() } else { vec![self.initial] }
    }

    /// The states that the automaton may be in after an exchange, in order; none where it has no edge for it.
    pub fn after(&self, may_be: &[u32], step: &Step) -> Vec<u32> {
        let edges = may_be.iter().flat_map(|&at| self.edges_of(at));
        let mut to: Vec<u32> = edges.filter(|(_, edge)| edge.takes(step)).map(|(_, edge)| edge.to).collect();
        to.sort_unstable();
        to.dedup();
        to
    }

    /// Whether it accepts the word `stem round round ...`.
    pub fn accepts_for_ever(&self, stem: &[Step], round: &[Step]) -> bool {
        let start = stem.iter().fold(self.start(), |may_be, step| self.after(&may_be, step));
        // States at each place of the round, as one graph.
        let count = self.states.len();
        let mut graph: Vec<Vec<u32>> = vec![Vec::new(); count * round.len()];
        let mut reached = vec![false; graph.len()];
        let mut open: Vec<usize> = start.iter().map(|&at| at as usize).collect();
        open.iter().for_each(|&at| reached[at] = true);
        while let Some(node) = open.pop() {
            let (place, at) = (node / count, (node % count) as u32);
            let next = (place + 1) % round.len() * count;
            for to in self.after(&[at], &round[place]) {
                let to = next + to as usize;
                graph[node].push(to as u32);
                if !std::mem::replace(&mut reached[to], true) {
                    open.push(to);
                }
            }
        }
        let components = super::cycles::components(&graph);
        let goes_round =
            |node: usize| graph[node].iter().any(|&to| components[to as usize] == components[node]);
        // A component with an edge inside and an accepting state: either may be at another of its nodes.
        let mut inside = rustc_hash::FxHashSet::default();
        inside.extend((0..graph.len()).filter(|&node| goes_round(node)).map(|node| components[node]));
        let accepting = |node: &usize| self.states[node % count].accepting;
        (0..graph.len())
            .filter(|&node| reached[node])
            .filter(accepting)
            .any(|node| inside.contains(&components[node]))
    }

    /// Inputs that go round through an accepting state, the shortest for each: rounds that a tester can try.
    pub fn rounds(&self) -> Vec<Vec<Letter>> {
        let accepting = (0..self.states.len() as u32).filter(|&at| self.states[at as usize].accepting);
        let mut rounds: Vec<Vec<Letter>> = accepting.filter_map(|at| self.round(at)).collect();
        rounds.sort_by_key(Vec::len);
        rounds.dedup();
        rounds
    }

    fn round(&self, start: u32) -> Option<Vec<Letter>> {
        let distances = self.distances_to(&[start]);
        let nearest = |at: u32| {
            let edges = self.edges_of(at).map(|(_, edge)| edge);
            edges
                .min_by_key(|edge| distances[edge.to as usize])
                .filter(|edge| distances[edge.to as usize] != u32::MAX)
        };
        let mut inputs = Vec::new();
        let mut at = start;
        loop {
            let edge = nearest(at)?;
            inputs.push(edge.input);
            at = edge.to;
            if at == start {
                return Some(inputs);
            }
        }
    }

    /// Whether one of these states is accepting.
    pub fn accepts(&self, may_be: &[u32]) -> bool {
        may_be.iter().any(|&at| self.states[at as usize].accepting)
    }
}
