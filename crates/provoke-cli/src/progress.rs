//! The progress bar: on a terminal only.

use std::io;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use provoke::campaign::{Event, Limits, Observer, Phase};
use provoke::trace::RequirementNumber;

use crate::output;

/// Draws how much of its limits a campaign has used, what it found and how fast it is; off a terminal, and on one
/// that cannot draw a line again, it draws nothing.
pub(crate) struct Bar {
    bar: ProgressBar,
    limits: Limits,
    drawn: Instant,
    started: Instant,
    steps_before: u64,
    /// The ids of requirements, by number.
    requirements: Vec<String>,
    /// What is being done besides searching.
    doing: &'static str,
    /// How long a finding was at first.
    original: usize,
    /// What was known when something was last new, and after how many steps that was.
    known: (Option<u32>, usize, usize, u64),
    news: u64,
    situations: u64,
    /// Whether violations are what is looked for: then nothing is there to be covered.
    is_hunt: bool,
}

/// How often the line is drawn again.
const PACE: Duration = Duration::from_millis(100);

/// How wide a terminal is that does not say so.
const COLUMNS: usize = 80;

/// A line on a terminal that is drawn again and again; none where nobody looks, or where a line cannot be drawn again.
pub(crate) fn line(quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if quiet || !output::is_live() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    // What it says fits: nothing is to be cut or filled.
    let style = ProgressStyle::with_template("{msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar
}

/// How wide the terminal is.
pub(crate) fn columns() -> usize {
    let columns = rustix::termios::tcgetwinsize(io::stderr()).map_or(0, |size| usize::from(size.ws_col));
    if columns == 0 { COLUMNS } else { columns }
}

/// As many facts as there is room for, the first in any case.
pub(crate) fn fitting(first: String, facts: impl IntoIterator<Item = String>, columns: usize) -> String {
    let mut line = first;
    for fact in facts {
        if line.len() + 2 + fact.len() > columns {
            break;
        }
        line = format!("{line}  {fact}");
    }
    line
}

impl Bar {
    pub(crate) fn new(limits: &Limits, quiet: bool, requirements: Vec<String>) -> Bar {
        let now = Instant::now();
        Bar {
            bar: line(quiet),
            limits: *limits,
            drawn: now,
            started: now,
            steps_before: 0,
            requirements,
            doing: "searching",
            original: 0,
            known: (None, 0, 0, 0),
            news: 0,
            situations: 0,
            is_hunt: false,
        }
    }

    /// How many situations are known.
    pub(crate) fn know(&mut self, situations: u64) {
        self.situations = situations;
    }

    /// Says what is done with a finding.
    fn tell(&mut self, doing: &str, requirement: Option<RequirementNumber>, rest: &str) {
        let now = Instant::now();
        if self.bar.is_hidden() || now - self.drawn < PACE {
            return;
        }
        self.drawn = now;
        let id = requirement.and_then(|number| self.requirements.get(number.0));
        let what = id.map_or("the breakdown", String::as_str);
        self.bar.set_message(format!("{doing} {what}: {rest}").chars().take(columns()).collect::<String>());
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
            Event::Confirming { requirement, again, tries } => {
                self.tell("confirming", *requirement, &format!("{again} of {tries} so far"));
                return Ok(());
            }
            Event::Shrinking { requirement, runs, length, .. } => {
                let most = self.original.max(*length);
                let rest = format!("{length} of {most} steps are left, {} runs", short(*runs));
                self.tell("shrinking", *requirement, &rest);
                return Ok(());
            }
            Event::Found { trace, .. } => {
                self.original = trace.len();
                return Ok(());
            }
            Event::Phase(phase) => {
                self.is_hunt = matches!(phase, Phase::Hunt);
                self.doing = match phase {
                    Phase::Saved => "saved traces",
                    Phase::Calibration => "measuring resets",
                    _ => "searching",
                };
                return Ok(());
            }
            _ => return Ok(()),
        };
        let covered = outcome.objectives.iter().filter(|tally| tally.covered.is_some()).count();
        let known = (outcome.best_distance(), outcome.violations.len(), covered, self.situations);
        let all_steps = self.steps_before + outcome.steps;
        if known != self.known {
            (self.known, self.news) = (known, all_steps);
        }
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
            all_steps,
            violations: outcome.violations.len(),
            distance: outcome.best_distance().filter(|_| !self.is_hunt),
            doing: self.doing,
            covered: (covered, if self.is_hunt { 0 } else { outcome.objectives.len() }),
            quiet: all_steps - self.news,
            situations: self.situations,
        };
        self.bar.set_message(tally.line(&self.limits, columns()));
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
    doing: &'static str,
    /// Objectives that are covered, of how many.
    covered: (usize, usize),
    /// Steps since anything was new.
    quiet: u64,
    /// How many states and transitions of the requirements were visited, where that is known.
    situations: u64,
}

/// After so many steps without news it is said.
const QUIET: u64 = 10_000;

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
        let first_share = first.as_ref().map(|(share, ..)| *share);
        let (line, unit) = match first {
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
        let left = first_share.filter(|share| *share > 0.01).map(|share| {
            let left = self.seconds * (1.0 - share) / share;
            format!("{} left", time_shown(left))
        });
        let quiet = (self.quiet >= QUIET).then(|| format!("nothing new for {} steps", short(self.quiet)));
        let covered = match self.covered {
            (_, 0) => None,
            (covered, all) => Some(format!("{covered} of {all} covered")),
        };
        let situations = (self.situations > 0).then(|| format!("{} situations", short(self.situations)));
        let doing = Some(self.doing.to_owned());
        let facts =
            [Some(violations), quiet, Some(speed), left, doing, distance, covered, situations, steps, runs];
        fitting(line, facts.into_iter().flatten(), columns)
    }
}

/// Seconds in words.
fn time_shown(seconds: f64) -> String {
    match seconds as u64 {
        0..120 => format!("{seconds:.0} s"),
        120..7200 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.0} h", seconds / 3600.0),
    }
}

/// How wide the bar itself is.
const WIDE: usize = 8;

/// A count in at most six characters: 9999, 12.3k, 999.9M.
pub(crate) fn short(count: u64) -> String {
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
        Tally {
            runs,
            steps,
            seconds,
            all_steps: steps,
            violations: 0,
            distance: None,
            doing: "searching",
            covered: (0, 0),
            quiet: 0,
            situations: 0,
        }
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
            (limits(u64::MAX, u64::MAX, None), "50 runs  0 violations  33 steps/s"),
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
        assert_eq!(
            line,
            "[####----] 50/100 runs  0 violations  2000 steps/s  10 s left  searching  20.0k steps"
        );
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
