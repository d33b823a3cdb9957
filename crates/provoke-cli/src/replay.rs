//! `provoke replay`: a saved trace again, answer by answer.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use provoke::campaign::{Loans, Rerun, rerun_patiently};
use provoke::diagnostic::Source;
use provoke::game::{FAIRNESS, Gate};
use provoke::letter::{Letter, Outline};
use provoke::monitor::{Keepable, Verdict};
use provoke::report::count;
use provoke::specification::{Opened, Specification};
use provoke::system::SystemError;
use provoke::trace::{Recording, Step, read_recording};
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
    /// A bound on the number of the system's states: so many rounds of a loop are made, and show a violation of what must
    /// happen some day [default: what the specification says; without any, a loop raises a suspicion]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    states_of_system: Option<u32>,
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
    let mut recorded = read_recording(interface, &Source::read(&args.trace)?)?;
    let states = args.states_of_system.or(specification.system.states);
    if let Some(lasso) = &mut recorded.lasso {
        // As many rounds as it takes to be sure.
        let round = recorded.steps.len() - lasso.stem;
        *lasso = lasso.with_rounds(round, lasso.rounds.max(states.unwrap_or(0)), lasso.rounds);
    }
    let Opened { mut system, .. } = system::open(&specification, &args.system, false)?;
    let mut judge = specification.judge();
    // What was recorded is sent, whatever may be sent now.
    let inputs: Vec<Letter> = recorded.inputs().collect();
    let (promises, _) = specification.promises(FAIRNESS)?;
    let mut loans = Loans::new(promises, specification.gate()?, states);
    let mut made =
        rerun_patiently(&mut *system, &mut judge, &mut Gate::default(), &mut loans, &inputs, |_| false);
    if made.broken.is_none() {
        made.broken = system.settle().err().map(|error| (error, None));
    }
    let error = made.broken.as_ref().map(|(error, _)| error);
    if let Some(fault @ SystemError::Unmodelled { .. }) = error {
        anyhow::bail!("failed to go on: {fault}");
    }
    // Answers out of turn may belong to other inputs, so they violate nothing.
    let in_turn = !error.is_some_and(SystemError::is_out_of_turn);
    let mut violated: Vec<&str> = made
        .violated
        .iter()
        .filter(|_| in_turn)
        .map(|&(requirement, _)| specification.requirement(requirement).id.as_str())
        .collect();
    let excused: Vec<&str> = made
        .excused
        .iter()
        .filter(|_| in_turn)
        .map(|&(requirement, _)| specification.requirement(requirement).id.as_str())
        .collect();
    let shown = shown_by_loop(&specification, &recorded, &made)?;
    let is_sure = recorded.lasso.is_some_and(|lasso| states.is_some_and(|states| states <= lasso.rounds));
    if in_turn && is_sure {
        violated.extend(&shown);
    }
    let suspected: &[&str] = if in_turn && !is_sure { &shown } else { &[] };
    let unrolled = specification.completed(recorded.unrolled());
    let excuse = made.unfair.map(|place| {
        let broken = judge.assumptions.all(Verdict::Violated).next();
        (place + 1, broken.map_or("", |at| specification.assumptions[at.0].id.as_str()))
    });
    // How long an answer took is not what was answered, and digits that no requirement tells apart may differ.
    let outline = Outline::new(&interface.outputs);
    let is_other = |before: &Step, now: &Step| before.outlined(&outline) != now.outlined(&outline);
    let differs = unrolled.iter().zip(&made.trace).position(|(before, now)| is_other(before, now));
    let exit = match (error, violated.is_empty()) {
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
            "steps": made.trace.len(),
            "violated": violated,
            "suspected": suspected,
            "excused": excused,
            "assumption_broken_at": excuse.map(|(step, _)| step),
            "assumption": excuse.map(|(_, id)| id),
            "first_difference": differs.map(|at| at + 1),
            "recorded_breakdown": recorded.unanswered.is_some(),
            "system": error.map(SystemError::to_string),
            "stderr": system.last_words(),
        });
        say(format_args!("{report:#}\n"))?;
        return Ok(exit);
    }
    let mut text = String::new();
    for (at, now) in made.trace.iter().enumerate() {
        let before = unrolled.get(at);
        let differs = before.is_none_or(|before| is_other(before, now));
        let mark = if differs { '!' } else { ' ' };
        let (input, output) = (interface.inputs.show(now.input), interface.outputs.show(now.output));
        text += &format!("{mark} {:>4}  {input} / {output}\n", at + 1);
        match before {
            Some(before) if differs => {
                let output = interface.outputs.show(before.output);
                text += &match before.input == now.input {
                    true => format!("        recorded: {output}\n"),
                    // It said something before the input could be sent, or no longer does.
                    false => {
                        format!("        recorded: {} / {output}\n", interface.inputs.show(before.input))
                    }
                };
            }
            Some(_) => {}
            None if recorded.unanswered.is_some() => text += "        recorded: no answer\n",
            None => text += "        recorded: nothing more\n",
        }
    }
    if let Some((error, unanswered)) = &made.broken {
        if let Some(input) = unanswered {
            let input = interface.inputs.show(*input);
            text += &format!("  {:>4}  {input} / no answer\n", made.trace.len() + 1);
        }
        text += &format!("broken: {error}\n");
        system.last_words().iter().for_each(|line| text += &format!("  | {line}\n"));
    }
    text += &match differs {
        None => {
            let steps = count(unrolled.len().min(made.trace.len()), "step");
            let is_real = interface.outputs.fields().iter().any(provoke::letter::Field::is_real);
            let how = if is_real { "; numbers by the regions that requirements tell apart" } else { "" };
            format!("every answer as recorded ({steps}{how})\n")
        }
        Some(at) => format!("answers differ from step {} on\n", at + 1),
    };
    match (recorded.unanswered.is_some(), error) {
        (true, Some(_)) => text += "the system still breaks\n",
        (true, None) => text += "the system no longer breaks here\n",
        (false, _) => {}
    }
    if let Some((step, assumption)) = excuse {
        text += &format!(
            "assumption {assumption} was not kept at step {step}: from there on nothing is the system's fault\n"
        );
    }
    if !excused.is_empty() {
        text += &format!(
            "violated, which does not count: {}; an assumption was left to the system to keep, and it did not\n",
            excused.join(", ")
        );
    }
    if !suspected.is_empty() {
        text += &format!("SUSPECTED, if it goes on like this: {}\n", suspected.join(", "));
    }
    if !violated.is_empty() {
        text += &format!("VIOLATED: {}\n", violated.join(", "));
    }
    say(text)?;
    Ok(exit)
}

/// What the rounds at the end of a lasso show, if they were all the same again.
fn shown_by_loop<'a>(
    specification: &'a Specification,
    recorded: &Recording,
    made: &Rerun,
) -> Result<Vec<&'a str>> {
    let Some(lasso) = recorded.lasso.filter(|_| made.unfair.is_none() && made.broken.is_none()) else {
        return Ok(Vec::new());
    };
    let round = recorded.steps.len() - lasso.stem;
    // A run that was cut short between two rounds shows fewer.
    if made.trace.len() != lasso.stem + round * lasso.rounds as usize {
        return Ok(Vec::new());
    }
    let long_run = specification.long_run()?;
    let shown = long_run.shown(&mut specification.judge(), &made.trace, lasso.stem, round);
    let keepable = |number: &_| specification.keepable(*number) != Keepable::No;
    Ok(shown
        .into_iter()
        .filter(keepable)
        .map(|number| specification.requirement(number).id.as_str())
        .collect())
}

/// `carriage.traces/R1.trace` was saved beside `carriage.toml`.
fn specification_of(args: &ReplayArgs) -> Result<PathBuf> {
    let beside = args.trace.parent().map(|folder| folder.with_extension("toml"));
    match beside.filter(|path| path.exists()) {
        Some(path) => Ok(path),
        None => anyhow::bail!("{}: say which specification with --spec FILE", args.trace.display()),
    }
}
