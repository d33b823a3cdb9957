//! How the command line names the system under test.

use anyhow::{Context, Result};
use clap::Args;
use provoke::specification::{OpenError, Opened, Specification, Wish};
use provoke::system::reap;

/// How the command line names the system under test.
#[derive(Args)]
pub(crate) struct SystemArgs {
    /// Leave tester and system on whatever cores the operating system likes: slower, but several at once
    #[arg(long)]
    no_pin: bool,
    /// The system under test, instead of the one in the specification file
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl SystemArgs {
    /// Whether the command line names a system.
    pub(crate) fn is_named(&self) -> bool {
        !self.command.is_empty()
    }
}

/// Makes the system ready to be reset; nothing is started yet but what ends it when we are gone. With `gracefully`,
/// the first Ctrl-C only asks campaigns to stop.
pub(crate) fn open(specification: &Specification, args: &SystemArgs, gracefully: bool) -> Result<Opened> {
    open_with(specification, args, gracefully, 0)
}

/// The same with the seed by which a simulated system chooses.
pub(crate) fn open_with(
    specification: &Specification,
    args: &SystemArgs,
    gracefully: bool,
    seed: u64,
) -> Result<Opened> {
    if gracefully {
        reap::on_signals(true).context("failed to watch for signals")?;
    }
    let wish = Wish { command: args.command.clone(), no_pin: args.no_pin, seed };
    if specification.starts_program(&wish) {
        leave_nothing_behind()?;
    }
    specification.open(&wish).map_err(|error| match error {
        // Shown with its place.
        OpenError::Machine(error) => error.into(),
        error => error.into(),
    })
}

/// Whatever happens to us, what we start ends with us.
fn leave_nothing_behind() -> Result<()> {
    reap::on_signals(false).context("failed to watch for signals")?;
    let ourselves = std::env::current_exe().context("failed to find this program")?;
    let mut guard = std::process::Command::new(ourselves);
    reap::start_guard(guard.arg("guard")).context("failed to start the guard of the system")
}
