//! Connections that are lost now and then: a few losses are borne, each of them noted.

use super::{System, SystemError};
use crate::letter::Letter;
use crate::trace::Step;

/// A connection that was refused or dropped, and opened again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// What happened.
    pub error: String,
    /// The reset it happened at or after, from 1. Every run begins with one, and so does every try at a violation.
    pub reset: u64,
    /// How many steps had been answered since then.
    pub steps: u64,
}

/// A system whose connection may be lost a number of times. Whoever runs it asks
/// [`retry`](System::retry) after an error and then begins the run again.
///
/// A system that is known to have ended is no lost connection.
pub struct Retrying {
    inner: Box<dyn System>,
    retries: u64,
    losses: Vec<Loss>,
    resets: u64,
    steps: u64,
}

impl Retrying {
    /// Bears so many losses.
    pub fn new(inner: Box<dyn System>, retries: u64) -> Retrying {
        Retrying { inner, retries, losses: Vec::new(), resets: 0, steps: 0 }
    }
}

impl System for Retrying {
    fn inner(&self) -> Option<&dyn System> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn System> {
        Some(&mut *self.inner)
    }

    fn reset(&mut self) -> Result<(), SystemError> {
        self.resets += 1;
        self.steps = 0;
        self.inner.reset()
    }

    #[inline]
    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let output = self.inner.step(input)?;
        self.steps += 1;
        Ok(output)
    }

    #[inline]
    fn exchange(&mut self, input: Letter) -> Result<Step, SystemError> {
        let step = self.inner.exchange(input)?;
        self.steps += 1;
        Ok(step)
    }

    fn retry(&mut self, error: &SystemError) -> bool {
        let bearable = error.is_lost_connection() && (self.losses.len() as u64) < self.retries;
        if bearable {
            let (error, reset, steps) = (error.to_string(), self.resets, self.steps);
            self.losses.push(Loss { error, reset, steps });
        }
        bearable
    }

    fn losses(&self) -> &[Loss] {
        &self.losses
    }
}
