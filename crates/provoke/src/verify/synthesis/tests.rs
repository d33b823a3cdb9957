//! Synthesis against every machine of one or two states.

use std::sync::Arc;

use super::{Answer, Bounds, Play, Problem, Promise, Property, synthesise};
use crate::automaton::{Automaton, buchi};
use crate::bdd::Space;
use crate::letter::{Interface, Letter};
use crate::ltl::{Formula, Op, parse};
use crate::machine::{Names, Reaction, Reactions};
use crate::rng::Rng;
use crate::verify::{Checker, Outcome};

const BOUNDS: Bounds = Bounds { bound: 6, positions: 2_000_000, deadline: None };

fn space() -> Arc<Space> {
    Arc::new(Space::new(Interface::signals(["a"], ["x"]).unwrap()))
}

fn formula(text: &str) -> Formula {
    parse(text).unwrap().formula
}

fn problem(space: &Arc<Space>, assumptions: &[Formula], promises: &[Formula]) -> Problem {
    let premises: Vec<usize> = (0..assumptions.len()).collect();
    let promise = |formula: &Formula| Promise {
        premises: premises.clone(),
        conclusion: Property::Formula(formula.clone()),
    };
    Problem {
        space: space.clone(),
        assumptions: assumptions.iter().cloned().map(Property::Formula).collect(),
        promises: promises.iter().map(promise).collect(),
    }
}

/// What is asked, translated once.
struct Asked {
    assumed: Vec<Automaton>,
    /// For each promise, the automaton of the runs that break it.
    breaks: Vec<Automaton>,
}

impl Asked {
    fn new(space: &Arc<Space>, assumptions: &[Formula], promises: &[Formula]) -> Asked {
        let translated = |formula: &Formula| buchi(formula, space).unwrap();
        let breaks = promises.iter().map(|promise| translated(&promise.clone().not())).collect();
        Asked { assumed: assumptions.iter().map(translated).collect(), breaks }
    }

    fn is_kept_by(&self, machine: &Reactions) -> bool {
        let mut checker = Checker::new(machine, &self.assumed.iter().collect::<Vec<_>>()).unwrap();
        self.breaks.iter().all(|breaks| checker.avoids(breaks).unwrap() == Outcome::Holds)
    }
}

/// All machines with two states or one: what each state answers to 0 and to 1, and where it goes.
fn small_machines(space: &Arc<Space>) -> impl Iterator<Item = Reactions> {
    let space = space.clone();
    (0..256u32).map(move |code| {
        let row = |state: u32| {
            let reaction = |input: u32| {
                let bits = code >> (4 * state + 2 * input) & 3;
                let inputs = space.input(Letter::from_index(input.into()));
                Reaction { inputs, output: Letter::from_index((bits & 1).into()), to: bits >> 1 }
            };
            vec![reaction(0), reaction(1)]
        };
        let rows = vec![row(0), row(1)];
        Reactions { space: space.clone(), states: Names::numbered("s", 2), rows, initial: 0 }
    })
}

fn random_formula(rng: &mut Rng, size: usize, names: &[&str]) -> Formula {
    if size <= 1 {
        return Formula::proposition(*rng.pick(names).unwrap());
    }
    if size == 2 || rng.chance(0.5) {
        let ops = [Op::Not, Op::Next, Op::Finally, Op::Globally, Op::Globally];
        return Formula::build(rng.pick(&ops).unwrap().clone(), vec![random_formula(rng, size - 1, names)]);
    }
    let left = 1 + rng.index(size - 2);
    let args = vec![random_formula(rng, left, names), random_formula(rng, size - 1 - left, names)];
    let ops = [Op::And, Op::Or, Op::Implies, Op::Iff, Op::Until, Op::WeakUntil];
    Formula::build(rng.pick(&ops).unwrap().clone(), args)
}

#[test]
fn every_small_machine_agrees() {
    let (space, mut rng) = (space(), Rng::new(7));
    let (mut made, mut refuted, mut open) = (0, 0, 0);
    for round in 0..45 {
        let promises: Vec<Formula> =
            (0..1 + round % 2).map(|_| random_formula(&mut rng, 5, &["a", "x"])).collect();
        // Assumptions about inputs only, about outputs as well, or none.
        let assumptions: Vec<Formula> = match round % 3 {
            0 => vec![random_formula(&mut rng, 3, &["a"])],
            1 => vec![random_formula(&mut rng, 4, &["a", "x"])],
            _ => Vec::new(),
        };
        let told = format!("{assumptions:?} -> {promises:?}");
        let asked = Asked::new(&space, &assumptions, &promises);
        match synthesise(&problem(&space, &assumptions, &promises), BOUNDS).unwrap() {
            Answer::Machine(machine, _) => {
                made += 1;
                let machine = Reactions::new(&machine, &space).unwrap();
                assert!(asked.is_kept_by(&machine), "{told}");
            }
            Answer::Unrealisable(..) => {
                refuted += 1;
                let kept = small_machines(&space).find(|machine| asked.is_kept_by(machine));
                assert!(kept.is_none(), "{told}: {kept:?}");
            }
            Answer::Unknown(..) => {
                open += 1;
                assert!(!small_machines(&space).any(|machine| asked.is_kept_by(&machine)), "{told}");
            }
        }
    }
    assert!(made > 12 && refuted > 8 && open < 4, "{made} {refuted} {open}");
}

#[test]
fn an_arbiter_has_few_states() {
    let space = Arc::new(Space::new(Interface::signals(["r", "s"], ["g", "h"]).unwrap()));
    let promises = ["G(r -> F g)", "G(s -> F h)", "G !(g & h)"].map(formula);
    let Answer::Machine(machine, bound) = synthesise(&problem(&space, &[], &promises), BOUNDS).unwrap()
    else {
        panic!("an arbiter of two can be made")
    };
    assert!(machine.states().len() <= 4 && bound <= 2, "{} states, bound {bound}", machine.states().len());
    assert_eq!(
        (machine.input_signals(), machine.output_signals()),
        (&["r".into(), "s".into()][..], &["g".into(), "h".into()][..])
    );
}

#[test]
fn promises_about_different_outputs_are_kept_together() {
    let space = Arc::new(Space::new(Interface::signals(["a"], ["x", "y"]).unwrap()));
    let promises = ["G(a <-> X x)", "G(a -> F y) & G F !y"].map(formula);
    let Answer::Machine(machine, _) = synthesise(&problem(&space, &[], &promises), BOUNDS).unwrap() else {
        panic!("both can be kept")
    };
    let asked = Asked::new(&space, &[], &promises);
    assert!(asked.is_kept_by(&Reactions::new(&machine, &space).unwrap()));
}

/// Plays every answer that lasts longest; the environment must win in the end.
fn loses_at_last(assumptions: &[&str], promises: &[&str]) -> (usize, Vec<usize>) {
    let space = space();
    let formulas = |texts: &[&str]| texts.iter().map(|text| formula(text)).collect::<Vec<_>>();
    let problem = problem(&space, &formulas(assumptions), &formulas(promises));
    let spoiler = match synthesise(&problem, BOUNDS).unwrap() {
        Answer::Unrealisable(Some(spoiler), _) => spoiler,
        _ => panic!("{promises:?} cannot be realised"),
    };
    let mut spoiler = *spoiler;
    let mut longest = (0, Vec::new());
    // Every system that answers by a fixed word of 6 bits and then 0.
    for word in 0..64u64 {
        spoiler.reset();
        for step in 1.. {
            assert!(step < 100, "the environment does not get on");
            let answer = Letter::from_index(word.checked_shr(step).unwrap_or(0) & 1);
            if let Play::Broken(broken) = spoiler.answer(answer) {
                assert!(!broken.is_empty());
                if step as usize > longest.0 {
                    longest = (step as usize, broken);
                }
                break;
            }
        }
    }
    longest
}

#[test]
fn the_environment_wins_against_everybody() {
    // The answer must be known a step early.
    assert_eq!(loses_at_last(&[], &["G(x <-> X a)"]).1, [0]);
    assert_eq!(loses_at_last(&["G(a -> X !a)"], &["G(x <-> X a)"]).1, [0]);
    // Kept waiting for ever: no number of steps shows it, the bound does.
    let (steps, _) = loses_at_last(&[], &["G(a -> F x)", "G !x"]);
    assert!(steps >= 2, "{steps}");
}

#[test]
fn assumptions_are_counted_on() {
    let space = space();
    let answer = |assumptions: &[&str], promises: &[&str]| {
        let formulas = |texts: &[&str]| texts.iter().map(|text| formula(text)).collect::<Vec<_>>();
        match synthesise(&problem(&space, &formulas(assumptions), &formulas(promises)), BOUNDS).unwrap() {
            Answer::Machine(..) => Some(true),
            Answer::Unrealisable(..) => Some(false),
            Answer::Unknown(..) => None,
        }
    };
    // x only with a, and again and again: for that a must come again and again.
    assert_eq!(answer(&[], &["G(x -> a)", "G F x"]), Some(false));
    assert_eq!(answer(&["G F a"], &["G(x -> a)", "G F x"]), Some(true));
    assert_eq!(answer(&["G a"], &["G(x -> a)", "G x"]), Some(true));
    assert_eq!(answer(&[], &["G F a"]), Some(false));
    assert_eq!(answer(&[], &["F x | G a"]), Some(true));
}

#[test]
fn what_is_counted_ends_the_search_where_time_would() {
    // Four requests, each of which is granted alone some day.
    let interface = Interface::signals(["r0", "r1", "r2", "r3"], ["g0", "g1", "g2", "g3"]).unwrap();
    let space = Arc::new(Space::new(interface));
    let fair = (0..4).map(|at| formula(&format!("G (r{at} -> F g{at})")));
    let apart = (0..4).flat_map(|one| (0..one).map(move |other| formula(&format!("G !(g{one} & g{other})"))));
    let promises: Vec<Formula> = fair.chain(apart).collect();
    let asked = problem(&space, &[], &promises);
    let machine = |bounds: Bounds| match synthesise(&asked, bounds).unwrap() {
        Answer::Machine(machine, bound) => Some((machine.states().len(), bound)),
        Answer::Unknown(..) => None,
        Answer::Unrealisable(..) => panic!("an arbiter is no contradiction"),
    };
    let full = machine(BOUNDS).expect("there is an arbiter");
    assert_eq!(machine(Bounds { positions: 1, ..BOUNDS }), None);
    // From some count on there is one, and the same question always has the same answer.
    let counts = (0..12).map(|power| machine(Bounds { positions: 1 << power, ..BOUNDS }));
    let counts: Vec<_> = counts.collect();
    let first = counts.iter().position(Option::is_some).unwrap_or(counts.len());
    assert!(first > 0 && counts[first..].iter().all(Option::is_some), "{counts:?}");
    assert_eq!(machine(BOUNDS), Some(full));
    // A deadline that has passed leaves nothing to be looked at, not even where one position would do.
    let past = std::time::Instant::now().checked_sub(std::time::Duration::from_millis(1));
    assert_eq!(machine(Bounds { deadline: past, ..BOUNDS }), None);
    let easy = problem(&self::space(), &[], &[formula("G (a <-> x)")]);
    let late = synthesise(&easy, Bounds { deadline: past, ..BOUNDS }).unwrap();
    assert!(matches!(late, Answer::Unknown(..)));
    assert!(matches!(synthesise(&easy, BOUNDS).unwrap(), Answer::Machine(..)));
}
