//! The situations of the game of synthesis, each kept once, with what was found out about it.

use std::hash::{Hash, Hasher};

use indexmap::{Equivalent, IndexSet};
use rustc_hash::FxBuildHasher;

use super::universal::Counters;

/// Where the monitors are.
pub(super) type Monitored = Box<[u32]>;

/// How many positions are looked at for one above another.
const LOOKED_AT: usize = 400;
/// About how many bytes situations may take.
const MEMORY: usize = 1 << 30;
const NONE: u32 = u32::MAX;

/// Everything that was met: where monitors and runs are.
///
/// Larger counters are harder: what wins from some wins from those below, and where some are lost, so are all above. What was
/// looked through for that is not looked through again.
#[derive(Default)]
pub(super) struct Situations {
    all: IndexSet<Situation, FxBuildHasher>,
    known: Vec<Known>,
    monitored: IndexSet<Monitored, FxBuildHasher>,
    places: Vec<Place>,
}

#[derive(PartialEq, Eq)]
struct Situation {
    place: u32,
    counters: Counters,
}

/// A situation to look for.
struct Looked<'a>(u32, &'a [u8]);

impl Hash for Looked<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.0);
        state.write(self.1);
    }
}

impl Hash for Situation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Looked(self.place, &self.counters).hash(state);
    }
}

impl Equivalent<Situation> for Looked<'_> {
    fn equivalent(&self, other: &Situation) -> bool {
        self.0 == other.place && *self.1 == *other.counters
    }
}

/// What was found out about a situation.
struct Known {
    hint: Hint,
    place: u32,
    /// The position of the search that it is, if it is one, and whether that was given up.
    position: u32,
    given_up: bool,
    /// Whether it is known to be lost, and how many losses of its place it was compared with.
    lost: bool,
    compared: Option<u32>,
    /// Where the harder position that was found last stands among those of its place, and how many were looked at.
    harder: u32,
    looked_at: u32,
}

/// Situations with the same monitors.
#[derive(Default)]
struct Place {
    /// Those that are positions.
    positions: Vec<(Hint, u32)>,
    /// The smallest of those that are lost.
    least: Vec<(Hint, u32)>,
    /// All that were found to be lost, with the question that loses and when that was found.
    log: Vec<(u32, usize, usize)>,
}

/// What rules out quickly that counters are below others: where runs are, folded into a word, and the sum.
#[derive(Clone, Copy)]
struct Hint {
    places: u64,
    sum: u32,
}

impl Hint {
    fn of(counters: &[u8]) -> Hint {
        let mut hint = Hint { places: 0, sum: 0 };
        for (at, &value) in counters.iter().enumerate().filter(|(_, value)| **value > 0) {
            hint.places |= 1 << (at % 64);
            hint.sum += u32::from(value);
        }
        hint
    }

    fn may_be_below(self, other: Hint) -> bool {
        self.places & !other.places == 0 && self.sum <= other.sum
    }
}

/// Whether no counter is larger.
pub(super) fn below(left: &[u8], right: &[u8]) -> bool {
    // Whole chunks at a time, which compilers make fast.
    left.chunks(32).zip(right.chunks(32)).all(|(left, right)| {
        !left.iter().zip(right).fold(false, |above, (left, right)| above | (left > right))
    })
}

impl Situations {
    /// The number of where the monitors are.
    pub(super) fn place(&mut self, monitored: &[u32]) -> u32 {
        if let Some(place) = self.monitored.get_index_of(monitored) {
            return place as u32;
        }
        self.places.push(Place::default());
        self.monitored.insert_full(monitored.into()).0 as u32
    }

    /// The number of a situation.
    pub(super) fn meet(&mut self, place: u32, counters: &[u8]) -> u32 {
        if let Some(met) = self.all.get_index_of(&Looked(place, counters)) {
            return met as u32;
        }
        self.known.push(Known {
            hint: Hint::of(counters),
            place,
            position: NONE,
            given_up: false,
            lost: false,
            compared: None,
            harder: NONE,
            looked_at: 0,
        });
        self.all.insert_full(Situation { place, counters: counters.into() }).0 as u32
    }

    pub(super) fn counters(&self, at: u32) -> &Counters {
        &self.all[at as usize].counters
    }

    pub(super) fn monitored(&self, at: u32) -> &Monitored {
        &self.monitored[self.known[at as usize].place as usize]
    }

    /// Whether there is no room for more.
    pub(super) fn are_too_many(&self) -> bool {
        let each = self.all.first().map_or(0, |first| first.counters.len()) + 2 * size_of::<Known>();
        self.all.len() > MEMORY / each
    }

    /// From now on this is a position of the search.
    pub(super) fn begin(&mut self, at: u32, position: u32) {
        let known = &mut self.known[at as usize];
        (known.position, known.given_up) = (position, false);
        self.places[known.place as usize].positions.push((known.hint, at));
    }

    /// The position of a situation was given up: it is lost.
    pub(super) fn give_up(&mut self, at: u32) {
        let known = &mut self.known[at as usize];
        (known.given_up, known.lost) = (true, true);
    }

    pub(super) fn is_given_up(&self, at: u32) -> bool {
        self.known[at as usize].given_up
    }

    /// A question loses from a situation.
    pub(super) fn lose(&mut self, at: u32, question: usize, when: usize) {
        let Situations { all, known, places, .. } = self;
        let known = &known[at as usize];
        let counters = &all[at as usize].counters;
        let place = &mut places[known.place as usize];
        place.least.retain(|(_, lost)| !below(counters, &all[*lost as usize].counters));
        place.least.push((known.hint, at));
        place.log.push((at, question, when));
    }

    /// Whether a situation is known to be lost.
    pub(super) fn is_lost(&mut self, at: u32) -> bool {
        let Situations { all, known, places, .. } = self;
        let place = &places[known[at as usize].place as usize];
        let Known { hint, lost, compared, .. } = known[at as usize];
        if lost {
            return true;
        }
        let counters = &all[at as usize].counters;
        let is_below = |of: u32| below(&all[of as usize].counters, counters);
        let found = match compared {
            None => place.least.iter().any(|(known, of)| known.may_be_below(hint) && is_below(*of)),
            Some(compared) => place.log[compared as usize..]
                .iter()
                .any(|(of, ..)| known[*of as usize].hint.may_be_below(hint) && is_below(*of)),
        };
        known[at as usize].lost = found;
        known[at as usize].compared = Some(place.log.len() as u32);
        found
    }

    /// A position that is at least as hard and was not given up: the latest of the last few.
    pub(super) fn above(&mut self, at: u32) -> Option<u32> {
        let Situations { all, known, places, .. } = self;
        let Known { hint, place, position, given_up, harder, looked_at, .. } = known[at as usize];
        if position != NONE && !given_up {
            return Some(position);
        }
        let positions = &places[place as usize].positions;
        let counters = &all[at as usize].counters;
        let is_harder = |&place: &usize| {
            let (other, of) = positions[place];
            hint.may_be_below(other)
                && !known[of as usize].given_up
                && below(counters, &all[of as usize].counters)
        };
        let first = positions.len().saturating_sub(LOOKED_AT);
        let new = (first.max(looked_at as usize)..positions.len()).rev().find(is_harder);
        // What came before the one that was found last has not been looked at yet.
        let found = new.or_else(|| {
            let before = if harder == NONE { first } else { harder as usize + 1 };
            (first..before).rev().find(is_harder)
        });
        let (harder, looked_at) = (found.map_or(NONE, |found| found as u32), positions.len() as u32);
        (known[at as usize].harder, known[at as usize].looked_at) = (harder, looked_at);
        found.map(|found| known[positions[found].1 as usize].position)
    }

    /// What it seems to cost to go somewhere: next to nothing where we have been, and more the more is followed there;
    /// none where it is lost.
    pub(super) fn price(&mut self, at: u32) -> Option<usize> {
        if self.is_lost(at) {
            return None;
        }
        let Known { position, given_up, hint, .. } = self.known[at as usize];
        if position != NONE && !given_up {
            return Some(1);
        }
        Some(if self.above(at).is_some() { 2 } else { 3 + hint.sum as usize })
    }

    /// Everything that was lost, in the order in which it was found.
    pub(super) fn losses(self) -> Vec<(Monitored, Counters, usize)> {
        let Situations { all, monitored, places, .. } = self;
        let logs = places.iter().enumerate().flat_map(|(place, Place { log, .. })| {
            log.iter().map(move |&(at, question, when)| (when, place, at, question))
        });
        let mut lost: Vec<(usize, usize, u32, usize)> = logs.collect();
        lost.sort_unstable();
        let told = lost.into_iter().map(|(_, place, at, question)| {
            (monitored[place].clone(), all[at as usize].counters.clone(), question)
        });
        told.collect()
    }
}
