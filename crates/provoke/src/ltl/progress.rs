//! What is left of a formula once a step has been seen.

use rustc_hash::{FxHashMap, FxHashSet};

use super::forms::Id;
use super::simplify::Logic;
use super::{Formula, Op};

impl Formula {
    /// What must hold from the next step on for this formula to hold from here on, after a step in which
    /// exactly these propositions are true. On infinite traces. Propositions are about one step each: expressions with
    /// `prev` must not be among them.
    ///
    /// This is formula progression (Bacchus and Kabanza 1998), with only what is evident simplified: the parts
    /// that are left are written as they were.
    #[must_use]
    pub fn after_step(&self, value: impl Fn(&str) -> bool) -> Formula {
        let (after, _) = self.fold(|formula, args: &[(Formula, Formula)]| {
            let (now, later): (Vec<Formula>, Vec<Formula>) = args.iter().cloned().unzip();
            let later = looking_back(formula, &now, later);
            (after(formula, now, &later, &value), later)
        });
        after
    }
}

/// What must hold from the next step on for a formula to hold now, from what must for each of its operands, and from
/// what the formula says of later steps.
fn after(
    formula: &Formula,
    operands: Vec<Formula>,
    later: &Formula,
    value: &impl Fn(&str) -> bool,
) -> Formula {
    let (arg, later) = (|at: usize| operands[at].clone(), || later.clone());
    match formula.op() {
        Op::True | Op::False => formula.clone(),
        Op::Proposition(name) => Formula::constant(value(name)),
        Op::Not => not(arg(0)),
        Op::And => all(operands),
        Op::Or => any(operands),
        Op::Implies => any(vec![not(arg(0)), arg(1)]),
        Op::Iff => alike(arg(0), arg(1)),
        Op::Xor => not(alike(arg(0), arg(1))),
        Op::Next | Op::WeakNext => later().args()[0].clone(),
        Op::Finally => any(vec![arg(0), later()]),
        Op::Globally => all(vec![arg(0), later()]),
        Op::FinallyIn(0, _) => any([vec![arg(0)], shifted(&later())].concat()),
        Op::GloballyIn(0, _) => all([vec![arg(0)], shifted(&later())].concat()),
        Op::FinallyIn(..) | Op::GloballyIn(..) => any(shifted(&later())),
        Op::Until | Op::WeakUntil => any(vec![arg(1), all(vec![arg(0), later()])]),
        Op::Release | Op::StrongRelease => all(vec![arg(1), any(vec![arg(0), later()])]),
        // This is the first step.
        Op::Yesterday => Formula::constant(false),
        Op::WeakYesterday => Formula::constant(true),
        Op::Once | Op::Historically | Op::OnceIn(0, _) | Op::HistoricallyIn(0, _) => arg(0),
        Op::OnceIn(..) => Formula::constant(false),
        Op::HistoricallyIn(..) => Formula::constant(true),
        Op::Since | Op::Triggered => arg(1),
    }
}

/// What says of the steps after the first, where the first is no longer there, what the formula says of them: what it
/// knows of the first step is written down.
fn looking_back(formula: &Formula, now: &[Formula], later: Vec<Formula>) -> Formula {
    let arg = |at: usize| later[at].clone();
    let as_it_was = || match later.iter().zip(formula.args()).all(|(later, arg)| later == arg) {
        true => formula.clone(),
        false => Formula::build(formula.op().clone(), later.clone()),
    };
    // Holds at the first of the steps that are left where the operand holds now.
    let at_first = |operand: usize| all(vec![Formula::at_first(), now[operand].clone()]);
    let known = |operand: usize| matches!(now[operand].op(), Op::True | Op::False);
    // What held at the step that is gone holds for ever as something that was.
    let once = |operand: usize| match known(operand) {
        true => now[operand].clone(),
        false => at_first(operand).once(),
    };
    match *formula.op() {
        Op::Yesterday | Op::WeakYesterday => match now[0].op() {
            Op::True => arg(0).weak_yesterday(),
            Op::False => arg(0).yesterday(),
            _ => any(vec![arg(0).yesterday(), at_first(0)]),
        },
        Op::Once => any(vec![once(0), arg(0).once()]),
        Op::Historically => all(vec![once(0), arg(0).historically()]),
        Op::Since => any(vec![as_it_was(), all(vec![once(1), arg(0).historically()])]),
        Op::Triggered => all(vec![as_it_was(), any(vec![once(1), arg(0).once()])]),
        Op::OnceIn(first, last) => match last.map(|last| last.checked_sub(1)) {
            Some(None) => as_it_was(),
            last => {
                let op = Op::OnceIn(first.saturating_sub(1), last.flatten());
                match at_first(0) {
                    never if *never.op() == Op::False => as_it_was(),
                    there => any(vec![as_it_was(), Formula::build(op, vec![there])]),
                }
            }
        },
        Op::HistoricallyIn(first, last) => match last.map(|last| last.checked_sub(1)) {
            Some(None) => as_it_was(),
            last => {
                let op = Op::HistoricallyIn(first.saturating_sub(1), last.flatten());
                match any(vec![not(Formula::at_first()), now[0].clone()]) {
                    always if *always.op() == Op::True => as_it_was(),
                    there => all(vec![as_it_was(), Formula::build(op, vec![there])]),
                }
            }
        },
        _ => as_it_was(),
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
