//! Strategies that walk through the automaton of the requirements.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use provoke::automaton::Cubes;
use provoke::campaign::Limits;
use provoke::letter::Letter;
use provoke::report::{Overall, Report};
use provoke::session::{self, Settings};
use provoke::specification::Specification;
use provoke::strategy::{StrategyChoice, find};
use provoke::system::{Closure, System};
use provoke::trace::Step;

const SIGNALS: &str = "[signals]\ninputs = ['a', 'b']\noutputs = ['x', 'y']\n";
const LATCH: &str = "[[requirement]]\nid = 'R1'\nltl = 'G(a -> X x)'\n\
    [[requirement]]\nid = 'R2'\nltl = 'G(b -> F y)'\n[[requirement]]\nid = 'R3'\nltl = 'G !(x & y)'\n";

fn specification(text: &str) -> Specification {
    Specification::from_text("buchi.toml".as_ref(), &format!("{SIGNALS}{text}")).unwrap()
}

/// Answers `x` one step after `a`, and `y` as soon as it can after `b`; forgets `b` on the `faulty` step.
fn latch(faulty: u32) -> impl System {
    Closure::new(
        || (false, false, 0u32),
        move |state: &mut (bool, bool, u32), input| answer(state, input, faulty),
    )
}

fn answer(state: &mut (bool, bool, u32), input: Letter, faulty: u32) -> Letter {
    let (late, owed, steps) = *state;
    let owed = owed || input.get(1);
    let x = late && steps + 1 != faulty;
    let y = owed && !x;
    *state = (input.get(0), owed && !y, steps + 1);
    Letter::default().with(0, x).with(1, y)
}

fn test(specification: &Specification, strategy: &str, k: (u32, u32), system: &mut dyn System) -> Report {
    let mut settings = Settings::new(find(strategy).unwrap(), 1);
    settings.limits = Limits { runs: 300, steps: 200, ..Limits::default() };
    if !settings.strategy.needs.ends() {
        settings.limits.total_steps = 5_000;
    }
    (settings.options.k_min, settings.options.k_max) = k;
    session::test(specification, &[], None, system, &settings, &mut ()).unwrap()
}

/// Algorithm 1 of paper 3, written down a second time, as plainly as it stands there.
fn algorithm_1(cubes: &Cubes, k_min: usize, k_max: usize, faulty: u32) -> (Vec<Vec<Step>>, bool) {
    let mut counter: BTreeMap<usize, u32> = BTreeMap::new();
    let outgoing = |states: &[u32]| -> Vec<usize> {
        (0..cubes.edges.len()).filter(|&edge| states.contains(&cubes.edges[edge].from)).collect()
    };
    outgoing(&[cubes.initial]).into_iter().for_each(|edge| _ = counter.insert(edge, 0));
    let mut tests = Vec::new();
    while counter.values().any(|&visits| visits == 0) && tests.len() < 300 {
        let (mut trace, mut at, mut state) = (Vec::new(), vec![cubes.initial], (false, false, 0));
        while !at.is_empty() && trace.len() < k_max {
            let edges = outgoing(&at);
            edges.iter().for_each(|&edge| _ = counter.entry(edge).or_insert(0));
            let order = |edge: &usize| {
                let target = &cubes.states[cubes.edges[*edge].to as usize];
                (counter[edge], target.distance, usize::MAX - target.edges.len(), *edge)
            };
            let chosen = *edges.iter().min_by_key(|edge| order(edge)).unwrap();
            let input = cubes.edges[chosen].input;
            for edge in edges.iter().filter(|edge| cubes.edges[**edge].input == input) {
                *counter.get_mut(edge).unwrap() += 1;
            }
            let step = Step { input, output: answer(&mut state, input, faulty) };
            let edges = edges.iter().map(|&edge| &cubes.edges[edge]).filter(|edge| edge.takes(&step));
            at = edges.map(|edge| edge.to).collect();
            trace.push(step);
            if trace.len() >= k_min && at.iter().any(|&at| cubes.states[at as usize].accepting) {
                break;
            }
        }
        let failed = at.is_empty();
        tests.push(trace);
        if failed {
            return (tests, true);
        }
    }
    (tests, false)
}

#[test]
fn gdfs_is_algorithm_1() {
    let specification = specification(LATCH);
    let cubes = Cubes::new(&specification.conjunction().unwrap()).unwrap();
    assert!(cubes.edges.len() > 10, "{}", cubes.edges.len());
    for k_min in [1, 3, 5] {
        for faulty in [99, 2, 3, 6] {
            let (expected, violated) = algorithm_1(&cubes, k_min, 30, faulty);
            let report = test(&specification, "gdfs", (k_min as u32, 30), &mut latch(faulty));
            assert_eq!(report.runs, expected.len() as u64, "k_min {k_min}, fault at {faulty}");
            assert_eq!(report.steps, expected.iter().map(Vec::len).sum::<usize>() as u64);
            assert_eq!(report.verdict == Overall::Violated, violated, "k_min {k_min}, fault at {faulty}");
        }
    }
}

#[test]
fn tests_end_where_they_may_be_accepted() {
    // Only a test that never ends in an accepting state goes on to k_max: nobody answers `b`.
    let specification = specification(LATCH);
    let mut silent = Closure::new(
        || false,
        |late: &mut bool, input: Letter| Letter::default().with(0, std::mem::replace(late, input.get(0))),
    );
    let report = test(&specification, "gdfs", (1, 9), &mut silent);
    assert_eq!(report.verdict, Overall::Covered);
    assert!(report.steps > report.runs && report.steps < 9 * report.runs, "{} {}", report.steps, report.runs);
    assert_eq!(report.pending.len(), 1, "an open obligation is no violation");
}

#[test]
fn walks_have_nothing_to_try_where_nothing_is_violated_in_finitely_many_steps() {
    let liveness = specification("[[requirement]]\nid = 'R'\nltl = 'G(a -> F x)'\n");
    for walk in ["random-walk", "guided-walk"] {
        let report = test(&liveness, walk, (5, 100), &mut latch(99));
        assert_eq!((report.runs, report.steps), (0, 0), "{walk}");
        let report = test(&specification(LATCH), walk, (5, 100), &mut latch(99));
        assert!(report.runs > 0 && report.verdict == Overall::Covered, "{walk}");
        let report = test(&specification(LATCH), walk, (5, 100), &mut latch(2));
        assert_eq!(report.verdict, Overall::Violated, "{walk}");
    }
}

#[test]
fn guided_walks_take_shortest_paths() {
    // Five steps of `a` without `b` in a row must be answered: chance seldom gets there.
    let chain = "G((a & !b & X(a & !b & X(a & !b & X(a & !b & X(a & !b))))) -> X X X X y)";
    let chain = specification(&format!("[[requirement]]\nid = 'R'\nltl = '{chain}'\n"));
    let mut never = Closure::new(|| (), |(), _: Letter| Letter::default().with(0, true));
    let report = test(&chain, "guided-walk", (5, 40), &mut never);
    assert_eq!(report.verdict, Overall::Violated);
}

#[test]
fn what_must_be_known_is_known_or_said() {
    let mut choice = StrategyChoice::named("gdfs");
    choice.options.insert("k-min".to_owned(), "7".to_owned());
    choice.options.insert("k-max".to_owned(), "6".to_owned());
    let error = choice.resolve().unwrap_err().to_string();
    assert_eq!(error, "option `k-min` cannot be `7`: a test has at most 6 steps (`k-max`)");
    choice.options.insert("k-max".to_owned(), "0".to_owned());
    assert!(choice.resolve().is_err());
}

#[test]
fn the_published_oracle_blames_what_is_merely_pending() {
    // Answers `b` two steps later: right, but a test may end before.
    let slow = || {
        Closure::new(
            || 0u32,
            |left: &mut u32, input: Letter| {
                let y = *left == 1;
                *left = if input.get(1) && *left == 0 { 2 } else { left.saturating_sub(1) };
                Letter::default().with(1, y)
            },
        )
    };
    let text = "[[requirement]]\nid = 'R'\nltl = 'G(b -> F y)'\n";
    let mut published = specification(text);
    published.judge_as_published().unwrap();
    for (strategy, k) in [("gdfs", (1, 1)), ("uniform", (1, 1))] {
        let sound = test(&specification(text), strategy, k, &mut slow());
        assert_eq!((sound.verdict, sound.pending.len()), (Overall::Covered, 1), "{strategy}");
        let report = test(&published, strategy, k, &mut slow());
        assert_eq!(report.verdict, Overall::Violated, "{strategy}");
        assert_eq!(report.violations[0].evidence.to_string(), "published oracle");
        assert_eq!(report.violations[0].requirement, "conjunction");
    }
    // With time to answer, nothing is pending when a test of gdfs ends.
    assert_eq!(test(&published, "gdfs", (1, 30), &mut slow()).verdict, Overall::Covered);
}

#[test]
fn input_classes_sends_every_kind_of_input() {
    let specification = specification(LATCH);
    let report = test(&specification, "input-classes", (1, 1), &mut latch(u32::MAX));
    let [coverage] = &report.coverage[..] else { panic!("one entry") };
    assert_eq!((coverage.of.as_str(), coverage.objective.as_ref()), ("input-classes", None));
    assert_eq!(
        (coverage.covered, report.verdict),
        (coverage.elements, Overall::Covered),
        "{:?}",
        coverage.never
    );
    for faulty in [2, 5, 9] {
        let report = test(&specification, "input-classes", (1, 1), &mut latch(faulty));
        assert_eq!(report.verdict, Overall::Violated, "{faulty}");
    }
}
