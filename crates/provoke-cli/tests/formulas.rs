//! Formulas, sentences and automata as people and other tools write them, through the real binary.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn provoke(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_provoke")).current_dir(folder).args(words).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What it prints when all goes well.
fn ok(folder: &Path, words: &[&str]) -> String {
    let output = provoke(folder, words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}{}", stdout(&output), stderr(&output));
    stdout(&output)
}

fn refused(folder: &Path, words: &[&str]) -> String {
    let output = provoke(folder, words);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stdout(&output));
    stderr(&output)
}

fn ltl(formula: &str) -> String {
    ok(Path::new("."), &["convert", "--ltl", formula, "--to", "ltl"])
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    folder
}

fn specification(inputs: &str, outputs: &str, requirement: &str) -> String {
    format!(
        "[signals]\ninputs = [{inputs}]\noutputs = [{outputs}]\n[[requirement]]\nid = \"R1\"\n{requirement}\n"
    )
}

#[test]
fn bounded_forms_and_words_are_read_and_written_plainly() {
    assert_eq!(ltl("F[:3] a"), "a | X(a | X(a | X a))\n");
    assert_eq!(ltl("F[2] a"), "XX a\n");
    assert_eq!(ltl("G[3] a"), "XXX a\n");
    assert_eq!(ltl("X[2!] a"), "XX a\n");
    assert_eq!(ltl("F[1:2!] a & G[1..2] b"), "X(a | X a) & X(b & X b)\n");
    assert_eq!(ltl("G[2:$] a & F[1 to inf] a"), "XXG a & XF a\n");
    assert_eq!(ltl("G N a"), "GX a\n");
    assert_eq!(ltl("always (a implies eventually not b)"), "G(a -> F !b)\n");
    assert_eq!(ltl("(a until next b) and (c release d) or tt"), "(a U X b) & (c R d) | 1\n");
    assert_eq!(ltl("\"a b\" & \"é\" & \"X_a\" & \"next\""), "\"a b\" & \"é\" & \"X_a\" & \"next\"\n");
    let output = provoke(Path::new("."), &["convert", "--ltl", "F[2] a", "--to", "ltl"]);
    assert!(
        stderr(&output).contains("`F[2]` is 2 steps ahead, no sooner and no later"),
        "{}",
        stderr(&output)
    );
    let output = provoke(Path::new("."), &["convert", "--ltl", "F[0:5000] G[0:5000] a", "--to", "ltl"]);
    assert_eq!(stdout(&output), "F[0:5000]G[0:5000] a\n");
    assert!(stderr(&output).contains("warning: bounds are kept"), "{}", stderr(&output));
}

#[test]
fn what_is_not_read_is_named() {
    let here = Path::new(".");
    for formula in ["{a;b} |-> c", "G(a |=> b)", "a[*2]", "a ##1 b"] {
        let error = refused(here, &["convert", "--ltl", formula, "--to", "hoa"]);
        assert!(
            error.contains("sequence expressions (PSL, SVA), which are not supported"),
            "{formula}: {error}"
        );
    }
    let error = refused(here, &["convert", "--ltl", "a until! b", "--to", "hoa"]);
    assert!(error.contains("PSL's strong `until`"), "{error}");
    let error = refused(here, &["convert", "--ltl", "G TT", "--to", "hoa"]);
    assert!(error.contains("`TT` looks like a constant"), "{error}");
    let odd = folder(&[("s.toml", &specification("\"tt\"", "\"b\"", "ltl = 'G(tt -> b)'"))]);
    assert!(refused(odd.path(), &["check", "s.toml"]).contains("`tt` is a constant and a signal here"));
    let quoted = folder(&[("s.toml", &specification("\"tt\"", "\"next\"", "ltl = 'G(\"tt\" -> next)'"))]);
    ok(quoted.path(), &["check", "s.toml"]);
}

#[test]
fn braces_group_in_specification_files() {
    let spec = specification("\"go\"", "\"red\", \"yellow\"", "pattern = \"{red and yellow} never holds\"");
    let folder = folder(&[("s.toml", &spec), ("t.csv", "go,red,yellow\n1,1,0\n0,1,1\n")]);
    assert!(ok(folder.path(), &["check", "s.toml"]).contains("requirement R1: safety"));
    assert_eq!(ok(folder.path(), &["convert", "s.toml", "--to", "ltl"]), "G !(red & yellow)\n");
    let output = provoke(folder.path(), &["monitor", "s.toml", "t.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("R1: VIOLATED at step 2"), "{}", stdout(&output));
}

#[test]
fn the_list_of_patterns_is_whole() {
    let here = Path::new(".");
    let help = refused(here, &["convert", "--pattern", "foo bar"]);
    let long = ok(here, &["convert", "--help"]);
    for line in [
        "it is never the case that p holds",
        "p eventually holds [within 3 steps]",
        "transitions to states in which p holds occur at most 2 times",
        "if p holds then s previously held [and was preceded by t]",
        "if s holds and is succeeded by t then p eventually holds",
    ] {
        assert!(help.contains(line), "{help}");
        assert!(long.contains(line), "{long}");
    }
    assert!(!help.contains(" ... "), "{help}");
}

/// A system that answers `b` one step after `a`, as it should, and `d` never.
const ECHO: &str = "#!/bin/sh\nb=0\nwhile read line; do\n  case \"$line\" in\n    *a=1*) next=1 ;;\n    *) next=0 ;;\n  esac\n  \
                    echo \"b=$b d=0\"\n  b=$next\ndone\n";

#[test]
fn the_end_of_a_run_is_no_open_obligation() {
    let requirements = |first: &str| {
        format!(
            "[signals]\ninputs = [\"a\"]\noutputs = [\"b\", \"d\"]\n[system]\ncommand = [\"sh\", \"echo.sh\"]\n\
             [[requirement]]\nid = \"R1\"\nltl = \"{first}\"\n[[requirement]]\nid = \"R2\"\nltl = \"G(a -> F d)\"\n"
        )
    };
    for first in ["G(a -> X b)", "G(a -> (b | X b))", "G(a -> F[0:2] b)", "G(X b <-> a)"] {
        let folder = folder(&[("s.toml", &requirements(first)), ("echo.sh", ECHO)]);
        let words = ["test", "s.toml", "--runs", "10", "--steps", "5", "--no-save", "--json"];
        let output = provoke(folder.path(), &words);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(&output), stderr(&output)));
        assert_eq!(report["verdict"], "covered", "{report:#}");
        let pending: Vec<&str> = report["pending"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|one| one["requirement"].as_str())
            .collect();
        assert_eq!(pending, ["R2"], "{first}: {report:#}");
    }
    // The recorded run says what it is: bad as a whole, and nothing open.
    let files = [("s.toml", &*requirements("G(a -> X b)")), ("t.csv", "a,b,d\n0,0,0\n1,0,1\n")];
    let folder = folder(&files);
    let text = ok(folder.path(), &["monitor", "s.toml", "t.csv"]);
    assert!(text.contains("requirement R1: so far bad: it speaks of steps after the last\n"), "{text}");
    let output = provoke(folder.path(), &["monitor", "s.toml", "t.csv", "--complete"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("R1: VIOLATED: the run ended before the steps it speaks of"));
}

const HEAD: &str = "HOA: v1\nname: \"answered\"\nStart: 0\nAP: 2 \"a\" \"b\"\ncontrollable-AP: 1\n";

fn hoa(acceptance: &str, body: &str) -> String {
    format!("{HEAD}Acceptance: {acceptance}\n--BODY--\n{body}\n--END--\n")
}

/// `G(a -> F b)`
fn response() -> String {
    hoa("1 Inf(0)", "State: 0 \"idle\" {0}\n[!0 | 1] 0\n[0 & !1] 1\nState: 1 \"waiting\"\n[1] 0\n[!1] 1")
}

#[test]
fn a_lone_automaton_is_a_specification() {
    let safety = hoa("0 t", "State: 0\n[!0] 0\n[0] 1\nState: 1\n[1&!0] 0\n[1&0] 1");
    let folder = folder(&[("r1.hoa", &safety), ("live.hoa", &response()), ("t.csv", "a,b\n1,0\n0,0\n")]);
    let text = ok(folder.path(), &["check", "r1.hoa"]);
    assert_eq!(text, "signals: 1 in, 1 out\nrequirement r1: safety, 2 states, 4 edges\n");
    let text = ok(folder.path(), &["check", "live.hoa"]);
    assert!(
        text.contains("requirement live: liveness, 2 states, 4 edges; never violated in finitely many steps"),
        "{text}"
    );
    assert!(ok(folder.path(), &["show", "r1.hoa"]).starts_with("digraph"));
    let shown = ok(folder.path(), &["show", "live.hoa", "--to", "hoa"]);
    assert!(shown.contains("Acceptance: 1 Inf(0)") && shown.contains("\"waiting\""), "{shown}");
    let output = provoke(folder.path(), &["monitor", "r1.hoa", "t.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("requirement r1: VIOLATED at step 2"), "{}", stdout(&output));
    // Two edges to one state are no guess: the states keep their names.
    let parallel = response().replace("[!0 | 1] 0", "[!0] 0\n[1] 0");
    std::fs::write(folder.path().join("parallel.hoa"), parallel).unwrap();
    let text = ok(folder.path(), &["show", "parallel.hoa", "--automaton", "parallel", "--to", "hoa"]);
    assert!(text.contains("\"waiting\"") && text.contains("Acceptance: 0 t"), "{text}");
    let none = safety.replace("controllable-AP: 1\n", "");
    std::fs::write(folder.path().join("none.hoa"), none).unwrap();
    let output = provoke(folder.path(), &["check", "none.hoa"]);
    assert!(
        stderr(&output).contains("without `controllable-AP:` all propositions are inputs"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn liveness_automata_are_judged_like_formulas() {
    let cases = [
        ("G(a -> F b)", response()),
        // The same with the mark on edges, and with a guess: some `a` is never answered is left to be rejected.
        ("G(a -> F b)", hoa("1 Inf(0)", "State: 0\n[!0 | 1] 0 {0}\n[0 & !1] 1\nState: 1\n[1] 0 {0}\n[!1] 1")),
        ("F G b", hoa("1 Inf(0)", "State: 0\n[t] 0\n[1] 1\nState: 1 {0}\n[1] 1")),
        ("F G b", hoa("1 Fin(0)", "State: 0\n[1] 0\n[!1] 0 {0}")),
        ("G !a & G F b", hoa("1 Inf(0)", "State: 0\n[!0&!1] 0\n[!0&1] 0 {0}")),
        ("F b", hoa("1 Fin(0)", "State: 0 {0}\n[!1] 0\n[1] 1\nState: 1\n[t] 1")),
    ];
    let traces =
        ["a,b\n0,0\n", "a,b\n1,0\n0,0\n", "a,b\n1,0\n0,1\n", "a,b\n0,1\n0,1\n1,0\n0,0\n", "a,b\n0,1\n"];
    for (formula, automaton) in &cases {
        let spec = format!(
            "{}[[requirement]]\nid = \"R2\"\nltl = \"{formula}\"\n",
            specification("\"a\"", "\"b\"", "automaton = \"r.hoa\"")
        );
        let folder = folder(&[("s.toml", &spec), ("r.hoa", automaton)]);
        for trace in traces {
            std::fs::write(folder.path().join("t.csv"), trace).unwrap();
            for complete in [&[][..], &["--complete"][..]] {
                let words = [&["monitor", "s.toml", "t.csv", "--json"], complete].concat();
                let output = provoke(folder.path(), &words);
                let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                let [one, two] = [0, 1].map(|at| {
                    let of = &found["requirements"][at];
                    [&of["verdict"], &of["violated"], &of["decided_at"], &of["open_for"]].map(Clone::clone)
                });
                assert_eq!(one, two, "{formula} on {trace:?} {complete:?}: {found:#}");
            }
        }
    }
}

#[test]
fn liveness_automata_keep_their_safety_part_and_relate() {
    let mixed = hoa("1 Inf(0)", "State: 0\n[!0&!1] 0\n[!0&1] 0 {0}");
    let spec = format!(
        "{}[[requirement]]\nid = \"R2\"\nltl = \"G F b\"\n[[requirement]]\nid = \"R3\"\nautomaton = \"live.hoa\"\n",
        specification("\"a\"", "\"b\"", "automaton = \"r.hoa\"")
    );
    let folder = folder(&[("s.toml", &spec), ("r.hoa", &mixed), ("live.hoa", &response())]);
    let text = ok(folder.path(), &["check", "s.toml"]);
    assert!(text.contains("requirement R1: mixed"), "{text}");
    assert!(text.contains("requirement R2 follows from R1\n"), "{text}");
    assert!(text.contains("requirement R3: liveness"), "{text}");
    assert!(text.contains("requirement R3 follows from R"), "{text}");
    assert!(!text.contains("requirement R1 follows"), "{text}");
}

#[test]
fn automata_that_cannot_be_followed_are_turned_down() {
    let bad = [
        (hoa("2 Fin(0)&Inf(1)", "State: 0 [t] 0"), "this acceptance condition is not supported"),
        (hoa("2 Fin(0)|Inf(1)", "State: 0 [t] 0"), "this acceptance condition is not supported"),
        (hoa("1 Fin(0)", "State: 0 {0} [t] 0"), "this automaton accepts nothing"),
        (hoa("0 t", "State: 0 [0] 0 [1] 1 State: 1 [t] 1"), "is not deterministic"),
    ];
    for (text, message) in &bad {
        let folder = folder(&[("r.hoa", text)]);
        let error = refused(folder.path(), &["check", "r.hoa"]);
        assert!(error.contains(message), "{text}: {error}");
    }
}

/// Figure 1 of paper 3: a monitor of four states that guesses. Made deterministic it has five, as that of the formula.
#[test]
fn the_monitor_of_the_paper_is_that_of_the_formula() {
    let figure = "HOA: v1 Start: 0 AP: 2 \"p0\" \"p1\" Acceptance: 0 t --BODY-- State: 0 [!0] 1 [0] 2 [0 & !1] 3 \
                  State: 1 [t] 1 State: 2 [1] 2 State: 3 [!1] 3 --END--";
    let folder = folder(&[("figure.hoa", figure)]);
    assert!(ok(folder.path(), &["convert", "figure.hoa"]).contains("\nStates: 4\n"));
    let monitor = |words: &[&str]| {
        let text = ok(folder.path(), &[&["convert", "--to", "monitor"], words].concat());
        text.lines().filter(|line| !line.starts_with("name:")).collect::<Vec<_>>().join("\n")
    };
    let ours = monitor(&["--ltl", "p0 <-> ((X G p1) | !F p1)"]);
    assert_eq!(monitor(&["figure.hoa"]), ours);
    assert!(ours.contains("\nStates: 5\n"), "{ours}");
}
