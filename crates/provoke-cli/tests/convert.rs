//! `provoke convert` through the real binary.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn convert(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder).arg("convert").args(words).output().unwrap()
}

/// What it prints when all goes well.
fn converted(folder: &Path, words: &[&str]) -> String {
    let output = convert(folder, words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Path, words: &[&str]) -> String {
    let output = convert(folder, words);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

const RESPONSE: &str = "\
HOA: v1
name: \"G(a -> F b)\"
States: 2
Start: 0
AP: 2 \"a\" \"b\"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc deterministic
--BODY--
State: 0 {0}
[!0 | 1] 0
[0 & !1] 1
State: 1
[1] 0
[!1] 1
--END--
";

const NEXT: &str = "\
HOA: v1
name: \"G(a -> X b)\"
States: 2
Start: 0
AP: 2 \"a\" \"b\"
controllable-AP: 1
acc-name: all
Acceptance: 0 t
properties: trans-labels explicit-labels state-acc deterministic
--BODY--
State: 0
[!0] 0
[0] 1
State: 1
[!0 & 1] 0
[0 & 1] 1
--END--
";

#[test]
fn formulas_become_automata() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(converted(folder, &["--ltl", "G(a -> F b)", "--to", "hoa"]), RESPONSE);
    assert_eq!(converted(folder, &["--ltl", "[](a => <>b)"]), RESPONSE);
    assert_eq!(converted(folder, &["--ltl", "G(a -> X b)", "--to", "monitor", "--outputs", "b"]), NEXT);
    assert!(converted(folder, &["--ltl", "G(a -> F b)", "--to", "dot"]).starts_with("digraph"));
    assert!(converted(folder, &["--ltl", "F a", "--to", "svg"]).starts_with("<svg"));
    assert!(converted(folder, &["--ltl", "a & !a", "--to", "monitor"]).contains("States: 0"));
}

#[test]
fn automata_become_monitors_and_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("next.hoa"), NEXT).unwrap();
    std::fs::write(folder.join("response.hoa"), RESPONSE).unwrap();
    assert_eq!(converted(folder, &["next.hoa"]), NEXT);
    assert_eq!(converted(folder, &["next.hoa", "--to", "monitor"]), NEXT);
    assert!(converted(folder, &["response.hoa", "--to", "monitor"]).contains("States: 1"));
    assert_eq!(converted(folder, &["response.hoa", "-o", "picture.svg"]), "");
    assert!(std::fs::read_to_string(folder.join("picture.svg")).unwrap().starts_with("<svg"));
    assert!(refused(folder, &["next.hoa", "--to", "ltl"]).contains("cannot be written as a formula"));
}

#[test]
fn formulas_sentences_and_tlsf_become_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = ["--ltl", "G(req -> F grant)", "--outputs", "grant", "-o", "arbiter.tlsf"];
    converted(folder, &words);
    assert_eq!(converted(folder, &["arbiter.tlsf", "--to", "ltl"]), "G(req -> F grant)\n");
    assert!(converted(folder, &["arbiter.tlsf", "--to", "hoa"]).contains("controllable-AP: 1"));
    let sentence = "Globally, it is always the case that if a holds then b holds within 3 steps";
    assert_eq!(converted(folder, &["--pattern", sentence, "--to", "ltl"]), "G(a -> b | X(b | X(b | X b)))\n");
    let spec =
        "[signals]\ninputs = [\"a\"]\noutputs = [\"b\"]\n[[requirement]]\nid = \"R\"\nltl = \"G(a -> b)\"\n";
    std::fs::write(folder.join("spec.toml"), spec).unwrap();
    assert_eq!(converted(folder, &["spec.toml", "--to", "ltl"]), "G(a -> b)\n");
    assert!(converted(folder, &["spec.toml", "--to", "tlsf"]).contains("G (a -> b)"));
}

#[test]
fn faults_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let shown = refused(folder, &["--ltl", "G(a -> F b"]);
    assert!(shown.contains("this parenthesis is never closed") && shown.contains("--ltl:1:2"), "{shown}");
    assert!(refused(folder, &["missing.hoa"]).contains("missing.hoa"));
    std::fs::write(folder.join("notes.md"), "").unwrap();
    assert!(
        refused(folder, &["notes.md"])
            .contains("none of .hoa, .tlsf, .ltl, .aut, .dot, .aag, .aig and .toml")
    );
    assert!(refused(folder, &[]).contains("required"));
    let output = convert(folder, &["--ltl", "G a -> b", "--to", "ltl"]);
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("warning: `G a` ends before"));
    let deep = format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000));
    assert_eq!(converted(folder, &["--ltl", &deep, "--to", "ltl"]), "a\n");
}

#[test]
fn circuits_are_written_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    // The circuit of a formula says what the formula says: the tester can force a violation of the second.
    for (name, formula, can) in
        [("kept", "G(a -> X b)", false), ("lost", "G(a <-> X X b) & G(X b -> a)", true)]
    {
        let (text, binary) = (format!("{name}.aag"), format!("{name}.aig"));
        converted(path, &["--ltl", formula, "--outputs", "b", "-o", &text]);
        converted(path, &[&text, "-o", &binary]);
        // The binary form sorts what gates read: there and back again it is the same.
        let first = std::fs::read(path.join(&binary)).unwrap();
        assert!(first.starts_with(b"aig "));
        converted(path, &[&binary, "-o", "again.aag"]);
        assert_eq!(convert(path, &["again.aag", "--to", "aig"]).stdout, first);
        for file in [text, binary] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
            let output = command.current_dir(path).args(["check", &file, "--json"]).output().unwrap();
            let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(report["tester_can_force_violation"], can, "{file}: {report}");
        }
    }
    assert!(
        refused(path, &["kept.aag", "--to", "hoa"])
            .contains("a circuit can be written as .aag and .aig only")
    );
}
