//! What a log adds up to.

use std::collections::BTreeMap;

use super::{LOG_VERSION, Record};

/// The counts of a session, as its [report](crate::report::Report) has them, from its log: for a view that lives as long
/// as the session, or for one that opens the log when it is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tallies {
    /// Runs, saved traces included.
    pub runs: u64,
    /// Resets of the system: one a run, and one for each try at confirming and shrinking.
    pub resets: u64,
    /// Exchanges in the runs.
    pub steps: u64,
    /// Resets spent on confirming and shrinking.
    pub shrink_resets: u64,
    /// Exchanges spent on it.
    pub shrink_steps: u64,
    /// Resets and exchanges spent on measuring what a reset costs.
    pub calibration: (u64, u64),
    /// Runs and exchanges spent on each objective, and whether it was covered.
    pub objectives: BTreeMap<String, Counts>,
    /// How many steps the violation of each violated requirement takes.
    pub violations: BTreeMap<String, usize>,
    /// In how many runs of the campaigns each requirement was put to the test; saved traces are not among them.
    pub triggered: BTreeMap<String, u64>,
    /// What was wrong with the system.
    pub broken: Option<String>,
    /// The verdict, once the session is over.
    pub verdict: Option<String>,
    requirements: Vec<String>,
    calibrates: bool,
    pursued: Option<String>,
}

/// What one objective took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Runs that pursued it.
    pub runs: u64,
    /// Exchanges in them.
    pub steps: u64,
    /// Whether it was covered.
    pub covered: bool,
}

/// Why a log cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// A later program wrote it.
    #[error(
        "failed to read the log: it has version {found}, and this program knows versions up to {LOG_VERSION}"
    )]
    Newer {
        /// Its version.
        found: u32,
    },
    /// This line, from 1, is not one of a log.
    #[error("failed to read the log: line {line}: {why}")]
    Line {
        /// The line.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl Record {
    /// Reads one line.
    pub fn read(line: &str) -> Result<Record, LogError> {
        Record::read_at(1, line)
    }

    /// Reads the line with this number, from 1.
    pub fn read_at(at: usize, line: &str) -> Result<Record, LogError> {
        #[derive(serde::Deserialize)]
        struct Version {
            version: Option<u32>,
        }
        let error = |why: serde_json::Error| LogError::Line { line: at, why: why.to_string() };
        // A later version may have changed what else is in the line.
        let Version { version } = serde_json::from_str(line).map_err(error)?;
        match version {
            Some(found) if found > LOG_VERSION => Err(LogError::Newer { found }),
            _ => serde_json::from_str(line).map_err(error),
        }
    }
}

impl Tallies {
    /// What a whole log adds up to. A last line without an end was being written when its writer was gone; it is passed
    /// over.
    pub fn of(log: &str) -> Result<Tallies, LogError> {
        let mut tallies = Tallies::default();
        for (at, line) in log.split_inclusive('\n').enumerate().filter(|(_, line)| line.ends_with('\n')) {
            tallies.follow(&Record::read_at(at + 1, line.trim_end())?);
        }
        Ok(tallies)
    }

    /// Whether it is being measured what a reset costs.
    pub(crate) fn is_calibrating(&self) -> bool {
        self.calibrates
    }

    /// Counts one more record.
    pub fn follow(&mut self, record: &Record) {
        match record {
            Record::Started { objectives, requirements, .. } => {
                self.requirements.clone_from(requirements);
                let blank = objectives.iter().map(|id| (id.clone(), Counts::default()));
                self.objectives.extend(blank);
                self.triggered.extend(requirements.iter().map(|id| (id.clone(), 0)));
            }
            Record::Phase { phase, .. } => self.calibrates = phase == "calibration",
            Record::Replayed { steps, .. } => {
                self.runs += 1;
                self.resets += 1;
                self.steps += steps;
            }
            Record::RunStarted { objective, .. } => self.pursued.clone_from(objective),
            Record::RunEnded { steps, .. } if self.calibrates => {
                self.calibration.0 += 1;
                self.calibration.1 += steps;
            }
            Record::RunEnded { steps, .. } => {
                self.runs += 1;
                self.resets += 1;
                self.steps += steps;
                if let Some(counts) = self.pursued.as_ref().and_then(|id| self.objectives.get_mut(id)) {
                    counts.runs += 1;
                    counts.steps += steps;
                }
            }
            Record::Covered { objective: Some(id), .. } => {
                self.objectives.entry(id.clone()).or_default().covered = true;
            }
            Record::Shrunk { runs, steps, .. } => {
                self.resets += runs;
                self.shrink_resets += runs;
                self.shrink_steps += steps;
            }
            Record::Violation { requirement, trace, .. } => {
                self.violations.insert(requirement.clone(), trace.len());
            }
            Record::Broken { error, .. } => self.broken = Some(error.clone()),
            Record::CampaignEnded { triggered, .. } => {
                for (id, runs) in self.requirements.iter().zip(triggered) {
                    *self.triggered.entry(id.clone()).or_default() += runs;
                }
            }
            Record::Ended { verdict, .. } => self.verdict = Some(verdict.clone()),
            _ => {}
        }
    }
}
