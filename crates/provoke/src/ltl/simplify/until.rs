//! Until, with `F` as a special case.

use super::Logic;
use crate::ltl::forms::{FALSE, Form, Id, TRUE, Traits};

impl Logic {
    /// Until, over simplified forms.
    pub(crate) fn until(&mut self, held: Id, goal: Id) -> Id {
        self.rule(|forms| forms.until(held, goal), |logic| logic.until_rules(held, goal))
    }

    fn until_rules(&mut self, held: Id, goal: Id) -> Id {
        if self.forms.traits(goal).eventual || self.implies(held, goal) {
            return goal;
        }
        if held != TRUE && self.cover(goal, held) {
            return self.until(TRUE, goal);
        }
        match self.forms.get(goal).clone() {
            Form::Until(kept, _) | Form::Unless(kept, _) if self.implies(held, kept) && held != TRUE => {
                return goal;
            }
            _ => {}
        }
        if let (&Form::Next(a), &Form::Next(b)) = (self.forms.get(held), self.forms.get(goal)) {
            let inner = self.until(a, b);
            return self.next(inner);
        }
        // a U (b & s) is (a U b) & s, and a U (b | e) is (a U b) | e.
        match self.forms.get(goal).clone() {
            Form::And(parts) => {
                let (mut out, inside) = self.split(parts.to_vec(), |traits| traits.suspendable());
                if !out.is_empty() {
                    let inside = self.forms.and(inside);
                    let inside = self.until(held, inside);
                    out.push(inside);
                    return self.and(out);
                }
            }
            Form::Or(parts) => {
                let (mut out, inside) = self.split(parts.to_vec(), |traits| traits.eventual);
                if !out.is_empty() {
                    let inside = self.forms.or(inside);
                    let inside = self.until(held, inside);
                    out.push(inside);
                    return self.or(out);
                }
            }
            _ => {}
        }
        if held == TRUE {
            return self.finally_rules(goal);
        }
        match self.forms.get(held).clone() {
            Form::Until(..) if self.says_it_all(held, goal) => return held,
            // (a W b) U b is a U b
            Form::Unless(kept, same) if same == goal => return self.until(kept, goal),
            _ => {}
        }
        if let Some(rest) = self.without_ever(held, goal) {
            return self.unless(held, rest);
        }
        if let Some(less) = self.held_less(held, goal) {
            return self.until(less, goal);
        }
        self.forms.until(held, goal)
    }

    /// `F goal`, for a goal that is not eventual.
    fn finally_rules(&mut self, goal: Id) -> Id {
        match self.forms.get(goal).clone() {
            Form::Next(inner) => {
                let inner = self.until(TRUE, inner);
                self.next(inner)
            }
            // F(X u & v) is F(u & v) where u and v, once true, stay true.
            Form::And(parts) if self.sooner(&parts, |traits| traits.universal).is_some() => {
                let parts = self.sooner(&parts, |traits| traits.universal).unwrap_or_default();
                let both = self.and(parts);
                self.until(TRUE, both)
            }
            Form::Until(_, inner) | Form::Within(_, inner) => self.until(TRUE, inner),
            Form::Unless(held, FALSE) => self.persistent(held),
            Form::Unless(held, goal) => {
                let (goal, for_ever) = (self.until(TRUE, goal), self.unless(held, FALSE));
                let for_ever = self.until(TRUE, for_ever);
                self.or(vec![goal, for_ever])
            }
            Form::Or(parts) if parts.iter().any(|&part| self.loosens(part)) => {
                let parts = parts.iter().map(|&part| self.until(TRUE, part)).collect();
                self.or(parts)
            }
            _ => self.forms.until(TRUE, goal),
        }
    }

    /// The parts without next in front of them, if all have a trait and some stands under next.
    pub(super) fn sooner(&self, parts: &[Id], has: impl Fn(Traits) -> bool) -> Option<Vec<Id>> {
        let now = |&part: &Id| match *self.forms.get(part) {
            Form::Next(inner) => inner,
            _ => part,
        };
        let sooner: Vec<Id> = parts.iter().map(now).collect();
        (sooner != parts && parts.iter().all(|&part| has(self.forms.traits(part)))).then_some(sooner)
    }

    /// Whether `F` of a disjunct has a simpler form.
    fn loosens(&self, part: Id) -> bool {
        matches!(self.forms.get(part), Form::Until(..) | Form::Within(..) | Form::Unless(..))
            && !matches!(self.forms.get(part), Form::Unless(_, FALSE))
    }

    /// `F G held`, for a `G held` that did not simplify.
    fn persistent(&mut self, held: Id) -> Id {
        let simpler = match self.forms.get(held).clone() {
            Form::Next(inner) | Form::Throughout(_, inner) => inner,
            Form::Or(parts) => {
                // FG(u | a) is F u | FG a where u, once true, stays true.
                let (out, inside) = self.split(parts.to_vec(), |traits| traits.universal);
                if !out.is_empty() {
                    let mut out: Vec<Id> = out.into_iter().map(|part| self.until(TRUE, part)).collect();
                    let inside = self.or(inside);
                    let inside = self.unless(inside, FALSE);
                    out.push(self.until(TRUE, inside));
                    return self.or(out);
                }
                held
            }
            _ => held,
        };
        if simpler != held {
            let inner = self.unless(simpler, FALSE);
            return self.until(TRUE, inner);
        }
        let inner = self.forms.globally(held);
        self.forms.finally(inner)
    }

    /// Whether `held U goal` is `held`: `(a U b) U b` is `a U b`, and `a R (a R b)` is `a R b`.
    pub(super) fn says_it_all(&mut self, held: Id, goal: Id) -> bool {
        match *self.forms.get(held) {
            Form::Until(_, own) | Form::Unless(_, own) => self.implies(goal, held) && self.implies(own, goal),
            _ => false,
        }
    }

    /// The goal without a disjunct `G held`: `a U (b | G a)` is `a W b`.
    pub(super) fn without_ever(&mut self, held: Id, goal: Id) -> Option<Id> {
        let parts = self.forms.disjuncts(goal);
        let ever = self.unless(held, FALSE);
        let place = parts.iter().position(|&part| part == ever)?;
        let rest = parts.iter().enumerate().filter(|&(at, _)| at != place).map(|(_, &part)| part);
        Some(self.forms.or(rest.collect::<Vec<Id>>()))
    }

    /// `held` without the disjuncts that imply the goal and the conjuncts that hold where it does not; nothing
    /// where there are none.
    pub(super) fn held_less(&mut self, held: Id, goal: Id) -> Option<Id> {
        match self.forms.get(held).clone() {
            Form::Or(parts) => {
                let kept: Vec<Id> = parts.iter().copied().filter(|&part| !self.implies(part, goal)).collect();
                (kept.len() < parts.len()).then(|| self.or(kept))
            }
            Form::And(parts) => {
                let kept: Vec<Id> = parts.iter().copied().filter(|&part| !self.cover(goal, part)).collect();
                (kept.len() < parts.len()).then(|| self.and(kept))
            }
            _ => None,
        }
    }
}
