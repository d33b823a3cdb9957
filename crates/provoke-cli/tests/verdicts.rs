//! Never green when it is red, through the real binary: who is to blame, what a session goes on to find, and what
//! it keeps.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::folder;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

fn provoke(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder).args(words).stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}{}", stdout(output), String::from_utf8_lossy(&output.stderr)))
}

/// The exit code and the report of `provoke test spec.toml --json` with these words.
fn tested(folder: &Path, words: &[&str]) -> (i32, Value) {
    let output = provoke(folder, &[&["test", "spec.toml", "--json"], words].concat());
    (output.status.code().unwrap(), json(&output))
}

fn ids<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|entry| entry[key].as_str().unwrap()).collect()
}

/// A specification over these signals, with a shell program as its system.
fn spec(inputs: &str, outputs: &str, script: &str, rest: &str) -> tempfile::TempDir {
    folder(&format!(
        "[signals]\ninputs = [{inputs}]\noutputs = [{outputs}]\n\
         [system]\ncommand = ['sh', '-c', '''{script}''']\n{rest}"
    ))
}

fn requirement(id: &str, ltl: &str) -> String {
    format!("[[requirement]]\nid = '{id}'\nltl = '{ltl}'\n")
}

/// Answers every input with the same line.
fn always(line: &str) -> String {
    format!("while read -r line; do echo {line}; done")
}

const SHORT: &[&str] = &["--no-save", "--runs", "20", "--steps", "20", "--reset-cost", "1"];

#[test]
fn a_system_that_corners_itself_is_caught_by_every_strategy() {
    let both = requirement("R1", "G(button -> F[0:1] walk)") + &requirement("R2", "G(green -> N !walk)");
    let folder = spec("'button'", "'green', 'walk'", &always("green=1 walk=0"), &both);
    for entry in provoke::strategy::CATALOGUE {
        let (code, report) = tested(folder.path(), &[SHORT, &["--strategy", entry.name]].concat());
        assert_eq!(code, 1, "{}: {report}", entry.name);
        assert_eq!(ids(&report["violations"], "requirement"), ["R1"], "{}", entry.name);
    }
    // The same exchanges, judged without a system.
    let trace = "button=1 / green=1 walk=0\nbutton=0 / green=1 walk=0\n";
    std::fs::write(folder.path().join("run.trace"), trace).unwrap();
    let judged = provoke(folder.path(), &["monitor", "spec.toml", "run.trace"]);
    assert_eq!(judged.status.code(), Some(1));
    // A system that never says green keeps both.
    let checked = provoke(folder.path(), &["check", "spec.toml", "--json"]);
    let clash = &json(&checked)["clash"];
    assert_eq!((checked.status.code(), &clash["avoidable"]), (Some(0), &Value::Bool(true)), "{clash}");
}

#[test]
fn a_system_cannot_rely_on_the_testers_kindness() {
    let one = requirement("R", "G(b -> X(y | X !a))");
    let folder = spec("'a', 'b'", "'y'", &always("y=0"), &one);
    let (code, report) = tested(folder.path(), SHORT);
    assert_eq!(code, 1, "{report}");
    assert_eq!(report["violations"][0]["trace"].as_array().unwrap().len(), 3);
    assert_eq!(report["requirements"][0]["withholds"], Value::Array(Vec::new()));
}

#[test]
fn a_requirement_withholds_until_some_system_could_keep_it() {
    let one = requirement("R", "!a & G(b -> X(y | X !a))");
    let folder = spec("'a', 'b'", "'y'", &always("y=0"), &one);
    for seed in ["1", "2", "3"] {
        let (code, report) = tested(folder.path(), &[SHORT, &["--seed", seed]].concat());
        assert_eq!(code, 1, "{report}");
        let trace = &report["violations"][0]["trace"];
        assert!(trace[0]["input"].as_str().unwrap().contains("a=0"), "{trace}");
        assert_eq!(report["requirements"][0]["withholds"], serde_json::json!(["a, at step 1"]));
    }
}

#[test]
fn requirements_about_the_environment_are_said_to_restrict_it() {
    let both = requirement("calm", "G !(a & b)") + &requirement("y", "G y");
    let folder = spec("'a', 'b'", "'y'", &always("y=1"), &both);
    let (code, report) = tested(folder.path(), SHORT);
    assert_eq!(code, 0, "{report}");
    assert_eq!(report["requirements"][0]["withholds"], serde_json::json!(["a & b, at every step"]));
    let output = provoke(folder.path(), &[&["test", "spec.toml"], SHORT].concat());
    let text = stdout(&output);
    assert!(text.contains("calm restricts the environment: never sent: a & b, at every step\n"), "{text}");
    let checked = provoke(folder.path(), &["check", "spec.toml"]);
    assert!(
        stdout(&checked).contains("restricts the environment: never sent: a & b"),
        "{}",
        stdout(&checked)
    );
    // Also where the product has no room for it: `a` twice in a row would be the tester's fault.
    let both = requirement("calm", "G(a -> N !a)") + &requirement("y", "G y");
    let folder = spec("'a', 'b'", "'y'", &always("y=1"), &both);
    for strategy in ["frontier-experience", "uniform", "mcts"] {
        let (code, report) =
            tested(folder.path(), &[SHORT, &["--states", "1", "--strategy", strategy]].concat());
        assert_eq!((code, ids(&report["violations"], "requirement")), (0, vec![]), "{report}");
        assert!(report["steps"].as_u64().unwrap() > 100, "{report}");
    }
}

#[test]
fn requirements_that_clash_are_reported_by_check_and_by_test() {
    let three =
        requirement("R1", "G(a -> x)") + &requirement("R2", "G(a -> !x)") + &requirement("R3", "G(b -> y)");
    let folder = spec("'a', 'b'", "'x', 'y'", &always("x=0 y=1"), &three);
    let checked = provoke(folder.path(), &["check", "spec.toml", "--json"]);
    let report = json(&checked);
    assert_eq!(checked.status.code(), Some(2));
    assert_eq!(report["tester_can_force_violation"], true);
    assert_eq!(report["realisable"], false);
    assert_eq!(report["clash"]["requirements"], serde_json::json!(["R1", "R2"]));
    assert_eq!(report["clash"]["after"], serde_json::json!([]));
    assert!(report["clash"]["input"].as_str().unwrap().contains("a=1"));
    let text = stdout(&provoke(folder.path(), &["check", "spec.toml"]));
    assert!(text.contains("no answer satisfies R1 and R2 together after\n"), "{text}");
    let tested = provoke(folder.path(), &[&["test", "spec.toml"], SHORT].concat());
    assert_eq!(tested.status.code(), Some(1));
    assert!(stdout(&tested).contains("no system could have passed here"), "{}", stdout(&tested));
    // No run at all keeps these.
    let none = requirement("R1", "G x") + &requirement("R2", "F !x");
    let folder = spec("'a'", "'x'", &always("x=1"), &none);
    let output = provoke(folder.path(), &["test", "spec.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("no run keeps R1 and R2"), "{error}");
    let assumed =
        ["G a", "F !a"].map(|ltl| format!("[[assumption]]\nid = '{ltl}'\nltl = '{ltl}'\n")).concat();
    let folder = spec("'a'", "'x'", &always("x=1"), &(assumed + &requirement("R", "G x")));
    let output = provoke(folder.path(), &["test", "spec.toml"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && error.contains("the assumptions contradict"), "{error}");
}

#[test]
fn replay_and_monitor_excuse_alike() {
    let rest = "[[assumption]]\nid = 'A'\nltl = 'G !a'\n".to_owned() + &requirement("R", "G(a -> x)");
    let folder = spec("'a'", "'x'", &always("x=0"), &rest);
    std::fs::write(folder.path().join("run.trace"), "a=0 / x=0\na=1 / x=0\n").unwrap();
    for words in [&["replay", "run.trace", "--spec", "spec.toml"][..], &["monitor", "spec.toml", "run.trace"]]
    {
        let output = provoke(folder.path(), words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stdout(&output));
        assert!(stdout(&output).contains("assumption A was"), "{words:?}: {}", stdout(&output));
    }
}

#[test]
fn an_objective_must_have_a_finite_witness() {
    for (ltl, fine) in
        [("G x", false), ("GF x", false), ("F x", true), ("a U x", true), ("F G x", false), ("X x", true)]
    {
        let objective = format!("[[objective]]\nid = 'O'\nltl = '{ltl}'\n");
        let folder = spec("'a'", "'x'", &always("x=1"), &objective);
        let output = provoke(folder.path(), &[&["test", "spec.toml"], SHORT].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(if fine { 0 } else { 2 }), "{ltl}: {error}");
        assert!(fine || error.contains("something that a finite run can show"), "{ltl}: {error}");
    }
}

#[test]
fn hunting_goes_on_where_covering_stops() {
    // Violates at the twelfth step of a run.
    let script = "n=0; while read -r line; do n=$((n+1)); [ $n -eq 12 ] && echo x=1 || echo x=0; done";
    let rest = requirement("R", "G !x") + "[[objective]]\nid = 'O'\nltl = 'F a'\n";
    let folder = spec("'a'", "'x'", script, &rest);
    let covered = provoke(folder.path(), &[&["test", "spec.toml"], SHORT].concat());
    assert_eq!(covered.status.code(), Some(0));
    let text = stdout(&covered);
    assert!(text.contains("have been watched for") && text.contains("--hunt"), "{text}");
    let (code, report) = tested(folder.path(), &[SHORT, &["--hunt"]].concat());
    assert_eq!((code, ids(&report["violations"], "requirement")), (1, vec!["R"]));
    assert_eq!(report["objectives"], Value::Array(Vec::new()));
}

#[test]
fn keep_going_finds_what_lies_behind_other_violations() {
    // x at every first step, y at every second, z at every third; w together with z.
    let script = "n=0; while read -r line; do n=$((n+1)); case $n in \
        1) echo x=1 y=0 z=0 w=0;; 2) echo x=0 y=1 z=0 w=0;; 3) echo x=0 y=0 z=1 w=1;; *) echo x=0 y=0 z=0 w=0;; esac; done";
    let four: String = ["x", "y", "z", "w"].map(|name| requirement(name, &format!("G !{name}"))).concat();
    let folder = spec("'a'", "'x', 'y', 'z', 'w'", script, &four);
    for words in [&[][..], &["--strategy", "uniform"], &["--states", "1"]] {
        let (code, report) = tested(folder.path(), &[SHORT, &["--keep-going"], words].concat());
        let mut found = ids(&report["violations"], "requirement");
        found.sort_unstable();
        assert_eq!((code, found), (1, vec!["w", "x", "y", "z"]), "{words:?}");
        let runs = report["violations"][0]["runs"].as_u64().unwrap();
        assert!(runs >= 2, "still counted: {report}");
    }
    // With an objective as well: a run that has violated something covers nothing.
    let objective = format!("{four}[[objective]]\nid = 'O'\nltl = 'F(a & X(a & X a))'\n");
    let folder = spec("'a'", "'x', 'y', 'z', 'w'", script, &objective);
    let (code, report) = tested(folder.path(), &[SHORT, &["--keep-going"]].concat());
    assert_eq!((code, report["violations"].as_array().unwrap().len()), (1, 4), "{report}");
    assert_eq!(report["objectives"][0]["covered"], false);
    // Off a terminal each is told when it is found, once.
    let told = stdout(&provoke(folder.path(), &[&["test", "spec.toml", "--keep-going"], SHORT].concat()));
    assert_eq!(told.matches("violation of x\n").count(), 1, "{told}");
}

#[test]
fn a_step_reports_every_requirement_it_breaks() {
    let two = requirement("x", "G !x") + &requirement("y", "G !y");
    let folder = spec("'a'", "'x', 'y'", &always("x=1 y=1"), &two);
    let (code, report) = tested(folder.path(), SHORT);
    assert_eq!((code, ids(&report["violations"], "requirement")), (1, vec!["x", "y"]));
}

#[test]
fn runs_that_can_find_nothing_more_end() {
    let folder = spec("'a'", "'x'", &always("x=1"), &requirement("R", "X x"));
    let (code, report) = tested(folder.path(), SHORT);
    assert_eq!(code, 0);
    // Two steps settle it; a run that only wants to know the first answer ends before.
    let (runs, steps) = (report["runs"].as_u64().unwrap(), report["steps"].as_u64().unwrap());
    assert!(runs == 20 && (20..=40).contains(&steps), "{report}");
}

#[test]
fn what_was_never_put_to_the_test_is_said() {
    let rest = "[[assumption]]\nid = 'A'\nltl = 'G !a'\n".to_owned()
        + &requirement("tried", "G x")
        + &requirement("idle", "G(a -> x)");
    let folder = spec("'a'", "'x'", &always("x=1"), &rest);
    let output = provoke(folder.path(), &[&["test", "spec.toml"], SHORT].concat());
    assert!(stdout(&output).contains("WARNING: idle was never put to the test\n"), "{}", stdout(&output));
    let (_, report) = tested(folder.path(), SHORT);
    assert_eq!(
        (&report["requirements"][0]["tested"], &report["requirements"][1]["tested"]),
        (&true.into(), &false.into())
    );
}

#[test]
fn seconds_lift_the_limit_of_runs() {
    let model = "digraph { __start0 -> s0; s0 -> s0 [label=\"- / x=1\"]; }";
    let folder = folder(&format!(
        "[signals]\ninputs = ['a']\noutputs = ['x']\n[system]\nmodel = 'm.dot'\n{}",
        requirement("R", "G x")
    ));
    std::fs::write(folder.path().join("m.dot"), model).unwrap();
    let (code, report) =
        tested(folder.path(), &["--seconds", "0.5", "--steps", "1", "--strategy", "uniform"]);
    assert_eq!(code, 0);
    assert!(report["runs"].as_u64().unwrap() > 10_000, "{report}");
    assert_eq!(report["interrupted"], Value::Null);
}

#[test]
fn a_saved_violation_covers_the_objective_to_find_it() {
    let rest = requirement("R", "G !x") + "[[objective]]\nid = 'O'\nviolates = 'R'\n";
    let folder = spec("'a'", "'x'", &always("x=1"), &rest);
    for _ in 0..2 {
        let (code, report) = tested(folder.path(), &["--runs", "5", "--reset-cost", "1"]);
        assert_eq!((code, &report["objectives"][0]["covered"]), (1, &Value::Bool(true)), "{report}");
    }
}

#[test]
fn an_interrupted_session_tells_what_it_knows() {
    // x is violated at once; y never.
    let two = requirement("x", "G !x") + &requirement("y", "G !y");
    let bad = spec("'a'", "'x', 'y'", &always("x=1 y=0"), &two);
    let good = spec("'a'", "'x', 'y'", &always("x=0 y=0"), &two);
    for (folder, signal, name, code) in [
        (&good, Signal::INT, "SIGINT", 130),
        (&good, Signal::TERM, "SIGTERM", 143),
        (&bad, Signal::INT, "SIGINT", 1),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        let words = ["test", "spec.toml", "--json", "--keep-going", "--seconds", "600", "--reset-cost", "1"];
        command.current_dir(folder.path()).args(words).stdout(Stdio::piped());
        let tester = command.spawn().unwrap();
        match code {
            // A violation is saved when it is found, not at the end.
            1 => common::eventually("nothing saved", || {
                folder.path().join("spec.traces/x.trace").exists().then_some(())
            }),
            _ => std::thread::sleep(std::time::Duration::from_millis(300)),
        }
        kill_process(Pid::from_raw(tester.id() as i32).unwrap(), signal).unwrap();
        let output = tester.wait_with_output().unwrap();
        let report = json(&output);
        assert_eq!(output.status.code(), Some(code), "{report}");
        assert_eq!(report["interrupted"], name);
        assert_eq!(report["violations"].as_array().unwrap().len(), usize::from(code == 1));
    }
}

#[test]
fn a_breakdown_is_shrunk_saved_tried_first_and_replayed() {
    // Exits once `a` has been sent three times.
    let script = "n=0; while read -r line; do case \"$line\" in *a=1*) n=$((n+1));; esac; \
        [ $n -eq 3 ] && exit 9; echo x=0; done";
    let folder = spec("'a', 'b'", "'x'", script, &requirement("R", "G !x"));
    let fast = ["--reset-cost", "1", "--strategy", "uniform"];
    let (code, report) = tested(folder.path(), &fast);
    assert_eq!(code, 4, "{report}");
    let system = &report["system"];
    assert_eq!(system["trace"].as_array().unwrap().len(), 2, "{system}");
    assert_eq!(system["unanswered"], "a=1 b=0");
    assert_eq!((&system["reproduced"], &system["tries"]), (&3.into(), &3.into()));
    assert!(system["original_steps"].as_u64().unwrap() >= 3);
    let saved = std::fs::read_to_string(folder.path().join("spec.traces/broken.trace")).unwrap();
    assert!(saved.contains("# breaks the system: ") && saved.ends_with("a=1 b=0 / !no answer\n"), "{saved}");
    let (code, report) = tested(folder.path(), &fast);
    assert_eq!((code, report["runs"].as_u64()), (4, Some(1)), "tried first");
    let replayed = provoke(folder.path(), &["replay", "spec.traces/broken.trace"]);
    assert_eq!(replayed.status.code(), Some(4));
    assert!(stdout(&replayed).contains("still breaks"), "{}", stdout(&replayed));
    // Mended.
    let text = std::fs::read_to_string(folder.path().join("spec.toml")).unwrap().replace("-eq 3", "-eq 999");
    std::fs::write(folder.path().join("spec.toml"), text).unwrap();
    let replayed = provoke(folder.path(), &["replay", "spec.traces/broken.trace"]);
    assert_eq!(replayed.status.code(), Some(0));
    assert!(stdout(&replayed).contains("no longer breaks"), "{}", stdout(&replayed));
    let (code, report) = tested(folder.path(), &SHORT[1..]);
    assert_eq!((code, report["no_longer_breaks"].as_array().unwrap().len()), (0, 1), "{report}");
}

#[test]
fn stale_traces_are_named_and_skipped() {
    let folder = spec("'a'", "'x'", &always("x=0"), &requirement("R", "G !x"));
    let traces = folder.path().join("spec.traces");
    std::fs::create_dir(&traces).unwrap();
    std::fs::write(traces.join("old.trace"), "# violates R; reproduced 3 of 3\nb=1 / x=1\n").unwrap();
    std::fs::write(traces.join("odd.trace"), "nonsense\n").unwrap();
    let output = provoke(folder.path(), &["test", "spec.toml", "--runs", "3", "--reset-cost", "1"]);
    assert_eq!(output.status.code(), Some(0));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(
        error.contains("old.trace") && error.contains("odd.trace") && error.contains("delete"),
        "{error}"
    );
}

#[test]
fn a_flaky_violation_is_told_and_kept() {
    // Violates in every second run, by a counter in a file; the confirming runs see it twice, or once.
    let script = "n=$(cat count 2>/dev/null || echo 0); echo $((n+1)) > count; \
        while read -r line; do [ $((n % 2)) -eq 0 ] && echo x=1 || echo x=0; done";
    let folder = spec("'a'", "'x'", script, &requirement("R", "G !x"));
    let fast = ["test", "spec.toml", "--runs", "4", "--steps", "3", "--reset-cost", "1"];
    let output = provoke(folder.path(), &fast);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("flaky: 1 of 3"), "{}", stdout(&output));
    let path = folder.path().join("spec.traces/R.trace");
    let kept = std::fs::read_to_string(&path).unwrap();
    // From now on it never happens: not gone, not overwritten.
    let text = std::fs::read_to_string(folder.path().join("spec.toml")).unwrap().replace("-eq 0", "-eq 7");
    std::fs::write(folder.path().join("spec.toml"), text).unwrap();
    let output = provoke(folder.path(), &fast);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).contains("did not occur this time and is kept"), "{}", stdout(&output));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), kept);
}

#[test]
fn the_cost_of_a_reset_is_measured_and_can_be_repeated() {
    let model = requirement("R", "G !x") + "[[objective]]\nid = 'O'\nltl = 'F(a & X(b & X(!a & !b)))'\n";
    let folder = spec("'a', 'b'", "'x'", &always("x=0"), &model);
    let (code, first) = tested(folder.path(), &["--no-save", "--seed", "3"]);
    assert_eq!(code, 0, "{first}");
    let cost = first["reset_cost"].as_u64().unwrap();
    assert!(cost.is_power_of_two() && cost.trailing_zeros() % 2 == 0, "{cost}");
    assert_eq!(
        (first["calibration_resets"].as_u64(), first["calibration_steps"].as_u64()),
        (Some(3), Some(30))
    );
    let (_, again) = tested(folder.path(), &["--no-save", "--seed", "3", "--reset-cost", &cost.to_string()]);
    for field in ["runs", "steps", "resets", "objectives"] {
        assert_eq!(first[field], again[field], "{field}");
    }
    assert_eq!(again["calibration_resets"], 0);
}

#[test]
fn states_of_several_requirements_at_once() {
    let rest = requirement("P", "G(a -> X x)") + &requirement("Q", "G(b -> X y)");
    let objective = "[[objective]]\nid = 'O'\nstates = { P = ['1'], Q = ['1'] }\n";
    let folder = spec("'a', 'b'", "'x', 'y'", &always("x=1 y=1"), &(rest.clone() + objective));
    let (code, report) = tested(folder.path(), SHORT);
    assert_eq!(code, 0, "{report}");
    let trace = report["objectives"][0]["trace"].as_array().unwrap();
    assert_eq!(trace[trace.len() - 1]["input"], "a=1 b=1");
    let wrong = folder_with(&rest, "states = { P = ['7'] }");
    let error = String::from_utf8(provoke(wrong.path(), &["check", "spec.toml"]).stderr).unwrap();
    assert!(error.contains("has no state `7`") && error.contains("spec.toml:"), "{error}");
}

fn folder_with(rest: &str, states: &str) -> tempfile::TempDir {
    spec("'a', 'b'", "'x', 'y'", "true", &format!("{rest}[[objective]]\nid = 'O'\n{states}\n"))
}

/// The exit code and the complaint of a session with a model that lacks transitions, over so many inputs.
fn with_a_partial_model(inputs: usize, edges: &str, rest: &str) -> (i32, String) {
    let names: Vec<String> = (0..inputs).map(|at| format!("'i{at}'")).collect();
    let folder = folder(&format!(
        "[signals]\ninputs = [{}]\noutputs = ['x']\n[system]\nmodel = 'm.dot'\n{}{rest}",
        names.join(", "),
        requirement("R", "G(x -> X !x)")
    ));
    std::fs::write(folder.path().join("m.dot"), format!("digraph {{ __start0 -> s; {edges} }}")).unwrap();
    let output =
        provoke(folder.path(), &["test", "spec.toml", "--hunt", "--total-steps", "1000", "--no-save"]);
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_model_that_lacks_transitions_is_a_fault_of_the_file() {
    let edges = "s -> t [label=\"i0 / x\"]; s -> s [label=\"!i0 / -\"]; t -> s [label=\"i0 & i1 / -\"];";
    for inputs in [2, 9, 20] {
        let (code, error) = with_a_partial_model(inputs, edges, "");
        assert!(code == 2 && error.contains("has no transition for the input"), "{inputs}: {error}");
    }
    // Where something is withheld it may do without, and of very many inputs that is found out by sending them.
    let assumed = "[[assumption]]\nid = 'A'\nltl = 'G(i1 & (!i2 -> X i0))'\n";
    let (code, error) = with_a_partial_model(3, "s -> s [label=\"i1 / -\"];", assumed);
    assert_eq!(code, 0, "{error}");
    let edges = "s -> t [label=\"true / x\"]; t -> s [label=\"!i0 / -\"];";
    let (code, error) = with_a_partial_model(20, edges, "[[assumption]]\nid = 'A'\nltl = 'G i1'\n");
    assert!(code == 2 && error.contains("the model has no transition for the input"), "{error}");
}

#[test]
fn of_many_requirements_that_do_not_guide_a_few_are_named() {
    let many: String = (0..100).map(|at| requirement(&format!("E{at}"), &format!("G !e{at}"))).collect();
    let outputs: Vec<String> = (0..100).map(|at| format!("'e{at}'")).collect();
    let labels = format!("[labels]\ninputs = ['a', 'b']\noutputs = [{}, 'ok']\n", outputs.join(", "));
    let system = "[system]\nmodel = 'm.dot'\n";
    let folder = folder(&format!("{labels}{system}{many}"));
    let model = "digraph { __start0 -> s; s -> s [label=\"a / ok\"]; s -> s [label=\"b / ok\"]; }";
    std::fs::write(folder.path().join("m.dot"), model).unwrap();
    let words = ["--hunt", "--keep-going", "--total-steps", "100", "--no-save"];
    let text = stdout(&provoke(folder.path(), &[&["test", "spec.toml"], &words[..]].concat()));
    let line = text.lines().find(|line| line.contains("too large to guide")).unwrap();
    assert!(line.contains(" of 100 requirements are monitored but") && line.ends_with(" more"), "{line}");
    assert_eq!(line.matches('E').count(), 3, "{line}");
    let (_, report) = tested(folder.path(), &words);
    assert!(report["not_guiding"].as_array().unwrap().len() > 4);
}
