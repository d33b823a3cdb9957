//! What the values of a field are: how many, how they are written and read, and which are simpler.
//!
//! This is the only file that tells kinds from each other. A new kind is a variant here and a way to declare it in
//! `specification/`; readers, diagrams, monitors and strategies ask a [`Field`](super::Field).

use std::fmt;
use std::sync::Arc;

/// The kind of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// True or false: one bit.
    Boolean,
    /// A whole number between two bounds, both included.
    Number {
        /// The least.
        low: i64,
        /// The greatest.
        high: i64,
    },
    /// One of these names.
    Enumeration(Arc<[Arc<str>]>),
    /// A number in 64 bits of floating point between two bounds, both included: what a system answers. Codes are in the
    /// order of the numbers, so that nothing that was said is lost and comparisons with constants are stretches.
    Real {
        /// The least.
        low: Finite,
        /// The greatest.
        high: Finite,
        /// So many digits are kept at least: numbers that have more may be one value, where they lie between the same two that
        /// have not. From 16 on, nothing is lost.
        digits: u8,
    },
    /// A decimal number with so many places behind the point between two bounds, both included and counted in units of the
    /// last place: what is sent to a system. Numbers lie evenly, and read well.
    Decimal {
        /// The least, in units of the last place.
        low: i64,
        /// The greatest, in units of the last place.
        high: i64,
        /// How many places, at most 15.
        places: u8,
    },
}

/// With so many digits every number of 64 bits of floating point is itself.
pub const ALL_DIGITS: u8 = 17;

/// A number of 64 bits of floating point that is neither infinite nor no number, and of the two zeros the positive one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Finite(i64);

impl Finite {
    /// The least and the greatest there are.
    pub const ALL: (Finite, Finite) = (Finite(-0x7fef_ffff_ffff_ffff), Finite(0x7fef_ffff_ffff_ffff));

    /// A number, where it is one of these.
    pub fn new(number: f64) -> Option<Finite> {
        let magnitude = (number.to_bits() & !(1 << 63)) as i64;
        number.is_finite().then_some(Finite(if number < 0.0 { -magnitude } else { magnitude }))
    }

    /// Reads a decimal number, with a point and an exponent where it likes; the nearest is taken.
    pub fn read(text: &str) -> Option<Finite> {
        let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
        text.bytes().all(is_part).then(|| text.parse().ok().and_then(Finite::new)).flatten()
    }

    /// Where a number stands among those of so many digits, which have even places in their order: at its own, or between two.
    /// So every comparison with such a number says the truth.
    fn place(self, digits: u8) -> i64 {
        match dropped(digits) {
            0 => self.0,
            bits => {
                let stretch = (self.0 + (1 << (bits - 1))) >> bits;
                2 * stretch + self.cmp(&Finite::shortest(stretch, digits)) as i64
            }
        }
    }

    /// The number at a place; between two, one that is about half-way.
    fn at(place: i64, digits: u8) -> Finite {
        match (dropped(digits), place & 1) {
            (0, _) => Finite(place),
            (_, 0) => Finite::shortest(place >> 1, digits),
            _ => {
                let [below, above] = [place >> 1, (place >> 1) + 1].map(|at| Finite::shortest(at, digits));
                Finite(below.0 + (above.0 - below.0) / 2)
            }
        }
    }

    /// Of the numbers of a stretch that is half a unit of the last digit or less, the one that is shortest to write: what has no
    /// more digits is itself.
    fn shortest(stretch: i64, digits: u8) -> Finite {
        let middle =
            Finite(stretch.saturating_mul(1 << dropped(digits)).clamp(Finite::ALL.0.0, Finite::ALL.1.0));
        let half = 1 << (dropped(digits) - 1);
        let rounded = |behind: usize| Finite::read(&format!("{:.behind$e}", middle.number()));
        let fits = |number: &Finite| (number.0 + half) >> dropped(digits) == stretch;
        (0..17).filter_map(rounded).find(fits).unwrap_or(middle)
    }

    /// The same with the other sign.
    #[must_use]
    pub const fn negated(self) -> Finite {
        Finite(-self.0)
    }

    /// The number.
    pub fn number(self) -> f64 {
        let magnitude = f64::from_bits(self.0.unsigned_abs());
        if self.0 < 0 { -magnitude } else { magnitude }
    }
}

/// How many of the 52 bits behind the point can be left out where so many digits are kept: a digit takes 3.322 bits.
const fn dropped(digits: u8) -> u32 {
    52u32.saturating_sub((digits as u32 * 3_322).div_ceil(1_000))
}

/// The shortest decimal number that is this one.
impl fmt::Display for Finite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number();
        match number.abs() {
            size if size != 0.0 && !(1e-5..1e16).contains(&size) => write!(f, "{number:e}"),
            _ => write!(f, "{number}"),
        }
    }
}

/// A value of a field, by the number that stands for it in the bits of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(super) u64);

impl Kind {
    /// An enumeration of these names.
    pub fn enumeration<S: Into<Arc<str>>>(names: impl IntoIterator<Item = S>) -> Kind {
        Kind::Enumeration(names.into_iter().map(Into::into).collect())
    }

    /// How many values there are; they have the codes from 0 on.
    pub(super) fn count(&self) -> u64 {
        match self {
            Kind::Boolean => 2,
            Kind::Number { low, high } => high.abs_diff(*low).saturating_add(1),
            Kind::Enumeration(names) => names.len() as u64,
            Kind::Real { low, high, digits } => {
                high.place(*digits).abs_diff(low.place(*digits)).saturating_add(1)
            }
            Kind::Decimal { low, high, .. } => high.abs_diff(*low).saturating_add(1),
        }
    }

    /// The number that a value is, whole or not.
    pub(super) fn real(&self, value: Value) -> Option<f64> {
        match self {
            Kind::Boolean | Kind::Enumeration(_) => None,
            Kind::Number { low, .. } => Some(low.wrapping_add_unsigned(value.0) as f64),
            Kind::Real { .. } => self.finite(value).map(Finite::number),
            Kind::Decimal { low, places, .. } => {
                Some(low.wrapping_add_unsigned(value.0) as f64 / 10f64.powi(i32::from(*places)))
            }
        }
    }

    /// The value that a number means, whole or not; of those that are counted in places, only what lies on one.
    pub(super) fn of_real(&self, number: f64) -> Option<Value> {
        match self {
            Kind::Boolean | Kind::Enumeration(_) => None,
            Kind::Number { .. } => {
                let whole = number.fract() == 0.0 && number.abs() < 9.2e18;
                whole.then(|| self.of_number(number as i64)).flatten()
            }
            Kind::Real { low, high, digits } => {
                let number = Finite::new(number)?;
                let place = number.place(*digits).abs_diff(low.place(*digits));
                (*low..=*high).contains(&number).then_some(Value(place))
            }
            Kind::Decimal { low, high, places } => {
                let units = (number * 10f64.powi(i32::from(*places))).round();
                let units = (*low as f64..=*high as f64).contains(&units).then_some(units as i64)?;
                let value = Value(units.clamp(*low, *high).abs_diff(*low));
                (self.real(value) == Some(number)).then_some(value)
            }
        }
    }

    /// The number that a value is, where values are numbers of so many bits of floating point.
    fn finite(&self, value: Value) -> Option<Finite> {
        let Kind::Real { low, high, digits } = self else { return None };
        let place = low.place(*digits).wrapping_add_unsigned(value.0);
        // Half-way between two numbers may be outside the bounds.
        Some(Finite::at(place, *digits).clamp(*low, *high))
    }

    /// The number that stands for a number: where some digits are left out, one that differs in those alone.
    pub(super) fn nearest(&self, number: f64) -> f64 {
        match self {
            Kind::Real { .. } => self.of_real(number).and_then(|value| self.real(value)).unwrap_or(number),
            _ => number,
        }
    }

    /// The same where numbers that need not be whole keep so many digits.
    #[must_use]
    pub fn keeping(self, digits: u8) -> Kind {
        match self {
            Kind::Real { low, high, .. } => Kind::Real { low, high, digits },
            other => other,
        }
    }

    /// Whether numbers of this kind need not be whole.
    pub(super) fn is_real(&self) -> bool {
        matches!(self, Kind::Real { .. } | Kind::Decimal { .. })
    }

    /// How many bits tell them apart.
    pub fn bits(&self) -> usize {
        (u64::BITS - self.count().saturating_sub(1).leading_zeros()) as usize
    }

    /// The value that a truth value means.
    pub(super) fn of_truth(&self, truth: bool) -> Option<Value> {
        match self {
            Kind::Boolean => Some(Value(u64::from(truth))),
            Kind::Number { .. } | Kind::Enumeration(_) | Kind::Real { .. } | Kind::Decimal { .. } => None,
        }
    }

    /// The truth value that a value is.
    pub(super) fn truth(&self, value: Value) -> Option<bool> {
        match self {
            Kind::Boolean => Some(value.0 == 1),
            Kind::Number { .. } | Kind::Enumeration(_) | Kind::Real { .. } | Kind::Decimal { .. } => None,
        }
    }

    /// The value that a number means.
    pub(super) fn of_number(&self, number: i64) -> Option<Value> {
        match self {
            Kind::Boolean => (0..2).contains(&number).then_some(Value(number as u64)),
            Kind::Number { low, high } => {
                (*low..=*high).contains(&number).then_some(Value(number.abs_diff(*low)))
            }
            Kind::Enumeration(_) => None,
            Kind::Real { .. } | Kind::Decimal { .. } => self.of_real(number as f64),
        }
    }

    /// The number that a value is.
    pub(super) fn number(&self, value: Value) -> Option<i64> {
        match self {
            Kind::Number { low, .. } => Some(low.wrapping_add_unsigned(value.0)),
            Kind::Boolean | Kind::Enumeration(_) | Kind::Real { .. } | Kind::Decimal { .. } => None,
        }
    }

    /// The value of which a word between quotation marks is the name.
    pub(super) fn of_word(&self, word: &str) -> Option<Value> {
        match self {
            Kind::Boolean | Kind::Number { .. } | Kind::Real { .. } | Kind::Decimal { .. } => None,
            Kind::Enumeration(names) => {
                names.iter().position(|name| **name == *word).map(|at| Value(at as u64))
            }
        }
    }

    /// The name of a value.
    pub(super) fn word(&self, value: Value) -> Option<&str> {
        match self {
            Kind::Boolean | Kind::Number { .. } | Kind::Real { .. } | Kind::Decimal { .. } => None,
            Kind::Enumeration(names) => names.get(value.0 as usize).map(|name| &**name),
        }
    }

    /// Writes the value as it stands behind `name=`.
    pub(super) fn write(&self, value: Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Boolean => f.write_str(if value.0 == 1 { "1" } else { "0" }),
            Kind::Number { low, .. } => write!(f, "{}", low.wrapping_add_unsigned(value.0)),
            Kind::Enumeration(_) => f.write_str(self.word(value).unwrap_or("?")),
            Kind::Real { .. } | Kind::Decimal { .. } => match self.real(value).and_then(Finite::new) {
                Some(number) => write!(f, "{number}"),
                None => f.write_str("?"),
            },
        }
    }

    /// Writes the value as JSON.
    pub(super) fn write_json(&self, value: Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Boolean => f.write_str(if value.0 == 1 { "true" } else { "false" }),
            Kind::Number { .. } | Kind::Real { .. } | Kind::Decimal { .. } => self.write(value, f),
            Kind::Enumeration(_) => {
                f.write_str("\"")?;
                for character in self.word(value).unwrap_or("?").chars() {
                    if matches!(character, '"' | '\\') {
                        f.write_str("\\")?;
                    }
                    write!(f, "{character}")?;
                }
                f.write_str("\"")
            }
        }
    }

    /// Reads what [`write`](Kind::write) wrote.
    pub(super) fn parse(&self, text: &str) -> Option<Value> {
        match (self, text) {
            (Kind::Boolean, "0") => Some(Value(0)),
            (Kind::Boolean, "1") => Some(Value(1)),
            (Kind::Boolean, _) => None,
            (Kind::Number { .. }, _) => self.of_number(text.parse().ok()?),
            (Kind::Enumeration(_), _) => self.of_word(text),
            (Kind::Real { .. } | Kind::Decimal { .. }, _) => self.of_real(Finite::read(text)?.number()),
        }
    }

    /// Reads a value in one of the spellings that other programs have for it.
    pub(super) fn read(&self, text: &str) -> Option<Value> {
        match (self, text) {
            (Kind::Boolean, "0" | "false" | "False" | "FALSE") => Some(Value(0)),
            (Kind::Boolean, "1" | "true" | "True" | "TRUE") => Some(Value(1)),
            (Kind::Boolean, _) => None,
            (_, _) => self.parse(text),
        }
    }

    /// Whether a text that is no value could be one of another field of this kind: a number that is out of range, a name
    /// that was not declared.
    pub(super) fn is_alike(&self, text: &str) -> bool {
        match self {
            Kind::Boolean => false,
            Kind::Number { .. } => {
                let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
                !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
            }
            Kind::Real { .. } | Kind::Decimal { .. } => Finite::read(text).is_some(),
            Kind::Enumeration(_) => {
                text.starts_with(|first: char| first.is_alphabetic() || first == '_')
                    && text.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | '-' | '.'))
            }
        }
    }

    /// What [`parse`](Kind::parse) reads, in words.
    pub(super) fn values(&self) -> String {
        match self {
            Kind::Boolean => "0 or 1".to_owned(),
            Kind::Number { low, high } => format!("a number from {low} to {high}"),
            Kind::Enumeration(names) => format!("one of {}", names.join(", ")),
            Kind::Real { low, high, .. } if (*low, *high) == Finite::ALL => "a number".to_owned(),
            Kind::Real { low, high, .. } => format!("a number from {low} to {high}"),
            Kind::Decimal { .. } => {
                let shown = |at: u64| self.real(Value(at)).unwrap_or(0.0);
                format!("a number from {} to {}", shown(0), shown(self.count().saturating_sub(1)))
            }
        }
    }

    /// What [`read`](Kind::read) reads, in words.
    pub(super) fn spellings(&self) -> String {
        match self {
            Kind::Boolean => "0, 1, true or false".to_owned(),
            _ => self.values(),
        }
    }

    /// What is read from JSON, in words.
    pub(super) fn json_values(&self) -> String {
        match self {
            Kind::Boolean => "true or false, or 1 or 0".to_owned(),
            _ => self.values(),
        }
    }

    /// The value that says least.
    pub(super) fn simplest(&self) -> Value {
        match self {
            Kind::Boolean | Kind::Enumeration(_) => Value(0),
            Kind::Number { low, high } | Kind::Decimal { low, high, .. } => {
                Value(0.clamp(*low, *high).abs_diff(*low))
            }
            Kind::Real { low, high, digits } => {
                let nearest = Finite(0).clamp(*low, *high).place(*digits);
                Value(nearest.abs_diff(low.place(*digits)))
            }
        }
    }

    /// How far a value is from the simplest one.
    pub(super) fn weight(&self, value: Value) -> u64 {
        value.0.abs_diff(self.simplest().0)
    }

    /// A few values that are simpler than this one, the simplest first.
    pub(super) fn simpler(&self, value: Value) -> Vec<Value> {
        let simplest = self.simplest();
        let weight = self.weight(value);
        let at = |weight: u64| match value > simplest {
            true => Value(simplest.0 + weight),
            false => Value(simplest.0 - weight),
        };
        let mut weights = vec![0, weight / 2, weight.saturating_sub(1)];
        if let Kind::Decimal { places, .. } = self {
            // With fewer places, from none on: a number that is not 0 and reads well.
            let round = |left: u32| 10u64.checked_pow(left).map_or(0, |unit| weight / unit * unit);
            weights.splice(1..1, (1..=u32::from(*places)).rev().map(round));
        }
        weights.dedup();
        weights.into_iter().filter(|&simpler| simpler < weight).map(at).collect()
    }
}

/// A kind as a specification declares it: `bool`, `0..6`, `up, down`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Boolean => f.write_str("bool"),
            Kind::Number { low, high } => write!(f, "{low}..{high}"),
            Kind::Enumeration(names) => f.write_str(&names.join(", ")),
            Kind::Real { low, high, digits } => {
                f.write_str("real")?;
                if (*low, *high) != Finite::ALL {
                    write!(f, " {low}..{high}")?;
                }
                if *digits < ALL_DIGITS { write!(f, " of {digits} digits") } else { Ok(()) }
            }
            Kind::Decimal { places, .. } => {
                let end = |at: u64| self.real(Value(at)).unwrap_or(0.0);
                let (low, high) = (end(0), end(self.count().saturating_sub(1)));
                let unit = 10f64.powi(-i32::from(*places));
                write!(f, "real {low}..{high} in steps of {unit:.*}", usize::from(*places))
            }
        }
    }
}

impl Kind {
    /// Reads what is shown of a kind; none where it is no kind.
    pub fn declared(text: &str) -> Option<Kind> {
        if text == "bool" {
            return Some(Kind::Boolean);
        }
        let (whole, digits) = match text.strip_suffix(" digits").and_then(|text| text.rsplit_once(" of ")) {
            Some((whole, digits)) => (whole, digits.parse().ok()?),
            None => (text, ALL_DIGITS),
        };
        if whole == "real" {
            return Some(Kind::Real { low: Finite::ALL.0, high: Finite::ALL.1, digits });
        }
        if let Some(text) = whole.strip_prefix("real ") {
            let (range, unit) = text.split_once(" in steps of ").unwrap_or((text, ""));
            let (low, high) = range.split_once("..")?;
            let (low, high) = (Finite::read(low)?, Finite::read(high)?);
            if unit.is_empty() {
                return Some(Kind::Real { low, high, digits });
            }
            let places = u8::try_from(unit.split_once('.').map_or(0, |(_, behind)| behind.len())).ok()?;
            let units = |end: Finite| (end.number() * 10f64.powi(i32::from(places))).round() as i64;
            return Some(Kind::Decimal { low: units(low), high: units(high), places });
        }
        if let Some((low, high)) = text.split_once("..")
            && let (Ok(low), Ok(high)) = (low.parse(), high.parse())
        {
            return (low <= high).then_some(Kind::Number { low, high });
        }
        (!text.is_empty()).then(|| Kind::enumeration(text.split(", ")))
    }
}

/// Whether a text looks like the value of a field of some kind.
pub(crate) fn looks_like_a_value(text: &str) -> bool {
    matches!(text, "0" | "1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn numbers_of_few_digits_are_themselves_and_others_nearly() {
        let (low, high) = Finite::ALL;
        let mut rng = Rng::new(1);
        for digits in 6..=ALL_DIGITS {
            let kind = Kind::Real { low, high, digits };
            assert_eq!(Kind::declared(&kind.to_string()), Some(kind.clone()));
            for _ in 0..500 {
                let (sign, size) = (["", "-"][rng.below(2) as usize], rng.below(40) as i64 - 20);
                let text = format!("{sign}{}e{size}", rng.below(10u64.pow(digits.min(15).into())));
                let number = Finite::read(&text).unwrap();
                let value = kind.parse(&text).unwrap();
                assert_eq!(kind.real(value), Some(number.number()), "{text}");
                assert_eq!(kind.of_real(number.number()), Some(value));
            }
            for _ in 0..500 {
                let number = f64::from_bits(rng.below(u64::MAX));
                let Some(value) = kind.of_real(number) else { continue };
                let kept = kind.real(value).unwrap();
                assert_eq!(kind.of_real(kept), Some(value), "{number:e} is kept as {kept:e}");
                let scale = 10f64.powi(1 - i32::from(digits));
                assert!((kept - number).abs() <= number.abs() * scale + 1e-290, "{number:e}: {kept:e}");
            }
        }
    }

    #[test]
    fn whatever_has_more_digits_is_on_its_side_of_what_has_not() {
        let (low, high) = Finite::ALL;
        let mut rng = Rng::new(2);
        for digits in 6..=12 {
            let kind = Kind::Real { low, high, digits };
            for _ in 0..300 {
                let constant = rng.below(10u64.pow(digits.into())) as f64 / 1000.0;
                let side = |number: f64| kind.of_real(number).cmp(&kind.of_real(constant));
                for beside in [constant * (1.0 + 4e-16), constant * (1.0 + 1e-13), constant + 1e-3] {
                    assert_eq!(side(beside), beside.total_cmp(&constant), "{beside} and {constant}");
                    assert_eq!(side(2.0 * constant - beside), constant.total_cmp(&beside));
                }
            }
        }
    }

    #[test]
    fn numbers_that_keep_some_digits_stay_in_order_and_within_their_bounds() {
        let (low, high) = (Finite::new(-40.25).unwrap(), Finite::new(85.499_999_999).unwrap());
        let kind = Kind::Real { low, high, digits: 6 };
        assert_eq!((kind.bits(), kind.parse("85.5"), kind.parse("-40.3")), (33, None, None));
        let mut before = None;
        for place in (0..kind.count()).step_by(1 << 20).chain([kind.count() - 1]) {
            let number = Finite::new(kind.real(Value(place)).unwrap()).unwrap();
            assert!((low..=high).contains(&number) && before < Some(number), "{number}");
            assert_eq!(kind.of_real(number.number()), Some(Value(place)));
            before = Some(number);
        }
        assert_eq!(kind.real(kind.simplest()), Some(0.0));
    }
}
