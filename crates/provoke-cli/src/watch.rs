//! Who watches a session: the log, the account that reports are made of, the bar, and violations told as they are found.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use provoke::account::Account;
use provoke::campaign::{Event, Limits, Observer};
use provoke::session::{Record, Recorder};
use provoke::specification::Specification;
use provoke::system::Times;

use crate::exit::Exit;
use crate::output::{self, mention, warn};
use crate::progress::Bar;
use crate::reports::{self, ReportArgs};
use crate::serve::Live;

/// What is wanted of a session besides its verdict.
pub(crate) struct Wanted<'w> {
    pub(crate) log: Option<&'w Path>,
    pub(crate) reports: &'w ReportArgs,
    /// Where the page is served while the session goes on.
    pub(crate) serve: Option<&'w str>,
    pub(crate) json: bool,
    /// Whether violations are told as they are found, where nobody sees a bar.
    pub(crate) keep_going: bool,
    pub(crate) limits: Limits,
}

/// Watches a session.
pub(crate) struct Watch<'a> {
    recorder: Option<Recorder<'a>>,
    log: Option<BufWriter<File>>,
    /// What could not be written.
    failed: bool,
    account: Option<Arc<Mutex<Account>>>,
    live: Option<Live>,
    pub(crate) bar: Bar,
    specification: &'a Specification,
    pub(crate) tells: bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(wanted: &Wanted<'_>, specification: &'a Specification) -> Result<Watch<'a>> {
        let log = wanted.log.map(|path| {
            File::create(path)
                .with_context(|| format!("failed to write {}", path.display()))
                .map(BufWriter::new)
        });
        let log = log.transpose()?;
        let reports = wanted.reports.is_wanted() || wanted.serve.is_some() || reports::is_github();
        let command: Vec<String> = std::iter::once("provoke".to_owned())
            .chain(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()))
            .collect();
        let records = log.is_some() || reports;
        let account: Option<Arc<Mutex<Account>>> = reports.then(Arc::default);
        let live = match (wanted.serve, &account) {
            (Some(address), Some(account)) => Some(Live::open(address, account.clone())?),
            _ => None,
        };
        if let Some(live) = &live {
            mention(format_args!("live view at {}", live.url()));
        }
        Ok(Watch {
            recorder: records.then(|| Recorder::about(specification, &command)),
            log,
            failed: false,
            account,
            live,
            bar: Bar::new(&wanted.limits, wanted.json, names(specification)),
            specification,
            tells: wanted.keep_going && !wanted.json && !std::io::stdout().is_terminal(),
        })
    }

    /// Whether it matters where time goes.
    pub(crate) fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    /// Says where time went.
    pub(crate) fn time(&mut self, times: Arc<Times>) {
        self.recorder = self.recorder.take().map(|recorder| recorder.timed(times));
    }

    /// Something could not be written: it is said, and the exit code knows.
    pub(crate) fn fail(&mut self, error: &anyhow::Error) {
        mention(format_args!("error: {error:#}"));
        self.failed = true;
    }

    /// Writes the reports. What cannot be written is said; it changes the exit code only where all was well.
    pub(crate) fn finish(mut self, wanted: &Wanted<'_>, exit: Exit) -> Exit {
        let mut failed = self.failed;
        if let Some(Err(error)) = self.log.as_mut().map(Write::flush) {
            warn(&[format!("the log ends here: {error}")]);
            failed = true;
        }
        // Whoever looks has a moment to see the end.
        drop(self.live.take());
        if let Some(account) = self.account.as_ref().and_then(|account| account.lock().ok()) {
            let account = &*account;
            let written = wanted.reports.write(account, None);
            let github =
                if reports::is_github() { reports::tell_github(account, wanted.json) } else { Ok(()) };
            for error in [written, github].into_iter().filter_map(Result::err) {
                mention(format_args!("error: {error:#}"));
                failed = true;
            }
        }
        if failed && exit == Exit::Covered { Exit::Usage } else { exit }
    }

    fn record(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        let Watch { recorder: Some(recorder), log, account, failed, .. } = self else { return Ok(()) };
        recorder.on(event, &mut |record: &Record| {
            if let Some(Err(error)) = log.as_mut().map(|log| record.write(log)) {
                // The verdict does not hang on it.
                warn(&[format!("the log ends here: {error}")]);
                *failed = true;
                *log = None;
            }
            if let Some(mut account) = account.as_ref().and_then(|account| account.lock().ok()) {
                account.follow(record);
            }
            Ok(())
        })
    }
}

impl Observer for Watch<'_> {
    fn on(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        self.record(event)?;
        match event {
            // A full disk behind standard output is said at the end, where the rest is written.
            Event::Violation(violation) if self.tells => {
                drop(output::report(&violation.to_text(self.specification.interface())));
            }
            Event::Warning(warning) => warn(&[warning]),
            _ => {}
        }
        let situations = self.recorder.as_ref().map_or(0, |recorder| recorder.progress().situations);
        self.bar.know(situations);
        self.bar.on(event)
    }
}

/// The ids of requirements, by number.
fn names(specification: &Specification) -> Vec<String> {
    let all = specification.requirements.iter().chain(&specification.ranges);
    all.map(|requirement| requirement.id.clone()).collect()
}
