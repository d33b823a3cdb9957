//! The account of a session: what every report is made of, added up from the records of its log, while it goes on or
//! when it is long over. It holds counts, samples and findings, never every step.

mod finding;
mod github;
mod junit;
mod markdown;
mod page;
mod plot;
mod series;
mod waves;
mod words;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::session::{About, LogError, Progress, Record, Tallies, Visits};

pub use finding::{Finding, Kind};
pub use page::page;
pub use series::Series;
pub use waves::WaveError;
pub use words::shell;

/// What is known of a session.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Account {
    /// The strategy's name.
    pub strategy: String,
    /// The master seed.
    pub seed: u64,
    /// Whether inputs are labels, and the names of signals or labels.
    pub labels: bool,
    /// The names of inputs.
    pub inputs: Vec<String>,
    /// The names of outputs.
    pub outputs: Vec<String>,
    /// The ids of the objectives that were asked for.
    pub objectives: Vec<String>,
    /// The ids of all requirements.
    pub requirements: Vec<String>,
    /// What the specification says.
    pub about: About,
    /// Counts of runs, steps and resets.
    pub tallies: Tallies,
    /// How many runs ended how.
    pub ends: BTreeMap<String, u64>,
    /// How far the search was, sampled.
    pub series: Series,
    /// How far it is.
    pub progress: Progress,
    /// How often what is in the pictures was visited, in so many steps.
    pub visits: (u64, Vec<Visits>),
    /// For each requirement, how many runs of the campaign at hand put it to the test.
    triggered_now: Vec<u64>,
    /// What was found, in order.
    pub findings: Vec<Finding>,
    /// What else was said.
    pub warnings: Vec<String>,
    /// What is being done.
    pub doing: String,
    /// The whole report as `--json` prints it, once the session is over.
    pub report: Option<Value>,
}

/// More warnings are not kept.
const MOST_WARNINGS: usize = 100;

impl Account {
    /// The account of a log. A last line without an end was being written when its writer was gone, and is passed over.
    pub fn read(log: &str) -> Result<Account, LogError> {
        let mut account = Account::default();
        for (at, line) in log.split_inclusive('\n').enumerate().filter(|(_, line)| line.ends_with('\n')) {
            account.follow(&Record::read_at(at + 1, line.trim_end())?);
        }
        Ok(account)
    }

    /// Takes in one more record.
    pub fn follow(&mut self, record: &Record) {
        self.tallies.follow(record);
        if let Some(finding) = Finding::of(record) {
            self.findings.push(finding);
        }
        match record {
            Record::Started { strategy, seed, labels, inputs, outputs, objectives, requirements, .. } => {
                (self.strategy, self.seed, self.labels) = (strategy.clone(), *seed, *labels);
                (self.inputs, self.outputs) = (inputs.clone(), outputs.clone());
                (self.objectives, self.requirements) = (objectives.clone(), requirements.clone());
                self.doing = "starting".to_owned();
            }
            Record::About(about) => self.about = (**about).clone(),
            Record::Phase { phase, .. } => {
                self.doing = match phase.as_str() {
                    "saved" => "running saved traces again",
                    "calibration" => "measuring what a reset costs",
                    "hunt" => "searching for violations",
                    _ => "searching for objectives",
                }
                .to_owned();
            }
            Record::RunEnded { end, .. } if !self.tallies.is_calibrating() => {
                *self.ends.entry(end.clone()).or_default() += 1;
            }
            Record::Confirming { requirement, again, tries } => {
                let what = requirement.as_deref().unwrap_or("the breakdown");
                self.doing = format!("confirming {what}: {again} of {tries} so far");
            }
            Record::Shrinking { requirement, runs, length, .. } => {
                let what = requirement.as_deref().unwrap_or("the breakdown");
                self.doing = format!("shrinking {what}: {length} steps by now, after {runs} runs");
            }
            Record::Progress(progress) => {
                self.series.add(progress);
                self.progress = progress.clone();
            }
            Record::Visits { steps, pictures, triggered } => {
                self.visits = (*steps, pictures.clone());
                self.triggered_now.clone_from(triggered);
            }
            Record::Met { picture, nodes, edges } => {
                if let Some(picture) = self.about.pictures.get_mut(*picture) {
                    picture.nodes.extend_from_slice(nodes);
                    picture.edges.extend_from_slice(edges);
                    picture.states = picture.nodes.len();
                }
            }
            Record::Warning { message } if self.warnings.len() < MOST_WARNINGS => {
                self.warnings.push(message.clone());
            }
            Record::Violation { requirement, .. } | Record::Suspected { requirement, .. } => {
                // Ranges are required without being written down.
                if !self.requirements.contains(requirement) {
                    self.requirements.push(requirement.clone());
                }
                self.doing = "going on".to_owned();
            }
            Record::CampaignEnded { .. } => {
                self.doing = "going on".to_owned();
                // The tallies have it now.
                self.triggered_now.clear();
            }
            Record::Ended { report, .. } => {
                self.doing = "done".to_owned();
                self.report = report.as_deref().cloned();
            }
            _ => {}
        }
    }

    /// The verdict in one word; `unfinished` where the session is not over, or was killed.
    pub fn verdict(&self) -> &str {
        match (&self.tallies.verdict, self.tallies.violations.is_empty()) {
            (Some(verdict), _) => verdict,
            (None, false) => "violated",
            (None, true) if self.tallies.broken.is_some() => "broken",
            (None, true) => "unfinished",
        }
    }

    /// Whether the session came to its end.
    pub fn is_over(&self) -> bool {
        self.tallies.verdict.is_some()
    }

    /// Seconds of wall time.
    pub fn seconds(&self) -> f64 {
        let whole = self.report.as_ref().and_then(|report| report["seconds"].as_f64());
        whole.unwrap_or(self.progress.ms as f64 / 1000.0)
    }

    /// The state of a requirement, in the word of `--json`, and for how long an obligation had been open.
    pub fn state(&self, requirement: &str) -> (String, Option<u64>) {
        if self.tallies.violations.contains_key(requirement) {
            return ("violated".to_owned(), None);
        }
        let all = self.report.as_ref().and_then(|report| report["requirements"].as_array());
        let entry = all.and_then(|all| all.iter().find(|entry| entry["id"] == requirement));
        match entry {
            Some(entry) => {
                let word = entry["verdict"].as_str().unwrap_or("unknown").to_owned();
                (word, entry["pending_for"].as_u64())
            }
            None if self.triggered(requirement) > 0 => ("so_far_good".to_owned(), None),
            None if self.is_over() => ("never_triggered".to_owned(), None),
            None => ("unknown".to_owned(), None),
        }
    }

    /// In how many runs a requirement was put to the test.
    pub fn triggered(&self, requirement: &str) -> u64 {
        let all = self.report.as_ref().and_then(|report| report["requirements"].as_array());
        let entry = all.and_then(|all| all.iter().find(|entry| entry["id"] == requirement));
        let known = entry.and_then(|entry| entry["triggered"].as_u64());
        known.unwrap_or_else(|| {
            let place = self.requirements.iter().position(|id| id == requirement);
            let now = place.and_then(|place| self.triggered_now.get(place)).copied().unwrap_or(0);
            now + self.tallies.triggered.get(requirement).copied().unwrap_or(0)
        })
    }

    /// What the report says of an objective, or what is known so far: whether it is covered, and how near it was.
    pub fn objective(&self, id: &str) -> (bool, Option<u64>) {
        let all = self.report.as_ref().and_then(|report| report["objectives"].as_array());
        match all.and_then(|all| all.iter().find(|entry| entry["id"] == id)) {
            Some(entry) => (entry["covered"] == true, entry["best_distance"].as_u64()),
            None => (self.tallies.objectives.get(id).is_some_and(|counts| counts.covered), None),
        }
    }

    /// The finding that is about this requirement or objective, or else the most telling one: a violation, a breakdown, a
    /// suspicion, a covering trace.
    pub fn finding(&self, id: Option<&str>) -> Option<&Finding> {
        match id {
            Some(id) => self.findings.iter().find(|finding| finding.of == id),
            None => [Kind::Violation, Kind::Broken, Kind::Suspected, Kind::Covered]
                .iter()
                .find_map(|kind| self.findings.iter().find(|finding| finding.kind == *kind)),
        }
    }

    /// A sentence that says how it ended.
    pub fn headline(&self) -> String {
        let violated: Vec<&str> = self.tallies.violations.keys().map(String::as_str).collect();
        match self.verdict() {
            "violated" => format!("{} violated", words::listed(&violated)),
            "broken" => "the system broke".to_owned(),
            "exhausted" => "the budget was used up before every objective was covered".to_owned(),
            "covered" if self.objectives.is_empty() => "no violation found".to_owned(),
            "covered" => "every objective covered, nothing violated".to_owned(),
            "unfinished" => "not finished: nothing violated so far".to_owned(),
            other => other.to_owned(),
        }
    }
}
