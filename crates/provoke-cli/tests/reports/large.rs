//! What is too large to be drawn beforehand is drawn as it is met.

use std::path::Path;

use super::{data, provoke, read, text};

/// A counter of 40 bits that goes up while `inc` is 1; wrong where the answer is `x` while its second bit is set.
fn counter() -> String {
    use provoke::format::aiger::CircuitBuilder;
    let names: Vec<String> = (0..40).map(|at| format!("bit{at}")).collect();
    let latches = names.iter().map(|name| (name.as_str(), false));
    let mut builder = CircuitBuilder::new(["inc", "controllable_x"], latches);
    let mut carry = builder.input(0);
    for at in 0..names.len() {
        let held = builder.latch(at);
        let next = builder.xor(held, carry);
        builder.next(at, next);
        carry = builder.and(held, carry);
    }
    let wrong = builder.and(builder.latch(1), builder.input(1));
    builder.output("error", wrong);
    builder.finish().to_ascii()
}

#[test]
fn large_circuits_are_drawn_as_they_are_met() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("counter.aag"), counter()).unwrap();
    std::fs::write(
        folder.path().join("model.dot"),
        "digraph { __start0 -> p; p -> q [label=\"true / !x\"]; q -> r [label=\"true / !x\"]; r -> r [label=\"true / x\"]; }",
    )
    .unwrap();
    let spec = "[signals]\ninputs = ['inc']\noutputs = ['x']\n[system]\nmodel = 'model.dot'\n[[requirement]]\nid = 'R'\naiger = 'counter.aag'\n";
    std::fs::write(folder.path().join("spec.toml"), spec).unwrap();
    let words = ["test", "spec.toml", "--hunt", "--steps", "5", "--html", "r.html", "--log", "r.jsonl"];
    let output = provoke(folder.path(), &words);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    // Counting to two takes two steps, and the third is wrong.
    assert!(text(&output.stdout).contains("\n>    3  "), "{}", text(&output.stdout));
    check(folder.path(), "R", "bit1");
}

#[test]
fn model_programs_are_drawn_with_their_visits() {
    let folder = tempfile::tempdir().unwrap();
    let model = "var n : 0..1000000 = 0\n\ncontrollable Inc\n  when n < 1000000\n  n := n + 1\n\nobservable Big\n  when n > 2\n";
    std::fs::write(folder.path().join("counter.model"), model).unwrap();
    // It is big one too early.
    let system = "n=0; while read line; do case $line in Inc) n=$((n+1)); echo delta;; *) [ $n = 2 ] && echo Big || echo delta;; esac; done";
    std::fs::write(folder.path().join("system.sh"), system).unwrap();
    let spec =
        "[system]\ncommand = ['sh', 'system.sh']\n[[requirement]]\nid = 'R'\nprogram = 'counter.model'\n";
    std::fs::write(folder.path().join("spec.toml"), spec).unwrap();
    let words =
        ["test", "spec.toml", "--hunt", "--html", "r.html", "--log", "r.jsonl", "--strategy", "random"];
    let output = provoke(folder.path(), &words);
    assert_eq!(output.status.code(), Some(1), "{}{}", text(&output.stdout), text(&output.stderr));
    check(folder.path(), "R", "n");
}

/// The picture of a violated requirement has what was met, with its visits, and the path to the violation; at once and
/// afterwards.
fn check(folder: &Path, id: &str, named: &str) {
    let page = data(&read(folder, "r.html"));
    let picture = page["pictures"].as_array().unwrap().iter().find(|one| one["of"] == id).unwrap();
    assert_eq!((&picture["counted"], &picture["grows"]), (&true.into(), &true.into()));
    let visits: Vec<u64> = picture["nodes"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert!(visits.iter().filter(|&&times| times > 0).count() >= 3, "{visits:?}");
    let svg = picture["svg"].as_str().unwrap();
    assert!(svg.contains(named) && svg.contains("violation") && svg.contains(" / "), "{svg}");
    let path = picture["path"].as_array().unwrap();
    assert!(path.len() >= 3, "{path:?}");
    let last = path.last().unwrap().as_u64().unwrap() as usize;
    assert_eq!(picture["marks"][last], "violation");
    let output = provoke(folder, &["report", "r.jsonl", "--html", "again.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(read(folder, "r.html") == read(folder, "again.html"));
}
