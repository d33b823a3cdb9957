//! The report a person reads.

use std::fmt::Write as _;

use super::{
    CoverageReport, Evidence, Overall, Report, RequirementReport, SilenceReport, SystemReport,
    UnconfirmedReport, ViolationReport, count,
};
use crate::letter::Interface;
use crate::suite::Tally;
use crate::system::{Loss, Pace};
use crate::trace::Step;

/// Longer traces are cut in the middle on the screen; files and JSON have them whole.
const SHOWN_STEPS: usize = 24;

/// So many elements that were not covered are named on the screen.
const SHOWN_NAMES: usize = 8;

/// So many requirements that do not guide are named there, of more than one more.
const SHOWN_IDS: usize = 3;

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
        self.write_rest(text, interface)
    }

    /// The report without its violations, which were told as they were found.
    pub fn rest_to_text(&self, interface: &Interface) -> String {
        let mut text = String::new();
        let _ = self.write_rest(&mut text, interface);
        text
    }

    fn write_rest(&self, text: &mut String, interface: &Interface) -> std::fmt::Result {
        for violation in &self.suspected {
            write!(text, "SUSPECTED ")?;
            write_violation(text, violation, interface)?;
            writeln!(text, "  [system] states = N, or --states-of-system N, makes N rounds a violation")?;
        }
        if let Some(system) = &self.system {
            system.write(text, interface)?;
        }
        for saved in &self.no_longer {
            writeln!(text, "saved violation {saved} no longer occurs")?;
        }
        for saved in &self.no_longer_breaks {
            writeln!(text, "saved trace {saved} no longer breaks the system")?;
        }
        for saved in &self.not_this_time {
            writeln!(text, "flaky: {saved} did not occur this time and is kept")?;
        }
        for objective in &self.objectives {
            let coverage = self.coverage.iter().find(|found| found.objective.as_ref() == Some(&objective.id));
            if let Some(coverage) = coverage {
                let covered = if objective.covered { "covered" } else { "not covered" };
                let (how_much, runs, steps) =
                    (coverage.sentence(), count(objective.runs, "run"), count(objective.steps, "step"));
                writeln!(text, "objective {} {covered}: {how_much}, {runs}, {steps} in all", objective.id)?;
                continue;
            }
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
                    if let Some(SilenceReport { patience_ms, steps }) = objective.silence {
                        let steps = count(steps, "step");
                        writeln!(text, "  rests on silence of {patience_ms} ms, {steps}")?;
                    }
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
        for UnconfirmedReport { requirement, trace, times, silence } in &self.unconfirmed {
            let times = match times {
                1 => String::new(),
                2 => " (and once more)".to_owned(),
                more => format!(" (and {} times more)", more - 1),
            };
            writeln!(
                text,
                "not confirmed: {requirement} looked violated{times}, but not with more patience"
            )?;
            write_trace(text, trace, interface)?;
            if let Some(SilenceReport { patience_ms, steps }) = silence {
                let steps = count(*steps, "step");
                writeln!(
                    text,
                    "  rested on silence of {patience_ms} ms, {steps}: `patience_ms` may be too short"
                )?;
            }
        }
        if let Some(tally) = self.suite {
            let (tests, not_run) = (count(tally.tests, "test"), tally.not_run());
            let Tally { passed, failed, inconclusive, .. } = tally;
            writeln!(
                text,
                "suite of {tests}: {passed} passed, {failed} failed, {inconclusive} inconclusive, {not_run} not run"
            )?;
        }
        // What only steered is no news beside a violation.
        let is_told = |found: &&CoverageReport| found.objective.is_some() || self.violations.is_empty();
        for coverage in self.coverage.iter().filter(is_told) {
            write_coverage(text, coverage)?;
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
        for RequirementReport { id, excused, .. } in
            self.requirements.iter().filter(|known| known.excused > 0)
        {
            writeln!(
                text,
                "{id} was violated in {}, which does not count: an assumption was left to the system to keep, and it did not",
                count(*excused, "run")
            )?;
        }
        for RequirementReport { id, withholds, .. } in &self.requirements {
            for withheld in withholds {
                writeln!(text, "{id} restricts the environment: never sent: {withheld}")?;
            }
        }
        let untested: Vec<&str> =
            self.requirements.iter().filter(|found| !found.tested).map(|found| found.id.as_str()).collect();
        match untested[..] {
            [] => {}
            [one] => writeln!(text, "WARNING: {one} was never put to the test")?,
            _ => writeln!(text, "WARNING: {} were never put to the test", untested.join(", "))?,
        }
        if self.verdict == Overall::Covered && !self.objectives.is_empty() && !self.requirements.is_empty() {
            writeln!(
                text,
                "the requirements have been watched for {} only; --hunt looks for violations until the budget ends",
                count(self.steps, "step")
            )?;
        }
        if let Some(model) = &self.model {
            text.push_str(&model.to_text(&self.holding(), interface));
        }
        if !self.not_guiding.is_empty() {
            let (left_out, all) = (self.not_guiding.len(), count(self.requirements.len(), "requirement"));
            let verb = if left_out == 1 { "is" } else { "are" };
            let ids = some_of(&self.not_guiding);
            writeln!(text, "{left_out} of {all} {verb} monitored but too large to guide: {ids}")?;
        }
        if !self.unkept.is_empty() {
            writeln!(
                text,
                "warning: too large to be kept by the tester, so the system may have waited in vain for: {}",
                self.unkept.join(", ")
            )?;
        }
        if self.reset_steps > 0 {
            writeln!(
                text,
                "{} by driving the system: {}",
                count(self.resets, "reset"),
                count(self.reset_steps, "step")
            )?;
        }
        if let Some(Pace { cycle_ms, inputs, late, worst_ms }) = self.pace {
            writeln!(
                text,
                "inputs every {cycle_ms} ms: {late} of {inputs} came late, the worst by {worst_ms} ms"
            )?;
        }
        let (resets, steps) = self.calibration;
        if let (Some(cost), true) = (self.reset_cost, resets > 0) {
            writeln!(
                text,
                "a reset is worth {}: measured in {} and {}; --reset-cost {cost} repeats this",
                count(cost, "step"),
                count(resets, "reset"),
                count(steps, "step")
            )?;
        }
        if self.stranded {
            writeln!(text, "stopped early: a run ended where the model does not enable a reset")?;
        }
        if let Some(note) = &self.note {
            writeln!(text, "{note}")?;
        }
        if let Some(interrupt) = self.interrupted {
            writeln!(text, "interrupted by {}: this is what was found so far", interrupt.word())?;
        }
        let verdict = match self.verdict {
            Overall::Covered if self.requirements.is_empty() && self.objectives.is_empty() => "nothing broke",
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

impl ViolationReport {
    /// The violation as text for a terminal.
    pub fn to_text(&self, interface: &Interface) -> String {
        let mut text = String::new();
        let _ = write_violation(&mut text, self, interface);
        text
    }
}

impl SystemReport {
    /// What was wrong with the system, as text for a terminal.
    pub fn to_text(&self, interface: &Interface) -> String {
        let mut text = String::new();
        let _ = self.write(&mut text, interface);
        text
    }

    fn write(&self, text: &mut String, interface: &Interface) -> std::fmt::Result {
        writeln!(text, "broken: {}", self.error)?;
        write_trace(text, &self.trace, interface)?;
        if let Some(input) = &self.unanswered {
            let input = interface.inputs.show(*input);
            writeln!(text, "  {:>4}  {input} / no answer", self.trace.len() + 1)?;
        }
        write_tries(text, self.inputs(), self.original_len, self.reproduced)?;
        if !self.stderr.is_empty() {
            writeln!(text, "  its last lines on stderr:")?;
            self.stderr.iter().try_for_each(|line| writeln!(text, "  | {line}"))?;
        }
        match &self.saved {
            Some(saved) => writeln!(text, "  saved as {saved}"),
            None => Ok(()),
        }
    }

    /// How many inputs it took.
    pub(super) fn inputs(&self) -> usize {
        self.trace.len() + usize::from(self.unanswered.is_some())
    }
}

/// The first of these ids, and how many more there are.
fn some_of(ids: &[String]) -> String {
    match ids.len().saturating_sub(SHOWN_IDS) {
        0 | 1 => ids.join(", "),
        more => format!("{} and {more} more", ids[..SHOWN_IDS].join(", ")),
    }
}

/// What was not covered, and what can not be.
fn write_coverage(text: &mut String, coverage: &CoverageReport) -> std::fmt::Result {
    if coverage.objective.is_none() {
        writeln!(text, "covered: {}", coverage.sentence())?;
    }
    for (what, names) in [("never covered", &coverage.never), ("can not be covered", &coverage.cannot)] {
        if names.is_empty() {
            continue;
        }
        let shown: Vec<&str> = names.iter().take(SHOWN_NAMES).map(String::as_str).collect();
        let more = match names.len() - shown.len() {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        writeln!(text, "  {what}: {}{more}", shown.join("; "))?;
    }
    match &coverage.objective {
        _ if coverage.complete => {}
        Some(_) => writeln!(text, "  there may be more: the game has no end, or none that was seen")?,
        None => {
            writeln!(text, "  more may be impossible: the requirements are too large to be played together")?
        }
    }
    Ok(())
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
    let ViolationReport { requirement, trace, original_len, reproduced, .. } = violation;
    writeln!(text, "violation of {requirement}")?;
    if let Some((file, line)) = &violation.place {
        writeln!(text, "  --> {file}:{line}")?;
    }
    if !violation.text.is_empty() {
        violation.text.lines().try_for_each(|line| writeln!(text, "  {line}"))?;
    }
    match violation.evidence {
        Evidence::Prefix => {}
        evidence => writeln!(text, "  evidence: {evidence}")?,
    }
    match violation.evidence {
        Evidence::Lasso { stem, rounds } => {
            let (stem, round) = trace.split_at(stem.min(trace.len()));
            write_trace(text, stem, interface)?;
            writeln!(
                text,
                "        and then, again and again ({} with the same answers):",
                count(rounds, "round")
            )?;
            write_trace(text, round, interface)?;
        }
        Evidence::Prefix => write_marked(text, trace, interface, trace.len())?,
        Evidence::Published => {
            write_trace(text, trace, interface)?;
            writeln!(
                text,
                "  no run of the automaton ends in an accepting state here; an obligation that is merely pending looks the same"
            )?;
        }
    }
    if let Some(explanation) = &violation.explanation {
        writeln!(text, "  {explanation}")?;
    }
    write_tries(text, trace.len(), *original_len, *reproduced)?;
    if let Some(SilenceReport { patience_ms, steps }) = violation.silence {
        let steps = count(steps, "step");
        let longer = patience_ms.saturating_mul(10);
        writeln!(
            text,
            "  rests on silence of {patience_ms} ms, {steps}; {longer} ms when it was tried again"
        )?;
    }
    if let Some(elapsed) = &violation.elapsed {
        let elsewhere = match reproduced.0.saturating_sub(elapsed.violated) {
            0 => String::new(),
            runs => format!("; in {} another answer was", count(runs as usize, "run")),
        };
        writeln!(text, "  {elapsed}{elsewhere}")?;
    }
    let together = violation.no_answer.join(" and ");
    match (&violation.no_answer[..], violation.no_system) {
        ([], _) => {}
        ([_], _) => {
            writeln!(text, "  no answer could have kept {together} at the last step: it was lost before")?
        }
        (_, true) => {
            writeln!(text, "  no system could have passed here: no answer satisfies {together} together")?
        }
        (_, false) => writeln!(
            text,
            "  no answer satisfies {together} together at the last step; a system must not get there"
        )?,
    }
    if let Some(saved) = &violation.saved {
        writeln!(text, "  saved as {saved}")?;
    }
    Ok(())
}

/// How long the story is, and how often it could be told again.
fn write_tries(
    text: &mut String,
    steps: usize,
    original: usize,
    (again, tries): (u32, u32),
) -> std::fmt::Result {
    let before = if original > steps { format!(", found with {original}") } else { String::new() };
    let told = match again {
        _ if tries == 0 => "not tried again".to_owned(),
        0 => format!("not reproducible: 0 of {tries}"),
        again if again < tries => format!("flaky: {again} of {tries}"),
        again => format!("reproduced {again} of {tries}"),
    };
    writeln!(text, "  {}{before}; {told}", count(steps, "step"))
}

fn write_trace(text: &mut String, trace: &[Step], interface: &Interface) -> std::fmt::Result {
    write_marked(text, trace, interface, 0)
}

/// The same with a mark before one step, counted from 1.
fn write_marked(text: &mut String, trace: &[Step], interface: &Interface, guilty: usize) -> std::fmt::Result {
    let half = SHOWN_STEPS / 2;
    let left_out = if trace.len() > SHOWN_STEPS { trace.len() - 2 * half } else { 0 };
    let mut shown = Vec::new();
    for (at, step) in trace.iter().enumerate() {
        if left_out > 0 && (half..trace.len() - half).contains(&at) {
            continue;
        }
        shown.push((at, told(interface, step)));
    }
    let rows = in_columns(shown.iter().map(|(_, texts)| texts.clone()).collect());
    for ((at, _), row) in shown.iter().zip(rows) {
        if left_out > 0 && *at == trace.len() - half {
            writeln!(text, "   ...  {} not shown", count(left_out, "step"))?;
        }
        let mark = if at + 1 == guilty { '>' } else { ' ' };
        writeln!(text, "{mark} {:>4}  {row}", at + 1)?;
    }
    Ok(())
}

fn told(interface: &Interface, step: &Step) -> (String, String) {
    (interface.inputs.show(step.input).to_string(), interface.outputs.show(step.output).to_string())
}

/// Exchanges as lines, `input / output`, the values of each signal below one another.
fn in_columns(exchanges: Vec<(String, String)>) -> Vec<String> {
    let (inputs, outputs): (Vec<String>, Vec<String>) = exchanges.into_iter().unzip();
    let both = aligned(inputs).into_iter().zip(aligned(outputs));
    both.map(|(input, output)| format!("{input} / {output}").trim_end().to_owned()).collect()
}

/// Letters of the same signals with their values below one another; other texts as they are.
pub(crate) fn aligned(texts: Vec<String>) -> Vec<String> {
    let cells = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = texts.iter().map(|text| cells(text)).collect();
    let name = |cell: &String| cell.split_once('=').map(|(name, _)| name.to_owned());
    let names = |row: &Vec<String>| row.iter().map(name).collect::<Option<Vec<String>>>();
    let Some(first) = rows.first().and_then(names) else { return texts };
    if !rows.iter().all(|row| names(row).as_ref() == Some(&first)) {
        return texts;
    }
    let wide = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..first.len()).map(wide).collect();
    let joined = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &wide)| format!("{cell:<wide$}"));
        cells.collect::<Vec<_>>().join(" ")
    };
    rows.iter().map(joined).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_ids_a_few_are_named() {
        let ids = |last: usize| (1..=last).map(|id| format!("E{id}")).collect::<Vec<_>>();
        assert_eq!(some_of(&ids(1)), "E1");
        assert_eq!(some_of(&ids(4)), "E1, E2, E3, E4");
        assert_eq!(some_of(&ids(92)), "E1, E2, E3 and 89 more");
    }
}
