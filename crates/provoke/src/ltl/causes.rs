//! Unique first causes: runs on which one condition decides that a formula holds.

use super::{Formula, Op};

/// Larger formulas are not taken apart.
const MOST: usize = 20_000;

/// A condition of a formula, and what holds on the runs that it decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The condition: a proposition or what looks back, with `!` where its falsity decides.
    pub condition: String,
    /// Holds on the runs where the formula does and this occurrence of the condition is the unique first cause.
    pub formula: Formula,
}

/// How a formula comes to hold, and to fail: one cause for each occurrence of a condition.
#[derive(Clone)]
struct Causes {
    formula: Formula,
    holds: Vec<Cause>,
    fails: Vec<Cause>,
}

impl Formula {
    /// For each occurrence of a condition, in order, the formula of the runs on which it is the unique first cause that
    /// this formula holds; none where that would be very long.
    ///
    /// Unique first cause coverage after Whalen, Rajan, Heimdahl and Miller, "Coverage metrics for requirements-based
    /// testing" (ISSTA 2006), who extend masking MC/DC to paths; section 4.2 of paper 3 compares with it. For `A & B` a cause
    /// in `A` counts where `B` holds, for `A | B` where `B` fails; `G A` holds because of `a` where `A` holds until `a` decides it
    /// at some step and `A` holds for ever, and fails at the first step where `A` does; likewise `F` and `U`. `X` looks one step
    /// ahead. The other operators are read as these: `W` as `A U B | G A`, `R` and `M` by their negations, bounds spelled out, `<->`
    /// and `xor` as two conjunctions, each with occurrences of its own. Constants have no conditions. What looks back is one condition.
    pub fn unique_first_causes(&self) -> Option<Vec<Cause>> {
        let plain = self.plain()?;
        if plain.size() > MOST {
            return None;
        }
        let whole = |formula: &Formula| formula.op().is_past();
        let causes = plain.fold_down_to(whole, |formula, args: &[Option<Causes>]| {
            let args: Option<Vec<Causes>> = args.iter().cloned().collect();
            let made = taken_apart(formula, args?)?;
            let size = made.holds.iter().chain(&made.fails).map(|cause| cause.formula.size()).sum::<usize>();
            (size <= MOST * 10).then_some(made)
        });
        Some(causes?.holds)
    }
}

fn taken_apart(formula: &Formula, mut args: Vec<Causes>) -> Option<Causes> {
    Some(match formula.op() {
        Op::True | Op::False => Causes { formula: formula.clone(), holds: Vec::new(), fails: Vec::new() },
        Op::Proposition(_) => condition(formula),
        Op::Not => negated(args.pop()?),
        Op::And => args.into_iter().reduce(both)?,
        Op::Or => args.into_iter().reduce(either)?,
        Op::Implies => {
            let (then, when) = (args.pop()?, args.pop()?);
            either(negated(when), then)
        }
        Op::Iff | Op::Xor => {
            let (second, first) = (args.pop()?, args.pop()?);
            let second = if *formula.op() == Op::Xor { negated(second) } else { second };
            either(both(first.clone(), second.clone()), both(negated(first), negated(second)))
        }
        Op::Next | Op::WeakNext => {
            let arg = args.pop()?;
            let next = |causes: Vec<Cause>| map(causes, Formula::next);
            Causes { formula: arg.formula.next(), holds: next(arg.holds), fails: next(arg.fails) }
        }
        Op::Globally => globally(args.pop()?),
        // F A is !G !A.
        Op::Finally => negated(globally(negated(args.pop()?))),
        Op::Until => {
            let (second, first) = (args.pop()?, args.pop()?);
            until(first, second)
        }
        Op::WeakUntil => {
            let (second, first) = (args.pop()?, args.pop()?);
            either(until(first.clone(), second), globally(first))
        }
        // A R B is !(!A U !B), and A M B is B U (A & B).
        Op::Release => {
            let (second, first) = (args.pop()?, args.pop()?);
            negated(until(negated(first), negated(second)))
        }
        Op::StrongRelease => {
            let (second, first) = (args.pop()?, args.pop()?);
            until(second.clone(), both(first, second))
        }
        Op::FinallyIn(..) | Op::GloballyIn(..) => return None,
        Op::Yesterday | Op::WeakYesterday | Op::Once | Op::Historically => condition(formula),
        Op::OnceIn(..) | Op::HistoricallyIn(..) | Op::Since | Op::Triggered => condition(formula),
    })
}

/// A proposition, or something that looks back, which is a condition as a whole.
fn condition(formula: &Formula) -> Causes {
    let name = match formula.op() {
        Op::Proposition(name) => name.to_string(),
        _ => formula.to_string(),
    };
    let not = if formula.args().len() == 2 { format!("!({name})") } else { format!("!{name}") };
    Causes {
        formula: formula.clone(),
        holds: vec![Cause { condition: name, formula: formula.clone() }],
        fails: vec![Cause { condition: not, formula: formula.clone().not() }],
    }
}

fn map(causes: Vec<Cause>, change: impl Fn(Formula) -> Formula) -> Vec<Cause> {
    let changed = |cause: Cause| Cause { formula: change(cause.formula), ..cause };
    causes.into_iter().map(changed).collect()
}

fn negated(arg: Causes) -> Causes {
    Causes { formula: arg.formula.not(), holds: arg.fails, fails: arg.holds }
}

/// `A & B`: either decides where the other holds.
fn both(first: Causes, second: Causes) -> Causes {
    let (one, other) = (first.formula.clone(), second.formula.clone());
    let with = |one: &Formula, causes: Vec<Cause>| map(causes, |cause| cause.and(one.clone()));
    let (mut holds, mut fails) = (with(&other, first.holds), with(&other, first.fails));
    holds.extend(with(&one, second.holds));
    fails.extend(with(&one, second.fails));
    Causes { formula: one.and(other), holds, fails }
}

/// `A | B`: either decides where the other fails.
fn either(first: Causes, second: Causes) -> Causes {
    negated(both(negated(first), negated(second)))
}

/// `G A` holds because of `a` at some step, and fails because of `a` at the first step where `A` does.
fn globally(arg: Causes) -> Causes {
    let always = arg.formula.clone();
    let kept = always.clone().globally();
    let holds = map(arg.holds, |cause| always.clone().until(cause.and(kept.clone())));
    let fails = map(arg.fails, |cause| always.clone().until(cause));
    Causes { formula: kept, holds, fails }
}

fn until(first: Causes, second: Causes) -> Causes {
    let (one, other) = (first.formula.clone(), second.formula.clone());
    let whole = one.clone().until(other.clone());
    let none_yet = other.not();
    let waits = one.and(none_yet.clone());
    let mut holds =
        map(first.holds, |cause| waits.clone().until(cause.and(none_yet.clone()).and(whole.clone())));
    holds.extend(map(second.holds, |cause| waits.clone().until(cause)));
    let mut fails = map(first.fails, |cause| waits.clone().until(cause.and(none_yet.clone())));
    fails.extend(map(second.fails, |cause| waits.clone().until(cause.and(whole.clone().not()))));
    Causes { formula: whole, holds, fails }
}

#[cfg(test)]
mod tests {
    use super::super::{holds_for_ever, parse};

    fn causes(text: &str) -> Vec<(String, String)> {
        let causes = parse(text).unwrap().formula.unique_first_causes().unwrap();
        causes.into_iter().map(|cause| (cause.condition, cause.formula.to_string())).collect()
    }

    #[test]
    fn each_occurrence_of_a_condition_has_its_cause() {
        let told = |text: &str| -> Vec<String> {
            causes(text).into_iter().map(|(condition, _)| condition).collect()
        };
        assert_eq!(told("a & (b | !c)"), ["a", "b", "!c"]);
        assert_eq!(told("G(a -> X b)"), ["!a", "b"]);
        assert_eq!(told("a <-> b"), ["a", "b", "!a", "!b"]);
        assert_eq!(told("true U F[0:1] a"), ["a", "a"]);
        let globally = causes("G(a | b)");
        assert_eq!(globally.len(), 2);
    }

    /// Over all short lassos, by direct evaluation: a cause holds only where the formula does, and each holds somewhere.
    #[test]
    fn causes_are_reasons_and_every_condition_decides_somewhere() {
        let formulas =
            ["a & b", "a | b", "G(a -> F b)", "a U b", "F(a & X b)", "a W b", "b R a", "a xor b", "a M b"];
        for text in formulas {
            let formula = parse(text).unwrap().formula;
            let causes = formula.unique_first_causes().unwrap();
            let mut seen = vec![false; causes.len()];
            for word in 0..256u64 {
                let steps: Vec<u64> = (0..4).map(|at| word >> (2 * at) & 3).collect();
                let (stem, round) = steps.split_at(2);
                let value = |letter: &u64, name: &str| letter >> u64::from(name == "b") & 1 == 1;
                let holds = holds_for_ever(&formula, stem, round, value);
                for (seen, cause) in seen.iter_mut().zip(&causes) {
                    let caused = holds_for_ever(&cause.formula, stem, round, value);
                    assert!(holds || !caused, "{text}: {}", cause.formula);
                    *seen |= caused;
                }
            }
            assert!(seen.iter().all(|seen| *seen), "{text}: {seen:?}");
        }
    }

    /// Without temporal operators this is masking MC/DC: where a condition is the cause, flipping it alone flips the formula.
    #[test]
    fn in_one_step_a_cause_alone_decides() {
        let formula = parse("(a | b) & (c | !d) | a & d").unwrap().formula;
        for cause in formula.unique_first_causes().unwrap() {
            let flipped = cause.condition.trim_start_matches('!');
            let place = |name: &str| "abcd".find(name).unwrap();
            let value = |letter: &u64, name: &str| letter >> place(name) & 1 == 1;
            let holds =
                |formula: &super::Formula, letter: u64| holds_for_ever(formula, &[], &[letter], value);
            // Conditions that occur twice are not alone.
            if flipped == "a" || flipped == "d" {
                continue;
            }
            for letter in (0..16).filter(|&letter| holds(&cause.formula, letter)) {
                assert!(
                    holds(&formula, letter) && !holds(&formula, letter ^ 1 << place(flipped)),
                    "{flipped}: {letter:04b}"
                );
            }
        }
    }
}
