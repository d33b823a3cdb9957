//! Values in the place of a type that is given: what is assigned, what is compared.

use super::super::tree::{Binary, Each, Expression, Kind};
use super::super::typed::{Typed, What};
use super::super::types::{Scalar, Type};
use super::Checker;
use crate::diagnostic::SpecError;

impl Checker<'_> {
    /// Checks an expression whose value becomes one of this type. What may lie outside is checked when it is
    /// evaluated; what always does is an error.
    pub(in super::super) fn check_as(
        &mut self,
        expression: &Expression,
        target: &Type,
    ) -> Result<Typed, SpecError> {
        let span = expression.span.clone();
        match (&expression.kind, target) {
            (Kind::Set(parts), Type::Set(Some(element))) => {
                let element = Type::Scalar(element.clone());
                let parts =
                    parts.iter().map(|part| self.check_as(part, &element)).collect::<Result<_, _>>()?;
                Ok(Typed { what: What::Elements(parts), of: target.clone(), span })
            }
            (Kind::Binary(Binary::Union, parts), Type::Set(_)) => {
                let parts = [self.check_as(&parts[0], target)?, self.check_as(&parts[1], target)?];
                Ok(Typed { what: What::Combine(Binary::Union, Box::new(parts)), of: target.clone(), span })
            }
            (Kind::If(parts), _) => {
                let condition = self.boolean(&parts[0], "the condition of `if` is a Boolean")?;
                let parts = [condition, self.check_as(&parts[1], target)?, self.check_as(&parts[2], target)?];
                Ok(Typed { what: What::If(Box::new(parts)), of: target.clone(), span })
            }
            (Kind::Each(Each::Map, name, parts), Type::Map(_, value)) => {
                let (domain, element) = self.domain(&parts[0])?;
                let local = self.bind(name, element.clone(), &span)?;
                let body = self.check_as(&parts[1], value);
                self.unbind();
                let typed = self.made_of_each(Each::Map, local, (domain, element), body?, span)?;
                self.fit(typed, target)
            }
            _ => {
                let typed = self.check(expression, Some(target))?;
                self.fit(typed, target)
            }
        }
    }

    /// The same value in another type.
    pub(super) fn fit(&self, typed: Typed, target: &Type) -> Result<Typed, SpecError> {
        if typed.of == *target {
            return Ok(typed);
        }
        match (&typed.of, target) {
            (
                Type::Scalar(Scalar::Integer { low, high }),
                Type::Scalar(Scalar::Integer { low: least, high: most }),
            ) => {
                if high < least || low > most {
                    let message = format!("{} is never in {target}", self.text(&typed.span));
                    return Err(self.error(&typed.span, message));
                }
                if least <= low && high <= most {
                    return Ok(Typed { of: target.clone(), ..typed });
                }
                Ok(fitted(typed, target))
            }
            (Type::Set(None), Type::Set(_)) => Ok(fitted(typed, target)),
            (Type::Set(Some(one)), Type::Set(Some(other))) if one.is_like(other) => Ok(fitted(typed, target)),
            (one, other) if one.lies_in(other) => Ok(Typed { of: target.clone(), ..typed }),
            _ => Err(self.unfit(&typed, target)),
        }
    }

    fn unfit(&self, typed: &Typed, target: &Type) -> SpecError {
        self.error(
            &typed.span,
            format!("{} is {}, not {target}", self.text(&typed.span), super::kind_of(&typed.of)),
        )
    }
}

fn fitted(typed: Typed, target: &Type) -> Typed {
    let span = typed.span.clone();
    Typed { what: What::Fit(Box::new(typed)), of: target.clone(), span }
}

impl Type {
    /// Whether all values of this type are values of the other, in the same words.
    fn lies_in(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Scalar(one), Type::Scalar(other)) => {
                let ((low, high), (least, most)) = (one.bounds(), other.bounds());
                one.is_like(other) && least <= low && high <= most
            }
            (Type::Map(key, one), Type::Map(other_key, other)) => key == other_key && one.lies_in(other),
            _ => self == other,
        }
    }
}
