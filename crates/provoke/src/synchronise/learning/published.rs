//! Q-Synch as published, line by line.

use super::qgraph::{MOST_ENTRIES, QGraph};
use super::{Learning, learn};
use crate::rng::Rng;
use crate::synchronise::core::Core;
use crate::synchronise::watch::Watch;

/// Walks from the set of all states by the inputs of the highest values, or random ones, until one state is left.
///
/// Algorithm 1 of paper 5 as it is printed: the nodes of all successors of a set are made when it is visited (lines
/// 6 to 9); each input is an episode (line 10); a random one is drawn from all inputs, also from those that
/// were found to be undefined (line 12); only an undefined input starts the walk anew (line 16); and the word is all
/// inputs of the last walk, circles included (line 18). [`Learning::published`] has the 1,000,000 episodes. What
/// had to be settled:
///
/// - Equation 1 is read as the Q-learning that the paper cites, see `qgraph.rs`; initial values are uniform in [0, 1).
/// - The reward of an undefined input is "NAN", and nothing is added to a number by that: the input's value becomes lower
///   than any other, so that it is chosen at random only, or where all inputs of a set are undefined.
/// - A successor whose inputs all have been found undefined has no value to pass on; the input that leads there gets none.
pub(crate) fn q_synch(
    core: &Core<'_>,
    learning: &Learning,
    rng: &mut Rng,
    watch: &mut Watch<'_>,
) -> Option<Vec<u32>> {
    learn(core, learning, rng, watch, walk)
}

fn walk(
    graph: &mut QGraph<'_>,
    learning: &Learning,
    rng: &mut Rng,
    watch: &mut Watch<'_>,
) -> Option<Vec<u32>> {
    let letters = graph.core.letters;
    let (mut at, mut word) = (0u32, Vec::new());
    for _ in 0..learning.episodes {
        let size = graph.size(at);
        if watch.spent(size) || graph.entries > MOST_ENTRIES || letters == 0 {
            return None;
        }
        watch.progress(word.len(), size);
        if graph.walk[at as usize] == 0 {
            // The first visit; the work was not accounted for above.
            watch.account(size * letters);
            (0..letters).for_each(|letter| {
                graph.follow(at, letter, rng);
            });
            graph.walk[at as usize] = 1;
        }
        let letter = if rng.chance(learning.epsilon) { rng.index(letters) } else { graph.best(at) };
        match graph.follow(at, letter, rng) {
            None => {
                graph.forbid(at, letter);
                (at, word) = (0, Vec::new());
            }
            Some(to) => {
                graph.learn(at, letter, to, learning);
                word.push(letter as u32);
                at = to;
                if graph.size(to) == 1 {
                    return Some(word);
                }
            }
        }
    }
    None
}
