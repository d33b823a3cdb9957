//! Operators and functions of words.

use std::ops::Range;

use super::super::interval;
use super::super::tree::{Binary, Expression, Function};
use super::super::typed::{Typed, What};
use super::super::types::{Scalar, Type};
use super::{Checker, integer, kind_of};
use crate::diagnostic::SpecError;

impl Checker<'_> {
    pub(super) fn binary(
        &mut self,
        op: Binary,
        parts: &[Expression; 2],
        span: Range<usize>,
        hint: Option<&Type>,
    ) -> Result<Typed, SpecError> {
        match op {
            Binary::Iff | Binary::Xor | Binary::Implies => self.connective(op, parts, span),
            Binary::Equal | Binary::Unequal => self.equality(op, parts, span),
            Binary::Less | Binary::AtMost | Binary::Greater | Binary::AtLeast => {
                let why = format!("`{}` compares integers", op.sign());
                let (left, _) = self.integer(&parts[0], &why)?;
                let (right, _) = self.integer(&parts[1], &why)?;
                Ok(Typed { what: What::Compare(op, Box::new([left, right])), of: Type::BOOLEAN, span })
            }
            Binary::In => self.membership(parts, span),
            Binary::NotIn => {
                let inner = self.membership(parts, span.clone())?;
                Ok(Typed { what: What::Not(Box::new(inner)), of: Type::BOOLEAN, span })
            }
            Binary::Subset => {
                let (parts, _) = self.sets(op, parts, None)?;
                Ok(Typed { what: What::Subset(Box::new(parts)), of: Type::BOOLEAN, span })
            }
            Binary::Union | Binary::Difference | Binary::Intersection => {
                let (parts, of) = self.sets(op, parts, hint)?;
                Ok(Typed { what: What::Combine(op, Box::new(parts)), of, span })
            }
            Binary::Range => self.range_set(parts, span),
            Binary::Lookup => self.lookup(parts, span),
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo => {
                self.arithmetic(op, parts, span)
            }
        }
    }

    fn connective(
        &mut self,
        op: Binary,
        [left, right]: &[Expression; 2],
        span: Range<usize>,
    ) -> Result<Typed, SpecError> {
        let why = format!("`{}` joins Booleans", op.sign());
        let parts = Box::new([self.boolean(left, &why)?, self.boolean(right, &why)?]);
        let what = match op {
            Binary::Implies => What::Implies(parts),
            Binary::Iff => What::Compare(Binary::Equal, parts),
            _ => What::Compare(Binary::Unequal, parts),
        };
        Ok(Typed { what, of: Type::BOOLEAN, span })
    }

    fn equality(
        &mut self,
        op: Binary,
        parts: &[Expression; 2],
        span: Range<usize>,
    ) -> Result<Typed, SpecError> {
        let [left, right] = self.pair(parts, None)?;
        let what = match (&left.of, &right.of) {
            (Type::Scalar(one), Type::Scalar(other)) if one.is_like(other) => {
                What::Compare(op, Box::new([left, right]))
            }
            (Type::Scalar(_), _) | (_, Type::Scalar(_)) => return Err(self.unlike(&left, &right, span)),
            (one, other) => {
                let Some(of) = one.hull(other) else { return Err(self.unlike(&left, &right, span)) };
                self.small(&of, &span)?;
                let same = What::Same(Box::new([self.fit(left, &of)?, self.fit(right, &of)?]));
                match op {
                    Binary::Equal => same,
                    _ => What::Not(Box::new(Typed { what: same, of: Type::BOOLEAN, span: span.clone() })),
                }
            }
        };
        Ok(Typed { what, of: Type::BOOLEAN, span })
    }

    pub(super) fn unlike(&self, left: &Typed, right: &Typed, span: Range<usize>) -> SpecError {
        let (one, other) = (self.text(&left.span), self.text(&right.span));
        let (left, right) = (kind_of(&left.of), kind_of(&right.of));
        self.error(&span, format!("{one} is {left}, but {other} is {right}"))
    }

    fn arithmetic(
        &mut self,
        op: Binary,
        parts: &[Expression; 2],
        span: Range<usize>,
    ) -> Result<Typed, SpecError> {
        let why = format!("`{}` is for integers", op.sign());
        let help = match op {
            Binary::Add => "sets are joined with `union`",
            Binary::Subtract => "what is in one set and not in another is `a minus b`",
            Binary::Multiply => "what is in both sets is `a intersect b`",
            _ => "",
        };
        let mut one = |part: &Expression| {
            let typed = self.check(part, None)?;
            match typed.of {
                Type::Scalar(Scalar::Integer { low, high }) => Ok((typed, (low, high))),
                Type::Set(_) if !help.is_empty() => Err(self.wrong(&typed, &why).help(help)),
                _ => Err(self.wrong(&typed, &why)),
            }
        };
        let (left, left_range) = one(&parts[0])?;
        let (right, right_range) = one(&parts[1])?;
        if matches!(op, Binary::Divide | Binary::Modulo) && right_range == (0, 0) {
            return Err(self.error(&right.span, "this divides by zero"));
        }
        let range = interval::arithmetic(op, left_range, right_range).ok_or_else(|| self.overflows(&span))?;
        Ok(Typed { what: What::Arithmetic(op, Box::new([left, right])), of: integer(range), span })
    }

    pub(super) fn choice(
        &mut self,
        [condition, then, otherwise]: &[Expression; 3],
        span: Range<usize>,
        hint: Option<&Type>,
    ) -> Result<Typed, SpecError> {
        let condition = self.boolean(condition, "the condition of `if` is a Boolean")?;
        let [then, otherwise] = self.pair_hinted(then, otherwise, hint)?;
        let Some(of) = then.of.hull(&otherwise.of) else { return Err(self.unlike(&then, &otherwise, span)) };
        self.small(&of, &span)?;
        let parts = [condition, self.fit(then, &of)?, self.fit(otherwise, &of)?];
        Ok(Typed { what: What::If(Box::new(parts)), of, span })
    }

    fn pair_hinted(
        &mut self,
        left: &Expression,
        right: &Expression,
        hint: Option<&Type>,
    ) -> Result<[Typed; 2], SpecError> {
        if hint.is_none() && self.needs_hint(left) && !self.needs_hint(right) {
            let right = self.check(right, None)?;
            return Ok([self.check(left, Some(&right.of))?, right]);
        }
        let left = self.check(left, hint)?;
        let right = self.check(right, Some(hint.unwrap_or(&left.of)))?;
        Ok([left, right])
    }

    pub(super) fn call(
        &mut self,
        function: Function,
        parts: &[Expression],
        span: Range<usize>,
    ) -> Result<Typed, SpecError> {
        let one = |checker: &Checker<'_>| match parts {
            [part] => Ok(part),
            _ => {
                let count = parts.len();
                let message = format!("`{}` is of one value, and here are {count}", function.name());
                Err(checker.error(&span, message))
            }
        };
        match function {
            Function::Abs => {
                let (part, range) = self.integer(one(self)?, "`abs` is of an integer")?;
                let range = interval::absolute(range).ok_or_else(|| self.overflows(&span))?;
                Ok(Typed { what: What::Abs(Box::new(part)), of: integer(range), span })
            }
            Function::Size => {
                let part = self.check(one(self)?, None)?;
                let Type::Set(of) = &part.of else { return Err(self.wrong(&part, "`size` is of a set")) };
                let most = of.as_ref().and_then(Scalar::size).unwrap_or(0) as i64;
                Ok(Typed { what: What::Size(Box::new(part)), of: integer((0, most)), span })
            }
            Function::Min | Function::Max => self.extreme(function, parts, span),
        }
    }

    fn extreme(
        &mut self,
        function: Function,
        parts: &[Expression],
        span: Range<usize>,
    ) -> Result<Typed, SpecError> {
        let why = format!("`{}` is of integers or of a set of them", function.name());
        if let [part] = parts {
            let part = self.check(part, None)?;
            return match &part.of {
                Type::Set(Some(of @ Scalar::Integer { .. })) => {
                    let of = Type::Scalar(of.clone());
                    Ok(Typed { what: What::Furthest(function, Box::new(part)), of, span })
                }
                Type::Set(None) => Err(self.error(&part.span, "the empty set has no element")),
                Type::Scalar(Scalar::Integer { .. }) => Ok(Typed { span, ..part }),
                _ => Err(self.wrong(&part, &why)),
            };
        }
        let parts = parts.iter().map(|part| self.integer(part, &why)).collect::<Result<Vec<_>, _>>()?;
        let ranges = parts.iter().map(|(_, range)| *range);
        let range = ranges
            .reduce(|left, right| interval::extreme(function, left, right))
            .ok_or_else(|| self.error(&span, format!("`{}` of nothing has no value", function.name())))?;
        let parts = parts.into_iter().map(|(part, _)| part).collect();
        Ok(Typed { what: What::Extreme(function, parts), of: integer(range), span })
    }
}
