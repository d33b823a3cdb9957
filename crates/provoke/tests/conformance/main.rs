//! What every arena and every guide must be, held against the definitions letter by letter; and that strategies do not
//! care which arena they play in.

#![allow(clippy::unwrap_used)]

mod arenas;
mod plain;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use provoke::campaign::{Campaign, Event, Limits, Observer};
use provoke::game::{Next, Place, State, Tier};
use provoke::letter::{Letter, LetterSet};
use provoke::monitor::Judge;
use provoke::objective::{Arena, Reach};
use provoke::rng::Rng;
use provoke::strategy::{CATALOGUE, Options};
use provoke::system::Closure;
use provoke::trace::Step;

use self::arenas::arenas;
use self::plain::{After, INPUTS, OUTPUTS, Plain, Tuple, exchanges, plain};

/// Walks an arena and the plain game together: the tuple of every state that was met, in the order of meeting.
fn walk(plain: &Plain, arena: &Arena) -> Result<BTreeMap<State, Tuple>, TestCaseError> {
    let game = &*arena.game;
    let mut met = BTreeMap::from([(game.initial(), plain.initial())]);
    let mut open = vec![game.initial()];
    while let Some(at) = open.pop() {
        let tuple = met[&at].clone();
        for (i, o) in exchanges() {
            let (input, output) = (Letter::from_index(i), Letter::from_index(o));
            let next = game.next(at, input, output);
            prop_assert_eq!(next, game.next(at, input, output), "asked twice, two answers");
            match (next, plain.after(&tuple, i, o)) {
                (Next::To(next), After::To(expected)) => match met.get(&next) {
                    Some(known) => prop_assert_eq!(known, &expected, "one state for two"),
                    None => {
                        prop_assert!(!met.values().any(|known| *known == expected), "two states for one");
                        met.insert(next, expected);
                        open.push(next);
                    }
                },
                (Next::Violates(Place(place)), After::Violates(expected)) => prop_assert_eq!(place, expected),
                (Next::Unfair, After::Unfair) => {}
                (found, expected) => prop_assert!(false, "{found:?} instead of {expected:?}"),
            }
        }
    }
    Ok(met)
}

fn indices(set: &LetterSet) -> BTreeSet<u64> {
    set.iter().map(Letter::index).collect()
}

fn conforms(plain: &Plain, arena: &Arena) -> Result<(), TestCaseError> {
    let Arena { game, guide } = arena;
    let truths = plain.truths();
    let met = walk(plain, arena)?;
    prop_assert_eq!(met.len(), truths.len(), "every state is met");
    prop_assert!(met.keys().map(|at| at.0).eq(0..met.len() as u32), "numbers are dense");
    let mut sets: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    let mut same_id = |set: &LetterSet| *sets.entry(set.id()).or_insert_with(|| indices(set)) == indices(set);
    for (&at, tuple) in &met {
        let truth = &truths[tuple];
        prop_assert_eq!(&indices(game.inputs(at)), &plain.legal(tuple));
        prop_assert!(same_id(game.inputs(at)));
        for input in 0..INPUTS {
            let goes_on = |&output: &u64| matches!(plain.after(tuple, input, output), After::To(_));
            let expected: BTreeSet<u64> = (0..OUTPUTS).filter(goes_on).collect();
            prop_assert_eq!(indices(&game.outputs(at, Letter::from_index(input))), expected);
        }
        prop_assert_eq!(guide.distance(at), truth.distance);
        prop_assert_eq!(guide.reached(at), truth.distance == Some(0));
        prop_assert_eq!(guide.rank(at), truth.rank);
        let tiers = [(Tier::Forcing, &truth.forcing), (Tier::Helpful, &truth.helpful)];
        for (tier, expected) in tiers.into_iter().chain([(Tier::Hopeful, &truth.hopeful)]) {
            prop_assert_eq!(&indices(guide.inputs(at, tier)), expected, "{:?}", tier);
            prop_assert!(same_id(guide.inputs(at, tier)));
        }
        let best = [&truth.forcing, &truth.helpful].into_iter().find(|tier| !tier.is_empty());
        prop_assert_eq!(&indices(guide.greedy_inputs(at)), best.unwrap_or(&truth.hopeful));
    }
    let farthest = truths.values().filter_map(|truth| truth.distance).max();
    prop_assert!(guide.farthest().is_none_or(|bound| Some(bound) >= farthest), "something is farther");
    Ok(())
}

/// Writes every run down.
#[derive(Default, PartialEq, Eq, Debug)]
struct Runs(Vec<Vec<Step>>);

impl Observer for Runs {
    fn on(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        if let Event::RunEnded { trace, .. } = event {
            self.0.push(trace.to_vec());
        }
        Ok(())
    }
}

/// What a strategy does in an arena against a random system that nobody judges.
fn played(plain: &Plain, arena: &Arena, strategy: usize, seed: u64) -> (Runs, bool) {
    let mut system = Closure::new(
        move || Rng::new(seed),
        |rng: &mut Rng, input: Letter| Letter::from_index((rng.below(4) + input.index()) % OUTPUTS),
    );
    let limits = Limits { runs: 25, steps: 12, ..Limits::default() };
    let options =
        Options { nodes: 64, greedy_visits: 3, iterations: 8, roll_out_bound: 12, ..Options::default() };
    let mut strategy = (CATALOGUE[strategy].build)(&options);
    let mut goal = Reach::one(arena.game.clone(), arena.guide.clone());
    let mut runs = Runs::default();
    let judge = Judge::default();
    let campaign = Campaign::new(&mut goal, judge, &mut system, &mut *strategy, limits, seed);
    let covered = campaign.run(&mut runs).unwrap().objectives[0].covered.is_some();
    for run in &runs.0 {
        let mut at = plain.initial();
        for step in run {
            assert!(plain.legal(&at).contains(&step.input.index()), "an input that may not be sent");
            let After::To(next) = plain.after(&at, step.input.index(), step.output.index()) else { break };
            at = next;
        }
    }
    (runs, covered)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_arena_follows_the_definitions(plain in plain()) {
        for (name, arena) in arenas(&plain) {
            if let Err(error) = conforms(&plain, &arena) {
                prop_assert!(false, "{name}: {error}");
            }
        }
    }

    #[test]
    fn strategies_play_alike_in_every_arena(plain in plain(), seed in 0u64..1000) {
        let all = arenas(&plain);
        for (number, entry) in CATALOGUE.iter().enumerate() {
            let (_, first) = &all[0];
            let expected = played(&plain, first, number, seed);
            for (name, arena) in &all {
                let found = played(&plain, arena, number, seed);
                // What is worth how much may depend on how far anything can be.
                let is_alike = arena.guide.farthest() == first.guide.farthest();
                prop_assert!(!is_alike || found == expected, "{} in {}", entry.name, name);
            }
        }
    }
}
