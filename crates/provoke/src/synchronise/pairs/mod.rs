//! The pair automaton: how far any two states are from merging.

pub(crate) mod eppstein;
pub(crate) mod greedy;
mod merge;

use crate::synchronise::core::Core;
use crate::synchronise::watch::Watch;

/// A pair's distance while none is known.
pub(crate) const FAR: u32 = u32::MAX;

/// For each pair of states the first letter of a shortest word that merges it (or does something else to it that
/// is sought), and that word's length.
pub(crate) struct Pairs {
    letter: Vec<u32>,
    distance: Vec<u32>,
}

/// Where a pair of different states stands in the tables.
#[inline]
pub(crate) fn index(a: u32, b: u32) -> usize {
    let (low, high) = if a < b { (a as usize, b as usize) } else { (b as usize, a as usize) };
    high * (high - 1) / 2 + low
}

impl Pairs {
    /// Breadth-first search backwards from the merged pairs; none where the budget runs out.
    pub(crate) fn new(core: &Core<'_>, watch: &mut Watch<'_>) -> Option<Pairs> {
        let mut pairs = Pairs::far(core);
        let before = Before::new(core);
        let mut queue: Vec<(u32, u32)> = Vec::with_capacity(pairs.distance.len());
        for state in 0..core.states as u32 {
            for letter in 0..core.letters {
                let sources = before.of(state, letter);
                for (index, &left) in sources.iter().enumerate() {
                    for &right in &sources[index + 1..] {
                        pairs.reach(left, right, letter, 1, &mut queue);
                    }
                }
            }
        }
        pairs.spread(core, &before, queue, watch).then_some(pairs)
    }

    /// No pair has been reached yet.
    pub(crate) fn far(core: &Core<'_>) -> Pairs {
        let count = core.states * core.states.saturating_sub(1) / 2;
        Pairs { letter: vec![0; count], distance: vec![FAR; count] }
    }

    /// From the pairs that one letter is enough for, breadth-first backwards to all others; false where the budget
    /// runs out.
    pub(crate) fn spread(
        &mut self,
        core: &Core<'_>,
        before: &Before,
        mut queue: Vec<(u32, u32)>,
        watch: &mut Watch<'_>,
    ) -> bool {
        let mut at = 0;
        while at < queue.len() {
            if watch.spent(2 * core.letters) {
                return false;
            }
            let (left, right) = queue[at];
            at += 1;
            let distance = self.distance(left, right) + 1;
            for letter in 0..core.letters {
                for &a in before.of(left, letter) {
                    for &b in before.of(right, letter) {
                        self.reach(a, b, letter, distance, &mut queue);
                    }
                }
            }
        }
        true
    }

    /// Notes the first way to a pair.
    #[inline]
    pub(crate) fn reach(
        &mut self,
        a: u32,
        b: u32,
        letter: usize,
        distance: u32,
        queue: &mut Vec<(u32, u32)>,
    ) {
        let pair = index(a, b);
        if self.distance[pair] == FAR {
            self.distance[pair] = distance;
            self.letter[pair] = letter as u32;
            queue.push((a, b));
        }
    }

    /// Two states that no word merges, if there are any. On a partial machine too this rules out a
    /// synchronising word: a word for all states would merge these two.
    pub(crate) fn unreached(&self, states: usize) -> Option<(u32, u32)> {
        (1..states as u32)
            .find_map(|high| (0..high).find(|&low| self.distance(low, high) == FAR).map(|low| (low, high)))
    }

    /// Letters until the two states merge, [`FAR`] if they never do.
    #[inline]
    pub(crate) fn distance(&self, a: u32, b: u32) -> u32 {
        self.distance[index(a, b)]
    }

    /// The first letter of a shortest word that merges the two.
    #[inline]
    pub(crate) fn letter(&self, a: u32, b: u32) -> u32 {
        self.letter[index(a, b)]
    }
}

/// The states from which a letter leads to a state.
pub(crate) struct Before {
    starts: Vec<u32>,
    sources: Vec<u32>,
    letters: usize,
}

impl Before {
    pub(crate) fn new(core: &Core<'_>) -> Before {
        let slots = core.states * core.letters;
        let mut starts = vec![0u32; slots + 1];
        for row in core.next.chunks_exact(core.letters.max(1)) {
            for (letter, &to) in row.iter().enumerate() {
                if to != crate::machine::UNDEFINED {
                    starts[to as usize * core.letters + letter + 1] += 1;
                }
            }
        }
        for slot in 0..slots {
            starts[slot + 1] += starts[slot];
        }
        let mut fill = starts.clone();
        let mut sources = vec![0u32; starts[slots] as usize];
        for (state, row) in core.next.chunks_exact(core.letters.max(1)).enumerate() {
            for (letter, &to) in row.iter().enumerate() {
                if to != crate::machine::UNDEFINED {
                    let slot = &mut fill[to as usize * core.letters + letter];
                    sources[*slot as usize] = state as u32;
                    *slot += 1;
                }
            }
        }
        Before { starts, sources, letters: core.letters }
    }

    #[inline]
    pub(crate) fn of(&self, state: u32, letter: usize) -> &[u32] {
        let slot = state as usize * self.letters + letter;
        &self.sources[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}
