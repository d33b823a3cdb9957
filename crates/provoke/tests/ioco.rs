//! Suspension automata judged three ways: followed, written down as automata, and by the definition of ioco.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;
use provoke::action::{Exchanges, Suspension, write_down};
use provoke::bdd::Space;
use provoke::format::lts::{Label, Lts, Transition};
use provoke::letter::{Alphabet, Conflict, Idle, Interface};
use provoke::monitor::{Follow, Following, Monitor, Verdict};
use provoke::system::Mode;
use provoke::trace::Step;

/// A small transition system: two inputs, two outputs, internal steps.
fn any_lts() -> impl Strategy<Value = Lts> {
    let label = prop_oneof![
        (0..2u32).prop_map(Label::Input),
        (0..2u32).prop_map(Label::Output),
        Just(Label::Internal)
    ];
    proptest::collection::vec((0..4u32, label, 0..4u32), 0..12).prop_map(|list| Lts {
        states: (0..4).map(|at| at.to_string()).collect(),
        initial: 0,
        inputs: vec!["a".into(), "b".into()],
        outputs: vec!["x".into(), "y".into()],
        transitions: list
            .into_iter()
            .map(|(from, label, to)| Transition { from, label, to, span: 0..0 })
            .collect(),
    })
}

/// The states after a suspension trace, by definition (Tretmans 2008), with fair divergence as silence.
fn after(lts: &Lts, trace: &[Label]) -> Vec<u32> {
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
    let says = |state: u32| {
        lts.transitions.iter().any(|one| one.from == state && matches!(one.label, Label::Output(_)))
    };
    let rests = |state: u32| {
        close(vec![state]).into_iter().all(|other| !says(other) && close(vec![other]).contains(&state))
    };
    trace.iter().fold(close(vec![lts.initial]), |set, &label| {
        let to = match label {
            Label::Quiet => set.into_iter().filter(|&state| rests(state)).collect(),
            label => set.into_iter().flat_map(|state| next(state, label)).collect(),
        };
        close(to)
    })
}

/// What the definition says of a run in which outputs come before inputs.
fn by_definition(lts: &Lts, steps: &[(usize, usize)]) -> Verdict {
    let mut trace = Vec::new();
    for &(input, output) in steps {
        trace.push(match (input, output) {
            (_, 1 | 2) => Label::Output(output as u32 - 1),
            (0, 0) => Label::Quiet,
            // No transition system says this.
            (_, 3) => return Verdict::Violated,
            (input, _) => Label::Input(input as u32 - 1),
        });
        if after(lts, &trace).is_empty() {
            return match trace.last() {
                // Inputs beyond the specification are tolerated, and nothing more is said.
                Some(Label::Input(_)) => Verdict::SoFarGood,
                _ => Verdict::Violated,
            };
        }
    }
    Verdict::SoFarGood
}

proptest! {
    #[test]
    fn all_three_agree(
        lts in any_lts(),
        steps in proptest::collection::vec((0..3usize, 0..4usize), 0..7),
        conflict in prop_oneof![
            Just(Conflict::Output), Just(Conflict::Input), Just(Conflict::Fair), Just(Conflict::Answer)
        ],
    ) {
        let inputs = Alphabet::open_families(["mu"], ["a", "b"]).unwrap();
        let outputs = Alphabet::open_families(["delta"], ["x", "y"]).unwrap();
        let interface = Interface::new(inputs.clone(), outputs.clone()).unwrap();
        let idle = Idle::find(&interface, "mu", "delta", None).unwrap();
        let model = Arc::new(Suspension::of(&lts).unwrap());
        let space = Arc::new(Space::new(interface.clone()));
        let mut exchanges = Exchanges::new(model.clone(), &interface, idle, conflict);
        let written = write_down(&mut exchanges, &space, 1000).unwrap().unwrap();
        prop_assert!(written.requirement.nondeterminism().is_none());
        prop_assert!(written.environment.nondeterminism().is_none());
        let verdicts = vec![Verdict::SoFarGood; written.requirement.states.len()];
        let mut table = Monitor::new(&written.requirement, verdicts).unwrap();
        let mut follow = Following::new(model, &interface, idle, conflict, Mode::Synchronous);
        let mut at = Some(written.environment.initial);
        for (count, &(input, output)) in steps.iter().enumerate() {
            let step = Step {
                input: inputs.label(["mu", "a", "b"][input]).unwrap(),
                output: outputs.label(["delta", "x", "y", "z"][output]).unwrap(),
            };
            table.violates(&step);
            follow.violates(&step);
            let violated = follow.verdict() == Verdict::Violated;
            prop_assert_eq!(table.verdict(), follow.verdict());
            if conflict == Conflict::Output {
                prop_assert_eq!(by_definition(&lts, &steps[..=count]), follow.verdict());
            }
            // What the system does wrong never breaks the environment, and waiting is always allowed.
            let value = space.value(step.input, step.output);
            let edge = at.and_then(|at| {
                written.environment.states[at as usize].edges.iter().find(|edge| edge.guard.contains(&value))
            });
            prop_assert!(at.is_none() || input != 0 || edge.is_some());
            at = edge.map(|edge| edge.to);
            if violated {
                break;
            }
        }
    }
}
