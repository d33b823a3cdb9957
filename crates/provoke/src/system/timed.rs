//! How long a system is waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{System, SystemError};
use crate::letter::Letter;
use crate::trace::Step;

/// How long a system was waited for so far.
#[derive(Debug, Default)]
pub struct Times {
    answering: AtomicU64,
    resetting: AtomicU64,
}

impl Times {
    /// Milliseconds in which it was to answer, and in which it was reset.
    pub fn milliseconds(&self) -> (u64, u64) {
        let of = |nanoseconds: &AtomicU64| nanoseconds.load(Ordering::Relaxed) / 1_000_000;
        (of(&self.answering), of(&self.resetting))
    }
}

/// A system whose time is taken.
pub struct Timed<S> {
    inner: S,
    times: Arc<Times>,
}

impl<S: System> Timed<S> {
    /// Takes the time of this system.
    pub fn new(inner: S) -> Timed<S> {
        Timed { inner, times: Arc::default() }
    }

    /// What was taken, also later on.
    pub fn times(&self) -> Arc<Times> {
        self.times.clone()
    }
}

fn add(to: &AtomicU64, time: Duration) {
    to.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
}

impl<S: System> System for Timed<S> {
    fn inner(&self) -> Option<&dyn System> {
        Some(&self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn System> {
        Some(&mut self.inner)
    }

    fn reset(&mut self) -> Result<(), SystemError> {
        let started = Instant::now();
        let done = self.inner.reset();
        add(&self.times.resetting, started.elapsed());
        done
    }

    #[inline]
    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let started = Instant::now();
        let answer = self.inner.step(input);
        add(&self.times.answering, started.elapsed());
        answer
    }

    #[inline]
    fn exchange(&mut self, input: Letter) -> Result<Step, SystemError> {
        let started = Instant::now();
        let step = self.inner.exchange(input);
        add(&self.times.answering, started.elapsed());
        step
    }
}
