//! The figures of paper 1, rebuilt from its text (the figures themselves are pictures): sets, ranks and
//! greedy inputs as the examples state them. What had to be assumed is said at each.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use provoke::automaton::{Automaton, read_requirement};
use provoke::bdd::Space;
use provoke::diagnostic::Source;
use provoke::game::explicit::{Component, Product, Solved, solve};
use provoke::game::{Game, Guide, Next, Place, State, Tier};
use provoke::letter::{Interface, LetterSet};
use provoke::specification::Specification;

fn requirement(interface: Interface, text: &str) -> Arc<Automaton> {
    let space = Arc::new(Space::new(interface));
    Arc::new(read_requirement(&Source::new("figure", text), &space).unwrap())
}

fn solved(automaton: &Arc<Automaton>, goal: &str) -> Solved {
    let component = Component::requirement(automaton.clone());
    let product = Arc::new(Product::new(automaton.space.clone(), vec![component], 1000).unwrap());
    let goal = automaton.state_named(goal).unwrap();
    solve(
        product.clone(),
        |next| matches!(next, Next::To(at) if product.component_state(at, Place(0)) == Some(goal)),
    )
    .unwrap()
}

/// The product state of a requirement state.
fn at(solved: &Solved, name: &str) -> State {
    let product = solved.product();
    let found = (0..product.states() as u32).map(State).find(|&at| product.state_name(at) == name);
    found.unwrap_or_else(|| panic!("no state {name}"))
}

fn letters(solved: &Solved, set: &LetterSet) -> Vec<String> {
    let inputs = &solved.product().space().interface().inputs;
    let mut letters: Vec<String> = set.iter().map(|letter| inputs.show(letter).to_string()).collect();
    letters.sort();
    letters
}

fn greedy(solved: &Solved, name: &str) -> Vec<String> {
    letters(solved, solved.greedy_inputs(at(solved, name)))
}

fn first() -> Interface {
    Interface::labels(["a", "b", "c"], ["0", "1"]).unwrap()
}

const FIRST: &str = include_str!("../../../examples/first/first.hoa");

/// Example 5.0.3: W_0 = {o}, the cooperative states are s0 and s1, f_greedy(s0) = {a}, f_greedy(s1) = {b, c}.
///
/// Assumed: the inputs are a, b, c (the text of Example 2.0.1 names only a and b, f_greedy(s1) needs c);
/// (a, 0) leads from s0 to s1 and (a, 1) to t, which is not an error; every other input stays in s0; from s1,
/// b and c reach o with 1 and fall back to s0 with 0, and a stays.
#[test]
fn figure_1_hierarchy_and_greedy_strategy() {
    let guide = solved(&requirement(first(), FIRST), "o");
    assert_eq!(guide.product().states(), 4);
    let ranks = ["o", "s1", "s0", "t"].map(|name| guide.rank(at(&guide, name)));
    assert_eq!(ranks, [Some(0), Some(1), Some(2), None]);
    let distances = ["o", "s1", "s0", "t"].map(|name| guide.distance(at(&guide, name)));
    assert_eq!(distances, [Some(0), Some(1), Some(2), None]);
    assert_eq!(greedy(&guide, "s0"), ["a"]);
    assert_eq!(greedy(&guide, "s1"), ["b", "c"]);
    for name in ["s0", "s1"] {
        assert!(guide.inputs(at(&guide, name), Tier::Forcing).is_empty(), "{name} needs cooperation");
        assert_eq!(letters(&guide, guide.inputs(at(&guide, name), Tier::Hopeful)).len(), 3);
    }
    assert!(!guide.can_be_forced());
    assert_eq!(guide.farthest(), Some(2));
}

/// Example 4.0.1: the implementation I_1 covers o by the inputs ab, with the trace a0 b1. One that answers 1 to the first
/// a gets inconclusive (t is no error here). One that always answers 0 never gets there: every trace is active.
#[test]
fn example_4_0_1_how_traces_end() {
    let guide = solved(&requirement(first(), FIRST), "o");
    let interface = first();
    let end = |word: &str, answers: &str| {
        let mut at = guide.product().initial();
        for (input, output) in word.chars().zip(answers.chars()) {
            let input = interface.inputs.parse(&input.to_string()).unwrap();
            let output = interface.outputs.parse(&output.to_string()).unwrap();
            match guide.product().next(at, input, output) {
                Next::To(next) => at = next,
                _ => return "error",
            }
            match guide.distance(at) {
                Some(0) => return "covering",
                None => return "inconclusive",
                Some(_) => {}
            }
        }
        "active"
    };
    assert_eq!(end("ab", "01"), "covering");
    assert_eq!(end("a", "1"), "inconclusive");
    // All words of six inputs: the implementation has no covering trace, and no trace says so.
    for number in 0..3usize.pow(6) {
        let word: String = (0..6).map(|at| ["a", "b", "c"][number / 3usize.pow(at) % 3]).collect();
        assert_eq!(end(&word, "000000"), "active", "{word}");
    }
}

/// With t an error state, as Example 2.0.1 also allows, (a, 1) is a win for the tester: s0 is then in W_1 by
/// force, with the same greedy input.
#[test]
fn figure_1_with_t_an_error() {
    let without_t = FIRST
        .replace("[0 & 4] 3\n", "")
        .replace("State: 3 \"t\"\n[t] 3\n", "")
        .replace("States: 4", "States: 3");
    let guide = solved(&requirement(first(), &without_t), "o");
    assert_eq!(guide.product().states(), 3);
    assert_eq!(guide.rank(at(&guide, "s0")), Some(1));
    assert_eq!(letters(&guide, guide.inputs(at(&guide, "s0"), Tier::Forcing)), ["a"]);
    assert_eq!(greedy(&guide, "s1"), ["b", "c"]);
}

/// Fig. 3 with objective {s2}: every answer of the system is either the right one or an error, so the tester
/// can force the objective from the start.
///
/// Assumed: in s0 the carriage is at the backward limit and not at the forward limit, whatever else is "not
/// supposed to happen" (and is therefore not offered to the tester); s2 allows everything but moving both ways.
#[test]
fn figure_3_can_be_forced() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/carriage/figure3.toml");
    let specification = Specification::load(path.as_ref()).unwrap();
    let guidance = specification.guidance(specification.objectives.first(), 1000).unwrap();
    let guide = guidance.inside.solved().unwrap();
    assert_eq!(guide.product().states(), 3);
    assert!(guide.can_be_forced());
    let distances = ["s0", "s1", "s2"].map(|name| guide.distance(at(guide, name)));
    assert_eq!(distances, [Some(2), Some(1), Some(0)]);
    assert_eq!(greedy(guide, "s0"), ["bwdlimit=1 fwdlimit=0 cargo=1"]);
    assert_eq!(greedy(guide, "s1").len(), 4);
    assert!(greedy(guide, "s1").iter().all(|letter| letter.contains("fwdlimit=1")));
    let offered = guide.product().inputs(guide.product().initial());
    assert_eq!(letters(guide, offered), ["bwdlimit=1 fwdlimit=0 cargo=0", "bwdlimit=1 fwdlimit=0 cargo=1"]);
}

/// Fig. 5: CPre(O) = O and {s0, s0'}; s0c cooperates into W_0; s1 forces s0c; s1c cooperates into W_1 but may
/// lose the goal for good.
///
/// Assumed: two inputs x (drawn bold) and y, three outputs, and s0' reached from s0c by a third output.
#[test]
fn figure_5_hierarchy() {
    let interface = Interface::labels(["x", "y"], ["0", "1", "2"]).unwrap();
    let text = r#"HOA: v1
States: 7
Start: 5
AP: 5 "x" "y" "0" "1" "2"
Acceptance: 0 t
--BODY--
State: 0 "O" [t] 0
State: 1 "s0" [0] 0 [1&2] 3 [1&!2] 5
State: 2 "s0'" [0] 0 [1] 3
State: 3 "s0c" [0&2] 1 [0&3] 5 [0&4] 2 [1] 5
State: 4 "s1" [0] 3 [1] 5
State: 5 "s1c" [0&2] 4 [0&!2] 6 [1] 6
State: 6 "lost" [t] 6
--END--"#;
    let guide = solved(&requirement(interface, text), "O");
    let ranks = ["O", "s0", "s0'", "s0c", "s1", "s1c", "lost"].map(|name| guide.rank(at(&guide, name)));
    assert_eq!(ranks, [Some(0), Some(0), Some(0), Some(1), Some(1), Some(2), None]);
    for (name, tier) in [
        ("s0", Tier::Forcing),
        ("s0'", Tier::Forcing),
        ("s0c", Tier::Helpful),
        ("s1", Tier::Forcing),
        ("s1c", Tier::Helpful),
    ] {
        assert_eq!(letters(&guide, guide.inputs(at(&guide, name), tier)), ["x"], "{name}");
    }
}
