//! Small machines: a beam forwards from all states meets a beam backwards from single states.

use super::least::keep_least;
use crate::synchronise::core::Core;
use crate::synchronise::sets::bits::{Bits, Tables, everything, hash, insert, members, size};
use crate::synchronise::sets::family::Family;
use crate::synchronise::sets::history::History;
use crate::synchronise::sets::image::NOWHERE;
use crate::synchronise::sets::seen::Seen;
use crate::synchronise::watch::Watch;

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
    let (mut sizes, mut kept) = (Vec::new(), Vec::new());
    let mut seen = Seen::new();
    let mut list = Vec::new();
    for length in 1..=widths.longest.saturating_sub(widths.depth) {
        if watch.spent(level.len() * core.letters * 8) {
            return None;
        }
        sizes.clear();
        for (set, _) in &level {
            sizes.extend(
                (0..core.letters).map(|letter| images.image(set, letter).map_or(NOWHERE, |set| size(&set))),
            );
        }
        watch.progress(length, sizes.iter().copied().min()? as usize);
        keep_least(&sizes, 0, widths.ahead, &mut kept);
        next.clear();
        for &place in &kept {
            if next.len() == widths.ahead {
                break;
            }
            let (parent, letter) = (place as usize / core.letters, place as usize % core.letters);
            let (set, node) = level[parent];
            let image = images.apply(&set, letter);
            if !seen.insert(hash(&image)) {
                continue;
            }
            let node = history.push(node, letter as u32);
            if sizes[place as usize] <= back.largest {
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
        let (mut missing, mut kept) = (Vec::new(), Vec::new());
        let states = core.states as u32;
        let mut largest = 1;
        for _ in 0..widths.depth {
            if watch.spent(level.len() * core.letters * 8) {
                return None;
            }
            // By what is missing, so that the largest come first.
            missing.clear();
            for (set, _) in &level {
                let sizes = (0..core.letters).map(|letter| size(&preimages.apply(set, letter)));
                missing.extend(sizes.map(|size| if size == 0 { NOWHERE } else { states - size }));
            }
            let least = missing.iter().copied().min().filter(|&least| least != NOWHERE)?;
            largest = states - least;
            keep_least(&missing, 0, widths.behind, &mut kept);
            let mut seen = Seen::new();
            let mut next = Vec::with_capacity(widths.behind);
            for &place in &kept {
                let (parent, letter) = (place as usize / core.letters, place as usize % core.letters);
                let (set, node) = level[parent];
                let preimage = preimages.apply(&set, letter);
                if next.len() < widths.behind && seen.insert(hash(&preimage)) {
                    next.push((preimage, history.push(node, letter as u32)));
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
