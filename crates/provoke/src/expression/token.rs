//! The words and signs of expressions and model files.

use std::ops::Range;

use crate::diagnostic::{Source, SpecError};
use crate::letter::Finite;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or a keyword; which one is decided where it stands.
    Word,
    /// A name in double quotes.
    Quoted(String),
    /// Digits.
    Number(u64),
    /// Digits with a point between them, or with an exponent.
    Decimal(Finite),
    /// A sign, in the spelling that the reader knows it by.
    Sign(&'static str),
    /// Behind the last token.
    End,
}

/// Spellings in order of length, so that the longest that fits is taken, each with the sign that it means.
const SIGNS: &[(&str, &str)] = &[
    ("<-->", "<->"),
    ("<->", "<->"),
    ("<=>", "<->"),
    ("-->", "->"),
    ("->", "->"),
    ("=>", "->"),
    (":=", ":="),
    ("..", ".."),
    ("==", "="),
    ("!=", "!="),
    ("/=", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("&&", "&"),
    ("/\\", "&"),
    ("||", "|"),
    ("\\/", "|"),
    ("&", "&"),
    ("|", "|"),
    ("!", "!"),
    ("~", "!"),
    ("^", "^"),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("%", "%"),
    ("\\", "\\"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    (":", ":"),
    (";", ";"),
    (".", "."),
    ("¬", "!"),
    ("∧", "&"),
    ("∨", "|"),
    ("⊕", "^"),
    ("→", "->"),
    ("⇒", "->"),
    ("↔", "<->"),
    ("⇔", "<->"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
];

fn starts_word(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn in_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Whether a text is one word.
pub(super) fn is_word(text: &str) -> bool {
    text.starts_with(starts_word) && text.chars().all(in_word)
}

/// Splits `source.text[span]` into tokens with their places in the source; comments are `// ...`.
pub(crate) fn tokens(source: &Source, span: Range<usize>) -> Result<Vec<(Token, Range<usize>)>, SpecError> {
    let end = span.end.min(source.text.len());
    let mut at = span.start.min(end);
    let mut found = Vec::new();
    while let Some(next) = source.text.get(at..end).and_then(|rest| rest.chars().next()) {
        let (start, rest) = (at, &source.text[at..end]);
        let token = if next.is_whitespace() || (start == 0 && next == '\u{feff}') {
            at += next.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if starts_word(next) {
            at += rest.find(|character| !in_word(character)).unwrap_or(rest.len());
            Token::Word
        } else if let Some(length) = decimal(rest) {
            at += length;
            Token::Decimal(Finite::read(&rest[..length]).ok_or_else(|| {
                source
                    .error(start..at, "this number is too large")
                    .help("numbers have 64 bits of floating point")
            })?)
        } else if next.is_ascii_digit() {
            at += rest.find(|character| !in_word(character)).unwrap_or(rest.len());
            Token::Number(number(source, start..at)?)
        } else if next == '"' {
            let (name, length) = quoted(rest).ok_or_else(|| {
                source
                    .error(start..start + 1, "this quoted name has no closing quote")
                    .help("close it with `\"`")
            })?;
            if name.is_empty() {
                return Err(source.error(start..start + length, "a quoted name cannot be empty"));
            }
            at += length;
            Token::Quoted(name)
        } else if let Some((spelling, sign)) = SIGNS.iter().find(|(spelling, _)| rest.starts_with(spelling)) {
            at += spelling.len();
            Token::Sign(sign)
        } else {
            return Err(unexpected(source, start, next));
        };
        found.push((token, start..at));
    }
    found.push((Token::End, end..end));
    Ok(found)
}

/// How long the decimal number is that a text begins with; none where it begins with a whole number, or none.
fn decimal(text: &str) -> Option<usize> {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(0);
    let mut end = whole;
    if whole > 0 && text[end..].starts_with('.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if whole > 0 && text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    (end > whole && !text[end..].starts_with(in_word)).then_some(end)
}

fn number(source: &Source, place: Range<usize>) -> Result<u64, SpecError> {
    let digits = &source.text[place.clone()];
    if let Some(other) = digits.chars().find(|character| !character.is_ascii_digit()) {
        let error = source.error(place, format!("`{other}` stands in a number"));
        return Err(error.help("names begin with a letter or `_`, and numbers are decimal"));
    }
    // One more than the largest integer, because the smallest is written with a minus sign.
    match digits.parse::<u64>() {
        Ok(number) if number <= i64::MIN.unsigned_abs() => Ok(number),
        _ => Err(source.error(place, "this number is too large").help("integers have 64 bits")),
    }
}

/// The name in quotes at the start of `text`, and the length it takes; a backslash keeps the next character.
pub(crate) fn quoted(text: &str) -> Option<(String, usize)> {
    let mut name = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((name, at + 1)),
            '\\' => name.push(characters.next()?.1),
            _ => name.push(character),
        }
    }
    None
}

fn unexpected(source: &Source, at: usize, character: char) -> SpecError {
    let error =
        source.error(at..at + character.len_utf8(), format!("unexpected `{}`", character.escape_debug()));
    match character {
        '#' => error.help("comments are `// ...`"),
        '\'' | '`' => error.help("names with special characters stand in double quotes"),
        '?' => error.help("a choice is written `if c then a else b`"),
        '∪' | '∩' => error.help("sets are joined with `union` and `intersect`"),
        '∈' => error.help("membership is `in`"),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let source = Source::new("t", text);
        tokens(&source, 0..text.len()).unwrap().into_iter().map(|(_, place)| text[place].to_owned()).collect()
    }

    #[test]
    fn the_longest_sign_is_taken() {
        assert_eq!(shown("a<->b<-5<=d"), ["a", "<->", "b", "<", "-", "5", "<=", "d", ""]);
        assert_eq!(shown("0..n // no\n x:=m[1]"), ["0", "..", "n", "x", ":=", "m", "[", "1", "]", ""]);
    }

    #[test]
    fn what_is_no_token_is_named() {
        let message =
            |text: &str| tokens(&Source::new("t", text), 0..text.len()).unwrap_err().message().to_owned();
        assert_eq!(message("a ? b"), "unexpected `?`");
        assert_eq!(message("3x"), "`x` stands in a number");
        assert_eq!(message("9223372036854775809"), "this number is too large");
        assert_eq!(message("\"a"), "this quoted name has no closing quote");
        assert_eq!(message("\"\""), "a quoted name cannot be empty");
    }
}
