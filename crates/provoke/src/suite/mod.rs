//! Tests that were made before there is a system: trees of inputs and the answers that are allowed.

mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use tests::written;
pub use tests::{Node, Tally, Tests};

/// A suite of tests as it is written down; [`Tests`] is the same ready to be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// The version of this form: [`Suite::VERSION`].
    pub version: u32,
    /// The fingerprint of the specification it was made for.
    pub specification: String,
    /// The names of the inputs, in order.
    pub inputs: Vec<String>,
    /// The names of the outputs, in order.
    pub outputs: Vec<String>,
    /// What it was made by.
    pub made_by: MadeBy,
    /// What it was to cover, where a criterion says so.
    #[serde(default)]
    pub goals: Vec<SuiteGoal>,
    /// The tests, in the order in which they are run.
    pub tests: Vec<SuiteTest>,
}

/// What a suite was made by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum MadeBy {
    /// A strategy, without a system.
    Strategy {
        /// Its name.
        name: String,
        /// Its options by their names on the command line.
        options: BTreeMap<String, String>,
        /// The seed of all random choices.
        seed: u64,
        /// Whether it ended by itself: there was nothing left to try.
        complete: bool,
    },
    /// A coverage criterion, on a machine.
    Criterion {
        /// Its name: `rc`, `ac` or `ufc`.
        name: String,
        /// The machine's file.
        model: String,
    },
}

/// Something that a criterion wants to have been seen: the negation of a trap property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteGoal {
    /// The requirement it is about.
    pub requirement: String,
    /// What it is: the requirement, an antecedent, or a condition and its place.
    pub what: String,
    /// What holds on a run that covers it; none where the requirement is no formula.
    pub formula: Option<String>,
    /// Whether some run of the machine covers it; none where that was not found out.
    pub feasible: Option<bool>,
    /// Why it was not found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The place of the test that covers it.
    pub test: Option<usize>,
}

/// One test: a tree of nodes, of which the first is the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteTest {
    /// Where the test is the beginning of an infinite run: the place of the step that comes again after the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loop_from: Option<usize>,
    /// What is sent, and where answers lead.
    pub nodes: Vec<SuiteNode>,
}

/// One input, and the answers that the test knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteNode {
    /// The input, as in traces.
    pub input: String,
    /// Answers after which the test goes on or ends. Others are violations, or else the test ends without a verdict.
    pub answers: Vec<SuiteAnswer>,
}

/// Answers after which a test goes on in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteAnswer {
    /// A formula over the outputs without temporal operators.
    pub outputs: String,
    /// The place of the next node, after this one; none where the test has passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<usize>,
}

/// Why a suite cannot be read or run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteError {
    /// It is no suite.
    #[error("line {line}, column {column}: {message}")]
    Unreadable {
        /// Where, from 1.
        line: usize,
        /// Where in the line, from 1; 0 where it ends too early.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A later program wrote it, or none did.
    #[error("version: {0}")]
    Version(String),
    /// It does not fit the specification, or itself.
    #[error("{place}: {message}")]
    Misfit {
        /// Where, as a path through the objects and lists of the file.
        place: String,
        /// What is wrong.
        message: String,
    },
}

impl Suite {
    /// The version that is written, and the highest that is read.
    pub const VERSION: u32 = 1;

    /// The suite as JSON.
    pub fn to_json(&self) -> String {
        // A map with keys other than strings, or a number that is none, could fail; there are none.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads what [`to_json`](Suite::to_json) wrote. Whether it fits a specification is found out by [`Tests::new`].
    pub fn from_json(text: &str) -> Result<Suite, SuiteError> {
        let unreadable = |error: serde_json::Error| {
            let told = error.to_string();
            // It names the place itself, at the end.
            let message = told.rsplit_once(" at line ").map_or(told.as_str(), |(message, _)| message);
            SuiteError::Unreadable { line: error.line(), column: error.column(), message: message.to_owned() }
        };
        let value: serde_json::Value = serde_json::from_str(text).map_err(unreadable)?;
        match value.get("version").map(|version| version.as_u64()) {
            None => Err(SuiteError::Version("it has none, so it is no suite of tests".to_owned())),
            Some(None | Some(0)) => Err(SuiteError::Version("expected a whole number from 1 on".to_owned())),
            Some(Some(found)) if found > Suite::VERSION.into() => Err(SuiteError::Version(format!(
                "it has version {found}, and this program knows versions up to {}",
                Suite::VERSION
            ))),
            // Read again from the text, so that an error names its place.
            Some(Some(_)) => serde_json::from_str(text).map_err(unreadable),
        }
    }

    /// How many steps the longest way through any test takes.
    pub fn longest(&self) -> usize {
        let longest = |test: &SuiteTest| {
            let mut depths = vec![1; test.nodes.len()];
            for (at, node) in test.nodes.iter().enumerate() {
                for to in node.answers.iter().filter_map(|answer| answer.to) {
                    let depth = depths[at] + 1;
                    depths.get_mut(to).into_iter().for_each(|known| *known = depth);
                }
            }
            depths.into_iter().max().unwrap_or(0)
        };
        self.tests.iter().map(longest).max().unwrap_or(0)
    }
}
