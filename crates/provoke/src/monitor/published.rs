//! The finite-trace oracle of paper 3.

use std::sync::Arc;

use super::{Follow, Verdict};
use crate::automaton::Cubes;
use crate::trace::Step;

/// Passes a run if some run of the automaton over it ends in an accepting state, and fails it otherwise: paper 3, section
/// 3.2, as published. The states that the automaton may be in are followed step by step, so that it takes time linear in the
/// length of the run.
///
/// It has two values, and an obligation that is merely pending when a run ends looks like a violation to it.
#[derive(Clone, Debug)]
pub struct PublishedOracle {
    cubes: Arc<Cubes>,
    may_be: Vec<u32>,
}

impl PublishedOracle {
    /// The oracle of this automaton, at the start of a run.
    pub fn new(cubes: Arc<Cubes>) -> PublishedOracle {
        PublishedOracle { may_be: cubes.start(), cubes }
    }
}

impl Follow for PublishedOracle {
    fn copy(&self) -> Box<dyn Follow> {
        Box::new(self.clone())
    }

    fn reset(&mut self) {
        self.may_be = self.cubes.start();
    }

    fn violates(&mut self, step: &Step) -> bool {
        self.may_be = self.cubes.after(&self.may_be, step);
        self.may_be.is_empty()
    }

    fn verdict(&self) -> Verdict {
        match (self.may_be.is_empty(), self.cubes.accepts(&self.may_be)) {
            (true, _) => Verdict::Violated,
            (false, true) => Verdict::SoFarGood,
            (false, false) => Verdict::SoFarBad,
        }
    }

    fn allowed(&self) -> Vec<String> {
        Vec::new()
    }

    fn may_say(&self, verdict: Verdict) -> bool {
        verdict != Verdict::Satisfied
    }

    fn blames_the_end(&self) -> bool {
        true
    }
}
