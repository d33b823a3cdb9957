//! What a formula says about one given trace, straight from its definition: the independent judge.

use std::rc::Rc;

use super::{Formula, Op};

/// Whether the formula holds at the start of a finite trace.
///
/// This is FLTL, Definition 9 of paper 3: `X` asks for a next step, `N` does not, `F` and `U` must come true
/// within the trace, `G` has to hold only as far as the trace goes. `W`, `R`, `M` and the bounded operators,
/// which the paper leaves out, are what they abbreviate there: `a W b` is `G a | (a U b)`, `a R b` is
/// `!(!a U !b)`, `a M b` is `b U (a & b)`, `F[i:j] a` looks at the steps from `i` to `j` that exist and
/// `G[i:j] a` is `!F[i:j] !a`. On the empty trace, which the paper excludes, a proposition is false and an
/// operator sees no step. Operators that look back see the steps from the first up to where they stand.
pub fn holds_on<L>(formula: &Formula, trace: &[L], value: impl Fn(&L, &str) -> bool) -> bool {
    let path = Path { length: trace.len(), back: None };
    path.truth(formula, |at, name| value(&trace[at], name))
}

/// Whether the formula holds at the start of the infinite trace `prefix cycle cycle ...`.
///
/// # Panics
/// Where the cycle is empty: that is not an infinite trace.
pub fn holds_for_ever<L>(
    formula: &Formula,
    prefix: &[L],
    cycle: &[L],
    value: impl Fn(&L, &str) -> bool,
) -> bool {
    assert!(!cycle.is_empty(), "an infinite trace repeats at least one step");
    let back = prefix.len() + rounds(formula, cycle.len()) * cycle.len();
    let path = Path { length: back + cycle.len(), back: Some(back) };
    path.truth(formula, |at, name| match at.checked_sub(prefix.len()) {
        None => value(&prefix[at], name),
        Some(at) => value(&cycle[at % cycle.len()], name),
    })
}

/// After how many rounds of a cycle every subformula has the same values round by round.
///
/// Without operators that look back that is at once. Where the operands of one that does are settled, `Y` and
/// bounded ones look back so many steps and no more. The others carry one value from round to round, and what a
/// round makes of it never turns it round: it keeps it, or sets it.
fn rounds(formula: &Formula, cycle: usize) -> usize {
    formula.fold(|formula, args: &[usize]| {
        let settled = args.iter().copied().max().unwrap_or(0);
        let more = match *formula.op() {
            Op::OnceIn(first, last) | Op::HistoricallyIn(first, last) => {
                (last.unwrap_or(first) as usize).div_ceil(cycle) + usize::from(last.is_none())
            }
            ref op if op.is_past() => 1,
            _ => 0,
        };
        settled + more
    })
}

/// The shape of a trace: so many steps, and where it goes on after the last.
struct Path {
    length: usize,
    back: Option<usize>,
}

impl Path {
    fn truth(&self, formula: &Formula, value: impl Fn(usize, &str) -> bool) -> bool {
        let truth = formula.fold(|formula, args: &[Rc<Vec<bool>>]| {
            let arg = |which: usize, at: usize| args[which][at];
            let all = |rule: &dyn Fn(usize) -> bool| (0..self.length).map(rule).collect::<Vec<bool>>();
            Rc::new(match formula.op() {
                Op::True => vec![true; self.length],
                Op::False => vec![false; self.length],
                Op::Proposition(name) => all(&|at| value(at, name)),
                Op::Not => all(&|at| !arg(0, at)),
                Op::And => all(&|at| args.iter().all(|arg| arg[at])),
                Op::Or => all(&|at| args.iter().any(|arg| arg[at])),
                Op::Implies => all(&|at| !arg(0, at) || arg(1, at)),
                Op::Iff => all(&|at| arg(0, at) == arg(1, at)),
                Op::Xor => all(&|at| arg(0, at) != arg(1, at)),
                Op::Next => all(&|at| self.after(at).is_some_and(|next| arg(0, next))),
                Op::WeakNext => all(&|at| self.after(at).is_none_or(|next| arg(0, next))),
                Op::Finally => self.backwards(false, |at, later| arg(0, at) || later),
                Op::Globally => self.backwards(true, |at, later| arg(0, at) && later),
                Op::Until => self.backwards(false, |at, later| arg(1, at) || arg(0, at) && later),
                Op::WeakUntil => self.backwards(true, |at, later| arg(1, at) || arg(0, at) && later),
                Op::Release => self.backwards(true, |at, later| arg(1, at) && (arg(0, at) || later)),
                Op::StrongRelease => self.backwards(false, |at, later| arg(1, at) && (arg(0, at) || later)),
                Op::FinallyIn(first, last) => {
                    let wait = self.wait(&args[0], true);
                    all(&|at| self.ahead(at, *first).is_some_and(|from| within(wait[from], *first, *last)))
                }
                Op::GloballyIn(first, last) => {
                    let wait = self.wait(&args[0], false);
                    all(&|at| self.ahead(at, *first).is_none_or(|from| !within(wait[from], *first, *last)))
                }
                Op::Yesterday => all(&|at| at > 0 && arg(0, at - 1)),
                Op::WeakYesterday => all(&|at| at == 0 || arg(0, at - 1)),
                Op::Once => self.forwards(false, |at, before| arg(0, at) || before),
                Op::Historically => self.forwards(true, |at, before| arg(0, at) && before),
                Op::Since => self.forwards(false, |at, before| arg(1, at) || arg(0, at) && before),
                Op::Triggered => self.forwards(true, |at, before| arg(1, at) && (arg(0, at) || before)),
                Op::OnceIn(first, last) => {
                    let age = age(&args[0], true);
                    let since = |at: usize| at.checked_sub(*first as usize).and_then(|at| age[at]);
                    all(&|at| within(since(at), *first, *last))
                }
                Op::HistoricallyIn(first, last) => {
                    let age = age(&args[0], false);
                    let since = |at: usize| at.checked_sub(*first as usize).and_then(|at| age[at]);
                    all(&|at| !within(since(at), *first, *last))
                }
            })
        });
        match truth.first() {
            Some(&truth) => truth,
            None => on_nothing(formula),
        }
    }

    fn after(&self, at: usize) -> Option<usize> {
        if at + 1 < self.length { Some(at + 1) } else { self.back }
    }

    /// The position `steps` ahead, if the trace goes that far.
    fn ahead(&self, at: usize, steps: u32) -> Option<usize> {
        let place = at + steps as usize;
        match self.back {
            _ if place < self.length => Some(place),
            None => None,
            Some(back) => Some(back + (place - back) % (self.length - back)),
        }
    }

    /// The fixpoint of `rule(at, value one step later)`: the least where `start` is false, the greatest where
    /// it is true. Past the end of a finite trace the value is `start`. Two sweeps close a cycle.
    fn backwards(&self, start: bool, rule: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut truth = vec![start; self.length];
        for _ in 0..2 {
            for at in (0..self.length).rev() {
                let later = self.after(at).map_or(start, |next| truth[next]);
                truth[at] = rule(at, later);
            }
        }
        truth
    }

    /// What follows from `rule(at, value one step before)`; before the first step the value is `start`.
    fn forwards(&self, start: bool, rule: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut before = start;
        let mut next = |at: usize| {
            before = rule(at, before);
            before
        };
        (0..self.length).map(&mut next).collect()
    }

    /// For each position, how many steps until the operand has the value; none where it never has.
    fn wait(&self, operand: &[bool], value: bool) -> Vec<Option<u32>> {
        let mut wait = vec![None; self.length];
        for _ in 0..2 {
            for at in (0..self.length).rev() {
                let later = self.after(at).and_then(|next| wait[next]);
                wait[at] = if operand[at] == value { Some(0) } else { later.map(|wait: u32| wait + 1) };
            }
        }
        wait
    }
}

/// For each position, how many steps ago the operand had the value last; none where it never had.
fn age(operand: &[bool], value: bool) -> Vec<Option<u32>> {
    let mut last = None;
    let mut age = |&now: &bool| {
        last = if now == value { Some(0) } else { last.map(|ago: u32| ago + 1) };
        last
    };
    operand.iter().map(&mut age).collect()
}

fn within(wait: Option<u32>, first: u32, last: Option<u32>) -> bool {
    wait.is_some_and(|wait| last.is_none_or(|last| wait <= last - first))
}

/// The value on the trace without steps.
fn on_nothing(formula: &Formula) -> bool {
    formula.fold(|formula, args: &[bool]| match formula.op() {
        Op::True | Op::WeakNext | Op::Globally | Op::GloballyIn(..) | Op::WeakUntil | Op::Release => true,
        Op::False | Op::Proposition(_) | Op::Next | Op::Finally | Op::FinallyIn(..) => false,
        Op::Until | Op::StrongRelease => false,
        Op::WeakYesterday | Op::Historically | Op::HistoricallyIn(..) | Op::Triggered => true,
        Op::Yesterday | Op::Once | Op::OnceIn(..) | Op::Since => false,
        Op::Not => !args[0],
        Op::And => args.iter().all(|&arg| arg),
        Op::Or => args.iter().any(|&arg| arg),
        Op::Implies => !args[0] || args[1],
        Op::Iff => args[0] == args[1],
        Op::Xor => args[0] != args[1],
    })
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    /// Letters are sets of one-character names: `"a b ab -"` is a trace of four steps.
    fn steps(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    fn finite(formula: &str, trace: &str) -> bool {
        holds_on(&parse(formula).unwrap().formula, &steps(trace), |step, name| step.contains(name))
    }

    fn infinite(formula: &str, prefix: &str, cycle: &str) -> bool {
        let formula = parse(formula).unwrap().formula;
        holds_for_ever(&formula, &steps(prefix), &steps(cycle), |step, name| step.contains(name))
    }

    #[test]
    fn the_end_of_a_finite_trace() {
        assert!(finite("G(a -> F b)", "a b - ab"));
        assert!(!finite("G(a -> F b)", "a b a"));
        assert!(finite("G a", "a a") && !finite("G X a", "a a") && finite("G N a", "a a"));
        assert!(finite("F !X 1", "a") && !finite("X 1", "a") && finite("N 0", "a"));
        assert!(finite("a W b", "a a") && !finite("a U b", "a a"));
        assert!(finite("b R a", "a a") && !finite("b M a", "a a") && finite("b M a", "a ab -"));
        assert!(finite("F[1:2] b", "- - b") && !finite("F[1:2] b", "b - - b") && !finite("F[1:2] b", "b"));
        assert!(finite("G[1:2] b", "-") && finite("G[1:2] b", "- b") && !finite("G[1:2] b", "- b -"));
        assert!(finite("G[1:] b", "- b b") && !finite("F[3:] b", "b b b"));
        assert!(finite("G a & N a", "") && !finite("F a | X a | a", ""));
    }

    #[test]
    fn infinite_traces() {
        assert!(infinite("GF a & GF !a", "-", "a -") && !infinite("FG a", "-", "a -"));
        assert!(infinite("a U b", "a a", "b") && !infinite("a U b", "", "a") && infinite("a W b", "", "a"));
        assert!(infinite("X a", "-", "a") && infinite("N a", "", "- a") == infinite("X a", "", "- a"));
        assert!(infinite("F[3:4] a", "", "- - a") == infinite("XXX(a | X a)", "", "- - a"));
        assert!(infinite("G[2:] a", "- -", "a") && infinite("F[5:] a", "", "- a"));
        assert!(infinite("a <-> b", "-", "-") && infinite("a xor b", "a", "-"));
    }

    #[test]
    fn looking_back() {
        assert!(
            !finite("Y 1", "a") && finite("Z 0", "a") && finite("X Y a", "a -") && !finite("X Z a", "- a")
        );
        assert!(finite("G(b -> O a)", "- a - b") && !finite("G(b -> O a)", "- b a"));
        assert!(finite("G(b -> H a)", "a a ab") && !finite("G(b -> H a)", "a - ab"));
        assert!(finite("G(c -> (a S b))", "- b a ac") && !finite("F(c & (a S b))", "b - ac"));
        assert!(finite("G(c -> (a T b))", "ab b bc") && !finite("F(c & (a T b))", "ab - bc"));
        assert!(finite("G(c -> (a T b))", "- ab bc") && finite("G(c -> (a T b))", "b bc"));
        assert!(finite("G(b -> O[1:2] a)", "a - b") && !finite("G(b -> O[1:2] a)", "a - - ab"));
        assert!(finite("G(b -> H[1:2] a)", "a ab ab b") && !finite("G(b -> H[1:2] a)", "a ab - b"));
        assert!(finite("Z a & H a & (a T b)", "") && !finite("Y a | O a | (a S b)", ""));
        // What was before the round counts in its first pass, and not only there.
        assert!(infinite("FG O a", "a", "-") && !infinite("FG O a", "", "-") && infinite("FG H a", "", "a"));
        assert!(infinite("GF(b & Y a)", "", "a b") && infinite("GF(a & Y b)", "", "a b"));
        assert!(infinite("F G !O[0:3] a", "a", "-") && infinite("F(!a & H[1:5] a)", "a a a", "a a -"));
        assert!(!infinite("F(!a & H[1:5] a & Y[5] 1)", "- a a a a", "-"));
    }

    /// Round by round, `rounds` rounds unrolled say the same as three more.
    #[test]
    fn rounds_settle() {
        let formulas =
            ["G(b -> O[2:4] a)", "F G (a S (b S Y a))", "G F (Y Y b T H[0:3] a)", "F(a & O[3:] Y b)"];
        for text in formulas {
            let formula = parse(text).unwrap().formula;
            for word in 0..4096u64 {
                let steps: Vec<u64> = (0..6).map(|at| word >> (2 * at) & 3).collect();
                for stem in [0, 2, 4] {
                    let (prefix, cycle) = steps.split_at(stem);
                    let value = |letter: &u64, name: &str| letter >> u64::from(name == "b") & 1 == 1;
                    let longer = [prefix, cycle, cycle, cycle].concat();
                    assert_eq!(
                        holds_for_ever(&formula, prefix, cycle, value),
                        holds_for_ever(&formula, &longer, cycle, value),
                        "{text}: {prefix:?} {cycle:?}"
                    );
                }
            }
        }
    }
}
