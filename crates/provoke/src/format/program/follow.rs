//! The states that a run may be in, where the model does not say which.

use super::{Action, MAX_WORDS, Program, States, Workspace};
use crate::diagnostic::SpecError;

impl Program {
    /// Where an action leads from states any of which the run may be in: each state that it may then be in once, in
    /// order, so that equal sets are equal lists. Gives how many of the states enable the action. An observable action that
    /// none enables is one that the model rejects; a controllable one is sure to be enabled only where all do.
    pub fn follow(
        &self,
        from: &States,
        action: Action<'_>,
        work: &mut Workspace,
        to: &mut States,
    ) -> Result<usize, SpecError> {
        if from.len() == 1 {
            let enabled = self.step(from.get(0), action, work, to)?;
            to.sort();
            return Ok(enabled.into());
        }
        let mut some = States::new();
        to.clear();
        let mut enabled = 0;
        for state in from.iter() {
            enabled += usize::from(self.step(state, action, work, &mut some)?);
            if (to.len() + some.len()).saturating_mul(state.len()) > MAX_WORDS {
                let message = format!("`{}` leads to too many states", self.show_action(action));
                return Err(SpecError::whole(&self.source, message));
            }
            some.iter().for_each(|state| to.push(state));
        }
        to.sort();
        Ok(enabled)
    }
}
