//! What is wrong with a machine that should speak an interface, and where it says so.

use std::ops::Range;

use crate::diagnostic::{Source, SpecError};

/// Why a machine cannot stand for a system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ModelError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The state it is about.
    pub state: Option<String>,
    /// The text of the input or output it is about.
    pub text: Option<String>,
}

impl ModelError {
    pub(crate) fn new(message: impl Into<String>) -> ModelError {
        ModelError { message: message.into(), help: None, state: None, text: None }
    }

    pub(crate) fn help(mut self, help: &str) -> ModelError {
        self.help = Some(help.to_owned());
        self
    }

    pub(crate) fn at(mut self, state: &str) -> ModelError {
        self.state = Some(state.to_owned());
        self
    }

    pub(crate) fn about(mut self, text: &str) -> ModelError {
        self.text = Some(text.to_owned());
        self
    }
}

/// The error at its place in the file.
pub(crate) fn located(source: &Source, error: &ModelError) -> SpecError {
    let ModelError { message, help, state, text } = error;
    let shown = match place(&source.text, state.as_deref(), text.as_deref()) {
        Some(span) => source.error(span, message),
        None => SpecError::whole(source, format!("{}: {message}", source.name)),
    };
    match help {
        Some(help) => shown.help(help),
        None => shown,
    }
}

/// Where a file speaks of a text in a state: the first line that begins with the state and has the text, else
/// the first with the text, else the first that begins with the state.
///
/// A [`Machine`](crate::machine::Machine) of millions of states keeps no places, so they are looked up again.
fn place(file: &str, state: Option<&str>, text: Option<&str>) -> Option<Range<usize>> {
    let lines = || {
        file.split_inclusive('\n').scan(0, |start, line| {
            *start += line.len();
            Some((*start - line.len(), line))
        })
    };
    let about = |line: &str| {
        let start = line.len() - line.trim_start().len();
        let name = state?;
        let rest = line[start..].trim_start_matches('"').strip_prefix(name)?;
        (!rest.starts_with(is_word)).then_some(start..line.trim_end().len())
    };
    let within = |line: &str| {
        let text = text.filter(|text| !text.is_empty())?;
        let apart =
            |at: &usize| !line[..*at].ends_with(is_word) && !line[at + text.len()..].starts_with(is_word);
        line.match_indices(text).map(|(at, _)| at).find(apart).map(|at| at..at + text.len())
    };
    let shift = |start: usize, span: Range<usize>| span.start + start..span.end + start;
    lines()
        .find_map(|(start, line)| about(line).and_then(|_| within(line)).map(|span| shift(start, span)))
        .or_else(|| lines().find_map(|(start, line)| within(line).map(|span| shift(start, span))))
        .or_else(|| lines().find_map(|(start, line)| about(line).map(|span| shift(start, span))))
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_place_is_shown() {
        let file = "digraph g {\n  s1 -> t [label=\"a / x\"];\n  s -> t [label=\"a / x\"];\n}\n";
        let shown = |state, text| place(file, state, text).map(|span| (span.start, &file[span]));
        assert_eq!(shown(Some("s"), Some("a / x")), Some((56, "a / x")));
        assert_eq!(shown(Some("t"), Some("a / x")), Some((30, "a / x")));
        assert_eq!(shown(Some("s"), Some("b")), Some((41, "s -> t [label=\"a / x\"];")));
        assert_eq!(shown(None, None), None);
    }
}
