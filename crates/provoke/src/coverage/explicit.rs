//! Elements of products of automata.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Cover, Element, Ground, Way};
use crate::automaton::Table;
use crate::bdd::{Bdd, OutOfNodes, Space};
use crate::game::explicit::Product;
use crate::game::{Next, Place, State};
use crate::letter::{Codes, Letter, LetterSet};
use crate::trace::Step;

/// In one state at most so many classes of inputs are told apart; what is left after them is one more.
const MOST_CLASSES: usize = 256;

/// The elements of a product, or of one of its components.
///
/// - A state of a component is covered in whichever states the others are.
/// - A transition stands for all exchanges that lead from one state to another; those that violate are none.
/// - An abstract transition is a state and a class of inputs: those that allow the same answers, each with the same
///   effect.
/// - Labels are the propositions of letters: labels, or signals that are true and signals that are false.
pub struct Explicit {
    product: Arc<Product>,
    cover: Cover,
    /// The component that is looked at; none for all of them together.
    component: Option<Place>,
    classes: Vec<Vec<Class>>,
    class_of: Table,
    labels: Vec<(Element, Bdd, String)>,
    propositions: [Propositions; 2],
    letters: Mutex<FxHashMap<Bdd, LetterSet>>,
}

/// Inputs that are not told apart.
struct Class {
    inputs: Bdd,
    example: Letter,
}

/// The propositions of an alphabet, with whether being false counts as well.
type Propositions = Vec<(Codes, bool)>;

impl Explicit {
    /// The elements of a product, or of one of its components.
    pub fn new(
        product: Arc<Product>,
        cover: Cover,
        component: Option<Place>,
    ) -> Result<Explicit, OutOfNodes> {
        let space = product.space().clone();
        let mut explicit = Explicit {
            product,
            cover,
            component,
            classes: Vec::new(),
            class_of: Table::default(),
            labels: Vec::new(),
            propositions: [Vec::new(), Vec::new()],
            letters: Mutex::default(),
        };
        match cover {
            Cover::AbstractTransitions => explicit.classify(&space),
            Cover::Labels => explicit.list_labels(&space),
            Cover::States | Cover::Transitions => {}
        }
        space.bdds().checked(Ok(explicit))
    }

    /// How many states there are to look at, reachable or not.
    fn states(&self) -> u32 {
        match self.automaton() {
            Some(automaton) => automaton.states.len() as u32,
            None => self.product.states() as u32,
        }
    }

    fn automaton(&self) -> Option<&crate::automaton::Automaton> {
        let component = self.product.components().get(self.component?.0)?;
        Some(&component.automaton)
    }

    /// What is seen of a state.
    fn seen_of(&self, at: State) -> u32 {
        match self.component {
            Some(place) => self.product.component_state(at, place).unwrap_or(u32::MAX),
            None => at.0,
        }
    }

    /// The exchanges that leave what is seen of a state, by where they lead.
    fn edges(&self, at: u32) -> Vec<(Bdd, u32)> {
        let Some(automaton) = self.automaton() else {
            return kept(&self.product, State(at)).map(|(guard, to)| (guard.clone(), to.0)).collect();
        };
        let mut edges: Vec<(Bdd, u32)> = Vec::new();
        for edge in &automaton.states[at as usize].edges {
            match edges.iter_mut().find(|(_, to)| *to == edge.to) {
                Some((guard, _)) => *guard = &*guard | &edge.guard,
                None => edges.push((edge.guard.clone(), edge.to)),
            }
        }
        edges
    }

    fn classify(&mut self, space: &Space) {
        self.classes = (0..self.states()).map(|at| classes(space, &self.edges(at))).collect();
        let row = |classes: &Vec<Class>| {
            classes.iter().zip(0..).map(|(class, number)| (class.inputs.clone(), number)).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<(Bdd, u32)>> = self.classes.iter().map(row).collect();
        self.class_of =
            Table::new(space, rows.iter().map(|row| row.iter().map(|(guard, number)| (guard, *number))));
    }

    fn list_labels(&mut self, space: &Space) {
        for (output, alphabet) in [(false, &space.interface().inputs), (true, &space.interface().outputs)] {
            for (at, (proposition, or_false)) in alphabet.elements().into_iter().enumerate() {
                let holds = space.codes(output, &proposition.codes);
                let name = proposition.name.clone();
                let element = |truth| Element::Label { output, at: at as u64, truth };
                self.labels.push((element(true), holds.clone(), name.clone()));
                if or_false {
                    self.labels.push((element(false), &space.exchanges() - &holds, format!("!{name}")));
                }
                self.propositions[usize::from(output)].push((proposition.codes, or_false));
            }
        }
    }

    fn inputs(&self, exchanges: &Bdd) -> LetterSet {
        let space = self.product.space();
        let inputs = space.some_output(exchanges);
        let mut letters = self.letters.lock().unwrap_or_else(PoisonError::into_inner);
        letters.entry(inputs).or_insert_with_key(|inputs| space.input_letters(inputs)).clone()
    }

    fn state_name(&self, at: u32) -> String {
        let name = match self.automaton() {
            Some(automaton) => automaton.state_name(at),
            None => self.product.state_name(State(at)),
        };
        if name.is_empty() { format!("state {at}") } else { name }
    }
}

/// The edges of a state that keep the specification.
fn kept(product: &Product, at: State) -> impl Iterator<Item = (&Bdd, State)> {
    product.edges(at).filter_map(|(guard, next)| match next {
        Next::To(to) => Some((guard, to)),
        Next::Violates(_) | Next::Unfair => None,
    })
}

/// Splits the inputs that have an answer into those that are not told apart by these edges.
fn classes(space: &Space, edges: &[(Bdd, u32)]) -> Vec<Class> {
    let none = space.bdds().none();
    let answered = edges.iter().fold(none.clone(), |sum, (guard, _)| &sum | guard);
    let mut rest = &space.some_output(&answered) & space.valid_inputs();
    let mut classes = Vec::new();
    while let Some((example, _)) = space.first_exchange(&(&rest & space.valid_outputs())) {
        let mut inputs = rest.clone();
        if classes.len() < MOST_CLASSES {
            let this = space.input(example);
            for (guard, _) in edges {
                let answers = space.some_input(&(guard & &this));
                let differs = &(guard ^ &answers) & space.valid_outputs();
                inputs = &inputs - &space.some_output(&(&differs & &rest));
            }
        }
        rest = &rest - &inputs;
        if inputs.is_none() || space.bdds().within_bounds().is_err() {
            break;
        }
        classes.push(Class { inputs, example });
    }
    classes
}

impl Ground for Explicit {
    fn is_finite(&self) -> bool {
        true
    }

    fn ways(&self, at: State, into: &mut Vec<Way>) -> bool {
        let from = self.seen_of(at);
        for (guard, to) in kept(&self.product, at) {
            let mut way = |exchanges: &Bdd, element: Option<Element>| {
                into.push(Way { inputs: self.inputs(exchanges), to, element });
            };
            match self.cover {
                Cover::States => way(guard, Some(Element::State(self.seen_of(to)))),
                Cover::Transitions => way(guard, Some(Element::Edge { from, to: self.seen_of(to) })),
                Cover::AbstractTransitions => {
                    for (class, number) in self.classes[from as usize].iter().zip(0..) {
                        let part = guard & &class.inputs;
                        if !part.is_none() {
                            way(&part, Some(Element::Class { at: from, class: number }));
                        }
                    }
                }
                Cover::Labels => {
                    for (element, holds, _) in &self.labels {
                        let part = guard & holds;
                        if !part.is_none() {
                            way(&part, Some(*element));
                        }
                    }
                }
            }
        }
        true
    }

    fn here(&self, at: State, into: &mut Vec<Element>) {
        into.extend((self.cover == Cover::States).then(|| Element::State(self.seen_of(at))));
    }

    fn seen(&self, from: State, step: &Step, to: State, into: &mut Vec<Element>) {
        match self.cover {
            Cover::States => into.push(Element::State(self.seen_of(to))),
            Cover::Transitions => {
                into.push(Element::Edge { from: self.seen_of(from), to: self.seen_of(to) });
            }
            Cover::AbstractTransitions => {
                let at = self.seen_of(from);
                let class = self.class_of.next(at, &step.input, &step.output);
                into.extend((class != Table::NOWHERE).then_some(Element::Class { at, class }));
            }
            Cover::Labels => {
                let sides = [(false, step.input), (true, step.output)];
                for ((output, letter), propositions) in sides.into_iter().zip(&self.propositions) {
                    for ((codes, or_false), at) in propositions.iter().zip(0..) {
                        let truth = codes.contain(letter);
                        into.extend((truth || *or_false).then_some(Element::Label { output, at, truth }));
                    }
                }
            }
        }
    }

    fn name(&self, element: Element) -> String {
        match element {
            Element::State(at) => self.state_name(at),
            Element::Edge { from, to } => format!("{} -> {}", self.state_name(from), self.state_name(to)),
            Element::Class { at, class } => {
                let inputs = &self.product.space().interface().inputs;
                let class = self.classes.get(at as usize).and_then(|classes| classes.get(class as usize));
                let like = class.map(|class| inputs.show(class.example).to_string()).unwrap_or_default();
                format!("{}, inputs like {like}", self.state_name(at))
            }
            element => {
                let label = self.labels.iter().find(|(known, ..)| *known == element);
                label.map(|(.., name)| name.clone()).unwrap_or_default()
            }
        }
    }

    fn beyond_reach(&self, is_known: &dyn Fn(Element) -> bool) -> Vec<String> {
        let mut all: Vec<Element> = Vec::new();
        for at in 0..self.states() {
            match self.cover {
                Cover::States => all.push(Element::State(at)),
                Cover::Transitions => {
                    all.extend(self.edges(at).into_iter().map(|(_, to)| Element::Edge { from: at, to }));
                }
                Cover::AbstractTransitions => {
                    let count = self.classes[at as usize].len() as u32;
                    all.extend((0..count).map(|class| Element::Class { at, class }));
                }
                Cover::Labels => break,
            }
        }
        all.extend(self.labels.iter().map(|(element, ..)| *element));
        let mut missing: Vec<Element> = Vec::new();
        for element in all {
            if !is_known(element) && !missing.contains(&element) {
                missing.push(element);
            }
        }
        missing.into_iter().map(|element| self.name(element)).collect()
    }
}
