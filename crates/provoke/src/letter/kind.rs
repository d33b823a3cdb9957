//! What the values of a field are: how many, how they are written and read, and which are simpler.
//!
//! This is the only file that tells kinds from each other. A new kind is a variant here and a way to declare it in
//! `specification/`; readers, diagrams, monitors and strategies ask a [`Field`](super::Field).

use std::fmt;
use std::sync::Arc;

/// The kind of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// True or false: one bit.
    Boolean,
    /// A whole number between two bounds, both included.
    Number {
        /// The least.
        low: i64,
        /// The greatest.
        high: i64,
    },
    /// One of these names.
    Enumeration(Arc<[Arc<str>]>),
}

/// A value of a field, by the number that stands for it in the bits of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(super) u64);

impl Kind {
    /// An enumeration of these names.
    pub fn enumeration<S: Into<Arc<str>>>(names: impl IntoIterator<Item = S>) -> Kind {
        Kind::Enumeration(names.into_iter().map(Into::into).collect())
    }

    /// How many values there are; they have the codes from 0 on.
    pub(super) fn count(&self) -> u64 {
        match self {
            Kind::Boolean => 2,
            Kind::Number { low, high } => high.abs_diff(*low).saturating_add(1),
            Kind::Enumeration(names) => names.len() as u64,
        }
    }

    /// How many bits tell them apart.
    pub(super) fn bits(&self) -> usize {
        (u64::BITS - self.count().saturating_sub(1).leading_zeros()) as usize
    }

    /// The value that a truth value means.
    pub(super) fn of_truth(&self, truth: bool) -> Option<Value> {
        match self {
            Kind::Boolean => Some(Value(u64::from(truth))),
            Kind::Number { .. } | Kind::Enumeration(_) => None,
        }
    }

    /// The truth value that a value is.
    pub(super) fn truth(&self, value: Value) -> Option<bool> {
        match self {
            Kind::Boolean => Some(value.0 == 1),
            Kind::Number { .. } | Kind::Enumeration(_) => None,
        }
    }

    /// The value that a number means.
    pub(super) fn of_number(&self, number: i64) -> Option<Value> {
        match self {
            Kind::Boolean => (0..2).contains(&number).then_some(Value(number as u64)),
            Kind::Number { low, high } => {
                (*low..=*high).contains(&number).then_some(Value(number.abs_diff(*low)))
            }
            Kind::Enumeration(_) => None,
        }
    }

    /// The number that a value is.
    pub(super) fn number(&self, value: Value) -> Option<i64> {
        match self {
            Kind::Number { low, .. } => Some(low.wrapping_add_unsigned(value.0)),
            Kind::Boolean | Kind::Enumeration(_) => None,
        }
    }

    /// The value of which a word between quotation marks is the name.
    pub(super) fn of_word(&self, word: &str) -> Option<Value> {
        match self {
            Kind::Boolean | Kind::Number { .. } => None,
            Kind::Enumeration(names) => {
                names.iter().position(|name| **name == *word).map(|at| Value(at as u64))
            }
        }
    }

    /// The name of a value.
    pub(super) fn word(&self, value: Value) -> Option<&str> {
        match self {
            Kind::Boolean | Kind::Number { .. } => None,
            Kind::Enumeration(names) => names.get(value.0 as usize).map(|name| &**name),
        }
    }

    /// Writes the value as it stands behind `name=`.
    pub(super) fn write(&self, value: Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Boolean => f.write_str(if value.0 == 1 { "1" } else { "0" }),
            Kind::Number { low, .. } => write!(f, "{}", low.wrapping_add_unsigned(value.0)),
            Kind::Enumeration(_) => f.write_str(self.word(value).unwrap_or("?")),
        }
    }

    /// Writes the value as JSON.
    pub(super) fn write_json(&self, value: Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Boolean => f.write_str(if value.0 == 1 { "true" } else { "false" }),
            Kind::Number { .. } => self.write(value, f),
            Kind::Enumeration(_) => {
                f.write_str("\"")?;
                for character in self.word(value).unwrap_or("?").chars() {
                    if matches!(character, '"' | '\\') {
                        f.write_str("\\")?;
                    }
                    write!(f, "{character}")?;
                }
                f.write_str("\"")
            }
        }
    }

    /// Reads what [`write`](Kind::write) wrote.
    pub(super) fn parse(&self, text: &str) -> Option<Value> {
        match (self, text) {
            (Kind::Boolean, "0") => Some(Value(0)),
            (Kind::Boolean, "1") => Some(Value(1)),
            (Kind::Boolean, _) => None,
            (Kind::Number { .. }, _) => self.of_number(text.parse().ok()?),
            (Kind::Enumeration(_), _) => self.of_word(text),
        }
    }

    /// Reads a value in one of the spellings that other programs have for it.
    pub(super) fn read(&self, text: &str) -> Option<Value> {
        match (self, text) {
            (Kind::Boolean, "0" | "false" | "False" | "FALSE") => Some(Value(0)),
            (Kind::Boolean, "1" | "true" | "True" | "TRUE") => Some(Value(1)),
            (Kind::Boolean, _) => None,
            (Kind::Number { .. } | Kind::Enumeration(_), _) => self.parse(text),
        }
    }

    /// Whether a text that is no value could be one of another field of this kind: a number that is out of range, a name
    /// that was not declared.
    pub(super) fn is_alike(&self, text: &str) -> bool {
        match self {
            Kind::Boolean => false,
            Kind::Number { .. } => {
                let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
                !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
            }
            Kind::Enumeration(_) => {
                text.starts_with(|first: char| first.is_alphabetic() || first == '_')
                    && text.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | '-' | '.'))
            }
        }
    }

    /// What [`parse`](Kind::parse) reads, in words.
    pub(super) fn values(&self) -> String {
        match self {
            Kind::Boolean => "0 or 1".to_owned(),
            Kind::Number { low, high } => format!("a number from {low} to {high}"),
            Kind::Enumeration(names) => format!("one of {}", names.join(", ")),
        }
    }

    /// What [`read`](Kind::read) reads, in words.
    pub(super) fn spellings(&self) -> String {
        match self {
            Kind::Boolean => "0, 1, true or false".to_owned(),
            Kind::Number { .. } | Kind::Enumeration(_) => self.values(),
        }
    }

    /// What is read from JSON, in words.
    pub(super) fn json_values(&self) -> String {
        match self {
            Kind::Boolean => "true or false, or 1 or 0".to_owned(),
            Kind::Number { .. } | Kind::Enumeration(_) => self.values(),
        }
    }

    /// The value that says least.
    pub(super) fn simplest(&self) -> Value {
        match self {
            Kind::Boolean | Kind::Enumeration(_) => Value(0),
            Kind::Number { low, high } => Value(0.clamp(*low, *high).abs_diff(*low)),
        }
    }

    /// How far a value is from the simplest one.
    pub(super) fn weight(&self, value: Value) -> u64 {
        value.0.abs_diff(self.simplest().0)
    }

    /// A few values that are simpler than this one, the simplest first.
    pub(super) fn simpler(&self, value: Value) -> Vec<Value> {
        let simplest = self.simplest();
        let weight = self.weight(value);
        let at = |weight: u64| match value > simplest {
            true => Value(simplest.0 + weight),
            false => Value(simplest.0 - weight),
        };
        let mut weights = vec![0, weight / 2, weight.saturating_sub(1)];
        weights.dedup();
        weights.into_iter().filter(|&simpler| simpler < weight).map(at).collect()
    }
}

/// A kind as a specification declares it: `bool`, `0..6`, `up, down`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Boolean => f.write_str("bool"),
            Kind::Number { low, high } => write!(f, "{low}..{high}"),
            Kind::Enumeration(names) => f.write_str(&names.join(", ")),
        }
    }
}

impl Kind {
    /// Reads what is shown of a kind; none where it is no kind.
    pub fn declared(text: &str) -> Option<Kind> {
        if text == "bool" {
            return Some(Kind::Boolean);
        }
        if let Some((low, high)) = text.split_once("..")
            && let (Ok(low), Ok(high)) = (low.parse(), high.parse())
        {
            return (low <= high).then_some(Kind::Number { low, high });
        }
        (!text.is_empty()).then(|| Kind::enumeration(text.split(", ")))
    }
}

/// Whether a text looks like the value of a field of some kind.
pub(crate) fn looks_like_a_value(text: &str) -> bool {
    matches!(text, "0" | "1")
}
