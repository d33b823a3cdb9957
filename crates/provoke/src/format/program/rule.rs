//! Actions: who takes them, when, and what they change.

use std::ops::Range;

use super::read::Builder;
use super::{Direction, Rule, Tuple, Update};
use crate::diagnostic::SpecError;
use crate::expression::{Code, Domain, Scalar, Scope, Type};

impl Builder<'_> {
    /// `controllable Name(x in D, ...)` and what belongs to it.
    pub(super) fn rule(&mut self) -> Result<(), SpecError> {
        let controllable = self.reader.word() == Some("controllable");
        self.reader.advance();
        let (name, place) = self.fresh("an action")?;
        if self.rules.iter().any(|rule| rule.name == name) {
            return Err(self.source.error(place, format!("the action `{name}` is declared twice")));
        }
        let mut scope = self.scope.clone();
        let parameters = self.parameters(&mut scope)?;
        let mut rule = Rule {
            name,
            direction: if controllable { Direction::Controllable } else { Direction::Observable },
            place,
            parameters,
            guards: Vec::new(),
            updates: Vec::new(),
            chosen: 0,
            state: None,
            action: None,
            weight: None,
        };
        if let Some((_, domain)) = rule.parameters.iter().find(|(_, domain)| domain.is_never()) {
            let message = format!("`{}` is never enabled: there is no value in this domain", rule.name);
            return Err(self.source.error(domain.span(), message));
        }
        let before = scope.clone();
        while !self.reader.at_end() {
            match self.part() {
                Some("when") => self.guard(&mut rule, &before)?,
                Some("abstract") => self.abstraction(&mut rule, &before)?,
                Some("weight") => self.weight(&mut rule, &before)?,
                Some(_) => self.choose(&mut rule, &mut scope)?,
                None if self.rule_ends() => break,
                None => self.update(&mut rule, &scope)?,
            }
            while self.reader.take_sign(";") {}
        }
        self.rules.push(rule);
        Ok(())
    }

    fn parameters(&mut self, scope: &mut Scope) -> Result<Vec<(std::sync::Arc<str>, Domain)>, SpecError> {
        const MOST: usize = 16;
        let mut parameters = Vec::new();
        if !self.reader.take_sign("(") || self.reader.take_sign(")") {
            return Ok(parameters);
        }
        loop {
            let (name, place) = self.fresh("a parameter")?;
            if parameters.len() == MOST {
                return Err(self.source.error(place, format!("an action has at most {MOST} parameters")));
            }
            if !self.reader.take_word("in") {
                let error = self.reader.expected("`in` and a domain behind the name of the parameter");
                return Err(error.help("a domain is a type, a range or a set, and may depend on the state"));
            }
            let domain = self.reader.expression()?.compile_domain(self.source, scope)?;
            scope.parameter(&name, domain.of().clone()).map_err(|_| self.taken(&name, place))?;
            parameters.push((name, domain));
            if !self.reader.take_sign(",") {
                self.reader.expect_sign(")", "behind the parameters")?;
                return Ok(parameters);
            }
        }
    }

    /// `when guard`
    fn guard(&mut self, rule: &mut Rule, scope: &Scope) -> Result<(), SpecError> {
        let place = self.reader.advance();
        if !rule.updates.is_empty() {
            let error = self.source.error(place, "`when` stands before the updates");
            return Err(error.help("guards are about the state before the action"));
        }
        let guard = self.reader.expression()?.compile(self.source, scope, Some(&Type::BOOLEAN))?;
        if guard.always() == Some(false) {
            let message = format!("`{}` is never enabled: this is always false", rule.name);
            return Err(self.source.error(guard.span(), message));
        }
        rule.guards.push(guard);
        Ok(())
    }

    /// `choose v in S`
    fn choose(&mut self, rule: &mut Rule, scope: &mut Scope) -> Result<(), SpecError> {
        self.reader.advance();
        let (name, place) = self.fresh("what is chosen")?;
        self.reader.expect_word("in", "behind the name of what is chosen")?;
        let domain = self.reader.expression()?.compile_domain(self.source, scope)?;
        self.some(&domain)?;
        scope.parameter(&name, domain.of().clone()).map_err(|_| self.taken(&name, place))?;
        rule.chosen += 1;
        rule.updates.push(Update::Choose(domain));
        Ok(())
    }

    fn some(&self, domain: &Domain) -> Result<(), SpecError> {
        if domain.is_never() {
            return Err(self.source.error(domain.span(), "there is never anything to choose from"));
        }
        Ok(())
    }

    /// `place := expression` or `place :in S`
    fn update(&mut self, rule: &mut Rule, scope: &Scope) -> Result<(), SpecError> {
        let left = self.reader.closed()?;
        if self.reader.take_sign(":=") {
            let place = left.compile_place(self.source, scope)?;
            let code = self.reader.expression()?.compile(self.source, scope, Some(place.of()))?;
            rule.updates.push(Update::Assign(place, code));
        } else if self.reader.take_sign(":") {
            self.reader.expect_word("in", "behind `:`")?;
            let place = left.compile_place(self.source, scope)?;
            let expression = self.reader.expression()?;
            let domain = expression.compile_domain(self.source, scope)?;
            self.some(&domain)?;
            self.single(place.of(), domain.of(), &expression)?;
            rule.updates.push(Update::Among(place, domain));
        } else {
            let error = self.reader.expected("`:=` or `:in` behind what is updated");
            return Err(match self.reader.is_sign("=") {
                true => error.help("`=` compares; an update is `x := e`"),
                false => error.help("what belongs to an action begins with `when`, `choose`, `abstract`, `weight` or is an update"),
            });
        }
        Ok(())
    }

    /// `abstract state (e, ...)` or `abstract action (e, ...)`
    fn abstraction(&mut self, rule: &mut Rule, scope: &Scope) -> Result<(), SpecError> {
        let start = self.reader.advance();
        let state = self.reader.take_word("state");
        if !state {
            self.reader.expect_word("action", "or `state` behind `abstract`")?;
        }
        let span = start.start..self.reader.end();
        self.reader.expect_sign("(", "and what counts of it")?;
        let codes = self.tuple(scope)?;
        let shape = self.shape(&codes);
        let slot = if state { &mut rule.state } else { &mut rule.action };
        if slot.is_some() {
            return Err(self.source.error(span, "this is said twice of one action"));
        }
        *slot = Some(Tuple { codes, shape });
        Ok(())
    }

    fn tuple(&mut self, scope: &Scope) -> Result<Vec<Code>, SpecError> {
        let mut codes = Vec::new();
        if self.reader.take_sign(")") {
            return Ok(codes);
        }
        loop {
            codes.push(self.reader.expression()?.compile(self.source, scope, None)?);
            if !self.reader.take_sign(",") {
                self.reader.expect_sign(")", "behind the values")?;
                return Ok(codes);
            }
        }
    }

    /// The number of what a tuple looks like: integers are alike whatever their bounds, and sets where their bits are.
    fn shape(&mut self, codes: &[Code]) -> i64 {
        let kind = |code: &Code| match code.of() {
            Type::Scalar(Scalar::Integer { .. }) => "int".to_owned(),
            of => of.to_string(),
        };
        let shape = codes.iter().map(kind).collect::<Vec<_>>().join(", ");
        let known = self.shapes.iter().position(|known| *known == shape);
        known.unwrap_or_else(|| {
            self.shapes.push(shape);
            self.shapes.len() - 1
        }) as i64
    }

    /// `weight expression`
    fn weight(&mut self, rule: &mut Rule, scope: &Scope) -> Result<(), SpecError> {
        let place: Range<usize> = self.reader.advance();
        if rule.weight.is_some() {
            return Err(self.source.error(place, "this is said twice of one action"));
        }
        let of = Type::Scalar(Scalar::Integer { low: 0, high: u32::MAX.into() });
        rule.weight = Some(self.reader.expression()?.compile(self.source, scope, Some(&of))?);
        Ok(())
    }
}
