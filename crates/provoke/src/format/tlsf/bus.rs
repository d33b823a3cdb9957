//! Buses, enumerations, and `==`.

use std::ops::Range;

use super::expand::Expander;
use super::expression::Expression;
use super::file::Enumeration;
use super::value::{Bus, Code, Value};
use crate::diagnostic::SpecError;
use crate::ltl::Formula;

/// `bus[at]`
pub(super) fn bit<'a>(
    expander: &mut Expander<'a>,
    name: &str,
    at: &'a Expression,
    whole: &Expression,
) -> Result<Value, SpecError> {
    let place = whole.span.start..whole.span.start + name.len();
    let bus = match expander.named(name, &place)? {
        Value::Bus(bus) => bus,
        other => {
            let message = format!("`{name}` is {}, not a bus", other.kind());
            return Err(expander.source.error(place, message));
        }
    };
    let index = expander.number(at)?;
    match usize::try_from(index) {
        Ok(index) if index < bus.width => Ok(Value::Formula(bus.bit(index))),
        _ => {
            let message = format!("`{}` has no signal {index}", bus.name);
            let help = match bus.width {
                0 => "its width is 0".to_owned(),
                width => format!("its signals are 0 to {}", width - 1),
            };
            Err(expander.source.error(at.span.clone(), message).help(help))
        }
    }
}

/// `left == right`, or its negation: known for numbers, sets and enumeration values, a formula where a bus
/// is compared with a bus or with a value of an enumeration.
pub(super) fn equal<'a>(
    expander: &mut Expander<'a>,
    equal: bool,
    sides: &'a [Expression; 2],
    span: &Range<usize>,
) -> Result<Value, SpecError> {
    let (left, right) = (expander.value(&sides[0])?, expander.value(&sides[1])?);
    let formula = match (&left, &right) {
        (Value::Number(_), Value::Number(_))
        | (Value::Truth(_), Value::Truth(_))
        | (Value::Set(_), Value::Set(_))
        | (Value::Code(_), Value::Code(_)) => return Ok(Value::Truth((left == right) == equal)),
        (Value::Bus(bus), Value::Code(code)) | (Value::Code(code), Value::Bus(bus)) => {
            same_width(expander, bus.width, code.width, span)?;
            expander.charge(code.codes.len() * code.width, span)?;
            is_code(code, |at| bus.bit(at))
        }
        (Value::Bus(first), Value::Bus(second)) => {
            same_width(expander, first.width, second.width, span)?;
            expander.charge(first.width, span)?;
            Formula::all_of((0..first.width).map(|at| first.bit(at).iff(second.bit(at))))
        }
        (Value::Bus(bus), Value::Formula(signal)) | (Value::Formula(signal), Value::Bus(bus)) => {
            same_width(expander, bus.width, 1, span)?;
            bus.bit(0).iff(signal.clone())
        }
        (Value::Code(code), Value::Formula(signal)) | (Value::Formula(signal), Value::Code(code)) => {
            same_width(expander, code.width, 1, span)?;
            is_code(code, |_| signal.clone())
        }
        (Value::Formula(_) | Value::Truth(_), Value::Formula(_) | Value::Truth(_)) => {
            let error = expander.source.error(span.clone(), "`==` and `!=` do not compare formulas");
            return Err(error.help("formulas are compared with `<->`"));
        }
        _ => {
            let message = format!("{} cannot be compared with {}", left.kind(), right.kind());
            return Err(expander.source.error(span.clone(), message));
        }
    };
    Ok(Value::Formula(if equal { formula } else { formula.not() }))
}

fn same_width(
    expander: &Expander<'_>,
    left: usize,
    right: usize,
    span: &Range<usize>,
) -> Result<(), SpecError> {
    if left == right {
        return Ok(());
    }
    Err(expander.source.error(span.clone(), format!("{left} bits cannot be compared with {right}")))
}

fn is_code(code: &Code, bit: impl Fn(usize) -> Formula) -> Formula {
    Formula::any_of(code.codes.iter().map(|code| one_code(code, &bit)))
}

fn one_code(code: &[Option<bool>], bit: impl Fn(usize) -> Formula) -> Formula {
    Formula::all_of(
        code.iter()
            .enumerate()
            .filter_map(|(at, value)| value.map(|value| if value { bit(at) } else { bit(at).not() })),
    )
}

/// That a bus carries one of the codes of its enumeration; nothing where every code is one.
pub(super) fn carries(
    expander: &mut Expander<'_>,
    bus: &Bus,
    enumeration: &Enumeration,
) -> Result<Option<Formula>, SpecError> {
    let codes: Vec<_> = enumeration
        .values
        .iter()
        .flat_map(|value| value.codes.iter().map(move |code| (code, value)))
        .collect();
    let mut covered = 0f64;
    for (at, (code, value)) in codes.iter().enumerate() {
        expander.charge(code.len() * at, &enumeration.place)?;
        let overlaps = |other: &[Option<bool>]| {
            code.iter().zip(other).all(|(left, right)| left.is_none() || right.is_none() || left == right)
        };
        if let Some((_, other)) = codes[..at].iter().find(|(other, _)| overlaps(other)) {
            let message = format!("`{}` shares a code with `{}`", value.name, other.name);
            return Err(expander.source.error(value.place.clone(), message));
        }
        // Disjoint codes cover the bus exactly when these powers of two add up to 1.
        covered += 0.5f64.powi(code.iter().flatten().count() as i32);
    }
    if covered >= 1.0 {
        return Ok(None);
    }
    Ok(Some(Formula::any_of(codes.iter().map(|(code, _)| one_code(code, |at| bus.bit(at))))))
}
