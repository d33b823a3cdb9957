//! Keys of a specification file that take a text or a table, each with a message that names the ways.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// `reset = "line"`, `reset = { synchronise = "machine.dot" }`, or `reset = { word = ["off", "on"] }`.
#[derive(Clone, Debug)]
pub(super) enum ResetTable {
    Line(String),
    Synchronise(String),
    Word(Vec<Spanned<String>>),
}

/// `tlsf = "arbiter.tlsf"`, or `tlsf = { file = "arbiter.tlsf", parameters = { n = 4 } }`.
#[derive(Clone, Debug)]
pub(super) struct TlsfTable {
    pub file: String,
    pub parameters: BTreeMap<String, i64>,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
#[derive(Default)]
struct ResetKeys {
    synchronise: Option<String>,
    word: Option<Vec<Spanned<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TlsfKeys {
    file: String,
    #[serde(default)]
    parameters: BTreeMap<String, i64>,
}

const RESET: &str =
    "a line such as \"reset\", { synchronise = \"machine.dot\" } or { word = [\"off\", \"on\"] }";
const TLSF: &str = "a file such as \"arbiter.tlsf\", or { file = \"arbiter.tlsf\", parameters = { n = 4 } }";

impl<'de> Deserialize<'de> for ResetTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ResetTable, D::Error> {
        match text_or_table::<ResetKeys, D>(deserializer, RESET)? {
            Written::Text(line) => Ok(ResetTable::Line(line)),
            Written::Table(ResetKeys { synchronise: Some(machine), word: None }) => {
                Ok(ResetTable::Synchronise(machine))
            }
            Written::Table(ResetKeys { synchronise: None, word: Some(word) }) => Ok(ResetTable::Word(word)),
            Written::Table(_) => Err(D::Error::custom(format!("expected {RESET}"))),
        }
    }
}

impl<'de> Deserialize<'de> for TlsfTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TlsfTable, D::Error> {
        Ok(match text_or_table::<TlsfKeys, D>(deserializer, TLSF)? {
            Written::Text(file) => TlsfTable { file, parameters: BTreeMap::new() },
            Written::Table(TlsfKeys { file, parameters }) => TlsfTable { file, parameters },
        })
    }
}

enum Written<T> {
    Text(String),
    Table(T),
}

fn text_or_table<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    ways: &'static str,
) -> Result<Written<T>, D::Error> {
    deserializer.deserialize_any(TextOrTable { ways, table: std::marker::PhantomData })
}

struct TextOrTable<T> {
    ways: &'static str,
    table: std::marker::PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for TextOrTable<T> {
    type Value = Written<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.ways)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Written<T>, E> {
        Ok(Written::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Written<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Written::Table)
    }
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use crate::diagnostic::Source;

    #[test]
    fn a_value_of_the_wrong_kind_is_told_the_ways() {
        let wrong = |text: &str| {
            let error = file::parse(&Source::new("spec.toml", text)).unwrap_err();
            (error.message().to_owned(), error.help_text().map(str::to_owned), error.line_column())
        };
        let (message, _, place) = wrong("[system]\nreset = 5\n");
        assert_eq!(message, format!("invalid type: integer `5`, expected {}", super::RESET));
        assert_eq!(place, Some((2, 9)));
        let (message, help, place) = wrong("[system]\nreset = { synchronize = \"m.dot\" }\n");
        assert_eq!(message, "unknown key `synchronize`");
        assert_eq!(help.as_deref(), Some("did you mean `synchronise`?"));
        assert_eq!(place, Some((2, 11)));
        assert_eq!(wrong("[system]\nreset = {}\n").0, format!("expected {}", super::RESET));
        assert_eq!(wrong("tlsf = [1]\n").0, format!("invalid type: sequence, expected {}", super::TLSF));
        assert_eq!(wrong("tlsf = { parameters = { n = 1 } }\n").0, "missing field `file`");
        assert_eq!(
            wrong("[tlsf]\nfile = \"x\"\nparameter = { n = 1 }\n").1.as_deref(),
            Some("did you mean `parameters`?")
        );
    }
}
