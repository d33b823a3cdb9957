//! One finding: a trace, and what it means.

use crate::report::aligned;
use crate::session::{Exchange, Record, Story};

/// What a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A requirement was violated.
    Violation,
    /// A requirement is violated if the system goes on like this.
    Suspected,
    /// The system broke.
    Broken,
    /// An objective was covered.
    Covered,
}

/// A trace that shows something.
#[derive(Clone, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// What it shows.
    pub kind: Kind,
    /// The requirement or objective; empty where the system broke.
    pub of: String,
    /// The steps.
    pub trace: Vec<Exchange>,
    /// The input after them that was not answered.
    pub unanswered: Option<String>,
    /// What went wrong with the system.
    pub error: Option<String>,
    /// The last lines it wrote on stderr.
    pub stderr: Vec<String>,
    /// How often it recurred, of how many tries.
    pub reproduced: (u32, u32),
    /// How long it was when it was found; 0 where that is not known.
    pub original_steps: usize,
    /// What shows it, where that is not the last step.
    pub evidence: String,
    /// The step from which on it repeats itself, from 0.
    pub loop_from: Option<usize>,
    /// Where it was saved.
    pub saved: Option<String>,
    /// What it means.
    pub story: Story,
}

impl Finding {
    /// What a record tells of a finding.
    pub(super) fn of(record: &Record) -> Option<Finding> {
        let blank = |kind, of: &str, trace: &[Exchange], story: &Option<Box<Story>>| Finding {
            kind,
            of: of.to_owned(),
            trace: trace.to_vec(),
            unanswered: None,
            error: None,
            stderr: Vec::new(),
            reproduced: (0, 0),
            original_steps: 0,
            evidence: String::new(),
            loop_from: None,
            saved: None,
            story: story.as_deref().cloned().unwrap_or_default(),
        };
        Some(match record {
            Record::Covered { objective: Some(id), trace, story } => blank(Kind::Covered, id, trace, story),
            Record::Violation {
                requirement,
                trace,
                reproduced,
                tries,
                saved,
                original_steps,
                evidence,
                loop_from,
                story,
            } => Finding {
                reproduced: (*reproduced, *tries),
                original_steps: *original_steps,
                evidence: evidence.clone(),
                loop_from: *loop_from,
                saved: saved.clone(),
                ..blank(Kind::Violation, requirement, trace, story)
            },
            Record::Suspected { requirement, trace, evidence, saved, loop_from, story } => Finding {
                evidence: evidence.clone(),
                loop_from: *loop_from,
                saved: saved.clone(),
                ..blank(Kind::Suspected, requirement, trace, story)
            },
            Record::Broken { error, trace, unanswered, saved, stderr, reproduced, tries, story } => Finding {
                unanswered: unanswered.clone(),
                error: Some(error.clone()),
                stderr: stderr.clone(),
                reproduced: (*reproduced, *tries),
                saved: saved.clone(),
                ..blank(Kind::Broken, "", trace, story)
            },
            _ => return None,
        })
    }

    /// Whether it was tried again and did not recur every time.
    pub fn is_flaky(&self) -> bool {
        self.reproduced.0 < self.reproduced.1
    }

    /// How often it recurred, in words.
    pub fn tries(&self) -> String {
        match self.reproduced {
            (_, 0) => "not tried again".to_owned(),
            (0, tries) => format!("not reproducible: 0 of {tries}"),
            (again, tries) if again < tries => format!("flaky: {again} of {tries}"),
            (again, tries) => format!("reproduced {again} of {tries}"),
        }
    }

    /// The step that shows it, from 1.
    pub fn guilty_step(&self) -> Option<usize> {
        match self.kind {
            Kind::Violation if self.loop_from.is_none() => Some(self.trace.len()),
            Kind::Broken if self.unanswered.is_some() => Some(self.trace.len() + 1),
            _ => None,
        }
    }

    /// The trace as a small table, the guilty step marked. Long ones are cut in the middle.
    pub fn table(&self, most: usize) -> String {
        let side = |of: fn(&Exchange) -> &str| {
            aligned(self.trace.iter().map(|step| super::words::line(of(step))).collect())
        };
        let (inputs, outputs) = (side(|step| &step.input), side(|step| &step.output));
        let mut rows: Vec<(String, String)> = inputs.into_iter().zip(outputs).collect();
        if let Some(input) = &self.unanswered {
            rows.push((super::words::line(input), "no answer".to_owned()));
        }
        let wide = rows.iter().map(|(input, _)| input.chars().count()).max().unwrap_or(0).clamp(5, 60);
        let mut text = format!("  step  {:<wide$}  output\n", "input");
        let half = most / 2;
        for (at, (input, output)) in rows.iter().enumerate() {
            if rows.len() > most && (half..rows.len() - half).contains(&at) {
                if at == half {
                    text += &format!("   ...  {} steps not shown\n", rows.len() - 2 * half);
                }
                continue;
            }
            if self.loop_from == Some(at) {
                text += "        and then, again and again:\n";
            }
            let mark = if self.guilty_step() == Some(at + 1) { '>' } else { ' ' };
            text += format!("{mark} {:>4}  {input:<wide$}  {output}", at + 1).trim_end();
            text.push('\n');
        }
        text
    }
}
