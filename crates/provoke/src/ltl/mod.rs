//! Temporal formulas (LTL): what they are, how they are read, written, evaluated and translated.
//!
//! The syntax, its precedence and its meaning on infinite and finite traces are described in
//! `docs/guide/ltl.md`.

mod causes;
pub(crate) mod duration;
mod evaluate;
pub(crate) mod forest;
pub(crate) mod forms;
mod formula;
mod imply;
mod keyword;
mod lenient;
mod parse;
mod past;
mod plain;
pub(crate) mod progress;
mod show;
pub(crate) mod simplify;
mod token;
pub(crate) mod translate;

pub use causes::Cause;
pub use evaluate::{holds_for_ever, holds_on};
pub(crate) use forest::until;
pub use formula::{Formula, MAX_BOUND, Op};
pub(crate) use keyword::is_keyword;
pub use parse::{Parsed, Warning, parse, parse_in};
pub use translate::TranslationError;
pub use translate::verdict::Verdict;
