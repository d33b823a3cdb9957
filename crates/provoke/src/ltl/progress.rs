//! What is left of a formula once a step has been seen.

use rustc_hash::{FxHashMap, FxHashSet};

use super::forms::Id;
use super::simplify::Logic;
use super::{Formula, Op};

impl Formula {
    /// What must hold from the next step on for this formula to hold from here on, after a step in which
    /// exactly these propositions are true. On infinite traces.
    ///
    /// This is formula progression (Bacchus and Kabanza 1998), with only what is evident simplified: the parts
    /// that are left are written as they were.
    #[must_use]
    pub fn after_step(&self, value: impl Fn(&str) -> bool) -> Formula {
        self.fold(|formula, after: &[Formula]| {
            let (arg, later) = (|at: usize| after[at].clone(), || formula.clone());
            match formula.op() {
                Op::True | Op::False => formula.clone(),
                Op::Proposition(name) => Formula::constant(value(name)),
                Op::Not => not(arg(0)),
                Op::And => all(after.to_vec()),
                Op::Or => any(after.to_vec()),
                Op::Implies => any(vec![not(arg(0)), arg(1)]),
                Op::Iff => alike(arg(0), arg(1)),
                Op::Xor => not(alike(arg(0), arg(1))),
                Op::Next | Op::WeakNext => formula.args()[0].clone(),
                Op::Finally => any(vec![arg(0), later()]),
                Op::Globally => all(vec![arg(0), later()]),
                Op::FinallyIn(0, _) => any([vec![arg(0)], shifted(formula)].concat()),
                Op::GloballyIn(0, _) => all([vec![arg(0)], shifted(formula)].concat()),
                Op::FinallyIn(..) | Op::GloballyIn(..) => any(shifted(formula)),
                Op::Until | Op::WeakUntil => any(vec![arg(1), all(vec![arg(0), later()])]),
                Op::Release | Op::StrongRelease => all(vec![arg(1), any(vec![arg(0), later()])]),
            }
        })
    }
}

/// `F[first:last] a` or `G[first:last] a` one step later; nothing where there is no step left.
fn shifted(formula: &Formula) -> Vec<Formula> {
    let (&Op::FinallyIn(first, last) | &Op::GloballyIn(first, last)) = formula.op() else {
        return vec![formula.clone()];
    };
    let (first, last) = match (first.checked_sub(1), last.map(|last| last.checked_sub(1))) {
        (None, Some(None)) => return Vec::new(),
        (first, last) => (first.unwrap_or(0), last.flatten()),
    };
    let arg = formula.args()[0].clone();
    let eventually = matches!(formula.op(), Op::FinallyIn(..));
    vec![match (first, last) {
        (0, Some(0)) => arg,
        (0, None) => {
            if eventually {
                arg.finally()
            } else {
                arg.globally()
            }
        }
        _ => Formula::build(
            if eventually { Op::FinallyIn(first, last) } else { Op::GloballyIn(first, last) },
            vec![arg],
        ),
    }]
}

fn not(formula: Formula) -> Formula {
    match formula.op() {
        Op::True => Formula::constant(false),
        Op::False => Formula::constant(true),
        Op::Not => formula.args()[0].clone(),
        _ => formula.not(),
    }
}

fn alike(left: Formula, right: Formula) -> Formula {
    match (left.op(), right.op()) {
        (Op::True, _) => right,
        (_, Op::True) => left,
        (Op::False, _) => not(right),
        (_, Op::False) => not(left),
        _ if left == right => Formula::constant(true),
        _ => left.iff(right),
    }
}

fn all(parts: Vec<Formula>) -> Formula {
    joined(parts, true)
}

fn any(parts: Vec<Formula>) -> Formula {
    joined(parts, false)
}

/// A conjunction or a disjunction without constants and without parts that are there twice or denied.
fn joined(parts: Vec<Formula>, conjunction: bool) -> Formula {
    let (neutral, decisive) = if conjunction { (Op::True, Op::False) } else { (Op::False, Op::True) };
    let whole = if conjunction { Formula::all_of(parts) } else { Formula::any_of(parts) };
    let op = if conjunction { Op::And } else { Op::Or };
    if *whole.op() != op {
        return whole;
    }
    let mut seen: FxHashSet<&Formula> = FxHashSet::default();
    let mut kept = Vec::new();
    for part in whole.args().iter().filter(|part| *part.op() != neutral) {
        let denied = match part.op() {
            Op::Not => seen.contains(&part.args()[0]),
            _ => seen.contains(&part.clone().not()),
        };
        if *part.op() == decisive || denied {
            return Formula::constant(!conjunction);
        }
        if seen.insert(part) {
            kept.push(part.clone());
        }
    }
    if conjunction { Formula::all_of(kept) } else { Formula::any_of(kept) }
}

/// How many parts of a conjunction or disjunction are compared with one another.
const WIDE: usize = 40;

/// Makes what is left of formulas short without rewriting it: drops the parts of conjunctions and disjunctions
/// that follow from others.
pub(crate) struct Tidier {
    logic: Logic,
    known: FxHashMap<Formula, Formula>,
}

impl Tidier {
    pub(crate) fn new() -> Tidier {
        Tidier { logic: Logic::new(false), known: FxHashMap::default() }
    }

    /// Whether a formula is violated after finitely many steps, if ever, as far as its shape tells.
    pub(crate) fn is_safety(&mut self, formula: &Formula) -> bool {
        let form = self.logic.forms.import(formula);
        let form = self.logic.simplify(form);
        self.logic.forms.traits(form).safety
    }

    /// The formula in fewer words, with the same meaning on infinite traces. Where simplifying it altogether
    /// makes it much shorter, that; otherwise what is left is written as it was.
    pub(crate) fn tidy(&mut self, formula: &Formula) -> Formula {
        let short = formula.fold(|formula, args: &[Formula]| match formula.op() {
            op @ (Op::And | Op::Or) => self.prune(Formula::build(op.clone(), args.to_vec())),
            // Under a temporal operator the words stay.
            _ => formula.clone(),
        });
        let form = self.logic.forms.import(&short);
        let simple = self.logic.simplify(form);
        let simple = self.logic.forms.export(simple);
        if simple.size().saturating_mul(4) < short.size().saturating_mul(3) { simple } else { short }
    }

    fn prune(&mut self, formula: Formula) -> Formula {
        if let Some(known) = self.known.get(&formula) {
            return known.clone();
        }
        let flat = joined(vec![formula.clone()], *formula.op() == Op::And);
        let is_chain = matches!(flat.op(), Op::And | Op::Or);
        let pruned = if is_chain && flat.args().len() <= WIDE { self.without_implied(&flat) } else { flat };
        self.known.insert(formula, pruned.clone());
        pruned
    }

    /// Drops conjuncts that follow from another one, and disjuncts that another one follows from.
    fn without_implied(&mut self, formula: &Formula) -> Formula {
        let conjunction = *formula.op() == Op::And;
        let forms: Vec<Id> = formula.args().iter().map(|part| self.logic.forms.import(part)).collect();
        let mut kept: Vec<usize> = Vec::new();
        for at in 0..forms.len() {
            // Whether `other` makes this part superfluous.
            let mut beside = |part: usize, other: usize| match conjunction {
                true => self.logic.implies(forms[other], forms[part]),
                false => self.logic.implies(forms[part], forms[other]),
            };
            if kept.iter().any(|&other| beside(at, other)) {
                continue;
            }
            kept.retain(|&other| !beside(other, at));
            kept.push(at);
        }
        let parts = kept.into_iter().map(|at| formula.args()[at].clone());
        if conjunction { Formula::all_of(parts) } else { Formula::any_of(parts) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ltl::parse;

    #[test]
    fn what_is_left_is_written_as_it_was() {
        for (formula, step, left) in [
            ("a", "a", "1"),
            ("a", "", "0"),
            ("X a", "", "a"),
            ("G(a -> X b)", "", "G(a -> X b)"),
            ("G(a -> X b)", "a", "b & G(a -> X b)"),
            ("a U b", "a", "a U b"),
            ("a U b", "b", "1"),
            ("a W b", "", "0"),
            ("b R a", "a", "b R a"),
            ("b R a", "a b", "1"),
            ("b M a", "a b", "1"),
            ("F[0:2] a", "", "F[0:1] a"),
            ("F[0:1] a", "", "a"),
            ("F[2:3] a", "a", "F[1:2] a"),
            ("F[1:] a", "a", "F a"),
            ("G[0:0] a", "a", "1"),
            ("G[0:2] a", "a", "G[0:1] a"),
            ("a xor X b", "a", "!b"),
            ("a <-> X b", "a", "b"),
            ("!(a & F b)", "a", "!F b"),
            ("F b | !F b", "", "1"),
        ] {
            let parsed = parse(formula).unwrap().formula;
            let names: Vec<&str> = step.split_whitespace().collect();
            let after = parsed.after_step(|name| names.contains(&name));
            assert_eq!(after.to_string(), left, "{formula} after {step:?}");
        }
    }

    #[test]
    fn what_follows_from_the_rest_is_left_out() {
        let mut tidier = Tidier::new();
        for (formula, tidy) in [
            ("F[0:3] a & F[0:1] a & G(b -> F[0:3] a)", "F[0:1] a & G(b -> F[0:3] a)"),
            ("F[0:3] a | F[0:1] a", "F[0:3] a"),
            ("a & (a | X b) & X b", "a & X b"),
            ("G(a -> X b) & (c | c)", "G(a -> X b) & c"),
            ("G(a | a)", "G a"),
        ] {
            assert_eq!(tidier.tidy(&parse(formula).unwrap().formula).to_string(), tidy, "{formula}");
        }
    }
}
