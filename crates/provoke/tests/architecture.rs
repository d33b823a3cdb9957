//! Arrows point one way: a module uses only what stands above it in the code map of `ARCHITECTURE.md`.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The modules of each row of the code map, in its order: what may use what. Modules of one row may not use each other.
fn layers() -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    layers_of(&std::fs::read_to_string(path).unwrap())
}

/// The rows of the table below `## Code map`; in its first column modules stand as `name/` or `name.rs`.
fn layers_of(text: &str) -> Vec<Vec<String>> {
    let section = text.split("## Code map").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    let named = |row: &str| {
        let first = row.split('|').nth(1).unwrap().to_owned();
        first.split('`').skip(1).step_by(2).map(|name| module_of(Path::new(name))).collect()
    };
    rows.map(named).collect()
}

/// The module that a path inside `src` belongs to: its first folder, or the file.
fn module_of(inside: &Path) -> String {
    let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The modules of the crate that a file's code names, tests and comments aside.
fn used(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    code.split("crate::").skip(1).flat_map(named).collect()
}

/// What `crate::` names: a path, or the paths of a group.
fn named(rest: &str) -> Vec<String> {
    let word = |text: &str| {
        text.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_owned)
    };
    let Some(group) = rest.strip_prefix('{') else { return word(rest).into_iter().collect() };
    let (mut depth, mut items) = (0, vec![String::new()]);
    for c in group.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            _ if depth < 0 => break,
            ',' if depth == 0 => items.push(String::new()),
            _ => items.last_mut().unwrap().push(c),
        }
    }
    items.iter().filter_map(|item| word(item)).filter(|word| !word.is_empty()).collect()
}

/// What is wrong with the arrows of some files, given as paths inside `src` with their texts.
fn wrong(layers: &[Vec<String>], files: &[(PathBuf, String)]) -> Vec<String> {
    let layer = |module: &str| layers.iter().position(|row| row.iter().any(|name| name == module));
    let mut wrong = Vec::new();
    for (path, text) in files {
        let module = module_of(path);
        // Tests may look anywhere.
        if module == "lib" || path.ends_with("tests.rs") {
            continue;
        }
        let Some(own) = layer(&module) else {
            wrong.push(format!("{} is not in the code map of ARCHITECTURE.md", path.display()));
            continue;
        };
        for used in used(text).into_iter().filter(|used| *used != module) {
            if layer(&used).is_none_or(|layer| layer >= own) {
                wrong.push(format!("{} uses {used}, which does not stand above it", path.display()));
            }
        }
    }
    wrong
}

#[test]
fn modules_use_only_what_stands_above_them() {
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.strip_prefix(root()).unwrap().to_owned(), text)
    };
    let files: Vec<(PathBuf, String)> = files(&root()).into_iter().map(read).collect();
    let layers = layers();
    let mut wrong = wrong(&layers, &files);
    let known: BTreeSet<String> = files.iter().map(|(path, _)| module_of(path)).collect();
    let gone = layers.iter().flatten().filter(|name| !known.contains(*name));
    wrong.extend(
        gone.map(|name| format!("the code map of ARCHITECTURE.md names {name}, which does not exist")),
    );
    let all: Vec<&String> = layers.iter().flatten().collect();
    assert_eq!(all.len(), all.iter().collect::<BTreeSet<_>>().len(), "a module stands twice in the code map");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_arrow_that_points_the_wrong_way_is_found() {
    let map = "## Code map\nText with `none.rs`.\n\n| where | what |\n|---|---|\n| `low.rs`, `beside.rs` | `no/` |\n\
               | `high/` | x |\n\n## Other\n| `later/` | y |\n";
    let layers = layers_of(map);
    assert_eq!(layers, [vec!["low", "beside"], vec!["high"]]);
    let found = |path: &str, text: &str| wrong(&layers, &[(path.into(), text.into())]).len();
    assert_eq!(found("high/mod.rs", "use crate::low::A;\nuse crate::high::B;"), 0);
    assert_eq!(found("low.rs", "use crate::high::A;"), 1);
    assert_eq!(found("low.rs", "use crate::{beside::{A, low}, high};"), 2);
    assert_eq!(found("low.rs", "fn f(a: &crate::high::A) {}"), 1);
    assert_eq!(found("low.rs", "// crate::high\n#[cfg(test)]\nmod tests { use crate::high::A; }"), 0);
    assert_eq!(found("low.rs", "#[cfg(test)]\nmod tests;\nuse crate::high::A;"), 1);
    assert_eq!(found("high/tests.rs", "use crate::new::A;"), 0);
    assert_eq!(found("high/deep/file.rs", "use crate::new::A;"), 1);
    assert_eq!(found("new.rs", ""), 1);
}

#[test]
fn only_one_folder_names_the_bdd_crate() {
    let names = |path: &PathBuf| std::fs::read_to_string(path).unwrap().contains("oxidd");
    let naming: Vec<PathBuf> = files(&root()).into_iter().filter(names).collect();
    assert!(!naming.is_empty());
    let outside: Vec<&PathBuf> = naming.iter().filter(|path| !path.starts_with(root().join("bdd"))).collect();
    assert!(outside.is_empty(), "{outside:?}");
}
