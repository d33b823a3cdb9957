//! Listening to a system that may be silent, end, or answer on stderr: what came, and what not coming means.

use std::time::Duration;

use super::codec::Codec;
use super::connection::{Broken, Connection, Deadline, Heard};
use super::exchange::{Trouble, read, receive, without_prompt};
use super::lines::Link;
use super::protocol::Protocol;
use crate::letter::Letter;

/// How many times the patience a system is given that is at work all the while. On a busy machine it may not have had its
/// turn.
const AT_WORK: u32 = 10;

/// How many times the patience a system is given that runs now and then: it may be about to say something, or look at a
/// clock for ever.
const AWAKE: u32 = 4;

/// What came of listening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// An answer.
    Answer(Letter),
    /// The system said that it is silent.
    Token,
    /// Nothing, for as long as our patience lasted.
    Silence,
    /// The system has hung up, and everything that it had said was heard.
    End,
}

/// A system, and how long we listen to it.
pub(super) struct Listening<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) link: &'a dyn Link,
    pub(super) codec: &'a Codec,
    pub(super) protocol: &'a Protocol,
    /// How long nothing must be said to be silence; where silence is no answer, the deadline counts.
    pub(super) patience: Option<Duration>,
    /// By when what was begun must be ended, and what was sent must be taken.
    pub(super) deadline: Deadline,
    /// Room for an answer of several lines.
    pub(super) line: &'a mut Vec<u8>,
}

impl Listening<'_> {
    /// Waits for an answer.
    pub(super) fn hear(&mut self) -> Result<Came, Trouble> {
        loop {
            let heard = match self.await_line() {
                Ok(Some(heard)) => heard,
                Ok(None) => return Ok(Came::Silence),
                Err(Broken::HungUp) if self.protocol.ends.is_some() => return Ok(self.last_line()),
                Err(broken) => return Err(self.broken(broken)),
            };
            if let Some(came) = self.take(heard)? {
                return Ok(came);
            }
        }
    }

    /// What the system has said already; nothing where it has said nothing. What has begun is waited for.
    pub(super) fn pending(&mut self) -> Result<Option<Came>, Trouble> {
        loop {
            let heard = match self.connection.line_now() {
                Ok(Some(heard)) => heard,
                Ok(None) if self.has_begun() => match self.connection.await_line(self.deadline) {
                    Ok(heard) => heard,
                    Err(Broken::HungUp) if self.protocol.ends.is_some() => return Ok(Some(self.last_line())),
                    Err(broken) => return Err(self.broken(broken)),
                },
                Ok(None) => return Ok(None),
                Err(Broken::HungUp) if self.protocol.ends.is_some() => return Ok(Some(self.last_line())),
                Err(broken) => return Err(self.broken(broken)),
            };
            if let Some(came) = self.take(heard)? {
                return Ok(Some(came));
            }
        }
    }

    fn broken(&self, broken: Broken) -> Trouble {
        Trouble::Connection(broken, self.deadline)
    }

    /// Waits for a line; none where our patience ends first.
    ///
    /// Silence is a whole time of patience in the second half of which the system did not run: what has not had its turn,
    /// or has just had it, is not silent. What runs all the time is given more of it, but not for ever.
    fn await_line(&mut self) -> Result<Option<Heard>, Broken> {
        let Some(patience) = self.patience else {
            return self.connection.await_line(self.deadline).map(Some);
        };
        let half = patience / 2;
        for times in 1.. {
            match self.connection.await_line(Deadline::after(half)) {
                Err(Broken::Late) => {}
                result => return result.map(Some),
            }
            let before = self.link.pulse();
            match self.connection.await_line(Deadline::after(patience - half)) {
                Err(Broken::Late) => {}
                result => return result.map(Some),
            }
            if super::interrupt::requested().is_some() {
                return Err(Broken::Interrupted);
            }
            let after = self.link.pulse();
            if self.has_begun() || self.connection.is_untaken() {
                self.deadline.left().ok_or(Broken::Late)?;
                continue;
            }
            let most = match (after.at_work, before == after) {
                (true, _) => AT_WORK,
                (false, false) => AWAKE,
                (false, true) => 1,
            };
            if times >= most {
                break;
            }
        }
        Ok(None)
    }

    /// Whether a line has begun and not ended.
    fn has_begun(&self) -> bool {
        let rest = without_prompt(self.connection.rest(), self.protocol);
        let is_prompt = |prompt: &String| prompt.as_bytes().starts_with(rest);
        !rest.is_empty() && !self.protocol.prompt.as_ref().is_some_and(is_prompt)
    }

    /// Takes what was heard; nothing where it is no answer and need not be one.
    fn take(&mut self, heard: Heard) -> Result<Option<Came>, Trouble> {
        let Listening { connection, codec, protocol, deadline, line, .. } = self;
        if heard == Heard::Words {
            // What is no answer there is for people to read.
            let words = connection.take_words().unwrap_or_default();
            return Ok(meant(codec, protocol, &words));
        }
        let broken = |broken| Trouble::Connection(broken, *deadline);
        if let Some(token) = &protocol.quiet_token {
            let first = connection.rest().split(|&byte| byte == b'\n').next().unwrap_or_default();
            if without_prompt(first, protocol).trim_ascii() == token.trim().as_bytes() {
                connection.read_line_in_time(*deadline).map_err(broken)?;
                return Ok(Some(Came::Token));
            }
        }
        if let Some(prefix) = &protocol.reply_prefix {
            let said = connection.read_line_in_time(*deadline).map_err(broken)?;
            return match without_prompt(said, protocol).strip_prefix(prefix.as_bytes()) {
                Some(answer) => read(codec, said, answer).map(|letter| Some(Came::Answer(letter))),
                None => Ok(None),
            };
        }
        receive(connection, codec, protocol, line, *deadline).map(|letter| Some(Came::Answer(letter)))
    }

    /// What a system said that has hung up: its last line may lack its end. What cannot be read of it is nothing.
    fn last_line(&mut self) -> Came {
        let rest = self.connection.rest();
        let came = meant(self.codec, self.protocol, without_prompt(rest, self.protocol));
        let length = rest.len();
        self.connection.take(length);
        came.unwrap_or(Came::End)
    }
}

/// What is meant by a line that need not mean anything.
fn meant(codec: &Codec, protocol: &Protocol, line: &[u8]) -> Option<Came> {
    if protocol.quiet_token.as_ref().is_some_and(|token| line.trim_ascii() == token.trim().as_bytes()) {
        return Some(Came::Token);
    }
    let answer = match &protocol.reply_prefix {
        Some(prefix) => line.strip_prefix(prefix.as_bytes())?,
        None if line.is_empty() => return None,
        None => line,
    };
    codec.read(answer).ok().map(Came::Answer)
}
