//! Every name in a file must mean something, and one thing only; checked before anything is expanded.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::expression::{Binder, Expression, Kind, Over};
use super::file::{Case, File, Guard, Shape};
use crate::diagnostic::{Source, SpecError, did_you_mean};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Parameter(usize),
    Definition(usize),
    Enumeration,
    /// The value of an enumeration.
    Code(usize, usize),
    /// Inputs first, then outputs.
    Declaration(usize),
}

pub(super) type Symbols = FxHashMap<Arc<str>, Symbol>;

/// The meaning of all names of a file.
pub(super) fn symbols(source: &Source, file: &File) -> Result<Symbols, SpecError> {
    let mut symbols = Symbols::default();
    let mut add =
        |name: &Arc<str>, place: &Range<usize>, symbol: Symbol| match symbols.insert(name.clone(), symbol) {
            Some(_) => Err(source.error(place.clone(), format!("`{name}` is declared twice"))),
            None => Ok(()),
        };
    for (at, parameter) in file.parameters.iter().enumerate() {
        add(&parameter.name, &parameter.place, Symbol::Parameter(at))?;
        if !parameter.arguments.is_empty() {
            return Err(source.error(parameter.place.clone(), "a parameter takes no arguments"));
        }
    }
    for (at, definition) in file.definitions.iter().enumerate() {
        add(&definition.name, &definition.place, Symbol::Definition(at))?;
    }
    for (at, enumeration) in file.enumerations.iter().enumerate() {
        add(&enumeration.name, &enumeration.place, Symbol::Enumeration)?;
        for (value, code) in enumeration.values.iter().enumerate() {
            add(&code.name, &code.place, Symbol::Code(at, value))?;
        }
    }
    for (at, declaration) in file.inputs.iter().chain(&file.outputs).enumerate() {
        add(&declaration.name, &declaration.place, Symbol::Declaration(at))?;
    }
    let mut check = Check { source, file, symbols: &symbols, locals: Vec::new() };
    check.file()?;
    Ok(symbols)
}

struct Check<'a> {
    source: &'a Source,
    file: &'a File,
    symbols: &'a Symbols,
    /// Arguments, names of big operators and of patterns that are visible.
    locals: Vec<Arc<str>>,
}

impl Check<'_> {
    fn file(&mut self) -> Result<(), SpecError> {
        let file = self.file;
        for definition in file.parameters.iter().chain(&file.definitions) {
            self.locals.clone_from(&definition.arguments);
            for case in &definition.cases {
                self.case(case)?;
            }
        }
        self.locals.clear();
        for declaration in file.inputs.iter().chain(&file.outputs) {
            match &declaration.shape {
                Shape::Bus(width) => self.expression(width)?,
                Shape::Typed(name, place) if self.symbols.get(name) != Some(&Symbol::Enumeration) => {
                    let known = file.enumerations.iter().map(|enumeration| &*enumeration.name);
                    let error = self.source.error(place.clone(), format!("unknown enumeration `{name}`"));
                    let near = did_you_mean(name, known);
                    return Err(error.help(near.unwrap_or_else(|| "signals are separated by `;`".to_owned())));
                }
                _ => {}
            }
        }
        file.clauses.iter().try_for_each(|(_, formula)| self.expression(formula))
    }

    fn case(&mut self, case: &Case) -> Result<(), SpecError> {
        let visible = self.locals.len();
        if let Guard::When(guard) = &case.guard {
            self.expression(guard)?;
        }
        self.expression(&case.body)?;
        self.locals.truncate(visible);
        Ok(())
    }

    fn expression(&mut self, expression: &Expression) -> Result<(), SpecError> {
        match &expression.kind {
            Kind::Truth(_) | Kind::Number(_) => Ok(()),
            Kind::Wild => {
                let error = self.source.error(expression.span.clone(), "`_` stands in patterns only");
                Err(error.help("as in `formula ~ _ U b : ...`"))
            }
            Kind::Name(name) => self.name(name, expression, None),
            Kind::Call(name, arguments) => {
                self.name(name, expression, Some(arguments.len()))?;
                arguments.iter().try_for_each(|argument| self.expression(argument))
            }
            Kind::Bit(name, at) => {
                self.name(name, expression, None)?;
                self.expression(at)
            }
            Kind::Set(parts) | Kind::Chain(_, parts) => {
                parts.iter().try_for_each(|part| self.expression(part))
            }
            Kind::Range(parts) => parts.iter().try_for_each(|part| self.expression(part)),
            Kind::Unary(_, body) => self.expression(body),
            Kind::Binary(_, sides) => sides.iter().try_for_each(|side| self.expression(side)),
            Kind::Next { times, body, .. } => {
                times.iter().try_for_each(|times| self.expression(times))?;
                self.expression(body)
            }
            Kind::Within { steps, body, .. } => {
                steps.iter().try_for_each(|step| self.expression(step))?;
                self.expression(body)
            }
            Kind::Big(_, binders, body) => {
                let visible = self.locals.len();
                for Binder { name, over } in binders {
                    match over {
                        Over::Set(set) => self.expression(set)?,
                        Over::Between { bounds, .. } => {
                            bounds.iter().try_for_each(|bound| self.expression(bound))?;
                        }
                    }
                    self.locals.push(name.clone());
                }
                self.expression(body)?;
                self.locals.truncate(visible);
                Ok(())
            }
            Kind::Match(sides) => {
                let [formula, pattern] = &**sides;
                self.expression(formula)?;
                self.pattern(pattern)
            }
        }
    }

    /// Adds the names that a pattern gives to what it matches.
    fn pattern(&mut self, pattern: &Expression) -> Result<(), SpecError> {
        match &pattern.kind {
            Kind::Name(name) => {
                self.locals.push(name.clone());
                Ok(())
            }
            Kind::Truth(_) | Kind::Wild => Ok(()),
            Kind::Chain(_, parts) => parts.iter().try_for_each(|part| self.pattern(part)),
            Kind::Unary(_, body) | Kind::Next { times: None, body, .. } => self.pattern(body),
            Kind::Binary(_, sides) => sides.iter().try_for_each(|side| self.pattern(side)),
            _ => {
                let error = self.source.error(pattern.span.clone(), "this cannot stand in a pattern");
                Err(error.help("a pattern is made of names, `_`, true, false and ! && || -> <-> X F G U W R"))
            }
        }
    }

    fn name(&self, name: &Arc<str>, at: &Expression, arguments: Option<usize>) -> Result<(), SpecError> {
        if self.locals.contains(name) {
            return match arguments {
                Some(_) => Err(self.source.error(at.span.clone(), format!("`{name}` is not a function"))),
                None => Ok(()),
            };
        }
        let takes = match self.symbols.get(name) {
            Some(Symbol::Definition(definition)) => Some(self.file.definitions[*definition].arguments.len()),
            Some(Symbol::Enumeration) => {
                let error =
                    self.source.error(at.span.clone(), format!("`{name}` is an enumeration, not a value"));
                return Err(error.help("compare a bus with one of its values: `bus == value`"));
            }
            Some(_) => Some(0),
            None => None,
        };
        match (takes, arguments.unwrap_or(0)) {
            (Some(takes), given) if takes == given => Ok(()),
            (Some(takes), given) => {
                let message = format!("`{name}` takes {takes} arguments, {given} are given");
                Err(self.source.error(at.span.clone(), message))
            }
            (None, _) => Err(self.unknown(name, at)),
        }
    }

    fn unknown(&self, name: &str, at: &Expression) -> SpecError {
        let place = at.span.start..at.span.start + name.len();
        let error = self.source.error(place, format!("unknown name `{name}`"));
        let mut known: Vec<&str> = self.symbols.keys().chain(&self.locals).map(|name| &**name).collect();
        known.sort_unstable();
        let near = did_you_mean(name, known);
        let declare = || "declare it under INPUTS, OUTPUTS, PARAMETERS or DEFINITIONS".to_owned();
        error.help(near.unwrap_or_else(declare))
    }
}
