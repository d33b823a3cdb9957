//! Texts of one record a line: the words with their places.

use std::ops::Range;

use crate::diagnostic::{Source, SpecError};

/// A word of a line and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
}

/// The words of one line, which are never none.
pub(super) struct Line<'a> {
    pub(super) words: Vec<Word<'a>>,
}

impl Line<'_> {
    /// From the first word to the last.
    pub(super) fn span(&self) -> Range<usize> {
        let start = self.words.first().map_or(0, |word| word.span.start);
        start..self.words.last().map_or(start, |word| word.span.end)
    }
}

/// The lines that are not blank; a word that starts with `comment` ends its line.
pub(super) fn lines<'a>(source: &'a Source, comment: &str) -> impl Iterator<Item = Line<'a>> {
    let text: &'a str = &source.text;
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let from = start;
        start += line.len();
        let words: Vec<Word<'a>> = line
            .split_ascii_whitespace()
            .take_while(|word| !word.starts_with(comment))
            .map(|word| {
                let at = from + (word.as_ptr() as usize - line.as_ptr() as usize);
                Word { text: word, span: at..at + word.len() }
            })
            .collect();
        (!words.is_empty()).then_some(Line { words })
    })
}

/// A number, or an error that says what it would have been.
pub(super) fn number(source: &Source, word: &Word<'_>, what: &str) -> Result<usize, SpecError> {
    word.text.parse().map_err(|_| {
        source.error(word.span.clone(), format!("expected {what}, a number, but found `{}`", word.text))
    })
}
