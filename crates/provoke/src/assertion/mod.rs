//! A user's own `#[test]`: a specification, a system, and an assertion that it passes.

mod signals;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::campaign::Limits;
use crate::diagnostic::SpecError;
use crate::letter::Interface;
use crate::report::{Overall, Report};
use crate::session::{Archive, Attempt, Here, Plan, PlanError, Pursue};
use crate::specification::{OpenError, Specification, Wish};
use crate::strategy::{self, StrategyChoice};
use crate::system::{Measured, System};

pub use signals::{Input, Output};

/// The most steps for each objective where nothing else is said: a fraction of a second for most systems in our process.
const STEPS: u64 = 100_000;

/// A test of a system against a specification, made to be written in one expression.
///
/// ```
/// # let door = r#"
/// #     [signals]
/// #     inputs  = ["knock", "lock"]
/// #     outputs = ["open"]
/// #     [[requirement]]
/// #     id  = "locked"
/// #     ltl = "G (lock -> !open)"
/// # "#;
/// use provoke::Test;
///
/// // Test::of("door.toml") for a file
/// Test::of_text(door)
///     .system(|| 0, |knocks, input, output| {
///         *knocks = if input["knock"] { *knocks + 1 } else { 0 };
///         output.set("open", *knocks > 2 && !input["lock"]);
///     })
///     .assert_passes();
/// ```
///
/// Without more words it does what `provoke test` does: it covers the objectives of the specification, or, where there
/// are none, looks for violations; within 100 000 steps for each objective. The same test always does the same.
#[must_use = "nothing is tested before `run` or `assert_passes`"]
pub struct Test<'a> {
    name: String,
    specification: Result<Specification, SpecError>,
    system: Option<Make<'a>>,
    objectives: Vec<String>,
    hunt: bool,
    /// None for the usual one.
    strategy: Option<String>,
    options: BTreeMap<String, String>,
    seed: u64,
    runs: Option<u64>,
    steps: u32,
    total_steps: Option<u64>,
    time: Option<Duration>,
    keep_going: bool,
    archive: Option<PathBuf>,
}

/// Makes the system once the names of its signals are known.
type Make<'a> = Box<dyn FnOnce(&Interface) -> Box<dyn System + 'a> + 'a>;

/// Why a test could not be made. What is wrong with the system is in the report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TestError {
    /// The specification is at fault.
    #[error(transparent)]
    Specification(#[from] SpecError),
    /// There is no system to be tested.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The strategy, an objective or the session is at fault.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

impl<'a> Test<'a> {
    /// A test against the specification in a file: a specification, TLSF or an automaton.
    ///
    /// `cargo test` runs tests in the folder of their package.
    pub fn of(path: impl AsRef<Path>) -> Test<'a> {
        let path = path.as_ref();
        Test::new(path.display().to_string(), Specification::load(path))
    }

    /// A test against a specification that stands in the test itself. Files that it names are relative to where the test
    /// runs.
    pub fn of_text(text: &str) -> Test<'a> {
        let name = "specification";
        Test::new(name.to_owned(), Specification::from_text(Path::new(name), text))
    }

    fn new(name: String, specification: Result<Specification, SpecError>) -> Test<'a> {
        Test {
            name,
            specification,
            system: None,
            objectives: Vec::new(),
            hunt: false,
            strategy: None,
            options: BTreeMap::new(),
            seed: 0,
            runs: None,
            steps: Limits::default().steps,
            total_steps: None,
            time: None,
            keep_going: false,
            archive: None,
        }
    }

    /// Tests a state that begins as `fresh()` and is moved by `step`, which reads inputs and sets outputs by name.
    ///
    /// A name that the specification does not know is a panic that suggests the nearest. Any other panic in there is a
    /// finding about the system.
    pub fn system<T: Send + 'a>(
        mut self,
        fresh: impl FnMut() -> T + Send + 'a,
        step: impl FnMut(&mut T, &Input<'_>, &mut Output<'_>) + Send + 'a,
    ) -> Test<'a> {
        self.system = Some(Box::new(|interface| signals::named(interface, fresh, step)));
        self
    }

    /// Tests a system of the caller's making. Without this and [`system`](Test::system), the one that the specification
    /// names is tested: a machine, a program or a server.
    pub fn on(mut self, system: impl System + 'a) -> Test<'a> {
        self.system = Some(Box::new(|_| Box::new(system)));
        self
    }

    /// Covers this objective, and those that were named before, instead of all.
    pub fn objective(mut self, id: impl Into<String>) -> Test<'a> {
        self.objectives.push(id.into());
        self
    }

    /// Leaves the objectives aside and looks for violations.
    pub fn hunt(mut self) -> Test<'a> {
        self.hunt = true;
        self
    }

    /// What picks the inputs, by the name it has on the command line.
    pub fn strategy(mut self, name: impl Into<String>) -> Test<'a> {
        self.strategy = Some(name.into());
        self
    }

    /// An option of the strategy, by the name it has on the command line.
    pub fn option(mut self, name: impl Into<String>, value: impl ToString) -> Test<'a> {
        self.options.insert(name.into(), value.to_string());
        self
    }

    /// The seed of all random choices; 0 otherwise.
    pub fn seed(mut self, seed: u64) -> Test<'a> {
        self.seed = seed;
        self
    }

    /// The most steps in one run; 250 otherwise.
    pub fn steps(mut self, steps: u32) -> Test<'a> {
        self.steps = steps;
        self
    }

    /// The most runs for each objective.
    pub fn runs(mut self, runs: u64) -> Test<'a> {
        self.runs = Some(runs);
        self
    }

    /// The most steps for each objective; 100 000 where neither runs nor time are limited.
    pub fn total_steps(mut self, steps: u64) -> Test<'a> {
        self.total_steps = Some(steps);
        self
    }

    /// The most time for all of it. What is found then depends on how fast the machine is.
    pub fn time(mut self, time: Duration) -> Test<'a> {
        self.time = Some(time);
        self
    }

    /// Goes on after a violation and collects one for each requirement.
    pub fn keep_going(mut self) -> Test<'a> {
        self.keep_going = true;
        self
    }

    /// Keeps what is found in a folder beside the specification file and tries that first the next time, as the command
    /// does. Without a file there is nothing to keep it beside.
    pub fn keep_traces(mut self) -> Test<'a> {
        let path = self.specification.as_ref().ok().map(|specification| specification.path.clone());
        self.archive = path.filter(|path| path.is_file());
        self
    }

    /// Tests the system and reports what was found.
    pub fn run(self) -> Result<Report, TestError> {
        self.tested().map(|(report, _)| report)
    }

    /// Tests the system and panics unless every objective was covered and nothing was violated. The message has the
    /// requirement, the shortest run that violates it, and what repeats the test.
    #[track_caller]
    pub fn assert_passes(self) {
        let again = self.again();
        let name = self.name.clone();
        match self.tested() {
            Err(error) => panic!("{name} cannot be tested: {error}"),
            Ok((report, _)) if report.verdict == Overall::Covered => {}
            Ok((report, specification)) => {
                let story = report.to_text(specification.interface());
                panic!("{name} does not pass: {}\n\n{story}\nthe same again: {again}", headline(&report));
            }
        }
    }

    fn tested(self) -> Result<(Report, Specification), TestError> {
        let usual = Limits { runs: u64::MAX, ..Limits::default() };
        let limits = Limits {
            runs: self.runs.unwrap_or(usual.runs),
            steps: self.steps,
            total_steps: self.total_steps.unwrap_or(match (self.runs, self.time) {
                (None, None) => STEPS,
                _ => usual.total_steps,
            }),
            time: self.time,
            ..usual
        };
        let choice = StrategyChoice { name: self.strategy_name().to_owned(), options: self.options.clone() };
        let pursue = self.pursue();
        let specification = self.specification?;
        let usual = Attempt::new(&specification, choice, self.seed);
        let pursue = pursue.unwrap_or(Pursue::Hunt);
        let attempt = Attempt { pursue, limits, keep_going: self.keep_going, ..usual };
        let mut system = match self.system {
            Some(make) => {
                let interface = specification.interface();
                Measured::boxed(make(&interface.said()), interface)
            }
            None => specification.open(&Wish::default())?.system,
        };
        let archive = self.archive.as_deref().map(Archive::beside);
        let report = Plan::new(vec![attempt]).run(&mut Here {
            specification: &specification,
            system: &mut *system,
            archive: archive.as_ref(),
            observer: &mut (),
        })?;
        drop(system);
        Ok((report, specification))
    }

    /// What it is after; none where the specification is at fault.
    fn pursue(&self) -> Option<Pursue> {
        let specification = self.specification.as_ref().ok()?;
        Some(match self.objectives.is_empty() {
            _ if self.hunt => Pursue::Hunt,
            true => Attempt::new(specification, StrategyChoice::named(strategy::DEFAULT), self.seed).pursue,
            false => Pursue::Objectives(self.objectives.clone()),
        })
    }

    /// The strategy that was named, or else the usual one.
    fn strategy_name(&self) -> &str {
        let usual = || Some(Attempt::usual_strategy(self.specification.as_ref().ok()?, &self.pursue()?));
        self.strategy.as_deref().or_else(usual).unwrap_or(strategy::DEFAULT)
    }

    /// What repeats the test, as it would be written.
    fn again(&self) -> String {
        let mut again = format!(".strategy({:?})", self.strategy_name());
        for (name, value) in &self.options {
            again += &format!(".option({name:?}, {value:?})");
        }
        again + &format!(".steps({}).seed({})", self.steps, self.seed)
    }
}

/// What is wrong, in a few words.
fn headline(report: &Report) -> String {
    match report.verdict {
        Overall::Covered => "it does".to_owned(),
        Overall::Violated => {
            let ids: Vec<&str> = report.violations.iter().map(|found| found.requirement.as_str()).collect();
            format!("violated {}", ids.join(", "))
        }
        Overall::Broken => "the system broke".to_owned(),
        Overall::Exhausted => {
            let open = report.objectives.iter().filter(|objective| !objective.covered);
            let ids: Vec<&str> = open.map(|objective| objective.id.as_str()).collect();
            format!("not covered within the limits: {}", ids.join(", "))
        }
    }
}
