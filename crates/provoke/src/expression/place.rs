//! Parts of a state that are written.

use super::check::Checker;
use super::code::{Code, Keys};
use super::compile::{compile, keys_of};
use super::fault::Fault;
use super::run::Machine;
use super::scope::{Meaning, Scope};
use super::tree::{Binary, Expression, Kind};
use super::types::Type;
use crate::diagnostic::{Source, SpecError, brief, did_you_mean};

/// A variable, or what a map has for a key: `x`, `m[k]`, `m[k][j]`.
#[derive(Clone, Debug)]
pub struct Place {
    at: usize,
    keys: Vec<(Code, Keys)>,
    of: Type,
}

impl Expression {
    /// Compiles what stands to the left of an assignment.
    pub fn compile_place(&self, source: &Source, scope: &Scope) -> Result<Place, SpecError> {
        // From the outside in: `m[k][j]` is the value of `j` in `m[k]`.
        let (mut inner, mut lookups) = (self, Vec::new());
        while let Kind::Binary(Binary::Lookup, parts) = &inner.kind {
            lookups.push((&parts[0], &parts[1]));
            inner = &parts[0];
        }
        let Kind::Name(name) = &inner.kind else {
            let error =
                source.error(inner.span.clone(), "only variables and what maps have for a key are updated");
            return Err(error.help("write `x := e` or `m[k] := e`"));
        };
        let (at, mut of) = match scope.meaning(name) {
            Some(Meaning::Variable { at, of }) => (*at, of.clone()),
            Some(other) => {
                let what = match other {
                    Meaning::Parameter { .. } => "a parameter",
                    Meaning::Constant { .. } => "a constant",
                    _ => "a type",
                };
                let message = format!("`{}` is {what}, and only variables are updated", brief(name));
                return Err(source.error(inner.span.clone(), message));
            }
            None => {
                let message = format!("there is no variable `{}`", brief(name));
                let known = scope.known();
                let variable = |name: &&str| matches!(scope.meaning(name), Some(Meaning::Variable { .. }));
                let help = did_you_mean(name, known.into_iter().filter(variable));
                return Err(source.error(inner.span.clone(), message).maybe_help(help));
            }
        };
        let mut keys = Vec::with_capacity(lookups.len());
        while let Some((map, key)) = lookups.pop() {
            let Type::Map(domain, value) = of else {
                let text = brief(&source.text[map.span.clone()]).into_owned();
                let message = format!("`{text}` is {of}, but only maps are updated with `[...]`");
                return Err(source.error(map.span.clone(), message));
            };
            let mut checker = Checker::new(source, scope);
            let typed = checker.key(key, &domain, &map.span)?;
            keys.push((compile(&typed, checker.locals), keys_of(&domain, &value)));
            of = *value;
        }
        Ok(Place { at, keys, of })
    }
}

impl Place {
    /// The type of what is written.
    pub fn of(&self) -> &Type {
        &self.of
    }

    /// The first word of it in a state.
    #[inline]
    pub fn find(&self, machine: &mut Machine, state: &[i64], parameters: &[i64]) -> Result<usize, Fault> {
        let mut at = self.at;
        for (code, keys) in &self.keys {
            let key = code.word(machine, state, parameters)?;
            let number = keys.number(key).map_err(|what| Fault { what, span: code.span() })?;
            at += number * keys.stride as usize;
        }
        Ok(at)
    }
}
