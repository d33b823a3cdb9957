//! The log of a session adds up to its report, and a live view sees everything in order.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use provoke::campaign::{Event, Limits, Observer};
use provoke::letter::Letter;
use provoke::report::Report;
use provoke::session::{Archive, Attempt, Here, Log, LogError, Plan, Pursue, Record, Tallies};
use provoke::specification::Specification;
use provoke::strategy::{CATALOGUE, StrategyChoice};
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
    id  = "broken in"
    violates = "locked"

    [[objective]]
    id  = "rings"
    ltl = "F (bell & !knock & X (bell & !knock & X bell))"
"#;

/// Forgets the lock after the second knock in a row, rings now and then, and may break after so many steps.
fn door(breaks: u32) -> impl System {
    Closure::new(
        || (0, 0),
        move |(knocks, steps): &mut (u32, u32), input: Letter| {
            *steps += 1;
            assert!(*steps < breaks, "worn out");
            *knocks = if input.get(0) { *knocks + 1 } else { 0 };
            let open = input.get(0) && (!input.get(1) || *knocks > 2);
            Letter::default().with(0, open).with(1, *steps % 3 == 1)
        },
    )
}

fn logged(
    attempt: Attempt,
    specification: &Specification,
    archive: &Archive,
    breaks: u32,
) -> (Report, String) {
    let mut log = Vec::new();
    let report = Plan::new(vec![attempt])
        .run(&mut Here {
            specification,
            system: &mut door(breaks),
            archive: Some(archive),
            observer: &mut Log::new(&mut log),
        })
        .unwrap();
    (report, String::from_utf8(log).unwrap())
}

/// What the log says, against the report.
fn compare(report: &Report, log: &str, replayed: bool) {
    let tallies = Tallies::of(log).unwrap();
    assert_eq!(
        (tallies.runs, tallies.resets, tallies.steps, tallies.shrink_resets, tallies.shrink_steps),
        (report.runs, report.resets, report.steps, report.shrink_resets, report.shrink_steps)
    );
    assert_eq!(tallies.calibration, report.calibration);
    assert_eq!(tallies.objectives.len(), report.objectives.len());
    for objective in &report.objectives {
        let counts = tallies.objectives[&objective.id];
        assert_eq!(
            (counts.runs, counts.steps, counts.covered),
            (objective.runs, objective.steps, objective.covered),
            "{}",
            objective.id
        );
    }
    let violations = report.violations.iter().map(|found| (found.requirement.clone(), found.trace.len()));
    assert_eq!(tallies.violations, violations.collect());
    if !replayed {
        let triggered = report.requirements.iter().map(|entry| (entry.id.clone(), entry.triggered));
        assert_eq!(tallies.triggered, triggered.collect());
    }
    assert_eq!(tallies.broken, report.system.as_ref().map(|system| system.error.clone()));
    assert_eq!(tallies.verdict.as_deref(), Some(report.verdict.word()));
}

#[test]
fn a_log_adds_up_to_the_report() {
    let mut broken = 0;
    for (at, entry) in CATALOGUE.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let specification = Specification::from_text(&folder.path().join("door.toml"), DOOR).unwrap();
        let archive = Archive::beside(&specification.path);
        let limits = Limits { runs: 15, steps: 12, ..Limits::default() };
        let usual = Attempt::new(&specification, StrategyChoice::named(entry.name), at as u64);
        let usual = Attempt { limits, keep_going: at % 3 > 0, calibrate: at % 2 == 0, ..usual };
        let hunt = Attempt { pursue: Pursue::Hunt, ..usual.clone() };
        for (attempt, breaks, replayed) in [(usual.clone(), 99, false), (usual, 99, true), (hunt, 3, true)] {
            let (report, log) = logged(attempt, &specification, &archive, breaks);
            compare(&report, &log, replayed);
            broken += u32::from(report.system.is_some());
        }
    }
    assert!(broken > 0);
}

/// Holds events against the order in which they may come.
#[derive(Default)]
struct Order {
    run: Option<u64>,
    runs: u64,
    steps: usize,
    started: bool,
    ended: bool,
    covered: usize,
    found: usize,
    confirmed: u32,
    shrunk: usize,
}

impl Observer for Order {
    fn on(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        assert!(self.started ^ matches!(event, Event::Started(_)), "{event:?}");
        assert!(!self.ended, "{event:?}");
        match event {
            Event::Started(opening) => {
                self.started = true;
                assert_eq!(opening.requirements, ["locked", "bell"]);
                assert_eq!(opening.seed, 1);
            }
            Event::RunStarted { run, .. } => {
                assert!(self.run.replace(*run).is_none());
                (self.runs, self.steps) = (self.runs + 1, 0);
                assert_eq!(*run, self.runs);
            }
            Event::Reset { .. } => assert!(self.run.is_some()),
            Event::Steps { run, trace, told, .. } => {
                assert_eq!((Some(*run), *told), (self.run, self.steps));
                self.steps = trace.len();
            }
            Event::RunEnded { run, trace, .. } => {
                assert_eq!(Some(*run), self.run.take());
                assert!(trace.len() >= self.steps);
            }
            Event::Covered { .. } => self.covered += 1,
            Event::Found { .. } => self.found += 1,
            Event::Confirming { again, tries, .. } => {
                self.confirmed += 1;
                assert_eq!((*again, *tries), (self.confirmed, self.confirmed));
            }
            Event::Shrunk { requirement, .. } => self.shrunk += usize::from(requirement.is_some()),
            Event::Violation(_) => {
                assert!(self.shrunk <= self.found);
                assert_eq!(std::mem::take(&mut self.confirmed), 3);
            }
            Event::Ended(_) => self.ended = true,
            _ => {}
        }
        Ok(())
    }
}

#[test]
fn everything_is_told_in_order() {
    let specification = Specification::from_text(Path::new("door.toml"), DOOR).unwrap();
    let limits = Limits { runs: 30, steps: 20, ..Limits::default() };
    let usual = Attempt::new(&specification, StrategyChoice::named("uniform"), 1);
    let mut order = Order::default();
    let report = Plan::new(vec![Attempt { limits, keep_going: true, ..usual }])
        .run(&mut Here {
            specification: &specification,
            system: &mut door(99),
            archive: None,
            observer: &mut order,
        })
        .unwrap();
    assert_eq!(order.runs, report.runs);
    assert_eq!(order.covered, report.objectives.iter().filter(|objective| objective.covered).count());
    assert_eq!((order.found, order.shrunk), (2, 2));
    assert_eq!(report.violations.len(), 2);
    assert!(order.ended);
}

#[test]
fn an_observer_that_fails_loses_no_finding() {
    struct Fails(u32);
    impl Observer for Fails {
        fn on(&mut self, event: &Event<'_>) -> std::io::Result<()> {
            self.0 += u32::from(matches!(event, Event::Confirming { .. }));
            if self.0 < 2 { Ok(()) } else { Err(std::io::Error::other("the disk is full")) }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let specification = Specification::from_text(&folder.path().join("door.toml"), DOOR).unwrap();
    let archive = Archive::beside(&specification.path);
    let hunt = Attempt::new(&specification, StrategyChoice::named("uniform"), 1);
    let hunt = Attempt { pursue: Pursue::Hunt, ..hunt };
    let error = Plan::new(vec![hunt]).run(&mut Here {
        specification: &specification,
        system: &mut door(u32::MAX),
        archive: Some(&archive),
        observer: &mut Fails(0),
    });
    assert_eq!(error.unwrap_err().to_string(), "failed to report progress: the disk is full");
    assert_eq!(std::fs::read_dir(folder.path().join("door.traces")).unwrap().count(), 1);
}

#[test]
fn logs_of_others_are_read_as_far_as_they_are_known() {
    let newer = r#"{"event": "started", "version": 2, "everything": "else"}"#;
    assert_eq!(Record::read(newer), Err(LogError::Newer { found: 2 }));
    let error = Tallies::of(&format!("{newer}\n")).unwrap_err().to_string();
    assert_eq!(error, "failed to read the log: it has version 2, and this program knows versions up to 1");
    assert_eq!(Record::read(r#"{"event": "celebrated", "how": "with cake"}"#), Ok(Record::Unknown));
    let more = r#"{"event": "reset", "reset_steps": 3, "since": "then"}"#;
    assert_eq!(Record::read(more), Ok(Record::Reset { reset_steps: 3 }));
    let torn =
        "{\"event\": \"run_ended\", \"run\": 1, \"end\": \"active\", \"steps\": 5}\n{\"event\": \"run_sta";
    assert_eq!(Tallies::of(torn).unwrap().steps, 5);
    let wrong = Tallies::of("{\"event\": \"reset\", \"reset_steps\": 0}\nnonsense\n").unwrap_err();
    assert!(matches!(wrong, LogError::Line { line: 2, .. }), "{wrong}");
}
