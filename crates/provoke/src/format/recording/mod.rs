//! Recorded runs as files: our text form, CSV, JSON lines and VCD.
//!
//! What each form looks like is described in `docs/guide/traces.md`.

mod csv;
mod json;
mod row;
#[cfg(test)]
mod tests;
mod vcd;
mod wave;
mod write;

use std::path::Path;

use crate::diagnostic::{Source, SpecError};
use crate::letter::Interface;
use crate::trace::{Trace, read_trace};

pub use write::{Lane, write};

/// A form of recorded runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One step a line, `inputs / outputs`: what [`crate::trace::write_trace`] writes.
    Text,
    /// A header with the names of the signals, then one step a line.
    Csv,
    /// One step a line, an object from names to values.
    JsonLines,
    /// The value change dump of simulators and logic analysers.
    Vcd,
}

/// What a file does not say itself.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The form; without it, what the file's name or its beginning says.
    pub format: Option<Format>,
    /// For VCD: one step a rising edge of this signal, instead of one step a time stamp.
    pub clock: Option<String>,
}

/// Reads a recorded run.
pub fn read(path: &Path, interface: &Interface, options: &Options) -> Result<Trace, SpecError> {
    let source = Source::read(path)?;
    let format = options.format.or_else(|| by_name(path)).unwrap_or_else(|| by_content(&source.text));
    parse(&source, format, interface, options)
}

/// Reads a recorded run of a known form.
pub fn parse(
    source: &Source,
    format: Format,
    interface: &Interface,
    options: &Options,
) -> Result<Trace, SpecError> {
    if let Some(clock) = options.clock.as_deref().filter(|_| format != Format::Vcd) {
        let message = format!("{} has no clock `{clock}`: only VCD files are sampled", source.name);
        return Err(SpecError::whole(source, message));
    }
    match format {
        Format::Text => read_trace(interface, source),
        Format::Csv => csv::parse(source, interface),
        Format::JsonLines => json::parse(source, interface),
        Format::Vcd => vcd::parse(source, interface, options.clock.as_deref()),
    }
}

fn by_name(path: &Path) -> Option<Format> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "trace" => Some(Format::Text),
        "csv" | "tsv" => Some(Format::Csv),
        "jsonl" | "ndjson" | "json" => Some(Format::JsonLines),
        "vcd" => Some(Format::Vcd),
        _ => None,
    }
}

/// The form by how the text begins; where nothing else fits, ours.
fn by_content(text: &str) -> Format {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    match first {
        Some(line) if line.starts_with('{') => Format::JsonLines,
        Some(line) if line.starts_with('$') => Format::Vcd,
        Some(line) if line.contains([',', ';', '\t']) && !line.contains('=') => Format::Csv,
        _ => Format::Text,
    }
}
