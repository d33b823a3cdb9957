//! Signals with types through the real binary: declared, checked, sent, judged, shrunk, replayed and recorded.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::{folder, test};

const LIFT: &str = r#"
[signals.inputs]
call = "0..3"
door = "bool"

[signals.outputs]
floor = "0..3"
motor = ["up", "down", "off"]

[system]
model = "lift.dot"

[[requirement]]
id = "there"
ltl = "G(motor = off -> floor = call)"

[[requirement]]
id = "up"
pattern = "Globally, it is always the case that if {call > floor} holds, then {motor = up or motor in {down}} holds as well."
"#;

/// Stands still at the floor that is called, except that the fourth is reached from the third with the door open only.
const MACHINE: &str = r#"digraph lift {
    start [shape=none]; start -> low;
    low -> low [label="call = 0 / floor=0 motor=off"];
    low -> low [label="call in 1..2 & door / floor=0 motor=up"];
    low -> high [label="call >= 1 & (!door | call = 3) / floor=1 motor=up"];
    high -> low [label="call < 3 / floor=0 motor=down"];
    high -> high [label="call=3 door=1 / floor=3 motor=off"];
    high -> high [label="call=3 door=0 / floor=2 motor=off"];
}
"#;

fn provoke(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let output = command.args(words).current_dir(folder).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn lift() -> tempfile::TempDir {
    let folder = folder(LIFT);
    std::fs::write(folder.path().join("lift.dot"), MACHINE).unwrap();
    folder
}

#[test]
fn a_lift_in_numbers_is_checked_tested_and_replayed() {
    let folder = lift();
    let (code, text, error) = provoke(folder.path(), &["check", "spec.toml"]);
    assert_eq!(code, 0, "{text}{error}");
    assert!(text.contains("in  call: 0..3 (2 bits)\n  in  door: bool (1 bit)\n"), "{text}");
    assert!(text.contains("out motor: up, down, off (2 bits)"), "{text}");
    let (code, report) = test(folder.path(), &["--runs", "50", "--steps", "20"]);
    assert_eq!((code, &report["violations"][0]["requirement"]), (1, &"there".into()), "{report}");
    let trace = report["violations"][0]["trace"].to_string();
    assert!(trace.contains("call=3 door=0") && trace.contains("floor=2 motor=off"), "{trace}");
    let allowed = report["violations"][0]["allowed"].to_string();
    assert!(allowed.contains("motor != off & floor <= 2 | floor = 3"), "{allowed}");
    let (code, text, error) = provoke(folder.path(), &["test", "spec.toml", "--seed", "1"]);
    assert_eq!(code, 1, "{text}{error}");
    let saved: Vec<_> = walk(folder.path()).into_iter().filter(|path| path.ends_with(".trace")).collect();
    assert_eq!(saved.len(), 2, "{text}");
    let (code, text, error) = provoke(folder.path(), &["replay", &saved[0]]);
    assert_eq!(code, 1, "{text}{error}");
}

fn walk(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(walk(&path)),
            false => found.push(path.to_str().unwrap().to_owned()),
        }
    }
    found
}

#[test]
fn recorded_runs_have_numbers_and_names() {
    let folder = lift();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("good.csv", "call,door,floor,motor\n3,1,1,up\n2,0,0,down\n");
    write("bad.jsonl", "{\"call\":3,\"door\":true,\"floor\":1,\"motor\":\"off\"}\n");
    write("odd.csv", "call,door,floor,motor\n3,1,1,2nd\n");
    write("sent.csv", "call,door,floor,motor\n4,1,1,up\n");
    write("stray.csv", "call,door,floor,motor\n3,1,1,up\n3,1,4,sideways\n3,1,1,off\n");
    write("stray.jsonl", "{\"call\":3,\"door\":true,\"floor\":-1,\"motor\":\"up\"}\n");
    write("stray.trace", "call=3 door=1 / floor=1 motor=up\ncall=3 door=1 / floor=4 motor=off\n");
    let monitor = |name: &str| provoke(folder.path(), &["monitor", "spec.toml", name]);
    assert_eq!(monitor("good.csv").0, 0);
    let (code, text, _) = monitor("bad.jsonl");
    assert!(code == 1 && text.contains("there"), "{text}");
    let (code, _, error) = monitor("odd.csv");
    assert!(code == 2 && error.contains("write one of up, down, off"), "{error}");
    let (code, _, error) = monitor("sent.csv");
    assert!(code == 2 && error.contains("write a number from 0 to 3"), "{error}");
    // What is out of range is judged by ranges alone, and what comes after it by nobody.
    let (code, text, _) = monitor("stray.csv");
    assert_eq!(code, 1, "{text}");
    let step = "requirement range of floor: VIOLATED at step 2\n  call=3 door=1 / floor=4 motor=sideways\n";
    assert!(text.contains(step) && text.contains("range of motor: VIOLATED"), "{text}");
    assert!(text.contains("requirement there: so far good"), "{text}");
    assert!(text.contains("what comes after step 2 was not judged"), "{text}");
    let (code, text, _) = monitor("stray.jsonl");
    assert!(code == 1 && text.contains("floor=-1"), "{text}");
    let (code, text, _) = provoke(folder.path(), &["explain", "spec.toml", "stray.trace"]);
    assert!(code == 1 && text.contains("range of floor forbids floor=4 motor=off"), "{text}");
    assert!(text.ends_with("VIOLATED in 2 steps: range of floor\n"), "{text}");
    // Read from what was written.
    provoke(
        folder.path(),
        &["monitor", "spec.toml", "stray.csv", "--vcd", "again.vcd", "--csv", "again.csv"],
    );
    for again in ["again.vcd", "again.csv"] {
        let (code, text, error) = monitor(again);
        assert!(code == 1 && text.contains("floor=4 motor=sideways"), "{text}{error}");
    }
}

/// Answers what is out of range from the second time on that it is called to 3.
const STRAYS: &str = "n=0; while read call door; do case $call in call=3) n=$((n+1));; reset) n=0;; esac; \
    if [ $n -ge 2 ]; then echo \"floor=4 motor=WORD\"; else echo \"floor=0 motor=down\"; fi; done";

fn straying(script: &str) -> tempfile::TempDir {
    let command = format!("command = [\"sh\", \"-c\", '''{script}''']");
    folder(&LIFT.replace("model = \"lift.dot\"", &command))
}

#[test]
fn an_answer_out_of_range_is_a_violation_like_any_other() {
    let both: &[&str] = &["range of floor", "range of motor"];
    for (word, ranges) in [("off", &both[..1]), ("sideways", both)] {
        let folder = straying(&STRAYS.replace("WORD", word));
        for option in ["--html=page.html", "--keep-going"] {
            let words = ["test", "spec.toml", "--json", "--runs", "20", option];
            let (code, text, error) = provoke(folder.path(), &words);
            let report: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(code, 1, "{report}{error}");
            let violations = report["violations"].as_array().unwrap();
            let found: Vec<&str> =
                violations.iter().map(|one| one["requirement"].as_str().unwrap()).collect();
            assert_eq!(found, ranges, "{report}");
            for violation in violations {
                let trace = violation["trace"].as_array().unwrap();
                // Shrunk to the two calls that it takes.
                assert_eq!(trace.len(), 2, "{violation}");
                assert_eq!(trace[1]["output"], format!("floor=4 motor={word}"), "{violation}");
            }
            let entries = report["requirements"].as_array().unwrap();
            assert_eq!(entries.len(), 2 + ranges.len(), "{report}");
            assert!(entries[2..].iter().all(|entry| entry["verdict"] == "violated"), "{report}");
            assert!(entries[..2].iter().all(|entry| entry["verdict"] != "violated"), "{report}");
        }
        let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
        assert!(page.contains("range of floor") && page.contains(&format!("floor=4 motor={word}")));
        let saved: Vec<_> = walk(folder.path()).into_iter().filter(|path| path.ends_with(".trace")).collect();
        assert_eq!(saved.len(), ranges.len());
        let (code, text, error) = provoke(folder.path(), &["replay", &saved[0]]);
        assert!(code == 1 && text.contains("every answer as recorded"), "{text}{error}");
        assert!(text.contains(&format!("VIOLATED: {}", ranges.join(", "))), "{text}");
    }
    // What is no value at all is broken.
    for (from, to) in [("floor=4", "floor=abc"), ("floor=4", "floor=0.5"), ("motor=WORD", "motor=1")] {
        let folder = straying(&STRAYS.replace(from, to).replace("WORD", "off"));
        let (code, report) = test(folder.path(), &["--runs", "20"]);
        assert_eq!((code, &report["verdict"]), (4, &"broken".into()), "{report}");
    }
}

#[test]
fn a_program_in_lines_or_json_is_sent_values() {
    let system = |options: &str, script: &str| {
        let folder = folder(&LIFT.replace(
            "model = \"lift.dot\"",
            &format!("command = [\"sh\", \"-c\", '''{script}''']\n{options}"),
        ));
        test(folder.path(), &["--runs", "3", "--steps", "6"])
    };
    let lines = "while read call door; do echo \"floor=${call#call=} motor=off\"; done";
    let (code, report) = system("", lines);
    assert!(code == 0 && report["verdict"] == "covered", "{report}");
    let json = "while read line; do call=${line#*call\\\":}; echo \"{\\\"motor\\\":\\\"off\\\",\\\"floor\\\":${call%%,*}}\"; done";
    let (code, report) = system("[system.protocol]\nform = \"json\"", &json.replace("\\\\", "\\"));
    assert!(code == 0 && report["verdict"] == "covered", "{report}");
    for (said, trace) in [("4", "floor=4 motor=off"), ("-7", "floor=-7 motor=off"), ("1e30", "floor=1")] {
        let json = format!("while read line; do echo '{{\"motor\":\"off\",\"floor\":{said}}}'; done");
        let (code, report) = system("[system.protocol]\nform = \"json\"", &json);
        assert_eq!(
            (code, &report["violations"][0]["requirement"]),
            (1, &"range of floor".into()),
            "{report}"
        );
        assert!(report["violations"][0]["trace"][0]["output"].to_string().contains(trace), "{report}");
    }
}

const LEVELS: &str = r#"
[signals.inputs]
x = "0..9999"
on = "bool"

[signals.outputs]
alarm = "bool"

[system]
model = "alarm.dot"

[[requirement]]
id = "alarm"
ltl = "G(on & x >= 7321 -> alarm)"

[[requirement]]
id = "quiet"
ltl = "G(x < 7321 -> !alarm)"
"#;

#[test]
fn faults_at_the_edge_of_a_range_are_caught_soon() {
    // By chance alone a step shows the fault with p = 1/20000. At edges 100 of 100 seeds found each within 200 steps.
    for wrong in ["on & x > 7321", "on & x >= 7320"] {
        let folder = folder(LEVELS);
        let machine = format!(
            "digraph m {{ start [shape=none]; start -> s;\n\
             s -> s [label=\"{wrong} / alarm=1\"];\n s -> s [label=\"!({wrong}) / alarm=0\"];\n}}\n"
        );
        std::fs::write(folder.path().join("alarm.dot"), machine).unwrap();
        let spec = folder.path().join("spec.toml");
        for seed in 0..10 {
            let seed = seed.to_string();
            let words =
                ["test", spec.to_str().unwrap(), "--no-save", "--total-steps", "200", "--seed", &seed];
            let (code, text, error) = provoke(folder.path(), &words);
            assert_eq!(code, 1, "{wrong}, seed {seed}: {text}{error}");
        }
    }
}

const REALS: &str = r#"
[signals.inputs]
speed = { real = [-5.0, 5.0] }

[signals.outputs]
temp = "real"
room = { real = [-40, 85.5] }

[system]
model = "m.dot"

[[requirement]]
id = "warm"
ltl = "G(speed > 2.5 -> temp >= 20.5)"

[[requirement]]
id = "slowly"
ltl = "G abs(temp - prev(temp)) <= 2"
"#;

/// A machine in numbers: too cold right above 2.5, where `LOW` is; `JUMP` is what it shows below.
const SPEEDS: &str = r#"digraph m { start [shape=none]; start -> s;
    s -> s [label="speed > LOW / temp=20.5 room=1"];
    s -> s [label="speed <= LOW / temp=JUMP room=1"];
}
"#;

#[test]
fn numbers_need_not_be_whole() {
    let machine = |low: &str, jump: &str| {
        let folder = folder(REALS);
        let text = SPEEDS.replace("LOW", low).replace("JUMP", jump);
        std::fs::write(folder.path().join("m.dot"), text).unwrap();
        folder
    };
    let good = machine("2.5", "18.5");
    let (code, text, error) = provoke(good.path(), &["check", "spec.toml"]);
    assert_eq!(code, 0, "{text}{error}");
    assert!(text.contains("in  speed: real -5..5 in steps of 0.01 (10 bits)"), "{text}");
    assert!(text.contains("out temp: real (64 bits)\n  out room: real -40..85.5"), "{text}");
    let (code, report) = test(good.path(), &["--runs", "30", "--steps", "20"]);
    assert_eq!(code, 0, "{report}");
    // Only 2.51 shows it, one of 1,001 numbers that can be sent.
    for seed in ["1", "2", "3"] {
        let folder = machine("2.51", "18.5");
        let words = ["test", "spec.toml", "--json", "--no-save", "--total-steps", "2000", "--seed", seed];
        let (code, text, error) = provoke(folder.path(), &words);
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((code, &report["violations"][0]["requirement"]), (1, &"warm".into()), "{report}{error}");
        assert_eq!(report["violations"][0]["trace"][0]["input"], "speed=2.51", "{report}");
    }
    // What was seen against what was seen one step ago.
    let folder = machine("2.5", "18.25");
    let (code, text, error) = provoke(folder.path(), &["test", "spec.toml", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &report["violations"][0]["requirement"]), (1, &"slowly".into()), "{report}{error}");
    assert_eq!(report["violations"][0]["trace"].as_array().unwrap().len(), 2, "{report}");
    let saved: Vec<_> = walk(folder.path()).into_iter().filter(|path| path.ends_with(".trace")).collect();
    let (code, text, error) = provoke(folder.path(), &["replay", &saved[0]]);
    assert!(code == 1 && text.contains("every answer as recorded"), "{text}{error}");
    let (code, text, error) = provoke(folder.path(), &["monitor", "spec.toml", &saved[0]]);
    assert!(code == 1 && text.contains("requirement slowly: VIOLATED at step 2"), "{text}{error}");
    let (code, text, error) = provoke(folder.path(), &["explain", "spec.toml", &saved[0]]);
    assert!(code == 1 && text.contains("VIOLATED in 2 steps: slowly"), "{text}{error}");
    let (code, _, error) = provoke(folder.path(), &["verify", "spec.toml", "--model", "m.dot"]);
    assert!(code == 2 && error.contains("machines are not held against"), "{error}");
}
