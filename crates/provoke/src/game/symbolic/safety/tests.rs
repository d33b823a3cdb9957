use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::backwards::Backwards;
use super::explore::Explore;
use super::forest::{Edge, Forest};
use super::growing::Growing;
use super::learn::Learn;
use super::{Plain, Until, Visit, leaves};
use crate::format::aiger::{Circuit, CircuitBuilder, Literal};

const INPUTS: [&str; 6] = ["a", "b", "c", "controllable_x", "controllable_y", "controllable_z"];

fn made(latches: usize, picks: &[(u16, u16)], constrained: bool) -> Circuit {
    let names: Vec<String> = (0..latches).map(|at| format!("l{at}")).collect();
    let resets = names.iter().enumerate().map(|(at, name)| (name.as_str(), at % 3 == 1));
    let mut builder = CircuitBuilder::new(INPUTS, resets);
    let mut known: Vec<Literal> = (0..INPUTS.len()).map(|at| builder.input(at)).collect();
    known.extend((0..latches).map(|at| builder.latch(at)));
    let pick =
        |known: &[Literal], number: u16| known[number as usize / 2 % known.len()].negated_if(number % 2 == 1);
    for &(left, right) in picks {
        let gate = builder.and(pick(&known, left), pick(&known, right));
        known.push(gate);
    }
    for (at, (left, right)) in (0..latches).zip(picks.iter().rev()) {
        let next = pick(&known, left ^ right.rotate_left(3));
        builder.next(at, next);
    }
    let wrong = builder.and(pick(&known, picks[0].1), pick(&known, picks[1].0));
    builder.output("error", wrong);
    if constrained {
        let fair = builder.or(pick(&known, picks[2].1), pick(&known, picks[3].0));
        builder.constraint("fair", fair);
    }
    builder.finish()
}

/// Every state, every input, every answer, until nothing changes.
fn by_hand(game: &Plain<'_>) -> bool {
    let circuit = game.circuit;
    let count = circuit.latches.len();
    let mut lost = vec![false; 1 << count];
    let value = |values: &[bool], literal: Literal| values[literal.node()] ^ literal.is_negated();
    loop {
        let before = lost.clone();
        for (state, lost) in lost.iter_mut().enumerate() {
            let step = |inputs: usize, answer: usize| {
                let mut values = vec![false; circuit.nodes()];
                game.tester.iter().enumerate().for_each(|(at, &node)| values[node] = inputs >> at & 1 == 1);
                game.system.iter().enumerate().for_each(|(at, &node)| values[node] = answer >> at & 1 == 1);
                game.latches().iter().enumerate().for_each(|(at, &node)| values[node] = state >> at & 1 == 1);
                circuit.evaluate(&mut values);
                let next = (0..count)
                    .filter(|&at| value(&values, circuit.latches[at].next))
                    .fold(0, |sum, at| sum | 1 << at);
                let fair = game.constraints.iter().all(|&fair| value(&values, fair));
                fair && (game.violations.iter().any(|&bad| value(&values, bad)) || before[next])
            };
            let answers = 1 << game.system.len();
            *lost |= (0..1 << game.tester.len()).any(|input| (0..answers).all(|answer| step(input, answer)));
        }
        if lost == before {
            let initial = (0..count).filter(|&at| circuit.latches[at].reset == Some(true));
            return lost[initial.fold(0, |sum, at| sum | 1 << at)];
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn every_way_gives_the_answer(
        latches in 1usize..4,
        picks in prop::collection::vec(any::<(u16, u16)>(), 5..24),
        constrained in any::<bool>(),
    ) {
        let circuit = made(latches, &picks, constrained);
        let violations = [circuit.outputs[0].value];
        let constraints: Vec<Literal> = circuit.constraints.iter().map(|signal| signal.value).collect();
        let game = Plain::new(&circuit, &|at| at >= 3, &violations, &constraints);
        let until = Until::new(Instant::now() + Duration::from_secs(60));
        let expected = Some(by_hand(&game));
        prop_assert_eq!(Explore::new(&game).and_then(|mut way| way.go_on(until, 1 << 30)), expected);
        prop_assert_eq!(Learn::new(&game).go_on(until, 1 << 20), expected);
        for parts in [false, true] {
            let roots = violations.iter().chain(&constraints).copied();
            let backwards = Backwards::new(&game, leaves(&circuit, roots, Visit::Right), parts);
            let mut work = Growing::new(backwards.order.len(), 1 << 20, until);
            prop_assert_eq!(backwards.solve(&mut work).1, expected);
        }
    }
}

/// A function of six variables beside all its values, one bit each.
type Both = (Edge, u64);

const TRUTH: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// The values with a variable fixed.
fn fixed(values: u64, variable: usize, to: bool) -> u64 {
    let shift = 1 << variable;
    match to {
        true => (values & TRUTH[variable]) | (values & TRUTH[variable]) >> shift,
        false => (values & !TRUTH[variable]) | (values & !TRUTH[variable]) << shift,
    }
}

fn exists(values: u64, variables: u8) -> u64 {
    (0..6)
        .filter(|at| variables >> at & 1 == 1)
        .fold(values, |values, at| fixed(values, at, true) | fixed(values, at, false))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Functions stay what they are while variables move and nodes come and go, and so do results that are remembered.
    #[test]
    fn forests_compute_what_tables_do(steps in prop::collection::vec(any::<(u8, u8, u8, u8)>(), 1..40)) {
        let until = Until::new(Instant::now() + Duration::from_secs(600));
        let mut forest = Forest::new(6, until);
        let mut known: Vec<Both> = (0..6).map(|at| (forest.variable(at).unwrap(), TRUTH[at])).collect();
        let swapped = [Some(known[3].0), None, Some(!known[0].0), None, Some(known[5].0), None];
        let substituted = |values: u64| {
            (0..64u64).filter(|at| {
                let bit = |variable: usize| at >> variable & 1;
                let into = [bit(3), bit(1), 1 - bit(0), bit(3), bit(5), bit(5)];
                values >> into.iter().enumerate().fold(0, |sum, (at, bit)| sum | bit << at) & 1 == 1
            }).fold(0u64, |sum, at| sum | 1 << at)
        };
        for (what, left, right, more) in steps {
            let (left, right) = (known[left as usize % known.len()], known[right as usize % known.len()]);
            let left = if more & 64 == 0 { left } else { (!left.0, !left.1) };
            let variables = || (0..6usize).filter(|at| more >> at & 1 == 1);
            let made: Both = match what % 6 {
                0 | 1 => (forest.and(left.0, right.0).unwrap(), left.1 & right.1),
                2 => (forest.or(left.0, !right.0).unwrap(), left.1 | !right.1),
                3 => {
                    let cube = forest.cube(variables()).unwrap();
                    (forest.exists(left.0, cube).unwrap(), exists(left.1, more))
                }
                4 => {
                    let cube = forest.cube(variables()).unwrap();
                    (forest.and_exists(left.0, right.0, cube).unwrap(), exists(left.1 & right.1, more))
                }
                _ => (forest.substitute(left.0, &swapped).unwrap(), substituted(left.1)),
            };
            known.push(made);
            let roots: Vec<Edge> = known.iter().map(|(edge, _)| *edge).collect();
            match what % 5 {
                0 => forest.collect(&roots),
                1 => forest.sift(&roots, usize::MAX),
                2 => forest.sift(&roots, 0),
                _ => {}
            }
            for &(edge, values) in &known {
                for at in 0..64u64 {
                    let found = forest.contains(edge, |variable| at >> variable & 1 == 1);
                    prop_assert_eq!(found, values >> at & 1 == 1);
                }
            }
            // The same function is the same edge.
            for (at, (edge, values)) in known.iter().enumerate() {
                prop_assert!(known[..at].iter().all(|(other, same)| (edge == other) == (values == same)));
            }
        }
    }
}
