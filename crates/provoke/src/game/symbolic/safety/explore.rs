//! Forwards, one state after the other: the part of the game that one way of answering needs.

use rustc_hash::FxHashMap;

use super::{Plain, Until};
use crate::format::aiger::Literal;

/// The most inputs of the tester: all their values are looked at in every state.
const MOST_INPUTS: usize = 12;

/// The most inputs of the system that can be counted through.
const MOST_OUTPUTS: usize = 60;

/// How many answers are looked at for one that leads to a state that is known, before a new one is taken.
const CHOOSY: u64 = 16;

/// How many answers that did well are tried first.
const FAVOURITES: usize = 32;

/// The values of the first six inputs in 64 exchanges at once.
const LANES: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// For every state that is met and every input there, an answer is chosen that is no violation and leads to a state that
/// is not known to be lost, at best to one that was met before. A state without such an answer to some input is lost, and
/// the choices that led there are made again. When nothing is left to do and the first state is not lost, the choices
/// are a system that keeps the requirement.
///
/// A local algorithm, as Liu and Smolka's for fixed points. Circuits made from automata have many latches and few states:
/// for them this is all it takes. Sixty-four exchanges are worked out at once.
pub(super) struct Explore<'a> {
    game: &'a Plain<'a>,
    /// How many system's inputs vary within the 64 exchanges.
    lanes_of_system: usize,
    known: FxHashMap<Box<[u64]>, u32>,
    states: Vec<Met>,
    open: Vec<u32>,
    /// Answers that did well, the last first.
    favourites: Vec<u64>,
    /// What every node is in 64 exchanges.
    values: Vec<u64>,
    bytes: usize,
}

struct Met {
    latches: Box<[u64]>,
    lost: bool,
    waiting: bool,
    /// States that have chosen to go here.
    chosen_by: Vec<u32>,
}

/// A time or a room that ends before a state is done.
struct Stopped;

impl<'a> Explore<'a> {
    /// None where inputs are too many to be counted through.
    pub(super) fn new(game: &'a Plain<'a>) -> Option<Explore<'a>> {
        if game.tester.len() > MOST_INPUTS || game.system.len() > MOST_OUTPUTS {
            return None;
        }
        let circuit = game.circuit;
        let mut latches = vec![0u64; circuit.latches.len().div_ceil(64)].into_boxed_slice();
        for (at, latch) in circuit.latches.iter().enumerate() {
            latches[at / 64] |= u64::from(latch.reset == Some(true)) << (at % 64);
        }
        let mut made = Explore {
            game,
            lanes_of_system: 6usize.saturating_sub(game.tester.len()).min(game.system.len()),
            known: FxHashMap::default(),
            states: Vec::new(),
            open: Vec::new(),
            favourites: Vec::new(),
            values: vec![0; circuit.nodes()],
            bytes: 0,
        };
        made.meet(latches);
        Some(made)
    }

    /// Whether the tester can force a violation, if that is found out before this time and in so many bytes.
    pub(super) fn go_on(&mut self, until: Until, most_bytes: usize) -> Option<bool> {
        while let Some(at) = self.open.pop() {
            self.states[at as usize].waiting = false;
            if self.states[at as usize].lost {
                continue;
            }
            if self.bytes > most_bytes || until.is_over() {
                self.wait(at);
                return None;
            }
            match self.is_lost(at, until) {
                Err(Stopped) => {
                    self.wait(at);
                    return None;
                }
                Ok(false) => {}
                Ok(true) if at == 0 => return Some(true),
                Ok(true) => {
                    self.states[at as usize].lost = true;
                    for chooser in std::mem::take(&mut self.states[at as usize].chosen_by) {
                        self.wait(chooser);
                    }
                }
            }
        }
        Some(false)
    }

    fn wait(&mut self, at: u32) {
        let state = &mut self.states[at as usize];
        if !state.lost && !std::mem::replace(&mut state.waiting, true) {
            self.open.push(at);
        }
    }

    /// The number of a state, which may be new.
    fn meet(&mut self, latches: Box<[u64]>) -> u32 {
        let fresh = self.states.len() as u32;
        let number = *self.known.entry(latches.clone()).or_insert(fresh);
        if number == fresh {
            self.bytes += 2 * (8 * latches.len() + 48);
            self.states.push(Met { latches, lost: false, waiting: false, chosen_by: Vec::new() });
            self.wait(fresh);
        }
        number
    }

    /// Whether some input leaves no answer; otherwise an answer to each is chosen.
    fn is_lost(&mut self, at: u32, until: Until) -> Result<bool, Stopped> {
        let first_latch = 1 + self.game.circuit.inputs.len();
        for latch in 0..self.game.circuit.latches.len() {
            let is_set = self.states[at as usize].latches[latch / 64] >> (latch % 64) & 1 == 1;
            self.values[first_latch + latch] = everywhere(is_set);
        }
        for block in 0..1usize << self.game.tester.len().saturating_sub(LANES.len()) {
            for (bit, &node) in self.game.tester.iter().enumerate() {
                self.values[node] = match LANES.get(bit) {
                    Some(&lanes) => lanes,
                    None => everywhere(block >> (bit - LANES.len()) & 1 == 1),
                };
            }
            if !self.answers(at, until)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Chooses an answer to each of up to 64 inputs; false where there is none.
    fn answers(&mut self, at: u32, until: Until) -> Result<bool, Stopped> {
        let inputs = 1usize << self.game.tester.len().min(LANES.len());
        let mut unanswered = if inputs == 64 { u64::MAX } else { (1 << inputs) - 1 };
        let mut new: Vec<Option<Box<[u64]>>> = vec![None; inputs];
        let favourites = self.favourites.clone();
        let all = 0..1u64 << (self.game.system.len() - self.lanes_of_system);
        let others = all.filter(|answer| !favourites.contains(answer));
        for (tried, answer) in favourites.iter().copied().chain(others).enumerate() {
            if unanswered == 0 {
                break;
            }
            if tried % 64 == 63 && until.is_over() {
                return Err(Stopped);
            }
            let before = unanswered;
            self.evaluate(answer);
            self.look(at, inputs, &mut unanswered, &mut new);
            if tried as u64 + 1 >= CHOOSY {
                self.take(at, &mut unanswered, &mut new);
            }
            if unanswered != before && self.favourites.first() != Some(&answer) {
                self.favourites.retain(|known| *known != answer);
                self.favourites.insert(0, answer);
                self.favourites.truncate(FAVOURITES);
            }
        }
        self.take(at, &mut unanswered, &mut new);
        Ok(unanswered == 0)
    }

    /// Looks at 64 exchanges: which inputs an answer leads to a state that is known, and new states for the others.
    fn look(&mut self, at: u32, inputs: usize, unanswered: &mut u64, new: &mut [Option<Box<[u64]>>]) {
        let value =
            |values: &[u64], literal: Literal| values[literal.node()] ^ everywhere(literal.is_negated());
        let lanes = inputs << self.lanes_of_system;
        let every = if lanes == 64 { u64::MAX } else { (1 << lanes) - 1 };
        let unfair =
            self.game.constraints.iter().fold(0, |sum, &fair| sum | !value(&self.values, fair)) & every;
        let wrong = self.game.violations.iter().fold(0, |sum, &bad| sum | value(&self.values, bad)) & every;
        let mut fine = every & (!wrong | unfair);
        while fine != 0 {
            let lane = fine.trailing_zeros() as usize;
            fine &= fine - 1;
            let input = lane % inputs;
            if *unanswered >> input & 1 == 0 {
                continue;
            }
            if unfair >> lane & 1 == 1 {
                // The run is over, and nothing is won.
                *unanswered &= !(1 << input);
                continue;
            }
            let latches = &self.game.circuit.latches;
            let mut next = vec![0u64; latches.len().div_ceil(64)].into_boxed_slice();
            for (at, latch) in latches.iter().enumerate() {
                next[at / 64] |= (value(&self.values, latch.next) >> lane & 1) << (at % 64);
            }
            match self.known.get(&next) {
                Some(&known) if self.states[known as usize].lost => {}
                Some(&known) => {
                    *unanswered &= !(1 << input);
                    self.choose(at, known);
                }
                None if new[input].is_none() => new[input] = Some(next),
                None => {}
            }
        }
    }

    fn choose(&mut self, at: u32, next: u32) {
        let chosen_by = &mut self.states[next as usize].chosen_by;
        if chosen_by.last() != Some(&at) {
            self.bytes += 4;
            chosen_by.push(at);
        }
    }

    /// Takes new states for the inputs that have no answer yet.
    fn take(&mut self, at: u32, unanswered: &mut u64, new: &mut [Option<Box<[u64]>>]) {
        for (input, next) in new.iter_mut().enumerate() {
            if *unanswered >> input & 1 == 1
                && let Some(next) = next.take()
            {
                *unanswered &= !(1 << input);
                let next = self.meet(next);
                self.choose(at, next);
            }
        }
    }

    /// Works out every node for 64 exchanges with this answer.
    fn evaluate(&mut self, answer: u64) {
        for (bit, &node) in self.game.system.iter().enumerate() {
            self.values[node] = match bit.checked_sub(self.lanes_of_system) {
                None => LANES[self.game.tester.len() + bit],
                Some(bit) => everywhere(answer >> bit & 1 == 1),
            };
        }
        let first = self.game.circuit.first_gate();
        for (at, &[left, right]) in self.game.circuit.gates.iter().enumerate() {
            let value = |literal: Literal| self.values[literal.node()] ^ everywhere(literal.is_negated());
            self.values[first + at] = value(left) & value(right);
        }
    }
}

/// A value in all exchanges.
fn everywhere(value: bool) -> u64 {
    0u64.wrapping_sub(u64::from(value))
}
