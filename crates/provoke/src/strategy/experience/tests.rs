//! What experience says against sums over a plain list of what happened.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::rng::Rng;

const GAMMA: f64 = 0.5;

fn fresh() -> Experience {
    Experience::new(GAMMA, 1 << 12)
}

/// One choice of an input in a place without past, and how the run ended.
fn lives_through(experience: &mut Experience, input: u64, helpful: bool, closer: bool, lost: bool) {
    experience.begin();
    experience.chose(experience.contexts(0), input, helpful);
    if closer {
        experience.progress();
    }
    experience.end(lost);
}

/// How often the first of two inputs looks better, in 10,000 draws.
fn wins(experience: &Experience, first: u64, second: u64) -> usize {
    let (contexts, tier) = (experience.contexts(0), experience.tier(true));
    let mut rng = Rng::new(1);
    let mut draw = |input| experience.score(&contexts, input, tier, &mut rng);
    (0..10_000).filter(|_| draw(first) > draw(second)).count()
}

/// A step as a run is told of it.
type Told = (u64, u8, u32);

fn tell(experience: &mut Experience, steps: &[Told]) {
    experience.begin();
    for &(input, change, shape) in steps {
        let change = [Change::Closer, Change::Same, Change::Farther][usize::from(change)];
        experience.step(input, change, shape);
    }
}

fn steps() -> impl Strategy<Value = Vec<Told>> {
    vec((0..2u64, 0..3u8, 0..2u32), 0..6)
}

/// A run: each input with its steps before it, whether it was helpful and whether it got closer; and whether it was lost.
type Lived = (Vec<(u64, bool, bool)>, bool);

proptest! {
    #[test]
    fn contexts_are_the_shape_and_the_last_steps(one in steps(), other in steps(), shapes in (0..2u32, 0..2u32)) {
        // Two of these hashes agree by chance with p < 1e-18.
        let contexts = |steps: &[Told], shape| {
            let mut experience = fresh();
            tell(&mut experience, &[(9, 0, 9), (9, 0, 9), (9, 0, 9)]);
            tell(&mut experience, steps);
            experience.contexts(shape)
        };
        let (first, second) = (contexts(&one, shapes.0), contexts(&other, shapes.1));
        let last = |steps: &[Told], length| steps.iter().rev().copied().map(Some).chain([None; LOOK_BACK]).take(length).collect::<Vec<_>>();
        for length in 0..LENGTHS {
            let alike = shapes.0 == shapes.1 && last(&one, length) == last(&other, length);
            prop_assert_eq!(first[length] == second[length], alike, "{} steps back", length);
        }
    }

    #[test]
    fn progress_is_credited_to_what_led_to_it(runs in vec((vec((0..3u64, any::<bool>(), any::<bool>()), 0..8), any::<bool>()), 0..6)) {
        let runs: Vec<Lived> = runs;
        let mut experience = fresh();
        let mut sums = [[0.0f64; 3]; 2];
        for (choices, lost) in &runs {
            experience.begin();
            for (at, &(input, helpful, closer)) in choices.iter().enumerate() {
                experience.chose(experience.contexts(0), input, helpful);
                if closer {
                    experience.progress();
                }
                // Steps to the next time that the run got closer, this one included; none where it never did.
                let until = choices[at..].iter().position(|(.., closer)| *closer);
                let [tried, ended, progress] = &mut sums[usize::from(helpful)];
                *tried += 1.0;
                *ended += f64::from(u8::from(*lost && at == choices.len() - 1));
                *progress += until.map_or(0.0, |until| GAMMA.powi(until as i32));
            }
            experience.end(*lost);
        }
        for (record, sums) in experience.tiers.iter().zip(&sums) {
            let records = [record.tried, record.ended, record.progress];
            for (record, sum) in records.iter().zip(sums) {
                prop_assert!((f64::from(*record) - sum).abs() < 1e-4, "{:?} and {:?}", records, sums);
            }
        }
        let happened = sums.iter().any(|[_, ended, progress]| ended + progress > 0.0);
        prop_assert_eq!(experience.tells_apart(), happened);
    }

    #[test]
    fn a_shorter_context_is_the_prior_of_the_next_longer_one(
        past in vec((steps(), any::<bool>(), any::<bool>()), 0..3),
        now in steps(),
        seed in any::<u64>(),
    ) {
        // Up to two observations, the shortest context still counts for 1/81, so nothing is cut off.
        let mut experience = fresh();
        let mut seen = Vec::new();
        for (steps, closer, lost) in &past {
            tell(&mut experience, steps);
            let contexts = experience.contexts(4);
            experience.chose(contexts, 7, true);
            if *closer {
                experience.progress();
            }
            experience.end(*lost);
            seen.push((contexts, f32::from(u8::from(!lost)), f32::from(u8::from(*closer))));
        }
        tell(&mut experience, &now);
        let contexts = experience.contexts(4);
        let tier = experience.tier(true);
        let (mut alive, mut progress, mut weight) = (tier.alive, tier.progress, PRIOR);
        for length in 0..LENGTHS {
            let alike: Vec<_> = seen.iter().filter(|(past, ..)| past[length] == contexts[length]).collect();
            if alike.is_empty() {
                continue;
            }
            let count = alike.len() as f32;
            alive = (alike.iter().map(|(_, alive, _)| alive).sum::<f32>() + PRIOR * alive) / (count + PRIOR);
            progress = (alike.iter().map(|(.., closer)| closer).sum::<f32>() + PRIOR * progress) / (count + PRIOR);
            weight = count + PRIOR;
        }
        let expected = Estimate { alive, progress, weight }.sample(&mut Rng::new(seed));
        let score = experience.score(&contexts, 7, tier, &mut Rng::new(seed));
        prop_assert!((score - expected).abs() < 1e-3, "{} and {}", score, expected);
    }

    #[test]
    fn the_table_is_a_map_up_to_its_cap(keys in vec(0..60u64, 0..200), cap in 0..80usize) {
        let mut table = Table::new(cap);
        let mut plain: HashMap<u64, f32> = HashMap::new();
        for key in keys {
            // Spread over the bits that the table looks at.
            let key = mix(key, 0);
            let is_full = plain.len() == cap && !plain.contains_key(&key);
            match table.get_mut(key) {
                Some(record) => {
                    prop_assert!(!is_full);
                    record.tried += 1.0;
                    *plain.entry(key).or_default() += 1.0;
                }
                None => prop_assert!(is_full),
            }
        }
        prop_assert_eq!(table.used, plain.len());
        for key in (0..60).map(|key| mix(key, 0)) {
            prop_assert_eq!(table.get(key).map(|record| record.tried), plain.get(&key).copied());
        }
    }
}

#[test]
fn what_always_fails_keeps_a_chance() {
    let mut experience = fresh();
    for _ in 0..1_000 {
        lives_through(&mut experience, 1, true, false, true);
        lives_through(&mut experience, 2, true, false, true);
    }
    // Of two that are equally hopeless, each is taken about half of the time: 10,000 draws, deviation 50.
    let taken = wins(&experience, 1, 2);
    assert!((4_000..6_000).contains(&taken), "{taken}");
    let (contexts, tier) = (experience.contexts(0), experience.tier(true));
    let mut rng = Rng::new(1);
    assert!((0..10_000).all(|_| experience.score(&contexts, 1, tier, &mut rng) > 0.0));
    // After one failure there is still a doubt, which is soon gone where the other input goes on.
    let mut experience = fresh();
    lives_through(&mut experience, 1, true, false, true);
    lives_through(&mut experience, 2, true, false, false);
    let taken = wins(&experience, 1, 2);
    assert!((500..4_500).contains(&taken), "{taken}");
    for _ in 0..100 {
        lives_through(&mut experience, 1, true, false, true);
        lives_through(&mut experience, 2, true, false, false);
    }
    assert!(wins(&experience, 1, 2) < 100, "{}", wins(&experience, 1, 2));
}

#[test]
fn what_got_closer_is_taken_again_where_it_looks_alike() {
    let mut experience = fresh();
    for _ in 0..20 {
        lives_through(&mut experience, 1, true, true, false);
        lives_through(&mut experience, 2, true, false, false);
    }
    assert!(wins(&experience, 1, 2) > 9_900, "{}", wins(&experience, 1, 2));
    // After another past, the shorter contexts still say so.
    tell(&mut experience, &[(5, 1, 3)]);
    assert!(wins(&experience, 1, 2) > 9_000, "{}", wins(&experience, 1, 2));
}

#[test]
fn helpful_inputs_are_trusted_until_others_do_better() {
    let prefers = |experience: &Experience| {
        let mut rng = Rng::new(1);
        (0..10_000).filter(|_| experience.prefers_helpful(&mut rng)).count()
    };
    let mut experience = fresh();
    let at_first = prefers(&experience);
    assert!((8_000..10_000).contains(&at_first), "{at_first}");
    for _ in 0..50 {
        lives_through(&mut experience, 1, true, false, true);
        lives_through(&mut experience, 2, false, true, false);
    }
    assert!(prefers(&experience) < 100, "{}", prefers(&experience));
}

#[test]
fn a_run_that_chose_nothing_teaches_nothing() {
    let mut experience = fresh();
    experience.begin();
    experience.end(true);
    assert!(!experience.tells_apart());
    assert_eq!((experience.tiers[0].tried, experience.tiers[1].tried, experience.table.used), (0.0, 0.0, 0));
    // What was chosen in a run that never ended does not count in the next one.
    experience.chose(experience.contexts(0), 1, true);
    experience.begin();
    experience.end(true);
    assert_eq!(experience.tiers[1].tried, 0.0);
}

#[test]
fn a_full_table_still_learns_what_it_has() {
    let mut experience = Experience::new(GAMMA, LENGTHS);
    lives_through(&mut experience, 1, true, false, true);
    let before = experience.memory();
    for input in 2..1_000 {
        lives_through(&mut experience, input, true, false, true);
    }
    lives_through(&mut experience, 1, true, false, true);
    let known = experience.table.get(mix(experience.contexts(0)[0], 1)).unwrap();
    assert_eq!((known.tried, known.ended, experience.table.used), (2.0, 2.0, LENGTHS));
    assert_eq!(experience.table.get(mix(experience.contexts(0)[0], 2)).map(|record| record.tried), None);
    assert_eq!(experience.memory(), before);
}
