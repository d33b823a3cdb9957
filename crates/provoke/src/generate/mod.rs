//! Suites of tests made without a system: by a strategy that needs none, or from a machine by a coverage criterion.

mod criterion;
mod offline;

use std::path::Path;

use crate::automaton::TranslationError;
use crate::bdd::OutOfNodes;
use crate::specification::{GuidanceError, KnowledgeError, Specification};
use crate::strategy::ChoiceError;
use crate::suite::{MadeBy, Suite};

pub use criterion::{Criterion, from_machine};
pub use offline::{Extent, from_strategy};

/// Why no suite could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// There is no such strategy, or it does not take such an option.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The strategy needs a system.
    #[error(
        "strategy `{0}` goes by what a system answers, and makes no tests without one; gdfs, random-walk and guided-walk do"
    )]
    Online(String),
    /// The strategy cannot be told what it must know.
    #[error(transparent)]
    Knowledge(#[from] KnowledgeError),
    /// What may be sent is not known.
    #[error(transparent)]
    Guidance(#[from] GuidanceError),
    /// There is no automaton.
    #[error("failed to make tests: {0}")]
    Translation(#[from] TranslationError),
    /// Guards need more nodes than there may be.
    #[error("failed to make tests: {0}")]
    OutOfNodes(#[from] OutOfNodes),
    /// The requirements contradict each other.
    #[error("no run keeps all requirements and assumptions, so there is nothing to be tested")]
    Contradiction,
    /// The criterion is about formulas.
    #[error("criterion `{0}` takes formulas apart, and no requirement is one; `rc` needs none")]
    NoFormula(&'static str),
    /// The criterion has nothing to say.
    #[error("the specification has no requirement, so there is nothing to be covered")]
    NoRequirement,
}

/// A suite without tests.
fn blank(specification: &Specification, made_by: MadeBy) -> Suite {
    let names = |alphabet: &crate::letter::Alphabet| alphabet.names().map(str::to_owned).collect();
    let interface = specification.interface();
    Suite {
        version: Suite::VERSION,
        specification: specification.fingerprint.to_string(),
        inputs: names(&interface.inputs),
        outputs: names(&interface.outputs),
        made_by,
        goals: Vec::new(),
        tests: Vec::new(),
    }
}

/// A file as it is named in a suite.
fn named(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
