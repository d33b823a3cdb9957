//! Violations that no finite run shows: found as lassos, and only where they are there.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use provoke::campaign::Limits;
use provoke::letter::Letter;
use provoke::monitor::Keepable;
use provoke::report::{Evidence, Overall, Report};
use provoke::session::{self, Archive, Settings};
use provoke::specification::Specification;
use provoke::strategy::find;
use provoke::system::{Closure, System};
use provoke::trace::RequirementNumber;

const SIGNALS: &str = "[signals]\ninputs = ['a', 'b']\noutputs = ['x']\n";

fn specification(text: &str) -> Specification {
    Specification::from_text("lasso.toml".as_ref(), &format!("{SIGNALS}{text}")).unwrap()
}

fn requirement(ltl: &str) -> String {
    format!("[[requirement]]\nid = 'R'\nltl = '{ltl}'\n")
}

fn test(specification: &Specification, states: Option<u32>, system: &mut dyn System) -> Report {
    let mut settings = Settings::new(find("uniform").unwrap(), 1);
    settings.limits = Limits { runs: 500, steps: 30, total_steps: 60_000, ..Limits::default() };
    settings.states = states;
    session::test(specification, &[], None, system, &settings, &mut ()).unwrap()
}

/// Answers `x` to `a` after `delay` more steps.
fn slow(delay: u32) -> impl System {
    Closure::new(
        || 0u32,
        move |left: &mut u32, input: Letter| {
            let x = *left == 1;
            *left = if input.get(0) && *left == 0 { delay } else { left.saturating_sub(1) };
            Letter::default().with(0, x)
        },
    )
}

/// Forgets `a` once `b` was sent `after` times.
fn forgetful(after: u32) -> impl System {
    Closure::new(
        || 0u32,
        move |count: &mut u32, input: Letter| {
            *count = (*count + u32::from(input.get(1))).min(after);
            Letter::default().with(0, input.get(0) && *count < after)
        },
    )
}

#[test]
fn a_declared_bound_makes_a_violation() {
    let specification = specification(&requirement("G(a -> F x)"));
    let report = test(&specification, Some(4), &mut forgetful(3));
    assert_eq!(report.verdict, Overall::Violated);
    let found = &report.violations[0];
    let Evidence::Lasso { stem, rounds } = found.evidence else { panic!("{:?}", found.evidence) };
    assert_eq!((rounds, found.reproduced), (4, (3, 3)));
    assert_eq!(
        (stem, found.trace.len()),
        (3, 4),
        "three times b, the last with a, and then anything without x"
    );
    assert!(report.suspected.is_empty());
    assert_eq!(found.evidence.to_string(), "lasso, 4 rounds");
}

#[test]
fn without_a_bound_it_is_a_suspicion() {
    let specification = specification(&requirement("G(a -> F x)"));
    let report = test(&specification, None, &mut forgetful(2));
    assert_eq!(report.verdict, Overall::Covered);
    assert_eq!(report.violations.len(), 0);
    assert_eq!(report.suspected.len(), 1);
    assert_eq!(report.suspected[0].evidence.to_string(), "lasso, 100 rounds");
    assert!(report.to_text(specification.interface()).contains("SUSPECTED violation of R"));
}

#[test]
fn a_bound_that_is_true_raises_no_false_alarm() {
    // A system that answers after n steps has n + 1 states: so many rounds of one step are enough to see the answer.
    for delay in [1, 2, 5, 9] {
        for ltl in ["G(a -> F x)", "(G F a) -> (G F x)", "F G !a | G F x"] {
            let report = test(&specification(&requirement(ltl)), Some(delay + 1), &mut slow(delay));
            assert_eq!(report.verdict, Overall::Covered, "{delay}, {ltl}");
        }
    }
    // One round less, and it looks as if it never did.
    let report = test(&specification(&requirement("G(a -> F x)")), Some(3), &mut slow(9));
    assert_eq!(report.verdict, Overall::Violated);
}

#[test]
fn obligations_that_are_met_once_a_round_are_met() {
    // Good at every other step alone, for ever: no violation of the first, one of the second.
    let toggle = || {
        Closure::new(
            || false,
            |x: &mut bool, _: Letter| {
                *x = !*x;
                Letter::default().with(0, *x)
            },
        )
    };
    assert_eq!(test(&specification(&requirement("G F x")), Some(2), &mut toggle()).verdict, Overall::Covered);
    assert_eq!(
        test(&specification(&requirement("F G x")), Some(2), &mut toggle()).verdict,
        Overall::Violated
    );
    assert_eq!(
        test(&specification(&requirement("F X (x & X x)")), Some(2), &mut toggle()).verdict,
        Overall::Violated
    );
}

#[test]
fn nobody_is_blamed_for_what_no_system_could_keep() {
    let never = || Closure::new(|| (), |(), _: Letter| Letter::default());
    for ltl in ["F a", "G F (a & X b)", "G(x <-> X a) & G F x | F G a", "F(a & F b)"] {
        let text = specification(&requirement(ltl));
        assert_ne!(text.keepable(RequirementNumber(0)), Keepable::Yes, "{ltl}");
        let report = test(&text, Some(1), &mut never());
        assert!(report.violations.is_empty() && report.suspected.is_empty(), "{ltl}");
    }
    let report = test(&specification(&requirement("G F x")), Some(1), &mut never());
    assert_eq!(report.verdict, Overall::Violated);
}

#[test]
fn no_lasso_while_an_assumption_is_open() {
    let assumed = "[[assumption]]\nid = 'A'\nltl = 'G F a'\n";
    let echo = || Closure::new(|| (), |(), input: Letter| Letter::default().with(0, input.get(0)));
    let kept = specification(&format!("{assumed}{}", requirement("G F x")));
    let report = test(&kept, Some(1), &mut echo());
    assert!(report.violations.is_empty() && report.suspected.is_empty());
    // Without the assumption nobody need send `a`.
    assert_eq!(test(&specification(&requirement("G F x")), Some(1), &mut echo()).verdict, Overall::Violated);
}

#[test]
fn a_saved_lasso_is_tried_first_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lasso.toml");
    let specification =
        Specification::from_text(&path, &format!("{SIGNALS}{}", requirement("G(a -> F x)"))).unwrap();
    let archive = Archive::beside(&path);
    let mut settings = Settings::new(find("uniform").unwrap(), 1);
    settings.states = Some(4);
    settings.limits.total_steps = 60_000;
    let run = |system: &mut dyn System| {
        session::test(&specification, &[], Some(&archive), system, &settings, &mut ()).unwrap()
    };
    let first = run(&mut forgetful(3));
    let saved = first.violations[0].saved.clone().unwrap();
    assert!(std::fs::read_to_string(&saved).unwrap().contains("!loop 4"));
    let again = run(&mut forgetful(3));
    assert_eq!((again.verdict, again.runs), (Overall::Violated, 1));
    let mended = run(&mut forgetful(u32::MAX));
    assert_eq!((mended.verdict, mended.no_longer.len()), (Overall::Covered, 1));
}

/// Answers `x` once `a` and then `b` three times were sent.
fn patient() -> impl System {
    Closure::new(
        || 0u32,
        |seen: &mut u32, input: Letter| {
            *seen = match *seen {
                0 => u32::from(input.get(0) && !input.get(1)),
                seen if input.get(1) && !input.get(0) => (seen + 1).min(4),
                _ => 0,
            };
            Letter::default().with(0, *seen == 4)
        },
    )
}

#[test]
fn what_the_tester_never_does_for_ever_hides_no_violation() {
    // Never sending both is the tester's doing: that goes round and says nothing. Answering before is the system's.
    let specification = specification(&requirement("!x U (a & b)"));
    assert_eq!(specification.keepable(RequirementNumber(0)), Keepable::No);
    for name in ["uniform", "learning", "input-classes", "auto"] {
        let mut settings = Settings::new(find(name).unwrap(), 1);
        settings.limits = Limits { runs: 5_000, steps: 30, total_steps: 60_000, ..Limits::default() };
        settings.states = Some(5);
        for keep_going in [false, true] {
            settings.keep_going = keep_going;
            let report =
                session::test(&specification, &[], None, &mut patient(), &settings, &mut ()).unwrap();
            assert_eq!(report.verdict, Overall::Violated, "{name}");
            assert_eq!(report.violations[0].trace.len(), 4, "{name}");
            assert!(report.suspected.is_empty(), "{name}");
        }
    }
}

#[test]
fn what_may_be_sent_only_later_is_learnt_too() {
    // Whether `b` may be sent is not the system's doing, so what comes after it is looked for wherever it may.
    let kept =
        "[[requirement]]\nid = 'kept'\nltl = 'G(x -> b)'\n[[assumption]]\nid = 'A'\nltl = '!b W (a & X a)'\n";
    let specification = specification(&format!("{}{kept}", requirement("G !x")));
    let mut settings = Settings::new(find("learning").unwrap(), 1);
    settings.limits = Limits { runs: 5_000, steps: 30, total_steps: 20_000, ..Limits::default() };
    settings.keep_going = true;
    let report = session::test(&specification, &[], None, &mut patient(), &settings, &mut ()).unwrap();
    assert_eq!(report.verdict, Overall::Violated);
    let model = report.model.unwrap();
    assert_eq!(model.holds, ["kept"]);
    // Two inputs may be sent at first, and all four somewhere.
    assert!(model.transitions.1 > 2 * model.states && model.states > 1, "{model:?}");
}

#[test]
fn another_monitor_that_comes_back_after_two_rounds_only_hides_no_violation() {
    // Every other answer may not be `x`: no round of one step brings that monitor back to where it was.
    let folder = tempfile::tempdir().unwrap();
    let parity = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"x\"\nacc-name: all\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 1\nState: 1\n[!0] 0\n--END--\n";
    std::fs::write(folder.path().join("parity.hoa"), parity).unwrap();
    let file = folder.path().join("lasso.toml");
    let text = format!(
        "{SIGNALS}{}[[requirement]]\nid = 'parity'\nautomaton = 'parity.hoa'\n",
        requirement("G(a -> F x)")
    );
    std::fs::write(&file, text).unwrap();
    let specification = Specification::load(&file).unwrap();
    for name in ["uniform", "learning", "input-classes", "auto"] {
        let mut settings = Settings::new(find(name).unwrap(), 1);
        settings.limits = Limits { runs: 500, steps: 30, total_steps: 20_000, ..Limits::default() };
        settings.states = Some(4);
        let report = session::test(&specification, &[], None, &mut forgetful(0), &settings, &mut ()).unwrap();
        assert_eq!(report.verdict, Overall::Violated, "{name}");
        assert_eq!(report.violations[0].requirement, "R", "{name}");
    }
}

/// Has `length` states, each with one input of sixteen that leads on and is answered `n`; the others are answered `y` and change
/// nothing. After the last, one input is answered `n` for ever.
fn guarded(length: u32) -> impl System {
    Closure::new(
        || 0u32,
        move |at: &mut u32, input: Letter| {
            let sent = u32::try_from(input.index()).unwrap();
            let is_right = sent == *at * 7 % 16;
            *at = if is_right { (*at + 1).min(length) } else { *at };
            Letter::from_index(u64::from(!is_right))
        },
    )
}

#[test]
fn what_lies_beyond_the_end_of_every_requirement_is_learnt_too() {
    // Nearly every run keeps the only requirement within a few steps, whatever comes then: it would end there.
    let names = (0..16).map(|input| format!("'i{input}'")).collect::<Vec<_>>().join(", ");
    let text = format!("[labels]\ninputs = [{names}]\noutputs = ['n', 'y']\n{}", requirement("F y"));
    let specification = Specification::from_text("lasso.toml".as_ref(), &text).unwrap();
    for name in ["learning", "auto"] {
        for seed in 0..10 {
            let mut settings = Settings::new(find(name).unwrap(), seed);
            settings.limits = Limits { runs: 50_000, steps: 60, total_steps: 4_000, ..Limits::default() };
            settings.states = Some(20 + 1);
            let report =
                session::test(&specification, &[], None, &mut guarded(20), &settings, &mut ()).unwrap();
            // Of 20 such campaigns none took more than 1,625 steps; where runs end with the requirement, none was over after 20,000.
            assert_eq!(report.verdict, Overall::Violated, "{name}, seed {seed}");
        }
    }
}

/// Answers by a table: for each state and input the next state and the number of the answer.
fn tabled(rows: &'static [[(usize, u64); 3]]) -> impl System {
    Closure::new(
        || 0usize,
        move |at: &mut usize, input: Letter| {
            let (to, answer) = rows[*at][input.index() as usize];
            *at = to;
            Letter::from_index(answer)
        },
    )
}

/// Looks for violations under an assumption for so many steps.
fn assuming(assumption: &str, ltl: &str, name: &str, states: u32, system: &mut dyn System) -> Report {
    let text = format!(
        "[labels]\ninputs = ['a', 'b', 'c']\noutputs = ['x', 'y', 'z', 'w']\n[[assumption]]\nid = 'A'\nltl = '{assumption}'\n{}",
        requirement(ltl)
    );
    let specification = Specification::from_text("lasso.toml".as_ref(), &text).unwrap();
    let mut settings = Settings::new(find(name).unwrap(), 1);
    settings.limits = Limits { runs: 5_000, steps: 120, total_steps: 10_000, ..Limits::default() };
    settings.states = Some(states);
    session::test(&specification, &[], None, system, &settings, &mut ()).unwrap()
}

#[test]
fn where_an_answer_broke_an_assumption_nothing_is_learnt_and_nothing_looked_for() {
    // Thirteen states; until `x` was answered `b` may be sent, but only if that is answered `x`. The runs in which it is not are
    // over, so the same state with and without leave looked alike, and the last violation was not found in 200,000 steps.
    const ROWS: [[(usize, u64); 3]; 13] = [
        [(9, 3), (2, 0), (2, 2)],
        [(11, 3), (5, 3), (9, 0)],
        [(8, 3), (1, 2), (9, 3)],
        [(6, 2), (5, 0), (4, 2)],
        [(4, 2), (0, 0), (1, 3)],
        [(3, 0), (4, 0), (2, 2)],
        [(4, 1), (10, 3), (6, 0)],
        [(5, 2), (5, 0), (10, 2)],
        [(12, 2), (12, 3), (12, 3)],
        [(7, 1), (11, 1), (0, 3)],
        [(6, 1), (5, 3), (3, 1)],
        [(10, 0), (0, 1), (4, 2)],
        [(12, 0), (12, 0), (12, 0)],
    ];
    for name in ["learning", "auto"] {
        let report = assuming("!b W x", "G((b & z) -> X F z)", name, 15, &mut tabled(&ROWS));
        assert_eq!(report.verdict, Overall::Violated, "{name}");
    }
}

#[test]
fn what_only_the_system_can_keep_hides_no_violation_and_makes_none() {
    // `a` is answered `y`, then anything with `w`, which is wrong; `c` keeps the promise, if the system is one that does.
    const KEEPS: [[(usize, u64); 3]; 3] =
        [[(1, 1), (0, 2), (0, 2)], [(2, 3), (2, 3), (0, 0)], [(0, 0), (0, 0), (0, 0)]];
    const BREAKS: [[(usize, u64); 3]; 3] =
        [[(1, 1), (0, 2), (0, 2)], [(2, 3), (2, 3), (0, 2)], [(0, 2), (0, 2), (0, 2)]];
    for name in ["uniform", "learning", "auto", "frontier-experience"] {
        let report = assuming("G(a -> F x)", "G !w", name, 3, &mut tabled(&KEEPS));
        assert_eq!(report.verdict, Overall::Violated, "{name}");
        assert_eq!(report.violations[0].trace.len(), 2, "{name}");
        let report = assuming("G(a -> F x)", "G !w", name, 3, &mut tabled(&BREAKS));
        assert!(report.violations.is_empty(), "{name}: no run of this system keeps the assumption");
    }
}

#[test]
fn a_promise_of_the_tester_is_no_part_of_what_is_learnt() {
    // `c` must come again and again: another input is sent in its place at times, which says nothing of the system.
    let ring = |at: &mut u32, input: Letter| {
        let (to, answer) = match input.index() {
            0 => ((*at + 1) % 30, u64::from(*at == 17)),
            1 => (*at, 2),
            _ => (*at / 2, 3),
        };
        *at = to;
        Letter::from_index(answer)
    };
    let report = assuming("G F c", "G !y", "learning", 30, &mut Closure::new(|| 0u32, ring));
    assert_eq!(report.verdict, Overall::Violated);
    let report = assuming("G F c", "G(y -> X !y)", "learning", 30, &mut Closure::new(|| 0u32, ring));
    assert!(report.model.unwrap().states <= 30);
}

#[test]
fn a_saved_lasso_is_made_again_with_as_many_rounds_as_are_wanted_by_now() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::beside(&folder.path().join("lasso.toml"));
    let specification = specification(&requirement("G(a -> F x)"));
    for (declared, violated, suspected) in [(Some(3), 1, 0), (Some(7), 1, 0), (None, 0, 1), (Some(5), 1, 0)] {
        let mut settings = Settings::new(find("uniform").unwrap(), 1);
        settings.limits = Limits { runs: 200, steps: 30, total_steps: 5_000, ..Limits::default() };
        (settings.states, settings.keep_going) = (declared, true);
        let report =
            session::test(&specification, &[], Some(&archive), &mut forgetful(2), &settings, &mut ())
                .unwrap();
        assert_eq!((report.violations.len(), report.suspected.len()), (violated, suspected), "{declared:?}");
        for found in report.violations.iter().chain(&report.suspected) {
            let Evidence::Lasso { rounds, .. } = found.evidence else { panic!("{:?}", found.evidence) };
            assert_eq!(rounds, declared.unwrap_or(100));
        }
    }
}

/// Looks for violations with what was saved before, for so many steps.
fn saved(text: &str, archive: &Archive, states: Option<u32>, steps: u64, system: &mut dyn System) -> Report {
    let mut settings = Settings::new(find("uniform").unwrap(), 1);
    settings.limits = Limits { runs: 200, steps: 30, total_steps: steps, ..Limits::default() };
    (settings.states, settings.keep_going) = (states, true);
    session::test(&specification(text), &[], Some(archive), system, &settings, &mut ()).unwrap()
}

/// Answers `x` in this step and in no other.
fn once(step: u32) -> impl System {
    Closure::new(
        || 0u32,
        move |at: &mut u32, _: Letter| {
            *at = (*at + 1).min(step + 1);
            Letter::default().with(0, *at == step)
        },
    )
}

#[test]
fn what_a_finite_run_shows_is_suspected_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::beside(&folder.path().join("lasso.toml"));
    let text = requirement("(x | X x | X X x) & G F x");
    let report = saved(&text, &archive, None, 5_000, &mut once(3));
    assert_eq!((report.violations.len(), report.suspected.len()), (0, 1));
    // The same inputs violate it within three steps now, and still go round.
    for steps in [300, 1] {
        let report = saved(&text, &archive, None, steps, &mut once(0));
        assert_eq!((report.violations.len(), report.suspected.len()), (1, 0));
        assert_eq!(report.violations[0].evidence, Evidence::Prefix);
    }
}

#[test]
fn a_run_that_was_cut_short_between_two_rounds_shows_no_more_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::beside(&folder.path().join("lasso.toml"));
    let traces = folder.path().join("lasso.traces");
    std::fs::create_dir(&traces).unwrap();
    let trace = "# provoke trace 2\n# violates R; reproduced 3 of 3\n!loop 4\na=1 b=0 / x=0\n";
    std::fs::write(traces.join("R.trace"), trace).unwrap();
    // The third `a` is not sent any more: two rounds are no four, and the answer comes with the third.
    let withholds = "[[requirement]]\nid = 'W'\nltl = '!(a & X a & X X a)'\n";
    let text = requirement("G F x") + withholds;
    let mut system = Closure::new(
        || 0u32,
        |at: &mut u32, _: Letter| {
            *at = (*at + 1).min(3);
            Letter::default().with(0, *at == 3)
        },
    );
    let report = saved(&text, &archive, Some(4), 100, &mut system);
    assert!(report.violations.is_empty() && report.suspected.is_empty(), "{:?}", report.suspected);
    assert_eq!(report.no_longer.len(), 1);
}

#[test]
fn more_rounds_than_a_run_may_have_are_never_made() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::beside(&folder.path().join("lasso.toml"));
    let text = requirement("G F x");
    // The second time it is the saved loop that would take so many.
    for _ in 0..2 {
        let report = saved(&text, &archive, Some(1_000_000_000), 1_000, &mut once(0));
        assert_eq!((report.violations.len(), report.suspected.len()), (0, 1));
        assert_eq!(report.suspected[0].evidence.to_string(), "lasso, 100 rounds");
    }
    let report = saved(&text, &archive, Some(1_000), 10_000, &mut once(0));
    assert_eq!((report.violations.len(), report.suspected.len()), (1, 0));
}

#[test]
fn saved_loops_stop_when_the_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::beside(&folder.path().join("lasso.toml"));
    let specification = specification(&requirement("G F x"));
    let mut settings = Settings::new(find("uniform").unwrap(), 1);
    settings.limits = Limits { total_steps: 1_000, ..Limits::default() };
    let mut test = |states, time, system: &mut dyn System| {
        (settings.states, settings.limits.time) = (Some(states), time);
        session::test(&specification, &[], Some(&archive), system, &settings, &mut ()).unwrap()
    };
    assert_eq!(test(2, None, &mut once(0)).verdict, Overall::Violated);
    let mut slow = Closure::new(
        || (),
        |(), _: Letter| {
            std::thread::sleep(Duration::from_millis(1));
            Letter::default()
        },
    );
    let report = test(100_000, Some(Duration::from_millis(50)), &mut slow);
    assert!(report.steps < 1_000, "{} of 100,000 steps", report.steps);
    // It is not known whether it still occurs.
    assert!(report.no_longer.is_empty() && report.violations.is_empty());
}
