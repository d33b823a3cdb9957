//! The shape of a specification file: TOML, unknown keys are errors.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::shape::{ResetTable, TlsfTable};
use super::signals::Signals;
use crate::diagnostic::{Source, SpecError, did_you_mean};
use crate::system::{Mode, Protocol};

/// A specification file as it is written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct File {
    pub signals: Option<Spanned<Signals>>,
    pub labels: Option<Spanned<Names>>,
    pub tlsf: Option<Spanned<TlsfTable>>,
    pub system: Option<Spanned<SystemTable>>,
    pub assumption: Vec<Spanned<RequirementTable>>,
    pub requirement: Vec<Spanned<RequirementTable>>,
    pub objective: Vec<Spanned<ObjectiveTable>>,
}

/// The names of labels, by direction.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Names {
    pub inputs: Vec<Spanned<String>>,
    pub outputs: Vec<Spanned<String>>,
}

/// `[system]`: how to reach the system under test.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SystemTable {
    pub model: Option<Spanned<String>>,
    pub command: Option<Spanned<Vec<String>>>,
    pub tcp: Option<Spanned<String>>,
    pub start: Option<Spanned<Vec<String>>>,
    pub cwd: Option<Spanned<String>>,
    pub env: Option<Spanned<BTreeMap<String, String>>>,
    pub retries: Option<Spanned<u64>>,
    pub reset: Option<Spanned<ResetTable>>,
    pub protocol: Option<Spanned<Protocol>>,
    pub pin: Option<bool>,
    pub mode: Option<Mode>,
    pub states: Option<Spanned<u32>>,
    pub cycle_ms: Option<Spanned<u32>>,
}

/// `[[requirement]]` and `[[assumption]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequirementTable {
    pub id: Spanned<String>,
    #[serde(default)]
    pub text: String,
    pub automaton: Option<Spanned<String>>,
    pub ltl: Option<Spanned<String>>,
    pub pattern: Option<Spanned<String>>,
    pub program: Option<Spanned<String>>,
    pub lts: Option<Spanned<String>>,
    pub constants: Option<Spanned<BTreeMap<String, i64>>>,
    pub aiger: Option<Spanned<String>>,
    pub verilog: Option<Spanned<String>>,
    pub inputs: Option<Spanned<BTreeMap<String, String>>>,
    pub outputs: Option<Spanned<BTreeMap<String, String>>>,
    pub violation: Option<Spanned<String>>,
}

/// `[[objective]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ObjectiveTable {
    pub id: Spanned<String>,
    #[serde(default)]
    pub text: String,
    pub automaton: Option<Spanned<String>>,
    pub ltl: Option<Spanned<String>>,
    pub times: Option<Spanned<u32>>,
    pub requirement: Option<Spanned<String>>,
    pub output: Option<Spanned<String>>,
    pub states: Option<Spanned<StatesTable>>,
    pub violates: Option<Spanned<String>>,
    pub scores: Option<Spanned<BTreeMap<Spanned<String>, Spanned<f64>>>>,
    pub cover: Option<Spanned<String>>,
}

/// `states = ["s2"]`, or `states = { R1 = ["moving"], R2 = ["loaded"] }`.
#[derive(Clone, Debug)]
pub(super) enum StatesTable {
    One(Vec<Spanned<String>>),
    Several(Vec<(Spanned<String>, Vec<Spanned<String>>)>),
}

impl<'de> Deserialize<'de> for StatesTable {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<StatesTable, D::Error> {
        deserializer.deserialize_any(StatesVisitor)
    }
}

/// By hand, because an untagged enumeration would lose where its parts stand in the file.
struct StatesVisitor;

impl<'de> serde::de::Visitor<'de> for StatesVisitor {
    type Value = StatesTable;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of states, or a table with such a list for each requirement")
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<StatesTable, A::Error> {
        let mut states = Vec::new();
        while let Some(state) = list.next_element()? {
            states.push(state);
        }
        Ok(StatesTable::One(states))
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut table: A) -> Result<StatesTable, A::Error> {
        let mut several = Vec::new();
        while let Some(entry) = table.next_entry()? {
            several.push(entry);
        }
        Ok(StatesTable::Several(several))
    }
}

/// Reads the file's shape; what its values mean is checked later.
pub(super) fn parse(source: &Source) -> Result<File, SpecError> {
    toml::from_str(&source.text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        let message = error.message().trim_end();
        match unknown_key(message) {
            None => source.error(span, message.lines().next().unwrap_or("this is not TOML")),
            Some((key, known)) => {
                let error = source.error(span, format!("unknown key `{key}`"));
                let keys = || (!known.is_empty()).then(|| format!("the keys here are {}", known.join(", ")));
                error.maybe_help(did_you_mean(key, known.iter().copied()).or_else(keys))
            }
        }
    })
}

/// The key and the known keys of serde's "unknown field `x`, expected one of `a`, `b`".
fn unknown_key(message: &str) -> Option<(&str, Vec<&str>)> {
    let rest = message.strip_prefix("unknown field `")?;
    let (key, rest) = rest.split_once('`')?;
    Some((key, rest.split('`').skip(1).step_by(2).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_is_shown_with_the_nearest_one() {
        let source = Source::new("spec.toml", "[signals]\ninput = [\"a\"]\n");
        let error = parse(&source).unwrap_err();
        assert_eq!(error.message(), "unknown key `input`");
        assert_eq!(error.help_text(), Some("did you mean `inputs`?"));
        assert_eq!(error.line_column(), Some((2, 1)));
    }
}
