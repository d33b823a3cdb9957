//! Beam search backwards: from single states to ever larger sets of states that are led there.

use crate::machine::UNDEFINED;
use crate::synchronise::core::Core;
use crate::synchronise::sets::history::History;
use crate::synchronise::sets::seen::Seen;
use crate::synchronise::watch::Watch;

/// Follows preimages from single states, keeps the `width` largest sets, and returns the first word whose
/// preimage is the set of all states.
///
/// Forward methods do badly on slowly synchronising machines: they merge the nearest states, which scatters the
/// others. Backwards the sets stay together; on Cerny's machines even a narrow beam finds a shortest
/// word. While no set grows, the beam widens up to `stalled` sets. Works on partial machines too.
pub(crate) fn backward(
    core: &Core<'_>,
    width: usize,
    stalled: usize,
    longest: usize,
    watch: &mut Watch<'_>,
) -> Option<Vec<u32>> {
    if core.states == 1 {
        return Some(Vec::new());
    }
    let columns = Columns::new(core);
    let words = columns.words;
    let mut history = History::new();
    let (mut level, mut nodes) = columns.largest_first_preimages(core, width, &mut history);
    let (mut next, mut next_nodes) = (Vec::new(), Vec::new());
    let mut candidates: Vec<(u64, u32, u32)> = Vec::new();
    let mut preimage = vec![0u64; words];
    let mut seen = Seen::new();
    let (mut largest, mut now) = (1, width);
    for length in 1..longest {
        if watch.spent(nodes.len() * core.letters * core.states) {
            return None;
        }
        watch.progress(length, core.states - largest + 1);
        if let Some(index) = level.chunks_exact(words).position(|set| count(set) == core.states) {
            let mut word = history.word(nodes[index]);
            word.reverse();
            return Some(word);
        }
        candidates.clear();
        for (index, set) in level.chunks_exact(words).enumerate() {
            for letter in 0..core.letters {
                columns.preimage(set, letter, &mut preimage);
                let missing = (core.states - count(&preimage)) as u64;
                if missing < core.states as u64 {
                    candidates.push((missing << 40 | hash(&preimage) >> 24, index as u32, letter as u32));
                }
            }
        }
        candidates.sort_unstable();
        let best = core.states - (candidates.first()?.0 >> 40) as usize;
        if best > largest {
            (largest, now) = (best, width);
            seen.clear();
        } else {
            now = (now + now / 2 + 1).min(stalled.max(width));
        }
        next.clear();
        next_nodes.clear();
        for &(key, index, letter) in &candidates {
            if next_nodes.len() == now {
                break;
            }
            if seen.insert(key) {
                let set = &level[index as usize * words..(index as usize + 1) * words];
                columns.preimage(set, letter as usize, &mut preimage);
                next.extend_from_slice(&preimage);
                next_nodes.push(history.push(nodes[index as usize], letter));
            }
        }
        if next_nodes.is_empty() {
            return None;
        }
        std::mem::swap(&mut level, &mut next);
        std::mem::swap(&mut nodes, &mut next_nodes);
        history.prune(&mut nodes);
    }
    None
}

/// The table letter by letter, so that a preimage is one pass over a column.
struct Columns {
    next: Vec<u32>,
    states: usize,
    words: usize,
}

impl Columns {
    fn new(core: &Core<'_>) -> Columns {
        let mut next = vec![UNDEFINED; core.states * core.letters];
        for state in 0..core.states {
            for (letter, &to) in core.row(state as u32).iter().enumerate() {
                next[letter * core.states + state] = to;
            }
        }
        Columns { next, states: core.states, words: core.states.div_ceil(64) }
    }

    fn preimage(&self, set: &[u64], letter: usize, preimage: &mut [u64]) {
        let column = &self.next[letter * self.states..(letter + 1) * self.states];
        for (word, targets) in preimage.iter_mut().zip(column.chunks(64)) {
            let mut bits = 0;
            for (bit, &to) in targets.iter().enumerate() {
                // An undefined target lies beyond the last word and is in no set.
                let inside = set.get(to as usize >> 6).map_or(0, |word| word >> (to & 63) & 1);
                bits |= inside << bit;
            }
            *word = bits;
        }
    }

    /// The largest preimages of single states.
    fn largest_first_preimages(
        &self,
        core: &Core<'_>,
        width: usize,
        history: &mut History,
    ) -> (Vec<u64>, Vec<u32>) {
        let mut sizes = vec![0u32; self.next.len()];
        for (letter, column) in self.next.chunks_exact(self.states).enumerate() {
            for &to in column.iter().filter(|&&to| to != UNDEFINED) {
                sizes[to as usize * core.letters + letter] += 1;
            }
        }
        let mut order: Vec<u32> = (0..sizes.len() as u32).filter(|&slot| sizes[slot as usize] > 0).collect();
        order.sort_by_key(|&slot| std::cmp::Reverse(sizes[slot as usize]));
        order.truncate(width.max(8));
        let (mut level, mut nodes) = (Vec::new(), Vec::new());
        let (mut single, mut preimage) = (vec![0u64; self.words], vec![0u64; self.words]);
        for slot in order {
            let (state, letter) = (slot as usize / core.letters, slot as usize % core.letters);
            single.fill(0);
            single[state >> 6] = 1 << (state & 63);
            self.preimage(&single, letter, &mut preimage);
            level.extend_from_slice(&preimage);
            nodes.push(history.push(0, letter as u32));
        }
        (level, nodes)
    }
}

fn count(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

fn hash(set: &[u64]) -> u64 {
    set.iter().fold(0u64, |hash, word| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}
