//! `provoke learn` through the real binary.

#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
mod no_reset;

use std::path::Path;
use std::process::Command;

use common::folder;
use serde_json::Value;

const SPEC: &str = "[labels]\ninputs = ['up', 'down', 'wait']\noutputs = ['first', 'second', 'third']\n\
    [system]\nmodel = 'lift.dot'\n";

/// A machine, transition by transition.
fn machine(transitions: &[(&str, &str, &str, &str)]) -> String {
    let start = format!("digraph {{\n  __start0 -> {};\n", transitions[0].0);
    let line = |(from, input, output, to): &(&str, &str, &str, &str)| {
        format!("  {from} -> {to} [label=\"{input} / {output}\"];\n")
    };
    transitions.iter().map(line).fold(start, |text, line| text + &line) + "}\n"
}

/// Three floors, and what `wait` is answered at the top.
fn lift(at_the_top: &str) -> String {
    machine(&[
        ("f1", "up", "second", "f2"),
        ("f1", "down", "first", "f1"),
        ("f1", "wait", "first", "f1"),
        ("f2", "up", "third", "f3"),
        ("f2", "down", "first", "f1"),
        ("f2", "wait", "second", "f2"),
        ("f3", "up", "third", "f3"),
        ("f3", "down", "second", "f2"),
        ("f3", "wait", at_the_top, "f3"),
    ])
}

/// Runs the command in a folder: the exit code, and what it says.
fn provoke(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_provoke")).current_dir(folder).args(words).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn parsed((code, out, error): (i32, String, String)) -> (i32, Value) {
    (code, serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{error}")))
}

fn learn(folder: &Path, words: &[&str]) -> (i32, String, String) {
    provoke(folder, &[&["learn", "spec.toml", "--patience", "1000"], words].concat())
}

fn json(folder: &Path, words: &[&str]) -> (i32, Value) {
    parsed(learn(folder, &[words, &["--json"]].concat()))
}

#[test]
fn a_lift_is_learnt_and_compared() {
    let folder = folder(SPEC);
    let folder = folder.path();
    std::fs::write(folder.join("lift.dot"), lift("third")).unwrap();
    let (code, found) = json(folder, &["-o", "model.dot"]);
    assert_eq!((code, &found["verdict"], &found["complete"]), (0, &"learnt".into(), &true.into()), "{found}");
    // Each floor answers `wait` in its own way.
    assert_eq!((&found["states"], &found["transitions"]), (&3.into(), &9.into()), "{found}");
    assert!(
        found["depth_tried"].as_u64().unwrap() >= 1
            && found["steps_since_surprise"].as_u64().unwrap() >= 1000
    );
    assert_eq!(found["differences"], Value::Null);
    // The same again is no difference.
    let (code, found) = json(folder, &["--compare", "model.dot"]);
    assert_eq!((code, found["differences"].as_array().map(Vec::len)), (0, Some(0)), "{found}");
    // The shortest difference of another version takes three steps, and there is only one.
    std::fs::write(folder.join("lift.dot"), lift("second")).unwrap();
    let (code, found) = json(folder, &["--compare", "model.dot"]);
    let differences = found["differences"].as_array().unwrap();
    assert_eq!((code, differences.len()), (1, 1), "{found}");
    assert_eq!(differences[0]["length"], 3);
    assert_eq!((&differences[0]["input"], &differences[0]["old"]), (&"wait".into(), &"third".into()));
    assert_eq!(differences[0]["new"], "second");
    let (_, out, _) = learn(folder, &["--compare", "model.dot"]);
    assert!(out.contains("wait / second (was third)") && out.contains("how sure: all words of"), "{out}");
}

#[test]
fn what_was_seen_is_remembered_until_the_system_changes() {
    let folder = folder(SPEC);
    let folder = folder.path();
    std::fs::write(folder.join("lift.dot"), lift("third")).unwrap();
    let (code, found) = json(folder, &["--memory", "seen.memory"]);
    assert_eq!((code, &found["states"], &found["changed"]), (0, &3.into(), &Value::Null), "{found}");
    let (code, found) = json(folder, &["--memory", "seen.memory"]);
    assert_eq!((code, &found["states"], &found["changed"]), (0, &3.into(), &Value::Null), "{found}");
    std::fs::write(folder.join("lift.dot"), lift("second")).unwrap();
    let (code, found) = json(folder, &["--memory", "seen.memory"]);
    assert_eq!((code, &found["states"]), (0, &3.into()), "{found}");
    assert!(found["changed"].is_object(), "{found}");
    std::fs::write(folder.join("seen.memory"), "something else\n").unwrap();
    let (code, _, error) = learn(folder, &["--memory", "seen.memory"]);
    assert!(code == 2 && error.contains("expected `provoke memory 3`"), "{error}");
}

#[test]
fn without_a_reset_it_finds_home() {
    let folder = folder(SPEC);
    let folder = folder.path();
    std::fs::write(folder.join("lift.dot"), lift("third")).unwrap();
    let (code, found) = json(folder, &["--no-reset", "-o", "model.dot"]);
    assert_eq!((code, &found["states"], &found["runs"]), (0, &3.into(), &1.into()), "{found}");
    assert!(found["steps"].as_u64().unwrap() <= 5000, "{found}");
}

#[test]
fn signals_are_written_in_every_format() {
    let folder = folder("[signals]\ninputs = ['a']\noutputs = ['x']\n[system]\nmodel = 'm.dot'\n");
    let folder = folder.path();
    let toggle = "digraph { __start0 -> p; p -> q [label=\"a / x\"]; p -> p [label=\"!a / !x\"];\n\
        q -> p [label=\"a / !x\"]; q -> q [label=\"!a / x\"]; }";
    std::fs::write(folder.join("m.dot"), toggle).unwrap();
    for file in ["model.dot", "model.kiss2", "model.hoa"] {
        let (code, out, error) = learn(folder, &["-o", file]);
        assert_eq!(code, 0, "{out}{error}");
        // What was written is the machine: nothing differs.
        let (code, found) = json(folder, &["--compare", file]);
        assert_eq!((code, &found["states"]), (0, &2.into()), "{file}: {found}");
    }
    let (code, _, error) = learn(folder, &["-o", "model.png"]);
    assert!(code == 2 && error.contains("the endings known are"), "{error}");
}

#[test]
fn campaigns_start_from_what_was_seen_and_notice_that_the_system_has_changed() {
    let requirement = "[[requirement]]\nid = 'R1'\nltl = 'G (third -> X !first)'\n";
    let folder = folder(&format!("{SPEC}{requirement}"));
    let folder = folder.path();
    std::fs::write(folder.join("lift.dot"), lift("third")).unwrap();
    let test = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        command.current_dir(folder).args(["test", "spec.toml", "--no-save", "--memory", "seen.memory"]);
        let output = command.args(words).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    };
    let model = |steps: &str| -> Value {
        let (_, out, error) = test(&["--total-steps", steps, "--json"]);
        let report: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{error}"));
        report["model"].clone()
    };
    let first = model("1000");
    assert_eq!((&first["states"], &first["changed"]), (&3.into(), &Value::Null), "{first}");
    // Nobody gets to know three floors in three steps.
    let second = model("3");
    assert_eq!((&second["states"], &second["changed"]), (&3.into(), &Value::Null), "{second}");
    std::fs::write(folder.join("lift.dot"), lift("second")).unwrap();
    let kept = std::fs::read_to_string(folder.join("seen.memory")).unwrap();
    let third = model("1000");
    assert!(third["changed"]["now"].is_array(), "{third}");
    std::fs::write(folder.join("seen.memory"), kept).unwrap();
    let (_, out, _) = test(&["--total-steps", "1000"]);
    assert!(out.contains("the system has changed since it was remembered"), "{out}");
    let (code, _, error) = test(&["--strategy", "uniform"]);
    assert!(code == 2 && error.contains("learns nothing that seen.memory could keep"), "{error}");
}

#[test]
fn what_is_learnt_over_signals_gives_a_reset_word() {
    let folder = folder("[signals]\ninputs = ['a', 'b']\noutputs = ['x']\n[system]\nmodel = 'toggle.dot'\n");
    let toggle = "digraph { __start0 -> s; s -> s [label=\"!a / 0\"]; s -> t [label=\"a / 1\"];\n\
        t -> t [label=\"!b / 1\"]; t -> s [label=\"b / 0\"]; }";
    std::fs::write(folder.path().join("toggle.dot"), toggle).unwrap();
    let (code, out, error) = learn(folder.path(), &["-o", "model.dot"]);
    assert_eq!(code, 0, "{out}{error}");
    let synchronise = Command::new(env!("CARGO_BIN_EXE_provoke"))
        .current_dir(folder.path())
        .args(["synchronise", "model.dot", "--into", "s0", "--json"])
        .output()
        .unwrap();
    let found: Value = serde_json::from_slice(&synchronise.stdout).unwrap();
    // Rows of the learnt machine are formulas; each stands for two of the four inputs.
    assert_eq!((&found["inputs"], &found["complete"]), (&4.into(), &true.into()));
    assert_eq!((&found["signals"], &found["length"]), (&serde_json::json!(["a", "b"]), &1.into()));
    assert_eq!(found["word"], serde_json::json!(["01"]), "not a, and b: to the first state from both");
}

#[test]
#[cfg(unix)]
fn a_memory_that_is_no_file_is_refused_at_once() {
    let folder = folder(SPEC);
    std::fs::write(folder.path().join("lift.dot"), lift("third")).unwrap();
    let (code, _, error) = learn(folder.path(), &["--memory", "/dev/zero"]);
    assert_eq!(code, 2);
    assert!(error.contains("cannot remember anything in /dev/zero: it is not a file"), "{error}");
}

/// Remembers how often `a` was sent, up to three, and shows it to `b`; `c` leads where nothing comes any more.
const LABELS: &str =
    "[labels]\ninputs = ['a', 'b', 'c']\noutputs = ['x', 'y', 'z']\n[system]\nmodel = 'm.dot'\n";

fn counter(shown: &str, lost: &str) -> String {
    let mut text = "digraph g {\n__start0 -> s0;\n".to_owned();
    for state in 0..4 {
        let (next, answer) = ((state + 1) % 4, if state == 3 { shown } else { "x" });
        text += &format!(
            "s{state} -> s{next} [label=\"a / x\"];\ns{state} -> s{state} [label=\"b / {answer}\"];\n"
        );
        text += &format!(
            "s{state} -> s{lost} [label=\"c / x\"];\n",
            lost = if lost.is_empty() { "0" } else { lost }
        );
    }
    text + "s4 -> s4 [label=\"a / z\"];\ns4 -> s4 [label=\"b / z\"];\ns4 -> s4 [label=\"c / z\"];\n}\n"
}

#[test]
fn what_cannot_be_written_is_said_before_anything_is_learnt() {
    let folder = folder(LABELS);
    let folder = folder.path();
    std::fs::write(folder.join("m.dot"), counter("y", "")).unwrap();
    for (file, said) in [
        ("model.kiss2", "Boolean signals only"),
        ("model.hoa", "Boolean signals only"),
        ("nowhere/model.dot", "there is no folder nowhere"),
    ] {
        let (code, out, error) = learn(folder, &["-o", file]);
        assert_eq!((code, out.as_str()), (2, ""), "{file}");
        assert!(error.contains(said), "{error}");
    }
    // Where the disk is full the summary is not lost.
    let (code, out, error) = learn(folder, &["-o", "/dev/full"]);
    assert_eq!(code, 2, "{error}");
    assert!(out.starts_with("LEARNT: 4 states") && !out.contains("written to"), "{out}");
}

#[test]
fn little_room_and_no_time_end_it() {
    let folder = folder(LABELS);
    let folder = folder.path();
    std::fs::write(folder.join("m.dot"), counter("y", "")).unwrap();
    let (code, out, _) = learn(folder, &["--nodes", "16"]);
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("no room for more than 16 exchanges"), "{out}");
    let (code, out, error) = learn(folder, &["--total-steps", "0"]);
    assert_eq!((code, out.as_str()), (3, ""), "{error}");
}

#[test]
fn without_a_reset_what_is_left_for_good_is_told() {
    let folder = folder(LABELS);
    let folder = folder.path();
    for (lost, states, is_left) in [("", 4, false), ("4", 1, true)] {
        std::fs::write(folder.join("m.dot"), counter("y", lost)).unwrap();
        let (code, found) = json(folder, &["--no-reset"]);
        assert_eq!((code, &found["states"]), (0, &states.into()), "{found}");
        assert_eq!(found["unexplained_steps"].as_u64().unwrap() > 0, is_left, "{found}");
    }
}

#[test]
fn a_system_that_has_changed_is_not_called_random() {
    let folder = folder(LABELS);
    let folder = folder.path();
    // Which words are tried again first is chance; what shows the change later must be believed too.
    for seed in 0..10 {
        let seed = seed.to_string();
        let words = ["--seed", &seed, "--memory", "seen", "-o", "model.dot"];
        std::fs::write(folder.join("m.dot"), counter("y", "")).unwrap();
        assert_eq!(learn(folder, &words).0, 0);
        std::fs::write(folder.join("m.dot"), counter("z", "")).unwrap();
        let (code, found) = json(folder, &words);
        assert_eq!(
            (code, &found["states"], &found["deterministic"]),
            (0, &4.into(), &true.into()),
            "{found}"
        );
        assert!(!found["changed"].is_null(), "{found}");
        std::fs::remove_file(folder.join("seen")).unwrap();
    }
    let seen = folder.join("seen");
    assert_eq!(learn(folder, &["--memory", "seen"]).0, 0);
    let text = std::fs::read_to_string(&seen).unwrap();
    std::fs::write(&seen, text.replacen("\n0 0 0\n", "\n0 0 1\n", 1)).unwrap();
    let (code, _, error) = learn(folder, &["--memory", "seen"]);
    assert!(code == 2 && error.contains("damaged"), "{error}");
}

/// A lock that opens after so many right inputs in a row, and answers `last` when it is open.
fn lock(length: usize, last: &str) -> String {
    let mut text = "digraph g {\n__start0 -> s0;\n".to_owned();
    for state in 0..=length {
        for (place, input) in ["a", "b", "c"].into_iter().enumerate() {
            let (to, answer) = match state {
                _ if state == length => (state, last),
                _ if place == state * 7 / 3 % 3 => (state + 1, "x"),
                _ => (0, "x"),
            };
            text += &format!("s{state} -> s{to} [label=\"{input} / {answer}\"];\n");
        }
    }
    text + "}\n"
}

#[test]
fn only_differences_that_were_seen_are_told() {
    let folder = folder(LABELS);
    let folder = folder.path();
    std::fs::write(folder.join("m.dot"), lock(12, "y")).unwrap();
    std::fs::write(folder.join("old.dot"), lock(12, "y")).unwrap();
    // Nobody finds out by chance what twelve right inputs open; the old machine knows.
    for seed in ["0", "1", "2", "3"] {
        let (code, found) = json(folder, &["--seed", seed, "--compare", "old.dot"]);
        assert_eq!((code, &found["states"]), (0, &13.into()), "{found}");
        assert_eq!(found["differences"], serde_json::json!([]), "{found}");
    }
    // What was not tried is no difference.
    for steps in ["1", "5", "50"] {
        let (code, found) = json(folder, &["--total-steps", steps, "--compare", "old.dot"]);
        assert_eq!((code, &found["verdict"]), (3, &"exhausted".into()), "{found}");
        assert_eq!(found["differences"], serde_json::json!([]), "{found}");
    }
    let (_, out, _) = learn(folder, &["--total-steps", "50", "--compare", "old.dot"]);
    assert!(out.contains("no difference from the old machine was seen so far"), "{out}");
    // Where it was changed at the end, the shortest words show that, and were played.
    std::fs::write(folder.join("m.dot"), lock(12, "z")).unwrap();
    let (code, found) = json(folder, &["--compare", "old.dot"]);
    let differences = found["differences"].as_array().unwrap();
    assert_eq!((code, differences.len()), (1, 3), "{found}");
    for difference in differences {
        assert_eq!(difference["length"], 13, "{found}");
        assert_eq!((&difference["old"], &difference["new"]), (&"y".into(), &"z".into()), "{found}");
    }
    // What is only remembered of an older version is not told of this one.
    std::fs::write(folder.join("m.dot"), lock(3, "z")).unwrap();
    std::fs::write(folder.join("old.dot"), lock(3, "y")).unwrap();
    assert_eq!(learn(folder, &["--memory", "seen"]).0, 0);
    std::fs::write(folder.join("m.dot"), lock(3, "y")).unwrap();
    let (code, found) = json(folder, &["--memory", "seen", "--compare", "old.dot"]);
    assert_eq!((code, &found["differences"]), (0, &serde_json::json!([])), "{found}");
    assert!(found["changed"].is_object(), "{found}");
}

/// A program in the shell that answers each line by these commands; `$l` is the line.
#[cfg(unix)]
fn shell(commands: &str) -> String {
    let program = format!("while read -r l; do {commands}; done");
    format!("[system]\ncommand = ['sh', '-c', '''{program}''']\n")
}

#[test]
#[cfg(unix)]
fn what_was_learnt_of_a_system_that_breaks_is_kept() {
    let counts = "if [ $l = b ]; then n=x$n; fi; \
        if [ \"$n\" = xxx ]; then echo cannot count to three >&2; exit 7; fi; echo x";
    let folder = folder(&format!("[labels]\ninputs = ['a', 'b']\noutputs = ['x']\n{}", shell(counts)));
    let folder = folder.path();
    let (code, found) = json(folder, &["-o", "model.dot", "--memory", "seen"]);
    assert_eq!((code, &found["verdict"], &found["model"]), (4, &"broken".into(), &"model.dot".into()));
    let system = &found["system"];
    assert!(system["error"].as_str().unwrap().contains("it exited with code 7"), "{found}");
    let step = serde_json::json!({ "input": "b", "output": "x" });
    assert_eq!((&system["trace"], &system["unanswered"]), (&serde_json::json!([step, step]), &"b".into()));
    assert_eq!(system["stderr"], serde_json::json!(["cannot count to three"]), "{found}");
    assert!(folder.join("model.dot").is_file() && folder.join("seen").is_file());
    let (code, out, _) = learn(folder, &[]);
    assert_eq!(code, 4, "{out}");
    assert!(out.contains("broken: the system was gone") && out.contains("b / no answer"), "{out}");
    assert!(out.contains("  | cannot count to three") && out.contains("BROKEN: 1 state"), "{out}");
    // One that does not even start has no machine.
    let (code, out, _) = learn(folder, &["--json", "--", "./nowhere"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &found["verdict"]), (4, &"broken".into()), "{found}");
    assert!(found["system"]["error"].as_str().unwrap().contains("cannot be started"), "{found}");
}

#[test]
#[cfg(unix)]
fn a_learnt_machine_ends_as_the_program_does() {
    let program =
        shell("case $l in q) echo bye; exit 0;; *) n=x$n; if [ ${#n} = 2 ]; then n=; fi; echo o${#n};; esac");
    let labels = "[labels]\ninputs = ['a', 'q']\noutputs = ['o0', 'o1', 'bye']\n";
    let ends = "[system.protocol]\nends = 'end'\n";
    let folder = folder(&format!("{labels}{program}{ends}"));
    let folder = folder.path();
    let learnt = |words: &[&str]| {
        let all = [&["learn", "spec.toml", "--patience", "100", "--json"], words].concat();
        let (code, out, error) = provoke(folder, &all);
        let found: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{error}"));
        assert_eq!((code, &found["verdict"]), (0, &"learnt".into()), "{found}");
        (found["states"].clone(), found["transitions"].clone())
    };
    let first = learnt(&["-o", "first.dot"]);
    let model = |file: &str, ends: &str| {
        let spec = format!("{labels}[system]\nmodel = '{file}'\n{ends}");
        std::fs::write(folder.join("spec.toml"), spec).unwrap();
    };
    model("first.dot", ends);
    assert_eq!(learnt(&["-o", "second.dot", "--compare", "first.dot"]), first);
    // By hand, nobody writes down what a program says when it has ended: its end is an answer all the same.
    let by_hand = "digraph { __start0 -> s; s -> t [label=\"a / o1\"]; t -> s [label=\"a / o0\"];\n\
        s -> e [label=\"q / bye\"]; t -> e [label=\"q / bye\"]; }";
    std::fs::write(folder.join("hand.dot"), by_hand).unwrap();
    model("hand.dot", ends);
    assert_eq!(learnt(&["--compare", "first.dot"]), first);
    // Where its end has no label, it breaks like a program that exits; a state that lacks something only is a mistake.
    model("hand.dot", "[system.protocol]\nends = { 3 = 'end' }\n");
    let (code, out, _) = learn(folder, &[]);
    assert!(code == 4 && out.contains("the system was gone in a step: it exited with code 0"), "{out}");
    std::fs::write(folder.join("hand.dot"), by_hand.replace("t -> e [label=\"q / bye\"];", "")).unwrap();
    let (code, _, error) = learn(folder, &[]);
    assert!(code == 2 && error.contains("state `t` has no transition for the input `q`"), "{error}");
}

#[test]
fn what_may_not_be_sent_needs_no_transition() {
    let assumption = "[[assumption]]\nid = 'A'\nltl = 'G (up -> X !up)'\n";
    let folder = folder(&format!("{SPEC}{assumption}"));
    let folder = folder.path();
    std::fs::write(folder.join("lift.dot"), lift("third")).unwrap();
    let (code, first) = json(folder, &["-o", "learnt.dot"]);
    assert_eq!(code, 0, "{first}");
    assert!(first["withheld_transitions"].as_u64().unwrap() > 0, "{first}");
    let spec = SPEC.replace("lift.dot", "learnt.dot");
    std::fs::write(folder.join("spec.toml"), format!("{spec}{assumption}")).unwrap();
    let (code, second) = json(folder, &["--compare", "learnt.dot"]);
    assert_eq!((code, &second["states"]), (0, &first["states"]), "{second}");
    // Without the assumption it lacks something.
    std::fs::write(folder.join("spec.toml"), spec).unwrap();
    let (code, _, error) = learn(folder, &[]);
    assert!(code == 2 && error.contains("has no transition for the input `up`"), "{error}");
}

#[test]
#[cfg(unix)]
fn labels_that_look_like_more_than_one_are_read_back() {
    let odd =
        ["a / b", "x | y", "'q'", "back\\slash", "\u{e9}\u{1f600}", "<b>", "a\\nb", "/", "// c", "#", "a\"b"];
    let labels = serde_json::json!(odd).to_string();
    let spec = format!("[labels]\ninputs = {labels}\noutputs = {labels}\n");
    let forgets = "if [ \"$last\" = '#' ]; then last=; echo /; else last=$l; printf '%s\\n' \"$l\"; fi";
    let folder = folder(&format!("{spec}{}", shell(forgets)));
    let folder = folder.path();
    let (code, first) = json(folder, &["-o", "odd.dot"]);
    assert_eq!((code, &first["states"]), (0, &2.into()), "{first}");
    std::fs::write(folder.join("spec.toml"), format!("{spec}[system]\nmodel = 'odd.dot'\n")).unwrap();
    let (code, second) = json(folder, &["--compare", "odd.dot"]);
    assert_eq!((code, &second["states"], &second["transitions"]), (0, &2.into(), &22.into()), "{second}");
}

#[test]
fn runs_that_are_too_short_learn_nothing_for_certain() {
    let folder = folder(SPEC);
    let folder = folder.path();
    std::fs::write(folder.join("lift.dot"), lift("third")).unwrap();
    for (steps, is_enough) in [("1", false), ("2", false), ("3", false), ("4", true)] {
        let (code, found) = json(folder, &["--steps", steps]);
        assert_eq!((code == 0, found["verdict"] == "learnt"), (is_enough, is_enough), "{found}");
        assert_eq!((code == 3, found["needed_steps"].is_null()), (!is_enough, is_enough), "{found}");
    }
    let (_, out, _) = learn(folder, &["--steps", "1"]);
    assert!(out.contains("EXHAUSTED") && out.contains("runs of 1 step are too short"), "{out}");
}

#[test]
fn what_is_remembered_is_told_without_a_step() {
    let folder = folder(SPEC);
    let folder = folder.path();
    std::fs::write(folder.join("lift.dot"), lift("third")).unwrap();
    assert_eq!(learn(folder, &["--memory", "seen"]).0, 0);
    let kept = std::fs::read(folder.join("seen")).unwrap();
    let (code, found) = json(folder, &["--memory", "seen", "--total-steps", "0"]);
    assert_eq!((code, &found["states"], &found["transitions"]), (3, &3.into(), &9.into()), "{found}");
    assert_eq!(std::fs::read(folder.join("seen")).unwrap(), kept);
}

#[test]
#[cfg(unix)]
fn a_pipe_is_refused_at_once() {
    let folder = folder(SPEC);
    let folder = folder.path();
    std::fs::write(folder.join("lift.dot"), lift("third")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("pipe.dot")).status().unwrap().success());
    for (option, said) in [("-o", "it is a pipe"), ("--compare", "it is not a file")] {
        let (code, _, error) = learn(folder, &[option, "pipe.dot"]);
        assert!(code == 2 && error.contains(said), "{error}");
    }
}
