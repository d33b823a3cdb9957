//! What an exchange with a program costs, against the plainest loop there is.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use provoke::campaign::{Campaign, Limits};
use provoke::letter::Letter;
use provoke::objective::Reach;
use provoke::specification::{STATE_LIMIT, Specification};
use provoke::strategy::Uniform;
use provoke::system::{Launch, Lines, Protocol, System};
use serde_json::json;

/// Steps a second over a pipe, beside a plain write-line/read-line loop
#[derive(Args, Debug)]
pub struct PipeArgs {
    /// Exchanges in each round
    #[arg(long, default_value_t = 10_000)]
    steps: u32,
    /// Rounds; medians over them are printed
    #[arg(long, default_value_t = 31)]
    rounds: usize,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
    /// Be the program at the other end
    #[arg(long, hide = true)]
    child: bool,
}

impl PipeArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        if self.child {
            return carriage();
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/carriage/carriage.toml");
        let specification = Specification::load(&path)?;
        let mut rows = Vec::new();
        for no_pin in [false, true] {
            rows.extend(self.rows(&specification, no_pin)?);
        }
        if self.json {
            let row = |row: &Row| {
                json!({
                    "loop": row.name, "cores": row.cores, "ratio": row.ratio,
                    "steps_per_second": row.rate,
                })
            };
            println!("{}", json!(rows.iter().map(row).collect::<Vec<_>>()));
            return Ok(());
        }
        println!("{:<28} {:>12} {:>12} {:>10}", "loop", "cores", "steps/s", "ratio");
        for Row { name, cores, rate, ratio } in rows {
            println!("{name:<28} {cores:>12} {rate:>12.0} {ratio:>10.2}");
        }
        Ok(())
    }

    /// The three loops in turn, round by round, so that a busy machine is busy for all of them.
    fn rows(&self, specification: &Specification, no_pin: bool) -> Result<Vec<Row>> {
        // Settling comes once a campaign, not once a step.
        let protocol = Protocol { reset: Some("reset".into()), settle_ms: 0, ..Protocol::default() };
        let launch = Launch { command: child()?, no_pin, ..Launch::default() };
        let system = Lines::process(launch, specification.interface(), protocol);
        let mut system = system.map_err(anyhow::Error::msg)?;
        // The program started by this reset pins us, and so the plain loop's program as well.
        system.reset()?;
        let mut rates = [const { Vec::new() }; 3];
        let mut ratios = [const { Vec::new() }; 3];
        for _ in 0..self.rounds.max(1) {
            let round = [
                self.plain_loop()?,
                self.bare_system(&mut system)?,
                self.campaign(specification, &mut system)?,
            ];
            for (at, rate) in round.into_iter().enumerate() {
                rates[at].push(rate);
                ratios[at].push(rate / round[0]);
            }
        }
        let names = ["write line, read line", "our system", "our campaign, monitors on"];
        let cores = if no_pin { "any" } else { "one" };
        let row = |((name, rates), ratios): ((_, &mut Vec<f64>), &mut Vec<f64>)| Row {
            name,
            cores,
            rate: median(rates),
            ratio: median(ratios),
        };
        Ok(names.into_iter().zip(&mut rates).zip(&mut ratios).map(row).collect())
    }

    fn plain_loop(&self) -> Result<f64> {
        let [program, arguments @ ..] = &child()?[..] else { anyhow::bail!("no program") };
        let mut child =
            Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut to = child.stdin.take().context("no stdin")?;
        let mut from = BufReader::new(child.stdout.take().context("no stdout")?);
        let mut line = String::new();
        let mut exchange = || -> Result<()> {
            to.write_all(b"bwdlimit=1 fwdlimit=0 cargo=1\n")?;
            line.clear();
            from.read_line(&mut line)?;
            Ok(())
        };
        exchange()?;
        let start = Instant::now();
        for _ in 0..self.steps {
            exchange()?;
        }
        let rate = f64::from(self.steps) / start.elapsed().as_secs_f64();
        drop(to);
        child.wait()?;
        Ok(rate)
    }

    fn bare_system(&self, system: &mut Lines) -> Result<f64> {
        system.step(Letter::from_index(0))?;
        let start = Instant::now();
        for step in 0..self.steps {
            system.step(Letter::from_index(u64::from(step % 8)))?;
        }
        Ok(f64::from(self.steps) / start.elapsed().as_secs_f64())
    }

    fn campaign(&self, specification: &Specification, system: &mut Lines) -> Result<f64> {
        let guidance = specification.guidance(None, STATE_LIMIT)?;
        let mut goal = Reach::one(guidance.game, guidance.guide);
        let mut strategy = Uniform;
        let limits = Limits { runs: 1, steps: self.steps, ..Limits::default() };
        let campaign = Campaign::new(&mut goal, specification.judge(), system, &mut strategy, limits, 1);
        let start = Instant::now();
        let outcome = campaign.run(&mut ())?;
        anyhow::ensure!(outcome.steps == u64::from(self.steps), "the campaign ended early");
        Ok(f64::from(self.steps) / start.elapsed().as_secs_f64())
    }
}

struct Row {
    name: &'static str,
    cores: &'static str,
    rate: f64,
    ratio: f64,
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn child() -> Result<Vec<OsString>> {
    Ok(vec![std::env::current_exe()?.into(), "pipe".into(), "--child".into()])
}

/// The good carriage controller, as fast as a program over pipes can be.
fn carriage() -> Result<()> {
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let mut line = Vec::new();
    let mut moving = false;
    while input.read_until(b'\n', &mut line)? > 0 {
        if line == b"reset\n" {
            moving = false;
            line.clear();
            continue;
        }
        let on = |at: usize| line.get(at) == Some(&b'1');
        // bwdlimit=. fwdlimit=. cargo=.
        let (bwdlimit, fwdlimit, cargo) = (on(9), on(20), on(28));
        moving = !fwdlimit && (moving || bwdlimit && cargo);
        output.write_all(if moving { b"movefwd=1 movebwd=0\n" } else { b"movefwd=0 movebwd=0\n" })?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}
