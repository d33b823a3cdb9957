//! Random formulas against their direct evaluation on random periodic words, after every stage.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;

use super::buchi::{candidates, generalised};
use super::chart::subsets;
use super::degeneralise::degeneralise;
use super::draft::{Arrow, Draft, Store};
use super::language::{is_empty, product};
use super::merge::merge;
use super::prune::prune;
use super::simulation::{backward, forward, redirect};
use super::tableau::tableau;
use super::weak::weak;
use crate::automaton::{
    Automaton, Edge, TranslationError, Verdict, buchi, common_word, four_valued, safety_automaton,
    safety_closure,
};
use crate::bdd::Space;
use crate::connected::Components;
use crate::letter::Interface;
use crate::ltl::simplify::Logic;
use crate::ltl::{Formula, Op, holds_for_ever, holds_on, parse};
use crate::rng::Rng;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

pub(super) fn space() -> Space {
    Space::new(Interface::signals([NAMES[0], NAMES[1]], [NAMES[2], NAMES[3]]).unwrap())
}

/// A formula of exactly this many operators, constants and propositions.
pub(super) fn random_formula(rng: &mut Rng, size: usize) -> Formula {
    if size <= 1 {
        return match rng.below(12) {
            0 => Formula::constant(true),
            1 => Formula::constant(false),
            _ => Formula::proposition(*rng.pick(&NAMES).unwrap()),
        };
    }
    if size == 2 || rng.chance(0.4) {
        let arg = random_formula(rng, size - 1);
        let op = match rng.below(9) {
            0 | 1 => Op::Not,
            2 => Op::Next,
            3 => Op::WeakNext,
            4 | 5 => Op::Finally,
            6 => Op::FinallyIn(rng.below(2) as u32, Some(2 + rng.below(2) as u32)),
            7 => Op::GloballyIn(rng.below(2) as u32, [None, Some(2)][rng.index(2)]),
            _ => Op::Globally,
        };
        return Formula::build(op, vec![arg]);
    }
    let left = 1 + rng.index(size - 2);
    let args = vec![random_formula(rng, left), random_formula(rng, size - 1 - left)];
    let ops = [
        Op::And,
        Op::And,
        Op::Or,
        Op::Or,
        Op::Implies,
        Op::Iff,
        Op::Xor,
        Op::Until,
        Op::Until,
        Op::WeakUntil,
        Op::Release,
        Op::StrongRelease,
    ];
    Formula::build(ops[rng.index(ops.len())].clone(), args)
}

/// A letter is a number; bit `i` is the value of name `i`.
pub(super) fn random_word(rng: &mut Rng) -> (Vec<u64>, Vec<u64>) {
    let (prefix, cycle) = (rng.index(5), 1 + rng.index(4));
    // Few distinct letters make words that repeat themselves.
    let letters: Vec<u64> = (0..1 + rng.index(4)).map(|_| rng.below(16)).collect();
    let mut some = |count| (0..count).map(|_| *rng.pick(&letters).unwrap()).collect();
    (some(prefix), some(cycle))
}

pub(super) fn value(letter: &u64, name: &str) -> bool {
    letter >> NAMES.iter().position(|&known| known == name).unwrap() & 1 == 1
}

/// Whether the draft accepts `prefix cycle cycle ...`: some component of its product with the word does.
pub(super) fn accepts(store: &Store, draft: &Draft, prefix: &[u64], cycle: &[u64]) -> bool {
    let letters: Vec<u64> = prefix.iter().chain(cycle).copied().collect();
    let length = letters.len();
    let after = |at: usize| if at + 1 < length { at + 1 } else { prefix.len() };
    let product: Vec<Vec<Arrow>> = (0..draft.len() * length)
        .map(|state| {
            let (at, place) = (state / length, state % length);
            let leaf = store.forest.at(draft.rows[at], |variable| letters[place] >> variable & 1 == 1);
            let to = |to: u32| (to as usize * length + after(place)) as u32;
            store.arrows.get(leaf).iter().map(|arrow| Arrow { to: to(arrow.to), ..*arrow }).collect()
        })
        .collect();
    let components = Components::of_arrows(&product);
    let good: Vec<bool> =
        components.marks(&product).iter().map(|&marks| marks == Some(draft.all_marks())).collect();
    let mut seen = vec![false; product.len()];
    let mut open = vec![draft.initial as usize * length];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        if good[components.of[at] as usize] {
            return true;
        }
        open.extend(product[at].iter().map(|arrow| arrow.to as usize));
    }
    false
}

/// Follows a word through a deterministic automaton; nothing where it has no edge.
fn follow(automaton: &Automaton, word: &[u64]) -> Option<u32> {
    let mut at = automaton.initial;
    automaton.states.get(at as usize)?;
    for letter in word {
        let takes = |edge: &&Edge| edge.guard.contains(|variable| letter >> variable & 1 == 1);
        at = automaton.states[at as usize].edges.iter().find(takes)?.to;
    }
    Some(at)
}

/// All words of this length over the first two names.
fn words(length: usize) -> Vec<Vec<u64>> {
    let longer = |words: Vec<Vec<u64>>, _| {
        let letters = |word: Vec<u64>| (0..4).map(move |letter| [&word[..], &[letter]].concat());
        words.into_iter().flat_map(letters).collect()
    };
    (0..length).fold(vec![Vec::new()], longer)
}

/// Whether some continuation violates, and whether some satisfies, among those that soon repeat themselves.
fn brute_force(formula: &Formula, prefix: &[u64]) -> [bool; 2] {
    let mut found = [false; 2];
    for (lead, repeat) in [(0, 1), (1, 1), (0, 2), (2, 1), (1, 2), (0, 3)] {
        for lead in words(lead) {
            for repeat in words(repeat) {
                let start = [prefix, &lead[..]].concat();
                found[usize::from(holds_for_ever(formula, &start, &repeat, value))] = true;
                if found == [true, true] {
                    return found;
                }
            }
        }
    }
    found
}

/// The states of a Büchi automaton from which it accepts something.
fn alive(automaton: &Automaton) -> Vec<bool> {
    let mut moved = automaton.clone();
    let accepts_from = |state: usize| {
        moved.initial = state as u32;
        common_word(&[&moved], usize::MAX) == Some(true)
    };
    (0..automaton.states.len()).map(accepts_from).collect()
}

/// Whether a Büchi automaton accepts some continuation of a prefix.
fn continues(automaton: &Automaton, alive: &[bool], prefix: &[u64]) -> bool {
    let mut now: BTreeSet<u32> = automaton.states.first().map(|_| automaton.initial).into_iter().collect();
    for letter in prefix {
        let takes = |edge: &&Edge| edge.guard.contains(|variable| letter >> variable & 1 == 1);
        let edges = now.iter().flat_map(|&at| automaton.states[at as usize].edges.iter());
        now = edges.filter(takes).map(|edge| edge.to).collect();
    }
    now.iter().any(|&at| alive[at as usize])
}

/// Monitors, safety automata and closures say of every short word over two names what is expected.
pub(super) fn hold_monitor_against(formula: &Formula) {
    let space = Arc::new(space());
    let two = |name: &Arc<str>| Formula::proposition(if matches!(&**name, "a" | "c") { "a" } else { "b" });
    let formula = formula.replace(two);
    let monitor = four_valued(&formula, &space).unwrap();
    assert!(monitor.automaton.nondeterminism().is_none());
    let safety = safety_automaton(&formula, &space).unwrap();
    let closure = safety_closure(&buchi(&formula, &space).unwrap()).unwrap();
    assert_eq!(closure.states.len(), safety.states.len(), "{formula}");
    // Brute force tries short continuations only, so what it does not find is asked of the automata, which
    // other tests hold against direct evaluation.
    let (with, without) = (buchi(&formula, &space).unwrap(), buchi(&formula.clone().not(), &space).unwrap());
    let (alive_with, alive_without) = (alive(&with), alive(&without));
    for length in 0..=3 {
        for word in words(length) {
            let possible = [continues(&without, &alive_without, &word), continues(&with, &alive_with, &word)];
            let found = brute_force(&formula, &word);
            assert!((0..2).all(|holds| possible[holds] || !found[holds]), "{formula} on {word:?}");
            let expected = match possible {
                [false, _] => Verdict::Satisfied,
                [_, false] => Verdict::Violated,
                _ if holds_on(&formula, &word, value) => Verdict::SoFarGood,
                _ => Verdict::SoFarBad,
            };
            let at = follow(&monitor.automaton, &word);
            let verdict = at.map_or(Verdict::Violated, |at| monitor.verdicts[at as usize]);
            assert_eq!(verdict, expected, "{formula} on {word:?}");
            let safe = follow(&safety, &word).is_some();
            assert_eq!(follow(&closure, &word).is_some(), safe, "{formula} on {word:?}");
            assert_eq!(safe, expected != Verdict::Violated, "{formula} on {word:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn monitors_say_what_brute_force_says(seed: u64, size in 1usize..=7) {
        hold_monitor_against(&random_formula(&mut Rng::new(seed), size));
    }
}

/// The drafts of every stage from the formula to its Büchi automaton, that of the negation, and the simplified
/// formula.
fn stages(
    formula: &Formula,
    space: &Space,
    store: &mut Store,
    rng: &mut Rng,
) -> (Vec<(&'static str, Draft)>, Draft, Formula) {
    let mut stages: Vec<(&str, Draft)> = Vec::new();
    let mut logic = Logic::new(false);
    let plain = logic.forms.import(formula);
    let simple = logic.simplify(plain);
    let shown = logic.forms.export(simple);
    stages.push(("plain tableau", tableau(&mut logic, plain, space, store).unwrap()));
    let mut draft = tableau(&mut logic, simple, space, store).unwrap();
    stages.push(("tableau", draft.clone()));
    for (name, stage) in [
        ("prune", prune as fn(&mut Store, &Draft) -> Draft),
        ("forward", forward),
        ("redirect", redirect),
        ("backward", |store, draft| backward(store, draft, false)),
        ("prune", prune),
    ] {
        draft = stage(store, &draft);
        stages.push((name, draft.clone()));
    }
    for draft in candidates(&mut logic, simple, space, store).unwrap() {
        stages.push(("candidate", draft));
    }
    let not = logic.forms.negate(plain);
    let negation = generalised(&mut logic, not, space, store).unwrap();
    let both = product(store, &draft, &negation).unwrap();
    assert!(is_empty(store, &both), "{formula} meets its negation");
    draft = merge(store, &draft, &negation, false);
    stages.push(("merge", draft.clone()));
    draft = prune(store, &draft);
    stages.push(("prune", draft.clone()));
    let sure = logic.forms.traits(plain).obligation;
    // Whatever the shape says, the comparison with the negation finds obligations that are not too large.
    if let Some(small) = weak(store, &draft, Some(&negation), false, 1000) {
        stages.push(("weak", small));
    }
    if sure {
        match weak(store, &draft, None, true, 1000) {
            Some(small) => stages.push(("surely weak", small)),
            None => assert!(subsets(store, &draft, 1000).is_err(), "{formula} is an obligation"),
        }
    }
    let mut order: Vec<u32> = (0..draft.marks).collect();
    rng.shuffle(&mut order);
    draft = degeneralise(store, &draft, &order);
    stages.push(("degeneralise", draft.clone()));
    for (name, stage) in [
        ("forward with states", forward as fn(&mut Store, &Draft) -> Draft),
        ("redirect with states", redirect),
        ("backward with states", |store, draft| backward(store, draft, true)),
        ("forward with states", forward),
        ("redirect with states", redirect),
    ] {
        draft = stage(store, &draft);
        stages.push((name, draft.clone()));
        stages.push(("merge with states", merge(store, &draft, &negation, true)));
    }
    (stages, negation, shown)
}

/// Every stage accepts exactly the words that the formula holds on.
pub(super) fn hold_stages_against(
    formula: &Formula,
    rng: &mut Rng,
    words: impl Fn(&mut Rng) -> Vec<(Vec<u64>, Vec<u64>)>,
) {
    let mut store = Store::default();
    let (stages, negation, shown) = stages(formula, &space(), &mut store, rng);
    for (prefix, cycle) in words(rng) {
        let expected = holds_for_ever(formula, &prefix, &cycle, value);
        let simplified = holds_for_ever(&shown, &prefix, &cycle, value);
        assert_eq!(simplified, expected, "{formula} simplified to {shown}");
        assert_eq!(accepts(&store, &negation, &prefix, &cycle), !expected, "negation of {formula}");
        for (name, draft) in &stages {
            let accepted = accepts(&store, draft, &prefix, &cycle);
            assert_eq!(accepted, expected, "{name}: {formula} ({shown}) on {prefix:?} {cycle:?}");
        }
    }
}

/// A state of this formula accepts only where its negation has nothing to go on with, and so the pairs of both
/// do not show that it accepts.
#[test]
fn merging_minds_states_that_accept_where_the_negation_is_stuck() {
    let short = |_: &mut Rng| {
        let prefixes = [words(0), words(1), words(2)].concat();
        let cycles = [words(1), words(2), words(3)].concat();
        let after = |prefix: &Vec<u64>| -> Vec<_> {
            cycles.iter().map(|cycle| (prefix.clone(), cycle.clone())).collect()
        };
        prefixes.iter().flat_map(after).collect()
    };
    for text in ["FF b | GG(X b | F !a)", "F b | G F !a"] {
        let formula = parse(text).unwrap().formula;
        (0..8).for_each(|seed| hold_stages_against(&formula, &mut Rng::new(seed), short));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn every_stage_accepts_the_words_of_the_formula(seed: u64, size in 1usize..=20) {
        let mut rng = Rng::new(seed);
        let formula = random_formula(&mut rng, size);
        hold_stages_against(&formula, &mut rng, |rng| (0..20).map(|_| random_word(rng)).collect());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    /// Goals that recur, beside others and as one of several.
    #[test]
    fn rounds_accept_the_words_of_the_formula(seed: u64, size in 2usize..=9) {
        let mut rng = Rng::new(seed);
        let again = |rng: &mut Rng| random_formula(rng, size).finally().globally();
        let (one, two) = (again(&mut rng), again(&mut rng));
        let other = random_formula(&mut rng, 5);
        for formula in [one.clone(), one.clone().and(two), one.clone().and(other.clone()), one.or(other)] {
            hold_stages_against(&formula, &mut rng, |rng| (0..20).map(|_| random_word(rng)).collect());
        }
    }
}

/// What does not fit is refused, and what was there before an attempt is still right after it.
#[test]
fn a_failed_attempt_leaves_no_trace() {
    let (mut store, space) = (Store::default(), space());
    let formula = parse("G(a -> X(b | X c))").unwrap().formula;
    let mut logic = Logic::new(false);
    let form = logic.forms.import(&formula);
    let draft = tableau(&mut logic, form, &space, &mut store).unwrap();
    let other = parse("G(d <-> X X X X a)").unwrap().formula;
    let other = logic.forms.import(&other);
    let made = store.attempt(10, |store| tableau(&mut logic, other, &space, store).ok());
    assert!(made.is_none() && store.check(&draft).is_ok());
    let made = store.attempt(10_000, |store| tableau(&mut logic, other, &space, store).ok()).unwrap();
    let mut rng = Rng::new(1);
    for (prefix, cycle) in (0..200).map(|_| random_word(&mut rng)) {
        let expected = holds_for_ever(&formula, &prefix, &cycle, value);
        assert_eq!(accepts(&store, &draft, &prefix, &cycle), expected);
        let expected = holds_for_ever(&logic.forms.export(other), &prefix, &cycle, value);
        assert_eq!(accepts(&store, &made, &prefix, &cycle), expected);
    }
}

#[test]
fn deep_formulas_are_translated_or_too_large() {
    let nested = |open: &str, inner: &str, close: &str| open.repeat(1_000) + inner + &close.repeat(1_000);
    let small = [
        (nested("(", "a", ")"), 2),
        (nested("!", "a", ""), 2),
        (nested("F ", "a", ""), 2),
        (nested("G ", "a", ""), 1),
        (nested("G F ", "a", ""), 2),
        (nested("a U (", "b", ")"), 2),
        (nested("(", "a", " U b)"), 2),
        (nested("a W (", "b", ")"), 2),
        (nested("a R (", "b", ")"), 2),
        (nested("a M (", "b", ")"), 2),
    ];
    let space = Arc::new(Space::new(Interface::signals(["a"], ["b"]).unwrap()));
    for (text, states) in small {
        let formula = parse(&text).unwrap().formula;
        assert_eq!(four_valued(&formula, &space).unwrap().automaton.states.len(), states, "{:.20}", text);
        assert!(buchi(&formula, &space).unwrap().states.len() <= 2, "{:.20}", text);
    }
    let formula = parse(&("G X ".repeat(4_000) + "a")).unwrap().formula;
    assert!(matches!(four_valued(&formula, &space), Err(TranslationError::TooLarge)));
}
