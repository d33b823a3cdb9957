//! Labels: Boolean expressions over the propositions of the file.

use std::ops::Range;

use super::token::{Token, Words};
use crate::diagnostic::SpecError;

/// A Boolean expression in postfix order, so that no depth of nesting needs a deep stack to read or
/// evaluate it.
#[derive(Clone, Debug)]
pub struct Label {
    /// What to do, operands before operators; each with its place.
    pub postfix: Vec<(LabelOp, Range<usize>)>,
    /// Where the expression stands, without brackets.
    pub span: Range<usize>,
}

/// One step of evaluating a [`Label`] on a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelOp {
    /// `t` or `f`.
    Constant(bool),
    /// A proposition by its position in `AP:`.
    Proposition(u32),
    /// An alias by its position among the aliases.
    Alias(u32),
    /// `!`
    Not,
    /// `&`
    And,
    /// `|`
    Or,
}

/// What waits on the operator stack.
enum Waiting {
    Open,
    Op(LabelOp),
}

/// Reads an expression up to the first token that cannot belong to it. `alias` gives an alias's position.
pub(super) fn read_label(
    words: &mut Words<'_>,
    alias: impl Fn(&str) -> Result<u32, String>,
) -> Result<Label, SpecError> {
    let start = words.peek().span.start;
    let mut postfix = Vec::new();
    let mut waiting: Vec<(Waiting, Range<usize>)> = Vec::new();
    loop {
        // An operand: any number of `!` and `(`, then a proposition, a constant or an alias.
        let span = words.peek().span.clone();
        let op = match &words.peek().token {
            Token::Symbol('!') => {
                words.take()?;
                waiting.push((Waiting::Op(LabelOp::Not), span));
                continue;
            }
            Token::Symbol('(') => {
                words.take()?;
                waiting.push((Waiting::Open, span));
                continue;
            }
            Token::Word(word) if word == "t" || word == "f" => LabelOp::Constant(word == "t"),
            Token::Alias(name) => LabelOp::Alias(alias(name).map_err(|message| {
                words.source.error(span.clone(), message).help("define it above: `Alias: @name 0 & !1`")
            })?),
            Token::Number(Some(number)) => LabelOp::Proposition(*number),
            Token::Number(None) => {
                let error = words.source.error(span, "there is no proposition with this number");
                return Err(error.help("propositions are numbered from 0 in the order of `AP:`"));
            }
            Token::Word(_) | Token::Text(_) => {
                let error = words.expected("a proposition's number, an alias, `t` or `f`");
                return Err(error.help("labels name propositions by their position in `AP:`, from 0"));
            }
            _ => {
                let error = words.expected("a proposition's number, an alias, `t`, `f`, `!` or `(`");
                return Err(error.help("a label reads like `[0 & !1 | @alias]`"));
            }
        };
        words.take()?;
        postfix.push((op, span));
        // Then closing parentheses and an operator, or the end.
        loop {
            let span = words.peek().span.clone();
            match words.peek().token {
                Token::Symbol(')') => {
                    unwind(&mut waiting, &mut postfix, |_| true);
                    if waiting.pop().is_none() {
                        return Err(words
                            .source
                            .error(span, "nothing is open here")
                            .help("take this parenthesis out, or open one before it"));
                    }
                    words.take()?;
                }
                Token::Symbol('&') => {
                    unwind(&mut waiting, &mut postfix, |op| op != LabelOp::Or);
                    waiting.push((Waiting::Op(LabelOp::And), span));
                    break;
                }
                Token::Symbol('|') => {
                    unwind(&mut waiting, &mut postfix, |_| true);
                    waiting.push((Waiting::Op(LabelOp::Or), span));
                    break;
                }
                _ => {
                    unwind(&mut waiting, &mut postfix, |_| true);
                    return match waiting.pop() {
                        Some((_, open)) => Err(words
                            .source
                            .error(open, "this parenthesis is never closed")
                            .help("close it with `)`")),
                        None => Ok(Label { postfix, span: start..words.end }),
                    };
                }
            }
        }
        words.take()?;
    }
}

/// Moves operators that bind at least as tightly to the output, down to the innermost open parenthesis.
fn unwind(
    waiting: &mut Vec<(Waiting, Range<usize>)>,
    postfix: &mut Vec<(LabelOp, Range<usize>)>,
    moves: impl Fn(LabelOp) -> bool,
) {
    while let Some((Waiting::Op(op), _)) = waiting.last()
        && moves(*op)
    {
        let op = *op;
        let (_, span) = waiting.pop().expect("the stack has a last element");
        postfix.push((op, span));
    }
}
