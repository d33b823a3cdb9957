//! Letters as text, field by field.

use std::fmt;

use super::{Alphabet, Field, Letter, LetterError, LetterSet, Sight};

/// Longer lists of letters are not written out.
pub const LISTED: u64 = 16;

impl Alphabet {
    /// The letter as text: `a=1 b=0`, or the label.
    pub fn show(&self, letter: Letter) -> Shown<'_> {
        Shown { alphabet: self, letter }
    }

    /// A set of letters in words: all of them where they are few, otherwise how many and one of them.
    pub fn show_set(&self, letters: &LetterSet, what: &str) -> String {
        let show = |letter: Letter| self.show(letter).to_string();
        match letters.count().to_u64() {
            Some(0) => format!("no {what}"),
            Some(count) if count <= LISTED => letters.iter().map(show).collect::<Vec<_>>().join(" | "),
            _ => {
                let example = letters.iter().next().map(show).unwrap_or_default();
                format!("{} {what}s, such as {example}", letters.count())
            }
        }
    }

    /// Reads what [`show`](Alphabet::show) wrote of a letter. Every field must be given once.
    pub fn parse(&self, text: &str) -> Result<Letter, LetterError> {
        self.parse_by(
            text,
            |_| false,
            |letter, at, value| {
                let field = &self.fields()[at];
                field.parse(value).map(|value| field.set(letter, value))
            },
        )
    }

    /// The same of what a system answered, which may be [astray](Alphabet::strayed).
    pub fn parse_answer(&self, text: &str) -> Result<Letter, LetterError> {
        self.parse_by(text, |_| false, |letter, at, value| self.taking(letter, at, value))
    }

    /// The same where what is measured may be missing: it was not spoken of when this was written.
    pub fn parse_said(&self, text: &str) -> Result<Letter, LetterError> {
        let is_measured = |field: &Field| field.sight() == Sight::Nothing;
        self.parse_by(text, is_measured, |letter, at, value| self.taking(letter, at, value))
    }

    fn parse_by(
        &self,
        text: &str,
        optional: impl Fn(&Field) -> bool,
        taking: impl Fn(Letter, usize, &str) -> Option<Letter>,
    ) -> Result<Letter, LetterError> {
        if self.as_labels().is_some() {
            return self.label(text.trim());
        }
        let mut letter = Letter::default();
        let mut seen = Letter::default();
        for pair in text.split_whitespace() {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(LetterError::NotAPair(pair.to_owned()));
            };
            let at = self.position(name).ok_or_else(|| self.unknown("signal", name))?;
            let Some(taken) = taking(letter, at, value) else {
                let values = self.fields()[at].values();
                return Err(LetterError::NotAValue { pair: pair.to_owned(), values });
            };
            if seen.get(at) {
                return Err(LetterError::GivenTwice(name.to_owned()));
            }
            seen = seen.with(at, true);
            letter = taken;
        }
        match self.fields().iter().enumerate().find(|&(at, field)| !seen.get(at) && !optional(field)) {
            Some((_, missing)) => Err(LetterError::Missing(missing.name().to_owned())),
            None => Ok(letter),
        }
    }
}

/// A letter on its way to text; see [`Alphabet::show`].
pub struct Shown<'a> {
    alphabet: &'a Alphabet,
    letter: Letter,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(labels) = self.alphabet.as_labels() {
            return f.write_str(labels.name(self.letter).unwrap_or("?"));
        }
        let is_stray = self.alphabet.is_stray(self.letter);
        for (at, field) in self.alphabet.fields().iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            match is_stray {
                false => write!(f, "{space}{}={}", field.name(), field.show(field.get(self.letter)))?,
                true => write!(f, "{space}{}={}", field.name(), self.alphabet.value_shown(self.letter, at))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn letters_are_written_and_read_back() {
        let alphabet = Alphabet::signals(["bwdlimit", "cargo"]).unwrap();
        let letter = alphabet.parse("cargo=1 bwdlimit=0").unwrap();
        assert_eq!(alphabet.show(letter).to_string(), "bwdlimit=0 cargo=1");
        let wrong = |text: &str| alphabet.parse(text).unwrap_err();
        assert_eq!(wrong("cargo=1"), LetterError::Missing("bwdlimit".into()));
        assert_eq!(wrong("cargo=1").to_string(), "signal `bwdlimit` is missing");
        assert_eq!(
            wrong("cargo=1 bwdlimt=0").to_string(),
            "unknown signal `bwdlimt` (did you mean `bwdlimit`?)"
        );
        assert_eq!(wrong("z=1").to_string(), "unknown signal `z`");
        assert_eq!(wrong("cargo=1 cargo=1").to_string(), "signal `cargo` is given twice");
        assert_eq!(wrong("cargo=2").to_string(), "`cargo=2`: a signal is 0 or 1");
        assert_eq!(wrong("cargo").to_string(), "`cargo` is not of the form name=0 or name=1");
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read(words in any::<[u64; 4]>(), signals in 0usize..=256) {
            let alphabet = Alphabet::signals((0..signals).map(|at| format!("s{at}"))).unwrap();
            let all = Letter::from_words(words);
            let letter = (0..signals).fold(Letter::default(), |letter, at| letter.with(at, all.get(at)));
            prop_assert_eq!(alphabet.parse(&alphabet.show(letter).to_string()), Ok(letter));
        }

        #[test]
        fn no_text_panics(text in "[ab=01 \\PC]{0,12}") {
            let _ = Alphabet::signals(["a", "b"]).unwrap().parse(&text);
            let _ = Alphabet::open_labels(["a", "b"]).unwrap().parse(&text);
        }
    }
}
