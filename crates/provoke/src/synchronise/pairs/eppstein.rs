//! The published greedy method: always merge the pair of current states that is closest to merging.

use super::greedy::Searched;
use super::{FAR, Pairs};
use crate::synchronise::core::Core;
use crate::synchronise::sets::image::Scratch;
use crate::synchronise::watch::Watch;

/// The most states whose pairs fit into memory: 3 GB.
pub(crate) const MOST_STATES: usize = 1 << 15;

/// Computes for every pair of states a shortest word that merges it, then applies, until one state is left,
/// the word of the pair of current states whose word is shortest.
///
/// Eppstein 1990, the greedy method that paper 5 compares with (its reference 26), in the common form where
/// the nearest pair is taken: time cubic and memory quadratic in the number of states.
pub(crate) fn eppstein(core: &Core<'_>, watch: &mut Watch<'_>) -> Searched {
    let Some(pairs) = Pairs::new(core, watch) else { return Searched::Spent };
    let mut scratch = Scratch::new(core);
    let mut set: Vec<u32> = (0..core.states as u32).collect();
    let mut image = Vec::new();
    let mut word = Vec::new();
    while set.len() > 1 {
        if watch.spent(set.len() * set.len() / 2) {
            return Searched::Spent;
        }
        watch.progress(word.len(), set.len());
        let (distance, mut left, mut right) = closest(&pairs, &set);
        if distance == FAR {
            return Searched::Stuck(set);
        }
        while left != right {
            let letter = pairs.letter(left, right);
            word.push(letter);
            image.clear();
            scratch.apply(core, &set, letter, &mut image);
            std::mem::swap(&mut set, &mut image);
            (left, right) = (core.step(left, letter), core.step(right, letter));
        }
    }
    Searched::Word(word)
}

/// The pair of `set` that merges soonest; the first in order where several do.
fn closest(pairs: &Pairs, set: &[u32]) -> (u32, u32, u32) {
    let mut best = (FAR, 0, 0);
    for (index, &left) in set.iter().enumerate() {
        for &right in &set[index + 1..] {
            let distance = pairs.distance(left, right);
            if distance < best.0 {
                best = (distance, left, right);
            }
        }
    }
    best
}
