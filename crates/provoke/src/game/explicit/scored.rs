//! States with scores of their own.

use std::sync::Arc;

use super::{Product, Solved};
use crate::game::{Guide, Place, State, Tier};
use crate::letter::LetterSet;
use crate::trace::RequirementNumber;

/// A solved objective, and what a specification says that being in some states is worth.
pub struct Scored {
    solved: Arc<Solved>,
    /// Components, states of them, and what these are worth.
    scores: Vec<(Place, u32, f64)>,
}

impl Scored {
    /// With these scores; where several are true, the highest counts.
    pub fn new(solved: Arc<Solved>, scores: Vec<(Place, u32, f64)>) -> Scored {
        Scored { solved, scores }
    }

    fn product(&self) -> &Product {
        self.solved.product()
    }
}

impl Guide for Scored {
    fn score(&self, at: State) -> Option<f64> {
        let is_there = |&&(place, state, _): &&(Place, u32, f64)| {
            self.product().component_state(at, place) == Some(state)
        };
        self.scores.iter().filter(is_there).map(|(.., score)| *score).reduce(f64::max)
    }

    #[inline]
    fn distance(&self, at: State) -> Option<u32> {
        self.solved.distance(at)
    }

    #[inline]
    fn rank(&self, at: State) -> Option<u32> {
        self.solved.rank(at)
    }

    #[inline]
    fn inputs(&self, at: State, tier: Tier) -> &LetterSet {
        self.solved.inputs(at, tier)
    }

    fn is_about_states(&self) -> bool {
        self.solved.is_about_states()
    }

    fn reached_by_violating(&self, requirement: RequirementNumber) -> bool {
        self.solved.reached_by_violating(requirement)
    }

    fn farthest(&self) -> Option<u32> {
        self.solved.farthest()
    }
}
