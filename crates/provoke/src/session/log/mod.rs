//! Events as JSON lines, for a live view, or for a report that is made when the session is long over.

mod about;
mod met;
mod picture;
mod record;
mod recorder;
mod story;
mod tally;
mod walk;

use std::io::{self, Write};

use crate::campaign::{Event, Observer};
use crate::specification::Specification;

pub use about::{About, AboutObjective, AboutRequirement};
pub use picture::{Mark, Picture, Spot};
pub use record::{Exchange, Progress, Record, Visits};
pub use recorder::Recorder;
pub use story::Story;
pub use tally::{Counts, LogError, Tallies};

/// The version of what [`Log`] writes, and the highest that is read.
///
/// Records and fields are only ever added, and unknown ones are passed over; a change of what is there would be a new
/// version.
pub const LOG_VERSION: u32 = 1;

/// Writes one JSON object a line for what a session tells, beginning with its version.
///
/// What only says that a run or shrinking goes on is written ten times a second at most. Runs may be many: give it a
/// buffered writer, as [`std::io::BufWriter`]. It is flushed after everything but runs.
pub struct Log<'a, W: Write> {
    to: W,
    recorder: Recorder<'a>,
}

impl<W: Write> Log<'_, W> {
    /// A log that goes there.
    pub fn new(to: W) -> Log<'static, W> {
        Log { to, recorder: Recorder::default() }
    }
}

impl<'a, W: Write> Log<'a, W> {
    /// A log that also says what the specification is and what its findings mean, so that every report can be made from it.
    pub fn about(to: W, specification: &'a Specification, command: &[String]) -> Log<'a, W> {
        Log { to, recorder: Recorder::about(specification, command) }
    }
}

impl<W: Write> Observer for Log<'_, W> {
    fn on(&mut self, event: &Event<'_>) -> io::Result<()> {
        let to = &mut self.to;
        self.recorder.on(event, &mut |record| record.write(to))
    }
}

impl Record {
    /// Writes the record as one line, and flushes unless it is only about a run.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        to.write_all(&line)?;
        match self {
            Record::RunStarted { .. } | Record::Reset { .. } | Record::RunEnded { .. } => Ok(()),
            _ => to.flush(),
        }
    }
}
