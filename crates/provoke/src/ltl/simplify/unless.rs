//! Weak until, with `G` as a special case.

use super::Logic;
use crate::ltl::forms::{FALSE, Form, Id, TRUE};

impl Logic {
    /// Weak until, over simplified forms.
    pub(crate) fn unless(&mut self, held: Id, goal: Id) -> Id {
        self.rule(|forms| forms.unless(held, goal), |logic| logic.unless_rules(held, goal))
    }

    fn unless_rules(&mut self, held: Id, goal: Id) -> Id {
        if self.implies(held, goal) {
            return goal;
        }
        if self.forms.traits(held).universal {
            return self.or(vec![held, goal]);
        }
        if self.cover(goal, held) {
            return TRUE;
        }
        if goal != FALSE && self.forms.traits(goal).eventual {
            let for_ever = self.unless(held, FALSE);
            return self.or(vec![goal, for_ever]);
        }
        match self.forms.get(goal).clone() {
            Form::Unless(kept, _) if self.implies(held, kept) => return goal,
            Form::Until(kept, inner) if held == kept => return self.unless(held, inner),
            _ => {}
        }
        if let (&Form::Next(a), &Form::Next(b)) = (self.forms.get(held), self.forms.get(goal)) {
            let inner = self.unless(a, b);
            return self.next(inner);
        }
        if let Form::Or(parts) = self.forms.get(goal).clone() {
            let (mut out, inside) = self.split(parts.to_vec(), |traits| traits.eventual);
            if !out.is_empty() {
                let inside = self.forms.or(inside);
                let inside = self.unless(held, inside);
                out.push(inside);
                return self.or(out);
            }
        }
        // (a | s) W b is s | (a W b)
        if let Form::Or(parts) = self.forms.get(held).clone() {
            let (mut out, inside) = self.split(parts.to_vec(), |traits| traits.suspendable());
            if !out.is_empty() {
                let inside = self.forms.or(inside);
                let inside = self.unless(inside, goal);
                out.push(inside);
                return self.or(out);
            }
        }
        if goal == FALSE {
            return self.globally_rules(held);
        }
        if self.says_it_all(held, goal) {
            return held;
        }
        if let Some(rest) = self.without_ever(held, goal) {
            return self.unless(held, rest);
        }
        if let Some(less) = self.held_less(held, goal) {
            return self.unless(less, goal);
        }
        self.forms.unless(held, goal)
    }

    /// `G held`, for a `held` that is not universal.
    fn globally_rules(&mut self, held: Id) -> Id {
        match self.forms.get(held).clone() {
            Form::And(parts) => {
                let parts = parts.iter().map(|&part| self.unless(part, FALSE)).collect();
                self.and(parts)
            }
            // G(X e | f) is G(e | f) where e and f, if true later, are true now.
            Form::Or(parts) if self.sooner(&parts, |traits| traits.eventual).is_some() => {
                let parts = self.sooner(&parts, |traits| traits.eventual).unwrap_or_default();
                let either = self.or(parts);
                self.unless(either, FALSE)
            }
            Form::Next(inner) => {
                let inner = self.unless(inner, FALSE);
                self.next(inner)
            }
            Form::Throughout(_, inner) => self.unless(inner, FALSE),
            Form::Unless(kept, goal) => {
                let either = self.or(vec![kept, goal]);
                self.unless(either, FALSE)
            }
            Form::Until(TRUE, goal) => self.recurring(goal),
            Form::Until(kept, goal) => {
                let either = self.or(vec![kept, goal]);
                let always = self.unless(either, FALSE);
                let again = self.until(TRUE, goal);
                let again = self.unless(again, FALSE);
                self.and(vec![always, again])
            }
            _ => self.forms.globally(held),
        }
    }

    /// `G F goal`, for an `F goal` that did not simplify.
    fn recurring(&mut self, goal: Id) -> Id {
        let simpler = match self.forms.get(goal).clone() {
            Form::Next(inner) | Form::Within(_, inner) => inner,
            Form::And(parts) => {
                // GF(e & a) is G e & GF a where e, if true later, is true now.
                let (out, inside) = self.split(parts.to_vec(), |traits| traits.eventual);
                if out.is_empty() {
                    goal
                } else {
                    let mut out: Vec<Id> = out.into_iter().map(|part| self.unless(part, FALSE)).collect();
                    let inside = self.and(inside);
                    let inside = self.until(TRUE, inside);
                    out.push(self.unless(inside, FALSE));
                    return self.and(out);
                }
            }
            Form::Or(parts) => {
                // GF(u | a) is F u | GF a where u, once true, stays true.
                let (out, inside) = self.split(parts.to_vec(), |traits| traits.universal);
                if !out.is_empty() {
                    let mut out: Vec<Id> = out.into_iter().map(|part| self.until(TRUE, part)).collect();
                    let inside = self.or(inside);
                    let inside = self.until(TRUE, inside);
                    out.push(self.unless(inside, FALSE));
                    return self.or(out);
                }
                let sooner = parts.iter().map(|&part| match *self.forms.get(part) {
                    Form::Next(inner) | Form::Until(_, inner) | Form::Within(_, inner) => inner,
                    _ => part,
                });
                let sooner = sooner.collect();
                self.or(sooner)
            }
            _ => goal,
        };
        if simpler != goal {
            let inner = self.until(TRUE, simpler);
            return self.unless(inner, FALSE);
        }
        let inner = self.forms.finally(goal);
        self.forms.globally(inner)
    }
}
