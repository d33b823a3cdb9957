//! What to start, and where; how it is told that it did not start or has ended.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::stderr::Stderr;
use super::{Ending, SystemError};

/// How long a program may take to end by itself once it was asked to.
pub(super) const GRACE: Duration = Duration::from_millis(100);

/// What to start, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Where it runs; here, if nothing is said. A program given as a relative path is looked up from there.
    pub directory: Option<PathBuf>,
    /// Variables of its environment, besides or instead of our own.
    pub environment: Vec<(OsString, OsString)>,
    /// Leave tester and program on whatever cores the operating system likes.
    pub no_pin: bool,
}

impl Launch {
    /// The command as a user would type it.
    pub(super) fn shown(&self) -> String {
        let words: Vec<_> = self.command.iter().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }

    /// The command, to be started in a group of its own: its children end with it, and Ctrl-C reaches the tester
    /// alone.
    pub(super) fn command(&self) -> io::Result<Command> {
        let [program, arguments @ ..] = self.command.as_slice() else {
            return Err(io::Error::other("the command is empty"));
        };
        let mut command = Command::new(program);
        command.args(arguments).process_group(0);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        Ok(command)
    }

    /// Why it did not start.
    pub(super) fn failed(&self, error: &io::Error) -> SystemError {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "no such program or directory".to_owned(),
            io::ErrorKind::PermissionDenied => "it is not executable".to_owned(),
            _ => error.to_string(),
        };
        SystemError::Unstartable { what: self.shown(), why }
    }
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Ending {
        match (status.code(), status.signal()) {
            (Some(code), _) => Ending::Exited(code),
            (None, Some(signal)) => Ending::Killed(signal),
            (None, None) => Ending::HungUp,
        }
    }
}

pub(super) fn non_blocking(end: OwnedFd) -> io::Result<OwnedFd> {
    rustix::io::ioctl_fionbio(&end, true)?;
    Ok(end)
}

fn id(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Whether the child has ended. It is not reaped.
pub(super) fn has_ended(child: &Child) -> bool {
    let quietly = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    id(child).is_some_and(|id| matches!(waitid(WaitId::Pid(id), quietly), Ok(Some(_))))
}

/// Whether the child ends in time; its stderr is drained meanwhile. It is not reaped.
pub(super) fn ends_within(child: &Child, time: Duration, stderr: &mut Stderr) -> bool {
    let handle = end_of(child);
    // Without a handle to wait on we look every millisecond.
    let longest = if handle.is_some() { time } else { Duration::from_millis(1) };
    let start = Instant::now();
    while let Some(left) = time.checked_sub(start.elapsed()) {
        let Ok(wait) = Timespec::try_from(left.min(longest)) else { return false };
        let sources = handle.iter().chain(stderr.source());
        let mut fds: Vec<PollFd<'_>> = sources.map(|fd| PollFd::new(fd, PollFlags::IN)).collect();
        let _ = poll(&mut fds, Some(&wait));
        if has_ended(child) {
            return true;
        }
        stderr.read();
    }
    false
}

/// What a program and its children are doing, as far as the operating system tells: Linux alone does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pulse {
    /// Some thread is running, would like to, or waits for a disk.
    pub(super) at_work: bool,
    /// How often threads have stopped running: where this has not changed, nothing has run in between.
    stops: u64,
}

/// More threads than this are not looked at.
const THREADS: usize = 64;

impl Pulse {
    pub(super) fn of(child: &Child) -> Pulse {
        let mut pulse = Pulse::default();
        let mut open = vec![child.id()];
        let mut left = THREADS;
        while let Some(process) = open.pop() {
            let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { continue };
            for thread in threads.flatten().take(left) {
                left -= 1;
                let read = |name: &str| std::fs::read_to_string(thread.path().join(name)).unwrap_or_default();
                pulse.count(&read("status"));
                open.extend(read("children").split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
            }
        }
        pulse
    }

    fn count(&mut self, status: &str) {
        for line in status.lines() {
            match line.split_once(':') {
                Some(("State", state)) => self.at_work |= state.trim_start().starts_with(['R', 'D']),
                Some(("voluntary_ctxt_switches" | "nonvoluntary_ctxt_switches", count)) => {
                    self.stops = self.stops.wrapping_add(count.trim().parse().unwrap_or(0));
                }
                _ => {}
            }
        }
    }
}

/// A descriptor that becomes readable when the child ends.
pub(super) fn end_of(child: &Child) -> Option<OwnedFd> {
    #[cfg(target_os = "linux")]
    return rustix::process::pidfd_open(id(child)?, rustix::process::PidfdFlags::empty()).ok();
    #[cfg(not(target_os = "linux"))]
    return None;
}
