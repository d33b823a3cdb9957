//! Equivalent forms that are easier to translate.
//!
//! The rules are those of Etessami and Holzmann (2000), Somenzi and Bloem (2000) and Babiak et al. (2012), in
//! terms of `U` and `W`. They hold on infinite traces only.

use rustc_hash::FxHashMap;

use super::Formula;
use super::forms::{FALSE, Form, Forms, Id, TRUE};
use super::imply::Implications;

impl Formula {
    /// A formula with the same meaning on infinite traces, with negations at propositions only and usually
    /// shorter.
    #[must_use]
    pub fn simplified(&self) -> Formula {
        let mut logic = Logic::new(false);
        let form = logic.forms.import(self);
        let simple = logic.simplify(form);
        logic.forms.export(simple)
    }

    /// The same formula with negations at propositions only, on finite and infinite traces.
    #[must_use]
    pub fn negations_inside(&self) -> Formula {
        let mut forms = Forms::new(false);
        let form = forms.import(self);
        forms.export(form)
    }
}

/// How many rules may follow from one another at one place.
const CHAIN: u32 = 60;

/// How many operands a conjunction or disjunction may have for each pair of them to be looked at.
const WIDE: usize = 100;

/// Forms, and what is known about them.
#[derive(Debug)]
pub(crate) struct Logic {
    pub(crate) forms: Forms,
    implications: Implications,
    simplified: FxHashMap<Id, Id>,
    met: FxHashMap<(Id, Id), Id>,
    /// How many pairs of conjuncts were compared to join what choices of a tableau ask for.
    pub(crate) compared: usize,
    chain: u32,
}

impl Logic {
    /// An empty store of forms, to be read on infinite traces or on finite ones.
    pub(crate) fn new(finite: bool) -> Logic {
        Logic {
            forms: Forms::new(finite),
            implications: Implications::default(),
            simplified: FxHashMap::default(),
            met: FxHashMap::default(),
            compared: 0,
            chain: 0,
        }
    }

    /// Whether `to` surely follows from `from` on infinite traces.
    pub(crate) fn implies(&mut self, from: Id, to: Id) -> bool {
        self.implications.holds(&self.forms, from, to)
    }

    /// Whether no infinite trace has both, as far as the shapes tell.
    fn exclude(&mut self, a: Id, b: Id) -> bool {
        let not = self.forms.negate(b);
        self.implies(a, not)
    }

    /// Whether every infinite trace has one of both, as far as the shapes tell.
    fn cover(&mut self, a: Id, b: Id) -> bool {
        let not = self.forms.negate(a);
        self.implies(not, b)
    }

    /// An equivalent form, on infinite traces or on finite ones. On finite ones few of the rules hold.
    pub(crate) fn simplify(&mut self, id: Id) -> Id {
        let mut open = vec![id];
        while let Some(&at) = open.last() {
            if self.simplified.contains_key(&at) {
                open.pop();
                continue;
            }
            let operands = self.forms.operands(at);
            let before = open.len();
            open.extend(operands.iter().filter(|arg| !self.simplified.contains_key(arg)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let args: Vec<Id> = operands.iter().map(|arg| self.simplified[arg]).collect();
            let simple = match *self.forms.get(at) {
                Form::True | Form::False | Form::Literal(..) => at,
                _ if self.forms.finite() => self.simplify_finite(at, args),
                Form::And(_) => self.and(args),
                Form::Or(_) => self.or(args),
                Form::Next(_) | Form::WeakNext(_) => self.next(args[0]),
                Form::Until(..) => self.until(args[0], args[1]),
                Form::Unless(..) => self.unless(args[0], args[1]),
                Form::Within(steps, _) => self.within(steps, args[0]),
                Form::Throughout(steps, _) => self.throughout(steps, args[0]),
            };
            self.simplified.insert(at, simple);
            self.simplified.insert(simple, simple);
        }
        self.simplified[&id]
    }

    /// A form over simplified ones, by rules that hold on finite traces too.
    fn simplify_finite(&mut self, at: Id, args: Vec<Id>) -> Id {
        match *self.forms.get(at) {
            Form::And(_) => self.forms.and(args),
            Form::Or(_) => self.forms.or(args),
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
            Form::True | Form::False | Form::Literal(..) => at,
        }
    }

    /// Runs a rule unless too many led here already; then `plain` must do.
    fn rule(&mut self, plain: impl FnOnce(&mut Forms) -> Id, rule: impl FnOnce(&mut Logic) -> Id) -> Id {
        if self.chain >= CHAIN {
            return plain(&mut self.forms);
        }
        self.chain += 1;
        let result = rule(self);
        self.chain -= 1;
        result
    }

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

    /// Joins two arguments into one where the pair has a common form; nothing where no pair has.
    fn merge(&mut self, args: &[Id], conjunction: bool) -> Option<Vec<Id>> {
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

    /// The parts with a trait, and the others.
    fn split(&self, parts: Vec<Id>, has: impl Fn(super::forms::Traits) -> bool) -> (Vec<Id>, Vec<Id>) {
        parts.into_iter().partition(|&part| has(self.forms.traits(part)))
    }

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

    /// Whether `held U goal` is `held`: `(a U b) U b` is `a U b`, and `a R (a R b)` is `a R b`.
    fn says_it_all(&mut self, held: Id, goal: Id) -> bool {
        match *self.forms.get(held) {
            Form::Until(_, own) | Form::Unless(_, own) => self.implies(goal, held) && self.implies(own, goal),
            _ => false,
        }
    }

    /// The goal without a disjunct `G held`: `a U (b | G a)` is `a W b`.
    fn without_ever(&mut self, held: Id, goal: Id) -> Option<Id> {
        let parts = self.forms.disjuncts(goal);
        let ever = self.unless(held, FALSE);
        let place = parts.iter().position(|&part| part == ever)?;
        let rest = parts.iter().enumerate().filter(|&(at, _)| at != place).map(|(_, &part)| part);
        Some(self.forms.or(rest.collect::<Vec<Id>>()))
    }

    /// `held` without the disjuncts that imply the goal and the conjuncts that hold where it does not; nothing
    /// where there are none.
    fn held_less(&mut self, held: Id, goal: Id) -> Option<Id> {
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

    fn within(&mut self, steps: u32, arg: Id) -> Id {
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

    fn throughout(&mut self, steps: u32, arg: Id) -> Id {
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

#[cfg(test)]
mod tests {
    use super::super::parse;

    #[test]
    fn known_equivalences_are_found() {
        for (formula, simple) in [
            ("F F a", "F a"),
            ("G G a", "G a"),
            ("GFG a", "FG a"),
            ("FGF a", "GF a"),
            ("X G F a", "GF a"),
            ("a U (a U b)", "a U b"),
            ("(a U b) U b", "a U b"),
            ("(a W b) U b", "a U b"),
            ("(a U b) W b", "a U b"),
            ("a R (a R b)", "a R b"),
            ("a M (a M b)", "a M b"),
            ("F(a | F b)", "F(a | b)"),
            ("G a & F !a", "0"),
            ("GF a | GF b", "GF(a | b)"),
            ("FG a & FG b", "F(G a & G b)"),
            ("(a U b) & (c U b)", "(a & c) U b"),
            ("a W (b & a)", "b R a"),
            ("a U true", "1"),
            ("F[0:2] F[0:3] a", "F[0:5] a"),
            ("G(a W b)", "G(a | b)"),
            ("!(a U b)", "!a R !b"),
        ] {
            assert_eq!(parse(formula).unwrap().formula.simplified().to_string(), simple, "{formula}");
        }
    }
}
