//! Q-Synch, the reinforcement learning of paper 5, mended where it is lost; `published.rs` has it as published.

pub(crate) mod published;
mod qgraph;

use self::qgraph::{MOST_ENTRIES, QGraph};
use crate::rng::Rng;
use crate::synchronise::core::Core;
use crate::synchronise::watch::Watch;

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

impl Learning {
    /// The paper's values, its 1,000,000 episodes among them, and 0.05 for the one it does not give.
    pub fn published() -> Learning {
        Learning { episodes: 1_000_000, ..Learning::default() }
    }
}

/// Learns which input to apply to which set of states, and returns the inputs of the first walk from the set of all
/// states to a single one.
///
/// After Algorithm 1 of paper 5. A node of the Q-graph is a set of states met so far and has one value per input;
/// the reward is -1 for an input that merges nothing, `100 * merged / size` for one that merges, and an
/// input that is undefined somewhere in the set sends the walk back to the start with an empty word. What
/// the paper leaves open or is done otherwise here:
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
    learn(core, learning, rng, watch, walk)
}

/// How a graph is walked until a word is learnt.
type Walk = fn(&mut QGraph<'_>, &Learning, &mut Rng, &mut Watch<'_>) -> Option<Vec<u32>>;

/// Walks a fresh graph and says how large it grew.
fn learn(
    core: &Core<'_>,
    learning: &Learning,
    rng: &mut Rng,
    watch: &mut Watch<'_>,
    walk: Walk,
) -> Option<Vec<u32>> {
    let mut graph = QGraph::new(core, rng);
    let word = walk(&mut graph, learning, rng, watch);
    watch.nodes = Some(graph.len());
    word
}

fn walk(
    graph: &mut QGraph<'_>,
    learning: &Learning,
    rng: &mut Rng,
    watch: &mut Watch<'_>,
) -> Option<Vec<u32>> {
    let core = graph.core;
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
                graph.forbid(at, letter);
                (at, word) = (0, Vec::new());
            }
            Some(to) => {
                graph.learn(at, letter, to, learning);
                at = to;
                word.push(letter as u32);
            }
        }
    }
    (graph.size(at) == 1).then_some(word)
}
