//! What a session found, as data, as text and as JSON.

mod coverage;
mod elapsed;
mod explanation;
mod json;
mod merge;
mod model;
mod requirement;
mod text;

pub(crate) use text::aligned;

use crate::letter::Letter;
use crate::suite::Tally;
use crate::system::interrupt::Interrupt;
use crate::system::{Loss, Pace, Silence};
use crate::trace::{Step, Trace};

pub use coverage::CoverageReport;
pub use elapsed::ElapsedReport;
pub use explanation::Explanation;
pub use model::{ModelReport, withheld};
pub use requirement::{Judgement, RequirementReport};

/// The result of testing a system against a specification.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// What to make of it all.
    pub verdict: Overall,
    /// The strategy's name.
    pub strategy: String,
    /// The master seed: the same seed gives the same session.
    pub seed: u64,
    /// Runs of the campaigns, saved traces included.
    pub runs: u64,
    /// Resets of the system: one a run, and one for each try at confirming and shrinking a violation.
    pub resets: u64,
    /// Exchanges in the runs.
    pub steps: u64,
    /// Exchanges spent on resets, where the system has none of its own.
    pub reset_steps: u64,
    /// Those of the resets that were spent on confirming and shrinking.
    pub shrink_resets: u64,
    /// Exchanges spent on confirming and shrinking.
    pub shrink_steps: u64,
    /// Wall time.
    pub seconds: f64,
    /// Bytes that the strategies' knowledge took at the end.
    pub strategy_bytes: usize,
    /// Every objective that was asked for.
    pub objectives: Vec<ObjectiveReport>,
    /// How much was covered, where all of something was to be.
    pub coverage: Vec<CoverageReport>,
    /// What became of the tests of a suite, where one was run.
    pub suite: Option<Tally>,
    /// What else should be known of the session: that it had no requirement, say.
    pub note: Option<String>,
    /// At most one violation for each requirement.
    pub violations: Vec<ViolationReport>,
    /// Violations that are suspected: lassos of a system of which nobody said how many states it has. They change no verdict.
    pub suspected: Vec<ViolationReport>,
    /// Every requirement of the specification.
    pub requirements: Vec<RequirementReport>,
    /// Saved violations that were run again and did not recur.
    pub no_longer: Vec<String>,
    /// Saved traces that broke the system once and do so no longer.
    pub no_longer_breaks: Vec<String>,
    /// Saved violations that do not recur every time and did not this time.
    pub not_this_time: Vec<String>,
    /// What ended the session before its time.
    pub interrupted: Option<Interrupt>,
    /// Whether it stopped because a run ended where the model does not enable a reset.
    pub stranded: bool,
    /// How many steps a reset was taken to be worth, where the strategy asks.
    pub reset_cost: Option<u32>,
    /// Resets and steps that measuring this took; they are not among the others.
    pub calibration: (u64, u64),
    /// What was wrong with the system.
    pub system: Option<SystemReport>,
    /// Requirements with an obligation still open at the end of a run: id, and the most steps it had been open.
    pub pending: Vec<(String, u32)>,
    /// What looked like violations, with silence in them, and did not recur with more patience; they are none.
    pub unconfirmed: Vec<UnconfirmedReport>,
    /// Requirements that were monitored but did not fit into the guiding game, by id.
    pub not_guiding: Vec<String>,
    /// Assumptions about what happens some day that were too large to be kept by the tester, by id.
    pub unkept: Vec<String>,
    /// Connections that were lost and opened again, in order.
    pub retries: Vec<Loss>,
    /// How well inputs kept to their beat, where the system is sampled.
    pub pace: Option<Pace>,
    /// What was learnt of the system, where the strategy learns a model of it.
    pub model: Option<ModelReport>,
}

/// The verdict that decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overall {
    /// Every requested objective covered and nothing violated.
    Covered,
    /// A requirement was violated.
    Violated,
    /// The budget was used up before every objective was covered.
    Exhausted,
    /// The system crashed, hung or broke the protocol.
    Broken,
}

/// What became of one objective.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ObjectiveReport {
    /// Its id.
    pub id: String,
    /// Whether it was reached.
    pub covered: bool,
    /// The smallest distance seen; 0 when covered.
    pub best_distance: Option<u32>,
    /// The trace that reached it.
    pub trace: Option<Trace>,
    /// Runs and steps spent on it.
    pub runs: u64,
    /// Steps spent on it.
    pub steps: u64,
    /// The silence that its trace rests on.
    pub silence: Option<SilenceReport>,
}

/// Steps that were taken for silence because nothing came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct SilenceReport {
    /// How long nothing came, in milliseconds.
    pub patience_ms: u64,
    /// How many steps of the trace are such.
    pub steps: usize,
}

impl SilenceReport {
    /// What a trace rests on, given how the system's silence is told.
    pub(crate) fn of(silence: Option<Silence>, trace: &[Step]) -> Option<SilenceReport> {
        let silence = silence?;
        let patience_ms = silence.patience?.as_millis() as u64;
        let steps = silence.count(trace);
        (steps > 0).then_some(SilenceReport { patience_ms, steps })
    }
}

/// What looked like a violation and did not recur with ten times the patience.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnconfirmedReport {
    /// The requirement's id.
    pub requirement: String,
    /// What was exchanged the first time.
    pub trace: Trace,
    /// How often this happened.
    pub times: u64,
    /// The silence that it rested on.
    pub silence: Option<SilenceReport>,
}

/// One violated requirement.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ViolationReport {
    /// Its id.
    pub requirement: String,
    /// The sentence it formalises.
    pub text: String,
    /// The shortest violating trace found; the last step is the violation.
    pub trace: Trace,
    /// How long it was when it was found.
    pub original_len: usize,
    /// How often it recurred when tried again: k of n.
    pub reproduced: (u32, u32),
    /// Runs of the campaigns that violated it.
    pub runs: u64,
    /// The requirements that no answer to the last input could have kept together; empty where an answer could.
    pub no_answer: Vec<String>,
    /// Whether they are such that no system whatever could have kept them.
    pub no_system: bool,
    /// The silence that its trace rests on; it recurred with ten times the patience.
    pub silence: Option<SilenceReport>,
    /// How long the last answer took, where the requirement is about that.
    pub elapsed: Option<ElapsedReport>,
    /// Where it was saved.
    pub saved: Option<String>,
    /// What shows it.
    pub evidence: Evidence,
    /// Where the requirement stands: the file, and the line from 1.
    pub place: Option<(String, usize)>,
    /// Which output it forbade, and what it would have allowed; none where it is not the last step that shows it.
    pub explanation: Option<Explanation>,
}

/// What shows that a requirement is violated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Evidence {
    /// The last step: nothing that comes after it could make the run right.
    #[default]
    Prefix,
    /// The last steps, which were repeated with the same answers so often that the system does so for ever.
    Lasso {
        /// How many steps come before the round.
        stem: usize,
        /// How many rounds were made.
        rounds: u32,
    },
    /// The end of the run: no run of the automaton over it ends in an accepting state. The published oracle of paper 3, which
    /// may blame a system for an obligation that it would have met later.
    Published,
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Evidence::Prefix => f.write_str("prefix"),
            Evidence::Lasso { rounds, .. } => write!(f, "lasso, {}", count(*rounds, "round")),
            Evidence::Published => f.write_str("published oracle"),
        }
    }
}

/// A system that crashed, hung or broke the protocol.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SystemReport {
    /// What went wrong.
    pub error: String,
    /// The exchanges before it.
    pub trace: Trace,
    /// The input that was not answered.
    pub unanswered: Option<Letter>,
    /// How many inputs it took when it was found.
    pub original_len: usize,
    /// How often it broke in the same way when tried again: k of n.
    pub reproduced: (u32, u32),
    /// The last lines of its stderr.
    pub stderr: Vec<String>,
    /// Where it was saved.
    pub saved: Option<String>,
}

impl Report {
    /// What to make of what was found.
    pub fn overall(&self) -> Overall {
        if !self.violations.is_empty() {
            Overall::Violated
        } else if self.system.is_some() {
            Overall::Broken
        } else if self.objectives.iter().all(|objective| objective.covered) {
            Overall::Covered
        } else {
            Overall::Exhausted
        }
    }
}

impl Overall {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Overall::Covered => "covered",
            Overall::Violated => "violated",
            Overall::Exhausted => "exhausted",
            Overall::Broken => "broken",
        }
    }
}

/// A number with its noun: `1 step`, `2 steps`.
pub fn count<N: TryInto<u64> + Copy + std::fmt::Display>(number: N, noun: &str) -> String {
    let plural = if number.try_into().is_ok_and(|number| number == 1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
