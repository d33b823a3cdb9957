//! What counts as the same, for strategies that balance what was done.

use super::State;
use crate::action::{fingerprint, joined};
use crate::letter::Letter;

/// An abstract transition (paper 2, section 3.2): what an action in a state counts as, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// What tells it from others.
    pub key: u64,
    /// By how much taking it raises its weight.
    pub weight: u32,
}

impl Transition {
    /// An input in a state, where nothing is grouped.
    #[inline]
    pub fn of(at: State, input: Letter) -> Transition {
        Transition { key: joined(u64::from(at.0), fingerprint(&input)), weight: 1 }
    }

    /// An output in a state.
    #[inline]
    pub fn said(at: State, output: Letter) -> Transition {
        Transition { key: joined(u64::from(at.0), !fingerprint(&output)), weight: 1 }
    }
}
