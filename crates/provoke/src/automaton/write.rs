//! Automata out, in the HOA format.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::guard::{Binding, Leaves, Name, phrase, signal};
use super::values::{Place, Stretches};
use super::{Acceptance, Automaton, Marks};
use crate::bdd::{Bdd, OutOfNodes, Space};
use crate::letter::Interface;

/// The automaton as a HOA v1 file that [`super::read_hoa`] and other tools read back.
///
/// Propositions are all Boolean signals, labels and bits of other signals of the interface (`floor.2`), inputs first; `controllable-AP:` lists the
/// outputs. (That of the labels of one direction exactly one holds is not said in the file.) Marks stay where
/// they are: on states, on edges, or both.
pub fn write_hoa(automaton: &Automaton) -> Result<String, OutOfNodes> {
    let space = &*automaton.space;
    let Interface { inputs, outputs } = space.interface();
    let (inputs, outputs) = (inputs.propositions(), outputs.propositions());
    let names = (0..inputs).map(|at| (false, at)).chain((0..outputs).map(|at| (true, at)));
    let names: Vec<String> = names.filter_map(|(output, at)| space.name(output, at)).collect();
    let numbers = [(0..inputs).collect(), (inputs..inputs + outputs).collect()];
    write(automaton, &names, inputs, numbers)
}

/// The same with these propositions in this order, the first so many of them inputs. The automaton may have them
/// in another order and as inputs all: in the order of its formula, guards are often much smaller.
pub fn write_hoa_with(
    automaton: &Automaton,
    propositions: Vec<String>,
    inputs: usize,
) -> Result<String, OutOfNodes> {
    let space = &*automaton.space;
    let places: FxHashMap<&str, usize> = propositions.iter().map(String::as_str).zip(0..).collect();
    let number = |name: String| places.get(name.as_str()).copied().unwrap_or_default();
    let interface = space.interface();
    let numbers = [&interface.inputs, &interface.outputs].map(|side| {
        let propositions = (0..side.propositions()).filter_map(|at| side.proposition_at(at));
        propositions.map(|proposition| number(proposition.name)).collect()
    });
    write(automaton, &propositions, inputs, numbers)
}

fn write(
    automaton: &Automaton,
    propositions: &[String],
    inputs: usize,
    numbers: [Vec<usize>; 2],
) -> Result<String, OutOfNodes> {
    let space = &*automaton.space;
    let mut labels = Labels { space, numbers, aliases: FxHashMap::default(), definitions: String::new() };
    let mut body = String::new();
    let mut known: FxHashMap<&Bdd, String> = FxHashMap::default();
    for (at, state) in automaton.states.iter().enumerate() {
        let name = state.name.as_ref().map_or(String::new(), |name| format!(" {}", quoted(name)));
        let _ = writeln!(body, "State: {at}{name}{}", sets(state.marks));
        for edge in &state.edges {
            let label = known.entry(&edge.guard).or_insert_with(|| {
                let mut label = String::new();
                phrase(space, &edge.guard).write(&mut label, Binding::Or, &mut labels);
                label
            });
            let _ = writeln!(body, "[{label}] {}{}", edge.to, sets(edge.marks));
        }
    }
    let mut text = header(automaton, propositions, inputs);
    text.push_str(&labels.definitions);
    text.push_str("--BODY--\n");
    text.push_str(&body);
    text.push_str("--END--\n");
    space.bdds().checked(Ok(text))
}

fn header(automaton: &Automaton, propositions: &[String], inputs: usize) -> String {
    let mut text = "HOA: v1\n".to_owned();
    if let Some(name) = &automaton.name {
        let _ = writeln!(text, "name: {}", quoted(name));
    }
    let _ = writeln!(text, "States: {}", automaton.states.len());
    if (automaton.initial as usize) < automaton.states.len() {
        let _ = writeln!(text, "Start: {}", automaton.initial);
    }
    let _ = write!(text, "AP: {}", propositions.len());
    for name in propositions {
        let _ = write!(text, " {}", quoted(name));
    }
    text.push('\n');
    if inputs < propositions.len() {
        text.push_str("controllable-AP:");
        (inputs..propositions.len()).for_each(|at| text.push_str(&format!(" {at}")));
        text.push('\n');
    }
    match automaton.acceptance {
        Acceptance::All => text.push_str("acc-name: all\nAcceptance: 0 t\n"),
        Acceptance::Buchi(1) => text.push_str("acc-name: Buchi\nAcceptance: 1 Inf(0)\n"),
        Acceptance::Buchi(marks) => {
            let sets: Vec<String> = (0..marks).map(|mark| format!("Inf({mark})")).collect();
            let condition = if sets.is_empty() { "t".to_owned() } else { sets.join("&") };
            let _ = writeln!(text, "acc-name: generalized-Buchi {marks}\nAcceptance: {marks} {condition}");
        }
    }
    let _ = writeln!(text, "properties: {}", properties(automaton).join(" "));
    text
}

fn properties(automaton: &Automaton) -> Vec<&'static str> {
    let mut properties = vec!["trans-labels", "explicit-labels"];
    let state_marks = automaton.states.iter().any(|state| state.marks != 0);
    let edge_marks = automaton.states.iter().flat_map(|state| &state.edges).any(|edge| edge.marks != 0);
    properties.extend((!edge_marks).then_some("state-acc"));
    properties.extend((edge_marks && !state_marks).then_some("trans-acc"));
    let none = automaton.space.bdds().none();
    let disjoint = automaton.states.iter().all(|state| {
        let mut taken = none.clone();
        state.edges.iter().all(|edge| {
            let fresh = !taken.meets(&edge.guard);
            taken = &taken | &edge.guard;
            fresh
        })
    });
    properties.extend(disjoint.then_some("deterministic"));
    properties
}

fn sets(marks: Marks) -> String {
    let sets: Vec<String> =
        (0..Marks::BITS).filter(|mark| marks >> mark & 1 == 1).map(|mark| mark.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Labels over the propositions' numbers. A function that would be too long when written out becomes aliases,
/// one for each node of its decision diagram.
struct Labels<'a> {
    space: &'a Space,
    /// The number of each input's and each output's proposition.
    numbers: [Vec<usize>; 2],
    aliases: FxHashMap<Bdd, String>,
    definitions: String,
}

impl Leaves for Labels<'_> {
    fn constant(&self, value: bool) -> &'static str {
        if value { "t" } else { "f" }
    }

    fn name(&mut self, name: Name) -> String {
        self.numbers[usize::from(name.output)].get(name.at).copied().unwrap_or_default().to_string()
    }

    fn values(&mut self, place: Place, stretches: &Stretches) -> String {
        self.function(&place.set(self.space, stretches))
    }

    fn function(&mut self, function: &Bdd) -> String {
        let Some((variable, low, high)) = function.split() else {
            return self.constant(function.is_all()).to_owned();
        };
        if let Some(alias) = self.aliases.get(function) {
            return alias.clone();
        }
        let (low, high) = (self.function(&low), self.function(&high));
        let proposition = self.name(signal(self.space, variable));
        let alias = format!("@f{}", self.aliases.len());
        let _ = writeln!(self.definitions, "Alias: {alias} !{proposition} & {low} | {proposition} & {high}");
        self.aliases.insert(function.clone(), alias.clone());
        alias
    }
}
