//! The line protocol: one system for every connection that carries lines.

use std::time::Duration;

use super::codec::{Codec, shown};
use super::connection::{Broken, Connection, Deadline, LONGEST};
use super::exchange::{Trouble, acknowledged, exchange, expect_nothing, skip_banner, stay_quiet};
use super::launch::Launch;
use super::process::Process;
use super::protocol::Protocol;
use super::server::Server;
use super::stderr::Stderr;
use super::tcp::Tcp;
use super::{Ending, Fault, Phase, SetupError, System, SystemError};
use crate::letter::{Interface, Letter};

/// How connections to a system come and go.
pub(super) trait Link: Send {
    /// Starts or calls the system.
    fn open(&mut self, time: Duration) -> Result<Connection, SystemError>;

    /// Ends the connection; says how the system ended by itself, if it did.
    fn close(&mut self, connection: Connection, farewell: Farewell) -> (Ending, Stderr);

    /// Whether a new connection finds the system in its initial state.
    fn starts_afresh(&self) -> bool;

    /// What the system has printed besides, where it could not be reached.
    fn words(&self) -> Stderr {
        Stderr::default()
    }

    /// Whether the system is known to be at work, and not waiting for us.
    fn is_busy(&self) -> bool {
        false
    }
}

/// How to part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Farewell {
    /// The system may end by itself.
    Polite,
    /// The system has closed the connection and may be about to end.
    Broken,
    /// The system has had its chance.
    Forced,
}

/// How long to listen for extra lines now and then in a run.
const BRIEFLY: Duration = Duration::from_millis(1);

/// How many times the time to settle is given to a system that is still at work. On a busy machine it may not
/// have had its turn.
const PATIENCE: usize = 10;

/// A system that reads and writes lines: a program, or a server.
///
/// A reset sends the reset line, or else starts the program or calls the server anew. A line more than was
/// asked for is an error as soon as it is seen: before the next input, at the next reset, or in
/// [`settle`](System::settle).
pub struct Lines {
    link: Box<dyn Link>,
    // invariant: present between a reset and the first failure.
    connection: Option<Connection>,
    codec: Codec,
    protocol: Protocol,
    /// Its first answer, or the end of its banner, is still to come.
    starting: bool,
    /// Answers and resets, since it was made.
    steps: u64,
    resets: u64,
    line: Vec<u8>,
    stderr: Stderr,
}

impl Lines {
    /// A program over its stdin and stdout. The error is about the options, as `key: message`.
    pub fn process(launch: Launch, interface: &Interface, protocol: Protocol) -> Result<Lines, SetupError> {
        Lines::over(Box::new(Process::new(launch)), interface, protocol)
    }

    /// A server at `host:port`. The error is about the options, as `key: message`.
    pub fn tcp(address: &str, interface: &Interface, protocol: Protocol) -> Result<Lines, SetupError> {
        Lines::over(Box::new(Tcp::new(address.to_owned())), interface, protocol)
    }

    /// A server at `host:port` that is started for us and ended when this is dropped. The error is about the
    /// options, as `key: message`.
    pub fn server(
        launch: Launch,
        address: &str,
        interface: &Interface,
        protocol: Protocol,
    ) -> Result<Lines, SetupError> {
        Lines::over(Box::new(Server::new(launch, address.to_owned())), interface, protocol)
    }

    fn over(link: Box<dyn Link>, interface: &Interface, protocol: Protocol) -> Result<Lines, SetupError> {
        protocol.check(interface)?;
        Ok(Lines {
            link,
            connection: None,
            codec: Codec::new(interface, &protocol)?,
            protocol,
            starting: true,
            steps: 0,
            resets: 0,
            line: Vec::new(),
            stderr: Stderr::default(),
        })
    }

    fn open(&mut self, time: Duration) -> Result<(), SystemError> {
        let deadline = Deadline::after(self.protocol.start());
        let opened = self.link.open(time);
        let opened = opened.inspect_err(|_| self.stderr = self.link.words())?;
        let connection = self.connection.insert(opened);
        let result = skip_banner(connection, &self.protocol, deadline);
        self.starting = self.protocol.banner_lines == 0 && self.protocol.banner_until.is_none();
        result.map_err(|trouble| self.fail(Phase::Start, trouble))
    }

    fn send_reset(&mut self) -> Result<(), SystemError> {
        let (Some(connection), Some(line)) = (&mut self.connection, &self.protocol.reset) else {
            return Ok(());
        };
        let result = acknowledged(connection, &self.protocol.line(line), &self.protocol);
        result.map_err(|trouble| self.fail(Phase::Reset, trouble))
    }

    fn close(&mut self, farewell: Farewell) -> Ending {
        match self.connection.take() {
            None => Ending::HungUp,
            Some(connection) => {
                let (ending, stderr) = self.link.close(connection, farewell);
                self.stderr = stderr;
                ending
            }
        }
    }

    /// Ends the connection and says why.
    #[cold]
    fn fail(&mut self, during: Phase, trouble: Trouble) -> SystemError {
        let unread = match &mut self.connection {
            Some(connection) => shown(connection.unread().unwrap_or_default()),
            None => String::new(),
        };
        match trouble {
            Trouble::Connection(Broken::HungUp, _) => {
                SystemError::Gone { during, how: self.close(Farewell::Broken) }
            }
            Trouble::Connection(Broken::Failed(error), _) => {
                let how = match self.close(Farewell::Broken) {
                    Ending::HungUp => Ending::Failed(error.to_string()),
                    ended => ended,
                };
                SystemError::Gone { during, how }
            }
            Trouble::Connection(Broken::Late, Deadline { after: deadline, .. }) => {
                self.close(Farewell::Forced);
                match unread.is_empty() {
                    true => SystemError::Silent { during, deadline },
                    false => {
                        SystemError::Garbled { during, line: unread, fault: Fault::Unfinished(deadline) }
                    }
                }
            }
            Trouble::Connection(Broken::Interrupted, _) => {
                self.close(Farewell::Forced);
                SystemError::Interrupted
            }
            Trouble::Connection(Broken::TooLong, _) => {
                self.close(Farewell::Forced);
                SystemError::Garbled { during, line: unread, fault: Fault::TooLong(LONGEST) }
            }
            Trouble::Said(line, fault) => {
                self.close(Farewell::Forced);
                SystemError::Garbled { during, line, fault }
            }
        }
    }
}

impl System for Lines {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.resets += 1;
        let Some(connection) = &mut self.connection else {
            self.open(self.protocol.start())?;
            return if self.link.starts_afresh() { Ok(()) } else { self.send_reset() };
        };
        let time = if self.resets.is_power_of_two() { BRIEFLY } else { Duration::ZERO };
        if let Err(trouble) = stay_quiet(connection, &self.protocol, time) {
            // A system that ended after its last answer is replaced by the restart below.
            let restarts = self.protocol.reset.is_none();
            if !(restarts && matches!(trouble, Trouble::Connection(Broken::HungUp, _))) {
                return Err(self.fail(Phase::Reset, trouble));
            }
        }
        if self.protocol.reset.is_some() {
            return self.send_reset();
        }
        self.close(Farewell::Polite);
        let time = if self.link.starts_afresh() { self.protocol.start() } else { self.protocol.reset_time() };
        self.open(time)
    }

    #[inline]
    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let Some(connection) = &mut self.connection else {
            return Err(SystemError::Gone { during: Phase::Step, how: Ending::HungUp });
        };
        self.codec.write(input, &mut self.line);
        let (during, time) = match self.starting {
            false => (Phase::Step, self.protocol.step()),
            true => (Phase::Start, self.protocol.start().max(self.protocol.step())),
        };
        let deadline = Deadline::after(time);
        let answer = keep_turns(connection, &self.protocol, self.steps)
            .and_then(|()| exchange(connection, &self.codec, &self.protocol, &mut self.line, deadline));
        match answer {
            Ok(output) => {
                self.steps += 1;
                self.starting = false;
                Ok(output)
            }
            Err(trouble) => Err(self.fail(during, trouble)),
        }
    }

    fn settle(&mut self) -> Result<(), SystemError> {
        let Some(connection) = &mut self.connection else { return Ok(()) };
        let mut result = Ok(());
        for _ in 0..PATIENCE {
            result = stay_quiet(connection, &self.protocol, self.protocol.settle());
            if result.is_err() || !self.link.is_busy() {
                break;
            }
        }
        match result {
            // It said nothing more; that it is gone is for the next step or reset to find.
            Ok(()) | Err(Trouble::Connection(Broken::HungUp, _)) => Ok(()),
            Err(trouble) => Err(self.fail(Phase::Settle, trouble)),
        }
    }

    fn last_words(&self) -> Vec<String> {
        self.connection.as_ref().map_or(&self.stderr, Connection::stderr).lines()
    }
}

/// Looks for extra lines between two steps.
///
/// A look costs a little and a wait costs more, so not every step has one. That is enough: a system that is a
/// line ahead stays ahead. On one core only a wait lets it get on to its second line.
#[inline]
fn keep_turns(connection: &mut Connection, protocol: &Protocol, steps: u64) -> Result<(), Trouble> {
    if steps.is_power_of_two() {
        return stay_quiet(connection, protocol, BRIEFLY);
    }
    if steps.is_multiple_of(8) || !connection.rest().is_empty() {
        return expect_nothing(connection, protocol);
    }
    Ok(())
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.close(Farewell::Polite);
    }
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines").field("protocol", &self.protocol).finish_non_exhaustive()
    }
}
