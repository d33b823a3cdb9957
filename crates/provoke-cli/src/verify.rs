//! `provoke verify`: does a machine keep the requirements, whatever its inputs?

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use provoke::letter::Interface;
use provoke::report::count;
use provoke::specification::{Specification, Target, Verification};
use provoke::trace::Step;
use provoke::verify::{Counterexample, Outcome, Unknown};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::output::{say, warn};

/// The arguments of `provoke verify`.
#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// The specification file, a TLSF file, or an automaton (.hoa) that is one requirement
    spec: PathBuf,
    /// The machine: DOT, KISS2, fsm, aut, HOA or a table [default: the model of the specification's system]
    #[arg(long, value_name = "MACHINE")]
    model: Option<PathBuf>,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// Checks every requirement and reports.
pub(crate) fn run(args: &VerifyArgs) -> Result<Exit> {
    let specification = Specification::load(&args.spec)?;
    warn(&specification.warnings);
    let path = match (&args.model, &specification.system.target) {
        (Some(path), _) | (None, Some(Target::Model(path))) => path,
        _ => bail!("no machine to verify: add `--model MACHINE`"),
    };
    let machine = specification.machine(path)?;
    let started = Instant::now();
    let found = specification.verify(&machine)?;
    let seconds = started.elapsed().as_secs_f64();
    let holds = found.holds();
    if args.json {
        let verdict = match holds {
            Some(true) => "holds",
            Some(false) => "violated",
            None => "unknown",
        };
        let requirements = specification.requirements.iter().zip(&found.outcomes);
        let interface = specification.interface();
        let requirements: Vec<Value> =
            requirements.map(|(requirement, outcome)| to_json(&requirement.id, outcome, interface)).collect();
        let printed = json!({
            "verdict": verdict,
            "states": machine.states.len(),
            "product_states": found.states,
            "vacuous": found.vacuous,
            "seconds": seconds,
            "requirements": requirements,
        });
        say(format_args!("{printed:#}\n"))?;
    } else {
        say(to_text(&specification, &found, seconds))?;
    }
    Ok(match holds {
        Some(true) => Exit::Covered,
        Some(false) => Exit::Violated,
        None => Exit::Exhausted,
    })
}

fn to_text(specification: &Specification, found: &Verification, seconds: f64) -> String {
    let interface = specification.interface();
    let mut text = String::new();
    let mut violated = 0;
    let mut unknown = 0;
    for (requirement, outcome) in specification.requirements.iter().zip(&found.outcomes) {
        text.push_str(&format!("requirement {}: ", requirement.id));
        match outcome {
            Outcome::Violated(counterexample) => {
                violated += 1;
                text.push_str(&counterexample_text(counterexample, interface));
                if !requirement.text.is_empty() {
                    text.push_str(&format!("  {}\n", requirement.text));
                }
            }
            Outcome::Unknown(why) => {
                unknown += 1;
                text.push_str(&format!("unknown: {}\n", reason(why, interface)));
            }
            _ => text.push_str("holds\n"),
        }
    }
    if found.vacuous {
        text.push_str("no run of the machine keeps the assumptions, so nothing is asked of it\n");
    }
    let all = count(specification.requirements.len(), "requirement");
    let verdict = match (violated, unknown) {
        (0, 0) => format!("HOLDS: {all}"),
        (0, unknown) => format!("UNKNOWN: {unknown} of {all}"),
        (violated, _) => format!("VIOLATED: {violated} of {all}"),
    };
    text + &format!("{verdict}, {seconds:.2} s\n")
}

/// What a counterexample is, and its exchanges.
pub(crate) fn counterexample_text(found: &Counterexample, interface: &Interface) -> String {
    let mut text = match (found.is_empty(), found.is_finite()) {
        (true, _) => "VIOLATED by every run\n".to_owned(),
        (_, true) => format!("VIOLATED after {}\n", count(found.stem.len(), "step")),
        _ => format!(
            "VIOLATED in the long run: {}, then {} for ever\n",
            count(found.stem.len(), "step"),
            count(found.cycle.len(), "step")
        ),
    };
    let line = |(at, step): (usize, &Step)| {
        let (input, output) = (interface.inputs.show(step.input), interface.outputs.show(step.output));
        format!("  {:>4}  {input} / {output}\n", at + 1)
    };
    text.extend(found.stem.iter().enumerate().map(line));
    if !found.cycle.is_empty() {
        text.push_str("        again and again:\n");
        text.extend((found.stem.len()..).zip(&found.cycle).map(line));
    }
    text
}

fn reason(why: &Unknown, interface: &Interface) -> String {
    match why {
        Unknown::Gap { after, input } => format!(
            "the machine does not say what it answers to {} after {}",
            interface.inputs.show(*input),
            count(after.len(), "step")
        ),
        Unknown::TooLarge => "it would take too much memory to tell".to_owned(),
        Unknown::Guesses => {
            "the automaton guesses, and what it does not accept is not known; make it deterministic"
                .to_owned()
        }
        Unknown::Program => "it is a model program".to_owned(),
        _ => "it was not found out".to_owned(),
    }
}

/// Steps as `--json` prints them.
pub(crate) fn steps(trace: &[Step], interface: &Interface) -> Vec<Value> {
    let step = |step: &Step| {
        let (input, output) = (interface.inputs.show(step.input), interface.outputs.show(step.output));
        json!({ "input": input.to_string(), "output": output.to_string() })
    };
    trace.iter().map(step).collect()
}

fn to_json(id: &str, outcome: &Outcome, interface: &Interface) -> Value {
    let (verdict, found, why) = match outcome {
        Outcome::Violated(found) => ("violated", Some(found), None),
        Outcome::Unknown(why) => ("unknown", None, Some(why)),
        _ => ("holds", None, None),
    };
    let gap = match why {
        Some(Unknown::Gap { after, input }) => Some((after, input)),
        _ => None,
    };
    let trace = found.map(|found| &found.stem).or_else(|| gap.map(|(after, _)| after));
    json!({
        "id": id,
        "verdict": verdict,
        "kind": found.map(|found| if found.is_finite() { "safety" } else { "liveness" }),
        "trace": trace.map(|trace| steps(trace, interface)),
        "loop": found.map(|found| steps(&found.cycle, interface)),
        "unanswered": gap.map(|(_, input)| interface.inputs.show(*input).to_string()),
        "why": why.map(|why| reason(why, interface)),
    })
}
