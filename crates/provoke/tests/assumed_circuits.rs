//! Circuits as assumptions that are too large to be written down.

#![allow(clippy::unwrap_used)]

use provoke::campaign::Limits;
use provoke::letter::Letter;
use provoke::session::{self, Settings};
use provoke::specification::Specification;
use provoke::strategy::find;
use provoke::system::{Closure, System};
use provoke::verify::{Outcome, Unknown};

/// A circuit that says something is wrong once `b` was sent as often as a counter of so many bits can count.
fn counter(bits: usize) -> String {
    let (mut gates, mut latches, mut carry) = (Vec::new(), Vec::new(), 2);
    let mut and = |one: usize, other: usize| {
        let gate = 2 * (2 + bits + gates.len());
        gates.push(format!("{gate} {one} {other}\n"));
        gate
    };
    for latch in (2..bits + 2).map(|latch| 2 * latch) {
        let both = and(latch, carry);
        let none = and(latch ^ 1, carry ^ 1);
        latches.push(format!("{latch} {}\n", and(both ^ 1, none ^ 1)));
        carry = both;
    }
    let all = 1 + bits + gates.len();
    format!(
        "aag {all} 1 {bits} 1 {}\n2\n{}{carry}\n{}i0 b\no0 bad\n",
        gates.len(),
        latches.concat(),
        gates.concat()
    )
}

const ASSUMED: &str = "[signals]\ninputs = ['b']\noutputs = ['x']\n[[assumption]]\nid = 'A'\naiger = 'count.aag'\n\
    [[requirement]]\nid = 'R'\nltl = 'G F x'\n[[requirement]]\nid = 'S'\nltl = 'G(b | x)'\n";

#[test]
fn a_large_assumption_that_is_broken_some_day_is_no_ground_for_a_suspicion() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("count.aag"), counter(30)).unwrap();
    let path = folder.path().join("spec.toml");
    let test = |text: &str, total_steps: u64, mut system: Box<dyn System>| {
        std::fs::write(&path, text).unwrap();
        let specification = Specification::load(&path).unwrap();
        let mut settings = Settings::new(find("uniform").unwrap(), 1);
        settings.limits = Limits { total_steps, ..Limits::default() };
        session::test(&specification, &[], None, &mut *system, &settings, &mut ()).unwrap()
    };
    // `x` is missing only as long as `b` is sent, which the assumption has an end to, after a billion rounds.
    let answers = |input: Letter| Letter::default().with(0, !input.get(0));
    let report = test(ASSUMED, 500, Box::new(Closure::new(|| (), move |(), input| answers(input))));
    assert!(report.violations.is_empty() && report.suspected.is_empty(), "{:?}", report.suspected);
    // Where the counter stands still for ever, the assumption holds for ever.
    let text = ASSUMED.replace("G(b | x)", "G(b | !x)");
    let report = test(&text, 5_000, Box::new(Closure::new(|| (), |(), _| Letter::default())));
    assert_eq!(report.suspected.len(), 1);
}

#[test]
fn what_rests_on_an_assumption_that_is_too_large_is_not_known() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("count.aag"), counter(30)).unwrap();
    std::fs::write(folder.path().join("spec.toml"), ASSUMED).unwrap();
    std::fs::write(
        folder.path().join("m.dot"),
        "digraph { __start0 -> s; s -> s [label=\"!b / x\"]; s -> s [label=\"b / -\"]; }",
    )
    .unwrap();
    let specification = Specification::load(&folder.path().join("spec.toml")).unwrap();
    let machine = specification.machine(&folder.path().join("m.dot")).unwrap();
    // The run without `x` breaks the assumption; what holds in every run holds in those that keep it.
    let found = specification.verify(&machine).unwrap();
    assert_eq!(found.outcomes, [Outcome::Unknown(Unknown::TooLarge), Outcome::Holds]);
}
