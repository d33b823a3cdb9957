//! What the states of a formula's automaton expect, against the automaton and against direct evaluation.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;
use provoke::automaton::{Automaton, expected, safety_automaton};
use provoke::bdd::Space;
use provoke::letter::Interface;
use provoke::ltl::{Formula, Op, holds_for_ever, parse};

const NAMES: [&str; 3] = ["a", "b", "c"];

fn space() -> Arc<Space> {
    Arc::new(Space::new(Interface::signals([NAMES[0]], [NAMES[1], NAMES[2]]).unwrap()))
}

fn formulas() -> impl Strategy<Value = Formula> {
    over(AHEAD, &[Op::Until, Op::WeakUntil, Op::Release, Op::StrongRelease], 14)
}

const AHEAD: &[Op] = &[
    Op::Next,
    Op::WeakNext,
    Op::Finally,
    Op::Globally,
    Op::Globally,
    Op::FinallyIn(0, Some(2)),
    Op::FinallyIn(1, Some(2)),
    Op::GloballyIn(0, Some(1)),
    Op::GloballyIn(1, None),
];

const BACK: &[Op] = &[
    Op::Yesterday,
    Op::WeakYesterday,
    Op::Once,
    Op::Historically,
    Op::OnceIn(0, Some(1)),
    Op::OnceIn(1, Some(2)),
    Op::HistoricallyIn(0, Some(2)),
    Op::HistoricallyIn(1, None),
];

/// Formulas with the Boolean operators and these.
fn over(unary: &[Op], binary: &[Op], size: u32) -> impl Strategy<Value = Formula> + use<> {
    let unary = [&[Op::Not], unary].concat();
    let binary = [&[Op::And, Op::Or, Op::Implies, Op::Iff, Op::Xor], binary].concat();
    let leaf = prop_oneof![
        8 => prop::sample::select(&NAMES[..]).prop_map(Formula::proposition),
        1 => any::<bool>().prop_map(Formula::constant),
    ];
    leaf.prop_recursive(4, size, 2, move |inner| {
        let (unary, binary) = (prop::sample::select(unary.clone()), prop::sample::select(binary.clone()));
        prop_oneof![
            (unary, inner.clone()).prop_map(|(op, arg)| Formula::build(op, vec![arg])),
            (binary, inner.clone(), inner).prop_map(|(op, a, b)| Formula::build(op, vec![a, b])),
        ]
    })
}

/// Formulas that look ahead at what looks back.
fn mixed() -> impl Strategy<Value = Formula> {
    let back = || over(BACK, &[Op::Since, Op::Triggered], 4);
    let ahead = over(AHEAD, &[Op::Until, Op::WeakUntil], 6);
    (ahead, back(), back(), back()).prop_map(|(formula, a, b, c)| {
        formula.replace(|name| match &**name {
            "a" => a.clone(),
            "b" => b.clone(),
            _ => c.clone(),
        })
    })
}

/// Formulas that look ahead and back in any order.
fn anything() -> impl Strategy<Value = Formula> {
    over(&[AHEAD, BACK].concat(), &[Op::Until, Op::Release, Op::Since, Op::Triggered], 14)
}

/// Whether both automata, from these states on, read the same words.
fn alike(one: &Automaton, at: u32, two: &Automaton) -> bool {
    if two.states.is_empty() {
        return false;
    }
    let mut open = vec![(at, two.initial)];
    let mut seen = std::collections::HashSet::new();
    while let Some((left, right)) = open.pop() {
        if !seen.insert((left, right)) {
            continue;
        }
        // Different managers: compared letter by letter.
        for letter in 0u32..1 << NAMES.len() {
            let value = |variable: usize| letter >> variable & 1 == 1;
            let step = |automaton: &Automaton, at: u32| {
                let mut edges = automaton.states[at as usize].edges.iter();
                edges.find(|edge| edge.guard.contains(value)).map(|edge| edge.to)
            };
            match (step(one, left), step(two, right)) {
                (Some(left), Some(right)) => open.push((left, right)),
                (None, None) => {}
                _ => return false,
            }
        }
    }
    true
}

fn value(letter: &u32, name: &str) -> bool {
    letter >> NAMES.iter().position(|&known| known == name).unwrap() & 1 == 1
}

fn hold_states_against(formula: &Formula) {
    let space = space();
    let automaton = safety_automaton(formula, &space).unwrap();
    let expected = expected(formula, &automaton);
    assert_eq!(expected.formulas.len(), automaton.states.len());
    for (at, left) in expected.formulas.iter().enumerate() {
        let left = left.as_ref().expect("small formulas stay small");
        let again = safety_automaton(left, &space).unwrap();
        assert!(alike(&automaton, at as u32, &again), "{formula}: state {at} expects {left}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_state_expects_what_it_accepts(formula in formulas()) {
        hold_states_against(&formula);
    }

    #[test]
    fn a_state_that_remembers_expects_what_it_accepts(formula in mixed()) {
        hold_states_against(&formula);
    }

    #[test]
    fn what_is_left_after_a_step_holds_where_the_formula_did(
        formula in prop_oneof![formulas(), anything()],
        prefix in prop::collection::vec(0u32..8, 1..5),
        cycle in prop::collection::vec(0u32..8, 1..4),
    ) {
        let left = formula.after_step(|name| value(&prefix[0], name));
        let before = holds_for_ever(&formula, &prefix, &cycle, value);
        prop_assert_eq!(before, holds_for_ever(&left, &prefix[1..], &cycle, value), "{} left {}", formula, left);
    }
}

#[test]
fn states_say_what_they_wait_for() {
    let space = space();
    for (formula, states) in [
        ("G(a -> X b)", &["G(a -> X b)", "b & G(a -> X b)"][..]),
        ("G(a -> F b)", &["G(a -> F b)"]),
        ("G(a -> F[0:2] b)", &["G(a -> F[0:2] b)", "F[0:1] b & G(a -> F[0:2] b)", "b & G(a -> F[0:2] b)"]),
        ("(!b W a) & G(c -> b)", &["(!b W a) & G(c -> b)", "G(c -> b)"]),
        ("a -> G b", &["a -> G b", "1", "G b"]),
        ("G(a -> O b)", &["G(a -> O b)", "1"]),
        ("G(a -> Y b)", &["G(a -> Y b)", "G(a -> Z b)"]),
    ] {
        let formula = parse(formula).unwrap().formula;
        let automaton = safety_automaton(&formula, &space).unwrap();
        let expected = expected(&formula, &automaton);
        let mut said: Vec<String> = expected.formulas.iter().flatten().map(Formula::to_string).collect();
        let mut wanted: Vec<String> = states.iter().map(|&state| state.to_owned()).collect();
        said.sort();
        wanted.sort();
        assert_eq!(said, wanted, "{formula}");
        assert_eq!(expected.is_exact, !formula.to_string().contains("F b"), "{formula}");
    }
}

#[test]
fn work_on_large_automata_is_limited() {
    // 5,001 states; each expects `F[0:n] b & G(...)`, and no way to them is shorter.
    let space = space();
    let formula = parse("G(a -> F[0:5000] b)").unwrap().formula;
    let automaton = safety_automaton(&formula, &space).unwrap();
    let expected = expected(&formula, &automaton);
    assert_eq!(expected.formulas.len(), 5001);
    assert!(expected.formulas.iter().flatten().count() > 1000);
}
