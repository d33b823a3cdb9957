//! Tests without an objective through the real binary: the inputs that requirements tell apart steer, and nothing more.

#![allow(clippy::unwrap_used)]

mod common;

use common::{folder, test};
use serde_json::Value;

fn names(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn full_coverage_ends_nothing() {
    let tables = "[signals]\ninputs = ['a', 'b']\noutputs = ['x']\n[system]\nmodel = 'm.dot'\n\
        [[requirement]]\nid = 'R'\nltl = 'G (a -> x)'\n";
    let folder = folder(tables);
    std::fs::write(folder.path().join("m.dot"), "digraph { __start0 -> q; q -> q [label=\"true / x\"]; }")
        .unwrap();
    let (code, report) = test(folder.path(), &["--runs", "20", "--steps", "30"]);
    assert_eq!((code, &report["verdict"]), (0, &Value::from("covered")), "{report}");
    assert_eq!(report["strategy"], "auto");
    // Runs in which the system is learnt end when they have shown what they were for.
    let steps = report["steps"].as_u64().unwrap();
    assert!(report["runs"] == 20 && (60..=600).contains(&steps), "it goes on: {report}");
    let coverage = &report["coverage"][0];
    assert_eq!(coverage["of"], "input-classes");
    assert_eq!(
        (&coverage["elements"], &coverage["covered"]),
        (&Value::from(2), &Value::from(2)),
        "a, and no a"
    );
    assert_eq!(coverage["objective"], Value::Null);
    assert_eq!((names(&coverage["never"]), names(&coverage["cannot"])), (vec![], vec![]));
    assert_eq!(coverage["complete"], true);
    // With an objective, or with a strategy that is named, nothing is said of it.
    let (_, report) = test(folder.path(), &["--strategy", "uniform", "--runs", "2"]);
    assert_eq!(
        (report["strategy"].as_str(), report["coverage"].as_array().unwrap().len()),
        (Some("uniform"), 0)
    );
}

#[test]
fn what_cannot_be_sent_is_told_from_what_was_not() {
    // Before `start` nothing else may be sent; `stop` leads to a state that this system never shows, and after `jam`,
    // which no run that keeps the requirements answers, would be another.
    let tables = "[signals]\ninputs = ['start', 'go']\noutputs = ['on', 'stuck']\n[system]\nmodel = 'm.dot'\n\
        [[assumption]]\nid = 'A'\nltl = '!go W start'\n\
        [[requirement]]\nid = 'R'\nltl = 'G (start & X go -> X on)'\n\
        [[requirement]]\nid = 'seldom'\nltl = 'G (stuck -> X (go -> !on))'\n\
        [[requirement]]\nid = 'never'\nltl = 'G !(start & stuck) & G (stuck -> X stuck)'\n";
    let folder = folder(tables);
    std::fs::write(folder.path().join("m.dot"), "digraph { __start0 -> q; q -> q [label=\"true / on\"]; }")
        .unwrap();
    let (code, report) = test(folder.path(), &["--runs", "50", "--steps", "20"]);
    assert_eq!(code, 0, "{report}");
    let coverage = &report["coverage"][0];
    let (never, cannot) = (names(&coverage["never"]), names(&coverage["cannot"]));
    let (elements, covered) = (coverage["elements"].as_u64().unwrap(), coverage["covered"].as_u64().unwrap());
    assert_eq!(elements, covered + never.len() as u64, "{coverage}");
    // This system is never stuck, and another one could be.
    assert!(!never.is_empty() && never.iter().all(|name| !name.starts_with("R,")), "{coverage}");
    assert_eq!(coverage["complete"], true);
    assert!(cannot.iter().all(|name| !never.contains(name)), "{coverage}");
}

#[test]
fn inputs_that_an_assumption_forbids_cannot_be_sent() {
    let tables = "[signals]\ninputs = ['a', 'b']\noutputs = ['x']\n[system]\nmodel = 'm.dot'\n\
        [[assumption]]\nid = 'A'\nltl = 'G !(a & b)'\n\
        [[requirement]]\nid = 'R'\nltl = 'G (a & b -> x) & G (a & !b -> !x) & G (!a & b -> x)'\n";
    let folder = folder(tables);
    let machine = "digraph { __start0 -> q; q -> q [label=\"b / x\"]; q -> q [label=\"!b / !x\"]; }";
    std::fs::write(folder.path().join("m.dot"), machine).unwrap();
    let (code, report) = test(folder.path(), &["--runs", "5", "--steps", "20"]);
    assert_eq!(code, 0, "{report}");
    let coverage = &report["coverage"][0];
    // a & b is one class with !a & b, because both ask for x: it can be sent. So all three are covered.
    assert_eq!(
        (&coverage["elements"], &coverage["covered"]),
        (&Value::from(3), &Value::from(3)),
        "{coverage}"
    );
    assert_eq!(names(&coverage["cannot"]).len(), 0);
    let tables = tables.replace("G (a & b -> x)", "G (a & b -> X x)");
    std::fs::write(folder.path().join("spec.toml"), tables).unwrap();
    let (code, report) = test(folder.path(), &["--runs", "5", "--steps", "20"]);
    assert_eq!(code, 0, "{report}");
    let cannot = names(&report["coverage"][0]["cannot"]);
    // With and without an answer due from before: both states know it, and the second cannot be reached at all.
    assert!(cannot.iter().any(|name| name.contains("a & b")), "{report}");
    assert!(cannot.len() >= 2, "{cannot:?}");
}

#[test]
fn open_obligations_are_states_of_their_own() {
    let tables = "[signals]\ninputs = ['req']\noutputs = ['ack']\n[system]\nmodel = 'm.dot'\n\
        [[requirement]]\nid = 'R'\nltl = 'G (req -> F ack)'\n";
    let folder = folder(tables);
    let machine = "digraph { __start0 -> p; p -> q [label=\"req / !ack\"]; p -> p [label=\"!req / !ack\"]; \
        q -> p [label=\"true / ack\"]; }";
    std::fs::write(folder.path().join("m.dot"), machine).unwrap();
    let (code, report) = test(folder.path(), &["--runs", "10", "--steps", "20"]);
    assert_eq!(code, 0, "{report}");
    // With nothing open, req matters; with something open, only ack does.
    let coverage = &report["coverage"][0];
    assert_eq!(
        (&coverage["elements"], &coverage["covered"]),
        (&Value::from(3), &Value::from(3)),
        "{coverage}"
    );
}

#[test]
fn the_default_depends_on_what_is_pursued() {
    let tables = "[signals]\ninputs = ['a']\noutputs = ['x']\n[system]\nmodel = 'm.dot'\n\
        [[requirement]]\nid = 'R'\nltl = 'G (a -> x)'\n[[objective]]\nid = 'O'\nltl = 'F (a & x)'\n";
    let folder = folder(tables);
    std::fs::write(folder.path().join("m.dot"), "digraph { __start0 -> q; q -> q [label=\"true / x\"]; }")
        .unwrap();
    let strategy = |words: &[&str]| test(folder.path(), words).1["strategy"].as_str().unwrap().to_owned();
    assert_eq!(strategy(&[]), "auto");
    assert_eq!(strategy(&["--hunt", "--runs", "2"]), "auto");
    assert_eq!(strategy(&["--cover", "states"]), "tour");
}

/// A ring of states of which two inputs of three lead on and one back; one state far from the first answers one input wrongly.
fn ring(states: usize) -> String {
    let mut text = "digraph {\n__start0 -> s0;\n".to_owned();
    for state in 0..states {
        let (next, back) = ((state + 1) % states, state.saturating_sub(1));
        let wrong = if state == states * 3 / 4 { "err" } else { "o1" };
        for (input, to, output) in [("a", next, wrong), ("b", next, "o2"), ("c", back, "o1")] {
            // What is answered tells states apart, so that the system can be learnt.
            let output = if (state / 3 + input.len()) % 3 == 0 && output == "o2" { "o3" } else { output };
            text.push_str(&format!("s{state} -> s{to} [label=\"{input} / {output}\"];\n"));
        }
    }
    text + "}\n"
}

#[test]
fn what_any_long_run_leads_to_is_found_nearly_as_soon_as_by_chance() {
    let tables = "[labels]\ninputs = ['a', 'b', 'c']\noutputs = ['o1', 'o2', 'o3', 'err']\n[system]\n\
        model = 'm.dot'\n[[requirement]]\nid = 'R'\nltl = 'G !err'\n";
    let folder = folder(tables);
    let steps = |strategy: &str| -> u64 {
        let found = |states: usize| {
            std::fs::write(folder.path().join("m.dot"), ring(states)).unwrap();
            let (code, report) = test(folder.path(), &["--strategy", strategy, "--total-steps", "20000"]);
            assert_eq!(code, 1, "{strategy}, {states} states: {report}");
            report["steps"].as_u64().unwrap()
        };
        (60..100).step_by(2).map(found).sum()
    };
    let (chance, auto) = (steps("uniform"), steps("auto"));
    assert!(auto < 3 * chance, "{auto} steps in all against {chance}");
}
