//! The default: the word of the fast method first, then ever shorter ones for as long as is asked.

use super::fast::{HUGE, fast};
use super::improve::Improve;
use super::wide::Wide;
use crate::rng::Rng;
use crate::synchronise::core::Core;
use crate::synchronise::exact::{Exact, stretch};
use crate::synchronise::sets::bits;
use crate::synchronise::watch::Watch;
use crate::synchronise::{Goals, Raw, exactly};

/// How long the default method looks for shorter words than its first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// For a fixed amount of work, about one second on one core: the same word on every computer.
    #[default]
    Work,
    /// Until the budget of time is spent.
    Time,
}

/// Work that takes about one second on one core.
const A_SECOND: u64 = 1 << 30;

/// How many random letters the weights of the beams backwards look back, one after another.
const STEPS: [usize; 5] = [20, 3, 8, 0, 1];

/// The first beam backwards is this wide where that is quick.
const FIRST_WIDTH: u64 = 128;

/// States held by one level of the first beam forwards.
const FIRST_CAPACITY: usize = 1 << 15;

/// The most that a level of any beam forwards holds.
const MOST_CAPACITY: usize = 1 << 22;

/// Machines of at most this many states are searched exactly also where the work is fixed.
const MOST_PROVED: usize = 128;

pub(crate) fn auto(core: &Core<'_>, goals: &Goals, effort: Effort, seed: u64, watch: &mut Watch<'_>) -> Raw {
    let (letters, by) = match fast(core, goals, watch) {
        Raw::Word { letters, shortest: false, by, .. } if core.next.len() <= HUGE => (letters, by),
        other => return other,
    };
    watch.best = None;
    let mut best = Improve::new(core, goals, letters, by, watch);
    // Without a deadline, asking for time is asking for ever.
    let (effort, work) = match effort {
        Effort::Time if watch.has_deadline() => (Effort::Time, u64::MAX),
        _ => (Effort::Work, A_SECOND),
    };
    let shortest = watch.limited("auto", work, |watch| rounds(core, goals, &mut best, effort, seed, watch));
    best.into_raw(shortest)
}

/// Wider and wider beams from both ends, exact search on the whole and between stretches; true once the word is
/// proved shortest.
///
/// Each round takes about four times the work of the one before, so that a search that is cut off wastes little
/// of the whole; the last beam of a fixed amount of work is made to fit what is left.
fn rounds(
    core: &Core<'_>,
    goals: &Goals,
    best: &mut Improve<'_>,
    effort: Effort,
    seed: u64,
    watch: &mut Watch<'_>,
) -> bool {
    let wide = Wide::new(core, best.ends());
    let mut stretched = usize::MAX;
    for round in 0u32.. {
        if best.is_trivial() {
            return true;
        }
        // A round may be over in no time, so the clock is looked at here whatever the work.
        if watch.late(u64::MAX) {
            return false;
        }
        let before = watch.moves();
        let mut last = wide.is_none() && round > 4;
        if let Some(wide) = &wide {
            let each = best.len() as u64 * wide.moves();
            let affordable = watch.left() / 8 * 7 / each;
            let wanted = FIRST_WIDTH.min(affordable / 16).max(1) << (2 * round).min(40);
            last = effort == Effort::Work && affordable < 4 * wanted;
            let width = if last { affordable } else { wanted }.min(wide.widest() as u64) as usize;
            if width > 0 {
                let mut rng = Rng::stream(seed, u64::from(round));
                let scores = best.scores(STEPS[round as usize % STEPS.len()], round >= 10, &mut rng);
                let found = watch.limited("beam backwards", u64::MAX, |watch| {
                    wide.search(&scores, width, best.len() - 1, watch)
                });
                best.offer(found, "beam backwards", watch);
            }
        }
        if watch.spent(1) {
            return false;
        }
        // The others may do a share of what the beam did, and each of them something. Their work takes longer than it counts:
        // a forward beam's about three times, an exact search's about ten times.
        let share = (watch.moves() - before).max(1 << (22 + 2 * round.min(20)));
        let exact_wanted = core.states <= MOST_PROVED
            || core.states <= bits::MOST_STATES && effort == Effort::Time
            || stretch::fits(core) && best.len() <= 12;
        if exact_wanted && proved(core, goals, best, share / 8, watch) {
            return true;
        }
        let capacity = (FIRST_CAPACITY << (2 * round).min(20)).min(MOST_CAPACITY);
        best.forwards(capacity, share / 32, watch);
        if best.len() < stretched || round > 2 {
            best.stretch(share / 64, watch);
            stretched = best.len();
        }
        if last || watch.spent(1) {
            return best.is_trivial();
        }
    }
    false
}

/// Looks for a shortest word exactly; true where the best one is proved to be one.
fn proved(core: &Core<'_>, goals: &Goals, best: &mut Improve<'_>, work: u64, watch: &mut Watch<'_>) -> bool {
    let known = Some(best.word().to_vec());
    match watch.limited("exact", work, |watch| exactly(core, goals, known, watch)) {
        Exact::Word(word) => {
            best.offer(Some(word), "exact", watch);
            true
        }
        Exact::Spent(word) => {
            best.offer(word, "exact", watch);
            false
        }
        Exact::Never => false,
    }
}
