//! The Q-graph of paper 5: the sets of states met so far, with a value for each input.

use rustc_hash::FxHashMap;

use super::Learning;
use crate::machine::UNDEFINED;
use crate::rng::Rng;
use crate::synchronise::core::Core;
use crate::synchronise::sets::image::{Scratch, print};

/// The most states and values the graph may hold: about 1 GB.
pub(crate) const MOST_ENTRIES: usize = 1 << 28;

const UNKNOWN: u32 = u32::MAX - 1;

/// The sets met so far, what each input is worth there and where it leads.
pub(crate) struct QGraph<'a> {
    pub(crate) core: &'a Core<'a>,
    scratch: Scratch,
    sets: Vec<Box<[u32]>>,
    value: Vec<f32>,
    leads: Vec<u32>,
    /// The last walk that came through each set.
    pub(crate) walk: Vec<u32>,
    number: FxHashMap<u64, u32>,
    pub(crate) entries: usize,
}

impl<'a> QGraph<'a> {
    pub(crate) fn new(core: &'a Core<'a>, rng: &mut Rng) -> QGraph<'a> {
        let mut graph = QGraph {
            core,
            scratch: Scratch::new(core),
            sets: Vec::new(),
            value: Vec::new(),
            leads: Vec::new(),
            walk: Vec::new(),
            number: FxHashMap::default(),
            entries: 0,
        };
        let all: Vec<u32> = (0..core.states as u32).collect();
        graph.add(&all, rng);
        graph
    }

    pub(crate) fn size(&self, at: u32) -> usize {
        self.sets[at as usize].len()
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Moves the value of an input that led to the node `to` by equation 1 of the paper.
    ///
    /// There the learning term is subtracted, which would learn to avoid rewards; it is added, as in the
    /// Q-learning that the paper cites. Its `arg max` must mean `max`: a value is added, not an input.
    pub(crate) fn learn(&mut self, at: u32, letter: usize, to: u32, learning: &Learning) {
        let (size, merged) = (self.size(at), self.size(at) - self.size(to));
        let reward = if merged == 0 { -1.0 } else { 100.0 * merged as f64 / size as f64 };
        let best = self.values(to).iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let future = if self.size(to) == 1 { 0.0 } else { f64::from(best) };
        let value = &mut self.value[at as usize * self.core.letters + letter];
        let old = f64::from(*value);
        *value = if future == f64::NEG_INFINITY {
            f32::NEG_INFINITY
        } else {
            (old + learning.alpha * (reward + learning.gamma * future - old)) as f32
        };
    }

    /// Makes an input one that is never chosen for its value.
    pub(crate) fn forbid(&mut self, at: u32, letter: usize) {
        self.value[at as usize * self.core.letters + letter] = f32::NEG_INFINITY;
    }

    /// The input of the highest value.
    pub(crate) fn best(&self, at: u32) -> usize {
        let values = self.values(at);
        (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0)
    }

    fn values(&self, at: u32) -> &[f32] {
        &self.value[at as usize * self.core.letters..(at as usize + 1) * self.core.letters]
    }

    /// A random input, or the one of the highest value; none where all are known to be undefined.
    pub(crate) fn choose(&self, at: u32, epsilon: f64, rng: &mut Rng) -> Option<usize> {
        let values = self.values(at);
        let possible = values.iter().filter(|&&value| value > f32::NEG_INFINITY).count();
        if possible == 0 {
            return None;
        }
        if rng.chance(epsilon) {
            let chosen = rng.index(possible);
            let mut left = values.iter().enumerate().filter(|(_, value)| **value > f32::NEG_INFINITY);
            return left.nth(chosen).map(|(letter, _)| letter);
        }
        Some(self.best(at))
    }

    /// The node an input leads to; none where it is undefined on the set.
    pub(crate) fn follow(&mut self, at: u32, letter: usize, rng: &mut Rng) -> Option<u32> {
        let edge = at as usize * self.core.letters + letter;
        if self.leads[edge] == UNKNOWN {
            let set = &self.sets[at as usize];
            let step = |&state: &u32| self.core.step(state, letter as u32);
            self.leads[edge] = if set.iter().any(|state| step(state) == UNDEFINED) {
                UNDEFINED
            } else {
                let mut image = Vec::new();
                self.scratch.apply(self.core, set, letter as u32, &mut image);
                match self.number.get(&print(&image)) {
                    Some(&node) => node,
                    None => self.add(&image, rng),
                }
            };
        }
        (self.leads[edge] != UNDEFINED).then_some(self.leads[edge])
    }

    fn add(&mut self, set: &[u32], rng: &mut Rng) -> u32 {
        let node = self.sets.len() as u32;
        self.number.insert(print(set), node);
        self.sets.push(set.into());
        self.walk.push(0);
        self.value.extend((0..self.core.letters).map(|_| rng.unit() as f32));
        self.leads.extend(std::iter::repeat_n(UNKNOWN, self.core.letters));
        self.entries += set.len() + 2 * self.core.letters + 16;
        node
    }
}
