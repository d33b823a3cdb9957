//! Synthesis from public specifications.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use provoke::specification::{Specification, Synthesis};
use provoke::verify::synthesis::Bounds;
use serde_json::{Value, json};

use crate::subjects::{stem, tlsf_files};

/// Machines from TLSF specifications: how many are found, how large they are, and how long it takes
#[derive(Args, Debug)]
pub struct SynthesisArgs {
    /// The specifications; those of tlsf/ in PROVOKE_DATA unless given
    files: Vec<PathBuf>,
    /// Seconds for each file
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// The largest bound to try
    #[arg(long, default_value_t = 16)]
    bound: u8,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

/// What came of one file.
struct Measured {
    file: String,
    answer: &'static str,
    states: Option<usize>,
    bound: Option<u8>,
    seconds: f64,
}

impl SynthesisArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let files = if self.files.is_empty() { tlsf_files()? } else { self.files.clone() };
        let mut rows = Vec::new();
        for path in &files {
            let row = self.measure(path)?;
            if !self.json {
                let size = row.states.map_or(String::new(), |states| format!("{states} states"));
                println!("{:28} {:12} {size:12} {:8.2} s", row.file, row.answer, row.seconds);
            }
            rows.push(row);
        }
        if self.json {
            println!("{}", Value::from(rows.iter().map(Measured::to_json).collect::<Vec<_>>()));
            return Ok(());
        }
        let found = rows.iter().filter(|row| row.states.is_some());
        let quick = found.clone().filter(|row| row.seconds < 10.0).count();
        println!("{} of {} within {} s, {quick} within 10 s", found.count(), rows.len(), self.seconds);
        Ok(())
    }

    fn measure(&self, path: &std::path::Path) -> Result<Measured> {
        let started = Instant::now();
        let deadline = Some(started + Duration::from_secs_f64(self.seconds));
        let specification = Specification::load(path)?;
        let (answer, states, bound) =
            match specification.synthesise(Bounds { bound: self.bound, deadline, ..Bounds::default() })? {
                Synthesis::Machine { machine, bound } => {
                    ("realisable", Some(machine.states().len()), Some(bound))
                }
                Synthesis::Unrealisable { bound, .. } => ("unrealisable", None, Some(bound)),
                Synthesis::Unknown { bound, .. } => ("unknown", None, Some(bound)),
                _ => ("unknown", None, None),
            };
        Ok(Measured { file: stem(path), answer, states, bound, seconds: started.elapsed().as_secs_f64() })
    }
}

impl Measured {
    fn to_json(&self) -> Value {
        json!({
            "file": self.file,
            "answer": self.answer,
            "states": self.states,
            "bound": self.bound,
            "seconds": self.seconds,
        })
    }
}
