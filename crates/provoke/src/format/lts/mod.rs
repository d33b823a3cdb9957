//! Labelled transition systems with inputs and outputs: Aldebaran `.aut` files and DOT graphs.

mod label;
mod write;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::dot::Graph;
use super::html::plain;
use super::{aut, dot};
use crate::diagnostic::{Source, SpecError};

use label::Read;
pub use write::{write_aut, write_dot};

/// A labelled transition system: anyone may take a transition that is there, and nobody says which.
#[derive(Clone, Debug)]
pub struct Lts {
    /// The names of the states.
    pub states: Vec<String>,
    /// Where it begins.
    pub initial: u32,
    /// What it takes, without the `?`.
    pub inputs: Vec<String>,
    /// What it says, without the `!`.
    pub outputs: Vec<String>,
    /// The transitions, in the order of the file.
    pub transitions: Vec<Transition>,
}

/// One transition of an [`Lts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state that it leaves.
    pub from: u32,
    /// What happens.
    pub label: Label,
    /// The state that it leads to.
    pub to: u32,
    /// Where it stands in the file.
    pub span: Range<usize>,
}

/// What happens in a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// An input, by its place among [`Lts::inputs`].
    Input(u32),
    /// An output, by its place among [`Lts::outputs`].
    Output(u32),
    /// An internal step that nobody sees: `tau` or `i`.
    Internal,
    /// Silence that is seen: `delta`.
    Quiet,
}

/// How a file writes what is neither input nor output, and labels that do not say themselves what they are.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    /// A label that stands for the tester's waiting.
    pub wait: &'a str,
    /// A label that stands for silence.
    pub quiet: &'a str,
    /// Labels without `?` and `!` that are inputs.
    pub inputs: BTreeSet<&'a str>,
    /// Labels without `?` and `!` that are outputs.
    pub outputs: BTreeSet<&'a str>,
}

impl Default for Words<'_> {
    fn default() -> Words<'static> {
        Words { wait: "mu", quiet: "delta", inputs: BTreeSet::new(), outputs: BTreeSet::new() }
    }
}

/// Whether a file is called as transition systems are: `.aut`, `.dot` or `.gv`.
pub fn is_lts(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
    ["aut", "dot", "gv"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

impl Lts {
    /// Reads a transition system; the first word of the text says the format.
    pub fn read(source: &Source, words: &Words<'_>) -> Result<Lts, SpecError> {
        let is_blank = |character: char| character.is_whitespace() || character == '\u{feff}';
        let mut lines = source.text.lines().map(|line| line.trim_matches(is_blank));
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(['#', '%', '/'])).unwrap_or("");
        let word = first.split(|character: char| !character.is_alphanumeric()).next().unwrap_or("");
        match word.to_ascii_lowercase().as_str() {
            "digraph" | "strict" | "graph" => Lts::from_dot(source, words),
            _ if first.starts_with("des") => Lts::from_aut(source, words),
            _ => Err(source
                .error(0..source.text.chars().next().map_or(0, char::len_utf8), "this is not a labelled transition system")
                .help("an Aldebaran file begins with `des (first, transitions, states)`, a DOT graph with `digraph`")),
        }
    }

    fn from_aut(source: &Source, words: &Words<'_>) -> Result<Lts, SpecError> {
        let aut::Aut { initial, states, transitions } = aut::parse(source)?;
        if states == 0 {
            let message = "a transition system has at least one state";
            return Err(source.error(0..source.text.find('\n').unwrap_or(source.text.len()), message));
        }
        let mut reader = Reader::new(source, words, (0..states).map(|at| at.to_string()).collect(), initial);
        for aut::Transition { from, label, to, span, label_span } in transitions {
            reader.add(from, (&label, label_span), to, span)?;
        }
        Ok(reader.finish())
    }

    fn from_dot(source: &Source, words: &Words<'_>) -> Result<Lts, SpecError> {
        let graph = Graph::read(source)?;
        let Some(initial) = graph.initial else {
            let error = SpecError::whole(source, format!("{}: no state is the initial one", source.name));
            return Err(error.help("add `__start0 [label=\"\" shape=none]; __start0 -> FIRST`"));
        };
        let mut reader = Reader::new(source, words, graph.states.clone(), initial as u32);
        for edge @ dot::Edge { from, to, span, .. } in &graph.edges {
            let Some((text, html)) = edge.label() else {
                let error = graph.error(edge, "this transition has no label");
                return Err(error
                    .help("write `?input`, `!output`, `tau` for an internal step, or `delta` for silence"));
            };
            let text = if html { plain(text) } else { text.to_owned() };
            reader.add(*from as u32, (&text, span.clone()), *to as u32, span.clone())?;
        }
        Ok(reader.finish())
    }
}

struct Reader<'a> {
    source: &'a Source,
    words: &'a Words<'a>,
    states: Vec<String>,
    initial: u32,
    inputs: IndexSet<String, FxBuildHasher>,
    outputs: IndexSet<String, FxBuildHasher>,
    transitions: Vec<Transition>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source, words: &'a Words<'a>, states: Vec<String>, initial: u32) -> Reader<'a> {
        let (inputs, outputs, transitions) = Default::default();
        Reader { source, words, states, initial, inputs, outputs, transitions }
    }

    fn add(
        &mut self,
        from: u32,
        (text, place): (&str, Range<usize>),
        to: u32,
        span: Range<usize>,
    ) -> Result<(), SpecError> {
        let read = label::read(text, self.words).map_err(|(message, help)| {
            let error = self.source.error(place.clone(), message);
            error.help(help)
        })?;
        let label = match read {
            Read::Input(name) => Label::Input(self.inputs.insert_full(name).0 as u32),
            Read::Output(name) => Label::Output(self.outputs.insert_full(name).0 as u32),
            Read::Internal => Label::Internal,
            Read::Quiet => Label::Quiet,
            Read::Wait if from == to => return Ok(()),
            Read::Wait => {
                let message = "waiting changes nothing, so this must lead back to where it begins";
                return Err(self
                    .source
                    .error(place, message)
                    .help("the tester may wait in every state; leave it out"));
            }
        };
        self.transitions.push(Transition { from, label, to, span });
        Ok(())
    }

    fn finish(self) -> Lts {
        Lts {
            states: self.states,
            initial: self.initial,
            inputs: self.inputs.into_iter().collect(),
            outputs: self.outputs.into_iter().collect(),
            transitions: self.transitions,
        }
    }
}

#[cfg(test)]
mod tests;
