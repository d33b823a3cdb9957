//! Events as JSON lines, for a live view, or for a report that is made when the session is long over.

mod record;
mod tally;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use self::record::Names;
use crate::campaign::{Event, Observer};

pub use record::{Exchange, Record};
pub use tally::{Counts, LogError, Tallies};

/// The version of what [`Log`] writes, and the highest that is read.
///
/// Records and fields are only ever added, and unknown ones are passed over; a change of what is there would be a new
/// version.
pub const LOG_VERSION: u32 = 1;

/// How far apart records are that only say that a run, or shrinking, goes on.
const PACE: Duration = Duration::from_millis(100);

/// Writes one JSON object a line for what a session tells, beginning with its version.
///
/// What only says that a run or shrinking goes on is written ten times a second at most. Runs may be many: give it a
/// buffered writer, as [`std::io::BufWriter`]. It is flushed after everything but runs.
pub struct Log<W: Write> {
    to: W,
    names: Names,
    paused: Option<Instant>,
}

impl<W: Write> Log<W> {
    /// A log that goes there.
    pub fn new(to: W) -> Log<W> {
        Log { to, names: Names::default(), paused: None }
    }

    fn is_too_soon(&mut self) -> bool {
        let now = Instant::now();
        let is_too_soon = self.paused.is_some_and(|before| now - before < PACE);
        self.paused = if is_too_soon { self.paused } else { Some(now) };
        is_too_soon
    }
}

impl<W: Write> Observer for Log<W> {
    fn on(&mut self, event: &Event<'_>) -> io::Result<()> {
        if matches!(event, Event::Steps { .. } | Event::Shrinking { .. }) && self.is_too_soon() {
            return Ok(());
        }
        self.names.follow(event);
        let mut line = serde_json::to_string(&self.names.record(event))?;
        line.push('\n');
        self.to.write_all(line.as_bytes())?;
        match event {
            Event::RunStarted { .. } | Event::Reset { .. } | Event::RunEnded { .. } => Ok(()),
            _ => self.to.flush(),
        }
    }
}
