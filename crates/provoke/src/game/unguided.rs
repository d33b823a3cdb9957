//! No objective: every legal input is as good as any other.

use std::sync::Arc;

use super::{Game, Guide, State, Tier};
use crate::letter::LetterSet;

/// The guide of a campaign that only looks for violations: nothing is ever reached, everything is hopeful.
pub struct Unguided(pub Arc<dyn Game>);

impl Guide for Unguided {
    fn distance(&self, _at: State) -> Option<u32> {
        Some(1)
    }

    fn rank(&self, _at: State) -> Option<u32> {
        Some(1)
    }

    fn inputs(&self, at: State, _tier: Tier) -> &LetterSet {
        self.0.inputs(at)
    }

    fn is_about_states(&self) -> bool {
        false
    }

    fn farthest(&self) -> Option<u32> {
        Some(1)
    }
}
