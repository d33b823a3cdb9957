//! `formula ~ pattern`: looking into the structure of a formula.

use super::expand::Expander;
use super::expression::{Binary, Expression, Kind, Unary};
use super::value::Value;
use crate::diagnostic::SpecError;
use crate::ltl::{Formula, Op};

impl<'a> Expander<'a> {
    /// Whether the formula has the structure of the pattern; names in the pattern then stand for its parts.
    ///
    /// A name that stands twice in a pattern must match the same formula twice. `a && b && c` matches
    /// `x && y` with `a && b` as `x`, however it was grouped.
    pub(super) fn matches(&mut self, formula: &Formula, pattern: &'a Expression) -> Result<bool, SpecError> {
        let first = self.locals.len();
        self.matches_from(first, formula, pattern)
    }

    fn matches_from(
        &mut self,
        first: usize,
        formula: &Formula,
        pattern: &'a Expression,
    ) -> Result<bool, SpecError> {
        self.charge(1, &pattern.span)?;
        let next = if self.file.semantics.finite { Op::WeakNext } else { Op::Next };
        let (op, parts): (Op, Vec<&'a Expression>) = match &pattern.kind {
            Kind::Wild => return Ok(true),
            Kind::Name(name) => {
                let value = Value::Formula(formula.clone());
                if let Some((_, known)) = self.locals[first..].iter().find(|(known, _)| known == name) {
                    return Ok(*known == value);
                }
                self.locals.push((name.clone(), value));
                return Ok(true);
            }
            Kind::Truth(truth) => (if *truth { Op::True } else { Op::False }, Vec::new()),
            Kind::Unary(Unary::Not, body) => (Op::Not, vec![body]),
            Kind::Unary(Unary::Finally, body) => (Op::Finally, vec![body]),
            Kind::Unary(Unary::Globally, body) => (Op::Globally, vec![body]),
            Kind::Next { times: None, strong: true, body } => (Op::Next, vec![body]),
            Kind::Next { times: None, body, .. } => (next, vec![body]),
            Kind::Binary(op, sides) => {
                let op = match op {
                    Binary::Implies => Op::Implies,
                    Binary::Iff => Op::Iff,
                    Binary::Until => Op::Until,
                    Binary::WeakUntil => Op::WeakUntil,
                    Binary::Release => Op::Release,
                    _ => return Err(self.not_a_pattern(pattern)),
                };
                (op, sides.iter().collect())
            }
            Kind::Chain(all, parts) => (if *all { Op::And } else { Op::Or }, parts.iter().collect()),
            _ => return Err(self.not_a_pattern(pattern)),
        };
        if *formula.op() != op || formula.args().len() < parts.len() {
            return Ok(false);
        }
        // Only chains have more operands than parts; the first part takes the surplus.
        let surplus = formula.args().len() - parts.len();
        for (at, part) in parts.into_iter().enumerate() {
            let operand = match at {
                0 if surplus > 0 => {
                    self.charge(surplus, &pattern.span)?;
                    Formula::build(op.clone(), formula.args()[..=surplus].to_vec())
                }
                _ => formula.args()[at + surplus].clone(),
            };
            if !self.matches_from(first, &operand, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn not_a_pattern(&self, pattern: &Expression) -> SpecError {
        self.source.error(pattern.span.clone(), "this cannot stand in a pattern")
    }
}
