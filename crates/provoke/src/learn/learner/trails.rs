//! Tests at the end of trails: a few transitions in a row, and then what seems to lead nowhere.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::Learner;
use crate::learn::hypothesis::Edge;
use crate::learn::tree::ROOT;
use crate::rng::Rng;

/// No longer trails are looked at.
const LONGEST: usize = 8;
/// Of more trails of one length than this, so many are drawn by chance, and again while one in so many was not tried.
const MOST: u64 = 4_096;
const FEW: usize = 8;
/// No more is remembered of what was tried.
const ROOM: usize = 1 << 20;

/// What was sent at the end of trails.
///
/// A state that is taken for another one, since both answer alike for a while, is told by the way that leads to it: the last
/// few transitions. An input that seems to lead to a sink ends the run, so each run has one, and is worth most where it ends with a
/// trail and an input that were not together before, whatever came before the trail: one run tries the trails of all lengths at its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Trails {
    /// Trails and what was sent after them, by hash.
    tried: FxHashSet<u64>,
    /// The last transitions of the run: states and places of inputs.
    recent: VecDeque<(u32, usize)>,
    /// Those that are tried next.
    laid: VecDeque<Trail>,
    length: usize,
    /// How much was known when they were laid, and whether all were tried.
    of: u64,
    is_over: bool,
}

/// A state, and inputs that lead on from there.
#[derive(Clone, Debug)]
struct Trail {
    start: u32,
    inputs: Vec<usize>,
}

impl Trail {
    /// The key of the trail before an input.
    fn before(&self, place: usize) -> u64 {
        let key = self.inputs.iter().rev().fold(Key::of(place), |key, &input| key.before(input));
        key.from(self.start)
    }
}

/// A trail from its end, and what is sent after it.
#[derive(Clone, Copy)]
struct Key(u64);

impl Key {
    fn of(place: usize) -> Key {
        Key(0).before(place)
    }

    fn before(self, input: usize) -> Key {
        self.with(input as u64)
    }

    /// The whole key of a trail that begins here.
    fn from(self, state: u32) -> u64 {
        self.with(1 << 32 | u64::from(state)).0
    }

    fn with(self, value: u64) -> Key {
        Key((self.0.rotate_left(5) ^ value).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl Trails {
    /// A run begins, or goes on where nobody knows.
    pub(super) fn begin(&mut self) {
        self.recent.clear();
    }

    /// A transition that leads on.
    pub(super) fn go(&mut self, state: u32, place: usize) {
        if self.recent.len() == LONGEST {
            self.recent.pop_front();
        }
        self.recent.push_back((state, place));
    }

    /// An input that leads to a sink.
    pub(super) fn end(&mut self, place: usize) {
        let mut key = Key::of(place);
        for &(state, input) in self.recent.iter().rev() {
            key = key.before(input);
            if self.tried.len() < ROOM {
                self.tried.insert(key.from(state));
            }
        }
    }

    /// How much memory it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.tried.capacity() * (size_of::<u64>() + 1)
    }
}

impl Learner {
    /// Notes a transition that went as expected.
    pub(super) fn note_trail(&mut self, state: u32, place: usize, edge: Edge) {
        if self.outlook.is_sink(edge.to) {
            self.trails.end(place);
        } else if !self.tree.is_idle(edge.output) {
            self.trails.go(state, place);
        }
    }

    /// Whether there may be trails that were not tried.
    pub fn has_trails(&self) -> bool {
        let is_new = self.trails.of != self.known();
        (is_new || !self.trails.is_over) && !self.tree().is_full() && self.trails.tried.len() < ROOM
    }

    /// A word of at most so many inputs with a trail, the shortest and nearest first, and an input that was not sent after it and seems to
    /// lead to a sink. None where all were tried.
    pub fn trail(&mut self, room: usize, rng: &mut Rng) -> Option<Vec<usize>> {
        if !self.has_trails() {
            return None;
        }
        if self.trails.of != self.known() {
            (self.trails.of, self.trails.length, self.trails.is_over) = (self.known(), 1, false);
            self.trails.laid.clear();
        }
        loop {
            while let Some(trail) = self.trails.laid.pop_front() {
                let Some(way) = self.way_along(&trail).filter(|way| way.len() < room) else { continue };
                let mut left = self.untried_after(&trail);
                rng.shuffle(&mut left);
                for last in left {
                    let word: Vec<usize> = way.iter().copied().chain([last]).collect();
                    let numbers: Vec<u32> = word.iter().map(|&place| self.alphabet[place]).collect();
                    if self.tree.follow(ROOT, &numbers).is_none() {
                        // There may be more to send after it.
                        self.trails.laid.push_back(trail);
                        return Some(word);
                    }
                    // It was sent when less was known.
                    self.trails.tried.insert(trail.before(last));
                }
            }
            if !self.lay(rng) {
                self.trails.is_over = true;
                return None;
            }
        }
    }

    /// The shortest way to the end of a trail.
    fn way_along(&self, trail: &Trail) -> Option<Vec<usize>> {
        let access = self.tree.word(self.basis[trail.start as usize]);
        let places = access.iter().map(|&number| self.place_of_number(number));
        places.chain(trail.inputs.iter().map(|&place| Some(place))).collect()
    }

    /// What seems to lead from the end of a trail to a sink and was not sent after it.
    fn untried_after(&self, trail: &Trail) -> Vec<usize> {
        let Some(end) = self.hypothesis.after(trail.start, &trail.inputs) else { return Vec::new() };
        let is_meant = |place: &usize| {
            let edge = self.hypothesis.edge(end, *place);
            edge.is_known()
                && self.outlook.is_sink(edge.to)
                && !self.trails.tried.contains(&trail.before(*place))
        };
        (0..self.hypothesis.inputs).filter(is_meant).collect()
    }

    /// The transitions of a state that lead on, as far as is known: the inputs, and the states after them.
    fn onward(&self, state: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        let leads_on = |edge: &Edge| {
            edge.is_known() && !self.tree.is_idle(edge.output) && !self.outlook.is_sink(edge.to)
        };
        let row = self.hypothesis.row(state).iter().enumerate();
        row.filter(move |(_, edge)| leads_on(edge)).map(|(place, edge)| (place, edge.to))
    }

    /// Lays trails after which something was not tried: longer ones than before, unless there are more than can be laid at once. Whether
    /// there are any.
    fn lay(&mut self, rng: &mut Rng) -> bool {
        let states = 0..self.basis.len() as u32;
        let live: Vec<u32> = states.filter(|&state| !self.outlook.is_sink(state)).collect();
        while self.trails.length <= LONGEST {
            let length = self.trails.length;
            let is_all = self.trails_in_all(length) <= MOST;
            let mut laid: Vec<Trail> = Vec::new();
            if is_all {
                let empty = |&start: &u32| (start, Trail { start, inputs: Vec::new() });
                let mut open: Vec<(u32, Trail)> = live.iter().map(empty).collect();
                while let Some((at, trail)) = open.pop() {
                    if trail.inputs.len() == length {
                        laid.push(trail);
                        continue;
                    }
                    open.extend(self.onward(at).map(|(place, to)| {
                        let inputs = trail.inputs.iter().copied().chain([place]).collect();
                        (to, Trail { start: trail.start, inputs })
                    }));
                }
            } else {
                let drawn = |_| rng.pick(&live).copied().and_then(|start| self.draw(start, length, rng));
                laid.extend((0..MOST).filter_map(drawn));
            }
            let drawn = laid.len();
            laid.retain(|trail| !self.untried_after(trail).is_empty());
            let is_worth_it = if is_all { !laid.is_empty() } else { FEW * laid.len() > drawn };
            self.trails.length += usize::from(is_all || !is_worth_it);
            if is_worth_it {
                rng.shuffle(&mut laid);
                laid.sort_by_key(|trail| self.depths[trail.start as usize]);
                self.trails.laid = laid.into();
                return true;
            }
        }
        false
    }

    /// How many trails of this length there are.
    fn trails_in_all(&self, length: usize) -> u64 {
        let mut ways = vec![1u64; self.basis.len()];
        for _ in 0..length {
            let sum = |state: u32| {
                self.onward(state).fold(0, |sum: u64, (_, to)| sum.saturating_add(ways[to as usize]))
            };
            ways = (0..ways.len() as u32).map(sum).collect();
        }
        ways.into_iter().fold(0, u64::saturating_add)
    }

    /// A trail from a state by chance; none where no way leads on for so long.
    fn draw(&self, start: u32, length: usize, rng: &mut Rng) -> Option<Trail> {
        let (mut at, mut inputs) = (start, Vec::with_capacity(length));
        while inputs.len() < length {
            let onward: Vec<(usize, u32)> = self.onward(at).collect();
            let &(place, to) = rng.pick(&onward)?;
            inputs.push(place);
            at = to;
        }
        Some(Trail { start, inputs })
    }
}
