//! `provoke play` and `provoke test --cover` through the real binary.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What is printed with these words and these lines typed, and the exit code.
fn provoke(folder: &Path, words: &[&str], typed: &str) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command
        .current_dir(folder)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code().unwrap())
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    folder
}

const FORMULA: &str = "[signals]\ninputs = ['a']\noutputs = ['x']\n\
    [[requirement]]\nid = 'R'\ntext = 'Answer it.'\nltl = 'G(a -> x)'\n";
const COUNTER: &str = "var k : 0..2 = 0\ncontrollable Up\n  when k < 2\n  k := k + 1\n\
    observable Drop\n  when k > 0\n  k := 0\n";
const PROGRAM: &str = "[[requirement]]\nid = 'P'\nprogram = 'p.model'\n";

#[test]
fn a_wrong_answer_is_explained_and_taken_back() {
    let folder = folder(&[("s.toml", FORMULA)]);
    let lines = "a=1 / x=0\nwhy\nstate\nundo\na=1 / x=1\nsave t.trace\nnonsense\na=2 / x=0\n:nothing\n\n";
    let (text, code) = provoke(folder.path(), &["play", "s.toml", "--as", "both"], lines);
    assert_eq!(code, 0, "{text}");
    for part in [
        "WRONG: step 1, a=1 / x=0, is wrong:\n  it violates R: Answer it.\n  which would have allowed x=1\n",
        "R: violated",
        "back after 0 steps",
        "1 step saved as t.trace",
        "`nonsense` is not of the form name=0 or name=1",
        "`a=2`: a signal is 0 or 1",
        "`:nothing` is no command",
        "nothing was wrong: 1 step",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let saved = std::fs::read_to_string(folder.path().join("t.trace")).unwrap();
    assert_eq!(saved, "# provoke trace 1\na=1 / x=1\n");
    let (text, code) = provoke(folder.path(), &["play", "s.toml", "--as", "both"], "a=1\nx=0\n");
    assert_eq!(code, 1, "{text}");
}

#[test]
fn chance_plays_the_other_side_by_the_rules() {
    let folder = folder(&[("s.toml", FORMULA)]);
    let (text, code) = provoke(folder.path(), &["play", "s.toml"], &"2\n".repeat(20));
    assert_eq!((code, text.matches("a=1 / x=1").count()), (0, 20), "{text}");
    let (text, code) = provoke(folder.path(), &["play", "s.toml", "--as", "system"], &"x=1\n".repeat(20));
    assert_eq!((code, text.matches("input: a=").count()), (0, 21), "{text}");
    let (text, code) = provoke(folder.path(), &["play", "s.toml", "--as", "system", "--", "true"], "");
    assert_eq!(code, 2, "{text}");
}

#[test]
fn a_model_program_is_played() {
    let folder = folder(&[("s.toml", PROGRAM), ("p.model", COUNTER)]);
    let lines = "Up / delta\nstate\nDown / delta\nmu / Drop\nmu / Drop\nwhy\nquit\n";
    let (text, code) = provoke(folder.path(), &["play", "s.toml", "--as", "both"], lines);
    assert_eq!(code, 1, "{text}");
    for part in ["model: k = 1", "unknown label `Down`", "it violates P", "which would have allowed delta"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_real_system_is_played_against() {
    let system = "[system]\ncommand = ['sh', '-c', 'while read -r line; do echo x=0; done']\n";
    let folder = folder(&[("s.toml", &format!("{system}{FORMULA}"))]);
    let (text, code) = provoke(folder.path(), &["play", "s.toml"], "1\n2\n");
    assert_eq!((code, text.contains("it violates R")), (1, true), "{text}");
    let dies = ["play", "s.toml", "--", "sh", "-c", "read -r line; exit 3"];
    let (text, code) = provoke(folder.path(), &dies, "1\n");
    assert_eq!((code, text.contains("broken: ")), (4, true), "{text}");
}

#[test]
fn coverage_decides_the_exit_code() {
    let folder = folder(&[("s.toml", FORMULA), ("p.toml", PROGRAM), ("p.model", COUNTER)]);
    let run = |words: &[&str], script: &str| {
        let words = [words, &["--no-save", "--runs", "50", "--json", "--", "sh", "-c", script]].concat();
        let (text, code) = provoke(folder.path(), &words, "");
        (serde_json::from_str::<serde_json::Value>(&text).unwrap_or_else(|why| panic!("{why}: {text}")), code)
    };
    let echo = "while read -r line; do [ \"$line\" = a=1 ] && echo x=1 || echo x=0; done";
    let (report, code) = run(&["test", "s.toml", "--cover", "labels"], echo);
    assert_eq!((code, &report["coverage"][0]["covered"]), (0, &serde_json::json!(4)), "{report}");
    assert_eq!(report["strategy"], "tour");
    let (report, code) =
        run(&["test", "s.toml", "--cover", "labels"], "while read -r line; do echo x=1; done");
    assert_eq!((code, &report["coverage"][0]["never"]), (3, &serde_json::json!(["!x"])), "{report}");
    let quiet = "while read -r line; do echo delta; done";
    let (report, code) = run(&["test", "p.toml", "--cover", "states"], quiet);
    assert_eq!((code, &report["coverage"][0]["covered"]), (0, &serde_json::json!(3)), "{report}");
    let (report, code) = run(&["test", "p.toml", "--cover", "transitions"], quiet);
    assert_eq!((code, &report["coverage"][0]["elements"]), (3, &serde_json::json!(4)), "{report}");
}

#[test]
fn without_a_requirement_only_what_breaks_counts() {
    let folder = folder(&[("s.toml", "[signals]\ninputs = ['a']\noutputs = ['x']\n")]);
    let good = "while read -r line; do echo x=0; done";
    let bad = "while read -r line; do [ \"$line\" = a=1 ] && exit 1; echo x=0; done";
    for (strategy, script, expected) in
        [("least-cost", good, 0), ("random", good, 0), ("least-cost", bad, 4), ("frontier", bad, 4)]
    {
        let words = ["test", "s.toml", "--no-save", "--runs", "3", "--steps", "9", "--strategy", strategy];
        let (text, code) = provoke(folder.path(), &[&words, &["--", "sh", "-c", script][..]].concat(), "");
        assert_eq!(code, expected, "{strategy}: {text}");
        assert!(text.contains("no requirement: only crashes"), "{text}");
    }
}
