//! Assumptions about what happens some day, through the real binary: the tester keeps them.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::{folder, test};
use serde_json::{Value, json};

/// A system that writes down what it is sent, with a line for each start.
fn recorder(folder: &Path) -> String {
    let record = folder.join("record");
    format!(
        "[system]\ncommand = ['sh', '-c', '''echo reset >> {0}; while read -r line; do echo \"$line\" >> {0}; echo x=1; done''']\n\
         [system.protocol]\nsettle_ms = 0\n",
        record.display()
    )
}

/// The most steps in a row, in one run, in which not all of these were true.
fn longest_wait(folder: &Path, wanted: &[&str]) -> usize {
    let record = std::fs::read_to_string(folder.join("record")).unwrap();
    std::fs::remove_file(folder.join("record")).unwrap();
    let waits = record.split("reset\n").flat_map(|run| {
        let lines: Vec<&str> = run.lines().collect();
        let pieces = lines.split(|line| wanted.iter().all(|word| line.contains(word)));
        pieces.map(<[&str]>::len).collect::<Vec<_>>()
    });
    waits.max().unwrap()
}

#[test]
fn no_strategy_keeps_the_system_waiting() {
    let own = tempfile::tempdir().unwrap();
    let tables = "[signals]\ninputs = ['a', 'b', 'c', 'd', 'e']\noutputs = ['x']\n\
        [[assumption]]\nid = 'A'\nltl = 'G F (a & b & c & d & e)'\n\
        [[requirement]]\nid = 'R'\nltl = 'G (a -> x)'\n[[requirement]]\nid = 'L'\nltl = 'G (b -> F x)'\n";
    std::fs::write(own.path().join("spec.toml"), format!("{}{tables}", recorder(own.path()))).unwrap();
    let wanted = ["a=1", "b=1", "c=1", "d=1", "e=1"];
    // All five are true by chance in one of 32 steps: 60 steps without are likely (0.15) at any point, and 4 runs of 120 steps
    // without any such wait are not (below 1e-4).
    for strategy in [
        "uniform",
        "input-classes",
        "frontier-experience",
        "mcts",
        "learning",
        "epsilon-greedy",
        "guided-walk",
    ] {
        let words =
            ["--strategy", strategy, "--runs", "4", "--steps", "120", "--k-max", "120", "--fairness", "7"];
        let (code, report) = test(own.path(), &words);
        assert_eq!(code, 0, "{strategy}: {report}");
        assert!(longest_wait(own.path(), &wanted) <= 7, "{strategy}");
    }
    let words = ["--strategy", "uniform", "--runs", "4", "--steps", "120", "--fairness", "1000"];
    test(own.path(), &words);
    assert!(longest_wait(own.path(), &wanted) > 7, "without it they would");
}

#[test]
fn no_lasso_leaves_an_assumption_open() {
    let tables = "[signals]\ninputs = ['a', 'b']\noutputs = ['x']\n[system]\nmodel = 'm.dot'\nstates = 2\n\
        [[assumption]]\nid = 'A'\nltl = 'G F a'\n[[requirement]]\nid = 'L'\nltl = 'G F x'\n";
    let folder = folder(tables);
    let machine = |label: &str| format!("digraph {{ __start0 -> q; {label} }}");
    let write = |label: &str| std::fs::write(folder.path().join("m.dot"), machine(label)).unwrap();
    // Answers a: only who never sends a never sees x.
    write("q -> q [label=\"a / x\"]; q -> q [label=\"!a / !x\"];");
    for strategy in ["input-classes", "uniform", "frontier-experience"] {
        let (code, report) = test(folder.path(), &["--strategy", strategy, "--runs", "100", "--steps", "60"]);
        assert_eq!(
            (code, &report["violations"], &report["suspected"]),
            (0, &json!([]), &json!([])),
            "{strategy}"
        );
    }
    // Answers a only with b: whoever sends a without b, again and again, shows it.
    write("q -> q [label=\"a & b / x\"]; q -> q [label=\"!a | !b / !x\"];");
    for strategy in ["input-classes", "uniform"] {
        let (code, report) = test(folder.path(), &["--strategy", strategy, "--runs", "100", "--steps", "60"]);
        assert_eq!(code, 1, "{strategy}: {report}");
        let found = &report["violations"][0];
        let from = found["loop_from"].as_u64().unwrap() as usize;
        let trace = found["trace"].as_array().unwrap();
        let has_a = |step: &Value| step["input"].as_str().unwrap().contains("a=1");
        assert!(trace[from..].iter().any(has_a), "{found}");
    }
}

#[test]
fn replay_takes_the_bound_too() {
    let tables = "[signals]\ninputs = ['a']\noutputs = ['x']\n[system]\nmodel = 'm.dot'\n\
        [[requirement]]\nid = 'L'\nltl = 'G (a -> F x)'\n";
    let folder = folder(tables);
    std::fs::write(folder.path().join("m.dot"), "digraph { __start0 -> q; q -> q [label=\"true / !x\"]; }")
        .unwrap();
    let provoke = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_provoke"));
        let output = command.current_dir(folder.path()).args(words).arg("--json").output().unwrap();
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code().unwrap(), printed)
    };
    let (code, report) = provoke(&["test", "spec.toml", "--runs", "50"]);
    assert_eq!((code, report["suspected"].as_array().unwrap().len()), (0, 1), "{report}");
    let saved = "spec.traces/L.trace";
    let (code, again) = provoke(&["replay", saved]);
    assert_eq!((code, &again["suspected"], &again["violated"]), (0, &json!(["L"]), &json!([])), "{again}");
    for states in ["1", "100", "130"] {
        let (code, again) = provoke(&["replay", saved, "--states-of-system", states]);
        assert_eq!(
            (code, &again["suspected"], &again["violated"]),
            (1, &json!([]), &json!(["L"])),
            "{again}"
        );
        let rounds: u64 = states.parse().unwrap();
        assert!(again["steps"].as_u64().unwrap() >= rounds.max(100), "as many rounds as it takes");
    }
}
