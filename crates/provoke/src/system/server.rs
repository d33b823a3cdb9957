//! A server that we start ourselves, connect to, and end with the campaign.

use std::io;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::connection::Connection;
use super::launch::{GRACE, Launch, Pulse, end_of, ends_within, has_ended, non_blocking};
use super::lines::{Farewell, Link};
use super::pin::Pin;
use super::reap::Offspring;
use super::stderr::Stderr;
use super::tcp::{Tcp, is_refused};
use super::{Ending, Phase, SystemError, reap};

/// How often a server that does not accept yet is called again.
const PAUSE: Duration = Duration::from_millis(2);

/// A server that is started by the first reset and lives until it is dropped; a reset calls it anew. It is started
/// again where it has ended or misbehaved, after that was told.
#[derive(Debug)]
pub(super) struct Server {
    tcp: Tcp,
    launch: Launch,
    child: Option<Child>,
    /// What it prints, on stdout as on stderr; in the connection while there is one.
    words: Stderr,
    pin: Option<Pin>,
}

impl Server {
    pub(super) fn new(launch: Launch, address: String) -> Server {
        Server { tcp: Tcp::new(address), launch, child: None, words: Stderr::default(), pin: None }
    }

    fn spawn(&mut self) -> io::Result<()> {
        let mut command = self.launch.command()?;
        if !self.launch.no_pin {
            Pin::renew(&mut self.pin);
        }
        let (from, to) = io::pipe()?;
        command.stdin(Stdio::null()).stdout(to.try_clone()?).stderr(to);
        self.child = Some(reap::spawn(&mut command)?);
        self.words = Stderr::new(non_blocking(from.into())?);
        Ok(())
    }

    /// Starts the server and waits until it accepts.
    fn start(&mut self, time: Duration) -> Result<Connection, SystemError> {
        // Another server there would take our calls, and be tested in place of this one.
        if self.tcp.connect_once(time).is_ok() {
            let why = "something listens there already, before the server was started".to_owned();
            return Err(self.tcp.unreachable(why));
        }
        self.spawn().map_err(|error| self.launch.failed(&error))?;
        let start = Instant::now();
        loop {
            let left = time.saturating_sub(start.elapsed());
            let called = self.tcp.connect_once(left.max(PAUSE));
            let ended = self.child.as_ref().is_some_and(has_ended);
            match called {
                Ok(connection) if !ended => {
                    self.tcp.known = true;
                    return Ok(connection);
                }
                _ if ended => {
                    let how = self.end(false);
                    let why = format!("{how} before it accepted at {}", self.tcp.address());
                    return Err(SystemError::Unstartable { what: self.launch.shown(), why });
                }
                Err(error) if is_refused(&error) && !left.is_zero() => {
                    let child = self.child.as_ref();
                    child.map(|child| ends_within(child, PAUSE.min(left), &mut self.words));
                }
                Err(error) => {
                    self.end(false);
                    let (address, ms) = (self.tcp.address(), time.as_millis());
                    let why = match is_refused(&error) {
                        true => format!("it did not accept at {address} within {ms} ms"),
                        false => format!("{address}: {error}"),
                    };
                    return Err(SystemError::Unstartable { what: self.launch.shown(), why });
                }
                Ok(_) => {}
            }
        }
    }

    /// Ends the server and all it has started; says how it had ended by itself, if it had.
    fn end(&mut self, politely: bool) -> Ending {
        let Some(child) = self.child.take() else { return Ending::HungUp };
        let offspring = Offspring::of(child.id());
        let alone = has_ended(&child);
        if politely && !alone {
            reap::signal(&child, Signal::TERM);
            ends_within(&child, GRACE, &mut self.words);
        }
        let status = reap::end(child, &offspring);
        self.words.drain();
        match status {
            Ok(status) if alone => status.into(),
            _ => Ending::HungUp,
        }
    }
}

impl Link for Server {
    fn open(&mut self, time: Duration) -> Result<Connection, SystemError> {
        let connection = match &self.child {
            Some(child) if has_ended(child) => {
                return Err(SystemError::Gone { during: Phase::Reset, how: self.end(false) });
            }
            Some(_) => match self.tcp.open(time) {
                // It may have ended while we called.
                Err(_) if self.child.as_ref().is_some_and(has_ended) => {
                    return Err(SystemError::Gone { during: Phase::Reset, how: self.end(false) });
                }
                called => called?,
            },
            None => self.start(time)?,
        };
        let end = self.child.as_ref().and_then(end_of);
        Ok(connection.until(end).hearing(std::mem::take(&mut self.words)))
    }

    fn close(&mut self, connection: Connection, farewell: Farewell) -> (Ending, Stderr) {
        let (_, _, words) = connection.into_ends();
        self.words = words;
        self.words.drain();
        let ended = farewell == Farewell::Broken
            && self.child.as_ref().is_some_and(|child| ends_within(child, GRACE, &mut self.words));
        // One that is silent or talks nonsense would go on like that.
        let ending = if ended || farewell == Farewell::Forced { self.end(false) } else { Ending::HungUp };
        (ending, self.words.heard())
    }

    fn starts_afresh(&self) -> bool {
        false
    }

    fn pulse(&self) -> Pulse {
        self.child.as_ref().map(Pulse::of).unwrap_or_default()
    }

    fn words(&self) -> Stderr {
        self.words.heard()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end(true);
    }
}
