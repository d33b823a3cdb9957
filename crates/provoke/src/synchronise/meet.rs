//! Small machines: a beam forwards from all states meets a beam backwards from single states.

use super::beam::{Candidate, keep_smallest};
use super::bits::{Bits, Tables, everything, hash, insert, members, size};
use super::core::Core;
use super::family::Family;
use super::history::History;
use super::seen::Seen;
use super::watch::Watch;

/// How many sets are kept in each direction, and how many letters are gone backwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    pub(crate) ahead: usize,
    pub(crate) behind: usize,
    pub(crate) depth: usize,
    /// No word longer than this is of use.
    pub(crate) longest: usize,
}

/// Follows the smallest images of the set of all states until one lies in one of the largest preimages of single
/// states, a few letters back; the word goes through both.
///
/// The last letters of a word are the hardest to find by size alone: there, a set of three states is as good as
/// any other. Going backwards first makes them certain.
pub(crate) fn meet<const W: usize>(
    core: &Core<'_>,
    widths: Widths,
    watch: &mut Watch<'_>,
) -> Option<Vec<u32>> {
    let back = Back::<W>::new(core, widths, watch)?;
    let images = Tables::<W>::images(core);
    let mut history = History::new();
    let mut level = vec![(everything::<W>(core.states), 0u32)];
    let mut next = Vec::new();
    let (mut candidates, mut sorted) = (Vec::new(), Vec::new());
    let mut seen = Seen::new();
    let mut list = Vec::new();
    for length in 1..=widths.longest.saturating_sub(widths.depth) {
        if watch.spent(level.len() * core.letters * 8) {
            return None;
        }
        candidates.clear();
        let mut smallest = u32::MAX;
        for (parent, (set, _)) in level.iter().enumerate() {
            for letter in 0..core.letters {
                if let Some(image) = images.image(set, letter) {
                    let size = size(&image);
                    smallest = smallest.min(size);
                    candidates.push(Candidate { size, parent: parent as u32, letter: letter as u32 });
                }
            }
        }
        watch.progress(length, smallest as usize);
        if candidates.is_empty() {
            return None;
        }
        keep_smallest(&mut candidates, smallest, widths.ahead, &mut sorted);
        next.clear();
        for candidate in &candidates {
            if next.len() == widths.ahead {
                break;
            }
            let (parent, node) = level[candidate.parent as usize];
            let image = images.apply(&parent, candidate.letter as usize);
            if !seen.insert(hash(&image)) {
                continue;
            }
            let node = history.push(node, candidate.letter);
            if candidate.size <= back.largest {
                list.clear();
                list.extend(members(&image));
                if let Some(number) = back.family.holding(&mut list) {
                    let mut word = history.word(node);
                    word.extend(back.word(number));
                    return Some(word);
                }
            }
            next.push((image, node));
        }
        if next.is_empty() {
            return None;
        }
        std::mem::swap(&mut level, &mut next);
    }
    None
}

/// The largest preimages of single states.
struct Back<const W: usize> {
    family: Family,
    nodes: Vec<u32>,
    history: History,
    largest: u32,
}

impl<const W: usize> Back<W> {
    fn new(core: &Core<'_>, widths: Widths, watch: &mut Watch<'_>) -> Option<Back<W>> {
        let preimages = Tables::<W>::preimages(core);
        let single = |state: u32| {
            let mut set = [0; W];
            insert(&mut set, state);
            (set, 0u32)
        };
        let mut history = History::new();
        let mut level: Vec<(Bits<W>, u32)> = (0..core.states as u32).map(single).collect();
        let (mut candidates, mut sorted) = (Vec::new(), Vec::new());
        let states = core.states as u32;
        let mut largest = 1;
        for _ in 0..widths.depth {
            if watch.spent(level.len() * core.letters * 8) {
                return None;
            }
            candidates.clear();
            let mut least_missing = states;
            for (parent, (set, _)) in level.iter().enumerate() {
                for letter in 0..core.letters {
                    // Sorted by what is missing, so that the largest come first.
                    let missing = states - size(&preimages.apply(set, letter));
                    if missing < states {
                        least_missing = least_missing.min(missing);
                        candidates.push(Candidate {
                            size: missing,
                            parent: parent as u32,
                            letter: letter as u32,
                        });
                    }
                }
            }
            if candidates.is_empty() {
                return None;
            }
            largest = states - least_missing;
            keep_smallest(&mut candidates, least_missing, widths.behind, &mut sorted);
            let mut seen = Seen::new();
            let mut next = Vec::with_capacity(widths.behind);
            for candidate in &candidates {
                let (set, node) = level[candidate.parent as usize];
                let preimage = preimages.apply(&set, candidate.letter as usize);
                if next.len() < widths.behind && seen.insert(hash(&preimage)) {
                    next.push((preimage, history.push(node, candidate.letter)));
                }
            }
            level = next;
        }
        let mut family = Family::new(core.states);
        level.iter().for_each(|(set, _)| family.push(members(set)));
        Some(Back { family, nodes: level.iter().map(|(_, node)| *node).collect(), history, largest })
    }

    fn word(&self, number: usize) -> Vec<u32> {
        let mut word = self.history.word(self.nodes[number]);
        word.reverse();
        word
    }
}
