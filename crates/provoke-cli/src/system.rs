//! From a specification and the words after `--` to a system that can be tested.

use anyhow::{Context, Result, bail};
use clap::Args;
use provoke::specification::{Specification, Target};
use provoke::system::{Launch, Lines, Simulated, Synchronised, System, reap};

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

/// Makes the system ready to be reset. Nothing is started yet.
pub(crate) fn open(specification: &Specification, args: &SystemArgs) -> Result<Box<dyn System>> {
    let choice = &specification.system;
    let interface = specification.interface();
    let target = match (&args.command[..], &choice.target) {
        ([], Some(target)) => target.clone(),
        ([], None) => bail!(
            "no system to test: add a [system] table to {}, or `-- COMMAND` to the command line",
            specification.path.display()
        ),
        (command, _) => Target::Command(command.to_vec()),
    };
    if matches!(target, Target::Command(_)) {
        reap::on_signals().context("failed to watch for signals")?;
        let ourselves = std::env::current_exe().context("failed to find this program")?;
        let mut guard = std::process::Command::new(ourselves);
        reap::start_guard(guard.arg("guard")).context("failed to start the guard of the system")?;
    }
    let options =
        |error: String| anyhow::anyhow!("{}: [system.protocol] {error}", specification.path.display());
    let system: Box<dyn System> = match target {
        Target::Model(path) => Box::new(Simulated::read(&path, interface)?),
        Target::Command(command) => {
            let launch = Launch {
                command: command.into_iter().map(Into::into).collect(),
                directory: None,
                environment: Vec::new(),
                no_pin: args.no_pin || !choice.pin,
            };
            Box::new(Lines::process(launch, interface, choice.protocol.clone()).map_err(options)?)
        }
        Target::Tcp(address) => {
            Box::new(Lines::tcp(&address, interface, choice.protocol.clone()).map_err(options)?)
        }
    };
    let Some(path) = &choice.synchronise else { return Ok(system) };
    let model = Simulated::read(path, interface)?;
    let synchronised = Synchronised::new(system, &model, interface);
    Ok(Box::new(synchronised.map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))?))
}
