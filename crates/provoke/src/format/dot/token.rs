//! The words of the DOT language.

use std::ops::Range;

use crate::diagnostic::{Source, SpecError};

/// One word of a DOT file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A bare name or number.
    Word(&'a str),
    /// A quoted string, its escapes and concatenations resolved.
    Quoted(String),
    /// What stands between the outer angle brackets.
    Html(&'a str),
    Arrow,
    Symbol(char),
    End,
}

/// Reads one word ahead; the place of the word just taken is kept for errors.
pub(super) struct Tokens<'a> {
    source: &'a Source,
    all: std::vec::IntoIter<(Token<'a>, Range<usize>)>,
    previous_end: usize,
}

impl<'a> Tokens<'a> {
    /// Splits the whole text, so that a wrong character is found first.
    pub(super) fn new(source: &'a Source) -> Result<Tokens<'a>, SpecError> {
        let mut scanner = Scanner { source, text: &source.text, at: 0 };
        let mut all = Vec::new();
        while let Some(token) = scanner.token()? {
            all.push(token);
        }
        Ok(Tokens { source, all: all.into_iter(), previous_end: 0 })
    }

    pub(super) fn peek(&self) -> &Token<'a> {
        self.all.as_slice().first().map_or(&Token::End, |(token, _)| token)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found.eq_ignore_ascii_case(word))
    }

    pub(super) fn take(&mut self) -> (Token<'a>, Range<usize>) {
        let end = self.source.text.trim_end().len();
        let (token, span) = self.all.next().unwrap_or((Token::End, end..end + 1));
        self.previous_end = span.end;
        (token, span)
    }

    /// Where the word taken last ends.
    pub(super) fn previous_end(&self) -> usize {
        self.previous_end
    }

    pub(super) fn expect(&mut self, symbol: char) -> Result<(), SpecError> {
        let (token, span) = self.take();
        match token {
            Token::Symbol(found) if found == symbol => Ok(()),
            _ => Err(self.source.error(span, format!("expected `{symbol}`"))),
        }
    }
}

struct Scanner<'a> {
    source: &'a Source,
    text: &'a str,
    at: usize,
}

type Place<T> = Option<(T, Range<usize>)>;

impl<'a> Scanner<'a> {
    fn token(&mut self) -> Result<Place<Token<'a>>, SpecError> {
        self.skip_blanks()?;
        let start = self.at;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let token = match first {
            '"' => Token::Quoted(self.quoted()?),
            '<' => Token::Html(self.html()?),
            '-' if rest.starts_with("->") => {
                self.at += 2;
                Token::Arrow
            }
            '-' if rest.starts_with("--") => {
                let error = self.source.error(start..start + 2, "a machine's edges are directed");
                return Err(error.help("write `->`"));
            }
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => {
                self.at += 1;
                Token::Symbol(first)
            }
            _ => {
                let stop = |c: char| !(c.is_alphanumeric() || "_.'".contains(c));
                let sign = usize::from(first == '-');
                let length = rest[sign..].find(stop).map_or(rest.len(), |length| length + sign);
                if length == sign {
                    let span = start..start + first.len_utf8();
                    return Err(self
                        .source
                        .error(span, format!("unexpected `{first}`"))
                        .help("put names with special characters in double quotes"));
                }
                self.at += length;
                Token::Word(&rest[..length])
            }
        };
        Ok(Some((token, start..self.at)))
    }

    fn skip_blanks(&mut self) -> Result<(), SpecError> {
        loop {
            let rest = &self.text[self.at..];
            let blanks =
                rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
            self.at += blanks;
            let rest = &self.text[self.at..];
            let comment = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(end) => end + 2,
                    None => {
                        let span = self.at..self.at + 2;
                        return Err(self.source.error(span, "this comment is never closed"));
                    }
                }
            } else {
                return Ok(());
            };
            self.at += comment;
        }
    }

    /// A string, with `"a" + "b"` joined.
    fn quoted(&mut self) -> Result<String, SpecError> {
        let mut text = String::new();
        loop {
            self.one_quoted(&mut text)?;
            let end = self.at;
            self.skip_blanks()?;
            if self.text[self.at..].starts_with('+') {
                self.at += 1;
                self.skip_blanks()?;
                if self.text[self.at..].starts_with('"') {
                    continue;
                }
                return Err(self.source.error(self.at..self.at + 1, "expected a string after `+`"));
            }
            self.at = end;
            return Ok(text);
        }
    }

    fn one_quoted(&mut self, text: &mut String) -> Result<(), SpecError> {
        let start = self.at;
        let mut characters = self.text[start + 1..].char_indices();
        while let Some((offset, character)) = characters.next() {
            match character {
                '"' => {
                    self.at = start + 1 + offset + 1;
                    return Ok(());
                }
                '\\' => match characters.next() {
                    Some((_, '\n')) => {}
                    Some((_, 'n' | 'l' | 'r')) => text.push(' '),
                    Some((_, quoted @ ('"' | '\\'))) => text.push(quoted),
                    Some((_, other)) => text.extend(['\\', other]),
                    None => break,
                },
                '\n' => break,
                _ => text.push(character),
            }
        }
        Err(self.source.error(start..start + 1, "this string is never closed").help("add a closing `\"`"))
    }

    /// An HTML label, up to the bracket that closes the first.
    fn html(&mut self) -> Result<&'a str, SpecError> {
        let start = self.at;
        let mut depth = 0usize;
        for (offset, byte) in self.text.as_bytes()[start..].iter().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at = start + offset + 1;
                return Ok(&self.text[start + 1..start + offset]);
            }
        }
        Err(self.source.error(start..start + 1, "this HTML label is never closed").help("add a closing `>`"))
    }
}
