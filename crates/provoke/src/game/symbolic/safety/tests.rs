use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::backwards::Backwards;
use super::explore::Explore;
use super::learn::Learn;
use super::{Plain, Until, Visit, Work, leaves};
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
        for state in 0..1usize << count {
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
            lost[state] |=
                (0..1 << game.tester.len()).any(|input| (0..answers).all(|answer| step(input, answer)));
        }
        if lost == before {
            let initial = (0..count).filter(|&at| circuit.latches[at].reset == Some(true));
            return lost[initial.fold(0, |sum, at| sum | 1 << at)];
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

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
        let until = Until(Instant::now() + Duration::from_secs(60));
        let expected = Some(by_hand(&game));
        prop_assert_eq!(Explore::new(&game).and_then(|mut way| way.go_on(until, 1 << 30)), expected);
        prop_assert_eq!(Learn::new(&game).go_on(until, 1 << 20), expected);
        for parts in [false, true] {
            let roots = violations.iter().chain(&constraints).copied();
            let backwards = Backwards::new(&game, leaves(&circuit, roots, Visit::Right), parts);
            let mut work = Work::new(backwards.order.len(), 1 << 20, None);
            prop_assert_eq!(backwards.solve(&mut work, &mut || None).1, expected);
        }
    }
}
