//! Requirements on how long answers take, through the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use common::{folder, misbehave, test};
use serde_json::Value;

fn specification(most_ms: u32) -> String {
    format!(
        "[signals]\ninputs = ['bwdlimit', 'fwdlimit', 'cargo']\noutputs = ['movefwd', 'movebwd']\n\
         [[requirement]]\nid = 'quick'\nltl = 'G(elapsed_ms <= {most_ms})'\n\
         [[requirement]]\nid = 'forward'\nltl = 'G !movebwd'\n"
    )
}

/// The report on a system that is slow in some way.
fn report(most_ms: u32, way: &[&str]) -> Value {
    let folder = folder(&specification(most_ms));
    let program = misbehave().to_str().unwrap();
    let words = [&["--runs", "40", "--steps", "8", "--", program], way].concat();
    let (exit, report) = test(folder.path(), &words);
    assert_eq!(exit, 1, "{report}");
    report
}

#[test]
fn what_is_always_slow_is_told_with_the_times_seen() {
    let report = report(60, &["slow", "80"]);
    let found = &report["violations"][0];
    assert_eq!((found["requirement"].as_str(), found["trace"].as_array().unwrap().len()), (Some("quick"), 1));
    let times = &found["elapsed_ms"];
    assert_eq!((times["violated"].as_u64(), times["runs"].as_u64()), (Some(10), Some(10)));
    let [min, median, max] = ["min", "median", "max"].map(|key| times[key].as_u64().unwrap());
    assert!(80 <= min && min <= median && median <= max, "{times}");
    assert_eq!((found["reproduced"].as_u64(), found["tries"].as_u64()), (Some(10), Some(10)));
    let said = found["trace"][0].to_string();
    assert!(said.contains("elapsed_ms"), "{said}");
}

#[test]
fn what_is_slow_after_some_inputs_is_shortened_to_them() {
    let report = report(100, &["slow-to-stop", "130"]);
    // It takes a cargo at the backward limit, and then the forward limit.
    let found = &report["violations"][0];
    assert_eq!(found["trace"].as_array().unwrap().len(), 2, "{found}");
    assert!(found["elapsed_ms"]["violated"].as_u64().unwrap() > 5, "{found}");
    assert!(found["elapsed_ms"]["median"].as_u64().unwrap() >= 130, "{found}");
}

#[test]
fn what_was_slow_once_is_flaky_and_stays_as_it_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("slow.mark");
    let report = report(1_500, &["slow-once", "1700", mark.to_str().unwrap()]);
    let found = &report["violations"][0];
    // Found at the first step of all, and never again.
    assert_eq!((found["reproduced"].as_u64(), found["tries"].as_u64()), (Some(0), Some(10)), "{found}");
    assert_eq!(found["trace"].as_array().unwrap().len(), 1);
    assert_eq!(found["elapsed_ms"]["violated"].as_u64(), Some(0), "{found}");
    assert!(found["elapsed_ms"]["max"].as_u64().unwrap() <= 1_500, "{found}");
}
