//! Arrows point one way: a module uses only modules below it.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

/// Lowest first; modules on one line may not use each other.
const LAYERS: &[&[&str]] = &[
    &["rng", "diagnostic", "connected"],
    &["letter"],
    &["bdd"],
    &["ltl"],
    &["trace", "machine"],
    &["format"],
    &["automaton"],
    &["game"],
    &["synchronise"],
    &["strategy", "system", "monitor", "draw"],
    &["campaign"],
    &["specification"],
    &["report"],
    &["session"],
];

fn layer(module: &str) -> usize {
    let known = LAYERS.iter().position(|layer| layer.contains(&module));
    known.unwrap_or_else(|| {
        panic!("module `{module}` has no layer: add it to this test and to ARCHITECTURE.md")
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn no_module_uses_one_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut upward = Vec::new();
    for path in files(&root) {
        let inside = path.strip_prefix(&root).unwrap();
        let module =
            inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        // Tests may look anywhere.
        if module == "lib" || path.ends_with("tests.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for used in code.split("crate::").skip(1) {
            let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if used != module && !used.is_empty() && layer(&used) >= layer(module) {
                upward.push(format!("{} uses {used}", inside.display()));
            }
        }
    }
    assert!(upward.is_empty(), "upward arrows:\n{}", upward.join("\n"));
}

#[test]
fn only_one_file_names_the_bdd_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let naming =
        files(&root).into_iter().filter(|path| std::fs::read_to_string(path).unwrap().contains("oxidd"));
    let names: Vec<String> =
        naming.map(|path| path.strip_prefix(&root).unwrap().display().to_string()).collect();
    assert_eq!(names, ["bdd/mod.rs"]);
}
