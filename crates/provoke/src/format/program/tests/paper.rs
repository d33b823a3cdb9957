//! A row of table 2 of paper 2, played on the model file.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::{Actions, Direction, States, Workspace};
use super::robots;
use crate::rng::Rng;

/// How many abstract states an action is taken in, over 100 runs of 100 steps with 5 robots: controllable actions are the
/// least often taken ones, or any.
fn covered(least: bool, seed: u64) -> usize {
    let program = robots(5);
    let mut rng = Rng::new(seed);
    let (mut work, mut states) = (Workspace::new(), States::new());
    let (mut controllables, mut observables) = (Actions::new(), Actions::new());
    let mut weights: FxHashMap<Vec<i64>, u32> = FxHashMap::default();
    let mut covered = FxHashSet::default();
    for _ in 0..100 {
        let mut state = program.initial().get(0).to_vec();
        for _ in 0..100 {
            program.enabled(Direction::Controllable, &state, &mut work, &mut controllables).unwrap();
            program.enabled(Direction::Observable, &state, &mut work, &mut observables).unwrap();
            let control = observables.is_empty() || (!controllables.is_empty() && rng.chance(0.5));
            let actions = if control { &controllables } else { &observables };
            let transitions: Vec<(Vec<i64>, Vec<i64>)> = actions
                .iter()
                .map(|action| {
                    let (mut at, mut by) = (Vec::new(), Vec::new());
                    program.abstract_state(&state, action, &mut work, &mut at).unwrap();
                    program.abstract_action(&state, action, &mut work, &mut by).unwrap();
                    (at, by)
                })
                .collect();
            let weight = |number: usize| {
                let (at, by) = &transitions[number];
                weights.get(&[&at[..], by].concat()).copied().unwrap_or(1)
            };
            let mut choice: Vec<usize> = (0..actions.len()).collect();
            if control && least {
                let lowest = choice.iter().map(|&number| weight(number)).min().unwrap();
                choice.retain(|&number| weight(number) == lowest);
            }
            let taken = *rng.pick(&choice).unwrap();
            let (at, by) = &transitions[taken];
            *weights.entry([&at[..], by].concat()).or_insert(1) += 1;
            covered.insert(at.clone());
            assert!(program.step(&state, actions.get(taken), &mut work, &mut states).unwrap());
            state.copy_from_slice(states.get(0));
        }
    }
    covered.len()
}

#[test]
fn the_robots_cover_what_the_paper_says() {
    // 503 with a deviation of 3 for least cost, 155 with a deviation of 7 at random: five deviations to each side.
    let least = covered(true, 1);
    assert!(least.abs_diff(503) <= 15, "{least}");
    let random = covered(false, 1);
    assert!(random.abs_diff(155) <= 35, "{random}");
}
