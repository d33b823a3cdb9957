//! The words and signs of a TLSF file.

use std::ops::Range;

use crate::diagnostic::{Source, SpecError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or a keyword; which one is decided where it stands.
    Word,
    /// Digits, and `*` between digits where codes of an enumeration stand.
    Number,
    Text,
    /// A sign, as it is written in [`SIGNS`].
    Sign(&'static str),
    /// Behind the last token.
    End,
}

pub(super) type Placed = (Token, Range<usize>);

/// Signs in order of length, so that the longest that fits is taken.
const SIGNS: &[&str] = &[
    "<->", "(+)", "(-)", "(*)", "(\\)", "&&", "||", "->", "<-", "==", "!=", "/=", "<=", ">=", "..", "<", ">",
    "!", "+", "-", "*", "/", "%", "(", ")", "{", "}", "[", "]", ",", ";", ":", "=", "~", "|",
];

fn starts_word(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '_' | '@')
}

fn in_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '@' | '\'')
}

/// Whether a text is one word.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(starts_word) && text.chars().all(in_word)
}

/// Splits the text into tokens; comments are `// ...` and, nested, `/* ... */`.
pub(super) fn tokens(source: &Source) -> Result<Vec<Placed>, SpecError> {
    let text = &*source.text;
    let mut at = 0;
    let mut found = Vec::new();
    while let Some(next) = text[at..].chars().next() {
        let (start, rest) = (at, &text[at..]);
        let token = if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            at += comment(rest).ok_or_else(|| {
                let error = source.error(start..start + 2, "this comment has no end");
                error.help("close it with `*/`; comments may be nested")
            })?;
            continue;
        } else if starts_word(next) {
            at += rest.find(|character| !in_word(character)).unwrap_or(rest.len());
            Token::Word
        } else if next.is_ascii_digit() {
            at += rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
            Token::Number
        } else if next == '"' {
            at += text_length(rest).ok_or_else(|| {
                source.error(start..start + 1, "this text has no closing quote").help("close it with `\"`")
            })?;
            Token::Text
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            at += sign.len();
            Token::Sign(sign)
        } else {
            return Err(unexpected(source, start, next));
        };
        found.push((token, start..at));
    }
    found.push((Token::End, text.len()..text.len()));
    Ok(found)
}

/// The length of the comment at the start of `text`.
fn comment(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
    None
}

/// The length of the quoted text at the start of `text`, with both quotes.
fn text_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn unexpected(source: &Source, at: usize, character: char) -> SpecError {
    let error =
        source.error(at..at + character.len_utf8(), format!("unexpected `{character}` in a TLSF file"));
    match character {
        '&' => error.help("conjunction is `&&`"),
        '^' => error.help("exclusive or is written `!(a <-> b)`"),
        '#' => error.help("comments are `// ...` or `/* ... */`"),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let source = Source::new("t", text);
        tokens(&source).unwrap().into_iter().map(|(_, place)| text[place].to_owned()).collect()
    }

    #[test]
    fn the_longest_sign_is_taken() {
        assert_eq!(shown("a<->b<-c<=d"), ["a", "<->", "b", "<-", "c", "<=", "d", ""]);
        assert_eq!(
            shown("value'(x){0,1..n}"),
            ["value'", "(", "x", ")", "{", "0", ",", "1", "..", "n", "}", ""]
        );
        assert_eq!(shown("s(+)t"), ["s", "(+)", "t", ""]);
    }

    #[test]
    fn comments_nest() {
        assert_eq!(shown("a /* b /* c */ d */ e // f\ng"), ["a", "e", "g", ""]);
        assert!(tokens(&Source::new("t", "a /* b")).is_err());
        assert!(tokens(&Source::new("t", "\"a\\\"")).is_err());
    }
}
