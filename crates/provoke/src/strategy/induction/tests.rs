use proptest::prelude::*;
use proptest::strategy::Strategy as Strategy_;

use super::*;
use crate::game::State;
use crate::rng::Rng;
use crate::strategy::toy::Toy;

fn charted(toy: &Toy) -> (Chart, Vec<u32>) {
    let chart = Chart::of(toy, 1000, &mut Rng::new(0));
    let is_goal = |place: &u32| toy.goals.contains(&chart.state(*place).0);
    let goals = (0..chart.len() as u32).filter(is_goal).collect();
    (chart, goals)
}

fn solved(toy: &Toy) -> (Chart, Plan) {
    let (chart, goals) = charted(toy);
    let plan = fixpoint(&chart, &Backward::of(&chart), &goals, usize::MAX);
    (chart, plan)
}

fn as_published(toy: &Toy) -> (Chart, Plan) {
    let (chart, goals) = charted(toy);
    let plan = published(&chart, 0, |place| goals.contains(&place));
    (chart, plan)
}

fn mean(states: &[u32], values: &[f64]) -> f64 {
    let sum: f64 = states.iter().map(|&state| values[state as usize]).sum();
    if states.is_empty() { 0.0 } else { sum / states.len() as f64 }
}

/// The equations, iterated from below until nothing moves: for all states at once, from the definition.
fn by_definition(toy: &Toy) -> Vec<f64> {
    let mut values = vec![0.0; toy.moves.len()];
    for _ in 0..200_000 {
        let value = |at: usize| {
            if toy.goals.contains(&(at as u32)) {
                return 1.0;
            }
            toy.moves[at].iter().map(|answers| mean(answers, &values)).fold(0.0, f64::max)
        };
        let next: Vec<f64> = (0..values.len()).map(value).collect();
        let risen = next.iter().zip(&values).map(|(new, old)| new - old).fold(0.0, f64::max);
        values = next;
        if risen < 1e-14 {
            break;
        }
    }
    values
}

/// What playing a plan brings: the chance to arrive, every answer being as likely as any other.
fn played(toy: &Toy, chart: &Chart, plan: &Plan) -> Vec<f64> {
    let only = |at: usize| {
        let choice = chart.place(State(at as u32)).and_then(|place| plan.choice(place));
        let input = choice.map(|choice| chart.letter(chart.choice(choice).input).index() as usize);
        input.map(|input| toy.moves[at][input].clone()).into_iter().collect()
    };
    let moves = (0..toy.moves.len()).map(only).collect();
    by_definition(&Toy::new(moves, toy.goals.clone()))
}

/// Games of six states with up to three inputs and three answers each; the last state is the goal.
fn games() -> impl Strategy_<Value = Toy> {
    let answers = proptest::collection::vec(0u32..6, 1..4);
    let inputs = proptest::collection::vec(answers, 0..4);
    proptest::collection::vec(inputs, 6).prop_map(|moves| Toy::new(moves, vec![5]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn values_are_those_of_the_equations_and_the_plan_earns_them(toy in games()) {
        let (chart, plan) = solved(&toy);
        let (expected, earned) = (by_definition(&toy), played(&toy, &chart, &plan));
        for place in 0..chart.len() as u32 {
            let at = chart.state(place).0 as usize;
            // The oracle comes from below and stops early, by less than this.
            prop_assert!((plan.value(place) - expected[at]).abs() < 1e-6, "{at}: {} {}", plan.value(place), expected[at]);
            prop_assert!((earned[at] - expected[at]).abs() < 1e-6, "{at} earns {}", earned[at]);
        }
    }

    #[test]
    fn values_do_not_depend_on_the_order(toy in games()) {
        let reversed = |inputs: &Vec<Vec<u32>>| {
            inputs.iter().rev().map(|answers| answers.iter().rev().copied().collect()).collect()
        };
        let other = Toy::new(toy.moves.iter().map(reversed).collect(), toy.goals.clone());
        let ((chart, plan), (other_chart, other_plan)) = (solved(&toy), solved(&other));
        prop_assert_eq!(chart.len(), other_chart.len());
        for place in 0..chart.len() as u32 {
            let there = other_chart.place(chart.state(place)).unwrap();
            prop_assert!((plan.value(place) - other_plan.value(there)).abs() < 1e-9);
        }
    }

    #[test]
    fn without_loops_both_are_the_same(toy in games()) {
        // Every move that does not lead on to a later state leads to the goal instead.
        let forwards = |(at, inputs): (usize, &Vec<Vec<u32>>)| {
            let on = |&to: &u32| if to as usize > at { to } else { 5 };
            inputs.iter().map(|answers| answers.iter().map(on).collect()).collect()
        };
        let toy = Toy::new(toy.moves.iter().enumerate().map(forwards).collect(), vec![5]);
        let ((chart, plan), (_, other)) = (solved(&toy), as_published(&toy));
        for place in 0..chart.len() as u32 {
            prop_assert!((plan.value(place) - other.value(place)).abs() < 1e-9);
        }
    }
}

#[test]
fn the_published_rule_for_loops_gives_a_state_away() {
    // From 0 the system goes to the goal or to 1; from 1 there is only the way back. The goal is reached sooner or later,
    // but when 1 is met first, 0 is still worth nothing.
    let toy = Toy::new(vec![vec![vec![1, 2]], vec![vec![0]], vec![]], vec![2]);
    let (chart, plan) = as_published(&toy);
    let place = |state| chart.place(State(state)).unwrap();
    assert_eq!((plan.value(place(0)), plan.value(place(1))), (0.5, 0.0));
    assert_eq!(plan.choice(place(1)), None, "undefined: the run ends there");
    assert_eq!(plan.met(), 3);
    let (_, plan) = solved(&toy);
    assert_eq!((plan.value(place(0)), plan.value(place(1))), (1.0, 1.0));
    assert!(plan.choice(place(1)).is_some());
    // The other order of answers gives other scores to the published rule, and the same to the equations.
    let toy = Toy::new(vec![vec![vec![2, 1]], vec![vec![0]], vec![]], vec![2]);
    assert_eq!(solved(&toy).1.value(0), 1.0);
    assert_eq!(as_published(&toy).1.value(0), 0.5);
}

#[test]
fn what_can_be_forced_is_forced_and_nobody_waits() {
    // Input 0 waits, 1 leaves it to the system, which may go back, 2 goes there in two steps whatever is answered.
    let toy = Toy::new(vec![vec![vec![0], vec![0, 2], vec![1]], vec![vec![1], vec![2]], vec![]], vec![2]);
    let (chart, plan) = solved(&toy);
    let sent =
        |state| chart.letter(chart.choice(plan.choice(chart.place(State(state)).unwrap()).unwrap()).input);
    assert_eq!((sent(0), sent(1)), (Letter::from_index(2), Letter::from_index(1)));
}
