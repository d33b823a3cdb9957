//! Answers of several lines: where they end, and how much of them is kept.

use super::Fault;
use super::codec::shown;
use super::connection::{Broken, Connection, Deadline};
use super::exchange::{Trouble, without_prompt};
use super::protocol::Protocol;
use super::shape::More;

/// The longest answer in bytes, and the most lines that one may promise.
const LONGEST: usize = 1 << 20;

impl Protocol {
    /// Whether every answer is one line.
    #[inline]
    pub(super) fn answers_in_one_line(&self) -> bool {
        self.reply_lines.unwrap_or(1) == 1 && self.reply_until.is_none() && self.reply_more.is_empty()
    }

    /// How many lines more a line of an answer promises. Where several patterns speak of it, the most.
    fn promised(&self, line: &[u8]) -> Result<u64, Fault> {
        let mut most = 0;
        for (pattern, more) in &self.reply_more {
            let lines = match more {
                More::Lines(lines) if pattern.is_in(line) => *lines,
                More::Lines(_) => continue,
                More::Group(name) => match pattern.group(name, line) {
                    Some(text) => number(text)?,
                    None => continue,
                },
            };
            most = most.max(lines);
        }
        Ok(most)
    }
}

/// A number of lines; below zero there are none, as in the null array `*-1` of Redis.
fn number(text: &[u8]) -> Result<u64, Fault> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Fault::NotAnAnswer(format!("`{}` is not a number of lines", shown(text))));
    }
    if digits.len() < text.len() {
        return Ok(0);
    }
    // Too large to read is too many as well.
    Ok(std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(u64::MAX))
}

/// Reads all lines of an answer into `answer`, joined by single line ends.
///
/// Each line may promise more. A line that was promised is not looked at for the end of the answer.
pub(super) fn gather(
    connection: &mut Connection,
    protocol: &Protocol,
    deadline: Deadline,
    answer: &mut Vec<u8>,
) -> Result<(), Trouble> {
    answer.clear();
    let mut awaited =
        if protocol.reply_until.is_some() { 0 } else { protocol.reply_lines.unwrap_or(1) as u64 };
    let mut ended = protocol.reply_until.is_none();
    let mut first = true;
    loop {
        let line = match connection.read_line_in_time(deadline) {
            Ok(line) => line,
            Err(Broken::Late) if !first => {
                return Err(Trouble::Said(shown(answer), Fault::Unended(deadline.after)));
            }
            Err(broken) => return Err(Trouble::Connection(broken, deadline)),
        };
        let line = if first { without_prompt(line, protocol) } else { line };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if answer.len() + line.len() >= LONGEST {
            return Err(Trouble::Said(shown(answer), Fault::TooMuch(LONGEST)));
        }
        if !first {
            answer.push(b'\n');
        }
        answer.extend_from_slice(line);
        first = false;
        ended |= awaited == 0 && protocol.reply_until.as_ref().is_some_and(|until| until.is_in(line));
        let promised = protocol.promised(line).map_err(|fault| Trouble::Said(shown(answer), fault))?;
        awaited = awaited.saturating_sub(1).saturating_add(promised);
        if awaited > LONGEST as u64 {
            return Err(Trouble::Said(shown(answer), Fault::TooMuch(LONGEST)));
        }
        if ended && awaited == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::stderr::Stderr;
    use super::*;

    /// The answers in what a system says, one after another, until one is faulty or the text ends.
    fn answers(options: &str, said: &str) -> Vec<String> {
        let protocol: Protocol = toml::from_str(options).unwrap();
        let (to, _sink) = rustix::pipe::pipe().unwrap();
        let (from, way) = rustix::pipe::pipe().unwrap();
        rustix::io::ioctl_fionbio(&from, true).unwrap();
        rustix::io::write(&way, said.as_bytes()).unwrap();
        drop(way);
        let mut connection = Connection::new(to, from, Stderr::default());
        let mut found = Vec::new();
        let mut answer = Vec::new();
        loop {
            match gather(&mut connection, &protocol, Deadline::after(Duration::from_secs(60)), &mut answer) {
                Ok(()) => found.push(String::from_utf8(answer.clone()).unwrap()),
                Err(Trouble::Connection(..)) => return found,
                Err(Trouble::Said(_, fault)) => {
                    found.push(fault.to_string());
                    return found;
                }
            }
        }
    }

    #[test]
    fn lines_promise_more() {
        let redis = "reply_more = { '^\\$\\d+$' = 1, '^\\*(?<n>-?\\d+)$' = \"n\" }";
        let said =
            "+OK\r\n$-1\r\n$2\r\nab\r\n*2\r\n$1\r\na\r\n:7\r\n*0\r\n*-1\r\n*1\r\n*1\r\n$0\r\n\r\n:1\r\n";
        let expected = ["+OK", "$-1", "$2\nab", "*2\n$1\na\n:7", "*0", "*-1", "*1\n*1\n$0\n", ":1"];
        assert_eq!(answers(redis, said), expected);
        let mail = "reply_more = { '^\\d+-' = 1 }";
        assert_eq!(answers(mail, "250-a\n250-b\n250 c\n220 d\n"), ["250-a\n250-b\n250 c", "220 d"]);
    }

    #[test]
    fn the_last_line_is_known_by_a_pattern() {
        let until = "reply_until = '^(END|STORED)$'";
        assert_eq!(
            answers(until, "STORED\r\nVALUE n\r\n7\r\nEND\r\nEND\r\n"),
            ["STORED", "VALUE n\n7\nEND", "END"]
        );
        // Data that looks like the end is promised, so it is not the end.
        let both = format!("{until}\nreply_more = {{ '^VALUE' = 1 }}");
        assert_eq!(answers(&both, "VALUE n\nEND\nEND\nSTORED\n"), ["VALUE n\nEND\nEND", "STORED"]);
        assert_eq!(answers("reply_lines = 2", "a\nb\nc\nd\n"), ["a\nb", "c\nd"]);
    }

    #[test]
    fn hostile_promises_are_refused() {
        let by_group = "reply_more = { '^(?<n>.*) lines$' = \"n\" }";
        assert_eq!(answers(by_group, "x lines\n"), ["not an answer: `x` is not a number of lines"]);
        for many in ["99999999", "99999999999999999999999999"] {
            assert_eq!(
                answers(by_group, &format!("{many} lines\n")),
                ["the answer is longer than 1048576 bytes"]
            );
        }
    }
}
