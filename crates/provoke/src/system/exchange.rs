//! The turns of the line protocol: who says what when, and what is one line too many.

use std::time::Duration;

use super::Fault;
use super::answer::gather;
use super::codec::{Codec, shown};
use super::connection::{Broken, Connection, Deadline};
use super::protocol::Protocol;
use super::shape::Acknowledgement;
use crate::letter::Letter;

/// What can go wrong in an exchange of lines.
pub(super) enum Trouble {
    Connection(Broken, Deadline),
    Said(String, Fault),
}

/// One input, then the answer among the lines that come back. `line` holds the input, and afterwards an answer
/// of several lines.
#[inline]
pub(super) fn exchange(
    connection: &mut Connection,
    codec: &Codec,
    protocol: &Protocol,
    line: &mut Vec<u8>,
    deadline: Deadline,
) -> Result<Letter, Trouble> {
    let broken = |broken| Trouble::Connection(broken, deadline);
    connection.write(line, deadline).map_err(broken)?;
    if let Some(prefix) = &protocol.reply_prefix {
        loop {
            let said = connection.read_line_in_time(deadline).map_err(broken)?;
            if let Some(answer) = without_prompt(said, protocol).strip_prefix(prefix.as_bytes()) {
                return read(codec, said, answer);
            }
        }
    }
    receive(connection, codec, protocol, line, deadline)
}

/// An answer that is not known by its prefix.
#[inline]
pub(super) fn receive(
    connection: &mut Connection,
    codec: &Codec,
    protocol: &Protocol,
    line: &mut Vec<u8>,
    deadline: Deadline,
) -> Result<Letter, Trouble> {
    if protocol.answers_in_one_line() {
        let said = connection.read_line(deadline).map_err(|broken| Trouble::Connection(broken, deadline))?;
        return read(codec, said, without_prompt(said, protocol));
    }
    gather(connection, protocol, deadline, line)?;
    codec.read_several(line, protocol.reply_line).map_err(|fault| Trouble::Said(shown(line), fault))
}

/// What is meant by a part of what was said.
#[inline]
pub(super) fn read(codec: &Codec, said: &[u8], answer: &[u8]) -> Result<Letter, Trouble> {
    codec.read(answer).map_err(|fault| Trouble::Said(shown(said), fault))
}

/// Makes sure that the system has said nothing more than it was asked for, as far as one can see now.
#[inline]
pub(super) fn expect_nothing(connection: &mut Connection, protocol: &Protocol) -> Result<(), Trouble> {
    let unread = match connection.unread() {
        Ok([]) => return Ok(()),
        Ok(unread) => unread,
        Err(broken) => return Err(Trouble::Connection(broken, Deadline::after(Duration::ZERO))),
    };
    let chatter = chatter(unread, protocol)?;
    connection.take(chatter);
    Ok(())
}

/// Makes sure that the system says nothing for a while.
pub(super) fn stay_quiet(
    connection: &mut Connection,
    protocol: &Protocol,
    time: Duration,
) -> Result<(), Trouble> {
    let deadline = Deadline::after(time);
    loop {
        expect_nothing(connection, protocol)?;
        match connection.listen(deadline) {
            Ok(()) => {}
            Err(Broken::Late) => return Ok(()),
            Err(broken) => return Err(Trouble::Connection(broken, deadline)),
        }
    }
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

/// Reads what the system says before its first input.
pub(super) fn skip_banner(
    connection: &mut Connection,
    protocol: &Protocol,
    deadline: Deadline,
) -> Result<(), Trouble> {
    let broken = |broken| Trouble::Connection(broken, deadline);
    for _ in 0..protocol.banner_lines {
        connection.read_line_in_time(deadline).map_err(broken)?;
    }
    if let Some(last) = &protocol.banner_until {
        while !connection.read_line_in_time(deadline).map_err(broken)?.starts_with(last.as_bytes()) {}
    }
    Ok(())
}

/// Sends the reset line and waits for its acknowledgement; other lines before it may be what was said `before` the reset.
pub(super) fn acknowledged(
    connection: &mut Connection,
    line: &[u8],
    protocol: &Protocol,
    before: bool,
) -> Result<(), Trouble> {
    let deadline = Deadline::after(protocol.reset_time());
    let broken = |broken| Trouble::Connection(broken, deadline);
    connection.write(line, deadline).map_err(broken)?;
    let Some(expected) = &protocol.reset_reply else { return Ok(()) };
    // The lines of an acknowledgement of several, so far.
    let mut lines = String::new();
    loop {
        let said = connection.read_line_in_time(deadline).map_err(broken)?;
        let text = without_prompt(said, protocol).trim_ascii();
        match expected {
            Acknowledgement::Pattern(pattern) if pattern.is_in(text) => return Ok(()),
            Acknowledgement::Pattern(_) => {}
            Acknowledgement::Texts(texts) => {
                let whole = lines.clone() + &String::from_utf8_lossy(text);
                let plain = |text: &String| text.replace("\r\n", "\n").trim().to_owned();
                if texts.iter().any(|text| plain(text) == whole) {
                    return Ok(());
                }
                let begun = whole + "\n";
                if texts.iter().any(|text| plain(text).starts_with(&begun)) {
                    lines = begun;
                    continue;
                }
            }
        }
        lines.clear();
        if protocol.reply_prefix.is_none() && !before {
            let message = format!("expected the reset to be acknowledged with {expected}");
            return Err(Trouble::Said(shown(said), Fault::NotAnAnswer(message)));
        }
    }
}

/// A line without the prompts before it.
#[inline]
pub(super) fn without_prompt<'a>(mut line: &'a [u8], protocol: &Protocol) -> &'a [u8] {
    if let Some(prompt) = protocol.prompt.as_ref().filter(|prompt| !prompt.is_empty()) {
        while let Some(rest) = line.strip_prefix(prompt.as_bytes()) {
            line = rest;
        }
    }
    line
}
