//! From expressions to values: functions are called, big operators written out.

use std::ops::Range;
use std::sync::Arc;

use super::expression::{Big, Binder, Expression, Kind, Over};
use super::file::{Definition, File, Guard, Shape};
use super::names::{Symbol, Symbols, symbols};
use super::value::{Bus, Code, MAX_SET_LEVEL, Set, Value};
use super::{Clause, MAX_DEPTH, MAX_WORK, Section, Tlsf, bus, operate};
use crate::diagnostic::{Source, SpecError, did_you_mean};
use crate::letter::{Interface, MAX_SIGNALS};
use crate::ltl::Formula;

/// Expands a whole file.
pub(super) fn expand(source: &Source, file: &File, parameters: &[(&str, i64)]) -> Result<Tlsf, SpecError> {
    let mut expander = Expander {
        source,
        file,
        symbols: symbols(source, file)?,
        parameters: vec![Known::Not; file.parameters.len()],
        definitions: vec![Known::Not; file.definitions.len()],
        declared: Vec::new(),
        locals: Vec::new(),
        frame: 0,
        work: 0,
        depth: 0,
    };
    for &(name, value) in parameters {
        expander.replace_parameter(name, value)?;
    }
    let mut values = Vec::new();
    for (at, parameter) in file.parameters.iter().enumerate() {
        let value = expander.global(Symbol::Parameter(at), parameter, &parameter.place)?;
        let Value::Number(number) = value else {
            let message = format!("parameter `{}` is {}, not a number", parameter.name, value.kind());
            return Err(source.error(parameter.place.clone(), message));
        };
        values.push((parameter.name.to_string(), number));
    }
    let (interface, mut clauses) = expander.declare()?;
    let mut size = 0usize;
    for (section, expression) in &file.clauses {
        let formula = expander.formula(expression)?;
        expander.locals.clear();
        size = size.saturating_add(formula.size());
        if size > MAX_WORK {
            return Err(expander.too_large(&expression.span));
        }
        clauses.push(Clause { section: *section, formula, place: expression.span.clone() });
    }
    Ok(Tlsf {
        title: file.title.clone(),
        description: file.description.clone(),
        tags: file.tags.clone(),
        semantics: file.semantics,
        target: file.target,
        parameters: values,
        interface,
        clauses,
    })
}

/// The value of a definition without arguments, once it is known.
#[derive(Clone, Debug)]
enum Known {
    Not,
    /// Being computed: meeting it again is a circle.
    Soon,
    Value(Value),
}

pub(super) struct Expander<'a> {
    pub(super) source: &'a Source,
    pub(super) file: &'a File,
    symbols: Symbols,
    parameters: Vec<Known>,
    definitions: Vec<Known>,
    /// The signals and buses declared so far.
    declared: Vec<Value>,
    /// Arguments, names of big operators and of patterns; those from `frame` on are visible.
    pub(super) locals: Vec<(Arc<str>, Value)>,
    frame: usize,
    work: usize,
    depth: usize,
}

impl<'a> Expander<'a> {
    fn replace_parameter(&mut self, name: &str, value: i64) -> Result<(), SpecError> {
        let Some(&Symbol::Parameter(at)) = self.symbols.get(name) else {
            let error =
                SpecError::whole(self.source, format!("{} has no parameter `{name}`", self.source.name));
            let known = self.file.parameters.iter().map(|parameter| &*parameter.name);
            return Err(error.maybe_help(did_you_mean(name, known)));
        };
        self.parameters[at] = Known::Value(Value::Number(value));
        Ok(())
    }

    /// Gives every signal its name; what typed buses may carry becomes an invariant.
    fn declare(&mut self) -> Result<(Interface, Vec<Clause>), SpecError> {
        let file = self.file;
        let mut clauses = Vec::new();
        let mut sides = [Vec::new(), Vec::new()];
        let declarations = file.inputs.iter().chain(&file.outputs).enumerate();
        for (at, declaration) in declarations {
            let side = usize::from(at >= file.inputs.len());
            let width = match &declaration.shape {
                Shape::Signal => None,
                Shape::Bus(width) => {
                    Some(self.small(width, MAX_SIGNALS as i64, "the width of a bus")? as usize)
                }
                Shape::Typed(name, _) => file
                    .enumerations
                    .iter()
                    .find(|enumeration| enumeration.name == *name)
                    .map(|found| found.width),
            };
            let value = match width {
                None => {
                    sides[side].push(declaration.name.to_string());
                    Value::Formula(Formula::proposition(declaration.name.clone()))
                }
                Some(width) => {
                    let bus = Bus { name: declaration.name.clone(), width };
                    sides[side].extend((0..width).map(|at| bus.signal(at)));
                    let typed = file.enumerations.iter().find(|enumeration| match &declaration.shape {
                        Shape::Typed(name, _) => enumeration.name == *name,
                        _ => false,
                    });
                    if let Some(enumeration) = typed
                        && let Some(formula) = bus::carries(self, &bus, enumeration)?
                    {
                        let section = [Section::Require, Section::Assert][side];
                        clauses.push(Clause { section, formula, place: declaration.place.clone() });
                    }
                    Value::Bus(Arc::new(bus))
                }
            };
            if sides[side].len() > MAX_SIGNALS {
                let message = format!("more than {MAX_SIGNALS} signals in one direction are not supported");
                return Err(self.source.error(declaration.place.clone(), message));
            }
            self.declared.push(value);
        }
        let [inputs, outputs] = sides;
        match Interface::signals(inputs, outputs) {
            Ok(interface) => Ok((interface, clauses)),
            Err(error) => {
                let error = SpecError::whole(self.source, error.to_string());
                Err(error.help("element 1 of bus `b` is named `b_1`"))
            }
        }
    }

    fn too_large(&self, span: &Range<usize>) -> SpecError {
        let message = format!("written out, this specification has more than {MAX_WORK} operators");
        self.source.error(span.clone(), message).help("choose smaller parameters")
    }

    /// Counts work, so that no file can keep us busy for ever.
    pub(super) fn charge(&mut self, work: usize, span: &Range<usize>) -> Result<(), SpecError> {
        self.work = self.work.saturating_add(work);
        if self.work <= MAX_WORK {
            return Ok(());
        }
        let error =
            self.source.error(span.clone(), format!("expanding this takes more than {MAX_WORK} steps"));
        Err(error.help("choose smaller parameters, or check where a recursion ends"))
    }

    pub(super) fn value(&mut self, expression: &'a Expression) -> Result<Value, SpecError> {
        self.charge(1, &expression.span)?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let error = self
                .source
                .error(expression.span.clone(), format!("this nests deeper than {MAX_DEPTH} calls"));
            return Err(error.help("check where the recursion ends"));
        }
        let value = match &expression.kind {
            Kind::Truth(truth) => Value::Truth(*truth),
            Kind::Number(number) => Value::Number(*number),
            Kind::Wild => {
                return Err(self.source.error(expression.span.clone(), "`_` stands in patterns only"));
            }
            Kind::Name(name) => self.named(name, &expression.span)?,
            Kind::Call(name, arguments) => self.call(name, arguments, expression)?,
            Kind::Bit(name, at) => bus::bit(self, name, at, expression)?,
            Kind::Set(parts) => self.set_of(parts, &expression.span)?,
            Kind::Range(parts) => operate::range(self, parts, &expression.span)?,
            Kind::Unary(op, body) => operate::unary(self, *op, body, &expression.span)?,
            Kind::Binary(op, sides) => operate::binary(self, *op, sides, &expression.span)?,
            Kind::Chain(all, parts) => self.chain(*all, parts, &expression.span)?,
            Kind::Next { times, strong, body } => operate::next(self, times.as_deref(), *strong, body)?,
            Kind::Within { every, strong, steps, body } => {
                operate::within(self, *every, *strong, steps, body)?
            }
            Kind::Big(op, binders, body) => self.big(*op, binders, body, &expression.span)?,
            Kind::Match(sides) => {
                let [formula, pattern] = &**sides;
                let formula = self.formula(formula)?;
                Value::Truth(self.matches(&formula, pattern)?)
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    pub(super) fn number(&mut self, expression: &'a Expression) -> Result<i64, SpecError> {
        match self.value(expression)? {
            Value::Number(number) => Ok(number),
            other => Err(self.wrong(expression, "a number", &other)),
        }
    }

    /// A number from 0 to `most`.
    pub(super) fn small(
        &mut self,
        expression: &'a Expression,
        most: i64,
        what: &str,
    ) -> Result<i64, SpecError> {
        let number = self.number(expression)?;
        self.bounded(number, most, what, &expression.span)?;
        Ok(number)
    }

    pub(super) fn bounded(
        &self,
        number: i64,
        most: i64,
        what: &str,
        span: &Range<usize>,
    ) -> Result<(), SpecError> {
        if (0..=most).contains(&number) {
            return Ok(());
        }
        let message = format!("{what} is {number}; it must be between 0 and {most}");
        Err(self.source.error(span.clone(), message))
    }

    pub(super) fn formula(&mut self, expression: &'a Expression) -> Result<Formula, SpecError> {
        let value = self.value(expression)?;
        value.formula().ok_or_else(|| {
            let error = self.wrong(expression, "a formula", &value);
            match value {
                Value::Bus(_) => error.help("name one of its signals, as in `bus[0]`"),
                Value::Code(_) => error.help("compare a bus with it: `bus == value`"),
                _ => error,
            }
        })
    }

    pub(super) fn set(&mut self, expression: &'a Expression) -> Result<Arc<Set>, SpecError> {
        match self.value(expression)? {
            Value::Set(set) => Ok(set),
            other => Err(self.wrong(expression, "a set", &other)),
        }
    }

    pub(super) fn wrong(&self, expression: &Expression, expected: &str, found: &Value) -> SpecError {
        self.source.error(expression.span.clone(), format!("expected {expected}, this is {}", found.kind()))
    }

    /// What a visible name stands for.
    pub(super) fn named(&mut self, name: &str, span: &Range<usize>) -> Result<Value, SpecError> {
        if let Some((_, value)) = self.locals[self.frame..].iter().rev().find(|(local, _)| **local == *name) {
            return Ok(value.clone());
        }
        let file = self.file;
        match self.symbols.get(name).copied() {
            Some(symbol @ Symbol::Parameter(at)) => self.global(symbol, &file.parameters[at], span),
            Some(symbol @ Symbol::Definition(at)) => self.global(symbol, &file.definitions[at], span),
            Some(Symbol::Code(at, value)) => {
                let enumeration = &file.enumerations[at];
                let value = &enumeration.values[value];
                let (name, codes) = (value.name.clone(), value.codes.clone());
                self.charge(codes.len(), span)?;
                Ok(Value::Code(Arc::new(Code { name, width: enumeration.width, codes })))
            }
            Some(Symbol::Declaration(at)) => self.declared.get(at).cloned().ok_or_else(|| {
                let message = format!("the width of a bus depends on `{name}`, which is declared later");
                self.source.error(span.clone(), message)
            }),
            _ => Err(self.source.error(span.clone(), format!("unknown name `{name}`"))),
        }
    }

    /// The value of a parameter or of a definition without arguments, computed once.
    fn global(
        &mut self,
        symbol: Symbol,
        definition: &'a Definition,
        span: &Range<usize>,
    ) -> Result<Value, SpecError> {
        match self.known(symbol) {
            Some(Known::Value(value)) => return Ok(value.clone()),
            Some(Known::Soon) => {
                let message = format!("`{}` is defined by itself", definition.name);
                return Err(self.source.error(span.clone(), message));
            }
            Some(known) => *known = Known::Soon,
            None => {}
        }
        let value = self.cases(definition, Vec::new(), span)?;
        if let Some(known) = self.known(symbol) {
            *known = Known::Value(value.clone());
        }
        Ok(value)
    }

    fn known(&mut self, symbol: Symbol) -> Option<&mut Known> {
        match symbol {
            Symbol::Parameter(at) => self.parameters.get_mut(at),
            Symbol::Definition(at) => self.definitions.get_mut(at),
            _ => None,
        }
    }

    fn call(
        &mut self,
        name: &str,
        arguments: &'a [Expression],
        call: &Expression,
    ) -> Result<Value, SpecError> {
        let Some(&Symbol::Definition(at)) = self.symbols.get(name) else {
            return self.named(name, &call.span);
        };
        if arguments.is_empty() {
            return self.named(name, &call.span);
        }
        let values =
            arguments.iter().map(|argument| self.value(argument)).collect::<Result<Vec<Value>, _>>()?;
        self.cases(&self.file.definitions[at], values, &call.span)
    }

    /// The first case whose guard holds; `otherwise` holds where no other does.
    fn cases(
        &mut self,
        definition: &'a Definition,
        arguments: Vec<Value>,
        span: &Range<usize>,
    ) -> Result<Value, SpecError> {
        let caller = std::mem::replace(&mut self.frame, self.locals.len());
        self.locals.extend(definition.arguments.iter().cloned().zip(arguments));
        let visible = self.locals.len();
        let mut chosen = None;
        for case in &definition.cases {
            let holds = match &case.guard {
                Guard::Always => true,
                Guard::Otherwise => false,
                Guard::When(guard) => self.guard(guard)?,
            };
            if holds {
                chosen = Some(case);
                break;
            }
            self.locals.truncate(visible);
        }
        let otherwise = || definition.cases.iter().find(|case| matches!(case.guard, Guard::Otherwise));
        let Some(case) = chosen.or_else(otherwise) else {
            let message = format!("no case of `{}` fits these arguments", definition.name);
            return Err(self.source.error(span.clone(), message).help("add a case `otherwise : ...`"));
        };
        let value = self.value(&case.body)?;
        self.locals.truncate(self.frame);
        self.frame = caller;
        Ok(value)
    }

    fn guard(&mut self, guard: &'a Expression) -> Result<bool, SpecError> {
        match self.value(guard)? {
            Value::Truth(truth) => Ok(truth),
            other => {
                let error = self.wrong(guard, "a condition that is known here", &other);
                Err(error.help("guards compare numbers, look into sets, or match formulas with `~`"))
            }
        }
    }

    fn set_of(&mut self, parts: &'a [Expression], span: &Range<usize>) -> Result<Value, SpecError> {
        let values = parts.iter().map(|part| self.value(part)).collect::<Result<Vec<Value>, _>>()?;
        self.finish_set(values.into_iter().collect(), span)
    }

    pub(super) fn finish_set(&mut self, set: Set, span: &Range<usize>) -> Result<Value, SpecError> {
        self.charge(set.values().len(), span)?;
        if set.level() > MAX_SET_LEVEL {
            return Err(self
                .source
                .error(span.clone(), format!("sets nest deeper than {MAX_SET_LEVEL} levels")));
        }
        Ok(Value::Set(Arc::new(set)))
    }

    /// `a && b && ...` or `a || b || ...`; what stands behind a part that settles it is not looked at.
    fn chain(&mut self, all: bool, parts: &'a [Expression], span: &Range<usize>) -> Result<Value, SpecError> {
        let mut formulas = Vec::new();
        for part in parts {
            match self.value(part)? {
                Value::Truth(truth) if truth == all => {}
                Value::Truth(truth) => return Ok(Value::Truth(truth)),
                Value::Formula(formula) => formulas.push(formula),
                other => return Err(self.wrong(part, "a formula", &other)),
            }
        }
        self.joined(all, formulas, span)
    }

    pub(super) fn joined(
        &mut self,
        all: bool,
        formulas: Vec<Formula>,
        span: &Range<usize>,
    ) -> Result<Value, SpecError> {
        if formulas.is_empty() {
            return Ok(Value::Truth(all));
        }
        self.charge(formulas.iter().map(|formula| formula.args().len() + 1).sum(), span)?;
        Ok(Value::Formula(if all { Formula::all_of(formulas) } else { Formula::any_of(formulas) }))
    }

    fn big(
        &mut self,
        op: Big,
        binders: &'a [Binder],
        body: &'a Expression,
        span: &Range<usize>,
    ) -> Result<Value, SpecError> {
        let mut values = Vec::new();
        self.bind(binders, body, &mut values)?;
        operate::big(self, op, values, body, span)
    }

    /// Collects the values of the body for all values of the binders' names.
    fn bind(
        &mut self,
        binders: &'a [Binder],
        body: &'a Expression,
        values: &mut Vec<Value>,
    ) -> Result<(), SpecError> {
        let Some((binder, inner)) = binders.split_first() else {
            values.push(self.value(body)?);
            return Ok(());
        };
        let set = match &binder.over {
            Over::Set(set) => self.set(set)?,
            Over::Between { bounds: [low, high], closed } => {
                let (low, high) = (self.number(low)?, self.number(high)?);
                let low = low.saturating_add(i64::from(!closed[0]));
                let high = high.saturating_sub(i64::from(!closed[1]));
                self.charge(usize::try_from(high.saturating_sub(low)).unwrap_or(0), &body.span)?;
                Arc::new((low..=high).map(Value::Number).collect())
            }
        };
        for value in set.values() {
            let visible = self.locals.len();
            self.locals.push((binder.name.clone(), value.clone()));
            self.bind(inner, body, values)?;
            self.locals.truncate(visible);
        }
        Ok(())
    }
}
