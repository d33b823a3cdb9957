//! A program that talks when it likes, on a busy machine: is anything lost, is anything taken for silence that is none?

use std::ffi::OsString;
use std::io::{BufRead, Write, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use provoke::letter::{Idle, Interface};
use provoke::rng::Rng;
use provoke::system::{Launch, Lines, Mode, Protocol, System};
use serde_json::json;

/// Outputs lost and silence that was none, with a program that thinks before it talks, under load
#[derive(Args, Debug)]
pub struct AsynchronousArgs {
    /// Exchanges
    #[arg(long, default_value_t = 100_000)]
    steps: u64,
    /// How long the program thinks before each output, in milliseconds
    #[arg(long, default_value_t = 1.0)]
    think_ms: f64,
    /// How long nothing must come to be silence, in milliseconds
    #[arg(long, default_value_t = 50)]
    patience_ms: u64,
    /// Threads that keep the machine busy [default: two for each core]
    #[arg(long)]
    load: Option<usize>,
    /// One exchange of so many is a wait where silence is right
    #[arg(long, default_value_t = 200)]
    silence_every: u64,
    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
    /// Be the program at the other end
    #[arg(long, hide = true)]
    child: bool,
}

/// Outputs come with these numbers in turn, so that one that is lost or comes twice shows.
const NUMBERS: u64 = 8;

impl AsynchronousArgs {
    /// Drives the program and prints what came of it.
    pub fn run(&self) -> Result<()> {
        if self.child {
            return think(Duration::from_secs_f64(self.think_ms / 1000.0));
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let load = self.load.unwrap_or(2 * cores);
        let stop = Arc::new(AtomicBool::new(false));
        let busy: Vec<_> = (0..load)
            .map(|_| {
                let stop = stop.clone();
                std::thread::spawn(move || {
                    while !stop.load(Relaxed) {
                        std::hint::spin_loop();
                    }
                })
            })
            .collect();
        let started = Instant::now();
        let found = self.drive();
        let seconds = started.elapsed().as_secs_f64();
        stop.store(true, Relaxed);
        busy.into_iter().for_each(|thread| drop(thread.join()));
        let found = found?;
        let Found { steps, outputs, lost, false_quiescence, silences } = found;
        if self.json {
            let row = json!({
                "steps": steps, "think_ms": self.think_ms, "patience_ms": self.patience_ms, "load": load,
                "outputs": outputs, "lost": lost, "false_quiescence": false_quiescence, "silences": silences,
                "seconds": seconds, "steps_per_second": steps as f64 / seconds,
            });
            println!("{}", json!([row]));
            return Ok(());
        }
        println!(
            "{:>9} {:>9} {:>12} {:>5} {:>9} {:>6} {:>17} {:>9} {:>9}",
            "steps",
            "think_ms",
            "patience_ms",
            "load",
            "outputs",
            "lost",
            "false quiescence",
            "silences",
            "steps/s"
        );
        println!(
            "{steps:>9} {:>9} {:>12} {load:>5} {outputs:>9} {lost:>6} {false_quiescence:>17} {silences:>9} {:>9.0}",
            self.think_ms,
            self.patience_ms,
            steps as f64 / seconds
        );
        Ok(())
    }

    fn drive(&self) -> Result<Found> {
        let outputs = (0..NUMBERS).map(|number| format!("pong{number}")).chain([Idle::QUIET.to_owned()]);
        let inputs = ["ping", "hush", Idle::WAIT].map(str::to_owned);
        let interface = Interface::labels(inputs, outputs.collect::<Vec<_>>())?;
        let protocol = Protocol { patience_ms: Some(self.patience_ms), ..Protocol::default() };
        let think = format!("--think-ms={}", self.think_ms);
        let command: Vec<OsString> =
            vec![std::env::current_exe()?.into(), "asynchronous".into(), "--child".into(), think.into()];
        let launch = Launch { command, no_pin: true, ..Launch::default() };
        let lines = Lines::process(launch, &interface, protocol).map_err(anyhow::Error::msg)?;
        let mut system = lines.in_mode(Mode::Asynchronous).map_err(anyhow::Error::msg)?;
        let label = |name: &str| interface.inputs.label(name).context("a label of the interface");
        let (ping, hush, wait) = (label("ping")?, label("hush")?, label(Idle::WAIT)?);
        let quiet = interface.outputs.label(Idle::QUIET)?;
        let mut rng = Rng::new(self.seed);
        let mut found = Found::default();
        // How many outputs are still to come, and the number of the next.
        let (mut owed, mut next) = (0u64, 0u64);
        system.reset()?;
        while found.steps < self.steps {
            let input = match owed {
                0 if found.steps % self.silence_every == self.silence_every - 1 => wait,
                // Now and then more than one is under way, and what comes first may meet what is sent.
                0 => ping,
                1..3 if rng.below(4) == 0 => ping,
                1..3 if rng.below(4) == 0 => hush,
                _ => wait,
            };
            let step = system.exchange(input)?;
            found.steps += 1;
            if step.input != wait {
                owed += u64::from(step.input == ping);
            } else if step.output != quiet {
                found.outputs += 1;
                let number = step.output.index();
                found.lost += (number + NUMBERS - next) % NUMBERS;
                next = (number + 1) % NUMBERS;
                owed = owed.saturating_sub(1);
            } else if owed > 0 {
                found.false_quiescence += 1;
            } else {
                found.silences += 1;
            }
        }
        // What is still under way is not lost.
        while owed > 0 && system.exchange(wait)?.output != quiet {
            owed -= 1;
        }
        found.lost += owed;
        Ok(found)
    }
}

#[derive(Default)]
struct Found {
    steps: u64,
    outputs: u64,
    lost: u64,
    false_quiescence: u64,
    silences: u64,
}

/// The program: after each `ping`, and some thought, the next `pong`.
fn think(time: Duration) -> Result<()> {
    let mut output = stdout().lock();
    let mut number = 0;
    for line in stdin().lock().lines() {
        if line? == "ping" {
            std::thread::sleep(time);
            writeln!(output, "pong{number}")?;
            output.flush()?;
            number = (number + 1) % NUMBERS;
        }
    }
    Ok(())
}
