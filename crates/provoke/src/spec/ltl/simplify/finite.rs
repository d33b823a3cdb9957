//! The few rules that hold on finite traces too.

use super::Logic;
use crate::spec::ltl::forms::{Form, Id};

impl Logic {
    /// A form over simplified ones, by rules that hold on finite traces too.
    pub(super) fn simplify_finite(&mut self, at: Id, args: Vec<Id>) -> Id {
        match *self.forms.get(at) {
            Form::And(_) => {
                let joined = self.forms.and(args);
                self.spans(joined)
            }
            Form::Or(_) => {
                let joined = self.forms.or(args);
                self.spans(joined)
            }
            Form::Next(_) => self.forms.next(args[0]),
            Form::WeakNext(_) => self.forms.weak_next(args[0]),
            Form::Within(steps, _) => self.forms.within(steps, args[0]),
            Form::Throughout(steps, _) => self.forms.throughout(steps, args[0]),
            Form::Until(..) | Form::Unless(..) => {
                let (held, goal) = (args[0], args[1]);
                let strong = matches!(self.forms.get(at), Form::Until(..));
                let weak_inside = matches!(self.forms.get(held), Form::Unless(..));
                match self.forms.get(goal).clone() {
                    _ if strong && self.forms.traits(goal).eventual => goal,
                    _ if !strong && self.forms.traits(held).universal => self.forms.or([held, goal]),
                    Form::Unless(kept, _) if self.implies(held, kept) => goal,
                    Form::Until(kept, _) if strong && self.implies(held, kept) => goal,
                    _ if !(strong && weak_inside) && self.says_it_all(held, goal) => held,
                    _ if strong => self.forms.until(held, goal),
                    _ => self.forms.unless(held, goal),
                }
            }
            Form::True | Form::False | Form::Literal(..) | Form::Again(..) => at,
        }
    }
}
