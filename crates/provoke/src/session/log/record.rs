//! One line of a log.

use serde::{Deserialize, Serialize};

use super::LOG_VERSION;
use super::about::About;
use super::picture::Spot;
use super::story::Story;
use crate::campaign::{Event, Phase};
use crate::letter::Interface;
use crate::report::Evidence;
use crate::trace::{RequirementNumber, RunEnd, Step};

/// One line of a log: an [`Event`] with names instead of numbers, and letters as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are those of the events, and documented in the guide")]
#[non_exhaustive]
pub enum Record {
    /// A session begins.
    Started {
        version: u32,
        strategy: String,
        seed: u64,
        stream: u64,
        labels: bool,
        inputs: Vec<String>,
        outputs: Vec<String>,
        objectives: Vec<String>,
        requirements: Vec<String>,
    },
    /// What the specification says, and what was typed.
    About(Box<About>),
    /// Another part of the session begins: `saved`, `calibration`, `hunt` or `pursuit`.
    Phase { phase: String, objectives: Vec<String> },
    /// A saved trace was run again.
    Replayed { path: String, steps: u64, recurred: bool },
    /// A run begins.
    RunStarted { run: u64, objective: Option<String>, most_steps: u32 },
    /// The system was reset for the run.
    Reset { reset_steps: u64 },
    /// A run goes on.
    Steps { run: u64, steps: u64, all_steps: u64, best_distance: Option<u32> },
    /// An objective was covered.
    Covered {
        objective: Option<String>,
        trace: Vec<Exchange>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        story: Option<Box<Story>>,
    },
    /// A requirement was violated that had not been.
    Found { requirement: String, trace: Vec<Exchange> },
    /// A run is over.
    RunEnded { run: u64, end: String, steps: u64 },
    /// A finding was tried once more.
    Confirming { requirement: Option<String>, again: u32, tries: u32 },
    /// Shrinking goes on.
    Shrinking { requirement: Option<String>, runs: u64, steps: u64, length: usize },
    /// Shrinking is over.
    Shrunk { requirement: Option<String>, runs: u64, steps: u64, length: usize },
    /// A violation was confirmed, shrunk and saved.
    Violation {
        requirement: String,
        trace: Vec<Exchange>,
        reproduced: u32,
        tries: u32,
        saved: Option<String>,
        #[serde(default)]
        original_steps: usize,
        #[serde(default)]
        evidence: String,
        #[serde(default)]
        loop_from: Option<usize>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        story: Option<Box<Story>>,
    },
    /// A lasso raises a suspicion: a violation, if the system goes on as it did in so many rounds of the steps after the stem.
    Suspected {
        requirement: String,
        trace: Vec<Exchange>,
        evidence: String,
        saved: Option<String>,
        #[serde(default)]
        loop_from: Option<usize>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        story: Option<Box<Story>>,
    },
    /// The system broke.
    Broken {
        error: String,
        trace: Vec<Exchange>,
        unanswered: Option<String>,
        saved: Option<String>,
        #[serde(default)]
        stderr: Vec<String>,
        #[serde(default)]
        reproduced: u32,
        #[serde(default)]
        tries: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        story: Option<Box<Story>>,
    },
    /// How far the search is: now and then, at least ten times a second while runs end.
    Progress(Progress),
    /// How often states and transitions of the [pictures](About::pictures) were visited so far, in so many steps that were
    /// looked at; and for each requirement, how many runs of the campaign put it to the test so far.
    Visits {
        steps: u64,
        pictures: Vec<Visits>,
        #[serde(default)]
        triggered: Vec<u64>,
    },
    /// What was met for the first time, to be added to the picture with this number: nodes, and edges from, to and on an exchange.
    Met { picture: usize, nodes: Vec<Spot>, edges: Vec<(usize, usize, String)> },
    /// Something could not be done that does not change the verdict.
    Warning { message: String },
    /// A campaign is over: for each requirement, how many runs put it to the test and how many violated it.
    CampaignEnded { runs: u64, steps: u64, triggered: Vec<u64>, violating_runs: Vec<u64> },
    /// The session is over.
    Ended {
        verdict: String,
        /// All of it, as `--json` prints it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        report: Option<Box<serde_json::Value>>,
    },
    /// Something that a later program wrote.
    #[serde(other)]
    Unknown,
}

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Progress {
    /// Exchanges of the session so far, and runs.
    pub steps: u64,
    /// Runs so far.
    pub runs: u64,
    /// Milliseconds since it began.
    pub ms: u64,
    /// Of these, those in which the system was waited for.
    pub system_ms: u64,
    /// Of these, those in which it was reset.
    pub reset_ms: u64,
    /// The smallest distance to what is pursued.
    pub best_distance: Option<u32>,
    /// How many states and transitions of the pictures were visited.
    pub situations: u64,
    /// Objectives covered.
    pub covered: u64,
    /// Requirements violated.
    pub violated: u64,
    /// Steps since anything of this changed.
    pub quiet: u64,
}

/// How often the states and the transitions of one picture were visited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visits {
    /// For each node.
    pub nodes: Vec<u64>,
    /// From, to, how often.
    pub edges: Vec<(u32, u32, u64)>,
}

/// One step in text form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// What was sent.
    pub input: String,
    /// What was answered.
    pub output: String,
}

/// What the numbers and letters of events mean.
#[derive(Debug, Default)]
pub(super) struct Names {
    interface: Option<Interface>,
    requirements: Vec<String>,
    /// What is pursued, by place.
    pursued: Vec<String>,
}

fn owned(names: &[impl AsRef<str>]) -> Vec<String> {
    names.iter().map(|name| name.as_ref().to_owned()).collect()
}

impl Names {
    /// Takes note of names that later events are about.
    pub(super) fn follow(&mut self, event: &Event<'_>) {
        match event {
            Event::Started(opening) => {
                self.interface = Some(opening.interface.clone());
                self.requirements = owned(opening.requirements);
            }
            Event::Phase(Phase::Pursuit(objectives)) => self.pursued = owned(objectives),
            Event::Phase(_) => self.pursued.clear(),
            _ => {}
        }
    }

    /// The event as a line.
    pub(super) fn record(&self, event: &Event<'_>) -> Record {
        let finding = |number: Option<RequirementNumber>| number.map(|number| self.requirement(number));
        let pursued = |place: usize| self.pursued.get(place).cloned();
        match *event {
            Event::Started(opening) => Record::Started {
                version: LOG_VERSION,
                strategy: opening.strategy.to_owned(),
                seed: opening.seed,
                stream: opening.stream,
                labels: opening.interface.inputs.as_labels().is_some(),
                inputs: opening.interface.inputs.names().map(str::to_owned).collect(),
                outputs: opening.interface.outputs.names().map(str::to_owned).collect(),
                objectives: owned(opening.objectives),
                requirements: owned(opening.requirements),
            },
            Event::Phase(phase) => {
                let (phase, objectives) = match phase {
                    Phase::Saved => ("saved", Vec::new()),
                    Phase::Calibration => ("calibration", Vec::new()),
                    Phase::Hunt => ("hunt", Vec::new()),
                    Phase::Pursuit(objectives) => ("pursuit", owned(objectives)),
                };
                Record::Phase { phase: phase.to_owned(), objectives }
            }
            Event::Replayed { path, trace, recurred } => {
                Record::Replayed { path: path.to_owned(), steps: trace.len() as u64, recurred }
            }
            Event::RunStarted { run, pursued: place, most } => {
                Record::RunStarted { run, objective: pursued(place), most_steps: most }
            }
            Event::Reset { steps } => Record::Reset { reset_steps: steps },
            Event::Steps { run, trace, outcome, .. } => Record::Steps {
                run,
                steps: trace.len() as u64,
                all_steps: outcome.steps,
                best_distance: outcome.best_distance(),
            },
            Event::Covered { place, trace } => {
                Record::Covered { objective: pursued(place), trace: self.trace(trace), story: None }
            }
            Event::AlreadyCovered { objective, trace } => {
                let objective = Some(objective.to_owned());
                Record::Covered { objective, trace: self.trace(trace), story: None }
            }
            Event::Found { requirement, trace } => {
                Record::Found { requirement: self.requirement(requirement), trace: self.trace(trace) }
            }
            Event::RunEnded { run, end, trace, .. } => {
                Record::RunEnded { run, end: word(end).to_owned(), steps: trace.len() as u64 }
            }
            Event::Confirming { requirement, again, tries } => {
                Record::Confirming { requirement: finding(requirement), again, tries }
            }
            Event::Shrinking { requirement, runs, steps, length } => {
                Record::Shrinking { requirement: finding(requirement), runs, steps, length }
            }
            Event::Shrunk { requirement, runs, steps, length } => {
                Record::Shrunk { requirement: finding(requirement), runs, steps, length }
            }
            Event::Violation(violation) => Record::Violation {
                requirement: violation.requirement.clone(),
                trace: self.trace(&violation.trace),
                reproduced: violation.reproduced.0,
                tries: violation.reproduced.1,
                saved: violation.saved.clone(),
                original_steps: violation.original_len,
                evidence: violation.evidence.to_string(),
                loop_from: stem(violation.evidence),
                story: None,
            },
            Event::Suspected(violation) => Record::Suspected {
                requirement: violation.requirement.clone(),
                trace: self.trace(&violation.trace),
                evidence: violation.evidence.to_string(),
                saved: violation.saved.clone(),
                loop_from: stem(violation.evidence),
                story: None,
            },
            Event::Broken(system) => Record::Broken {
                error: system.error.clone(),
                trace: self.trace(&system.trace),
                unanswered: system.unanswered.and_then(|input| {
                    self.interface.as_ref().map(|interface| interface.inputs.show(input).to_string())
                }),
                saved: system.saved.clone(),
                stderr: system.stderr.clone(),
                reproduced: system.reproduced.0,
                tries: system.reproduced.1,
                story: None,
            },
            Event::Warning(message) => Record::Warning { message: message.to_owned() },
            Event::CampaignEnded { outcome } => Record::CampaignEnded {
                runs: outcome.runs,
                steps: outcome.steps,
                triggered: outcome.triggered.clone(),
                violating_runs: outcome.violating_runs[..outcome.triggered.len()].to_vec(),
            },
            Event::Ended(report) => {
                let whole = self.interface.as_ref().map(|interface| Box::new(report.to_json(interface)));
                Record::Ended { verdict: report.verdict.word().to_owned(), report: whole }
            }
        }
    }

    fn requirement(&self, number: RequirementNumber) -> String {
        let outputs = self.interface.as_ref().map(|interface| &interface.outputs);
        let range = |at: usize| Some(outputs?.ranged().nth(at)?.1.range_id());
        let known = self.requirements.get(number.0).cloned();
        known.or_else(|| range(number.0 - self.requirements.len())).unwrap_or_default()
    }

    fn trace(&self, trace: &[Step]) -> Vec<Exchange> {
        let Some(interface) = &self.interface else { return Vec::new() };
        let exchange = |step: &Step| Exchange {
            input: interface.inputs.show(step.input).to_string(),
            output: interface.outputs.show(step.output).to_string(),
        };
        trace.iter().map(exchange).collect()
    }
}

fn stem(evidence: Evidence) -> Option<usize> {
    match evidence {
        Evidence::Lasso { stem, .. } => Some(stem),
        _ => None,
    }
}

fn word(end: RunEnd) -> &'static str {
    match end {
        RunEnd::Covered => "covered",
        RunEnd::Violated(_) => "violated",
        RunEnd::Inconclusive | RunEnd::Unfair => "inconclusive",
        RunEnd::Active => "active",
        RunEnd::Broken => "broken",
        RunEnd::Lost => "lost",
    }
}
