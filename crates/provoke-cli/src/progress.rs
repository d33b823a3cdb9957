//! The progress bar: on a terminal only.

use std::io;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use provoke::campaign::{Event, Limits, Observer};

use crate::output;

/// Draws how much of its limits a campaign has used, what it found and how fast it is; off a terminal, and on one
/// that cannot draw a line again, it draws nothing.
pub(crate) struct Bar {
    bar: ProgressBar,
    limits: Limits,
    drawn: Instant,
    started: Instant,
    steps_before: u64,
}

/// How often the line is drawn again.
const PACE: Duration = Duration::from_millis(100);

/// How wide a terminal is that does not say so.
const COLUMNS: usize = 80;

impl Bar {
    pub(crate) fn new(limits: &Limits, quiet: bool) -> Bar {
        let bar = ProgressBar::new_spinner();
        if quiet || !output::is_live() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = ProgressStyle::with_template("{wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        let now = Instant::now();
        Bar { bar, limits: *limits, drawn: now, started: now, steps_before: 0 }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Bar {
    fn on(&mut self, event: &Event<'_>) -> io::Result<()> {
        let outcome = match event {
            Event::Steps { outcome, .. } | Event::RunEnded { outcome, .. } => outcome,
            Event::CampaignEnded { outcome } => {
                self.steps_before += outcome.steps;
                return Ok(());
            }
            _ => return Ok(()),
        };
        if self.bar.is_hidden() {
            return Ok(());
        }
        let now = Instant::now();
        if now - self.drawn < PACE {
            return Ok(());
        }
        self.drawn = now;
        let tally = Tally {
            runs: outcome.runs,
            steps: outcome.steps,
            seconds: (now - self.started).as_secs_f64(),
            all_steps: self.steps_before + outcome.steps,
            violations: outcome.violations.len(),
            distance: outcome.best_distance(),
        };
        let columns = rustix::termios::tcgetwinsize(io::stderr()).map_or(0, |size| usize::from(size.ws_col));
        self.bar.set_message(tally.line(&self.limits, if columns == 0 { COLUMNS } else { columns }));
        Ok(())
    }
}

/// What the line is made of. Runs and steps are those of the objective at hand, as their limits are.
struct Tally {
    runs: u64,
    steps: u64,
    seconds: f64,
    all_steps: u64,
    violations: usize,
    distance: Option<u32>,
}

impl Tally {
    /// How much of which limit is used, for the limit that will end the campaign first if it goes on like this,
    /// and then as many facts as there is room for.
    fn line(&self, limits: &Limits, columns: usize) -> String {
        let share = |used: f64, limit: f64| if limit > 0.0 { (used / limit).min(1.0) } else { 1.0 };
        let count = |used: u64, limit: u64, unit: &'static str| {
            let limited = limit < u64::MAX;
            limited.then(|| (share(used as f64, limit as f64), short(used), short(limit), unit))
        };
        let time = limits.time.map(|time| {
            let (used, limit) = (self.seconds, time.as_secs_f64());
            let shown = |seconds: f64| match limit < 10.0 {
                true => format!("{seconds:.1}"),
                false => short(seconds as u64),
            };
            (share(used, limit), shown(used.min(limit)), shown(limit), "s")
        });
        let all =
            [time, count(self.steps, limits.total_steps, "steps"), count(self.runs, limits.runs, "runs")];
        let first = all.into_iter().flatten().reduce(|a, b| if b.0 > a.0 { b } else { a });
        let (mut line, unit) = match first {
            Some((share, used, limit, unit)) => {
                let filled = (share * WIDE as f64) as usize;
                let bar = format!("{}{}", "#".repeat(filled), "-".repeat(WIDE - filled));
                (format!("[{bar}] {used}/{limit} {unit}"), unit)
            }
            None => (format!("{} runs", short(self.runs)), "runs"),
        };
        let violations = match self.violations {
            1 => "1 violation".to_owned(),
            count => format!("{} violations", short(count as u64)),
        };
        let distance = self.distance.map(|distance| format!("distance {}", short(distance.into())));
        let speed = format!("{} steps/s", short((self.all_steps as f64 / self.seconds.max(1e-3)) as u64));
        let steps = (unit != "steps").then(|| format!("{} steps", short(self.all_steps)));
        let runs = (unit != "runs").then(|| format!("{} runs", short(self.runs)));
        for fact in [Some(violations), distance, steps, Some(speed), runs].into_iter().flatten() {
            if line.len() + 2 + fact.len() > columns {
                break;
            }
            line = format!("{line}  {fact}");
        }
        line
    }
}

/// How wide the bar itself is.
const WIDE: usize = 8;

/// A count in at most six characters: 9999, 12.3k, 999.9M.
fn short(count: u64) -> String {
    if count < 10_000 {
        return count.to_string();
    }
    let mut tenths = count / 100;
    for unit in ["k", "M", "G", "T", "P"] {
        if tenths < 10_000 {
            return format!("{}.{}{unit}", tenths / 10, tenths % 10);
        }
        tenths /= 1000;
    }
    format!("{}.{}E", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(runs: u64, steps: u64, seconds: f64) -> Tally {
        Tally { runs, steps, seconds, all_steps: steps, violations: 0, distance: None }
    }

    fn limits(runs: u64, total_steps: u64, seconds: Option<u64>) -> Limits {
        Limits { runs, total_steps, time: seconds.map(Duration::from_secs), ..Limits::default() }
    }

    #[test]
    fn the_limit_that_is_nearest_is_counted() {
        let tally = tally(50, 1000, 30.0);
        for (limits, line) in [
            (limits(100, u64::MAX, None), "[####----] 50/100 runs  0 violations"),
            (limits(u64::MAX, u64::MAX, Some(60)), "[####----] 30/60 s  0 violations"),
            (limits(10_000, 4_000, Some(3600)), "[##------] 1000/4000 steps  0 violations"),
            (limits(100, 1_000, Some(3600)), "[########] 1000/1000 steps  0 violations"),
            (limits(100, 4_000, Some(40)), "[######--] 30/40 s  0 violations"),
            (limits(u64::MAX, u64::MAX, None), "50 runs  0 violations  1000 steps"),
        ] {
            assert_eq!(tally.line(&limits, 40), line);
        }
    }

    #[test]
    fn every_line_fits_forty_columns() {
        let large = [0, 1, 9_999, 10_000, 999_949, 999_999, 12_345_678, u64::MAX - 1];
        for (runs, steps) in large.into_iter().flat_map(|runs| large.map(|steps| (runs, steps))) {
            for seconds in [0.0, 0.05, 7.0, 86_400.0, 1e9] {
                let mut tally = tally(runs, steps, seconds);
                tally.violations = runs as usize;
                tally.distance = Some(u32::MAX);
                for limits in [limits(runs, steps, None), limits(u64::MAX, u64::MAX, Some(seconds as u64))] {
                    let line = tally.line(&limits, 40);
                    assert!(line.chars().count() <= 40, "{line}");
                }
            }
        }
    }

    #[test]
    fn wide_terminals_are_told_more() {
        let line = tally(50, 20_000, 10.0).line(&limits(100, u64::MAX, None), 100);
        assert_eq!(line, "[####----] 50/100 runs  0 violations  20.0k steps  2000 steps/s");
    }

    #[test]
    fn counts_are_short() {
        let all = [(9_999, "9999"), (10_000, "10.0k"), (999_999, "999.9k"), (1_000_000, "1.0M")];
        for (count, text) in all {
            assert_eq!(short(count), text);
        }
        assert_eq!(short(u64::MAX), "18.4E");
    }
}
