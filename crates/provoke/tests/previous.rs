//! Expressions with `prev`: automata against direct evaluation of each step beside the one before it.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;
use provoke::automaton::{Cubes, Verdict, buchi, four_valued, safety_automaton};
use provoke::bdd::Space;
use provoke::diagnostic::Source;
use provoke::letter::{Alphabet, Interface, Kind};
use provoke::ltl::{Formula, holds_for_ever, holds_on, parse_in};
use provoke::monitor::{Monitor, holds, standing};
use provoke::rng::Rng;
use provoke::trace::Step;

fn space(high: i64) -> Arc<Space> {
    let inputs = [("call", Kind::Number { low: -1, high: 1 }), ("door", Kind::Boolean)];
    let outputs =
        [("floor", Kind::Number { low: 0, high }), ("motor", Kind::enumeration(["up", "down", "off"]))];
    let (inputs, outputs) = (Alphabet::of_fields(inputs).unwrap(), Alphabet::of_fields(outputs).unwrap());
    Arc::new(Space::new(Interface::new(inputs, outputs).unwrap()))
}

fn read(space: &Space, text: &str) -> Formula {
    let parsed = parse_in(&Source::new("formula", text), 0..text.len(), Some(space));
    parsed.unwrap_or_else(|error| panic!("{text}: {error}")).formula
}

#[test]
fn changes_stand_inside_expressions_too() {
    let space = space(3);
    for (short, long) in [("rose(floor)", "floor > prev(floor)"), ("fell(floor)", "floor < prev(floor)")] {
        let with = |change: &str| read(&space, &format!("G motor = (if {change} then up else off)"));
        assert_eq!(with(short), with(long), "{short}");
    }
    let changed = read(&space, "G (if changed(motor) then floor = 0 else door)");
    assert_eq!(changed, read(&space, "G (if motor != prev(motor) then floor = 0 else door)"));
}

fn atom(rng: &mut Rng) -> String {
    let atoms = [
        "floor <= prev(floor) + 1",
        "abs(floor - prev(floor)) <= call + 1",
        "motor = prev(motor)",
        "floor > prev(floor)",
        "prev(call) != floor",
        "(if prev(door) then floor = 0 else motor = up)",
        "changed(motor)",
        "rose(floor)",
        "fell(door)",
        "prev(door)",
        "door",
        "floor = 1",
    ];
    (*rng.pick(&atoms).unwrap()).to_owned()
}

fn formula(rng: &mut Rng) -> String {
    let [a, b, c] = [0; 3].map(|_| atom(rng));
    match rng.below(9) {
        0 => format!("G({a})"),
        1 => format!("G({a} -> X({b}))"),
        2 => format!("F({a} & ({b}))"),
        3 => format!("({a}) U ({b})"),
        4 => format!("G({a} -> Y({b}))"),
        5 => format!("G({a} -> O[0:2]({b}))"),
        6 => format!("G(({a}) S ({b}) -> F({c}))"),
        7 => format!("F G ({a}) | ({b})"),
        _ => format!("G(X({a}) <-> H({b} | {c}))"),
    }
}

fn steps(space: &Space, rng: &mut Rng, count: usize) -> Vec<Step> {
    let Interface { inputs, outputs } = space.interface();
    let inputs = inputs.letters(100).unwrap();
    let outputs = outputs.letters(100).unwrap();
    let mut step = || Step { input: *rng.pick(&inputs).unwrap(), output: *rng.pick(&outputs).unwrap() };
    (0..count).map(|_| step()).collect()
}

fn pairs(steps: &[Step]) -> Vec<(Step, Step)> {
    steps.iter().enumerate().map(|(at, &step)| (steps[at.max(1) - 1], step)).collect()
}

/// What a proposition says of a step, by interpreting its text.
fn value(space: &Space, (before, now): &(Step, Step), name: &str) -> bool {
    let atoms = space.atoms().unwrap();
    atoms.holds(&atoms.find(name).unwrap(), *before, *now)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn automata_know_what_was_one_step_ago(seed: u64) {
        let (space, mut rng) = (space(2), Rng::new(seed));
        let text = formula(&mut rng);
        let formula = read(&space, &text);
        let value = |pair: &(Step, Step), name: &str| value(&space, pair, name);

        let followed = four_valued(&formula, &space).unwrap();
        let monitor = Monitor::new(&followed.automaton, followed.verdicts.clone()).unwrap();
        for length in 1..6 {
            let trace = steps(&space, &mut rng, length);
            let expected = holds_on(&formula, &pairs(&trace), value);
            prop_assert_eq!(holds(&formula, space.interface(), &trace), expected, "{}", &text);
            let said = standing(&monitor, &trace).verdict;
            match said {
                Verdict::SoFarGood => prop_assert!(expected, "{text} on {trace:?}"),
                Verdict::SoFarBad => prop_assert!(!expected, "{text} on {trace:?}"),
                Verdict::Violated | Verdict::Satisfied => {
                    // Whatever follows: some of it is tried.
                    for _ in 0..5 {
                        let (stem, round) = (steps(&space, &mut rng, 2), steps(&space, &mut rng, 2));
                        let long = [&trace[..], &stem, &round, &round].concat();
                        let pairs = pairs(&long);
                        let (stem, round) = pairs.split_at(long.len() - 2);
                        let holds = holds_for_ever(&formula, stem, round, value);
                        prop_assert_eq!(holds, said == Verdict::Satisfied, "{} on {:?}", &text, &trace);
                    }
                }
            }
        }

        let accepts = Cubes::new(&buchi(&formula, &space).unwrap()).unwrap();
        for _ in 0..10 {
            let (lead, again) = (rng.index(3), 1 + rng.index(3));
            let (stem, round) = (steps(&space, &mut rng, lead), steps(&space, &mut rng, again));
            let all = pairs(&[&stem[..], &round, &round].concat());
            let (before, last) = all.split_at(stem.len() + round.len());
            let expected = holds_for_ever(&formula, before, last, value);
            prop_assert_eq!(accepts.accepts_for_ever(&stem, &round), expected, "{} on {:?} {:?}", &text, stem, round);
        }
    }
}

#[test]
fn a_register_costs_a_state_a_value() {
    let space = space(19);
    for (text, states) in [
        // One for each floor, and one before the first step.
        ("G(abs(floor - prev(floor)) <= 1)", 21),
        ("G(floor >= prev(floor))", 20),
        // Nothing is above the last floor, nor above itself at the first step.
        ("G(motor = up -> floor = prev(floor) + 1)", 20),
        ("G(changed(motor) -> floor = 0)", 4),
        ("G(rose(door) -> motor = off)", 2),
        ("G(floor = prev(floor) | floor < 20)", 1),
    ] {
        assert_eq!(safety_automaton(&read(&space, text), &space).unwrap().states.len(), states, "{text}");
    }
    assert_eq!(read(&space, "G(rose(floor))").to_string(), "G(floor > prev(floor))");
    assert_eq!(read(&space, "X (prev(floor) = 2)").to_string(), "X(prev(floor) = 2)");
}

#[test]
fn what_has_no_previous_value_is_said() {
    let space = space(3);
    let error = |text: &str| {
        let source = Source::new("formula", text);
        parse_in(&source, 0..text.len(), Some(&space)).unwrap_err().message().to_owned()
    };
    assert!(error("G(prev(flor) = 2)").contains("flor"), "{}", error("G(prev(flor) = 2)"));
    assert!(error("G(prev(floor))").contains("floor"), "{}", error("G(prev(floor))"));
    assert!(
        error("G(motor = prev(floor))").contains("`prev(floor)` is an integer"),
        "{}",
        error("G(motor = prev(floor))")
    );
}
