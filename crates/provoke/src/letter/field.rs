//! One part of a letter: a name, what values it has, and the bits that hold them.

use std::fmt;
use std::ops::Range;

use super::kind::{Kind, Value};
use super::{Codes, Letter, Proposition, Sight, reversed};

/// A named part of the letters of an alphabet, such as a signal.
///
/// The first of its bits is the most significant: sets of letters decide bits in order, so that values that lie side by
/// side stay together.
#[derive(Clone, Debug)]
pub struct Field {
    name: String,
    kind: Kind,
    // invariant: disjoint from those of other fields, at most 64, and below `MAX_SIGNALS`.
    bits: Range<usize>,
    /// The number of its first proposition in the alphabet.
    first: usize,
    sight: Sight,
}

impl Field {
    /// The field behind others that end at this bit and with this proposition.
    pub(super) fn new(name: String, kind: Kind, bit: usize, first: usize) -> Field {
        Field { bits: bit..bit + kind.bits(), name, kind, first, sight: Sight::Whole }
    }

    /// The same field, of which so much is seen by those who are no monitors.
    pub(super) fn seen(self, sight: Sight) -> Field {
        Field { sight, ..self }
    }

    /// How much of it is seen by those who are no monitors.
    #[inline]
    pub fn sight(&self) -> Sight {
        self.sight
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
        Value(reversed(letter.code(&self.bits), self.bits.len()))
    }

    /// The letter with this value of it.
    #[inline]
    #[must_use]
    pub fn set(&self, letter: Letter, value: Value) -> Letter {
        letter.with_code(&self.bits, reversed(value.0, self.bits.len()))
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

    /// The number that a value is, where values are numbers.
    pub fn number(&self, value: Value) -> Option<i64> {
        self.kind.number(value)
    }

    /// The number that a value is, whole or not, where values are numbers.
    pub fn real(&self, value: Value) -> Option<f64> {
        self.kind.real(value)
    }

    /// The value that a number means, whole or not.
    pub fn of_real(&self, number: f64) -> Option<Value> {
        self.kind.of_real(number)
    }

    /// The number that stands for a number among its values, where they keep some of their digits only.
    pub(crate) fn nearest(&self, number: f64) -> f64 {
        self.kind.nearest(number)
    }

    /// Whether its values are numbers that need not be whole.
    pub fn is_real(&self) -> bool {
        self.kind.is_real()
    }

    /// How many of its values are less than a number, or at most it: values are in the order of their numbers.
    pub(crate) fn below(&self, number: f64, or_equal: bool) -> u64 {
        let number = self.nearest(number);
        let is_below =
            |at: u64| self.real(Value(at)).is_some_and(|value| value < number || or_equal && value == number);
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low + (high - low) / 2;
            if is_below(middle) { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The letters in which its value is one of the first so many, or of those from there on.
    pub(crate) fn codes_within(&self, places: Range<u64>) -> Option<Codes> {
        let last = places.end.checked_sub(1).filter(|last| *last >= places.start)?;
        Some(self.codes_between(Value(places.start), Value(last)))
    }

    /// The name of a value, where values have names.
    pub fn word(&self, value: Value) -> Option<&str> {
        self.kind.word(value)
    }

    /// The value that has this name, where values have names.
    pub fn of_word(&self, word: &str) -> Option<Value> {
        self.kind.of_word(word)
    }

    /// The least and the greatest of its values, where they are numbers.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        let last = self.count().checked_sub(1)?;
        Some((self.number(Value(0))?, self.number(Value(last))?))
    }

    /// The value as it stands behind `name=`.
    pub fn show(&self, value: Value) -> impl fmt::Display {
        fmt::from_fn(move |f| self.kind.write(value, f))
    }

    /// The value as JSON: a truth value, a number or a name in quotation marks.
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

    /// Whether a text that is no value of this field could be one if it had been declared with more of them.
    pub fn is_alike(&self, text: &str) -> bool {
        self.kind.is_alike(text)
    }

    /// The id of the implicit requirement that it keeps its range.
    pub fn range_id(&self) -> String {
        format!("range of {}", self.name)
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
        Codes::only(self.bits(), value.0).leading()
    }

    /// The letters in which it has a value from the first of these to the last.
    pub fn codes_between(&self, first: Value, last: Value) -> Codes {
        Codes { low: first.0, high: last.0, ..self.codes_of(first) }
    }

    /// What is to be seen of it where everything is: each value of a few, stretches of many.
    pub(super) fn elements(&self) -> Vec<Proposition> {
        const FEW: u64 = 64;
        const STRETCHES: u64 = 16;
        let count = self.count();
        let one = |first: u64, last: u64| {
            let name = match first == last {
                true => format!("{}={}", self.name, self.show(Value(first))),
                false => format!("{}={}..{}", self.name, self.show(Value(first)), self.show(Value(last))),
            };
            Proposition { name, codes: self.codes_between(Value(first), Value(last)) }
        };
        if count <= FEW {
            return (0..count).map(|at| one(at, at)).collect();
        }
        let part = |at: u64| u64::try_from(u128::from(count) * u128::from(at) / u128::from(STRETCHES));
        let ends: Vec<u64> = (0..=STRETCHES).filter_map(|at| part(at).ok()).collect();
        ends.windows(2).map(|ends| one(ends[0], ends[1] - 1)).collect()
    }

    /// The letters in which it has a value at all.
    pub(super) fn valid(&self) -> Codes {
        Codes::first(self.bits(), self.kind.count()).leading()
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        self.kind.count()
    }

    /// The value with this place among all, from 0.
    pub fn value(&self, at: u64) -> Value {
        Value(at)
    }

    /// The place of a value among all, from 0.
    pub fn place(&self, value: Value) -> u64 {
        value.0
    }

    /// The numbers of its propositions: one a bit.
    pub(super) fn propositions(&self) -> Range<usize> {
        self.first..self.first + self.bits.len()
    }

    /// Its proposition with this number in the alphabet: itself where it is Boolean, otherwise a bit of its code, called
    /// by the power of two that it stands for, `floor.2`.
    pub(super) fn proposition(&self, at: usize) -> Proposition {
        let bit = self.bits.start + at.saturating_sub(self.first);
        let codes = Codes::only(bit..bit + 1, 1).leading();
        match self.is_boolean() {
            true => Proposition { name: self.name.clone(), codes },
            false => Proposition { name: format!("{}.{}", self.name, self.bits.end - 1 - bit), codes },
        }
    }

    /// The bit of its code that stands for this power of two.
    pub(super) fn bit(&self, power: usize) -> Option<Codes> {
        let bit = self.bits.end.checked_sub(power + 1).filter(|bit| self.bits.contains(bit))?;
        (!self.is_boolean()).then(|| Codes::only(bit..bit + 1, 1).leading())
    }
}
