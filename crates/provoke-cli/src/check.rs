//! `provoke check`: what can be said of a specification without running anything.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use provoke::report::count;
use provoke::specification::{Check, STATE_LIMIT, Specification};
use serde_json::json;

use crate::exit::Exit;

/// The arguments of `provoke check`.
#[derive(Args)]
pub(crate) struct CheckArgs {
    /// The specification file
    spec: PathBuf,
    /// The most product states to use for guidance
    #[arg(long, value_name = "N", default_value_t = STATE_LIMIT)]
    states: usize,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// Checks and reports; an objective that no system can reach is a fault of the specification.
pub(crate) fn run(args: &CheckArgs) -> Result<Exit> {
    let specification = Specification::load(&args.spec)?;
    let check = specification.check(args.states)?;
    if args.json {
        println!("{:#}", to_json(&check));
    } else {
        print!("{}", to_text(&specification, &check));
    }
    let unreachable = check.objectives.iter().any(|objective| objective.distance.is_none());
    Ok(if unreachable { Exit::Usage } else { Exit::Covered })
}

fn to_text(specification: &Specification, check: &Check) -> String {
    let interface = specification.interface();
    let (inputs, outputs) = (interface.inputs.names().len(), interface.outputs.names().len());
    let what = if interface.inputs.is_labelled() { "labels" } else { "signals" };
    let mut text = format!("{what}: {inputs} in, {outputs} out\n");
    for found in &check.requirements {
        let (states, edges) = (count(found.states, "state"), count(found.edges, "edge"));
        text.push_str(&format!("requirement {}: {states}, {edges}", found.id));
        if found.reachable < found.states {
            text.push_str(&format!(", {} unreachable", count(found.states - found.reachable, "state")));
        }
        if found.never_violated {
            text.push_str("; can never be violated");
        }
        text.push('\n');
    }
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
        let (states, edges) = (count(found.states, "state"), count(found.edges, "edge"));
        text.push_str(&format!("; product of {states}, {edges}"));
        if !found.left_out.is_empty() {
            text.push_str(&format!("; too large to guide: {}", found.left_out.join(", ")));
        }
        text.push('\n');
    }
    text
}

fn to_json(check: &Check) -> serde_json::Value {
    json!({
        "requirements": check.requirements.iter().map(|found| json!({
            "id": found.id,
            "states": found.states,
            "reachable": found.reachable,
            "edges": found.edges,
            "never_violated": found.never_violated,
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
    })
}
