//! From strategies to one machine.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::Time;
use super::letters::Letters;
use super::search::Node;
use crate::bdd::Space;
use crate::letter::{Alphabet, Letter};
use crate::machine::{Machine, Names};

/// The most input bits of a table.
const BITS: usize = 16;
/// The most states of a machine.
const STATES: usize = 100_000;
/// The most entries of its table.
const ENTRIES: usize = 1 << 24;

/// A strategy with its letters and the variables of the outputs that it decides.
type Strategy<'a> = (&'a Letters, &'a Vec<Node>, &'a BTreeSet<usize>);

/// The machine that plays all strategies at once, as small as can be; none where its table would be too large, or time is
/// up. Outputs that no strategy decides are false.
pub(super) fn combined(space: &Space, strategies: &[Strategy<'_>], time: Time) -> Option<Machine> {
    let interface = space.interface();
    if space.input_bits() > BITS {
        return None;
    }
    let count = match interface.inputs.as_labels() {
        Some(labels) => labels.len(),
        None => 1 << space.input_bits(),
    };
    let classes: Vec<Vec<u32>> =
        strategies.iter().map(|(letters, ..)| classes(space, letters, count)).collect();
    // One position in each strategy; none where it is free to do anything.
    let start: Vec<Option<u32>> = vec![Some(0); strategies.len()];
    let mut numbers: FxHashMap<Vec<Option<u32>>, u32> = FxHashMap::from_iter([(start.clone(), 0)]);
    let mut open = vec![start];
    let (mut next, mut output) = (Vec::new(), Vec::new());
    let mut answers: Vec<Letter> = Vec::new();
    let mut known: FxHashMap<Letter, u32> = FxHashMap::default();
    let mut at = 0;
    while let Some(tuple) = open.get(at).cloned() {
        at += 1;
        for input in (0..count).map(|at| at as u32) {
            let mut letter = interface.outputs.simplest();
            let mut to = Vec::with_capacity(tuple.len());
            for (place, (letters, nodes, outputs)) in strategies.iter().enumerate() {
                let class = classes[place][input as usize] as usize;
                let Some(node) = tuple[place] else {
                    to.push(None);
                    continue;
                };
                let (option, targets) = nodes.get(node as usize)?.choices.get(class)?;
                let chosen = letters.outputs.get(*option)?.1;
                match interface.outputs.as_labels() {
                    Some(_) => letter = chosen,
                    None => {
                        for variable in outputs.iter() {
                            let bit = variable - space.input_bits();
                            letter = letter.with(bit, chosen.get(bit));
                        }
                    }
                }
                to.push(targets.first().copied().flatten());
            }
            let number = match numbers.get(&to) {
                Some(&number) => number,
                None => {
                    let number = open.len() as u32;
                    numbers.insert(to.clone(), number);
                    open.push(to);
                    number
                }
            };
            next.push(number);
            output.push(*known.entry(letter).or_insert_with(|| {
                answers.push(letter);
                answers.len() as u32 - 1
            }));
        }
        if open.len() > STATES || next.len() > ENTRIES || time.is_up() {
            return None;
        }
    }
    let inputs = names(&interface.inputs, (0..count as u64).map(Letter::from_index));
    let outputs = names(&interface.outputs, answers.into_iter());
    let machine = Machine::from_table(Names::numbered("s", open.len()), inputs, next).ok()?;
    let machine = machine.with_outputs(outputs, output).ok()?.with_initial(0).ok()?;
    let signals = |alphabet: &Alphabet| match alphabet.as_labels() {
        Some(_) => Vec::new(),
        None => alphabet.names().map(str::to_owned).collect(),
    };
    Some(machine.with_signals(signals(&interface.inputs), signals(&interface.outputs)).minimised())
}

/// The class of each input letter.
fn classes(space: &Space, letters: &Letters, count: usize) -> Vec<u32> {
    let mut classes = vec![0; count];
    for (number, (set, _)) in (0..).zip(&letters.inputs) {
        for letter in space.input_letters(set).iter() {
            if let Some(class) = classes.get_mut(letter.index() as usize) {
                *class = number;
            }
        }
    }
    classes
}

/// What letters are called in a machine: labels by name, valuations by their bits.
fn names(alphabet: &Alphabet, letters: impl Iterator<Item = Letter>) -> Names {
    let name = |letter: Letter| match alphabet.as_labels() {
        Some(_) => alphabet.show(letter).to_string(),
        None => (0..alphabet.bits()).map(|bit| if letter.get(bit) { '1' } else { '0' }).collect(),
    };
    let names: Vec<String> = letters.map(name).collect();
    names.iter().map(String::as_str).collect()
}
