//! How long a system takes to answer, as part of its answers.

use std::time::{Duration, Instant};

use super::{System, SystemError};
use crate::letter::{Field, Interface, Kind, Letter};
use crate::trace::Step;

/// The output that holds how long the system took to answer, where a specification speaks of it.
pub const ELAPSED: &str = "elapsed_ms";

/// The most milliseconds that are told apart: an hour.
const MOST: i64 = (1 << 22) - 1;

/// What values [`ELAPSED`] has: as many as its bits have codes, so that a requirement which says nothing of it does not
/// depend on it. An answer that takes longer than the greatest has the greatest.
pub fn elapsed_kind() -> Kind {
    Kind::Number { low: 0, high: MOST }
}

/// A system whose answers say how long they took: whole milliseconds that had passed, so that an answer after 20.9 ms does
/// not violate `elapsed_ms <= 20`, nor one after 19.9 ms `elapsed_ms < 20`.
pub struct Measured<S> {
    inner: S,
    field: Field,
}

impl<S: System> Measured<S> {
    /// Takes the time of each answer, where the interface has an output for it; the system speaks [`Interface::said`].
    pub fn new(inner: S, interface: &Interface) -> Result<Measured<S>, S> {
        match interface.measured() {
            Some(field) => Ok(Measured { inner, field: field.clone() }),
            None => Err(inner),
        }
    }

    fn with_time(&self, output: Letter, took: Duration) -> Letter {
        let passed = i64::try_from(took.as_millis()).unwrap_or(MOST).min(MOST);
        self.field.of_number(passed).map_or(output, |value| self.field.set(output, value))
    }
}

impl<'a> Measured<Box<dyn System + 'a>> {
    /// The same with whatever system there is, as it is where nothing is to be measured.
    pub fn boxed(inner: Box<dyn System + 'a>, interface: &Interface) -> Box<dyn System + 'a> {
        match Measured::new(inner, interface) {
            Ok(measured) => Box::new(measured),
            Err(inner) => inner,
        }
    }
}

impl<S: System> System for Measured<S> {
    fn inner(&self) -> Option<&dyn System> {
        Some(&self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn System> {
        Some(&mut self.inner)
    }

    fn reset(&mut self) -> Result<(), SystemError> {
        self.inner.reset()
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let started = Instant::now();
        let output = self.inner.step(input)?;
        Ok(self.with_time(output, started.elapsed()))
    }

    fn exchange(&mut self, input: Letter) -> Result<Step, SystemError> {
        let started = Instant::now();
        let step = self.inner.exchange(input)?;
        Ok(Step { output: self.with_time(step.output, started.elapsed()), ..step })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::Alphabet;
    use crate::system::Closure;

    #[test]
    fn answers_say_how_long_they_took() {
        let plain = Interface::signals(["slow"], ["x"]).unwrap();
        let outputs = plain.outputs.measuring(ELAPSED, elapsed_kind()).unwrap();
        let interface = Interface::new(plain.inputs.clone(), outputs).unwrap();
        let system = || {
            Closure::new(
                || (),
                |(), input: Letter| {
                    std::thread::sleep(Duration::from_millis(if input.get(0) { 12 } else { 0 }));
                    input
                },
            )
        };
        assert!(Measured::new(system(), &plain).is_err());
        let mut measured = Measured::new(system(), &interface).map_err(|_| "no field").unwrap();
        measured.reset().unwrap();
        let time = |letter: Letter| interface.outputs.int(letter, ELAPSED).unwrap();
        let slow = measured.exchange(Letter::from_index(1)).unwrap().output;
        // Sleeping takes no less than was asked for; how much more is not ours to say.
        assert!(time(slow) >= 12 && slow.get(0));
        assert!(!measured.step(Letter::from_index(0)).unwrap().get(0));
    }

    #[test]
    fn times_are_rounded_down_and_end_at_an_hour() {
        let outputs = Alphabet::signals(["x"]).unwrap().measuring(ELAPSED, elapsed_kind()).unwrap();
        let interface = Interface::new(Alphabet::signals(["a"]).unwrap(), outputs).unwrap();
        let measured = Measured::new(Closure::new(|| (), |(), input| input), &interface).map_err(|_| ());
        let measured = measured.unwrap();
        let time = |took| interface.outputs.int(measured.with_time(Letter::default(), took), ELAPSED);
        assert_eq!(time(Duration::from_micros(20_999)), Some(20));
        assert_eq!(time(Duration::from_micros(999)), Some(0));
        assert_eq!(time(Duration::from_secs(3_601)), Some(3_601_000));
        assert_eq!(time(Duration::MAX), Some(4_194_303));
    }
}
