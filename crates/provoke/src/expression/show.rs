//! Expressions as text that reads back as the same expression.

use std::fmt::{self, Display};

use super::token::is_word;
use super::tree::{Binary, Chain, Each, Expression, Kind, Unary};

/// How tightly an operator holds what stands beside it; see `docs/guide/programs.md`. Quantifiers and `if` hold
/// least: what stands to their right is theirs.
pub(super) mod tightness {
    pub(in super::super) const LEAST: u8 = 0;
    pub(in super::super) const OR: u8 = 3;
    pub(in super::super) const AND: u8 = 4;
    pub(in super::super) const NOT: u8 = 5;
    /// The least that a domain must hold where a `|` follows it.
    pub(in super::super) const DOMAIN: u8 = 7;
    pub(in super::super) const MINUS: u8 = 12;
    pub(in super::super) const CLOSED: u8 = 14;
}

impl Binary {
    /// How tightly it holds, and whether a chain of it is read from the right, from the left, or not at all.
    pub(super) fn tightness(self) -> (u8, Side) {
        match self {
            Binary::Iff => (1, Side::Left),
            Binary::Implies => (2, Side::Right),
            Binary::Xor => (tightness::OR, Side::Left),
            Binary::Equal
            | Binary::Unequal
            | Binary::Less
            | Binary::AtMost
            | Binary::Greater
            | Binary::AtLeast
            | Binary::In
            | Binary::NotIn
            | Binary::Subset => (6, Side::Neither),
            Binary::Union | Binary::Difference => (7, Side::Left),
            Binary::Intersection => (8, Side::Left),
            Binary::Range => (9, Side::Neither),
            Binary::Add | Binary::Subtract => (10, Side::Left),
            Binary::Multiply | Binary::Divide | Binary::Modulo => (11, Side::Left),
            Binary::Lookup => (13, Side::Left),
        }
    }

    /// Whether it asks how two values, or a value and a set, lie to each other.
    pub(crate) fn compares(self) -> bool {
        self.tightness().0 == Binary::Equal.tightness().0
    }

    pub(super) fn sign(self) -> &'static str {
        match self {
            Binary::Iff => "<->",
            Binary::Xor => "xor",
            Binary::Implies => "->",
            Binary::Equal => "=",
            Binary::Unequal => "!=",
            Binary::Less => "<",
            Binary::AtMost => "<=",
            Binary::Greater => ">",
            Binary::AtLeast => ">=",
            Binary::In => "in",
            Binary::NotIn => "not in",
            Binary::Subset => "subset",
            Binary::Union => "union",
            Binary::Difference => "minus",
            Binary::Intersection => "intersect",
            Binary::Range => "..",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Modulo => "mod",
            Binary::Lookup => "[]",
        }
    }
}

/// Which way a chain of operators that hold alike is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    Neither,
}

/// Words that are never names.
pub(crate) const RESERVED: &[&str] = &[
    "and",
    "else",
    "false",
    "if",
    "iff",
    "implies",
    "in",
    "intersect",
    "minus",
    "mod",
    "not",
    "or",
    "subset",
    "then",
    "true",
    "union",
    "xor",
];

/// A name as it is written: in quotes where it is not a plain word.
pub(crate) struct Named<'a>(pub(crate) &'a str);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_word(self.0) && !RESERVED.contains(&self.0) {
            return f.write_str(self.0);
        }
        if let Some(name) = self.0.strip_prefix("prev(").and_then(|rest| rest.strip_suffix(')')) {
            return write!(f, "prev({})", Named(name));
        }
        f.write_str("\"")?;
        for character in self.0.chars() {
            if matches!(character, '"' | '\\') {
                f.write_str("\\")?;
            }
            write!(f, "{character}")?;
        }
        f.write_str("\"")
    }
}

impl Expression {
    fn tightness(&self) -> u8 {
        match &self.kind {
            Kind::Boolean(_) | Kind::Name(_) | Kind::Value(..) | Kind::Call(..) | Kind::Set(_) => {
                tightness::CLOSED
            }
            Kind::Integer(number) if *number < 0 => tightness::MINUS,
            Kind::Decimal(number) if number.number() < 0.0 => tightness::MINUS,
            Kind::Integer(_) | Kind::Decimal(_) | Kind::Each(Each::Set | Each::Map, ..) => tightness::CLOSED,
            Kind::Unary(Unary::Not, _) => tightness::NOT,
            Kind::Unary(Unary::Minus, _) => tightness::MINUS,
            Kind::Binary(op, _) => op.tightness().0,
            Kind::Chain(Chain::And, _) => tightness::AND,
            Kind::Chain(Chain::Or, _) => tightness::OR,
            Kind::If(_) | Kind::Each(..) => tightness::LEAST,
        }
    }
}

/// An expression, in parentheses where it holds less than it must.
struct Holding<'a>(&'a Expression, u8);

impl Display for Holding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Holding(part, least) = *self;
        if part.tightness() < least { write!(f, "({part})") } else { write!(f, "{part}") }
    }
}

fn list(f: &mut fmt::Formatter<'_>, parts: &[Expression], least: u8) -> fmt::Result {
    for (number, part) in parts.iter().enumerate() {
        write!(f, "{}{}", if number > 0 { ", " } else { "" }, Holding(part, least))?;
    }
    Ok(())
}

impl Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Boolean(value) => write!(f, "{value}"),
            Kind::Integer(number) => write!(f, "{number}"),
            Kind::Decimal(number) => {
                let text = number.to_string();
                let is_whole = !text.contains(['.', 'e']);
                write!(f, "{text}{}", if is_whole { ".0" } else { "" })
            }
            Kind::Name(name) => write!(f, "{}", Named(name)),
            Kind::Value(of, name) => write!(f, "{}.{}", Named(of), Named(name)),
            Kind::Unary(Unary::Not, part) => write!(f, "!{}", Holding(part, tightness::NOT)),
            // A number would be read as a negative number.
            Kind::Unary(Unary::Minus, part) => write!(f, "-{}", Holding(part, tightness::MINUS + 1)),
            Kind::Binary(Binary::Lookup, parts) => {
                write!(f, "{}[{}]", Holding(&parts[0], Binary::Lookup.tightness().0), parts[1])
            }
            Kind::Binary(op, parts) => {
                let (own, side) = op.tightness();
                let left = Holding(&parts[0], own + u8::from(side != Side::Left));
                let right = Holding(&parts[1], own + u8::from(side != Side::Right));
                match op {
                    Binary::Range => write!(f, "{left}..{right}"),
                    _ => write!(f, "{left} {} {right}", op.sign()),
                }
            }
            Kind::Chain(op, parts) => {
                let (own, sign) = match op {
                    Chain::And => (tightness::AND, " & "),
                    Chain::Or => (tightness::OR, " | "),
                };
                for (number, part) in parts.iter().enumerate() {
                    write!(f, "{}{}", if number > 0 { sign } else { "" }, Holding(part, own + 1))?;
                }
                Ok(())
            }
            Kind::If(parts) => write!(f, "if {} then {} else {}", parts[0], parts[1], parts[2]),
            Kind::Call(function, parts) => {
                write!(f, "{}(", function.name())?;
                list(f, parts, tightness::LEAST)?;
                f.write_str(")")
            }
            Kind::Set(parts) => {
                f.write_str("{")?;
                // `{x in s}` would be read as the elements of `s` of which something is said.
                list(f, parts, tightness::DOMAIN)?;
                f.write_str("}")
            }
            Kind::Each(Each::Set, name, parts) => {
                write!(f, "{{{} in {} | {}}}", Named(name), Holding(&parts[0], tightness::DOMAIN), parts[1])
            }
            Kind::Each(Each::Map, name, parts) => {
                write!(f, "[{} in {} : {}]", Named(name), parts[0], parts[1])
            }
            Kind::Each(each, name, parts) => {
                let word = Each::WORDS.iter().find(|(_, word)| word == each).map_or("", |(word, _)| word);
                write!(f, "{word} {} in {} : {}", Named(name), parts[0], parts[1])
            }
        }
    }
}
