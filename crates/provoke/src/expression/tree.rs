//! What an expression is once it is read.

use std::ops::Range;
use std::sync::Arc;

use crate::letter::Finite;

/// An expression as it was written, with its places in the source. Names are not looked up yet.
///
/// Two expressions are equal where they are built alike, wherever they stand.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it is.
    pub kind: Kind,
    /// Byte offsets in the source.
    pub span: Range<usize>,
    /// invariant: one more than that of its deepest part, at most [`MAX_DEPTH`](super::MAX_DEPTH).
    pub(super) depth: usize,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// `true`, `false`
    Boolean(bool),
    /// `12`, `-3`
    Integer(i64),
    /// `20.5`, `1e-3`: a number that need not be whole.
    Decimal(Finite),
    /// A variable, parameter, constant, type, or value of an enumeration.
    Name(Arc<str>),
    /// `Motor.off`: a value of an enumeration that is named as well.
    Value(Arc<str>, Arc<str>),
    /// `!a`, `-a`
    Unary(Unary, Box<Expression>),
    /// Two expressions and an operator between them.
    Binary(Binary, Box<[Expression; 2]>),
    /// Two or more expressions joined by `&` or `|`.
    Chain(Chain, Vec<Expression>),
    /// `if c then a else b`
    If(Box<[Expression; 3]>),
    /// `min(a, b)` and the like.
    Call(Function, Vec<Expression>),
    /// `{a, b}`
    Set(Vec<Expression>),
    /// A name that stands for each element of a domain in turn: the domain, then what is said of the name.
    Each(Each, Arc<str>, Box<[Expression; 2]>),
}

/// Operators before an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `!`
    Not,
    /// `-`
    Minus,
}

/// Operators between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Binary {
    /// `<->`
    Iff,
    /// `xor`
    Xor,
    /// `->`
    Implies,
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `subset`: every element of the one is in the other.
    Subset,
    /// `union`
    Union,
    /// `minus`: what is in the one and not in the other.
    Difference,
    /// `intersect`
    Intersection,
    /// `..`: a set of integers, both ends included.
    Range,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounded down.
    Divide,
    /// `mod`: what `/` leaves, with the sign of the divisor.
    Modulo,
    /// `m[k]`
    Lookup,
}

/// Operators that join many expressions, from the left, and stop where the result is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// `&`
    And,
    /// `|`
    Or,
}

/// Functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Function {
    /// The least of several integers, or of a set of them.
    Min,
    /// The greatest of several integers, or of a set of them.
    Max,
    /// An integer without its sign.
    Abs,
    /// How many elements a set has.
    Size,
}

/// What is made of the elements of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Each {
    /// `all x in D : e`
    All,
    /// `some x in D : e`
    Some,
    /// `count x in D : e`
    Count,
    /// `{ x in D | e }`
    Set,
    /// `[ x in D : e ]`
    Map,
}

impl Function {
    pub(super) const ALL: [Function; 4] = [Function::Min, Function::Max, Function::Abs, Function::Size];

    pub(super) fn name(self) -> &'static str {
        match self {
            Function::Min => "min",
            Function::Max => "max",
            Function::Abs => "abs",
            Function::Size => "size",
        }
    }
}

impl Each {
    /// The word of a quantifier.
    pub(super) const WORDS: [(&'static str, Each); 3] =
        [("all", Each::All), ("some", Each::Some), ("count", Each::Count)];
}

impl Expression {
    pub(super) fn new(kind: Kind, span: Range<usize>) -> Expression {
        let deepest = match &kind {
            Kind::Boolean(_) | Kind::Integer(_) | Kind::Decimal(_) | Kind::Name(_) | Kind::Value(..) => 0,
            Kind::Unary(_, part) => part.depth,
            Kind::Binary(_, parts) | Kind::Each(_, _, parts) => deepest(&**parts),
            Kind::If(parts) => deepest(&**parts),
            Kind::Chain(_, parts) | Kind::Call(_, parts) | Kind::Set(parts) => deepest(parts),
        };
        Expression { kind, span, depth: deepest + 1 }
    }

    /// `-` before an expression; a number just changes its sign.
    pub(super) fn minus(part: Expression, span: Range<usize>) -> Expression {
        match part.kind {
            Kind::Integer(number) if number != i64::MIN => Expression::new(Kind::Integer(-number), span),
            Kind::Decimal(number) => Expression::new(Kind::Decimal(number.negated()), span),
            _ => Expression::new(Kind::Unary(Unary::Minus, Box::new(part)), span),
        }
    }
}

fn deepest(parts: &[Expression]) -> usize {
    parts.iter().map(|part| part.depth).max().unwrap_or(0)
}

impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Expression {}
