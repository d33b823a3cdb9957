//! The machine that the run as a whole is held against, as it goes on.

use super::Learning;
use crate::learn::Learner;
use crate::trace::Step;

/// Of several learners of one system the one whose machine is believed in, and in which states of it the system may be.
#[derive(Clone, Debug, Default)]
pub(super) struct Leader {
    /// Whether it knows every transition: only then does anything contradict it.
    pub(super) is_complete: bool,
    /// Since which step of the run it says what it does, and how often the run was otherwise since then.
    pub(super) since: u64,
    pub(super) misfits: u32,
    version: Option<u64>,
    states: Vec<u32>,
}

impl Leader {
    /// Another leads from now on, or the machine may have changed. Whether it has.
    pub(super) fn look_at(&mut self, learner: &Learner, steps: u64) -> bool {
        self.is_complete = learner.is_complete();
        let has_changed = self.version.replace(learner.version()) != Some(learner.version());
        if has_changed {
            self.states = (0..learner.hypothesis().states() as u32).collect();
            (self.since, self.misfits) = (steps, 0);
        }
        has_changed
    }

    /// Whether a step of the run is explained by some state that the machine may be in.
    pub(super) fn explains(&mut self, learner: &Learner, step: &Step, steps: u64) -> bool {
        if self.version != Some(learner.version()) {
            self.look_at(learner, steps);
            return true;
        }
        if !self.is_complete {
            return true;
        }
        let is_known = learner.follow(&mut self.states, step);
        let is_explained = !self.states.is_empty();
        if !is_known || !is_explained {
            self.states = (0..learner.hypothesis().states() as u32).collect();
        }
        self.misfits += u32::from(!is_explained);
        is_explained
    }
}

/// How much a learner knows: whether every transition, in how many steps.
pub(super) fn knowledge(learning: &Learning) -> (bool, u64) {
    learning.learner().map_or((false, 0), |learner| (learner.is_complete(), learner.steps()))
}

/// How much it has found.
pub(super) fn findings(learning: &Learning) -> (usize, bool, u64) {
    let states = learning.learner().map_or(0, |learner| learner.hypothesis().states());
    let (is_complete, steps) = knowledge(learning);
    (states, is_complete, steps)
}
