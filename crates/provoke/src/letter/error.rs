//! What can be wrong with an alphabet, and with the text of a letter.

use super::{MAX_LABELS, MAX_SIGNALS};

/// Why names are not an alphabet, or two alphabets are not an interface.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AlphabetError {
    /// Two signals or two labels have the same name.
    #[error("`{0}` is named twice")]
    NamedTwice(String),
    /// More signals than a letter has room for.
    #[error("{0} signals in one direction; at most {MAX_SIGNALS} are supported")]
    TooManySignals(usize),
    /// Fields that together need more bits than a letter has.
    #[error("the signals of one direction take {bits} bits, and at most {MAX_SIGNALS} are supported: {by}")]
    TooManyBits {
        /// How many.
        bits: usize,
        /// Which fields take most, in words.
        by: String,
    },
    /// More labels than are reserved for an open alphabet.
    #[error("{0} labels in an open alphabet; at most {MAX_LABELS} are supported")]
    TooManyLabels(usize),
    /// A signal of this name stands on both sides.
    #[error("`{0}` is both an input and an output")]
    OnBothSides(String),
}

/// Why a text is not a letter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LetterError {
    /// A name that the alphabet does not have.
    #[error("unknown {what} `{name}`{}", suggestion(near))]
    Unknown {
        /// What it was taken for: a signal, a label.
        what: String,
        /// As it was written.
        name: String,
        /// The name of the alphabet that was most likely meant.
        near: Option<String>,
    },
    /// A part of the text that gives no value to a name.
    #[error("`{0}` is not of the form name=0 or name=1")]
    NotAPair(String),
    /// A value that the signal does not have.
    #[error("`{pair}`: a signal is {values}")]
    NotAValue {
        /// As it was written.
        pair: String,
        /// The values that there are.
        values: String,
    },
    /// A signal that has two values.
    #[error("signal `{0}` is given twice")]
    GivenTwice(String),
    /// A signal that has none.
    #[error("signal `{0}` is missing")]
    Missing(String),
    /// A label that is new to an open alphabet in which all codes are taken.
    #[error("label `{0}` is one too many: an open alphabet has room for {MAX_LABELS}")]
    Full(String),
}

fn suggestion(near: &Option<String>) -> String {
    near.as_ref().map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"))
}
