//! One step in the making: values by name.

use crate::diagnostic::nearest;
use crate::letter::{Interface, Letter};
use crate::trace::Step;

/// Where a named signal goes: output or input, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    output: bool,
    at: usize,
}

/// Every signal of an interface with its place, inputs first.
pub(super) fn signals(interface: &Interface) -> impl Iterator<Item = (&str, Place)> {
    let inputs = interface.inputs.names().iter().enumerate();
    let outputs = interface.outputs.names().iter().enumerate();
    inputs
        .map(|(at, name)| (name.as_str(), Place { output: false, at }))
        .chain(outputs.map(|(at, name)| (name.as_str(), Place { output: true, at })))
}

/// The step without any signal set.
pub(super) const NOTHING: Step = Step { input: Letter::from_index(0), output: Letter::from_index(0) };

/// The step with one signal given.
pub(super) fn with(step: Step, place: Place, value: bool) -> Step {
    match place.output {
        false => Step { input: step.input.with(place.at, value), ..step },
        true => Step { output: step.output.with(place.at, value), ..step },
    }
}

/// Whether letters of this interface are labels; those are given by the names `input` and `output`.
pub(super) fn is_labelled(interface: &Interface) -> bool {
    interface.inputs.is_labelled() || interface.outputs.is_labelled()
}

/// A truth value in one of the usual spellings.
pub(super) fn truth(text: &str) -> Option<bool> {
    match text {
        "0" | "false" | "False" | "FALSE" => Some(false),
        "1" | "true" | "True" | "TRUE" => Some(true),
        _ => None,
    }
}

/// The help for a signal that the file does not have.
pub(super) fn missing_help<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, known) {
        Some(near) => format!("the file has `{near}`; names must be the same"),
        None => "every signal of the specification must be recorded".to_owned(),
    }
}
