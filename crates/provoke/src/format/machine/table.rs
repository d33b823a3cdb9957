//! Transition tables for very large machines: one row a state, as text or as bytes.
//!
//! The text form:
//! ```text
//! table 3 2          # states and inputs; a third number is the initial state
//! inputs a b         # optional; they are called 0, 1, ... otherwise
//! 1 2                # state 0: where input a leads, then input b
//! 1/7 -              # state 1: answers 7 and stays; b is undefined
//! 0 0
//! ```
//! The binary form, all numbers little-endian `u32`: the eight bytes `PROVOKE1`; states; inputs; initial state or
//! `0xffffffff`; outputs (0 for none); `states * inputs` successors; as many outputs where there are some.
//! `0xffffffff` marks what is undefined.

use std::io::{self, Write};
use std::path::Path;

use crate::diagnostic::{Source, SpecError};
use crate::machine::{MOST_ENTRIES, Machine, Names, UNDEFINED};

/// How the binary form begins.
pub const MAGIC: &[u8; 8] = b"PROVOKE1";

/// The keyword with which the text form begins.
const KEYWORD: &str = "table";

pub(super) fn unreadable(name: &str, error: &io::Error) -> SpecError {
    SpecError::whole(&Source::new(name, ""), format!("cannot read {name}: {error}"))
}

pub(super) fn is_table(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(KEYWORD.as_bytes());
    bytes.starts_with(MAGIC) || text.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
}

/// Reads a table, text or binary.
pub(super) fn read(path: &Path) -> Result<Machine, SpecError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| unreadable(&name, &error))?;
    parse(&name, bytes)
}

/// Reads a table from its bytes, text or binary; `name` is what errors show.
pub fn parse(name: &str, bytes: Vec<u8>) -> Result<Machine, SpecError> {
    if bytes.starts_with(MAGIC) {
        let result = binary(&bytes[MAGIC.len()..]);
        return result
            .map_err(|message| SpecError::whole(&Source::new(name, ""), format!("{name}: {message}")));
    }
    // The text is large: it is copied into an error only when there is one.
    let located = |at: usize, length: usize, message: String, help: &str| {
        let source = Source::new(name, String::from_utf8_lossy(&bytes).into_owned());
        let error = source.error(at..at + length.max(1), message);
        if help.is_empty() { error } else { error.help(help) }
    };
    text(&bytes).map_err(|wrong| located(wrong.at, wrong.length, wrong.message, wrong.help))
}

fn binary(bytes: &[u8]) -> Result<Machine, String> {
    let mut numbers =
        bytes.chunks_exact(4).map(|chunk| u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]));
    let mut header = || numbers.next().ok_or_else(|| "the header is cut off".to_owned());
    let (states, inputs, initial, outputs) = (header()?, header()?, header()?, header()?);
    let entries = states as usize * inputs as usize;
    // The header may promise more bytes than can be counted in a word.
    let expected = 16 + 4 * entries as u128 * if outputs > 0 { 2 } else { 1 };
    if entries > MOST_ENTRIES || bytes.len() as u128 != expected {
        return Err(format!(
            "{states} states and {inputs} inputs take {expected} bytes after the first word, but {} follow",
            bytes.len()
        ));
    }
    let next: Vec<u32> = numbers.by_ref().take(entries).collect();
    let names = (Names::numbered("", states as usize), Names::numbered("", inputs as usize));
    let mut machine = Machine::from_table(names.0, names.1, next).map_err(|error| error.to_string())?;
    if outputs > 0 {
        let names = Names::numbered("", outputs as usize);
        machine = machine.with_outputs(names, numbers.collect()).map_err(|error| error.to_string())?;
    }
    if initial != UNDEFINED {
        machine =
            machine.with_initial(initial).map_err(|_| format!("there is no initial state {initial}"))?;
    }
    Ok(machine)
}

struct Wrong {
    at: usize,
    length: usize,
    message: String,
    help: &'static str,
}

fn wrong<T>(at: usize, length: usize, message: impl Into<String>, help: &'static str) -> Result<T, Wrong> {
    Err(Wrong { at, length, message: message.into(), help })
}

/// Walks over the words of the text without copying any.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    /// The next word of this line.
    fn word(&mut self) -> Option<(usize, &'a [u8])> {
        while self.bytes.get(self.at).is_some_and(|&byte| byte == b' ' || byte == b'\t' || byte == b'\r') {
            self.at += 1;
        }
        let start = self.at;
        if self.bytes.get(start) == Some(&b'#') {
            let rest = &self.bytes[start..];
            self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            return None;
        }
        while self.bytes.get(self.at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        (self.at > start).then(|| (start, &self.bytes[start..self.at]))
    }

    /// Goes to the next line that has a word; false at the end.
    fn line(&mut self) -> bool {
        loop {
            let start = self.at;
            if self.word().is_some() {
                self.at = start;
                return true;
            }
            match self.bytes.get(self.at) {
                Some(_) => self.at += 1,
                None => return false,
            }
        }
    }
}

fn number(word: &[u8]) -> Option<u32> {
    if word.is_empty() || word.len() > 10 {
        return None;
    }
    let value = word.iter().try_fold(0u64, |value, digit| {
        digit.is_ascii_digit().then(|| value * 10 + u64::from(digit - b'0'))
    })?;
    u32::try_from(value).ok().filter(|&value| value != UNDEFINED)
}

const HEADER: &str = "begin with `table STATES INPUTS` or `table STATES INPUTS INITIAL`";

fn text(bytes: &[u8]) -> Result<Machine, Wrong> {
    let mut words = Words { bytes, at: 0 };
    if !words.line() {
        return wrong(0, 1, "the table is empty", HEADER);
    }
    let (states, inputs, initial) = header(&mut words)?;
    let mut input_names = Names::numbered("", inputs);
    if words.line() && bytes[words.at..].starts_with(b"inputs") {
        input_names = names(&mut words, inputs)?;
    }
    let mut next: Vec<u32> = Vec::with_capacity((states * inputs).min(bytes.len() / 2 + 1));
    let mut output: Vec<u32> = Vec::new();
    let mut outputs = 0;
    let mut rows = 0;
    while words.line() {
        if rows == states {
            return wrong(words.at, 1, format!("a row too many: {states} states are announced"), "");
        }
        for input in 0..inputs {
            let Some((at, word)) = words.word() else {
                let message = format!("state {rows} has {input} successors instead of {inputs}");
                return wrong(words.at, 1, message, "write - for an undefined transition");
            };
            let (to, answer) = entry(at, word, states)?;
            next.push(to);
            if answer != UNDEFINED && output.is_empty() {
                output = vec![UNDEFINED; next.len() - 1];
                output.reserve_exact(states * inputs - output.len());
            }
            if answer != UNDEFINED || !output.is_empty() {
                output.push(answer);
            }
            if answer != UNDEFINED {
                outputs = outputs.max(answer as usize + 1);
            }
        }
        if let Some((at, word)) = words.word() {
            let message = format!("state {rows} has more than {inputs} successors");
            return wrong(at, word.len(), message, "");
        }
        rows += 1;
    }
    if rows != states && inputs > 0 {
        return wrong(
            bytes.len().saturating_sub(1),
            1,
            format!("the table ends after {rows} of {states} rows"),
            "",
        );
    }
    let built = Machine::from_table(Names::numbered("", states), input_names, next)
        .and_then(|machine| match output.is_empty() {
            true => Ok(machine),
            false => machine.with_outputs(Names::numbered("", outputs), output),
        })
        .and_then(|machine| match initial {
            Some(initial) => machine.with_initial(initial),
            None => Ok(machine),
        });
    built.or_else(|error| wrong(0, 1, error.to_string(), ""))
}

fn header(words: &mut Words<'_>) -> Result<(usize, usize, Option<u32>), Wrong> {
    let (start, keyword) = words.word().unwrap_or((0, b""));
    if keyword != KEYWORD.as_bytes() {
        return wrong(start, keyword.len(), "this is not a transition table", HEADER);
    }
    let mut numbers = Vec::new();
    while let Some((at, word)) = words.word() {
        match number(word) {
            Some(number) if numbers.len() < 3 => numbers.push((at, number)),
            _ => return wrong(at, word.len(), "expected two or three numbers", HEADER),
        }
    }
    let (states, inputs, initial) = match numbers[..] {
        [(_, states), (_, inputs)] => (states, inputs, None),
        [(_, states), (_, inputs), initial] => (states, inputs, Some(initial)),
        _ => return wrong(start, words.at - start, "expected two or three numbers", HEADER),
    };
    if states as usize * inputs as usize > MOST_ENTRIES {
        return wrong(start, words.at - start, "this table is too large", "at most 2^31 entries fit");
    }
    match initial {
        Some((at, initial)) if initial >= states => {
            wrong(at, 1, format!("there is no state {initial}"), "states are numbered from 0")
        }
        _ => Ok((states as usize, inputs as usize, initial.map(|(_, initial)| initial))),
    }
}

fn names(words: &mut Words<'_>, inputs: usize) -> Result<Names, Wrong> {
    let start = words.at;
    words.word();
    let mut names = Vec::new();
    while let Some((at, word)) = words.word() {
        match std::str::from_utf8(word) {
            Ok(name) if !names.contains(&name) => names.push(name),
            Ok(name) => return wrong(at, word.len(), format!("input `{name}` is named twice"), ""),
            Err(_) => return wrong(at, word.len(), "this name is not UTF-8 text", ""),
        }
    }
    if names.len() != inputs {
        let message = format!("{} inputs are named instead of {inputs}", names.len());
        return wrong(start, words.at - start, message, "");
    }
    Ok(names.into_iter().collect())
}

/// `next`, `next/output` or `-`.
fn entry(at: usize, word: &[u8], states: usize) -> Result<(u32, u32), Wrong> {
    if word == b"-" {
        return Ok((UNDEFINED, UNDEFINED));
    }
    let slash = word.iter().position(|&byte| byte == b'/');
    let state = number(&word[..slash.unwrap_or(word.len())]);
    let Some(to) = state else {
        return wrong(
            at,
            word.len(),
            "expected a state, state/output or -",
            "states and outputs are numbers",
        );
    };
    if to as usize >= states {
        let message = format!("there is no state {to}");
        return wrong(at, word.len(), message, "the first line says how many there are, numbered from 0");
    }
    match slash.map(|slash| number(&word[slash + 1..])) {
        None => Ok((to, UNDEFINED)),
        Some(Some(answer)) => Ok((to, answer)),
        Some(None) => wrong(at, word.len(), "expected the number of an output after /", ""),
    }
}

/// Writes the text form. State names are not kept.
pub fn write_text(machine: &Machine, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{KEYWORD} {} {}", machine.states().len(), machine.inputs().len())?;
    match machine.initial() {
        Some(initial) => writeln!(out, " {initial}")?,
        None => writeln!(out)?,
    }
    if *machine.inputs() != Names::numbered("", machine.inputs().len()) {
        write!(out, "inputs")?;
        for input in machine.inputs().iter() {
            write!(out, " {}", input.replace(char::is_whitespace, "_"))?;
        }
        writeln!(out)?;
    }
    for state in 0..machine.states().len() as u32 {
        for (input, &to) in machine.row(state).iter().enumerate() {
            let blank = if input == 0 { "" } else { " " };
            match (to, machine.output(state, input as u32)) {
                (UNDEFINED, _) => write!(out, "{blank}-")?,
                (_, None) => write!(out, "{blank}{to}")?,
                (_, Some(answer)) => write!(out, "{blank}{to}/{answer}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes the binary form. Names are not kept.
pub fn write_binary(machine: &Machine, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(MAGIC)?;
    let counts = [machine.states().len() as u32, machine.inputs().len() as u32];
    let rest = [machine.initial().unwrap_or(UNDEFINED), machine.outputs().len() as u32];
    for number in counts.iter().chain(&rest).chain(machine.table()).chain(machine.output_table()) {
        out.write_all(&number.to_le_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
