//! A session as data: what is to be tried, so that it can be written down, sent elsewhere and run there.

mod limit;
mod run;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{SessionError, Settings};
use crate::campaign::{Limits, ShrinkLimits};
use crate::diagnostic::Unknown;
use crate::game::FAIRNESS;
use crate::specification::{Fingerprint, Objective, STATE_LIMIT, Specification};
use crate::strategy::{ChoiceError, DEFAULT, SUITE, StrategyChoice, TOUR, WITHOUT_AUTOMATA};
use crate::suite::{Suite, SuiteError, Tests};

pub use run::{AttemptReport, Here};

/// What is to be tried. Its attempts do not depend on each other: each can be run wherever the specification and the
/// system are, and their reports are merged into one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The version of this form: [`Plan::VERSION`].
    pub version: u32,
    /// What is to be tried, in order.
    pub attempts: Vec<Attempt>,
}

/// One campaign over objectives, or one hunt for violations, with everything that decides how it goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// The specification it was made for.
    pub specification: Fingerprint,
    /// What it is after.
    pub pursue: Pursue,
    /// What picks the inputs.
    pub strategy: StrategyChoice,
    /// The master seed.
    pub seed: u64,
    /// The first stream of random numbers of that seed. Attempts with one seed differ in it, by at least as much as
    /// there are objectives.
    #[serde(default)]
    pub stream: u64,
    /// When it stops.
    #[serde(default, with = "limit::limits")]
    pub limits: Limits,
    /// How much confirming and shrinking may cost.
    #[serde(default, with = "limit::shrink_limits")]
    pub shrink: ShrinkLimits,
    /// How many product states guidance may take.
    #[serde(default = "usual_states")]
    pub state_limit: usize,
    /// Whether to go on after a violation and collect one for each requirement.
    #[serde(default)]
    pub keep_going: bool,
    /// Whether to measure what a reset costs, instead of taking the strategy's option.
    #[serde(default)]
    pub calibrate: bool,
    /// A bound on the number of the system's states, where it is not the specification that says one.
    #[serde(default)]
    pub states_of_system: Option<u32>,
    /// For how many steps the system may wait for what the assumptions promise to happen some day.
    #[serde(default = "usual_fairness")]
    pub fairness: u32,
    /// Tests that were made before, to be run instead of what the strategy picks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<Suite>,
}

/// What an attempt is after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pursue {
    /// Violations of any requirement.
    Hunt,
    /// These objectives, by id, in order.
    Objectives(Vec<String>),
}

/// Why a plan cannot be read or run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// It is no plan.
    #[error("failed to read the plan: {0}")]
    Unreadable(String),
    /// A later program wrote it.
    #[error("failed to read the plan: it has version {found}, and this program knows versions up to {known}")]
    Newer {
        /// Its version.
        found: u64,
        /// The highest version that is known here.
        known: u32,
    },
    /// Its strategy cannot be used.
    #[error(transparent)]
    Strategy(#[from] ChoiceError),
    /// The specification has no such objective.
    #[error(transparent)]
    Objective(Unknown),
    /// The specification is not the one it was made for.
    #[error(
        "attempt {attempt} was made for another specification: {path} has the fingerprint {found}, not {wanted}"
    )]
    OtherSpecification {
        /// The attempt's place, from 1.
        attempt: usize,
        /// The specification.
        path: String,
        /// Its fingerprint.
        found: Fingerprint,
        /// The one that was expected.
        wanted: Fingerprint,
    },
    /// Its tests cannot be run.
    #[error("the tests do not fit the specification: {0}")]
    Suite(#[from] SuiteError),
    /// There is nothing in it.
    #[error("the plan has no attempts")]
    Empty,
    /// The session could not begin or go on.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl Plan {
    /// The version that is written, and the highest that is read.
    pub const VERSION: u32 = 1;

    /// A plan of these attempts.
    pub fn new(attempts: Vec<Attempt>) -> Plan {
        Plan { version: Plan::VERSION, attempts }
    }

    /// The plan as JSON.
    pub fn to_json(&self) -> String {
        // A map with keys other than strings, or a number that is none, could fail; there are none.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Reads what [`to_json`](Plan::to_json) wrote. Whether it can be run is found out when it is.
    pub fn from_json(text: &str) -> Result<Plan, PlanError> {
        let unreadable = |error: serde_json::Error| PlanError::Unreadable(error.to_string());
        let value: serde_json::Value = serde_json::from_str(text).map_err(unreadable)?;
        match value.get("version").and_then(serde_json::Value::as_u64) {
            None | Some(0) => {
                Err(PlanError::Unreadable("it has no version, a whole number from 1 on".to_owned()))
            }
            Some(found) if found > Plan::VERSION.into() => {
                Err(PlanError::Newer { found, known: Plan::VERSION })
            }
            // Read again from the text, so that an error names its place.
            Some(_) => serde_json::from_str(text).map_err(unreadable),
        }
    }
}

impl Attempt {
    /// The usual attempt: all objectives of the specification, or a hunt where it has none.
    pub fn new(specification: &Specification, strategy: StrategyChoice, seed: u64) -> Attempt {
        let ids: Vec<String> =
            specification.objectives.iter().map(|objective| objective.id.clone()).collect();
        Attempt {
            specification: specification.fingerprint,
            pursue: if ids.is_empty() { Pursue::Hunt } else { Pursue::Objectives(ids) },
            strategy,
            seed,
            stream: 0,
            limits: Limits::default(),
            shrink: ShrinkLimits::default(),
            state_limit: STATE_LIMIT,
            keep_going: false,
            calibrate: false,
            states_of_system: None,
            fairness: FAIRNESS,
            suite: None,
        }
    }

    /// The strategy for what is pursued where none is named: the default, or one that needs no automata where no requirement
    /// is one; and a tour where all objectives are to cover something whole.
    pub fn usual_strategy(specification: &Specification, pursue: &Pursue) -> &'static str {
        let is_whole = |id: &String| specification.objective(id).is_ok_and(|known| known.covers().is_some());
        match pursue {
            Pursue::Objectives(ids) if ids.iter().all(is_whole) => TOUR,
            _ if specification.requirements.iter().any(|known| known.demand.automaton().is_some()) => DEFAULT,
            _ => WITHOUT_AUTOMATA,
        }
    }

    fn settings(&self, specification: &Specification) -> Result<Settings, PlanError> {
        let (mut strategy, mut options) = self.strategy.resolve()?;
        if let Some(suite) = &self.suite {
            strategy = &SUITE;
            options.knowledge.suite = Some(Arc::new(Tests::new(suite, &specification.space)?));
        }
        Ok(Settings {
            options,
            limits: self.limits,
            stream: self.stream,
            keep_going: self.keep_going,
            shrink: self.shrink,
            state_limit: self.state_limit,
            calibrate: self.calibrate,
            states: self.states_of_system,
            fairness: self.fairness,
            ..Settings::new(strategy, self.seed)
        })
    }

    fn objectives<'a>(&self, specification: &'a Specification) -> Result<Vec<&'a Objective>, PlanError> {
        let find = |id: &String| specification.objective(id).map_err(PlanError::Objective);
        match &self.pursue {
            Pursue::Hunt => Ok(Vec::new()),
            Pursue::Objectives(ids) => ids.iter().map(find).collect(),
        }
    }
}

fn usual_fairness() -> u32 {
    FAIRNESS
}

fn usual_states() -> usize {
    STATE_LIMIT
}
