//! The words of a HOA file, each with its place.

use std::ops::Range;

use crate::diagnostic::{Source, SpecError};

/// One word of a HOA file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A header with its colon: `States:`, `controllable-AP:`.
    Header(String),
    /// `t`, `f`, `Inf`, `Buchi`, `deterministic`, `v1`.
    Word(String),
    /// `@name`.
    Alias(String),
    Text(String),
    /// `None` where the number is too large for any use.
    Number(Option<u32>),
    Symbol(char),
    Body,
    End,
    Abort,
    /// The text is over.
    Over,
}

/// A token and the bytes it stands on.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) token: Token,
    pub(super) span: Range<usize>,
}

/// Cuts the text into tokens; looks one token ahead.
pub(super) struct Words<'a> {
    pub(super) source: &'a Source,
    at: usize,
    next: Word,
    /// Where the last token taken ends.
    pub(super) end: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(source: &'a Source) -> Result<Words<'a>, SpecError> {
        let nothing = Word { token: Token::Over, span: 0..0 };
        let mut words = Words { source, at: 0, next: nothing, end: 0 };
        words.next = words.scan()?;
        Ok(words)
    }

    pub(super) fn peek(&self) -> &Word {
        &self.next
    }

    pub(super) fn take(&mut self) -> Result<Word, SpecError> {
        let next = self.scan()?;
        let word = std::mem::replace(&mut self.next, next);
        self.end = word.span.end;
        Ok(word)
    }

    /// Takes the next token if it is this one.
    pub(super) fn take_if(&mut self, token: &Token) -> Result<Option<Word>, SpecError> {
        if self.next.token == *token { self.take().map(Some) } else { Ok(None) }
    }

    /// The error that something else should stand here.
    pub(super) fn expected(&self, what: &str) -> SpecError {
        let Word { token, span } = &self.next;
        let found = match token {
            Token::Over => "the end of the file".to_owned(),
            _ => format!("`{}`", shorten(&self.source.text[span.clone()])),
        };
        self.source.error(span.clone(), format!("expected {what}, found {found}"))
    }

    /// Takes a number; `what` says what it stands for.
    pub(super) fn number(&mut self, what: &str) -> Result<(u32, Range<usize>), SpecError> {
        match self.next.token {
            Token::Number(Some(number)) => Ok((number, self.take()?.span)),
            Token::Number(None) => {
                let error = self.source.error(self.next.span.clone(), "this number is too large");
                Err(error.help(format!("here stands {what}; at most {} is understood", u32::MAX)))
            }
            _ => Err(self.expected(what).help("numbers count from 0")),
        }
    }

    fn scan(&mut self) -> Result<Word, SpecError> {
        self.skip_blanks()?;
        let rest = &self.source.text[self.at..];
        let start = self.at;
        let Some(first) = rest.chars().next() else {
            return Ok(Word { token: Token::Over, span: start..start });
        };
        let (token, length) = match first {
            '"' => self.text(rest)?,
            '@' => {
                let name = &rest[1..1 + name_length(&rest[1..])];
                if name.is_empty() {
                    return Err(self
                        .source
                        .error(start..start + 1, "an alias without a name")
                        .help("an alias is written `@name`"));
                }
                (Token::Alias(name.to_owned()), 1 + name.len())
            }
            '0'..='9' => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                (Token::Number(rest[..digits].parse().ok()), digits)
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = name_length(rest);
                let name = rest[..length].to_owned();
                match rest[length..].starts_with(':') {
                    true => (Token::Header(name), length + 1),
                    false => (Token::Word(name), length),
                }
            }
            '(' | ')' | '[' | ']' | '{' | '}' | '!' | '&' | '|' => (Token::Symbol(first), 1),
            '-' => {
                let marks = [("--BODY--", Token::Body), ("--END--", Token::End), ("--ABORT--", Token::Abort)];
                match marks.into_iter().find(|(mark, _)| rest.starts_with(mark)) {
                    Some((mark, token)) => (token, mark.len()),
                    None => {
                        let length = rest.bytes().take_while(|byte| !byte.is_ascii_whitespace()).count();
                        let error = self.source.error(start..start + length, "this means nothing in HOA");
                        return Err(error.help("the parts are set off by `--BODY--` and `--END--`"));
                    }
                }
            }
            _ => {
                let span = start..start + first.len_utf8();
                let error = self.source.error(span, format!("`{}` means nothing here", first.escape_debug()));
                return Err(error.help("names and titles stand in double quotes, comments in /* and */"));
            }
        };
        self.at += length;
        Ok(Word { token, span: start..self.at })
    }

    /// A string and its length in the file. A backslash takes the next character as it is.
    fn text(&self, rest: &str) -> Result<(Token, usize), SpecError> {
        let mut text = String::new();
        let mut characters = rest.char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => return Ok((Token::Text(text), at + 1)),
                '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
                _ => text.push(character),
            }
        }
        let error = self.source.error(self.at..self.at + 1, "this string is never closed");
        Err(error.help("close it with a double quote; inside a string, write \\\" for a quote"))
    }

    fn skip_blanks(&mut self) -> Result<(), SpecError> {
        loop {
            let rest = &self.source.text[self.at..];
            let blanks = rest.bytes().take_while(|byte| byte.is_ascii_whitespace()).count();
            self.at += blanks;
            match self.source.text[self.at..].starts_with("/*") {
                true => self.skip_comment()?,
                false => return Ok(()),
            }
        }
    }

    /// Comments nest.
    fn skip_comment(&mut self) -> Result<(), SpecError> {
        let start = self.at;
        let bytes = self.source.text.as_bytes();
        let mut depth = 0usize;
        loop {
            match bytes.get(self.at..self.at + 2) {
                Some(b"/*") => depth += 1,
                Some(b"*/") => depth -= 1,
                Some(_) => {
                    self.at += 1;
                    continue;
                }
                None => {
                    let error = self.source.error(start..start + 2, "this comment is never closed");
                    return Err(error.help("comments nest: every /* needs its own */"));
                }
            }
            self.at += 2;
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

fn name_length(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')).count()
}

/// The text as an error can quote it: one line, not too long.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() {
        short.push_str("...");
    }
    short
}
