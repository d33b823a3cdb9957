//! HOA files in: what is read, and how faults are shown.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use provoke::automaton::{Acceptance, Automaton, read_hoa};
use provoke::bdd::Space;
use provoke::diagnostic::{Source, SpecError};
use provoke::letter::{Interface, Letter};

fn space() -> Arc<Space> {
    Arc::new(Space::new(Interface::signals(["a", "b"], ["x", "y"]).unwrap()))
}

fn read(text: &str) -> Result<Automaton, SpecError> {
    read_hoa(&Source::new("r.hoa", text), Some(&space())).map(|(automaton, _)| automaton)
}

/// Where each of the 16 exchanges over a, b, x, y leads from a state.
fn targets(automaton: &Automaton, at: u32) -> Vec<Vec<u32>> {
    (0..16u64)
        .map(|code| {
            let (input, output) = (Letter::from_index(code & 3), Letter::from_index(code >> 2));
            let value = automaton.space.value(input, output);
            let edges = automaton.states[at as usize].edges.iter();
            edges.filter(|edge| edge.guard.contains(&value)).map(|edge| edge.to).collect()
        })
        .collect()
}

const TWO_STATES: &str = r#"
HOA: v1
name: "request and \"grant\""
properties: deterministic explicit-labels   tool: "hand" "1.0"
vendor-note: 3 "anything" t /* skipped /* even nested */ */
Acceptance: 1 Inf(0)
acc-name: Buchi
Alias: @both @first & 1
Alias: @first 0
Start: 1
AP: 3 "a" "x" "b"
States: 2
--BODY--
State: 0 "idle" {0}
  [!0 | 2 & !1] 0
  [@both] 1 {0}
State: [t] 1 "busy"
  0
--END--
"#;

#[test]
fn headers_come_in_any_order_and_aliases_before_use() {
    let error = read(TWO_STATES).unwrap_err();
    assert_eq!(error.line_column(), Some((8, 14)), "{error}");
    let swapped = TWO_STATES
        .replace("Alias: @both @first & 1\nAlias: @first 0", "Alias: @first 0\nAlias: @both @first & 1");
    let automaton = read(&swapped).unwrap();
    assert_eq!(automaton.name.as_deref(), Some("request and \"grant\""));
    assert_eq!((automaton.states.len(), automaton.edge_count(), automaton.initial), (2, 3, 1));
    assert_eq!(automaton.acceptance, Acceptance::Buchi(1));
    assert_eq!((automaton.states[0].marks, automaton.states[1].marks), (1, 0));
    assert_eq!(automaton.states[0].edges[1].marks, 1);
    assert_eq!(automaton.state_named("busy"), Some(1));
    // `&` binds tighter than `|`: edge 0 is !a | (b & !x), edge 1 is a & x.
    for (code, to) in targets(&automaton, 0).into_iter().enumerate() {
        let [a, b, x] = [0, 1, 2].map(|bit| code >> bit & 1 == 1);
        let mut expected = Vec::new();
        expected.extend((!a || b && !x).then_some(0));
        expected.extend((a && x).then_some(1));
        assert_eq!(to, expected, "{code}");
    }
    assert!(targets(&automaton, 1).iter().all(|to| to == &[0]));
}

#[test]
fn implicit_labels_count_in_binary() {
    let text = "HOA: v1 States: 4 Start: 0 AP: 2 \"x\" \"a\" Acceptance: 0 t --BODY--
        State: 0 0 1 2 3 State: 1 1 1 1 1 State: 2 State: 3 0 1 0 1 --END--";
    let automaton = read(text).unwrap();
    for (code, to) in targets(&automaton, 0).into_iter().enumerate() {
        let (a, x) = (code & 1, code >> 2 & 1);
        assert_eq!(to, [(x + 2 * a) as u32], "proposition 0 (x) is the least significant");
    }
    assert_eq!(automaton.states[1].edges.len(), 1, "joined");
    assert!(automaton.states[2].edges.is_empty());
    assert_eq!(automaton.states[3].edges.len(), 2);
}

#[test]
fn several_starts_are_joined_in_one_more_state() {
    let text = "HOA: v1 Start: 0 Start: 1 Start: 0 AP: 1 \"a\" Acceptance: 0 t --BODY--
        State: 0 [0] 0 State: 1 [!0] 1 --END--";
    let automaton = read(text).unwrap();
    assert_eq!((automaton.states.len(), automaton.initial), (3, 2));
    assert!(automaton.nondeterminism().is_none());
    assert_eq!(automaton.states[2].edges.len(), 2);
}

#[test]
fn acceptance_sets_that_do_not_matter_have_no_marks() {
    let text = "HOA: v1 Start: 0 AP: 0 Acceptance: 4 Inf(3) & (Inf(1) & t) & Inf(3) --BODY--
        State: 0 {0 2} [t] 0 {1} [f] 0 {3} [t] 1 {3} State: 1 --END--";
    let automaton = read(text).unwrap();
    assert_eq!(automaton.acceptance, Acceptance::Buchi(2));
    let marks: Vec<u32> = automaton.states[0].edges.iter().map(|edge| edge.marks).collect();
    assert_eq!((automaton.states[0].marks, marks), (0, vec![1, 2]));
}

#[test]
fn the_draft_version_is_read_too() {
    let text = "HOA: v1.1 Start: 0 AP: 1 \"a\" properties: state-acc !complete deterministic Acceptance: 0 t
        spot.highlight.states: 0 1 --BODY-- State: 0 [0] 0 --END--";
    assert_eq!(read(text).unwrap().edge_count(), 1);
}

#[test]
fn a_file_may_bring_its_own_interface() {
    let text = "HOA: v1 Start: 0 AP: 3 \"g\" \"r\" \"s\" controllable-AP: 0 Acceptance: 0 t --BODY--
        State: 0 [1 | !0] 0 --END--";
    let (automaton, spans) = read_hoa(&Source::new("r.hoa", text), None).unwrap();
    let interface = automaton.space.interface();
    assert_eq!(interface.inputs.names().collect::<Vec<_>>(), ["r", "s"]);
    assert_eq!(interface.outputs.names().collect::<Vec<_>>(), ["g"]);
    assert_eq!(&text[spans.edge(0, 0)], "[1 | !0] 0");
    assert_eq!(&text[spans.state(0)], "State: 0");
}

#[test]
fn labels_of_an_interface_are_propositions() {
    let space = Arc::new(Space::new(Interface::labels(["a", "b", "c"], ["0", "1"]).unwrap()));
    let text = "HOA: v1 Start: 0 AP: 3 \"a\" \"b\" \"1\" Acceptance: 0 t --BODY--
        State: 0 [!0 & !1 & 2] 0 [0 & 1] 1 [0 | 1] 2 State: 1 State: 2 --END--";
    let (automaton, _) = read_hoa(&Source::new("r.hoa", text), Some(&space)).unwrap();
    let guards: Vec<&provoke::bdd::Bdd> = automaton.states[0].edges.iter().map(|edge| &edge.guard).collect();
    assert_eq!(guards.len(), 2, "nothing is both a and b");
    let c_1 = &space.proposition("c").unwrap() & &space.proposition("1").unwrap();
    assert!(*guards[0] == c_1, "codes that stand for no label are in no guard");
}

/// A fault in a text: line, column, message, help.
fn fault(text: &str) -> String {
    let error = read(text).unwrap_err();
    let (line, column) = error.line_column().unwrap();
    format!("{line}:{column} {} ({})", error.message(), error.help_text().unwrap_or("no help"))
}

#[test]
fn faults_are_shown_where_they_are() {
    let head = "HOA: v1\nStart: 0\nAP: 2 \"a\" \"x\"\nAcceptance: 1 Inf(0)\n";
    let body = |body: &str| fault(&format!("{head}--BODY--\n{body}\n--END--\n"));
    let header = |line: &str| fault(&format!("{head}{line}\n--BODY--\nState: 0\n--END--\n"));
    let faults = [
        fault(""),
        fault("digraph {}"),
        fault("HOA: v2 --BODY-- --END--"),
        fault("HOA: v1\n--BODY--\n--END--"),
        fault("HOA: v1\nAP: 1 \"fwd\"\nAcceptance: 0 t --BODY-- --END--"),
        fault("HOA: v1\nAP: 1 \"xx\"\nAcceptance: 0 t --BODY-- --END--"),
        fault("HOA: v1\nAP: 2 \"a\"\nAcceptance: 0 t --BODY-- --END--"),
        fault("HOA: v1\nAP: 1 a\nAcceptance: 0 t --BODY-- --END--"),
        fault("HOA: v1\nAP: 2 \"a\" \"a\"\nAcceptance: 0 t --BODY-- --END--"),
        fault("HOA: v1\nAcceptance: 2 Fin(0) & Inf(1) --BODY-- --END--"),
        fault("HOA: v1\nAcceptance: 2 Inf(0) | Inf(1) --BODY-- --END--"),
        fault("HOA: v1\nAcceptance: 1 Inf(1) --BODY-- --END--"),
        fault("HOA: v1\nAcceptance: 1 (Inf(0) --BODY-- --END--"),
        header("Statse: 2"),
        header("Magic: 2"),
        header("controllable-ap: 1"),
        header("controllable-AP: 0"),
        header("Start: 1 & 2"),
        header("AP: 0"),
        header("States: 99999999999"),
        header("Start: 99999999"),
        header("name: 7"),
        header("Alias: @p 7"),
        header("Alias: p 0"),
        header("--ABORT--"),
        body("State: 0 [0 & 2] 0"),
        body("State: 0 [0 & ] 0"),
        body("State: 0 [(0 | 1] 0"),
        body("State: 0 [0)] 0"),
        body("State: 0 [@p] 0"),
        body("State: 0 [a] 0"),
        body("State: 0 [0 1] 0"),
        body("State: 0 [0] 0 & 1"),
        body("State: 0 [0] 0 {1}"),
        body("State: 0 [0] {0}"),
        body("State: [0] 0 [0] 0"),
        body("State: 0 [0] 0 0"),
        body("State: 0 0 0 0"),
        body("State: 0\nState: 0"),
        body("State: 0 [0] 0 [!0] 7"),
        body("State: 1"),
        body("State: 0 \"open"),
        body("State: 0 /* open"),
        body("State: 0 [0] -1"),
        body("State: 0 -> 1"),
        body("State: 0 #"),
        body("Acceptance: 0 t"),
        body("State: 0\n--END--"),
        body("State: 0\n--END-- HOA: v1"),
        fault(&format!("{head}--BODY--\nState: 0")),
    ];
    let expected = include_str!("data/hoa_faults.txt");
    let actual = faults.join("\n") + "\n";
    assert!(actual == expected, "faults changed; if they are right, put this into hoa_faults.txt:\n{actual}");
}

#[test]
fn deep_nesting_and_huge_numbers_are_harmless() {
    let deep = |open: &str, close: &str, depth: usize| {
        let label = format!("{}0{}", open.repeat(depth), close.repeat(depth));
        read(&format!("HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 [{label}] 0 --END--"))
    };
    assert_eq!(deep("(", ")", 10_000).unwrap().edge_count(), 1);
    assert_eq!(deep("!", "", 10_001).unwrap().edge_count(), 1);
    assert_eq!(deep("!(0&", ")", 10_000).unwrap().edge_count(), 1);
    assert!(deep("(", "", 10_000).is_err());
    assert!(deep("/*", "", 10_000).is_err());
    let state =
        |number: &str| read(&format!("HOA: v1 Start: 0 Acceptance: 0 t --BODY-- State: {number} --END--"));
    assert!(state("4294967295").is_err());
    assert!(state("99999999999999999999999").is_err());
    assert!(read("HOA: v1 States: 4294967295 Start: 0 Acceptance: 0 t --BODY-- State: 0 --END--").is_ok());
    assert!(read("HOA: v1 AP: 4294967295 Acceptance: 0 t --BODY-- --END--").is_err());
    assert!(read("HOA: v1 Start: 0 Acceptance: 4294967295 t --BODY-- State: 0 {4294967294} --END--").is_ok());
}

#[test]
fn an_error_underlines_the_fault() {
    let error = read("HOA: v1\nAP: 1 \"aa\"\nAcceptance: 0 t --BODY-- --END--").unwrap_err();
    let shown = error.to_string();
    assert!(shown.contains("r.hoa:2:7") && shown.contains("^^^^"), "{shown}");
}
