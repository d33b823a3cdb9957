//! Figure 1 of paper 3: the automaton, the monitor and the Mealy machine of one formula. The figure is a picture;
//! what the text says of it is compared, and what it leaves open is checked from the definitions.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use provoke::automaton::{buchi, read_hoa, safety_automaton, safety_closure};
use provoke::bdd::Space;
use provoke::diagnostic::Source;
use provoke::letter::{Interface, Letter};
use provoke::ltl::{Formula, holds_for_ever, parse};
use provoke::monitor::{Monitor, Verdict};

/// Input `p0`, output `p1`, as in Example 2.
fn formula_and_space() -> (Formula, Arc<Space>) {
    let formula = parse("p0 <-> (X G p1 | !F p1)").unwrap().formula;
    (formula, Arc::new(Space::new(Interface::signals(["p0"], ["p1"]).unwrap())))
}

type Exchange = (bool, bool);

fn follow(monitor: &mut Monitor, word: &[Exchange]) -> Verdict {
    monitor.reset();
    let letter = |bit: bool| Letter::from_index(bit.into());
    for &(input, output) in word {
        monitor.step(letter(input), letter(output));
    }
    monitor.verdict()
}

fn words(longest: u32) -> Vec<Vec<Exchange>> {
    let of = |length: u32| {
        (0..1u32 << (2 * length)).map(move |code| {
            (0..length).map(|at| (code >> (2 * at) & 1 == 1, code >> (2 * at) & 2 == 2)).collect()
        })
    };
    (0..=longest).flat_map(of).collect()
}

/// The monitor of Example 3, with the states 0 to 3 as the text has them. Its edges are ours: after `!p0` nothing is
/// forbidden; after `p0` the run guesses whether `p1` holds for ever from then on or never does.
///
/// It guesses, as Definition 8 allows (its edges lead to sets of states). A deterministic monitor has five states,
/// because it has to wait for the second step before it knows which: see the test.
const FIGURE: &str = "HOA: v1 name: \"Figure 1\" States: 4 Start: 0 AP: 2 \"p0\" \"p1\" controllable-AP: 1
    Acceptance: 0 t --BODY-- State: 0 [!0] 1 [0] 2 [0 & !1] 3 State: 1 [t] 1 State: 2 [1] 2 State: 3 [!1] 3 --END--";

/// Whether the formula can still hold after a beginning. It asks for nothing but a change of `p1` and a value for ever,
/// so two steps more and a cycle of one or two show it.
fn hope(formula: &Formula, word: &[Exchange], stems: &[Vec<Exchange>], cycles: &[Vec<Exchange>]) -> bool {
    let lassos = stems.iter().flat_map(|stem| cycles.iter().map(move |cycle| (stem, cycle)));
    lassos.filter(|(_, cycle)| !cycle.is_empty()).any(|(stem, cycle)| {
        let value = |&(p0, p1): &Exchange, name: &str| if name == "p0" { p0 } else { p1 };
        holds_for_ever(formula, &[word, stem].concat(), cycle, value)
    })
}

/// Example 1: an automaton of the states 0 to 6. Example 3: a monitor of the states 0 to 3.
#[test]
fn automaton_and_monitor_have_the_states_of_the_text() {
    let (formula, space) = formula_and_space();
    assert_eq!(buchi(&formula, &space).unwrap().states.len(), 7);
    let (figure, _) = read_hoa(&Source::new("figure", FIGURE), Some(&space)).unwrap();
    assert_eq!(figure.states.len(), 4);
    // Made deterministic, the figure is our monitor.
    let (closed, ours) = (safety_closure(&figure).unwrap(), safety_automaton(&formula, &space).unwrap());
    assert_eq!((closed.states.len(), ours.states.len()), (5, 5));
    assert!(ours.nondeterminism().is_none());
    let (mut closed, mut ours) = (Monitor::safety(&closed).unwrap(), Monitor::safety(&ours).unwrap());
    let (stems, cycles) = (words(2), words(2));
    for word in words(4) {
        let hope = hope(&formula, &word, &stems, &cycles);
        assert_eq!(follow(&mut ours, &word) != Verdict::Violated, hope, "{word:?}");
        assert_eq!(follow(&mut closed, &word) != Verdict::Violated, hope, "{word:?}");
    }
}

/// No deterministic monitor has fewer than five states: so many beginnings differ in how they may go on.
#[test]
fn a_deterministic_monitor_needs_five_states() {
    let (formula, _) = formula_and_space();
    let (stems, cycles) = (words(2), words(1));
    let mut kinds: Vec<Vec<bool>> = Vec::new();
    for beginning in words(2).iter().filter(|word| hope(&formula, word, &stems, &cycles)) {
        let goes_on =
            |more: &Vec<Exchange>| hope(&formula, &[&beginning[..], more].concat(), &stems, &cycles);
        let kind: Vec<bool> = words(2).iter().map(goes_on).collect();
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    assert_eq!(kinds.len(), 5);
}

/// Example 2: a Mealy machine of the states 0, 1 and 2 that keeps the formula. The text does not give its edges; this
/// one says `p1` at first, then for ever what `p0` was.
#[test]
fn a_machine_of_three_states_keeps_the_monitor_quiet() {
    let (formula, space) = formula_and_space();
    let mut monitor = Monitor::safety(&safety_automaton(&formula, &space).unwrap()).unwrap();
    let run = |inputs: &[bool], broken: bool| -> Vec<Exchange> {
        let mut state = 0;
        let step = |&input: &bool| {
            let output = [true, !broken, false][state];
            state = if state == 0 { 2 - usize::from(input) } else { state };
            (input, output)
        };
        inputs.iter().map(step).collect()
    };
    for code in 0..64u32 {
        let inputs: Vec<bool> = (0..6).map(|at| code >> at & 1 == 1).collect();
        assert_ne!(follow(&mut monitor, &run(&inputs, false)), Verdict::Violated, "{inputs:?}");
        let caught = follow(&mut monitor, &run(&inputs, true)) == Verdict::Violated;
        assert_eq!(caught, inputs[0], "a machine that drops `p1` is caught where it is owed: {inputs:?}");
    }
}
