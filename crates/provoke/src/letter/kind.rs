//! What the values of a field are: how many, how they are written and read, and which are simpler.
//!
//! This is the only file that tells kinds from each other. A new kind is a variant here and a way to declare it in
//! `specification/`; readers, diagrams, monitors and strategies ask a [`Field`](super::Field).

use std::fmt;

/// The kind of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// True or false: one bit.
    Boolean,
    /// A whole number between two bounds. Nothing makes one yet outside of tests, which show with it that nobody
    /// else needs to know of kinds.
    #[cfg(test)]
    Number {
        /// The least.
        low: i64,
        /// The greatest.
        high: i64,
    },
}

/// A value of a field, by the number that stands for it in the bits of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(super) u64);

impl Kind {
    /// How many values there are; they have the codes from 0 on.
    pub(super) fn count(&self) -> u64 {
        match self {
            Kind::Boolean => 2,
            #[cfg(test)]
            Kind::Number { low, high } => high.abs_diff(*low) + 1,
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
            #[cfg(test)]
            Kind::Number { .. } => None,
        }
    }

    /// The truth value that a value is.
    pub(super) fn truth(&self, value: Value) -> Option<bool> {
        match self {
            Kind::Boolean => Some(value.0 == 1),
            #[cfg(test)]
            Kind::Number { .. } => None,
        }
    }

    /// The value that a number means.
    pub(super) fn of_number(&self, number: i64) -> Option<Value> {
        match self {
            Kind::Boolean => (0..2).contains(&number).then_some(Value(number as u64)),
            #[cfg(test)]
            Kind::Number { low, high } => {
                (*low..=*high).contains(&number).then_some(Value(number.abs_diff(*low)))
            }
        }
    }

    /// The value of which a word between quotation marks is the name.
    pub(super) fn of_word(&self, _word: &str) -> Option<Value> {
        match self {
            Kind::Boolean => None,
            #[cfg(test)]
            Kind::Number { .. } => None,
        }
    }

    /// Writes the value as it stands behind `name=`.
    pub(super) fn write(&self, value: Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Boolean => f.write_str(if value.0 == 1 { "1" } else { "0" }),
            #[cfg(test)]
            Kind::Number { low, .. } => write!(f, "{}", low.wrapping_add_unsigned(value.0)),
        }
    }

    /// Writes the value as JSON.
    pub(super) fn write_json(&self, value: Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Boolean => f.write_str(if value.0 == 1 { "true" } else { "false" }),
            #[cfg(test)]
            Kind::Number { .. } => self.write(value, f),
        }
    }

    /// Reads what [`write`](Kind::write) wrote.
    pub(super) fn parse(&self, text: &str) -> Option<Value> {
        match (self, text) {
            (Kind::Boolean, "0") => Some(Value(0)),
            (Kind::Boolean, "1") => Some(Value(1)),
            (Kind::Boolean, _) => None,
            #[cfg(test)]
            (Kind::Number { .. }, _) => self.of_number(text.parse().ok()?),
        }
    }

    /// Reads a value in one of the spellings that other programs have for it.
    pub(super) fn read(&self, text: &str) -> Option<Value> {
        match (self, text) {
            (Kind::Boolean, "0" | "false" | "False" | "FALSE") => Some(Value(0)),
            (Kind::Boolean, "1" | "true" | "True" | "TRUE") => Some(Value(1)),
            (Kind::Boolean, _) => None,
            #[cfg(test)]
            (Kind::Number { .. }, _) => self.parse(text),
        }
    }

    /// What [`parse`](Kind::parse) reads, in words.
    pub(super) fn values(&self) -> String {
        match self {
            Kind::Boolean => "0 or 1".to_owned(),
            #[cfg(test)]
            Kind::Number { low, high } => format!("a number from {low} to {high}"),
        }
    }

    /// What [`read`](Kind::read) reads, in words.
    pub(super) fn spellings(&self) -> String {
        match self {
            Kind::Boolean => "0, 1, true or false".to_owned(),
            #[cfg(test)]
            Kind::Number { .. } => self.values(),
        }
    }

    /// What is read from JSON, in words.
    pub(super) fn json_values(&self) -> String {
        match self {
            Kind::Boolean => "true or false, or 1 or 0".to_owned(),
            #[cfg(test)]
            Kind::Number { .. } => self.values(),
        }
    }

    /// The value that says least.
    pub(super) fn simplest(&self) -> Value {
        match self {
            Kind::Boolean => Value(0),
            #[cfg(test)]
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

/// Whether a text looks like the value of a field of some kind.
pub(crate) fn looks_like_a_value(text: &str) -> bool {
    matches!(text, "0" | "1")
}
