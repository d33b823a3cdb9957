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
fn promises_over_several_steps_are_kept_too() {
    let own = tempfile::tempdir().unwrap();
    let tables = "[signals]\ninputs = ['a', 'b', 'c', 'd']\noutputs = ['x']\n\
        [[assumption]]\nid = 'A'\nltl = 'G F (a & b & c & X (!a & d))'\n\
        [[assumption]]\nid = 'B'\nltl = 'G F !c'\n\
        [[requirement]]\nid = 'L'\nltl = 'G (b -> F x)'\n";
    std::fs::write(own.path().join("spec.toml"), format!("{}{tables}", recorder(own.path()))).unwrap();
    // Both steps come by chance in one of 32 places: 60 places without are likely (0.15) at any point.
    let longest = || {
        let record = std::fs::read_to_string(own.path().join("record")).unwrap();
        std::fs::remove_file(own.path().join("record")).unwrap();
        let waits = record.split("reset\n").flat_map(|run| {
            let lines: Vec<&str> = run.lines().collect();
            let all = |line: &str, words: &[&str]| words.iter().all(|word| line.contains(word));
            let met = |pair: &[&str]| all(pair[0], &["a=1", "b=1", "c=1"]) && all(pair[1], &["a=0", "d=1"]);
            let pairs: Vec<bool> = lines.windows(2).map(met).collect();
            pairs.split(|&met| met).map(<[bool]>::len).collect::<Vec<_>>()
        });
        waits.max().unwrap()
    };
    for strategy in ["uniform", "input-classes", "frontier-experience", "learning"] {
        let words =
            ["--strategy", strategy, "--runs", "4", "--steps", "150", "--k-max", "150", "--fairness", "7"];
        let (code, report) = test(own.path(), &words);
        assert_eq!(code, 0, "{strategy}: {report}");
        // Both promises are met within the bound and the way there, which is three steps; one may be met first and the
        // other last.
        let waited = longest();
        assert!(waited <= 2 * (7 + 3), "{strategy} waits for {waited} steps");
    }
    let words = ["--strategy", "uniform", "--runs", "4", "--steps", "150", "--fairness", "1000"];
    test(own.path(), &words);
    assert!(longest() > 20, "without it they would");
}

#[test]
fn no_lasso_leaves_an_assumption_of_several_steps_open() {
    let tables = "[signals]\ninputs = ['a', 'b']\noutputs = ['x']\n[system]\nmodel = 'm.dot'\nstates = 2\n\
        [[assumption]]\nid = 'A'\nltl = 'G F (a & X b)'\n[[requirement]]\nid = 'L'\nltl = 'G F x'\n";
    let folder = folder(tables);
    let write = |rest: &str| {
        let machine = format!(
            "digraph {{ __start0 -> p; p -> q [label=\"a / !x\"]; p -> p [label=\"!a / !x\"]; {rest} }}"
        );
        std::fs::write(folder.path().join("m.dot"), machine).unwrap();
    };
    // Answers b after a: only who never sends that never sees x.
    write("q -> q [label=\"a / x\"]; q -> p [label=\"!a & b / x\"]; q -> p [label=\"!a & !b / !x\"];");
    for strategy in ["auto", "input-classes", "uniform", "learning"] {
        let (code, report) = test(folder.path(), &["--strategy", strategy, "--runs", "100", "--steps", "60"]);
        let alarms = (&report["violations"], &report["suspected"]);
        assert_eq!((code, alarms), (0, (&json!([]), &json!([]))), "{strategy}");
    }
    // Never answers: whoever keeps the promise shows it, in a loop that does.
    write("q -> q [label=\"a / !x\"]; q -> p [label=\"!a / !x\"];");
    for strategy in ["input-classes", "uniform"] {
        let (code, report) = test(folder.path(), &["--strategy", strategy, "--runs", "100", "--steps", "60"]);
        assert_eq!(code, 1, "{strategy}: {report}");
        let found = &report["violations"][0];
        let from = found["loop_from"].as_u64().unwrap() as usize;
        let round = &found["trace"].as_array().unwrap()[from..];
        let has = |at: usize, word: &str| round[at % round.len()]["input"].as_str().unwrap().contains(word);
        assert!((0..round.len()).any(|at| has(at, "a=1") && has(at + 1, "b=1")), "{found}");
    }
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

#[test]
fn a_promise_that_is_too_large_is_warned_of() {
    // Some day one of each of 21 pairs, all at once: two million ways.
    let pairs: Vec<String> = (0..21).map(|at| format!("(a{at} | b{at})")).collect();
    let names: Vec<String> = (0..21).map(|at| format!("'a{at}', 'b{at}'")).collect();
    let own = tempfile::tempdir().unwrap();
    let tables = format!(
        "[signals]\ninputs = [{}]\noutputs = ['x']\n[[assumption]]\nid = 'A'\nltl = 'G F ({})'\n\
         [[requirement]]\nid = 'R'\nltl = 'G (a0 -> F x)'\n",
        names.join(", "),
        pairs.join(" & "),
    );
    let file = own.path().join("spec.toml");
    std::fs::write(&file, format!("{}{tables}", recorder(own.path()))).unwrap();
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_provoke")).arg("check").arg(&file).output();
    let told = told.unwrap();
    assert!(String::from_utf8_lossy(&told.stdout).contains("in vain for: A"), "{told:?}");
    let (code, report) = test(own.path(), &["--strategy", "uniform", "--runs", "1", "--steps", "3"]);
    assert_eq!((code, &report["unkept_assumptions"]), (0, &json!(["A"])), "{report}");
}
