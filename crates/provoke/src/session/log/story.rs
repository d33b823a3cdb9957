//! What a trace means.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What the requirements make of a trace, step by step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Story {
    /// Which requirement forbade which output, and what it would have allowed.
    pub explanation: Option<String>,
    /// What was answered at the guilty step.
    pub forbidden: Option<String>,
    /// What would have been allowed there; none where nothing was.
    pub allowed: Option<String>,
    /// What each requirement says after each step, one letter a step: `s` satisfied for good, `g` so far good, `b` so far
    /// bad, `v` violated.
    pub verdicts: BTreeMap<String, String>,
    /// The nodes of each picture that it goes through, from the start on.
    pub paths: BTreeMap<String, Vec<u32>>,
}
