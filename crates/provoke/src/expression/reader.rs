//! Walking along the tokens of a text; what expressions and model files are read with.

use std::ops::Range;
use std::sync::Arc;

use super::show::RESERVED;
use super::token::{Token, tokens};
use crate::diagnostic::{Source, SpecError};

pub(crate) struct Reader<'a> {
    pub(crate) source: &'a Source,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    /// How many expressions that are being read contain the place.
    pub(super) nesting: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(source: &'a Source, span: Range<usize>) -> Result<Reader<'a>, SpecError> {
        Ok(Reader { source, tokens: tokens(source, span)?, at: 0, nesting: 0 })
    }

    /// The token that comes `ahead` tokens later, and its place; the end comes again and again.
    pub(super) fn ahead(&self, ahead: usize) -> &(Token, Range<usize>) {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(crate) fn token(&self) -> &Token {
        &self.ahead(0).0
    }

    pub(crate) fn place(&self) -> Range<usize> {
        self.ahead(0).1.clone()
    }

    pub(crate) fn advance(&mut self) -> Range<usize> {
        let place = self.place();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        place
    }

    pub(crate) fn at_end(&self) -> bool {
        *self.token() == Token::End
    }

    /// Where the last token ended that was taken.
    pub(crate) fn end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |before| self.tokens[before].1.end)
    }

    /// The word that comes `ahead` tokens later, or nothing where that is no word.
    pub(super) fn word_ahead(&self, ahead: usize) -> Option<&'a str> {
        match self.ahead(ahead) {
            (Token::Word, place) => Some(&self.source.text[place.clone()]),
            _ => None,
        }
    }

    pub(crate) fn word(&self) -> Option<&'a str> {
        self.word_ahead(0)
    }

    pub(super) fn is_sign_ahead(&self, ahead: usize, sign: &str) -> bool {
        matches!(self.ahead(ahead).0, Token::Sign(found) if found == sign)
    }

    pub(crate) fn is_sign(&self, sign: &str) -> bool {
        self.is_sign_ahead(0, sign)
    }

    pub(crate) fn take_sign(&mut self, sign: &str) -> bool {
        let is = self.is_sign(sign);
        if is {
            self.advance();
        }
        is
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let is = self.word() == Some(word);
        if is {
            self.advance();
        }
        is
    }

    pub(crate) fn expect_sign(&mut self, sign: &str, after: &str) -> Result<(), SpecError> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}` {after}"))) }
    }

    pub(crate) fn expect_word(&mut self, word: &str, after: &str) -> Result<(), SpecError> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}` {after}"))) }
    }

    /// Takes what closes a bracket that stands at `open`.
    pub(super) fn close(&mut self, sign: &str, open: Range<usize>) -> Result<(), SpecError> {
        if self.take_sign(sign) {
            return Ok(());
        }
        if self.at_end() {
            let error = self.source.error(open, "this bracket is never closed");
            return Err(error.help(format!("add `{sign}` where it ends")));
        }
        Err(self.expected(&format!("an operator or `{sign}`")))
    }

    /// Takes a name; `what` says of what.
    pub(crate) fn name(&mut self, what: &str) -> Result<(Arc<str>, Range<usize>), SpecError> {
        match self.token() {
            Token::Quoted(name) => {
                let name = name.as_str().into();
                Ok((name, self.advance()))
            }
            Token::Word => {
                let place = self.place();
                let word = &self.source.text[place.clone()];
                if RESERVED.contains(&word) {
                    let error = self.source.error(place, format!("`{word}` cannot be the name of {what}"));
                    return Err(error.help(format!(
                        "it has a meaning of its own; in double quotes, `\"{word}\"`, it is a name"
                    )));
                }
                self.advance();
                Ok((word.into(), place))
            }
            _ => Err(self.expected(&format!("the name of {what}"))),
        }
    }

    /// That something else was expected here.
    pub(crate) fn expected(&self, what: &str) -> SpecError {
        let (token, place) = self.ahead(0);
        let found = match token {
            Token::End => "the end".to_owned(),
            _ => format!("`{}`", crate::diagnostic::brief(&self.source.text[place.clone()])),
        };
        self.source.error(place.clone(), format!("expected {what}, found {found}"))
    }
}
