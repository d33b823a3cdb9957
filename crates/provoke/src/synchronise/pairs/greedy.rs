//! Merge what merges now; where nothing does, take the shortest way to a merge.

use super::merge::{Merge, nearest_merge};
use crate::synchronise::core::Core;
use crate::synchronise::sets::image::Scratch;
use crate::synchronise::watch::Watch;

/// How a search on one complete machine ended.
pub(crate) enum Searched {
    /// A synchronising word, in letters of the core.
    Word(Vec<u32>),
    /// No two states of this set ever merge: there is no synchronising word.
    Stuck(Vec<u32>),
    /// Time, work or memory ran out.
    Spent,
}

/// Applies the input that merges most states now; where none merges any, the shortest word after which two
/// states of the current set are one, found by breadth-first search from that set.
///
/// Of several inputs that merge equally many, or but one less, the one after which most can be merged next is
/// taken. No pair automaton is built: memory is linear in the machine but for the frontier of the search.
pub(crate) fn greedy(core: &Core<'_>, watch: &mut Watch<'_>) -> Searched {
    let everything = (0..core.states as u32).collect();
    let mut word = Vec::new();
    greedy_from(core, everything, &mut word, watch)
}

/// The same from any set; the letters are added to `word`, which led to it.
pub(crate) fn greedy_from(
    core: &Core<'_>,
    mut set: Vec<u32>,
    word: &mut Vec<u32>,
    watch: &mut Watch<'_>,
) -> Searched {
    let mut scratch = Scratch::new(core);
    let mut sizes = vec![0u32; core.letters];
    let mut image = Vec::new();
    while set.len() > 1 {
        if watch.spent(set.len() * core.letters) {
            return Searched::Spent;
        }
        watch.progress(word.len(), set.len());
        scratch.sizes(core, &set, &mut sizes);
        let smallest = sizes.iter().copied().min().unwrap_or(u32::MAX);
        if (smallest as usize) < set.len() {
            let letter = best_of_the_best(core, &set, smallest, &sizes, &mut scratch, watch);
            image.clear();
            scratch.apply(core, &set, letter, &mut image);
            std::mem::swap(&mut set, &mut image);
            word.push(letter);
            continue;
        }
        match nearest_merge(core, &set, &mut scratch, watch) {
            Merge::By(path, merged) => {
                word.extend(path);
                set = merged;
            }
            Merge::Never => return Searched::Stuck(set),
            Merge::Spent => return Searched::Spent,
        }
    }
    Searched::Word(std::mem::take(word))
}

/// Letters that are looked at more closely.
const CLOSELY: usize = 8;

/// The letter after which, together with the best next one, fewest states are left; of those that leave at most
/// one state more than necessary now, and not more than a few of them.
fn best_of_the_best(
    core: &Core<'_>,
    set: &[u32],
    smallest: u32,
    sizes: &[u32],
    scratch: &mut Scratch,
    watch: &mut Watch<'_>,
) -> u32 {
    let first = (0..core.letters).find(|&letter| sizes[letter] == smallest).unwrap_or(0) as u32;
    if smallest == 1 {
        return first;
    }
    let most = (smallest + 1).min(set.len() as u32 - 1);
    let exactly = (0..core.letters).filter(|&letter| sizes[letter] == smallest);
    let nearly = (0..core.letters).filter(|&letter| sizes[letter] > smallest && sizes[letter] <= most);
    let chosen: Vec<usize> = exactly.chain(nearly).take(CLOSELY).collect();
    if chosen.len() == 1 {
        return first;
    }
    let (mut image, mut after) = (Vec::new(), vec![0u32; core.letters]);
    let mut best = (u32::MAX, first);
    for letter in chosen {
        image.clear();
        scratch.apply(core, set, letter as u32, &mut image);
        if watch.spent(set.len() + image.len() * core.letters) {
            return first;
        }
        scratch.sizes(core, &image, &mut after);
        let next = after.iter().copied().min().unwrap_or(u32::MAX);
        if next < best.0 {
            best = (next, letter as u32);
        }
    }
    best.1
}
