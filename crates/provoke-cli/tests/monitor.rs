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

/// Judges a run with a specification given as text.
fn monitor_with(spec: &str, file: &str, trace: &str, words: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(file), spec).unwrap();
    std::fs::write(folder.path().join("run.csv"), trace).unwrap();
    let words = ["monitor", file, "run.csv"].into_iter().chain(words.iter().copied());
    Command::new(env!("CARGO_BIN_EXE_provoke")).current_dir(folder.path()).args(words).output().unwrap()
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

const LAMP: &str = r#"
[signals]
inputs = ["press", "power"]
outputs = ["light"]
[[assumption]]
id = "A"
ltl = "G power"
[[requirement]]
id = "on"
pattern = "if press has occurred then in response light eventually holds"
[[requirement]]
id = "dark"
text = "no light before it is asked for"
ltl = "!light W press"
"#;

#[test]
fn obligations_stay_open_until_the_run_is_complete() {
    let trace = "press,power,light\n0,1,0\n1,1,0\n0,1,0\n0,1,0\n";
    let output = monitor_with(LAMP, "lamp.toml", trace, &[]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stdout(&output),
        "assumption A: so far good\nrequirement on: so far bad: open for 2 steps\n\
         requirement dark: satisfied for good at step 2\nnothing violated in 4 steps\n"
    );
    let output = monitor_with(LAMP, "lamp.toml", trace, &["--complete"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("requirement on: VIOLATED: open for 2 steps when the run ended\n"));
}

#[test]
fn a_broken_assumption_frees_the_system() {
    let trace = |power: u8| format!("press,power,light\n0,1,0\n0,{power},0\n0,1,1\n");
    let output = monitor_with(LAMP, "lamp.toml", &trace(0), &[]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.starts_with("assumption A: violated at step 2\n  press=0 power=0 / light=0\n"), "{text}");
    let excused = "requirement dark: violated at step 3; not the system's fault: assumption A was not kept\n";
    assert!(text.contains(excused), "{text}");
    let output = monitor_with(LAMP, "lamp.toml", &trace(1), &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let dark = &found["requirements"][1];
    assert_eq!((&dark["verdict"], &dark["decided_at"]), (&"violated".into(), &3.into()));
    assert_eq!(dark["holds_as_finite_trace"], false);
    assert_eq!(found["requirements"][0]["holds_as_finite_trace"], true);
}

#[test]
fn a_tlsf_file_is_a_specification() {
    let tlsf = r#"
        INFO { TITLE: "Arbiter" DESCRIPTION: "two clients" SEMANTICS: Mealy TARGET: Mealy }
        GLOBAL { PARAMETERS { n = 2; } }
        MAIN {
          INPUTS { r[n]; } OUTPUTS { g[n]; }
          ASSERT { &&[0 <= i < n, i < j < n] !(g[i] && g[j]); }
          GUARANTEE { &&[0 <= i < n] G (r[i] -> F g[i]); }
        }"#;
    let good = monitor_with(tlsf, "arbiter.tlsf", "r_0,r_1,g_0,g_1\n1,1,1,0\n0,0,0,1\n", &["--complete"]);
    assert_eq!(good.status.code(), Some(0), "{}", stdout(&good));
    let bad = monitor_with(tlsf, "arbiter.tlsf", "r_0,r_1,g_0,g_1\n1,1,1,1\n", &[]);
    assert_eq!(bad.status.code(), Some(1), "{}", stdout(&bad));
    assert!(stdout(&bad).contains("VIOLATED at step 1"), "{}", stdout(&bad));
}
