//! `provoke synchronise` through the real binary.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A door that is pushed shut and pulled open.
const DOOR: &str = "digraph door {\n  __start0 -> open;\n  open -> closed [label=\"push/bang\"];\n  \
    open -> open [label=\"pull/-\"];\n  closed -> closed [label=\"push/-\"];\n  closed -> open [label=\"pull/squeak\"];\n}\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }

    fn run(&self, name: &str, text: &str, arguments: &[&str]) -> Output {
        let path = self.file(name, text);
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        command.arg("synchronise").arg(path).args(arguments);
        command.output().expect("the binary runs")
    }
}

fn run(name: &str, text: &str, arguments: &[&str]) -> (i32, String, String) {
    let output = Folder::new().run(name, text, arguments);
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), shown(&output.stdout), shown(&output.stderr))
}

fn json(name: &str, text: &str, arguments: &[&str]) -> (i32, Value) {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    let (code, stdout, stderr) = run(name, text, &arguments);
    let value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    (code, value)
}

#[test]
fn a_word_is_found_and_every_field_is_there() {
    for method in ["auto", "fast", "greedy", "beam", "exact", "eppstein", "q-learning", "q-synch"] {
        let (code, found) = json("door.dot", DOOR, &["--method", method]);
        assert_eq!((code, &found["status"], &found["length"]), (0, &"found".into(), &1.into()), "{found}");
        let field = |name: &str| found[name].clone();
        assert_eq!((field("states"), field("inputs"), field("method")), (2.into(), 2.into(), method.into()));
        assert_eq!((field("reachable_after"), field("trap")), (2.into(), false.into()));
        assert!(field("seconds").is_f64() && field("peak_bytes").as_u64() > Some(100_000), "{found}");
        assert!(field("word")[0].is_string() && field("target").is_string());
    }
}

#[test]
fn the_target_can_be_chosen() {
    let (code, found) = json("door.dot", DOOR, &["--into", "closed"]);
    assert_eq!((code, &found["word"][0], &found["target"]), (0, &"push".into(), &"closed".into()));
    let (code, found) = json("door.dot", DOOR, &["--avoid", "closed"]);
    assert_eq!((code, &found["word"][0], &found["target"]), (0, &"pull".into(), &"open".into()));
    let (code, _, stderr) = run("door.dot", DOOR, &["--into", "opne"]);
    assert_eq!((code, stderr.as_str()), (2, "error: there is no state `opne`; did you mean `open`?\n"));
    let (code, _, stderr) = run("door.dot", DOOR, &["--into", "open", "--avoid", "open"]);
    assert_eq!((code, stderr.contains("leave no state")), (2, true));
}

#[test]
fn a_trap_is_flagged() {
    let broken = DOOR.replace(
        "}\n",
        "open -> stuck [label=kick]; closed -> stuck [label=kick]\n\
        stuck -> stuck [label=push]; stuck -> stuck [label=pull]; stuck -> stuck [label=kick] }\n",
    );
    let (code, found) = json("door.dot", &broken, &[]);
    assert_eq!(
        (code, &found["target"], &found["reachable_after"], &found["trap"]),
        (0, &"stuck".into(), &1.into(), &true.into())
    );
    let (code, stdout, _) = run("door.dot", &broken, &[]);
    assert_eq!(code, 0);
    assert!(
        stdout.ends_with(
            "it leads to stuck, from where 1 of 3 states can be reached\n\
        warning: stuck is a trap: open cannot be reached again, so this word is no reset\n"
        ),
        "{stdout}"
    );
    let (code, none) = json("door.dot", &broken, &["--avoid", "stuck"]);
    assert_eq!(
        (code, &none["status"], &none["reason_name"]),
        (3, &"none".into(), &"target-unreachable".into())
    );
}

#[test]
fn where_no_word_exists_the_reason_is_given_and_homing_offered() {
    let toggle = "digraph { a -> b [label=\"x/0\"]; b -> a [label=\"x/1\"] }";
    let (code, none) = json("toggle.dot", toggle, &[]);
    assert_eq!(
        (code, &none["status"], &none["reason_name"]),
        (3, &"none".into(), &"pair-never-merges".into())
    );
    assert_eq!((&none["homing"]["kind"], &none["homing"]["word"][0]), (&"preset".into(), &"x".into()));
    let (code, stdout, _) = run("toggle.dot", toggle, &[]);
    assert_eq!(code, 3);
    let expected = "no word brings a and b to one state\n\
        but the answers to 1 input tell which state the system is in:\n  x\n";
    assert!(stdout.ends_with(expected), "{stdout}");
}

#[test]
fn partial_machines_stay_partial_unless_completed() {
    let partial = "table 3 2\ninputs a b\n1 1\n1 2\n2 -\n";
    let (code, found) = json("p.table", partial, &[]);
    assert_eq!((code, &found["complete"], &found["status"]), (3, &false.into(), &"none".into()));
    let (code, found) = json("p.table", partial, &["--complete", "self-loop"]);
    assert_eq!((code, &found["status"], &found["target"]), (0, &"found".into(), &"2".into()));
    let (code, found) = json("p.table", partial, &["--complete", "sink"]);
    assert_eq!((code, &found["target"], &found["states"]), (0, &"error".into(), &4.into()));
    let (code, _, stderr) = run("p.table", partial, &["--method", "eppstein"]);
    assert_eq!((code, stderr.contains("needs a complete machine")), (2, true), "{stderr}");
}

#[test]
fn the_smallest_machines_have_answers() {
    let (code, none) = json("none.dot", "digraph {}", &[]);
    assert_eq!((code, &none["status"], &none["reason_name"]), (3, &"none".into(), &"no-states".into()));
    let (code, one) = json("one.dot", "digraph { a }", &[]);
    assert_eq!((code, &one["length"], &one["target"]), (0, &0.into(), &"a".into()));
    // One input, a state that nothing leads to, and a transition that is there twice.
    let (code, found) = json("line.fsm", "0 a x 1\n1 a x 2\n2 a x 2\n2 a x 2\n", &[]);
    assert_eq!((code, &found["length"], &found["shortest"]), (0, &2.into(), &true.into()));
}

#[test]
fn faults_in_files_show_their_line() {
    for (name, text, place) in [
        ("m.dot", "digraph {\n a -> b [label=x];\n a -> ;\n}\n", "m.dot:3:7"),
        ("m.dot", "digraph {\n a -> b [label=x];\n a -> a [label=x];\n}\n", "m.dot:3:2"),
        ("m.kiss2", ".i 1\n.o 1\n0 a b 0\n1 a\n.e\n", "m.kiss2:4:1"),
        ("m.fsm", "0 a x 1\n1 a x\n", "m.fsm:2:1"),
        ("m.aut", "des (0, 1, 2)\n(0, a, 7)\n", "m.aut:2:8"),
        ("m.table", "table 2 1\n1\n5\n", "m.table:3:1"),
        ("m.hoa", "HOA: v1\nStates: x\n", "m.hoa:2:9"),
    ] {
        let (code, _, stderr) = run(name, text, &[]);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(place), "{place}: {stderr}");
    }
    let (code, _, stderr) = run("m.xyz", "what?", &[]);
    assert_eq!((code, stderr.contains("cannot tell what kind of machine")), (2, true));
    let missing = Command::new(env!("CARGO_BIN_EXE_provoke")).args(["synchronise", "absent.dot"]).output();
    assert_eq!(missing.expect("the binary runs").status.code(), Some(2));
}

#[test]
fn a_budget_that_is_too_small_is_unknown() {
    // Too slow for any method in a millisecond; the clock is looked at now and then.
    let states = 400u32;
    let rows = (0..states).map(|s| format!("{} {}\n", if s == 0 { 1 } else { s }, (s + 1) % states));
    let cerny = format!("table {states} 2\n{}", rows.collect::<String>());
    let (code, unknown) = json("cerny.table", &cerny, &["--seconds", "0.001"]);
    assert_eq!((code, &unknown["status"]), (3, &"unknown".into()), "{unknown}");
    assert_eq!(unknown["reason"], "the time ran out");
}

#[test]
fn binary_tables_are_checked_before_they_are_believed() {
    let folder = Folder::new();
    let table = |numbers: &[u32]| {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        [b"PROVOKE1".to_vec(), bytes.collect()].concat()
    };
    let none = u32::MAX;
    for (numbers, code, said) in [
        (&[2, 1, none, 0, 1, 1][..], 0, ""),
        (&[2, 1, none, 0, 1], 2, "take 24 bytes after the first word, but 20 follow"),
        (&[2, 1, none, 0, 1, 1, 1], 2, "but 28 follow"),
        // Nothing is set aside for what is not there.
        (&[4_000_000_000, 4_000_000_000, none, 0, 1], 2, "but 20 follow"),
        (&[2, 1, none, 0, 1, 2], 2, "leads to state 2, which does not exist"),
        (&[2, 1, 2, 0, 1, 1], 2, "there is no initial state 2"),
        (&[2, 1], 2, "the header is cut off"),
    ] {
        let path = folder.0.path().join("m.table");
        std::fs::write(&path, table(numbers)).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        let output = command.arg("synchronise").arg(path).output().expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), stderr.contains(said)),
            (Some(code), true),
            "{numbers:?}: {stderr}"
        );
    }
}

#[test]
fn an_unknown_method_is_answered_by_the_nearest() {
    let (code, _, stderr) = run("door.dot", DOOR, &["--method", "gredy"]);
    assert_eq!((code, stderr.contains("a similar value exists: 'greedy'")), (2, true), "{stderr}");
}

/// Three states in a circle that no word brings together, but whose answers tell them apart.
const CIRCLE: &str = "digraph { __start0 -> a;\n a -> b [label=\"x/lo\"]; b -> c [label=\"x/hi\"]; \
    c -> a [label=\"x/hi\"];\n a -> a [label=\"y/lo\"]; b -> b [label=\"y/lo\"]; c -> c [label=\"y/lo\"]; }\n";

/// A campaign on the system of one file, reset along the model of another.
fn campaign(system: &str, model: &str) -> (i32, String, String) {
    let folder = Folder::new();
    folder.file("system.dot", system);
    folder.file("model.dot", model);
    let spec = folder.file(
        "circle.toml",
        "[labels]\ninputs = [\"x\", \"y\"]\noutputs = [\"lo\", \"hi\"]\n\
        [system]\nmodel = \"system.dot\"\nreset = { synchronise = \"model.dot\" }\n\
        [[objective]]\nid = \"twice\"\nltl = \"F(hi & X hi)\"\n",
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let output = command.arg("test").arg(spec).args(["--json", "--runs", "5", "--steps", "6"]).output();
    let output = output.expect("the binary runs");
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), shown(&output.stdout), shown(&output.stderr))
}

#[test]
fn a_campaign_homes_a_system_that_no_word_resets() {
    let (code, stdout, stderr) = campaign(CIRCLE, CIRCLE);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let result: Value = serde_json::from_str(&stdout).expect("one object");
    assert!(result["reset_steps"].as_u64() > Some(1), "{result}");
    // One that answers otherwise is found out at its first reset.
    let wrong = CIRCLE.replace("c -> a [label=\"x/hi\"]", "c -> a [label=\"x/lo\"]");
    let (code, stdout, _) = campaign(&wrong, CIRCLE);
    assert_eq!((code, stdout.contains("does not follow its model at a reset")), (4, true), "{stdout}");
}

#[test]
fn a_model_that_never_comes_back_is_no_reset() {
    let trap = "digraph { __start0 -> a; a -> b [label=\"x/lo\"]; b -> b [label=\"x/hi\"]; \
        a -> a [label=\"y/lo\"]; b -> b [label=\"y/lo\"]; }\n";
    let (code, _, stderr) = campaign(trap, trap);
    assert_eq!((code, stderr.contains("state b never leads back to the initial one")), (2, true), "{stderr}");
}
