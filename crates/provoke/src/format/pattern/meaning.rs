//! What sentences mean, as formulas.
//!
//! A sentence says something about a stretch of the trace: from one step up to, and without, the first step
//! where the end holds; without an end, for ever. [`Stretch`] has the temporal operators of such a stretch, so
//! that each pattern is written once, for all scopes.

use std::ops::Range;

use super::catalogue::{Kind, Scope};
use crate::ltl::Formula;

/// The expressions of a sentence by the slot they fill.
#[derive(Debug, Default)]
pub(super) struct Operands(Vec<(char, Formula, Range<usize>)>);

impl Operands {
    pub(super) fn put(&mut self, slot: char, formula: Formula, span: Range<usize>) {
        self.0.push((slot, formula, span));
    }

    /// The expression of a slot that every sentence of the kind fills.
    fn one(&self, slot: char) -> Formula {
        let found = self.0.iter().find(|(filled, ..)| *filled == slot);
        found.map_or_else(|| Formula::constant(true), |(_, formula, _)| formula.clone())
    }

    fn all(&self, slot: char) -> Vec<Formula> {
        self.0.iter().filter(|(filled, ..)| *filled == slot).map(|(_, formula, _)| formula.clone()).collect()
    }

    /// The chain in order of time: slot `s`, or slot `t` in reverse.
    fn chain(&self) -> Vec<Formula> {
        let backwards = self.all('t').into_iter().rev();
        self.all('s').into_iter().chain(backwards).collect()
    }

    /// The expression behind `after` where it is not the last stimulus: what it should be, and where it is.
    pub(super) fn wrong_echo(&self) -> Option<(String, Range<usize>)> {
        let (_, echo, span) = self.0.iter().find(|(slot, ..)| *slot == 'e')?;
        let last = self.all('s').pop()?;
        (last != *echo).then(|| (last.to_string(), span.clone()))
    }
}

/// The formula of a sentence.
pub(super) fn scoped(scope: Scope, kind: Kind, operands: &Operands, number: Option<u32>) -> Formula {
    let (q, r) = (operands.one('q'), operands.one('r'));
    let to_the_end = || pattern(&Stretch(None), kind, operands, number);
    let up_to_r = || pattern(&Stretch(Some(r.clone())), kind, operands, number);
    match scope {
        Scope::Globally => to_the_end(),
        Scope::Before => r.clone().finally().implies(up_to_r()),
        Scope::After => q.clone().not().weak_until(q.and(to_the_end())),
        Scope::Between => {
            let opens = Formula::all_of([q, r.clone().not(), r.clone().finally()]);
            opens.implies(up_to_r()).globally()
        }
        Scope::AfterUntil => q.and(r.clone().not()).implies(up_to_r()).globally(),
    }
}

fn pattern(within: &Stretch, kind: Kind, operands: &Operands, number: Option<u32>) -> Formula {
    let p = operands.one('p');
    let chain = operands.chain();
    let s = chain.first().cloned().unwrap_or_else(|| Formula::constant(true));
    match kind {
        Kind::Absence => within.always(p.not()),
        Kind::Universality => within.always(p),
        Kind::Existence => within.soon(number, p),
        Kind::BoundedExistence => {
            let never = within.always(p.clone().not());
            (0..number.unwrap_or(1)).fold(never, |fewer, _| {
                let leave = within.unless(p.clone(), fewer);
                within.unless(p.clone().not(), leave)
            })
        }
        Kind::Precedence => within.unless(p.not(), s),
        Kind::CauseOfChain => within.happen(&chain).implies(within.unless(s.not(), p)),
        Kind::ChainOfCauses => {
            let mut causes = chain.into_iter().rev();
            let last = causes.next().unwrap_or(s);
            causes.fold(within.unless(p.clone().not(), last), |later, cause| {
                let then = Formula::all_of([cause, p.clone().not(), within.weak_next(later)]);
                within.unless(p.clone().not(), then)
            })
        }
        Kind::Response => within.always(p.implies(within.soon(number, s))),
        Kind::ChainOfResponses => within.always(p.implies(within.happen(&chain))),
        Kind::ResponseToChain => {
            let mut stimuli = chain.into_iter().rev();
            let last = stimuli.next().unwrap_or(s);
            let answered = within.always(last.implies(within.eventually(p)));
            stimuli.fold(answered, |later, stimulus| within.always(stimulus.implies(within.weak_next(later))))
        }
        Kind::Invariant => match number {
            None => within.always(p.implies(s)),
            Some(_) => within.always(p.implies(within.soon(number, s))),
        },
    }
}

/// A stretch of the trace that ends before the first step where the formula holds; without one, never.
struct Stretch(Option<Formula>);

impl Stretch {
    fn always(&self, formula: Formula) -> Formula {
        match self.0.clone() {
            None => formula.globally(),
            Some(end) => formula.weak_until(end),
        }
    }

    fn eventually(&self, formula: Formula) -> Formula {
        match self.0.clone() {
            None => formula.finally(),
            Some(end) => end.clone().not().until(formula.and(end.not())),
        }
    }

    /// Eventually, and where there is a number, after at most so many steps.
    fn soon(&self, steps: Option<u32>, formula: Formula) -> Formula {
        let Some(steps) = steps else { return self.eventually(formula) };
        let Some(end) = self.0.clone() else { return formula.finally_in(0..=steps) };
        let inside = end.not();
        (0..steps).fold(inside.clone().and(formula.clone()), |later, _| {
            inside.clone().and(formula.clone().or(later.next()))
        })
    }

    /// `formula` up to the step where `until` holds, or all along.
    fn unless(&self, formula: Formula, until: Formula) -> Formula {
        match self.0.clone() {
            None => formula.weak_until(until),
            Some(end) => formula.weak_until(until.or(end)),
        }
    }

    fn next(&self, formula: Formula) -> Formula {
        match self.0.clone() {
            None => formula.next(),
            Some(end) => end.not().and(formula).next(),
        }
    }

    /// In the next step, if the stretch has one.
    fn weak_next(&self, formula: Formula) -> Formula {
        match self.0.clone() {
            None => formula.weak_next(),
            Some(end) => end.or(formula).weak_next(),
        }
    }

    /// One after the other, each in a later step than the one before it.
    fn happen(&self, chain: &[Formula]) -> Formula {
        let mut backwards = chain.iter().rev().cloned();
        let last = backwards.next().unwrap_or_else(|| Formula::constant(true));
        backwards.fold(self.eventually(last), |later, formula| self.eventually(formula.and(self.next(later))))
    }
}
