//! Beam search backwards, as wide as the work allows: the sets that cover most of where states gather are kept.

use super::weight::Scores;
use crate::synchronise::core::Core;
use crate::synchronise::sets::history::History;
use crate::synchronise::sets::preimage::{Preimages, Room};
use crate::synchronise::sets::seen::Seen;
use crate::synchronise::watch::Watch;

/// The largest table, in entries, whose preimages are scored: the scores take sixteen bytes an entry.
const MOST_ENTRIES: usize = 1 << 21;

/// The most bytes that the sets of one level, and the candidates for it, may take.
const MOST_BYTES: usize = 1 << 26;

/// Sets that are remembered, so that none is followed twice; when there are more, all are forgotten.
const MOST_SEEN: usize = 1 << 22;

/// Searches backwards from the states in which a word may end.
///
/// This is the beam of Roman and Szykula (2015): from single states to ever larger sets of states that are led there, until
/// all are. What differs from `backward.rs`, which is for slow machines: sets are compared by the
/// [weights](super::weight) of their states, and a preimage's weight is computed from the set alone, so
/// that only preimages which are kept are ever made.
pub(crate) struct Wide {
    preimages: Preimages,
    ends: Vec<u32>,
    states: usize,
    letters: usize,
}

impl Wide {
    /// For words that end in one of `ends`; none for machines too large for it.
    pub(crate) fn new(core: &Core<'_>, ends: Vec<u32>) -> Option<Wide> {
        let fits = core.next.len() <= MOST_ENTRIES && core.letters > 0;
        fits.then(|| Wide {
            preimages: Preimages::new(core),
            ends,
            states: core.states,
            letters: core.letters,
        })
    }

    /// The work of following one set by one letter of the word.
    pub(crate) fn moves(&self) -> u64 {
        (self.preimages.moves() + self.letters.div_ceil(2) * self.states / 4 + 16 * self.letters) as u64
    }

    /// The widest beam that memory allows.
    pub(crate) fn widest(&self) -> usize {
        let bytes = 2 * 8 * self.preimages.words() + 16 * self.letters + 48;
        (MOST_BYTES / bytes).max(1)
    }

    /// The first word of at most `longest` letters, with `width` sets followed at once.
    pub(crate) fn search(
        &self,
        scores: &Scores,
        width: usize,
        longest: usize,
        watch: &mut Watch<'_>,
    ) -> Option<Vec<u32>> {
        let words = self.preimages.words();
        let (mut level, mut next): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        let (mut nodes, mut next_nodes) = (Vec::new(), Vec::new());
        let (mut history, mut seen) = (History::new(), Seen::new());
        let mut room = Room::default();
        let mut single = vec![0u64; words];
        let mut candidates = self.starts(scores);
        for length in 1..=longest {
            keep(&mut candidates, width);
            next.clear();
            next_nodes.clear();
            let mut largest = 0;
            for &candidate in &candidates {
                if next_nodes.len() == width {
                    break;
                }
                let place = candidate as u32 as usize;
                let (parent, letter) = (place / self.letters, place % self.letters);
                let start = next.len();
                let node = if length == 1 {
                    let end = self.ends[parent] as usize;
                    single[end >> 6] = 1 << (end & 63);
                    self.preimages.push(&single, letter, &mut room, &mut next);
                    single[end >> 6] = 0;
                    0
                } else {
                    let set = &level[parent * words..(parent + 1) * words];
                    self.preimages.push(set, letter, &mut room, &mut next);
                    nodes[parent]
                };
                let size = next[start..].iter().map(|word| word.count_ones() as usize).sum::<usize>();
                if size == self.states {
                    let mut word = history.word(node);
                    word.push(letter as u32);
                    word.reverse();
                    return Some(word);
                }
                if seen.insert(print(&next[start..])) {
                    largest = largest.max(size);
                    next_nodes.push(history.push(node, letter as u32));
                } else {
                    next.truncate(start);
                }
            }
            if next_nodes.is_empty() || watch.spent(next_nodes.len() * self.moves() as usize) {
                return None;
            }
            watch.progress(length, self.states - largest + 1);
            std::mem::swap(&mut level, &mut next);
            std::mem::swap(&mut nodes, &mut next_nodes);
            history.prune(&mut nodes);
            if seen.len() > MOST_SEEN {
                seen.clear();
            }
            candidates.clear();
            for (parent, set) in level.chunks_exact(words).enumerate() {
                scores
                    .of(set, |letter, score| candidates.push(candidate(parent, letter, score, self.letters)));
            }
        }
        None
    }

    /// What single letters lead to the ends.
    fn starts(&self, scores: &Scores) -> Vec<u64> {
        let mut starts = Vec::new();
        for (number, &end) in self.ends.iter().enumerate() {
            scores
                .of_single(end, |letter, score| starts.push(candidate(number, letter, score, self.letters)));
        }
        starts
    }
}

/// A candidate for the next level as one number: those of higher scores are less.
#[inline]
fn candidate(parent: usize, letter: usize, score: u32, letters: usize) -> u64 {
    u64::from(u32::MAX - score) << 32 | (parent * letters + letter) as u64
}

/// Keeps the `width` best and some more to make up for duplicates, the best first.
fn keep(candidates: &mut Vec<u64>, width: usize) {
    let most = width.saturating_add(width / 2 + 8);
    if most < candidates.len() {
        candidates.select_nth_unstable(most);
        candidates.truncate(most);
    }
    candidates.sort_unstable();
}

/// The fingerprint of a set.
fn print(set: &[u64]) -> u64 {
    set.iter().fold(0u64, |hash, word| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}

#[cfg(test)]
mod tests {
    use super::super::weight::weights;
    use super::*;
    use crate::machine::{Machine, Names, UNDEFINED};
    use crate::rng::Rng;
    use crate::synchronise::verify;

    /// A beam that drops nothing is a breadth-first search.
    #[test]
    fn a_beam_as_wide_as_all_sets_finds_a_shortest_word() {
        let mut rng = Rng::new(8);
        let mut found = 0;
        for round in 0..300 {
            let (states, inputs) = (2 + rng.index(6), 1 + rng.index(3));
            let gaps = if round % 2 == 0 { 0.0 } else { 0.1 };
            let entry = |rng: &mut Rng| if rng.chance(gaps) { UNDEFINED } else { rng.index(states) as u32 };
            let next = (0..states * inputs).map(|_| entry(&mut rng)).collect();
            let names = (Names::numbered("", states), Names::numbered("", inputs));
            let machine = Machine::from_table(names.0, names.1, next).unwrap();
            let core = Core::with_all_inputs(&machine);
            let end = rng.index(states) as u32;
            let wide = Wide::new(&core, vec![end]).unwrap();
            let scores = Scores::new(&core, &weights(&core, round % 5));
            let word = wide.search(&scores, 1 << states, 1 << states, &mut Watch::new(None, None));
            assert_eq!(word.as_ref().map(Vec::len), shortest(&machine, end), "{round}");
            if let Some(word) = word {
                assert_eq!(verify(&machine, &word), Ok(end));
                found += 1;
            }
        }
        assert!(found > 50);
    }

    /// The length of a shortest word to `end`, forwards over all sets.
    fn shortest(machine: &Machine, end: u32) -> Option<usize> {
        let states = machine.states().len();
        let mut levels = vec![vec![(1u32 << states) - 1]];
        let mut seen = std::collections::BTreeSet::from([levels[0][0]]);
        while let Some(level) = levels.last().filter(|level| !level.is_empty()) {
            if level.contains(&(1 << end)) {
                return Some(levels.len() - 1);
            }
            let mut next = Vec::new();
            for &set in level {
                for input in 0..machine.inputs().len() as u32 {
                    let image = (0..states as u32)
                        .filter(|state| set >> state & 1 == 1)
                        .try_fold(0, |image, state| Some(image | 1 << machine.next(state, input)?));
                    next.extend(image.filter(|&image| seen.insert(image)));
                }
            }
            levels.push(next);
        }
        None
    }
}
