//! A finite-state machine as the system under test: no other program needed.

use std::borrow::Cow;
use std::path::Path;

use super::model::{ModelError, located};
use super::valuation::{guard, valuation};
use super::{Ending, Phase, System, SystemError};
use crate::automaton::Table;
use crate::bdd::{Bdd, Space};
use crate::diagnostic::{Source, SpecError};
use crate::format::machine;
use crate::letter::{Alphabet, Interface, Letter, LetterError};
use crate::machine::{Machine, Names};

/// The most table entries (states times inputs) that are written out: they should stay in the cache. Machines
/// beyond that look at the signals their guards speak of.
const DENSE: usize = 1 << 14;

/// A Mealy machine that answers our inputs.
///
/// Its inputs and outputs are labels of the interface, or they are read as guards over the input signals and as
/// valuations of the output signals, in any of the usual spellings (see `docs/guide/adapters.md`). Every
/// input must have exactly one answer in every state that can be reached.
#[derive(Clone, Debug)]
pub struct Simulated {
    moves: Moves,
    /// What the machine may answer; [`Move::output`] counts here.
    outputs: Vec<Letter>,
    initial: u32,
    at: u32,
    states: Names,
}

#[derive(Clone, Debug)]
enum Moves {
    /// Row after row, one entry for each input letter's index.
    Dense { inputs: usize, moves: Vec<Move> },
    /// For each state, the number of the move that an input takes.
    Symbolic { table: Table, moves: Vec<Move> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    to: u32,
    output: u32,
}

impl Simulated {
    /// Reads a model file; errors show the transition they are about.
    pub fn read(path: &Path, interface: &Interface) -> Result<Simulated, SpecError> {
        let machine = machine::read(path)?;
        Simulated::new(&machine, interface).map_err(|error| match Source::read(path) {
            Ok(source) => located(&source, &error),
            // A table in binary has no place to show.
            Err(_) => SpecError::whole(&Source::new(path.display().to_string(), ""), error.message),
        })
    }

    /// A machine over an interface, in its initial state.
    pub fn new(machine: &Machine, interface: &Interface) -> Result<Simulated, ModelError> {
        let initial = machine.initial().ok_or_else(|| {
            ModelError::new("the machine has no initial state").help("add `__start0 -> s0` for the first one")
        })?;
        let outputs = outputs(machine, &interface.outputs)?;
        let moves = if interface.inputs.as_labels().is_some() {
            by_column(machine, initial, interface, &label_columns(machine, &interface.inputs)?)?
        } else if !machine.input_signals().is_empty() {
            by_column(machine, initial, interface, &valuation_columns(machine, &interface.inputs)?)?
        } else {
            by_guard(machine, initial, interface)?
        };
        Ok(Simulated { moves, outputs, initial, at: initial, states: machine.states().clone() })
    }

    /// What the file calls a state.
    pub(super) fn state_name(&self, state: u32) -> Cow<'_, str> {
        self.states.name(state)
    }

    /// Where every run starts.
    pub(super) fn initial_state(&self) -> u32 {
        self.initial
    }

    /// Where an input leads from a state, and the answer to it.
    #[inline]
    pub(super) fn move_from(&self, state: u32, input: Letter) -> Option<(u32, Letter)> {
        let taken = match &self.moves {
            Moves::Dense { inputs, moves } => {
                let column = input.index() as usize;
                if column >= *inputs { None } else { moves.get(state as usize * inputs + column) }
            }
            Moves::Symbolic { table, moves } => {
                moves.get(table.next(state, &input, &Letter::default()) as usize)
            }
        }?;
        self.outputs.get(taken.output as usize).map(|output| (taken.to, *output))
    }
}

impl System for Simulated {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.at = self.initial;
        Ok(())
    }

    #[inline]
    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        match self.move_from(self.at, input) {
            Some((to, output)) => {
                self.at = to;
                Ok(output)
            }
            None => Err(outside()),
        }
    }
}

#[cold]
fn outside() -> SystemError {
    let how = Ending::Failed("the input is not a letter of the interface".into());
    SystemError::Gone { during: Phase::Step, how }
}

/// The letter of each output of the machine.
fn outputs(machine: &Machine, alphabet: &Alphabet) -> Result<Vec<Letter>, ModelError> {
    let signals = machine.output_signals();
    let labelled = alphabet.as_labels().is_some();
    let order = match labelled || signals.is_empty() {
        true => None,
        false => Some(bits_of(signals, alphabet, "output", "o")?),
    };
    let letter = |text: &str| match &order {
        _ if labelled => label(alphabet, "output", text).map_err(|error| error.to_string()),
        Some(order) => {
            let bits = text.bytes().zip(order);
            Ok(bits.fold(Letter::default(), |letter, (bit, &at)| letter.with(at, bit == b'1')))
        }
        None => valuation(alphabet, text),
    };
    let names = machine.outputs().iter();
    names.map(|name| letter(&name).map_err(|message| ModelError::new(message).about(&name))).collect()
}

/// The letter of a label; what it is called where the alphabet does not have it, nor takes it in.
fn label(alphabet: &Alphabet, what: &str, name: &str) -> Result<Letter, LetterError> {
    alphabet.label(name).map_err(|error| match error {
        LetterError::Unknown { name, near, .. } => LetterError::Unknown { what: what.to_owned(), name, near },
        other => other,
    })
}

/// For each input label, the machine's input.
fn label_columns(machine: &Machine, inputs: &Alphabet) -> Result<Vec<u32>, ModelError> {
    for name in machine.inputs().iter() {
        label(inputs, "input", &name).map_err(|error| ModelError::new(error.to_string()).about(&name))?;
    }
    let column = |name: &str| {
        machine.inputs().find(name).ok_or_else(|| {
            ModelError::new(format!("no transition is labelled with the input `{name}`"))
                .help("every input needs one in every state")
        })
    };
    inputs.names().map(column).collect()
}

/// For each valuation, the machine's input, where the machine itself speaks of signals.
fn valuation_columns(machine: &Machine, inputs: &Alphabet) -> Result<Vec<u32>, ModelError> {
    let order = bits_of(machine.input_signals(), inputs, "input", "i")?;
    let letters = 0..1u32 << order.len();
    // Bit `order[k]` of a letter is bit `k` of the machine's input.
    let column = |letter: u32| {
        order.iter().enumerate().fold(0, |column, (at, from)| column | (letter >> from & 1) << at)
    };
    Ok(letters.map(column).collect())
}

/// Which bits of a letter the machine's signals are: by name, or in order where the file gives no names.
fn bits_of(
    signals: &[String],
    alphabet: &Alphabet,
    what: &str,
    nameless: &str,
) -> Result<Vec<usize>, ModelError> {
    if let Some(field) = alphabet.fields().iter().find(|field| !field.is_boolean()) {
        let (name, values) = (field.name(), field.values());
        return Err(ModelError::new(format!("signal `{name}` is {values}, and the machine's are bits")));
    }
    let (found, wanted) = (signals.len(), alphabet.len());
    if found != wanted {
        let message = format!("the machine has {found} {what} signals, the interface {wanted}");
        return Err(ModelError::new(message));
    }
    let named = |name: &String| {
        let message = || alphabet.unknown(&format!("{what} signal"), name).to_string();
        let field = alphabet.field(name).ok_or_else(|| ModelError::new(message()).about(name))?;
        Ok(field.bits().start)
    };
    match signals.iter().map(named).collect() {
        Err(_) if signals.iter().enumerate().all(|(at, name)| *name == format!("{nameless}{at}")) => {
            Ok((0..found).collect())
        }
        result => result,
    }
}

/// The moves of a machine whose inputs correspond to letters one to one.
fn by_column(
    machine: &Machine,
    initial: u32,
    interface: &Interface,
    columns: &[u32],
) -> Result<Moves, ModelError> {
    let nowhere = Move { to: 0, output: u32::MAX };
    let mut moves = vec![nowhere; machine.states().len() * columns.len()];
    explore(machine.states().len(), initial, |state, open| {
        let row = state as usize * columns.len();
        for (letter, &column) in columns.iter().enumerate() {
            let Some(to) = machine.next(state, column) else {
                return Err(gap(machine, state, interface, Letter::from_index(letter as u64)));
            };
            moves[row + letter] = Move { to, output: answer(machine, state, column)? };
            open.push(to);
        }
        Ok(())
    })?;
    Ok(Moves::Dense { inputs: columns.len(), moves })
}

/// The moves of a machine whose inputs are guards.
fn by_guard(machine: &Machine, initial: u32, interface: &Interface) -> Result<Moves, ModelError> {
    let space = Space::new(interface.clone());
    let moves = by_guard_in(&space, machine, initial);
    space.bdds().within_bounds().map_err(|_| {
        let help = "write fewer of them, or smaller ones";
        ModelError::new("the guards of this machine are too large to be followed").help(help)
    })?;
    moves
}

fn by_guard_in(space: &Space, machine: &Machine, initial: u32) -> Result<Moves, ModelError> {
    let interface = space.interface();
    let guards: Vec<Bdd> = machine
        .inputs()
        .iter()
        .map(|text| {
            guard(space, &text).map_err(|message| {
                let help = "write a guard such as `a & !b`; `true` is any input";
                ModelError::new(message).about(&text).help(help)
            })
        })
        .collect::<Result<_, _>>()?;
    let mut moves = Vec::new();
    let mut rows: Vec<Vec<(Bdd, u32)>> = vec![Vec::new(); machine.states().len()];
    explore(machine.states().len(), initial, |state, open| {
        let mut taken = space.bdds().none();
        let mut earlier: Vec<(u32, Move)> = Vec::new();
        for input in 0..machine.inputs().len() as u32 {
            let Some(to) = machine.next(state, input) else { continue };
            let taking = Move { to, output: answer(machine, state, input)? };
            let guard = &guards[input as usize];
            let clash =
                |&&(other, took): &&(u32, Move)| took != taking && guards[other as usize].meets(guard);
            if let Some(&(other, _)) = earlier.iter().find(clash) {
                return Err(overlap(machine, space, state, (other, &guards[other as usize]), (input, guard)));
            }
            taken = &taken | guard;
            rows[state as usize].push((guard.clone(), moves.len() as u32));
            earlier.push((input, taking));
            moves.push(taking);
            open.push(to);
        }
        match space.input_letters(&!&taken).iter().next() {
            Some(letter) => Err(gap(machine, state, interface, letter)),
            None => Ok(()),
        }
    })?;
    let table = Table::new(space, rows.iter().map(|row| row.iter().map(|(guard, number)| (guard, *number))));
    let bits = interface.inputs.bits();
    let entries = 1usize.checked_shl(bits as u32).and_then(|inputs| inputs.checked_mul(rows.len()));
    match entries.filter(|&entries| bits <= 20 && entries <= DENSE) {
        None => Ok(Moves::Symbolic { table, moves }),
        Some(_) => {
            let inputs = 1 << bits;
            let nowhere = Move { to: 0, output: u32::MAX };
            let taken = |state: u32, input: u64| {
                let number = table.next(state, &Letter::from_index(input), &Letter::default());
                moves.get(number as usize).copied().unwrap_or(nowhere)
            };
            let states = 0..rows.len() as u32;
            let moves = states.flat_map(|state| (0..inputs as u64).map(move |input| (state, input)));
            Ok(Moves::Dense { inputs, moves: moves.map(|(state, input)| taken(state, input)).collect() })
        }
    }
}

/// Visits every state that can be reached; `visit` says where one leads.
fn explore(
    states: usize,
    initial: u32,
    mut visit: impl FnMut(u32, &mut Vec<u32>) -> Result<(), ModelError>,
) -> Result<(), ModelError> {
    let mut reached = vec![false; states];
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut reached[state as usize], true) {
            visit(state, &mut open)?;
        }
    }
    Ok(())
}

fn answer(machine: &Machine, state: u32, input: u32) -> Result<u32, ModelError> {
    machine.output(state, input).ok_or_else(|| {
        let (state, input) = (machine.states().name(state), machine.inputs().name(input));
        ModelError::new(format!("the transition for `{input}` from state `{state}` has no output"))
            .at(&state)
            .about(&input)
            .help("write `input / output`; `-` is no output signal")
    })
}

fn gap(machine: &Machine, state: u32, interface: &Interface, letter: Letter) -> ModelError {
    let state = machine.states().name(state);
    let input = interface.inputs.show(letter);
    ModelError::new(format!("state `{state}` has no transition for the input `{input}`")).at(&state).help(
        "every input needs one in every state; add a transition back to the state where nothing happens",
    )
}

fn overlap(
    machine: &Machine,
    space: &Space,
    state: u32,
    first: (u32, &Bdd),
    second: (u32, &Bdd),
) -> ModelError {
    let both = space.input_letters(&(first.1 & second.1));
    let input =
        both.iter().next().map_or(String::new(), |letter| space.interface().inputs.show(letter).to_string());
    let [first, second] = [first.0, second.0].map(|input| machine.inputs().name(input));
    let state = machine.states().name(state);
    ModelError::new(format!("`{first}` and `{second}` both take the input `{input}` in state `{state}`"))
        .at(&state)
        .about(&second)
        .help("guards of one state must exclude each other")
}

#[cfg(test)]
mod tests;
