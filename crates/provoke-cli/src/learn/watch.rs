//! The progress bar of `provoke learn`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use provoke::campaign::{Event, Observer};
use provoke::learn::Gauge;

use crate::output::{is_live, warn};

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
        let bar = ProgressBar::new_spinner();
        if quiet || !is_live() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = ProgressStyle::with_template("{wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        Watch { gauge, bar, drawn: Instant::now() }
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
        self.bar.set_message(format!(
            "{} states, {} transitions tested, {} steps, {} rounds, last surprise {} steps ago",
            of(states),
            of(transitions),
            outcome.steps,
            of(rounds),
            of(since_surprise)
        ));
        Ok(())
    }
}
