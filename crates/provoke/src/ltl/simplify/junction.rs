//! Conjunctions and disjunctions.

use super::{Logic, WIDE};
use crate::ltl::forms::{FALSE, Form, Id, TRUE};

impl Logic {
    /// The conjunction of simplified forms.
    pub(crate) fn and(&mut self, args: Vec<Id>) -> Id {
        let plain = args.clone();
        self.rule(|forms| forms.and(plain), |logic| logic.and_rules(args))
    }

    fn and_rules(&mut self, args: Vec<Id>) -> Id {
        let joined = self.forms.and(args);
        let Form::And(args) = self.forms.get(joined) else { return joined };
        if args.len() > WIDE {
            return joined;
        }
        let mut args = args.to_vec();
        if let Some(smaller) = self.merge(&args, true) {
            return self.and(smaller);
        }
        if self.any_pair(&args, |logic, a, b| logic.exclude(a, b)) {
            return FALSE;
        }
        self.drop_implied(&mut args, |logic, kept, dropped| logic.implies(kept, dropped));
        // a & (!a | b) is a & b
        if let Some(smaller) = self.shorten(&args, true) {
            return self.and(smaller);
        }
        self.forms.and(args)
    }

    /// The conjunction of what two choices of a tableau ask for from the next step on.
    ///
    /// Here `a & b` may become `a` where `b` follows from it only if a run that meets `a` for ever, putting
    /// off nothing for ever, meets `b` as well: implication alone is not enough. (In `G(!d U (!d & F g))` the
    /// pending until implies `F g`; without `F g` a run could fulfil the until and put off `g` in turn.)
    pub(crate) fn meet(&mut self, a: Id, b: Id) -> Id {
        if a == b || b == TRUE {
            return a;
        }
        if a == TRUE {
            return b;
        }
        if let Some(&known) = self.met.get(&(a, b)) {
            return known;
        }
        let (left, right) = (self.forms.conjuncts(a), self.forms.conjuncts(b));
        self.compared += (left.len() + right.len()).pow(2);
        let excluded = left.iter().any(|&one| right.iter().any(|&two| self.exclude(one, two)));
        let met = if excluded {
            FALSE
        } else {
            let mut args = [left, right].concat();
            args.sort_unstable();
            args.dedup();
            self.drop_implied(&mut args, |logic, kept, dropped| {
                logic.carries(kept, dropped) && logic.implies(kept, dropped)
            });
            self.forms.and(args)
        };
        self.met.insert((a, b), met);
        met
    }

    /// Whether a run of `kept` keeps the promises of `dropped`: there are none, or they are the same one, or
    /// `kept` renews them at every step.
    fn carries(&self, kept: Id, dropped: Id) -> bool {
        if self.forms.finite() || self.forms.traits(dropped).safety {
            return true;
        }
        let goal = |id: Id| match *self.forms.get(id) {
            Form::Until(held, goal) if self.forms.traits(held).safety => Some(goal),
            _ => None,
        };
        match *self.forms.get(kept) {
            Form::Until(..) => goal(kept).is_some() && goal(kept) == goal(dropped),
            Form::Unless(held, FALSE) => self.forms.conjuncts(held).contains(&dropped),
            _ => false,
        }
    }

    /// The disjunction of simplified forms.
    pub(crate) fn or(&mut self, args: Vec<Id>) -> Id {
        let plain = args.clone();
        self.rule(|forms| forms.or(plain), |logic| logic.or_rules(args))
    }

    fn or_rules(&mut self, args: Vec<Id>) -> Id {
        let joined = self.forms.or(args);
        let Form::Or(args) = self.forms.get(joined) else { return joined };
        if args.len() > WIDE {
            return joined;
        }
        let mut args = args.to_vec();
        if let Some(smaller) = self.merge(&args, false) {
            return self.or(smaller);
        }
        if self.any_pair(&args, |logic, a, b| logic.cover(a, b)) {
            return TRUE;
        }
        self.drop_implied(&mut args, |logic, kept, dropped| logic.implies(dropped, kept));
        if let Some(smaller) = self.shorten(&args, false) {
            return self.or(smaller);
        }
        self.forms.or(args)
    }

    fn any_pair(&mut self, args: &[Id], mut test: impl FnMut(&mut Logic, Id, Id) -> bool) -> bool {
        let pairs = args.iter().enumerate().flat_map(|(at, &a)| args[at + 1..].iter().map(move |&b| (a, b)));
        pairs.into_iter().any(|(a, b)| test(self, a, b))
    }

    fn drop_implied(&mut self, args: &mut Vec<Id>, mut covers: impl FnMut(&mut Logic, Id, Id) -> bool) {
        let mut at = 0;
        while at < args.len() {
            let this = args[at];
            match (0..args.len()).any(|other| other != at && covers(self, args[other], this)) {
                true => drop(args.remove(at)),
                false => at += 1,
            }
        }
    }

    /// Takes out of each disjunct-list (conjunct-list, for a disjunction) what another argument excludes
    /// (covers). Nothing where there is nothing to take out.
    fn shorten(&mut self, args: &[Id], conjunction: bool) -> Option<Vec<Id>> {
        for (at, &arg) in args.iter().enumerate() {
            let parts = match (self.forms.get(arg), conjunction) {
                (Form::Or(parts), true) | (Form::And(parts), false) => parts.to_vec(),
                _ => continue,
            };
            let mut idle = |part: Id| {
                args.iter().enumerate().any(|(other, &by)| {
                    other != at && if conjunction { self.exclude(by, part) } else { self.cover(by, part) }
                })
            };
            let kept: Vec<Id> = parts.iter().copied().filter(|&part| !idle(part)).collect();
            if kept.len() < parts.len() {
                let shorter = if conjunction { self.or(kept) } else { self.and(kept) };
                let mut args = args.to_vec();
                args[at] = shorter;
                return Some(args);
            }
        }
        None
    }
}
