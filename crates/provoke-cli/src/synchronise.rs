//! `provoke synchronise`: a word that brings a machine to one known state from every state.

mod show;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use provoke::diagnostic::Unknown;
use provoke::format::machine;
use provoke::machine::Machine;
use provoke::synchronise::homing::{Homing, Unhomed, homing};
use provoke::synchronise::{
    Answer, Effort, Impossible, Learning, METHODS, Method, Query, Stage, synchronise,
};

use crate::exit::Exit;
use crate::output::say;

/// The arguments of `provoke synchronise`.
#[derive(Args)]
#[command(after_help = AFTER_HELP, after_long_help = long_help())]
pub(crate) struct SynchroniseArgs {
    /// The machine: .dot, .kiss2, .fsm, .aut, .hoa or .table
    machine: PathBuf,
    /// How to search
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = names())]
    method: String,
    /// Add the missing transitions of a partial machine: loops, or to a new state `error`
    #[arg(long, value_enum, value_name = "HOW")]
    complete: Option<Completion>,
    /// Lead to this state; several allow any of them
    #[arg(long, value_name = "STATE")]
    into: Vec<String>,
    /// Do not lead to this state
    #[arg(long, value_name = "STATE")]
    avoid: Vec<String>,
    /// Search at most this long, 60 unless given; where given, `auto` looks for shorter words all that time
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    seconds: Option<f64>,
    /// The seed of methods that draw random numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Learning rate of q-learning
    #[arg(long, default_value_t = Learning::default().alpha, value_parser = unit, help_heading = "Q-learning")]
    alpha: f64,
    /// Discount of q-learning
    #[arg(long, default_value_t = Learning::default().gamma, value_parser = unit, help_heading = "Q-learning")]
    gamma: f64,
    /// Share of random inputs of q-learning
    #[arg(long, default_value_t = Learning::default().epsilon, value_parser = unit, help_heading = "Q-learning")]
    epsilon: f64,
    /// Inputs tried by q-learning; 100,000,000 unless given, and 1,000,000 by q-synch
    #[arg(long, help_heading = "Q-learning")]
    episodes: Option<u64>,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Exit codes:
  0  a word was found
  2  usage error, or a fault in the file
  3  there is no word, or none was found within the budget";

fn long_help() -> String {
    let mut text = "Methods:\n".to_owned();
    for entry in METHODS {
        let partial = if entry.partial { "" } else { "; complete machines only" };
        text.push_str(&format!("  {:<11} {} ({}{partial})\n", entry.name, entry.about, entry.source));
    }
    format!("{text}\n{AFTER_HELP}")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Completion {
    /// A missing transition stays where it is
    SelfLoop,
    /// A missing transition leads to a new state that is never left
    Sink,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(METHODS.iter().map(|entry| entry.name))
}

fn positive(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    // A year is as good as for ever, and still a time that clocks can add.
    if seconds > 0.0 { Ok(seconds.min(3.2e7)) } else { Err("not a positive number".to_owned()) }
}

fn unit(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("not between 0 and 1".to_owned()) }
}

/// What was asked and what came out, for both ways to show it.
struct Outcome<'a> {
    machine: &'a Machine,
    path: &'a Path,
    method: &'static str,
    answer: Answer,
    seconds: f64,
    read_seconds: f64,
    homing: Option<Result<Homing, Unhomed>>,
}

/// Reads, searches and shows.
pub(crate) fn run(args: &SynchroniseArgs) -> Result<Exit> {
    let started = Instant::now();
    let read = machine::read(&args.machine)?;
    let written_out =
        read.over_valuations().map_err(|error| anyhow!("{}: {error}", args.machine.display()))?;
    let read = written_out.unwrap_or(read);
    let machine = match args.complete {
        None => read,
        Some(Completion::SelfLoop) => read.completed_by_self_loops(),
        Some(Completion::Sink) => read.completed_by_sink("error"),
    };
    let read_seconds = started.elapsed().as_secs_f64();
    let query = query(args, &machine)?;
    if !args.json {
        say(show::head(&machine, &args.machine))?;
    }
    let bar = (!args.json).then(bar);
    let started = Instant::now();
    let mut first = Ok(true);
    let mut draw = |stage: Stage| {
        let Some(bar) = &bar else { return };
        if let (Some(length), Ok(true)) = (stage.found, &first) {
            let text = show::first(length, started.elapsed().as_secs_f64());
            first = bar.suspend(|| say(text)).map(|()| false);
        }
        draw_on(bar, seconds(args), stage);
    };
    let answer = synchronise(&machine, &query, Some(&mut draw));
    let seconds = started.elapsed().as_secs_f64();
    first?;
    let homing = may_be_homed(&answer, &machine).then(|| homing(&machine, query.budget));
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    let exit = if matches!(answer, Answer::Found(_)) { Exit::Covered } else { Exit::Exhausted };
    let outcome = Outcome {
        machine: &machine,
        path: &args.machine,
        method: query.method.entry().name,
        answer,
        seconds,
        read_seconds,
        homing,
    };
    if args.json {
        say(format_args!("{}\n", show::json(&outcome)))?;
    } else {
        say(show::text(&outcome))?;
    }
    Ok(exit)
}

/// Homing is what is left where no word exists and the system says something.
fn may_be_homed(answer: &Answer, machine: &Machine) -> bool {
    matches!(answer, Answer::None(reason) if *reason != Impossible::NoStates) && !machine.outputs().is_empty()
}

fn query(args: &SynchroniseArgs, machine: &Machine) -> Result<Query> {
    let method = Method::named(&args.method).ok_or_else(|| anyhow!("unknown method `{}`", args.method))?;
    if !method.entry().partial && !machine.is_complete() {
        bail!(
            "`{}` needs a complete machine, and {} is partial; \
             add --complete self-loop or --complete sink, or choose another method",
            args.method,
            args.machine.display()
        );
    }
    let into = states(machine, &args.into)?;
    let avoid = states(machine, &args.avoid)?;
    let any_left = if into.is_empty() {
        (0..machine.states().len() as u32).any(|state| !avoid.contains(&state)) || avoid.is_empty()
    } else {
        into.iter().any(|state| !avoid.contains(state))
    };
    if !any_left {
        bail!("--into and --avoid together leave no state to lead to");
    }
    let usual = if method == Method::QSynch { Learning::published() } else { Learning::default() };
    let learning = Learning {
        alpha: args.alpha,
        gamma: args.gamma,
        epsilon: args.epsilon,
        episodes: args.episodes.unwrap_or(usual.episodes),
    };
    let budget = Some(Duration::from_secs_f64(seconds(args)));
    let effort = if args.seconds.is_some() { Effort::Time } else { Effort::Work };
    Ok(Query { method, into, avoid, budget, effort, seed: args.seed, learning })
}

/// How long may be searched.
fn seconds(args: &SynchroniseArgs) -> f64 {
    args.seconds.unwrap_or(60.0)
}

fn states(machine: &Machine, names: &[String]) -> Result<Vec<u32>> {
    let number = |name: &String| {
        machine.states().find(name).ok_or_else(|| {
            let known: Vec<String> =
                machine.states().iter().take(10_000).map(|known| known.into_owned()).collect();
            Unknown::new("state", name, known.iter().map(String::as_str)).into()
        })
    };
    names.iter().map(number).collect()
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if !crate::output::is_live() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("{bar:24} {elapsed} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_length(1000);
    bar
}

/// The bar shows the share of the time that is used up.
fn draw_on(bar: &ProgressBar, seconds: f64, stage: Stage) {
    let Stage { phase, length, size, best, .. } = stage;
    let best = best.map_or(String::new(), |best| format!(", best {best}"));
    bar.set_position((1000.0 * bar.elapsed().as_secs_f64() / seconds) as u64);
    bar.set_message(format!("{phase}: {length} letters, {size} states left{best}"));
}
