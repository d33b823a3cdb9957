//! Systems that crash, hang or break the protocol, through the real binary: exit code 4 with the trace and the last
//! words, never a violation, and nothing left behind.

#![allow(clippy::unwrap_used)]

mod common;

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use common::{eventually, lives, misbehave, process, processes};

/// A folder with the carriage's requirements and a specification with these protocol options.
fn folder(options: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/carriage");
    let mut text = String::from(
        "[signals]\ninputs = [\"bwdlimit\", \"fwdlimit\", \"cargo\"]\noutputs = [\"movefwd\", \"movebwd\"]\n",
    );
    text += &format!("[system.protocol]\n{options}\n");
    for id in ["r1", "r2", "r3"] {
        std::fs::copy(examples.join(format!("{id}.hoa")), folder.path().join(format!("{id}.hoa"))).unwrap();
        text += &format!("[[requirement]]\nid = \"{id}\"\ntext = \"\"\nautomaton = \"{id}.hoa\"\n");
    }
    std::fs::write(folder.path().join("spec.toml"), text).unwrap();
    folder
}

fn tester(folder: &Path, words: &[&str], way: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder).args(["test", "spec.toml", "--strategy", "uniform"]);
    command.args(words).arg("--").arg(misbehave()).args(way);
    command
}

/// Deadlines no healthy system misses, and deadlines for systems that miss every one.
const PATIENT: &str = "start_ms = 60000\nstep_ms = 60000";
/// As long as any machine takes to print an extra line; the line ends the wait.
const TALKATIVE: &str = "start_ms = 60000\nstep_ms = 60000\nsettle_ms = 60000";
const HASTY: &str = "start_ms = 400\nstep_ms = 400";

/// Every bad system: how it is bad, the deadlines, how many steps it answers, and what the report says about it.
const BAD: &[(&str, &str, usize, &str)] = &[
    ("exits-at-start", PATIENT, 0, "the system was gone at its start: it exited with code 3"),
    ("exits", PATIENT, 3, "the system was gone in a step: it exited with code 7"),
    ("aborts", PATIENT, 3, "the system was gone in a step: it was killed by signal 6 (SIGABRT)"),
    ("never-reads", HASTY, 0, "the system was silent at its start: nothing within 400 ms"),
    ("silent", HASTY, 3, "the system was silent in a step: nothing within 400 ms"),
    ("ignores-sigterm", HASTY, 3, "the system was silent in a step: nothing within 400 ms"),
    ("floods-stderr", HASTY, 3, "the system was silent in a step: nothing within 400 ms"),
    ("half-a-line", HASTY, 3, "the system said `movefwd=` in a step: the line did not end within 400 ms"),
    ("garbage", PATIENT, 3, "` in a step: not an answer: "),
    ("unknown-signal", PATIENT, 3, "in a step: unknown signal `movefwdd` (did you mean `movefwd`?)"),
    ("missing-signal", PATIENT, 3, "the system said `movefwd=0` in a step: signal `movebwd` is missing"),
    ("two-lines", TALKATIVE, 4, "an extra line: nothing had been asked"),
    ("two-lines-late", TALKATIVE, 4, "an extra line: nothing had been asked"),
    ("endless-line", PATIENT, 3, "in a step: the line is longer than 65536 bytes"),
];

#[test]
fn bad_systems_are_broken_not_violating() {
    for &(way, options, answered, message) in BAD {
        let folder = folder(options);
        // Each is tried again three times; to look for fewer inputs as well would take a deadline each.
        let words = ["--json", "--shrink-seconds", "0"];
        let Output { status, stdout, .. } = tester(folder.path(), &words, &[way]).output().unwrap();
        let report: Value = serde_json::from_slice(&stdout).unwrap();
        assert_eq!(status.code(), Some(4), "{way}: {report}");
        assert_eq!(report["verdict"], "broken", "{way}");
        assert_eq!(report["violations"], Value::Array(Vec::new()), "{way}");
        let system = &report["system"];
        let error = system["error"].as_str().unwrap();
        assert!(error.contains(message), "{way}: {error}");
        // An extra line is noticed after the answer it belongs to, and late ones later still.
        let steps = system["trace"].as_array().unwrap().len();
        assert!(
            if way == "two-lines-late" { steps >= answered } else { steps == answered },
            "{way}: {steps}"
        );
        let said = |line: usize| system["stderr"][line].as_str();
        match way {
            "exits-at-start" => assert_eq!(said(0), Some("cannot find my configuration")),
            "exits" => assert!(said(0).unwrap().starts_with("assertion failed: bwdlimit="), "{system}"),
            "floods-stderr" => assert_eq!(said(19), Some("warning                  32767")),
            _ => assert_eq!(said(0), None, "{way}"),
        }
    }
}

#[test]
fn a_line_too_many_at_the_very_end_is_noticed() {
    let folder = folder(TALKATIVE);
    let once = ["--runs", "1", "--steps", "1"];
    let output = tester(folder.path(), &once, &["two-lines-late", "0"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{text}");
    assert!(text.contains(" after its last answer: an extra line: nothing had been asked"), "{text}");
}

#[test]
fn the_report_shows_trace_and_last_words() {
    let folder = folder(PATIENT);
    let output = tester(folder.path(), &[], &["exits", "1"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "broken: the system was gone in a step: it exited with code 7", "{text}");
    assert!(lines[1].starts_with("     1  bwdlimit=") && lines[1].contains(" / movefwd="), "{text}");
    assert!(lines[2].starts_with("     2  bwdlimit=") && lines[2].ends_with(" / no answer"), "{text}");
    assert!(lines[3].starts_with("  2 steps") && lines[3].ends_with("; reproduced 3 of 3"), "{text}");
    assert_eq!(lines[4], "  its last lines on stderr:", "{text}");
    assert!(lines[5].starts_with("  | assertion failed: "), "{text}");
}

#[test]
fn a_good_program_is_no_trouble() {
    let folder = folder(PATIENT);
    let good = tester(folder.path(), &["--runs", "5", "--steps", "50"], &["good"]).output().unwrap();
    assert_eq!(good.status.code(), Some(0), "{}", String::from_utf8_lossy(&good.stdout));
    let noisy = ["--runs", "2", "--steps", "20"];
    let noisy = tester(folder.path(), &noisy, &["floods-stderr-and-answers"]).output().unwrap();
    assert_eq!(noisy.status.code(), Some(0), "{}", String::from_utf8_lossy(&noisy.stdout));
}

#[test]
fn a_program_that_does_not_exist_is_broken() {
    let folder = folder(PATIENT);
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder.path()).args(["test", "spec.toml", "--", "./no-such-program"]);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{text}");
    assert!(text.contains("cannot be started: `./no-such-program`: no such program or directory"), "{text}");
}

/// The misbehaving program that another process has started in this way. Until it is one, a new process has the command line
/// of its parent, in which the way stands too.
fn child_of(parent: u32, way: &str) -> u32 {
    let is_it = |id: &u32| {
        process(*id).is_some_and(|(_, of, command)| {
            let mut words = command.split(' ');
            of == parent
                && words.next().is_some_and(|program| program.ends_with("misbehave"))
                && words.next() == Some(way)
        })
    };
    eventually("no child", || processes().find(is_it))
}

#[test]
fn nothing_is_left_when_the_tester_is_killed() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT, Signal::KILL] {
        // Neither ends by itself, not even when its stdin is closed; the second has a child of its own.
        for way in [["ignores-sigterm", "0"], ["has-child", "9"]] {
            let folder = folder(PATIENT);
            let mut command = tester(folder.path(), &["--steps", "1000000000", "--seconds", "600"], &way);
            let mut tester = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let system = child_of(tester.id(), way[0]);
            let grandchild = (way[0] == "has-child").then(|| child_of(system, "never-reads"));
            kill_process(Pid::from_raw(tester.id() as i32).unwrap(), signal).unwrap();
            let status = tester.wait().unwrap();
            // Where there is a report to write, it is written first.
            let expected = match signal {
                Signal::INT | Signal::TERM => (Some(128 + signal.as_raw()), None),
                _ => (None, Some(signal.as_raw())),
            };
            assert_eq!((status.code(), status.signal()), expected, "{way:?}");
            eventually("left behind", || (!lives(system) && !grandchild.is_some_and(lives)).then_some(()));
        }
    }
}

#[test]
fn nothing_is_left_when_the_tester_ends() {
    for (way, options) in [("ignores-sigterm", HASTY), ("has-child", PATIENT), ("stays", HASTY)] {
        let folder = folder(options);
        // The folder's name stands in the command line of everything that runs for this test.
        let mark = folder.path().display().to_string();
        tester(folder.path(), &["--runs", "3", "--steps", "2"], &[way, "1", &mark]).output().unwrap();
        let ours = |id: &u32| lives(*id) && process(*id).is_some_and(|(.., command)| command.contains(&mark));
        eventually("left behind", || processes().find(ours).is_none().then_some(()));
    }
}
