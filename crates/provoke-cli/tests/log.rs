//! `provoke test --log`: the same tallies as the report, and no verdict that hangs on it.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

use provoke::session::{Record, Tallies};
use serde_json::Value;

const SPEC: &str = "[signals]\ninputs = ['a']\noutputs = ['x']\n[system]\nmodel = 'model.dot'\n\
    [[requirement]]\nid = 'R'\nltl = 'G (a -> !x)'\n[[objective]]\nid = 'seen'\nltl = 'F x'\n";
const MODEL: &str = "digraph { __start0 -> p; p -> q [label=\"a / !x\"]; p -> p [label=\"!a / !x\"]; \
    q -> q [label=\"true / x\"]; }";

fn provoke(folder: &Path, words: &[&str]) -> Output {
    std::fs::write(folder.join("spec.toml"), SPEC).unwrap();
    std::fs::write(folder.join("model.dot"), MODEL).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder).args(["test", "spec.toml", "--json", "--seed", "18446744073709551615"]);
    command.args(words).output().unwrap()
}

#[test]
fn a_log_adds_up_to_the_report() {
    let folder = tempfile::tempdir().unwrap();
    // The second session runs the saved violation first.
    for words in [&["--hunt"][..], &["--keep-going"]] {
        let output = provoke(folder.path(), &[words, &["--log", "run.jsonl"]].concat());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let log = std::fs::read_to_string(folder.path().join("run.jsonl")).unwrap();
        let tallies = Tallies::of(&log).unwrap();
        for (field, count) in [
            ("runs", tallies.runs),
            ("resets", tallies.resets),
            ("steps", tallies.steps),
            ("shrink_resets", tallies.shrink_resets),
            ("shrink_steps", tallies.shrink_steps),
        ] {
            assert_eq!(report[field], count, "{field}");
        }
        assert_eq!(report["violations"][0]["trace"].as_array().unwrap().len(), tallies.violations["R"]);
        assert_eq!(report["verdict"], *tallies.verdict.unwrap());
        let first = Record::read(log.lines().next().unwrap()).unwrap();
        let Record::Started { version, seed, inputs, requirements, .. } = first else { panic!("{first:?}") };
        assert_eq!((version, seed), (1, u64::MAX));
        assert_eq!((inputs, requirements), (vec!["a".to_owned()], vec!["R".to_owned()]));
    }
}

#[test]
fn no_verdict_hangs_on_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let output = provoke(folder.path(), &["--hunt", "--log", "/dev/full"]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error.matches("warning: the log ends here: ").count(), 1, "{error}");
    let output = provoke(folder.path(), &["--log", "no/such/folder/run.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("failed to write no/such/folder/run.jsonl"), "{error}");
}
