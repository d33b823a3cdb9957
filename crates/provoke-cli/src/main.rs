//! The `provoke` command: tests black-box reactive systems against their requirements, online.

mod check;
mod convert;
mod exit;
mod explain;
mod generate;
mod init;
mod learn;
mod man;
mod monitor;
mod mutate;
mod options;
mod output;
mod play;
mod progress;
mod replay;
mod reports;
mod serve;
mod show;
mod synchronise;
mod synthesise;
mod system;
mod test;
mod verify;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use provoke::diagnostic::SpecError;

use crate::exit::Exit;

/// Tests black-box reactive systems against their requirements, online.
#[derive(Parser)]
#[command(name = "provoke", version, after_help = exit::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Test a system against a specification
    Test(Box<test::TestArgs>),
    /// Look at a specification without running anything
    Check(check::CheckArgs),
    /// Turn formulas, sentences, TLSF and automata into each other's formats
    Convert(convert::ConvertArgs),
    /// Make a suite of tests without a system: by a strategy, or from a machine by a coverage criterion
    Generate(Box<generate::GenerateArgs>),
    /// Learn a system as a machine, and say what changed since it was learnt last
    Learn(Box<learn::LearnArgs>),
    /// Draw a requirement, the product or the solved game
    Show(show::ShowArgs),
    /// Find inputs that bring a machine to one known state from every state
    Synchronise(synchronise::SynchroniseArgs),
    /// Run a saved trace again and compare every answer
    Replay(replay::ReplayArgs),
    /// Step a specification by hand, as tester or as system
    Play(play::PlayArgs),
    /// Judge a recorded run requirement by requirement
    Monitor(monitor::MonitorArgs),
    /// Say step by step what each requirement makes of a recorded run, and why
    Explain(explain::ExplainArgs),
    /// Write a commented specification and a program to begin with
    Init(init::InitArgs),
    /// Make machines with one fault each, and say which of them break requirements
    Mutate(mutate::MutateArgs),
    /// Make a machine that keeps the requirements, or say why there is none
    #[command(visible_alias = "synthesize")]
    Synthesise(synthesise::SynthesiseArgs),
    /// Say whether a machine keeps the requirements, whatever its inputs
    Verify(verify::VerifyArgs),
    /// Make reports from the log of a session
    Report(reports::LogArgs),
    /// Be the process that ends a system whose tester was killed
    #[command(hide = true)]
    Guard,
    /// Write the manual pages, one a command, to a folder
    Man {
        /// The folder
        folder: std::path::PathBuf,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Test(args) => test::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Learn(args) => learn::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Synchronise(args) => synchronise::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Monitor(args) => monitor::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Mutate(args) => mutate::run(&args),
        Command::Synthesise(args) => synthesise::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Report(args) => reports::run(&args),
        Command::Guard => {
            provoke::system::reap::guard(std::io::stdin().lock());
            Ok(Exit::Covered)
        }
        Command::Man { folder } => man::write(Cli::command(), &folder).map(|()| Exit::Covered),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "provoke", &mut script);
            output::say(String::from_utf8_lossy(&script)).map(|()| Exit::Covered)
        }
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => report_error(&error),
    }
}

/// Prints what went wrong on our or the caller's side.
fn report_error(error: &anyhow::Error) -> ExitCode {
    match error.downcast_ref::<SpecError>() {
        Some(error) => output::mention_as_is(error.render(output::is_coloured())),
        None => output::mention(format_args!("error: {error:#}")),
    }
    Exit::Usage.into()
}
