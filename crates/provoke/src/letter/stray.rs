//! Answers that are no letters: a number out of its range, a name that was not declared.
//!
//! The bits that say which of them a letter is lie above those of all fields. A letter that strays holds what was said
//! well in its fields, and by its number the texts of what was not.

use std::sync::{Arc, PoisonError, RwLock};

use super::{Alphabet, Field, Letter, MAX_SIGNALS, Sight};

/// How many bits number the answers that stray; none of them where nothing does.
const NUMBER: usize = 16;

/// The texts of the fields that stray, by their places.
type Texts = Arc<[(usize, Arc<str>)]>;

/// What was met so far, each by its number from 1 on.
#[derive(Debug, Default)]
pub(super) struct Strays(RwLock<Vec<Texts>>);

impl Strays {
    fn texts(&self, number: u64) -> Option<Texts> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.get(number.checked_sub(1)? as usize).cloned()
    }

    /// The number of these texts; none where all numbers are taken.
    fn number(&self, texts: Texts) -> Option<u64> {
        const LAST: usize = (1 << NUMBER) - 1;
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let place = known.iter().position(|known| *known == texts).unwrap_or(known.len());
        if place == known.len() && place < LAST {
            known.push(texts);
        }
        // invariant: those beyond the last number share it, so that no answer is lost; they are told as the first of them.
        Some((place + 1).min(LAST) as u64)
    }
}

impl Letter {
    const fn stray(self) -> u64 {
        self.words[3] >> (u64::BITS as usize - NUMBER)
    }
}

impl Alphabet {
    /// Whether letters can hold what strays: some field has a range, and there is room for a number beside the fields.
    pub fn can_stray(&self) -> bool {
        self.strays().is_some() && self.bits() + NUMBER <= MAX_SIGNALS
    }

    /// The fields that have a range, with their places.
    pub fn ranged(&self) -> impl Iterator<Item = (usize, &Field)> {
        self.fields()
            .iter()
            .enumerate()
            .filter(|(_, field)| !field.is_boolean() && field.sight() == Sight::Whole)
    }

    /// Whether a letter stands for an answer that is none.
    #[inline]
    pub fn is_stray(&self, letter: Letter) -> bool {
        letter.stray() != 0 && self.can_stray()
    }

    /// The places of the fields that stray in a letter, with what was said of them.
    pub fn strayed(&self, letter: Letter) -> Vec<(usize, Arc<str>)> {
        let texts =
            self.strays().filter(|_| self.is_stray(letter)).and_then(|known| known.texts(letter.stray()));
        texts.map(|texts| texts.to_vec()).unwrap_or_default()
    }

    /// The letter in which a field is what a text says: a value of it, or something that could have been one had it been
    /// declared with more of them. None for other texts.
    pub fn taking(&self, letter: Letter, at: usize, text: &str) -> Option<Letter> {
        let field = self.fields().get(at)?;
        match field.parse(text) {
            Some(value) => Some(field.set(letter, value)),
            None => self.straying(letter, at, text),
        }
    }

    /// The letter in which a field strays, where a text could be a value of another field of its kind.
    #[cold]
    pub fn straying(&self, letter: Letter, at: usize, text: &str) -> Option<Letter> {
        let field = self.fields().get(at)?;
        if !field.is_alike(text) || !self.can_stray() {
            return None;
        }
        let mut texts = self.strayed(letter);
        texts.retain(|(known, _)| *known != at);
        texts.push((at, text.into()));
        texts.sort_unstable_by_key(|(at, _)| *at);
        let number = self.strays()?.number(texts.into())?;
        let mut letter = field.set(letter, field.simplest());
        letter.words[3] = letter.words[3] << NUMBER >> NUMBER | number << (u64::BITS as usize - NUMBER);
        Some(letter)
    }

    /// What stands behind `name=` for a field of a letter: its value, or what was said where that is none.
    pub fn value_shown(&self, letter: Letter, at: usize) -> String {
        if self.is_stray(letter)
            && let Some((_, text)) = self.strayed(letter).into_iter().find(|(known, _)| *known == at)
        {
            return text.to_string();
        }
        self.fields().get(at).map_or_else(String::new, |field| field.show(field.get(letter)).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::Kind;

    fn alphabet() -> Alphabet {
        let fields = [
            ("x", Kind::Boolean),
            ("floor", Kind::Number { low: 0, high: 7 }),
            ("motor", Kind::enumeration(["up", "down"])),
        ];
        Alphabet::of_fields(fields).unwrap()
    }

    #[test]
    fn what_strays_is_shown_as_it_was_said_and_read_again() {
        let alphabet = alphabet();
        for text in ["x=1 floor=8 motor=up", "x=0 floor=-1 motor=sideways", "x=0 floor=3 motor=left"] {
            let letter = alphabet.parse_said(text).unwrap();
            assert!(alphabet.is_stray(letter) && alphabet.parse(text).is_err());
            assert_eq!(alphabet.show(letter).to_string(), text);
            assert_eq!(alphabet.parse_said(text), Ok(letter));
        }
        let both = alphabet.parse_said("x=0 floor=99999999999999999999 motor=sideways").unwrap();
        let places: Vec<usize> = alphabet.strayed(both).into_iter().map(|(at, _)| at).collect();
        assert_eq!(places, [1, 2]);
        assert!(!alphabet.is_stray(alphabet.parse("x=1 floor=7 motor=down").unwrap()));
    }

    #[test]
    fn what_is_no_value_at_all_does_not_stray() {
        let alphabet = alphabet();
        for text in [
            "x=2 floor=1 motor=up",
            "x=1 floor=abc motor=up",
            "x=1 floor=1.5 motor=up",
            "x=1 floor=1 motor=7",
        ] {
            assert!(alphabet.parse_said(text).is_err(), "{text}");
        }
        assert!(!Alphabet::signals(["a"]).unwrap().can_stray());
    }

    #[test]
    fn beyond_the_last_number_everything_is_still_astray() {
        let alphabet = alphabet();
        let letters: Vec<Letter> = (0..1usize << 10)
            .map(|at| alphabet.straying(Letter::default(), 1, &(8 + at).to_string()).unwrap())
            .collect();
        assert!(letters.iter().all(|&letter| alphabet.is_stray(letter)));
        let strays = Strays::default();
        *strays.0.write().unwrap() =
            (0..1 << 16).map(|at: usize| -> Texts { [(at, "9".into())].into() }).collect();
        assert_eq!(strays.number([(0, Arc::from("10"))].into()), Some((1 << 16) - 1));
    }
}
