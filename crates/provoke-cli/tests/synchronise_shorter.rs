//! `provoke synchronise` goes on to shorter words, through the real binary.

use std::path::PathBuf;
use std::process::Command;

use provoke::rng::Rng;
use serde_json::Value;

/// A random complete machine with two inputs, as a table file.
fn random(folder: &tempfile::TempDir, states: u64, seed: u64) -> PathBuf {
    let mut rng = Rng::new(seed);
    let rows = (0..states).map(|_| format!("{} {}\n", rng.below(states), rng.below(states)));
    let text = format!("table {states} 2\n{}", rows.collect::<String>());
    let path = folder.path().join(format!("{states}-{seed}.table"));
    std::fs::write(&path, text).expect("a file");
    path
}

fn run(path: &PathBuf, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let output = command.arg("synchronise").arg(path).args(arguments).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn json(path: &PathBuf, arguments: &[&str]) -> Value {
    let text = run(path, &[arguments, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn the_first_word_is_told_and_then_a_much_shorter_one() {
    let folder = tempfile::tempdir().expect("a folder");
    // The fourth of the random machines on which a public beam search finds a word of 52 letters.
    let path = random(&folder, 512, 4);
    let fast = json(&path, &["--method", "fast"]);
    assert_eq!((&fast["length"], &fast["first_length"]), (&63.into(), &63.into()), "{fast}");
    let text = run(&path, &[]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with("512 states, 2 inputs, complete"), "{text}");
    assert!(lines[1].starts_with("a first word of 63 inputs in "), "{text}");
    assert!(lines[1].ends_with(" s; looking for shorter ones"), "{text}");
    assert!(lines[2].starts_with("a word of 52 inputs, by auto (beam backwards) in "), "{text}");
}

#[test]
fn a_word_proved_shortest_ends_the_search_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = random(&folder, 60, 1);
    let exact = json(&path, &["--method", "exact"]);
    // An hour is asked for, but a moment is enough.
    for arguments in [&[][..], &["--seconds", "3600"]] {
        let auto = json(&path, arguments);
        assert_eq!((&auto["length"], &auto["shortest"]), (&exact["length"], &true.into()), "{auto}");
        let lengths: Vec<u64> =
            auto["lengths"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
        assert!(lengths.is_sorted_by(|one, next| one > next), "{auto}");
        assert_eq!(
            (lengths.first(), lengths.last()),
            (auto["first_length"].as_u64().as_ref(), auto["length"].as_u64().as_ref())
        );
    }
}

#[test]
fn asking_for_time_takes_the_time_and_a_target_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = random(&folder, 300, 2);
    let fast = json(&path, &["--method", "fast"]);
    let target = fast["target"].as_str().expect("a state");
    // The first beam backwards takes a hundredth of this time.
    let auto = json(&path, &["--seconds", "2", "--into", target]);
    assert!(auto["length"].as_u64() < auto["first_length"].as_u64(), "{auto}");
    assert_eq!((&auto["first_length"], &auto["target"]), (&fast["length"], &fast["target"]), "{auto}");
}

#[test]
fn q_synch_says_how_many_nodes_it_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = random(&folder, 30, 5);
    let learnt = json(&path, &["--method", "q-synch"]);
    assert!(learnt["nodes"].as_u64() > Some(2) && learnt["found_by"] == "q-synch", "{learnt}");
    assert_eq!(json(&path, &["--method", "greedy"])["nodes"], Value::Null);
}
