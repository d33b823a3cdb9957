//! Exchanges taken apart into single actions.

use super::Unfolded;
use crate::game::{Game, Next, State};
use crate::letter::{Conflict, Letter};
use crate::trace::Step;

/// What one side did, where that was, and where it led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Act {
    /// Where it was done.
    pub from: State,
    /// Whether the system did it.
    pub output: bool,
    /// What was done; silence is an act of the system.
    pub letter: Letter,
    /// Where it led.
    pub to: State,
}

impl Unfolded {
    /// Appends the single actions of an exchange that led from a state to another. Where nobody knows which of two were
    /// done, there are none.
    pub fn acts(&self, from: State, step: &Step, to: State, into: &mut Vec<Act>) {
        let Step { input, output } = *step;
        let sent = |to| Act { from, output: false, letter: input, to };
        let said = |from| Act { from, output: true, letter: output, to };
        let (waits, silent) = (input == self.idle.wait, output == self.idle.quiet);
        let refused = Some(output) == self.idle.refusal;
        match self.conflict {
            // It was not taken, and is not what is meant by acting.
            _ if refused => {}
            _ if waits => into.push(said(from)),
            _ if silent => into.push(sent(to)),
            Conflict::Output => into.push(said(from)),
            Conflict::Input => into.push(sent(to)),
            Conflict::Fair => {}
            Conflict::Answer => {
                // Through the state in which the input was taken and nothing said yet, where there is one to name.
                match self.next(from, input, self.idle.quiet) {
                    Next::To(between) if !self.is_beyond(between) => {
                        into.push(sent(between));
                        into.push(said(between));
                    }
                    _ => into.push(sent(to)),
                }
            }
        }
    }
}
