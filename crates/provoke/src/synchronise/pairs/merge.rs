//! The shortest word that merges two states of a set.

use rustc_hash::FxHashSet;

use crate::synchronise::core::Core;
use crate::synchronise::sets::image::{PART, Scratch, print};
use crate::synchronise::sets::seen::Seen;
use crate::synchronise::watch::Watch;

/// How the search for a merge ended.
pub(crate) enum Merge {
    /// This word leads to this smaller set.
    By(Vec<u32>, Vec<u32>),
    /// No word merges any two states of the set.
    Never,
    /// Time, work or memory ran out.
    Spent,
}

/// The most states the frontier of sets may hold before the search goes on over pairs.
const FRONTIER: usize = 1 << 22;

/// The shortest word that merges two states of `set`, none of whose states merge in one letter.
///
/// Breadth-first over the sets that descend from `set`, all of one size. Where many of them must be kept (slowly
/// synchronising machines), the search goes on over pairs of states instead, which finds a word of the
/// same length and is bounded by the number of pairs. The machine must be complete.
pub(crate) fn nearest_merge(
    core: &Core<'_>,
    set: &[u32],
    scratch: &mut Scratch,
    watch: &mut Watch<'_>,
) -> Merge {
    let size = set.len();
    let mut sets: Vec<u32> = set.to_vec();
    let mut from: Vec<(u32, u32)> = vec![(0, 0)];
    let mut seen = Seen::new();
    seen.insert(print(set));
    // Beyond as many states as there are pairs, going over pairs is cheaper.
    let pairs = core.states.saturating_mul(core.states) / 2;
    let most = FRONTIER.max(8 * core.states).min(pairs.max(1 << 14));
    let (letters, batch) = (core.letters, (PART / size).max(1));
    let mut rows = Vec::new();
    let mut at = 0;
    while at < from.len() {
        // The rows of several sets are fetched together: on large machines that is what takes the time.
        let here = at..(at + batch).min(from.len());
        if watch.spent(here.len() * size * letters) {
            return Merge::Spent;
        }
        rows.clear();
        core.gather(&sets[here.start * size..here.end * size], &mut rows);
        for (index, rows) in here.clone().zip(rows.chunks_exact(size * letters)) {
            let image = |letter: usize| rows[letter..].iter().step_by(letters).copied();
            let smallest = (0..letters).map(|letter| (scratch.distinct(image(letter)), letter)).min();
            if let Some((_, letter)) = smallest.filter(|&(left, _)| left < size) {
                let mut merged: Vec<u32> = image(letter).collect();
                merged.sort_unstable();
                merged.dedup();
                let mut path = path_to(&from, index);
                path.push(letter as u32);
                return Merge::By(path, merged);
            }
            for letter in 0..letters {
                let start = sets.len();
                sets.extend(image(letter));
                if seen.insert(print(&sets[start..])) {
                    from.push((index as u32, letter as u32));
                } else {
                    sets.truncate(start);
                }
            }
        }
        at = here.end;
        if sets.len() > most && size > 2 {
            return nearest_pair(core, set, scratch, watch);
        }
    }
    Merge::Never
}

fn path_to(from: &[(u32, u32)], mut at: usize) -> Vec<u32> {
    let mut path = Vec::new();
    while at != 0 {
        path.push(from[at].1);
        at = from[at].0 as usize;
    }
    path.reverse();
    path
}

/// The same by breadth-first search over the pairs of states that descend from pairs of `set`.
fn nearest_pair(core: &Core<'_>, set: &[u32], scratch: &mut Scratch, watch: &mut Watch<'_>) -> Merge {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut from: Vec<(u32, u32)> = Vec::new();
    let mut seen = FxHashSet::default();
    for (index, &left) in set.iter().enumerate() {
        for &right in &set[index + 1..] {
            let pair = (left.min(right), left.max(right));
            seen.insert(pair);
            pairs.push(pair);
            from.push((u32::MAX, 0));
        }
    }
    let mut at = 0;
    while at < pairs.len() {
        if watch.spent(2 * core.letters) {
            return Merge::Spent;
        }
        let (left, right) = pairs[at];
        for (letter, (&a, &b)) in core.row(left).iter().zip(core.row(right)).enumerate() {
            if a == b {
                let path = pair_path(&from, at, letter as u32);
                let merged = run(core, set, &path, scratch);
                return Merge::By(path, merged);
            }
            let pair = (a.min(b), a.max(b));
            if seen.insert(pair) {
                pairs.push(pair);
                from.push((at as u32, letter as u32));
            }
        }
        at += 1;
    }
    Merge::Never
}

fn pair_path(from: &[(u32, u32)], mut at: usize, last: u32) -> Vec<u32> {
    let mut path = vec![last];
    while from[at].0 != u32::MAX {
        path.push(from[at].1);
        at = from[at].0 as usize;
    }
    path.reverse();
    path
}

/// The set a word leads to, which must be defined all the way.
pub(crate) fn run(core: &Core<'_>, set: &[u32], word: &[u32], scratch: &mut Scratch) -> Vec<u32> {
    let (mut set, mut image) = (set.to_vec(), Vec::new());
    for &letter in word {
        image.clear();
        scratch.apply(core, &set, letter, &mut image);
        std::mem::swap(&mut set, &mut image);
    }
    set
}
