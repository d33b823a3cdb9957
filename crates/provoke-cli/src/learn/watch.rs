//! The progress bar of `provoke learn`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use provoke::campaign::{Event, Observer};
use provoke::learn::Gauge;

use crate::output::warn;
use crate::progress::{columns, fitting, line, short};

/// Draws how far learning has come; on a terminal only.
pub(super) struct Watch {
    gauge: Arc<Gauge>,
    bar: ProgressBar,
    drawn: Instant,
}

/// How often the line is drawn again.
const PACE: Duration = Duration::from_millis(100);

impl Watch {
    pub(super) fn new(gauge: Arc<Gauge>, quiet: bool) -> Watch {
        Watch { gauge, bar: line(quiet), drawn: Instant::now() }
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Watch {
    fn on(&mut self, event: &Event<'_>) -> io::Result<()> {
        let outcome = match event {
            Event::Warning(warning) => {
                warn(&[warning]);
                return Ok(());
            }
            Event::Steps { outcome, .. } | Event::RunEnded { outcome, .. } => outcome,
            _ => return Ok(()),
        };
        if self.bar.is_hidden() || self.drawn.elapsed() < PACE {
            return Ok(());
        }
        self.drawn = Instant::now();
        let of = |number: &std::sync::atomic::AtomicU64| number.load(Ordering::Relaxed);
        let Gauge { states, transitions, rounds, since_surprise } = &*self.gauge;
        let facts = [
            (of(transitions), "transitions tested"),
            (outcome.steps, "steps"),
            (of(rounds), "rounds"),
            (of(since_surprise), "steps since the last surprise"),
        ];
        let facts = facts.map(|(number, what)| format!("{} {what}", short(number)));
        self.bar.set_message(fitting(format!("{} states", short(of(states))), facts, columns()));
        Ok(())
    }
}
