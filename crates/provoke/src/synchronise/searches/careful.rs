//! Partial machines: every letter must be defined on all states the system may be in.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use crate::synchronise::core::Core;
use crate::synchronise::sets::image::{NOWHERE, Scratch, print};
use crate::synchronise::watch::Watch;

/// How a careful search ended.
pub(crate) enum Careful {
    /// A word that is defined everywhere on its way, in letters of the core.
    Word(Vec<u32>),
    /// All sets that can be reached, this many, were visited: there is no word.
    Never(usize),
    /// Time or memory ran out.
    Spent,
}

/// The most states held by all sets together: 512 MB.
const MOST_ENTRIES: usize = 1 << 27;

/// Goes on from the smallest set met so far, and falls back to the next where it is stuck.
///
/// Merging pairs one after another is unsound on partial machines: the word that merges one pair may be
/// undefined on another state. So the search is over whole sets, best first; a dead set (where no input is
/// defined, or only inputs that lead to sets already met) is left for the next best, which is
/// backtracking. When no set is left, all that can be reached were visited and there is no word. Sets are told
/// apart by 128-bit fingerprints.
pub(crate) fn careful(core: &Core<'_>, watch: &mut Watch<'_>) -> Careful {
    let mut scratch = Scratch::new(core);
    let mut arena: Vec<u32> = (0..core.states as u32).collect();
    let mut nodes = vec![Node { start: 0, parent: 0, letter: 0 }];
    let mut seen = FxHashSet::default();
    seen.insert(two_prints(&arena));
    let mut open = BinaryHeap::from([Reverse((core.states as u32, 0u32))]);
    let mut sizes = vec![0u32; core.letters];
    let (mut set, mut image) = (Vec::new(), Vec::new());
    while let Some(Reverse((size, at))) = open.pop() {
        if size == 1 {
            return Careful::Word(word(&nodes, at));
        }
        if watch.spent(2 * size as usize * core.letters) || arena.len() > MOST_ENTRIES {
            return Careful::Spent;
        }
        watch.progress(nodes.len(), size as usize);
        let start = nodes[at as usize].start;
        set.clear();
        set.extend_from_slice(&arena[start..start + size as usize]);
        scratch.sizes(core, &set, &mut sizes);
        for letter in (0..core.letters).filter(|&letter| sizes[letter] != NOWHERE) {
            image.clear();
            scratch.apply(core, &set, letter as u32, &mut image);
            if seen.insert(two_prints(&image)) {
                let (size, node) = (image.len() as u32, nodes.len() as u32);
                nodes.push(Node { start: arena.len(), parent: at, letter: letter as u32 });
                arena.extend_from_slice(&image);
                open.push(Reverse((size, node)));
            }
        }
    }
    Careful::Never(nodes.len())
}

#[derive(Clone, Copy)]
struct Node {
    start: usize,
    parent: u32,
    letter: u32,
}

fn word(nodes: &[Node], mut at: u32) -> Vec<u32> {
    let mut word = Vec::new();
    while at != 0 {
        word.push(nodes[at as usize].letter);
        at = nodes[at as usize].parent;
    }
    word.reverse();
    word
}

/// A second, independent fingerprint beside the usual one.
fn two_prints(set: &[u32]) -> (u64, u64) {
    let second = set.iter().fold(0u64, |sum, &state| {
        let spread = (u64::from(state) ^ 0x5bf0_3635).wrapping_mul(0xd134_2543_de82_ef95);
        sum.wrapping_add((spread ^ spread >> 31).wrapping_mul(0x2545_f491_4f6c_dd1d))
    });
    (print(set), second)
}
