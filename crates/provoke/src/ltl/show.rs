//! Formulas as text that reads back as the same formula.

use std::fmt;

use super::keyword::is_plain_name;
use super::{Formula, Op};
use crate::atom::hidden_text;
use crate::expression;

/// How tightly an operator holds what stands beside it; see `docs/guide/ltl.md`.
pub(super) fn tightness(op: &Op) -> u8 {
    match op {
        Op::Implies | Op::Iff => 1,
        Op::Or => 2,
        Op::Xor => 3,
        Op::And => 4,
        Op::Until | Op::WeakUntil | Op::Release | Op::StrongRelease | Op::Since | Op::Triggered => 5,
        Op::Not | Op::Next | Op::WeakNext | Op::Finally | Op::Globally => 6,
        Op::FinallyIn(..) | Op::GloballyIn(..) | Op::OnceIn(..) | Op::HistoricallyIn(..) => 6,
        Op::Yesterday | Op::WeakYesterday | Op::Once | Op::Historically => 6,
        Op::True | Op::False | Op::Proposition(_) => 7,
    }
}

fn symbol(op: &Op) -> &'static str {
    match op {
        Op::True => "1",
        Op::False => "0",
        Op::Proposition(_) => "",
        Op::Not => "!",
        Op::And => " & ",
        Op::Or => " | ",
        Op::Implies => " -> ",
        Op::Iff => " <-> ",
        Op::Xor => " xor ",
        Op::Next => "X",
        Op::WeakNext => "N",
        Op::Finally | Op::FinallyIn(..) => "F",
        Op::Globally | Op::GloballyIn(..) => "G",
        Op::Until => " U ",
        Op::WeakUntil => " W ",
        Op::Release => " R ",
        Op::StrongRelease => " M ",
        Op::Yesterday => "Y",
        Op::WeakYesterday => "Z",
        Op::Once | Op::OnceIn(..) => "O",
        Op::Historically | Op::HistoricallyIn(..) => "H",
        Op::Since => " S ",
        Op::Triggered => " T ",
    }
}

/// Whether a proposition is a comparison, written as all like it are.
fn is_comparison(name: &str) -> bool {
    let name = hidden_text(name).unwrap_or(name);
    if !name.contains(' ') {
        return false;
    }
    let Ok(expression) = expression::parse(name) else { return false };
    let compares = match &expression.kind {
        expression::Kind::If(_) => true,
        expression::Kind::Binary(op, _) => op.compares(),
        _ => false,
    };
    compares && expression.to_string() == name
}

/// Whether it stands in parentheses: a comparison does behind an operator and beside `U` and the like.
fn is_enclosed(around: &Op, formula: &Formula) -> bool {
    let joins = matches!(around, Op::And | Op::Or | Op::Implies | Op::Iff | Op::Xor);
    !joins && matches!(formula.op(), Op::Proposition(name) if is_comparison(name))
}

/// What is still to be written.
enum Part<'a> {
    Formula(&'a Formula),
    Text(&'static str),
}

/// Spot's spelling, with parentheses around every binary operand of a binary operator except chains of `&`
/// under `|` and both under `->`, where everyone reads them alike.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open = vec![Part::Formula(self)];
        while let Some(part) = open.pop() {
            let formula = match part {
                Part::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Part::Formula(formula) => formula,
            };
            match (formula.op(), formula.args()) {
                (Op::Proposition(name), _) => write_name(f, name)?,
                (op, []) => f.write_str(symbol(op))?,
                (op, [arg]) => {
                    f.write_str(symbol(op))?;
                    if let Op::FinallyIn(first, last)
                    | Op::GloballyIn(first, last)
                    | Op::OnceIn(first, last)
                    | Op::HistoricallyIn(first, last) = op
                    {
                        match last {
                            Some(last) => write!(f, "[{first}:{last}]")?,
                            None => write!(f, "[{first}:]")?,
                        }
                    }
                    let bare = tightness(arg.op()) >= 6 && !is_enclosed(op, arg);
                    if bare {
                        // Letters of operators that look back are names where an interface has them: they stand alone.
                        let glued = !op.is_past() && matches!(symbol(arg.op()), "X" | "N" | "F" | "G");
                        if *op != Op::Not && !glued {
                            f.write_str(" ")?;
                        }
                        open.push(Part::Formula(arg));
                    } else {
                        f.write_str("(")?;
                        open.push(Part::Text(")"));
                        open.push(Part::Formula(arg));
                    }
                }
                (op, args) => {
                    for (at, arg) in args.iter().enumerate().rev() {
                        let inner = tightness(arg.op());
                        let plain = matches!(
                            (op, arg.op()),
                            (Op::Or, Op::And) | (Op::Implies | Op::Iff, Op::And | Op::Or)
                        );
                        if inner >= 6 && !is_enclosed(op, arg) || plain {
                            open.push(Part::Formula(arg));
                        } else {
                            open.push(Part::Text(")"));
                            open.push(Part::Formula(arg));
                            open.push(Part::Text("("));
                        }
                        if at > 0 {
                            open.push(Part::Text(symbol(op)));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if let Some(hidden) = hidden_text(name).filter(|hidden| is_comparison(hidden)) {
        return f.write_str(hidden);
    }
    if is_plain_name(name) || is_comparison(name) {
        return f.write_str(name);
    }
    f.write_str("\"")?;
    for character in name.chars() {
        if matches!(character, '"' | '\\') {
            f.write_str("\\")?;
        }
        write!(f, "{character}")?;
    }
    f.write_str("\"")
}
