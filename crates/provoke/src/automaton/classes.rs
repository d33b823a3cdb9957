//! Inputs that a requirement does not tell apart.

use std::sync::atomic::{AtomicU32, Ordering};

use super::guard::show_guard;
use super::{Automaton, Table, TranslationError};
use crate::bdd::{Bdd, Space};
use crate::letter::{Letter, LetterSet};
use crate::trace::Step;

/// No more classes are told apart in one state; the last is then all the rest.
const MOST: usize = 64;

/// A deterministic automaton whose inputs are split, state by state, into the classes that it distinguishes: two inputs are in
/// one class where every answer leads from both to the same state. Counts how often each class was sent in each state.
#[derive(Debug)]
pub struct Classes {
    table: Table,
    initial: u32,
    states: Vec<Vec<Class>>,
    reachable: Vec<bool>,
}

#[derive(Debug)]
struct Class {
    inputs: LetterSet,
    name: String,
    times: AtomicU32,
}

impl Classes {
    /// The classes of an automaton.
    pub fn new(automaton: &Automaton) -> Result<Classes, TranslationError> {
        let space = &automaton.space;
        let rows = automaton.states.iter().map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to)));
        let table = Table::new(space, rows);
        let states = (0..automaton.states.len()).map(|at| {
            let guards = automaton.states[at].edges.iter().map(|edge| edge.guard.clone()).collect();
            let class = |inputs: Bdd| Class {
                name: format!("{}: {}", automaton.state_name(at as u32), show_guard(space, &inputs)),
                inputs: space.input_letters(&inputs),
                times: AtomicU32::new(0),
            };
            split(space, guards).into_iter().map(class).collect()
        });
        let classes = Classes {
            states: states.collect(),
            table,
            initial: automaton.initial,
            reachable: automaton.reachable(),
        };
        space.bdds().checked(Ok(classes))
    }

    /// Where reading starts.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// Where an exchange leads; none where there is no edge for it.
    pub fn next(&self, at: u32, step: &Step) -> Option<u32> {
        Some(self.table.next(at, &step.input, &step.output)).filter(|&to| to != Table::NOWHERE)
    }

    /// The class of an input in a state.
    pub fn class(&self, at: u32, input: Letter) -> Option<usize> {
        self.states[at as usize].iter().position(|class| class.inputs.contains(input))
    }

    /// How often a class was sent.
    pub fn times(&self, at: u32, class: usize) -> u32 {
        self.states[at as usize][class].times.load(Ordering::Relaxed)
    }

    /// A class was sent.
    pub fn note(&self, at: u32, class: usize) {
        self.states[at as usize][class].times.fetch_add(1, Ordering::Relaxed);
    }

    /// The inputs of the classes that were never sent in a state.
    pub fn open(&self, at: u32) -> impl Iterator<Item = &LetterSet> {
        let classes = self.states[at as usize].iter();
        classes.filter(|class| class.times.load(Ordering::Relaxed) == 0).map(|class| &class.inputs)
    }

    /// The classes of a state, as sets of inputs.
    pub fn inputs(&self, at: u32) -> impl Iterator<Item = &LetterSet> {
        self.states[at as usize].iter().map(|class| &class.inputs)
    }

    /// The classes of each state, as sets of inputs.
    pub fn sets(&self) -> impl Iterator<Item = impl Iterator<Item = &LetterSet>> {
        self.states.iter().map(|classes| classes.iter().map(|class| &class.inputs))
    }

    /// Every pair of state and class in words: whether it was sent, and whether its state can be reached at all.
    pub fn all(&self) -> impl Iterator<Item = (&str, bool, bool)> {
        self.states.iter().zip(&self.reachable).flat_map(|(classes, &reachable)| {
            classes
                .iter()
                .map(move |class| (&*class.name, class.times.load(Ordering::Relaxed) > 0, reachable))
        })
    }
}

/// Splits the inputs by what is left of the guards once the input is known.
fn split(space: &Space, guards: Vec<Bdd>) -> Vec<Bdd> {
    let mut parts: Vec<(Vec<Bdd>, Bdd)> = vec![(guards, space.valid_inputs().clone())];
    loop {
        let top =
            |guards: &[Bdd]| guards.iter().filter_map(Bdd::top).min().filter(|&top| top < space.input_bits());
        let Some(variable) = parts.iter().filter_map(|(guards, _)| top(guards)).min() else { break };
        let mut finer: Vec<(Vec<Bdd>, Bdd)> = Vec::new();
        for (guards, inputs) in parts {
            for value in [false, true] {
                let literal = space.bdds().literal(variable, value);
                let inputs = &inputs & &literal;
                if inputs.is_none() {
                    continue;
                }
                let left: Vec<Bdd> = guards.iter().map(|guard| guard.restrict(&literal)).collect();
                match finer.iter_mut().find(|(known, _)| *known == left) {
                    Some((_, known)) => *known = &*known | &inputs,
                    None => finer.push((left, inputs)),
                }
            }
        }
        parts = finer;
        if parts.len() > MOST || space.bdds().within_bounds().is_err() {
            break;
        }
    }
    parts.into_iter().map(|(_, inputs)| inputs).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::automaton::safety_automaton;
    use crate::letter::Interface;
    use crate::ltl::parse;

    #[test]
    fn inputs_are_told_apart_as_far_as_the_requirement_does() {
        let space = Arc::new(Space::new(Interface::signals(["a", "b", "c"], ["x", "y"]).unwrap()));
        let automaton =
            safety_automaton(&parse("G((a & b -> x) & (a & !b -> X y))").unwrap().formula, &space).unwrap();
        let classes = Classes::new(&automaton).unwrap();
        let letters = || (0..8).map(Letter::from_index);
        for at in 0..automaton.states.len() as u32 {
            for (first, second) in letters().flat_map(|first| letters().map(move |second| (first, second))) {
                // By brute force: no answer tells them apart.
                let alike = (0..4).map(Letter::from_index).all(|output| {
                    let to = |input| classes.next(at, &Step { input, output });
                    to(first) == to(second)
                });
                assert_eq!(classes.class(at, first) == classes.class(at, second), alike, "{at}");
            }
            assert_eq!(classes.states[at as usize].len(), 3, "a and b, a alone, no a");
        }
    }
}
