//! The words and signs of a formula.

use std::ops::Range;

use super::duration::{Amount, Beats, amount};
use crate::diagnostic::{Source, SpecError};
use crate::expression::quoted;

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
    Bounds(Bounds),
}

/// What stands in brackets behind an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) steps: Steps,
    /// Whether a `!` before the closing bracket asks that the steps exist.
    pub(super) strong: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    /// `[!]`
    One,
    /// `[3]`
    Times(u32),
    /// `[2:5]`, `[:5]`, or `[2:]` without end
    Between(u32, Option<u32>),
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
    ("∩", Token::And),
    ("∪", Token::Or),
    ("⟶", Token::Implies),
    ("⟹", Token::Implies),
    ("□", Token::Globally),
    ("⬜", Token::Globally),
    ("◻", Token::Globally),
    ("◇", Token::Finally),
    ("⋄", Token::Finally),
    ("♢", Token::Finally),
    ("○", Token::Next),
    ("◯", Token::Next),
    ("Ⓧ", Token::Next),
];

/// The signs of sequence expressions (PSL and SVA), which we do not read. They come before other signs, because
/// some begin like one: `[]->`, `|->`.
const SEQUENCES: &[&str] = &[
    "[]->", "[]=>", "[]-->", "<>->", "<>=>", "<>-->", "|->", "|=>", "|-->", "[->", "[=", "[*", "[+]", "[:*",
    "[:+", "##", "{", "}", ";", "↦", "⤇",
];

pub(super) fn starts_word(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

pub(super) fn in_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '$')
}

/// A token and its place.
type Placed = (Token, Range<usize>);

/// Splits `source.text[span]` into tokens with their places in the source. A word that is a family of labels takes the
/// arguments that stand behind it: `Search(0)`. Where `comparison` finds an expression, that is one token.
pub(super) fn tokens(
    source: &Source,
    span: Range<usize>,
    is_family: impl Fn(&str) -> bool,
    cycle_ms: Option<u32>,
    mut comparison: impl FnMut(&[Placed], Range<usize>) -> Result<Option<(Token, usize)>, SpecError>,
) -> Result<Vec<Placed>, SpecError> {
    let end = span.end.min(source.text.len());
    let mut at = span.start.min(end);
    let mut found = Vec::new();
    while let Some(next) = source.text.get(at..end).and_then(|rest| rest.chars().next()) {
        let rest = &source.text[at..end];
        let start = at;
        if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        }
        if let Some((token, last)) = comparison(&found, at..end)? {
            at = last;
            found.push((token, start..at));
            continue;
        }
        let token = if starts_word(next) {
            let length = rest.find(|character| !in_word(character)).unwrap_or(rest.len());
            let arguments = rest[length..].starts_with('(') && is_family(&rest[..length]);
            match rest.find(')').filter(|_| arguments) {
                None => {
                    at += length;
                    Token::Word
                }
                Some(last) => {
                    at += last + 1;
                    Token::Quoted(rest[..=last].replace(' ', ""))
                }
            }
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
        } else if let Some(sign) = SEQUENCES.iter().find(|sign| rest.starts_with(**sign)) {
            return Err(sequence(source, start..start + sign.len()));
        } else if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            at += sign.len();
            token.clone()
        } else if next == '[' {
            let (token, length) = bounds(source, start, rest, cycle_ms)?;
            at += length;
            token
        } else {
            return Err(unexpected(source, start, next));
        };
        found.push((token, start..at));
    }
    Ok(found)
}

/// What stands in brackets at the start of `text`, and the length it takes.
///
/// As in Spot, the bounds are separated by `:`, `..`, `,` or `to`, no upper bound is left out or written `$` or
/// `inf`, and a `!` stands before the closing bracket. A lower bound that is left out is 0. Bounds may be times.
fn bounds(
    source: &Source,
    start: usize,
    text: &str,
    cycle_ms: Option<u32>,
) -> Result<(Token, usize), SpecError> {
    let help = "write X[3], F[0:5], F[:5], F[2:] or G[2:4]";
    let length = text
        .find(']')
        .map(|at| at + 1)
        .ok_or_else(|| source.error(start..start + 1, "this bracket is never closed").help(help))?;
    let span = start..start + length;
    let inside = text[1..length - 1].trim();
    let (inside, strong) = match inside.strip_suffix('!') {
        Some(inside) => (inside.trim_end(), true),
        None => (inside, false),
    };
    let beats = Beats { cycle_ms, source, span: span.clone() };
    let read = |text: &str| -> Result<Amount, SpecError> {
        amount(text).ok_or_else(|| {
            let error = source.error(span.clone(), "expected numbers of steps in brackets");
            error.help(format!("{help}; a time is written F[0:300ms], F[:2s] or F[:1.5s]"))
        })
    };
    let separator = ["..", ":", ",", "to"].iter().find_map(|sign| inside.split_once(sign));
    let steps = match separator.map(|(first, last)| (first.trim(), last.trim())) {
        None if inside.is_empty() && strong => Steps::One,
        None => Steps::Times(beats.exactly(read(inside)?)?),
        Some((first, last)) => {
            let first = if first.is_empty() { Amount::Steps(0) } else { read(first)? };
            let last = if matches!(last, "" | "$" | "inf") { None } else { Some(read(last)?) };
            let mixed = |one, other| {
                matches!((one, other), (Amount::Steps(1..), Some(Amount::Milliseconds(_))))
                    || matches!((one, other), (Amount::Milliseconds(_), Some(Amount::Steps(_))))
            };
            if mixed(first, last) {
                let error = source.error(span, "one of these bounds is a time, and one a number of steps");
                return Err(error.help("write both with a unit, as in F[100ms:300ms], or neither"));
            }
            let timed =
                matches!(first, Amount::Milliseconds(1..)) || matches!(last, Some(Amount::Milliseconds(_)));
            let first = beats.first(first)?;
            let last = last.map(|last| beats.last(last)).transpose()?;
            if last.is_some_and(|last| last < first)
                && let (Some(cycle), true) = (cycle_ms, timed)
            {
                let error = source.error(span, "these bounds hold no step");
                return Err(error.help(format!("a step takes {cycle} ms, and no beat lies between them")));
            }
            if last.is_some_and(|last| last < first) {
                let error = source.error(span, "these bounds hold no step: the second is below the first");
                return Err(error.help("the smaller number comes first"));
            }
            Steps::Between(first, last)
        }
    };
    Ok((Token::Bounds(Bounds { steps, strong }), length))
}

/// The error of a sign that belongs to sequence expressions.
pub(super) fn sequence(source: &Source, span: Range<usize>) -> SpecError {
    let sign = &source.text[span.clone()];
    let message = format!("`{sign}` belongs to sequence expressions (PSL, SVA), which are not supported");
    source.error(span, message).help(match sign {
        "{" | "}" => {
            "formulas are grouped with round parentheses; a sequence is written with `&` and `X`, `a & X b`"
        }
        ";" => "formulas are joined with `&`; `b` one step after `a` is `a & X b`",
        _ => "write it with X, F, G, U, W, R and M: `a |-> b` is `a -> b`, `a |=> b` is `a -> X b`",
    })
}

fn unexpected(source: &Source, at: usize, character: char) -> SpecError {
    let error = source.error(at..at + character.len_utf8(), format!("unexpected `{character}` in a formula"));
    match character {
        '=' => error.help("two formulas are compared with `<->`; a signal is just its name, `a` or `!a`"),
        ',' => error.help("formulas are joined with `&`"),
        ']' => error.help("only round parentheses group formulas"),
        '\'' | '`' => error.help("names with special characters stand in double quotes"),
        '*' => error.help("conjunction is `&`"),
        '+' => error.help("disjunction is `|`"),
        _ => error,
    }
}
