//! Constants, types and variables.

use std::sync::Arc;

use super::Variable;
use super::read::Builder;
use crate::diagnostic::{SpecError, brief};
use crate::expression::{
    Binary, Enumeration, Expression, Kind, MAX_DOMAIN, MAX_WIDTH, Meaning, Scalar, Type,
};

impl Builder<'_> {
    /// `const NAME = expression`
    pub(super) fn constant(&mut self) -> Result<(), SpecError> {
        self.reader.advance();
        let (name, place) = self.fresh("a constant")?;
        self.reader.expect_sign("=", "behind the name of the constant")?;
        let expression = self.reader.expression()?;
        let (mut of, mut words) = self.fixed(&expression)?;
        if let Some(at) = self.constants.iter().position(|(given, _)| **given == *name) {
            if !matches!(of, Type::Scalar(Scalar::Integer { .. })) {
                let message =
                    format!("the constant `{name}` is {of}, and only integers are given other values");
                return Err(self.source.error(place, message));
            }
            self.set[at] = true;
            words = [self.constants[at].1].into();
        }
        if let (Type::Scalar(Scalar::Integer { .. }), [word]) = (&of, &words[..]) {
            of = Type::Scalar(Scalar::Integer { low: *word, high: *word });
        }
        self.scope.constant(&name, of, words).map_err(|_| self.taken(&name, place))
    }

    /// The value of an expression that does not depend on the state.
    fn fixed(&mut self, expression: &Expression) -> Result<(Type, Arc<[i64]>), SpecError> {
        self.without_state(expression)?;
        let code = expression.compile(self.source, &self.scope, None)?;
        let words = code.evaluate(&mut self.machine, &[], &[]).map_err(|fault| fault.shown(self.source))?;
        Ok((code.of().clone(), words.into()))
    }

    /// That an expression does not speak of variables.
    fn without_state(&self, expression: &Expression) -> Result<(), SpecError> {
        let parts: &[Expression] = match &expression.kind {
            Kind::Name(name) => {
                if let Some(Meaning::Variable { .. }) = self.scope.meaning(name) {
                    let message =
                        format!("`{}` is a variable, and this must not depend on the state", brief(name));
                    return Err(self.source.error(expression.span.clone(), message));
                }
                &[]
            }
            Kind::Unary(_, part) => std::slice::from_ref(&**part),
            Kind::Binary(_, parts) | Kind::Each(_, _, parts) => &**parts,
            Kind::If(parts) => &**parts,
            Kind::Chain(_, parts) | Kind::Call(_, parts) | Kind::Set(parts) => parts,
            _ => &[],
        };
        parts.iter().try_for_each(|part| self.without_state(part))
    }

    /// `type NAME = type`
    pub(super) fn type_name(&mut self) -> Result<(), SpecError> {
        self.reader.advance();
        let (name, place) = self.fresh("a type")?;
        self.reader.expect_sign("=", "behind the name of the type")?;
        let of = self.type_of(0)?;
        self.scope.define(&name, of).map_err(|_| self.taken(&name, place))
    }

    /// `enum NAME { value, ... }`
    pub(super) fn enumeration(&mut self) -> Result<(), SpecError> {
        self.reader.advance();
        let (name, place) = self.fresh("an enumeration")?;
        self.reader.expect_sign("{", "behind the name of the enumeration")?;
        let mut values: Vec<Arc<str>> = Vec::new();
        let mut places = Vec::new();
        loop {
            let (value, place) = self.fresh("a value")?;
            values.push(value);
            places.push(place);
            if !self.reader.take_sign(",") {
                break;
            }
        }
        self.reader.expect_sign("}", "behind the values of the enumeration")?;
        if values.len() as u64 > MAX_DOMAIN {
            return Err(self.source.error(place, format!("an enumeration has at most {MAX_DOMAIN} values")));
        }
        let declared = self.scope.enumeration(Enumeration { name, values: values.clone() });
        declared.map(|_| ()).map_err(|taken| {
            let at = values.iter().rposition(|value| *value == taken);
            self.taken(&taken, at.map_or(place, |at| places[at].clone()))
        })
    }

    /// Takes a type.
    fn type_of(&mut self, depth: usize) -> Result<Type, SpecError> {
        let start = self.reader.place().start;
        if depth > 16 {
            return Err(self.source.error(self.reader.place(), "this type is nested more than 16 deep"));
        }
        if self.reader.take_word("set") {
            self.reader.expect_word("of", "behind `set`")?;
            let of = self.small_type("the elements of a set", depth)?;
            return Ok(Type::Set(Some(of)));
        }
        if self.reader.take_word("map") {
            let key = self.small_type("the keys of a map", depth)?;
            self.reader.expect_word("to", "behind the type of the keys")?;
            let of = Type::Map(key, Box::new(self.type_of(depth + 1)?));
            if of.width() > MAX_WIDTH {
                let place = start..self.reader.end();
                return Err(self
                    .source
                    .error(place, format!("a value of this type takes more than {MAX_WIDTH} words")));
            }
            return Ok(of);
        }
        let expression = self.reader.domain()?;
        match &expression.kind {
            Kind::Name(name) => match self.scope.meaning(name) {
                Some(Meaning::Type(of)) => Ok(of.clone()),
                _ => Err(self.no_type(name, &expression)),
            },
            Kind::Binary(Binary::Range, ends) => self.range(ends, &expression),
            _ => {
                let error = self.source.error(expression.span.clone(), "this is not a type");
                Err(error
                    .help("types are `bool`, `int`, `0..9`, `set of T`, `map T to T` and names of types"))
            }
        }
    }

    fn no_type(&self, name: &str, expression: &Expression) -> SpecError {
        let is_type = |name: &&str| matches!(self.scope.meaning(name), Some(Meaning::Type(_)));
        let known = self.scope.known();
        let help = crate::diagnostic::did_you_mean(name, known.into_iter().filter(is_type));
        let error = self.source.error(expression.span.clone(), format!("there is no type `{}`", brief(name)));
        error.help(help.unwrap_or_else(|| {
            "types are `bool`, `int`, `0..9`, `set of T`, `map T to T` and names of types".to_owned()
        }))
    }

    fn range(&mut self, ends: &[Expression; 2], whole: &Expression) -> Result<Type, SpecError> {
        let mut bounds = [0; 2];
        for (bound, end) in bounds.iter_mut().zip(ends) {
            let (of, words) = self.fixed(end)?;
            match (of, &words[..]) {
                (Type::Scalar(Scalar::Integer { .. }), [word]) => *bound = *word,
                (of, _) => {
                    return Err(self
                        .source
                        .error(end.span.clone(), format!("a bound is an integer, not {of}")));
                }
            }
        }
        let [low, high] = bounds;
        if low > high {
            let message = format!("the type {low}..{high} has no values");
            return Err(self.source.error(whole.span.clone(), message));
        }
        Ok(Type::Scalar(Scalar::Integer { low, high }))
    }

    /// Takes a type whose values can be gone through.
    fn small_type(&mut self, what: &str, depth: usize) -> Result<Scalar, SpecError> {
        let start = self.reader.place().start;
        let of = self.type_of(depth + 1)?;
        let place = start..self.reader.end();
        match of {
            Type::Scalar(of) if of.size().is_some() => Ok(of),
            of => {
                let error = self.source.error(place, format!("{what} cannot be {of}"));
                Err(error.help(format!("they are of a type with at most {MAX_DOMAIN} values")))
            }
        }
    }

    /// `var name : type = expression`, or `in` a set of values that it may begin with.
    pub(super) fn variable(&mut self) -> Result<(), SpecError> {
        self.reader.advance();
        let (name, place) = self.fresh("a variable")?;
        self.reader.expect_sign(":", "and a type behind the name of the variable")?;
        let of = self.type_of(0)?;
        let source = self.source;
        if self.reader.take_sign("=") {
            let code = self.reader.expression()?.compile(source, &self.scope, Some(&of))?;
            let value = |machine: &mut _, state: &[i64], found: &mut Vec<i64>| {
                let words = code.evaluate(machine, state, &[]).map_err(|fault| fault.shown(source))?;
                found.extend_from_slice(words);
                Ok(())
            };
            self.widen(code.span(), value, of.width())?;
        } else if self.reader.take_word("in") {
            let expression = self.reader.expression()?;
            let domain = expression.compile_domain(source, &self.scope)?;
            let target = self.single(&of, domain.of(), &expression)?;
            let (low, high) = target.bounds();
            let values = |machine: &mut _, state: &[i64], found: &mut Vec<i64>| {
                domain.values(machine, state, &[], found).map_err(|fault| fault.shown(source))?;
                match found.iter().find(|&&value| value < low || value > high) {
                    Some(value) => {
                        Err(source.error(domain.span(), format!("{value} is outside {low}..{high}")))
                    }
                    None => Ok(()),
                }
            };
            self.widen(domain.span(), values, 1)?;
        } else {
            let error = self.reader.expected("`=` and an initial value");
            return Err(error.help("or `in` and a set of values, any of which it may begin with"));
        }
        let width = of.width();
        let at = self.scope.variable(&name, of.clone()).map_err(|_| self.taken(&name, place.clone()))?;
        if at + width > MAX_WIDTH {
            return Err(source.error(place, format!("the state takes more than {MAX_WIDTH} words")));
        }
        self.variables.push(Variable { name, at, of });
        Ok(())
    }

    /// That values of `found` may be chosen for something of type `of`.
    pub(super) fn single<'t>(
        &self,
        of: &'t Type,
        found: &Scalar,
        domain: &Expression,
    ) -> Result<&'t Scalar, SpecError> {
        match of {
            Type::Scalar(of) if of.is_like(found) => Ok(of),
            Type::Scalar(of) => {
                let message = format!("values of {found} are chosen here for something that is {of}");
                Err(self.source.error(domain.span.clone(), message))
            }
            _ => {
                let error =
                    self.source.error(domain.span.clone(), format!("{of} cannot be chosen from a set"));
                Err(error.help("choose single values: `choose v in S`, and build it from them"))
            }
        }
    }
}
