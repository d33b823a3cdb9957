//! A program as the system under test, over its stdin and stdout.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::connection::Connection;
use super::lines::{Farewell, Link};
use super::pin::Pin;
use super::reap::Offspring;
use super::stderr::Stderr;
use super::{Ending, SystemError, reap};

/// How long a program may take to end by itself once its stdin is closed.
const GRACE: Duration = Duration::from_millis(100);

/// What to start, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Where it runs; here, if nothing is said. A program given as a relative path is looked up from there.
    pub directory: Option<PathBuf>,
    /// Leave tester and program on whatever cores the operating system likes.
    pub no_pin: bool,
}

impl Launch {
    /// The command as a user would type it.
    fn shown(&self) -> String {
        let words: Vec<_> = self.command.iter().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }
}

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
        let [program, arguments @ ..] = self.launch.command.as_slice() else {
            return Err(io::Error::other("the command is empty"));
        };
        if !self.launch.no_pin && !self.pin.as_ref().is_some_and(Pin::is_ours) {
            self.pin = Some(Pin::here());
        }
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: its children end with it, and Ctrl-C reaches the tester alone.
        command.process_group(0);
        if let Some(directory) = &self.launch.directory {
            command.current_dir(directory);
        }
        let mut child = reap::spawn(&mut command)?;
        let ends = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        self.child = Some(child);
        let (Some(to), Some(from), Some(stderr)) = ends else {
            return Err(io::Error::other("no pipes"));
        };
        let stderr = non_blocking(stderr.into())?;
        Ok(Connection::new(non_blocking(to.into())?, non_blocking(from.into())?, Stderr::new(stderr)))
    }
}

impl Link for Process {
    fn open(&mut self, _: Duration) -> Result<Connection, SystemError> {
        self.spawn().map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::NotFound => "no such program or directory".to_owned(),
                io::ErrorKind::PermissionDenied => "it is not executable".to_owned(),
                _ => error.to_string(),
            };
            SystemError::Unstartable { what: self.launch.shown(), why }
        })
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
            Ok(status) if ended => match (status.code(), status.signal()) {
                (Some(code), _) => Ending::Exited(code),
                (None, Some(signal)) => Ending::Killed(signal),
                (None, None) => Ending::HungUp,
            },
            _ => Ending::HungUp,
        };
        (ending, stderr)
    }

    fn starts_afresh(&self) -> bool {
        true
    }

    fn is_busy(&self) -> bool {
        // The state follows the name, which stands in parentheses and may contain some: Linux alone has it.
        let stat =
            self.child.as_ref().map(|child| std::fs::read_to_string(format!("/proc/{}/stat", child.id())));
        let Some(Ok(stat)) = stat else { return false };
        stat.rsplit(')').next().is_some_and(|fields| fields.trim_start().starts_with('R'))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            let _ = reap::end(child, &Offspring::default());
        }
    }
}

fn non_blocking(end: OwnedFd) -> io::Result<OwnedFd> {
    rustix::io::ioctl_fionbio(&end, true)?;
    Ok(end)
}

/// Whether the child ends in time; its stderr is drained meanwhile. It is not reaped.
fn ends_within(child: &Child, time: Duration, stderr: &mut Stderr) -> bool {
    let Some(id) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return false };
    let ended = || {
        let quietly = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        matches!(waitid(WaitId::Pid(id), quietly), Ok(Some(_)))
    };
    let handle = end_of(id);
    // Without a handle to wait on we look every millisecond.
    let longest = if handle.is_some() { time } else { Duration::from_millis(1) };
    let start = Instant::now();
    while let Some(left) = time.checked_sub(start.elapsed()) {
        let Ok(wait) = Timespec::try_from(left.min(longest)) else { return false };
        let sources = handle.iter().chain(stderr.source());
        let mut fds: Vec<PollFd<'_>> = sources.map(|fd| PollFd::new(fd, PollFlags::IN)).collect();
        let _ = poll(&mut fds, Some(&wait));
        if ended() {
            return true;
        }
        stderr.read();
    }
    false
}

/// A descriptor that becomes readable when the process ends.
fn end_of(id: Pid) -> Option<OwnedFd> {
    #[cfg(target_os = "linux")]
    return rustix::process::pidfd_open(id, rustix::process::PidfdFlags::empty()).ok();
    #[cfg(not(target_os = "linux"))]
    return None;
}
