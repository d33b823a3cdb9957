//! One step in the making: values by name.

use crate::diagnostic::nearest;
use crate::letter::{Alphabet, Field, Interface, Letter, Value};
use crate::trace::Step;

/// Where a named value goes: into which field, of the output or of the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    output: bool,
    alphabet: &'a Alphabet,
    at: usize,
    pub(super) field: &'a Field,
}

impl Place<'_> {
    /// The value that a step has here.
    pub(super) fn get(&self, step: &Step) -> Value {
        self.field.get(if self.output { step.output } else { step.input })
    }

    /// The same as text.
    pub(super) fn value(&self, step: &Step) -> String {
        self.alphabet.value_shown(if self.output { step.output } else { step.input }, self.at)
    }

    /// Whether what a step has here is no value.
    pub(super) fn is_stray(&self, step: &Step) -> bool {
        self.output && self.alphabet.strayed(step.output).iter().any(|(at, _)| *at == self.at)
    }

    /// The step with something said here that is no value and could have been one; none for other texts, and for inputs.
    pub(super) fn straying(&self, step: Step, text: &str) -> Option<Step> {
        let output = self.alphabet.straying(step.output, self.at, text).filter(|_| self.output)?;
        Some(Step { output, ..step })
    }

    /// Whether it is of the output.
    pub(super) fn is_output(&self) -> bool {
        self.output
    }
}

/// Every field of an interface with its place, inputs first.
pub(super) fn places(interface: &Interface) -> impl Iterator<Item = Place<'_>> {
    [(false, &interface.inputs), (true, &interface.outputs)].into_iter().flat_map(|(output, alphabet)| {
        let fields = alphabet.fields().iter().enumerate();
        fields.map(move |(at, field)| Place { output, alphabet, at, field })
    })
}

/// The step in which nothing is said yet.
pub(super) const NOTHING: Step = Step { input: Letter::from_index(0), output: Letter::from_index(0) };

/// The step with one value given.
pub(super) fn with(step: Step, place: Place<'_>, value: Value) -> Step {
    match place.output {
        false => Step { input: place.field.set(step.input, value), ..step },
        true => Step { output: place.field.set(step.output, value), ..step },
    }
}

/// The help for a signal that the file does not have.
pub(super) fn missing_help<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, known) {
        Some(near) => format!("the file has `{near}`; names must be the same"),
        None => "every signal of the specification must be recorded".to_owned(),
    }
}
