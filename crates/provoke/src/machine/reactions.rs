//! A machine over an interface: which letters it answers to which, state by state.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Machine, ModelError, Names, UNDEFINED, answer, columns, guard, outputs, overlap};
use crate::bdd::{Bdd, Space};
use crate::letter::Letter;

/// What a machine does, in letters of an interface. Inputs that no reaction of a state takes are not known there:
/// machines may be partial.
#[derive(Clone, Debug)]
pub struct Reactions {
    /// The variables of the inputs.
    pub space: Arc<Space>,
    /// The states' names.
    pub states: Names,
    /// For each state, what it does; no input is taken twice. Nothing for states that cannot be reached.
    pub rows: Vec<Vec<Reaction>>,
    /// Where every run starts.
    pub initial: u32,
}

/// One answer of a state, and where it leads.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// The inputs that are answered so; a set that does not depend on outputs.
    pub inputs: Bdd,
    /// The answer.
    pub output: Letter,
    /// The state after it.
    pub to: u32,
}

impl Reactions {
    /// A machine over an interface, as [`Simulated`](crate::system::Simulated) reads it, except that it may be partial.
    pub fn new(machine: &Machine, space: &Arc<Space>) -> Result<Reactions, ModelError> {
        let initial = machine.initial().ok_or_else(|| {
            ModelError::new("the machine has no initial state").help("add `__start0 -> s0` for the first one")
        })?;
        let letters = outputs(machine, &space.interface().outputs)?;
        let states = reachable(machine, initial);
        let rows = match columns(machine, &space.interface().inputs)? {
            Some(columns) => by_column(machine, space, &states, &columns, &letters)?,
            None => by_guard(machine, space, &states, &letters)?,
        };
        space.bdds().within_bounds().map_err(|_| {
            let help = "write fewer of them, or smaller ones";
            ModelError::new("the guards of this machine are too large to be followed").help(help)
        })?;
        Ok(Reactions { space: space.clone(), states: machine.states().clone(), rows, initial })
    }

    /// The inputs that a state takes.
    pub fn known(&self, state: u32) -> Bdd {
        let rows = self.rows[state as usize].iter();
        rows.fold(self.space.bdds().none(), |sum, reaction| &sum | &reaction.inputs)
    }

    /// The answer to an input, and where it leads; none where that is not known.
    pub fn react(&self, state: u32, input: Letter) -> Option<(Letter, u32)> {
        let value = self.space.value(input, Letter::default());
        let taken = self.rows[state as usize].iter().find(|reaction| reaction.inputs.contains(&value))?;
        Some((taken.output, taken.to))
    }
}

/// For each state, whether some inputs lead there. What a machine would do elsewhere is never looked at.
fn reachable(machine: &Machine, initial: u32) -> Vec<bool> {
    let mut reached = vec![false; machine.states().len()];
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut reached[state as usize], true) {
            open.extend(machine.row(state).iter().filter(|&&to| to != UNDEFINED));
        }
    }
    reached
}

/// The answer of a transition as a letter. A machine without outputs answers the only letter of an interface without
/// outputs.
fn letter(
    machine: &Machine,
    space: &Space,
    letters: &[Letter],
    state: u32,
    input: u32,
) -> Result<Letter, ModelError> {
    if machine.outputs().is_empty() && space.output_bits() == 0 {
        return Ok(Letter::default());
    }
    let number = answer(machine, state, input)?;
    Ok(letters.get(number as usize).copied().unwrap_or_default())
}

fn by_column(
    machine: &Machine,
    space: &Arc<Space>,
    reached: &[bool],
    columns: &[Option<u32>],
    letters: &[Letter],
) -> Result<Vec<Vec<Reaction>>, ModelError> {
    let mut singles: Vec<Option<Bdd>> = vec![None; columns.len()];
    let mut rows = Vec::with_capacity(machine.states().len());
    for state in 0..machine.states().len() as u32 {
        if !reached[state as usize] {
            rows.push(Vec::new());
            continue;
        }
        let mut groups: Vec<(Letter, u32, Vec<u32>)> = Vec::new();
        let mut known: FxHashMap<(Letter, u32), usize> = FxHashMap::default();
        for (index, column) in (0..).zip(columns) {
            let Some(column) = *column else { continue };
            let Some(to) = machine.next(state, column) else { continue };
            let output = letter(machine, space, letters, state, column)?;
            let group = *known.entry((output, to)).or_insert_with(|| {
                groups.push((output, to, Vec::new()));
                groups.len() - 1
            });
            groups[group].2.push(index);
        }
        let reaction = |(output, to, members): (Letter, u32, Vec<u32>)| {
            let inputs = match members[..] {
                [only] => singles[only as usize]
                    .get_or_insert_with(|| space.input(Letter::from_index(only.into())))
                    .clone(),
                _ => set(space, columns.len(), &members),
            };
            Reaction { inputs, output, to }
        };
        rows.push(groups.into_iter().map(reaction).collect());
    }
    Ok(rows)
}

/// The set of these input letters, sorted and of `count` in all.
fn set(space: &Space, count: usize, members: &[u32]) -> Bdd {
    if members.len() == count {
        return space.valid_inputs().clone();
    }
    of_bits(space, 0, members.to_vec())
}

/// The letters whose bits from `bit` on are those of a member.
fn of_bits(space: &Space, bit: usize, members: Vec<u32>) -> Bdd {
    let left = space.input_bits() - bit;
    if members.is_empty() {
        return space.bdds().none();
    }
    if Some(members.len()) == 1usize.checked_shl(left as u32) {
        return space.bdds().all();
    }
    let (high, low): (Vec<u32>, Vec<u32>) = members.into_iter().partition(|member| member >> bit & 1 == 1);
    let (low, high) = (of_bits(space, bit + 1, low), of_bits(space, bit + 1, high));
    space.bdds().variable(bit).choose(&high, &low)
}

fn by_guard(
    machine: &Machine,
    space: &Arc<Space>,
    reached: &[bool],
    letters: &[Letter],
) -> Result<Vec<Vec<Reaction>>, ModelError> {
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
    let mut rows = Vec::with_capacity(machine.states().len());
    for state in 0..machine.states().len() as u32 {
        if !reached[state as usize] {
            rows.push(Vec::new());
            continue;
        }
        let mut row: Vec<Reaction> = Vec::new();
        let mut taken: Vec<u32> = Vec::new();
        for input in 0..machine.inputs().len() as u32 {
            let Some(to) = machine.next(state, input) else { continue };
            let output = letter(machine, space, letters, state, input)?;
            let inputs = &guards[input as usize] & space.valid_inputs();
            let clash = row
                .iter()
                .position(|other| (other.output, other.to) != (output, to) && other.inputs.meets(&inputs));
            if let Some(other) = clash {
                let other = taken[other];
                let (first, second) = ((other, &guards[other as usize]), (input, &inputs));
                return Err(overlap(machine, space, state, first, second));
            }
            match row.iter_mut().find(|known| (known.output, known.to) == (output, to)) {
                Some(known) => known.inputs = &known.inputs | &inputs,
                None => {
                    row.push(Reaction { inputs, output, to });
                    taken.push(input);
                }
            }
        }
        rows.push(row);
    }
    Ok(rows)
}
