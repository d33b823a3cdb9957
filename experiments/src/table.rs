//! Rows of results: measured, printed as a table, printed as JSON.

use serde_json::{Map, Value, json};

use crate::arena::Attempt;

/// One strategy on one instance, over several attempts.
#[derive(Clone, Debug)]
pub struct Row {
    /// The strategy's name in the catalogue.
    pub strategy: String,
    /// What tells the instance from others.
    pub instance: Vec<(&'static str, Value)>,
    /// What else tells it from others; only in the JSON.
    pub details: Vec<(&'static str, Value)>,
    /// Every attempt.
    pub attempts: Vec<Attempt>,
    /// What the paper reports for it.
    pub paper: Option<Paper>,
}

/// A line of a published table.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Successful attempts, in percent.
    pub success: f64,
    /// Mean runs of successful attempts.
    pub runs: Option<u32>,
}

impl Row {
    /// The attempts that found what they looked for.
    pub fn successes(&self) -> impl Iterator<Item = &Attempt> {
        self.attempts.iter().filter(|attempt| attempt.success)
    }

    /// The mean over successful attempts; none where there are none.
    pub fn mean(&self, of: impl Fn(&Attempt) -> f64) -> Option<f64> {
        let count = self.successes().count();
        (count > 0).then(|| self.successes().map(of).sum::<f64>() / count as f64)
    }

    /// The median of the steps of all attempts; none where the attempt in the middle failed.
    pub fn median_steps(&self) -> Option<u64> {
        let mut steps: Vec<u64> = self
            .attempts
            .iter()
            .map(|attempt| if attempt.success { attempt.outcome.steps } else { u64::MAX })
            .collect();
        steps.sort_unstable();
        steps.get(steps.len() / 2).copied().filter(|&steps| steps != u64::MAX)
    }

    /// Steps a second over all attempts.
    pub fn steps_per_second(&self) -> f64 {
        let steps: u64 = self.attempts.iter().map(|attempt| attempt.outcome.steps).sum();
        steps as f64 / self.attempts.iter().map(|attempt| attempt.seconds).sum::<f64>().max(1e-9)
    }

    /// The largest memory of any attempt's strategy.
    pub fn memory(&self) -> usize {
        self.attempts.iter().map(|attempt| attempt.memory).max().unwrap_or(0)
    }

    /// The row as the object that `--json` prints.
    pub fn to_json(&self) -> Value {
        let mut row = Map::new();
        row.insert("strategy".into(), json!(self.strategy));
        row.extend(
            self.instance
                .iter()
                .chain(&self.details)
                .map(|(name, value)| ((*name).to_owned(), value.clone())),
        );
        row.insert("attempts".into(), json!(self.attempts.len()));
        row.insert("successes".into(), json!(self.successes().count()));
        row.insert("mean_runs".into(), json!(self.mean(|attempt| attempt.outcome.runs as f64)));
        row.insert("mean_steps".into(), json!(self.mean(|attempt| attempt.outcome.steps as f64)));
        row.insert("median_steps".into(), json!(self.median_steps()));
        row.insert("steps_per_second".into(), json!(self.steps_per_second()));
        row.insert("memory_bytes".into(), json!(self.memory()));
        if let Some(paper) = self.paper {
            row.insert("paper".into(), json!({ "success_percent": paper.success, "mean_runs": paper.runs }));
        }
        Value::Object(row)
    }
}

/// The rows as text, under the names of what tells their instances apart.
pub fn print(rows: &[Row]) {
    let mut lines = vec![header(rows)];
    lines.extend(rows.iter().map(cells));
    let columns = lines[0].len();
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for line in &lines {
        let padded = line.iter().zip(&widths).enumerate().map(|(at, (cell, &width))| match at {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        println!("{}", padded.collect::<Vec<_>>().join("  ").trim_end());
    }
}

fn header(rows: &[Row]) -> Vec<String> {
    let instance = rows.first().map_or(&[][..], |row| &row.instance).iter().map(|(name, _)| *name);
    let fixed = ["success", "mean runs", "mean steps", "median", "steps/s", "memory", "paper"];
    ["strategy"].into_iter().chain(instance).chain(fixed).map(str::to_owned).collect()
}

fn cells(row: &Row) -> Vec<String> {
    let whole = |value: Option<f64>| value.map_or("-".to_owned(), |value| grouped(value.round() as u64));
    let mut cells = vec![row.strategy.clone()];
    cells.extend(row.instance.iter().map(|(_, value)| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }));
    cells.push(format!("{}/{}", row.successes().count(), row.attempts.len()));
    cells.push(whole(row.mean(|attempt| attempt.outcome.runs as f64)));
    cells.push(whole(row.mean(|attempt| attempt.outcome.steps as f64)));
    cells.push(row.median_steps().map_or("-".to_owned(), grouped));
    cells.push(format!("{:.2} M", row.steps_per_second() / 1e6));
    cells.push(format!("{} kB", grouped((row.memory() as u64).div_ceil(1000))));
    cells.push(match row.paper {
        Some(Paper { success, runs: Some(runs) }) => format!("{success} %, {} runs", grouped(runs.into())),
        Some(Paper { success, runs: None }) => format!("{success} %"),
        None => String::new(),
    });
    cells
}

/// A number with commas between its thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
