//! Expressions whose names and types are known.

use std::ops::Range;
use std::sync::Arc;

use super::tree::{Binary, Chain, Each, Function};
use super::types::Type;

#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) what: What,
    pub(crate) of: Type,
    pub(crate) span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Constant(Arc<[i64]>),
    /// A part of the state, from this word on.
    Variable(usize),
    /// A parameter or a name that stands for each element in turn.
    Local(usize),
    Not(Box<Typed>),
    Minus(Box<Typed>),
    Abs(Box<Typed>),
    Arithmetic(Binary, Box<[Typed; 2]>),
    /// The least or greatest of integers.
    Extreme(Function, Vec<Typed>),
    /// Of two words.
    Compare(Binary, Box<[Typed; 2]>),
    /// Whether two values of one type are equal.
    Same(Box<[Typed; 2]>),
    Chain(Chain, Vec<Typed>),
    Implies(Box<[Typed; 2]>),
    If(Box<[Typed; 3]>),
    /// A set of these.
    Elements(Vec<Typed>),
    /// A set of all integers between these.
    Interval(Box<[Typed; 2]>),
    /// Whether the first lies between the others.
    Between(Box<[Typed; 3]>),
    /// Whether the first is one of the others.
    OneOf(Vec<Typed>),
    Member(Box<[Typed; 2]>),
    /// Of two sets of one type.
    Combine(Binary, Box<[Typed; 2]>),
    Subset(Box<[Typed; 2]>),
    Size(Box<Typed>),
    /// The least or greatest element of a set.
    Furthest(Function, Box<Typed>),
    Lookup(Box<[Typed; 2]>),
    /// The name that stands for each element is this local.
    Each(Each, usize, Domain, Box<Typed>),
    /// The same value in another type; a fault where it is none of that type's.
    Fit(Box<Typed>),
}

#[derive(Clone, Debug)]
pub(crate) enum Domain {
    Range(Box<[Typed; 2]>),
    Set(Box<Typed>),
}
