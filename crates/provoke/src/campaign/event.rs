//! What a session and its campaigns tell whoever watches them.

use std::io;

use super::Outcome;
use crate::letter::Interface;
use crate::report::{Report, SystemReport, ViolationReport};
use crate::trace::{RequirementNumber, RunEnd, Step};

/// Something happened. A campaign by itself tells of its runs; a session says first what it is about, which campaign
/// begins, what becomes of each finding, and at last its report.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A session begins.
    Started(&'a Opening<'a>),
    /// What the session does from now on.
    Phase(Phase<'a>),
    /// A saved trace was run again.
    Replayed {
        /// The file.
        path: &'a str,
        /// What was exchanged.
        trace: &'a [Step],
        /// Whether it still shows what it was saved for.
        recurred: bool,
    },
    /// An objective need not be pursued: a saved trace covers it.
    AlreadyCovered {
        /// Its id.
        objective: &'a str,
        /// The trace.
        trace: &'a [Step],
    },
    /// A run begins.
    RunStarted {
        /// Its number in the campaign, from 1.
        run: u64,
        /// The place of what it pursues.
        pursued: usize,
        /// The most steps it may take.
        most: u32,
    },
    /// The system was reset for the run.
    Reset {
        /// Steps that resets have taken so far, where resets take steps.
        steps: u64,
    },
    /// A few milliseconds have passed within a run.
    Steps {
        /// Its number.
        run: u64,
        /// Its exchanges so far.
        trace: &'a [Step],
        /// How many of them were told before.
        told: usize,
        /// The tally so far.
        outcome: &'a Outcome,
    },
    /// Something that was wanted was seen.
    Covered {
        /// The place of it.
        place: usize,
        /// The run that showed it.
        trace: &'a [Step],
    },
    /// A requirement was violated that had not been.
    Found {
        /// Which.
        requirement: RequirementNumber,
        /// The run; the last step is the violation.
        trace: &'a [Step],
    },
    /// A run is over.
    RunEnded {
        /// Its number.
        run: u64,
        /// How it ended.
        end: RunEnd,
        /// Its exchanges.
        trace: &'a [Step],
        /// The tally so far.
        outcome: &'a Outcome,
    },
    /// A finding was tried once more.
    Confirming {
        /// The violated requirement; none where the system broke.
        requirement: Option<RequirementNumber>,
        /// How often it recurred so far.
        again: u32,
        /// How often it was tried so far.
        tries: u32,
    },
    /// A finding got shorter, or a few milliseconds have passed without that.
    Shrinking {
        /// The violated requirement; none where the system broke.
        requirement: Option<RequirementNumber>,
        /// Runs spent on it so far.
        runs: u64,
        /// Exchanges in them.
        steps: u64,
        /// How many inputs it takes by now.
        length: usize,
    },
    /// A finding will not get any shorter.
    Shrunk {
        /// The violated requirement; none where the system broke.
        requirement: Option<RequirementNumber>,
        /// Runs spent on it.
        runs: u64,
        /// Exchanges in them.
        steps: u64,
        /// How many inputs it takes.
        length: usize,
    },
    /// A violation was confirmed, shrunk and saved.
    Violation(&'a ViolationReport),
    /// A violation is suspected: a lasso was confirmed, shortened and saved.
    Suspected(&'a ViolationReport),
    /// The system broke; the run was tried again, shrunk and saved.
    Broken(&'a SystemReport),
    /// Something could not be done that does not change the verdict.
    Warning(&'a str),
    /// A campaign is over.
    CampaignEnded {
        /// What it found.
        outcome: &'a Outcome,
    },
    /// The session is over.
    Ended(&'a Report),
}

/// What a session is about.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    /// What may be said.
    pub interface: &'a Interface,
    /// The strategy's name.
    pub strategy: &'a str,
    /// The master seed.
    pub seed: u64,
    /// The first stream of random numbers.
    pub stream: u64,
    /// The ids of the objectives that were asked for; none where violations are looked for.
    pub objectives: &'a [&'a str],
    /// The ids of all requirements, by number.
    pub requirements: &'a [&'a str],
}

/// The parts of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase<'a> {
    /// Saved traces are run again.
    Saved,
    /// It is measured what a reset costs. These runs, resets and steps are counted apart.
    Calibration,
    /// Violations are looked for.
    Hunt,
    /// These objectives are pursued, by id; events name them by their place here.
    Pursuit(&'a [&'a str]),
}

/// Watches a campaign or a session: a progress bar, a log, a statistic. An error ends it.
pub trait Observer {
    /// Called for every event, in order.
    fn on(&mut self, event: &Event<'_>) -> io::Result<()>;
}

/// Watches nothing.
impl Observer for () {
    fn on(&mut self, _event: &Event<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// Several observers, told in order.
impl Observer for Vec<Box<dyn Observer + '_>> {
    fn on(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.iter_mut().try_for_each(|observer| observer.on(event))
    }
}
