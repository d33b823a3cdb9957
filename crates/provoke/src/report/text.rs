//! The report a person reads.

use std::fmt::Write as _;

use super::{Overall, Report, ViolationReport, count};
use crate::letter::Interface;
use crate::system::Loss;
use crate::trace::Step;

/// Longer traces are cut in the middle on the screen; files and JSON have them whole.
const SHOWN_STEPS: usize = 24;

impl Report {
    /// The report as text for a terminal.
    pub fn to_text(&self, interface: &Interface) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_text(&mut text, interface);
        text
    }

    fn write_text(&self, text: &mut String, interface: &Interface) -> std::fmt::Result {
        for violation in &self.violations {
            write_violation(text, violation, interface)?;
        }
        if let Some(system) = &self.system {
            writeln!(text, "broken: {}", system.error)?;
            write_trace(text, &system.trace, interface)?;
            if let Some(input) = &system.unanswered {
                writeln!(text, "  {:>4}  {input} / no answer", system.trace.len() + 1)?;
            }
            if !system.stderr.is_empty() {
                writeln!(text, "  its last lines on stderr:")?;
                system.stderr.iter().try_for_each(|line| writeln!(text, "  | {line}"))?;
            }
        }
        for saved in &self.no_longer {
            writeln!(text, "saved violation {saved} no longer occurs")?;
        }
        for objective in &self.objectives {
            match (objective.covered, objective.best_distance) {
                (true, _) => {
                    let steps = objective.trace.as_ref().map_or(0, Vec::len);
                    let (runs, total) = (objective.runs, objective.steps);
                    writeln!(
                        text,
                        "objective {} covered in {}: {}, {} in all",
                        objective.id,
                        count(steps, "step"),
                        count(runs, "run"),
                        count(total, "step")
                    )?;
                }
                (false, Some(distance)) => {
                    writeln!(
                        text,
                        "objective {} not covered (closest: {} away)",
                        objective.id,
                        count(distance, "step")
                    )?;
                }
                (false, None) => writeln!(text, "objective {} not covered", objective.id)?,
            }
        }
        for Loss { error, reset, steps } in &self.retries {
            writeln!(
                text,
                "connection lost after reset {reset} and {}, opened again: {error}",
                count(*steps, "step")
            )?;
        }
        for (requirement, age) in &self.pending {
            writeln!(
                text,
                "obligation of {requirement} still open when a run ended, for {}",
                count(*age, "step")
            )?;
        }
        if !self.not_guiding.is_empty() {
            writeln!(text, "monitored but too large to guide: {}", self.not_guiding.join(", "))?;
        }
        if self.reset_steps > 0 {
            writeln!(
                text,
                "{} by driving the system: {}",
                count(self.resets, "reset"),
                count(self.reset_steps, "step")
            )?;
        }
        let verdict = match self.verdict {
            Overall::Covered if self.objectives.is_empty() => "no violation found",
            Overall::Covered => "covered",
            Overall::Violated => "VIOLATED",
            Overall::Exhausted => "budget used up",
            Overall::Broken => "the system broke",
        };
        let speed = if self.seconds > 0.0 { self.steps as f64 / self.seconds } else { 0.0 };
        writeln!(
            text,
            "{verdict}: {}, {}, {:.2} s ({speed:.0} steps/s), strategy {}{}, seed {}",
            count(self.runs, "run"),
            count(self.steps, "step"),
            self.seconds,
            self.strategy,
            memory(self.strategy_bytes),
            self.seed
        )
    }
}

/// What the strategy remembered, where it remembers anything.
fn memory(bytes: usize) -> String {
    match bytes {
        0 => String::new(),
        1..1_000_000 => format!(" ({} kB)", bytes.div_ceil(1000)),
        _ => format!(" ({:.1} MB)", bytes as f64 / 1e6),
    }
}

fn write_violation(
    text: &mut String,
    violation: &ViolationReport,
    interface: &Interface,
) -> std::fmt::Result {
    let ViolationReport { requirement, trace, original_len, reproduced: (again, tries), .. } = violation;
    writeln!(text, "violation of {requirement}")?;
    if !violation.text.is_empty() {
        writeln!(text, "  {}", violation.text)?;
    }
    write_trace(text, trace, interface)?;
    if again == tries {
        let before =
            if *original_len > trace.len() { format!(", found with {original_len}") } else { String::new() };
        writeln!(text, "  {}{before}; reproduced {again} of {tries}", count(trace.len(), "step"))?;
    } else {
        writeln!(text, "  not reproducible: {again} of {tries}")?;
    }
    if let Some(saved) = &violation.saved {
        writeln!(text, "  saved as {saved}")?;
    }
    Ok(())
}

fn write_trace(text: &mut String, trace: &[Step], interface: &Interface) -> std::fmt::Result {
    let half = SHOWN_STEPS / 2;
    for (at, step) in trace.iter().enumerate() {
        if trace.len() > SHOWN_STEPS && (half..trace.len() - half).contains(&at) {
            if at == half {
                writeln!(text, "   ...  {} not shown", count(trace.len() - 2 * half, "step"))?;
            }
            continue;
        }
        let Interface { inputs, outputs } = interface;
        writeln!(text, "  {:>4}  {} / {}", at + 1, inputs.show(step.input), outputs.show(step.output))?;
    }
    Ok(())
}
