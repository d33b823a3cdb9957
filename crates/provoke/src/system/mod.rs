//! The system under test, one exchange at a time.
//!
//! In our process ([`Closure`], [`Simulated`], [`Wandering`]), or outside it behind the line protocol ([`Lines`]).

mod answer;
mod circuit;
mod closure;
mod codec;
mod connection;
mod ends;
mod error;
mod exchange;
pub mod interrupt;
mod json;
mod launch;
mod lines;
mod listen;
mod measured;
mod modelled;
mod paced;
mod pattern;
mod pin;
mod process;
mod protocol;
pub mod reap;
mod retrying;
mod server;
mod shape;
mod simulated;
mod stderr;
mod synchronised;
mod tcp;
mod timed;
mod torx;
mod wandering;
mod word;
pub mod yosys;

pub use crate::machine::ModelError;
pub use circuit::CircuitSystem;
pub use closure::Closure;
pub use ends::Ends;
pub use error::{Ending, Fault, Phase, SetupError, SystemError};
pub use launch::Launch;
pub use lines::Lines;
pub use measured::{ELAPSED, Measured, elapsed_kind};
pub use modelled::Modelled;
pub use paced::{Pace, Paced};
pub use pattern::Pattern;
pub use protocol::{Form, Mode, Protocol};
pub use retrying::{Loss, Retrying};
pub use shape::{Acknowledgement, More, Spellings};
pub use simulated::{Lacking, Simulated};
pub use synchronised::Synchronised;
pub use timed::{Timed, Times};
pub use wandering::Wandering;
pub use word::WordReset;

use std::time::Duration;

use crate::letter::Letter;
use crate::trace::Step;

/// How a system's silence is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silence {
    /// The output that stands for it.
    pub letter: Letter,
    /// The input of a wait, where only a wait with this output is silence: the system talks when it likes.
    pub wait: Option<Letter>,
    /// How long nothing must come to be silence, where something was ever taken for silence because nothing came.
    pub patience: Option<Duration>,
}

impl Silence {
    /// How many steps of a run are silence.
    pub fn count(&self, trace: &[Step]) -> usize {
        let is_silence =
            |step: &&Step| step.output == self.letter && self.wait.is_none_or(|wait| step.input == wait);
        trace.iter().filter(is_silence).count()
    }
}

/// The system under test. Dropping it shuts it down.
///
/// # Contract
/// - [`reset`](System::reset) comes first and begins every run; afterwards the system behaves as if it had
///   just been started. A constructor need not start anything.
/// - [`step`](System::step) sends one input letter and gives the system's one answer to it. It returns within
///   the system's deadline, whatever the system does.
/// - An error is a finding about the system (it is gone, silent or garbled), never about its requirements.
///   After an error only `reset`, [`last_words`](System::last_words) and dropping are meaningful; `reset` may
///   bring the system back.
pub trait System: Send {
    /// Brings the system to its initial state.
    fn reset(&mut self) -> Result<(), SystemError>;

    /// The system that this one stands around, if it does: everything but resets and steps is asked of that one unless this
    /// one says otherwise.
    fn inner(&self) -> Option<&dyn System> {
        None
    }

    /// The same, to be told something.
    fn inner_mut(&mut self) -> Option<&mut dyn System> {
        None
    }

    /// Sends an input and waits for the answer.
    fn step(&mut self, input: Letter) -> Result<Letter, SystemError>;

    /// The same, and says what was really exchanged: a system that talks out of turn may have said something before the
    /// input could be sent, which then was not, and the exchange is a wait with that output. This is what campaigns call.
    #[inline]
    fn exchange(&mut self, input: Letter) -> Result<Step, SystemError> {
        let output = self.step(input)?;
        Ok(Step { input, output })
    }

    /// Makes sure that the system has nothing left to say, to be asked before a verdict is drawn from the
    /// last answer: a system that talks out of turn may have shifted its answers against our inputs.
    ///
    /// May take a few milliseconds, so it belongs before a report, not in the loop.
    fn settle(&mut self) -> Result<(), SystemError> {
        self.inner_mut().map_or(Ok(()), |inner| inner.settle())
    }

    /// How its silence is told, where silence is an answer.
    fn silence(&self) -> Option<Silence> {
        self.inner().and_then(|inner| inner.silence())
    }

    /// From now on, waits so many times as long as usual before it takes something for silence.
    fn be_patient(&mut self, factor: u32) {
        if let Some(inner) = self.inner_mut() {
            inner.be_patient(factor);
        }
    }

    /// Whether the run in which this error came up may be begun again with a reset. If so, the error is noted
    /// among the [`losses`](System::losses) and is no finding.
    fn retry(&mut self, error: &SystemError) -> bool {
        self.inner_mut().is_some_and(|inner| inner.retry(error))
    }

    /// The losses that were borne so far.
    fn losses(&self) -> &[Loss] {
        self.inner().map_or(&[], |inner| inner.losses())
    }

    /// Steps that resets have taken so far, where resets take steps.
    fn reset_steps(&self) -> u64 {
        self.inner().map_or(0, |inner| inner.reset_steps())
    }

    /// The last lines of diagnostics the system printed (its stderr), oldest first. They are kept after an
    /// error, until the next reset.
    fn last_words(&self) -> Vec<String> {
        self.inner().map_or_else(Vec::new, |inner| inner.last_words())
    }

    /// How well inputs kept to their beat so far, where they are sent on one.
    fn pace(&self) -> Option<Pace> {
        self.inner().and_then(|inner| inner.pace())
    }
}

impl<S: System + ?Sized> System for Box<S> {
    fn reset(&mut self) -> Result<(), SystemError> {
        (**self).reset()
    }

    fn inner(&self) -> Option<&dyn System> {
        (**self).inner()
    }

    fn inner_mut(&mut self) -> Option<&mut dyn System> {
        (**self).inner_mut()
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        (**self).step(input)
    }

    fn exchange(&mut self, input: Letter) -> Result<Step, SystemError> {
        (**self).exchange(input)
    }

    fn settle(&mut self) -> Result<(), SystemError> {
        (**self).settle()
    }

    fn silence(&self) -> Option<Silence> {
        (**self).silence()
    }

    fn be_patient(&mut self, factor: u32) {
        (**self).be_patient(factor);
    }

    fn retry(&mut self, error: &SystemError) -> bool {
        (**self).retry(error)
    }

    fn losses(&self) -> &[Loss] {
        (**self).losses()
    }

    fn reset_steps(&self) -> u64 {
        (**self).reset_steps()
    }

    fn last_words(&self) -> Vec<String> {
        (**self).last_words()
    }

    fn pace(&self) -> Option<Pace> {
        (**self).pace()
    }
}
