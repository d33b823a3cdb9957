//! The answer for people and for programs.

use std::fmt::Write;
use std::path::Path;

use provoke::machine::{Machine, UNDEFINED};
use provoke::report::count;
use provoke::synchronise::homing::{Homing, Node, Tree, Unhomed};
use provoke::synchronise::{Answer, ResetWord};
use serde_json::{Value, json};

use super::Outcome;

/// The most nodes of a homing tree that are printed for people.
const MOST_NODES: usize = 200;

/// What is searched.
pub(super) fn head(machine: &Machine, path: &Path) -> String {
    let kind = if machine.is_complete() { "complete" } else { "partial" };
    let (states, inputs) = (machine.states().len(), machine.inputs().len());
    let mut text =
        format!("{}: {}, {}, {kind}\n", path.display(), count(states, "state"), count(inputs, "input"));
    if !machine.input_signals().is_empty() {
        let _ = writeln!(text, "an input is one bit a signal: {}", machine.input_signals().join(" "));
    }
    text
}

/// The first word of a search that goes on.
pub(super) fn first(length: usize, seconds: f64) -> String {
    format!("a first word of {} in {seconds:.3} s; looking for shorter ones\n", count(length, "input"))
}

/// The answer in sentences.
pub(super) fn text(outcome: &Outcome<'_>) -> String {
    let Outcome { machine, method, answer, seconds, homing, .. } = outcome;
    let mut text = String::new();
    match answer {
        Answer::Found(found) => text.push_str(&found_text(machine, method, found, *seconds)),
        Answer::None(reason) => {
            text.push_str(&format!("no synchronising word: {}\n", reason.describe(machine)));
        }
        Answer::Unknown(reason) => {
            text.push_str(&format!("no synchronising word found in {seconds:.3} s: {reason}\n"));
        }
    }
    match homing {
        Some(Ok(homing)) => text.push_str(&homing_text(machine, homing)),
        Some(Err(reason)) => text.push_str(&format!("no homing either: {}\n", reason.describe(machine))),
        None => {}
    }
    text
}

fn found_text(machine: &Machine, method: &str, found: &ResetWord, seconds: f64) -> String {
    let ResetWord { word, target, reachable, trap, shortest, by, .. } = found;
    let by = if *by == method { by.to_string() } else { format!("{method} ({by})") };
    let proved = if *shortest { ", the shortest" } else { "" };
    let mut text = match word.len() {
        0 => format!("the empty word{proved}, by {by} in {seconds:.3} s\n"),
        length => format!("a word of {}{proved}, by {by} in {seconds:.3} s:\n", count(length, "input")),
    };
    text.push_str(&wrapped(machine, word));
    let target = machine.states().name(*target);
    let states = machine.states().len();
    let _ = writeln!(
        text,
        "it leads to {target}, from where {reachable} of {} can be reached",
        count(states, "state")
    );
    if *trap {
        let why = match machine.initial() {
            Some(initial) => format!("{} cannot be reached again", machine.states().name(initial)),
            None => "most states cannot be reached again".to_owned(),
        };
        let _ = writeln!(text, "warning: {target} is a trap: {why}, so this word is no reset");
    }
    text
}

/// The inputs, as many on a line as fit; one on each where names have blanks.
fn wrapped(machine: &Machine, word: &[u32]) -> String {
    let names: Vec<_> = word.iter().map(|&input| machine.inputs().name(input)).collect();
    let apart = names.iter().any(|name| name.contains(char::is_whitespace) || name.is_empty());
    let mut text = String::new();
    let mut column = 0;
    for name in names {
        if column > 0 && (apart || column + 1 + name.chars().count() > 98) {
            text.push('\n');
            column = 0;
        }
        text.push_str(if column == 0 { "  " } else { " " });
        text.push_str(&name);
        column += 1 + name.chars().count();
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn homing_text(machine: &Machine, homing: &Homing) -> String {
    match homing {
        Homing::Preset(word) => format!(
            "but the answers to {} tell which state the system is in:\n{}",
            count(word.len(), "input"),
            wrapped(machine, word)
        ),
        Homing::Adaptive(tree) => {
            let mut text = format!(
                "but at most {} tell which state the system is in, each chosen by the answers before:\n",
                count(tree.depth(), "input")
            );
            if tree.len() <= MOST_NODES {
                branch(machine, tree, tree.root(), 1, &mut text);
            } else {
                let _ = writeln!(text, "  a tree of {} nodes; --json prints it", tree.len());
            }
            text
        }
    }
}

fn branch(machine: &Machine, tree: &Tree, at: usize, indent: usize, text: &mut String) {
    let blank = "  ".repeat(indent);
    match tree.node(at) {
        Node::Known(state) => {
            let _ = writeln!(text, "{blank}in {}", machine.states().name(*state));
        }
        Node::Ask { input, answers } => {
            let _ = writeln!(text, "{blank}send {}", machine.inputs().name(*input));
            for &(answer, next) in answers {
                let _ = writeln!(text, "{blank}on {}:", output_name(machine, answer));
                branch(machine, tree, next, indent + 1, text);
            }
        }
    }
}

fn output_name(machine: &Machine, answer: u32) -> String {
    if answer == UNDEFINED { "no answer".to_owned() } else { machine.outputs().name(answer).into_owned() }
}

/// The answer as one object; the guide lists the fields.
pub(super) fn json(outcome: &Outcome<'_>) -> Value {
    let Outcome { machine, path, method, answer, seconds, read_seconds, homing } = outcome;
    let mut value = json!({
        "status": match answer {
            Answer::Found(_) => "found",
            Answer::None(_) => "none",
            Answer::Unknown(_) => "unknown",
        },
        "machine": path.display().to_string(),
        "states": machine.states().len(),
        "inputs": machine.inputs().len(),
        "signals": machine.input_signals(),
        "complete": machine.is_complete(),
        "method": method,
        "seconds": seconds,
        "read_seconds": read_seconds,
        "length": null,
        "first_length": null,
        "lengths": null,
        "word": null,
        "target": null,
        "reachable_after": null,
        "trap": null,
        "shortest": null,
        "found_by": null,
        "nodes": null,
        "reason": null,
        "reason_name": null,
        "homing": homing.as_ref().map(|homing| homing_json(machine, homing)),
        "peak_bytes": peak_bytes(),
    });
    match answer {
        Answer::Found(ResetWord { word, target, reachable, trap, shortest, by, before, nodes }) => {
            let lengths: Vec<usize> = before.iter().copied().chain([word.len()]).collect();
            value["length"] = json!(word.len());
            value["first_length"] = json!(lengths[0]);
            value["lengths"] = json!(lengths);
            value["nodes"] = json!(nodes);
            value["word"] = inputs(machine, word);
            value["target"] = json!(machine.states().name(*target));
            value["reachable_after"] = json!(reachable);
            value["trap"] = json!(trap);
            value["shortest"] = json!(shortest);
            value["found_by"] = json!(by);
        }
        Answer::None(reason) => {
            value["reason"] = json!(reason.describe(machine));
            value["reason_name"] = json!(reason.name());
        }
        Answer::Unknown(reason) => value["reason"] = json!(reason),
    }
    value
}

fn inputs(machine: &Machine, word: &[u32]) -> Value {
    word.iter().map(|&input| machine.inputs().name(input).into_owned()).collect()
}

fn homing_json(machine: &Machine, homing: &Result<Homing, Unhomed>) -> Value {
    match homing {
        Err(reason) => json!({ "kind": "none", "reason": reason.describe(machine) }),
        Ok(Homing::Preset(word)) => {
            json!({ "kind": "preset", "depth": word.len(), "word": inputs(machine, word) })
        }
        Ok(Homing::Adaptive(tree)) => {
            let node = |at: usize| match tree.node(at) {
                Node::Known(state) => json!({ "state": machine.states().name(*state) }),
                Node::Ask { input, answers } => json!({
                    "input": machine.inputs().name(*input),
                    "answers": answers.iter().map(|&(answer, next)| {
                        let output = (answer != UNDEFINED).then(|| machine.outputs().name(answer));
                        json!({ "output": output, "node": next })
                    }).collect::<Vec<_>>(),
                }),
            };
            let nodes: Vec<Value> = (0..tree.len()).map(node).collect();
            json!({ "kind": "adaptive", "depth": tree.depth(), "root": tree.root(), "nodes": nodes })
        }
    }
}

/// The most memory this process ever held, as Linux counts it; none elsewhere.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}
