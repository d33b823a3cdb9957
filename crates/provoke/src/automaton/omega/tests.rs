use super::*;
use crate::automaton::{Verdict, buchi, obligations, write_hoa};
use crate::bdd::Bdd;
use crate::letter::Interface;
use crate::ltl::{Formula, parse};
use crate::rng::Rng;

fn one_signal() -> Arc<Space> {
    Arc::new(Space::new(Interface::signals(["a"], []).unwrap()))
}

fn letters(space: &Space) -> [Bdd; 2] {
    [space.bdds().literal(0, false), space.bdds().literal(0, true)]
}

/// Straight from the definition: whether some run on `stem` and then `cycle` for ever is accepted, by looking for a
/// closed walk in the graph of states and positions.
fn accepted(automaton: &Automaton, ceasing: bool, stem: &[usize], cycle: &[usize]) -> bool {
    let letters = letters(&automaton.space);
    let (states, length) = (automaton.states.len(), stem.len() + cycle.len());
    if states == 0 {
        return false;
    }
    let mut steps: Vec<(usize, usize, Marks)> = Vec::new();
    for (at, state) in automaton.states.iter().enumerate() {
        for place in 0..length {
            let letter = *stem.get(place).unwrap_or_else(|| &cycle[place - stem.len()]);
            let next = if place + 1 < length { place + 1 } else { stem.len() };
            for edge in state.edges.iter().filter(|edge| edge.guard.meets(&letters[letter])) {
                steps.push((at * length + place, edge.to as usize * length + next, state.marks | edge.marks));
            }
        }
    }
    let reach = |steps: &[(usize, usize, Marks)]| {
        let mut reach = vec![vec![false; states * length]; states * length];
        steps.iter().for_each(|&(from, to, _)| reach[from][to] = true);
        for middle in 0..states * length {
            for from in 0..states * length {
                if reach[from][middle] {
                    let on = reach[middle].clone();
                    reach[from].iter_mut().zip(on).for_each(|(reached, on)| *reached |= on);
                }
            }
        }
        reach
    };
    let start = automaton.initial as usize * length;
    let all = reach(&steps);
    let reachable = |at: usize| at == start || all[start][at];
    if ceasing {
        let free: Vec<_> = steps.iter().copied().filter(|step| step.2 == 0).collect();
        let free = reach(&free);
        return (0..states * length).any(|at| reachable(at) && free[at][at]);
    }
    let wanted = automaton.acceptance.marks();
    (0..states * length).any(|at| {
        let round = |&&(from, to, _): &&(usize, usize, Marks)| {
            (from == at || all[at][from]) && (to == at || all[to][at])
        };
        let seen = steps.iter().filter(round).fold(0, |seen, step| seen | step.2);
        reachable(at) && all[at][at] && seen & wanted == wanted
    })
}

fn random(rng: &mut Rng, space: &Arc<Space>, guesses: bool, marks: u32) -> Automaton {
    let letters = letters(space);
    let mut states = vec![StateInfo::default(); 1 + rng.below(3) as usize];
    let count = states.len() as u64;
    for state in &mut states {
        state.marks = if rng.below(2) == 0 { rng.below(1 << marks) as Marks } else { 0 };
        for letter in &letters {
            let times = if guesses { rng.below(3) } else { u64::from(rng.below(6) > 0) };
            for _ in 0..times {
                let (to, marks) = (rng.below(count) as u32, rng.below(1 << marks) as Marks);
                state.edges.push(Edge { guard: letter.clone(), to, marks });
            }
        }
    }
    Automaton { space: space.clone(), name: None, states, initial: 0, acceptance: Acceptance::Buchi(marks) }
}

fn words(longest: u32) -> Vec<Vec<usize>> {
    let of =
        |length: u32| (0..1usize << length).map(move |code| (0..length).map(|at| code >> at & 1).collect());
    (0..=longest).flat_map(of).collect()
}

/// Follows a word; nothing where it is a violation.
fn follow(automaton: &Automaton, word: &[usize]) -> Option<u32> {
    let letters = letters(&automaton.space);
    word.iter().try_fold(automaton.initial, |at, &letter| {
        let edges = &automaton.states[at as usize].edges;
        edges.iter().find(|edge| edge.guard.meets(&letters[letter])).map(|edge| edge.to)
    })
}

/// Every verdict against all short continuations. Automata of three states and two marks show every way to accept on
/// stems of two letters more and cycles of four; a wrong verdict that only longer ones would show is missed.
#[test]
fn verdicts_are_what_the_continuations_say() {
    let space = one_signal();
    let mut rng = Rng::new(3);
    let (beginnings, stems) = (words(3), words(2));
    let cycles: Vec<Vec<usize>> = words(4).into_iter().filter(|word| !word.is_empty()).collect();
    let mut decided = [0; 3];
    for round in 0..160 {
        let (guesses, ceasing) = (round % 4 >= 2, round % 2 == 1);
        let marks = if ceasing { 1 } else { 1 + rng.below(2) as u32 };
        let automaton = random(&mut rng, &space, guesses, marks);
        let accepts = |word: &[usize]| -> (bool, bool) {
            let lassos = || stems.iter().flat_map(|stem| cycles.iter().map(move |cycle| (stem, cycle)));
            let of = |stem: &[usize], cycle: &[usize]| {
                accepted(&automaton, ceasing, &[word, stem].concat(), cycle)
            };
            let mut some = lassos().map(|(stem, cycle)| of(stem, cycle));
            let first = some.next() == Some(true);
            (first || some.clone().any(|yes| yes), first && some.all(|yes| yes))
        };
        let Some(omega) = omega(&automaton, ceasing).unwrap() else {
            assert!(!accepts(&[]).0, "{automaton:?}");
            continue;
        };
        for word in &beginnings {
            let (some, all) = accepts(word);
            let verdict =
                follow(&omega.four_valued.automaton, word).map(|at| omega.four_valued.verdicts[at as usize]);
            assert_eq!(verdict.is_some(), some, "{word:?} {automaton:?}");
            assert_eq!(follow(&omega.safety, word).is_some(), some, "{word:?} {automaton:?}");
            let satisfied = verdict == Some(Verdict::Satisfied);
            assert!(all || !satisfied, "{word:?} {automaton:?}");
            assert!(guesses || all == satisfied, "{word:?} {automaton:?}");
            decided[if satisfied {
                0
            } else if some {
                1
            } else {
                2
            }] += 1;
        }
        assert!(guesses || omega.rejects.is_some(), "{automaton:?}");
        for (stem, cycle) in stems.iter().flat_map(|stem| cycles.iter().map(move |cycle| (stem, cycle))) {
            let right = accepted(&automaton, ceasing, stem, cycle);
            assert_eq!(
                accepted(&omega.accepts, false, stem, cycle),
                right,
                "{stem:?} {cycle:?} {automaton:?}"
            );
            if let Some(rejects) = &omega.rejects {
                assert_eq!(accepted(rejects, false, stem, cycle), !right, "{stem:?} {cycle:?} {automaton:?}");
            }
        }
    }
    assert!(decided.iter().all(|&count| count > 50), "{decided:?}");
}

/// The same property as a formula and as automata of several kinds has the same verdicts on every short run.
#[test]
fn automata_are_judged_like_their_formulas() {
    let response = "State: 0 {0} [!0 | 1] 0 [0 & !1] 1 State: 1 [1] 0 [!1] 1";
    let both = "State: 0 [!0&!1] 0 [0&!1] 0 {0} [!0&1] 0 {1} [0&1] 0 {0 1}";
    for (formula, acceptance, body) in [
        ("G(a -> F b)", "1 Inf(0)", response),
        ("G(a -> F b)", "1 Inf(0)", "State: 0 [!0 | 1] 0 {0} [0 & !1] 1 State: 1 [1] 0 {0} [!1] 1"),
        ("GF a", "1 Inf(0)", "State: 0 [0] 1 [!0] 0 State: 1 {0} [0] 1 [!0] 0"),
        ("FG a", "1 Inf(0)", "State: 0 [t] 0 [0] 1 State: 1 {0} [0] 1"),
        ("FG a", "1 Fin(0)", "State: 0 [0] 0 [!0] 0 {0}"),
        ("FG a", "1 Fin(0)", "State: 0 {0} [0] 1 [!0] 0 State: 1 [0] 1 [!0] 0"),
        ("F a", "1 Inf(0)", "State: 0 [0] 1 [!0] 0 State: 1 {0} [t] 1"),
        ("F a", "1 Fin(0)", "State: 0 {0} [0] 1 [!0] 0 State: 1 [t] 1"),
        ("(F G a) | F b", "1 Inf(0)", "State: 0 [!1] 0 [0&!1] 1 [1] 2 State: 1 {0} [0] 1 State: 2 {0} [t] 2"),
        ("G a & F b", "1 Inf(0)", "State: 0 [0&!1] 0 [0&1] 1 State: 1 {0} [0] 1"),
        ("G(a -> X b)", "1 Fin(0)", "State: 0 [!0] 0 [0] 1 State: 1 [1&!0] 0 [1&0] 1"),
        (
            "G(a -> X b)",
            "1 Inf(0)",
            "State: 0 {0} [!0] 0 [!0] 2 [0] 1 State: 1 {0} [1&!0] 0 [1&0] 1 State: 2 [!0] 0",
        ),
    ] {
        let text = format!(
            "HOA: v1 Start: 0 AP: 2 \"a\" \"b\" controllable-AP: 1 Acceptance: {acceptance} --BODY-- {body} --END--"
        );
        let space = Arc::new(Space::new(Interface::signals(["a"], ["b"]).unwrap()));
        let required = read_required(&Source::new("r.hoa", text), &space);
        let required = required.unwrap_or_else(|error| panic!("{formula}: {error}"));
        let Required::Omega(omega) = required else { panic!("{formula} is no safety property") };
        let expected = obligations(&parse(formula).unwrap().formula, &space).unwrap();
        same_verdicts(&omega.four_valued, &expected, formula);
    }
    // Two marks are counted off in rounds; that is no formula's verdict.
    let text =
        format!("HOA: v1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 2 Inf(0)&Inf(1) --BODY-- {both} --END--");
    let space = Arc::new(Space::new(Interface::signals(["a"], ["b"]).unwrap()));
    let Ok(Required::Omega(omega)) = read_required(&Source::new("r.hoa", text), &space) else { panic!() };
    assert_eq!(omega.four_valued.verdicts.iter().filter(|&&verdict| verdict == Verdict::SoFarBad).count(), 2);
}

/// A formula's Büchi automaton, written and read again, objects exactly where the formula's own monitor does, and is
/// satisfied only where that one is.
#[test]
fn automata_of_formulas_object_where_the_formulas_do() {
    let space = Arc::new(Space::new(Interface::signals(["a"], ["b"]).unwrap()));
    let mut rng = Rng::new(5);
    let (mut guessing, mut satisfied) = (0, 0);
    for _ in 0..150 {
        let formula = random_formula(&mut rng, 3);
        let automaton = buchi(&formula, &space).unwrap();
        let text = write_hoa(&automaton).unwrap();
        let expected = obligations(&formula, &space).unwrap();
        let four_valued = match read_required(&Source::new("r.hoa", text), &space) {
            Ok(Required::Omega(omega)) => omega.four_valued,
            Ok(Required::Safety(_)) => continue,
            Err(error) => {
                assert!(expected.verdicts.is_empty(), "{formula}: {error}");
                continue;
            }
        };
        guessing += usize::from(automaton.nondeterminism().is_some());
        follow_both(&four_valued, &expected, |found, expected| {
            assert_eq!(found.is_none(), expected.is_none(), "{formula}");
            if found == Some(Verdict::Satisfied) {
                assert_eq!(expected, found, "{formula}");
                satisfied += 1;
            }
        });
    }
    assert!(guessing > 10 && satisfied > 10, "{guessing} {satisfied}");
}

fn random_formula(rng: &mut Rng, depth: u32) -> Formula {
    if depth == 0 {
        return Formula::proposition(if rng.below(2) == 0 { "a" } else { "b" });
    }
    let one = random_formula(rng, depth - 1);
    match rng.below(9) {
        0 => one.not(),
        1 => one.next(),
        2 => one.finally(),
        3 => one.globally(),
        4 => one.finally().globally(),
        5 => one.and(random_formula(rng, depth - 1)),
        6 => one.or(random_formula(rng, depth - 1)),
        7 => one.until(random_formula(rng, depth - 1)),
        _ => one.release(random_formula(rng, depth - 1)),
    }
}

fn same_verdicts(found: &FourValued, expected: &FourValued, formula: &str) {
    follow_both(found, expected, |found, expected| assert_eq!(found, expected, "{formula}"));
}

/// Shows the verdicts of two monitors after every word but the empty one: pairs of states are followed until none is
/// new. A violated monitor has none.
fn follow_both(
    found: &FourValued,
    expected: &FourValued,
    mut check: impl FnMut(Option<Verdict>, Option<Verdict>),
) {
    let space = &found.automaton.space;
    let letter =
        |code: u32| &space.bdds().literal(0, code & 1 == 1) & &space.bdds().literal(1, code & 2 == 2);
    let letters: Vec<Bdd> = (0..4).map(letter).collect();
    let step = |monitor: &FourValued, at: Option<u32>, letter: &Bdd| {
        let edges = &monitor.automaton.states[at? as usize].edges;
        edges.iter().find(|edge| edge.guard.meets(letter)).map(|edge| edge.to)
    };
    let verdict = |monitor: &FourValued, at: Option<u32>| at.map(|at| monitor.verdicts[at as usize]);
    let mut open = vec![(Some(found.automaton.initial), Some(expected.automaton.initial), false)];
    let mut known = open.clone();
    while let Some((left, right, moved)) = open.pop() {
        if moved {
            check(verdict(found, left), verdict(expected, right));
        }
        for letter in &letters {
            let next = (step(found, left, letter), step(expected, right, letter), true);
            if !known.contains(&next) {
                known.push(next);
                open.push(next);
            }
        }
    }
}
