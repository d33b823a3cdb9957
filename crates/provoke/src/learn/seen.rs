//! Situations that were met, and where inputs led from them: the way back to what has not been tried.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::letter::Letter;

/// What was observed of a system, as a graph of situations: how often each input was sent in each, and where it led last.
///
/// What counts as one situation is for whoever uses it to say. A system may do otherwise the next time, so ways through it are
/// hopes. Bounded: what does not fit any more is not remembered.
#[derive(Clone, Debug)]
pub struct Seen {
    numbers: FxHashMap<u64, u32>,
    nodes: Vec<Vec<Tried>>,
    most: usize,
    tried: usize,
    /// How many situations searches may still look at: more with every step, so that they do not take longer than steps do.
    credit: u64,
    search: Search,
}

/// Searches may look at so many situations from the start, and at so many more for each step.
const HEAD_START: u64 = 1 << 20;
const CREDIT: u64 = 16;

/// A search through the graph, kept so that the next one need not make room for itself.
#[derive(Clone, Debug, Default)]
struct Search {
    queue: VecDeque<u32>,
    /// The number of the search that reached a situation last, and how.
    reached: Vec<(u32, (u32, Letter))>,
    number: u32,
}

impl Search {
    fn begin(&mut self, from: u32, count: usize) {
        self.queue.clear();
        self.queue.push_back(from);
        self.reached.resize(count, (0, (0, Letter::default())));
        self.number = self.number.wrapping_add(1);
        if self.number == 0 {
            self.reached.fill((0, (0, Letter::default())));
            self.number = 1;
        }
        self.reached[from as usize].0 = self.number;
    }

    /// Whether this is the first way there.
    fn reach(&mut self, to: u32, by: (u32, Letter)) -> bool {
        let entry = &mut self.reached[to as usize];
        let is_first = entry.0 != self.number;
        if is_first {
            *entry = (self.number, by);
        }
        is_first
    }

    fn back(&self, from: u32, mut at: u32) -> Vec<Letter> {
        let mut inputs = Vec::new();
        while at != from {
            let (previous, input) = self.reached[at as usize].1;
            inputs.push(input);
            at = previous;
        }
        inputs
    }
}

#[derive(Clone, Copy, Debug)]
struct Tried {
    input: Letter,
    times: u32,
    to: u32,
}

impl Seen {
    /// Nothing yet, and no more than so many inputs in all.
    pub fn new(most: usize) -> Seen {
        Seen {
            numbers: FxHashMap::default(),
            nodes: Vec::new(),
            most,
            tried: 0,
            credit: HEAD_START,
            search: Search::default(),
        }
    }

    /// The number of a situation; none where there is no room for it.
    pub fn situation(&mut self, key: u64) -> Option<u32> {
        if let Some(&known) = self.numbers.get(&key) {
            return Some(known);
        }
        if self.nodes.len() >= self.most {
            return None;
        }
        let number = self.nodes.len() as u32;
        self.numbers.insert(key, number);
        self.nodes.push(Vec::new());
        Some(number)
    }

    /// How often an input was sent in a situation.
    pub fn times(&self, at: u32, input: Letter) -> u32 {
        self.nodes[at as usize].iter().find(|tried| tried.input == input).map_or(0, |tried| tried.times)
    }

    /// How many inputs were sent in a situation.
    pub fn inputs(&self, at: u32) -> usize {
        self.nodes[at as usize].len()
    }

    /// An input led from one situation to another.
    pub fn note(&mut self, from: u32, input: Letter, to: u32) {
        self.credit = (self.credit + CREDIT).min(HEAD_START);
        match self.nodes[from as usize].iter_mut().find(|tried| tried.input == input) {
            Some(tried) => (tried.times, tried.to) = (tried.times.saturating_add(1), to),
            None if self.tried < self.most => {
                self.tried += 1;
                self.nodes[from as usize].push(Tried { input, times: 1, to });
            }
            None => {}
        }
    }

    /// The inputs of a shortest way to a situation that is wanted, by its number and how many inputs were sent there, the first
    /// last; none where none is known, or where it was searched for more than steps were taken.
    pub fn way(&mut self, from: u32, wanted: impl Fn(u32, usize) -> bool) -> Option<Vec<Letter>> {
        let Seen { nodes, search, credit, .. } = self;
        if *credit < CREDIT {
            return None;
        }
        search.begin(from, nodes.len());
        while let Some(at) = search.queue.pop_front() {
            *credit = credit.saturating_sub(1);
            if *credit == 0 {
                return None;
            }
            for tried in &nodes[at as usize] {
                if !search.reach(tried.to, (at, tried.input)) {
                    continue;
                }
                if wanted(tried.to, nodes[tried.to as usize].len()) {
                    return Some(search.back(from, tried.to));
                }
                search.queue.push_back(tried.to);
            }
        }
        None
    }

    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.tried * size_of::<Tried>() * 2 + self.nodes.len() * (size_of::<Vec<Tried>>() + 24)
    }
}
