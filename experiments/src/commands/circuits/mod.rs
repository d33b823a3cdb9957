//! Safety specifications in AIGER beside the published solver: whether the environment can force an error.

mod steps;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use provoke::game::symbolic::Effort;
use provoke::specification::check_circuit;
use serde_json::{Value, json};

use crate::clock::process_time;

/// Safety games of circuits (SYNTCOMP), beside AbsSynthe's best times
#[derive(Args, Debug)]
pub struct CircuitsArgs {
    /// The folder with LISTING.tsv; aiger in PROVOKE_DATA unless given
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Only files whose name contains this
    #[arg(long)]
    only: Vec<String>,
    /// The most processor seconds for each
    #[arg(long, default_value_t = 60)]
    time: u64,
    /// The most megabytes for each
    #[arg(long, default_value_t = 4096)]
    memory: usize,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
    /// Only measure what circuits cost while a campaign runs
    #[arg(long, conflicts_with = "json")]
    steps: bool,
    /// Solve this file alone, in a process of its own
    #[arg(long, hide = true)]
    alone: Option<PathBuf>,
}

/// How many seconds may go by for each second of the processor.
const WAITING: u64 = 3;

/// One file, measured.
struct Row {
    file: String,
    known: String,
    answer: Option<bool>,
    seconds: f64,
    peak_mb: u64,
    reference: Option<f64>,
}

impl CircuitsArgs {
    /// Measures and prints. Each file is solved in a process of its own, so that its memory can be told.
    pub fn run(&self) -> Result<()> {
        if let Some(path) = &self.alone {
            return self.solve(path);
        }
        if self.steps {
            return steps::print();
        }
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => crate::data::path("aiger")?,
        };
        let listing = folder.join("LISTING.tsv");
        let listing = std::fs::read_to_string(&listing)
            .with_context(|| format!("cannot read {}", listing.display()))?;
        let mut rows = Vec::new();
        for line in listing.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [file, _, _, _, _, known, _, reference] = fields[..] else { continue };
            if self.only.is_empty() || self.only.iter().any(|part| file.contains(part)) {
                let row = self.measure(&folder.join(file), file, known, reference.parse().ok())?;
                if !self.json {
                    row.print();
                }
                rows.push(row);
            }
        }
        if self.json {
            println!("{}", json!(rows.iter().map(Row::to_json).collect::<Vec<_>>()));
        } else {
            summary(&rows);
            if self.only.is_empty() {
                steps::print()?;
            }
        }
        let wrong: Vec<&str> =
            rows.iter().filter(|row| row.is_wrong()).map(|row| row.file.as_str()).collect();
        ensure!(wrong.is_empty(), "the known status is another: {}", wrong.join(", "));
        Ok(())
    }

    /// Solves one file and prints the answer, the processor time and the memory.
    fn solve(&self, path: &Path) -> Result<()> {
        // What counts is processor time, which is looked at afterwards; other processes may be at work.
        let time = std::time::Duration::from_secs(WAITING * self.time);
        let check = check_circuit(path, Effort::within(time, self.memory))?;
        println!("{}", json!([check.answer.can, process_time().as_secs_f64(), peak_megabytes()]));
        Ok(())
    }

    fn measure(&self, path: &Path, file: &str, known: &str, reference: Option<f64>) -> Result<Row> {
        let output = Command::new(std::env::current_exe()?)
            .args([
                "circuits",
                "--time",
                &self.time.to_string(),
                "--memory",
                &self.memory.to_string(),
                "--alone",
            ])
            .arg(path)
            .output()?;
        let Ok(Value::Array(found)) = serde_json::from_slice(&output.stdout) else {
            bail!("{file}: {}", String::from_utf8_lossy(&output.stderr));
        };
        let seconds = found.get(1).and_then(Value::as_f64).unwrap_or(0.0);
        let in_time = seconds <= self.time as f64;
        let answer = found.first().and_then(Value::as_bool).filter(|_| in_time);
        let peak_mb = found.get(2).and_then(Value::as_u64).unwrap_or(0);
        Ok(Row { file: file.to_owned(), known: known.to_owned(), answer, seconds, peak_mb, reference })
    }
}

impl Row {
    fn is_wrong(&self) -> bool {
        let expected = match self.known.as_str() {
            "unrealizable" => true,
            "realizable" => false,
            _ => return false,
        };
        self.answer.is_some_and(|answer| answer != expected)
    }

    fn word(&self) -> Option<&'static str> {
        self.answer.map(|can| if can { "unrealizable" } else { "realizable" })
    }

    fn to_json(&self) -> Value {
        json!({
            "file": self.file,
            "known": self.known,
            "answer": self.word(),
            "seconds": self.seconds,
            "peak_mb": self.peak_mb,
            "reference_seconds": self.reference,
        })
    }

    fn print(&self) {
        let Row { file, known, seconds, peak_mb, reference, .. } = self;
        let answer = self.word().unwrap_or("undecided");
        let reference = reference.map_or("over 60".to_owned(), |seconds| format!("{seconds:.3}"));
        println!(
            "{file:60} {known:12} {answer:12} {seconds:9.3} s {peak_mb:6} MB  reference {reference:>8} s"
        );
    }
}

/// How many were solved, and the geometric mean of how much longer it took than the reference, where both did.
fn summary(rows: &[Row]) {
    let solved = rows.iter().filter(|row| row.answer.is_some());
    let ratio = |row: &Row| Some((row.seconds.max(0.01) / row.reference?.max(0.01)).ln());
    let ratios: Vec<f64> = solved.clone().filter_map(ratio).collect();
    let mean = (ratios.iter().sum::<f64>() / ratios.len().max(1) as f64).exp();
    println!(
        "{} of {} solved; on the {} that the reference solved as well, {mean:.2} times its seconds (geometric mean)",
        solved.count(),
        rows.len(),
        ratios.len()
    );
}

/// The most memory that this process has held, where the system tells.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0).div_ceil(1024)
}
