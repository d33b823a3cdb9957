//! Where circuits go step by step.

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Wire, Wired};
use crate::format::aiger::Literal;
use crate::format::program::Pool;
use crate::letter::Letter;

/// What the latches of a circuit hold, 64 in a word.
pub type Bits = Vec<i64>;

/// Evaluates a circuit. The room for its nodes is made once.
#[derive(Clone, Debug)]
pub struct Walk {
    values: Vec<bool>,
}

impl Wired {
    /// How many words hold the latches.
    pub fn words(&self) -> usize {
        self.circuit.latches.len().div_ceil(64)
    }

    /// What the latches hold at the start.
    pub fn initial(&self) -> Bits {
        let mut bits = vec![0; self.words()];
        for (at, latch) in self.circuit.latches.iter().enumerate() {
            bits[at / 64] |= i64::from(latch.reset == Some(true)) << (at % 64);
        }
        bits
    }

    /// Room to evaluate it.
    pub fn walk(&self) -> Walk {
        Walk { values: vec![false; self.circuit.nodes()] }
    }
}

impl Walk {
    /// Follows one exchange: says whether it is wrong, and puts what the latches hold behind it in place of what they held.
    #[inline]
    pub fn step(&mut self, wired: &Wired, latches: &mut [i64], input: &Letter, output: &Letter) -> bool {
        let circuit = &wired.circuit;
        for (value, wire) in self.values[1..].iter_mut().zip(&wired.wires) {
            *value = match wire {
                Some(Wire::Input(bit)) => input.get(*bit),
                Some(Wire::Output(bit)) => output.get(*bit),
                None => false,
            };
        }
        self.put(wired, latches);
        circuit.evaluate(&mut self.values);
        let mut wrong = self.any(&wired.in_step) || self.any(&wired.on_entry);
        latches.iter_mut().for_each(|word| *word = 0);
        for (at, latch) in circuit.latches.iter().enumerate() {
            latches[at / 64] |= i64::from(self.get(latch.next)) << (at % 64);
        }
        if !wrong && !wired.on_entry.is_empty() {
            wrong = wired.on_entry.iter().any(|&value| self.holds(wired, latches, value));
        }
        wrong
    }

    /// Whether a value that is known from the latches alone is true of these.
    pub fn holds(&mut self, wired: &Wired, latches: &[i64], value: Literal) -> bool {
        self.put(wired, latches);
        wired.circuit.evaluate(&mut self.values);
        self.get(value)
    }

    fn put(&mut self, wired: &Wired, latches: &[i64]) {
        let first = 1 + wired.circuit.inputs.len();
        for at in 0..wired.circuit.latches.len() {
            self.values[first + at] = latches[at / 64] >> (at % 64) & 1 == 1;
        }
    }

    fn get(&self, value: Literal) -> bool {
        self.values[value.node()] ^ value.is_negated()
    }

    fn any(&self, values: &[Literal]) -> bool {
        values.iter().any(|&value| self.get(value))
    }
}

/// The most states and exchanges of one circuit that are remembered.
const MOST_STATES: usize = 1 << 16;
const MOST_MOVES: usize = 1 << 18;

/// Runs through one circuit, which remember where exchanges led: on states that were met before a step costs a look into
/// a table instead of an evaluation. Shared by all that follow the same circuit.
#[derive(Debug)]
pub struct Paths {
    wired: Arc<Wired>,
    met: Mutex<Met>,
}

#[derive(Debug)]
struct Met {
    pool: Pool,
    moves: FxHashMap<(u32, Letter, Letter), (u32, bool)>,
    walk: Walk,
    words: Bits,
}

/// Where a run through a circuit is.
#[derive(Clone, Debug)]
pub struct At {
    number: u32,
    /// The latches, where the state has no number.
    words: Bits,
}

const NO_NUMBER: u32 = u32::MAX;

impl At {
    /// A number that tells places of one circuit apart as well as hashing does.
    pub fn fingerprint(&self) -> u64 {
        match self.number {
            NO_NUMBER => FxBuildHasher.hash_one(&self.words) | 1 << 63,
            number => number.into(),
        }
    }
}

impl Paths {
    /// No paths yet.
    pub fn new(wired: Arc<Wired>) -> Paths {
        let mut pool = Pool::new(wired.words(), MOST_STATES);
        pool.meet(&wired.initial());
        let met = Met { pool, moves: FxHashMap::default(), walk: wired.walk(), words: Vec::new() };
        Paths { wired, met: Mutex::new(met) }
    }

    /// The start of a run.
    pub fn start(&self) -> At {
        At { number: 0, words: Vec::new() }
    }

    /// The latches that hold 1, by name, one a line; the first of them where there are many.
    pub fn show(&self, at: &At) -> String {
        const SHOWN: usize = 6;
        let met = &*self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let words = if at.number == NO_NUMBER { &*at.words } else { met.pool.get(at.number) };
        let latches = self.wired.circuit.latches.iter().enumerate();
        let set = latches.filter(|(at, _)| words[at / 64] >> (at % 64) & 1 == 1);
        let mut names: Vec<String> =
            set.map(|(at, latch)| latch.name.clone().unwrap_or_else(|| format!("l{at}"))).collect();
        if names.is_empty() {
            return "no latch set".to_owned();
        }
        if names.len() > SHOWN {
            let more = names.len() - (SHOWN - 1);
            names.truncate(SHOWN - 1);
            names.push(format!("and {more} more"));
        }
        names.join("\n")
    }

    /// Follows one exchange, and says whether it is wrong.
    #[inline]
    pub fn step(&self, at: &mut At, input: &Letter, output: &Letter) -> bool {
        let met = &mut *self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (at.number, *input, *output);
        if at.number != NO_NUMBER
            && let Some(&(to, wrong)) = met.moves.get(&key)
        {
            at.number = to;
            return wrong;
        }
        met.words.clear();
        met.words.extend_from_slice(if at.number == NO_NUMBER { &at.words } else { met.pool.get(at.number) });
        let wrong = met.walk.step(&self.wired, &mut met.words, input, output);
        match met.pool.meet(&met.words) {
            Some((to, _)) => {
                if at.number != NO_NUMBER && met.moves.len() < MOST_MOVES {
                    met.moves.insert(key, (to, wrong));
                }
                at.number = to;
            }
            None => {
                at.number = NO_NUMBER;
                at.words.clone_from(&met.words);
            }
        }
        wrong
    }
}
