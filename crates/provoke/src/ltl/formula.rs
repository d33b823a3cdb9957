//! The formula itself: an operator over formulas, shared where it is cloned.

use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use super::forms::Forms;

/// A temporal formula. Cloning shares it; equality is equality of the text it prints as.
///
/// A formula says something about one moment of a trace: a proposition looks at the exchange of that moment,
/// a temporal operator at the moments from there on, or at those up to there. Nothing is simplified on the way in, except that a
/// conjunction of conjunctions is one conjunction, and likewise for disjunctions.
///
/// However deep a formula nests, building, comparing, folding and dropping it take constant stack.
#[derive(Clone)]
pub struct Formula(Arc<Node>);

struct Node {
    op: Op,
    args: Vec<Formula>,
    hash: u64,
}

/// What stands at the top of a [`Formula`]; its operands are [`Formula::args`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// Holds where the named signal is true, or the named label is sent.
    Proposition(Arc<str>),
    /// `!a`
    Not,
    /// `a & b & ...`, two or more
    And,
    /// `a | b | ...`, two or more
    Or,
    /// `a -> b`
    Implies,
    /// `a <-> b`
    Iff,
    /// `a xor b`
    Xor,
    /// `X a`: there is a next step, and `a` holds there.
    Next,
    /// `N a`: if there is a next step, `a` holds there. The same as `X a` on infinite traces.
    WeakNext,
    /// `F a`: now or later.
    Finally,
    /// `G a`: now and ever after.
    Globally,
    /// `F[first:last] a`: at some step from `first` to `last` steps ahead; `None` is without end.
    FinallyIn(u32, Option<u32>),
    /// `G[first:last] a`: at every step from `first` to `last` steps ahead, as far as the trace goes; `None`
    /// is without end.
    GloballyIn(u32, Option<u32>),
    /// `a U b`: `b` happens, and `a` holds until then.
    Until,
    /// `a W b`: `a` holds until `b` happens, or for ever.
    WeakUntil,
    /// `a R b`: `b` holds up to and including the step where `a` holds, or for ever.
    Release,
    /// `a M b`: `a` happens, and `b` holds up to and including that step.
    StrongRelease,
    /// `Y a`: there is a step before, and `a` held there.
    Yesterday,
    /// `Z a`: if there is a step before, `a` held there.
    WeakYesterday,
    /// `O a`: now or before.
    Once,
    /// `H a`: now and ever before.
    Historically,
    /// `O[first:last] a`: at some step from `first` to `last` steps ago; `None` is back to the first step.
    OnceIn(u32, Option<u32>),
    /// `H[first:last] a`: at every step from `first` to `last` steps ago, as far as there are any; `None` is back
    /// to the first step.
    HistoricallyIn(u32, Option<u32>),
    /// `a S b`: `b` happened, now or before, and `a` has held since.
    Since,
    /// `a T b`: `b` has held from the step on where `a` last happened, that step included, or all along.
    Triggered,
}

/// The largest number of steps that `X[n]`, `F[n:m]`, `O[n:m]` and their like may name.
pub const MAX_BOUND: u32 = 10_000;

impl Formula {
    fn new(op: Op, args: Vec<Formula>) -> Formula {
        let mut hasher = FxHasher::default();
        op.hash(&mut hasher);
        args.iter().for_each(|arg| arg.0.hash.hash(&mut hasher));
        Formula(Arc::new(Node { op, args, hash: hasher.finish() }))
    }

    /// What stands at the top.
    pub fn op(&self) -> &Op {
        &self.0.op
    }

    /// The operands, left to right.
    pub fn args(&self) -> &[Formula] {
        &self.0.args
    }

    /// `true` or `false`.
    pub fn constant(value: bool) -> Formula {
        Formula::new(if value { Op::True } else { Op::False }, Vec::new())
    }

    /// A signal or label by its name.
    pub fn proposition(name: impl Into<Arc<str>>) -> Formula {
        Formula::new(Op::Proposition(name.into()), Vec::new())
    }

    /// `!self`
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "a formula is built, not computed")]
    pub fn not(self) -> Formula {
        Formula::new(Op::Not, vec![self])
    }

    /// All of them; `true` where there are none, the formula itself where there is one.
    pub fn all_of(formulas: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::chain(Op::And, formulas, true)
    }

    /// One of them; `false` where there are none, the formula itself where there is one.
    pub fn any_of(formulas: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::chain(Op::Or, formulas, false)
    }

    fn chain(op: Op, formulas: impl IntoIterator<Item = Formula>, neutral: bool) -> Formula {
        let mut args = Vec::new();
        for mut formula in formulas {
            if *formula.op() != op {
                args.push(formula);
                continue;
            }
            match Arc::get_mut(&mut formula.0) {
                Some(node) if args.is_empty() => args = std::mem::take(&mut node.args),
                Some(node) => args.append(&mut node.args),
                None => args.extend_from_slice(formula.args()),
            }
        }
        match args.len() {
            0 => Formula::constant(neutral),
            1 => args.swap_remove(0),
            _ => Formula::new(op, args),
        }
    }

    /// `self & other`
    #[must_use]
    pub fn and(self, other: Formula) -> Formula {
        Formula::all_of([self, other])
    }

    /// `self | other`
    #[must_use]
    pub fn or(self, other: Formula) -> Formula {
        Formula::any_of([self, other])
    }

    /// `self -> other`
    #[must_use]
    pub fn implies(self, other: Formula) -> Formula {
        Formula::new(Op::Implies, vec![self, other])
    }

    /// `self <-> other`
    #[must_use]
    pub fn iff(self, other: Formula) -> Formula {
        Formula::new(Op::Iff, vec![self, other])
    }

    /// `self xor other`
    #[must_use]
    pub fn xor(self, other: Formula) -> Formula {
        Formula::new(Op::Xor, vec![self, other])
    }

    /// `X self`
    #[must_use]
    pub fn next(self) -> Formula {
        Formula::new(Op::Next, vec![self])
    }

    /// `X[times] self`
    #[must_use]
    pub fn next_times(self, times: u32) -> Formula {
        (0..times).fold(self, |formula, _| formula.next())
    }

    /// `N self`
    #[must_use]
    pub fn weak_next(self) -> Formula {
        Formula::new(Op::WeakNext, vec![self])
    }

    /// `F self`
    #[must_use]
    pub fn finally(self) -> Formula {
        Formula::new(Op::Finally, vec![self])
    }

    /// `G self`
    #[must_use]
    pub fn globally(self) -> Formula {
        Formula::new(Op::Globally, vec![self])
    }

    /// `F[first:last] self`
    #[must_use]
    pub fn finally_in(self, steps: RangeInclusive<u32>) -> Formula {
        Formula::new(Op::FinallyIn(*steps.start(), Some(*steps.end())), vec![self])
    }

    /// `G[first:last] self`
    #[must_use]
    pub fn globally_in(self, steps: RangeInclusive<u32>) -> Formula {
        Formula::new(Op::GloballyIn(*steps.start(), Some(*steps.end())), vec![self])
    }

    /// `self U other`
    #[must_use]
    pub fn until(self, other: Formula) -> Formula {
        Formula::new(Op::Until, vec![self, other])
    }

    /// `self W other`
    #[must_use]
    pub fn weak_until(self, other: Formula) -> Formula {
        Formula::new(Op::WeakUntil, vec![self, other])
    }

    /// `self R other`
    #[must_use]
    pub fn release(self, other: Formula) -> Formula {
        Formula::new(Op::Release, vec![self, other])
    }

    /// `self M other`
    #[must_use]
    pub fn strong_release(self, other: Formula) -> Formula {
        Formula::new(Op::StrongRelease, vec![self, other])
    }

    /// Any operator over as many operands as it takes; conjunctions and disjunctions are flattened.
    ///
    /// # Panics
    /// Where the operator does not take that many operands.
    pub fn build(op: Op, args: Vec<Formula>) -> Formula {
        assert!(op.takes(args.len()), "{op:?} does not take {} operands", args.len());
        match op {
            Op::And => Formula::all_of(args),
            Op::Or => Formula::any_of(args),
            _ => Formula::new(op, args),
        }
    }

    /// Computes a value for every distinct subformula from the values of its operands, operands first, and
    /// returns that of the whole. Takes constant stack.
    pub fn fold<T: Clone>(&self, visit: impl FnMut(&Formula, &[T]) -> T) -> T {
        self.fold_down_to(|_| false, visit)
    }

    /// The same, where some subformulas are not looked into: they are visited as if they had no operands.
    pub(crate) fn fold_down_to<T: Clone>(
        &self,
        closed: impl Fn(&Formula) -> bool,
        mut visit: impl FnMut(&Formula, &[T]) -> T,
    ) -> T {
        let mut known: FxHashMap<*const Node, T> = FxHashMap::default();
        let mut open = vec![(self, false)];
        let mut values = Vec::new();
        while let Some((formula, ready)) = open.pop() {
            let place = Arc::as_ptr(&formula.0);
            if known.contains_key(&place) {
                continue;
            }
            if closed(formula) {
                known.insert(place, visit(formula, &[]));
                continue;
            }
            if !ready {
                open.push((formula, true));
                open.extend(formula.args().iter().rev().map(|arg| (arg, false)));
                continue;
            }
            values.clear();
            values.extend(formula.args().iter().map(|arg| known[&Arc::as_ptr(&arg.0)].clone()));
            let value = visit(formula, &values);
            known.insert(place, value);
        }
        known[&Arc::as_ptr(&self.0)].clone()
    }

    /// The names of the propositions it speaks of, each once, in order of appearance.
    pub fn propositions(&self) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        self.fold(|formula, _: &[()]| {
            if let Op::Proposition(name) = formula.op()
                && seen.insert(name.clone())
            {
                names.push(name.clone());
            }
        });
        names
    }

    /// How many operators, propositions and constants it is written with. A bounded operator counts once.
    pub fn size(&self) -> usize {
        self.fold(|_, sizes: &[usize]| sizes.iter().fold(1, |sum: usize, &size| sum.saturating_add(size)))
    }

    /// Whether it is violated after finitely many steps, if ever, by its shape: it may be even where this says no.
    pub fn is_safety(&self) -> bool {
        let mut forms = Forms::new(false);
        let form = forms.import(self);
        forms.traits(form).safety
    }

    /// The formula with every proposition replaced.
    #[must_use]
    pub fn replace(&self, mut by: impl FnMut(&Arc<str>) -> Formula) -> Formula {
        self.fold(|formula, args: &[Formula]| match formula.op() {
            Op::Proposition(name) => by(name),
            op => Formula::build(op.clone(), args.to_vec()),
        })
    }
}

impl Op {
    /// Whether the operator stands over this many operands.
    pub fn takes(&self, operands: usize) -> bool {
        match self {
            Op::True | Op::False | Op::Proposition(_) => operands == 0,
            Op::Not | Op::Next | Op::WeakNext | Op::Finally | Op::Globally => operands == 1,
            Op::FinallyIn(..) | Op::GloballyIn(..) => operands == 1,
            Op::And | Op::Or => true,
            Op::Implies | Op::Iff | Op::Xor => operands == 2,
            Op::Until | Op::WeakUntil | Op::Release | Op::StrongRelease => operands == 2,
            Op::Yesterday | Op::WeakYesterday | Op::Once | Op::Historically => operands == 1,
            Op::OnceIn(..) | Op::HistoricallyIn(..) => operands == 1,
            Op::Since | Op::Triggered => operands == 2,
        }
    }
}

impl Drop for Node {
    /// Drops the operands in a loop: a chain of ten thousand operators must not take ten thousand frames.
    fn drop(&mut self) {
        let mut open = std::mem::take(&mut self.args);
        while let Some(formula) = open.pop() {
            if let Some(mut node) = Arc::into_inner(formula.0) {
                open.append(&mut node.args);
            }
        }
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Formula) -> bool {
        let mut open = vec![(self, other)];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some((left, right)) = open.pop() {
            if Arc::ptr_eq(&left.0, &right.0) || !seen.insert((Arc::as_ptr(&left.0), Arc::as_ptr(&right.0))) {
                continue;
            }
            let alike = left.0.hash == right.0.hash && left.op() == right.op();
            if !alike || left.args().len() != right.args().len() {
                return false;
            }
            open.extend(left.args().iter().zip(right.args()));
        }
        true
    }
}

impl Eq for Formula {}

impl Hash for Formula {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_formulas_take_no_stack() {
        let deep = || {
            let mut formula = Formula::proposition("p");
            for at in 0..200_000 {
                formula = match at % 3 {
                    0 => formula.next(),
                    1 => Formula::proposition("q").until(formula),
                    _ => formula.not(),
                };
            }
            formula
        };
        let formula = deep();
        assert!(formula == deep());
        assert!(formula != deep().next());
        assert_eq!(formula.propositions().len(), 2);
        assert!(formula.size() > 200_000);
    }

    #[test]
    fn shared_parts_are_compared_once() {
        // Written out this formula would have 2^200 operators.
        let wide = || (0..200).fold(Formula::proposition("p"), |f, _| f.clone().until(f));
        assert!(wide() == wide());
        assert_eq!(wide().size(), usize::MAX);
    }

    #[test]
    fn chains_are_flat() {
        let [a, b, c] = ["a", "b", "c"].map(Formula::proposition);
        let chain = a.clone().and(b.clone()).and(c.clone());
        assert_eq!(chain.args().len(), 3);
        assert!(chain == a.clone().and(b.and(c)));
        assert!(Formula::all_of([a.clone()]) == a);
        assert!(Formula::any_of([]) == Formula::constant(false));
    }
}
