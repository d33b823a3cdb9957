//! Beam search forwards: many sets of states at once, the smallest kept.

use super::core::Core;
use super::history::History;
use super::image::{NOWHERE, Scratch, WORTH_A_THREAD, print};
use super::seen::Seen;
use super::watch::Watch;

/// How wide a beam is and how long a word it may build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Width {
    /// States held by the sets of one level together: small sets make many.
    pub(crate) capacity: usize,
    /// The most states the level may grow to hold while no set gets smaller.
    pub(crate) stalled: usize,
    /// No word longer than this is of use.
    pub(crate) longest: usize,
}

/// A set of the next level: its size, its parent's place and the letter that leads there.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) size: u32,
    pub(super) parent: u32,
    pub(super) letter: u32,
}

/// Follows many sets at once from the set of all states, keeps the smallest, and returns the first word that
/// leaves one state; none where the budget, the length or the sets run out.
///
/// The number of sets is not fixed: as many are kept as hold `capacity` states together, so that wide beams run
/// where sets are small and cheap. While no set shrinks, the beam widens, which makes it a
/// breadth-first search for the next merge.
pub(crate) fn forward(core: &Core<'_>, width: Width, watch: &mut Watch<'_>) -> Option<Vec<u32>> {
    let everything: Vec<u32> = (0..core.states as u32).collect();
    let mut level = Level { ends: vec![everything.len()], sets: everything, nodes: vec![0] };
    if core.states == 1 {
        return Some(Vec::new());
    }
    let mut next = Level { sets: Vec::new(), ends: Vec::new(), nodes: Vec::new() };
    let mut history = History::new();
    let mut scratch = [Scratch::new(core), Scratch::new(core)];
    let mut seen = Seen::new();
    let (mut candidates, mut sorted) = (Vec::new(), Vec::new());
    let (mut smallest, mut capacity) = (core.states, width.capacity);
    for length in 1..=width.longest {
        if watch.spent(level.sets.len() * core.letters) {
            return None;
        }
        watch.progress(length, smallest);
        candidates.clear();
        expand(core, &level, &mut scratch, &mut candidates);
        let last = *candidates.iter().min_by_key(|candidate| candidate.size)?;
        let size = last.size as usize;
        if size == 1 {
            let mut word = history.word(level.nodes[last.parent as usize]);
            word.push(last.letter);
            return Some(word);
        }
        if size < smallest {
            (smallest, capacity) = (size, width.capacity);
            seen.clear();
        } else {
            capacity = (2 * capacity).min(width.stalled.max(width.capacity));
        }
        keep_smallest(&mut candidates, last.size, (capacity / size).max(1), &mut sorted);
        next.clear();
        for candidate in &candidates {
            if next.sets.len() >= capacity && !next.ends.is_empty() {
                break;
            }
            let start = next.sets.len();
            scratch[0].apply(core, level.set(candidate.parent as usize), candidate.letter, &mut next.sets);
            if !seen.insert(print(&next.sets[start..])) {
                next.sets.truncate(start);
            } else {
                next.ends.push(next.sets.len());
                next.nodes.push(history.push(level.nodes[candidate.parent as usize], candidate.letter));
            }
        }
        if next.ends.is_empty() {
            return None;
        }
        std::mem::swap(&mut level, &mut next);
        history.prune(&mut level.nodes);
    }
    None
}

/// The sets of one level, one after another.
struct Level {
    sets: Vec<u32>,
    ends: Vec<usize>,
    nodes: Vec<u32>,
}

impl Level {
    fn set(&self, index: usize) -> &[u32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.sets[start..self.ends[index]]
    }

    fn clear(&mut self) {
        self.sets.clear();
        self.ends.clear();
        self.nodes.clear();
    }
}

/// All images of all sets of the level, on two threads where there is enough to do.
fn expand(core: &Core<'_>, level: &Level, scratch: &mut [Scratch; 2], candidates: &mut Vec<Candidate>) {
    let count = level.ends.len();
    let [mine, other] = scratch;
    if level.sets.len() * core.letters < WORTH_A_THREAD || count == 1 {
        return expand_some(core, level, 0..count, mine, candidates);
    }
    let half = level.ends.partition_point(|&end| end < level.sets.len() / 2).clamp(1, count - 1);
    let mut more = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| expand_some(core, level, half..count, other, &mut more));
        expand_some(core, level, 0..half, mine, candidates);
    });
    candidates.append(&mut more);
}

fn expand_some(
    core: &Core<'_>,
    level: &Level,
    which: std::ops::Range<usize>,
    scratch: &mut Scratch,
    candidates: &mut Vec<Candidate>,
) {
    let which = which.start as u32..which.end as u32;
    let mut sizes = vec![0u32; core.letters];
    for parent in which {
        scratch.sizes(core, level.set(parent as usize), &mut sizes);
        for (letter, &size) in (0u32..).zip(&sizes) {
            if size != NOWHERE {
                candidates.push(Candidate { size, parent, letter });
            }
        }
    }
}

/// The `width` candidates with the smallest sets and some more to make up for duplicates, the smallest first.
///
/// Of the largest size that is kept, only some are needed: they are taken evenly from all over the level. Sizes
/// far above the smallest count as one.
pub(super) fn keep_smallest(
    candidates: &mut Vec<Candidate>,
    smallest: u32,
    width: usize,
    sorted: &mut Vec<Candidate>,
) {
    let look = (width + width / 2 + 8).min(candidates.len());
    let class = |candidate: &Candidate| (candidate.size - smallest).min(CLASSES as u32 - 1) as usize;
    let mut counts = [0usize; CLASSES];
    candidates.iter().for_each(|candidate| counts[class(candidate)] += 1);
    let mut starts = [0usize; CLASSES];
    let (mut last, mut before) = (0, 0);
    for (class, &count) in counts.iter().enumerate() {
        starts[class] = before;
        last = class;
        if before + count >= look {
            break;
        }
        before += count;
    }
    let (room, of_last) = (look - before, counts[last]);
    sorted.clear();
    sorted.resize(look, Candidate { size: 0, parent: 0, letter: 0 });
    let mut due = 0;
    for candidate in candidates.iter() {
        let class = class(candidate);
        if class > last {
            continue;
        }
        if class == last {
            due += room;
            if due < of_last {
                continue;
            }
            due -= of_last;
        }
        sorted[starts[class]] = *candidate;
        starts[class] += 1;
    }
    std::mem::swap(candidates, sorted);
}

/// Sizes that are told apart when candidates are sorted.
const CLASSES: usize = 64;
