//! The exit codes, listed once.

use std::process::ExitCode;

use provoke::report::{Overall, Report};
use provoke::system::interrupt::Interrupt;

/// What the command tells its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Every requested objective covered and nothing violated.
    Covered = 0,
    /// A requirement was violated.
    Violated = 1,
    /// Wrong usage, or a fault in a file.
    Usage = 2,
    /// The budget was used up before every objective was covered.
    Exhausted = 3,
    /// The system under test crashed, hung or broke the protocol.
    Broken = 4,
    /// Ctrl-C, and nothing was found by then.
    Interrupted = 130,
    /// SIGTERM, and nothing was found by then.
    Terminated = 143,
}

/// The same for `--help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0  every requested objective covered and nothing violated
  1  a requirement violated
  2  usage or specification error
  3  budget used up, objective not covered
  4  the system under test crashed, hung or broke the protocol
130  interrupted by Ctrl-C before anything was found; 143 by SIGTERM";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

impl Exit {
    /// What came of it where nothing was found, and somebody may have interrupted it.
    pub(crate) fn or_interrupted(self, by: Option<Interrupt>) -> Exit {
        match by {
            None => self,
            Some(Interrupt::Sigint) => Exit::Interrupted,
            Some(Interrupt::Sigterm) => Exit::Terminated,
        }
    }

    /// What a report tells: what was found, or else what interrupted it.
    pub(crate) fn of(report: &Report) -> Exit {
        match report.verdict {
            verdict @ (Overall::Violated | Overall::Broken) => verdict.into(),
            verdict => Exit::from(verdict).or_interrupted(report.interrupted),
        }
    }
}

impl From<Overall> for Exit {
    fn from(verdict: Overall) -> Exit {
        match verdict {
            Overall::Covered => Exit::Covered,
            Overall::Violated => Exit::Violated,
            Overall::Exhausted => Exit::Exhausted,
            Overall::Broken => Exit::Broken,
        }
    }
}
