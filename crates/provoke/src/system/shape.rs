//! Values of the protocol that can be written in more than one way, each with a message that names them all.

use std::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer};

use super::pattern::Pattern;

/// One or several texts that mean the same: `"TEA"`, or `["TEA", "Tea!"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spellings(Vec<String>);

impl Spellings {
    pub(super) fn texts(&self) -> &[String] {
        &self.0
    }
}

/// What acknowledges a reset: a text, one of several, or any line with a pattern in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acknowledgement {
    /// Any of these.
    Texts(Vec<String>),
    /// A line in which this is found.
    Pattern(Pattern),
}

impl fmt::Display for Acknowledgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Acknowledgement::Texts(texts) => write!(f, "`{}`", texts.join("` or `")),
            Acknowledgement::Pattern(pattern) => write!(f, "a line that matches {:?}", pattern.text()),
        }
    }
}

/// How many lines more belong to an answer: a number, or the group of the pattern that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum More {
    /// So many.
    Lines(u64),
    /// As many as this group says; a number below zero is none.
    Group(String),
}

/// All the ways to write a value; a kind of value that is not among them is told so.
struct Ways(&'static str);

enum Written {
    Texts(Vec<String>),
    Text(String),
    Number(u64),
    Pattern(Pattern),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternTable {
    pattern: Pattern,
}

impl<'de> Visitor<'de> for Ways {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Written, E> {
        Ok(Written::Text(text.to_owned()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Written, E> {
        let wrong = |_| E::invalid_value(serde::de::Unexpected::Signed(number), &self);
        number.try_into().map(Written::Number).map_err(wrong)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Written, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = sequence.next_element()? {
            texts.push(text);
        }
        Ok(Written::Texts(texts))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Written, A::Error> {
        let PatternTable { pattern } = PatternTable::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Written::Pattern(pattern))
    }
}

fn not_so<E: Error>(ways: &'static str) -> E {
    E::custom(format!("expected {ways}"))
}

impl<'de> Deserialize<'de> for Spellings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Spellings, D::Error> {
        const WAYS: &str = "a text, or several: [\"TEA\", \"Tea!\"]";
        match deserializer.deserialize_any(Ways(WAYS))? {
            Written::Text(text) => Ok(Spellings(vec![text])),
            Written::Texts(texts) if !texts.is_empty() => Ok(Spellings(texts)),
            _ => Err(not_so(WAYS)),
        }
    }
}

impl<'de> Deserialize<'de> for Acknowledgement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Acknowledgement, D::Error> {
        const WAYS: &str = "a text, several: [\":0\", \":1\"], or { pattern = '^:\\d+$' }";
        match deserializer.deserialize_any(Ways(WAYS))? {
            Written::Text(text) => Ok(Acknowledgement::Texts(vec![text])),
            Written::Texts(texts) if !texts.is_empty() => Ok(Acknowledgement::Texts(texts)),
            Written::Pattern(pattern) => Ok(Acknowledgement::Pattern(pattern)),
            _ => Err(not_so(WAYS)),
        }
    }
}

impl<'de> Deserialize<'de> for More {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<More, D::Error> {
        const WAYS: &str = "a number of lines, or the name of the pattern's group that holds it";
        match deserializer.deserialize_any(Ways(WAYS))? {
            Written::Number(lines) => Ok(More::Lines(lines)),
            Written::Text(group) => Ok(More::Group(group)),
            _ => Err(not_so(WAYS)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::protocol::Protocol;
    use super::*;

    #[test]
    fn values_are_written_in_every_way() {
        let read = |text: &str| toml::from_str::<Protocol>(text).unwrap();
        let texts =
            |reply: &[&str]| Some(Acknowledgement::Texts(reply.iter().map(|text| (*text).into()).collect()));
        assert_eq!(read("reset_reply = \":0\"").reset_reply, texts(&[":0"]));
        assert_eq!(read("reset_reply = [\":0\", \":1\"]").reset_reply, texts(&[":0", ":1"]));
        let pattern = read("reset_reply = { pattern = '^:[01]$' }").reset_reply.unwrap();
        assert_eq!(pattern.to_string(), "a line that matches \"^:[01]$\"");
        let more = read("reply_more = { '\\$\\d+' = 1, '\\*(?<n>\\d+)' = \"n\" }").reply_more;
        assert_eq!(more.into_values().collect::<Vec<_>>(), [More::Lines(1), More::Group("n".into())]);
    }

    #[test]
    fn other_values_are_told_what_there_is() {
        let wrong = |text: &str| toml::from_str::<Protocol>(text).unwrap_err().message().to_owned();
        let ways = "expected a text, several: [\":0\", \":1\"], or { pattern = '^:\\d+$' }";
        assert_eq!(wrong("reset_reply = 1.5"), format!("invalid type: floating point `1.5`, {ways}"));
        assert_eq!(wrong("reset_reply = []"), ways);
        assert_eq!(wrong("reset_reply = 7"), ways);
        assert!(
            wrong("reset_reply = { patern = \"x\" }")
                .starts_with("unknown field `patern`, expected `pattern`")
        );
        assert!(
            wrong("reply_more = { 'x' = -1 }").starts_with("invalid value: integer `-1`, expected a number")
        );
        assert!(wrong("read = { x = true }").ends_with("expected a text, or several: [\"TEA\", \"Tea!\"]"));
    }
}
