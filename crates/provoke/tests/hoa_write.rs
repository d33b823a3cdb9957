//! HOA files out, and back in.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;
use provoke::automaton::{Acceptance, Automaton, Edge, StateInfo, read_hoa, write_hoa};
use provoke::bdd::{Bdd, Space};
use provoke::diagnostic::Source;
use provoke::letter::{Alphabet, Interface};

fn spaces() -> Vec<Arc<Space>> {
    let signals = |names: &[&str]| Alphabet::signals(names.iter().copied()).unwrap();
    let labels = |names: &[&str]| Alphabet::labels(names.iter().copied()).unwrap();
    let interfaces = [
        Interface::new(signals(&["a", "b \"\\", ""]), signals(&["x", "é\n"])),
        Interface::new(labels(&["0", "1", "coin"]), labels(&["0", "tea", "1", "mud", "?"])),
        Interface::new(signals(&["a", "b"]), labels(&["tea", "mud", "ink"])),
        Interface::new(labels(&["tea", "mud", "ink"]), signals(&["a", "b"])),
    ];
    interfaces.into_iter().map(|interface| Arc::new(Space::new(interface.unwrap()))).collect()
}

/// What a random automaton is made of, before it has a space.
#[derive(Clone, Debug)]
struct Plan {
    space: usize,
    name: Option<String>,
    initial: u32,
    marks: u32,
    states: Vec<(Option<String>, u32, Vec<EdgePlan>)>,
}

/// Literals of the guard, target, marks.
type EdgePlan = (Vec<(usize, bool)>, u32, u32);

fn plans() -> impl Strategy<Value = Plan> {
    let product = prop::collection::vec((0usize..8, any::<bool>()), 0..4);
    let edge = (product, 0u32..4, any::<u32>());
    let text = || prop::option::of(".{0,8}|[\"\\\\ a]{0,6}");
    let state = (text(), any::<u32>(), prop::collection::vec(edge, 0..4));
    (0usize..4, text(), 0u32..4, 0u32..4, prop::collection::vec(state, 4))
        .prop_map(|(space, name, initial, marks, states)| Plan { space, name, initial, marks, states })
}

fn build(plan: &Plan) -> Automaton {
    let space = spaces()[plan.space].clone();
    let acceptance = if plan.marks == 0 { Acceptance::All } else { Acceptance::Buchi(plan.marks) };
    let names: Vec<String> = space.names().map(str::to_owned).collect();
    let literal = |&(name, value): &(usize, bool)| {
        let set = space.proposition(&names[name % names.len()]).unwrap();
        if value { set } else { !&set }
    };
    let states = plan.states.iter().map(|(name, marks, edges)| {
        let edges = edges.iter().map(|(product, to, marks)| Edge {
            guard: product.iter().fold(space.exchanges(), |guard, at| &guard & &literal(at)),
            to: *to,
            marks: marks & acceptance.marks(),
        });
        let edges = edges.filter(|edge| !edge.guard.is_none()).collect();
        StateInfo { name: name.clone(), marks: marks & acceptance.marks(), edges }
    });
    let states = states.collect();
    Automaton { name: plan.name.clone(), states, initial: plan.initial, acceptance, space }
}

fn again(automaton: &Automaton) -> Automaton {
    let text = write_hoa(automaton).unwrap();
    match read_hoa(&Source::new("again.hoa", text), Some(&automaton.space)) {
        Ok((automaton, _)) => automaton,
        Err(error) => panic!("{error}"),
    }
}

type Shape = (u32, Acceptance, Option<String>, Vec<(Option<String>, u32, Vec<(Bdd, u32, u32)>)>);

fn shape(automaton: &Automaton) -> Shape {
    let edge = |edge: &Edge| (edge.guard.clone(), edge.to, edge.marks);
    let state = |state: &StateInfo| (state.name.clone(), state.marks, state.edges.iter().map(edge).collect());
    let states = automaton.states.iter().map(state).collect();
    (automaton.initial, automaton.acceptance, automaton.name.clone(), states)
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(plan in plans()) {
        let automaton = build(&plan);
        prop_assert!(shape(&automaton) == shape(&again(&automaton)), "{}", write_hoa(&automaton).unwrap());
    }
}

#[test]
fn a_small_automaton_in_full() {
    let text = "HOA: v1 name: \"lift\" Start: 1 AP: 3 \"up\" \"down\" \"move\" controllable-AP: 2
        Acceptance: 2 Inf(0)&Inf(1) --BODY--
        State: 0 \"at \\\"rest\\\"\" [0 | 1 & !0] 1 {1}  State: 1 {0} [t] 0 --END--";
    let (automaton, _) = read_hoa(&Source::new("lift.hoa", text), None).unwrap();
    let expected = r#"HOA: v1
name: "lift"
States: 2
Start: 1
AP: 3 "up" "down" "move"
controllable-AP: 2
acc-name: generalized-Buchi 2
Acceptance: 2 Inf(0)&Inf(1)
properties: trans-labels explicit-labels deterministic
--BODY--
State: 0 "at \"rest\""
[0 | 1] 1 {1}
State: 1 {0}
[t] 0
--END--
"#;
    assert_eq!(write_hoa(&automaton).unwrap(), expected);
    assert_eq!(write_hoa(&read_hoa(&Source::new("lift.hoa", expected), None).unwrap().0).unwrap(), expected);
}

#[test]
fn nothing_is_written_and_read_back() {
    let space = spaces()[0].clone();
    let nothing =
        Automaton { space, name: None, states: Vec::new(), initial: 0, acceptance: Acceptance::Buchi(1) };
    assert!(again(&nothing).states.is_empty());
}

/// As a sum of products, the parity of 60 signals has 2^59 products.
#[test]
fn functions_without_a_short_formula_are_written_through_aliases() {
    let names: Vec<String> = (0..60).map(|at| format!("s{at}")).collect();
    let (inputs, outputs) = names.split_at(20);
    let space = Arc::new(Space::new(Interface::signals(inputs.to_vec(), outputs.to_vec()).unwrap()));
    let parity = names.iter().fold(space.bdds().none(), |sum, name| &sum ^ &space.proposition(name).unwrap());
    let edges = vec![
        Edge { guard: parity.clone(), to: 0, marks: 0 },
        Edge { guard: &!&parity & &space.proposition("s3").unwrap(), to: 0, marks: 1 },
    ];
    let states = vec![StateInfo { edges, ..StateInfo::default() }];
    let automaton = Automaton { space, name: None, states, initial: 0, acceptance: Acceptance::Buchi(1) };
    assert!(shape(&automaton) == shape(&again(&automaton)));
    assert_eq!(write_hoa(&automaton).unwrap().matches("Alias:").count(), 126);
}
