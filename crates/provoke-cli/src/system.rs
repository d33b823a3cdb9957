//! From a specification and the words after `--` to a system that can be tested.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use provoke::specification::{Specification, SystemChoice, Target};
use provoke::system::{Launch, Lines, Retrying, Simulated, Synchronised, System, WordReset, reap};

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

/// Makes the system ready to be reset, and says whether it lives in our own process. Nothing is started yet. With
/// `gracefully`, the first Ctrl-C only asks campaigns to stop.
pub(crate) fn open(
    specification: &Specification,
    args: &SystemArgs,
    gracefully: bool,
) -> Result<(Box<dyn System>, bool)> {
    if gracefully {
        reap::on_signals(true).context("failed to watch for signals")?;
    }
    let choice = &specification.system;
    let in_process = args.command.is_empty() && matches!(choice.target, Some(Target::Model(_)));
    let system = connect(specification, args)?;
    let interface = specification.interface();
    let system: Box<dyn System> = match (&choice.synchronise, &choice.reset_word) {
        (Some(path), _) => {
            let model = Simulated::read(path, interface)?;
            let synchronised = Synchronised::new(system, &model, interface);
            Box::new(synchronised.map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))?)
        }
        (None, Some(word)) => Box::new(WordReset::new(system, word.clone())),
        (None, None) => system,
    };
    // A typed command has no connection to lose.
    let retries = if args.command.is_empty() { choice.retries } else { 0 };
    let system = if retries > 0 { Box::new(Retrying::new(system, retries)) } else { system };
    Ok((system, in_process))
}

fn connect(specification: &Specification, args: &SystemArgs) -> Result<Box<dyn System>> {
    let choice = &specification.system;
    let (interface, protocol) = (specification.interface(), choice.protocol.clone());
    let options =
        |error: String| anyhow::anyhow!("{}: [system.protocol] {error}", specification.path.display());
    // What the file names runs beside it; what the user types runs where it is typed.
    let beside = specification.path.parent().filter(|folder| *folder != Path::new(""));
    let launch = |command: &[String], directory: Option<PathBuf>| -> Result<Launch> {
        if let Some(missing) = directory.iter().find(|directory| !directory.is_dir()) {
            bail!("{}: [system] cwd: there is no folder {}", specification.path.display(), missing.display());
        }
        Ok(Launch {
            command: command.iter().map(Into::into).collect(),
            directory,
            environment: choice.environment.iter().map(|(name, value)| (name.into(), value.into())).collect(),
            no_pin: args.no_pin || !choice.pin,
        })
    };
    let directory = || choice.directory.clone().or_else(|| beside.map(Path::to_owned));
    let lines = match (&args.command[..], choice) {
        ([], SystemChoice { target: None, .. }) => bail!(
            "no system to test: add a [system] table to {}, or `-- COMMAND` to the command line",
            specification.path.display()
        ),
        ([], SystemChoice { target: Some(Target::Model(path)), .. }) => {
            return Ok(Box::new(Simulated::read(path, interface)?));
        }
        ([], SystemChoice { target: Some(Target::Tcp(address)), start: None, .. }) => {
            Lines::tcp(address, interface, protocol)
        }
        ([], SystemChoice { target: Some(Target::Tcp(address)), start: Some(command), .. }) => {
            leave_nothing_behind()?;
            Lines::server(launch(command, directory())?, address, interface, protocol)
        }
        ([], SystemChoice { target: Some(Target::Command(command)), .. }) => {
            leave_nothing_behind()?;
            Lines::process(launch(command, directory())?, interface, protocol)
        }
        (typed, _) => {
            leave_nothing_behind()?;
            let mut command = typed.to_vec();
            if let Some(program) = command.first_mut().filter(|program| program.contains('/'))
                && choice.directory.is_some()
            {
                *program = std::path::absolute(&*program)?.display().to_string();
            }
            Lines::process(launch(&command, choice.directory.clone())?, interface, protocol)
        }
    };
    Ok(Box::new(lines.map_err(options)?))
}

/// Whatever happens to us, what we start ends with us.
fn leave_nothing_behind() -> Result<()> {
    reap::on_signals(false).context("failed to watch for signals")?;
    let ourselves = std::env::current_exe().context("failed to find this program")?;
    let mut guard = std::process::Command::new(ourselves);
    reap::start_guard(guard.arg("guard")).context("failed to start the guard of the system")
}
