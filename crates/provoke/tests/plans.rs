//! A session as data: what is written is read again, what cannot be run is said, and attempts add up.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;
use provoke::campaign::{Limits, ShrinkLimits};
use provoke::letter::Letter;
use provoke::report::{Overall, Report};
use provoke::session::{self, Archive, Attempt, AttemptReport, Here, Plan, PlanError, Pursue, Settings};
use provoke::specification::Specification;
use provoke::strategy::{ChoiceError, StrategyChoice, find};
use provoke::system::{Closure, System};

const DOOR: &str = r#"
    [signals]
    inputs  = ["knock", "lock"]
    outputs = ["open", "bell"]

    [[requirement]]
    id  = "locked"
    ltl = "G (lock -> !open)"

    [[requirement]]
    id  = "bell"
    ltl = "G (knock & lock -> X bell)"

    [[objective]]
    id  = "opened"
    ltl = "F open"

    [[objective]]
    id  = "rings"
    ltl = "F bell"
"#;

fn door() -> Specification {
    Specification::from_text(Path::new("door.toml"), DOOR).unwrap()
}

/// Forgets the lock after the second knock in a row, and never rings.
fn forgetful() -> impl System {
    Closure::new(
        || 0,
        |knocks: &mut u32, input: Letter| {
            *knocks = if input.get(0) { *knocks + 1 } else { 0 };
            Letter::default().with(0, input.get(0) && (!input.get(1) || *knocks > 2))
        },
    )
}

fn attempt(specification: &Specification, seed: u64) -> Attempt {
    let limits = Limits { runs: 20, steps: 10, ..Limits::default() };
    Attempt { limits, ..Attempt::new(specification, StrategyChoice::named("uniform"), seed) }
}

fn run(plan: &Plan, specification: &Specification, archive: Option<&Archive>) -> Result<Report, PlanError> {
    plan.run(&mut Here { specification, system: &mut forgetful(), archive, observer: &mut () })
}

/// All of a report but how long it took.
fn timeless(report: &Report, specification: &Specification) -> serde_json::Value {
    let mut report = report.to_json(specification.interface());
    report["seconds"] = 0.into();
    report
}

#[test]
fn a_plan_of_one_attempt_is_a_session() {
    let specification = door();
    for (strategy, keep_going, hunt) in [("uniform", false, true), ("frontier", true, false)] {
        for seed in 0..5 {
            let attempt = Attempt {
                strategy: StrategyChoice::named(strategy),
                keep_going,
                pursue: if hunt { Pursue::Hunt } else { attempt(&specification, seed).pursue },
                ..attempt(&specification, seed)
            };
            let settings = Settings {
                limits: attempt.limits,
                keep_going,
                ..Settings::new(find(strategy).unwrap(), seed)
            };
            let objectives: Vec<_> = specification.objectives.iter().filter(|_| !hunt).collect();
            let directly =
                session::test(&specification, &objectives, None, &mut forgetful(), &settings, &mut ())
                    .unwrap();
            let planned = run(&Plan::new(vec![attempt]), &specification, None).unwrap();
            assert_eq!(timeless(&directly, &specification), timeless(&planned, &specification));
        }
    }
}

#[test]
fn attempts_add_up_here_and_elsewhere() {
    let specification = door();
    let hunt = Attempt { pursue: Pursue::Hunt, keep_going: true, ..attempt(&specification, 3) };
    let opened = Attempt {
        pursue: Pursue::Objectives(vec!["opened".into()]),
        stream: 8,
        ..attempt(&specification, 3)
    };
    let plan = Plan::new(vec![hunt, opened]);
    let here = run(&plan, &specification, None).unwrap();
    let reports: Vec<AttemptReport> = plan
        .attempts
        .iter()
        .map(|attempt| {
            let (system, observer) = (&mut forgetful(), &mut ());
            attempt.run(&mut Here { specification: &specification, system, archive: None, observer }).unwrap()
        })
        .collect();
    assert_eq!(here.runs, reports.iter().map(|part| part.report.runs).sum::<u64>());
    assert_eq!(here.steps, reports.iter().map(|part| part.report.steps).sum::<u64>());
    assert_eq!(here.violations.len(), 2);
    assert_eq!(here.verdict, Overall::Violated);
    let merged = AttemptReport::merge(reports.clone()).unwrap();
    assert_eq!(timeless(&merged.report, &specification), timeless(&here, &specification));
    let other = Specification::from_text(Path::new("door.toml"), &format!("{DOOR}# changed")).unwrap();
    let foreign = AttemptReport { specification: other.fingerprint, ..reports[0].clone() };
    assert!(AttemptReport::merge([reports[0].clone(), foreign]).is_none());
    assert!(AttemptReport::merge([]).is_none());
}

#[test]
fn streams_of_one_seed_differ() {
    let specification = door();
    let hunt = |stream| Attempt {
        pursue: Pursue::Hunt,
        limits: Limits { runs: 1, steps: 40, ..Limits::default() },
        shrink: ShrinkLimits { steps: 0, ..ShrinkLimits::default() },
        stream,
        ..attempt(&specification, 1)
    };
    let trace = |stream| {
        let report = run(&Plan::new(vec![hunt(stream)]), &specification, None).unwrap();
        report.violations[0].trace.clone()
    };
    assert_eq!(trace(0), trace(0));
    assert!((1..5).any(|stream| trace(stream) != trace(0)));
}

#[test]
fn what_one_attempt_saved_is_not_replaced_by_another() {
    let folder = tempfile::tempdir().unwrap();
    let specification = Specification::from_text(&folder.path().join("door.toml"), DOOR).unwrap();
    let archive = Archive::beside(&specification.path);
    let hunt = |seed| Attempt { pursue: Pursue::Hunt, ..attempt(&specification, seed) };
    let plan = Plan::new(vec![hunt(1), hunt(2), hunt(3)]);
    let alone = |attempt: &Attempt| {
        run(&Plan::new(vec![attempt.clone()]), &specification, None).unwrap().violations.len()
    };
    let found: usize = plan.attempts.iter().map(alone).sum();
    let report = run(&plan, &specification, Some(&archive)).unwrap();
    assert!(found > report.violations.len());
    assert_eq!(std::fs::read_dir(folder.path().join("door.traces")).unwrap().count(), found);
}

#[test]
fn what_cannot_be_run_is_said_before_anything_is() {
    let specification = door();
    let error = |attempts: Vec<Attempt>| run(&Plan::new(attempts), &specification, None).unwrap_err();
    let good = attempt(&specification, 0);
    assert!(matches!(error(vec![]), PlanError::Empty));
    let other = Specification::from_text(Path::new("door.toml"), &DOOR.replace("!open", "! open")).unwrap();
    let foreign = error(vec![good.clone(), attempt(&other, 0)]);
    assert!(matches!(foreign, PlanError::OtherSpecification { attempt: 2, .. }));
    assert_eq!(
        foreign.to_string(),
        format!(
            "attempt 2 was made for another specification: door.toml has the fingerprint {}, not {}",
            specification.fingerprint, other.fingerprint
        )
    );
    let unknown = error(vec![Attempt { strategy: StrategyChoice::named("unifrom"), ..good.clone() }]);
    assert_eq!(unknown.to_string(), "there is no strategy `unifrom`; did you mean `uniform`?");
    let options = BTreeMap::from([("epsilom".to_owned(), "0.1".to_owned())]);
    let strategy = StrategyChoice { name: "epsilon-greedy".into(), options };
    let option = error(vec![Attempt { strategy, ..good.clone() }]);
    assert!(matches!(&option, PlanError::Strategy(ChoiceError::UnknownOption { .. })));
    assert!(option.to_string().ends_with("takes no option `epsilom`; did you mean `epsilon`?"));
    let pursue = Pursue::Objectives(vec!["opned".into()]);
    let objective = error(vec![Attempt { pursue, ..good }]);
    assert_eq!(objective.to_string(), "there is no objective `opned`; did you mean `opened`?");
}

#[test]
fn a_plan_is_readable_json() {
    let plan = Plan::new(vec![attempt(&door(), 1)]);
    let text = plan.to_json();
    assert!(text.starts_with("{\n  \"version\": 1,\n"), "{text}");
    // What is not said is as usual, and numbers may stand for themselves.
    let fingerprint = door().fingerprint;
    let short = format!(
        r#"{{"version": 1, "attempts": [{{"specification": "{fingerprint}", "pursue": "hunt", "seed": 7,
            "strategy": {{"name": "frontier", "options": {{"epsilon": 0.5, "nodes": "64"}}}},
            "limits": {{"runs": null}}}}]}}"#
    );
    let short = Plan::from_json(&short).unwrap();
    let Attempt { limits, strategy, shrink, .. } = &short.attempts[0];
    assert_eq!(*limits, Limits { runs: u64::MAX, ..Limits::default() });
    assert_eq!(*shrink, ShrinkLimits::default());
    let (entry, options) = strategy.resolve().unwrap();
    assert_eq!((entry.name, options.epsilon, options.nodes), ("frontier", 0.5, 64));
    let error = |text: &str| Plan::from_json(text).unwrap_err().to_string();
    assert_eq!(
        error(&text.replace("\"version\": 1", "\"version\": 2")),
        "failed to read the plan: it has version 2, and this program knows versions up to 1"
    );
    assert!(error("{}").ends_with("it has no version, a whole number from 1 on"));
    assert!(error(&text.replace("\"seed\"", "\"sede\"")).contains("unknown field `sede`"));
    assert!(error(&text.replace("\"steps\"", "\"stpes\"")).contains("unknown field `stpes`"));
    assert!(error(&text.replace(&fingerprint.to_string(), "xyz")).contains("no fingerprint"));
    assert!(error("[").starts_with("failed to read the plan: "));
}

fn any_duration() -> impl Strategy<Value = Duration> {
    (any::<u64>(), 0..1_000_000_000u32).prop_map(|(seconds, nanos)| Duration::new(seconds, nanos))
}

prop_compose! {
    fn any_attempt()(
        hunt in proptest::option::of(proptest::collection::vec("\\PC*", 0..3)),
        name in "\\PC*",
        options in proptest::collection::btree_map("\\PC*", "\\PC*", 0..3),
        (seed, stream, runs, total_steps, grow) in any::<(u64, u64, u64, u64, u64)>(),
        (steps, confirmations, candidates, shrink_steps) in any::<(u32, u32, u32, u64)>(),
        (time, shrink_time) in (proptest::option::of(any_duration()), any_duration()),
        (state_limit, keep_going, calibrate, text) in any::<(usize, bool, bool, u8)>(),
    ) -> Attempt {
        let text = DOOR.replace("bell", &format!("bell{text}"));
        Attempt {
            states_of_system: None,
            suite: None,
            fairness: steps,
            specification: Specification::from_text(Path::new("d"), &text).unwrap().fingerprint,
            pursue: hunt.map_or(Pursue::Hunt, Pursue::Objectives),
            strategy: StrategyChoice { name, options },
            seed,
            stream,
            limits: Limits { runs, steps, grow, total_steps, time },
            shrink: ShrinkLimits { confirmations, candidates, steps: shrink_steps, time: shrink_time },
            state_limit,
            keep_going,
            calibrate,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read(attempts in proptest::collection::vec(any_attempt(), 0..3)) {
        let plan = Plan::new(attempts);
        prop_assert_eq!(Plan::from_json(&plan.to_json()).unwrap(), plan);
    }

    #[test]
    fn a_chance_survives(epsilon in any::<f64>().prop_filter("in (0, 1)", |e| 0.0 < *e && *e < 1.0)) {
        let options = BTreeMap::from([("epsilon".to_owned(), epsilon.to_string())]);
        let strategy = StrategyChoice { name: "epsilon-greedy".into(), options };
        let plan = Plan::new(vec![Attempt { strategy, ..attempt(&door(), 0) }]);
        let read = Plan::from_json(&plan.to_json()).unwrap();
        prop_assert_eq!(read.attempts[0].strategy.resolve().unwrap().1.epsilon, epsilon);
    }
}
