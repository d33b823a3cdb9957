//! Which letters are simple, for stories that are made simpler.

use super::field::Field;
use super::{Alphabet, Letter, Value};

/// So many earlier labels are tried in place of one.
const EARLIER: usize = 8;

/// A way to make a letter simpler.
#[derive(Clone, Debug)]
pub struct Simpler<'a>(Way<'a>);

#[derive(Clone, Debug)]
enum Way<'a> {
    Whole(Letter),
    Field(&'a Field, Value),
}

impl Simpler<'_> {
    /// The letter made simpler in this way; what is simpler already stays as it is.
    #[must_use]
    pub fn of(&self, letter: Letter) -> Letter {
        match &self.0 {
            Way::Whole(simpler) => *simpler,
            Way::Field(field, value) if field.weight(*value) < field.weight(field.get(letter)) => {
                field.set(letter, *value)
            }
            Way::Field(..) => letter,
        }
    }
}

impl Alphabet {
    /// The letter that says least: every signal false, or the first label.
    pub fn simplest(&self) -> Letter {
        self.fields().iter().fold(Letter::default(), |letter, field| field.set(letter, field.simplest()))
    }

    /// How far a letter is from the simplest one: how many signals are true, or how many labels come before it.
    pub fn weight(&self, letter: Letter) -> u64 {
        match self.as_labels() {
            Some(_) => letter.index(),
            None => self
                .fields()
                .iter()
                .fold(0, |sum: u64, field| sum.saturating_add(field.weight(field.get(letter)))),
        }
    }

    /// Ways to make a letter simpler: the simplest one instead, then field by field; or labels that come earlier.
    pub fn simpler(&self, letter: Letter) -> Vec<Simpler<'_>> {
        if let Some(labels) = self.as_labels() {
            // Codes of families are far apart, and not every code is a label.
            let earlier = labels.iter().map(|(label, _)| label).take_while(|label| *label < letter);
            return earlier.take(EARLIER).map(|label| Simpler(Way::Whole(label))).collect();
        }
        let simpler = |field: &Field| field.simpler(field.get(letter));
        let by_field = self
            .fields()
            .iter()
            .flat_map(|field| simpler(field).into_iter().map(move |value| Simpler(Way::Field(field, value))));
        std::iter::once(Simpler(Way::Whole(self.simplest()))).chain(by_field).collect()
    }

    /// All letters in order, where there are at most so many; of an open alphabet, those met so far.
    pub fn letters(&self, most: u64) -> Option<Vec<Letter>> {
        if let Some(labels) = self.as_labels() {
            let few = labels.len() as u64 <= most;
            return few.then(|| labels.iter().map(|(label, _)| label).collect());
        }
        let mut counts = self.fields().iter().map(Field::count);
        let count = counts.try_fold(1, u64::checked_mul).filter(|&count| count <= most)?;
        let letter = |mut rank: u64| {
            self.fields().iter().fold(Letter::default(), |letter, field| {
                let value = field.value(rank % field.count());
                rank /= field.count();
                field.set(letter, value)
            })
        };
        Some((0..count).map(letter).collect())
    }

    /// Letters in the order of how simple they are, as far as there is one: labels in order; or the simplest letter, and
    /// then those in which one field has another value.
    pub fn simple(&self) -> impl Iterator<Item = Letter> {
        let labels = self.as_labels().into_iter().flat_map(|labels| labels.iter().map(|(label, _)| label));
        let simplest = self.simplest();
        let others = self
            .fields()
            .iter()
            .flat_map(move |field| others(field).into_iter().map(move |value| field.set(simplest, value)));
        let first = self.as_labels().is_none().then_some(simplest);
        labels.chain(first).chain(others)
    }
}

/// Other values than the simplest one, those beside it first, then those in the middle and at the ends.
fn others(field: &Field) -> Vec<Value> {
    let (count, simplest) = (field.count(), field.place(field.simplest()));
    let mut places: Vec<u64> = Vec::new();
    let reach = (EARLIER as u64).min(count);
    let near = (1..=reach).flat_map(|far| [simplest.checked_add(far), simplest.checked_sub(far)]).flatten();
    for place in near.chain([count / 2, 0, count.saturating_sub(1)]) {
        if place < count && place != simplest && !places.contains(&place) {
            places.push(place);
        }
    }
    places.into_iter().map(|place| field.value(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::Kind;

    fn shown(alphabet: &Alphabet, letters: impl IntoIterator<Item = Letter>) -> Vec<String> {
        letters.into_iter().map(|letter| alphabet.show(letter).to_string()).collect()
    }

    #[test]
    fn signals_are_set_to_false_one_by_one() {
        let alphabet = Alphabet::signals(["a", "b", "c"]).unwrap();
        let letter = Letter::from_index(0b101);
        let simpler = alphabet.simpler(letter).into_iter().map(|way| way.of(letter));
        assert_eq!(shown(&alphabet, simpler), ["a=0 b=0 c=0", "a=0 b=0 c=1", "a=1 b=0 c=0"]);
        assert_eq!(alphabet.weight(letter), 2);
        let indices = |letters: Vec<Letter>| letters.into_iter().map(Letter::index).collect::<Vec<_>>();
        assert_eq!(indices(alphabet.letters(8).unwrap()), (0..8).collect::<Vec<_>>());
        assert!(alphabet.letters(7).is_none());
        assert_eq!(indices(alphabet.simple().collect()), [0, 1, 2, 4]);
        let wide = Alphabet::signals((0..256).map(|at| at.to_string())).unwrap();
        assert!(wide.letters(u64::MAX).is_none());
        assert_eq!(wide.simple().count(), 257);
        assert_eq!(Alphabet::signals([""; 0]).unwrap().letters(1), Some(vec![Letter::default()]));
    }

    #[test]
    fn labels_become_earlier_ones() {
        let alphabet = Alphabet::labels((0..20).map(|at| at.to_string())).unwrap();
        let simpler = |at: u64| {
            let letter = Letter::from_index(at);
            shown(&alphabet, alphabet.simpler(letter).into_iter().map(|way| way.of(letter)))
        };
        assert_eq!(simpler(2), ["0", "1"]);
        assert_eq!(simpler(19), ["0", "1", "2", "3", "4", "5", "6", "7"]);
        assert_eq!(alphabet.weight(Letter::from_index(19)), 19);
        assert_eq!(alphabet.simple().count(), 20);
        assert_eq!(alphabet.letters(20).unwrap().len(), 20);
        assert!(alphabet.letters(19).is_none());
    }

    #[test]
    fn numbers_come_closer_to_zero() {
        let number = |low, high| Alphabet::of_fields([("n", Kind::Number { low, high })]).unwrap();
        let simpler = |alphabet: &Alphabet, text: &str| {
            let letter = alphabet.parse(text).unwrap();
            shown(alphabet, alphabet.simpler(letter).into_iter().map(|way| way.of(letter)))
        };
        assert_eq!(simpler(&number(-9, 9), "n=8"), ["n=0", "n=0", "n=4", "n=7"]);
        assert_eq!(simpler(&number(-9, 9), "n=-8"), ["n=0", "n=0", "n=-4", "n=-7"]);
        assert_eq!(simpler(&number(3, 9), "n=4"), ["n=3", "n=3"]);
        // What became simpler in one way is not made less simple by the next.
        let alphabet = number(0, 9);
        let (eight, one) = (alphabet.parse("n=8").unwrap(), alphabet.parse("n=1").unwrap());
        let ways = alphabet.simpler(eight);
        assert_eq!(ways.last().unwrap().of(one), one);
    }
}
