//! Times in bounds, as numbers of steps.
//!
//! A step begins with its input, which is sent on a beat; `cycle_ms` says how far two beats are apart. A bound in time is
//! about the steps whose beats lie within it, both ends included: a first bound goes up to the next beat, a last one down
//! to the beat before. That is what is meant by both `F` and `G`, and nothing that comes too late counts as in time.

use std::ops::Range;

use super::MAX_BOUND;
use crate::diagnostic::{Source, SpecError};

/// A bound as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    Steps(u64),
    Milliseconds(u64),
}

/// The units of time, in milliseconds.
const UNITS: &[(&str, u64)] = &[
    ("ms", 1),
    ("millisecond", 1),
    ("milliseconds", 1),
    ("s", 1_000),
    ("second", 1_000),
    ("seconds", 1_000),
    ("min", 60_000),
    ("minute", 60_000),
    ("minutes", 60_000),
];

/// A number of steps (`3`) or a time (`300ms`, `1.5 s`, `2 min`); none where it is neither, or finer than milliseconds.
pub(crate) fn amount(text: &str) -> Option<Amount> {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = (&text[..digits], text[digits..].trim_start());
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    // What does not fit is a number all the same: too large for any use.
    let value = |part: &str| part.parse::<u64>().unwrap_or(u64::MAX);
    if unit.is_empty() {
        return all_digits(number).then(|| Amount::Steps(value(number)));
    }
    let (_, scale) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    if !all_digits(whole) || !all_digits(part) || part.len() > 9 {
        return None;
    }
    let base = 10u64.pow(part.len() as u32);
    let fine = value(part) * scale;
    let exact = fine % base == 0;
    exact.then(|| Amount::Milliseconds(value(whole).saturating_mul(*scale).saturating_add(fine / base)))
}

/// How bounds become steps: how long a step takes, and where the bound stands.
pub(crate) struct Beats<'a> {
    pub(crate) cycle_ms: Option<u32>,
    pub(crate) source: &'a Source,
    pub(crate) span: Range<usize>,
}

impl Beats<'_> {
    /// The first step at or after a bound.
    pub(crate) fn first(&self, amount: Amount) -> Result<u32, SpecError> {
        self.steps(amount, u64::div_ceil)
    }

    /// The last step up to a bound.
    pub(crate) fn last(&self, amount: Amount) -> Result<u32, SpecError> {
        self.steps(amount, |time, cycle| time / cycle)
    }

    /// The step at a bound.
    pub(crate) fn exactly(&self, amount: Amount) -> Result<u32, SpecError> {
        let (first, last) = (self.first(amount)?, self.last(amount)?);
        if first == last {
            return Ok(first);
        }
        let cycle = self.cycle_ms.unwrap_or(1);
        let error = self.source.error(self.span.clone(), "this is no whole number of steps");
        Err(error.help(format!("a step takes {cycle} ms: write a multiple of that, or two bounds")))
    }

    fn steps(&self, amount: Amount, round: impl Fn(u64, u64) -> u64) -> Result<u32, SpecError> {
        let steps = match (amount, self.cycle_ms) {
            (Amount::Steps(steps), _) => steps,
            (Amount::Milliseconds(time), Some(cycle)) => round(time, u64::from(cycle.max(1))),
            (Amount::Milliseconds(_), None) => {
                let message = "this is a time, and nothing says how long a step takes";
                let error = self.source.error(self.span.clone(), message);
                return Err(error.help("say cycle_ms = 100 in [system] of the specification, or write steps"));
            }
        };
        match u32::try_from(steps) {
            Ok(steps) if steps <= MAX_BOUND => Ok(steps),
            _ => {
                let message = format!("more than {MAX_BOUND} steps are not supported");
                Err(self.source.error(self.span.clone(), message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_to_the_millisecond() {
        for (text, expected) in [
            ("3", Some(Amount::Steps(3))),
            ("300ms", Some(Amount::Milliseconds(300))),
            ("300 ms", Some(Amount::Milliseconds(300))),
            ("1.5s", Some(Amount::Milliseconds(1_500))),
            ("0.0001 min", Some(Amount::Milliseconds(6))),
            ("2 minutes", Some(Amount::Milliseconds(120_000))),
            ("0.0015s", None),
            ("1.5", None),
            ("1.s", None),
            ("ms", None),
            ("3 weeks", None),
            ("", None),
        ] {
            assert_eq!(amount(text), expected, "{text}");
        }
    }

    #[test]
    fn bounds_hold_the_steps_whose_beats_lie_within_them() {
        let source = Source::new("formula", "F[0:3] a");
        let beats = |cycle_ms| Beats { cycle_ms, source: &source, span: 0..1 };
        for cycle in 1..40u32 {
            for time in 0..200u64 {
                let inside = (0..300u32).filter(|step| u64::from(step * cycle) <= time).max().unwrap();
                let from = (0..300u32).find(|step| u64::from(step * cycle) >= time).unwrap();
                let (first, last) = (
                    beats(Some(cycle)).first(Amount::Milliseconds(time)),
                    beats(Some(cycle)).last(Amount::Milliseconds(time)),
                );
                assert_eq!((first.unwrap(), last.unwrap()), (from, inside));
                assert_eq!(beats(Some(cycle)).exactly(Amount::Milliseconds(time)).is_ok(), from == inside);
            }
        }
        assert!(
            beats(None).last(Amount::Milliseconds(1)).is_err() && beats(None).last(Amount::Steps(1)).is_ok()
        );
        assert!(beats(Some(1)).last(Amount::Milliseconds(10_001)).is_err());
    }
}
