//! `provoke replay`: a saved trace again, answer by answer.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use provoke::monitor::{Monitors, Verdict};
use provoke::report::count;
use provoke::spec::Source;
use provoke::specification::Specification;
use provoke::system::{System, SystemError};
use provoke::trace::{Step, Trace, read_trace};
use serde_json::json;

use crate::exit::Exit;
use crate::output::say;
use crate::system;

/// The arguments of `provoke replay`.
#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The trace file
    trace: PathBuf,
    /// The specification file [default: the one the trace was saved beside]
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    system: system::SystemArgs,
}

/// Runs the trace, compares every answer with the recorded one, and judges the run.
pub(crate) fn run(args: &ReplayArgs) -> Result<Exit> {
    let path = args.spec.clone().map_or_else(|| specification_of(args), Ok)?;
    let specification = Specification::load(&path)?;
    let interface = specification.interface();
    let recorded = read_trace(interface, &Source::read(&args.trace)?)?;
    let mut system = system::open(&specification, &args.system)?;
    let mut monitors = specification.monitors();
    let replayed = replay(&mut *system, &mut monitors, &recorded);
    // Answers out of turn may belong to other inputs, so they violate nothing.
    let in_turn = !replayed.error.as_ref().is_some_and(SystemError::is_out_of_turn);
    let violated: Vec<&str> = monitors
        .all(Verdict::Violated)
        .filter(|_| in_turn)
        .map(|requirement| specification.requirements[requirement].id.as_str())
        .collect();
    let differs = recorded.iter().zip(&replayed.steps).position(|(before, now)| before.output != now.output);
    let exit = match (&replayed.error, violated.is_empty()) {
        (_, false) => Exit::Violated,
        (Some(_), true) => Exit::Broken,
        (None, true) => Exit::Covered,
    };
    if args.json {
        let verdict = match exit {
            Exit::Violated => "violated",
            Exit::Broken => "broken",
            _ => "passed",
        };
        let report = json!({
            "verdict": verdict,
            "steps": replayed.steps.len(),
            "violated": violated,
            "first_difference": differs.map(|at| at + 1),
            "system": replayed.error.as_ref().map(SystemError::to_string),
            "stderr": system.last_words(),
        });
        say(format_args!("{report:#}\n"))?;
        return Ok(exit);
    }
    let mut text = String::new();
    for (at, (before, now)) in recorded.iter().zip(&replayed.steps).enumerate() {
        let mark = if before.output == now.output { ' ' } else { '!' };
        let (input, output) = (interface.inputs.show(now.input), interface.outputs.show(now.output));
        text += &format!("{mark} {:>4}  {input} / {output}\n", at + 1);
        if before.output != now.output {
            text += &format!("        recorded: {}\n", interface.outputs.show(before.output));
        }
    }
    if let Some(error) = &replayed.error {
        text += &format!("broken: {error}\n");
        system.last_words().iter().for_each(|line| text += &format!("  | {line}\n"));
    }
    text += &match differs {
        None => format!("every answer as recorded ({})\n", count(replayed.steps.len(), "step")),
        Some(at) => format!("answers differ from step {} on\n", at + 1),
    };
    if !violated.is_empty() {
        text += &format!("VIOLATED: {}\n", violated.join(", "));
    }
    say(text)?;
    Ok(exit)
}

struct Replayed {
    steps: Trace,
    error: Option<SystemError>,
}

fn replay(system: &mut dyn System, monitors: &mut Monitors, recorded: &[Step]) -> Replayed {
    let mut steps = Trace::new();
    let mut follow = |system: &mut dyn System| {
        steps.clear();
        monitors.reset();
        system.reset()?;
        for &Step { input, .. } in recorded {
            let output = system.step(input)?;
            let step = Step { input, output };
            steps.push(step);
            monitors.violates(&step);
        }
        system.settle()
    };
    let error = loop {
        match follow(system) {
            Err(error) if system.retry(&error) => {}
            result => break result.err(),
        }
    };
    Replayed { steps, error }
}

/// `carriage.traces/R1.trace` was saved beside `carriage.toml`.
fn specification_of(args: &ReplayArgs) -> Result<PathBuf> {
    let beside = args.trace.parent().map(|folder| folder.with_extension("toml"));
    match beside.filter(|path| path.exists()) {
        Some(path) => Ok(path),
        None => anyhow::bail!("{}: say which specification with --spec FILE", args.trace.display()),
    }
}
