//! Systems that answer in turn, and may answer with silence, with their end, or on stderr.

use std::time::Duration;

use super::super::connection::{Broken, Deadline};
use super::super::exchange::{Trouble, expect_nothing, stay_quiet};
use super::super::listen::{Came, Listening};
use super::super::{Ending, Fault, Phase, SystemError};
use super::{BRIEFLY, Farewell, Lines};
use crate::letter::Letter;

impl Lines {
    /// How long nothing must come to be silence.
    pub(super) fn patience(&self) -> Duration {
        self.protocol.patience() * self.factor
    }

    /// What there is to say where there is no connection.
    #[cold]
    pub(super) fn nobody(&self) -> SystemError {
        match self.over {
            true => SystemError::Over,
            false => SystemError::Gone { during: Phase::Step, how: Ending::HungUp },
        }
    }

    /// What we are doing, and how long it may take.
    pub(super) fn phase(&self) -> (Phase, Duration) {
        match self.starting {
            false => (Phase::Step, self.protocol.step()),
            true => (Phase::Start, self.protocol.start().max(self.protocol.step())),
        }
    }

    /// Sends an input and listens for the answer.
    pub(super) fn step_listening(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let (during, time) = self.phase();
        self.codec.write(input, &mut self.line);
        match self.answer(time) {
            Ok(Came::Answer(letter)) => {
                self.steps += 1;
                self.starting = false;
                Ok(letter)
            }
            Ok(came @ (Came::Token | Came::Silence)) => {
                self.steps += 1;
                self.starting = false;
                self.waited_out |= came == Came::Silence;
                self.owing |= came == Came::Silence;
                let Some(quiet) = self.quiet else {
                    let trouble = Trouble::Connection(Broken::Late, Deadline::after(time));
                    return Err(self.fail(during, trouble));
                };
                Ok(quiet)
            }
            Ok(Came::End) => self.ended(during),
            Err(trouble) => {
                let trouble = self.too_late(trouble);
                Err(self.fail(during, trouble))
            }
        }
    }

    fn answer(&mut self, time: Duration) -> Result<Came, Trouble> {
        let patience = self.protocol.takes_silence().then(|| self.patience());
        let Lines { link, connection, codec, protocol, line, steps, owing, .. } = self;
        let Some(connection) = connection else { return Ok(Came::End) };
        let deadline = Deadline::after(time.max(patience.unwrap_or_default() * 2));
        let kept = match steps.is_power_of_two() {
            true => stay_quiet(connection, protocol, BRIEFLY),
            // An answer that is late shows where it can, before it is taken for another.
            false if *owing || steps.is_multiple_of(8) || !connection.rest().is_empty() => {
                expect_nothing(connection, protocol)
            }
            false => Ok(()),
        };
        let sent = kept.and_then(|()| {
            while let Some(words) = connection.take_words() {
                if codec.read(&words).is_ok() {
                    return Err(Trouble::Said(super::shown(&words), Fault::Extra));
                }
            }
            connection.write(line, deadline).map_err(|broken| Trouble::Connection(broken, deadline))
        });
        let mut listening =
            Listening { connection, link: &**link, codec, protocol, patience, deadline, line };
        match sent {
            Ok(()) => listening.hear(),
            // It may have said something before it ended.
            Err(Trouble::Connection(Broken::HungUp, _)) if protocol.ends.is_some() => listening.hear(),
            Err(trouble) => Err(trouble),
        }
    }

    /// What was said when nothing had been asked may be an answer that we did not wait for.
    pub(super) fn too_late(&self, trouble: Trouble) -> Trouble {
        match trouble {
            Trouble::Said(line, Fault::Extra) if self.owing => {
                Trouble::Said(line, Fault::Late(self.patience()))
            }
            trouble => trouble,
        }
    }

    /// The letter for the system having ended; from now on the run is over.
    pub(super) fn ended(&mut self, during: Phase) -> Result<Letter, SystemError> {
        if self.connection.is_none() {
            return Err(self.nobody());
        }
        let how = self.close(Farewell::Broken);
        // A program that has closed its output and lives on has not ended; of a server we know no more than that it hung up.
        let has_ended = !matches!(how, Ending::HungUp) || !self.link.starts_afresh();
        let label = self.protocol.ends.as_ref().filter(|_| has_ended).and_then(|ends| ends.label(&how));
        let letter = label.and_then(|label| self.interface.outputs.as_labels()?.find(label));
        match letter {
            Some(letter) => {
                self.over = true;
                Ok(letter)
            }
            None => Err(SystemError::Gone { during, how }),
        }
    }
}
