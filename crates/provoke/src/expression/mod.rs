//! One small language of expressions over Booleans, integers, enumerations, sets and maps.
//!
//! An expression is [read](parse), [compiled](Expression::compile) in a [`Scope`] that says what its names mean, and
//! then [evaluated](Code::evaluate) any number of times in states, which are plain words. What it may say is described in
//! `docs/guide/programs.md`.
//!
//! ```
//! use provoke::expression::{Machine, Scalar, Scope, Type, parse};
//! use provoke::diagnostic::Source;
//!
//! let mut scope = Scope::new();
//! scope.variable("floor", Type::Scalar(Scalar::Integer { low: 0, high: 6 })).ok();
//! scope.variable("call", Type::Scalar(Scalar::Integer { low: 0, high: 6 })).ok();
//!
//! let source = Source::new("lift", "abs(floor - call) <= 1 -> call in {0, 3}");
//! let code = parse(&source.text)?.compile(&source, &scope, Some(&Type::BOOLEAN))?;
//! let mut machine = Machine::new();
//! assert_eq!(code.holds(&mut machine, &[2, 3], &[]), Ok(true));
//! assert_eq!(code.holds(&mut machine, &[2, 1], &[]), Ok(false));
//! # Ok::<(), provoke::diagnostic::SpecError>(())
//! ```

mod always;
mod check;
mod code;
mod compile;
mod domain;
mod fault;
mod interval;
mod parse;
mod place;
mod reader;
mod run;
mod scope;
mod show;
#[cfg(test)]
mod tests;
mod token;
mod tree;
mod typed;
mod types;

use crate::diagnostic::{Source, SpecError};

pub(crate) use always::idle_parts;
pub use code::Code;
pub use domain::Domain;
pub use fault::{Fault, FaultKind};
pub(crate) use parse::previous;
pub use parse::{parse, parse_in};
pub use place::Place;
pub(crate) use reader::Reader;
pub use run::Machine;
pub use scope::{Meaning, Scope, Taken};
pub(crate) use show::Named;
pub(crate) use show::RESERVED;
pub(crate) use token::{Token, quoted};
pub use tree::{Binary, Chain, Each, Expression, Function, Kind, Unary};
pub(crate) use typed::{Typed, What};
pub use types::{Enumeration, MAX_DOMAIN, MAX_WIDTH, Scalar, Type};

/// How deep expressions may be nested. Chains of `&` and of `|` are one level, however long.
pub const MAX_DEPTH: usize = 200;

impl Expression {
    /// Looks up the names and checks the types of an expression that was read from `source`. With a type, its value
    /// becomes one of that type: what always lies outside is an error here, and what may is a fault where it does.
    pub fn compile(&self, source: &Source, scope: &Scope, of: Option<&Type>) -> Result<Code, SpecError> {
        let mut checker = check::Checker::new(source, scope);
        let typed = match of {
            Some(of) => checker.check_as(self, of)?,
            None => checker.check(self, None)?,
        };
        Ok(compile::compile(&typed, checker.locals))
    }

    /// The same for an expression that must be Boolean, with its parts and their types.
    pub(crate) fn condition(&self, source: &Source, scope: &Scope) -> Result<(Typed, Code), SpecError> {
        let mut checker = check::Checker::new(source, scope);
        let typed = checker.boolean(self, "a formula says what is true")?;
        let code = compile::compile(&typed, checker.locals);
        Ok((typed, code))
    }
}
