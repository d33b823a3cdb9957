//! One part of a letter: a name, what values it has, and the bits that hold them.

use std::fmt;
use std::ops::Range;

use super::kind::{Kind, Value};
use super::{Codes, Letter, Proposition};

/// A named part of the letters of an alphabet, such as a signal.
#[derive(Clone, Debug)]
pub struct Field {
    name: String,
    kind: Kind,
    // invariant: disjoint from those of other fields, at most 64, and below `MAX_SIGNALS`.
    bits: Range<usize>,
    /// The number of its first proposition in the alphabet.
    first: usize,
}

impl Field {
    /// The field behind others that end at this bit and with this proposition.
    pub(super) fn new(name: String, kind: Kind, bit: usize, first: usize) -> Field {
        Field { bits: bit..bit + kind.bits(), name, kind, first }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What values it has.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Where in a letter its value stands.
    pub fn bits(&self) -> Range<usize> {
        self.bits.clone()
    }

    /// Whether its values are true and false: then it is a proposition itself, and takes one bit.
    #[inline]
    pub fn is_boolean(&self) -> bool {
        self.kind == Kind::Boolean
    }

    /// Its value in a letter.
    #[inline]
    pub fn get(&self, letter: Letter) -> Value {
        Value(letter.code(&self.bits))
    }

    /// The letter with this value of it.
    #[inline]
    #[must_use]
    pub fn set(&self, letter: Letter, value: Value) -> Letter {
        letter.with_code(&self.bits, value.0)
    }

    /// The value that a truth value means, where it is Boolean.
    #[inline]
    pub fn of_truth(&self, truth: bool) -> Option<Value> {
        self.kind.of_truth(truth)
    }

    /// The truth value that a value is, where it is Boolean.
    pub fn truth(&self, value: Value) -> Option<bool> {
        self.kind.truth(value)
    }

    /// The value that a number means.
    pub fn of_number(&self, number: i64) -> Option<Value> {
        self.kind.of_number(number)
    }

    /// The value that has this name, where values have names.
    pub fn of_word(&self, word: &str) -> Option<Value> {
        self.kind.of_word(word)
    }

    /// The value as it stands behind `name=`.
    pub fn show(&self, value: Value) -> impl fmt::Display {
        fmt::from_fn(move |f| self.kind.write(value, f))
    }

    /// The value as JSON: a truth value or a number.
    pub fn show_json(&self, value: Value) -> impl fmt::Display {
        fmt::from_fn(move |f| self.kind.write_json(value, f))
    }

    /// Reads what [`show`](Field::show) wrote, and nothing else.
    pub fn parse(&self, text: &str) -> Option<Value> {
        self.kind.parse(text)
    }

    /// Reads a value in one of the spellings that other programs have for it.
    pub fn read(&self, text: &str) -> Option<Value> {
        self.kind.read(text)
    }

    /// The values that [`parse`](Field::parse) reads, in words.
    pub fn values(&self) -> String {
        self.kind.values()
    }

    /// The values that [`read`](Field::read) reads, in words.
    pub fn spellings(&self) -> String {
        self.kind.spellings()
    }

    /// The values that are read from JSON, in words.
    pub fn json_values(&self) -> String {
        self.kind.json_values()
    }

    /// The value that says least, such as false.
    pub fn simplest(&self) -> Value {
        self.kind.simplest()
    }

    /// How far a value is from the simplest one.
    pub fn weight(&self, value: Value) -> u64 {
        self.kind.weight(value)
    }

    /// A few values that are simpler than this one, the simplest first.
    pub fn simpler(&self, value: Value) -> Vec<Value> {
        self.kind.simpler(value)
    }

    /// The letters in which it has this value.
    pub fn codes_of(&self, value: Value) -> Codes {
        Codes::only(self.bits(), value.0)
    }

    /// The letters in which it has a value at all.
    pub(super) fn valid(&self) -> Codes {
        Codes::first(self.bits(), self.kind.count())
    }

    /// How many values there are.
    pub(super) fn count(&self) -> u64 {
        self.kind.count()
    }

    /// The value with this number, from 0.
    pub(super) fn value(&self, at: u64) -> Value {
        Value(at)
    }

    /// The numbers of its propositions: one where it is Boolean, otherwise one a value.
    pub(super) fn propositions(&self) -> Range<usize> {
        let count = if self.is_boolean() { 1 } else { usize::try_from(self.count()).unwrap_or(usize::MAX) };
        self.first..self.first.saturating_add(count)
    }

    /// Its proposition with this number in the alphabet.
    pub(super) fn proposition(&self, at: usize) -> Proposition {
        if self.is_boolean() {
            return Proposition { name: self.name.clone(), codes: Codes::only(self.bits(), 1) };
        }
        let value = Value(at.saturating_sub(self.first) as u64);
        Proposition { name: format!("{}={}", self.name, self.show(value)), codes: self.codes_of(value) }
    }
}
