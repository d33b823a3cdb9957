//! The checker against every short lasso of small machines, judged by the definition of formulas.

use std::sync::Arc;

use super::{Checker, Counterexample, Outcome, Unknown};
use crate::automaton::{buchi, safety_automaton};
use crate::bdd::Space;
use crate::letter::{Interface, Letter};
use crate::ltl::{Formula, Op, holds_for_ever, parse};
use crate::machine::{Reaction, Reactions};
use crate::rng::Rng;
use crate::trace::{Step, Trace};

fn space() -> Arc<Space> {
    Arc::new(Space::new(Interface::signals(["a"], ["x", "y"]).unwrap()))
}

/// A machine with these rows: for each state, what it answers to 0 and to 1 and where it goes; none where not known.
fn machine(space: &Arc<Space>, rows: &[[Option<(u64, u32)>; 2]]) -> Reactions {
    let row = |row: &[Option<(u64, u32)>; 2]| {
        let reaction = |(input, to): (u64, &Option<(u64, u32)>)| {
            let (output, to) = (*to)?;
            let inputs = space.input(Letter::from_index(input));
            Some(Reaction { inputs, output: Letter::from_index(output), to })
        };
        (0..).zip(row).filter_map(reaction).collect()
    };
    let states = crate::machine::Names::numbered("s", rows.len());
    Reactions { space: space.clone(), states, rows: rows.iter().map(row).collect(), initial: 0 }
}

fn random_machine(space: &Arc<Space>, rng: &mut Rng, states: usize, partial: bool) -> Reactions {
    let mut one = || {
        let known = !partial || rng.chance(0.8);
        known.then(|| (rng.below(4), rng.index(states) as u32))
    };
    let rows: Vec<_> = (0..states).map(|_| [one(), one()]).collect();
    machine(space, &rows)
}

fn random_formula(rng: &mut Rng, size: usize) -> Formula {
    if size <= 1 {
        return Formula::proposition(*rng.pick(&["a", "x", "y"]).unwrap());
    }
    if size == 2 || rng.chance(0.5) {
        let ops = [Op::Not, Op::Next, Op::Finally, Op::Globally, Op::Globally, Op::GloballyIn(0, Some(2))];
        return Formula::build(rng.pick(&ops).unwrap().clone(), vec![random_formula(rng, size - 1)]);
    }
    let left = 1 + rng.index(size - 2);
    let args = vec![random_formula(rng, left), random_formula(rng, size - 1 - left)];
    let ops = [Op::And, Op::Or, Op::Implies, Op::Iff, Op::Until, Op::WeakUntil, Op::Release];
    Formula::build(rng.pick(&ops).unwrap().clone(), args)
}

fn value(step: &Step, name: &str) -> bool {
    match name {
        "a" => step.input.get(0),
        "x" => step.output.get(0),
        _ => step.output.get(1),
    }
}

/// What the machine answers to inputs that are repeated for ever, told as a lasso; none where it does not say.
fn run(machine: &Reactions, stem: &[u64], cycle: &[u64]) -> Option<(Trace, Trace)> {
    let mut at = machine.initial;
    let mut trace = Trace::new();
    let follow = |at: &mut u32, inputs: &[u64], trace: &mut Trace| {
        for &input in inputs {
            let input = Letter::from_index(input);
            let (output, to) = machine.react(*at, input)?;
            trace.push(Step { input, output });
            *at = to;
        }
        Some(())
    };
    follow(&mut at, stem, &mut trace)?;
    let mut seen: Vec<(u32, usize)> = Vec::new();
    loop {
        if let Some((_, start)) = seen.iter().find(|(state, _)| *state == at) {
            let cycle = trace.split_off(*start);
            return Some((trace, cycle));
        }
        seen.push((at, trace.len()));
        follow(&mut at, cycle, &mut trace)?;
    }
}

fn words(length: usize) -> impl Iterator<Item = Vec<u64>> {
    (0..1u64 << length).map(move |word| (0..length).map(|at| word >> at & 1).collect())
}

/// Whether some lasso of inputs up to this length keeps the assumptions and breaks the formula.
fn breaks(machine: &Reactions, assumption: &Formula, formula: &Formula) -> bool {
    let lassos = (0..3).flat_map(|stem| (1..4).map(move |cycle| (stem, cycle)));
    let mut inputs = lassos.flat_map(|(stem, cycle)| {
        words(stem).flat_map(move |stem| words(cycle).map(move |cycle| (stem.clone(), cycle)))
    });
    inputs.any(|(stem, cycle)| {
        let Some((stem, cycle)) = run(machine, &stem, &cycle) else { return false };
        holds_for_ever(assumption, &stem, &cycle, value) && !holds_for_ever(formula, &stem, &cycle, value)
    })
}

/// Whether the machine does this from its start.
fn does(machine: &Reactions, trace: &[Step]) -> bool {
    let mut at = machine.initial;
    trace.iter().all(|step| match machine.react(at, step.input) {
        Some((output, to)) => {
            at = to;
            output == step.output
        }
        None => false,
    })
}

/// A counterexample is a run of the machine that breaks the formula and keeps the assumption.
fn assert_real(machine: &Reactions, assumption: &Formula, formula: &Formula, found: &Counterexample) {
    let Counterexample { stem, cycle } = found;
    let told = || format!("{formula} under {assumption} on {machine:?}: {found:?}");
    if found.is_finite() {
        assert!(does(machine, stem), "{}", told());
        let monitor = safety_automaton(formula, &machine.space).unwrap();
        if monitor.states.is_empty() {
            return assert!(stem.is_empty(), "{}", told());
        }
        assert!(monitor.after(stem).is_none(), "{}", told());
        let shorter = (0..stem.len()).flat_map(words);
        let shorter = shorter.filter_map(|word| {
            let mut at = machine.initial;
            let step = |&input: &u64| {
                let input = Letter::from_index(input);
                let (output, to) = machine.react(at, input)?;
                at = to;
                Some(Step { input, output })
            };
            word.iter().map(step).collect::<Option<Trace>>()
        });
        // Under an assumption a shorter one may not count.
        for trace in shorter.filter(|_| *assumption.op() == Op::True) {
            assert!(monitor.after(&trace).is_some(), "{} but {trace:?}", told());
        }
    } else {
        // Machine and lasso may need several rounds to be back where they were.
        let rounds: Trace = (0..machine.rows.len() + 1).flat_map(|_| cycle.iter().copied()).collect();
        assert!(does(machine, &[&stem[..], &rounds].concat()), "{}", told());
        assert!(holds_for_ever(assumption, stem, cycle, value), "{}", told());
        assert!(!holds_for_ever(formula, stem, cycle, value), "{}", told());
    }
}

#[test]
fn every_short_lasso_agrees() {
    let (space, mut rng) = (space(), Rng::new(12));
    let (mut held, mut finite, mut infinite) = (0, 0, 0);
    for round in 0..150 {
        let states = 1 + rng.index(4);
        let machine = random_machine(&space, &mut rng, states, false);
        let size = 2 + rng.index(7);
        let formula = random_formula(&mut rng, size);
        let assumption = match round % 3 {
            0 => random_formula(&mut rng, 4),
            _ => Formula::constant(true),
        };
        let assumed = buchi(&assumption, &space).unwrap();
        let mut checker = Checker::new(&machine, &[&assumed]).unwrap();
        match checker.counterexample(&formula).unwrap() {
            Outcome::Holds => {
                held += 1;
                assert!(!breaks(&machine, &assumption, &formula), "{formula} under {assumption}");
            }
            Outcome::Violated(found) => {
                *(if found.is_finite() { &mut finite } else { &mut infinite }) += 1;
                assert_real(&machine, &assumption, &formula, &found);
            }
            Outcome::Unknown(why) => panic!("{why:?} of a machine that is known"),
        }
    }
    assert!(held > 15 && finite > 15 && infinite > 8, "{held} {finite} {infinite}");
}

#[test]
fn a_partial_machine_is_never_acquitted_for_what_it_does_not_tell() {
    let (space, mut rng) = (space(), Rng::new(3));
    let mut unknown = 0;
    for _ in 0..100 {
        let machine = random_machine(&space, &mut rng, 3, true);
        let formula = random_formula(&mut rng, 5);
        let always = Formula::constant(true);
        match Checker::new(&machine, &[]).unwrap().counterexample(&formula).unwrap() {
            // Whatever the missing transitions are, it holds: here one way to fill them in.
            Outcome::Holds => {
                let mut full = machine.clone();
                for state in 0..full.rows.len() as u32 {
                    let missing = space.valid_inputs() - &full.known(state);
                    if !missing.is_none() {
                        let output = Letter::from_index(rng.below(4));
                        let to = rng.index(3) as u32;
                        full.rows[state as usize].push(Reaction { inputs: missing, output, to });
                    }
                }
                assert!(!breaks(&full, &always, &formula), "{formula} on {machine:?}");
            }
            Outcome::Violated(found) => assert_real(&machine, &always, &formula, &found),
            Outcome::Unknown(Unknown::Gap { after, input }) => {
                unknown += 1;
                assert!(does(&machine, &after));
                let last = after.iter().fold(0, |at, step| machine.react(at, step.input).unwrap().1);
                assert!(machine.react(last, input).is_none());
            }
            Outcome::Unknown(why) => panic!("{why:?}"),
        }
    }
    assert!(unknown > 10, "{unknown}");
}

fn formula(text: &str) -> Formula {
    parse(text).unwrap().formula
}

#[test]
fn known_counterexamples() {
    let space = space();
    // Counts the `a`s up to three, answers x on the third and from then on y to every a.
    let rows = [
        [Some((0, 0)), Some((0, 1))],
        [Some((0, 1)), Some((0, 2))],
        [Some((0, 2)), Some((1, 3))],
        [Some((0, 3)), Some((2, 3))],
    ];
    let counter = machine(&space, &rows);
    let mut checker = Checker::new(&counter, &[]).unwrap();
    let mut length = |text: &str| match checker.counterexample(&formula(text)).unwrap() {
        Outcome::Violated(found) => Some((found.stem.len(), found.cycle.len())),
        Outcome::Holds => None,
        Outcome::Unknown(why) => panic!("{why:?}"),
    };
    assert_eq!(length("G !x"), Some((3, 0)));
    assert_eq!(length("G !y"), Some((4, 0)));
    assert_eq!(length("G(x -> X G !x)"), None);
    assert_eq!(length("F x"), Some((0, 1)));
    assert_eq!(length("G F a -> F x"), None);
    assert_eq!(length("F G x | F G !x"), None);
    // y comes and goes for ever, which no number of steps shows.
    assert_eq!(length("F G y | F G !y"), Some((3, 2)));
    assert_eq!(length("false"), Some((0, 0)));
    // Somebody who keeps asking gets an answer; under that assumption the machine is right.
    let asking = buchi(&formula("G F a"), &space).unwrap();
    let mut checker = Checker::new(&counter, &[&asking]).unwrap();
    assert_eq!(checker.counterexample(&formula("F x")).unwrap(), Outcome::Holds);
    let found = checker.witness(&formula("F(y & X y)")).unwrap().unwrap();
    assert_eq!((found.stem.len(), found.cycle.len()), (5, 0));
    assert!(checker.witness(&formula("F(x & y)")).unwrap().is_none());
    // Nobody keeps these promises.
    let never = buchi(&formula("G a & F !a"), &space).unwrap();
    let mut checker = Checker::new(&counter, &[&never]).unwrap();
    assert!(checker.is_vacuous());
    assert_eq!(checker.counterexample(&formula("false")).unwrap(), Outcome::Holds);
}
