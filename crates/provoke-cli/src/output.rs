//! What the command says, and what it writes to files.

use std::fmt::Display;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::path::Path;

use anyhow::{Context, Result};
use provoke::session;

/// Prints on standard output. A reader that went away (`provoke show x | head`) has seen what it wanted; the exit
/// code still tells the verdict.
pub(crate) fn say(text: impl Display) -> Result<()> {
    let mut out = stdout().lock();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("failed to write to standard output"),
    }
}

/// Prints a line on standard error. Where nobody can read it there is nobody to tell.
pub(crate) fn mention(line: impl Display) {
    let _ = writeln!(stderr().lock(), "{line}");
}

/// Prints warnings, one a line.
pub(crate) fn warn(warnings: &[impl Display]) {
    warnings.iter().for_each(|warning| mention(format_args!("warning: {warning}")));
}

/// Writes a text to a file if one is named, and otherwise prints it.
pub(crate) fn deliver(path: Option<&Path>, text: &str) -> Result<()> {
    match path {
        Some(path) => write_whole(path, text),
        None => say(text),
    }
}

/// Writes a file whole or not at all.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<()> {
    session::write_whole(path, text).with_context(|| format!("failed to write {}", path.display()))
}
