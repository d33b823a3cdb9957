//! Which automata are requirements or test purposes, and how the others are turned down.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;
use provoke::automaton::{Acceptance, Automaton, Edge, StateInfo, Unfit, purpose, read_hoa, requirement};
use provoke::bdd::Space;
use provoke::diagnostic::{Source, SpecError};
use provoke::letter::Interface;

const HEAD: &str = "HOA: v1\nStart: 0\nAP: 2 \"a\" \"x\"\ncontrollable-AP: 1\n";

fn with<R>(
    acceptance: &str,
    body: &str,
    role: impl Fn(&Automaton) -> Result<R, Unfit>,
) -> Result<R, SpecError> {
    let text = format!("{HEAD}Acceptance: {acceptance}\n--BODY--\n{body}\n--END--\n");
    let (automaton, spans) = read_hoa(&Source::new("r.hoa", text), None)?;
    role(&automaton).map_err(|fault| fault.at(&automaton, &spans))
}

fn shown<R>(result: Result<R, SpecError>) -> String {
    let error = result.err().unwrap();
    let (line, column) = error.line_column().unwrap();
    format!("{line}:{column} {} ({})", error.message(), error.help_text().unwrap())
}

#[test]
fn a_monitor_is_a_requirement_as_it_stands() {
    let result = with("0 t", "State: 0 \"s\" [0] 0 [!0] 1\nState: 1 \"error\"", requirement).unwrap();
    assert_eq!((result.states.len(), result.edge_count()), (2, 2), "a name means nothing special");
    assert_eq!(result.state_named("error"), Some(1));
}

#[test]
fn runs_that_are_lost_are_violations_at_once() {
    let body = "State: 0 {0} [0] 0 [!0&1] 1 [!0&!1] 2\nState: 1 [t] 2\nState: 2 [t] 2";
    let result = with("1 Inf(0)", body, requirement).unwrap();
    assert_eq!(result.acceptance, Acceptance::All);
    assert_eq!((result.states.len(), result.edge_count()), (3, 1));
    assert!(result.states.iter().all(|state| state.marks == 0));
    let transitions = "State: 0 [0] 0 {0} [!0] 1\nState: 1 [t] 1";
    assert_eq!(with("1 Inf(0)", transitions, requirement).unwrap().edge_count(), 1);
    let both = "State: 0 [0] 1 {0} \nState: 1 [t] 0 {1}";
    assert_eq!(with("2 Inf(0)&Inf(1)", both, requirement).unwrap().edge_count(), 2);
}

#[test]
fn what_is_no_requirement_is_shown_in_the_file() {
    let faults = [
        shown(with("0 t", "State: 0 \"s\"\n  [0] 0\n  [1] 1\nState: 1", requirement)),
        shown(with("1 Inf(0)", "State: 0 [t] 0", requirement)),
        shown(with("1 Inf(0)", "State: 0 {0} [0] 0 [!0] 1\nState: 1 \"wait\" [0] 1 [!0] 0", requirement)),
        shown(with("1 Inf(0)", "State: 0 [0] 1 [!0] 2\nState: 1 [t] 0\nState: 2 {0} [t] 2", requirement)),
        shown(with("2 Inf(0)&Inf(1)", "State: 0 [0] 0 {0} [!0] 0 {1}", requirement)),
        shown(with("0 t", "State: 0 [t] 0", purpose)),
        shown(with("1 Inf(0)", "State: 0 [t] 0 State: 1 {0}", purpose)),
        shown(with("2 Inf(0)&Inf(1)", "State: 0 [t] 0 {0 1}", purpose)),
        shown(with("1 Inf(0)", "State: 0 [0] 0 [1] 1 {0} State: 1", purpose)),
        shown(with("1 Inf(0)", "State: 0 [0] 0 [1] 0 {0}", purpose)),
    ];
    let expected = include_str!("data/hoa_roles.txt");
    let actual = faults.join("\n") + "\n";
    assert!(actual == expected, "faults changed; if they are right, put this into hoa_roles.txt:\n{actual}");
    let text = "HOA: v1 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--";
    let (automaton, _) = read_hoa(&Source::new("r.hoa", text), None).unwrap();
    assert_eq!(requirement(&automaton).unwrap_err(), Unfit::Empty, "no initial state");
}

#[test]
fn accepting_edges_of_a_purpose_become_accepting_states() {
    let states = with("1 Inf(0)", "State: 0 [0] 1 [!0] 0\nState: 1 {0} [t] 1", purpose).unwrap();
    assert_eq!((states.states.len(), states.states[1].marks), (2, 1));
    let edges = with("1 Inf(0)", "State: 0 \"s\" [0] 0 {0} [!0] 0", purpose).unwrap();
    assert_eq!(edges.states.len(), 2);
    assert_eq!((edges.states[0].marks, edges.states[1].marks), (0, 1));
    for state in &edges.states {
        let to: Vec<u32> = state.edges.iter().map(|edge| edge.to).collect();
        assert_eq!((state.name.as_deref(), to), (Some("s"), vec![1, 0]));
    }
}

/// A deterministic Büchi automaton over one proposition: `next[state][letter]` is a target and a mark.
type Small = Vec<[Option<(u32, bool)>; 2]>;

fn automaton(small: &Small) -> Automaton {
    let space = Arc::new(Space::new(Interface::signals(["a"], []).unwrap()));
    let states = small.iter().map(|row| {
        let edge = |letter: usize| {
            row[letter].map(|(to, mark)| Edge {
                guard: space.bdds().literal(0, letter == 1),
                to,
                marks: mark.into(),
            })
        };
        StateInfo { edges: (0..2).filter_map(edge).collect(), ..StateInfo::default() }
    });
    Automaton { name: None, states: states.collect(), initial: 0, acceptance: Acceptance::Buchi(1), space }
}

/// Whether the run on `stem` then `lasso` for ever is accepted.
fn accepts(small: &Small, stem: &[usize], lasso: &[usize]) -> bool {
    let mut at = 0;
    for &letter in stem {
        let Some((to, _)) = small[at as usize][letter] else { return false };
        at = to;
    }
    // After as many rounds as there are states the run is on its cycle; as many more go all round it.
    let mut marked = false;
    for round in 0..2 * small.len() {
        for &letter in lasso {
            let Some((to, mark)) = small[at as usize][letter] else { return false };
            at = to;
            marked |= mark && round >= small.len();
        }
    }
    marked
}

fn words(longest: u32) -> Vec<Vec<usize>> {
    let of =
        |length: u32| (0..1usize << length).map(move |code| (0..length).map(|at| code >> at & 1).collect());
    (0..=longest).flat_map(of).collect()
}

proptest! {
    /// Against the definition: a language is a safety property if every word outside it has a beginning
    /// that no word inside it has. In an automaton of three states, stems and loops of three letters show
    /// every way to accept and to reject.
    #[test]
    fn requirements_are_the_safety_languages(
        small in prop::collection::vec(
            prop::array::uniform2(prop::option::weighted(0.8, (0u32..3, any::<bool>()))), 3)
    ) {
        let words = words(3);
        let lassos = || words.iter().filter(|word| !word.is_empty());
        let extendable = |beginning: &[usize]| words.iter().any(|more| {
            let stem = [beginning, more].concat();
            lassos().any(|lasso| accepts(&small, &stem, lasso))
        });
        let unroll = |stem: &[usize], lasso: &[usize]| {
            stem.iter().chain(lasso.iter().cycle()).take(12).copied().collect::<Vec<usize>>()
        };
        let counterexample = words.iter().any(|stem| lassos().any(|lasso| {
            !accepts(&small, stem, lasso) && extendable(&unroll(stem, lasso))
        }));
        let empty = !extendable(&[]);
        match requirement(&automaton(&small)) {
            Err(Unfit::Empty) => prop_assert!(empty),
            Err(Unfit::Liveness(_)) => prop_assert!(!empty && counterexample),
            Err(fault) => prop_assert!(false, "{fault:?}"),
            Ok(result) => {
                prop_assert!(!empty && !counterexample);
                for stem in &words {
                    for lasso in lassos() {
                        let mut at = Some(0u32);
                        for letter in unroll(stem, lasso) {
                            let edges = |at: u32| &result.states[at as usize].edges;
                            at = at.and_then(|at| {
                                edges(at).iter().find(|edge| edge.guard.contains(|_| letter == 1))
                            }).map(|edge| edge.to);
                        }
                        prop_assert_eq!(at.is_some(), accepts(&small, stem, lasso));
                    }
                }
            }
        }
    }
}
