//! `provoke monitor` through its real binary.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

const GOOD: &str = "\
bwdlimit=1 fwdlimit=0 cargo=1 / movefwd=1 movebwd=0
bwdlimit=0 fwdlimit=0 cargo=1 / movefwd=1 movebwd=0
";

fn monitor(trace: &str, file: &str, words: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    std::fs::write(&path, trace).unwrap();
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/carriage/carriage.toml");
    Command::new(env!("CARGO_BIN_EXE_provoke"))
        .arg("monitor")
        .args([&spec, &path])
        .args(words)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_good_run_passes_in_every_form() {
    let csv = "bwdlimit,fwdlimit,cargo,movefwd,movebwd\n1,0,1,1,0\n0,0,1,1,0\n";
    let json = "{\"bwdlimit\":1,\"fwdlimit\":0,\"cargo\":1,\"movefwd\":1,\"movebwd\":0}\n\
                {\"bwdlimit\":0,\"fwdlimit\":0,\"cargo\":1,\"movefwd\":1,\"movebwd\":0}\n";
    let vcd = "$var wire 1 a bwdlimit $end $var wire 1 b fwdlimit $end $var wire 1 c cargo $end\n\
               $var wire 1 d movefwd $end $var wire 1 e movebwd $end $enddefinitions $end\n\
               #0 1a 0b 1c 1d 0e\n#1 0a\n#2\n";
    for (text, file) in
        [(GOOD, "run.trace"), (csv, "run.csv"), (json, "run.jsonl"), (vcd, "run.vcd"), (csv, "log")]
    {
        let output = monitor(text, file, &[]);
        assert_eq!(output.status.code(), Some(0), "{file}: {}", stdout(&output));
        assert!(stdout(&output).ends_with("nothing violated in 2 steps\n"), "{}", stdout(&output));
    }
}

#[test]
fn a_violation_has_its_step() {
    let bad = format!("{GOOD}bwdlimit=0 fwdlimit=0 cargo=1 / movefwd=1 movebwd=1\n");
    let output = monitor(&bad, "run.trace", &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(
        text.contains("VIOLATED at step 3\n  bwdlimit=0 fwdlimit=0 cargo=1 / movefwd=1 movebwd=1\n"),
        "{text}"
    );
    let output = monitor(&bad, "run.trace", &["--json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["verdict"], &found["steps"]), (&"violated".into(), &3.into()));
    let requirements = found["requirements"].as_array().unwrap();
    assert!(requirements.iter().any(|found| found["verdict"] == "violated" && found["decided_at"] == 3));
}

#[test]
fn a_bad_file_is_shown() {
    let output = monitor("bwdlimit,fwdlimit,cargo,movefwd\n", "run.csv", &[]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("there is no column `movebwd`") && error.contains("run.csv:1:1"), "{error}");
}
