use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use super::*;
use crate::letter::{Interface, Letter};
use crate::report::{Evidence, Judgement, Overall, SilenceReport};
use crate::suite::Tally;
use crate::system::Loss;
use crate::system::Pace;
use crate::trace::Trace;

fn any_trace() -> impl Strategy<Value = Trace> {
    let step = (0..2u64, 0..2u64);
    let letters =
        |(input, output)| Step { input: Letter::from_index(input), output: Letter::from_index(output) };
    vec(step.prop_map(letters), 1..4)
}

fn any_judgement() -> impl Strategy<Value = Judgement> {
    prop_oneof![
        Just(Judgement::NeverTriggered),
        Just(Judgement::Satisfied),
        Just(Judgement::SoFarGood),
        (0..3u32).prop_map(Judgement::Pending),
        Just(Judgement::Violated),
    ]
}

fn any_requirement(id: &'static str) -> impl Strategy<Value = RequirementReport> {
    let parts =
        (any::<bool>(), [0..9u64, 0..9u64], 0..9u64, any_judgement(), any::<bool>(), vec("[ab]", 0..2));
    parts.prop_map(|(violated, [violating_runs, excused], triggered, judgement, left_out, withholds)| {
        RequirementReport {
            id: id.to_owned(),
            violated,
            violating_runs,
            excused,
            tested: triggered > 0,
            triggered,
            judgement,
            left_out,
            withholds: BTreeSet::from_iter(withholds).into_iter().collect(),
        }
    })
}

fn any_violation(requirement: &'static str) -> impl Strategy<Value = ViolationReport> {
    let parts = (any_trace(), 0..5usize, (0..3u32, 0..3u32), 0..9u64, any::<bool>(), of("[ab]"));
    parts.prop_map(|(trace, original_len, reproduced, runs, no_system, saved)| ViolationReport {
        requirement: requirement.to_owned(),
        text: "text".to_owned(),
        trace,
        original_len,
        reproduced,
        runs,
        no_answer: Vec::new(),
        no_system,
        silence: None,
        elapsed: None,
        saved,
        evidence: Evidence::default(),
        place: None,
        explanation: None,
    })
}

fn any_silence(steps: u64) -> Option<SilenceReport> {
    (!steps.is_multiple_of(3)).then_some(SilenceReport { patience_ms: 50, steps: steps as usize })
}

fn any_unconfirmed(requirement: &'static str) -> impl Strategy<Value = UnconfirmedReport> {
    (any_trace(), 1..9u64).prop_map(|(trace, times)| UnconfirmedReport {
        requirement: requirement.to_owned(),
        trace,
        times,
        silence: any_silence(times),
    })
}

fn any_objective(id: &'static str) -> impl Strategy<Value = ObjectiveReport> {
    (of(any_trace()), of(0..3u32), 0..9u64, 0..9u64).prop_map(|(trace, best_distance, runs, steps)| {
        let silence = any_silence(steps);
        ObjectiveReport {
            id: id.to_owned(),
            covered: trace.is_some(),
            best_distance,
            trace,
            runs,
            steps,
            silence,
        }
    })
}

fn any_breakdown() -> impl Strategy<Value = SystemReport> {
    (any_trace(), of(0..2u64), (0..3u32, 0..3u32), "[ab]").prop_map(
        |(trace, unanswered, reproduced, error)| SystemReport {
            error,
            original_len: trace.len(),
            trace,
            unanswered: unanswered.map(Letter::from_index),
            reproduced,
            stderr: Vec::new(),
            saved: None,
        },
    )
}

prop_compose! {
    fn any_report()(
        strategy in "uniform|greedy|frontier",
        counts in any::<[u8; 12]>(),
        objectives in (of(any_objective("o")), of(any_objective("p"))),
        violations in (of(any_violation("R")), of(any_violation("S"))),
        requirements in (any_requirement("R"), any_requirement("S")),
        notes in (vec("[ab]", 0..2), vec("[ab]", 0..2)),
        pending in (of(0..9u32), of(0..9u32)),
        system in of(any_breakdown()),
        interrupted in of(any::<bool>()),
        reset_cost in of(0..9u32),
        retries in vec("[ab]", 0..2),
        unconfirmed in of(any_unconfirmed("R")),
    ) -> Report {
        let count = |at: usize| u64::from(counts[at]);
        let unique = |notes: Vec<String>| BTreeSet::from_iter(notes).into_iter().collect::<Vec<_>>();
        let age = |id: &str, age: Option<u32>| age.map(|age| (id.to_owned(), age));
        let mut report = Report {
            suspected: Vec::new(),
            verdict: Overall::Covered,
            strategy,
            seed: count(0),
            runs: count(1),
            resets: count(2),
            steps: count(3),
            reset_steps: count(4),
            shrink_resets: count(5),
            shrink_steps: count(6),
            // Whole numbers are added without rounding.
            seconds: count(7) as f64,
            strategy_bytes: counts[8].into(),
            objectives: [objectives.0, objectives.1].into_iter().flatten().collect(),
            coverage: Vec::new(),
            suite: [None, Some(Tally { tests: count(1), passed: count(2), failed: count(3), inconclusive: 0 })][counts[0] as usize % 2],
            note: None,
            violations: [violations.0, violations.1].into_iter().flatten().collect(),
            requirements: vec![requirements.0, requirements.1],
            no_longer: unique(notes.0.clone()),
            no_longer_breaks: unique(notes.1.clone()),
            not_this_time: unique(notes.0),
            stranded: false,
            interrupted: interrupted.map(|int| if int { Interrupt::Sigint } else { Interrupt::Sigterm }),
            reset_cost,
            calibration: (count(9), count(10)),
            system,
            pending: [age("R", pending.0), age("S", pending.1)].into_iter().flatten().collect(),
            unconfirmed: unconfirmed.into_iter().collect(),
            unkept: unique(notes.1.clone()),
            not_guiding: unique(notes.1),
            pace: (counts[11] % 2 == 1).then(|| Pace { cycle_ms: 10, inputs: count(1), late: count(2), worst_ms: count(3) }),
            model: None,
            retries: retries.into_iter().map(|error| Loss { error, reset: 1, steps: 2 }).collect(),
        };
        report.verdict = report.overall();
        report
    }
}

/// All of a report, with its lists in the order of the alphabet.
fn shown(report: &Report) -> String {
    let mut sorted = report.clone();
    sorted.objectives.sort_by(|a, b| a.id.cmp(&b.id));
    sorted.violations.sort_by(|a, b| a.requirement.cmp(&b.requirement));
    for list in [&mut sorted.no_longer, &mut sorted.no_longer_breaks, &mut sorted.not_this_time] {
        list.sort();
    }
    sorted.not_guiding.sort();
    sorted.unkept.sort();
    sorted.requirements.iter_mut().for_each(|requirement| requirement.withholds.sort());
    sorted.pending.sort();
    sorted.retries.sort_by(|a, b| a.error.cmp(&b.error));
    format!("{sorted:?}")
}

proptest! {
    #[test]
    fn it_does_not_matter_which_are_merged_first(a in any_report(), b in any_report(), c in any_report()) {
        let left = a.clone().merge(b.clone()).merge(c.clone());
        let right = a.clone().merge(b.clone().merge(c.clone()));
        // Not even the order of lists depends on it.
        prop_assert_eq!(format!("{left:?}"), format!("{right:?}"));
        prop_assert_eq!(shown(&left), shown(&c.merge(a).merge(b)));
    }

    #[test]
    fn nothing_is_lost(a in any_report(), b in any_report()) {
        let both = a.clone().merge(b.clone());
        prop_assert_eq!(both.steps, a.steps + b.steps);
        let violated = [&a, &b].iter().any(|report| !report.violations.is_empty());
        prop_assert_eq!(both.verdict == Overall::Violated, violated);
        for part in [&a, &b] {
            for violation in &part.violations {
                let kept = both.violations.iter().find(|kept| kept.requirement == violation.requirement);
                prop_assert!(kept.is_some_and(|kept| kept.trace.len() <= violation.trace.len()));
            }
            for objective in &part.objectives {
                let kept = both.objectives.iter().find(|kept| kept.id == objective.id).unwrap();
                prop_assert!(kept.covered || !objective.covered);
                prop_assert_eq!(kept.covered, kept.trace.is_some());
            }
            for (before, after) in part.requirements.iter().zip(&both.requirements) {
                prop_assert!(before.judgement <= after.judgement && before.triggered <= after.triggered);
            }
        }
        let interface = Interface::signals(["a"], ["x"]).unwrap();
        prop_assert!(!both.to_text(&interface).is_empty() && both.to_json(&interface).is_object());
    }
}
