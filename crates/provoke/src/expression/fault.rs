//! What goes wrong while an expression is evaluated.

use std::ops::Range;

use super::types::MAX_DOMAIN;
use crate::diagnostic::{Source, SpecError};

/// An expression that has no value here: what is wrong, and with which part of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Fault {
    /// What is wrong.
    pub what: FaultKind,
    /// Byte offsets of the part in the source of the expression.
    pub span: Range<usize>,
}

/// What may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// A result does not fit 64 bits.
    #[error("this overflows: integers have 64 bits")]
    Overflow,
    /// A divisor is 0.
    #[error("this divides by zero")]
    DivisionByZero,
    /// A map has no such key.
    #[error("{key} is no key of this map; its keys are {low}..{high}")]
    NoKey {
        /// The key.
        key: i64,
        /// The least key that there is.
        low: i64,
        /// The greatest key that there is.
        high: i64,
    },
    /// A value is outside the type that it must be of.
    #[error("{value} is outside {low}..{high}")]
    OutOfBounds {
        /// The value.
        value: i64,
        /// The least value of the type.
        low: i64,
        /// The greatest value of the type.
        high: i64,
    },
    /// The least or greatest element of a set that has none.
    #[error("the empty set has no least and no greatest element")]
    EmptySet,
    /// A range that is too long to be gone through.
    #[error("{low}..{high} is too long to go through: a domain has at most {MAX_DOMAIN} values")]
    LongRange {
        /// Its first value.
        low: i64,
        /// Its last value.
        high: i64,
    },
    /// More elements were gone through than is reasonable.
    #[error("this goes through too many elements")]
    TooLong,
}

impl Fault {
    /// The fault, shown in the text of the expression.
    pub fn shown(&self, source: &Source) -> SpecError {
        source.error(self.span.clone(), self.what.to_string())
    }
}
