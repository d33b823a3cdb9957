//! `provoke explain`: what each requirement makes of a recorded run, step by step, and why.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use provoke::monitor::{Monitor, Verdict};
use provoke::report::count;
use provoke::specification::{Requirement, Specification};
use provoke::trace::{RequirementNumber, Step, in_range};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::monitor::RecordedRun;
use crate::output::{say, warn};

/// The arguments of `provoke explain`.
#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// The specification file
    spec: PathBuf,
    #[command(flatten)]
    recorded: RecordedRun,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// One requirement or assumption on its way through the run.
struct Follower<'a> {
    requirement: &'a Requirement,
    /// None for an assumption.
    number: Option<RequirementNumber>,
    monitor: Monitor,
    /// The step since which an obligation is open.
    open: Option<usize>,
}

/// What it makes of one step.
struct Reason {
    id: String,
    before: Verdict,
    after: Verdict,
    state: Option<(String, String)>,
    open_for: Option<usize>,
    explanation: Option<String>,
    allowed: Option<String>,
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Satisfied => "satisfied for good",
        Verdict::Violated => "VIOLATED",
        Verdict::SoFarGood => "so far good",
        Verdict::SoFarBad => "an obligation is open",
    }
}

fn key(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Satisfied => "satisfied",
        Verdict::Violated => "violated",
        Verdict::SoFarGood => "so_far_good",
        Verdict::SoFarBad => "so_far_bad",
    }
}

/// Explains the run.
pub(crate) fn run(args: &ExplainArgs) -> Result<Exit> {
    let specification = Specification::load(&args.spec)?;
    warn(&specification.warnings);
    let interface = specification.interface();
    let trace = specification.completed(args.recorded.read(interface)?);
    let mut followers: Vec<Follower<'_>> = specification
        .assumptions
        .iter()
        .map(|one| Follower::new(one, None))
        .chain(specification.numbers().map(|at| Follower::new(specification.requirement(at), Some(at))))
        .collect();
    let (mut steps, mut violated, mut unfair) = (Vec::new(), Vec::new(), None);
    let judged = in_range(&interface.outputs, &trace);
    for (at, step) in trace.iter().enumerate().take(judged.len() + 1) {
        let mut reasons: Vec<Value> = Vec::new();
        let (input, output) = (interface.inputs.show(step.input), interface.outputs.show(step.output));
        let mut text = format!("step {}: {input} / {output}\n", at + 1);
        // Ranges alone judge an answer that is out of range, and the run ends with it.
        let is_last = at == judged.len();
        for number in specification.out_of_range(&trace).into_iter().filter(|_| is_last) {
            let reason = Reason::out_of_range(&specification, number, &trace[..=at])?;
            if unfair.is_none() {
                violated.push(reason.id.clone());
            }
            text += &reason.to_text();
            reasons.push(reason.to_json());
        }
        for follower in followers.iter_mut().filter(|_| !is_last) {
            let Some(reason) = follower.follow(&specification, &trace[..=at], step)? else { continue };
            if reason.after == Verdict::Violated {
                match follower.number {
                    None => unfair = unfair.or(Some((at + 1, reason.id.clone()))),
                    Some(_) if unfair.is_none() => violated.push(reason.id.clone()),
                    Some(_) => {}
                }
            }
            text += &reason.to_text();
            reasons.push(reason.to_json());
        }
        match args.json {
            true => steps.push(json!({
                "step": at + 1, "input": input.to_string(), "output": output.to_string(), "requirements": reasons,
            })),
            false => say(text)?,
        }
    }
    if args.json {
        let report = json!({
            "verdict": if violated.is_empty() { "passed" } else { "violated" },
            "violated": violated,
            "assumption": unfair.as_ref().map(|(_, id)| id),
            "assumption_broken_at": unfair.as_ref().map(|(step, _)| step),
            "steps": steps,
        });
        say(format_args!("{report:#}\n"))?;
    } else {
        if let Some((step, id)) = &unfair {
            say(format_args!(
                "assumption {id} was not kept at step {step}: from there on nothing is the system's fault\n"
            ))?;
        }
        let steps = count(trace.len(), "step");
        match violated.is_empty() {
            true => say(format_args!("nothing violated in {steps}\n"))?,
            false => say(format_args!("VIOLATED in {steps}: {}\n", violated.join(", ")))?,
        }
    }
    Ok(if violated.is_empty() { Exit::Covered } else { Exit::Violated })
}

impl<'a> Follower<'a> {
    fn new(requirement: &'a Requirement, number: Option<RequirementNumber>) -> Follower<'a> {
        let mut monitor = requirement.demand.monitor.clone();
        monitor.reset();
        let open = (monitor.verdict() == Verdict::SoFarBad).then_some(0);
        Follower { requirement, number, monitor, open }
    }

    fn state(&self) -> Option<String> {
        let automaton = self.requirement.demand.automaton()?;
        self.monitor.state().map(|state| automaton.state_name(state))
    }

    /// Follows the last step of a run; nothing is said of what was decided before.
    fn follow(
        &mut self,
        specification: &Specification,
        trace: &[Step],
        step: &Step,
    ) -> Result<Option<Reason>> {
        let before = self.monitor.verdict();
        if matches!(before, Verdict::Satisfied | Verdict::Violated) {
            return Ok(None);
        }
        let from = self.state();
        let after = self.monitor.step(step.input, step.output);
        let to = self.state();
        self.open = match after {
            Verdict::SoFarBad => self.open.or(Some(trace.len())),
            _ => None,
        };
        let is_violated = after == Verdict::Violated;
        let explained = match self.number.filter(|_| is_violated) {
            Some(number) => specification.explain(number, trace)?,
            None => None,
        };
        Ok(Some(Reason {
            id: self.requirement.id.clone(),
            before,
            after,
            state: from.zip(to),
            open_for: self.open.map(|since| trace.len() - since),
            allowed: explained.as_ref().and_then(|explained| explained.allowed.clone()),
            explanation: explained.map(|explained| explained.to_string()),
        }))
    }
}

impl Reason {
    /// An answer that is out of range.
    fn out_of_range(
        specification: &Specification,
        number: RequirementNumber,
        trace: &[Step],
    ) -> Result<Reason> {
        let explained = specification.explain(number, trace)?;
        Ok(Reason {
            id: specification.requirement(number).id.clone(),
            before: Verdict::SoFarGood,
            after: Verdict::Violated,
            state: None,
            open_for: None,
            allowed: explained.as_ref().and_then(|explained| explained.allowed.clone()),
            explanation: explained.map(|explained| explained.to_string()),
        })
    }

    fn to_text(&self) -> String {
        let moves = match &self.state {
            Some((from, to)) if from == to => format!(", stays in state {to}"),
            Some((from, to)) => format!(", state {from} -> {to}"),
            None => String::new(),
        };
        let open = match self.open_for {
            Some(0) | None => String::new(),
            Some(steps) => format!(" for {}", count(steps, "step")),
        };
        let closed = match (self.before, self.after) {
            (Verdict::SoFarBad, Verdict::SoFarGood | Verdict::Satisfied) => " (the obligation was met)",
            _ => "",
        };
        let mut text = format!("  {}: {}{open}{moves}{closed}\n", self.id, word(self.after));
        if let Some(explanation) = &self.explanation {
            text += &format!("    {explanation}\n");
        }
        text
    }

    fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "verdict": key(self.after),
            "state": self.state.as_ref().map(|(_, to)| to),
            "open_for": self.open_for,
            "explanation": self.explanation,
            "allowed": self.allowed,
        })
    }
}
