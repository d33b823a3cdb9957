//! What operators make of values.

use std::ops::Range;
use std::sync::Arc;

use super::bus;
use super::expand::Expander;
use super::expression::{Big, Binary, Expression, Unary};
use super::value::{Set, Value};
use crate::diagnostic::SpecError;
use crate::ltl::{Formula, MAX_BOUND};

type Outcome = Result<Value, SpecError>;

/// `{first, second .. last}`: up or down, in steps of the difference of the first two.
pub(super) fn range<'a>(
    expander: &mut Expander<'a>,
    parts: &'a [Expression; 3],
    span: &Range<usize>,
) -> Outcome {
    let [first, second, last] = parts;
    let (first, second, last) = (expander.number(first)?, expander.number(second)?, expander.number(last)?);
    let step = i128::from(second) - i128::from(first);
    if step == 0 {
        let error =
            expander.source.error(span.clone(), "this range has no end: its first two elements are equal");
        return Err(error.help("a range names its first two elements and its last: {0,1..n}"));
    }
    let mut set = Set::default();
    let mut at = i128::from(first);
    while (step > 0 && at <= i128::from(last)) || (step < 0 && at >= i128::from(last)) {
        expander.charge(1, span)?;
        set.insert(Value::Number(i64::try_from(at).unwrap_or(last)));
        at += step;
    }
    Ok(Value::Set(Arc::new(set)))
}

pub(super) fn unary<'a>(
    expander: &mut Expander<'a>,
    op: Unary,
    body: &'a Expression,
    span: &Range<usize>,
) -> Outcome {
    match op {
        Unary::Not => match expander.value(body)? {
            Value::Truth(truth) => Ok(Value::Truth(!truth)),
            Value::Formula(formula) => Ok(Value::Formula(formula.not())),
            other => Err(expander.wrong(body, "a formula", &other)),
        },
        Unary::Finally => Ok(Value::Formula(expander.formula(body)?.finally())),
        Unary::Globally => Ok(Value::Formula(expander.formula(body)?.globally())),
        Unary::Width => match expander.value(body)? {
            Value::Bus(bus) => Ok(Value::Number(bus.width as i64)),
            other => Err(expander.wrong(body, "a bus", &other)),
        },
        Unary::Size => Ok(Value::Number(expander.set(body)?.values().len() as i64)),
        Unary::Least | Unary::Greatest => {
            let set = expander.set(body)?;
            let mut numbers = Vec::new();
            for value in set.values() {
                match value {
                    Value::Number(number) => numbers.push(*number),
                    other => return Err(expander.wrong(body, "a set of numbers", other)),
                }
            }
            let found = if op == Unary::Least { numbers.iter().min() } else { numbers.iter().max() };
            let number = found.ok_or_else(|| expander.source.error(span.clone(), "this set is empty"))?;
            Ok(Value::Number(*number))
        }
    }
}

pub(super) fn binary<'a>(
    expander: &mut Expander<'a>,
    op: Binary,
    sides: &'a [Expression; 2],
    span: &Range<usize>,
) -> Outcome {
    let [left, right] = sides;
    match op {
        Binary::Plus | Binary::Minus | Binary::Times | Binary::Divide | Binary::Modulo => {
            let (left, right) = (expander.number(left)?, expander.number(right)?);
            arithmetic(op, left, right)
                .map(Value::Number)
                .map_err(|message| expander.source.error(span.clone(), message))
        }
        Binary::Difference | Binary::Intersection | Binary::Union => {
            let (left, right) = (expander.set(left)?, expander.set(right)?);
            expander.charge(left.values().len() + right.values().len(), span)?;
            let union = right.values().iter().filter(|_| op == Binary::Union);
            let kept = left.values().iter().filter(|value| match op {
                Binary::Difference => !right.contains(value),
                Binary::Intersection => right.contains(value),
                _ => true,
            });
            Ok(Value::Set(Arc::new(kept.chain(union).cloned().collect())))
        }
        Binary::Equal | Binary::Unequal => bus::equal(expander, op == Binary::Equal, sides, span),
        Binary::Less | Binary::AtMost | Binary::Greater | Binary::AtLeast => {
            let (left, right) = (expander.number(left)?, expander.number(right)?);
            Ok(Value::Truth(match op {
                Binary::Less => left < right,
                Binary::AtMost => left <= right,
                Binary::Greater => left > right,
                _ => left >= right,
            }))
        }
        Binary::In => {
            let value = expander.value(left)?;
            Ok(Value::Truth(expander.set(right)?.contains(&value)))
        }
        Binary::Implies => implies(expander, left, right),
        Binary::Iff => {
            let (first, second) = (expander.value(left)?, expander.value(right)?);
            match (first, second) {
                (Value::Truth(first), Value::Truth(second)) => Ok(Value::Truth(first == second)),
                (Value::Truth(true), Value::Formula(formula))
                | (Value::Formula(formula), Value::Truth(true)) => Ok(Value::Formula(formula)),
                (Value::Truth(false), Value::Formula(formula))
                | (Value::Formula(formula), Value::Truth(false)) => Ok(Value::Formula(formula.not())),
                (Value::Formula(first), Value::Formula(second)) => Ok(Value::Formula(first.iff(second))),
                (Value::Truth(_) | Value::Formula(_), other) => {
                    Err(expander.wrong(right, "a formula", &other))
                }
                (other, _) => Err(expander.wrong(left, "a formula", &other)),
            }
        }
        Binary::Until => Ok(Value::Formula(expander.formula(left)?.until(expander.formula(right)?))),
        Binary::WeakUntil => Ok(Value::Formula(expander.formula(left)?.weak_until(expander.formula(right)?))),
        Binary::Release => Ok(Value::Formula(expander.formula(left)?.release(expander.formula(right)?))),
    }
}

/// Division rounds down, and the remainder has the sign of the divisor.
fn arithmetic(op: Binary, left: i64, right: i64) -> Result<i64, String> {
    if right == 0 && matches!(op, Binary::Divide | Binary::Modulo) {
        return Err("this divides by 0".to_owned());
    }
    let result = match op {
        Binary::Plus => left.checked_add(right),
        Binary::Minus => left.checked_sub(right),
        Binary::Times => left.checked_mul(right),
        Binary::Divide => left.checked_div(right).map(|quotient| {
            let inexact = left.wrapping_rem(right) != 0;
            quotient - i64::from(inexact && (left < 0) != (right < 0))
        }),
        _ => left.checked_rem(right).map(|remainder| {
            let opposite = remainder != 0 && (remainder < 0) != (right < 0);
            if opposite { remainder + right } else { remainder }
        }),
    };
    result.ok_or_else(|| "this number is too large".to_owned())
}

/// The right side is not looked at where the left is known to be false.
fn implies<'a>(expander: &mut Expander<'a>, left: &'a Expression, right: &'a Expression) -> Outcome {
    let first = match expander.value(left)? {
        Value::Truth(false) => return Ok(Value::Truth(true)),
        Value::Truth(true) => None,
        Value::Formula(formula) => Some(formula),
        other => return Err(expander.wrong(left, "a formula", &other)),
    };
    match (first, expander.value(right)?) {
        (None, value @ (Value::Truth(_) | Value::Formula(_))) => Ok(value),
        (Some(_), Value::Truth(true)) => Ok(Value::Truth(true)),
        (Some(first), Value::Truth(false)) => Ok(Value::Formula(first.not())),
        (Some(first), Value::Formula(second)) => Ok(Value::Formula(first.implies(second))),
        (_, other) => Err(expander.wrong(right, "a formula", &other)),
    }
}

/// `X[times] body`. On finite traces `X` is the weak next and `X[!]` the strong one.
pub(super) fn next<'a>(
    expander: &mut Expander<'a>,
    times: Option<&'a Expression>,
    strong: bool,
    body: &'a Expression,
) -> Outcome {
    let times = match times {
        None => 1,
        Some(times) => expander.small(times, i64::from(MAX_BOUND), "the number of steps")?,
    };
    expander.charge(times as usize, &body.span)?;
    let weak = expander.file.semantics.finite && !strong;
    let formula = expander.formula(body)?;
    Ok(Value::Formula((0..times).fold(formula, |formula, _| step(formula, weak))))
}

fn step(formula: Formula, weak: bool) -> Formula {
    if weak { formula.weak_next() } else { formula.next() }
}

/// `F[a:b] body`, `G[a:b] body`: no step is none for `F` and all for `G`.
///
/// They are short for nested `X`, so on finite traces a step behind the end is taken to be good, unless the
/// operator is marked as strong.
pub(super) fn within<'a>(
    expander: &mut Expander<'a>,
    every: bool,
    strong: bool,
    steps: &'a [Expression; 2],
    body: &'a Expression,
) -> Outcome {
    let most = i64::from(MAX_BOUND);
    let [first, last] = steps;
    let first = expander.small(first, most, "the first step")?;
    let end = expander.number(last)?;
    if end < first {
        return Ok(Value::Truth(every));
    }
    expander.bounded(end, most, "the last step", &last.span)?;
    let (first, last) = (first as u32, end as u32);
    let formula = expander.formula(body)?;
    // Our bounded operators are strong for F and weak for G.
    if !expander.file.semantics.finite || strong != every {
        let formula =
            if every { formula.globally_in(first..=last) } else { formula.finally_in(first..=last) };
        return Ok(Value::Formula(formula));
    }
    expander.charge(last as usize, &body.span)?;
    let mut nested = formula.clone();
    for _ in first..last {
        let later = step(nested, !strong);
        nested = if every { formula.clone().and(later) } else { formula.clone().or(later) };
    }
    Ok(Value::Formula((0..first).fold(nested, |nested, _| step(nested, !strong))))
}

/// Joins the values of a big operator's body.
pub(super) fn big(
    expander: &mut Expander<'_>,
    op: Big,
    values: Vec<Value>,
    body: &Expression,
    span: &Range<usize>,
) -> Outcome {
    match op {
        Big::And | Big::Or => {
            let all = op == Big::And;
            let mut formulas = Vec::new();
            for value in values {
                match value {
                    Value::Truth(truth) if truth == all => {}
                    Value::Truth(truth) => return Ok(Value::Truth(truth)),
                    Value::Formula(formula) => formulas.push(formula),
                    other => return Err(expander.wrong(body, "a formula", &other)),
                }
            }
            expander.joined(all, formulas, span)
        }
        Big::Sum | Big::Product => {
            let (op, neutral) = if op == Big::Sum { (Binary::Plus, 0) } else { (Binary::Times, 1) };
            let mut total = neutral;
            for value in values {
                let Value::Number(number) = value else {
                    return Err(expander.wrong(body, "a number", &value));
                };
                total = arithmetic(op, total, number)
                    .map_err(|message| expander.source.error(span.clone(), message))?;
            }
            Ok(Value::Number(total))
        }
        Big::Union | Big::Intersection => {
            let mut sets = Vec::new();
            for value in values {
                match value {
                    Value::Set(set) => sets.push(set),
                    other => return Err(expander.wrong(body, "a set", &other)),
                }
            }
            expander.charge(sets.iter().map(|set| set.values().len()).sum(), span)?;
            let members = sets.iter().flat_map(|set| set.values());
            let set = match op {
                Big::Union => members.cloned().collect(),
                _ => {
                    let first = sets.first().ok_or_else(|| {
                        expander.source.error(span.clone(), "this is an intersection of no sets")
                    })?;
                    let common = |value: &&Value| sets.iter().all(|set| set.contains(value));
                    first.values().iter().filter(common).cloned().collect()
                }
            };
            expander.finish_set(set, span)
        }
    }
}
