//! The exit codes, listed once.

use std::process::ExitCode;

use provoke::report::Overall;

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
}

/// The same for `--help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0  every requested objective covered and nothing violated
  1  a requirement violated
  2  usage or specification error
  3  budget used up, objective not covered
  4  the system under test crashed, hung or broke the protocol";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
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
