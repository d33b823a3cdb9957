//! What of a state and of an action counts for coverage.

use super::{Action, Program, Tuple, Workspace};
use crate::diagnostic::SpecError;

/// What a whole state and a whole action have in the place of a tuple's shape.
const WHOLE: i64 = -1;

impl Program {
    /// The part of a state that an action is about, appended to `words`: `GetAbstractState(action)` in paper 2, section
    /// 3. Two are the same where their words are; without `abstract state` it is the whole state.
    pub fn abstract_state(
        &self,
        state: &[i64],
        action: Action<'_>,
        work: &mut Workspace,
        words: &mut Vec<i64>,
    ) -> Result<(), SpecError> {
        let Some(tuple) = self.rules.get(action.rule).and_then(|rule| rule.state.as_ref()) else {
            words.push(WHOLE);
            words.extend_from_slice(state);
            return Ok(());
        };
        words.push(tuple.shape);
        self.append(tuple, state, action, work, words)
    }

    /// What counts of an action, appended to `words`: `GetAbstractAction(action)`. Without `abstract action` it is the
    /// action with all its arguments.
    pub fn abstract_action(
        &self,
        state: &[i64],
        action: Action<'_>,
        work: &mut Workspace,
        words: &mut Vec<i64>,
    ) -> Result<(), SpecError> {
        words.push(action.rule as i64);
        let Some(tuple) = self.rules.get(action.rule).and_then(|rule| rule.action.as_ref()) else {
            words.extend_from_slice(action.arguments);
            return Ok(());
        };
        self.append(tuple, state, action, work, words)
    }

    fn append(
        &self,
        tuple: &Tuple,
        state: &[i64],
        action: Action<'_>,
        work: &mut Workspace,
        words: &mut Vec<i64>,
    ) -> Result<(), SpecError> {
        for code in &tuple.codes {
            let found = code.evaluate(&mut work.machine, state, action.arguments);
            words.extend_from_slice(found.map_err(|fault| fault.shown(&self.source))?);
        }
        Ok(())
    }

    /// By how much taking an action in a state raises its weight: 1 where the model does not say.
    pub fn weight(&self, state: &[i64], action: Action<'_>, work: &mut Workspace) -> Result<u32, SpecError> {
        let Some(code) = self.rules.get(action.rule).and_then(|rule| rule.weight.as_ref()) else {
            return Ok(1);
        };
        let word = code.word(&mut work.machine, state, action.arguments);
        word.map(|word| word as u32).map_err(|fault| fault.shown(&self.source))
    }
}
