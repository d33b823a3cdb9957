//! The command through its real binary: verdicts, exit codes, reports, saved violations, errors.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn provoke(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_provoke")).current_dir(folder).args(words).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// A copy of an example, so that saved violations do not land in the repository.
fn example(name: &str) -> (tempfile::TempDir, PathBuf) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
    }
    let path = folder.path().to_owned();
    (folder, path)
}

fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(output)))
}

#[test]
fn the_good_carriage_is_covered() {
    let (_keep, folder) = example("carriage");
    for spec in ["carriage.toml", "figure3.toml"] {
        for strategy in ["uniform", "greedy", "epsilon-greedy"] {
            let output = provoke(&folder, &["test", spec, "--strategy", strategy]);
            assert_eq!(code(&output), 0, "{spec} {strategy}: {}", stdout(&output));
            assert!(stdout(&output).contains("objective delivered covered in "), "{}", stdout(&output));
        }
    }
    assert!(!folder.join("carriage.traces").exists());
}

#[test]
fn a_violation_is_shrunk_saved_run_again_and_replayed() {
    let (_keep, folder) = example("carriage");
    let first = provoke(&folder, &["test", "faulty.toml", "--json", "--strategy", "uniform"]);
    assert_eq!(code(&first), 1);
    let report = json(&first);
    assert_eq!(report["verdict"], "violated");
    let violation = &report["violations"][0];
    assert_eq!(violation["requirement"], "R3");
    assert_eq!(violation["reproducible"], "3 of 3");
    assert_eq!(violation["trace"].as_array().unwrap().len(), 2);
    assert_eq!(violation["trace"][0]["input"], "bwdlimit=1 fwdlimit=0 cargo=1");
    let saved = std::fs::read_to_string(folder.join("faulty.traces/R3.trace")).unwrap();
    assert!(saved.starts_with("# provoke trace 1\n# violates R3"), "{saved}");

    // The next session finds it in its first run.
    let second = json(&provoke(&folder, &["test", "faulty.toml", "--json"]));
    assert_eq!((second["verdict"].as_str(), second["runs"].as_u64()), (Some("violated"), Some(1)));

    let replayed = provoke(&folder, &["replay", "faulty.traces/R3.trace"]);
    assert_eq!(code(&replayed), 1);
    assert!(stdout(&replayed).contains("every answer as recorded"), "{}", stdout(&replayed));
    assert!(stdout(&replayed).contains("VIOLATED: R3"));

    // A good controller answers otherwise, and violates nothing.
    let good = provoke(&folder, &["replay", "faulty.traces/R3.trace", "--spec", "carriage.toml", "--json"]);
    assert_eq!(code(&good), 0);
    assert_eq!(json(&good)["first_difference"], 2);
}

#[test]
fn a_repaired_system_is_said_to_be_repaired() {
    let (_keep, folder) = example("carriage");
    assert_eq!(code(&provoke(&folder, &["test", "faulty.toml"])), 1);
    std::fs::copy(folder.join("good.dot"), folder.join("overruns.dot")).unwrap();
    let output = provoke(&folder, &["test", "faulty.toml"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("R3.trace no longer occurs"), "{}", stdout(&output));
}

#[test]
fn every_faulty_controller_is_found_by_hunting() {
    let (_keep, folder) = example("carriage");
    for (model, requirement) in
        [("stops-early", "R1"), ("eager", "R2"), ("overruns", "R3"), ("both-ways", "R2"), ("good", "")]
    {
        let spec = std::fs::read_to_string(folder.join("hunt.toml")).unwrap().replace("stops-early", model);
        std::fs::write(folder.join("hunt-one.toml"), spec).unwrap();
        let output = provoke(&folder, &["test", "hunt-one.toml", "--runs", "200", "--no-save", "--json"]);
        if requirement.is_empty() {
            assert_eq!(code(&output), 3, "{model}");
        } else {
            assert_eq!(code(&output), 1, "{model}");
            assert_eq!(json(&output)["violations"][0]["requirement"], requirement, "{model}");
        }
    }
}

#[test]
fn keep_going_collects_one_violation_a_requirement() {
    let (_keep, folder) = example("carriage");
    // Overruns, and also starts without a cargo: R2 and R3.
    let spec = std::fs::read_to_string(folder.join("hunt.toml")).unwrap().replace("stops-early", "worst");
    let model = std::fs::read_to_string(folder.join("overruns.dot"))
        .unwrap()
        .replace("bwdlimit & cargo & !fwdlimit", "bwdlimit & !fwdlimit");
    std::fs::write(folder.join("worst.toml"), spec).unwrap();
    std::fs::write(folder.join("worst.dot"), model).unwrap();
    let words = ["test", "worst.toml", "--keep-going", "--runs", "300", "--json", "--no-save"];
    let report = json(&provoke(&folder, &words));
    let mut found: Vec<&str> =
        report["violations"].as_array().unwrap().iter().map(|v| v["requirement"].as_str().unwrap()).collect();
    found.sort();
    assert_eq!(found, ["R2", "R3"]);
}

#[test]
fn the_first_example_and_its_detour() {
    let (_keep, folder) = example("first");
    assert_eq!(code(&provoke(&folder, &["test", "first.toml"])), 0);
    assert_eq!(code(&provoke(&folder, &["test", "first.toml", "--strategy", "greedy"])), 0);
    let stuck = provoke(&folder, &["test", "detour.toml", "--strategy", "greedy", "--runs", "100", "--json"]);
    assert_eq!(code(&stuck), 3);
    assert_eq!(json(&stuck)["objectives"][0]["best_distance"], 2);
    let words = ["test", "detour.toml", "--strategy", "epsilon-greedy", "--json", "--trace", "found.trace"];
    let found = provoke(&folder, &words);
    assert_eq!(code(&found), 0);
    assert_eq!(json(&found)["objectives"][0]["covered"], true);
    let trace = std::fs::read_to_string(folder.join("found.trace")).unwrap();
    let first = trace.lines().find(|line| !line.starts_with('#')).unwrap();
    assert!(first.starts_with("b / 0") || first.starts_with("c / 0"), "{trace}");
}

#[test]
fn the_same_seed_gives_the_same_session() {
    let (_keep, folder) = example("first");
    let run = |seed: &str| {
        let words = ["test", "detour.toml", "--strategy", "uniform", "--seed", seed, "--json"];
        let mut report = json(&provoke(&folder, &words));
        report.as_object_mut().unwrap().remove("seconds");
        report
    };
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
}

#[test]
fn limits_end_a_session() {
    let (_keep, folder) = example("first");
    let hopeless = ["test", "detour.toml", "--strategy", "greedy", "--json"];
    let limited = |extra: &[&str]| json(&provoke(&folder, &[&hopeless[..], extra].concat()));
    assert_eq!(limited(&["--runs", "17"])["runs"], 17);
    assert_eq!(limited(&["--total-steps", "23", "--runs", "1000000"])["steps"], 23);
    let timed = limited(&["--seconds", "0.3", "--runs", "1000000000"]);
    assert_eq!(timed["verdict"], "exhausted");
}

#[test]
fn check_reports_sizes_ranks_and_what_cannot_be() {
    let (_keep, folder) = example("carriage");
    let output = provoke(&folder, &["check", "carriage.toml", "--json"]);
    assert_eq!(code(&output), 0);
    let check = json(&output);
    assert_eq!(check["requirements"][0]["states"], 2);
    assert_eq!(check["objectives"][0]["forced"], true);
    assert_eq!(check["objectives"][0]["states"], 6);

    let (_keep, folder) = example("first");
    let check = json(&provoke(&folder, &["check", "first.toml", "--json"]));
    assert_eq!(check["requirements"][0]["never_violated"], true);
    assert_eq!(check["objectives"][0]["rank"], 2);

    let spec = std::fs::read_to_string(folder.join("first.toml")).unwrap();
    let hoa =
        std::fs::read_to_string(folder.join("first.hoa")).unwrap().replace("[(1|2) & 4] 2", "[(1|2) & 4] 0");
    std::fs::write(folder.join("first.hoa"), hoa).unwrap();
    std::fs::write(folder.join("never.toml"), spec).unwrap();
    let never = provoke(&folder, &["check", "never.toml"]);
    assert_eq!(code(&never), 2);
    assert!(stdout(&never).contains("UNREACHABLE"), "{}", stdout(&never));
    let tested = provoke(&folder, &["test", "never.toml"]);
    assert_eq!(code(&tested), 2);
    assert!(stderr(&tested).contains("objective `o` cannot be reached"), "{}", stderr(&tested));
}

#[test]
fn show_writes_every_format() {
    let (_keep, folder) = example("carriage");
    let dot = provoke(&folder, &["show", "carriage.toml"]);
    assert!(stdout(&dot).starts_with("digraph"), "{}", stdout(&dot));
    let hoa = provoke(&folder, &["show", "carriage.toml", "--product", "--to", "hoa"]);
    assert!(stdout(&hoa).contains("States: 6"), "{}", stdout(&hoa));
    assert_eq!(code(&provoke(&folder, &["show", "carriage.toml", "--automaton", "R2", "-o", "r2.svg"])), 0);
    assert!(std::fs::read_to_string(folder.join("r2.svg")).unwrap().contains("<svg"));
    let unknown = provoke(&folder, &["show", "carriage.toml", "--automaton", "R9"]);
    assert_eq!(code(&unknown), 2);
    assert!(stderr(&unknown).contains("there is no requirement `R9`"), "{}", stderr(&unknown));
}

#[test]
fn faults_in_automata_are_shown_where_they_are() {
    let spec = "[signals]\ninputs = [\"a\"]\noutputs = [\"x\"]\n[[requirement]]\nid = \"R\"\nautomaton = \"r.hoa\"\n";
    let head = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"x\"\nAcceptance: 0 t\n--BODY--\n";
    let whole = "State: 0 [t] 0\nState: 1 [t] 1\n--END--\n";
    let cases = [
        ("nondeterministic", format!("{head}State: 0\n[0] 0\n[1] 1\nState: 1\n[t] 1\n--END--\n"), "r.hoa:9:"),
        ("unknown proposition", head.replace("\"x\"", "\"y\"") + whole, "r.hoa:4:11"),
        (
            "Rabin",
            head.replace("0 t", "2 Fin(0) & Inf(1)") + "State: 0 {0} [t] 1\nState: 1 {1} [t] 0\n--END--\n",
            "r.hoa:5:",
        ),
        ("syntax", format!("{head}State: 0\n[0 &] 0\n--END--\n"), "r.hoa:8:"),
        ("cut off", head.to_owned(), "r.hoa:"),
    ];
    for (what, hoa, place) in cases {
        let folder = folder_with(&[("s.toml", spec), ("r.hoa", &hoa)]);
        let output = provoke(folder.path(), &["check", "s.toml"]);
        assert_eq!(code(&output), 2, "{what}");
        let shown = stderr(&output);
        assert!(shown.contains(place), "{what}: {shown}");
    }
}

#[test]
fn faults_in_the_specification_file() {
    let signals = "[signals]\ninputs = [\"a\"]\noutputs = [\"x\"]\n";
    let cases = [
        ("[signal]\n".to_owned(), "unknown key `signal`", "did you mean `signals`?"),
        ("signals = 3\n".to_owned(), "invalid type", ""),
        ("[signals\n".to_owned(), "", "s.toml:1:"),
        (String::new(), "names no signals", "add a table [signals]"),
        (format!("{signals}[[requirement]]\nid = \"R\"\n"), "requirement `R`", "automaton"),
        (
            format!("{signals}[[requirement]]\nid = \"R\"\nautomaton = \"none.hoa\"\n"),
            "there is no file",
            "relative",
        ),
        (
            format!("{signals}[[objective]]\nid = \"o\"\nviolates = \"R\"\n"),
            "there is no requirement `R`",
            "",
        ),
        ("[signals]\ninputs = [\"a\", \"a\"]\noutputs = []\n".to_owned(), "named twice", ""),
        (
            "[signals]\ninputs = [\"a b\"]\noutputs = []\n".to_owned(),
            "cannot be the name of a signal",
            "no blanks",
        ),
    ];
    for (text, message, help) in cases {
        let folder = folder_with(&[("s.toml", &text)]);
        let output = provoke(folder.path(), &["check", "s.toml"]);
        assert_eq!(code(&output), 2, "{text}");
        let shown = stderr(&output);
        assert!(shown.contains(message) && shown.contains(help), "{text}: {shown}");
    }
    let missing = provoke(Path::new("."), &["check", "no-such-file.toml"]);
    assert_eq!(code(&missing), 2);
    assert!(stderr(&missing).contains("no-such-file.toml"), "{}", stderr(&missing));
}

#[test]
fn usage_errors_name_the_nearest_word() {
    let (_keep, folder) = example("carriage");
    for (words, message) in [
        (&["test", "carriage.toml", "--strategy", "gredy"][..], "did you mean `greedy`?"),
        (&["test", "carriage.toml", "--objective", "deliverd"], "did you mean `delivered`?"),
        (&["test", "carriage.toml", "--epsilon", "1.5"], "between 0 and 1"),
        (&["test", "carriage.toml", "--gamma", "1"], "between 0 and 1"),
        (&["test", "carriage.toml", "--exploration=-1"], "0 or more"),
        (&["test", "carriage.toml", "--exploration", "NaN"], "0 or more"),
        (&["test", "carriage.toml", "--reward", "lats"], "last"),
        (&["test", "carriage.toml", "--roll-out", "unifrom"], "did you mean `uniform`?"),
        (&["test", "carriage.toml", "--nodes", "0"], "from 16"),
        (&["test", "carriage.toml", "--grow", "0"], "--grow"),
        (&["test", "carriage.toml", "--greedy-visits=-1"], "--greedy-visits"),
        (&["test", "carriage.toml", "--seconds=-1"], "seconds"),
        (&["test", "carriage.toml", "--steps", "0"], "--steps"),
        (&["tset"], "test"),
    ] {
        let output = provoke(&folder, words);
        assert_eq!(code(&output), 2, "{words:?}");
        assert!(stderr(&output).contains(message), "{words:?}: {}", stderr(&output));
    }
}

#[test]
fn options_of_strategies_are_taken_or_said_not_to_be() {
    let (_keep, folder) = example("passageway");
    let spec = "rooms-3-faulty.toml";
    for words in [
        &["--strategy", "mcts-greedy", "--gamma", "0.8", "--exploration", "0.2", "--greedy-visits", "5"][..],
        &["--strategy", "mcts", "--reward", "best", "--roll-out", "epsilon-greedy", "--epsilon", "0.3"],
        &["--strategy", "mcts", "--roll-out", "frontier-experience", "--nodes", "5000"],
        &["--strategy", "frontier", "--epsilon", "0.5", "--reset-cost", "10", "--grow", "100"],
        &["--gamma", "0.5", "--nodes", "200"],
    ] {
        let output = provoke(&folder, &[&["test", spec, "--no-save", "--json"], words].concat());
        assert_eq!((code(&output), stderr(&output).as_str()), (1, ""), "{words:?}");
        assert!(json(&output)["strategy_bytes"].as_u64().unwrap() > 0, "{words:?}");
    }
    let text = stdout(&provoke(&folder, &["test", spec, "--no-save"]));
    assert!(text.contains("strategy auto (") && text.contains(" kB), seed 0"), "{text}");
    let ignored = provoke(&folder, &["test", spec, "--no-save", "--strategy", "greedy", "--gamma", "0.5"]);
    assert!(stderr(&ignored).contains("strategy `greedy` takes no --gamma"), "{}", stderr(&ignored));
}

#[test]
fn what_cannot_be_saved_is_said_and_not_lost() {
    let (_keep, folder) = example("carriage");
    let output = provoke(&folder, &["test", "faulty.toml", "--trace", "no/such/folder/x.trace"]);
    assert_eq!(code(&output), 1, "the verdict stands");
    assert!(stderr(&output).contains("failed to write"), "{}", stderr(&output));
    assert!(folder.join("faulty.traces/R3.trace").exists());
    assert!(stdout(&output).contains("violation of R3"));
}

#[test]
fn what_is_no_plain_file_is_written_to_and_not_replaced() {
    let (_keep, folder) = example("carriage");
    std::os::unix::fs::symlink("elsewhere.trace", folder.join("link.trace")).unwrap();
    let output = provoke(&folder, &["test", "carriage.toml", "--trace", "link.trace"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(folder.join("link.trace").is_symlink());
    let text = std::fs::read_to_string(folder.join("elsewhere.trace")).unwrap();
    assert!(text.contains("# covers delivered"), "{text}");
}

#[test]
fn a_reader_that_went_away_does_not_change_the_verdict() {
    let (_keep, folder) = example("carriage");
    let ways: [(i32, &[&str]); 4] = [
        (1, &["test", "faulty.toml", "--no-save"]),
        (1, &["test", "faulty.toml", "--no-save", "--json"]),
        (0, &["check", "carriage.toml"]),
        (0, &["show", "carriage.toml"]),
    ];
    for (expected, words) in ways {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        let output = command.current_dir(&folder).args(words).stdout(writer).output().unwrap();
        assert_eq!((code(&output), stderr(&output).as_str()), (expected, ""), "{words:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let (_keep, folder) = example("carriage");
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    // A verdict's own code stands.
    for (spec, expected) in [("carriage.toml", 2), ("faulty.toml", 1)] {
        for words in [vec!["test", spec, "--no-save"], vec!["test", spec, "--no-save", "--json"]] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
            let output = command.current_dir(&folder).args(&words).stdout(full()).output().unwrap();
            assert_eq!(code(&output), expected, "{words:?}: {}", stderr(&output));
            assert!(
                stderr(&output).starts_with("error: failed to write to standard output: "),
                "{}",
                stderr(&output)
            );
        }
    }
    let output = provoke(&folder, &["test", "carriage.toml", "--trace", "/dev/full"]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).starts_with("warning: failed to write /dev/full: "), "{}", stderr(&output));
}

#[test]
fn completions_for_a_shell() {
    let output = provoke(Path::new("."), &["completions", "bash"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("provoke"));
}

#[test]
fn a_lift_without_reset_is_driven_back() {
    let (_keep, folder) = example("lift-without-reset");
    let words = ["--strategy", "uniform", "--steps", "12", "--json", "--no-save"];
    let good = provoke(&folder, &[&["test", "lift.toml"], &words[..]].concat());
    assert_eq!(code(&good), 0, "{}", stderr(&good));
    let report = json(&good);
    assert_eq!(report["reset_steps"].as_u64(), report["resets"].as_u64().map(|resets| 2 * resets));
    let stuck = provoke(&folder, &[&["test", "stuck.toml"], &words[..]].concat());
    assert_eq!(code(&stuck), 1);
    assert_eq!(json(&stuck)["violations"][0]["requirement"], "rises");
    // Runs of 4 steps end on the third floor sooner or later, and the next reset finds the lift there.
    let astray =
        provoke(&folder, &["test", "stays-up.toml", "--steps", "4", "--strategy", "uniform", "--no-save"]);
    assert_eq!(code(&astray), 4, "{}", stdout(&astray));
    assert!(stdout(&astray).contains("does not follow its model at a reset"), "{}", stdout(&astray));
}
