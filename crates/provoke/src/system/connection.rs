//! Lines over file descriptors with deadlines: the half of the line protocol that knows nothing of letters.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::stderr::Stderr;

/// How often a long wait looks at its deadline. Deadlines not much longer than this are waited for exactly.
const TICK: Duration = Duration::from_millis(10);

/// The longest line that is read.
pub(super) const LONGEST: usize = 64 * 1024;

/// The ends of a connection to a system. None of them ever blocks us.
#[derive(Debug)]
pub(super) struct Connection {
    to: OwnedFd,
    from: OwnedFd,
    stderr: Stderr,
    /// Becomes readable every [`TICK`], where the operating system has such a thing. To wait for it is cheaper
    /// than to set a timer for every single wait: 6 % of a round trip.
    ticker: Option<OwnedFd>,
    /// Becomes readable when the system ends. It may have left the connection to a child that says nothing.
    over: Option<OwnedFd>,
    /// The way to the system is a pipe, of which we know what was not yet taken out.
    pipe: bool,
    buffer: Box<[u8]>,
    // invariant: start <= end <= buffer.len(); what was read and not yet taken is buffer[start..end].
    start: usize,
    end: usize,
}

/// Why a line did not come through.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// The other side closed the connection.
    HungUp,
    /// The deadline passed.
    Late,
    /// We were asked to stop and wait no longer.
    Interrupted,
    /// The line does not fit the buffer.
    TooLong,
    /// The operating system reports an error.
    Failed(Errno),
}

/// Where a line was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// Among its output.
    Output,
    /// Among its diagnostics.
    Words,
}

/// A point in time, and how long ahead it was when it was set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    set: Instant,
    pub(super) after: Duration,
}

impl Deadline {
    pub(super) fn after(after: Duration) -> Deadline {
        Deadline { set: Instant::now(), after }
    }

    /// What is left of it; nothing once it has passed.
    pub(super) fn left(self) -> Option<Timespec> {
        let left = self.after.checked_sub(self.set.elapsed())?;
        Timespec::try_from(left).ok()
    }
}

/// What to wait for besides stderr.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Input,
    Output,
}

impl Connection {
    /// Joins descriptors, which must be non-blocking already.
    pub(super) fn new(to: OwnedFd, from: OwnedFd, stderr: Stderr) -> Connection {
        let buffer = vec![0; LONGEST].into();
        Connection { to, from, stderr, ticker: ticker(), over: None, pipe: false, buffer, start: 0, end: 0 }
    }

    /// Says that the way to the system is a pipe.
    pub(super) fn piped(self) -> Connection {
        Connection { pipe: true, ..self }
    }

    /// Answers are looked for in its diagnostics as well.
    pub(super) fn with_answers_in_stderr(mut self) -> Connection {
        self.stderr = self.stderr.with_answers();
        self
    }

    /// Hangs up when this becomes readable and the system has said nothing more.
    pub(super) fn until(self, over: Option<OwnedFd>) -> Connection {
        Connection { over, ..self }
    }

    /// The same connection with another source of diagnostics.
    pub(super) fn hearing(self, stderr: Stderr) -> Connection {
        Connection { stderr, ..self }
    }

    /// Sends bytes, all of them.
    #[inline]
    pub(super) fn write(&mut self, mut bytes: &[u8], deadline: Deadline) -> Result<(), Broken> {
        while !bytes.is_empty() {
            match rustix::io::write(&self.to, bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(Errno::AGAIN) => self.wait(Wanted::Input, deadline)?,
                Err(Errno::INTR) => {}
                Err(Errno::PIPE) => return Err(Broken::HungUp),
                Err(error) => return Err(Broken::Failed(error)),
            }
        }
        Ok(())
    }

    /// Takes the next line as long as there is time. A system that talks on and on never lets us wait, so a
    /// deadline that is looked at while waiting alone would not end that.
    #[inline]
    pub(super) fn read_line_in_time(&mut self, deadline: Deadline) -> Result<&[u8], Broken> {
        deadline.left().ok_or(Broken::Late)?;
        self.read_line(deadline)
    }

    /// Takes the next line, without its line end.
    #[inline]
    pub(super) fn read_line(&mut self, deadline: Deadline) -> Result<&[u8], Broken> {
        let mut searched = self.start;
        loop {
            let fresh = &self.buffer[searched..self.end];
            if let Some(length) = fresh.iter().position(|&byte| byte == b'\n') {
                let line = self.start..searched + length;
                self.start = line.end + 1;
                return Ok(&self.buffer[line]);
            }
            self.make_room()?;
            searched = self.end;
            self.wait(Wanted::Output, deadline)?;
            self.read()?;
        }
    }

    /// Waits until there is a whole line, and says where. Where the system has hung up, what it said last comes first.
    pub(super) fn await_line(&mut self, deadline: Deadline) -> Result<Heard, Broken> {
        loop {
            if self.rest().contains(&b'\n') {
                return Ok(Heard::Output);
            }
            if self.stderr.has_line() {
                return Ok(Heard::Words);
            }
            self.make_room()?;
            // Diagnostics without end never let us wait.
            deadline.left().ok_or(Broken::Late)?;
            let more = self.wait(Wanted::Output, deadline).and_then(|()| self.read());
            if more == Err(Broken::HungUp) && self.stderr.has_answers() {
                self.stderr.drain();
                if self.stderr.has_line() {
                    return Ok(Heard::Words);
                }
            }
            more?;
        }
    }

    /// The same without waiting: nothing where there is no whole line now.
    pub(super) fn line_now(&mut self) -> Result<Option<Heard>, Broken> {
        if self.rest().contains(&b'\n') {
            return Ok(Some(Heard::Output));
        }
        self.make_room()?;
        let more = self.read();
        if self.stderr.has_answers() {
            self.stderr.drain();
        }
        if more.is_ok() && self.rest().contains(&b'\n') {
            return Ok(Some(Heard::Output));
        }
        if self.stderr.has_line() {
            return Ok(Some(Heard::Words));
        }
        more.map(|()| None)
    }

    /// Takes a line of its diagnostics.
    pub(super) fn take_words(&mut self) -> Option<Vec<u8>> {
        self.stderr.take_line()
    }

    /// Whether there is something that we have sent and the system is known not to have taken yet.
    pub(super) fn is_untaken(&self) -> bool {
        self.pipe && rustix::io::ioctl_fionread(&self.to).is_ok_and(|bytes| bytes > 0)
    }

    /// What came along with the lines that were taken.
    #[inline]
    pub(super) fn rest(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// What the system has said and nobody has taken, without waiting for more.
    #[inline]
    pub(super) fn unread(&mut self) -> Result<&[u8], Broken> {
        self.make_room()?;
        self.read()?;
        Ok(self.rest())
    }

    /// Takes this many bytes of what is unread.
    pub(super) fn take(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }

    /// Waits until there is more to read or the system hangs up.
    pub(super) fn listen(&mut self, deadline: Deadline) -> Result<(), Broken> {
        self.wait(Wanted::Output, deadline)
    }

    pub(super) fn stderr(&self) -> &Stderr {
        &self.stderr
    }

    /// The way to the system, the way from it and its stderr, for the caller to close.
    pub(super) fn into_ends(self) -> (OwnedFd, OwnedFd, Stderr) {
        (self.to, self.from, self.stderr)
    }

    #[inline]
    fn make_room(&mut self) -> Result<(), Broken> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.end == self.buffer.len() {
            if self.start == 0 {
                return Err(Broken::TooLong);
            }
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        Ok(())
    }

    /// Reads what is there, if anything.
    #[inline]
    fn read(&mut self) -> Result<(), Broken> {
        match rustix::io::read(&self.from, &mut self.buffer[self.end..]) {
            Ok(0) => Err(Broken::HungUp),
            Ok(count) => {
                self.end += count;
                Ok(())
            }
            Err(Errno::AGAIN | Errno::INTR) => Ok(()),
            Err(error) => Err(Broken::Failed(error)),
        }
    }

    /// Waits for one direction, reading stderr meanwhile.
    fn wait(&mut self, wanted: Wanted, deadline: Deadline) -> Result<(), Broken> {
        let ticker = self.ticker.as_ref().filter(|_| deadline.after > 10 * TICK);
        loop {
            let (wanted, flags) = match wanted {
                Wanted::Input => (&self.to, PollFlags::OUT),
                Wanted::Output => (&self.from, PollFlags::IN),
            };
            // A place without a source of its own looks at the wanted one again.
            let talks = self.stderr.source().map_or((wanted, flags), |stderr| (stderr, PollFlags::IN));
            let ticks = ticker.map_or((wanted, flags), |ticker| (ticker, PollFlags::IN));
            let over = self.over.as_ref().map_or((wanted, flags), |over| (over, PollFlags::IN));
            let mut fds = [(wanted, flags), talks, ticks, over].map(|(fd, flags)| PollFd::new(fd, flags));
            let left = match ticker {
                Some(_) => None,
                None => Some(deadline.left().ok_or(Broken::Late)?),
            };
            match poll(&mut fds, left.as_ref()) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(Broken::Failed(error)),
            }
            let [ready, talks, ticked, over] = fds.map(|fd| !fd.revents().is_empty());
            if talks {
                self.stderr.read();
            }
            if ready || talks && self.stderr.has_answers() {
                return Ok(());
            }
            if over {
                // Its last words may have come while we looked, but after we had looked for them.
                let mut last = [PollFd::new(wanted, flags)];
                let _ = poll(&mut last, Some(&Timespec::default()));
                return if last[0].revents().is_empty() { Err(Broken::HungUp) } else { Ok(()) };
            }
            if let (true, Some(ticker)) = (ticked, ticker) {
                let _ = rustix::io::read(ticker, &mut [0; 8]);
                if super::interrupt::requested().is_some() {
                    return Err(Broken::Interrupted);
                }
                deadline.left().ok_or(Broken::Late)?;
            }
        }
    }
}

#[cfg(target_os = "linux")]
fn ticker() -> Option<OwnedFd> {
    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
    };
    let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
    let ticker = timerfd_create(TimerfdClockId::Monotonic, flags).ok()?;
    let tick = Timespec::try_from(TICK).ok()?;
    let every = Itimerspec { it_interval: tick, it_value: tick };
    timerfd_settime(&ticker, TimerfdTimerFlags::empty(), &every).ok()?;
    Some(ticker)
}

#[cfg(not(target_os = "linux"))]
fn ticker() -> Option<OwnedFd> {
    None
}
