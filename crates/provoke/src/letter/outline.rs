//! What is seen of letters by everybody but monitors, traces and reports.

use super::{Alphabet, Field, Letter};
use crate::letter::Value;

/// How much of a field is seen by those who guide a test, learn from it or compare runs. Monitors, traces and reports have
/// the whole of every letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sight {
    /// Its value.
    #[default]
    Whole,
    /// Nothing: it is measured rather than said, and would not be the same if everything else were.
    Nothing,
}

impl Sight {
    /// The value that is seen instead of another one.
    fn of(self, field: &Field, value: Value) -> Value {
        match self {
            Sight::Whole => value,
            Sight::Nothing => field.simplest(),
        }
    }
}

/// The letters of an alphabet as they are seen where not all of them is.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    // invariant: the fields that are not seen as a whole.
    fields: Box<[Field]>,
}

impl Outline {
    /// How letters of this alphabet are seen.
    pub fn new(alphabet: &Alphabet) -> Outline {
        let blurred = alphabet.fields().iter().filter(|field| field.sight() != Sight::Whole);
        Outline { fields: blurred.cloned().collect() }
    }

    /// Whether all of every letter is seen.
    #[inline]
    pub fn is_whole(&self) -> bool {
        self.fields.is_empty()
    }

    /// What is seen of a letter: letters that look the same are the same here.
    #[inline]
    pub fn of(&self, letter: Letter) -> Letter {
        self.fields
            .iter()
            .fold(letter, |letter, field| field.set(letter, field.sight().of(field, field.get(letter))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::Kind;

    #[test]
    fn what_is_measured_is_not_seen() {
        let plain = Alphabet::signals(["a"]).unwrap();
        let alphabet = plain.measuring("time", Kind::Number { low: 0, high: 9 }).unwrap();
        let outline = Outline::new(&alphabet);
        let [one, other] = ["a=1 time=3", "a=1 time=9"].map(|text| alphabet.parse(text).unwrap());
        assert!(one != other && outline.of(one) == outline.of(other));
        assert_eq!(alphabet.show(outline.of(one)).to_string(), "a=1 time=0");
        assert!(outline.of(alphabet.parse("a=0 time=3").unwrap()) != outline.of(one));
        assert!(Outline::new(&plain).is_whole() && !outline.is_whole());
        // Bits of what is said are the same with and without what is measured.
        assert_eq!(plain.parse("a=1").unwrap(), outline.of(one));
        assert_eq!(alphabet.said().names().collect::<Vec<_>>(), ["a"]);
    }
}
