//! What a system prints on stderr: drained whenever we wait, and its tail kept.

use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::codec::shown;

/// How much is kept, and how many lines of it are shown.
const KEEP: usize = 64 * 1024;
const LINES: usize = 20;

/// The stderr of a system, which may be endless, and its last bytes.
#[derive(Debug, Default)]
pub(super) struct Stderr {
    // invariant: non-blocking; gone once the other side has closed it.
    from: Option<OwnedFd>,
    // invariant: at most 2 * KEEP bytes.
    bytes: Vec<u8>,
    /// Where answers are looked for here: what was said and not yet looked at, at most 2 * KEEP bytes.
    unread: Option<Vec<u8>>,
}

impl Stderr {
    pub(super) fn new(from: OwnedFd) -> Stderr {
        Stderr { from: Some(from), ..Stderr::default() }
    }

    /// Answers may be among it.
    pub(super) fn with_answers(self) -> Stderr {
        Stderr { unread: Some(Vec::new()), ..self }
    }

    /// Whether answers may be among it.
    #[inline]
    pub(super) fn has_answers(&self) -> bool {
        self.unread.is_some()
    }

    /// Whether there is a line to be looked at: a whole one, or the last one where no more can come.
    pub(super) fn has_line(&self) -> bool {
        let last = self.from.is_none();
        self.unread.as_ref().is_some_and(|unread| unread.contains(&b'\n') || last && !unread.is_empty())
    }

    /// Takes such a line, without its line end.
    pub(super) fn take_line(&mut self) -> Option<Vec<u8>> {
        if !self.has_line() {
            return None;
        }
        let unread = self.unread.as_mut()?;
        let length = unread.iter().position(|&byte| byte == b'\n');
        let mut line: Vec<u8> = unread.drain(..length.map_or(unread.len(), |length| length + 1)).collect();
        line.truncate(length.unwrap_or(line.len()));
        Some(line)
    }

    /// What was said so far, and no more.
    pub(super) fn heard(&self) -> Stderr {
        Stderr { from: None, bytes: self.bytes.clone(), unread: None }
    }

    /// Where to wait for more, if more can come.
    #[inline]
    pub(super) fn source(&self) -> Option<&OwnedFd> {
        self.from.as_ref()
    }

    /// Reads one piece; false when there is none for now.
    pub(super) fn read(&mut self) -> bool {
        let Some(from) = &self.from else { return false };
        let mut piece = [0; 16 * 1024];
        match rustix::io::read(from, &mut piece) {
            Ok(count) if count > 0 => {
                self.push(&piece[..count]);
                true
            }
            Err(Errno::INTR) => true,
            Err(Errno::AGAIN) => false,
            Ok(_) | Err(_) => {
                self.from = None;
                false
            }
        }
    }

    /// Reads what is there; bounded, should it never end.
    pub(super) fn drain(&mut self) {
        for _ in 0..256 {
            if !self.read() {
                break;
            }
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(KEEP)..];
        if let Some(unread) = &mut self.unread {
            unread.extend_from_slice(bytes);
            let much = unread.len().saturating_sub(2 * KEEP);
            unread.drain(..much);
        }
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > 2 * KEEP {
            self.bytes.drain(..self.bytes.len() - KEEP);
        }
    }

    /// The last lines, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        let text = self.bytes.trim_ascii_end();
        if text.is_empty() {
            return Vec::new();
        }
        let mut lines: Vec<String> =
            text.rsplit(|&byte| byte == b'\n').take(LINES).map(|line| shown(line.trim_ascii_end())).collect();
        lines.reverse();
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_leaves_its_last_lines() {
        let mut words = Stderr::default();
        assert!(words.lines().is_empty());
        for number in 0..100_000 {
            words.push(format!("line {number}\n").as_bytes());
        }
        assert!(words.bytes.len() <= 2 * KEEP);
        let lines = words.lines();
        assert_eq!((lines.len(), lines[0].as_str(), lines[19].as_str()), (20, "line 99980", "line 99999"));
        words.push(&vec![b'x'; 1 << 20]);
        assert!(words.bytes.len() <= 2 * KEEP);
    }
}
