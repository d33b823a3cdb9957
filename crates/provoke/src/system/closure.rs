//! A system in our own process: a state and a function that steps it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Ending, Phase, System, SystemError};
use crate::letter::Letter;

/// A system made of two closures: one gives a fresh state, the other moves it.
///
/// A panic in either is a finding about the system ([`Ending::Panicked`]); the next reset starts afresh.
///
/// ```
/// use provoke::letter::Letter;
/// use provoke::system::{Closure, System};
///
/// // Answers whether it has seen input signal 0 before.
/// let mut seen = Closure::new(
///     || false,
///     |seen: &mut bool, input: Letter| Letter::default().with(0, std::mem::replace(seen, *seen | input.get(0))),
/// );
/// seen.reset().unwrap();
/// assert!(!seen.step(Letter::from_index(1)).unwrap().get(0));
/// assert!(seen.step(Letter::from_index(0)).unwrap().get(0));
/// ```
#[derive(Debug)]
pub struct Closure<T, R, F> {
    // invariant: present between a reset and the first failure.
    state: Option<T>,
    fresh: R,
    step: F,
}

impl<T, R, F> Closure<T, R, F>
where
    T: Send,
    R: FnMut() -> T + Send,
    F: FnMut(&mut T, Letter) -> Letter + Send,
{
    /// A system whose state begins as `fresh()` and moves by `step`.
    pub fn new(fresh: R, step: F) -> Closure<T, R, F> {
        Closure { state: None, fresh, step }
    }
}

impl<T, R, F> System for Closure<T, R, F>
where
    T: Send,
    R: FnMut() -> T + Send,
    F: FnMut(&mut T, Letter) -> Letter + Send,
{
    fn reset(&mut self) -> Result<(), SystemError> {
        self.state = None;
        // What a panic leaves half-changed is dropped by the next reset.
        match catch_unwind(AssertUnwindSafe(&mut self.fresh)) {
            Ok(state) => self.state = Some(state),
            Err(payload) => return Err(panicked(Phase::Reset, &*payload)),
        }
        Ok(())
    }

    #[inline]
    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let Some(state) = &mut self.state else {
            return Err(SystemError::Gone { during: Phase::Step, how: Ending::HungUp });
        };
        match catch_unwind(AssertUnwindSafe(|| (self.step)(state, input))) {
            Ok(output) => Ok(output),
            Err(payload) => {
                self.state = None;
                Err(panicked(Phase::Step, &*payload))
            }
        }
    }
}

#[cold]
fn panicked(during: Phase, payload: &(dyn std::any::Any + Send)) -> SystemError {
    let message = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    SystemError::Gone { during, how: Ending::Panicked(message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_finding_and_reset_starts_afresh() {
        let mut system = Closure::new(
            || 0u64,
            |count, input| {
                *count += input.index();
                assert!(*count < 3, "three is too many");
                Letter::from_index(*count)
            },
        );
        let one = Letter::from_index(1);
        system.reset().unwrap();
        assert_eq!(system.step(one).unwrap().index(), 1);
        assert_eq!(system.step(one).unwrap().index(), 2);
        let how = Ending::Panicked("three is too many".into());
        assert_eq!(system.step(one), Err(SystemError::Gone { during: Phase::Step, how }));
        assert!(system.step(one).is_err());
        system.reset().unwrap();
        assert_eq!(system.step(one).unwrap().index(), 1);
    }
}
