//! JSON lines: one step a line, an object from names to values.

use std::ops::Range;

use serde_json::{Map, Value};

use super::row::{NOTHING, missing_help, places, with};
use crate::diagnostic::{Source, SpecError};
use crate::letter::{Alphabet, Field, Interface, Letter};
use crate::trace::{Step, Trace};

/// Reads JSON lines. The names stand in the object itself or in objects `inputs` and `outputs` of it; names
/// that the interface does not know are left alone.
pub(super) fn parse(source: &Source, interface: &Interface) -> Result<Trace, SpecError> {
    let mut trace = Trace::new();
    let mut offset = 0;
    for line in source.text.split_inclusive('\n') {
        let start = offset + (line.len() - line.trim_start().len());
        offset += line.len();
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let line = Line { source, text: content, start };
        let object = match serde_json::from_str(content) {
            Ok(Value::Object(object)) => object,
            Ok(_) => return Err(line.error("expected an object, as in {\"a\": 1, \"x\": 0}")),
            Err(error) => {
                let at = (start + error.column().saturating_sub(1)).min(start + content.len());
                return Err(source.error(at..at + 1, format!("this is not JSON: {}", reason(&error))));
            }
        };
        trace.push(line.step(interface, &object)?);
    }
    Ok(trace)
}

/// The message without the line and column, which the error shows itself.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or("").to_owned()
}

/// The value that a number means.
fn number_of(field: &Field, number: &serde_json::Number) -> Option<crate::letter::Value> {
    match (field.is_real(), number.as_i64()) {
        (false, Some(number)) => field.of_number(number),
        (true, _) => field.of_real(number.as_f64()?),
        (false, None) => None,
    }
}

struct Line<'a> {
    source: &'a Source,
    text: &'a str,
    start: usize,
}

impl Line<'_> {
    fn step(&self, interface: &Interface, object: &Map<String, Value>) -> Result<Step, SpecError> {
        if interface.has_labels() {
            return Ok(Step {
                input: self.label(&interface.inputs, "input", object)?,
                output: self.label(&interface.outputs, "output", object)?,
            });
        }
        let nested = |key: &str| object.get(key).and_then(Value::as_object);
        let sides = [Some(object), nested("inputs"), nested("outputs")];
        places(interface).try_fold(NOTHING, |step, place| {
            let name = place.field.name();
            let found = sides.iter().flatten().find_map(|side| side.get(name));
            let value = found.ok_or_else(|| {
                let known = sides.iter().flatten().flat_map(|side| side.keys().map(String::as_str));
                self.error(format!("signal `{name}` is missing")).help(missing_help(name, known))
            })?;
            let (value, text) = match value {
                Value::Bool(truth) => (place.field.of_truth(*truth), None),
                Value::Number(number) => (number_of(place.field, number), Some(number.to_string())),
                Value::String(word) => (
                    place.field.of_word(word),
                    Some(word.clone()).filter(|_| place.field.real(place.field.simplest()).is_none()),
                ),
                _ => (None, None),
            };
            let taken = match (value, text) {
                (Some(value), _) => Some(with(step, place, value)),
                (None, Some(text)) => place.straying(step, &text),
                (None, None) => None,
            };
            taken.ok_or_else(|| {
                let what = if place.field.is_boolean() { "true or false" } else { "a value of the signal" };
                let error = self.source.error(self.place(name), format!("`{name}` is not {what} here"));
                error.help(format!("write {}", place.field.spellings()))
            })
        })
    }

    fn label(
        &self,
        alphabet: &Alphabet,
        key: &str,
        object: &Map<String, Value>,
    ) -> Result<Letter, SpecError> {
        let Some(Value::String(label)) = object.get(key) else {
            return Err(self
                .error(format!("`{key}` is missing or no text"))
                .help("as in {\"input\": \"coin\", ...}"));
        };
        alphabet.label(label).map_err(|error| self.source.error(self.place(key), error.to_string()))
    }

    fn error(&self, message: impl Into<String>) -> SpecError {
        self.source.error(self.start..self.start + self.text.len(), message)
    }

    /// Where a key and its value stand: JSON values carry no places, so the key is looked up again.
    fn place(&self, key: &str) -> Range<usize> {
        let quoted = Value::String(key.to_owned()).to_string();
        match self.text.find(&quoted) {
            None => self.start..self.start + self.text.len(),
            Some(at) => {
                let length = self.text[at..].find([',', '}']).unwrap_or(self.text.len() - at);
                self.start + at..self.start + at + length
            }
        }
    }
}
