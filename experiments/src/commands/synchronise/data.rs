//! Real machines: protocols, controllers and the Engine Status Manager.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use provoke::machine::{Machine, UNDEFINED};
use provoke::spec::machine::read;
use provoke::synchronise::homing::{Homing, homing};
use provoke::synchronise::{Answer, Impossible, Method, Query, reachable, synchronise};
use serde_json::{Value, json};

use super::measure::shown;

/// Every machine of `../shared/data/machines`, and the Engine Status Manager as paper 5 changed it.
pub(super) fn rows(quiet: bool) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/machines");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped the real machines: {} is absent", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "dot" || ending == "kiss2"));
    paths.sort();
    if !quiet {
        println!("\nReal machines");
    }
    let mut rows = Vec::new();
    for path in paths {
        let name = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        match read(&path) {
            Ok(machine) => {
                rows.push(row(&name, &machine, Method::Auto, None, quiet));
                if name == "esm" {
                    rows.extend(changed_esm(machine, quiet));
                }
            }
            Err(error) => eprintln!("{error}"),
        }
    }
    rows
}

fn row(name: &str, machine: &Machine, method: Method, paper: Option<&str>, quiet: bool) -> Value {
    let started = Instant::now();
    let budget = Some(Duration::from_secs(60));
    let answer = synchronise(machine, &Query { method, budget, ..Query::default() }, None);
    let seconds = started.elapsed().as_secs_f64();
    let mut value = json!({
        "part": "data",
        "machine": name,
        "strategy": method.entry().name,
        "states": machine.states().len(),
        "inputs": machine.inputs().len(),
        "mean_seconds": seconds,
        "paper": paper,
    });
    let text = match &answer {
        Answer::Found(found) => {
            value["status"] = json!("found");
            value["mean_length"] = json!(found.word.len());
            value["reachable_after"] = json!(found.reachable);
            value["trap"] = json!(found.trap);
            let trap = if found.trap { "  into a trap" } else { "" };
            format!("{} letters, {} states reachable after{trap}", found.word.len(), found.reachable)
        }
        Answer::None(reason) => {
            value["status"] = json!("none");
            value["reason"] = json!(reason.name());
            let home = homed(machine, reason);
            value["homing"] = json!(home);
            format!("none ({}); homing: {home}", reason.name())
        }
        Answer::Unknown(reason) => {
            value["status"] = json!("unknown");
            format!("unknown: {reason}")
        }
    };
    if !quiet {
        let size = format!("{} x {}", machine.states().len(), machine.inputs().len());
        let paper = paper.map_or(String::new(), |paper| format!("  [paper: {paper}]"));
        println!("  {name:<38} {size:>10}  {:<10} {text}, {}{paper}", method.entry().name, shown(seconds));
    }
    value
}

fn homed(machine: &Machine, reason: &Impossible) -> String {
    match homing(machine, Some(Duration::from_secs(20))) {
        _ if *reason == Impossible::NoStates => "-".to_owned(),
        Ok(Homing::Preset(word)) => format!("preset, {} inputs", word.len()),
        Ok(Homing::Adaptive(tree)) => format!("adaptive, at most {} inputs", tree.depth()),
        Err(reason) => reason.describe(machine),
    }
}

/// The Engine Status Manager with the change of paper 5: it has pairs of states that are never left, and one
/// common input of those is made to lead to a single state.
fn changed_esm(machine: Machine, quiet: bool) -> Vec<Value> {
    let states = machine.states().len() as u32;
    let last: Vec<u32> = (0..states).filter(|&state| reachable(&machine, state, None).0 <= 2).collect();
    let input = (0..machine.inputs().len() as u32)
        .find(|&input| last.iter().all(|&state| machine.next(state, input).is_some()));
    let (Some(&target), Some(input)) = (last.first(), input) else { return Vec::new() };
    let mut next = machine.table().to_vec();
    for state in &last {
        next[*state as usize * machine.inputs().len() + input as usize] = target;
    }
    debug_assert!(!next.contains(&UNDEFINED));
    let changed = Machine::from_table(machine.states().clone(), machine.inputs().clone(), next);
    let Ok(changed) = changed.and_then(|changed| changed.with_initial(machine.initial().unwrap_or(0))) else {
        return Vec::new();
    };
    let name = format!("esm, {} states led to {}", last.len(), machine.states().name(target));
    [Method::Auto, Method::Greedy, Method::QLearning, Method::Eppstein]
        .map(|method| {
            let paper = (method == Method::QLearning).then_some("356 letters, 351 ms, 326 MB");
            row(&name, &changed, method, paper, quiet)
        })
        .into()
}
