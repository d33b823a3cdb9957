//! Expressions over numbers that need not be whole: checked and evaluated in floating point, as they were written.
//!
//! Both sides of a comparison are what their decimal texts are in 64 bits of floating point, and sums, differences and
//! products are rounded as the machine does it.

use std::ops::Range;

use crate::diagnostic::{Source, SpecError, brief, did_you_mean};
use crate::expression::{Binary, Chain, Expression, Function, Kind, Unary, previous};
use crate::letter::{Field, Kind as Of};

/// An expression whose names are known.
#[derive(Clone, Debug)]
pub(crate) enum Real {
    Truth(bool),
    Number(f64),
    /// The place of a value of an enumeration.
    Name(u64),
    /// The field with this number; those behind the last are what fields were one step ago.
    Field(usize),
    Not(Box<Real>),
    All(Vec<Real>),
    Any(Vec<Real>),
    Same(Box<[Real; 2]>),
    Compare(Binary, Box<[Real; 2]>),
    Minus(Box<Real>),
    Abs(Box<Real>),
    Arithmetic(Binary, Box<[Real; 2]>),
    Extreme(Function, Vec<Real>),
    If(Box<[Real; 3]>),
}

/// What the value of an expression is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Truth,
    /// Between these.
    Number(f64, f64),
    /// A value of the enumeration of this field.
    Name(usize),
    /// A name that may be a value of some enumeration; what it stands beside says of which.
    Loose(String),
}

pub(super) struct Checker<'a> {
    pub(super) source: &'a Source,
    pub(super) fields: &'a [(bool, Field)],
}

type Checked = Result<(Real, Type), SpecError>;

/// Whether an expression speaks of numbers that need not be whole.
pub(super) fn is_real(expression: &Expression, fields: &[(bool, Field)]) -> bool {
    let of = |part: &Expression| is_real(part, fields);
    match &expression.kind {
        Kind::Decimal(_) => true,
        Kind::Name(name) => fields.iter().any(|(_, field)| {
            field.is_real() && (field.name() == &**name || previous(field.name()) == **name)
        }),
        Kind::Unary(_, part) => of(part),
        Kind::Binary(_, parts) | Kind::Each(_, _, parts) => parts.iter().any(of),
        Kind::If(parts) => parts.iter().any(of),
        Kind::Chain(_, parts) | Kind::Call(_, parts) | Kind::Set(parts) => parts.iter().any(of),
        _ => false,
    }
}

impl Checker<'_> {
    fn wrong(&self, span: &Range<usize>, of: &Type, why: &str) -> SpecError {
        let text = brief(self.source.text.get(span.clone()).unwrap_or_default()).into_owned();
        self.source.error(span.clone(), format!("`{text}` is {}, but {why}", self.kind_of(of)))
    }

    fn kind_of(&self, of: &Type) -> String {
        match of {
            Type::Truth => "a Boolean".to_owned(),
            Type::Number(..) => "a number".to_owned(),
            Type::Name(at) => self.fields.get(*at).map_or_else(String::new, |(_, field)| field.values()),
            Type::Loose(_) => "the name of a value".to_owned(),
        }
    }

    pub(super) fn truth(&self, expression: &Expression, why: &str) -> Result<Real, SpecError> {
        match self.check(expression)? {
            (found, Type::Truth) => Ok(found),
            (_, of) => Err(self.wrong(&expression.span, &of, why)),
        }
    }

    fn number(&self, expression: &Expression, why: &str) -> Result<(Real, (f64, f64)), SpecError> {
        match self.check(expression)? {
            (found, Type::Number(low, high)) => Ok((found, (low, high))),
            (_, of) => Err(self.wrong(&expression.span, &of, why)),
        }
    }

    /// A comparison. A constant beside a field that keeps some of its digits keeps as many: what has been answered is then
    /// equal to it where it was when it was said.
    fn compare(&self, op: Binary, one: Real, other: Real) -> Real {
        let kept = |part: Real, beside: &Real| match (part.constant(), beside) {
            (Some(number), Real::Field(at)) => {
                let field = self.fields.get(at % self.fields.len().max(1));
                field.map_or(part, |(_, field)| Real::Number(field.nearest(number)))
            }
            _ => part,
        };
        let (left, right) = (kept(one.clone(), &other), kept(other, &one));
        Real::Compare(op, Box::new([left, right]))
    }

    fn field(&self, name: &str) -> Option<usize> {
        let plain = self.fields.iter().position(|(_, field)| field.name() == name);
        let before = || self.fields.iter().position(|(_, field)| previous(field.name()) == name);
        plain.or_else(|| before().map(|at| at + self.fields.len()))
    }

    fn type_of(&self, at: usize) -> Type {
        let at = at % self.fields.len().max(1);
        let Some((_, field)) = self.fields.get(at) else { return Type::Truth };
        let end = |place: u64| field.real(field.value(place)).unwrap_or(0.0);
        match field.kind() {
            Of::Boolean => Type::Truth,
            Of::Enumeration(_) => Type::Name(at),
            _ => Type::Number(end(0), end(field.count().saturating_sub(1))),
        }
    }

    fn check(&self, expression: &Expression) -> Checked {
        let span = &expression.span;
        let numbers = |low: f64, high: f64| Type::Number(low.min(high), high.max(low));
        match &expression.kind {
            Kind::Boolean(value) => Ok((Real::Truth(*value), Type::Truth)),
            Kind::Integer(number) => {
                Ok((Real::Number(*number as f64), numbers(*number as f64, *number as f64)))
            }
            Kind::Decimal(number) => {
                Ok((Real::Number(number.number()), numbers(number.number(), number.number())))
            }
            Kind::Name(name) => match self.field(name) {
                Some(at) => Ok((Real::Field(at), self.type_of(at))),
                None => Ok((Real::Name(0), Type::Loose(name.to_string()))),
            },
            Kind::Value(of, value) => match self.field(of) {
                Some(at) => Ok((self.value(at, value, span)?, Type::Name(at % self.fields.len()))),
                None => Err(self.unknown(of, span)),
            },
            Kind::Unary(Unary::Not, part) => {
                Ok((Real::Not(Box::new(self.truth(part, "`!` turns Booleans round")?)), Type::Truth))
            }
            Kind::Unary(Unary::Minus, part) => {
                let (part, (low, high)) = self.number(part, "`-` is for numbers")?;
                Ok((Real::Minus(Box::new(part)), numbers(-high, -low)))
            }
            Kind::Chain(op, parts) => {
                let parts = parts.iter().map(|part| self.truth(part, "`&` and `|` join Booleans"));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                Ok((if *op == Chain::And { Real::All(parts) } else { Real::Any(parts) }, Type::Truth))
            }
            Kind::If(parts) => self.choice(parts),
            Kind::Call(function, parts) => self.call(*function, parts, span),
            Kind::Binary(op, parts) => self.binary(*op, parts, span),
            Kind::Set(_) | Kind::Each(..) => Err(self.foreign(span)),
        }
    }

    fn choice(&self, [condition, then, other]: &[Expression; 3]) -> Checked {
        let condition = self.truth(condition, "the condition of `if` is a Boolean")?;
        let parts = [self.check(then)?, self.check(other)?];
        let of = match (&parts[0].1, &parts[1].1) {
            (Type::Number(low, high), Type::Number(least, most)) => {
                Type::Number(low.min(*least), high.max(*most))
            }
            (Type::Truth, Type::Truth) => Type::Truth,
            (Type::Name(one), Type::Name(two)) if self.alike(*one, *two) => Type::Name(*one),
            (_, of) => return Err(self.wrong(&other.span, of, "what stands behind `then` is not")),
        };
        let [(then, _), (other, _)] = parts;
        Ok((Real::If(Box::new([condition, then, other])), of))
    }

    fn call(&self, function: Function, parts: &[Expression], span: &Range<usize>) -> Checked {
        let why =
            format!("`{}` is of numbers", if function == Function::Abs { "abs" } else { "min and max" });
        let checked = parts.iter().map(|part| self.number(part, &why)).collect::<Result<Vec<_>, _>>()?;
        let ranges: Vec<(f64, f64)> = checked.iter().map(|(_, range)| *range).collect();
        let mut parts: Vec<Real> = checked.into_iter().map(|(part, _)| part).collect();
        match (function, &ranges[..]) {
            (Function::Abs, [(low, high)]) => {
                let least = if *low <= 0.0 && *high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
                Ok((
                    Real::Abs(Box::new(parts.swap_remove(0))),
                    Type::Number(least, low.abs().max(high.abs())),
                ))
            }
            (Function::Min | Function::Max, [_, ..]) => {
                let pick = if function == Function::Min { f64::min } else { f64::max };
                let joined =
                    ranges.iter().copied().reduce(|one, two| (pick(one.0, two.0), pick(one.1, two.1)));
                let (low, high) = joined.unwrap_or_default();
                Ok((Real::Extreme(function, parts), Type::Number(low, high)))
            }
            _ => Err(self.foreign(span)),
        }
    }

    fn binary(&self, op: Binary, parts: &[Expression; 2], span: &Range<usize>) -> Checked {
        let [left, right] = parts;
        let truth = |found: Real| Ok((found, Type::Truth));
        match op {
            Binary::Iff | Binary::Xor | Binary::Implies => {
                let [one, two] =
                    [self.truth(left, "it joins Booleans")?, self.truth(right, "it joins Booleans")?];
                truth(match op {
                    Binary::Implies => Real::Any(vec![Real::Not(Box::new(one)), two]),
                    Binary::Iff => Real::Same(Box::new([one, two])),
                    _ => Real::Not(Box::new(Real::Same(Box::new([one, two])))),
                })
            }
            Binary::Equal | Binary::Unequal => {
                let same = self.equal(left, right, span)?;
                truth(if op == Binary::Equal { same } else { Real::Not(Box::new(same)) })
            }
            Binary::Less | Binary::AtMost | Binary::Greater | Binary::AtLeast => {
                let why = "what stands beside it is a number";
                let (one, two) = (self.number(left, why)?.0, self.number(right, why)?.0);
                truth(self.compare(op, one, two))
            }
            Binary::In => truth(self.member(left, right)?),
            Binary::NotIn => truth(Real::Not(Box::new(self.member(left, right)?))),
            Binary::Add | Binary::Subtract | Binary::Multiply => {
                let why = "numbers are added, subtracted and multiplied";
                let ((one, a), (two, b)) = (self.number(left, why)?, self.number(right, why)?);
                let (low, high) = match op {
                    Binary::Add => (a.0 + b.0, a.1 + b.1),
                    Binary::Subtract => (a.0 - b.1, a.1 - b.0),
                    _ => {
                        let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                        let least = corners.into_iter().fold(f64::INFINITY, f64::min);
                        (least, corners.into_iter().fold(f64::NEG_INFINITY, f64::max))
                    }
                };
                Ok((Real::Arithmetic(op, Box::new([one, two])), Type::Number(low, high)))
            }
            _ => Err(self.foreign(span)),
        }
    }

    fn member(&self, left: &Expression, right: &Expression) -> Result<Real, SpecError> {
        match &right.kind {
            Kind::Set(parts) => {
                let same = parts.iter().map(|part| self.equal(left, part, &part.span));
                Ok(Real::Any(same.collect::<Result<_, _>>()?))
            }
            Kind::Binary(Binary::Range, ends) => {
                let why = "a range is of numbers";
                let value = self.number(left, why)?.0;
                let ends = [self.number(&ends[0], why)?.0, self.number(&ends[1], why)?.0];
                let [low, high] = ends;
                Ok(Real::All(vec![
                    self.compare(Binary::AtLeast, value.clone(), low),
                    self.compare(Binary::AtMost, value, high),
                ]))
            }
            _ => Err(self.foreign(&right.span)),
        }
    }

    fn equal(&self, left: &Expression, right: &Expression, span: &Range<usize>) -> Result<Real, SpecError> {
        let (one, two) = (self.check(left)?, self.check(right)?);
        let found = match (one.1, two.1) {
            (Type::Number(..), Type::Number(..)) => self.compare(Binary::Equal, one.0, two.0),
            (Type::Truth, Type::Truth) => Real::Same(Box::new([one.0, two.0])),
            (Type::Name(a), Type::Name(b)) if self.alike(a, b) => Real::Same(Box::new([one.0, two.0])),
            (Type::Name(at), Type::Loose(name)) => {
                Real::Same(Box::new([one.0, self.value(at, &name, &right.span)?]))
            }
            (Type::Loose(name), Type::Name(at)) => {
                Real::Same(Box::new([self.value(at, &name, &left.span)?, two.0]))
            }
            (Type::Loose(name), of) if of != Type::Truth => {
                return Err(self.no_number(&name, &left.span));
            }
            (of, Type::Loose(name)) if of != Type::Truth => {
                return Err(self.no_number(&name, &right.span));
            }
            (a, b) => {
                let text = |part: &Expression| {
                    brief(self.source.text.get(part.span.clone()).unwrap_or_default()).into_owned()
                };
                let (one, two) = (text(left), text(right));
                let (a, b) = (self.kind_of(&a), self.kind_of(&b));
                return Err(self.source.error(span.clone(), format!("`{one}` is {a}, but `{two}` is {b}")));
            }
        };
        Ok(found)
    }

    /// A name that stands beside a number.
    fn no_number(&self, name: &str, span: &Range<usize>) -> SpecError {
        let of = self.fields.iter().find(|(_, field)| field.of_word(name).is_some());
        match of {
            Some((_, field)) => {
                let message = format!(
                    "`{name}` is a value of `{}`, and what it is compared with is a number",
                    field.name()
                );
                self.source.error(span.clone(), message)
            }
            None => self.unknown(name, span),
        }
    }

    fn alike(&self, one: usize, two: usize) -> bool {
        let kind = |at: usize| self.fields.get(at).map(|(_, field)| field.kind());
        kind(one) == kind(two)
    }

    fn value(&self, at: usize, name: &str, span: &Range<usize>) -> Result<Real, SpecError> {
        let field = &self.fields[at % self.fields.len()].1;
        match field.of_word(name) {
            Some(value) => Ok(Real::Name(field.place(value))),
            None => {
                let message = format!("`{}` is not {}", brief(name), field.values());
                Err(self.source.error(span.clone(), message))
            }
        }
    }

    fn unknown(&self, name: &str, span: &Range<usize>) -> SpecError {
        let known = self.fields.iter().map(|(_, field)| field.name());
        let error = self.source.error(span.clone(), format!("nothing is called `{}`", brief(name)));
        error.maybe_help(did_you_mean(name, known))
    }

    fn foreign(&self, span: &Range<usize>) -> SpecError {
        let text = brief(self.source.text.get(span.clone()).unwrap_or_default()).into_owned();
        let error =
            self.source.error(span.clone(), format!("`{text}` is not for numbers that need not be whole"));
        error.help("they have = != < <= > >= in {..}, + - *, min max abs prev and if then else")
    }
}

impl Real {
    /// The value, given those of the fields: truth values are 0 and 1, names their places.
    pub(crate) fn evaluate(&self, values: &[f64]) -> f64 {
        let of = |part: &Real| part.evaluate(values);
        let truth = |value: bool| f64::from(u8::from(value));
        match self {
            Real::Truth(value) => truth(*value),
            Real::Number(number) => *number,
            Real::Name(place) => *place as f64,
            Real::Field(at) => values.get(*at).copied().unwrap_or(0.0),
            Real::Not(part) => truth(of(part) == 0.0),
            Real::All(parts) => truth(parts.iter().all(|part| of(part) != 0.0)),
            Real::Any(parts) => truth(parts.iter().any(|part| of(part) != 0.0)),
            Real::Same(parts) => truth(of(&parts[0]) == of(&parts[1])),
            Real::Compare(op, parts) => truth(compares(*op, of(&parts[0]), of(&parts[1]))),
            Real::Minus(part) => -of(part),
            Real::Abs(part) => of(part).abs(),
            Real::Arithmetic(op, parts) => match op {
                Binary::Add => of(&parts[0]) + of(&parts[1]),
                Binary::Subtract => of(&parts[0]) - of(&parts[1]),
                _ => of(&parts[0]) * of(&parts[1]),
            },
            Real::Extreme(function, parts) => {
                let pick = if *function == Function::Min { f64::min } else { f64::max };
                parts.iter().map(of).reduce(pick).unwrap_or(0.0)
            }
            Real::If(parts) => of(&parts[if of(&parts[0]) != 0.0 { 1 } else { 2 }]),
        }
    }

    /// The number, where no field takes part.
    pub(crate) fn constant(&self) -> Option<f64> {
        self.fields().is_empty().then(|| self.evaluate(&[]))
    }

    /// The fields that take part.
    pub(crate) fn fields(&self) -> Vec<usize> {
        match self {
            Real::Truth(_) | Real::Number(_) | Real::Name(_) => Vec::new(),
            Real::Field(at) => vec![*at],
            Real::Not(part) | Real::Minus(part) | Real::Abs(part) => part.fields(),
            Real::All(parts) | Real::Any(parts) | Real::Extreme(_, parts) => {
                parts.iter().flat_map(Real::fields).collect()
            }
            Real::Same(parts) | Real::Compare(_, parts) | Real::Arithmetic(_, parts) => {
                parts.iter().flat_map(Real::fields).collect()
            }
            Real::If(parts) => parts.iter().flat_map(Real::fields).collect(),
        }
    }

    /// Whether every comparison of numbers is of one field with a constant, now: then it is a set of letters that
    /// is small however many values there are.
    pub(crate) fn is_of_constants(&self, fields: usize) -> bool {
        let of = |part: &Real| part.is_of_constants(fields);
        match self {
            Real::Truth(_) | Real::Name(_) => true,
            Real::Field(at) => *at < fields,
            Real::Not(part) => of(part),
            Real::All(parts) | Real::Any(parts) => parts.iter().all(of),
            Real::Same(parts) => parts.iter().all(of),
            Real::If(parts) => parts.iter().all(of),
            Real::Compare(_, parts) => match (&parts[0], &parts[1]) {
                (Real::Field(at), other) | (other, Real::Field(at)) => {
                    *at < fields && other.constant().is_some()
                }
                (one, other) => one.constant().is_some() && other.constant().is_some(),
            },
            _ => false,
        }
    }

    /// The constants that fields are compared with.
    pub(crate) fn constants(&self, found: &mut Vec<(usize, f64)>) {
        match self {
            Real::Compare(_, parts) => match (&parts[0], &parts[1]) {
                (Real::Field(at), other) | (other, Real::Field(at)) => {
                    found.extend(other.constant().map(|number| (*at, number)));
                }
                _ => {}
            },
            Real::Not(part) => part.constants(found),
            Real::All(parts) | Real::Any(parts) => parts.iter().for_each(|part| part.constants(found)),
            Real::Same(parts) => parts.iter().for_each(|part| part.constants(found)),
            Real::If(parts) => parts.iter().for_each(|part| part.constants(found)),
            _ => {}
        }
    }

    /// Whether it is known to be true, or false, whatever the values of these fields are.
    pub(crate) fn always(&self, fields: &[(bool, Field)]) -> Option<bool> {
        match self {
            Real::Truth(value) => Some(*value),
            Real::Not(part) => part.always(fields).map(|value| !value),
            Real::All(parts) => {
                let known: Vec<Option<bool>> = parts.iter().map(|part| part.always(fields)).collect();
                if known.contains(&Some(false)) {
                    Some(false)
                } else {
                    known.iter().all(Option::is_some).then_some(true)
                }
            }
            Real::Any(parts) => {
                let known: Vec<Option<bool>> = parts.iter().map(|part| part.always(fields)).collect();
                if known.contains(&Some(true)) {
                    Some(true)
                } else {
                    known.iter().all(Option::is_some).then_some(false)
                }
            }
            Real::Compare(op, parts) => {
                let (at, op, number) = match (&parts[0], &parts[1]) {
                    (Real::Field(at), other) => (*at, *op, other.constant()?),
                    (other, Real::Field(at)) => (*at, turned(*op), other.constant()?),
                    (one, other) => return Some(compares(*op, one.constant()?, other.constant()?)),
                };
                let (_, field) = fields.get(at % fields.len().max(1))?;
                let within = places(field, op, number);
                let count: u64 = within.iter().map(|range| range.end - range.start).sum();
                match count {
                    0 => Some(false),
                    count if count == field.count() => Some(true),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Whether two numbers compare like this.
pub(crate) fn compares(op: Binary, one: f64, other: f64) -> bool {
    match op {
        Binary::Less => one < other,
        Binary::AtMost => one <= other,
        Binary::Greater => one > other,
        Binary::AtLeast => one >= other,
        Binary::Unequal => one != other,
        _ => one == other,
    }
}

/// The comparison seen from the other side.
pub(crate) fn turned(op: Binary) -> Binary {
    match op {
        Binary::Less => Binary::Greater,
        Binary::AtMost => Binary::AtLeast,
        Binary::Greater => Binary::Less,
        Binary::AtLeast => Binary::AtMost,
        other => other,
    }
}

/// The places of the values of a field that compare like this with a number: two stretches, of which one may be empty.
pub(crate) fn places(field: &Field, op: Binary, number: f64) -> [Range<u64>; 2] {
    let (below, upto, all) = (field.below(number, false), field.below(number, true), field.count());
    match op {
        Binary::Less => [0..below, 0..0],
        Binary::AtMost => [0..upto, 0..0],
        Binary::Greater => [0..0, upto..all],
        Binary::AtLeast => [0..0, below..all],
        Binary::Unequal => [0..below, upto..all],
        _ => [below..upto, 0..0],
    }
}
