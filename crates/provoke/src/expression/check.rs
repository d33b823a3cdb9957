//! Looking up names and checking types.

mod fit;
mod operators;
mod sets;

use std::ops::Range;
use std::sync::Arc;

use super::scope::{Meaning, Scope};
use super::tree::{Expression, Kind, Unary};
use super::typed::{Typed, What};
use super::types::{Enumeration, Scalar, Type};
use super::{interval, show::Named};
use crate::diagnostic::{Source, SpecError, brief, did_you_mean};

pub(super) struct Checker<'a> {
    source: &'a Source,
    scope: &'a Scope,
    /// The names that stand for each element of a domain here, from the outside in.
    bound: Vec<(Arc<str>, usize, Scalar)>,
    /// How many locals there are.
    pub(super) locals: usize,
}

impl<'a> Checker<'a> {
    pub(super) fn new(source: &'a Source, scope: &'a Scope) -> Checker<'a> {
        Checker { source, scope, bound: Vec::new(), locals: scope.parameters() }
    }

    fn error(&self, span: &Range<usize>, message: impl Into<String>) -> SpecError {
        self.source.error(span.clone(), message)
    }

    /// What stands at a place, for messages.
    fn text(&self, span: &Range<usize>) -> String {
        format!("`{}`", brief(self.source.text.get(span.clone()).unwrap_or_default()))
    }

    /// Checks an expression. The hint is what stands beside it, and decides which enumeration's value a name is.
    pub(super) fn check(&mut self, expression: &Expression, hint: Option<&Type>) -> Result<Typed, SpecError> {
        let span = expression.span.clone();
        match &expression.kind {
            Kind::Boolean(value) => Ok(constant(i64::from(*value), Scalar::Boolean, span)),
            Kind::Integer(number) => {
                Ok(constant(*number, Scalar::Integer { low: *number, high: *number }, span))
            }
            Kind::Decimal(_) => {
                let error = self.error(&span, "model programs have whole numbers alone");
                Err(error.help("formulas compare signals with decimal numbers"))
            }
            Kind::Name(name) => self.name(name, span, hint),
            Kind::Value(of, value) => self.value(of, value, span),
            Kind::Unary(Unary::Not, part) => {
                let part = self.boolean(part, "`!` turns Booleans round")?;
                Ok(Typed { what: What::Not(Box::new(part)), of: Type::BOOLEAN, span })
            }
            Kind::Unary(Unary::Minus, part) => {
                let (part, range) = self.integer(part, "`-` is for integers")?;
                let range = interval::negated(range).ok_or_else(|| self.overflows(&span))?;
                Ok(Typed { what: What::Minus(Box::new(part)), of: integer(range), span })
            }
            Kind::Binary(op, parts) => self.binary(*op, parts, span, hint),
            Kind::Chain(op, parts) => {
                let parts = parts.iter().map(|part| self.boolean(part, "`&` and `|` join Booleans"));
                let parts = parts.collect::<Result<_, _>>()?;
                Ok(Typed { what: What::Chain(*op, parts), of: Type::BOOLEAN, span })
            }
            Kind::If(parts) => self.choice(parts, span, hint),
            Kind::Call(function, parts) => self.call(*function, parts, span),
            Kind::Set(parts) => self.elements(parts, span, hint),
            Kind::Each(each, name, parts) => self.each(*each, name, parts, span, hint),
        }
    }

    /// Checks an expression that must be Boolean; `why` says so.
    pub(super) fn boolean(&mut self, expression: &Expression, why: &str) -> Result<Typed, SpecError> {
        let typed = self.check(expression, Some(&Type::BOOLEAN))?;
        if typed.of == Type::BOOLEAN { Ok(typed) } else { Err(self.wrong(&typed, why)) }
    }

    /// Checks an expression that must be an integer; gives where it lies.
    fn integer(&mut self, expression: &Expression, why: &str) -> Result<(Typed, (i64, i64)), SpecError> {
        let typed = self.check(expression, None)?;
        match typed.of {
            Type::Scalar(Scalar::Integer { low, high }) => Ok((typed, (low, high))),
            _ => Err(self.wrong(&typed, why)),
        }
    }

    fn wrong(&self, typed: &Typed, why: &str) -> SpecError {
        let text = self.text(&typed.span);
        self.error(&typed.span, format!("{text} is {}, but {why}", kind_of(&typed.of)))
    }

    fn overflows(&self, span: &Range<usize>) -> SpecError {
        let text = self.text(span);
        self.error(span, format!("{text} always overflows")).help("integers have 64 bits")
    }

    fn name(&self, name: &Arc<str>, span: Range<usize>, hint: Option<&Type>) -> Result<Typed, SpecError> {
        if let Some((_, at, of)) = self.bound.iter().find(|(bound, ..)| bound == name) {
            return Ok(Typed { what: What::Local(*at), of: Type::Scalar(of.clone()), span });
        }
        match self.scope.meaning(name) {
            Some(Meaning::Variable { at, of }) => {
                Ok(Typed { what: What::Variable(*at), of: of.clone(), span })
            }
            Some(Meaning::Parameter { at, of }) => {
                Ok(Typed { what: What::Local(*at), of: Type::Scalar(of.clone()), span })
            }
            Some(Meaning::Constant { words, of }) => {
                Ok(Typed { what: What::Constant(words.clone()), of: of.clone(), span })
            }
            Some(Meaning::Type(of)) => self.whole(of, span),
            None => {
                let of = self.enumeration_of(name, &span, hint)?;
                self.value_of(&of, name, span)
            }
        }
    }

    /// The enumeration that a name is a value of.
    fn enumeration_of(
        &self,
        name: &Arc<str>,
        span: &Range<usize>,
        hint: Option<&Type>,
    ) -> Result<Arc<Enumeration>, SpecError> {
        let found = self.scope.enumerations(name);
        let hinted = hint.and_then(|hint| match hint {
            Type::Scalar(Scalar::Enumeration(of)) => found.iter().find(|candidate| *candidate == of),
            _ => None,
        });
        match (hinted, found) {
            (Some(of), _) => Ok(of.clone()),
            (None, [of]) => Ok(of.clone()),
            (None, [of, other, ..]) => {
                let (of, other) = (Named(&of.name), Named(&other.name));
                let error = self.error(span, format!("`{name}` is a value of `{of}` and of `{other}`"));
                Err(error.help(format!("write `{of}.{}` or `{other}.{}`", Named(name), Named(name))))
            }
            (None, []) => match hint {
                Some(Type::Scalar(Scalar::Enumeration(of))) if of.is_nameless() => Ok(of.clone()),
                _ => Err(self.unknown(name, span)),
            },
        }
    }

    fn unknown(&self, name: &str, span: &Range<usize>) -> SpecError {
        let known = self.scope.known();
        let bound = self.bound.iter().map(|(bound, ..)| &**bound);
        let message = format!("nothing is called `{}`", brief(name));
        self.error(span, message).maybe_help(did_you_mean(name, bound.chain(known)))
    }

    #[inline(never)]
    fn value(&self, of: &str, value: &Arc<str>, span: Range<usize>) -> Result<Typed, SpecError> {
        match self.scope.meaning(of) {
            Some(
                Meaning::Type(Type::Scalar(Scalar::Enumeration(of)))
                | Meaning::Variable { of: Type::Scalar(Scalar::Enumeration(of)), .. },
            ) => self.value_of(of, value, span),
            Some(_) => {
                let error = self.error(&span, format!("`{}` is not an enumeration", brief(of)));
                Err(error.help("only values of enumerations stand behind a dot"))
            }
            None => Err(self.unknown(of, &span)),
        }
    }

    #[inline(never)]
    fn value_of(&self, of: &Arc<Enumeration>, value: &str, span: Range<usize>) -> Result<Typed, SpecError> {
        match of.values.iter().position(|known| **known == *value) {
            Some(number) => Ok(constant(number as i64, Scalar::Enumeration(of.clone()), span)),
            None => {
                let message = match of.is_nameless() {
                    true => format!("`{}` is not one of {}", brief(value), of.values.join(", ")),
                    false => format!("`{}` is not a value of `{}`", brief(value), Named(&of.name)),
                };
                let known = of.values.iter().map(|value| &**value);
                let all = || format!("its values are {}", of.values.join(", "));
                Err(self.error(&span, message).help(did_you_mean(value, known).unwrap_or_else(all)))
            }
        }
    }

    /// Whether an expression is a name that only a hint may explain.
    fn needs_hint(&self, expression: &Expression) -> bool {
        match &expression.kind {
            Kind::Name(name) => {
                self.scope.meaning(name).is_none() && !self.bound.iter().any(|(bound, ..)| bound == name)
            }
            Kind::Set(parts) => parts.iter().any(|part| self.needs_hint(part)),
            _ => false,
        }
    }

    /// Checks two expressions, each with the other's type as a hint.
    fn pair(&mut self, parts: &[Expression; 2], hint: Option<&Type>) -> Result<[Typed; 2], SpecError> {
        let [left, right] = parts;
        if self.needs_hint(left) && !self.needs_hint(right) {
            let right = self.check(right, hint)?;
            let left = self.check(left, Some(&right.of))?;
            return Ok([left, right]);
        }
        let left = self.check(left, hint)?;
        let right = self.check(right, Some(&left.of))?;
        Ok([left, right])
    }
}

fn constant(word: i64, of: Scalar, span: Range<usize>) -> Typed {
    Typed { what: What::Constant([word].into()), of: Type::Scalar(of), span }
}

fn integer((low, high): (i64, i64)) -> Type {
    Type::Scalar(Scalar::Integer { low, high })
}

/// A type in a message: how far an integer reaches seldom matters.
fn kind_of(of: &Type) -> String {
    match of {
        Type::Scalar(Scalar::Boolean) => "a Boolean".to_owned(),
        Type::Scalar(Scalar::Integer { .. }) => "an integer".to_owned(),
        Type::Scalar(Scalar::Enumeration(of)) if of.is_nameless() => {
            format!("one of {}", of.values.join(", "))
        }
        Type::Scalar(Scalar::Enumeration(of)) => format!("a value of `{}`", Named(&of.name)),
        Type::Set(None) => "the empty set".to_owned(),
        Type::Set(Some(Scalar::Integer { .. })) => "a set of integers".to_owned(),
        Type::Set(Some(of)) => format!("a set of {of}"),
        Type::Map(..) => format!("a {of}"),
    }
}
