//! Machines as files: DOT, KISS2, `.fsm`, `.aut`, HOA, and the compact transition table.

mod aut;
mod circuit;
mod dot;
mod fsm;
mod hoa;
mod kiss2;
mod label;
mod lines;
mod table;
mod write;

use std::path::Path;

use crate::diagnostic::{Source, SpecError};
use crate::machine::{BuildError, Builder, Machine};

pub use aut::parse as parse_aut;
pub use dot::parse as parse_dot;
pub use fsm::parse as parse_fsm;
pub use hoa::parse as parse_hoa_machine;
pub use kiss2::parse as parse_kiss2;
pub use table::{MAGIC as TABLE_MAGIC, parse as parse_table, write_binary, write_text};
pub use write::{MachineFormat, WriteError, write_machine};

/// Reads a machine; the file's extension says the format, and where it does not, the first word of its text.
pub fn read(path: &Path) -> Result<Machine, SpecError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    match extension.to_ascii_lowercase().as_str() {
        "dot" | "gv" => parse_dot(&Source::read(path)?),
        "kiss2" | "kiss" => parse_kiss2(&Source::read(path)?),
        "fsm" => parse_fsm(&Source::read(path)?),
        "aut" => parse_aut(&Source::read(path)?),
        "hoa" => parse_hoa_machine(&Source::read(path)?),
        "table" | "tbl" => table::read(path),
        _ => by_content(path),
    }
}

/// The format by the first word of the text.
fn by_content(path: &Path) -> Result<Machine, SpecError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| table::unreadable(&name, &error))?;
    if table::is_table(&bytes) {
        return table::parse(&name, bytes);
    }
    let source = Source::read(path)?;
    let mut words = source.text.split_ascii_whitespace().skip_while(|word| word.starts_with(['#', '/']));
    let first = words.next().unwrap_or("");
    match first {
        "digraph" | "strict" | "graph" => parse_dot(&source),
        "HOA:" => parse_hoa_machine(&source),
        word if word.starts_with("des") => parse_aut(&source),
        ".i" | ".o" | ".s" | ".p" | ".r" | ".ilb" | ".ob" => parse_kiss2(&source),
        _ => Err(SpecError::whole(&source, format!("cannot tell what kind of machine {name} is"))
            .help("name the file .dot, .kiss2, .fsm, .aut, .hoa or .table")),
    }
}

/// The machine, or an error that shows the transition that contradicts an earlier one; `place` gives the
/// span of the k-th transition added.
fn build(
    source: &Source,
    builder: Builder,
    place: impl Fn(usize) -> std::ops::Range<usize>,
) -> Result<Machine, SpecError> {
    builder.build().map_err(|error| match error {
        BuildError::Conflict { first, second } => {
            let (line, _) = source.line_column(place(first).start);
            source
                .error(place(second), format!("this transition contradicts the one on line {line}"))
                .help("one state and input must always lead to the same state with the same output")
        }
        other => SpecError::whole(source, format!("{}: {other}", source.name)),
    })
}
