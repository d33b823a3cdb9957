//! A reset for systems that have none and no model either: a fixed word of inputs.

use super::{SetupError, System, SystemError};
use crate::letter::{Alphabet, Letter};
use crate::machine::valuation;

/// A system that is started once and from then on reset by the same inputs, whatever it answers to them.
///
/// That the word leads to the initial state from everywhere is the word of whoever wrote it.
pub struct WordReset {
    inner: Box<dyn System>,
    word: Vec<Letter>,
    /// Whether it runs, as far as we know.
    started: bool,
    reset_steps: u64,
}

impl WordReset {
    /// Wraps a system.
    pub fn new(inner: Box<dyn System>, word: Vec<Letter>) -> WordReset {
        WordReset { inner, word, started: false, reset_steps: 0 }
    }

    /// The input letter that a text means: a label, or signals as `a=1 b=0`, `a !b`, `{a}` or bits; signals that
    /// are not mentioned are 0.
    pub fn letter(inputs: &Alphabet, text: &str) -> Result<Letter, SetupError> {
        match inputs.as_labels() {
            Some(_) => inputs.parse(text).map_err(|error| error.to_string().into()),
            None => Ok(valuation(inputs, text)?),
        }
    }
}

impl System for WordReset {
    fn inner(&self) -> Option<&dyn System> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn System> {
        Some(&mut *self.inner)
    }

    fn reset(&mut self) -> Result<(), SystemError> {
        if !self.started {
            self.inner.reset()?;
            self.started = true;
        }
        for at in 0..self.word.len() {
            self.reset_steps += 1;
            self.step(self.word[at])?;
        }
        Ok(())
    }

    #[inline]
    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        // After an error only a reset can bring it back.
        self.inner.step(input).inspect_err(|_| self.started = false)
    }

    fn settle(&mut self) -> Result<(), SystemError> {
        self.inner.settle().inspect_err(|_| self.started = false)
    }

    fn reset_steps(&self) -> u64 {
        self.reset_steps
    }
}

#[cfg(test)]
mod tests {
    use super::super::Closure;
    use super::*;
    use crate::letter::Interface;

    #[test]
    fn the_word_is_sent_at_every_reset() {
        let interface = Interface::signals(["a", "b"], ["x"]).unwrap();
        let read = |text| WordReset::letter(&interface.inputs, text);
        assert_eq!(read("b=1"), Ok(Letter::from_index(2)));
        assert_eq!((read("10"), read("a !b"), read("-")), (read("a"), read("{a}"), Ok(Letter::default())));
        assert_eq!(read("c=1").unwrap_err().to_string(), "unknown signal `c`");
        // Counts `a`, and starts again at `b`; the closure's own reset does not touch the count.
        let count = std::sync::atomic::AtomicU64::new(5);
        let system = Closure::new(
            || (),
            move |(): &mut (), input: Letter| {
                use std::sync::atomic::Ordering::Relaxed;
                let next = if input.get(1) { 0 } else { count.load(Relaxed) + u64::from(input.get(0)) };
                count.store(next, Relaxed);
                Letter::from_index(u64::from(next >= 2))
            },
        );
        let word = vec![read("a").unwrap(), read("b").unwrap()];
        let mut system = WordReset::new(Box::new(system), word);
        for run in 1..=3 {
            system.reset().unwrap();
            assert_eq!(system.reset_steps(), 2 * run);
            let seen = [(); 2].map(|()| system.step(read("a").unwrap()).unwrap().index());
            assert_eq!(seen, [0, 1]);
        }
    }
}
