//! What the command says, and what it writes to files.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use provoke::diagnostic::Source;
use provoke::learn::{Tree, read_memory};
use provoke::letter::Interface;
use provoke::session;

/// The longest line of a report on a terminal, in characters.
const LONGEST: usize = 2_000;

/// Whether standard error is a terminal that can draw a line again.
pub(crate) fn is_live() -> bool {
    let is_dumb = match std::env::var_os("TERM") {
        Some(name) => name == "dumb" || name.is_empty(),
        None => cfg!(unix),
    };
    stderr().is_terminal() && !is_dumb
}

/// Whether standard error may be coloured: a terminal that can, and nobody asked for none (no-color.org).
pub(crate) fn is_coloured() -> bool {
    is_live() && std::env::var_os("NO_COLOR").is_none_or(|wish| wish.is_empty())
}

/// Prints a report with what matters most in colour, where standard output is a terminal and nobody asked for none.
pub(crate) fn report(text: &str) -> Result<()> {
    print(coloured(text).as_bytes())
}

fn coloured(text: &str) -> String {
    let is_wanted = stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|wish| wish.is_empty());
    let is_dumb = std::env::var_os("TERM").is_none_or(|name| name == "dumb" || name.is_empty());
    let text: String = text.lines().map(|line| clipped(&harmless(line)) + "\n").collect();
    if !is_wanted || is_dumb { text } else { paint(&text) }
}

/// A line cut to what a person reads of it; files have it whole.
fn clipped(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &line[..at]),
        None => line.to_owned(),
    }
}

/// Text in which nothing moves the cursor, rings or paints: it may come from outside.
fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect()
}

fn paint(text: &str) -> String {
    const STYLES: [(&str, &str); 9] = [
        ("violation of ", "1;31"),
        ("VIOLATED", "1;31"),
        ("SUSPECTED", "1;33"),
        ("broken:", "1;31"),
        ("WARNING", "33"),
        (">", "31"),
        ("  -->", "34"),
        ("next:", "36"),
        ("covered:", "1;32"),
    ];
    let line = |line: &str| match STYLES.iter().find(|(start, _)| line.starts_with(start)) {
        Some((_, style)) => format!("\x1b[{style}m{line}\x1b[0m\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Prints on standard output. A reader that went away (`provoke show x | head`) has seen what it wanted; the exit
/// code still tells the verdict.
pub(crate) fn say(text: impl Display) -> Result<()> {
    print(harmless(&text.to_string()).as_bytes())
}

fn print(contents: &[u8]) -> Result<()> {
    let mut out = stdout().lock();
    match out.write_all(contents).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("failed to write to standard output"),
    }
}

/// Prints a line on standard error. Where nobody can read it there is nobody to tell.
pub(crate) fn mention(line: impl Display) {
    mention_as_is(harmless(&line.to_string()));
}

/// The same with colours of our own in it.
pub(crate) fn mention_as_is(line: impl Display) {
    let _ = writeln!(stderr().lock(), "{line}");
}

/// Says how the bits of signals that are not Boolean are to be read in an automaton.
pub(crate) fn mention_bits(interface: &Interface) {
    let fields = interface.inputs.fields().iter().chain(interface.outputs.fields());
    for field in fields.filter(|field| !field.is_boolean() && !field.bits().is_empty()) {
        let (name, highest) = (field.name(), field.bits().len() - 1);
        let code = match field.bounds() {
            Some((low, _)) => format!("how far it is above {low}"),
            None if field.is_real() => {
                let least = field.show(field.value(0));
                format!("how many numbers there are between {least} and it")
            }
            None => format!("the place of its name, from 0: {}", field.kind()),
        };
        mention(format_args!(
            "note: `{name}.{highest}` is the bit of `{name}` that counts {}; together they say {code}",
            1u64 << highest
        ));
    }
    for hidden in interface.outputs.hidden() {
        mention(format_args!(
            "note: `{hidden}` is no signal: whether it is true follows from the numbers of an exchange and the one before"
        ));
    }
}

/// Prints warnings, one a line.
pub(crate) fn warn(warnings: &[impl Display]) {
    warnings.iter().for_each(|warning| mention(format_args!("warning: {warning}")));
}

/// Writes a text to a file if one is named, and otherwise prints it.
pub(crate) fn deliver(path: Option<&Path>, contents: impl AsRef<[u8]>) -> Result<()> {
    match path {
        Some(path) => write_whole(path, contents),
        None => print(contents.as_ref()),
    }
}

/// The ending of a file's name, in lower case; empty where there is none.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// What is said of a file whose ending does not tell its format.
pub(crate) fn unknown_ending(path: &Path, known: &str) -> String {
    let path = path.display();
    format!(
        "cannot tell the format of {path}: the endings known are {known}; --to says it whatever the ending"
    )
}

/// What a file remembers of a system; none where there is no such file yet.
pub(crate) fn recall(path: &Path, interface: &Interface, nodes: usize) -> Result<Option<Tree>> {
    if !path.exists() {
        return Ok(None);
    }
    // It is read to its end and written anew: some devices have no end.
    ensure!(path.is_file(), "cannot remember anything in {}: it is not a file", path.display());
    Ok(Some(read_memory(&Source::read(path)?, interface, nodes)?))
}

/// Writes a file whole or not at all.
pub(crate) fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    session::write_whole(path, contents).with_context(|| format!("failed to write {}", path.display()))
}
