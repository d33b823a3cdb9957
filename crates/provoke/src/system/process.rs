//! A program as the system under test, over its stdin and stdout.

use std::ffi::OsString;
use std::io;
use std::process::{Child, Stdio};
use std::time::Duration;

use super::connection::Connection;
use super::launch::{GRACE, Launch, Pulse, end_of, ends_within, non_blocking};
use super::lines::{Farewell, Link};
use super::pin::Pin;
use super::reap::Offspring;
use super::stderr::Stderr;
use super::{Ending, SystemError, reap, torx};

/// A program that is started by a reset and ended by the next, or when it is dropped.
#[derive(Debug)]
pub(super) struct Process {
    launch: Launch,
    child: Option<Child>,
    pin: Option<Pin>,
    /// It has once not ended by itself: do not wait for it again.
    stubborn: bool,
}

impl Process {
    pub(super) fn new(launch: Launch) -> Process {
        Process { launch, child: None, pin: None, stubborn: false }
    }

    fn spawn(&mut self) -> io::Result<Connection> {
        let mut command = self.launch.command()?;
        if !self.launch.no_pin {
            Pin::renew(&mut self.pin);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = reap::spawn(&mut command)?;
        let ends = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let end = end_of(&child);
        self.child = Some(child);
        let (Some(to), Some(from), Some(stderr)) = ends else {
            return Err(io::Error::other("no pipes"));
        };
        let stderr = non_blocking(stderr.into())?;
        let connection =
            Connection::new(non_blocking(to.into())?, non_blocking(from.into())?, Stderr::new(stderr));
        Ok(connection.until(end).piped())
    }
}

impl Link for Process {
    fn open(&mut self, _: Duration) -> Result<Connection, SystemError> {
        self.spawn().map_err(|error| self.launch.failed(&error))
    }

    fn close(&mut self, connection: Connection, farewell: Farewell) -> (Ending, Stderr) {
        let (to, from, mut stderr) = connection.into_ends();
        let Some(child) = self.child.take() else { return (Ending::HungUp, stderr) };
        // Asked before it may end by itself.
        let offspring = Offspring::of(child.id());
        let ended = match farewell {
            Farewell::Polite => {
                drop(to);
                let ended = !self.stubborn && ends_within(&child, GRACE, &mut stderr);
                self.stubborn |= !ended;
                ended
            }
            Farewell::Broken => ends_within(&child, GRACE, &mut stderr),
            Farewell::Forced => false,
        };
        let status = reap::end(child, &offspring);
        stderr.drain();
        drop(from);
        let ending = match status {
            Ok(status) if ended => status.into(),
            _ => Ending::HungUp,
        };
        (ending, stderr)
    }

    fn starts_afresh(&self) -> bool {
        true
    }

    fn tell_patience(&mut self, patience: Duration) {
        let (name, time) = (OsString::from(torx::TIMEOUT), patience.as_millis().to_string());
        if let Some(known) = self.launch.environment.iter_mut().find(|(known, _)| *known == name) {
            known.1 = time.into();
        }
    }

    fn pulse(&self) -> Pulse {
        self.child.as_ref().map(Pulse::of).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            let _ = reap::end(child, &Offspring::default());
        }
    }
}
