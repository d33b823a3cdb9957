//! Equivalent forms that are easier to translate.
//!
//! The rules are those of Etessami and Holzmann (2000), Somenzi and Bloem (2000) and Babiak et al. (2012), in
//! terms of `U` and `W`. They hold on infinite traces only.

mod finite;
mod junction;
mod next;
mod pair;
mod span;
mod unless;
mod until;

use rustc_hash::FxHashMap;

use super::Formula;
use super::forms::{Form, Forms, Id, Traits};
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
                Form::True | Form::False | Form::Literal(..) | Form::Again(..) => at,
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

    /// The parts with a trait, and the others.
    fn split(&self, parts: Vec<Id>, has: impl Fn(Traits) -> bool) -> (Vec<Id>, Vec<Id>) {
        parts.into_iter().partition(|&part| has(self.forms.traits(part)))
    }
}

#[cfg(test)]
mod tests {
    use crate::ltl::parse;

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
