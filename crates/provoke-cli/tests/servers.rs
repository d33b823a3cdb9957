//! Servers that the tester starts and ends, where commands run, and connections that are lost, through the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use std::net::TcpListener;
use std::process::{Command, Stdio};

use common::{eventually, folder, free_address, lives, misbehave, process, processes, test};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

const CARRIAGE: &str = "[signals]\ninputs = ['bwdlimit', 'fwdlimit', 'cargo']\noutputs = ['movefwd', 'movebwd']\n\
    [[requirement]]\nid = 'stops'\nltl = 'G (fwdlimit -> !movefwd)'\n";

/// A carriage at an address, which is started in this way, with more keys of [system].
fn server(address: &str, way: &str, keys: &str) -> tempfile::TempDir {
    let program = misbehave().display();
    folder(&format!(
        "{CARRIAGE}[system]\ntcp = '{address}'\nstart = ['{program}', 'serve', '{address}', {way}]\n{keys}\n\
         [system.protocol]\nstep_ms = 60000\n"
    ))
}

/// Changes a specification that was written.
fn rewrite(spec: &tempfile::TempDir, from: &str, to: &str) {
    let path = spec.path().join("spec.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from));
    std::fs::write(&path, text.replace(from, to)).unwrap();
}

/// The processes that were told of an address.
fn told_of(address: &str) -> Vec<u32> {
    let is_told =
        |id: &u32| process(*id).is_some_and(|(_, _, command)| command.contains(address) && lives(*id));
    processes().filter(is_told).collect()
}

const SHORT: &[&str] = &["--runs", "4", "--steps", "25", "--strategy", "uniform"];

#[test]
fn a_server_is_started_called_and_ended() {
    for way in ["'good'", "'ignores-sigterm'"] {
        for reset in ["", "reset = 'reset'"] {
            let address = free_address();
            let (code, report) = test(server(&address, way, reset).path(), SHORT);
            assert_eq!((code, &report["steps"]), (0, &Value::from(100)), "{report}");
            assert_eq!(told_of(&address), [] as [u32; 0]);
        }
    }
}

#[test]
fn servers_that_do_not_serve_are_broken() {
    for (way, start_ms, message, words) in [
        (
            "'exits-at-start'",
            60000,
            "it exited with code 3 before it accepted at ",
            "cannot find my configuration",
        ),
        ("'deaf'", 300, "it did not accept at ", ""),
        ("'crashes', '3'", 60000, ": it exited with code 7", "assertion failed: "),
    ] {
        let address = free_address();
        let spec = server(&address, way, "");
        rewrite(&spec, "step_ms = 60000", &format!("start_ms = {start_ms}"));
        let (code, report) = test(spec.path(), SHORT);
        let system = &report["system"];
        assert_eq!(code, 4, "{way}: {report}");
        assert!(system["error"].as_str().unwrap().contains(message), "{way}: {system}");
        assert!(system["stderr"][0].as_str().unwrap_or_default().starts_with(words), "{way}: {system}");
        assert_eq!(told_of(&address), [] as [u32; 0], "{way}");
    }
    let (code, report) = test(
        folder(&format!("{CARRIAGE}[system]\ntcp = '{}'\nstart = ['no-such-server']", free_address())).path(),
        SHORT,
    );
    assert_eq!(code, 4, "{report}");
    assert!(
        report["system"]["error"].as_str().unwrap().contains("`no-such-server`: no such program"),
        "{report}"
    );
}

#[test]
fn another_server_is_not_tested_in_its_place() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let (code, report) = test(server(&address, "'good'", "").path(), SHORT);
    assert_eq!(code, 4, "{report}");
    assert!(
        report["system"]["error"].as_str().unwrap().contains("something listens there already"),
        "{report}"
    );
}

#[test]
fn no_server_is_left_when_the_tester_is_killed() {
    for signal in [Signal::TERM, Signal::KILL] {
        let address = free_address();
        let folder = server(&address, "'ignores-sigterm'", "");
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        command.arg("test").arg(folder.path().join("spec.toml")).args(["--no-save", "--strategy", "uniform"]);
        command
            .args(["--steps", "1000000000", "--seconds", "600"])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut tester = command.spawn().unwrap();
        eventually("no server", || (!told_of(&address).is_empty()).then_some(()));
        kill_process(Pid::from_raw(tester.id() as i32).unwrap(), signal).unwrap();
        tester.wait().unwrap();
        eventually("left behind", || told_of(&address).is_empty().then_some(()));
    }
}

#[test]
fn commands_and_files_are_found_beside_the_specification() {
    let table = |keys: &str| {
        let spec = folder(&format!("{CARRIAGE}[system]\n{keys}\n"));
        std::fs::create_dir(spec.path().join("data")).unwrap();
        let script = "#!/bin/sh\nread stop < stop.txt\nwhile read line; do echo movefwd=$((1 - stop)) movebwd=${BWD:-x}; done\n";
        std::fs::write(spec.path().join("system.sh"), script).unwrap();
        use std::os::unix::fs::PermissionsExt;
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(spec.path().join("system.sh"), executable).unwrap();
        std::fs::write(spec.path().join("stop.txt"), "1\n").unwrap();
        std::fs::write(spec.path().join("data/stop.txt"), "0\n").unwrap();
        spec
    };
    // Run from elsewhere: from here. Beside the specification the carriage stops; in `data` it does not.
    for (keys, expected) in [
        ("command = ['sh', 'system.sh']\nenv = { BWD = '1' }", 0),
        ("command = ['./system.sh']\nenv = { BWD = '0' }", 0),
        ("command = ['./system.sh']\nenv = { BWD = '0' }\ncwd = 'data'", 1),
        ("command = ['sh', '../system.sh']\nenv = { BWD = '0' }\ncwd = 'data'", 1),
        ("command = ['./system.sh']\nenv = {}", 4),
    ] {
        let (code, report) = test(table(keys).path(), SHORT);
        assert_eq!(code, expected, "{keys}: {report}");
    }
    // What is typed is found where it is typed, and runs in `cwd` as well.
    let spec = table("env = { BWD = '1' }\ncwd = 'data'");
    let output = Command::new(env!("CARGO_BIN_EXE_provoke"))
        .current_dir(spec.path())
        .args(["test", "spec.toml", "--no-save", "--", "./system.sh"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn contradictory_keys_are_told() {
    for (keys, message) in [
        ("start = ['x']", "no `tcp` address says where to reach it"),
        ("start = []\ntcp = '127.0.0.1:1'", "an empty command cannot be started"),
        (
            "start = ['x']\ncommand = ['y']\ntcp = '127.0.0.1:1'",
            "a model, a command or a tcp address, not several",
        ),
        ("tcp = '127.0.0.1:1'\nenv = { A = 'b' }", "nothing is started here that `env` could be about"),
        ("model = 'm.dot'\ncwd = 'x'", "nothing is started here that `cwd` could be about"),
        ("command = ['x']\nretries = 1", "`retries` is about connections that are lost"),
        ("command = ['x']\nenv = { 'A=B' = 'c' }", "`A=B` cannot be a variable of the environment"),
        ("command = ['x']\nenv = { A = 1 }", "invalid type: integer `1`, expected a string"),
        ("tcp = '127.0.0.1:1'\nretries = -1", "expected u64"),
        ("command = ['x']\ncwd = 'nowhere'", "[system] cwd: there is no folder"),
        ("comand = ['x']", "did you mean `command`?"),
    ] {
        let (code, error) = test(folder(&format!("{CARRIAGE}[system]\n{keys}\n")).path(), SHORT);
        let error = error.as_str().unwrap_or_else(|| panic!("{keys}: {error}")).to_owned();
        assert_eq!(code, 2, "{keys}: {error}");
        assert!(error.contains(message) && error.contains("spec.toml"), "{keys}: {error}");
    }
}

#[test]
fn lost_connections_are_opened_again_and_reported() {
    // The server drops its first two connections after five steps.
    let lost = |retries: &str| {
        let address = free_address();
        test(server(&address, "'drops', '5'", &format!("reset = 'reset'\n{retries}")).path(), SHORT)
    };
    let (code, report) = lost("retries = 3");
    assert_eq!(
        (code, &report["verdict"], &report["runs"]),
        (0, &Value::from("covered"), &Value::from(4)),
        "{report}"
    );
    // Two runs of five steps were lost, and two of 25 were not.
    assert_eq!(
        (&report["steps"], report["retries"].as_array().unwrap().len()),
        (&Value::from(60), 2),
        "{report}"
    );
    let loss = &report["retries"][1];
    assert_eq!((&loss["reset"], &loss["steps"]), (&Value::from(2), &Value::from(5)), "{report}");
    assert_eq!(loss["error"], "the system was gone in a step: it closed the connection");
    let (code, report) = lost("retries = 1");
    assert_eq!((code, report["retries"].as_array().unwrap().len()), (4, 1), "{report}");
    let (code, report) = lost("");
    assert_eq!((code, report["retries"].as_array().unwrap().len()), (4, 0), "{report}");
    assert_eq!(report["system"]["error"], "the system was gone in a step: it closed the connection");
}

#[test]
fn a_server_that_has_ended_is_no_lost_connection() {
    let address = free_address();
    let (code, report) = test(server(&address, "'crashes', '3'", "retries = 5").path(), SHORT);
    assert_eq!((code, report["retries"].as_array().unwrap().len()), (4, 0), "{report}");
}

#[test]
fn a_call_that_is_refused_is_made_again() {
    let address = free_address();
    let spec = folder(&format!(
        "{CARRIAGE}[system]\ntcp = '{address}'\nretries = 2\n[system.protocol]\nstart_ms = 50\n"
    ));
    let (code, report) = test(spec.path(), SHORT);
    assert_eq!((code, report["retries"].as_array().unwrap().len()), (4, 2), "{report}");
    assert_eq!(report["retries"][0]["reset"], 1);
    assert!(report["system"]["error"].as_str().unwrap().contains("connection refused"), "{report}");
}

#[test]
fn a_violation_is_found_confirmed_and_shrunk_across_losses() {
    // A requirement that the good carriage breaks, and connections that are dropped on the way.
    let address = free_address();
    let spec = server(&address, "'drops', '4'", "reset = 'reset'\nretries = 9");
    rewrite(&spec, "G (fwdlimit -> !movefwd)", "G !movefwd");
    let (code, report) = test(spec.path(), SHORT);
    assert_eq!((code, &report["violations"][0]["reproducible"]), (1, &Value::from("3 of 3")), "{report}");
    assert_eq!(report["violations"][0]["trace"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(report["retries"].as_array().unwrap().len(), 2, "{report}");
}
