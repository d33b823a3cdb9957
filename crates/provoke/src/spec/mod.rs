//! Requirements and models as text: the readers, and errors that show where a file is wrong.

pub mod hoa;
pub mod ltl;
pub mod machine;
pub mod pattern;
pub mod tlsf;
pub mod trace;

pub use crate::diagnostic::{Source, SpecError, brief, nearest};
