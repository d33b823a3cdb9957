//! Random formulas that look back against their direct evaluation, after every stage, and known sizes.

use std::sync::Arc;

use proptest::prelude::*;

use super::super::TranslationError;
use super::super::tests::{hold_monitor_against, hold_stages_against, random_formula, random_word, space};
use crate::automaton::{buchi, safety_automaton};
use crate::ltl::{Formula, Op, parse};
use crate::rng::Rng;

/// A formula that looks back, or says something of now, of this many operators.
fn random_past(rng: &mut Rng, size: usize) -> Formula {
    if size <= 1 {
        return random_formula(rng, 1);
    }
    let (first, length) = (rng.below(3) as u32, rng.below(3) as u32);
    let last = [None, Some(first + length), Some(first + length)][rng.index(3)];
    if size == 2 || rng.chance(0.6) {
        let arg = random_past(rng, size - 1);
        let op = match rng.below(8) {
            0 => Op::Not,
            1 => Op::Once,
            2 => Op::Historically,
            3 => Op::WeakYesterday,
            4 => Op::OnceIn(first, last),
            5 => Op::HistoricallyIn(first, last),
            _ => Op::Yesterday,
        };
        return Formula::build(op, vec![arg]);
    }
    let left = 1 + rng.index(size - 2);
    let args = vec![random_past(rng, left), random_past(rng, size - 1 - left)];
    let ops = [Op::And, Op::Or, Op::Implies, Op::Iff, Op::Xor, Op::Since, Op::Since, Op::Triggered];
    Formula::build(ops[rng.index(ops.len())].clone(), args)
}

/// A formula that looks ahead, in which some propositions look back.
fn random_mixed(rng: &mut Rng, size: usize, past: usize) -> Formula {
    let ahead = random_formula(rng, size);
    ahead.replace(|name| match rng.chance(0.6) {
        true => random_past(rng, past),
        false => Formula::proposition(name.clone()),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn every_stage_accepts_the_words_of_the_formula(seed: u64, size in 1usize..=8, past in 2usize..=4) {
        let mut rng = Rng::new(seed);
        let formula = random_mixed(&mut rng, size, past);
        hold_stages_against(&formula, &mut rng, |rng| (0..20).map(|_| random_word(rng)).collect());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn monitors_say_what_brute_force_says(seed: u64, size in 1usize..=5, past in 2usize..=3) {
        hold_monitor_against(&random_mixed(&mut Rng::new(seed), size, past));
    }
}

#[test]
fn automata_are_as_large_as_what_must_be_remembered() {
    let space = Arc::new(space());
    for (text, safety, accepting) in [
        ("G(a -> O b)", 2, 2),
        ("G(a -> Y b)", 2, 2),
        ("G(a -> H b)", 2, 2),
        ("G(a -> (b S c))", 2, 2),
        ("G(a -> (b T c))", 2, 2),
        // One state for each number of steps that are still missing.
        ("G(a -> H[0:3] b)", 4, 4),
        ("G(a -> O[0:7] b)", 8, 8),
        // Three bits.
        ("G(a -> Y[3] b)", 8, 8),
        // The bit, and the first step, which owes nothing.
        ("G X(Y a <-> b)", 3, 3),
        ("G(O a | !O a)", 1, 1),
        ("G(a -> O a)", 1, 1),
        ("F O a", 1, 2),
        ("F(a & H b)", 2, 2),
    ] {
        let formula = parse(text).unwrap().formula;
        assert_eq!(safety_automaton(&formula, &space).unwrap().states.len(), safety, "{text}");
        assert_eq!(buchi(&formula, &space).unwrap().states.len(), accepting, "{text}");
    }
}

#[test]
fn what_cannot_be_translated_is_said() {
    let space = Arc::new(space());
    let ahead = Formula::proposition("a").next().once();
    assert_eq!(safety_automaton(&ahead, &space).unwrap_err(), TranslationError::PastOfFuture);
    let unknown = Formula::proposition("nobody").once().globally();
    assert!(matches!(safety_automaton(&unknown, &space), Err(TranslationError::Unknown(_))));
    let many = parse("G(a -> O[30:30] b)").unwrap().formula;
    assert_eq!(safety_automaton(&many, &space).unwrap_err(), TranslationError::TooLarge);
}
