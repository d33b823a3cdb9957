//! Saved violations: a folder of readable traces beside the specification file.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use provoke::report::{Report, ViolationReport};
use provoke::session::Saved;
use provoke::spec::Source;
use provoke::specification::Specification;
use provoke::trace::{read_trace, write_trace};

use crate::output::{warn, write_whole};

/// `carriage.toml` keeps its violations in `carriage.traces/`.
pub(crate) fn folder(specification: &Path) -> PathBuf {
    specification.with_extension("traces")
}

/// The violations saved by earlier sessions, in the order of their file names.
pub(crate) fn load(specification: &Specification) -> Result<Vec<Saved>> {
    let folder = folder(&specification.path);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("failed to read {}", folder.display())),
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "trace"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let trace = read_trace(specification.interface(), &Source::read(&path)?)?;
            Ok(Saved { path, trace })
        })
        .collect()
}

/// Saves each violation under its requirement's id; what cannot be saved is said and not lost: the report
/// has the trace too.
pub(crate) fn save(specification: &Specification, report: &mut Report) {
    for violation in &mut report.violations {
        match save_one(specification, violation) {
            Ok(path) => violation.saved = Some(path.display().to_string()),
            Err(error) => warn(&[format!("{error:#}")]),
        }
    }
}

fn save_one(specification: &Specification, violation: &ViolationReport) -> Result<PathBuf> {
    let folder = folder(&specification.path);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("failed to make the folder {}", folder.display()))?;
    let path = folder.join(format!("{}.trace", violation.requirement));
    let (again, tries) = violation.reproduced;
    let mut notes = vec![format!("violates {}; reproduced {again} of {tries}", violation.requirement)];
    if !violation.text.is_empty() {
        notes.push(violation.text.clone());
    }
    write_whole(&path, &write_trace(specification.interface(), &violation.trace, &notes))?;
    Ok(path)
}
