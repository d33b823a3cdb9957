//! The line protocol: one system for every connection that carries lines.

use std::time::Duration;

use super::codec::{Codec, shown};
use super::connection::{Broken, Connection, Deadline, LONGEST};
use super::process::{Launch, Process};
use super::protocol::Protocol;
use super::stderr::Stderr;
use super::tcp::Tcp;
use super::{Ending, Fault, Phase, System, SystemError};
use crate::letter::{Interface, Letter};

/// How connections to a system come and go.
pub(super) trait Link: Send {
    /// Starts or calls the system.
    fn open(&mut self, time: Duration) -> Result<Connection, SystemError>;

    /// Ends the connection; says how the system ended by itself, if it did.
    fn close(&mut self, connection: Connection, farewell: Farewell) -> (Ending, Stderr);

    /// Whether a new connection finds the system in its initial state.
    fn starts_afresh(&self) -> bool;
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

/// How often a run looks for extra lines that came after an answer was taken: at first before every input, then
/// before every eighth. A system that is a line ahead stays ahead, so it is found all the same.
fn is_time_to_look(steps: u64) -> bool {
    steps < 64 || steps.is_multiple_of(8)
}

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
    /// Since the last reset.
    steps: u64,
    line: Vec<u8>,
    stderr: Stderr,
}

/// What can go wrong in an exchange of lines.
enum Trouble {
    Connection(Broken, Deadline),
    Said(String, Fault),
}

impl Lines {
    /// A program over its stdin and stdout. The error is about the options, as `key: message`.
    pub fn process(launch: Launch, interface: &Interface, protocol: Protocol) -> Result<Lines, String> {
        Lines::over(Box::new(Process::new(launch)), interface, protocol)
    }

    /// A server at `host:port`. The error is about the options, as `key: message`.
    pub fn tcp(address: &str, interface: &Interface, protocol: Protocol) -> Result<Lines, String> {
        Lines::over(Box::new(Tcp::new(address.to_owned())), interface, protocol)
    }

    fn over(link: Box<dyn Link>, interface: &Interface, protocol: Protocol) -> Result<Lines, String> {
        protocol.check(interface)?;
        Ok(Lines {
            link,
            connection: None,
            codec: Codec::new(interface, &protocol)?,
            protocol,
            starting: true,
            steps: 0,
            line: Vec::new(),
            stderr: Stderr::default(),
        })
    }

    fn open(&mut self, time: Duration) -> Result<(), SystemError> {
        let deadline = Deadline::after(self.protocol.start());
        let connection = self.connection.insert(self.link.open(time)?);
        let result = skip_banner(connection, &self.protocol, deadline);
        self.starting = self.protocol.banner_lines == 0 && self.protocol.banner_until.is_none();
        result.map_err(|trouble| self.fail(Phase::Start, trouble))
    }

    fn send_reset(&mut self) -> Result<(), SystemError> {
        let (Some(connection), Some(line)) = (&mut self.connection, &self.protocol.reset) else {
            return Ok(());
        };
        self.line.clear();
        self.line.extend_from_slice(line.as_bytes());
        self.line.push(b'\n');
        let result = acknowledged(connection, &self.line, &self.protocol);
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
                self.close(Farewell::Broken);
                SystemError::Gone { during, how: Ending::Failed(error.to_string()) }
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
        self.steps = 0;
        let Some(connection) = &mut self.connection else {
            self.open(self.protocol.start())?;
            return if self.link.starts_afresh() { Ok(()) } else { self.send_reset() };
        };
        if let Err(trouble) = expect_nothing(connection, &self.protocol) {
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
        let quiet = match !connection.rest().is_empty() || is_time_to_look(self.steps) {
            true => expect_nothing(connection, &self.protocol),
            false => Ok(()),
        };
        let answer =
            quiet.and_then(|()| exchange(connection, &self.codec, &self.protocol, &self.line, deadline));
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
        let deadline = Deadline::after(self.protocol.settle());
        loop {
            let result = expect_nothing(connection, &self.protocol).and_then(|()| {
                connection.listen(deadline).map_err(|broken| Trouble::Connection(broken, deadline))
            });
            match result {
                Ok(()) => {}
                // It said nothing more; that it is gone is for the next step or reset to find.
                Err(Trouble::Connection(Broken::Late | Broken::HungUp, _)) => return Ok(()),
                Err(trouble) => return Err(self.fail(Phase::Settle, trouble)),
            }
        }
    }

    fn last_words(&self) -> Vec<String> {
        self.connection.as_ref().map_or(&self.stderr, Connection::stderr).lines()
    }
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

/// One input line, then the answer among the lines that come back.
#[inline]
fn exchange(
    connection: &mut Connection,
    codec: &Codec,
    protocol: &Protocol,
    line: &[u8],
    deadline: Deadline,
) -> Result<Letter, Trouble> {
    let broken = |broken| Trouble::Connection(broken, deadline);
    connection.write(line, deadline).map_err(broken)?;
    let read =
        |said: &[u8], answer: &[u8]| codec.read(answer).map_err(|fault| Trouble::Said(shown(said), fault));
    if let Some(prefix) = &protocol.reply_prefix {
        loop {
            let said = connection.read_line(deadline).map_err(broken)?;
            if let Some(answer) = without_prompt(said, protocol).strip_prefix(prefix.as_bytes()) {
                return read(said, answer);
            }
        }
    }
    for _ in 1..protocol.reply_line {
        connection.read_line(deadline).map_err(broken)?;
    }
    let said = connection.read_line(deadline).map_err(broken)?;
    let output = read(said, without_prompt(said, protocol))?;
    for _ in protocol.reply_line..protocol.reply_lines {
        connection.read_line(deadline).map_err(broken)?;
    }
    Ok(output)
}

/// Makes sure that the system has said nothing more than it was asked for, as far as one can see now.
#[inline]
fn expect_nothing(connection: &mut Connection, protocol: &Protocol) -> Result<(), Trouble> {
    let unread = match connection.unread() {
        Ok([]) => return Ok(()),
        Ok(unread) => unread,
        Err(broken) => return Err(Trouble::Connection(broken, Deadline::after(Duration::ZERO))),
    };
    let chatter = chatter(unread, protocol)?;
    connection.take(chatter);
    Ok(())
}

/// How many of the unread bytes are lines to skip; an error if one of them could be an answer.
#[cold]
fn chatter(unread: &[u8], protocol: &Protocol) -> Result<usize, Trouble> {
    let mut taken = 0;
    for line in unread.split_inclusive(|&byte| byte == b'\n') {
        let whole = line.ends_with(b"\n");
        let text = without_prompt(line, protocol);
        let allowed = match &protocol.reply_prefix {
            Some(prefix) => !whole || !text.starts_with(prefix.as_bytes()),
            None => {
                !whole && protocol.prompt.as_ref().is_some_and(|prompt| prompt.as_bytes().starts_with(text))
            }
        };
        if !allowed {
            return Err(Trouble::Said(shown(line.trim_ascii_end()), Fault::Extra));
        }
        taken += if whole { line.len() } else { 0 };
    }
    Ok(taken)
}

fn skip_banner(connection: &mut Connection, protocol: &Protocol, deadline: Deadline) -> Result<(), Trouble> {
    let broken = |broken| Trouble::Connection(broken, deadline);
    for _ in 0..protocol.banner_lines {
        connection.read_line(deadline).map_err(broken)?;
    }
    if let Some(last) = &protocol.banner_until {
        while !connection.read_line(deadline).map_err(broken)?.starts_with(last.as_bytes()) {}
    }
    Ok(())
}

fn acknowledged(connection: &mut Connection, line: &[u8], protocol: &Protocol) -> Result<(), Trouble> {
    let deadline = Deadline::after(protocol.reset_time());
    let broken = |broken| Trouble::Connection(broken, deadline);
    connection.write(line, deadline).map_err(broken)?;
    let Some(expected) = &protocol.reset_reply else { return Ok(()) };
    loop {
        let said = connection.read_line(deadline).map_err(broken)?;
        if without_prompt(said, protocol).trim_ascii() == expected.trim().as_bytes() {
            return Ok(());
        }
        if protocol.reply_prefix.is_none() {
            let message = format!("expected the reset to be acknowledged with `{expected}`");
            return Err(Trouble::Said(shown(said), Fault::NotAnAnswer(message)));
        }
    }
}

/// A line without the prompts before it.
#[inline]
fn without_prompt<'a>(mut line: &'a [u8], protocol: &Protocol) -> &'a [u8] {
    if let Some(prompt) = protocol.prompt.as_ref().filter(|prompt| !prompt.is_empty()) {
        while let Some(rest) = line.strip_prefix(prompt.as_bytes()) {
            line = rest;
        }
    }
    line
}
