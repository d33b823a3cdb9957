//! Two operands of a conjunction or disjunction as one.

use super::Logic;
use crate::ltl::forms::{FALSE, Form, Id, TRUE};

impl Logic {
    /// Joins two arguments into one where the pair has a common form; nothing where no pair has.
    pub(super) fn merge(&mut self, args: &[Id], conjunction: bool) -> Option<Vec<Id>> {
        for (at, &a) in args.iter().enumerate() {
            for (other, &b) in args.iter().enumerate().skip(at + 1) {
                let joined = if conjunction { self.both(a, b) } else { self.either(a, b) };
                if let Some(joined) = joined {
                    let mut args = args.to_vec();
                    args.remove(other);
                    args[at] = joined;
                    return Some(args);
                }
            }
        }
        None
    }

    /// `a & b` as one form.
    fn both(&mut self, a: Id, b: Id) -> Option<Id> {
        if let Some(span) = self.one_span(a, b, true) {
            return Some(span);
        }
        Some(match (self.forms.get(a).clone(), self.forms.get(b).clone()) {
            (Form::Next(a), Form::Next(b)) => {
                let both = self.and(vec![a, b]);
                self.next(both)
            }
            // F(u) & F(v) is F(u & v) where u and v, once true, stay true.
            (Form::Until(TRUE, a), Form::Until(TRUE, b))
                if self.forms.traits(a).universal && self.forms.traits(b).universal =>
            {
                let both = self.and(vec![a, b]);
                self.until(TRUE, both)
            }
            (Form::Until(a, goal), Form::Until(b, same) | Form::Unless(b, same))
            | (Form::Unless(a, goal), Form::Until(b, same))
                if goal == same && goal != FALSE =>
            {
                let both = self.and(vec![a, b]);
                self.until(both, goal)
            }
            (Form::Unless(a, goal), Form::Unless(b, same)) if goal == same && goal != FALSE => {
                let both = self.and(vec![a, b]);
                self.unless(both, goal)
            }
            _ => return None,
        })
    }

    /// `a | b` as one form.
    fn either(&mut self, a: Id, b: Id) -> Option<Id> {
        if let (Some(a), Some(b)) = (self.recurrent(a), self.recurrent(b)) {
            let either = self.or(vec![a, b]);
            let finally = self.until(TRUE, either);
            return Some(self.unless(finally, FALSE));
        }
        if let Some(span) = self.one_span(a, b, false) {
            return Some(span);
        }
        Some(match (self.forms.get(a).clone(), self.forms.get(b).clone()) {
            (Form::Next(a), Form::Next(b)) => {
                let either = self.or(vec![a, b]);
                self.next(either)
            }
            (Form::Until(held, a), Form::Until(same, b)) if held == same => {
                let either = self.or(vec![a, b]);
                self.until(held, either)
            }
            (Form::Until(held, a) | Form::Unless(held, a), Form::Until(same, b) | Form::Unless(same, b))
                if held == same =>
            {
                let either = self.or(vec![a, b]);
                self.unless(held, either)
            }
            _ => return None,
        })
    }

    /// The `a` of `G F a`.
    fn recurrent(&self, id: Id) -> Option<Id> {
        let Form::Unless(inner, FALSE) = *self.forms.get(id) else { return None };
        match *self.forms.get(inner) {
            Form::Until(TRUE, goal) => Some(goal),
            _ => None,
        }
    }
}
