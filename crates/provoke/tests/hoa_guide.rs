//! The automaton and the error messages of the guide are real.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use provoke::automaton::{Required, Verdict, read_required, read_requirement};
use provoke::bdd::Space;
use provoke::diagnostic::{Source, SpecError};
use provoke::letter::Interface;

const GUIDE: &str = include_str!("../../../docs/guide/automata.md");

/// The fenced blocks of the guide that begin with a text.
fn blocks(start: &str) -> Vec<&'static str> {
    GUIDE
        .split("```")
        .skip(1)
        .step_by(2)
        .filter_map(|block| block.find(start).map(|at| &block[at..]))
        .collect()
}

fn read(text: &str) -> Result<provoke::automaton::Automaton, SpecError> {
    let space = Arc::new(Space::new(Interface::signals(["request"], ["grant"]).unwrap()));
    read_requirement(&Source::new("r1.hoa", text), &space)
}

#[test]
fn the_guide_shows_what_is_printed() {
    let [hoa, liveness] = blocks("HOA: v1")[..] else { panic!("the guide shows two automata") };
    let space = Arc::new(Space::new(Interface::signals(["request"], ["grant"]).unwrap()));
    let Required::Omega(liveness) = read_required(&Source::new("r2.hoa", liveness), &space).unwrap() else {
        panic!("the second automaton is a liveness property");
    };
    assert_eq!(liveness.four_valued.verdicts, [Verdict::SoFarGood, Verdict::SoFarBad]);
    let automaton = read(hoa).unwrap();
    assert_eq!((automaton.states.len(), automaton.edge_count()), (2, 3));
    let spoilt = [
        hoa.replace("  [1] 0\n", "  [1] 0\n  [0] 1\n"),
        hoa.replace("0 t", "2 Fin(0)&Inf(1)"),
        hoa.replace("\"grant\"", "\"garnt\""),
    ];
    let shown: Vec<String> = spoilt.iter().map(|text| read(text).unwrap_err().to_string()).collect();
    let expected: Vec<&str> = blocks("error: ").iter().map(|block| block.trim_end()).collect();
    assert_eq!(shown, expected, "{}", shown.join("\n\n"));
}
