//! `provoke synthesise` and `provoke mutate` through the real binary.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

const ARBITER: &str = "[signals]\ninputs = ['r1', 'r2']\noutputs = ['g1', 'g2']\n\
    [[requirement]]\nid = 'first'\nltl = 'G(r1 -> F g1)'\n\
    [[requirement]]\nid = 'second'\nltl = 'G(r2 -> F g2)'\n\
    [[requirement]]\nid = 'apart'\nltl = 'G !(g1 & g2)'\n";

/// The answer must be known a step early; the first requirement has nothing to do with it.
const PROPHET: &str = "[signals]\ninputs = ['a']\noutputs = ['x']\n\
    [[requirement]]\nid = 'harmless'\nltl = 'G(a -> F (x | !x))'\n\
    [[requirement]]\nid = 'never'\nltl = 'G(X a -> x)'\n\
    [[requirement]]\nid = 'ever'\nltl = 'G(x -> X a)'\n";

/// The exit code and what is printed.
fn provoke(folder: &Path, words: &[&str], lines: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command
        .current_dir(folder)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    folder
}

#[test]
fn what_is_synthesised_holds_in_every_format() {
    let folder = folder(&[("spec.toml", ARBITER)]);
    for name in ["m.dot", "m.kiss2", "m.hoa"] {
        let (code, out, error) = provoke(folder.path(), &["synthesise", "spec.toml", "-o", name], "");
        assert_eq!(code, 0, "{name}: {out}{error}");
        assert!(out.starts_with("REALISABLE: "), "{out}");
        let (code, out, error) = provoke(folder.path(), &["verify", "spec.toml", "--model", name], "");
        assert_eq!(code, 0, "{name}: {out}{error}");
    }
    let (code, out, error) = provoke(folder.path(), &["synthesise", "spec.toml", "--format", "aiger"], "");
    assert!(
        code == 0 && out.starts_with("aag ") && out.contains("\ni0 r1\n") && out.contains("\no1 g2\n"),
        "{out}"
    );
    assert!(error.contains("REALISABLE: "), "{error}");
    let (code, _, error) = provoke(folder.path(), &["synthesise", "spec.toml", "-o", "m.exe"], "");
    assert!(code == 2 && error.contains(".kiss2"), "{error}");
}

#[test]
fn a_tlsf_file_is_synthesised_directly() {
    let tlsf = "INFO { TITLE: \"t\" DESCRIPTION: \"d\" SEMANTICS: Moore TARGET: Moore }\nMAIN {\n INPUTS { a; }\n \
        OUTPUTS { x; }\n GUARANTEE { G (a -> X x); G (!a -> X !x); }\n}\n";
    let folder =
        folder(&[("moore.tlsf", tlsf), ("mealy.tlsf", &tlsf.replace("X x", "x").replace("X !x", "!x"))]);
    assert_eq!(provoke(folder.path(), &["synthesise", "moore.tlsf", "-o", "m.dot"], "").0, 0);
    assert_eq!(provoke(folder.path(), &["verify", "moore.tlsf", "--model", "m.dot"], "").0, 0);
    // A Moore machine does not know the input yet that it should repeat.
    assert_eq!(provoke(folder.path(), &["synthesise", "mealy.tlsf"], "").0, 1);
    let mealy = std::fs::read_to_string(folder.path().join("mealy.tlsf")).unwrap().replace("Moore", "Mealy");
    std::fs::write(folder.path().join("mealy.tlsf"), mealy).unwrap();
    assert_eq!(provoke(folder.path(), &["synthesise", "mealy.tlsf"], "").0, 0);
}

#[test]
fn what_clashes_is_told_and_played() {
    let folder = folder(&[("spec.toml", PROPHET)]);
    let (code, out, _) = provoke(folder.path(), &["synthesise", "spec.toml"], "");
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("UNREALISABLE: no machine keeps never, ever together\n"), "{out}");
    assert!(out.contains("breaks never") || out.contains("breaks ever"), "{out}");
    let (code, out, _) = provoke(folder.path(), &["synthesise", "spec.toml", "--json"], "");
    let printed: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &printed["verdict"]), (1, &Value::from("unrealisable")));
    assert_eq!(printed["core"], serde_json::json!(["never", "ever"]));
    assert!(!printed["environment"].as_array().unwrap().is_empty());
    let play = ["synthesise", "spec.toml", "--play"];
    for answers in ["x=0\nx=0\nx=0\n", "x=1\nx=1\nx=1\n", "nonsense\nx=1\nx=0\nx=1\n"] {
        let (code, out, _) = provoke(folder.path(), &play, answers);
        assert_eq!(code, 1, "{out}");
        assert!(out.contains("you lose after 2 steps: ") && out.contains("ever broken"), "{out}");
        assert_eq!(out.contains("try again"), answers.starts_with("nonsense"), "{out}");
    }
    let (code, out, _) = provoke(folder.path(), &play, "");
    assert!(code == 1 && out.ends_with("no more answers\n"), "{out}");
}

#[test]
fn too_small_a_bound_leaves_it_open() {
    let folder = folder(&[("spec.toml", ARBITER)]);
    let (code, out, _) = provoke(folder.path(), &["synthesise", "spec.toml", "--bound", "0"], "");
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("UNKNOWN: unrealisable within bound 0"), "{out}");
    assert_eq!(provoke(folder.path(), &["synthesise", "spec.toml", "--seconds", "-1"], "").0, 2);
    let (code, out, _) = provoke(
        folder.path(),
        &["synthesise", "spec.toml", "--bound", "0", "--play"],
        &"g1=0 g2=0\n".repeat(20),
    );
    assert!(code == 3 && out.contains("kept waiting more than 0 times"), "{out}");
}

#[test]
fn mutants_are_made_told_apart_and_written() {
    let folder = folder(&[("spec.toml", ARBITER)]);
    assert_eq!(provoke(folder.path(), &["synthesise", "spec.toml", "-o", "m.kiss2"], "").0, 0);
    let words = [
        "mutate",
        "m.kiss2",
        "--count",
        "20",
        "--seed",
        "3",
        "--spec",
        "spec.toml",
        "-o",
        "mutants",
        "--json",
    ];
    let (code, out, error) = provoke(folder.path(), &words, "");
    assert_eq!(code, 0, "{error}");
    let printed: Value = serde_json::from_str(&out).unwrap();
    let mutants = printed["mutants"].as_array().unwrap();
    assert_eq!(mutants.len(), 20);
    let mut texts: Vec<String> = Vec::new();
    for mutant in mutants {
        let file = mutant["file"].as_str().unwrap();
        let (code, _, error) = provoke(folder.path(), &["verify", "spec.toml", "--model", file], "");
        let expected = if mutant["class"] == "violating" { 1 } else { 0 };
        assert_eq!(code, expected, "{mutant} {error}");
        texts.push(std::fs::read_to_string(folder.path().join(file)).unwrap());
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 20);
    let total = |field: &str| printed[field].as_u64().unwrap();
    assert_eq!(total("violating"), total("safety") + total("liveness"));
    assert_eq!(total("violating") + total("conforming") + total("unknown"), 20);
    assert!(total("safety") > 0 && total("liveness") > 0, "{out}");
    // The same seed makes the same mutants.
    assert_eq!(provoke(folder.path(), &words, "").1, out);
    let (code, out, _) = provoke(folder.path(), &["mutate", "m.kiss2", "--count", "2"], "");
    assert!(code == 0 && out.ends_with("2 mutants\n"), "{out}");
    // There are only so many.
    let toggle = "digraph { __start0 -> a; a -> a [label=\"go / 0\"]; }";
    std::fs::write(folder.path().join("one.dot"), toggle).unwrap();
    let (code, out, _) = provoke(folder.path(), &["mutate", "one.dot", "--count", "9"], "");
    assert!(code == 0 && out.contains("no more than these differ"), "{out}");
}
