//! Learning where some inputs may be sent only later, of systems that refuse much and change nothing.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use provoke::campaign::Limits;
use provoke::learn::{Gauge, Patience};
use provoke::letter::Letter;
use provoke::rng::Rng;
use provoke::session::{Curriculum, learn};
use provoke::specification::Specification;
use provoke::system::Closure;
use provoke::trace::Step;

const STATES: usize = 8;
const INPUTS: usize = 5;

/// For each state and input the next state and the answer: half of them are refused and change nothing.
fn table(seed: u64) -> Vec<[(usize, u64); INPUTS]> {
    let mut rng = Rng::new(seed);
    let mut edge = |state: usize| match rng.chance(0.5) {
        true => (state, 0),
        false => (rng.index(STATES), 1 + rng.below(3)),
    };
    (0..STATES).map(|state| std::array::from_fn(|_| edge(state))).collect()
}

#[test]
fn what_may_be_sent_by_now_is_learnt_and_nothing_goes_round_for_ever() {
    let text = "[labels]\ninputs = ['a', 'b', 'c', 'd', 'e']\noutputs = ['no', 'x', 'y', 'z']\n";
    // Whether `b` may be sent after these inputs.
    type Allows = fn(&[usize]) -> bool;
    let assumptions: [(&str, Allows); 3] = [
        ("!b W a", |sent| sent.contains(&0)),
        ("!b & G(a -> X !b)", |sent| sent.last().is_some_and(|&last| last != 0)),
        ("!b W (a & X (a & X a))", |sent| sent.windows(3).any(|last| last == [0, 0, 0])),
    ];
    for seed in 0..24 {
        for (ltl, allows) in assumptions {
            let text = format!("{text}[[assumption]]\nid = 'A'\nltl = '{ltl}'\n");
            let specification = Specification::from_text("withheld.toml".as_ref(), &text).unwrap();
            let rows = table(seed);
            let answers = rows.clone();
            let mut system = Closure::new(
                || 0,
                move |state: &mut usize, input: Letter| {
                    let (next, answer) = answers[*state][input.index() as usize];
                    *state = next;
                    Letter::from_index(answer)
                },
            );
            let curriculum = Curriculum {
                patience: Patience::Steps(4_000),
                limits: Limits { runs: u64::MAX, steps: 1_000, total_steps: 40_000, ..Limits::default() },
                nodes: 1 << 20,
                seed,
                without_reset: false,
                memory: None,
                recordings: Vec::new(),
                old: None,
                gauge: Arc::new(Gauge::default()),
            };
            let lesson = learn(&specification, &mut system, curriculum, &mut ()).unwrap();
            let learnt = lesson.learnt.unwrap();
            assert!(learnt.is_complete(), "{ltl}, seed {seed}: {:?}", learnt.transitions);
            // What shows only after three particular inputs is not surely found so soon.
            if ltl.contains("X (a & X a)") {
                continue;
            }
            // Whatever may be sent is answered as the machine says.
            let mut rng = Rng::stream(seed, 1);
            for _ in 0..200 {
                let (mut at, mut state, mut sent) = (0, 0, Vec::new());
                for _ in 0..20 {
                    let input = rng.index(INPUTS);
                    if input == 1 && !allows(&sent) {
                        continue;
                    }
                    let (next, answer) = rows[at][input];
                    let step =
                        Step { input: Letter::from_index(input as u64), output: Letter::from_index(answer) };
                    let place = learnt.learner.place_of(step.input).unwrap();
                    assert_eq!(
                        learnt.learner.exchange(state, place),
                        Some(step),
                        "{ltl}, seed {seed}, {sent:?}"
                    );
                    (at, state) = (next, learnt.learner.hypothesis().edge(state, place).to);
                    sent.push(input);
                }
            }
        }
    }
}

#[test]
fn learning_under_an_assumption_that_answers_can_break_comes_to_an_end() {
    // Whether `i` may be sent again hangs on the answers. A run that is over for that was tried again and again.
    for ltl in ["G(i -> X(!i W q))", "!i W o"] {
        let text = format!(
            "[labels]\ninputs = ['i', 'j']\noutputs = ['o', 'p', 'q']\n[[assumption]]\nid = 'A'\nltl = '{ltl}'\n"
        );
        let specification = Specification::from_text("withheld.toml".as_ref(), &text).unwrap();
        let rows = [[(1, 1), (0, 1)], [(1, 0), (1, 2)]];
        let mut system = Closure::new(
            || 0usize,
            move |state: &mut usize, input: Letter| {
                let (next, answer) = rows[*state][input.index() as usize];
                *state = next;
                Letter::from_index(answer)
            },
        );
        let curriculum = Curriculum {
            patience: Patience::Steps(2_000),
            limits: Limits { runs: u64::MAX, steps: 1_000, total_steps: 40_000, ..Limits::default() },
            nodes: 1 << 20,
            seed: 0,
            without_reset: false,
            memory: None,
            recordings: Vec::new(),
            old: None,
            gauge: Arc::new(Gauge::default()),
        };
        let lesson = learn(&specification, &mut system, curriculum, &mut ()).unwrap();
        assert!(lesson.steps < 40_000 && lesson.learnt.unwrap().is_over, "{ltl}: {} steps", lesson.steps);
    }
}
