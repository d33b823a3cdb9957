//! Verilog made into a circuit by Yosys, where it is installed.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::diagnostic::{Source, SpecError};

/// Why there is no circuit.
#[derive(Debug)]
pub enum Failed {
    /// Something in the Verilog file, shown there.
    There(SpecError),
    /// Something else: shown where the file is named.
    Here(YosysError),
}

/// What is wrong that is not in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YosysError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Whether Yosys is installed.
pub fn is_installed() -> bool {
    Command::new("yosys").arg("-V").output().is_ok()
}

/// The circuit of a Verilog file: its only module that no other uses, and what that is made of. Registers start with their
/// `initial` values; `assert` and `assume` are bad state properties and constraints.
pub fn to_aiger(path: &Path, source: &Source) -> Result<Vec<u8>, Failed> {
    let here = |message: String, help: Option<&str>| {
        Failed::Here(YosysError { message, help: help.map(str::to_owned) })
    };
    let folder =
        Folder::new().map_err(|error| here(format!("failed to make a temporary folder: {error}"), None))?;
    // Names on Yosys's own command line would have to be quoted; copies in a folder of our own need not be.
    let (copy, made) = (folder.0.join("requirement.v"), folder.0.join("requirement.aag"));
    let failed = |error: io::Error| here(format!("failed to use a temporary folder: {error}"), None);
    std::fs::write(&copy, source.text.as_bytes()).map_err(failed)?;
    let include = std::path::absolute(path).ok().and_then(|path| Some(path.parent()?.to_owned()));
    let script = format!(
        "read_verilog -sv -formal {}requirement.v; hierarchy -check -auto-top; proc; flatten; opt_clean; \
         check; scc -expect 0; async2sync; dffunmap; memory; techmap; opt -fast; aigmap; \
         write_aiger -ascii -symbols requirement.aag",
        include
            .filter(|folder| !folder.to_string_lossy().contains([' ', ';', '"', '\\', '#']))
            .map_or(String::new(), |folder| format!("-I{} ", folder.display())),
    );
    let output = Command::new("yosys").arg("-p").arg(script).current_dir(&folder.0).output();
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => here(
            "Verilog is read through Yosys, which is not installed".to_owned(),
            Some("install it (`apt-get install yosys`), or give the circuit as AIGER, which needs nothing"),
        ),
        _ => here(format!("failed to start yosys: {error}"), None),
    })?;
    let (told, log) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    if !output.status.success() {
        return Err(Failed::There(rejected(source, &told, &log)));
    }
    std::fs::read(&made).map_err(failed)
}

/// What Yosys said, at the line that it names.
fn rejected(source: &Source, told: &str, log: &str) -> SpecError {
    let all = || told.lines().chain(log.lines());
    let error = all().find(|line| line.contains("ERROR:")).unwrap_or("yosys failed");
    let message = error.split_once("ERROR:").map_or(error, |(_, message)| message).trim();
    // Versions differ in which pass names the cells of a loop, and where.
    let names_cell = |line: &&str| line.contains("SCC:") || line.trim_start().starts_with("cell ");
    let (message, line) = if error.contains("SCC") {
        let message = "a combinational loop: a value depends on itself in the same step".to_owned();
        (message, all().filter(names_cell).find_map(line_in))
    } else {
        (format!("yosys: {message}"), line_in(error))
    };
    let help: Vec<&str> = all()
        .filter(|line| line.contains("ERROR") || line.contains("logic loop") || names_cell(line))
        .map(str::trim)
        .take(10)
        .collect();
    let error = match line {
        Some(line) => {
            let start: usize = source.text.split_inclusive('\n').take(line - 1).map(str::len).sum();
            let length = source.text.get(start..).map_or(0, |rest| rest.lines().next().map_or(0, str::len));
            source.error(start..start + length, message)
        }
        None => SpecError::whole(source, format!("{}: {message}", source.name)),
    };
    error.help(format!("Yosys said:\n{}", help.join("\n")))
}

/// The line of the file that a message names.
fn line_in(message: &str) -> Option<usize> {
    let (_, rest) = message.split_once("requirement.v:")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|&line| line > 0)
}

/// A folder that nobody else can read, gone when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Folder> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("provoke-{}-{number}", std::process::id()));
            let mut builder = std::fs::DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            match builder.create(&path) {
                Ok(()) => return Ok(Folder(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a temporary folder harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
