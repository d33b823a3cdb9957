//! Expressions of a TLSF file, as they are written.

use std::ops::Range;
use std::sync::Arc;

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Truth(bool),
    Number(i64),
    Name(Arc<str>),
    /// `_`, which matches every formula in a pattern.
    Wild,
    /// `function(argument, ...)`
    Call(Arc<str>, Vec<Expression>),
    /// `bus[place]`
    Bit(Arc<str>, Box<Expression>),
    /// `{a, b, c}`
    Set(Vec<Expression>),
    /// `{first, second .. last}`
    Range(Box<[Expression; 3]>),
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<[Expression; 2]>),
    /// A conjunction (true) or disjunction (false) of two or more.
    Chain(bool, Vec<Expression>),
    /// `X a`, `X[n] a`, and with `!` in the brackets the strong one.
    Next {
        times: Option<Box<Expression>>,
        strong: bool,
        body: Box<Expression>,
    },
    /// `F[a:b] x` and `G[a:b] x` (`every`), and with `!` the strong ones.
    Within {
        every: bool,
        strong: bool,
        steps: Box<[Expression; 2]>,
        body: Box<Expression>,
    },
    /// `&&[i IN set] body` and its like.
    Big(Big, Vec<Binder>, Box<Expression>),
    /// `formula ~ pattern`
    Match(Box<[Expression; 2]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Not,
    Finally,
    Globally,
    /// `SIZEOF bus`
    Width,
    /// `SIZE set`, `|set|`
    Size,
    Least,
    Greatest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Difference,
    Intersection,
    Union,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    In,
    Implies,
    Iff,
    Until,
    WeakUntil,
    Release,
}

/// What a big operator makes of the values of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Big {
    And,
    Or,
    Sum,
    Product,
    Union,
    Intersection,
}

/// A name of a big operator and the values it takes.
#[derive(Clone, Debug)]
pub(super) struct Binder {
    pub(super) name: Arc<str>,
    pub(super) over: Over,
}

#[derive(Clone, Debug)]
pub(super) enum Over {
    Set(Expression),
    /// The numbers between two; the bounds belong to them where `closed` says so.
    Between {
        bounds: [Expression; 2],
        closed: [bool; 2],
    },
}
