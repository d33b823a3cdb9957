//! Suspension automata: what a labelled transition system shows to someone outside, silence included.

mod determinise;
mod quiescence;
mod validity;

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{Direction, ModelProgram};
use crate::format::lts::{Label, Lts, Transition};

pub use determinise::TooLarge;
pub use quiescence::Steps;
pub use validity::{Anomaly, Validity};

/// A suspension automaton (paper 4, definition 4; Tretmans 2008): deterministic, without internal steps, and with silence
/// as an action of its own. Waiting is always possible and leads nowhere, so it is not written down.
///
/// As a model program its actions are the labels, and silence leads where `delta` does.
#[derive(Clone, Debug)]
pub struct Suspension {
    inputs: Vec<String>,
    outputs: Vec<String>,
    by_input: FxHashMap<String, u32>,
    by_output: FxHashMap<String, u32>,
    names: Vec<String>,
    /// Where each state's moves stand.
    rows: Vec<Range<usize>>,
    /// Labels and where they lead; the labels of a state are in order.
    moves: Vec<(Label, u32)>,
    initial: u32,
    /// Whether silence was written down, rather than worked out.
    given: bool,
    /// A state on a cycle of internal steps, where there is one.
    divergence: Option<String>,
}

impl Suspension {
    /// The suspension automaton of a transition system: internal steps are closed over, what is not deterministic is made
    /// so by following sets of states, and silence is possible where the system is quiescent.
    ///
    /// A system is quiescent in a state that has neither an output nor an internal step. Tretmans 2008 leaves out systems
    /// that can take internal steps for ever (divergence); here, states among which internal steps go round without
    /// end, without a way out and without an output, are quiescent as well, because nobody outside can tell (Stokkink,
    /// Timmer and Stoelinga 2013, with fairness).
    ///
    /// A system that has `delta` somewhere is taken at its word: it is silent where that says so, and nowhere else.
    pub fn of(lts: &Lts) -> Result<Suspension, TooLarge> {
        determinise::determinise(lts)
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.names.len()
    }

    /// How many transitions, those of silence included.
    pub fn transitions(&self) -> usize {
        self.moves.len()
    }

    /// What a state is called: as in the file, or `{a,b}` where it stands for several.
    pub fn state_name(&self, state: u32) -> &str {
        self.names.get(state as usize).map_or("", String::as_str)
    }

    /// The labels that are possible in a state, and where each leads.
    pub fn moves(&self, state: u32) -> &[(Label, u32)] {
        self.rows.get(state as usize).map_or(&[], |row| &self.moves[row.clone()])
    }

    /// Where a label leads.
    pub fn next(&self, state: u32, label: Label) -> Option<u32> {
        let moves = self.moves(state);
        moves.binary_search_by_key(&label, |(label, _)| *label).ok().map(|at| moves[at].1)
    }

    /// The names of the inputs.
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// The names of the outputs.
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    /// The input of a state that it does not take, where there is one.
    pub fn missing_input(&self, state: u32) -> Option<&str> {
        let inputs = self.inputs.iter().zip(0..);
        let mut missing = inputs.filter(|(_, at)| self.next(state, Label::Input(*at)).is_none());
        missing.next().map(|(name, _)| &**name)
    }

    /// A state on a cycle of internal steps, where there is one.
    pub fn divergence(&self) -> Option<&str> {
        self.divergence.as_deref()
    }

    /// The same as a transition system, to be written.
    pub fn to_lts(&self) -> Lts {
        let all =
            (0..self.states() as u32).flat_map(|from| self.moves(from).iter().map(move |one| (from, one)));
        let transition =
            |(from, &(label, to)): (u32, &(Label, u32))| Transition { from, label, to, span: 0..0 };
        Lts {
            states: self.names.clone(),
            initial: self.initial,
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            transitions: all.map(transition).collect(),
        }
    }
}

impl ModelProgram for Suspension {
    type State = u32;
    type Action = Label;

    /// The labels, those with arguments once for all: `coin(1)` and `coin(2)` are both `coin`.
    fn symbols(&self) -> Vec<(String, Direction)> {
        let mut symbols: Vec<(String, Direction)> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let sides = [(&self.inputs, Direction::Controllable), (&self.outputs, Direction::Observable)];
        for (names, direction) in sides {
            for name in names {
                let stem = name.split_once('(').map_or(&**name, |(stem, _)| stem);
                if seen.insert((stem, direction == Direction::Controllable)) {
                    symbols.push((stem.to_owned(), direction));
                }
            }
        }
        symbols
    }

    fn initial(&self) -> u32 {
        self.initial
    }

    fn enabled(&self, direction: Direction, state: &u32, actions: &mut Vec<Label>) {
        let of = |label: &Label| match label {
            Label::Input(_) => direction == Direction::Controllable,
            Label::Output(_) => direction == Direction::Observable,
            Label::Internal | Label::Quiet => false,
        };
        actions.extend(self.moves(*state).iter().map(|(label, _)| *label).filter(of));
    }

    fn step(&self, state: &u32, action: &Label) -> Option<u32> {
        self.next(*state, *action)
    }

    fn silence(&self, state: &u32) -> Option<u32> {
        self.next(*state, Label::Quiet)
    }

    fn show(&self, action: &Label) -> String {
        let name = |names: &[String], at: u32| names.get(at as usize).cloned().unwrap_or_default();
        match *action {
            Label::Input(at) => name(&self.inputs, at),
            Label::Output(at) => name(&self.outputs, at),
            Label::Internal | Label::Quiet => String::new(),
        }
    }

    /// An input, where both sides have a label of this name.
    fn read(&self, text: &str) -> Option<Label> {
        let read = |direction| self.read_as(direction, text);
        read(Direction::Controllable).or_else(|| read(Direction::Observable))
    }

    fn read_as(&self, direction: Direction, text: &str) -> Option<Label> {
        match direction {
            Direction::Controllable => self.by_input.get(text).copied().map(Label::Input),
            Direction::Observable => self.by_output.get(text).copied().map(Label::Output),
        }
    }

    fn known(&self, direction: Direction, actions: &mut Vec<Label>) {
        match direction {
            Direction::Controllable => actions.extend((0..self.inputs.len() as u32).map(Label::Input)),
            Direction::Observable => actions.extend((0..self.outputs.len() as u32).map(Label::Output)),
        }
    }

    fn name(&self, state: &u32) -> Option<String> {
        Some(self.state_name(*state).to_owned())
    }
}

#[cfg(test)]
mod tests;
