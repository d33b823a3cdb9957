//! The fast method: another one picked by size and shape, and its word made a little shorter.

use super::backward::backward;
use super::beam::{Width, forward};
use super::careful::{Careful, careful};
use super::meet::{Widths, meet};
use super::shorten::shorten;
use crate::synchronise::answer::Impossible;
use crate::synchronise::core::Core;
use crate::synchronise::exact::Exact;
use crate::synchronise::exact::dense::{self, dense};
use crate::synchronise::pairs::Pairs;
use crate::synchronise::pairs::greedy::{Searched, greedy};
use crate::synchronise::sets::bits;
use crate::synchronise::watch::Watch;
use crate::synchronise::{Goals, Raw, exactly};

/// Work after which a search for the shortest word is given up: some tens of milliseconds.
const A_MOMENT: u64 = 1 << 25;

/// Work after which a search that should be quick is not: some seconds.
const A_WHILE: u64 = 1 << 32;

/// Machines with at most this many states are solved exactly where that is quick.
const SMALL: usize = 100;

/// Tables with more entries than this do not fit any cache, and only greedy search takes a bearable time.
pub(crate) const HUGE: usize = 1 << 23;

/// The largest machine whose pairs are all computed.
const MOST_PAIRED: usize = 2048;

/// Machines with more states than this get one beam and nothing else.
const LARGE: usize = 1 << 13;

pub(crate) fn fast(core: &Core<'_>, goals: &Goals, watch: &mut Watch<'_>) -> Raw {
    if core.states <= dense::MOST_STATES {
        match watch.limited("exact", A_WHILE, |watch| dense(core, &goals.list, watch)) {
            Exact::Word(word) => return Raw::shortest(word, "exact"),
            Exact::Never => return Raw::Never(unmergeable(core, watch)),
            Exact::Spent(_) => {}
        }
    }
    if !core.complete {
        return fast_partial(core, goals, watch);
    }
    if core.next.len() > HUGE {
        return slow(core, watch);
    }
    let root = (core.states as f64).sqrt();
    let width = Width {
        capacity: capacity(core.states, core.letters),
        stalled: (64 * capacity(core.states, core.letters)).max(4 * core.states),
        longest: (60.0 * root) as usize + 100,
    };
    let found = if core.states <= MET {
        watch.limited("beam", A_WHILE, |watch| {
            meet::<1>(core, met(core.states, core.letters, width.longest), watch)
        })
    } else {
        None
    };
    let found = found.or_else(|| {
        watch.limited("beam", A_WHILE.max(200 * core.next.len() as u64), |watch| forward(core, width, watch))
    });
    let Some(mut word) = found else { return slow(core, watch) };
    watch.best = Some(word.len());
    if word.len() as f64 > 6.0 * root + 20.0 && core.states <= LARGE {
        let longest = word.len();
        let other = watch.limited("beam backwards", A_WHILE, |watch| backward(core, 16, 256, longest, watch));
        word = other.filter(|other| other.len() < word.len()).unwrap_or(word);
    }
    if (word.len() as f64) < root / 2.0 && !word.is_empty() {
        word = look_wider(core, width, word, watch);
    }
    // Ten letters make an exact search slower than everything before it.
    if core.states <= SMALL && core.letters < 10 {
        return prove_shortest(core, goals, word, watch);
    }
    let allowance = if core.states <= LARGE { watch.moves() / 256 } else { watch.moves() / 8 };
    word = watch.limited("shorten", allowance, |watch| shorten(core, word, watch));
    Raw::word(word, "beam")
}

/// Machines that merge much sooner than random ones: a beam so much wider costs little there.
fn look_wider(core: &Core<'_>, width: Width, word: Vec<u32>, watch: &mut Watch<'_>) -> Vec<u32> {
    let wider = Width { capacity: 16 * width.capacity, stalled: 16 * width.stalled, longest: word.len() - 1 };
    watch.limited("beam", A_WHILE / 16, |watch| forward(core, wider, watch)).unwrap_or(word)
}

/// Machines with at most this many states are searched from both ends.
const MET: usize = 64;

/// Widths of the search from both ends that take about eight times the work of the greedy method.
fn met(states: usize, letters: usize, longest: usize) -> Widths {
    let (ahead, behind, depth) = match (states <= 40, letters < 16) {
        (true, true) => (145, 145, 3),
        (true, false) => (70, 70, 3),
        (false, true) => (100, 128, 2),
        (false, false) => (44, 64, 2),
    };
    Widths { ahead, behind, depth, longest }
}

/// States held by one level of the beam: in proportion to the length of the word to expect, so that the whole
/// takes about eight times the work of the greedy method.
fn capacity(states: usize, letters: usize) -> usize {
    let factor = match states {
        0..200 => 85.0,
        200..700 => 90.0,
        _ => 110.0,
    };
    // With many letters, greedy has more to choose from and takes relatively less time.
    let factor = if letters < 16 { factor } else { 0.9 * factor };
    let most = if states <= LARGE { 7100 } else { 6000 };
    ((factor * (states as f64).sqrt()) as usize).min(most)
}

/// The shortest word, if it is found in a moment; otherwise the one we have.
fn prove_shortest(core: &Core<'_>, goals: &Goals, word: Vec<u32>, watch: &mut Watch<'_>) -> Raw {
    // A word that ends in a state that is not wanted is no bound.
    let bound = goals.any.then(|| word.clone());
    match watch.limited("exact", A_MOMENT, |watch| exactly(core, goals, bound, watch)) {
        Exact::Word(word) => Raw::shortest(word, "exact"),
        Exact::Spent(Some(word)) => Raw::word(word, "beam"),
        Exact::Spent(None) | Exact::Never => Raw::word(word, "beam"),
    }
}

/// Machines on which the forward beam does not get there: backwards, then greedily for as long as it takes.
///
/// Going backwards finds nothing where there is nothing, so on machines whose pairs can be computed it is
/// first made sure that all of them merge.
fn slow(core: &Core<'_>, watch: &mut Watch<'_>) -> Raw {
    if core.states <= MOST_PAIRED && !watch.out_of_time() {
        let Some(pairs) = Pairs::new(core, watch) else { return Raw::Spent };
        if let Some((one, other)) = pairs.unreached(core.states) {
            return Raw::Never(Impossible::NeverMerge { one, other });
        }
    }
    if core.states <= LARGE && !watch.out_of_time() {
        let work = 4 * A_WHILE;
        let word = watch.limited("beam backwards", work, |watch| backward(core, 2, 64, usize::MAX, watch));
        if let Some(word) = word {
            return Raw::word(word, "beam");
        }
    }
    match watch.limited("greedy", u64::MAX, |watch| greedy(core, watch)) {
        Searched::Word(word) => Raw::word(word, "greedy"),
        Searched::Stuck(set) => Raw::Never(never_merge(&set)),
        Searched::Spent => Raw::Spent,
    }
}

/// Any two states of a set no two of which ever merge.
pub(crate) fn never_merge(set: &[u32]) -> Impossible {
    match set {
        [one, other, ..] => Impossible::NeverMerge { one: *one, other: *other },
        _ => Impossible::Exhausted { sets: None },
    }
}

/// Two states that no word merges, where there are such; otherwise only that all sets were visited.
fn unmergeable(core: &Core<'_>, watch: &mut Watch<'_>) -> Impossible {
    let pair = Pairs::new(core, watch).and_then(|pairs| pairs.unreached(core.states));
    pair.map_or(Impossible::Exhausted { sets: None }, |(one, other)| Impossible::NeverMerge { one, other })
}

/// Search with backtracking; then a pair that never merges; then exhaustive search while time is left.
fn fast_partial(core: &Core<'_>, goals: &Goals, watch: &mut Watch<'_>) -> Raw {
    match watch.limited("careful", A_WHILE / 16, |watch| careful(core, watch)) {
        Careful::Word(word) => return improve_partial(core, goals, word, watch),
        Careful::Never(sets) => return Raw::Never(Impossible::Exhausted { sets: Some(sets) }),
        Careful::Spent => {}
    }
    if core.states <= MOST_PAIRED
        && let Some((one, other)) = Pairs::new(core, watch).and_then(|pairs| pairs.unreached(core.states))
    {
        return Raw::Never(Impossible::NeverMerge { one, other });
    }
    let width = Width { capacity: 1 << 16, stalled: 1 << 22, longest: 1 << 20 };
    if let Some(word) = watch.limited("beam", A_WHILE / 4, |watch| forward(core, width, watch)) {
        return improve_partial(core, goals, word, watch);
    }
    if core.states <= bits::MOST_STATES {
        match watch.limited("exhaustive", u64::MAX, |watch| exactly(core, goals, None, watch)) {
            Exact::Word(word) => return Raw::shortest(word, "exact"),
            Exact::Never if goals.any => {
                return Raw::Never(Impossible::Exhausted { sets: None });
            }
            Exact::Never | Exact::Spent(_) => {}
        }
    }
    match watch.limited("careful", u64::MAX, |watch| careful(core, watch)) {
        Careful::Word(word) => improve_partial(core, goals, word, watch),
        Careful::Never(sets) => Raw::Never(Impossible::Exhausted { sets: Some(sets) }),
        Careful::Spent => Raw::Spent,
    }
}

/// A shorter word than the one with which the search with backtracking came home.
fn improve_partial(core: &Core<'_>, goals: &Goals, word: Vec<u32>, watch: &mut Watch<'_>) -> Raw {
    watch.best = Some(word.len());
    let capacity = capacity(core.states, core.letters).max(core.states);
    let width = Width { capacity, stalled: 4 * capacity, longest: word.len() };
    let work = (16 * watch.moves()).max(A_MOMENT);
    let better = watch.limited("beam", work, |watch| forward(core, width, watch));
    let by = if better.is_some() { "beam" } else { "careful" };
    let word = better.unwrap_or(word);
    if core.states <= SMALL && core.letters < 10 {
        return prove_shortest(core, goals, word, watch);
    }
    let allowance = (watch.moves() / 2).max(A_MOMENT);
    Raw::word(watch.limited("shorten", allowance, |watch| shorten(core, word, watch)), by)
}
