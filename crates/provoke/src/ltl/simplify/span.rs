//! Steps in a row: `a | X(a | X a)` is `F[0:2] a`, `a & X a` is `G[0:1] a`.

use super::{Logic, WIDE};
use crate::ltl::forms::{Form, Id};

/// At which steps from here something holds: at one of them, or at all.
#[derive(Clone, Copy)]
struct Span {
    first: u32,
    last: u32,
    what: Id,
}

impl Logic {
    /// Two operands that speak of the same at steps in a row, as one form; nothing where they do not.
    ///
    /// On finite traces the next of a disjunction must be `X` and that of a conjunction `N`, as in the bounded
    /// operators.
    pub(super) fn one_span(&mut self, a: Id, b: Id, conjunction: bool) -> Option<Id> {
        let (one, two) = (self.span(a, conjunction), self.span(b, conjunction));
        if one.what != two.what
            || one.first > two.last.saturating_add(1)
            || two.first > one.last.saturating_add(1)
        {
            return None;
        }
        let (first, last) = (one.first.min(two.first), one.last.max(two.last));
        let steps = last - first;
        let joined = match conjunction {
            true => self.forms.throughout(steps, one.what),
            false => self.forms.within(steps, one.what),
        };
        let weak = conjunction && self.forms.finite();
        Some((0..first).fold(joined, |form, _| match weak {
            true => self.forms.weak_next(form),
            false => self.forms.next(form),
        }))
    }

    /// A conjunction or disjunction with such operands joined.
    pub(super) fn spans(&mut self, id: Id) -> Id {
        let (args, conjunction) = match self.forms.get(id) {
            Form::And(args) => (args.to_vec(), true),
            Form::Or(args) => (args.to_vec(), false),
            _ => return id,
        };
        if args.len() > WIDE {
            return id;
        }
        let pairs = (0..args.len()).flat_map(|one| (one + 1..args.len()).map(move |two| (one, two)));
        for (one, two) in pairs {
            if let Some(span) = self.one_span(args[one], args[two], conjunction) {
                let others = (0..args.len()).filter(|&at| at != one && at != two).map(|at| args[at]);
                let args: Vec<Id> = others.chain([span]).collect();
                let joined = if conjunction { self.forms.and(args) } else { self.forms.or(args) };
                return self.spans(joined);
            }
        }
        id
    }

    fn span(&self, id: Id, conjunction: bool) -> Span {
        let weak = conjunction && self.forms.finite();
        let (mut first, mut what) = (0, id);
        loop {
            what = match *self.forms.get(what) {
                Form::Next(inner) if !weak => inner,
                Form::WeakNext(inner) if weak => inner,
                _ => break,
            };
            first += 1;
        }
        match *self.forms.get(what) {
            Form::Throughout(steps, what) if conjunction => {
                Span { first, last: first.saturating_add(steps), what }
            }
            Form::Within(steps, what) if !conjunction => {
                Span { first, last: first.saturating_add(steps), what }
            }
            _ => Span { first, last: first, what },
        }
    }
}
