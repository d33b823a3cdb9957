//! Q-Synch, the reinforcement learning of paper 5.

use rustc_hash::FxHashMap;

use super::core::Core;
use super::image::{Scratch, print};
use super::watch::Watch;
use crate::machine::UNDEFINED;
use crate::rng::Rng;

/// The parameters of Q-Synch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learning {
    /// How far a value moves to what was just learnt.
    pub alpha: f64,
    /// How much the next set's value counts.
    pub gamma: f64,
    /// How often an input is chosen at random. The paper gives no number.
    pub epsilon: f64,
    /// How many inputs are tried altogether; the paper calls each an episode.
    pub episodes: u64,
}

impl Default for Learning {
    /// The paper's values, 0.05 for the one it does not give, and a hundred times its 1,000,000 episodes: on some
    /// partial machines of 16,384 states and more, these are not enough to find a word that is there.
    fn default() -> Learning {
        Learning { alpha: 0.9, gamma: 0.9, epsilon: 0.05, episodes: 100_000_000 }
    }
}

/// Learns which input to apply to which set of states, and returns the inputs of the first walk from the set of all
/// states to a single one.
///
/// Algorithm 1 of paper 5. A node of the Q-graph is a set of states met so far and has one value per input;
/// the reward is -1 for an input that merges nothing, `100 * merged / size` for one that merges, and an
/// input that is undefined somewhere in the set sends the walk back to the start with an empty word. What
/// the paper leaves open, and what is done here:
///
/// - Equation 1 subtracts the learning term, which would learn to avoid rewards; it is added, as in the
///   Q-learning that the paper cites. Its `arg max` must mean `max`: a value is added, not an input.
/// - An "episode" is one input: the counter goes up at every input and the walk goes on, also through sets it was
///   in before. Only an undefined input starts it anew. All inputs of the walk become the word.
/// - Initial values are "random": here uniform in [0, 1).
/// - What an undefined input does to its value is not said. Here it is never chosen again in that set, neither by
///   value nor at random; otherwise long words could not be learnt, because some undefined input is
///   drawn again on every walk. The same goes for an input that leads to a set on which none is defined.
/// - Only an undefined input would end a walk that can no longer succeed, and some never meet one: on partial machines
///   there are sets that lead to each other for ever. So there, a walk that comes back to a set it was in before starts
///   anew with chance epsilon. On complete machines no set is hopeless, and walks go on as in the paper.
/// - Nodes are made when first entered, not when first seen from a neighbour; the walk is the same and the
///   graph smaller.
pub(crate) fn q_learning(
    core: &Core<'_>,
    learning: &Learning,
    rng: &mut Rng,
    watch: &mut Watch<'_>,
) -> Option<Vec<u32>> {
    let mut graph = Graph::new(core, rng);
    let mut at = 0u32;
    let mut word: Vec<u32> = Vec::new();
    let mut walk = 0u32;
    for _ in 0..learning.episodes {
        let size = graph.size(at);
        if size == 1 {
            return Some(word);
        }
        if watch.spent(size) || graph.entries > MOST_ENTRIES {
            return None;
        }
        watch.progress(word.len(), size);
        if word.is_empty() {
            walk = walk.wrapping_add(1);
        }
        let last = std::mem::replace(&mut graph.walk[at as usize], walk);
        if !core.complete && last == walk && rng.chance(learning.epsilon) {
            (at, word) = (0, Vec::new());
            continue;
        }
        let Some(letter) = graph.choose(at, learning.epsilon, rng) else {
            // Nothing is defined on this set; on that of all states, nothing ever will be.
            if at == 0 {
                return None;
            }
            (at, word) = (0, Vec::new());
            continue;
        };
        match graph.follow(at, letter, rng) {
            None => {
                graph.value[at as usize * core.letters + letter] = f32::NEG_INFINITY;
                (at, word) = (0, Vec::new());
            }
            Some(to) => {
                let merged = size - graph.size(to);
                let reward = if merged == 0 { -1.0 } else { 100.0 * merged as f64 / size as f64 };
                let best = graph.values(to).iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let future = if graph.size(to) == 1 { 0.0 } else { f64::from(best) };
                let value = &mut graph.value[at as usize * core.letters + letter];
                let old = f64::from(*value);
                *value = if future == f64::NEG_INFINITY {
                    f32::NEG_INFINITY
                } else {
                    (old + learning.alpha * (reward + learning.gamma * future - old)) as f32
                };
                at = to;
                word.push(letter as u32);
            }
        }
    }
    (graph.size(at) == 1).then_some(word)
}

/// The most states and values the graph may hold: about 1 GB.
const MOST_ENTRIES: usize = 1 << 28;

const UNKNOWN: u32 = u32::MAX - 1;

/// The sets met so far, what each input is worth there and where it leads.
struct Graph<'a> {
    core: &'a Core<'a>,
    scratch: Scratch,
    sets: Vec<Box<[u32]>>,
    value: Vec<f32>,
    leads: Vec<u32>,
    /// The last walk that came through each set.
    walk: Vec<u32>,
    number: FxHashMap<u64, u32>,
    entries: usize,
}

impl<'a> Graph<'a> {
    fn new(core: &'a Core<'a>, rng: &mut Rng) -> Graph<'a> {
        let mut graph = Graph {
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

    fn size(&self, at: u32) -> usize {
        self.sets[at as usize].len()
    }

    fn values(&self, at: u32) -> &[f32] {
        &self.value[at as usize * self.core.letters..(at as usize + 1) * self.core.letters]
    }

    /// A random input, or the one of the highest value; none where all are known to be undefined.
    fn choose(&self, at: u32, epsilon: f64, rng: &mut Rng) -> Option<usize> {
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
        (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]))
    }

    /// The node an input leads to; none where it is undefined on the set.
    fn follow(&mut self, at: u32, letter: usize, rng: &mut Rng) -> Option<u32> {
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
