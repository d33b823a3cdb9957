//! Actions that are read from what a system or a trace says.

use super::Program;
use crate::diagnostic::{Source, Unknown, brief};
use crate::expression::{Reader, Scalar, Token};

/// A text that is no action of the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoAction {
    /// No action is called so.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// It has other arguments, or none at all.
    #[error("`{text}` is not of the form `{form}`")]
    Form {
        /// The text.
        text: String,
        /// What actions of that name look like.
        form: String,
    },
    /// It is not a name with arguments.
    #[error("`{0}` is not an action")]
    Unreadable(String),
}

impl Program {
    /// Reads an action, such as `Search(0)`: the number of its rule; its arguments replace what was in the list.
    /// Numbers may be any: whether such an action is enabled is another question.
    pub fn read_action(&self, text: &str, arguments: &mut Vec<i64>) -> Result<usize, NoAction> {
        let unreadable = || NoAction::Unreadable(brief(text).into_owned());
        let source = Source::new("action", text);
        let mut reader = Reader::new(&source, 0..text.len()).map_err(|_| unreadable())?;
        let (name, _) = reader.name("an action").map_err(|_| unreadable())?;
        let Some(number) = self.rules.iter().position(|rule| rule.name == name) else {
            let known = self.rules.iter().map(|rule| &*rule.name);
            return Err(Unknown::new("action", &name, known).into());
        };
        let rule = &self.rules[number];
        let form = || {
            let names: Vec<&str> = rule.parameters.iter().map(|(name, _)| &**name).collect();
            let list = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
            NoAction::Form { text: brief(text).into_owned(), form: format!("{}{list}", rule.name) }
        };
        arguments.clear();
        if reader.take_sign("(") {
            for (at, (_, domain)) in rule.parameters.iter().enumerate() {
                if at > 0 && !reader.take_sign(",") {
                    return Err(form());
                }
                arguments.push(value(&mut reader, domain.of()).ok_or_else(form)?);
            }
            if !reader.take_sign(")") {
                return Err(form());
            }
        }
        if !reader.at_end() || arguments.len() != rule.parameters.len() {
            return Err(form());
        }
        Ok(number)
    }
}

fn value(reader: &mut Reader<'_>, of: &Scalar) -> Option<i64> {
    match of {
        Scalar::Boolean => {
            ["false", "true"].iter().position(|word| reader.take_word(word)).map(|at| at as i64)
        }
        Scalar::Integer { .. } => {
            let minus = reader.take_sign("-");
            let Token::Number(number) = *reader.token() else { return None };
            reader.advance();
            let number = i128::from(number);
            i64::try_from(if minus { -number } else { number }).ok()
        }
        Scalar::Enumeration(of) => {
            let (name, _) = reader.name("a value").ok()?;
            of.values.iter().position(|value| *value == name).map(|at| at as i64)
        }
    }
}
