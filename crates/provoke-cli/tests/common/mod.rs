//! What several tests of the real binary need; none needs all of it.

#![allow(dead_code, unreachable_pub)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;

/// The program that misbehaves on demand, from `testing/misbehave`.
pub fn misbehave() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/misbehave");
        let age = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
        let beside = Path::new(env!("CARGO_BIN_EXE_provoke")).with_file_name("misbehave");
        // There already when the whole workspace is tested.
        if age(&beside).is_some() && age(&beside) >= age(&source.join("src/main.rs")) {
            return beside;
        }
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--message-format=json", "--manifest-path"]);
        let output = cargo.arg(source.join("Cargo.toml")).stderr(Stdio::inherit()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let built =
            messages.filter_map(|message| Some(PathBuf::from(message["executable"].as_str()?))).next_back();
        built.expect("cargo builds the misbehaving program")
    })
}

/// State, parent and command line of a process, if it is there.
pub fn process(id: u32) -> Option<(char, u32, String)> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let mut fields = stat.rsplit(')').next()?.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let parent = fields.next()?.parse().ok()?;
    let command = std::fs::read(format!("/proc/{id}/cmdline")).ok()?;
    Some((state, parent, String::from_utf8_lossy(&command).replace('\0', " ")))
}

pub fn lives(id: u32) -> bool {
    process(id).is_some_and(|(state, ..)| !['Z', 'X'].contains(&state))
}

pub fn processes() -> impl Iterator<Item = u32> {
    std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// Waits for something that must come; a minute without it is a failure on any machine.
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..30_000 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("{what}");
}

/// A folder with a specification of these tables.
pub fn folder(tables: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("spec.toml"), tables).unwrap();
    folder
}

/// Tests `spec.toml` of a folder: the exit code, and the report or else the error.
pub fn test(folder: &Path, words: &[&str]) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.args(["test"]).arg(folder.join("spec.toml")).args(["--no-save", "--json", "--seed", "1"]);
    let output = command.args(words).stdin(Stdio::null()).output().unwrap();
    let error = || Value::from(String::from_utf8_lossy(&output.stderr));
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| error());
    (output.status.code().unwrap_or(-1), report)
}

/// An address of this machine alone where nobody listens.
pub fn free_address() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}
