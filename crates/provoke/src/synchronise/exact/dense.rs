//! The shortest word of a machine so small that every set of its states has a bit.

use super::Exact;
use crate::machine::UNDEFINED;
use crate::synchronise::core::Core;
use crate::synchronise::watch::Watch;

/// The largest machine searched this way: 2^26 sets.
pub(crate) const MOST_STATES: usize = 26;

/// Breadth-first search over sets of states, each a number, from the set of all states to a single goal.
///
/// Complete: when it ends without a word there is none, on partial machines too. This is what slowly
/// synchronising machines need, whose shortest words pass through most sets.
pub(crate) fn dense(core: &Core<'_>, goals: &[u32], watch: &mut Watch<'_>) -> Exact {
    let tables: Vec<Images> = (0..core.letters as u32).map(|letter| Images::new(core, letter)).collect();
    let is_goal = |set: u32| set.is_power_of_two() && goals.contains(&set.trailing_zeros());
    let all = (1u32 << core.states) - 1;
    if is_goal(all) {
        return Exact::Word(Vec::new());
    }
    let mut visited = vec![0u64; (1usize << core.states).div_ceil(64)];
    visited[all as usize >> 6] |= 1 << (all & 63);
    // All levels are kept: the word is found by going back through them.
    let mut levels: Vec<Vec<u32>> = vec![vec![all]];
    while let Some(level) = levels.last().filter(|level| !level.is_empty()) {
        watch.progress(levels.len(), core.states);
        let mut next = Vec::new();
        for &set in level {
            if watch.spent(core.letters) {
                return Exact::Spent(None);
            }
            for table in tables.iter().filter(|table| set & table.undefined == 0) {
                let image = table.image(set);
                let (word, bit) = (image as usize >> 6, image & 63);
                if visited[word] >> bit & 1 == 0 {
                    visited[word] |= 1 << bit;
                    next.push(image);
                    if is_goal(image) {
                        return Exact::Word(trace_back(&levels, &tables, image));
                    }
                }
            }
        }
        levels.push(next);
    }
    Exact::Never
}

/// The letters that lead through the levels to `target`.
fn trace_back(levels: &[Vec<u32>], tables: &[Images], mut target: u32) -> Vec<u32> {
    let mut word = Vec::new();
    for level in levels.iter().rev() {
        let step = level.iter().find_map(|&set| {
            let leads = |table: &Images| set & table.undefined == 0 && table.image(set) == target;
            tables.iter().position(leads).map(|letter| (set, letter as u32))
        });
        // Every set of a level was reached from the level before.
        let Some((set, letter)) = step else { break };
        word.push(letter);
        target = set;
    }
    word.reverse();
    word
}

/// One letter's images of all sets of eight neighbouring states.
struct Images {
    bytes: [[u32; 256]; 4],
    undefined: u32,
}

impl Images {
    fn new(core: &Core<'_>, letter: u32) -> Images {
        let mut table = Images { bytes: [[0; 256]; 4], undefined: 0 };
        for state in 0..core.states {
            let to = core.step(state as u32, letter);
            if to == UNDEFINED {
                table.undefined |= 1 << state;
                continue;
            }
            for mask in 0..256usize {
                if mask >> (state % 8) & 1 == 1 {
                    table.bytes[state / 8][mask] |= 1 << to;
                }
            }
        }
        table
    }

    #[inline]
    fn image(&self, set: u32) -> u32 {
        let [a, b, c, d] = set.to_le_bytes();
        self.bytes[0][a as usize]
            | self.bytes[1][b as usize]
            | self.bytes[2][c as usize]
            | self.bytes[3][d as usize]
    }
}
