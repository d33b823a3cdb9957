//! Inputs that a requirement does not tell apart.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::guard::show_guard;
use super::{Automaton, Table, TranslationError};
use crate::bdd::{Bdd, Space};
use crate::letter::{Letter, LetterSet};
use crate::trace::Step;

/// No more classes are told apart in one state; then they are not split any further.
const MOST: usize = 64;

/// A deterministic automaton whose inputs are split, state by state, into the classes that it distinguishes: two inputs are in
/// one class where every answer leads from both to the same state. Knows which classes were sent in which states, and which
/// can be.
#[derive(Debug)]
pub struct Classes {
    table: Table,
    initial: u32,
    states: Vec<State>,
    exact: bool,
    input_bits: usize,
    output_bits: usize,
}

#[derive(Debug)]
struct State {
    classes: Vec<Class>,
    /// How many of those that can be sent were not.
    open: AtomicU32,
    /// Whether whatever happens leaves it where it is.
    is_over: bool,
}

#[derive(Debug)]
struct Class {
    inputs: LetterSet,
    /// Those of the inputs that can be sent there; empty where the class cannot be covered.
    sendable: LetterSet,
    name: String,
    /// Whether there is anything in it that has a name: codes of labels that are none form a class of their own.
    is_named: bool,
    sent: AtomicBool,
}

/// One class in one state, in words, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassGoal<'a> {
    /// The state and the inputs.
    pub name: &'a str,
    /// Whether an input of the class was sent there.
    pub covered: bool,
    /// Whether one can be, as far as is known.
    pub possible: bool,
}

impl Classes {
    /// The classes of an automaton, given for each of its states the inputs that can be sent there, and whether exactly
    /// these can be or only no others.
    pub fn new(automaton: &Automaton, sendable: &[Bdd], exact: bool) -> Result<Classes, TranslationError> {
        let space = &automaton.space;
        let rows = automaton.states.iter().map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to)));
        let table = Table::new(space, rows);
        let exchanges = space.exchanges();
        let states = sendable.iter().enumerate().map(|(at, sendable)| {
            let class = |inputs: Bdd| {
                let guard = show_guard(space, &inputs);
                Class {
                    name: format!("{}: {guard}", automaton.state_name(at as u32)),
                    is_named: guard != "false",
                    sendable: space.input_letters(&(&inputs & sendable)),
                    inputs: space.input_letters(&inputs),
                    sent: AtomicBool::new(false),
                }
            };
            let classes: Vec<Class> = split(space, guards(automaton, at)).into_iter().map(class).collect();
            let open = classes.iter().filter(|class| !class.sendable.is_empty()).count();
            let is_over = match &automaton.states[at].edges[..] {
                [only] => only.to == at as u32 && only.guard == exchanges,
                _ => false,
            };
            State { classes, open: AtomicU32::new(open as u32), is_over }
        });
        let classes = Classes {
            states: states.collect(),
            table,
            initial: automaton.initial,
            exact,
            input_bits: space.input_bits(),
            output_bits: space.output_bits(),
        };
        space.bdds().checked(Ok(classes))
    }

    /// The classes of an automaton of which nothing is known but where it can get by itself.
    pub fn alone(automaton: &Automaton) -> Result<Classes, TranslationError> {
        let (inputs, none) = (automaton.space.valid_inputs(), automaton.space.bdds().none());
        let sendable = |met: bool| if met { inputs.clone() } else { none.clone() };
        let sendable: Vec<Bdd> = automaton.reachable().into_iter().map(sendable).collect();
        Classes::new(automaton, &sendable, false)
    }

    /// Where reading starts.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// Whether every class that counts as possible is sent by some run that keeps the specification.
    pub fn are_exact(&self) -> bool {
        self.exact
    }

    /// Whether it can never be left, so that the requirement says nothing any more.
    pub fn is_over(&self, at: u32) -> bool {
        self.states[at as usize].is_over
    }

    /// How many bits an answer has.
    pub fn output_bits(&self) -> usize {
        self.output_bits
    }

    /// How many states it has.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// How many bits an input has.
    pub fn input_bits(&self) -> usize {
        self.input_bits
    }

    /// Where an exchange leads; none where there is no edge for it.
    pub fn next(&self, at: u32, step: &Step) -> Option<u32> {
        Some(self.table.next(at, &step.input, &step.output)).filter(|&to| to != Table::NOWHERE)
    }

    /// The class of an input in a state.
    pub fn class(&self, at: u32, input: Letter) -> Option<usize> {
        self.states[at as usize].classes.iter().position(|class| class.inputs.contains(input))
    }

    /// Whether sending an input in a state is something new.
    pub fn is_new(&self, at: u32, input: Letter) -> bool {
        let state = &self.states[at as usize];
        let is_open = |class: usize| !state.classes[class].sent.load(Ordering::Relaxed);
        state.open.load(Ordering::Relaxed) > 0 && self.class(at, input).is_some_and(is_open)
    }

    /// An input was sent in a state.
    pub fn note(&self, at: u32, input: Letter) {
        let state = &self.states[at as usize];
        let Some(class) = self.class(at, input).map(|class| &state.classes[class]) else { return };
        if !class.sent.swap(true, Ordering::Relaxed) && !class.sendable.is_empty() {
            state.open.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Whether a state has classes that were never sent and can be.
    pub fn has_open(&self, at: u32) -> bool {
        self.states[at as usize].open.load(Ordering::Relaxed) > 0
    }

    /// The inputs of the classes that were never sent in a state, as far as they can be.
    pub fn open(&self, at: u32) -> impl Iterator<Item = &LetterSet> {
        let has_open = self.has_open(at);
        let classes = self.states[at as usize].classes.iter().filter(move |_| has_open);
        let open = classes.filter(|class| !class.sent.load(Ordering::Relaxed) && !class.sendable.is_empty());
        open.map(|class| &class.sendable)
    }

    /// The classes of a state, as sets of inputs.
    pub fn inputs(&self, at: u32) -> impl Iterator<Item = &LetterSet> {
        self.states[at as usize].classes.iter().map(|class| &class.inputs)
    }

    /// The classes of each state, as sets of inputs.
    pub fn sets(&self) -> impl Iterator<Item = impl Iterator<Item = &LetterSet>> {
        self.states.iter().map(|state| state.classes.iter().map(|class| &class.inputs))
    }

    /// Every pair of state and class, but for what nobody could name.
    pub fn goals(&self) -> impl Iterator<Item = ClassGoal<'_>> {
        let classes = self.states.iter().flat_map(|state| &state.classes).filter(|class| class.is_named);
        classes.map(|class| ClassGoal {
            name: &class.name,
            covered: class.sent.load(Ordering::Relaxed),
            possible: !class.sendable.is_empty(),
        })
    }
}

/// What leads from a state to each other, all edges to one target together.
fn guards(automaton: &Automaton, at: usize) -> Vec<Bdd> {
    let mut guards: Vec<(u32, Bdd)> = Vec::new();
    for edge in &automaton.states[at].edges {
        match guards.iter_mut().find(|(to, _)| *to == edge.to) {
            Some((_, guard)) => *guard = &*guard | &edge.guard,
            None => guards.push((edge.to, edge.guard.clone())),
        }
    }
    guards.into_iter().map(|(_, guard)| guard).collect()
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
        let sendable = vec![space.valid_inputs().clone(); automaton.states.len()];
        let classes = Classes::new(&automaton, &sendable, true).unwrap();
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
            assert_eq!(classes.states[at as usize].classes.len(), 3, "a and b, a alone, no a");
        }
    }

    #[test]
    fn what_was_sent_is_not_new_and_what_cannot_be_sent_is_not_open() {
        let space = Arc::new(Space::new(Interface::signals(["a", "b"], ["x"]).unwrap()));
        let automaton = safety_automaton(&parse("G(a -> x)").unwrap().formula, &space).unwrap();
        let never_a = space.bdds().literal(0, false);
        let classes = Classes::new(&automaton, &[never_a], true).unwrap();
        let goals =
            || -> Vec<(bool, bool)> { classes.goals().map(|goal| (goal.covered, goal.possible)).collect() };
        assert_eq!(goals(), [(false, true), (false, false)], "without a, and with it");
        assert_eq!(classes.open(0).count(), 1);
        assert!(classes.is_new(0, Letter::from_index(2)));
        classes.note(0, Letter::from_index(0));
        assert!(!classes.is_new(0, Letter::from_index(2)), "b does not matter");
        assert_eq!((classes.has_open(0), classes.open(0).count()), (false, 0));
        assert_eq!(goals(), [(true, true), (false, false)]);
    }
}
