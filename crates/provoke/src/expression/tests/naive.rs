//! Expressions evaluated as they read: straight on the tree, with sets and maps of the standard library, without types.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::{Binary, Chain, Each, Expression, Function, Kind, Unary};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Boolean(bool),
    Integer(i64),
    /// The number of a value of an enumeration.
    Enumerated(usize),
    Set(BTreeSet<Value>),
    Map(BTreeMap<Value, Value>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    Overflow,
    DivisionByZero,
    NoKey,
    EmptySet,
}

pub(super) type Names = BTreeMap<Arc<str>, Value>;

pub(super) fn evaluate(expression: &Expression, names: &Names) -> Result<Value, Wrong> {
    let boolean = |part: &Expression, names: &Names| match evaluate(part, names)? {
        Value::Boolean(value) => Ok(value),
        other => panic!("{part} is {other:?}"),
    };
    let integer = |part: &Expression| match evaluate(part, names)? {
        Value::Integer(value) => Ok(value),
        other => panic!("{part} is {other:?}"),
    };
    let set = |part: &Expression| match evaluate(part, names)? {
        Value::Set(value) => Ok(value),
        other => panic!("{part} is {other:?}"),
    };
    Ok(match &expression.kind {
        Kind::Boolean(value) => Value::Boolean(*value),
        Kind::Integer(number) => Value::Integer(*number),
        Kind::Decimal(number) => panic!("{number} is not whole"),
        Kind::Name(name) | Kind::Value(_, name) => names[name].clone(),
        Kind::Unary(Unary::Not, part) => Value::Boolean(!boolean(part, names)?),
        Kind::Unary(Unary::Minus, part) => exact(-i128::from(integer(part)?))?,
        Kind::Chain(op, parts) => {
            let known = *op == Chain::Or;
            for part in parts {
                if boolean(part, names)? == known {
                    return Ok(Value::Boolean(known));
                }
            }
            Value::Boolean(!known)
        }
        Kind::If(parts) => evaluate(&parts[if boolean(&parts[0], names)? { 1 } else { 2 }], names)?,
        Kind::Set(parts) => {
            Value::Set(parts.iter().map(|part| evaluate(part, names)).collect::<Result<_, _>>()?)
        }
        Kind::Call(Function::Abs, parts) => exact(i128::from(integer(&parts[0])?).abs())?,
        Kind::Call(Function::Size, parts) => Value::Integer(set(&parts[0])?.len() as i64),
        Kind::Call(function, parts) => {
            let parts = parts.iter().map(|part| evaluate(part, names)).collect::<Result<Vec<_>, _>>()?;
            let all: BTreeSet<Value> = match &parts[..] {
                [Value::Set(only)] => only.clone(),
                _ => parts.into_iter().collect(),
            };
            let found = if *function == Function::Min { all.first() } else { all.last() };
            found.cloned().ok_or(Wrong::EmptySet)?
        }
        Kind::Each(each, name, parts) => {
            let domain = set(&parts[0])?;
            let with = |element: &Value| {
                let mut names = names.clone();
                names.insert(name.clone(), element.clone());
                names
            };
            match each {
                Each::All | Each::Some => {
                    for element in &domain {
                        if boolean(&parts[1], &with(element))? == (*each == Each::Some) {
                            return Ok(Value::Boolean(*each == Each::Some));
                        }
                    }
                    Value::Boolean(*each == Each::All)
                }
                Each::Count | Each::Set => {
                    let mut kept = BTreeSet::new();
                    for element in domain {
                        if boolean(&parts[1], &with(&element))? {
                            kept.insert(element);
                        }
                    }
                    if *each == Each::Set { Value::Set(kept) } else { Value::Integer(kept.len() as i64) }
                }
                Each::Map => {
                    let entry = |key: Value| Ok((key.clone(), evaluate(&parts[1], &with(&key))?));
                    Value::Map(domain.into_iter().map(entry).collect::<Result<_, _>>()?)
                }
            }
        }
        Kind::Binary(Binary::Implies, parts) => {
            Value::Boolean(!boolean(&parts[0], names)? || boolean(&parts[1], names)?)
        }
        Kind::Binary(op, parts) => {
            let (left, right) = (evaluate(&parts[0], names)?, evaluate(&parts[1], names)?);
            binary(*op, left, right)?
        }
    })
}

fn binary(op: Binary, left: Value, right: Value) -> Result<Value, Wrong> {
    Ok(match (op, left, right) {
        (Binary::Equal | Binary::Iff, left, right) => Value::Boolean(left == right),
        (Binary::Unequal | Binary::Xor, left, right) => Value::Boolean(left != right),
        (Binary::Less, left, right) => Value::Boolean(left < right),
        (Binary::AtMost, left, right) => Value::Boolean(left <= right),
        (Binary::Greater, left, right) => Value::Boolean(left > right),
        (Binary::AtLeast, left, right) => Value::Boolean(left >= right),
        (Binary::In, left, Value::Set(right)) => Value::Boolean(right.contains(&left)),
        (Binary::NotIn, left, Value::Set(right)) => Value::Boolean(!right.contains(&left)),
        (Binary::Subset, Value::Set(left), Value::Set(right)) => Value::Boolean(left.is_subset(&right)),
        (Binary::Union, Value::Set(left), Value::Set(right)) => Value::Set(&left | &right),
        (Binary::Difference, Value::Set(left), Value::Set(right)) => Value::Set(&left - &right),
        (Binary::Intersection, Value::Set(left), Value::Set(right)) => Value::Set(&left & &right),
        (Binary::Lookup, Value::Map(map), key) => map.get(&key).cloned().ok_or(Wrong::NoKey)?,
        (Binary::Range, Value::Integer(low), Value::Integer(high)) => {
            Value::Set((low..=high).map(Value::Integer).collect())
        }
        (op, Value::Integer(left), Value::Integer(right)) => {
            let (left, right) = (i128::from(left), i128::from(right));
            exact(match op {
                Binary::Add => left + right,
                Binary::Subtract => left - right,
                Binary::Multiply => left * right,
                _ if right == 0 => return Err(Wrong::DivisionByZero),
                Binary::Divide => (left - (left % right + right) % right) / right,
                _ => (left % right + right) % right,
            })?
        }
        (op, left, right) => panic!("{op:?} {left:?} {right:?}"),
    })
}

fn exact(number: i128) -> Result<Value, Wrong> {
    i64::try_from(number).map(Value::Integer).map_err(|_| Wrong::Overflow)
}
