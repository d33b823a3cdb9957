//! One machine-readable object a session. Fields are documented in the guide and only ever added to.

use serde_json::{Value, json};

use super::{ElapsedReport, Evidence, ModelReport, Report, SilenceReport, SystemReport, ViolationReport};
use crate::letter::Interface;
use crate::system::interrupt::Interrupt;
use crate::trace::Step;

impl Report {
    /// The report as one JSON object.
    pub fn to_json(&self, interface: &Interface) -> Value {
        let mut printed = json!({
            "verdict": self.verdict.word(),
            "strategy": self.strategy,
            "seed": self.seed,
            "runs": self.runs,
            "resets": self.resets,
            "steps": self.steps,
            "reset_steps": self.reset_steps,
            "shrink_resets": self.shrink_resets,
            "shrink_steps": self.shrink_steps,
            "seconds": self.seconds,
            "strategy_bytes": self.strategy_bytes,
            "objectives": self.objectives.iter().map(|objective| json!({
                "id": objective.id,
                "covered": objective.covered,
                "best_distance": objective.best_distance,
                "runs": objective.runs,
                "steps": objective.steps,
                "trace": objective.trace.as_ref().map(|trace| steps(interface, trace)),
                "silence": objective.silence.map(silence),
            })).collect::<Vec<_>>(),
            "coverage": self.coverage.iter().map(|coverage| json!({
                "objective": coverage.objective,
                "of": coverage.of,
                "elements": coverage.elements,
                "covered": coverage.covered,
                "never": first(&coverage.never),
                "cannot": first(&coverage.cannot),
                "complete": coverage.complete,
            })).collect::<Vec<_>>(),
            "note": self.note,
            "violations": violations(interface, &self.violations),
            "suspected": suspected(interface, &self.suspected),
            "requirements": self.requirements.iter().map(|requirement| json!({
                "id": requirement.id,
                "violated": requirement.violated,
                "violating_runs": requirement.violating_runs,
                "excused": requirement.excused,
                "tested": requirement.tested,
                "triggered": requirement.triggered,
                "verdict": requirement.judgement.word(),
                "pending_for": requirement.judgement.age(),
                "left_out": requirement.left_out,
                "withholds": requirement.withholds,
            })).collect::<Vec<_>>(),
            "no_longer": self.no_longer,
            "no_longer_breaks": self.no_longer_breaks,
            "not_this_time": self.not_this_time,
            "suite": self.suite.map(|tally| json!({
                "tests": tally.tests,
                "passed": tally.passed,
                "failed": tally.failed,
                "inconclusive": tally.inconclusive,
                "not_run": tally.not_run(),
            })),
            "stranded": self.stranded,
            "interrupted": self.interrupted.map(Interrupt::word),
            "reset_cost": self.reset_cost,
            "calibration_resets": self.calibration.0,
            "calibration_steps": self.calibration.1,
            "pending": self.pending.iter().map(|(requirement, age)| json!({
                "requirement": requirement,
                "steps": age,
            })).collect::<Vec<_>>(),
            "unconfirmed": self.unconfirmed.iter().map(|unconfirmed| json!({
                "requirement": unconfirmed.requirement,
                "trace": steps(interface, &unconfirmed.trace),
                "times": unconfirmed.times,
                "silence": unconfirmed.silence.map(silence),
            })).collect::<Vec<_>>(),
            "not_guiding": self.not_guiding,
            "unkept_assumptions": self.unkept,
            "retries": self.retries.iter().map(|loss| json!({
                "error": loss.error,
                "reset": loss.reset,
                "steps": loss.steps,
            })).collect::<Vec<_>>(),
            "system": self.system.as_ref().map(|system| system.to_json(interface)),
        });
        if let Some(pace) = self.pace {
            printed["pace"] = json!({
                "cycle_ms": pace.cycle_ms,
                "inputs": pace.inputs,
                "late": pace.late,
                "worst_ms": pace.worst_ms,
            });
        }
        if let Some(found) = &self.model {
            printed["model"] = model(interface, found, &self.holding());
        }
        printed
    }
}

impl SystemReport {
    /// What was wrong with the system, as one JSON object.
    pub fn to_json(&self, interface: &Interface) -> Value {
        json!({
            "error": self.error,
            "trace": steps(interface, &self.trace),
            "unanswered": self.unanswered.map(|input| interface.inputs.show(input).to_string()),
            "original_steps": self.original_len,
            "reproduced": self.reproduced.0,
            "tries": self.reproduced.1,
            "stderr": self.stderr,
            "saved": self.saved,
        })
    }
}

fn violations(interface: &Interface, violations: &[ViolationReport]) -> Value {
    let one = |violation: &ViolationReport| {
        let (loop_from, rounds) = match violation.evidence {
            Evidence::Lasso { stem, rounds } => (Some(stem), Some(rounds)),
            Evidence::Prefix | Evidence::Published => (None, None),
        };
        json!({
            "requirement": violation.requirement,
            "text": violation.text,
            "evidence": violation.evidence.to_string(),
            "loop_from": loop_from,
            "rounds": rounds,
            "trace": steps(interface, &violation.trace),
            "original_steps": violation.original_len,
            "reproduced": violation.reproduced.0,
            "tries": violation.reproduced.1,
            "reproducible": format!("{} of {}", violation.reproduced.0, violation.reproduced.1),
            "runs": violation.runs,
            "no_answer": violation.no_answer,
            "no_system": violation.no_system,
            "silence": violation.silence.map(silence),
            "elapsed_ms": violation.elapsed.map(elapsed),
            "saved": violation.saved,
            "file": violation.place.as_ref().map(|(file, _)| file),
            "line": violation.place.as_ref().map(|(_, line)| line),
            "explanation": violation.explanation.as_ref().map(ToString::to_string),
            "allowed": violation.explanation.as_ref().and_then(|explained| explained.allowed.clone()),
        })
    };
    violations.iter().map(one).collect()
}

/// The same without what is about the last step.
fn suspected(interface: &Interface, list: &[ViolationReport]) -> Value {
    let mut shown = violations(interface, list);
    for entry in shown.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        entry.remove("no_answer");
        entry.remove("no_system");
        entry.remove("silence");
        entry.remove("elapsed_ms");
        entry.remove("explanation");
        entry.remove("allowed");
    }
    shown
}

/// How long the answer took that a verdict rests on.
fn elapsed(elapsed: ElapsedReport) -> Value {
    let ElapsedReport { min_ms, median_ms, max_ms, violated, runs } = elapsed;
    json!({ "min": min_ms, "median": median_ms, "max": max_ms, "violated": violated, "runs": runs })
}

/// What a verdict rests on where nothing came.
fn silence(silence: SilenceReport) -> Value {
    json!({ "patience_ms": silence.patience_ms, "steps": silence.steps })
}

/// The first of many names.
fn first(names: &[String]) -> &[String] {
    const LISTED: usize = 1000;
    &names[..names.len().min(LISTED)]
}

/// A trace as an array of `{"input": ..., "output": ...}` in text form.
fn steps(interface: &Interface, trace: &[Step]) -> Value {
    trace
        .iter()
        .map(|step| {
            json!({
                "input": interface.inputs.show(step.input).to_string(),
                "output": interface.outputs.show(step.output).to_string(),
            })
        })
        .collect()
}

fn model(interface: &Interface, model: &ModelReport, holds: &[&str]) -> Value {
    let two_answers = model.two_answers.as_ref().map(|(first, second, confirmed)| {
        json!({
            "first": steps(interface, first),
            "second": steps(interface, second),
            "confirmed": confirmed,
        })
    });
    json!({
        "states": model.states,
        "states_declared": model.declared.map(|(most, _)| most),
        "transitions": model.transitions.0,
        "transitions_in_all": model.transitions.1,
        "rounds": model.rounds,
        "withheld_transitions": model.withheld,
        "steps_since_surprise": model.since_surprise,
        "holds": holds,
        "deterministic": model.two_answers.as_ref().is_none_or(|(.., confirmed)| !confirmed),
        "two_answers": two_answers,
        "changed": model.changed.as_ref().map(|(then, now)| {
            json!({ "then": steps(interface, then), "now": steps(interface, now) })
        }),
    })
}
