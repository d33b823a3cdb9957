//! When a campaign stops, and what it has found by then.

use std::time::Duration;

use super::Lasso;
use crate::letter::Letter;
use crate::system::SystemError;
use crate::trace::{RequirementNumber, Trace};

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Runs in all.
    pub runs: u64,
    /// Steps in one run: K in paper 1.
    pub steps: u32,
    /// After so many runs, runs may take as many steps more, and so on; 0 for never. A K that grows
    /// without bound reaches every objective that can be reached.
    pub grow: u64,
    /// Steps in all.
    pub total_steps: u64,
    /// Wall time in all.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { runs: 10_000, steps: 250, grow: 0, total_steps: u64::MAX, time: None }
    }
}

impl Limits {
    /// Steps that this run may take; runs count from 0.
    pub fn steps_of(&self, run: u64) -> u32 {
        let grown = run.checked_div(self.grow).unwrap_or(0).saturating_add(1);
        u64::from(self.steps).saturating_mul(grown).min(u64::from(u32::MAX)) as u32
    }
}

/// What a campaign found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// Runs begun.
    pub runs: u64,
    /// Exchanges in all.
    pub steps: u64,
    /// For each thing that the objective wants to have seen, what became of it.
    pub objectives: Vec<Tally>,
    /// The place of the one that is pursued, or was last.
    pub pursued: usize,
    /// The first violating trace of each requirement.
    pub violations: Vec<(RequirementNumber, Trace)>,
    /// The first lasso of each requirement.
    pub lassos: Vec<Lasso>,
    /// For each requirement, how many runs violated it; behind them the implicit ones of ranges.
    pub violating_runs: Vec<u64>,
    /// For each of them, how many runs would have violated it, but for a promise that was in the hands of the system by then and that it
    /// did not keep.
    pub excused: Vec<u64>,
    /// For each requirement, how many runs put it to the test; at least so many, where there are very many.
    pub triggered: Vec<u64>,
    /// For each requirement, whether one of these ended before it was satisfied for good.
    pub unsettled: Vec<bool>,
    /// Violations with silence in them that did not recur with more patience: of each requirement the first.
    pub unconfirmed: Vec<Unconfirmed>,
    /// What was wrong with the system, and the exchanges that led there.
    pub broken: Option<Breakdown>,
    /// Runs that ended because the objective was out of reach.
    pub inconclusive: u64,
    /// Requirements with an obligation that was still open when a run ended, though no assumption was: the
    /// requirement, and the most steps it had been open.
    pub pending: Vec<(RequirementNumber, u32)>,
    /// A run ended where the system may not be reset, and found no way to where it may: there is no other run.
    pub stranded: bool,
}

/// What looked like a violation, with silence in it, and did not recur when there was more patience. It is none.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unconfirmed {
    /// The requirement.
    pub requirement: RequirementNumber,
    /// What was exchanged.
    pub trace: Trace,
    /// How often this happened.
    pub times: u64,
}

/// What became of one thing that a campaign wanted to have seen, and what was spent while it was pursued.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Tally {
    /// Runs begun.
    pub runs: u64,
    /// Exchanges.
    pub steps: u64,
    /// The smallest distance to it that was seen.
    pub best_distance: Option<u32>,
    /// The trace that covered it.
    pub covered: Option<Trace>,
}

impl Outcome {
    /// Nothing yet, of so many things to be seen and so many requirements, with the implicit ones so many.
    pub(super) fn new(objectives: usize, requirements: usize, all: usize) -> Outcome {
        Outcome {
            objectives: vec![Tally::default(); objectives],
            violating_runs: vec![0; all],
            excused: vec![0; all],
            triggered: vec![0; requirements],
            unsettled: vec![false; requirements],
            ..Outcome::default()
        }
    }

    /// How near a run came to what is pursued now.
    pub fn best_distance(&self) -> Option<u32> {
        self.objectives.get(self.pursued).and_then(|tally| tally.best_distance)
    }
}

/// A system that crashed, hung or broke the protocol.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Breakdown {
    /// What happened.
    pub error: SystemError,
    /// The exchanges before it.
    pub trace: Trace,
    /// The input that was not answered; none where the reset failed or the system spoke out of turn.
    pub unanswered: Option<Letter>,
    /// The last lines of its stderr.
    pub last_words: Vec<String>,
}
