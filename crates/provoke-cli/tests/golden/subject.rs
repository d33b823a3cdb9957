//! A specification in a folder of its own, and what the real binary does with it.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::machine::Answering;
use crate::recorder::Recorder;
use crate::told::{LONGEST_TEXT, all_of, code, differing, measured, report, shown, timeless};

/// The sessions that are told.
const SESSIONS: [&[&str]; 4] = [
    &[],
    &["--keep-going"],
    &["--strategy", "mcts-greedy", "--keep-going"],
    &["--strategy", "epsilon-greedy"],
];

/// Enough for most objectives, few enough to be quick.
const BUDGET: [&str; 6] = ["--seed", "1", "--runs", "20", "--steps", "45"];

pub(crate) struct Subject {
    folder: tempfile::TempDir,
    pub(crate) spec: String,
}

impl Subject {
    /// A folder with these files and the specification.
    pub(crate) fn of_files(spec: &str, files: &[(&str, &str)]) -> Subject {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files.iter().chain(&[("spec.toml", spec)]) {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Subject { folder, spec: spec.to_owned() }
    }

    /// `FOLDER/SPEC` of the examples, with all that lies beside it.
    pub(crate) fn of_example(examples: &Path, example: &str) -> Subject {
        let path = examples.join(example).with_extension("toml");
        let subject = Subject::of_files(&std::fs::read_to_string(&path).unwrap(), &[]);
        for file in std::fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()) {
            if file.is_file() {
                std::fs::copy(&file, subject.folder.path().join(file.file_name().unwrap())).unwrap();
            }
        }
        subject
    }

    /// The text of the machine that the specification names.
    pub(crate) fn model(&self) -> String {
        let named = self.spec.lines().find_map(|line| line.strip_prefix("model = ")).unwrap();
        std::fs::read_to_string(self.folder.path().join(named.trim_matches('"'))).unwrap()
    }

    /// The ids of all tables of this name.
    pub(crate) fn ids(&self, table: &str) -> Vec<String> {
        let header = format!("[[{table}]]");
        let tables = self.spec.split(&header).skip(1);
        let id = |text: &str| text.split('"').nth(1).expect("an id in quotes").to_owned();
        tables.map(id).collect()
    }

    /// What `check` says.
    pub(crate) fn checked(&self) -> String {
        format!("\n#### check\n{}", all_of(&self.provoke(&["check", "spec.toml"])))
    }

    /// Every requirement, every assumption and every objective, drawn.
    pub(crate) fn pictures(&self) -> String {
        let automata = ["requirement", "assumption"].map(|table| self.ids(table)).concat();
        let mut told: String = automata.iter().map(|id| self.picture(&["--automaton", id])).collect();
        for objective in self.ids("objective") {
            told += &self.picture(&["--objective", &objective]);
        }
        if !self.ids("objective").is_empty() {
            told += &self.picture(&["--product"]);
        }
        told
    }

    /// One picture as DOT and as SVG.
    pub(crate) fn picture(&self, words: &[&str]) -> String {
        let mut told = format!("\n#### show {}\n", words.join(" "));
        for format in ["dot", "svg"] {
            let drawn = all_of(&self.provoke(&[&["show", "spec.toml", "--to", format], words].concat()));
            let is_long = format == "svg" || drawn.len() > LONGEST_TEXT;
            told += &if is_long { format!("{format}: {}\n", measured(&drawn)) } else { drawn };
        }
        told
    }

    /// The reports of sessions with the simulated machine: as text, with what is saved, and as JSON.
    pub(crate) fn reports(&self) -> String {
        let mut told = String::new();
        for time in ["once", "again"] {
            let output = self.provoke(&[&["test", "spec.toml", "--keep-going"], &BUDGET[..]].concat());
            let _ = write!(told, "\n#### test --keep-going, {time}\n{}", timeless(&all_of(&output)));
        }
        told += &self.saved();
        let mut first: Option<String> = None;
        for words in SESSIONS {
            let fixed = [&["test", "spec.toml", "--no-save", "--json"], &BUDGET[..]].concat();
            let told_now = report(&self.provoke(&[&fixed[..], words].concat()));
            let _ = writeln!(told, "\n#### {}", [&["test", "--json"], words].concat().join(" "));
            match &first {
                None => told += &told_now,
                Some(first) => told += &differing(first, &told_now),
            }
            first.get_or_insert(told_now);
        }
        told
    }

    /// The files that were saved beside the specification, and what a replay says of each.
    fn saved(&self) -> String {
        let Ok(entries) = std::fs::read_dir(self.folder.path().join("spec.traces")) else {
            return String::new();
        };
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let mut told = String::new();
        for name in names {
            let path = format!("spec.traces/{name}");
            let text = std::fs::read_to_string(self.folder.path().join(&path)).unwrap();
            let replayed = all_of(&self.provoke(&["replay", &path]));
            let _ = write!(told, "\n#### saved as {name}\n{}{}", shown(&text), shown(&replayed));
        }
        told
    }

    /// The campaigns of the same sessions as the system sees them.
    pub(crate) fn campaigns(&self, start: impl Fn() -> Answering + Clone + Send + 'static) -> String {
        SESSIONS.iter().map(|words| self.campaign(words, start.clone())).collect()
    }

    /// One campaign against a system that records it: each run, then the report. Shrinking by the clock would not be
    /// the same everywhere, so nothing is shrunk.
    pub(crate) fn campaign(&self, words: &[&str], start: impl Fn() -> Answering + Send + 'static) -> String {
        let recorder = Recorder::new(start);
        let tcp = format!("tcp = \"{}\"", recorder.address);
        let model = self.spec.lines().find(|line| line.starts_with("model = "));
        let spec = match model {
            Some(line) => self.spec.replace(line, &tcp),
            None => format!("{}\n[system]\n{tcp}\n", self.spec),
        };
        // A slow machine is not to be taken for a silent system.
        let patient =
            "\n[system.protocol]\nsettle_ms = 0\nstart_ms = 600000\nstep_ms = 600000\nreset_ms = 600000\n";
        std::fs::write(self.folder.path().join("recorded.toml"), spec + patient).unwrap();
        let fixed = ["--no-save", "--json", "--reset-cost", "1", "--shrink-steps", "0"];
        let output = self.provoke(&[&["test", "recorded.toml"], &BUDGET[..], &fixed, words].concat());
        let runs = recorder.end();
        let report = report(&output);
        // With a simulated machine its report is told in full already.
        let report = if model.is_some() { String::new() } else { report };
        format!("\n#### the campaign of {}\n{runs}{report}", [&["test"], words].concat().join(" "))
    }

    fn provoke(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        command.current_dir(self.folder.path()).args(words).stdin(Stdio::null());
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!((0..=4).contains(&code(&output)), "provoke {}: {error}", words.join(" "));
        output
    }
}
