//! The few rules that hold on finite traces too.

use rustc_hash::FxHashMap;

use super::Logic;
use crate::ltl::forms::{FALSE, Form, Id, TRUE};

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
                // G F a and F G a both speak of the last step alone.
                let inside = match (self.forms.get(at), self.forms.get(held), self.forms.get(goal)) {
                    (Form::Unless(_, FALSE), &Form::Until(TRUE, inside), _) => Some(inside),
                    (Form::Until(TRUE, _), _, &Form::Unless(inside, FALSE)) => Some(inside),
                    _ => None,
                };
                if let Some(inside) = inside {
                    let (last, inside) = (self.forms.weak_next(FALSE), self.at_last(inside));
                    let there = self.forms.and([last, inside]);
                    return self.forms.finally(there);
                }
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

    /// What a form says of the last step of a trace, without temporal operators.
    fn at_last(&mut self, id: Id) -> Id {
        let mut known: FxHashMap<Id, Id> = FxHashMap::default();
        let mut open = vec![id];
        while let Some(&at) = open.last() {
            let operands = self.forms.operands(at);
            let before = open.len();
            open.extend(operands.iter().filter(|arg| !known.contains_key(arg)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let args: Vec<Id> = operands.iter().map(|arg| known[arg]).collect();
            let said = match *self.forms.get(at) {
                Form::True | Form::False | Form::Literal(..) => at,
                Form::And(_) | Form::Again(..) => self.forms.and(args),
                Form::Or(_) | Form::Unless(..) => self.forms.or(args),
                Form::Next(_) => FALSE,
                Form::WeakNext(_) => TRUE,
                Form::Until(..) => args[1],
                Form::Within(..) | Form::Throughout(..) => args[0],
            };
            known.insert(at, said);
        }
        known[&id]
    }
}
