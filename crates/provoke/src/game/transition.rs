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
    /// What it shares with others that are asked about together: those of the same state.
    pub near: u32,
}

impl Transition {
    /// An input in a state, where nothing is grouped.
    #[inline]
    pub fn of(at: State, input: Letter) -> Transition {
        Transition {
            key: joined(u64::from(at.0), fingerprint(&input)),
            weight: 1,
            near: near(u64::from(at.0)),
        }
    }

    /// An output in a state.
    #[inline]
    pub fn said(at: State, output: Letter) -> Transition {
        Transition {
            key: joined(u64::from(at.0), !fingerprint(&output)),
            weight: 1,
            near: near(u64::from(at.0)),
        }
    }
}

/// What tells a state from others most of the time.
#[inline]
pub(super) fn near(state: u64) -> u32 {
    (state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}
