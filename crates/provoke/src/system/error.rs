//! What a system did wrong, other than violating a requirement.

use std::fmt;
use std::mem::discriminant;
use std::time::Duration;

/// Why an exchange did not come about. Each variant says who is to blame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SystemError {
    /// There is no system to talk to: command not found, connection refused. The caller is to blame, or the
    /// environment.
    #[error("the system cannot be started: `{what}`: {why}")]
    Unstartable {
        /// The command or address.
        what: String,
        /// What the operating system says.
        why: String,
    },
    /// Nobody took the call. The system may be starting, or be gone for good.
    #[error("the system cannot be started: `{address}`: connection refused: nobody listens there")]
    Refused {
        /// Where we called.
        address: String,
    },
    /// The system ended by itself, or hung up.
    #[error("the system was gone {during}: {how}")]
    Gone {
        /// What we were doing.
        during: Phase,
        /// How it ended.
        how: Ending,
    },
    /// The system did not answer in time, or did not take its input in time.
    #[error("the system was silent {during}: nothing within {} ms", deadline.as_millis())]
    Silent {
        /// What we were waiting for.
        during: Phase,
        /// How long we waited.
        deadline: Duration,
    },
    /// The system did not follow its model while it was being reset.
    #[error(
        "the system does not follow its model at a reset: `{input}` was answered by `{output}`, not by `{expected}`"
    )]
    Astray {
        /// What was sent.
        input: String,
        /// What it answered.
        output: String,
        /// What the model would have answered.
        expected: String,
    },
    /// The model that stands in for the system does not say what comes next: an input was sent that the specification withholds there.
    /// The caller is to blame.
    #[error(
        "the model has no transition for the input `{input}` in state `{state}`: the specification withholds it there"
    )]
    Unmodelled {
        /// What the file calls the state.
        state: String,
        /// What was sent.
        input: String,
    },
    /// The system has ended by itself, and its end was an answer: the run is over, and only a reset goes on. This is no
    /// finding.
    #[error("the run is over: the system has ended")]
    Over,
    /// We were asked to stop while we waited for the system, which says nothing about it.
    #[error("interrupted while waiting for the system")]
    Interrupted,
    /// The system said something that is not an answer.
    #[error("the system said `{line}` {during}: {fault}")]
    Garbled {
        /// What we were doing.
        during: Phase,
        /// What it said, cut to a readable length.
        line: String,
        /// What is wrong with it.
        fault: Fault,
    },
}

impl SystemError {
    /// Whether the system spoke out of turn, so that earlier answers may belong to other inputs than we thought.
    pub fn is_out_of_turn(&self) -> bool {
        matches!(self, SystemError::Garbled { fault: Fault::Extra | Fault::Late(_), .. })
    }

    /// Whether a system went wrong in the same way twice, whenever it was and whatever it said.
    pub fn is_like(&self, other: &SystemError) -> bool {
        use Ending::{Failed, Panicked};
        use SystemError::{Garbled, Gone};
        match (self, other) {
            (Gone { how, .. }, Gone { how: others, .. }) => match (how, others) {
                (Panicked(_), Panicked(_)) | (Failed(_), Failed(_)) => true,
                _ => how == others,
            },
            (Garbled { fault, .. }, Garbled { fault: others, .. }) => fault == others,
            _ => discriminant(self) == discriminant(other),
        }
    }

    /// Whether a connection was refused or dropped, and the system is not known to have ended: another call may
    /// find it.
    pub fn is_lost_connection(&self) -> bool {
        match self {
            SystemError::Refused { .. } => true,
            SystemError::Gone { how, .. } => matches!(how, Ending::HungUp | Ending::Failed(_)),
            _ => false,
        }
    }
}

/// The part of an exchange in which a system failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Before its first answer, or before the end of its banner.
    Start,
    /// During a reset.
    Reset,
    /// Between an input and its answer.
    Step,
    /// After its last answer.
    Settle,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Start => "at its start",
            Phase::Reset => "at a reset",
            Phase::Step => "in a step",
            Phase::Settle => "after its last answer",
        })
    }
}

/// How a system ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited with this code.
    Exited(i32),
    /// It was killed by this signal.
    Killed(i32),
    /// It closed its end of the connection.
    HungUp,
    /// It panicked with this message (in-process systems).
    Panicked(String),
    /// The connection failed with this message.
    Failed(String),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Exited(code) => write!(f, "it exited with code {code}"),
            Ending::Killed(signal) => write!(f, "it was killed by {}", signal_name(*signal)),
            Ending::HungUp => f.write_str("it closed the connection"),
            Ending::Panicked(message) => write!(f, "it panicked: {message}"),
            Ending::Failed(message) => write!(f, "the connection failed: {message}"),
        }
    }
}

/// Signals that programs end by, with their names.
pub(super) const SIGNALS: [(i32, &str); 11] = [
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (15, "SIGTERM"),
];

fn signal_name(signal: i32) -> String {
    match SIGNALS.iter().find(|(number, _)| *number == signal) {
        Some((_, name)) => format!("signal {signal} ({name})"),
        None => format!("signal {signal}"),
    }
}

/// What is wrong with something a system said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is not of the form of an answer.
    #[error("not an answer: {0}")]
    NotAnAnswer(String),
    /// It names something that is not in the output alphabet.
    #[error("{0}")]
    Unknown(String),
    /// An output signal has no value.
    #[error("signal `{0}` is missing")]
    Missing(String),
    /// An output signal has two values.
    #[error("signal `{0}` is given twice")]
    Twice(String),
    /// Nothing was asked.
    #[error("an extra line: nothing had been asked")]
    Extra,
    /// It came when its input had already been taken to be answered by silence.
    #[error("it came too late: its input was taken to be answered by silence after {} ms; give it more `patience_ms`", .0.as_millis())]
    Late(Duration),
    /// It does not stop talking before a reset.
    #[error("it was still talking after {} ms, and no `reset_reply` tells what it says before a reset from what it says afterwards", .0.as_millis())]
    Endless(Duration),
    /// The line had begun and did not end in time.
    #[error("the line did not end within {} ms", .0.as_millis())]
    Unfinished(Duration),
    /// The answer had begun and its last line did not come in time.
    #[error("the answer did not end within {} ms", .0.as_millis())]
    Unended(Duration),
    /// The answer does not end.
    #[error("the answer is longer than {0} bytes")]
    TooMuch(usize),
    /// The line does not end.
    #[error("the line is longer than {0} bytes")]
    TooLong(usize),
}

/// Why a system cannot be set up: options that do not fit the interface (as `key: message`), a word that is no input, a
/// model of which no reset can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(String);

impl From<String> for SetupError {
    fn from(message: String) -> SetupError {
        SetupError(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_who_when_and_how() {
        let gone = SystemError::Gone { during: Phase::Step, how: Ending::Exited(3) };
        assert_eq!(gone.to_string(), "the system was gone in a step: it exited with code 3");
        let silent = SystemError::Silent { during: Phase::Start, deadline: Duration::from_millis(250) };
        assert_eq!(silent.to_string(), "the system was silent at its start: nothing within 250 ms");
        let line = "x=1".to_owned();
        let garbled = SystemError::Garbled { during: Phase::Settle, line, fault: Fault::Extra };
        assert_eq!(
            garbled.to_string(),
            "the system said `x=1` after its last answer: an extra line: nothing had been asked"
        );
    }
}
