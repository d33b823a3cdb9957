//! The words and signs of a formula.

use std::ops::Range;

use super::MAX_BOUND;
use crate::spec::{Source, SpecError};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Letters and digits: a name, an operator letter, operators glued to a name.
    Word,
    Quoted(String),
    Number,
    Open,
    Close,
    Not,
    And,
    Or,
    Implies,
    Iff,
    Xor,
    Globally,
    Finally,
    Next,
    /// `[3]`
    Times(u32),
    /// `[2:5]`, or `[2:]` without end
    Between(u32, Option<u32>),
    /// `[!]`: Spot's mark of a strong next.
    Strong,
}

/// Signs in order of length, so that the longest that fits is taken.
const SIGNS: &[(&str, Token)] = &[
    ("<-->", Token::Iff),
    ("<->", Token::Iff),
    ("<=>", Token::Iff),
    ("-->", Token::Implies),
    ("->", Token::Implies),
    ("=>", Token::Implies),
    ("[]", Token::Globally),
    ("<>", Token::Finally),
    ("&&", Token::And),
    ("/\\", Token::And),
    ("||", Token::Or),
    ("\\/", Token::Or),
    ("&", Token::And),
    ("|", Token::Or),
    ("!", Token::Not),
    ("~", Token::Not),
    ("^", Token::Xor),
    ("(", Token::Open),
    (")", Token::Close),
    ("¬", Token::Not),
    ("∧", Token::And),
    ("∨", Token::Or),
    ("⊕", Token::Xor),
    ("→", Token::Implies),
    ("⇒", Token::Implies),
    ("↔", Token::Iff),
    ("⇔", Token::Iff),
    ("□", Token::Globally),
    ("◇", Token::Finally),
    ("○", Token::Next),
];

fn starts_word(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn in_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '$')
}

/// Whether the name can stand in a formula without quotes.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(starts_word) && name.chars().all(in_word) && !is_keyword(name)
}

pub(super) fn is_keyword(word: &str) -> bool {
    matches!(word, "true" | "false" | "TRUE" | "FALSE" | "True" | "False" | "xor" | "XOR")
        || matches!(word, "U" | "W" | "R" | "V" | "M")
        || word.chars().all(is_prefix)
}

pub(super) fn is_prefix(letter: char) -> bool {
    matches!(letter, 'X' | 'F' | 'G' | 'N')
}

/// Whether a word is one name where no interface says which names there are.
pub(super) fn is_name_without_interface(word: &str) -> bool {
    glued(word) == 0
}

/// How many letters at the start of a word are operators where no interface says which names there are: as
/// in Spot, `GFp0` is `G F p0`, but a letter before a digit belongs to the name.
pub(super) fn glued(word: &str) -> usize {
    let mut letters = 0;
    while let Some(rest) = word[letters..].strip_prefix(['X', 'F', 'G']) {
        if rest.starts_with(|next: char| next.is_numeric() || matches!(next, '_' | '.' | '$')) {
            break;
        }
        letters += 1;
    }
    letters
}

/// Splits `source.text[span]` into tokens with their places in the source.
pub(super) fn tokens(source: &Source, span: Range<usize>) -> Result<Vec<(Token, Range<usize>)>, SpecError> {
    let end = span.end.min(source.text.len());
    let mut at = span.start.min(end);
    let mut found = Vec::new();
    while let Some(next) = source.text.get(at..end).and_then(|rest| rest.chars().next()) {
        let rest = &source.text[at..end];
        let start = at;
        let token = if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        } else if starts_word(next) {
            at += rest.find(|character| !in_word(character)).unwrap_or(rest.len());
            Token::Word
        } else if next.is_ascii_digit() {
            at += rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
            Token::Number
        } else if next == '"' {
            let (name, length) = quoted(rest)
                .ok_or_else(|| source.error(start..end, "this quoted name has no closing quote"))?;
            if name.is_empty() {
                return Err(source.error(start..start + length, "a quoted name cannot be empty"));
            }
            at += length;
            Token::Quoted(name)
        } else if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            at += sign.len();
            token.clone()
        } else if next == '[' {
            let (token, length) = bounds(source, start, rest)?;
            at += length;
            token
        } else {
            return Err(unexpected(source, start, next));
        };
        found.push((token, start..at));
    }
    Ok(found)
}

/// The name in quotes at the start of `text`, and the length it takes; a backslash keeps the next character.
fn quoted(text: &str) -> Option<(String, usize)> {
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

/// What stands in brackets at the start of `text`, and the length it takes.
fn bounds(source: &Source, start: usize, text: &str) -> Result<(Token, usize), SpecError> {
    let help = "write X[3], F[0:5] or G[2:4]";
    let length = text
        .find(']')
        .map(|at| at + 1)
        .ok_or_else(|| source.error(start..start + 1, "this bracket is never closed").help(help))?;
    let span = start..start + length;
    let inside = text[1..length - 1].trim();
    if inside == "!" {
        return Ok((Token::Strong, length));
    }
    let number = |text: &str| -> Result<u32, SpecError> {
        let text = text.trim();
        if text.is_empty() || !text.chars().all(|digit| digit.is_ascii_digit()) {
            return Err(source.error(span.clone(), "expected numbers of steps in brackets").help(help));
        }
        match text.parse() {
            Ok(steps) if steps <= MAX_BOUND => Ok(steps),
            _ => Err(source.error(span.clone(), format!("more than {MAX_BOUND} steps are not supported"))),
        }
    };
    let Some((first, last)) = inside.split_once("..").or_else(|| inside.split_once([':', ','])) else {
        return Ok((Token::Times(number(inside)?), length));
    };
    let first = number(first)?;
    let last = if matches!(last.trim(), "" | "$") { None } else { Some(number(last)?) };
    if last.is_some_and(|last| last < first) {
        let error = source.error(span, "these bounds hold no step: the second is below the first");
        return Err(error.help("the smaller number comes first"));
    }
    Ok((Token::Between(first, last), length))
}

fn unexpected(source: &Source, at: usize, character: char) -> SpecError {
    let error = source.error(at..at + character.len_utf8(), format!("unexpected `{character}` in a formula"));
    match character {
        '=' => error.help("two formulas are compared with `<->`; a signal is just its name, `a` or `!a`"),
        ',' | ';' => error.help("formulas are joined with `&`"),
        '{' | '}' | ']' => error.help("only round parentheses group formulas"),
        '\'' | '`' => error.help("names with special characters stand in double quotes"),
        '*' => error.help("conjunction is `&`"),
        '+' => error.help("disjunction is `|`"),
        _ => error,
    }
}
