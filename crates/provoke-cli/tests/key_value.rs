//! Redis and memcached as they are, and with a fault in between, through the real binary. Skipped with a message where
//! they are not installed.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::{folder, free_address, test};
use serde_json::Value;

/// A folder with the example for a server, moved to a free port; nothing where there is no such server.
fn example(server: &str, name: &str) -> Option<(tempfile::TempDir, Vec<String>)> {
    let found = std::env::var_os("PATH")
        .is_some_and(|paths| std::env::split_paths(&paths).any(|folder| folder.join(server).is_file()));
    if !found {
        eprintln!("SKIPPED: {server} is not installed");
        return None;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/key-value").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let address = free_address();
    let port = address.rsplit(':').next().unwrap();
    let text = text.replace("7391", port).replace("7392", port);
    let start = text.lines().find_map(|line| line.strip_prefix("start = ")).unwrap();
    let start: Vec<String> = serde_json::from_str(start).unwrap();
    let mut words = vec![address];
    words.extend(start);
    Some((folder(&text), words))
}

/// The violated requirement, if the server is reached through a proxy with this fault.
fn through_proxy(spec: &tempfile::TempDir, start: &[String], fault: &str) -> (i32, Value) {
    let proxy = Path::new(env!("CARGO_BIN_EXE_provoke")).with_file_name("examples").join("key-value");
    assert!(proxy.exists(), "`cargo build --examples` makes {}", proxy.display());
    let mut words = vec!["--runs", "40", "--steps", "100", "--", proxy.to_str().unwrap(), fault];
    words.extend(start.iter().map(String::as_str));
    let (code, report) = test(spec.path(), &words);
    (code, report["violations"][0]["requirement"].clone())
}

const LONG: &[&str] = &["--runs", "1000000", "--total-steps", "100000"];

#[test]
fn redis_keeps_its_lists_and_counters_and_a_fault_is_caught() {
    let Some((spec, start)) = example("redis-server", "redis.toml") else { return };
    let (code, report) = test(spec.path(), LONG);
    assert_eq!((code, &report["steps"]), (0, &Value::from(100_000)), "{report}");
    assert_eq!(through_proxy(&spec, &start, "none"), (0, Value::Null));
    assert_eq!(through_proxy(&spec, &start, "skips"), (1, Value::from("counter")));
    let (code, requirement) = through_proxy(&spec, &start, "lifo");
    assert!(code == 1 && ["first-in", "second-in"].contains(&requirement.as_str().unwrap()), "{requirement}");
}

#[test]
fn memcached_keeps_its_counter_and_a_fault_is_caught() {
    let Some((spec, start)) = example("memcached", "memcached.toml") else { return };
    let (code, report) = test(spec.path(), LONG);
    assert_eq!((code, &report["steps"]), (0, &Value::from(100_000)), "{report}");
    assert_eq!(through_proxy(&spec, &start, "none"), (0, Value::Null));
    let (code, requirement) = through_proxy(&spec, &start, "skips");
    assert!(
        code == 1 && ["zero", "one", "two", "three"].contains(&requirement.as_str().unwrap()),
        "{requirement}"
    );
}
