//! What a parameter may be, computed from a state.

use std::ops::Range;

use super::check::Checker;
use super::code::Code;
use super::compile::compile;
use super::fault::{Fault, FaultKind};
use super::run::Machine;
use super::scope::Scope;
use super::tree::Expression;
use super::typed;
use super::types::{MAX_DOMAIN, Scalar, Type, bits};
use crate::diagnostic::{Source, SpecError};

/// The values that a name may stand for: a range or a set, computed from a state.
#[derive(Clone, Debug)]
pub struct Domain {
    values: Values,
    of: Scalar,
    span: Range<usize>,
    never: bool,
}

#[derive(Clone, Debug)]
enum Values {
    Range(Code, Code),
    Set(Code),
}

impl Expression {
    /// Compiles a range, a set or the name of a type as something whose values are gone through. A domain without
    /// bounds is an error.
    pub fn compile_domain(&self, source: &Source, scope: &Scope) -> Result<Domain, SpecError> {
        let mut checker = Checker::new(source, scope);
        let (domain, of) = checker.domain(self)?;
        let mut never = false;
        let values = match domain {
            typed::Domain::Range(ends) => {
                if let [Type::Scalar(first), Type::Scalar(last)] = [&ends[0].of, &ends[1].of] {
                    never = last.bounds().1 < first.bounds().0;
                }
                let [first, last] = *ends;
                Values::Range(compile(&first, checker.locals), compile(&last, checker.locals))
            }
            typed::Domain::Set(set) => Values::Set(compile(&set, checker.locals)),
        };
        Ok(Domain { values, of, span: self.span.clone(), never })
    }
}

impl Domain {
    /// The type of the values.
    pub fn of(&self) -> &Scalar {
        &self.of
    }

    /// Byte offsets in the source.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Whether it is known to be empty in every state.
    pub fn is_never(&self) -> bool {
        self.never
    }

    /// Appends the values in a state, in order.
    pub fn values(
        &self,
        machine: &mut Machine,
        state: &[i64],
        parameters: &[i64],
        values: &mut Vec<i64>,
    ) -> Result<(), Fault> {
        match &self.values {
            Values::Range(first, last) => {
                let low = first.word(machine, state, parameters)?;
                let high = last.word(machine, state, parameters)?;
                if low <= high && high.abs_diff(low) >= MAX_DOMAIN {
                    return Err(Fault { what: FaultKind::LongRange { low, high }, span: self.span() });
                }
                values.extend(low..=high);
            }
            Values::Set(set) => {
                let low = self.of.bounds().0;
                let words = set.evaluate(machine, state, parameters)?;
                values.extend(bits(words).map(|bit| low + bit as i64));
            }
        }
        Ok(())
    }

    /// Whether a value is among them in a state.
    pub fn contains(
        &self,
        machine: &mut Machine,
        state: &[i64],
        parameters: &[i64],
        value: i64,
    ) -> Result<bool, Fault> {
        match &self.values {
            Values::Range(first, last) => {
                let low = first.word(machine, state, parameters)?;
                Ok(low <= value && value <= last.word(machine, state, parameters)?)
            }
            Values::Set(set) => {
                let low = self.of.bounds().0;
                let words = set.evaluate(machine, state, parameters)?;
                Ok(bits(words).any(|bit| low + bit as i64 == value))
            }
        }
    }
}
