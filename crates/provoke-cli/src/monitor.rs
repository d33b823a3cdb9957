//! `provoke monitor`: a recorded run, judged requirement by requirement.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use provoke::campaign::judged;
use provoke::format::recording::{self, Format, Lane};
use provoke::letter::Interface;
use provoke::monitor::{Standing, Verdict, holds, standing};
use provoke::report::count;
use provoke::specification::{Demand, Requirement, Specification};
use provoke::trace::{RequirementNumber, Step, Trace, in_range};
use serde_json::json;

use crate::exit::Exit;
use crate::output::{say, warn, write_whole};

/// The arguments of `provoke monitor`.
#[derive(Args)]
pub(crate) struct MonitorArgs {
    /// The specification file
    spec: PathBuf,
    #[command(flatten)]
    recorded: RecordedRun,
    /// The run ended here: an obligation that is still open counts as violated
    #[arg(long)]
    complete: bool,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
    /// Write the run to this file as a value change dump, with a lane for each requirement
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// Write the run to this file as CSV, with a column for each requirement
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// A recorded run, as commands take it.
#[derive(Args)]
pub(crate) struct RecordedRun {
    /// The recorded run: our text form, CSV, JSON lines or VCD
    trace: PathBuf,
    /// The form of the trace [default: what the file's name or its beginning says]
    #[arg(long, value_enum, value_name = "FORM")]
    format: Option<Form>,
    /// In a VCD file, one step a rising edge of this signal [default: one step a time stamp]
    #[arg(long, value_name = "SIGNAL")]
    clock: Option<String>,
}

impl RecordedRun {
    pub(crate) fn read(&self, interface: &Interface) -> Result<Trace> {
        let options = recording::Options { format: self.format.map(Format::from), clock: self.clock.clone() };
        Ok(recording::read(&self.trace, interface, &options)?)
    }
}

/// `--format` of a recorded run.
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

/// Reads the run and lets every assumption and every requirement judge it.
pub(crate) fn run(args: &MonitorArgs) -> Result<Exit> {
    let specification = Specification::load(&args.spec)?;
    warn(&specification.warnings);
    let trace = specification.completed(args.recorded.read(specification.interface())?);
    // Ranges alone judge the first answer that is out of range, and nothing judges what comes after it.
    let judged_by_all = in_range(&specification.interface().outputs, &trace);
    let is_whole = judged_by_all.len() == trace.len();
    let complete = args.complete && is_whole;
    let found = |requirement| Found::new(requirement, specification.interface(), judged_by_all, complete);
    let assumptions: Vec<Found<'_>> = specification.assumptions.iter().map(found).collect();
    let mut requirements: Vec<Found<'_>> = specification.requirements.iter().map(found).collect();
    let ruled = judged(&mut specification.judge(), &trace);
    for (at, found) in requirements.iter_mut().enumerate() {
        found.excuse = excuse(found, ruled.violation_of(RequirementNumber(at)).is_some(), &assumptions);
    }
    for number in specification.out_of_range(&trace) {
        let found = Found::out_of_range(specification.requirement(number), judged_by_all.len() + 1);
        requirements.push(Found {
            excuse: excuse(&found, ruled.violation_of(number).is_some(), &assumptions),
            ..found
        });
    }
    let guilty = requirements.iter().filter(|found| found.is_guilty()).count();
    if args.json {
        say(format_args!("{:#}\n", to_json(&assumptions, &requirements, &trace)))?;
    } else {
        let interface = specification.interface();
        for (what, found) in [("assumption", &assumptions), ("requirement", &requirements)] {
            found.iter().try_for_each(|found| say(found.to_text(what, interface, &trace)))?;
        }
        let summary = match guilty {
            0 => "nothing violated".to_owned(),
            guilty => format!("{} violated", count(guilty, "requirement")),
        };
        say(format_args!("{summary} in {}\n", count(trace.len(), "step")))?;
        if judged_by_all.len() + 1 < trace.len() {
            let step = judged_by_all.len() + 1;
            say(format_args!("what comes after step {step} was not judged: that answer is out of range\n"))?;
        }
    }
    let exit = if guilty > 0 { Exit::Violated } else { Exit::Covered };
    for (path, format) in [(&args.vcd, Format::Vcd), (&args.csv, Format::Csv)] {
        let Some(path) = path else { continue };
        let lanes = specification.lanes(&trace);
        let lanes: Vec<Lane<'_>> = lanes.iter().map(|(name, verdicts)| Lane { name, verdicts }).collect();
        let text = recording::write(specification.interface(), &trace, format, &lanes);
        match write_whole(path, &text) {
            // The verdict stands where there is one.
            Err(error) if exit == Exit::Violated => warn(&[format!("{error:#}")]),
            result => result?,
        }
    }
    Ok(exit)
}

/// What one requirement or assumption says.
struct Found<'a> {
    id: &'a str,
    text: &'a str,
    standing: Standing,
    /// Whether its formula, where it has one, holds on the run taken as a whole.
    holds: Option<bool>,
    violated: bool,
    /// The assumption that was broken first.
    excuse: Option<&'a str>,
}

impl<'a> Found<'a> {
    fn new(requirement: &'a Requirement, interface: &Interface, trace: &[Step], complete: bool) -> Found<'a> {
        let Demand { monitor, formula, .. } = &requirement.demand;
        let holds = formula.as_ref().map(|formula| holds(formula, interface, trace));
        let standing = standing(monitor, trace).at_the_end(holds);
        let unmet = holds.map_or(standing.verdict == Verdict::SoFarBad, |holds| !holds);
        let violated = standing.verdict == Verdict::Violated || complete && unmet;
        Found { id: &requirement.id, text: &requirement.text, standing, holds, violated, excuse: None }
    }

    /// The implicit requirement that an answer is within its range, which this step does not keep.
    fn out_of_range(requirement: &'a Requirement, step: usize) -> Found<'a> {
        let standing = Standing { verdict: Verdict::Violated, decided: Some(step), pending: None };
        let (id, text) = (&*requirement.id, &*requirement.text);
        Found { id, text, standing, holds: None, violated: true, excuse: None }
    }

    fn is_guilty(&self) -> bool {
        self.violated && self.excuse.is_none()
    }

    fn to_text(&self, what: &str, interface: &Interface, trace: &Trace) -> String {
        let Standing { verdict, decided, .. } = self.standing;
        let open = match self.standing.age(trace.len()) {
            Some(age) => format!("open for {}", count(age, "step")),
            None => "it speaks of steps after the last".to_owned(),
        };
        let violated = if what == "requirement" && self.excuse.is_none() { "VIOLATED" } else { "violated" };
        let says = match (verdict, decided) {
            (Verdict::Violated, Some(0)) => format!("{violated} by every run"),
            (Verdict::Violated, step) => format!("{violated} at step {}", step.unwrap_or(0)),
            (Verdict::Satisfied, Some(0)) => "satisfied by every run".to_owned(),
            (Verdict::Satisfied, step) => format!("satisfied for good at step {}", step.unwrap_or(0)),
            (Verdict::SoFarGood, _) => "so far good".to_owned(),
            (Verdict::SoFarBad, _) if self.violated && self.standing.pending.is_none() => {
                format!("{violated}: the run ended before the steps it speaks of")
            }
            (Verdict::SoFarBad, _) if self.violated => format!("{violated}: {open} when the run ended"),
            (Verdict::SoFarBad, _) => format!("so far bad: {open}"),
        };
        let mut text = format!("{what} {}: {says}", self.id);
        if let Some(assumption) = self.excuse {
            text.push_str(&format!("; not the system's fault: assumption {assumption} was not kept"));
        }
        text.push('\n');
        if self.violated {
            let decided = decided.and_then(|step| trace.get(step.checked_sub(1)?));
            if let Some(step) = decided {
                let (input, output) =
                    (interface.inputs.show(step.input), interface.outputs.show(step.output));
                text.push_str(&format!("  {input} / {output}\n"));
            }
            if !self.text.is_empty() {
                self.text.lines().for_each(|line| text.push_str(&format!("  {line}\n")));
            }
        }
        text
    }

    fn to_json(&self, trace: &Trace) -> serde_json::Value {
        let verdict = match self.standing.verdict {
            Verdict::Satisfied => "satisfied",
            Verdict::Violated => "violated",
            Verdict::SoFarGood => "so_far_good",
            Verdict::SoFarBad => "so_far_bad",
        };
        json!({
            "id": self.id,
            "verdict": verdict,
            "violated": self.violated,
            "excused_by": self.excuse,
            "decided_at": self.standing.decided,
            "open_for": self.standing.age(trace.len()),
            "holds_as_finite_trace": self.holds,
        })
    }
}

/// The assumption that frees the system: the first to be broken, where the judge does not blame it, or, where the
/// requirement is not violated for good but open when the run ended, one that was not kept by then.
fn excuse<'a>(found: &Found<'_>, guilty: bool, assumptions: &[Found<'a>]) -> Option<&'a str> {
    if !found.violated || guilty {
        return None;
    }
    let verdict = |assumption: &&Found<'_>| assumption.standing.verdict;
    let broken = assumptions.iter().filter(|assumption| verdict(assumption) == Verdict::Violated);
    let broken = broken.min_by_key(|assumption| assumption.standing.decided);
    let open = || assumptions.iter().find(|assumption| verdict(assumption) == Verdict::SoFarBad);
    let is_open = found.standing.verdict != Verdict::Violated;
    broken.or_else(|| open().filter(|_| is_open)).map(|assumption| assumption.id)
}

fn to_json(assumptions: &[Found<'_>], requirements: &[Found<'_>], trace: &Trace) -> serde_json::Value {
    let violated = requirements.iter().any(Found::is_guilty);
    let all = |found: &[Found<'_>]| found.iter().map(|found| found.to_json(trace)).collect::<Vec<_>>();
    json!({
        "verdict": if violated { "violated" } else { "passed" },
        "steps": trace.len(),
        "assumptions": all(assumptions),
        "requirements": all(requirements),
    })
}
