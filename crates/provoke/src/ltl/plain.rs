//! Formulas in the operators that every tool reads.

use super::{Formula, Op};

/// A formula may grow to this many operators when its bounds are spelled out.
const MOST: usize = 200_000;

impl Formula {
    /// The same formula on infinite traces, where a next is a next, with `X` for `N` and without bounds:
    /// `F[1:2] a` becomes `X(a | X a)`. Nothing where that would be very long, as nested bounds are.
    ///
    /// Every operator that is left is one that Spot and its like read without further ado, but for those that look back:
    /// they stay, without bounds too.
    pub fn plain(&self) -> Option<Formula> {
        let plain = self.fold(|formula, args: &[Option<Formula>]| {
            let args: Option<Vec<Formula>> = args.iter().cloned().collect();
            let mut args = args?;
            let result = match *formula.op() {
                Op::WeakNext => args.pop()?.next(),
                Op::FinallyIn(first, last)
                | Op::GloballyIn(first, last)
                | Op::OnceIn(first, last)
                | Op::HistoricallyIn(first, last) => spelled_out(formula.op(), args.pop()?, first, last)?,
                _ => Formula::build(formula.op().clone(), args),
            };
            (result.size() <= MOST).then_some(result)
        })?;
        Some(plain)
    }
}

/// `X[first](a | X(a | ...))` up to `last`, or with `&` in place of `|`, or back in time.
fn spelled_out(op: &Op, operand: Formula, first: u32, last: Option<u32>) -> Option<Formula> {
    type Step = fn(Formula) -> Formula;
    let some = matches!(op, Op::FinallyIn(..) | Op::OnceIn(..));
    let (step, ever): (Step, Step) = match op {
        Op::OnceIn(..) => (Formula::yesterday, Formula::once),
        Op::HistoricallyIn(..) => (Formula::weak_yesterday, Formula::historically),
        Op::FinallyIn(..) => (Formula::next, Formula::finally),
        _ => (Formula::next, Formula::globally),
    };
    let inner = match last {
        None => ever(operand),
        Some(last) => {
            if operand.size().saturating_mul((last - first + 1) as usize) > MOST {
                return None;
            }
            let join = if some { Formula::or } else { Formula::and };
            (first..last).fold(operand.clone(), |further, _| join(operand.clone(), step(further)))
        }
    };
    Some((0..first).fold(inner, |inner, _| step(inner)))
}

#[cfg(test)]
mod tests {
    use super::super::{holds_for_ever, parse};
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn bounds_and_weak_next_are_spelled_out() {
        let plain = |text: &str| parse(text).unwrap().formula.plain().map(|formula| formula.to_string());
        assert_eq!(plain("G(a -> F[1:2] N b)").as_deref(), Some("G(a -> X(X b | XX b))"));
        assert_eq!(plain("G[0:2] a & F[3:] b").as_deref(), Some("a & X(a & X a) & XXXF b"));
        assert_eq!(plain("F[0:9999] G[0:9999] a"), None);
        assert_eq!(plain("G(a -> O[1:2] b & H[1:2] c)").as_deref(), Some("G(a -> Y(b | Y b) & Z(c & Z c))"));
        assert_eq!(plain("O[1:] a").as_deref(), Some("Y O a"));
    }

    /// The oracle is the direct evaluation of both on lassos.
    #[test]
    fn the_plain_form_says_the_same_of_infinite_traces() {
        let mut rng = Rng::new(11);
        for _ in 0..3_000 {
            let formula = random(&mut rng, 3);
            let letters = |count: u64, rng: &mut Rng| (0..count).map(|_| rng.below(4)).collect::<Vec<u64>>();
            let (before, round) = (rng.below(4), 1 + rng.below(4));
            let (prefix, cycle) = (letters(before, &mut rng), letters(round, &mut rng));
            let holds = |formula: &Formula| {
                holds_for_ever(formula, &prefix, &cycle, |letter, name| {
                    letter >> u64::from(name == "b") & 1 == 1
                })
            };
            let plain = formula.plain().unwrap();
            assert_eq!(holds(&formula), holds(&plain), "{formula} / {plain} on {prefix:?} ({cycle:?})");
        }
    }

    fn random(rng: &mut Rng, depth: u32) -> Formula {
        if depth == 0 {
            return Formula::proposition(if rng.below(2) == 0 { "a" } else { "b" });
        }
        let one = random(rng, depth - 1);
        let first = rng.below(4) as u32;
        let last = first + rng.below(4) as u32;
        match rng.below(10) {
            0 => one.not(),
            8 => one.once_in(first..=last),
            9 => one.historically_in(first..=last),
            1 => one.weak_next(),
            2 => one.finally_in(first..=last),
            3 => one.globally_in(first..=last),
            4 => Formula::build(Op::FinallyIn(first, None), vec![one]),
            5 => Formula::build(Op::GloballyIn(first, None), vec![one]),
            6 => one.until(random(rng, depth - 1)),
            _ => one.iff(random(rng, depth - 1)),
        }
    }
}
