//! A finite-state machine as the system under test: no other program needed.

use std::borrow::Cow;
use std::path::Path;

use super::{Ending, Ends, Phase, System, SystemError};
use crate::automaton::Table;
use crate::bdd::{Bdd, Space};
use crate::diagnostic::{Source, SpecError};
use crate::format::machine;
use crate::letter::{Alphabet, Interface, Letter};
use crate::machine::{
    Machine, ModelError, Names, UNDEFINED, answer, columns, guard, located, outputs, overlap,
};

/// The most table entries (states times inputs) that are written out: they should stay in the cache. Machines
/// beyond that look at the signals their guards speak of.
const DENSE: usize = 1 << 14;

/// A Mealy machine that answers our inputs.
///
/// Its inputs and outputs are labels of the interface, or they are read as guards over the input signals and as
/// valuations of the output signals, in any of the usual spellings (see `docs/guide/adapters.md`). Every
/// input must have exactly one answer in every state that can be reached, unless the machine [stands in](Simulated::standing_in)
/// for a program.
#[derive(Clone, Debug)]
pub struct Simulated {
    moves: Moves,
    /// What the machine may answer; [`Move::output`] counts here.
    outputs: Vec<Letter>,
    initial: u32,
    at: u32,
    states: Names,
    inputs: Alphabet,
    /// The states in which it has ended: those without transitions.
    ended: Vec<bool>,
    /// Answers that say that it has ended. Some ways into a state may end with one and others not.
    tell: Vec<Letter>,
    /// The letter for its end, where no answer said so.
    end: Option<Letter>,
    /// The last answer of this run.
    said: Option<Letter>,
    /// Its end was an answer of this run.
    is_over: bool,
}

/// Which transitions a machine may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacking {
    /// None.
    Nothing,
    /// All of a state: there the system has ended.
    Ended,
    /// Any: what is sent where it has none is an error then.
    Anything,
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
        Simulated::standing_in(path, interface, None, Lacking::Nothing)
    }

    /// The same of a machine that stands in for a program, and may lack transitions. In a state that has none it has ended, as a
    /// program does that exits: with the label for that, and without one it is gone.
    pub fn standing_in(
        path: &Path,
        interface: &Interface,
        ends: Option<&Ends>,
        lacking: Lacking,
    ) -> Result<Simulated, SpecError> {
        let machine = machine::read(path)?;
        Simulated::made(&machine, interface, ends, lacking).map_err(|error| match Source::read(path) {
            Ok(source) => located(&source, &error),
            // A table in binary has no place to show.
            Err(_) => SpecError::whole(&Source::new(path.display().to_string(), ""), error.message),
        })
    }

    /// A machine over an interface, in its initial state.
    pub fn new(machine: &Machine, interface: &Interface) -> Result<Simulated, ModelError> {
        Simulated::made(machine, interface, None, Lacking::Nothing)
    }

    fn made(
        machine: &Machine,
        interface: &Interface,
        ends: Option<&Ends>,
        lacking: Lacking,
    ) -> Result<Simulated, ModelError> {
        let initial = machine.initial().ok_or_else(|| {
            ModelError::new("the machine has no initial state").help("add `__start0 -> s0` for the first one")
        })?;
        let outputs = outputs(machine, &interface.outputs)?;
        let moves = match columns(machine, &interface.inputs)? {
            Some(columns) => by_column(machine, initial, interface, &columns, lacking)?,
            None => by_guard(machine, initial, interface, lacking)?,
        };
        let letter = |label: &str| interface.outputs.as_labels()?.find(label);
        let tell: Vec<Letter> = ends.into_iter().flat_map(Ends::labels).filter_map(letter).collect();
        let end = ends.and_then(|ends| letter(ends.label(&Ending::Exited(0))?));
        let ended = (0..machine.states().len() as u32).map(|state| is_end(machine, state)).collect();
        let (states, inputs) = (machine.states().clone(), interface.inputs.clone());
        let (at, said, is_over) = (initial, None, false);
        Ok(Simulated { moves, outputs, initial, at, states, inputs, ended, tell, end, said, is_over })
    }

    /// Whether it has ended in a state.
    pub fn has_ended(&self, state: u32) -> bool {
        self.ended.get(state as usize).is_some_and(|&ended| ended)
    }

    /// What the file calls a state.
    pub(super) fn state_name(&self, state: u32) -> Cow<'_, str> {
        self.states.name(state)
    }

    /// Where every run starts.
    pub fn initial_state(&self) -> u32 {
        self.initial
    }

    /// Where an input leads from a state, and the answer to it.
    #[inline]
    pub fn move_from(&self, state: u32, input: Letter) -> Option<(u32, Letter)> {
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
        (self.at, self.said, self.is_over) = (self.initial, None, false);
        Ok(())
    }

    #[inline]
    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        match self.move_from(self.at, input) {
            Some((to, output)) => {
                (self.at, self.said) = (to, Some(output));
                Ok(output)
            }
            None => self.stop(input),
        }
    }
}

impl Simulated {
    /// Whether an input is a letter of the interface.
    fn knows(&self, input: Letter) -> bool {
        match self.inputs.as_labels() {
            Some(labels) => labels.iter().any(|(label, _)| label == input),
            None => self.inputs.bits() >= 64 || input.index() >> self.inputs.bits() == 0,
        }
    }

    /// What comes where there is no transition.
    #[cold]
    fn stop(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let gone = |how| SystemError::Gone { during: Phase::Step, how };
        if self.has_ended(self.at) {
            let is_told = self.said.is_some_and(|said| self.tell.contains(&said));
            // Where the answer before said nothing, the next input shows it.
            return match is_told || std::mem::replace(&mut self.is_over, true) {
                true => Err(SystemError::Over),
                false => self.end.ok_or_else(|| gone(Ending::Exited(0))),
            };
        }
        Err(match self.knows(input) {
            true => SystemError::Unmodelled {
                state: self.states.name(self.at).into_owned(),
                input: self.inputs.show(input).to_string(),
            },
            false => gone(Ending::Failed("the input is not a letter of the interface".into())),
        })
    }
}

fn is_end(machine: &Machine, state: u32) -> bool {
    machine.row(state).iter().all(|&to| to == UNDEFINED)
}

/// The moves of a machine whose inputs correspond to letters one to one.
fn by_column(
    machine: &Machine,
    initial: u32,
    interface: &Interface,
    columns: &[Option<u32>],
    lacking: Lacking,
) -> Result<Moves, ModelError> {
    if let Some(letter) = columns.iter().position(Option::is_none).filter(|_| lacking != Lacking::Anything) {
        let name = interface.inputs.show(Letter::from_index(letter as u64));
        return Err(ModelError::new(format!("no transition is labelled with the input `{name}`"))
            .help("every input needs one in every state"));
    }
    let nowhere = Move { to: 0, output: u32::MAX };
    let mut moves = vec![nowhere; machine.states().len() * columns.len()];
    explore(machine.states().len(), initial, |state, open| {
        let row = state as usize * columns.len();
        for (letter, &column) in columns.iter().enumerate() {
            let taken = column.and_then(|column| Some((column, machine.next(state, column)?)));
            let Some((column, to)) = taken else {
                if may_lack(machine, state, lacking) {
                    continue;
                }
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
fn by_guard(
    machine: &Machine,
    initial: u32,
    interface: &Interface,
    lacking: Lacking,
) -> Result<Moves, ModelError> {
    let space = Space::new(interface.clone());
    let moves = by_guard_in(&space, machine, initial, lacking);
    space.bdds().within_bounds().map_err(|_| {
        let help = "write fewer of them, or smaller ones";
        ModelError::new("the guards of this machine are too large to be followed").help(help)
    })?;
    moves
}

fn by_guard_in(
    space: &Space,
    machine: &Machine,
    initial: u32,
    lacking: Lacking,
) -> Result<Moves, ModelError> {
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
        if may_lack(machine, state, lacking) {
            return Ok(());
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

/// Whether a state may lack transitions.
fn may_lack(machine: &Machine, state: u32, lacking: Lacking) -> bool {
    match lacking {
        Lacking::Nothing => false,
        Lacking::Ended => is_end(machine, state),
        Lacking::Anything => true,
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

fn gap(machine: &Machine, state: u32, interface: &Interface, letter: Letter) -> ModelError {
    let state = machine.states().name(state);
    let input = interface.inputs.show(letter);
    ModelError::new(format!("state `{state}` has no transition for the input `{input}`")).at(&state).help(
        "every input needs one in every state; add a transition back to the state where nothing happens",
    )
}

#[cfg(test)]
mod tests;
