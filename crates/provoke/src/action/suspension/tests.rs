use proptest::prelude::*;

use super::*;
use crate::diagnostic::Source;
use crate::format::lts::Words;

fn suspension(text: &str) -> Suspension {
    let lts = Lts::read(&Source::new("m.aut", text), &Words::default()).unwrap();
    Suspension::of(&lts).unwrap()
}

fn shown(automaton: &Suspension) -> Vec<String> {
    let lts = automaton.to_lts();
    let name = |at: u32| lts.states[at as usize].clone();
    lts.transitions
        .iter()
        .map(|one| format!("{} {} {}", name(one.from), lts.show(one.label), name(one.to)))
        .collect()
}

#[test]
fn internal_steps_choices_and_silence() {
    // A machine that decides by itself, after the coin, whether it is going to serve.
    let machine = suspension("des (0, 4, 4)\n(0, ?coin, 1)\n(1, tau, 2)\n(1, tau, 3)\n(2, !tea, 0)");
    let expected = ["0 ?coin {1,2,3}", "0 delta 0", "{1,2,3} !tea 0", "{1,2,3} delta 3", "3 delta 3"];
    assert_eq!(shown(&machine), expected);
    assert_eq!(machine.validity(), Validity::default());
    assert_eq!(machine.divergence(), None);
    assert_eq!((machine.missing_input(0), machine.missing_input(1)), (None, Some("coin")));
}

#[test]
fn going_round_inside_is_silence_where_there_is_no_way_out() {
    let stuck = suspension("des (0, 2, 2)\n(0, tau, 1)\n(1, tau, 0)");
    assert_eq!(shown(&stuck), ["{0,1} delta {0,1}"]);
    assert_eq!(stuck.divergence(), Some("0"));
    let leaves = suspension("des (0, 3, 3)\n(0, tau, 1)\n(1, tau, 0)\n(1, !x, 2)");
    assert_eq!(shown(&leaves), ["{0,1} !x 2", "2 delta 2"]);
}

#[test]
fn a_file_with_silence_is_taken_at_its_word() {
    let given = suspension("des (0, 3, 2)\n(0, delta, 0)\n(0, ?a, 1)\n(1, !x, 0)");
    assert_eq!(shown(&given), ["0 ?a 1", "0 delta 0", "1 !x 0"]);
    assert_eq!(given.validity(), Validity::default());
    let blocked = suspension("des (0, 2, 2)\n(0, delta, 0)\n(0, ?a, 1)");
    assert_eq!(blocked.validity().blocking.as_deref(), Some("1"));
}

#[test]
fn anomalies_are_told_apart() {
    let speaks = suspension("des (0, 3, 2)\n(0, delta, 1)\n(1, !x, 0)\n(0, !x, 0)").validity();
    let [Anomaly::SpeaksAfterSilence { state, to, output }, Anomaly::Unstable { labels, .. }] =
        &speaks.anomalies[..]
    else {
        panic!("{speaks:?}")
    };
    assert_eq!((&**state, &**to, &**output), ("0", "1", "!x"));
    assert_eq!(labels, &["delta"]);
    let more =
        suspension("des (0, 4, 3)\n(0, delta, 1)\n(1, delta, 1)\n(1, ?a, 2)\n(2, delta, 2)").validity();
    assert_eq!(more.anomalies, [Anomaly::MoreAfterSilence { state: "0".into(), labels: vec!["?a".into()] }]);
    let less =
        suspension("des (0, 5, 3)\n(0, delta, 1)\n(0, ?a, 0)\n(1, delta, 2)\n(1, ?a, 0)\n(2, delta, 2)")
            .validity();
    assert_eq!(less.anomalies, [Anomaly::Unstable { state: "0".into(), labels: vec!["?a".into()] }]);
}

#[test]
fn too_many_sets_of_states_are_an_error() {
    // The n-th label from the end decides: 2^n sets.
    let states = 24;
    let mut text =
        format!("des (0, {}, {states})\n(0, ?a, 0)\n(0, ?b, 0)\n(0, ?a, 1)\n", 3 + 2 * (states - 2));
    for at in 1..states - 1 {
        text += &format!("({at}, ?a, {})\n({at}, ?b, {})\n", at + 1, at + 1);
    }
    let lts = Lts::read(&Source::new("m.aut", text), &Words::default()).unwrap();
    let error = Suspension::of(&lts).unwrap_err();
    assert_eq!(error.to_string(), "its suspension automaton has more than 262144 states");
}

/// A small transition system: two inputs, two outputs, internal steps.
pub(crate) fn any_lts() -> impl Strategy<Value = Lts> {
    let label = prop_oneof![
        (0..2u32).prop_map(Label::Input),
        (0..2u32).prop_map(Label::Output),
        Just(Label::Internal),
    ];
    proptest::collection::vec((0..4u32, label, 0..4u32), 0..10).prop_map(|transitions| Lts {
        states: (0..4).map(|at| at.to_string()).collect(),
        initial: 0,
        inputs: vec!["a".into(), "b".into()],
        outputs: vec!["x".into(), "y".into()],
        transitions: transitions
            .into_iter()
            .map(|(from, label, to)| Transition { from, label, to, span: 0..0 })
            .collect(),
    })
}

/// The states that a suspension trace may lead to, by definition: `s after sigma` of Tretmans 2008.
pub(crate) fn after(lts: &Lts, trace: &[Label]) -> Vec<u32> {
    let next = |state: u32, label: Label| {
        lts.transitions.iter().filter(move |one| one.from == state && one.label == label).map(|one| one.to)
    };
    let close = |mut set: Vec<u32>| {
        let mut at = 0;
        while let Some(&state) = set.get(at) {
            at += 1;
            for to in next(state, Label::Internal) {
                if !set.contains(&to) {
                    set.push(to);
                }
            }
        }
        set
    };
    // No output, and no other state, is ever reached without an input: the states reached all reach it again.
    let rests = |state: u32| {
        let reach = close(vec![state]);
        let says = |state: u32| {
            lts.transitions.iter().any(|one| one.from == state && matches!(one.label, Label::Output(_)))
        };
        reach.iter().all(|&other| !says(other) && close(vec![other]).contains(&state))
    };
    trace.iter().fold(close(vec![lts.initial]), |set, &label| {
        let mut to: Vec<u32> = match label {
            Label::Quiet => set.into_iter().filter(|&state| rests(state)).collect(),
            label => set.into_iter().flat_map(|state| next(state, label)).collect(),
        };
        to.sort_unstable();
        to.dedup();
        close(to)
    })
}

proptest! {
    #[test]
    fn the_automaton_is_what_the_definition_says(
        lts in any_lts(),
        trace in proptest::collection::vec(0..5usize, 0..8),
    ) {
        let labels = [Label::Input(0), Label::Input(1), Label::Output(0), Label::Output(1), Label::Quiet];
        let automaton = Suspension::of(&lts).unwrap();
        let trace: Vec<Label> = trace.into_iter().map(|at| labels[at]).collect();
        let mut at = Some(automaton.initial());
        for length in 0..=trace.len() {
            let mut expected = after(&lts, &trace[..length]);
            expected.sort_unstable();
            let name = match &expected[..] {
                [] => None,
                [one] => Some(one.to_string()),
                several => Some(format!("{{{}}}", several.iter().map(u32::to_string).collect::<Vec<_>>().join(","))),
            };
            prop_assert_eq!(at.map(|at| automaton.state_name(at).to_owned()), name);
            if let Some(state) = at {
                // What is made of a transition system never blocks.
                prop_assert!(automaton.moves(state).iter().any(|(label, _)| !matches!(label, Label::Input(_))));
            }
            at = at.zip(trace.get(length)).and_then(|(at, label)| automaton.next(at, *label));
        }
        // The checks agree that it is in order, when they look.
        let looked = Suspension { given: true, ..automaton };
        prop_assert_eq!(looked.validity(), Validity::default());
    }
}
