//! Acceptance conditions: `t`, conjunctions of `Inf`, and conjunctions of `Fin`.

use super::token::{Token, Words};
use crate::diagnostic::SpecError;

/// The most acceptance sets a condition may name.
const MAX_SETS: usize = 32;

const SUPPORTED: &str = "supported are `0 t` (every run is accepted), `1 Inf(0)` (Büchi), `n Inf(0)&Inf(1)&...` (generalised Büchi) and `1 Fin(0)` (co-Büchi)";

/// What a condition asks of the acceptance sets, in order, each once. At most one of the two lists has members.
#[derive(Default)]
pub(super) struct Condition {
    /// These must all be visited infinitely often.
    pub(super) recurring: Vec<u32>,
    /// These must not.
    pub(super) ceasing: Vec<u32>,
}

/// Reads what follows the number of sets.
pub(super) fn read_acceptance(words: &mut Words<'_>, sets: u32) -> Result<Condition, SpecError> {
    let start = words.peek().span.start;
    let Condition { mut recurring, mut ceasing } = Condition::default();
    let mut open = Vec::new();
    loop {
        while let Some(parenthesis) = words.take_if(&Token::Symbol('('))? {
            open.push(parenthesis.span);
        }
        match &words.peek().token {
            Token::Word(word) if word == "t" => {
                words.take()?;
            }
            Token::Word(word) if word == "Inf" && ceasing.is_empty() => {
                words.take()?;
                recurring.push(read_set(words, "Inf", sets)?);
            }
            Token::Word(word) if word == "Fin" && recurring.is_empty() => {
                words.take()?;
                ceasing.push(read_set(words, "Fin", sets)?);
            }
            Token::Word(word) if matches!(&**word, "Inf" | "Fin" | "f") => return Err(unsupported(words)),
            Token::Symbol('!') => return Err(unsupported(words)),
            _ => {
                return Err(words
                    .expected("an acceptance condition such as `Inf(0)` or `t`")
                    .help(SUPPORTED));
            }
        }
        while matches!(words.peek().token, Token::Symbol(')')) {
            if open.pop().is_none() {
                let error = words.source.error(words.peek().span.clone(), "nothing is open here");
                return Err(error.help("take this parenthesis out, or open one before it"));
            }
            words.take()?;
        }
        match words.peek().token {
            Token::Symbol('&') => words.take()?,
            Token::Symbol('|') => return Err(unsupported(words)),
            _ => break,
        };
    }
    if let Some(open) = open.pop() {
        return Err(words.source.error(open, "this parenthesis is never closed").help("close it with `)`"));
    }
    for list in [&mut recurring, &mut ceasing] {
        list.sort_unstable();
        list.dedup();
    }
    if recurring.len() > MAX_SETS {
        let message = format!("{} acceptance sets; at most {MAX_SETS} are supported", recurring.len());
        let error = words.source.error(start..words.end, message);
        return Err(error.help("merge sets, or degeneralise the automaton to one set"));
    }
    Ok(Condition { recurring, ceasing })
}

/// The `(0)` of `Inf(0)` or `Fin(0)`.
fn read_set(words: &mut Words<'_>, what: &str, sets: u32) -> Result<u32, SpecError> {
    if words.take_if(&Token::Symbol('('))?.is_none() {
        return Err(words.expected(&format!("`(` after `{what}`")).help(format!("write `{what}(0)`")));
    }
    if matches!(words.peek().token, Token::Symbol('!')) {
        return Err(unsupported(words));
    }
    let (set, span) = words.number("the number of an acceptance set")?;
    if set >= sets {
        return Err(no_such_set(words, set, sets, span));
    }
    if words.take_if(&Token::Symbol(')'))?.is_none() {
        return Err(words.expected("`)`").help(format!("write `{what}(0)`")));
    }
    Ok(set)
}

fn unsupported(words: &Words<'_>) -> SpecError {
    let message = "this acceptance condition is not supported";
    words.source.error(words.peek().span.clone(), message).help(SUPPORTED)
}

/// The error for a set number that `Acceptance:` does not announce.
pub(super) fn no_such_set(words: &Words<'_>, set: u32, sets: u32, span: std::ops::Range<usize>) -> SpecError {
    let error = words.source.error(span, format!("there is no acceptance set {set}"));
    error.help(match sets {
        0 => "`Acceptance:` announces no sets".to_owned(),
        1 => "`Acceptance:` announces one set, number 0".to_owned(),
        _ => format!("`Acceptance:` announces {sets} sets, numbered from 0 to {}", sets - 1),
    })
}
