//! `provoke monitor`: a recorded run, judged requirement by requirement.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use provoke::judge::{Judgement, judge};
use provoke::monitor::Verdict;
use provoke::report::count;
use provoke::spec::trace::{self, Format};
use provoke::specification::Specification;
use provoke::trace::Trace;
use serde_json::json;

use crate::exit::Exit;

/// The arguments of `provoke monitor`.
#[derive(Args)]
pub(crate) struct MonitorArgs {
    /// The specification file
    spec: PathBuf,
    /// The recorded run: our text form, CSV, JSON lines or VCD
    trace: PathBuf,
    /// The form of the trace [default: what the file's name or its beginning says]
    #[arg(long, value_enum, value_name = "FORM")]
    format: Option<Form>,
    /// In a VCD file, one step a rising edge of this signal [default: one step a time stamp]
    #[arg(long, value_name = "SIGNAL")]
    clock: Option<String>,
    /// The run ended here: an obligation that is still open counts as violated
    #[arg(long)]
    complete: bool,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Text,
    Csv,
    Jsonl,
    Vcd,
}

impl From<Form> for Format {
    fn from(form: Form) -> Format {
        match form {
            Form::Text => Format::Text,
            Form::Csv => Format::Csv,
            Form::Jsonl => Format::JsonLines,
            Form::Vcd => Format::Vcd,
        }
    }
}

/// Reads the run and lets every requirement judge it.
pub(crate) fn run(args: &MonitorArgs) -> Result<Exit> {
    let specification = Specification::load(&args.spec)?;
    let options = trace::Options { format: args.format.map(Format::from), clock: args.clock.clone() };
    let trace = trace::read(&args.trace, specification.interface(), &options)?;
    let found: Vec<Found<'_>> = specification
        .requirements
        .iter()
        .map(|requirement| {
            let judgement = judge(&requirement.demand.monitor, &trace);
            let open = args.complete && judgement.pending.is_some();
            let violated = judgement.verdict == Verdict::Violated || open;
            Found { id: &requirement.id, text: &requirement.text, judgement, violated }
        })
        .collect();
    if args.json {
        println!("{:#}", to_json(&found, &trace));
    } else {
        print!("{}", to_text(&specification, &found, &trace));
    }
    let violated = found.iter().any(|found| found.violated);
    Ok(if violated { Exit::Violated } else { Exit::Covered })
}

/// What one requirement says.
struct Found<'a> {
    id: &'a str,
    text: &'a str,
    judgement: Judgement,
    violated: bool,
}

fn to_text(specification: &Specification, found: &[Found<'_>], trace: &Trace) -> String {
    let interface = specification.interface();
    let mut text = String::new();
    for Found { id, text: sentence, judgement, violated } in found {
        let says = match (judgement.verdict, judgement.decided, judgement.age(trace.len())) {
            (Verdict::Violated, Some(0), _) => "VIOLATED by every run".to_owned(),
            (Verdict::Violated, step, _) => format!("VIOLATED at step {}", step.unwrap_or(0)),
            (Verdict::Satisfied, Some(0), _) => "satisfied by every run".to_owned(),
            (Verdict::Satisfied, step, _) => format!("satisfied for good at step {}", step.unwrap_or(0)),
            (Verdict::SoFarGood, ..) => "so far good".to_owned(),
            (Verdict::SoFarBad, _, age) => {
                let open = format!("open for {}", count(age.unwrap_or(0), "step"));
                if *violated {
                    format!("VIOLATED: {open} when the run ended")
                } else {
                    format!("so far bad: {open}")
                }
            }
        };
        text.push_str(&format!("requirement {id}: {says}\n"));
        if *violated {
            let decided = judgement.decided.and_then(|step| trace.get(step.checked_sub(1)?));
            if let Some(step) = decided {
                let (input, output) =
                    (interface.inputs.show(step.input), interface.outputs.show(step.output));
                text.push_str(&format!("  {input} / {output}\n"));
            }
            if !sentence.is_empty() {
                text.push_str(&format!("  {sentence}\n"));
            }
        }
    }
    let violated = found.iter().filter(|found| found.violated).count();
    let summary = match violated {
        0 => "nothing violated".to_owned(),
        violated => format!("{} violated", count(violated, "requirement")),
    };
    text + &format!("{summary} in {}\n", count(trace.len(), "step"))
}

fn to_json(found: &[Found<'_>], trace: &Trace) -> serde_json::Value {
    let verdict = |verdict: Verdict| match verdict {
        Verdict::Satisfied => "satisfied",
        Verdict::Violated => "violated",
        Verdict::SoFarGood => "so_far_good",
        Verdict::SoFarBad => "so_far_bad",
    };
    json!({
        "verdict": if found.iter().any(|found| found.violated) { "violated" } else { "passed" },
        "steps": trace.len(),
        "requirements": found.iter().map(|found| json!({
            "id": found.id,
            "verdict": verdict(found.judgement.verdict),
            "violated": found.violated,
            "decided_at": found.judgement.decided,
            "open_for": found.judgement.age(trace.len()),
        })).collect::<Vec<_>>(),
    })
}
