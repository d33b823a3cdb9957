//! What a campaign tells whoever watches it.

use std::io;

use super::Outcome;
use crate::trace::{RunEnd, Step};

/// Something happened.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A few milliseconds have passed within a run.
    Tick {
        /// The tally so far.
        outcome: &'a Outcome,
        /// Steps in the current run.
        trace_len: usize,
    },
    /// A run is over.
    RunEnded {
        /// Its number, from 1.
        run: u64,
        /// How it ended.
        end: RunEnd,
        /// Its exchanges.
        trace: &'a [Step],
        /// The tally so far.
        outcome: &'a Outcome,
    },
    /// The campaign is over.
    Ended {
        /// What it found.
        outcome: &'a Outcome,
    },
}

/// Watches a campaign: a progress bar, a log, a statistic. An error ends the campaign.
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
