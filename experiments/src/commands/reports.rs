//! What reports cost: the same campaign with and without them.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;
use provoke::account::{Account, page};
use provoke::campaign::{Event, Limits, Observer};
use provoke::session::{Attempt, Here, Plan, Pursue, Recorder};
use provoke::specification::{Specification, Wish};
use provoke::strategy::{DEFAULT, StrategyChoice};
use provoke::system::{System, Timed};

/// What all reports add to a campaign in process, or over a pipe with --command
#[derive(Args, Debug)]
pub struct ReportsArgs {
    /// The specification
    #[arg(long, default_value = "examples/carriage/carriage.toml")]
    spec: PathBuf,
    /// The system under test, instead of the one in the specification file: the program and each of its arguments
    #[arg(long, num_args = 1..)]
    command: Vec<String>,
    /// Steps in each campaign
    #[arg(long, default_value_t = 1_000_000)]
    steps: u64,
    /// How often each is run; the fastest counts
    #[arg(long, default_value_t = 3)]
    repeats: u32,
}

/// Makes records, adds them up, and writes them as lines to nowhere.
struct Watching<'a> {
    recorder: Recorder<'a>,
    account: Account,
    bytes: u64,
}

impl Observer for Watching<'_> {
    fn on(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        let Watching { recorder, account, bytes } = self;
        recorder.on(event, &mut |record| {
            let mut line = Vec::new();
            record.write(&mut line)?;
            *bytes += line.len() as u64;
            account.follow(record);
            Ok(())
        })
    }
}

impl ReportsArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let specification = Specification::load(&self.spec)?;
        let mut best = [f64::INFINITY; 2];
        let mut sizes = (0, 0);
        // One after the other in turn, so that both see the same machine.
        for _ in 0..self.repeats {
            best[0] = best[0].min(self.timed(&specification, None)?);
            let mut watching = Watching {
                recorder: Recorder::about(&specification, &["provoke".to_owned()]),
                account: Account::default(),
                bytes: 0,
            };
            best[1] = best[1].min(self.timed(&specification, Some(&mut watching))?);
            sizes = (watching.bytes, page(&watching.account).len());
        }
        let [without, with] = best;
        println!(
            "{} steps: {without:.3} s without reports, {with:.3} s with all of them: {:+.3} s, {:+.1} %; log {} kB, page {} kB",
            self.steps,
            with - without,
            100.0 * (with - without) / without,
            sizes.0 / 1000,
            sizes.1 / 1000
        );
        Ok(())
    }

    fn timed(&self, specification: &Specification, watching: Option<&mut Watching<'_>>) -> Result<f64> {
        let wish = Wish { command: self.command.clone(), no_pin: false, seed: 0 };
        let mut system: Box<dyn System> = specification.open(&wish)?.system;
        let limits = Limits { runs: u64::MAX, total_steps: self.steps, ..Limits::default() };
        let usual = Attempt::new(specification, StrategyChoice::named(DEFAULT), 0);
        let plan = Plan::new(vec![Attempt { pursue: Pursue::Hunt, limits, ..usual }]);
        let started = Instant::now();
        let report = match watching {
            None => {
                plan.run(&mut Here { specification, system: &mut *system, archive: None, observer: &mut () })?
            }
            Some(watching) => {
                let mut timed = Timed::new(system);
                let recorder = std::mem::take(&mut watching.recorder);
                watching.recorder = recorder.timed(timed.times());
                let here = &mut Here { specification, system: &mut timed, archive: None, observer: watching };
                let report = plan.run(here)?;
                let account = &watching.account;
                let _ = (page(account), account.junit(), account.markdown(), account.plot());
                report
            }
        };
        // What ended early has nothing to say of a whole campaign.
        let (steps, wanted) = (report.steps, self.steps);
        ensure!(steps >= wanted, "the campaign ended after {steps} of {wanted} steps: {:?}", report.verdict);
        Ok(started.elapsed().as_secs_f64())
    }
}
