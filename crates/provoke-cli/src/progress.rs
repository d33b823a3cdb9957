//! The progress bar: on a terminal only.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use provoke::campaign::{Event, Limits, Observer};

/// Draws runs, steps, speed and the best distance; off a terminal it draws nothing.
pub(crate) struct Bar {
    bar: ProgressBar,
    drawn: Instant,
    started: Instant,
    steps_before: u64,
    runs_before: u64,
}

/// How often the line is drawn again.
const PACE: Duration = Duration::from_millis(100);

impl Bar {
    pub(crate) fn new(limits: &Limits, quiet: bool) -> Bar {
        let bar = ProgressBar::new(limits.runs);
        if quiet || !io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} runs  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let now = Instant::now();
        Bar { bar, drawn: now, started: now, steps_before: 0, runs_before: 0 }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Bar {
    fn on(&mut self, event: &Event<'_>) -> io::Result<()> {
        let outcome = match event {
            Event::Tick { outcome, .. } | Event::RunEnded { outcome, .. } => outcome,
            Event::Ended { outcome } => {
                self.steps_before += outcome.steps;
                self.runs_before += outcome.runs;
                return Ok(());
            }
        };
        if self.bar.is_hidden() {
            return Ok(());
        }
        let now = Instant::now();
        if now - self.drawn < PACE {
            return Ok(());
        }
        self.drawn = now;
        let steps = self.steps_before + outcome.steps;
        let speed = steps as f64 / (now - self.started).as_secs_f64();
        let distance = outcome.best_distance.map_or("-".to_owned(), |distance| distance.to_string());
        let violations = outcome.violations.len();
        self.bar.set_position(outcome.runs);
        self.bar.set_message(format!(
            "{steps} steps  {speed:.0} steps/s  distance {distance}  violations {violations}"
        ));
        Ok(())
    }
}
