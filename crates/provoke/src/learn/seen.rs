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
        Seen { numbers: FxHashMap::default(), nodes: Vec::new(), most, tried: 0 }
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
        match self.nodes[from as usize].iter_mut().find(|tried| tried.input == input) {
            Some(tried) => (tried.times, tried.to) = (tried.times.saturating_add(1), to),
            None if self.tried < self.most => {
                self.tried += 1;
                self.nodes[from as usize].push(Tried { input, times: 1, to });
            }
            None => {}
        }
    }

    /// The inputs of a shortest way to a situation that is wanted, the first last; none where none is known.
    pub fn way(&self, from: u32, wanted: impl Fn(u32) -> bool) -> Option<Vec<Letter>> {
        let mut before: FxHashMap<u32, (u32, Letter)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for tried in &self.nodes[at as usize] {
                if tried.to == from || before.contains_key(&tried.to) {
                    continue;
                }
                before.insert(tried.to, (at, tried.input));
                if wanted(tried.to) {
                    let mut inputs = Vec::new();
                    let mut at = tried.to;
                    while at != from {
                        let (previous, input) = before[&at];
                        inputs.push(input);
                        at = previous;
                    }
                    return Some(inputs);
                }
                queue.push_back(tried.to);
            }
        }
        None
    }

    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.tried * size_of::<Tried>() * 2 + self.nodes.len() * (size_of::<Vec<Tried>>() + 24)
    }
}
