//! `provoke learn --no-reset` through the real binary.

use std::path::Path;

use serde_json::Value;

use crate::common::folder;
use crate::{SPEC, lift, machine, parsed, provoke};

fn learn(folder: &Path, words: &[&str]) -> (i32, String, String) {
    provoke(folder, &[&["learn", "spec.toml", "--no-reset"], words].concat())
}

fn json(folder: &Path, words: &[&str]) -> (i32, Value) {
    parsed(learn(folder, &[words, &["--json"]].concat()))
}

/// A counter of three, as a shell script: `bye` ends it, and in its last state `look` tosses a coin.
const COUNTER: &str = "s=0\nwhile read -r line; do\n  case $line in\n\
    step) s=$(( (s + 1) % 3 )); echo \"s$s\";;\n\
    bye) echo bye; exit 0;;\n\
    *) if [ $s = 2 ] && [ $(( $RANDOM % 2 )) = 1 ]; then echo odd; else echo even; fi;;\n\
    esac\ndone\n";

fn counter(inputs: &str, ends: &str) -> String {
    format!(
        "[labels]\ninputs = [{inputs}]\noutputs = ['s0', 's1', 's2', 'bye', 'odd', 'even']\n\
         [system]\ncommand = ['bash', 'counter.sh']\n[system.protocol]\n{ends}"
    )
}

#[test]
fn chance_is_told_from_a_homing_word_that_does_not_home() {
    let folder = folder(&counter("'step', 'look'", ""));
    let folder = folder.path();
    std::fs::write(folder.join("counter.sh"), COUNTER).unwrap();
    let (code, found) = json(folder, &["--no-pin", "--total-steps", "400000"]);
    assert_eq!((code, &found["deterministic"]), (3, &false.into()), "{found}");
    assert_eq!(found["verdict"], "exhausted");
    // It ends by itself, and shows the same word with two answers.
    assert!(found["steps"].as_u64().unwrap() < 400_000, "{found}");
    let (first, second) = (&found["contradiction"]["first"], &found["contradiction"]["second"]);
    let inputs = |word: &Value| -> Vec<Value> {
        word.as_array().unwrap().iter().map(|step| step["input"].clone()).collect()
    };
    assert_eq!((inputs(first), &found["contradiction"]["confirmed"]), (inputs(second), &true.into()));
    assert_ne!(first, second);
}

#[test]
fn inputs_that_may_not_be_sent_are_planned_around() {
    // After `up` another `up` must wait: that is two states where it makes a difference, as with resets.
    let folder = folder(&format!("{SPEC}[[assumption]]\nid = 'A'\nltl = 'G (up -> X !up)'\n"));
    let folder = folder.path();
    std::fs::write(folder.join("lift.dot"), lift("third")).unwrap();
    for seed in ["0", "1", "2", "3"] {
        let (code, found) = json(folder, &["--patience", "2000", "--seed", seed]);
        assert_eq!((code, &found["verdict"]), (0, &"learnt".into()), "{found}");
        let sizes = (&found["states"], &found["transitions"], &found["withheld_transitions"]);
        assert_eq!(sizes, (&5.into(), &13.into(), &2.into()), "{found}");
    }
}

#[test]
fn a_system_that_ends_is_said_to_have_ended() {
    let folder = folder(&counter("'step', 'bye'", "ends = 'bye'\n"));
    let folder = folder.path();
    std::fs::write(folder.join("counter.sh"), COUNTER).unwrap();
    let (code, out, error) = learn(folder, &["--no-pin", "-o", "model.dot"]);
    assert!(code == 3 && out.contains("the system has ended after"), "{code} {out}{error}");
    assert!(out.contains("\n  bye / bye\n") && out.contains("EXHAUSTED"), "{out}");
    assert!(folder.join("model.dot").is_file(), "{out}");
    let (code, found) = json(folder, &["--no-pin"]);
    assert!(code == 3 && found["ended"].as_array().is_some_and(|last| !last.is_empty()), "{found}");
}

#[test]
fn the_old_machine_may_have_been_in_any_state() {
    let folder = folder(SPEC);
    let folder = folder.path();
    std::fs::write(folder.join("lift.dot"), lift("third")).unwrap();
    learn(folder, &["--patience", "1000", "-o", "old.dot"]);
    for seed in ["1", "2", "3", "4"] {
        let words = ["--patience", "1000", "--compare", "old.dot", "--seed", seed];
        let (code, found) = json(folder, &words);
        assert_eq!((code, found["differences"].as_array().map(Vec::len)), (0, Some(0)), "{found}");
    }
    std::fs::write(folder.join("lift.dot"), lift("second")).unwrap();
    let (code, found) = json(folder, &["--patience", "1000", "--compare", "old.dot"]);
    let differences = found["differences"].as_array().unwrap();
    assert!(code == 1 && differences.iter().all(|one| one["old"] != one["new"]), "{found}");
    let last = differences.iter().find(|one| one["input"] == "wait").unwrap();
    assert_eq!((&last["old"], &last["new"]), (&"third".into(), &"second".into()), "{found}");
}

#[test]
fn what_is_known_seen_from_elsewhere_is_no_news() {
    // Irregular, and each state can be reached from each: the homing word leads to many of them, and each is learnt from.
    let names: Vec<String> = (0..20).map(|state| format!("q{state}")).collect();
    let mut seed = 7u64;
    let mut draw = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut transitions = Vec::new();
    for state in 0..20 {
        for input in ["a", "b", "c"] {
            let to = if input == "a" { (state + 1) % 20 } else { draw(20) as usize };
            let output = if draw(2) == 0 { "x" } else { "y" };
            transitions.push((names[state].as_str(), input, output, names[to].as_str()));
        }
    }
    let folder =
        folder("[labels]\ninputs = ['a', 'b', 'c']\noutputs = ['x', 'y']\n[system]\nmodel = 'm.dot'\n");
    let folder = folder.path();
    std::fs::write(folder.join("m.dot"), machine(&transitions)).unwrap();
    for seed in ["0", "1"] {
        let words = ["--seed", seed, "--total-steps", "200000", "--compare", "m.dot"];
        let (code, found) = json(folder, &words);
        assert_eq!((code, &found["verdict"]), (0, &"learnt".into()), "{found}");
        assert_eq!((&found["states"], &found["transitions"]), (&20.into(), &60.into()), "{found}");
        assert_eq!(found["differences"].as_array().map(Vec::len), Some(0), "{found}");
    }
}
