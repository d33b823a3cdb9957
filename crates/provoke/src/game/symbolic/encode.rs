//! Circuits and automata as functions of state bits, inputs and outputs.

use rustc_hash::FxHashMap;

use super::arena::{Body, Part};
use super::diagrams::{Visit, leaves, values};
use super::work::{Spent, Work};
use crate::automaton::Automaton;
use crate::bdd::{Bdd, Bdds, Become, Import, OutOfNodes, Space};
use crate::circuit::{Wire, Wired};
use crate::format::aiger::Literal;
use crate::game::explicit::Role;
use crate::letter::{Letter, LetterSet};

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Leaf {
    /// A bit of the input letter.
    Input(usize),
    /// A bit of the output letter.
    Output(usize),
    /// A bit of a word of the state.
    State(usize, usize),
}

/// A game as diagrams.
pub(super) struct Encoded {
    pub(super) bdds: Bdds,
    /// How many nodes solving may take.
    pub(super) most: usize,
    pub(super) leaves: Vec<Leaf>,
    /// What each state bit is next.
    pub(super) next: Vec<(usize, Bdd)>,
    /// Exchanges after which the game goes on.
    pub(super) all: Bdd,
    /// Exchanges that break no assumption.
    pub(super) fair: Bdd,
    /// For each part, the exchanges that it is the first requirement to forbid.
    pub(super) violated: Vec<Bdd>,
    /// Inputs that the assumptions let the tester send.
    pub(super) legal: Bdd,
    /// The codes that stand for output letters.
    pub(super) valid_outputs: Bdd,
}

/// The variables while they are made.
struct Making<'a> {
    space: &'a Space,
    leaves: Vec<Leaf>,
    known: FxHashMap<Leaf, usize>,
}

impl Making<'_> {
    fn add(&mut self, leaf: Leaf) {
        let fresh = self.leaves.len();
        if *self.known.entry(leaf).or_insert(fresh) == fresh {
            self.leaves.push(leaf);
        }
    }

    fn of(&self, leaf: Leaf) -> usize {
        self.known[&leaf]
    }

    /// The leaf of a variable of the space.
    fn letter(&self, variable: usize) -> Leaf {
        match variable.checked_sub(self.space.input_bits()) {
            None => Leaf::Input(variable),
            Some(bit) => Leaf::Output(bit),
        }
    }
}

/// The leaf of an input or latch of a circuit, by node; none for the constant and for inputs that are not wired.
fn leaf_of(wired: &Wired, first: usize, node: usize) -> Option<Leaf> {
    let inputs = wired.circuit.inputs.len();
    match node {
        0 => None,
        node if node <= inputs => match wired.wires[node - 1]? {
            Wire::Input(bit) => Some(Leaf::Input(bit)),
            Wire::Output(bit) => Some(Leaf::Output(bit)),
        },
        node => {
            let latch = node - 1 - inputs;
            Some(Leaf::State(first + latch / 64, latch % 64))
        }
    }
}

/// How many bits tell the states of an automaton apart, and the one of a purpose that is lost.
fn bits_of(automaton: &Automaton) -> usize {
    (usize::BITS - automaton.states.len().leading_zeros()) as usize
}

impl Encoded {
    pub(super) fn new(
        space: &Space,
        parts: &[Part],
        first: &[usize],
        nodes: usize,
    ) -> Result<Encoded, OutOfNodes> {
        let mut making = Making { space, leaves: Vec::new(), known: FxHashMap::default() };
        for (part, &first) in parts.iter().zip(first) {
            match &part.body {
                Body::Circuit(wired) => {
                    let violations = wired.in_step.iter().chain(&wired.on_entry).copied();
                    let nexts = wired.circuit.latches.iter().map(|latch| latch.next);
                    for node in leaves(&wired.circuit, violations.chain(nexts), Visit::Right) {
                        if let Some(leaf) = leaf_of(wired, first, node) {
                            making.add(leaf);
                        }
                    }
                    for latch in 0..wired.circuit.latches.len() {
                        making.add(Leaf::State(first + latch / 64, latch % 64));
                    }
                }
                Body::Automaton(automaton) => {
                    (0..bits_of(automaton)).for_each(|bit| making.add(Leaf::State(first, bit)));
                    let edges = automaton.states.iter().flat_map(|state| &state.edges);
                    let mut read: Vec<usize> = edges.flat_map(|edge| edge.guard.support()).collect();
                    read.sort_unstable();
                    read.dedup();
                    for variable in read {
                        let leaf = making.letter(variable);
                        making.add(leaf);
                    }
                }
            }
        }
        (0..space.input_bits()).for_each(|bit| making.add(Leaf::Input(bit)));
        (0..space.output_bits()).for_each(|bit| making.add(Leaf::Output(bit)));
        let mut work = Work::new(making.leaves.len(), nodes);
        let made = making.encode(&mut work, parts, first);
        made.map(|made| Encoded { most: nodes, ..made }).map_err(|Spent| OutOfNodes { nodes })
    }

    /// The input letters of a relation between states and inputs, in one state.
    pub(super) fn at(&self, space: &Space, relation: &Bdd, words: &[i64]) -> LetterSet {
        let becomes = |variable: usize| match self.leaves[variable] {
            Leaf::State(word, bit) => Become::Value(words[word] >> bit & 1 == 1),
            Leaf::Input(bit) => Become::Variable(bit),
            Leaf::Output(bit) => Become::Variable(space.input_bits() + bit),
        };
        space.input_letters(&Import::into(space.bdds()).cofactor(relation, &becomes))
    }

    /// What the system may answer to an input in one state so that the game goes on.
    pub(super) fn answers(&self, space: &Space, words: &[i64], input: Letter) -> LetterSet {
        let becomes = |variable: usize| match self.leaves[variable] {
            Leaf::State(word, bit) => Become::Value(words[word] >> bit & 1 == 1),
            Leaf::Input(bit) => Become::Value(input.get(bit)),
            Leaf::Output(bit) => Become::Variable(space.input_bits() + bit),
        };
        space.output_letters(&Import::into(space.bdds()).cofactor(&self.all, &becomes))
    }

    /// Whether a state is in a set of states.
    pub(super) fn contains(&self, set: &Bdd, words: &[i64]) -> bool {
        set.contains(|variable| match self.leaves[variable] {
            Leaf::State(word, bit) => words[word] >> bit & 1 == 1,
            Leaf::Input(_) | Leaf::Output(_) => false,
        })
    }

    /// The variables of one kind.
    pub(super) fn variables(&self, wanted: impl Fn(Leaf) -> bool) -> Vec<usize> {
        let all = self.leaves.iter().enumerate();
        all.filter(|(_, leaf)| wanted(**leaf)).map(|(variable, _)| variable).collect()
    }
}

/// Places in the list of a computation: what a part is next, and what it allows.
struct Made {
    next: Vec<(usize, usize)>,
    allowed: usize,
}

impl Making<'_> {
    fn encode(&self, work: &mut Work, parts: &[Part], first: &[usize]) -> Result<Encoded, Spent> {
        let mut made = Vec::new();
        for (part, &first) in parts.iter().zip(first) {
            made.push(match &part.body {
                Body::Circuit(wired) => self.circuit(work, wired, first)?,
                Body::Automaton(automaton) => self.automaton(work, automaton, first, part.role)?,
            });
        }
        let space = self.space;
        let letter = |variable: usize| self.of(self.letter(variable));
        let valid = |work: &mut Work, set: &Bdd| {
            let set = work.attempt(|bdds, _| Import::into(bdds).set(set, &letter))?;
            Ok(work.keep(set))
        };
        let valid_outputs = valid(work, space.valid_outputs())?;
        let exchanges = valid(work, &space.exchanges())?;
        let places = |role: Role| {
            let chosen = parts.iter().zip(&made).enumerate().filter(move |(_, (part, _))| part.role == role);
            chosen.map(|(place, (_, made))| (place, made.allowed)).collect::<Vec<_>>()
        };
        let (assumed, required) = (places(Role::Assumption), places(Role::Requirement));
        let fair = work.attempt(|_, roots| {
            assumed.iter().fold(roots[exchanges].clone(), |fair, &(_, place)| &fair & &roots[place])
        })?;
        let fair = work.keep(fair);
        let mut violated = Vec::new();
        let open = work.roots[fair].clone();
        let open = work.keep(open);
        for place in 0..parts.len() {
            let none = work.bdds.none();
            let at = work.keep(none);
            violated.push(at);
            if let Some(&(_, allowed)) = required.iter().find(|(known, _)| *known == place) {
                work.set(at, |_, roots| &roots[open] - &roots[allowed])?;
                work.set(open, |_, roots| &roots[open] & &roots[allowed])?;
            }
        }
        let outputs: Vec<usize> = (0..space.output_bits()).map(|bit| self.of(Leaf::Output(bit))).collect();
        let legal = work.attempt(|bdds, roots| roots[fair].exists(&bdds.cube(outputs.iter().copied())))?;
        let legal = work.keep(legal);
        let get = |place: usize| work.roots[place].clone();
        let next: Vec<(usize, Bdd)> = made
            .iter()
            .flat_map(|made| &made.next)
            .map(|&(variable, place)| (variable, get(place)))
            .collect();
        Ok(Encoded {
            bdds: work.bdds.clone(),
            most: 0,
            leaves: self.leaves.clone(),
            next,
            all: get(open),
            fair: get(fair),
            violated: violated.into_iter().map(get).collect(),
            legal: get(legal),
            valid_outputs: get(valid_outputs),
        })
    }

    fn circuit(&self, work: &mut Work, wired: &Wired, first: usize) -> Result<Made, Spent> {
        let circuit = &wired.circuit;
        let variable = |node: usize| leaf_of(wired, first, node).map(|leaf| self.of(leaf));
        let mut wanted: Vec<Literal> = circuit.latches.iter().map(|latch| latch.next).collect();
        let latches = wanted.len();
        wanted.extend(wired.in_step.iter().chain(&wired.on_entry));
        let places = values(work, circuit, &wanted, &variable)?;
        let next: Vec<(usize, usize)> = (0..latches)
            .map(|latch| (self.of(Leaf::State(first + latch / 64, latch % 64)), places[latch]))
            .collect();
        let (in_step, on_entry) = places[latches..].split_at(wired.in_step.len());
        let allowed = work.attempt(|bdds, roots| {
            let any = |list: &[usize]| list.iter().fold(bdds.none(), |sum, &place| &sum | &roots[place]);
            let entered = any(on_entry);
            let after = entered.substitute(next.iter().map(|&(variable, place)| (variable, &roots[place])));
            !&(&(&any(in_step) | &entered) | &after)
        })?;
        Ok(Made { next, allowed: work.keep(allowed) })
    }

    fn automaton(
        &self,
        work: &mut Work,
        automaton: &Automaton,
        first: usize,
        role: Role,
    ) -> Result<Made, Spent> {
        let bits = bits_of(automaton);
        let lost = automaton.states.len();
        let letter = |variable: usize| self.of(self.letter(variable));
        let sets = work.attempt(|bdds, _| {
            let mut import = Import::into(bdds);
            let number = |state: usize| {
                bdds.cube_of((0..bits).map(|bit| (self.of(Leaf::State(first, bit)), state >> bit & 1 == 1)))
            };
            let mut next = vec![bdds.none(); bits];
            let mut allowed = bdds.none();
            let mut lead = |from: &Bdd, to: usize| {
                for (_, next) in next.iter_mut().enumerate().filter(|(bit, _)| to >> bit & 1 == 1) {
                    *next = &*next | from;
                }
            };
            for (at, state) in automaton.states.iter().enumerate() {
                let here = number(at);
                let mut known = bdds.none();
                for edge in &state.edges {
                    let guard = import.set(&edge.guard, &letter);
                    lead(&(&here & &guard), edge.to as usize);
                    known = &known | &guard;
                }
                allowed = &allowed | &(&here & &known);
                if role == Role::Purpose {
                    lead(&(&here - &known), lost);
                }
            }
            lead(&number(lost), lost);
            next.push(allowed);
            next
        })?;
        let mut places: Vec<usize> = sets.into_iter().map(|set| work.keep(set)).collect();
        let allowed = places.pop().unwrap_or(0);
        let next = places.into_iter().enumerate();
        Ok(Made {
            next: next.map(|(bit, place)| (self.of(Leaf::State(first, bit)), place)).collect(),
            allowed,
        })
    }
}
