//! One JSON object a line: `{"cargo":true}` for signals, `{"input":"coin"}` and `{"output":"tea"}` for labels.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{DeserializeSeed, Error, MapAccess, Unexpected, Visitor};

use super::codec::Reader;
use super::error::Fault;
use crate::letter::{Alphabet, Field, Finite, Letter, Value};

/// The key of a label that is written.
pub(super) const INPUT: &str = "input";
/// The key of a label that is read.
const OUTPUT: &str = "output";

/// A text between quotation marks.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl Reader {
    /// Reads an object. Nothing is kept of what it holds besides, and what is nested deeply is refused.
    pub(super) fn json(&self, line: &[u8]) -> Result<Letter, Fault> {
        let mut fault = None;
        let mut json = serde_json::Deserializer::from_slice(line);
        let object = Object { reader: self, fault: &mut fault };
        let letter = json.deserialize_map(object).and_then(|letter| json.end().map(|()| letter));
        letter.map_err(|error| match fault {
            Some(fault) => fault,
            None => Fault::NotAnAnswer(without_place(&error)),
        })
    }
}

/// The message alone: everything is on line 1, and the line is shown.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    match message {
        "recursion limit exceeded" => "it is nested too deeply".into(),
        _ if error.is_syntax() || error.is_eof() => format!("not JSON: {message}"),
        _ => message.to_owned(),
    }
}

struct Object<'a> {
    reader: &'a Reader,
    /// What is wrong, where it is more than JSON can say.
    fault: &'a mut Option<Fault>,
}

impl Object<'_> {
    fn stop<E: Error, T>(&mut self, fault: Fault) -> Result<T, E> {
        *self.fault = Some(fault);
        Err(E::custom("see the fault"))
    }

    fn label<'de, A: MapAccess<'de>>(mut self, mut map: A) -> Result<Letter, A::Error> {
        let mut label = None;
        while let Some(Text(key)) = map.next_key()? {
            if key != OUTPUT {
                return self
                    .stop(Fault::Unknown(format!("unknown key `{}`", super::codec::shown(key.as_bytes()))));
            }
            if label.is_some() {
                return self.stop(Fault::NotAnAnswer(format!("`{OUTPUT}` is given twice")));
            }
            let Text(name) = map.next_value()?;
            match self.reader.label(name.trim().as_bytes()) {
                Ok(letter) => label = Some(letter),
                Err(fault) => return self.stop(fault),
            }
        }
        match label {
            Some(letter) => Ok(letter),
            None => self.stop(Fault::NotAnAnswer(format!("`{OUTPUT}` is missing"))),
        }
    }

    fn signals<'de, A: MapAccess<'de>>(mut self, mut map: A) -> Result<Letter, A::Error> {
        let mut letter = Letter::default();
        let mut seen = Letter::default();
        let mut count = 0;
        while let Some(Text(key)) = map.next_key()? {
            let at = match self.reader.position(count, key.as_bytes()) {
                Ok(at) => at,
                Err(fault) => return self.stop(fault),
            };
            if let Err(fault) = self.reader.once(at, seen) {
                return self.stop(fault);
            }
            seen = seen.with(at, true);
            let outputs = &self.reader.outputs;
            letter = map.next_value_seed(ValueOf { outputs, at, letter })?;
            count += 1;
        }
        match count == self.reader.outputs.fields().len() {
            true => Ok(letter),
            false => {
                let missing = self.reader.first_missing(seen);
                self.stop(missing)
            }
        }
    }
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Letter;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Letter, A::Error> {
        if self.reader.labelled { self.label(map) } else { self.signals(map) }
    }
}

/// A text, borrowed where it has no escapes.
#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// A letter with a value of a field: `true`, `false`, 1 or 0 of a Boolean one.
struct ValueOf<'a> {
    outputs: &'a Alphabet,
    at: usize,
    letter: Letter,
}

impl ValueOf<'_> {
    fn field(&self) -> &Field {
        &self.outputs.fields()[self.at]
    }

    /// The letter with a value, or with a text that is none and could have been one.
    fn or_stray(&self, value: Option<Value>, text: impl FnOnce() -> String) -> Option<Letter> {
        match value {
            Some(value) => Some(self.field().set(self.letter, value)),
            None => self.outputs.straying(self.letter, self.at, &text()),
        }
    }
}

impl<'de> DeserializeSeed<'de> for ValueOf<'_> {
    type Value = Letter;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Letter, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for ValueOf<'_> {
    type Value = Letter;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.field().json_values())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Letter, E> {
        let truth = self.field().of_truth(value).map(|value| self.field().set(self.letter, value));
        truth.ok_or_else(|| E::invalid_type(Unexpected::Bool(value), &self))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Letter, E> {
        let found = match self.field().is_real() {
            true => self.field().of_real(value as f64),
            false => i64::try_from(value).ok().and_then(|value| self.field().of_number(value)),
        };
        self.or_stray(found, || value.to_string())
            .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Letter, E> {
        let found = self.field().of_number(value);
        self.or_stray(found, || value.to_string())
            .ok_or_else(|| E::invalid_type(Unexpected::Signed(value), &self))
    }

    /// Whole numbers that are too large for others arrive like this as well.
    fn visit_f64<E: Error>(self, value: f64) -> Result<Letter, E> {
        if self.field().is_real() {
            return self
                .or_stray(self.field().of_real(value), || {
                    Finite::new(value).map_or_else(String::new, |number| number.to_string())
                })
                .ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self));
        }
        let large =
            Some(format!("{value:.0}")).filter(|text| value.fract() == 0.0 && text.parse::<i64>().is_err());
        large
            .and_then(|text| self.or_stray(None, || text))
            .ok_or_else(|| E::invalid_type(Unexpected::Float(value), &self))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Letter, E> {
        // Numbers are not written as texts.
        let found = self.field().of_word(value);
        let is_name = self.field().real(self.field().simplest()).is_none();
        let found = if is_name { self.or_stray(found, || value.to_owned()) } else { None };
        found.ok_or_else(|| E::invalid_type(Unexpected::Str(value), &self))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::codec::Codec;
    use super::super::codec::tests::{codec as codec_of, written};
    use super::*;
    use crate::letter::Interface;

    fn codec(interface: &Interface, options: &str) -> Codec {
        codec_of(interface, &format!("form = \"json\"\n{options}"))
    }

    fn signals() -> Codec {
        let interface = Interface::signals(["a", "b"], ["x", "y"]).unwrap();
        codec(&interface, "write = { b = \"the \\\"b\\\"\" }\nread = { y = [\"why\", \"y\"] }")
    }

    #[test]
    fn an_object_each_way() {
        let codec = signals();
        assert_eq!(written(&codec, 0b10), "{\"a\":false,\"the \\\"b\\\"\":true}\n");
        for line in [r#"{"x":true,"y":false}"#, r#" { "y" : 0, "\u0078" : 1 } "#, r#"{"why":false,"x":true}"#]
        {
            assert_eq!(codec.read(line.as_bytes()), Ok(Letter::from_index(1)), "{line}");
        }
    }

    #[test]
    fn labels_have_a_key() {
        let interface = Interface::labels(["coin", "two\nlines"], ["tea", "-"]).unwrap();
        let codec = codec(&interface, "read = { \"-\" = [\"\", \"nothing\"] }");
        assert_eq!(
            (written(&codec, 0), written(&codec, 1)),
            ("{\"input\":\"coin\"}\n".into(), "{\"input\":\"two\\nlines\"}\n".into())
        );
        assert_eq!(codec.read(br#"{"output":"tea"}"#), Ok(Letter::from_index(0)));
        assert_eq!(codec.read(br#"{"output":""}"#), Ok(Letter::from_index(1)));
        for (line, message) in [
            (r#"{"output":"tee"}"#, "unknown label `tee` (did you mean `tea`?)"),
            (r#"{"out":"tea"}"#, "unknown key `out`"),
            (r#"{}"#, "not an answer: `output` is missing"),
            (r#"{"output":"tea","output":"tea"}"#, "not an answer: `output` is given twice"),
            (r#"{"output":1}"#, "not an answer: invalid type: integer `1`, expected a string"),
        ] {
            assert_eq!(codec.read(line.as_bytes()).unwrap_err().to_string(), message, "{line}");
        }
    }

    #[test]
    fn hostile_objects_are_told_what_is_wrong() {
        let deep = format!("{{\"x\":{}", "[".repeat(60_000));
        let codec = signals();
        for (line, message) in [
            (r#"{"x":true,"x":true,"y":true}"#, "signal `x` is given twice"),
            (r#"{"x":true}"#, "signal `y` is missing"),
            (r#"{"x":true,"y":true,"z":{"deep":[1,2]}}"#, "unknown signal `z`"),
            (
                r#"{"x":2,"y":1}"#,
                "not an answer: invalid value: integer `2`, expected true or false, or 1 or 0",
            ),
            (
                r#"{"x":-1,"y":1}"#,
                "not an answer: invalid type: integer `-1`, expected true or false, or 1 or 0",
            ),
            (r#"{"x":1e999,"y":1}"#, "not an answer: not JSON: number out of range"),
            (
                r#"{"x":"1","y":1}"#,
                "not an answer: invalid type: string \"1\", expected true or false, or 1 or 0",
            ),
            (r#"{"x":null,"y":1}"#, "not an answer: invalid type: null, expected true or false, or 1 or 0"),
            (r#"{"x":1,"y":1} {}"#, "not an answer: not JSON: trailing characters"),
            (r#"{"x":1,"y":"#, "not an answer: not JSON: EOF while parsing a value"),
            (r#"[1,1]"#, "not an answer: invalid type: sequence, expected an object"),
            ("x=1 y=0", "not an answer: not JSON: expected value"),
            ("", "not an answer: not JSON: EOF while parsing a value"),
            (&deep, "not an answer: invalid type: sequence, expected true or false, or 1 or 0"),
        ] {
            assert_eq!(codec.read(line.as_bytes()).unwrap_err().to_string(), message, "{line:.60}");
        }
        assert!(codec.read(b"{\"x\":\xff}").is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(bits in any::<u64>(), signals in 1usize..64) {
            let names: Vec<String> = (0..signals).map(|at| format!("s{at}")).collect();
            let out = codec(&Interface::signals(names.clone(), vec![]).unwrap(), "");
            let back = codec(&Interface::signals(vec![], names).unwrap(), "");
            let bits = bits & (u64::MAX >> (64 - signals));
            prop_assert_eq!(back.read(written(&out, bits).as_bytes()), Ok(Letter::from_index(bits)));
        }

        #[test]
        fn every_line_is_an_answer_or_a_fault(line in "[\\[{\"xy:,1truefals\\\\u}\\]]{0,40}") {
            // Both signals stand in an answer, and two signals have four letters.
            if let Ok(letter) = signals().read(line.as_bytes()) {
                prop_assert!(letter.index() < 4 && line.contains('x') && line.contains('y'), "{line}");
            }
        }
    }
}
