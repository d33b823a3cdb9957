//! The shortest word, by search from both ends.

pub(crate) mod dense;
pub(crate) mod stretch;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustc_hash::FxHashSet;

use crate::synchronise::core::Core;
use crate::synchronise::sets::bits::{Bits, Tables, everything, hash, insert, members, size};
use crate::synchronise::sets::family::Family;
use crate::synchronise::sets::history::History;
use crate::synchronise::watch::Watch;

/// How an exact search ended.
pub(crate) enum Exact {
    /// A shortest word, in letters of the core.
    Word(Vec<u32>),
    /// Every set was visited: there is no word.
    Never,
    /// Time or memory ran out; the best word known is not proved shortest.
    Spent(Option<Vec<u32>>),
}

/// The most states held by the sets of one direction: some hundred megabytes.
const MOST_WORDS: usize = 1 << 25;

/// Sets of the forward level from which the search goes on depth-first.
const MOST_FORWARD: usize = 1 << 17;

/// Sets of the backward family beyond which asking it gets slow.
const MOST_FAMILY: usize = 1 << 19;

/// What an exact search looks things up in: made once for many searches on one machine.
pub(crate) struct Lookup<const W: usize> {
    images: Tables<W>,
    preimages: Tables<W>,
    states: usize,
}

impl<const W: usize> Lookup<W> {
    pub(crate) fn new(core: &Core<'_>) -> Lookup<W> {
        Lookup { images: Tables::images(core), preimages: Tables::preimages(core), states: core.states }
    }

    /// The set of all states.
    pub(crate) fn everything(&self) -> Bits<W> {
        everything(self.states)
    }

    pub(crate) fn images(&self) -> &Tables<W> {
        &self.images
    }

    pub(crate) fn preimages(&self) -> &Tables<W> {
        &self.preimages
    }
}

/// The set of one state for each of these.
pub(crate) fn singles<const W: usize>(states: &[u32]) -> Vec<Bits<W>> {
    let single = |&state: &u32| {
        let mut set = [0; W];
        insert(&mut set, state);
        set
    };
    states.iter().map(single).collect()
}

/// Finds a shortest word that leads the set `from` into one of the sets `into`, given possibly some word to beat.
///
/// Forwards from the first set goes a breadth-first search over images; backwards from the goals one
/// over preimages, of which only those that no other holds are kept (after Kisielewicz, Kowalski and Szykula
/// 2013). A word is found when a forward set lies in a backward set. The cheaper side is extended, until the
/// forward side is so wide that it is finished depth-first, each leaf asked against the backward family,
/// on two threads. Works on partial machines too: a letter is applied only where it is defined on
/// the whole set, and a preimage holds only states where it is defined.
pub(crate) fn exact<const W: usize>(
    lookup: &Lookup<W>,
    from: Bits<W>,
    into: &[Bits<W>],
    known: Option<Vec<u32>>,
    watch: &mut Watch<'_>,
) -> Exact {
    let mut search = Search::<W> {
        images: &lookup.images,
        backward: Backward::new(lookup, into),
        forward: Forward::new(from),
    };
    if let Some(word) = search.meet(watch) {
        return Exact::Word(word);
    }
    let bound = known.as_ref().map_or(usize::MAX, Vec::len);
    loop {
        if search.ruled_out() + 1 >= bound {
            return known.map_or(Exact::Never, Exact::Word);
        }
        watch.progress(search.ruled_out(), search.forward.smallest as usize);
        let extended = match search.cheaper(bound) {
            Side::Forward => search.forward.extend(search.images, watch),
            Side::Backward => search.backward.extend(watch),
            Side::DepthFirst => return search.depth_first(known, watch),
        };
        match extended {
            Extended::Yes => {}
            Extended::Exhausted => return known.map_or(Exact::Never, Exact::Word),
            Extended::Spent => return Exact::Spent(known),
        }
        if let Some(word) = search.meet(watch) {
            return Exact::Word(word);
        }
    }
}

enum Side {
    Forward,
    Backward,
    DepthFirst,
}

enum Extended {
    Yes,
    Exhausted,
    Spent,
}

struct Forward<const W: usize> {
    level: Vec<Bits<W>>,
    nodes: Vec<u32>,
    history: History,
    seen: FxHashSet<Bits<W>>,
    depth: usize,
    smallest: u32,
}

impl<const W: usize> Forward<W> {
    fn new(from: Bits<W>) -> Forward<W> {
        let (seen, smallest) = (FxHashSet::from_iter([from]), size(&from));
        Forward { level: vec![from], nodes: vec![0], history: History::new(), seen, depth: 0, smallest }
    }

    fn extend(&mut self, images: &Tables<W>, watch: &mut Watch<'_>) -> Extended {
        let (mut level, mut nodes) = (Vec::new(), Vec::new());
        for (set, &node) in self.level.iter().zip(&self.nodes) {
            if watch.spent(16 * W * images.letters) || self.seen.len() * W > MOST_WORDS {
                return Extended::Spent;
            }
            for letter in 0..images.letters {
                let Some(image) = images.image(set, letter) else { continue };
                if self.seen.insert(image) {
                    self.smallest = self.smallest.min(size(&image));
                    level.push(image);
                    nodes.push(self.history.push(node, letter as u32));
                }
            }
        }
        self.depth += 1;
        (self.level, self.nodes) = (level, nodes);
        if self.level.is_empty() { Extended::Exhausted } else { Extended::Yes }
    }
}

struct Backward<'a, const W: usize> {
    preimages: &'a Tables<W>,
    /// Sets of exactly this depth that no set of at most this depth holds.
    level: Vec<Bits<W>>,
    nodes: Vec<u32>,
    history: History,
    /// All sets so far, with their nodes; a set is kept only if no earlier one holds it.
    family: Family,
    of_family: Vec<u32>,
    depth: usize,
}

impl<'a, const W: usize> Backward<'a, W> {
    fn new(lookup: &'a Lookup<W>, goals: &[Bits<W>]) -> Backward<'a, W> {
        let mut backward = Backward {
            preimages: &lookup.preimages,
            level: Vec::new(),
            nodes: Vec::new(),
            history: History::new(),
            family: Family::new(lookup.states),
            of_family: Vec::new(),
            depth: 0,
        };
        goals.iter().for_each(|&goal| backward.keep(goal, 0));
        backward
    }

    fn keep(&mut self, set: Bits<W>, node: u32) {
        self.family.push(members(&set));
        self.of_family.push(node);
        self.level.push(set);
        self.nodes.push(node);
    }

    fn extend(&mut self, watch: &mut Watch<'_>) -> Extended {
        let mut candidates: Vec<(u32, u64, u32, u32)> = Vec::new();
        for (index, set) in self.level.iter().enumerate() {
            if watch.spent(16 * W * self.preimages.letters) {
                return Extended::Spent;
            }
            for letter in 0..self.preimages.letters {
                let preimage = self.preimages.apply(set, letter);
                let count = size(&preimage);
                if count > 0 {
                    candidates.push((u32::MAX - count, hash(&preimage), index as u32, letter as u32));
                }
            }
        }
        candidates.sort_unstable();
        candidates.dedup_by_key(|candidate| (candidate.0, candidate.1));
        let level = std::mem::take(&mut self.level);
        let nodes = std::mem::take(&mut self.nodes);
        self.depth += 1;
        let mut list = Vec::new();
        for (_, _, index, letter) in candidates {
            let chunks = self.family.len() / 512 + 1;
            if watch.spent(8 * chunks) || self.family.len() * W > MOST_WORDS {
                return Extended::Spent;
            }
            let preimage = self.preimages.apply(&level[index as usize], letter as usize);
            list.clear();
            list.extend(members(&preimage));
            if self.family.holding(&mut list).is_none() {
                let node = self.history.push(nodes[index as usize], letter);
                self.keep(preimage, node);
            }
        }
        if self.level.is_empty() { Extended::Exhausted } else { Extended::Yes }
    }

    /// The letters from a set of the family to its goal.
    fn word(&self, number: usize) -> Vec<u32> {
        let mut word = self.history.word(self.of_family[number]);
        word.reverse();
        word
    }
}

struct Search<'a, const W: usize> {
    images: &'a Tables<W>,
    forward: Forward<W>,
    backward: Backward<'a, W>,
}

impl<const W: usize> Search<'_, W> {
    /// No word of this length or less exists.
    fn ruled_out(&self) -> usize {
        self.forward.depth + self.backward.depth
    }

    /// Which side to extend next.
    ///
    /// A backward set costs about eight times a forward one, because it is asked against the family. Once the
    /// forward side is as wide as memory likes, the backward side grows while that costs little against
    /// what it saves of the depth-first search.
    fn cheaper(&self, bound: usize) -> Side {
        let (ahead, behind) = (self.forward.level.len() as f64, self.backward.level.len() as f64);
        if self.forward.level.len() < MOST_FORWARD {
            return if ahead <= 8.0 * behind { Side::Forward } else { Side::Backward };
        }
        let rest = bound.saturating_sub(2 + self.ruled_out()).min(60);
        let leaves = ahead * (self.images.letters as f64).powi(rest as i32);
        let grown = behind * self.images.letters as f64;
        if self.backward.family.len() < MOST_FAMILY && 16.0 * grown < leaves {
            Side::Backward
        } else {
            Side::DepthFirst
        }
    }

    /// A word through a forward set of the last level and a backward set that holds it.
    ///
    /// All shorter words are ruled out before, so any set of the family that holds one will do.
    fn meet(&self, watch: &mut Watch<'_>) -> Option<Vec<u32>> {
        watch.account(self.forward.level.len() * 8 * (self.backward.family.len() / 512 + 1));
        let mut list = Vec::new();
        for (set, &node) in self.forward.level.iter().zip(&self.forward.nodes) {
            if let Some(number) = self.held(set, &mut list) {
                let mut word = self.forward.history.word(node);
                word.extend(self.backward.word(number));
                return Some(word);
            }
        }
        None
    }

    #[inline]
    fn held(&self, set: &Bits<W>, list: &mut Vec<u32>) -> Option<usize> {
        list.clear();
        list.extend(members(set));
        self.backward.family.holding(list)
    }

    /// Goes on from the forward level without storing sets. With a known word, only shorter ones are looked
    /// for, the longest of them first: the known word usually is a shortest one already.
    fn depth_first(&self, mut known: Option<Vec<u32>>, watch: &mut Watch<'_>) -> Exact {
        let base = self.ruled_out();
        let mut further = 1;
        loop {
            if let Some(word) = &known {
                if word.len() <= base + 1 {
                    return Exact::Word(known.unwrap_or_default());
                }
                further = word.len() - 1 - base;
            }
            match self.leaves(further, watch) {
                Leaves::Word(word) => {
                    let shortest_possible = known.is_none();
                    known = Some(word);
                    if shortest_possible {
                        return Exact::Word(known.unwrap_or_default());
                    }
                }
                Leaves::Ruled if known.is_some() => return Exact::Word(known.unwrap_or_default()),
                Leaves::Ruled => further += 1,
                Leaves::Spent => return Exact::Spent(known),
            }
        }
    }

    /// Asks every set `further` letters beyond the forward level against the backward family, on two threads.
    ///
    /// How many there is work left for is known beforehand, so that the answer does not depend on the threads' race.
    fn leaves(&self, further: usize, watch: &mut Watch<'_>) -> Leaves {
        let each = (self.images.letters as u64).saturating_pow(further as u32).max(1);
        let allowed = (watch.left() / each).min(self.forward.level.len() as u64) as usize;
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let found: Mutex<Option<(usize, Vec<u32>)>> = Mutex::new(None);
        let work = |late: &mut dyn FnMut() -> bool| {
            let (mut list, mut path) = (Vec::new(), Vec::new());
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(&set) = self.forward.level[..allowed].get(index) else { return };
                if stop.load(Ordering::Relaxed) || late() {
                    return stop.store(true, Ordering::Relaxed);
                }
                path.clear();
                if let Some(number) = self.descend(set, further, &mut path, &mut list, &stop) {
                    let mut word = self.forward.history.word(self.forward.nodes[index]);
                    word.extend(&path);
                    word.extend(self.backward.word(number));
                    // The first in the level's order, so that both threads together find what one would.
                    let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    if found.as_ref().is_none_or(|(earlier, _)| index < *earlier) {
                        *found = Some((index, word));
                    }
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| work(&mut || false));
            work(&mut || watch.late(each));
        });
        watch.account((allowed as u64).saturating_mul(each) as usize);
        match found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some((_, word)) => Leaves::Word(word),
            None if stop.into_inner() || allowed < self.forward.level.len() => Leaves::Spent,
            None => Leaves::Ruled,
        }
    }

    fn descend(
        &self,
        set: Bits<W>,
        further: usize,
        path: &mut Vec<u32>,
        list: &mut Vec<u32>,
        stop: &AtomicBool,
    ) -> Option<usize> {
        if further == 0 {
            return self.held(&set, list);
        }
        if further > 8 && stop.load(Ordering::Relaxed) {
            return None;
        }
        for letter in 0..self.images.letters {
            let Some(image) = self.images.image(&set, letter).filter(|image| *image != set) else { continue };
            path.push(letter as u32);
            if let Some(number) = self.descend(image, further - 1, path, list, stop) {
                return Some(number);
            }
            path.pop();
        }
        None
    }
}

enum Leaves {
    Word(Vec<u32>),
    /// No set there lies in the backward family.
    Ruled,
    Spent,
}
