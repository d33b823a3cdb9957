//! Shrinking through the real binary: its limits, what it counts, and when it stops.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Tests a specification; the report.
fn test(spec: &Path, words: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let output = command.arg("test").arg(spec).args(["--no-save", "--json"]).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn example(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file)
}

/// The number of steps after and before shrinking.
fn lengths(report: &Value) -> (usize, usize) {
    let violation = &report["violations"][0];
    (violation["trace"].as_array().unwrap().len(), violation["original_steps"].as_u64().unwrap() as usize)
}

#[test]
fn limits_of_its_own() {
    let spec = example("passageway/rooms-3-faulty.toml");
    let with = |words: &[&str]| test(&spec, &[&["--strategy", "uniform", "--seed", "1"], words].concat());
    let (shrunk, original) = lengths(&with(&[]));
    // Four moves a room, and the last one into the door that lets nobody through.
    assert!(shrunk <= 9 && shrunk < original, "{shrunk} of {original}");
    for none in [["--shrink-steps", "0"], ["--shrink-seconds", "0"]] {
        let report = with(&none);
        assert_eq!(lengths(&report), (original, original), "{none:?}");
        // It is confirmed all the same.
        assert_eq!((&report["shrink_resets"], &report["violations"][0]["tries"]), (&3.into(), &3.into()));
        assert_eq!(report["shrink_steps"], 3 * original);
        assert_eq!(report["resets"].as_u64(), report["runs"].as_u64().map(|runs| runs + 3));
    }
    let few = (6 * original).to_string();
    let report = with(&["--shrink-steps", &few]);
    assert!(report["shrink_steps"].as_u64() <= Some(6 * original as u64));
    assert!(lengths(&report).0 <= original);
}

#[test]
fn a_slow_system_is_not_asked_for_ever() {
    // Nothing helps: it is wrong at the 39th step, whatever the inputs. A reset takes 100 ms.
    let program = "sleep 0.1; n=0; while read line; do n=$((n+1)); \
                   if [ $n -ge 39 ]; then echo x=1; else echo x=0; fi; done";
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("spec.toml");
    let text =
        "[signals]\ninputs = [\"a\"]\noutputs = [\"x\"]\n[[requirement]]\nid = \"R\"\nltl = \"G !x\"\n";
    std::fs::write(&spec, text).unwrap();
    let report = test(&spec, &["--strategy", "uniform", "--", "sh", "-c", program]);
    assert_eq!(lengths(&report), (39, 39));
    // Three to confirm it, twenty in two seconds, and one more for a story with fewer signals.
    assert!(report["shrink_resets"].as_u64().unwrap() < 60, "{}", report["shrink_resets"]);
}
