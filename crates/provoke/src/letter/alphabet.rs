//! The names of letters, and how a letter is written and read.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Letter, MAX_SIGNALS};
use crate::diagnostic::nearest;

/// The letters of one direction: valuations of named Boolean signals, or named labels.
#[derive(Clone, Debug)]
pub struct Alphabet {
    names: Arc<[String]>,
    by_name: Arc<FxHashMap<String, usize>>,
    labelled: bool,
}

impl Alphabet {
    /// Letters that are valuations of these signals.
    pub fn signals<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Result<Alphabet, String> {
        let alphabet = Alphabet::new(names, false)?;
        if alphabet.names.len() > MAX_SIGNALS {
            return Err(format!(
                "{} signals in one direction; at most {MAX_SIGNALS} are supported",
                alphabet.names.len()
            ));
        }
        Ok(alphabet)
    }

    /// Letters that are these labels.
    pub fn labels<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Result<Alphabet, String> {
        Alphabet::new(names, true)
    }

    fn new<S: Into<String>>(names: impl IntoIterator<Item = S>, labelled: bool) -> Result<Alphabet, String> {
        let names: Arc<[String]> = names.into_iter().map(Into::into).collect();
        let mut by_name = FxHashMap::default();
        for (at, name) in names.iter().enumerate() {
            if by_name.insert(name.clone(), at).is_some() {
                return Err(format!("`{name}` is named twice"));
            }
        }
        Ok(Alphabet { names, by_name: Arc::new(by_name), labelled })
    }

    /// Whether letters are labels rather than valuations.
    pub fn is_labelled(&self) -> bool {
        self.labelled
    }

    /// The signals' or labels' names, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The position of a signal or label.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// How many bits tell the letters apart: one a signal, or the length of a label's code.
    pub fn bits(&self) -> usize {
        match self.labelled {
            false => self.names.len(),
            true => (usize::BITS - self.names.len().saturating_sub(1).leading_zeros()) as usize,
        }
    }

    /// The letter as text: `a=1 b=0`, or the label.
    pub fn show(&self, letter: Letter) -> Shown<'_> {
        Shown { alphabet: self, letter }
    }

    /// Reads what [`show`](Alphabet::show) wrote. Every signal must be given once.
    pub fn parse(&self, text: &str) -> Result<Letter, String> {
        if self.labelled {
            let name = text.trim();
            return match self.position(name) {
                Some(at) => Ok(Letter::from_index(at as u64)),
                None => Err(self.unknown("label", name)),
            };
        }
        let mut letter = Letter::default();
        let mut seen = Letter::default();
        for pair in text.split_whitespace() {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(format!("`{pair}` is not of the form name=0 or name=1"));
            };
            let at = self.position(name).ok_or_else(|| self.unknown("signal", name))?;
            let value = match value {
                "0" => false,
                "1" => true,
                _ => return Err(format!("`{pair}`: a signal is 0 or 1")),
            };
            if seen.get(at) {
                return Err(format!("signal `{name}` is given twice"));
            }
            seen = seen.with(at, true);
            letter = letter.with(at, value);
        }
        match (0..self.names.len()).find(|&at| !seen.get(at)) {
            Some(missing) => Err(format!("signal `{}` is missing", self.names[missing])),
            None => Ok(letter),
        }
    }

    /// The message for a name that is not in the alphabet, with the nearest one that is.
    pub fn unknown(&self, what: &str, name: &str) -> String {
        match nearest(name, self.names.iter().map(String::as_str)) {
            Some(near) => format!("unknown {what} `{name}` (did you mean `{near}`?)"),
            None => format!("unknown {what} `{name}`"),
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
        let names = self.alphabet.names();
        if self.alphabet.labelled {
            return f.write_str(names.get(self.letter.index() as usize).map_or("?", String::as_str));
        }
        for (at, name) in names.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{name}={}", u8::from(self.letter.get(at)))?;
        }
        Ok(())
    }
}

/// What tester and system may say: the input and the output alphabet.
#[derive(Clone, Debug)]
pub struct Interface {
    /// What the tester sends.
    pub inputs: Alphabet,
    /// What the system answers.
    pub outputs: Alphabet,
}

impl Interface {
    /// Joins two alphabets; no name may stand on both sides.
    pub fn new(inputs: Alphabet, outputs: Alphabet) -> Result<Interface, String> {
        let both_signals = !inputs.labelled && !outputs.labelled;
        if let Some(name) =
            inputs.names().iter().find(|name| both_signals && outputs.position(name).is_some())
        {
            return Err(format!("`{name}` is both an input and an output"));
        }
        Ok(Interface { inputs, outputs })
    }

    /// An interface of Boolean signals.
    pub fn signals<S: Into<String>>(
        inputs: impl IntoIterator<Item = S>,
        outputs: impl IntoIterator<Item = S>,
    ) -> Result<Interface, String> {
        Interface::new(Alphabet::signals(inputs)?, Alphabet::signals(outputs)?)
    }

    /// An interface of labels.
    pub fn labels<S: Into<String>>(
        inputs: impl IntoIterator<Item = S>,
        outputs: impl IntoIterator<Item = S>,
    ) -> Result<Interface, String> {
        Interface::new(Alphabet::labels(inputs)?, Alphabet::labels(outputs)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_written_and_read_back() {
        let alphabet = Alphabet::signals(["bwdlimit", "cargo"]).unwrap();
        let letter = alphabet.parse("cargo=1 bwdlimit=0").unwrap();
        assert_eq!(alphabet.show(letter).to_string(), "bwdlimit=0 cargo=1");
        assert_eq!(alphabet.parse("cargo=1").unwrap_err(), "signal `bwdlimit` is missing");
        assert_eq!(
            alphabet.parse("cargo=1 bwdlimt=0").unwrap_err(),
            "unknown signal `bwdlimt` (did you mean `bwdlimit`?)"
        );
        assert_eq!(alphabet.parse("cargo=1 cargo=1").unwrap_err(), "signal `cargo` is given twice");
    }

    #[test]
    fn labels_take_as_many_bits_as_their_codes() {
        let bits = |count: usize| Alphabet::labels((0..count).map(|at| at.to_string())).unwrap().bits();
        assert_eq!([bits(1), bits(2), bits(3), bits(4), bits(5)], [0, 1, 2, 2, 3]);
    }

    #[test]
    fn a_name_stands_on_one_side_only() {
        assert!(Interface::signals(["a"], ["a"]).is_err());
        assert!(Alphabet::signals(["a", "a"]).is_err());
        assert!(Alphabet::signals((0..257).map(|at| at.to_string())).is_err());
    }
}
