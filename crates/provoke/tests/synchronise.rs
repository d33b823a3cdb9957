//! Reset words against an independent oracle: breadth-first search over all sets of states.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use provoke::machine::{Machine, Names, UNDEFINED};
use provoke::rng::Rng;
use provoke::synchronise::{
    Answer, Impossible, Learning, METHODS, Method, Query, ResetWord, synchronise, verify,
};

fn machine(states: usize, inputs: usize, next: Vec<u32>) -> Machine {
    Machine::from_table(Names::numbered("s", states), Names::numbered("i", inputs), next).expect("a machine")
}

/// Input 0 moves state 0 on to 1 and no other; input 1 turns the circle of states.
fn cerny(states: u32) -> Machine {
    let rows = (0..states).flat_map(|state| [if state == 0 { 1 } else { state }, (state + 1) % states]);
    machine(states as usize, 2, rows.collect())
}

/// The length of a shortest word into each state that any word leads to, by definition.
fn oracle(machine: &Machine) -> BTreeMap<u32, usize> {
    let all: BTreeSet<u32> = (0..machine.states().len() as u32).collect();
    let mut seen = BTreeSet::from([all.clone()]);
    let mut level = vec![all];
    let mut found = BTreeMap::new();
    for length in 0.. {
        let mut next = Vec::new();
        for set in &level {
            if let (1, Some(&only)) = (set.len(), set.first()) {
                found.entry(only).or_insert(length);
            }
            for input in 0..machine.inputs().len() as u32 {
                let image: Option<BTreeSet<u32>> = set.iter().map(|&s| machine.next(s, input)).collect();
                if let Some(image) = image
                    && seen.insert(image.clone())
                {
                    next.push(image);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    found
}

fn ask(machine: &Machine, query: Query) -> Answer {
    synchronise(machine, &query, None)
}

fn found(machine: &Machine, method: Method) -> ResetWord {
    match ask(machine, Query { method, ..Query::default() }) {
        Answer::Found(found) => found,
        other => panic!("{method:?}: {other:?}"),
    }
}

fn some_machine(partial: bool) -> impl Strategy<Value = Machine> {
    (1usize..8, 1usize..4).prop_flat_map(move |(states, inputs)| {
        let defined = 0..states as u32;
        let entry =
            if partial { prop_oneof![6 => defined, 1 => Just(UNDEFINED)].boxed() } else { defined.boxed() };
        proptest::collection::vec(entry, states * inputs).prop_map(move |next| machine(states, inputs, next))
    })
}

/// Every method is sound; all but learning also find a word where there is one, and exact a shortest.
fn check(machine: &Machine) -> Result<(), TestCaseError> {
    let words = oracle(machine);
    let shortest = words.values().min().copied();
    for entry in METHODS {
        let learning = Learning { episodes: 2000, ..Learning::default() };
        match ask(machine, Query { method: entry.method, learning, ..Query::default() }) {
            Answer::Found(found) => {
                prop_assert_eq!(verify(machine, &found.word), Ok(found.target), "{}", entry.name);
                prop_assert!(Some(found.word.len()) >= shortest, "{} is too short", entry.name);
                if entry.method == Method::Exact || found.shortest {
                    prop_assert_eq!(Some(found.word.len()), shortest, "{}", entry.name);
                }
            }
            Answer::None(reason) => prop_assert!(words.is_empty(), "{}: {:?}", entry.name, reason),
            Answer::Unknown(reason) => {
                let excused = matches!(entry.method, Method::QLearning | Method::QSynch)
                    || entry.method == Method::Beam && words.is_empty()
                    || entry.method == Method::Eppstein && !machine.is_complete();
                prop_assert!(excused, "{}: {}", entry.name, reason);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn complete_machines_agree_with_the_oracle(machine in some_machine(false)) {
        check(&machine)?;
    }

    #[test]
    fn partial_machines_agree_with_the_oracle(machine in some_machine(true)) {
        check(&machine)?;
    }

    #[test]
    fn constrained_targets_agree_with_the_oracle(
        machine in some_machine(true),
        wanted in 0u32..8,
        avoided in 0u32..8,
    ) {
        let words = oracle(&machine);
        let count = machine.states().len() as u32;
        let (into, avoid) = (vec![wanted % count], vec![avoided % count]);
        for (query, wanted) in [
            (Query { into: into.clone(), ..Query::default() }, vec![into[0]]),
            (Query { avoid: avoid.clone(), ..Query::default() },
                (0..count).filter(|state| *state != avoid[0]).collect()),
        ] {
            let shortest = wanted.iter().filter_map(|state| words.get(state)).min().copied();
            for method in [Method::Auto, Method::Fast, Method::Exact, Method::Greedy] {
                match ask(&machine, Query { method, ..query.clone() }) {
                    Answer::Found(found) => {
                        prop_assert!(wanted.contains(&found.target));
                        prop_assert_eq!(verify(&machine, &found.word), Ok(found.target));
                        prop_assert!(!found.shortest || Some(found.word.len()) == shortest);
                        prop_assert!(method != Method::Exact || Some(found.word.len()) == shortest);
                    }
                    Answer::None(_) => prop_assert_eq!(shortest, None),
                    Answer::Unknown(reason) => prop_assert!(false, "{}", reason),
                }
            }
        }
    }
}

#[test]
fn cerny_machines_take_the_square_of_one_less() {
    for states in 2..=12u32 {
        let expected = ((states - 1) * (states - 1)) as usize;
        for method in [Method::Exact, Method::Auto, Method::Beam] {
            assert_eq!(found(&cerny(states), method).word.len(), expected, "{states} {method:?}");
        }
    }
    // Beyond what is searched exactly, the beam backwards still finds a shortest word.
    assert_eq!(found(&cerny(40), Method::Fast).word.len(), 39 * 39);
    assert_eq!(found(&cerny(70), Method::Fast).word.len(), 69 * 69);
}

#[test]
fn greedy_methods_do_badly_on_cerny_machines() {
    let length = |method| found(&cerny(16), method).word.len();
    assert_eq!((length(Method::Exact), length(Method::Greedy), length(Method::Eppstein)), (225, 338, 338));
}

/// The state each run ends in, one run after another; none where one is not defined all the way.
fn ends(machine: &Machine, word: &[u32]) -> Option<BTreeSet<u32>> {
    let end = |state: u32| word.iter().try_fold(state, |at, &input| machine.next(at, input));
    (0..machine.states().len() as u32).map(end).collect()
}

fn random(states: u64, inputs: u64, seed: u64) -> Machine {
    let mut rng = Rng::new(seed);
    let next = (0..states * inputs).map(|_| rng.below(states) as u32).collect();
    machine(states as usize, inputs as usize, next)
}

/// Everything falls towards state 0, a long way at once: words are much shorter than on random machines.
fn funnel(states: u32, inputs: u32) -> Machine {
    let row = |state: u32| (0..inputs).map(move |input| (state * (input + 1) + input) % states / (input + 2));
    machine(states as usize, inputs as usize, (0..states).flat_map(row).collect())
}

#[test]
fn fast_is_never_longer_than_greedy() {
    let mut machines: Vec<Machine> = [(40, 2), (70, 5), (100, 10), (300, 3), (1200, 10), (2000, 2)]
        .into_iter()
        .flat_map(|(states, inputs)| (0..4).map(move |seed| random(states, inputs, 1000 * states + seed)))
        .collect();
    machines.extend([cerny(28), cerny(60), funnel(500, 6), funnel(3000, 20)]);
    for machine in machines {
        let (fast, greedy) = (found(&machine, Method::Fast), found(&machine, Method::Greedy));
        let size = (machine.states().len(), machine.inputs().len());
        assert!(fast.word.len() <= greedy.word.len(), "{size:?}: {} {}", fast.word.len(), greedy.word.len());
        for found in [fast, greedy] {
            assert_eq!(ends(&machine, &found.word), Some(BTreeSet::from([found.target])), "{size:?}");
        }
    }
}

#[test]
fn words_of_partial_machines_are_defined_in_every_state() {
    // Half of the entries are undefined but those along a planted word: input i merges what input i - 1 left.
    for seed in 0..20u64 {
        let mut rng = Rng::new(seed);
        let (states, inputs) = (64usize, 6usize);
        let entry = |rng: &mut Rng| if rng.chance(0.5) { rng.index(states) as u32 } else { UNDEFINED };
        let mut next: Vec<u32> = (0..states * inputs).map(|_| entry(&mut rng)).collect();
        let mut alive: BTreeSet<u32> = (0..states as u32).collect();
        for input in 0..inputs {
            let (half, mut image) = (alive.len().div_ceil(2), BTreeSet::new());
            for &state in &alive {
                let to = rng.index(half) as u32;
                next[state as usize * inputs + input] = to;
                image.insert(to);
            }
            alive = image;
        }
        let machine = machine(states, inputs, next);
        for method in [Method::Auto, Method::Greedy, Method::Beam, Method::Exact, Method::QLearning] {
            match ask(&machine, Query { method, ..Query::default() }) {
                Answer::Found(found) => {
                    let (ends, target) = (ends(&machine, &found.word), BTreeSet::from([found.target]));
                    assert_eq!(ends, Some(target), "{method:?} {seed}");
                }
                // Six halvings need not leave one state; but what one method finds, none may deny.
                Answer::None(reason) => {
                    let exact = ask(&machine, Query { method: Method::Exact, ..Query::default() });
                    assert!(matches!(exact, Answer::None(_)), "{method:?} {seed}: {reason:?} {exact:?}");
                }
                Answer::Unknown(_) => {
                    assert!(matches!(method, Method::QLearning | Method::Beam), "{method:?} {seed}")
                }
            }
        }
    }
}

#[test]
fn every_method_is_deterministic() {
    let mut rng = Rng::new(11);
    let next = (0..60 * 3).map(|_| rng.below(60) as u32).collect();
    let machine = machine(60, 3, next);
    for entry in METHODS {
        assert_eq!(found(&machine, entry.method), found(&machine, entry.method), "{}", entry.name);
    }
}

#[test]
fn fast_is_near_the_shortest_on_random_machines() {
    for (states, inputs) in [(30u64, 12), (50, 2), (60, 12), (90, 3)] {
        let mut rng = Rng::new(states);
        let next = (0..states * inputs).map(|_| rng.below(states) as u32).collect();
        let machine = machine(states as usize, inputs as usize, next);
        let (fast, exact) = (found(&machine, Method::Fast), found(&machine, Method::Exact));
        assert!(exact.shortest && fast.word.len() >= exact.word.len());
        assert!(fast.word.len() <= exact.word.len() + 1, "{states} {inputs}");
        assert_eq!(verify(&machine, &fast.word), Ok(fast.target));
    }
}

#[test]
fn the_smallest_machines_have_defined_answers() {
    let none = machine(0, 2, vec![]);
    let one = machine(1, 1, vec![0]);
    let bare = machine(1, 0, vec![]);
    let idle = machine(2, 0, vec![]);
    for entry in METHODS {
        let ask = |machine| ask(machine, Query { method: entry.method, ..Query::default() });
        assert_eq!(ask(&none), Answer::None(Impossible::NoStates));
        assert_eq!(ask(&idle), Answer::None(Impossible::NoTotalInput));
        for machine in [&one, &bare] {
            let Answer::Found(found) = ask(machine) else { panic!("{}", entry.name) };
            assert_eq!((found.word.len(), found.target, found.reachable, found.trap), (0, 0, 1, false));
        }
    }
}

#[test]
fn reasons_are_named() {
    let two_loops = machine(4, 2, vec![1, 1, 0, 0, 3, 3, 2, 2]);
    let answer = ask(&two_loops, Query::default());
    assert!(matches!(answer, Answer::None(Impossible::TwoBottoms { .. })), "{answer:?}");
    let swap = machine(3, 2, vec![1, 1, 0, 0, 0, 1]);
    let answer = ask(&swap, Query::default());
    assert!(matches!(answer, Answer::None(Impossible::NeverMerge { one: 0, other: 1 })), "{answer:?}");
}

#[test]
fn a_trap_is_flagged_and_a_transient_target_can_be_avoided() {
    // Everything falls into state 2, from which only 2 is reached.
    let trap = machine(3, 2, vec![1, 2, 2, 2, 2, 2]).with_initial(0).unwrap();
    let Answer::Found(found) = ask(&trap, Query::default()) else { panic!("no word") };
    assert_eq!((found.target, found.reachable, found.trap), (2, 1, true));
    // Where no start is known, a trap is a target from which at most half of the states can be reached.
    let startless = machine(2, 1, vec![1, 1]);
    let Answer::Found(found) = ask(&startless, Query::default()) else { panic!("no word") };
    assert_eq!((found.target, found.reachable, found.trap), (1, 1, true));
    let answer = ask(&trap, Query { avoid: vec![2], ..Query::default() });
    assert_eq!(answer, Answer::None(Impossible::NotThere { target: 2, reachable: 1 }));
}
