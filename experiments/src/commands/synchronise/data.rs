//! Real machines: protocols, controllers and the Engine Status Manager.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use provoke::format::machine::read;
use provoke::machine::{Machine, UNDEFINED};
use provoke::synchronise::homing::{Homing, homing};
use provoke::synchronise::{Answer, Impossible, Method, reachable, synchronise};
use serde_json::{Value, json};

use super::measure::{query, shown};

/// Every machine in the folder of public data, and the Engine Status Manager as paper 5 changed it.
pub(super) fn rows(quiet: bool) -> Vec<Value> {
    let entries = crate::data::path("machines").and_then(|folder| Ok(std::fs::read_dir(folder)?));
    let entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            eprintln!("skipped the real machines: {error}");
            return Vec::new();
        }
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
    let answer = synchronise(machine, &query(method, Duration::from_secs(60), 0), None);
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
            value["nodes"] = json!(found.nodes);
            let trap = if found.trap { "  into a trap" } else { "" };
            let nodes = found.nodes.map_or(String::new(), |nodes| format!(", {nodes} Q-nodes"));
            format!("{} letters{nodes}, {} states reachable after{trap}", found.word.len(), found.reachable)
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

/// The Engine Status Manager with the changes of paper 5: it has pairs of states that are never left, and one
/// common input of those is made to lead to a single state.
///
/// The paper has two versions: one completed, which is the public file, and the partial original, which is not public.
/// What was missing there is taken to be what nothing comes of here: loops with the answer that is by far the most common.
fn changed_esm(machine: Machine, quiet: bool) -> Vec<Value> {
    let mut rows = Vec::new();
    if let Some((changed, what)) = merged_at_the_end(&machine) {
        let name = format!("esm, {what}");
        let methods = [Method::Auto, Method::Greedy, Method::QLearning, Method::QSynch, Method::Eppstein];
        rows.extend(methods.map(|method| {
            let paper = (method == Method::QSynch).then_some("356 letters, 351 ms, 326 MB");
            row(&name, &changed, method, paper, quiet)
        }));
    }
    if let Some((changed, what)) = without_idle_loops(&machine).as_ref().and_then(merged_at_the_end) {
        let name = format!("esm, partial, {what}");
        rows.extend([Method::Auto, Method::Greedy, Method::QLearning, Method::QSynch].map(|method| {
            let paper = (method == Method::QSynch).then_some("374 letters, 351 ms, 326 MB");
            row(&name, &changed, method, paper, quiet)
        }));
    }
    rows
}

/// The machine whose last states, those from which at most one other is reached, are led to the first of them by one input.
fn merged_at_the_end(machine: &Machine) -> Option<(Machine, String)> {
    let states = machine.states().len() as u32;
    let last: Vec<u32> = (0..states).filter(|&state| reachable(machine, state, None).0 <= 2).collect();
    let defined = |input: &u32| last.iter().filter(|&&state| machine.next(state, *input).is_some()).count();
    // The first of those that are defined in most of these states.
    let input = (0..machine.inputs().len() as u32).rev().max_by_key(defined)?;
    let &target = last.first()?;
    let mut next = machine.table().to_vec();
    for state in &last {
        next[*state as usize * machine.inputs().len() + input as usize] = target;
    }
    let changed = Machine::from_table(machine.states().clone(), machine.inputs().clone(), next).ok()?;
    let changed = changed.with_initial(machine.initial().unwrap_or(0)).ok()?;
    Some((changed, format!("{} states led to {}", last.len(), machine.states().name(target))))
}

/// The machine without the loops that give its most common answer.
fn without_idle_loops(machine: &Machine) -> Option<Machine> {
    let (states, inputs) = (machine.states().len() as u32, machine.inputs().len() as u32);
    let loops = || {
        (0..states)
            .flat_map(|state| (0..inputs).map(move |input| (state, input)))
            .filter(|&(state, input)| machine.next(state, input) == Some(state))
    };
    let mut often = vec![0u32; machine.outputs().len()];
    let answers = loops().filter_map(|(state, input)| machine.output(state, input));
    answers.for_each(|answer| often[answer as usize] += 1);
    let (common, _) = (0u32..).zip(&often).max_by_key(|(_, count)| **count)?;
    let mut next = machine.table().to_vec();
    for (state, input) in loops().filter(|&(state, input)| machine.output(state, input) == Some(common)) {
        next[(state * inputs + input) as usize] = UNDEFINED;
    }
    let partial = Machine::from_table(machine.states().clone(), machine.inputs().clone(), next).ok()?;
    partial.with_initial(machine.initial().unwrap_or(0)).ok()
}
