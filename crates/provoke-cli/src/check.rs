//! `provoke check`: what can be said of a specification without running anything.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use provoke::action::Survey;
use provoke::format::aiger::is_circuit;
use provoke::game::symbolic::Effort;
use provoke::letter::{Alphabet, Interface};
use provoke::report::count;
use provoke::specification::{
    Check, CircuitCheck, Class, Loading, STATE_LIMIT, Specification, SuspensionCheck, Target, Wish,
    check_circuit,
};
use provoke::trace::RequirementNumber;
use provoke::trace::Step;
use serde_json::json;

use crate::exit::Exit;
use crate::options;
use crate::output::{say, warn};

/// The arguments of `provoke check`.
#[derive(Args)]
pub(crate) struct CheckArgs {
    /// The specification file, or an automaton (.hoa), circuit (.aag, .aig) or transition system (.aut, .dot) that is one
    /// requirement
    spec: PathBuf,
    /// The most product states to use for guidance
    #[arg(long, value_name = "N", default_value_t = STATE_LIMIT, value_parser = options::states)]
    states: usize,
    /// The most seconds to spend on the game of a lone circuit
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u64,
    /// The most megabytes to spend on the game of a lone circuit
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    memory: usize,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// Checks and reports; an objective that no system can reach is a fault of the specification, and so are
/// requirements that contradict each other.
pub(crate) fn run(args: &CheckArgs) -> Result<Exit> {
    if is_circuit(&args.spec) {
        return circuit(args);
    }
    let specification = Specification::load_with(&args.spec, &Loading::with_states(args.states))?;
    warn(&specification.warnings);
    if specification.programs().next().is_some()
        && matches!(specification.system.target, Some(Target::Model(_)))
    {
        // A transition system that stands for the system must be fit for it.
        specification.open(&Wish::default())?;
    }
    let check = specification.check(args.states)?;
    if let Some(error) = check.requirements.iter().find_map(|found| found.error.clone()) {
        return Err(error.into());
    }
    if args.json {
        say(format_args!("{:#}\n", to_json(&check, specification.interface())))?;
    } else {
        say(to_text(&specification, &check))?;
    }
    let unreachable = check.objectives.iter().any(|objective| objective.distance.is_none());
    let clash = check.realisability.clash.as_ref();
    let contradictory = check.relations.conflict.is_some()
        || check.relations.assumptions_conflict
        || clash.is_some_and(|clash| !clash.avoidable);
    Ok(if unreachable || contradictory { Exit::Usage } else { Exit::Covered })
}

/// The plain safety game of a lone circuit: whether the tester can force a violation, whatever the system answers.
fn circuit(args: &CheckArgs) -> Result<Exit> {
    let start = Instant::now();
    let effort = Effort::within(Duration::from_secs(args.time), args.memory);
    let check = check_circuit(&args.spec, effort)?;
    warn(&check.warnings);
    let seconds = start.elapsed().as_secs_f64();
    let CircuitCheck { answer, inputs, outputs, latches, gates, .. } = &check;
    let (can, peak_nodes) = (answer.can, answer.peak_nodes);
    if args.json {
        let value = json!({
            "realisable": can.map(|can| !can),
            "tester_can_force_violation": can,
            "seconds": seconds,
            "peak_nodes": peak_nodes,
            "inputs": inputs,
            "outputs": outputs,
            "latches": latches,
            "gates": gates,
        });
        say(format_args!("{value:#}\n"))?;
    } else {
        let answer = match can {
            Some(true) => "the tester can force a violation, whatever the system answers".to_owned(),
            Some(false) => "some system keeps it, whatever the tester sends".to_owned(),
            None => {
                format!("undecided within {} and {} MB", count(args.time as usize, "second"), args.memory)
            }
        };
        say(format_args!(
            "signals: {inputs} in, {outputs} out\ncircuit: {}, {}\n{answer}; {seconds:.3} s, at most {}\n",
            count(*latches, "latch").replace("latchs", "latches"),
            count(*gates, "gate"),
            count(peak_nodes, "node"),
        ))?;
    }
    Ok(if can.is_some() { Exit::Covered } else { Exit::Exhausted })
}

/// The signals with their types and the bits that they take.
fn types(interface: &Interface) -> String {
    let mut text = String::new();
    for (side, alphabet) in [("in", &interface.inputs), ("out", &interface.outputs)] {
        for field in alphabet.fields() {
            let bits = count(field.bits().len(), "bit");
            let _ = writeln!(text, "  {side:<3} {}: {} ({bits})", field.name(), field.kind());
        }
    }
    text
}

fn to_text(specification: &Specification, check: &Check) -> String {
    let interface = specification.interface();
    // Of actions with parameters no more than a few have been met yet.
    let families = |alphabet: &Alphabet| alphabet.as_labels().map_or(0, |labels| labels.families().len());
    let (controllable, observable) = (families(&interface.inputs), families(&interface.outputs));
    let mut text = match controllable + observable {
        0 => {
            let (inputs, outputs) = (interface.inputs.len(), interface.outputs.len());
            format!("{}s: {inputs} in, {outputs} out\n", interface.inputs.what())
        }
        _ => format!("actions: {controllable} in, {observable} out\n"),
    };
    if !interface.has_labels() && !interface.is_boolean() {
        text += &types(interface);
    }
    for (at, found) in check.requirements.iter().enumerate() {
        let (states, edges) = (count(found.states, "state"), count(found.edges, "edge"));
        if let Some(survey) = &found.survey {
            text.push_str(&survey_text(&found.id, survey));
            continue;
        }
        let class = check.relations.classes[at].map_or("of unknown class", Class::word);
        text.push_str(&format!("requirement {}: {class}, {states}, {edges}", found.id));
        if found.reachable < found.states {
            text.push_str(&format!(", {} unreachable", count(found.states - found.reachable, "state")));
        }
        match (found.never_violated, check.relations.classes[at]) {
            (true, Some(Class::Safety | Class::Bounded)) => text.push_str("; can never be violated"),
            (true, _) => text.push_str("; never violated in finitely many steps"),
            (false, _) => {}
        }
        text.push('\n');
        if let Some(suspension) = &found.suspension {
            text.push_str(&suspension_text(suspension));
        }
        for withheld in &found.withholds {
            text.push_str(&format!("  restricts the environment: never sent: {withheld}\n"));
        }
    }
    if !check.unkept.is_empty() {
        text += &format!(
            "warning: too large to be kept by the tester, so a system may wait in vain for: {}\n",
            check.unkept.join(", ")
        );
    }
    text.push_str(&relations_text(check));
    text.push_str(&clash_text(check, interface));
    for found in &check.objectives {
        text.push_str(&format!("objective {}: ", found.id));
        match (found.distance, found.rank) {
            (Some(distance), Some(0)) => {
                let steps = count(distance as usize, "step");
                text.push_str(&format!("the tester can force it or a violation; {steps} at best"));
            }
            (Some(distance), Some(rank)) => {
                let times = if rank == 1 { "once".to_owned() } else { format!("{rank} times") };
                let steps = count(distance as usize, "step");
                text.push_str(&format!("the system must help {times}; {steps} at best"));
            }
            _ => text.push_str("UNREACHABLE: no system that keeps the requirements ever gets there"),
        }
        match (count(found.states, "state"), count(found.edges, "edge")) {
            _ if found.edges == 0 => text.push_str("; its product is met as it is played"),
            (states, edges) => text.push_str(&format!("; product of {states}, {edges}")),
        }
        if !found.left_out.is_empty() {
            text.push_str(&format!("; too large to guide: {}", found.left_out.join(", ")));
        }
        text.push('\n');
    }
    text
}

fn suspension_text(found: &SuspensionCheck) -> String {
    let (states, transitions) = (count(found.states, "state"), count(found.transitions, "transition"));
    let takes = match &found.missing {
        None => "it takes every input everywhere".to_owned(),
        Some((state, input)) => format!("inputs are left out, such as `{input}` in state `{state}`"),
    };
    let mut text = format!("  suspension automaton: {states}, {transitions}; {takes}\n");
    if let Some(state) = &found.divergence {
        text.push_str(&format!("  diverges: internal steps lead from state `{state}` back to it\n"));
    }
    for anomaly in &found.anomalies {
        text.push_str(&format!("  anomalous: {anomaly}\n"));
    }
    text
}

/// What was seen of a model program.
fn survey_text(id: &str, survey: &Survey) -> String {
    let (states, actions) = (count(survey.states, "state"), count(survey.actions, "action"));
    let mut text = match survey.complete {
        true => format!("requirement {id}: a model program with {states}, {actions}"),
        false => {
            format!("requirement {id}: a model program; looked at {states}, {actions}, and there are more")
        }
    };
    if survey.dead_ends > 0 {
        text.push_str(&format!(", {} that nobody can leave", count(survey.dead_ends, "state")));
    }
    if !survey.never_enabled.is_empty() {
        text.push_str(&format!("; not enabled so far: {}", survey.never_enabled.join(", ")));
    }
    text.push('\n');
    text
}

fn relations_text(check: &Check) -> String {
    let ids = |numbers: &[RequirementNumber]| {
        numbers.iter().map(|&at| check.requirements[at.0].id.as_str()).collect::<Vec<_>>().join(", ")
    };
    let relations = &check.relations;
    let mut text = String::new();
    if relations.assumptions_conflict {
        text.push_str("CONTRADICTION: the assumptions cannot all hold\n");
    }
    match relations.conflict.as_deref() {
        Some([one]) => text.push_str(&format!("CONTRADICTION: no run keeps {}\n", ids(&[*one]))),
        Some(several) => text.push_str(&format!("CONTRADICTION: no run keeps {} together\n", ids(several))),
        None => {}
    }
    for (implied, from) in &relations.implied {
        let id = ids(&[*implied]);
        match &from[..] {
            [] => text.push_str(&format!("requirement {id} follows from the assumptions\n")),
            from => text.push_str(&format!("requirement {id} follows from {}\n", ids(from))),
        }
    }
    for (vacuous, condition) in &relations.vacuous {
        text.push_str(&format!(
            "requirement {} is vacuous: `{condition}` can never hold\n",
            ids(&[*vacuous])
        ));
    }
    if relations.undecided {
        text.push_str("some relations between requirements were too costly to decide\n");
    }
    text
}

/// Where requirements leave no answer together.
fn clash_text(check: &Check, interface: &Interface) -> String {
    let Some(clash) = &check.realisability.clash else {
        return match check.realisability.tester_can_force_violation {
            None => "whether the requirements can be realised was too costly to decide\n".to_owned(),
            Some(_) => String::new(),
        };
    };
    let ids: Vec<&str> = clash.requirements.iter().map(|&at| check.requirements[at.0].id.as_str()).collect();
    let ids = ids.join(" and ");
    let mut text = match clash.avoidable {
        true => format!("a system can be cornered: no answer satisfies {ids} together after\n"),
        false => format!("CONTRADICTION: no answer satisfies {ids} together after\n"),
    };
    for (at, step) in clash.after.iter().enumerate() {
        let (input, output) = (interface.inputs.show(step.input), interface.outputs.show(step.output));
        text.push_str(&format!("  {:>4}  {input} / {output}\n", at + 1));
    }
    text.push_str(&format!("  {:>4}  {}\n", clash.after.len() + 1, interface.inputs.show(clash.input)));
    text.push_str(match clash.avoidable {
        true => "  a system that keeps the requirements does not get there\n",
        false => "  no system can keep them: the tester can force a violation\n",
    });
    text
}

fn to_json(check: &Check, interface: &Interface) -> serde_json::Value {
    let ids = |numbers: &[RequirementNumber]| {
        numbers.iter().map(|&at| &check.requirements[at.0].id).collect::<Vec<_>>()
    };
    let steps = |trace: &[Step]| {
        let step = |step: &Step| {
            let (input, output) = (interface.inputs.show(step.input), interface.outputs.show(step.output));
            json!({ "input": input.to_string(), "output": output.to_string() })
        };
        trace.iter().map(step).collect::<Vec<_>>()
    };
    let can_force = check.realisability.tester_can_force_violation;
    json!({
        "realisable": can_force.map(|can| !can),
        "tester_can_force_violation": can_force,
        "clash": check.realisability.clash.as_ref().map(|clash| json!({
            "requirements": ids(&clash.requirements),
            "after": steps(&clash.after),
            "input": interface.inputs.show(clash.input).to_string(),
            "avoidable": clash.avoidable,
        })),
        "conflict": check.relations.conflict.as_deref().map(ids),
        "assumptions_conflict": check.relations.assumptions_conflict,
        "undecided": check.relations.undecided,
        "requirements": check.requirements.iter().enumerate().map(|(at, found)| json!({
            "id": found.id,
            "class": check.relations.classes[at].map(Class::word),
            "implied_by": check.relations.implied.iter().find(|(implied, _)| implied.0 == at).map(|(_, from)| ids(from)),
            "vacuous": check.relations.vacuous.iter().any(|(vacuous, _)| vacuous.0 == at),
            "states": found.states,
            "reachable": found.reachable,
            "edges": found.edges,
            "never_violated": found.never_violated,
            "withholds": found.withholds,
            "suspension": found.suspension.as_ref().map(|found| json!({
                "states": found.states,
                "transitions": found.transitions,
                "input_enabled": found.missing.is_none(),
                "missing": found.missing.as_ref().map(|(state, input)| json!({ "state": state, "input": input })),
                "divergence": found.divergence,
                "anomalies": found.anomalies.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })),
            "survey": found.survey.as_ref().map(|survey| json!({
                "states": survey.states,
                "actions": survey.actions,
                "complete": survey.complete,
                "never_enabled": survey.never_enabled,
                "dead_ends": survey.dead_ends,
            })),
        })).collect::<Vec<_>>(),
        "objectives": check.objectives.iter().map(|found| json!({
            "id": found.id,
            "reachable": found.distance.is_some(),
            "distance": found.distance,
            "rank": found.rank,
            "forced": found.rank == Some(0),
            "states": found.states,
            "edges": found.edges,
            "guiding": found.guiding,
            "left_out": found.left_out,
        })).collect::<Vec<_>>(),
        "unkept_assumptions": check.unkept,
    })
}
