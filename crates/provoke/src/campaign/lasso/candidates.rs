//! What may go round: pieces of runs that were seen, and rounds after stems that leave something open.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::letter::Letter;
use crate::monitor::{Judge, LongRun, Verdict};
use crate::trace::{RequirementNumber, Step};

/// A stem and a round.
pub(super) type Candidate = (Vec<Letter>, Vec<Letter>);

/// No more stems are remembered.
const STEMS: usize = 256;
/// No more pieces of one run are looked at.
const PIECES: usize = 48;
/// Rounds of inputs are tried up to this many for each stem.
const ROUNDS: usize = 4_096;
/// So many inputs are used to make rounds of.
const INPUTS: usize = 64;

pub(super) struct Candidates {
    /// Rounds through the automata of violations.
    rounds: Vec<Vec<Letter>>,
    /// What was seen to go round.
    seen: VecDeque<Candidate>,
    /// What was put there once.
    known: FxHashSet<Candidate>,
    /// Stems, and how many rounds were tried after each.
    stems: Vec<(Vec<Letter>, usize)>,
    /// Places of the monitors and last answers of these stems.
    places: FxHashSet<(Vec<u32>, Letter)>,
    /// Inputs to make rounds of.
    inputs: Vec<Letter>,
    turn: usize,
}

impl Candidates {
    pub(super) fn new(rounds: Vec<Vec<Letter>>) -> Candidates {
        Candidates {
            rounds,
            seen: VecDeque::new(),
            known: FxHashSet::default(),
            stems: Vec::new(),
            places: FxHashSet::default(),
            inputs: Vec::new(),
            turn: 0,
        }
    }

    /// Takes a run in.
    pub(super) fn learn(
        &mut self,
        judge: &mut Judge,
        long_run: &LongRun,
        open: &[bool],
        trace: &[Step],
        inputs: &dyn Fn() -> Vec<Letter>,
    ) {
        if self.inputs.is_empty() {
            self.inputs = inputs();
            self.inputs.truncate(INPUTS);
        }
        judge.reset();
        let mut met: FxHashMap<(Vec<u32>, Option<Letter>), usize> = FxHashMap::default();
        met.insert((judge.places(), None), 0);
        let mut pieces = 0;
        for (at, step) in trace.iter().enumerate() {
            _ = judge.follow(step);
            let places = judge.places();
            let is_open = open.iter().enumerate().any(|(at, &open)| {
                open && judge.requirements.verdict(RequirementNumber(at)) == Verdict::SoFarBad
            });
            let key = (places.clone(), Some(step.output));
            if let Some(&before) = met.get(&key)
                && pieces < PIECES
            {
                pieces += 1;
                let (stem, round) = (&trace[..before], &trace[before..=at]);
                let violated = long_run.violated(stem, round);
                if violated.iter().any(|requirement| open[requirement.0]) {
                    self.take((inputs_of(stem), inputs_of(round)));
                }
            }
            met.insert(key, at + 1);
            if is_open && self.stems.len() < STEMS && self.places.insert((places, step.output)) {
                self.stems.push((inputs_of(&trace[..=at]), 0));
            }
        }
        // Some obligations are there from the start.
        if self.stems.is_empty() || self.places.is_empty() {
            self.stems.push((Vec::new(), 0));
        }
    }

    fn take(&mut self, candidate: Candidate) {
        if self.known.len() < ROUNDS && self.known.insert(candidate.clone()) {
            self.seen.push_back(candidate);
        }
    }

    /// The shortest that was seen to go round.
    pub(super) fn seen(&mut self) -> Option<Candidate> {
        let (shortest, _) =
            self.seen.iter().enumerate().min_by_key(|(_, (stem, round))| stem.len() + round.len())?;
        self.seen.remove(shortest)
    }

    /// The next that may go round as well as not.
    pub(super) fn thought_up(&mut self) -> Option<Candidate> {
        for _ in 0..self.stems.len() {
            self.turn = (self.turn + 1) % self.stems.len();
            let turn = self.turn;
            let tried = self.stems[turn].1;
            if let Some(round) = self.round(tried) {
                let (stem, tried) = &mut self.stems[turn];
                *tried += 1;
                return Some((stem.clone(), round));
            }
        }
        None
    }

    /// The rounds in their order: through automata, then all words of inputs, the shortest first.
    fn round(&self, at: usize) -> Option<Vec<Letter>> {
        if let Some(round) = self.rounds.get(at) {
            return Some(round.clone());
        }
        let (mut at, base) = (at - self.rounds.len(), self.inputs.len());
        if at >= ROUNDS || base == 0 {
            return None;
        }
        let (mut length, mut words) = (1, base);
        while at >= words {
            at -= words;
            length += 1;
            words = words.checked_mul(base)?;
        }
        let letter = |_| {
            let letter = self.inputs[at % base];
            at /= base;
            letter
        };
        Some((0..length).map(letter).collect())
    }
}

fn inputs_of(trace: &[Step]) -> Vec<Letter> {
    trace.iter().map(|step| step.input).collect()
}
