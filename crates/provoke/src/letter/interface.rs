//! Both alphabets of a system.

use super::{Alphabet, AlphabetError, Field, Sight};

/// What tester and system may say: the input and the output alphabet.
#[derive(Clone, Debug)]
pub struct Interface {
    /// What the tester sends.
    pub inputs: Alphabet,
    /// What the system answers.
    pub outputs: Alphabet,
}

impl Interface {
    /// Joins two alphabets; no signal may stand on both sides.
    pub fn new(inputs: Alphabet, outputs: Alphabet) -> Result<Interface, AlphabetError> {
        match inputs.fields().iter().find(|field| outputs.field(field.name()).is_some()) {
            Some(field) => Err(AlphabetError::OnBothSides(field.name().to_owned())),
            None => Ok(Interface { inputs, outputs }),
        }
    }

    /// An interface of Boolean signals.
    pub fn signals<S: Into<String>>(
        inputs: impl IntoIterator<Item = S>,
        outputs: impl IntoIterator<Item = S>,
    ) -> Result<Interface, AlphabetError> {
        Interface::new(Alphabet::signals(inputs)?, Alphabet::signals(outputs)?)
    }

    /// An interface of labels.
    pub fn labels<S: Into<String>>(
        inputs: impl IntoIterator<Item = S>,
        outputs: impl IntoIterator<Item = S>,
    ) -> Result<Interface, AlphabetError> {
        Interface::new(Alphabet::labels(inputs)?, Alphabet::labels(outputs)?)
    }

    /// What tester and system really say: without what is measured.
    pub fn said(&self) -> Interface {
        Interface { inputs: self.inputs.clone(), outputs: self.outputs.said() }
    }

    /// The output that is measured rather than said, if there is one.
    pub fn measured(&self) -> Option<&Field> {
        self.outputs.fields().iter().find(|field| field.sight() == Sight::Nothing)
    }

    /// Whether letters of either side are labels.
    pub fn has_labels(&self) -> bool {
        [&self.inputs, &self.outputs].iter().any(|side| side.as_labels().is_some())
    }

    /// Whether letters of both sides are valuations of Boolean signals.
    pub fn is_boolean(&self) -> bool {
        self.inputs.is_boolean() && self.outputs.is_boolean()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_on_one_side_only() {
        let wrong = |inputs: &[&str], outputs: &[&str]| {
            Interface::signals(inputs.to_vec(), outputs.to_vec()).unwrap_err()
        };
        assert_eq!(wrong(&["a"], &["a"]), AlphabetError::OnBothSides("a".into()));
        assert_eq!(wrong(&["a"], &["a"]).to_string(), "`a` is both an input and an output");
        assert_eq!(wrong(&["a", "a"], &[]).to_string(), "`a` is named twice");
        assert!(Interface::labels(["a"], ["a"]).is_ok());
    }
}
