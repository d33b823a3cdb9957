//! The reports that a session leaves behind, and `provoke report`, which makes them from a log.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use provoke::account::Account;
use provoke::format::recording::Format;

use crate::exit::Exit;
use crate::output::{mention, say, warn, write_whole};

/// Which reports are wanted.
#[derive(Args, Clone, Default)]
pub(crate) struct ReportArgs {
    /// Write a page with everything to this file, for a browser; it needs nothing else
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    html: Option<PathBuf>,
    /// Write JUnit XML to this file: one test case a requirement and one an objective
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    junit: Option<PathBuf>,
    /// Write the most telling trace to this file as a value change dump, for waveform viewers
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    vcd: Option<PathBuf>,
    /// Write the most telling trace to this file as CSV
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    csv: Option<PathBuf>,
    /// Draw how the search went to this SVG file
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    plot: Option<PathBuf>,
    /// Print the report as Markdown
    #[arg(long, help_heading = HEADING)]
    markdown: bool,
}

const HEADING: &str = "Reports";

/// The arguments of `provoke report`.
#[derive(Args)]
pub(crate) struct LogArgs {
    /// The log, as `provoke test --log` wrote it
    log: PathBuf,
    /// The requirement or objective whose trace --vcd and --csv write [default: a violation, or else the most telling one]
    #[arg(long, value_name = "ID")]
    of: Option<String>,
    #[command(flatten)]
    reports: ReportArgs,
}

/// Makes reports from a log; without any, prints what it adds up to.
pub(crate) fn run(args: &LogArgs) -> Result<Exit> {
    let bytes = std::fs::read(&args.log).with_context(|| format!("failed to read {}", args.log.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let account = Account::read(&text).with_context(|| args.log.display().to_string())?;
    if account.requirements.is_empty() && account.strategy.is_empty() {
        anyhow::bail!("{} is no log: it does not begin with a session", args.log.display());
    }
    if let Some(id) = args.of.as_deref().filter(|id| account.finding(Some(id)).is_none()) {
        anyhow::bail!("{} has no trace of `{id}`", args.log.display());
    }
    args.reports.write(&account, args.of.as_deref())?;
    if !args.reports.is_wanted() {
        say(account.markdown())?;
    }
    Ok(Exit::Covered)
}

impl ReportArgs {
    /// Whether any report is wanted.
    pub(crate) fn is_wanted(&self) -> bool {
        let files = [&self.html, &self.junit, &self.vcd, &self.csv, &self.plot];
        self.markdown || files.iter().any(|file| file.is_some())
    }

    /// Whether Markdown takes the place of the report on standard output.
    pub(crate) fn is_markdown(&self) -> bool {
        self.markdown
    }

    /// Writes all that are wanted; what is wrong with the first that cannot be written is the error, and said of others.
    pub(crate) fn write(&self, account: &Account, of: Option<&str>) -> Result<()> {
        let mut failed = None;
        let mut note = |result: Result<()>| {
            if let Err(error) = result {
                match &failed {
                    None => failed = Some(error),
                    Some(_) => warn(&[format!("{error:#}")]),
                }
            }
        };
        let mut text = |path: &Option<PathBuf>, make: &dyn Fn() -> String| {
            if let Some(path) = path {
                note(write_whole(path, make()));
            }
        };
        text(&self.html, &|| provoke::account::page(account));
        text(&self.junit, &|| account.junit());
        text(&self.plot, &|| account.plot());
        for (path, format) in [(&self.vcd, Format::Vcd), (&self.csv, Format::Csv)] {
            if let Some(path) = path {
                note(write_trace(account, of, path, format));
            }
        }
        if self.markdown {
            note(say(account.markdown()));
        }
        failed.map_or(Ok(()), Err)
    }
}

fn write_trace(account: &Account, of: Option<&str>, path: &Path, format: Format) -> Result<()> {
    match account.finding(of) {
        None => {
            mention(format_args!("note: nothing was found, so {} was not written", path.display()));
            Ok(())
        }
        Some(finding) => {
            let text = account.recording(finding, format);
            write_whole(path, &text.with_context(|| format!("failed to write {}", path.display()))?)
        }
    }
}

/// Whether this runs as a step of GitHub's actions.
pub(crate) fn is_github() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Says there what was found: annotations, and a summary of the step.
pub(crate) fn tell_github(account: &Account, quiet: bool) -> Result<()> {
    let annotations = account.annotations();
    match quiet {
        true => mention(annotations.trim_end()),
        false => say(annotations)?,
    }
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from) else { return Ok(()) };
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(&path);
    let written = file.as_mut().map_err(|error| std::io::Error::new(error.kind(), error.to_string()));
    written
        .and_then(|file| writeln!(file, "{}", account.markdown()))
        .with_context(|| format!("failed to write {}", path.display()))
}
