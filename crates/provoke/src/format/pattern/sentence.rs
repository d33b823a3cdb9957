//! The words of a sentence, and the expressions between them.

use std::ops::Range;

use super::template::is_reserved;
use crate::diagnostic::{Source, SpecError};

/// The longest sentence.
const MAX_TOKENS: usize = 2_000;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    start: usize,
    end: usize,
    /// The word in the spelling of the templates, where it is one.
    word: Option<String>,
    comma: bool,
}

impl Token {
    pub(super) fn place(&self) -> Range<usize> {
        self.start..self.end
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.word.as_deref() == Some(word)
    }

    pub(super) fn is_comma(&self) -> bool {
        self.comma
    }

    /// Whether it can be a part of an expression that does not stand in braces.
    pub(super) fn in_expression(&self) -> bool {
        !self.comma && !self.word.as_deref().is_some_and(is_reserved)
    }

    /// A number in digits or, up to twelve, as a word.
    pub(super) fn number(&self) -> Option<u32> {
        const WORDS: [&str; 13] = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
            "twelve",
        ];
        let word = match self.word.as_deref()? {
            "once" => "one",
            "twice" => "two",
            word => word,
        };
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            // Digits that do not fit are a number all the same: too large for any use.
            return Some(word.parse().unwrap_or(u32::MAX));
        }
        WORDS.iter().position(|known| *known == word).map(|at| at as u32)
    }
}

fn in_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '$')
}

/// Splits a sentence: what stands in brackets or quotes is one token, a full stop at the end is dropped.
pub(super) fn tokens(source: &Source, span: Range<usize>) -> Result<Vec<Token>, SpecError> {
    let text = &source.text[..span.end.min(source.text.len())];
    let text = text.trim_end();
    let text = text.strip_suffix('.').unwrap_or(text);
    let mut at = span.start;
    let mut found = Vec::new();
    while let Some(next) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let (start, rest) = (at, &text[at..]);
        if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        }
        let mut word = None;
        if in_word(next) {
            at += rest.find(|character| !in_word(character)).unwrap_or(rest.len());
            word = Some(lower_first(&text[start..at]));
        } else if matches!(next, '(' | '{' | '[' | '"') {
            at += group(rest)
                .ok_or_else(|| source.error(start..start + 1, format!("this `{next}` is never closed")))?;
        } else {
            at += next.len_utf8();
        }
        found.push(Token { start, end: at, word, comma: next == ',' });
        if found.len() > MAX_TOKENS {
            return Err(source.error(start..at, format!("a sentence of more than {MAX_TOKENS} words")));
        }
    }
    match found.is_empty() {
        true => Err(source.error(span, "there is no sentence here").help(super::catalogue::forms())),
        false => Ok(found),
    }
}

/// `After` is the word `after`; `AFTER` is a name.
fn lower_first(word: &str) -> String {
    let mut characters = word.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// The length of the bracketed or quoted text at the start, with everything nested in it.
fn group(text: &str) -> Option<usize> {
    let mut open: Vec<char> = Vec::new();
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        let quoted = open.last() == Some(&'"');
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if quoted => drop(open.pop()),
            _ if quoted => {}
            '"' => open.push('"'),
            '(' => open.push(')'),
            '{' => open.push('}'),
            '[' => open.push(']'),
            ')' | '}' | ']' if open.pop() != Some(character) => return None,
            _ => {}
        }
        if open.is_empty() {
            return Some(at + character.len_utf8());
        }
    }
    None
}

/// The same text with braces as parentheses where `span` stands, each character at its place; a set behind `in` keeps
/// them.
pub(super) fn with_parentheses(source: &Source, span: Range<usize>) -> Source {
    let mut text = source.text.to_string();
    let end = span.end.min(text.len());
    let mut at = span.start.min(end);
    let mut swapped = String::with_capacity(end - at);
    while let Some(next) = text[at..end].chars().next() {
        let before = text[..at].trim_end();
        let is_set = next == '{' && before.ends_with("in") && !before[..before.len() - 2].ends_with(in_word);
        let length = match next {
            '"' => group(&text[at..end]).unwrap_or(1),
            '{' if is_set => group(&text[at..end]).unwrap_or(1),
            _ => next.len_utf8(),
        };
        match next {
            '{' if !is_set => swapped.push('('),
            '}' => swapped.push(')'),
            _ => swapped.push_str(&text[at..at + length]),
        }
        at += length;
    }
    text.replace_range(end - swapped.len()..end, &swapped);
    Source::new(source.name.clone(), text)
}
