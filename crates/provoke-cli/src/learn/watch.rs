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
        let numbers = [of(states), of(transitions), outcome.steps, of(rounds), of(since_surprise)];
        self.bar.set_message(told(numbers, columns()));
        Ok(())
    }
}

/// What is told of states, transitions that were tested, steps, rounds and steps since the last surprise: all of it on 80 columns.
fn told(numbers: [u64; 5], columns: usize) -> String {
    let [states, facts @ ..] = numbers.map(short);
    let names = ["transitions", "steps", "rounds", "since surprise"];
    let facts = facts.into_iter().zip(names).map(|(number, name)| format!("{number} {name}"));
    fitting(format!("{states} states"), facts, columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_fits_on_eighty_columns() {
        let line = told([1_234, 123_456, 123_456_789, 234, 123_456_789], 80);
        assert_eq!(line, "1234 states  123.4k transitions  123.4M steps  234 rounds  123.4M since surprise");
    }
}
