//! Which actions are enabled, and where they lead.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{Action, Actions, Direction, MAX_TRIED, MAX_WORDS, Program, Rule, States, Update, Workspace};
use crate::diagnostic::SpecError;
use crate::expression::{Domain, Fault, FaultKind, Type};

/// Why an action could not be worked out: the model is wrong.
enum Broken {
    Fault(Fault),
    /// What is said of a place.
    Because(Range<usize>, String),
}

impl From<Fault> for Broken {
    fn from(fault: Fault) -> Broken {
        Broken::Fault(fault)
    }
}

impl Program {
    /// Lists the actions of one side that are enabled in a state: rule by rule, arguments in order. A guard that has
    /// no value is an error in the model, shown where it stands.
    pub fn enabled(
        &self,
        direction: Direction,
        state: &[i64],
        work: &mut Workspace,
        actions: &mut Actions,
    ) -> Result<(), SpecError> {
        actions.clear();
        work.tried = 0;
        for (number, rule) in self.rules.iter().enumerate().filter(|(_, rule)| rule.direction == direction) {
            work.values.clear();
            work.arguments.clear();
            let mut found = |action: Action<'_>| {
                actions.push(action);
                false
            };
            rule.enabled(number, state, work, &mut found).map_err(|broken| {
                let action = Action { rule: number, arguments: &work.arguments };
                self.explain(broken, action)
            })?;
        }
        Ok(())
    }

    /// Whether some action of one side is enabled in a state. Only guards up to the first that holds are looked at.
    pub fn is_anything_enabled(
        &self,
        direction: Direction,
        state: &[i64],
        work: &mut Workspace,
    ) -> Result<bool, SpecError> {
        work.tried = 0;
        for (number, rule) in self.rules.iter().enumerate().filter(|(_, rule)| rule.direction == direction) {
            work.values.clear();
            work.arguments.clear();
            let found = rule.enabled(number, state, work, &mut |_| true);
            let found = found.map_err(|broken| {
                let action = Action { rule: number, arguments: &work.arguments };
                self.explain(broken, action)
            })?;
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an action is enabled in a state.
    pub fn is_enabled(
        &self,
        state: &[i64],
        action: Action<'_>,
        work: &mut Workspace,
    ) -> Result<bool, SpecError> {
        let Some(rule) = self.rules.get(action.rule) else { return Ok(false) };
        rule.allows(state, action.arguments, work).map_err(|fault| self.explain(fault.into(), action))
    }

    /// Where an action leads from a state: to one of `states`, each of which is there once. False where it is not
    /// enabled. An update that has no value is an error in the model, shown where it stands.
    pub fn step(
        &self,
        state: &[i64],
        action: Action<'_>,
        work: &mut Workspace,
        states: &mut States,
    ) -> Result<bool, SpecError> {
        states.clear();
        if !self.is_enabled(state, action, work)? {
            return Ok(false);
        }
        let rule = &self.rules[action.rule];
        work.rows.clear();
        work.rows.extend_from_slice(state);
        work.rows.extend_from_slice(action.arguments);
        work.rows.resize(work.rows.len() + rule.chosen, 0);
        rule.update(state.len(), work).map_err(|broken| self.explain(broken, action))?;
        let rows = work.rows.chunks_exact((state.len() + action.arguments.len() + rule.chosen).max(1));
        let one = rows.len() <= 1;
        if one {
            states.push(&work.rows[..state.len()]);
            return Ok(true);
        }
        let mut seen = FxHashSet::default();
        rows.map(|row| &row[..state.len()]).filter(|row| seen.insert(*row)).for_each(|row| states.push(row));
        Ok(true)
    }

    /// Whether the system may be reset in a state.
    pub fn may_reset(&self, state: &[i64], work: &mut Workspace) -> Result<bool, SpecError> {
        match &self.reset {
            None => Ok(true),
            Some(guard) => {
                let holds = guard.holds(&mut work.machine, state, &[]);
                holds.map_err(|fault| fault.shown(&self.source).saying("in the guard of `reset`"))
            }
        }
    }

    fn explain(&self, broken: Broken, action: Action<'_>) -> SpecError {
        let error = match broken {
            Broken::Fault(fault) => fault.shown(&self.source),
            Broken::Because(span, message) => self.source.error(span, message),
        };
        error.saying(format!("in `{}`", self.show_action(action)))
    }
}

impl Rule {
    /// Shows every action that is enabled until one is enough.
    fn enabled(
        &self,
        number: usize,
        state: &[i64],
        work: &mut Workspace,
        is_enough: &mut impl FnMut(Action<'_>) -> bool,
    ) -> Result<bool, Broken> {
        let depth = work.arguments.len();
        let Some((_, domain)) = self.parameters.get(depth) else {
            work.tried += 1;
            if work.tried > MAX_TRIED {
                let message =
                    format!("more than {MAX_TRIED} combinations of arguments would have to be tried");
                let span = self.parameters.first().map_or(0..0, |(_, domain)| domain.span());
                return Err(Broken::Because(span, message));
            }
            let holds = self.holds(state, work)?;
            return Ok(holds && is_enough(Action { rule: number, arguments: &work.arguments }));
        };
        let start = work.values.len();
        domain.values(&mut work.machine, state, &work.arguments, &mut work.values)?;
        for at in start..work.values.len() {
            work.arguments.push(work.values[at]);
            if self.enabled(number, state, work, is_enough)? {
                return Ok(true);
            }
            work.arguments.pop();
        }
        work.values.truncate(start);
        Ok(false)
    }

    fn holds(&self, state: &[i64], work: &mut Workspace) -> Result<bool, Fault> {
        for guard in &self.guards {
            if !guard.holds(&mut work.machine, state, &work.arguments)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn allows(&self, state: &[i64], arguments: &[i64], work: &mut Workspace) -> Result<bool, Fault> {
        if arguments.len() != self.parameters.len() {
            return Ok(false);
        }
        for (number, (_, domain)) in self.parameters.iter().enumerate() {
            if !domain.contains(&mut work.machine, state, &arguments[..number], arguments[number])? {
                return Ok(false);
            }
        }
        work.arguments.clear();
        work.arguments.extend_from_slice(arguments);
        self.holds(state, work)
    }

    /// Updates the one row of the workspace; where something is chosen, a row for each choice comes of it.
    fn update(&self, width: usize, work: &mut Workspace) -> Result<(), Broken> {
        let stride = work.rows.len();
        let mut chosen = width + self.parameters.len();
        for update in &self.updates {
            let count = work.rows.len() / stride.max(1);
            match update {
                Update::Assign(place, code) => {
                    for row in work.rows.chunks_exact_mut(stride) {
                        let (state, parameters) = row.split_at_mut(width);
                        let at = place.find(&mut work.machine, state, parameters)?;
                        let words = code.evaluate(&mut work.machine, state, parameters)?;
                        state[at..at + words.len()].copy_from_slice(words);
                    }
                }
                Update::Among(place, domain) => {
                    for number in 0..count {
                        let row = &work.rows[number * stride..(number + 1) * stride];
                        let at = place.find(&mut work.machine, &row[..width], &row[width..])?;
                        fork(domain, Some(place.of()), number, at, (width, stride), work)?;
                    }
                }
                Update::Choose(domain) => {
                    for number in 0..count {
                        fork(domain, None, number, chosen, (width, stride), work)?;
                    }
                    chosen += 1;
                }
            }
        }
        Ok(())
    }
}

/// Puts each value of a domain into a word of a row: the first into the row itself, the others into copies of it.
fn fork(
    domain: &Domain,
    of: Option<&Type>,
    number: usize,
    at: usize,
    (width, stride): (usize, usize),
    work: &mut Workspace,
) -> Result<(), Broken> {
    let own = number * stride..(number + 1) * stride;
    work.values.clear();
    let (state, parameters) = work.rows[own.clone()].split_at(width);
    domain.values(&mut work.machine, state, parameters, &mut work.values)?;
    if let Some(Type::Scalar(of)) = of {
        let (low, high) = of.bounds();
        if let Some(&value) = work.values.iter().find(|&&value| value < low || value > high) {
            let what = FaultKind::OutOfBounds { value, low, high };
            return Err(Fault { what, span: domain.span() }.into());
        }
    }
    let Some((&first, others)) = work.values.split_first() else {
        return Err(Broken::Because(domain.span(), "there is nothing to choose from".to_owned()));
    };
    if work.rows.len() + others.len() * stride > MAX_WORDS {
        return Err(Broken::Because(domain.span(), "this leads to too many states".to_owned()));
    }
    for &value in others {
        let copy = work.rows.len() + at;
        work.rows.extend_from_within(own.clone());
        work.rows[copy] = value;
    }
    work.rows[own.start + at] = first;
    Ok(())
}
