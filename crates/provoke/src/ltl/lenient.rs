//! Formulas that do not mind where a trace ends.

use rustc_hash::FxHashMap;

use super::forms::{Form, Forms, Id};

impl Forms {
    /// The form with a weak next for every strong one: what a next step owes is not owed before it comes. On
    /// infinite traces it says the same.
    pub(crate) fn lenient(&mut self, id: Id) -> Id {
        let mut known: FxHashMap<Id, Id> = FxHashMap::default();
        let mut open = vec![id];
        while let Some(&at) = open.last() {
            let operands = self.operands(at);
            let before = open.len();
            open.extend(operands.iter().filter(|arg| !known.contains_key(arg)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let args: Vec<Id> = operands.iter().map(|arg| known[arg]).collect();
            let lenient = match *self.get(at) {
                Form::True | Form::False | Form::Literal(..) => at,
                Form::And(_) | Form::Again(..) => self.and(args),
                Form::Or(_) => self.or(args),
                Form::Next(_) | Form::WeakNext(_) => self.weak_next(args[0]),
                Form::Until(..) => self.until(args[0], args[1]),
                Form::Unless(..) => self.unless(args[0], args[1]),
                Form::Within(steps, _) => self.within(steps, args[0]),
                Form::Throughout(steps, _) => self.throughout(steps, args[0]),
            };
            known.insert(at, lenient);
        }
        known[&id]
    }
}
