//! Saved findings: a folder of readable traces beside the specification file.

use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::Source;
use crate::letter::{Interface, Letter};
use crate::specification::Specification;
use crate::trace::{Loop, Recording, Step, read_recording, write_lasso, write_recording};

/// Where findings are kept between sessions.
#[derive(Clone, Debug)]
pub struct Archive {
    folder: PathBuf,
}

/// A finding of an earlier session.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The file.
    pub path: PathBuf,
    /// What was saved.
    pub recording: Recording,
    /// What it is a trace of.
    pub kind: Kind,
}

/// What a saved trace showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A violation of the requirement with this id; whether it did not recur every time it was tried.
    Violation {
        /// The requirement; none where the file does not say.
        requirement: Option<String>,
        /// Whether it recurred in some tries and not in others.
        flaky: bool,
    },
    /// A system that broke.
    Breakdown,
}

/// A finding to be saved.
pub struct Finding<'a> {
    /// What it is called: the requirement's id.
    pub name: &'a str,
    /// The exchanges.
    pub steps: &'a [Step],
    /// The input after them that was not answered.
    pub unanswered: Option<Letter>,
    /// The steps that are repeated at the end.
    pub lasso: Option<Loop>,
    /// What is said about it, first what [`Kind`] it is.
    pub notes: Vec<String>,
}

/// How the first note of a violation and of a breakdown begin.
const VIOLATES: &str = "violates ";
const BREAKS: &str = "breaks the system: ";

/// Why a finding could not be saved.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// There is no folder for it, and none can be made.
    #[error("failed to make the folder {}: {_1}", .0.display())]
    Folder(PathBuf, std::io::Error),
    /// The file cannot be written.
    #[error("failed to write {}: {_1}", .0.display())]
    File(PathBuf, std::io::Error),
}

impl Archive {
    /// `carriage.toml` keeps its findings in `carriage.traces/`.
    pub fn beside(specification: &Path) -> Archive {
        Archive { folder: specification.with_extension("traces") }
    }

    /// The findings saved by earlier sessions, in the order of their file names, and a warning that names those which
    /// cannot be used any more.
    pub fn load(&self, specification: &Specification) -> (Vec<Saved>, Option<String>) {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Default::default(),
            Err(error) => {
                let folder = self.folder.display();
                let warning = format!("saved traces are not tried: failed to read {folder}: {error}");
                return (Vec::new(), Some(warning));
            }
        };
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "trace"))
            .collect();
        paths.sort();
        let (mut saved, mut stale) = (Vec::new(), Vec::new());
        for path in paths {
            let read =
                Source::read(&path).and_then(|source| read_recording(specification.interface(), &source));
            match read {
                Ok(recording) => saved.push(Saved { kind: Kind::of(&recording), path, recording }),
                Err(error) => stale.push(format!("{} ({})", path.display(), error.message())),
            }
        }
        let warning = match stale.len() {
            0 => None,
            1 => Some(format!(
                "a saved trace no longer fits and is skipped: {}; mend it or delete it",
                stale[0]
            )),
            _ => Some(format!(
                "saved traces no longer fit and are skipped: {}; mend them or delete them",
                stale.join(", ")
            )),
        };
        (saved, warning)
    }

    /// Saves a finding under its name. A file in `keep` is not replaced: the finding gets a number.
    pub fn save(
        &self,
        interface: &Interface,
        finding: &Finding<'_>,
        keep: &[PathBuf],
    ) -> Result<PathBuf, ArchiveError> {
        let Finding { name, steps, unanswered, lasso, notes } = finding;
        std::fs::create_dir_all(&self.folder)
            .map_err(|error| ArchiveError::Folder(self.folder.clone(), error))?;
        let numbered = |number: u32| match number {
            1 => self.folder.join(format!("{name}.trace")),
            number => self.folder.join(format!("{name}.{number}.trace")),
        };
        let path = (1..).map(numbered).find(|path| !keep.contains(path));
        let path = path.unwrap_or_else(|| numbered(1));
        let text = match lasso {
            Some(lasso) => write_lasso(interface, steps, *lasso, notes),
            None => write_recording(interface, steps, *unanswered, notes),
        };
        match write_whole(&path, &text) {
            Ok(()) => Ok(path),
            Err(error) => Err(ArchiveError::File(path, error)),
        }
    }
}

/// Writes a file so that a full disk or a kill leaves the old one or the new one, never half. What is there and
/// is no plain file (a device, a pipe, a link) is written to, not replaced.
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    if path.symlink_metadata().is_ok_and(|there| !there.is_file()) {
        return std::fs::write(path, contents);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    std::fs::write(&new, contents).and_then(|()| std::fs::rename(&new, path)).inspect_err(|_| {
        let _ = std::fs::remove_file(&new);
    })
}

impl Kind {
    fn of(recording: &Recording) -> Kind {
        let note = |start: &str| recording.notes.iter().find_map(|note| note.strip_prefix(start));
        if recording.unanswered.is_some() || note(BREAKS).is_some() {
            return Kind::Breakdown;
        }
        let said = note(VIOLATES).and_then(|rest| rest.rsplit_once("; reproduced "));
        let tries = said.and_then(|(_, tries)| tries.split_once(" of "));
        let flaky = tries.is_some_and(|(again, tries)| again.trim() != tries.trim());
        Kind::Violation { requirement: said.map(|(id, _)| id.to_owned()), flaky }
    }

    /// The note by which [`Archive::load`] knows a violation.
    pub(super) fn violation_note(requirement: &str, (again, tries): (u32, u32)) -> String {
        format!("{VIOLATES}{requirement}; reproduced {again} of {tries}")
    }

    /// The note by which [`Archive::load`] knows a breakdown.
    pub(super) fn breakdown_note(error: &str) -> String {
        format!("{BREAKS}{error}")
    }
}
