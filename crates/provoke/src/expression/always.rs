//! What is true, or false, whatever the state.

use std::ops::Range;

use super::tree::{Binary, Chain};
use super::typed::{Typed, What};
use super::types::Type;

/// The truth value that an expression has in every state where it has one, as far as the types of its parts tell.
pub(super) fn always(typed: &Typed) -> Option<bool> {
    if typed.of != Type::BOOLEAN {
        return None;
    }
    match &typed.what {
        What::Constant(words) => words.first().map(|&word| word != 0),
        What::Not(part) => always(part).map(|value| !value),
        What::Chain(op, parts) => {
            let known = *op == Chain::Or;
            let values = parts.iter().map(always);
            let mut all = true;
            for value in values {
                if value == Some(known) {
                    return value;
                }
                all &= value.is_some();
            }
            all.then_some(!known)
        }
        What::Implies(parts) => match (always(&parts[0]), always(&parts[1])) {
            (Some(false), _) | (_, Some(true)) => Some(true),
            (Some(true), Some(false)) => Some(false),
            _ => None,
        },
        What::Compare(op, parts) => compare(*op, bounds(&parts[0])?, bounds(&parts[1])?),
        What::Between(parts) => {
            let above = compare(Binary::AtLeast, bounds(&parts[0])?, bounds(&parts[1])?);
            let below = compare(Binary::AtMost, bounds(&parts[0])?, bounds(&parts[2])?);
            match (above, below) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            }
        }
        What::OneOf(parts) => {
            let (element, others) = parts.split_first()?;
            let element = bounds(element)?;
            let never = |other: &Typed| {
                bounds(other).is_some_and(|other| compare(Binary::Equal, element, other) == Some(false))
            };
            others.iter().all(never).then_some(false)
        }
        _ => None,
    }
}

/// The smallest parts that say nothing: those that have one truth value whatever the state, each with that value, and those of
/// a set that nothing there can be, with none.
pub(crate) fn idle_parts(typed: &Typed, found: &mut Vec<(Range<usize>, Option<bool>)>) {
    let known = found.len();
    let mut all = |parts: &[Typed]| parts.iter().for_each(|part| idle_parts(part, found));
    match &typed.what {
        What::Constant(_) => return,
        What::Not(part) => idle_parts(part, found),
        What::Chain(_, parts) => all(parts),
        What::Compare(_, parts) | What::Implies(parts) | What::Same(parts) => all(&**parts),
        What::If(parts) => all(&**parts),
        What::OneOf(parts) if always(typed).is_none() => {
            let (element, others) = (parts.first().and_then(bounds), parts.iter().skip(1));
            let never = |other: &&Typed| match (element, bounds(other)) {
                (Some(element), Some(other)) => compare(Binary::Equal, element, other) == Some(false),
                _ => false,
            };
            found.extend(others.filter(never).map(|other| (other.span.clone(), None)));
        }
        _ => {}
    }
    if found.len() == known {
        found.extend(always(typed).map(|value| (typed.span.clone(), Some(value))));
    }
}

fn bounds(typed: &Typed) -> Option<(i64, i64)> {
    match &typed.of {
        Type::Scalar(of) => Some(of.bounds()),
        _ => None,
    }
}

fn compare(op: Binary, left: (i64, i64), right: (i64, i64)) -> Option<bool> {
    let one_of = |surely: bool, never: bool| if surely { Some(true) } else { never.then_some(false) };
    let apart = left.1 < right.0 || right.1 < left.0;
    let single = left == right && left.0 == left.1;
    match op {
        Binary::Equal => one_of(single, apart),
        Binary::Unequal => one_of(apart, single),
        Binary::Less => one_of(left.1 < right.0, left.0 >= right.1),
        Binary::AtMost => one_of(left.1 <= right.0, left.0 > right.1),
        Binary::Greater => compare(Binary::Less, right, left),
        Binary::AtLeast => compare(Binary::AtMost, right, left),
        _ => None,
    }
}
