//! Letters that no guard tells apart, as one: what the game of synthesis is played with.

use rustc_hash::FxHashMap;

use super::Time;
use crate::bdd::{Bdd, Space};
use crate::letter::Letter;

/// The most classes of inputs or of outputs.
const MOST: usize = 4096;
/// The most pairs of an input and an output.
const PAIRS: usize = 1 << 16;

/// Classes of inputs and of outputs that no guard tells apart.
#[derive(Clone)]
pub(super) struct Letters {
    /// The first variable of the outputs.
    pub(super) first_output: usize,
    /// For each class of inputs, its letters and one of them.
    pub(super) inputs: Vec<(Bdd, Letter)>,
    /// For each class of outputs, its letters and one of them.
    pub(super) outputs: Vec<(Bdd, Letter)>,
    /// For each guard, for each class of inputs, the number of what it asks of outputs.
    rest: FxHashMap<Bdd, Vec<u32>>,
    /// For each number, for each class of outputs, whether it is what is asked.
    asks: Vec<Vec<bool>>,
}

impl Letters {
    /// The classes of the letters of a space that these guards tell apart; none where they are too many, or time is up.
    pub(super) fn new(space: &Space, guards: impl Iterator<Item = Bdd>, time: Time) -> Option<Letters> {
        let mut inputs = vec![space.valid_inputs().clone()];
        let mut splits: Vec<(Bdd, Vec<(Bdd, Bdd)>)> = Vec::new();
        let mut known: FxHashMap<Bdd, ()> = FxHashMap::default();
        for guard in guards {
            if known.insert(guard.clone(), ()).is_some() {
                continue;
            }
            let split: Vec<(Bdd, Bdd)> = by_inputs(space, &guard, &mut FxHashMap::default());
            let finer = inputs.iter().flat_map(|class| split.iter().map(move |(set, _)| class & set));
            inputs = finer.filter(|class| !class.is_none()).collect();
            if inputs.len() > MOST || time.is_up() {
                return None;
            }
            splits.push((guard, split));
        }
        let mut numbers: FxHashMap<Bdd, u32> = FxHashMap::default();
        let mut functions: Vec<Bdd> = Vec::new();
        let mut outputs = vec![space.valid_outputs().clone()];
        let mut rest = FxHashMap::default();
        for (guard, split) in splits {
            let mut row = Vec::with_capacity(inputs.len());
            for class in &inputs {
                let function =
                    split.iter().find(|(set, _)| class.is_within(set)).map(|(_, function)| function)?;
                let number = *numbers.entry(function.clone()).or_insert_with(|| {
                    functions.push(function.clone());
                    functions.len() as u32 - 1
                });
                row.push(number);
            }
            rest.insert(guard, row);
        }
        for function in &functions {
            let finer = outputs.iter().flat_map(|class| [class & function, class - function]);
            outputs = finer.filter(|class| !class.is_none()).collect();
            if outputs.len() > MOST || inputs.len() * outputs.len() > PAIRS || time.is_up() {
                return None;
            }
        }
        let asks =
            functions.iter().map(|function| outputs.iter().map(|class| class.is_within(function)).collect());
        let asks = asks.collect();
        let first = |set: Bdd| {
            let letter = space.input_letters(&set).iter().next()?;
            Some((set, letter))
        };
        let inputs = inputs.into_iter().map(first).collect::<Option<Vec<_>>>()?;
        let first = |set: Bdd| {
            let letter = space.output_letters(&set).iter().next()?;
            Some((set, letter))
        };
        let outputs = outputs.into_iter().map(first).collect::<Option<Vec<_>>>()?;
        Some(Letters { first_output: space.input_bits(), inputs, outputs, rest, asks })
    }

    /// Whether a guard takes the letters of these classes.
    pub(super) fn takes(&self, guard: &Bdd, input: usize, output: usize) -> bool {
        self.is_asked(self.asked(guard)[input], output)
    }

    /// The numbers of what a guard asks of outputs, for each class of inputs.
    pub(super) fn asked(&self, guard: &Bdd) -> &[u32] {
        // invariant: every guard of the game was there when its letters were made.
        &self.rest[guard]
    }

    /// Whether a class of outputs is what is asked.
    pub(super) fn is_asked(&self, number: u32, output: usize) -> bool {
        self.asks[number as usize][output]
    }

    /// Shows every pair of classes that a guard takes.
    pub(super) fn each_taken(&self, guard: &Bdd, mut show: impl FnMut(usize)) {
        for (input, &number) in self.asked(guard).iter().enumerate() {
            let taken = self.asks[number as usize].iter().enumerate().filter(|(_, asks)| **asks);
            taken.for_each(|(output, _)| show(input * self.outputs.len() + output));
        }
    }

    /// How many pairs of classes there are.
    pub(super) fn pairs(&self) -> usize {
        self.inputs.len() * self.outputs.len()
    }
}

/// What a guard asks of outputs, for each set of inputs that it treats alike.
fn by_inputs(space: &Space, guard: &Bdd, known: &mut FxHashMap<Bdd, Vec<(Bdd, Bdd)>>) -> Vec<(Bdd, Bdd)> {
    let is_input = guard.top().is_some_and(|variable| variable < space.input_bits());
    let split = guard.split().filter(|_| is_input);
    let Some((variable, low, high)) = split else { return vec![(space.bdds().all(), guard.clone())] };
    if let Some(found) = known.get(guard) {
        return found.clone();
    }
    let (low, high) = (by_inputs(space, &low, known), by_inputs(space, &high, known));
    let mut found: Vec<(Bdd, Bdd)> = Vec::new();
    for (value, part) in [(false, low), (true, high)] {
        let literal = space.bdds().literal(variable, value);
        for (set, function) in part {
            let set = &set & &literal;
            match found.iter_mut().find(|(_, known)| *known == function) {
                Some((known, _)) => *known = &*known | &set,
                None => found.push((set, function)),
            }
        }
    }
    known.insert(guard.clone(), found.clone());
    found
}
