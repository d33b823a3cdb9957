//! What the guide says at a state, in a form that can be compared with other states.

use rustc_hash::FxHashMap;

use super::letters::key;
use crate::game::{Guide, State, Tier};
use crate::letter::Letter;

/// Where there are at most this many inputs, they are listed.
pub(super) const FEW: u64 = 64;

/// The inputs of a state. States with the same helpful and the same other inputs have the same shape.
#[derive(Debug)]
pub(super) struct Shape {
    /// Every input from which the objective is still reachable, helpful ones first; empty where there are many.
    pub(super) inputs: Vec<Letter>,
    /// Their keys, in the same order.
    pub(super) keys: Vec<u64>,
    /// How many of the listed inputs are helpful.
    pub(super) helpful: usize,
    /// Whether there are too many inputs to list.
    pub(super) wide: bool,
}

impl Shape {
    /// The listed inputs as a set of places.
    pub(super) fn mask(&self, all_inputs: bool) -> u64 {
        let count = if all_inputs { self.inputs.len() } else { self.helpful };
        u64::MAX.checked_shr(64 - count as u32).unwrap_or(0)
    }
}

/// The shapes met so far.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    shapes: Vec<Shape>,
    /// The shape of each state, or `u32::MAX`.
    of_state: Vec<u32>,
    /// By the inputs and, as one more letter, how many are helpful.
    listed: FxHashMap<Vec<Letter>, u32>,
    /// Where the next ones are gathered, so that only new shapes cost an allocation.
    gathered: Vec<Letter>,
    /// By the ids of sets that are too large to list.
    wide: FxHashMap<(u64, u64), u32>,
}

impl Shapes {
    #[inline]
    pub(super) fn get(&self, number: u32) -> &Shape {
        &self.shapes[number as usize]
    }

    /// The number of a state's shape.
    #[inline]
    pub(super) fn of(&mut self, at: State, guide: &dyn Guide) -> u32 {
        match self.of_state.get(at.0 as usize) {
            Some(&number) if number != u32::MAX => number,
            _ => self.find(at, guide),
        }
    }

    /// Forgets which state has which shape, because states mean something else now; the shapes stay.
    pub(super) fn turn(&mut self) {
        self.of_state.clear();
    }

    #[cold]
    fn find(&mut self, at: State, guide: &dyn Guide) -> u32 {
        let (greedy, hopeful) = (guide.greedy_inputs(at), guide.inputs(at, Tier::Hopeful));
        let fresh = self.shapes.len() as u32;
        let number = match hopeful.count().to_u64() {
            Some(count) if count <= FEW => {
                let inputs = &mut self.gathered;
                inputs.clear();
                inputs.extend(greedy.iter());
                let helpful = inputs.len();
                inputs.extend(hopeful.iter().filter(|&letter| !greedy.contains(letter)));
                inputs.push(Letter::from_index(helpful as u64));
                let known = self.listed.get(&inputs[..]).copied();
                known.unwrap_or_else(|| {
                    self.listed.insert(inputs.clone(), fresh);
                    inputs.pop();
                    let keys = inputs.iter().copied().map(key).collect();
                    self.shapes.push(Shape { inputs: inputs.clone(), keys, helpful, wide: false });
                    fresh
                })
            }
            _ => {
                let number = *self.wide.entry((greedy.id(), hopeful.id())).or_insert(fresh);
                if number == fresh {
                    let (inputs, keys) = (Vec::new(), Vec::new());
                    self.shapes.push(Shape { inputs, keys, helpful: 0, wide: true });
                }
                number
            }
        };
        if at.is_passing() {
            return number;
        }
        let place = at.0 as usize;
        if self.of_state.len() <= place {
            self.of_state.resize(place + 1, u32::MAX);
        }
        self.of_state[place] = number;
        number
    }

    pub(super) fn memory(&self) -> usize {
        let of_input = 2 * size_of::<Letter>() + size_of::<u64>();
        let listed = self.shapes.iter().map(|shape| shape.inputs.capacity() * of_input).sum::<usize>();
        listed + self.of_state.capacity() * size_of::<u32>() + self.shapes.capacity() * size_of::<Shape>()
    }
}
