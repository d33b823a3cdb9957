//! `provoke verify` through the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::Command;

use common::folder;
use serde_json::Value;

const SPEC: &str = "[signals]\ninputs = ['a']\noutputs = ['x', 'y']\n\
    [[assumption]]\nid = 'A'\nltl = 'G F a'\n\
    [[requirement]]\nid = 'safe'\nltl = 'G !(x & y)'\n\
    [[requirement]]\nid = 'live'\nltl = 'G F x'\n\
    [[requirement]]\nid = 'settled'\nltl = 'F G x | F G !x'\n";

/// The exit code, what is printed, and what is complained of.
fn verify(folder: &Path, model: &str, text: &str, words: &[&str]) -> (i32, String, String) {
    std::fs::write(folder.join(model), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder).args(["verify", "spec.toml", "--model", model]).args(words);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_machine_that_holds_in_every_format() {
    let folder = folder(SPEC);
    let holds = |model: &str, text: &str| {
        let (code, out, error) = verify(folder.path(), model, text, &[]);
        assert_eq!(code, 0, "{model}: {out}{error}");
        assert!(out.contains("requirement live: holds\n") && out.contains("HOLDS: 3 requirements"), "{out}");
    };
    holds("m.dot", "digraph { __start0 -> q; q -> q [label=\"true / x\"]; }");
    holds("m.kiss2", ".i 1\n.o 2\n# .ilb a\n# .ob y x\n- q q 01\n.e\n");
    holds("m.aut", "des (0, 1, 1)\n(0, \"true / x=1 y=0\", 0)\n");
    holds("m.fsm", "q a=1 x q\nq a=0 x q\n");
    holds(
        "m.hoa",
        "HOA: v1\nStates: 1\nStart: 0\nAP: 3 \"a\" \"x\" \"y\"\ncontrollable-AP: 1 2\nAcceptance: 0 t\n--BODY--\n\
         State: 0\n[1 & !2] 0\n--END--\n",
    );
    // A machine in the specification is the default.
    let text = format!("[system]\nmodel = 'm.dot'\n{SPEC}");
    std::fs::write(folder.path().join("spec.toml"), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    assert_eq!(
        command.current_dir(folder.path()).args(["verify", "spec.toml"]).status().unwrap().code(),
        Some(0)
    );
}

#[test]
fn violations_are_told_with_their_runs() {
    let folder = folder(SPEC);
    // Alternates between x and nothing, and answers both to the third a.
    let model = "digraph { __start0 -> p; p -> q [label=\"a / x\"]; p -> p [label=\"!a / x\"]; \
        q -> r [label=\"a / -\"]; q -> p [label=\"!a / -\"]; r -> p [label=\"true / x y\"]; }";
    let (code, out, _) = verify(folder.path(), "m.dot", model, &[]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("requirement safe: VIOLATED after 3 steps\n     1  a=1 / x=1 y=0\n"), "{out}");
    assert!(out.contains("requirement live: holds\n"), "{out}");
    assert!(out.contains("requirement settled: VIOLATED in the long run: 0 steps, then "), "{out}");
    assert!(out.contains("        again and again:\n     1  a="), "{out}");
    let (code, out, _) = verify(folder.path(), "m.dot", model, &["--json"]);
    let printed: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, printed["verdict"].as_str()), (1, Some("violated")));
    let [safe, live, settled] = &printed["requirements"].as_array().unwrap()[..] else { panic!("{out}") };
    assert_eq!((safe["kind"].as_str(), safe["trace"].as_array().unwrap().len()), (Some("safety"), 3));
    assert_eq!(safe["trace"][2]["output"], "x=1 y=1");
    assert_eq!((live["verdict"].as_str(), &live["trace"]), (Some("holds"), &Value::Null));
    assert_eq!(settled["kind"].as_str(), Some("liveness"));
    let answers = |answer: &str| {
        settled["loop"]
            .as_array()
            .unwrap()
            .iter()
            .any(|step| step["output"].as_str().unwrap().contains(answer))
    };
    assert!(answers("x=0") && answers("x=1"), "{settled}");
}

#[test]
fn what_a_machine_does_not_say_is_unknown() {
    let folder = folder(SPEC);
    let model = "digraph { __start0 -> q; q -> q [label=\"!a / x\"]; }";
    let (code, out, _) = verify(folder.path(), "m.dot", model, &[]);
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("unknown: the machine does not say what it answers to a=1 after 0 steps"), "{out}");
    // What it is known to do still convicts it.
    let model = "digraph { __start0 -> q; q -> q [label=\"!a / x y\"]; }";
    assert_eq!(verify(folder.path(), "m.dot", model, &[]).0, 1);
}

#[test]
fn faults_are_told() {
    let folder = folder(SPEC);
    let (code, _, error) =
        verify(folder.path(), "m.dot", "digraph { __start0 -> q; q -> q [label=\"b / x\"]; }", &[]);
    assert_eq!(code, 2);
    assert!(error.contains("unknown signal `b`") && error.contains("m.dot:1"), "{error}");
    let (code, _, error) = verify(folder.path(), "m.txt", "what is this", &[]);
    assert_eq!(code, 2);
    assert!(error.contains("cannot tell what kind of machine"), "{error}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let output = command.current_dir(folder.path()).args(["verify", "spec.toml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no machine to verify"));
}

#[test]
fn automata_are_requirements_too() {
    let folder = folder("");
    let hoa = |acceptance: &str| {
        format!(
            "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"x\"\ncontrollable-AP: 1\n{acceptance}\n--BODY--\n\
             State: 0 {{0}}\n[!1] 0\n[1] 1\nState: 1\n[!1] 0\n[1] 1\n--END--\n"
        )
    };
    let machine = "digraph { __start0 -> p; p -> p [label=\"!a / -\"]; p -> q [label=\"a / x\"]; \
        q -> q [label=\"true / x\"]; }";
    std::fs::write(folder.path().join("m.dot"), machine).unwrap();
    let code = |acceptance: &str| {
        std::fs::write(folder.path().join("r.hoa"), hoa(acceptance)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        command.current_dir(folder.path()).args(["verify", "r.hoa", "--model", "m.dot", "--json"]);
        let output = command.output().unwrap();
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code().unwrap(), printed["requirements"][0]["loop"].as_array().map(Vec::len))
    };
    // Again and again without x; from some time on with x only.
    assert_eq!(code("acc-name: Buchi\nAcceptance: 1 Inf(0)"), (1, Some(1)));
    assert_eq!(code("acc-name: co-Buchi\nAcceptance: 1 Fin(0)"), (1, Some(1)));
}
