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
    /// Fields of numbers that need not be whole, with the places at which something changes: between two of them all
    /// values look the same.
    regions: Box<[(Field, Box<[u64]>)]>,
}

impl Outline {
    /// How letters of this alphabet are seen.
    pub fn new(alphabet: &Alphabet) -> Outline {
        let blurred = alphabet.fields().iter().filter(|field| field.sight() != Sight::Whole);
        let region = |(at, field): (usize, &Field)| {
            let cuts = alphabet.cuts(at).map(|cuts| cuts.iter().copied().collect());
            field.is_real().then(|| (field.clone(), cuts.unwrap_or_default()))
        };
        let regions = alphabet.fields().iter().enumerate().filter_map(region).collect();
        Outline { fields: blurred.cloned().collect(), regions }
    }

    /// Whether all of every letter is seen.
    #[inline]
    pub fn is_whole(&self) -> bool {
        self.fields.is_empty() && self.regions.is_empty()
    }

    /// What is seen of a letter: letters that look the same are the same here.
    #[inline]
    pub fn of(&self, letter: Letter) -> Letter {
        let letter = self
            .fields
            .iter()
            .fold(letter, |letter, field| field.set(letter, field.sight().of(field, field.get(letter))));
        self.regions.iter().fold(letter, |letter, (field, cuts)| {
            let place = field.place(field.get(letter));
            let behind = cuts.partition_point(|cut| *cut <= place);
            let first = behind.checked_sub(1).map_or(0, |at| cuts[at]);
            field.set(letter, field.value(first))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::Kind;

    #[test]
    fn numbers_between_constants_look_the_same() {
        let (low, high) = crate::letter::Finite::ALL;
        let real = Kind::Real { low, high, digits: crate::letter::ALL_DIGITS };
        let plain = Alphabet::of_fields([("a", Kind::Boolean), ("t", real)]).unwrap();
        let field = plain.field("t").unwrap();
        let cuts = [field.below(20.5, false), field.below(20.5, true)];
        let alphabet = plain.with_hidden(&["{t > prev(t)}".to_owned()], &[(1, cuts.into())].into()).unwrap();
        let outline = Outline::new(&alphabet);
        let seen = |text: &str| outline.of(alphabet.parse(text).unwrap());
        assert!(seen("a=0 t=20.25") == seen("a=0 t=-3") && seen("a=0 t=20.75") == seen("a=0 t=1e9"));
        assert!(seen("a=0 t=20.25") != seen("a=0 t=20.5") && seen("a=0 t=20.5") != seen("a=0 t=20.75"));
        assert!(seen("a=0 t=1") != seen("a=1 t=1"));
        // What letters say themselves is seen.
        let bit = alphabet.bits() - 1;
        assert_eq!(bit, plain.bits());
        assert!(outline.of(Letter::default().with(bit, true)) != outline.of(Letter::default()));
        assert_eq!(alphabet.proposition("{t > prev(t)}").map(|codes| codes.bits), Some(bit..bit + 1));
        assert_eq!(alphabet.names().collect::<Vec<_>>(), ["a", "t"]);
    }

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
