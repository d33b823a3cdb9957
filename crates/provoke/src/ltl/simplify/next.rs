//! Next, and the bounded operators.

use super::Logic;
use crate::ltl::forms::{Form, Id};

impl Logic {
    /// Next, over a simplified form.
    pub(crate) fn next(&mut self, arg: Id) -> Id {
        if self.forms.traits(arg).suspendable() {
            return arg;
        }
        let (parts, conjunction) = match self.forms.get(arg) {
            Form::And(parts) => (parts.to_vec(), true),
            Form::Or(parts) => (parts.to_vec(), false),
            _ => return self.forms.next(arg),
        };
        let (mut out, inside) = self.split(parts, |traits| traits.suspendable());
        if out.is_empty() {
            return self.forms.next(arg);
        }
        let inside = if conjunction { self.forms.and(inside) } else { self.forms.or(inside) };
        let inside = self.next(inside);
        out.push(inside);
        if conjunction { self.and(out) } else { self.or(out) }
    }

    pub(super) fn within(&mut self, steps: u32, arg: Id) -> Id {
        match *self.forms.get(arg) {
            _ if self.forms.traits(arg).suspendable() => arg,
            Form::Within(more, inner) => self.forms.within(steps.saturating_add(more), inner),
            Form::Next(inner) => {
                let inner = self.within(steps, inner);
                self.next(inner)
            }
            _ => self.forms.within(steps, arg),
        }
    }

    pub(super) fn throughout(&mut self, steps: u32, arg: Id) -> Id {
        match *self.forms.get(arg) {
            _ if self.forms.traits(arg).suspendable() => arg,
            Form::Throughout(more, inner) => self.forms.throughout(steps.saturating_add(more), inner),
            Form::Next(inner) => {
                let inner = self.throughout(steps, inner);
                self.next(inner)
            }
            _ => self.forms.throughout(steps, arg),
        }
    }
}
