//! `provoke test`: the main job.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use provoke::account::shell;
use provoke::campaign::{Limits, ShrinkLimits};
use provoke::coverage::Cover;
use provoke::game::FAIRNESS;
use provoke::learn::{Memory, Tree, write_memory};
use provoke::report::Report;
use provoke::session::{Archive, Attempt, Here, Plan, Pursue};
use provoke::specification::{Loading, Objective, Opened, STATE_LIMIT, Specification};
use provoke::strategy::{DEFAULT, StrategyChoice};
use provoke::suite::{Suite, Tests};
use provoke::system::{System, Timed};
use provoke::trace::write_recording;

use crate::exit::Exit;
use crate::options::{self, StrategyArgs};
use crate::output::{self, mention, recall, say, warn, write_whole};
use crate::reports::ReportArgs;
use crate::system;
use crate::watch::{Wanted, Watch};

/// The arguments of `provoke test`.
#[derive(Args)]
pub(crate) struct TestArgs {
    /// The specification file
    spec: PathBuf,
    /// Cover this objective; may be given several times [default: all of the file, in order]
    #[arg(long = "objective", value_name = "ID")]
    objectives: Vec<String>,
    /// Leave the objectives aside and look for violations until the budget ends
    #[arg(long, conflicts_with = "objectives")]
    hunt: bool,
    /// Cover all of something instead: every state, transition or label of the requirements; may be given several times
    #[arg(long, value_name = "WHAT", value_parser = ["states", "transitions", "abstract-transitions", "labels"],
        conflicts_with_all = ["objectives", "hunt"])]
    cover: Vec<String>,
    /// Run the tests of this suite, which `provoke generate` made, each once
    #[arg(long, value_name = "FILE", conflicts_with_all = ["objectives", "hunt", "cover", "strategy"])]
    suite: Option<PathBuf>,
    /// Start from what this file remembers of the system, and write what was seen to it; where the system answers
    /// otherwise now, it has changed, and that is said [strategies: those that learn]
    #[arg(long, value_name = "FILE", conflicts_with = "suite")]
    memory: Option<PathBuf>,
    #[command(flatten)]
    strategy: StrategyArgs,
    /// The most runs for each objective [default: 10000; no limit where --seconds or --total-steps gives one]
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// The most steps in one run
    #[arg(long, value_name = "K", default_value_t = 250, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Let runs grow: after every N runs, each may take K steps more [default: never]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    grow: Option<u64>,
    /// The most steps in all, for each objective
    #[arg(long, value_name = "N")]
    total_steps: Option<u64>,
    /// The most wall time for the whole session
    #[arg(long, value_name = "T", value_parser = seconds)]
    seconds: Option<Duration>,
    /// The most steps to confirm and shorten a violation; 0 for not shortening it
    #[arg(long, value_name = "N", default_value_t = ShrinkLimits::default().steps)]
    shrink_steps: u64,
    /// The most wall time to confirm and shorten a violation; 0 for not shortening it
    #[arg(long, value_name = "T", default_value = "30", value_parser = seconds)]
    shrink_seconds: Duration,
    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Go on after a violation and collect one for each requirement
    #[arg(long)]
    keep_going: bool,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
    /// Write the violating trace, or else the covering one, to this file
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Write what happens to this file as it happens, one JSON object a line
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    reports: ReportArgs,
    /// Show the page while the session goes on, to browsers on this machine [default address: 127.0.0.1 and any free port]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "127.0.0.1:0", help_heading = "Reports")]
    serve: Option<String>,
    /// Neither re-run saved violations nor save new ones
    #[arg(long)]
    no_save: bool,
    /// The most product states to use for guidance
    #[arg(long, value_name = "N", default_value_t = STATE_LIMIT, value_parser = options::states)]
    states: usize,
    /// What judges: `sound`, each requirement by its own monitor; or `published`, the oracle of paper 3, which may blame
    /// the system for an obligation that is merely pending when a run ends
    #[arg(long, value_name = "NAME", default_value = "sound")]
    oracle: OracleArg,
    /// A bound on the number of the system's states: so many rounds of a loop show a violation of what must happen
    /// some day [default: what the specification says; without any, 100 rounds raise a suspicion]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    states_of_system: Option<u32>,
    /// For how many steps the system may wait for what an assumption promises to happen some day; then inputs that make it
    /// happen are sent
    #[arg(long, value_name = "N", default_value_t = FAIRNESS, value_parser = clap::value_parser!(u32).range(1..))]
    fairness: u32,
    #[command(flatten)]
    system: system::SystemArgs,
}

/// `--oracle`.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum OracleArg {
    /// Four-valued monitors, one for each requirement: only what nothing could mend is a violation
    Sound,
    /// Two-valued: some run of the automaton of all requirements must end in an accepting state
    Published,
}

/// Tests the system and reports.
pub(crate) fn run(args: &TestArgs) -> Result<Exit> {
    let mut specification = Specification::load_with(&args.spec, &Loading::with_states(args.states))?;
    warn(&specification.warnings);
    if args.oracle == OracleArg::Published {
        let failed = || "failed to make the automaton of all requirements together";
        specification.judge_as_published().with_context(failed)?;
    }
    let whole = add_coverage(args, &mut specification);
    let mut plan = Plan::new(vec![attempt(args, &specification, whole)?]);
    if let Some(path) = &args.memory {
        let (entry, options) = plan.attempts[0].strategy.resolve()?;
        ensure!(
            entry.needs.learns(),
            "strategy `{}` learns nothing that {} could keep",
            entry.name,
            path.display()
        );
        let seen = recall(path, specification.interface(), options.nodes)?;
        let seen = seen.unwrap_or_else(|| Tree::new(options.nodes));
        specification.memory = Some(Arc::new(Memory::new(seen)));
    }
    if let Some(path) = &args.suite {
        let suite = read_suite(path, &specification)?;
        // A test is as long as it is.
        let longest = u32::try_from(suite.longest()).unwrap_or(u32::MAX);
        for attempt in &mut plan.attempts {
            attempt.limits.steps = attempt.limits.steps.max(longest);
            attempt.limits.runs = args.runs.unwrap_or(u64::MAX);
            attempt.suite = Some(suite.clone());
        }
    }
    plan.check(&specification)?;
    let Opened { system, in_process } = system::open_with(&specification, &args.system, true, args.seed)?;
    let calibrates = args.strategy.calibrates(in_process);
    plan.attempts.iter_mut().for_each(|attempt| attempt.calibrate = calibrates);
    let archive = Archive::beside(&specification.path);
    let wanted = Wanted {
        log: args.log.as_deref(),
        reports: &args.reports,
        serve: args.serve.as_deref(),
        json: args.json,
        keep_going: args.keep_going,
        limits: limits(args),
    };
    let mut watch = Watch::new(&wanted, &specification)?;
    let mut system: Box<dyn System> = match watch.is_recording() {
        true => {
            let timed = Timed::new(system);
            watch.time(timed.times());
            Box::new(timed)
        }
        false => system,
    };
    let tested = plan.run(&mut Here {
        specification: &specification,
        system: &mut *system,
        archive: (!args.no_save).then_some(&archive),
        observer: &mut watch,
    });
    // Gone before we report: nobody should wait for a child while reading.
    drop(system);
    watch.bar.clear();
    let report = tested?;
    if let (Some(path), Some(memory)) = (&args.memory, &specification.memory)
        && let Err(error) = write_whole(path, write_memory(&memory.recall(), specification.interface()))
    {
        // The verdict stands.
        warn(&[format!("{error:#}")]);
    }
    if let Some(path) = &args.trace
        && let Err(error) = write_wanted_trace(&specification, &report, path)
    {
        // The verdict stands, and the report below has the trace.
        warn(&[format!("{error:#}")]);
    }
    let interface = specification.interface();
    let told = match (args.json, watch.tells) {
        (true, _) => say(format_args!("{:#}\n", report.to_json(interface))),
        (false, _) if args.reports.is_markdown() => Ok(()),
        (false, true) => output::report(&(report.rest_to_text(interface) + &next(&report, &specification))),
        (false, false) => output::report(&(report.to_text(interface) + &next(&report, &specification))),
    };
    if let Err(error) = told {
        watch.fail(&error);
    }
    Ok(watch.finish(&wanted, Exit::of(&report)))
}

/// What to type next.
fn next(report: &Report, specification: &Specification) -> String {
    let saved = report.violations.first().map(|found| &found.saved);
    let saved = saved.or_else(|| report.system.as_ref().map(|found| &found.saved)).and_then(Option::as_ref);
    let Some(saved) = saved else { return String::new() };
    let mut words = vec!["provoke".to_owned(), "replay".to_owned(), saved.clone()];
    if specification.path.extension().is_none_or(|ending| ending != "toml") {
        words.extend(["--spec".to_owned(), specification.path.display().to_string()]);
    }
    let typed: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    words.extend(typed.into_iter().skip_while(|word| word != "--"));
    format!("next: {}\n", shell(&words))
}

/// Adds the objectives that `--cover` asks for, and gives their ids.
fn add_coverage(args: &TestArgs, specification: &mut Specification) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for cover in args.cover.iter().filter_map(|word| Cover::named(word)) {
        let mut objective = Objective::cover(cover);
        if ids.contains(&objective.id) {
            continue;
        }
        while specification.objectives.iter().any(|known| known.id == objective.id) {
            objective.id.push('\'');
        }
        ids.push(objective.id.clone());
        specification.objectives.push(objective);
    }
    ids
}

/// Reads a suite and checks that it fits.
fn read_suite(path: &Path, specification: &Specification) -> Result<Suite> {
    let text = std::fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))?;
    let suite = Suite::from_json(&text).with_context(|| path.display().to_string())?;
    Tests::new(&suite, &specification.space)
        .with_context(|| format!("{} does not fit {}", path.display(), specification.path.display()))?;
    if suite.specification != specification.fingerprint.to_string() {
        mention(format_args!(
            "note: {} was made for another version of the specification; requirements judge all the same",
            path.display()
        ));
    }
    Ok(suite)
}

/// What the command line asks for; `whole` are the objectives that it adds.
fn attempt(args: &TestArgs, specification: &Specification, whole: Vec<String>) -> Result<Attempt> {
    let asked = match (args.hunt || args.suite.is_some(), args.objectives.is_empty(), whole.is_empty()) {
        (true, ..) => Some(Pursue::Hunt),
        (false, true, true) => None,
        (false, true, false) => Some(Pursue::Objectives(whole)),
        (false, false, _) => Some(Pursue::Objectives(args.objectives.clone())),
    };
    let usual = Attempt::new(specification, StrategyChoice::named(DEFAULT), args.seed);
    let pursue = asked.unwrap_or(usual.pursue);
    let default = match args.memory {
        Some(_) => DEFAULT,
        None => Attempt::usual_strategy(specification, &pursue),
    };
    Ok(Attempt {
        strategy: args.strategy.choice(default)?,
        pursue,
        limits: limits(args),
        keep_going: args.keep_going,
        state_limit: args.states,
        states_of_system: args.states_of_system,
        fairness: args.fairness,
        shrink: ShrinkLimits {
            steps: args.shrink_steps,
            time: args.shrink_seconds,
            ..ShrinkLimits::default()
        },
        ..usual
    })
}

fn limits(args: &TestArgs) -> Limits {
    let limited = args.seconds.is_some() || args.total_steps.is_some();
    Limits {
        runs: args.runs.unwrap_or(if limited { u64::MAX } else { Limits::default().runs }),
        steps: args.steps,
        grow: args.grow.unwrap_or(0),
        total_steps: args.total_steps.unwrap_or(u64::MAX),
        time: args.seconds,
    }
}

fn write_wanted_trace(specification: &Specification, report: &Report, path: &Path) -> Result<()> {
    let violation =
        report.violations.first().map(|found| (&found.trace, format!("violates {}", found.requirement)));
    let broken = || report.system.as_ref().map(|system| (&system.trace, system.error.clone()));
    let unanswered =
        report.system.as_ref().filter(|_| violation.is_none()).and_then(|system| system.unanswered);
    let covering = || {
        let covered = report.objectives.iter().find_map(|found| Some((found.trace.as_ref()?, &found.id)));
        covered.map(|(trace, id)| (trace, format!("covers {id}")))
    };
    match violation.or_else(broken).or_else(covering) {
        Some((trace, note)) => {
            write_whole(path, write_recording(specification.interface(), trace, unanswered, &[note]))
        }
        None => {
            mention(format_args!("note: nothing was found, so {} was not written", path.display()));
            Ok(())
        }
    }
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "expected a number of seconds, 0 or more".to_owned())
}
