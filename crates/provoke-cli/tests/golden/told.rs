//! What the binary said, as text that is the same everywhere.

use std::fmt::Write as _;
use std::process::Output;

use serde_json::Value;

use crate::recorder::hash;

/// Longer texts are told by their hashes.
pub(crate) const LONGEST_TEXT: usize = 2_500;
const LONGEST_TRACE: usize = 300;

/// What was said on both streams, and the exit code where it is not 0.
pub(crate) fn all_of(output: &Output) -> String {
    let mut told = String::from_utf8(output.stdout.clone()).unwrap();
    told += std::str::from_utf8(&output.stderr).unwrap();
    if code(output) != 0 {
        let _ = writeln!(told, "exit code {}", code(output));
    }
    told
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// A report without seconds and bytes, which are not the same everywhere.
pub(crate) fn timeless(report: &str) -> String {
    let mut told = String::new();
    for line in report.lines() {
        let is_sum = line.contains(" steps/s)");
        let parts = line.split(", ").filter(|part| !is_sum || !part.ends_with(" steps/s)"));
        let parts = parts
            .map(|part| if part.starts_with("strategy ") { part.split(" (").next().unwrap() } else { part });
        told += &parts.collect::<Vec<_>>().join(", ");
        told.push('\n');
    }
    told
}

/// The JSON object, a line a value, without what is not the same everywhere.
pub(crate) fn report(output: &Output) -> String {
    let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else { return all_of(output) };
    let mut lines = Vec::new();
    flatten("", &report, &mut lines);
    lines.sort();
    format!("exit code {}\n{}\n", code(output), lines.join("\n"))
}

/// The lines that only the second report has, and those that only the first one has.
pub(crate) fn differing(first: &str, second: &str) -> String {
    let only = |sign: char, these: &str, those: &str| -> String {
        let those: Vec<&str> = those.lines().collect();
        let missing = these.lines().filter(|line| !those.contains(line));
        missing.map(|line| format!("{sign} {line}\n")).collect()
    };
    let told = only('-', first, second) + &only('+', second, first);
    if told.is_empty() { "as the first\n".to_owned() } else { format!("unlike the first:\n{told}") }
}

fn flatten(path: &str, value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in
                fields.iter().filter(|(name, _)| *name != "seconds" && *name != "strategy_bytes")
            {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(&path, value, lines);
            }
        }
        Value::Array(steps) if steps.iter().any(|step| step.get("output").is_some()) => {
            let step = |step: &Value| format!("{} / {}", text(&step["input"]), text(&step["output"]));
            let trace = steps.iter().map(step).collect::<Vec<_>>().join("; ");
            let told = if trace.len() > LONGEST_TRACE { measured(&trace) } else { trace };
            lines.push(format!("{path}: {} steps: {told}", steps.len()));
        }
        Value::Array(elements) if !elements.is_empty() => {
            for (place, element) in elements.iter().enumerate() {
                flatten(&format!("{path}[{place}]"), element, lines);
            }
        }
        other => lines.push(format!("{path}: {other}")),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// A text whole, or measured where it is long.
pub(crate) fn shown(text: &str) -> String {
    if text.len() > LONGEST_TEXT { format!("{}\n", measured(text)) } else { text.to_owned() }
}

pub(crate) fn measured(text: &str) -> String {
    format!("{} bytes, {:016x}", text.len(), hash(text))
}
