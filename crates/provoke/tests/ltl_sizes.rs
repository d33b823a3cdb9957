//! How small the automata of formulas are: pinned, so that a change for the worse is seen.

#![allow(clippy::unwrap_used)]

mod common;

use std::sync::Arc;

use provoke::automaton::{buchi, four_valued, safety_automaton};
use provoke::bdd::Space;
use provoke::letter::Interface;
use provoke::ltl::{Formula, parse};

fn space(formula: &Formula) -> Arc<Space> {
    let names = formula.propositions();
    Arc::new(Space::new(Interface::signals(names.iter().map(|name| name.to_string()), []).unwrap()))
}

/// States of the Büchi automaton, of the safety automaton, and of the monitor with four verdicts.
fn sizes(text: &str) -> [usize; 3] {
    let formula = parse(text).unwrap().formula;
    let space = space(&formula);
    [
        buchi(&formula, &space).unwrap().states.len(),
        safety_automaton(&formula, &space).unwrap().states.len(),
        four_valued(&formula, &space).unwrap().automaton.states.len(),
    ]
}

#[test]
fn the_automaton_of_fig_1() {
    // Paper 3, Fig. 1: seven states.
    assert_eq!(sizes("p0 <-> (X G p1 | !F p1)")[0], 7);
}

#[test]
fn our_own_formulas() {
    for (formula, expected) in [
        ("1", [1, 1, 1]),
        ("0", [1, 0, 0]),
        ("a", [2, 2, 2]),
        ("X a", [3, 3, 3]),
        ("G a", [1, 1, 1]),
        ("F a", [2, 1, 2]),
        ("GF a", [2, 1, 2]),
        ("FG a", [2, 1, 2]),
        ("a U b", [2, 2, 2]),
        ("a W b", [2, 2, 2]),
        ("G(a -> F b)", [2, 1, 2]),
        ("G(a -> X b)", [2, 2, 2]),
        ("G(a -> F[0:3] b)", [4, 4, 4]),
        ("G((bwdlimit & cargo) -> (movefwd W fwdlimit))", [2, 2, 2]),
        ("GF a -> GF b", [3, 1, 2]),
        ("GF a & GF b", [3, 1, 2]),
        ("G(a -> F b) & G(c -> F d)", [6, 1, 4]),
        ("FG a | FG b | GF c", [4, 1, 2]),
    ] {
        assert_eq!(sizes(formula), expected, "{formula}");
    }
}

#[test]
fn thirty_propositions_are_fine() {
    let names = |from: usize| (from..from + 15).map(|at| format!("p{at}")).collect::<Vec<_>>();
    let (first, second) = (names(0).join(" & "), names(15).join(" | "));
    assert_eq!(sizes(&format!("G(({first}) -> F({second}))")), [2, 1, 2]);
    assert_eq!(sizes(&format!("G(({first}) -> X({second}))")), [2, 2, 2]);
}

/// A number for a formula, so that the table need not repeat it (FNV-1a).
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The classic formulas are not ours to ship: the table names them by set, place and fingerprint.
#[test]
fn classic_formulas() {
    let Some(path) = common::data("ltl/classic.tsv") else { return };
    let classic = std::fs::read_to_string(path).unwrap();
    let pinned = include_str!("data/ltl_sizes.tsv");
    let mut measured = String::from("set\tplace\tfingerprint\tbuchi\tmonitor\n");
    let mut place = 0;
    let mut last = "";
    let (mut ninety_four, mut all) = ([0; 2], [0; 2]);
    for line in classic.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [set, text, reference, _, monitor_reference, _] = fields[..] else { panic!("{line}") };
        place = if set == last { place + 1 } else { 1 };
        last = set;
        let formula = parse(text).unwrap().formula;
        let space = space(&formula);
        let states = buchi(&formula, &space).unwrap().states.len();
        let monitor = safety_automaton(&formula, &space).unwrap().states.len();
        let reference: usize = reference.parse().unwrap();
        assert!(states <= 2 * reference, "{states} states, reference {reference}: {text}");
        assert!(monitor <= monitor_reference.parse().unwrap(), "{monitor} monitor states: {text}");
        all = [all[0] + states, all[1] + monitor];
        if matches!(set, "dac" | "eh" | "sb") {
            ninety_four = [ninety_four[0] + states, ninety_four[1] + monitor];
        }
        measured += &format!("{set}\t{place}\t{:08x}\t{states}\t{monitor}\n", fingerprint(text));
    }
    let different = measured.lines().zip(pinned.lines()).find(|(ours, theirs)| ours != theirs);
    let path = std::env::temp_dir().join("ltl_sizes.tsv");
    if measured != pinned {
        std::fs::write(&path, &measured).unwrap();
    }
    assert!(measured == pinned, "sizes changed, first {different:?}; new table in {}", path.display());
    // The reference translator has 340, 232 and 953 states.
    assert!(ninety_four[0] <= 340 && ninety_four[1] <= 232 && all[0] <= 953, "{ninety_four:?} {all:?}");
}
