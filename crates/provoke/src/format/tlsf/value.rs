//! What expressions stand for while a file is expanded.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::ltl::Formula;

/// A number, a set, something that holds or not, or a name for signals.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(i64),
    /// Known while the file is read: `true`, `i < n`.
    Truth(bool),
    Formula(Formula),
    Set(Arc<Set>),
    Bus(Arc<Bus>),
    Code(Arc<Code>),
}

/// A bus of signals `name_0` to `name_(width - 1)`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Bus {
    pub(super) name: Arc<str>,
    pub(super) width: usize,
}

/// A value of an enumeration.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Code {
    pub(super) name: Arc<str>,
    pub(super) width: usize,
    /// Bit 0 first; `None` is either.
    pub(super) codes: Vec<Vec<Option<bool>>>,
}

/// How deep sets may hold sets.
pub(super) const MAX_SET_LEVEL: usize = 8;

/// Values without repetition, in the order they were put in.
#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    values: Vec<Value>,
    known: FxHashSet<Value>,
    // invariant: the wrapping sum of the values' hashes, so that their order does not matter.
    hash: u64,
    // invariant: one more than the highest level of a set in it.
    level: usize,
}

impl Set {
    pub(super) fn insert(&mut self, value: Value) {
        if self.known.insert(value.clone()) {
            self.hash = self.hash.wrapping_add(FxBuildHasher.hash_one(&value));
            if let Value::Set(set) = &value {
                self.level = self.level.max(set.level + 1);
            }
            self.values.push(value);
        }
    }

    pub(super) fn level(&self) -> usize {
        self.level
    }

    pub(super) fn contains(&self, value: &Value) -> bool {
        self.known.contains(value)
    }

    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }
}

impl FromIterator<Value> for Set {
    fn from_iter<T: IntoIterator<Item = Value>>(values: T) -> Set {
        let mut set = Set::default();
        values.into_iter().for_each(|value| set.insert(value));
        set
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        self.known == other.known
    }
}

impl Eq for Set {}

impl Hash for Set {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(left), Value::Number(right)) => left == right,
            (Value::Set(left), Value::Set(right)) => left == right,
            (Value::Bus(left), Value::Bus(right)) => left == right,
            (Value::Code(left), Value::Code(right)) => left == right,
            _ => match (self.formula(), other.formula()) {
                (Some(left), Some(right)) => left == right,
                _ => false,
            },
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Number(number) => number.hash(state),
            Value::Truth(truth) => Formula::constant(*truth).hash(state),
            Value::Formula(formula) => formula.hash(state),
            Value::Set(set) => set.hash(state),
            Value::Bus(bus) => bus.name.hash(state),
            Value::Code(code) => code.name.hash(state),
        }
    }
}

impl Value {
    /// What the value is called in messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Truth(_) => "true or false",
            Value::Formula(_) => "a formula",
            Value::Set(_) => "a set",
            Value::Bus(_) => "a bus",
            Value::Code(_) => "a value of an enumeration",
        }
    }

    /// The value as a formula, where it holds or not.
    pub(super) fn formula(&self) -> Option<Formula> {
        match self {
            Value::Truth(truth) => Some(Formula::constant(*truth)),
            Value::Formula(formula) => Some(formula.clone()),
            _ => None,
        }
    }
}

impl Bus {
    pub(super) fn signal(&self, at: usize) -> String {
        format!("{}_{at}", self.name)
    }

    pub(super) fn bit(&self, at: usize) -> Formula {
        Formula::proposition(self.signal(at))
    }
}
