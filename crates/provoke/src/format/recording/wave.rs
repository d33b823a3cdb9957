//! How the values of fields stand in VCD files: truth values as bits, numbers as vectors, names as texts.

use super::write::name;
use crate::letter::{Field, Value};

/// What a variable of a VCD file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wave {
    /// One bit.
    Bit,
    /// A whole number, of so many bits; in two's complement where some are negative.
    Vector { width: u32, signed: bool },
    /// A number that need not be whole.
    Real,
    /// A word. The standard has no such variables, and viewers know them all the same (`$var string`).
    Word,
}

impl Wave {
    pub(super) fn of(field: &Field) -> Wave {
        match field.bounds() {
            Some((low, high)) => {
                let bits = |number: i64| i64::BITS - number.leading_zeros();
                let signed = low < 0;
                let width = bits(high.max(0)).max(bits(!low.min(-1)));
                Wave::Vector { width: (width + u32::from(signed)).max(1), signed }
            }
            None if field.is_boolean() => Wave::Bit,
            None if field.is_real() => Wave::Real,
            None => Wave::Word,
        }
    }

    /// The same with room for what a system said that is out of range.
    pub(super) fn with_room_for(self, said: impl Iterator<Item = String>) -> Wave {
        let Wave::Vector { width, signed } = self else { return self };
        let of = |number: i64| i64::BITS - if number < 0 { !number } else { number }.leading_zeros() + 1;
        let most = said.filter_map(|text| text.parse().ok()).map(of).max();
        Wave::Vector { width: most.map_or(width, |most| most.max(width + 1)).min(i64::BITS), signed }
    }

    /// What stands for something that is no value: in a variable that was made for it, as well as it can be said.
    pub(super) fn write_stray(self, text: &str) -> String {
        match (self, text.parse::<i64>()) {
            (Wave::Vector { width, .. }, Ok(number)) => format!("b{}", digits(number, width)),
            (Wave::Vector { .. } | Wave::Bit, _) => "bx".to_owned(),
            (Wave::Real, _) => format!("r{text}"),
            (Wave::Word, _) => format!("s{}", name(text)),
        }
    }

    /// What stands between `$var` and `$end`.
    pub(super) fn declaration(self, code: &str, name: &str) -> String {
        match self {
            Wave::Bit | Wave::Vector { width: 1, .. } => format!("wire 1 {code} {name}"),
            Wave::Vector { width, .. } => format!("wire {width} {code} {name} [{}:0]", width - 1),
            Wave::Real => format!("real 64 {code} {name}"),
            Wave::Word => format!("string 1 {code} {name}"),
        }
    }

    /// A value as it stands before the code of the variable.
    pub(super) fn write(self, field: &Field, value: Value) -> String {
        let shown = || field.show(value).to_string();
        match (self, field.number(value)) {
            (Wave::Vector { width, .. }, Some(number)) => format!("b{}", digits(number, width)),
            (Wave::Bit | Wave::Vector { .. }, _) => shown(),
            (Wave::Real, _) => format!("r{}", shown()),
            (Wave::Word, _) => format!("s{}", name(&shown())),
        }
    }
}

/// So many bits of a number, in two's complement.
fn digits(number: i64, width: u32) -> String {
    let bit = |at: u32| if number >> at & 1 == 1 { '1' } else { '0' };
    (0..width.min(i64::BITS)).rev().map(bit).collect()
}

/// The number that so many bits are, where it fits.
pub(super) fn number(digits: &str, width: usize, signed: bool) -> Option<i64> {
    let digits = digits.trim_start_matches('0');
    if digits.len() > width || digits.len() > i64::BITS as usize {
        return None;
    }
    let number = if digits.is_empty() { 0 } else { u64::from_str_radix(digits, 2).ok()? };
    match signed && digits.len() == width && width < u64::BITS as usize {
        true => Some(number as i64 - (1 << width)),
        false if signed => Some(number as i64),
        false => i64::try_from(number).ok(),
    }
}

/// The value of which a text is the name.
pub(super) fn word(field: &Field, text: &str) -> Option<Value> {
    let escaped = || {
        (0..field.count())
            .map(|at| field.value(at))
            .find(|&value| name(&field.show(value).to_string()) == text)
    };
    field.of_word(text).or_else(|| if text.contains('\\') { escaped() } else { None })
}
