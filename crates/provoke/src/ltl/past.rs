//! Operators that look back.

use std::ops::RangeInclusive;

use super::{Formula, Op};
use crate::atom::looks_back;

impl Op {
    /// Whether the operator looks back.
    pub fn is_past(&self) -> bool {
        matches!(
            self,
            Op::Yesterday
                | Op::WeakYesterday
                | Op::Once
                | Op::Historically
                | Op::OnceIn(..)
                | Op::HistoricallyIn(..)
                | Op::Since
                | Op::Triggered
        )
    }

    /// Whether the operator looks ahead.
    pub fn is_future(&self) -> bool {
        matches!(
            self,
            Op::Next
                | Op::WeakNext
                | Op::Finally
                | Op::Globally
                | Op::FinallyIn(..)
                | Op::GloballyIn(..)
                | Op::Until
                | Op::WeakUntil
                | Op::Release
                | Op::StrongRelease
        )
    }
}

impl Formula {
    /// Whether it is, by itself, about what was before: an operator that looks back, or an expression with `prev`.
    pub(crate) fn looks_back(&self) -> bool {
        match self.op() {
            Op::Proposition(name) => looks_back(name),
            op => op.is_past(),
        }
    }

    /// Whether a proposition in it is an expression with `prev`.
    pub(crate) fn has_relations(&self) -> bool {
        self.fold(|formula, args: &[bool]| match formula.op() {
            Op::Proposition(name) => looks_back(name),
            _ => args.contains(&true),
        })
    }

    /// Whether a proposition in it is an expression that letters say themselves.
    pub(crate) fn has_hidden(&self) -> bool {
        self.fold(|formula, args: &[bool]| match formula.op() {
            Op::Proposition(name) => name.starts_with('{'),
            _ => args.contains(&true),
        })
    }

    /// Whether an operator in it looks back.
    pub fn has_past(&self) -> bool {
        self.fold(|formula, args: &[bool]| formula.op().is_past() || args.contains(&true))
    }

    /// Whether an operator in it looks ahead.
    pub fn has_future(&self) -> bool {
        self.fold(|formula, args: &[bool]| formula.op().is_future() || args.contains(&true))
    }

    /// `Y self`
    #[must_use]
    pub fn yesterday(self) -> Formula {
        Formula::build(Op::Yesterday, vec![self])
    }

    /// `Z self`
    #[must_use]
    pub fn weak_yesterday(self) -> Formula {
        Formula::build(Op::WeakYesterday, vec![self])
    }

    /// `O self`
    #[must_use]
    pub fn once(self) -> Formula {
        Formula::build(Op::Once, vec![self])
    }

    /// `H self`
    #[must_use]
    pub fn historically(self) -> Formula {
        Formula::build(Op::Historically, vec![self])
    }

    /// `O[first:last] self`
    #[must_use]
    pub fn once_in(self, steps: RangeInclusive<u32>) -> Formula {
        Formula::build(Op::OnceIn(*steps.start(), Some(*steps.end())), vec![self])
    }

    /// `H[first:last] self`
    #[must_use]
    pub fn historically_in(self, steps: RangeInclusive<u32>) -> Formula {
        Formula::build(Op::HistoricallyIn(*steps.start(), Some(*steps.end())), vec![self])
    }

    /// `self S other`
    #[must_use]
    pub fn since(self, other: Formula) -> Formula {
        Formula::build(Op::Since, vec![self, other])
    }

    /// `self T other`
    #[must_use]
    pub fn triggered(self, other: Formula) -> Formula {
        Formula::build(Op::Triggered, vec![self, other])
    }

    /// `Z 0`: holds at the first step and nowhere else.
    pub fn at_first() -> Formula {
        Formula::constant(false).weak_yesterday()
    }
}
