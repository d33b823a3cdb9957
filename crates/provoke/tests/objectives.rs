//! Campaigns over several objectives.

#![allow(clippy::unwrap_used)]

use provoke::campaign::Limits;
use provoke::letter::Letter;
use provoke::report::{Overall, Report};
use provoke::session::{self, SessionError, Settings};
use provoke::specification::Specification;
use provoke::strategy::{CATALOGUE, DEFAULT, StrategyEntry, find};
use provoke::system::{Closure, System};

const SIGNALS: &str = "[signals]\ninputs = ['up']\noutputs = ['x', 'y']\n";

/// Counts `up` in a row: `x` from one on, `y` from `high` on.
fn counter(high: u32) -> impl System {
    Closure::new(
        || 0,
        move |count: &mut u32, input: Letter| {
            *count = if input.get(0) { *count + 1 } else { 0 };
            Letter::default().with(0, *count > 0).with(1, *count >= high)
        },
    )
}

fn test(text: &str, strategy: &str, keep_going: bool, high: u32) -> Result<Report, SessionError> {
    let specification = Specification::from_text("o.toml".as_ref(), &format!("{SIGNALS}{text}")).unwrap();
    let objectives: Vec<_> = specification.objectives.iter().collect();
    let mut settings = Settings::new(find(strategy).unwrap(), 1);
    settings.limits = Limits { runs: 500, steps: 20, ..Limits::default() };
    settings.keep_going = keep_going;
    session::test(&specification, &objectives, None, &mut counter(high), &settings, &mut ())
}

#[test]
fn what_is_passed_on_the_way_is_covered() {
    let text = "[[objective]]\nid = 'far'\nltl = 'F y'\n[[objective]]\nid = 'near'\nltl = 'F x'\n\
        [[objective]]\nid = 'never'\nltl = 'F(y & !x)'\n[[objective]]\nid = 'again'\nltl = 'F(x & X x)'\n";
    // Without requirements, their automata have nothing to be tried; the published form of backward induction sends the first
    // of all inputs that look equally good, for ever; and `least-cost` takes turns between inputs of the one state that is open
    // here, as in example 3 of paper 2, so that it never sends `up` three times in a row (nor does it go onward, where there is
    // nothing but that state).
    let turns = ["backward-induction-published", "least-cost", "least-cost-onward"];
    let is_wanted = |entry: &&StrategyEntry| !entry.needs.ends() && !turns.contains(&entry.name);
    for entry in CATALOGUE.iter().filter(is_wanted) {
        let report = test(text, entry.name, false, 3).unwrap();
        let [far, near, never, again] = &report.objectives[..] else { panic!("four objectives") };
        assert!(far.covered && far.runs > 0, "{}", entry.name);
        for passed in [near, again] {
            assert!(passed.covered && passed.runs == 0 && passed.steps == 0, "{}", entry.name);
        }
        assert_eq!(near.trace.as_ref().map(|trace| trace.last().unwrap().output.get(0)), Some(true));
        assert!(!never.covered && never.runs == 500, "{}: one that is given up uses its share", entry.name);
        assert_eq!(report.steps, far.steps + never.steps, "{}", entry.name);
        assert_eq!(report.verdict, Overall::Exhausted);
    }
}

#[test]
fn a_violation_that_is_wanted_is_one_objective_among_others() {
    let text = "[[requirement]]\nid = 'R'\nltl = 'G !y'\n[[objective]]\nid = 'break'\nviolates = 'R'\n\
        [[objective]]\nid = 'near'\nltl = 'F x'\n[[objective]]\nid = 'later'\nltl = 'F(!x & X(x & X !x))'\n";
    let report = test(text, DEFAULT, true, 3).unwrap();
    assert_eq!(report.verdict, Overall::Violated);
    assert!(report.objectives.iter().all(|objective| objective.covered));
    assert_eq!(report.objectives[0].trace.as_ref().map(Vec::len), Some(3), "the shrunk one");
    // Without --keep-going the violation ends the session, and what comes later is not tried.
    let report = test(text, DEFAULT, false, 3).unwrap();
    assert!(report.objectives[0].covered);
    assert_eq!(report.objectives[2].runs, 0);
}

#[test]
fn an_objective_that_cannot_be_reached_withholds_no_finding() {
    let text = "[[requirement]]\nid = 'R'\nltl = 'G(y -> x)'\n[[requirement]]\nid = 'Q'\nltl = 'G !y'\n\
        [[objective]]\nid = 'far'\nltl = 'F(x & X(x & X(x & X x)))'\n[[objective]]\nid = 'not'\nltl = 'F y'\n";
    // Three in a row violate `Q` on the way to four.
    let report = test(text, DEFAULT, false, 3).unwrap();
    assert_eq!(report.verdict, Overall::Violated);
    // A system that keeps it covers the first objective, and then the second is an error.
    match test(text, DEFAULT, false, 100) {
        Err(SessionError::Unreachable(id)) => assert_eq!(id, "not"),
        other => panic!("{:?}", other.map(|report| report.verdict)),
    }
}

#[test]
fn what_surprises_on_the_way_to_an_objective_does_not_end_the_run() {
    // The words that the surprise asks for are none that a run towards the objective may take: it ended in the same place every time.
    let text = "[signals]\ninputs = ['a']\noutputs = ['x']\n[[objective]]\nid = 'O'\nltl = 'a & X(!a & X((a & !x) & X !x))'\n";
    let specification = Specification::from_text("objective.toml".as_ref(), text).unwrap();
    let objectives: Vec<_> = specification.objectives.iter().collect();
    // After the first step without `a` nothing is answered `x`; before it everything is.
    let answer = |is_over: &mut bool, input: Letter| {
        *is_over |= !input.get(0);
        Letter::default().with(0, !*is_over)
    };
    for seed in 0..8 {
        let mut settings = Settings::new(find("learning").unwrap(), seed);
        settings.limits = Limits { total_steps: 5_000, ..Limits::default() };
        let mut system = Closure::new(|| false, answer);
        let report =
            session::test(&specification, &objectives, None, &mut system, &settings, &mut ()).unwrap();
        assert_eq!(report.verdict, Overall::Covered, "seed {seed}");
    }
}
