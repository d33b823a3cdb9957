//! Promises that only the system can keep once an input was sent, through the real binary: what it violates counts where it keeps
//! them, and only there.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::Command;

use common::{folder, test};
use serde_json::Value;

/// A folder with a specification and its machine, of which these are the edges.
fn subject(tables: &str, edges: &[&str]) -> tempfile::TempDir {
    let folder = folder(&format!("{tables}[system]\nmodel = 'm.dot'\nstates = 8\n"));
    write(folder.path(), edges);
    folder
}

fn write(folder: &Path, edges: &[&str]) {
    let edge = |edge: &&str| {
        let (way, label) = edge.split_once(": ").unwrap();
        format!("{way} [label=\"{label}\"];\n")
    };
    let edges: String = edges.iter().map(edge).collect();
    std::fs::write(folder.join("m.dot"), format!("digraph {{\n__start0 -> s0;\n{edges}}}\n")).unwrap();
}

/// The exit code and the report of so many steps.
fn hunt(folder: &Path, strategy: &str, steps: &str, more: &[&str]) -> (i32, Value) {
    test(folder, &[&["--hunt", "--strategy", strategy, "--total-steps", steps], more].concat())
}

/// `a` is answered by `x` some day, and `y` is never said.
const PROMISE: &str = "[labels]\ninputs = ['a', 'b', 'c']\noutputs = ['x', 'y', 'z']\n\
    [[assumption]]\nid = 'A'\nltl = 'G(a -> F x)'\n[[requirement]]\nid = 'R'\nltl = 'G !y'\n";

/// Says `y` in four places, and in one of them keeps the promise afterwards.
const HIDDEN: [&str; 18] = [
    "s0 -> sink: a / y",
    "s0 -> s1: b / z",
    "s0 -> s0: c / z",
    "s1 -> sink: a / y",
    "s1 -> s2: b / z",
    "s1 -> s0: c / z",
    "s2 -> sink: a / y",
    "s2 -> s3: c / z",
    "s2 -> s0: b / z",
    "s3 -> t: a / y",
    "s3 -> s0: b / z",
    "s3 -> s0: c / z",
    "t -> s0: a / x",
    "t -> s0: b / x",
    "t -> s0: c / x",
    "sink -> sink: a / z",
    "sink -> sink: b / z",
    "sink -> sink: c / z",
];

#[test]
fn a_promise_that_is_made_anew_whenever_it_is_kept_is_kept() {
    let tables = "[labels]\ninputs = ['req', 'idle']\noutputs = ['bad', 'done', 'quiet']\n\
        [[assumption]]\nid = 'A'\nltl = 'G(req -> X F done)'\n[[requirement]]\nid = 'R'\nltl = 'G !bad'\n";
    let idle = ["s0 -> s0: idle / quiet", "s1 -> s1: idle / quiet", "s0 -> s1: req / bad"];
    let own = subject(tables, &[&idle[..], &["s1 -> s0: req / done"]].concat());
    for strategy in ["learning", "uniform", "input-classes", "frontier"] {
        let (code, report) = hunt(own.path(), strategy, "5000", &[]);
        assert_eq!(code, 1, "{strategy}: {report}");
        assert_eq!(report["violations"][0]["reproduced"], 3, "{strategy}");
    }
    // It keeps it twice after the fault, and then no more: no run that violates it keeps the assumption.
    let ends = [
        "s1 -> s2: req / done",
        "s2 -> s3: req / done",
        "s2 -> s2: idle / quiet",
        "s3 -> s3: idle / quiet",
        "s3 -> s3: req / quiet",
    ];
    write(own.path(), &[&idle[..], &ends].concat());
    for strategy in ["learning", "uniform", "input-classes", "frontier"] {
        let (code, report) = hunt(own.path(), strategy, "5000", &[]);
        assert_eq!(code, 0, "{strategy}: {report}");
        assert!(report["requirements"][0]["excused"].as_u64().unwrap() > 0, "{strategy}: {report}");
    }
}

#[test]
fn a_promise_that_is_kept_for_as_long_as_the_same_is_sent_is_kept() {
    let tables = "[labels]\ninputs = ['i', 'j']\noutputs = ['o', 'p']\n\
        [[assumption]]\nid = 'A'\nltl = 'G(i -> X F p)'\n[[requirement]]\nid = 'R'\nltl = 'G(i -> p)'\n";
    // `j` ends it, and nobody is to blame then.
    let live = ["s0 -> s1: i / o", "s0 -> s0: j / o", "s1 -> s1: i / p", "s1 -> s2: j / o"];
    let own = subject(tables, &[&live[..], &["s2 -> s2: i / o", "s2 -> s2: j / o"]].concat());
    for strategy in ["learning", "uniform", "input-classes"] {
        let (code, report) = hunt(own.path(), strategy, "20000", &[]);
        assert_eq!((code, &report["violations"][0]["reproduced"]), (1, &3.into()), "{strategy}: {report}");
    }
}

#[test]
fn what_never_counts_hides_nothing_that_does() {
    let own = subject(PROMISE, &HIDDEN);
    // It says `y` by `b b c a`, after which chance keeps the promise at once.
    for strategy in ["learning", "uniform", "frontier"] {
        let (code, report) = hunt(own.path(), strategy, "20000", &[]);
        assert_eq!(code, 1, "{strategy}: {report}");
        let found = &report["violations"][0];
        assert_eq!(found["trace"].as_array().unwrap().len(), 4, "{strategy}: {found}");
        assert_eq!(found["reproduced"], 3, "{strategy}");
    }
    let (code, report) = hunt(own.path(), "uniform", "50", &["--runs", "1000"]);
    assert!(code == 0 && report["steps"].as_u64().unwrap() <= 50, "waiting is counted: {report}");
}

#[test]
fn a_saved_violation_counts_only_where_the_promise_is_kept() {
    let own = subject(PROMISE, &HIDDEN);
    let session = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        let words = ["--hunt", "--strategy", "uniform", "--total-steps", "20000", "--seed", "1"];
        command.arg("test").arg(own.path().join("spec.toml")).args(words);
        command.output().unwrap().status.code()
    };
    let replayed = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        command.arg("replay").arg(own.path().join("spec.traces/R.trace")).arg("--json");
        serde_json::from_slice::<Value>(&command.output().unwrap().stdout).unwrap()
    };
    assert_eq!(session(), Some(1));
    let report = replayed();
    assert_eq!((&report["verdict"], &report["excused"]), (&"violated".into(), &Vec::<Value>::new().into()));
    let mut mended = HIDDEN;
    (mended[9], mended[12], mended[13], mended[14]) =
        ("s3 -> sink: a / y", "t -> s0: a / z", "t -> s0: b / z", "t -> s0: c / z");
    write(own.path(), &mended);
    let report = replayed();
    assert_eq!((&report["verdict"], &report["excused"]), (&"passed".into(), &vec!["R"].into()), "{report}");
    assert_eq!(session(), Some(0));
}

#[test]
fn runs_go_on_past_a_violation_that_did_not_count() {
    let tables = "[labels]\ninputs = ['a', 'b']\noutputs = ['x', 'y', 'z']\n\
        [[assumption]]\nid = 'A'\nltl = 'G(a -> F x)'\n[[requirement]]\nid = 'R'\nltl = 'G !y'\n\
        [[requirement]]\nid = 'S'\nltl = 'G(x -> X !x)'\n";
    let own = subject(tables, &["s0 -> t: a / y", "s0 -> s0: b / z", "t -> t: a / z", "t -> s0: b / x"]);
    for strategy in ["frontier", "frontier-experience", "auto", "learning"] {
        let (code, report) = hunt(own.path(), strategy, "5000", &["--keep-going"]);
        let found = report["violations"].as_array().map(Vec::len);
        assert_eq!((code, found), (1, Some(1)), "{strategy}: {report}");
    }
}

#[test]
fn nothing_is_sent_while_waiting_that_breaks_an_assumption() {
    let tables = "[signals]\ninputs = ['r', 'a', 'b', 'c', 'd', 'e', 'f']\noutputs = ['x', 'y']\n\
        [[assumption]]\nid = 'A'\nltl = 'G(r -> F x)'\n\
        [[assumption]]\nid = 'B'\nltl = 'G(r -> X (a & b & c & d & e & f & !r))'\n\
        [[requirement]]\nid = 'R'\nltl = 'G !y'\n";
    let edges = ["s0 -> s1: r / y", "s0 -> s0: !r / -", "s1 -> s2: true / -", "s2 -> s0: true / x"];
    let own = subject(tables, &edges);
    for strategy in ["learning", "uniform"] {
        let (code, report) = hunt(own.path(), strategy, "5000", &[]);
        assert_eq!(code, 1, "{strategy}: {report}");
    }
}

#[test]
fn a_way_that_a_promise_cut_short_is_played_again() {
    let tables = "[labels]\ninputs = ['i', 'j']\noutputs = ['o', 'p']\n\
        [[assumption]]\nid = 'A'\nltl = 'G(j -> F(o & X !j))'\n[[requirement]]\nid = 'R'\nltl = 'F G o'\n";
    let own = subject(tables, &["s0 -> s0: i / o", "s0 -> s0: j / p"]);
    // The seed of this decides in which runs it is left to the system to keep the promise.
    let (code, report) = hunt(own.path(), "learning", "5000", &[]);
    assert_eq!(code, 1, "{report}");
}
