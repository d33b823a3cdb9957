//! Actions and states as text.

use std::fmt;

use super::{Action, Program};
use crate::expression::Named;

impl Program {
    /// An action as it is written: `Search(0)`, or just its name where it has no parameters.
    pub fn show_action<'a>(&'a self, action: Action<'a>) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            let Some(rule) = self.rules.get(action.rule) else { return f.write_str("?") };
            write!(f, "{}", Named(&rule.name))?;
            for (number, (argument, (_, domain))) in action.arguments.iter().zip(&rule.parameters).enumerate()
            {
                write!(f, "{}{}", if number == 0 { "(" } else { ", " }, domain.of().show(*argument))?;
            }
            f.write_str(if action.arguments.is_empty() { "" } else { ")" })
        })
    }

    /// A state, variable by variable.
    pub fn show_state<'a>(&'a self, state: &'a [i64]) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            for (number, variable) in self.variables.iter().enumerate() {
                let words = &state[variable.at..variable.at + variable.of.width()];
                let separator = if number == 0 { "" } else { ", " };
                write!(f, "{separator}{} = {}", Named(&variable.name), variable.of.show(words))?;
            }
            Ok(())
        })
    }
}
