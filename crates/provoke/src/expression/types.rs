//! What values there are, and how they lie in words.

use std::fmt;
use std::sync::Arc;

use super::show::Named;

/// The most values that the keys of a map, the elements of a set or what a name stands for in turn may have.
pub const MAX_DOMAIN: u64 = 1 << 16;

/// The most words that one value may take.
pub const MAX_WIDTH: usize = 1 << 16;

/// A type. Every value lies in a fixed number of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A value in one word.
    Scalar(Scalar),
    /// A set of small values, one bit each; `None` is the type of `{}`, which fits every set.
    Set(Option<Scalar>),
    /// A value for each key of a small type, in the order of the keys.
    Map(Scalar, Box<Type>),
}

/// A type whose values take one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `bool`: 0 or 1.
    Boolean,
    /// `low..high`, both ends included.
    Integer {
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
    },
    /// The number of one of the values.
    Enumeration(Arc<Enumeration>),
}

/// An enumeration: two are the same where their names are.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// What it is called.
    pub name: Arc<str>,
    /// Its values, in order.
    pub values: Vec<Arc<str>>,
}

impl PartialEq for Enumeration {
    fn eq(&self, other: &Enumeration) -> bool {
        self.name == other.name
    }
}

impl Eq for Enumeration {}

impl Enumeration {
    /// Whether it is called by its values alone.
    pub(super) fn is_nameless(&self) -> bool {
        *self.name == self.values.join(", ")
    }
}

impl Scalar {
    /// All integers of 64 bits.
    pub const INTEGER: Scalar = Scalar::Integer { low: i64::MIN, high: i64::MAX };

    /// The least and the greatest value as words.
    pub fn bounds(&self) -> (i64, i64) {
        match self {
            Scalar::Boolean => (0, 1),
            Scalar::Integer { low, high } => (*low, *high),
            Scalar::Enumeration(of) => (0, of.values.len() as i64 - 1),
        }
    }

    /// How many values there are, where that is few enough to go through them.
    pub fn size(&self) -> Option<u64> {
        let (low, high) = self.bounds();
        let size = u64::try_from(i128::from(high) - i128::from(low) + 1).ok()?;
        (size <= MAX_DOMAIN).then_some(size)
    }

    /// The least type that has the values of both, where there is one.
    pub(super) fn hull(&self, other: &Scalar) -> Option<Scalar> {
        match (self, other) {
            (Scalar::Integer { low, high }, Scalar::Integer { low: other_low, high: other_high }) => {
                Some(Scalar::Integer { low: *low.min(other_low), high: *high.max(other_high) })
            }
            _ => (self == other).then(|| self.clone()),
        }
    }

    /// Whether values of both can be compared.
    pub(crate) fn is_like(&self, other: &Scalar) -> bool {
        self.hull(other).is_some()
    }

    /// Shows a value.
    pub fn show(&self, word: i64) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| match self {
            Scalar::Boolean => write!(f, "{}", word != 0),
            Scalar::Integer { .. } => write!(f, "{word}"),
            Scalar::Enumeration(of) => {
                match usize::try_from(word).ok().and_then(|number| of.values.get(number)) {
                    Some(name) => write!(f, "{}", Named(name)),
                    None => write!(f, "{word}"),
                }
            }
        })
    }

    /// Words of a set of these values; 0 where there are too many of them for a set.
    pub(super) fn set_words(&self) -> usize {
        self.size().map_or(0, |size| size.div_ceil(64) as usize)
    }
}

impl Type {
    /// `bool`.
    pub const BOOLEAN: Type = Type::Scalar(Scalar::Boolean);

    /// `int`.
    pub const INTEGER: Type = Type::Scalar(Scalar::INTEGER);

    /// How many words a value takes.
    pub fn width(&self) -> usize {
        match self {
            Type::Scalar(_) => 1,
            Type::Set(None) => 0,
            Type::Set(Some(element)) => element.set_words(),
            Type::Map(key, value) => (key.size().unwrap_or(0) as usize).saturating_mul(value.width()),
        }
    }

    /// The least type that has the values of both, where there is one.
    pub(super) fn hull(&self, other: &Type) -> Option<Type> {
        match (self, other) {
            (Type::Scalar(left), Type::Scalar(right)) => left.hull(right).map(Type::Scalar),
            (Type::Set(None), Type::Set(_)) => Some(other.clone()),
            (Type::Set(_), Type::Set(None)) => Some(self.clone()),
            (Type::Set(Some(left)), Type::Set(Some(right))) => left.hull(right).map(Some).map(Type::Set),
            (Type::Map(key, left), Type::Map(other_key, right)) if key == other_key => {
                left.hull(right).map(|value| Type::Map(key.clone(), Box::new(value)))
            }
            _ => None,
        }
    }

    /// Shows a value.
    pub fn show<'a>(&'a self, words: &'a [i64]) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| self.write(f, words))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, words: &[i64]) -> fmt::Result {
        match self {
            Type::Scalar(of) => write!(f, "{}", of.show(words.first().copied().unwrap_or(0))),
            Type::Set(None) => f.write_str("{}"),
            Type::Set(Some(of)) => {
                let low = of.bounds().0;
                for (number, bit) in bits(words).enumerate() {
                    write!(f, "{}{}", if number == 0 { "{" } else { ", " }, of.show(low + bit as i64))?;
                }
                f.write_str(if words.iter().all(|&word| word == 0) { "{}" } else { "}" })
            }
            Type::Map(key, value) => {
                f.write_str("[")?;
                let low = key.bounds().0;
                for (number, words) in words.chunks(value.width().max(1)).enumerate() {
                    let separator = if number == 0 { "" } else { ", " };
                    write!(f, "{separator}{}: ", key.show(low + number as i64))?;
                    value.write(f, words)?;
                }
                f.write_str("]")
            }
        }
    }
}

/// The numbers of the bits that are set, in order.
pub(super) fn bits(words: &[i64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(number, &word)| {
        let mut left = word as u64;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(number * 64 + bit)
        })
    })
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Boolean => f.write_str("bool"),
            Scalar::Integer { low: i64::MIN, high: i64::MAX } => f.write_str("int"),
            Scalar::Integer { low, high } => write!(f, "{low}..{high}"),
            Scalar::Enumeration(of) => write!(f, "{}", Named(&of.name)),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(of) => write!(f, "{of}"),
            Type::Set(None) => f.write_str("empty set"),
            Type::Set(Some(of)) => write!(f, "set of {of}"),
            Type::Map(key, value) => write!(f, "map {key} to {value}"),
        }
    }
}
