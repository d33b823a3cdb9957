//! A picture of the search that anyone understands: how near it came, what it visited, how its runs ended, and where the
//! time went.

use std::fmt::Write;

use super::Account;
use super::words::{clip, xml};
use crate::session::Progress;

const WIDE: f64 = 860.0;
const PANEL: f64 = 150.0;
/// Where the curves begin and end.
const LEFT: f64 = 64.0;
const RIGHT: f64 = WIDE - 24.0;
/// So many places are shown of those that were visited.
const PLACES: usize = 60;

const STYLE: &str = "\
.plot text{font:12px ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:var(--ink,#16191d)}\
.plot .head{font-weight:600}.plot .dim{fill:var(--dim,#5b6470)}\
.plot .axis{stroke:var(--line,#c9ced6);stroke-width:1}\
.plot .curve{fill:none;stroke:var(--accent,#2563c9);stroke-width:1.8}\
.plot .under{fill:var(--accent,#2563c9);opacity:.12}\
.plot .bar{fill:var(--accent,#2563c9)}.plot .bad{fill:var(--bad,#c62828)}.plot .good{fill:var(--good,#1b7f3b)}\
.plot .reset{fill:var(--warn,#b26a00)}.plot .idle{fill:var(--line,#c9ced6)}";

/// The drawing so far, and how far down it goes.
struct Sheet {
    svg: String,
    y: f64,
}

impl Account {
    /// How the search went, as an SVG picture.
    pub fn plot(&self) -> String {
        let mut sheet = Sheet { svg: String::new(), y: 16.0 };
        let samples = self.series.samples();
        let distances = samples.iter().filter_map(|at| Some((at.steps, f64::from(at.best_distance?))));
        let distances: Vec<(u64, f64)> = distances.collect();
        // Where nothing is known of what is ahead, it is no distance at all.
        if distances.iter().any(|(_, distance)| *distance > 0.0) {
            sheet.curve("steps from the nearest run to what is pursued", &distances, self.progress.steps);
        }
        let visited = |at: &Progress| (at.steps, at.situations as f64);
        let visited: Vec<(u64, f64)> = samples.iter().map(visited).collect();
        if visited.iter().any(|(_, count)| *count > 0.0) {
            let title = "states and transitions of requirements visited";
            sheet.curve(title, &visited, self.progress.steps);
        }
        self.plot_ends(&mut sheet);
        self.plot_time(&mut sheet);
        self.plot_visits(&mut sheet);
        if sheet.svg.is_empty() {
            sheet.text(LEFT, "dim", "nothing was run");
            sheet.y += 20.0;
        }
        let high = sheet.y + 8.0;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {WIDE} {high:.0}\" width=\"{WIDE}\" height=\"{high:.0}\" role=\"img\">\n<style>{STYLE}</style>\n<title>how the search went</title>\n{}</svg>\n",
            sheet.svg
        )
    }

    fn plot_ends(&self, sheet: &mut Sheet) {
        let total: u64 = self.ends.values().sum();
        if total == 0 {
            return;
        }
        sheet.head(&format!("{}, by how they ended", crate::report::count(total, "run")));
        for (end, count) in &self.ends {
            let (class, meaning) = match end.as_str() {
                "covered" => ("good", "covered what was pursued"),
                "violated" => ("bad", "violated a requirement"),
                "broken" => ("bad", "broke the system"),
                "inconclusive" => ("idle", "were inconclusive"),
                "lost" => ("idle", "lost the connection"),
                _ => ("bar", "used up their steps"),
            };
            sheet.bar(meaning, *count as f64 / total as f64, class, &count.to_string());
        }
        sheet.y += 14.0;
    }

    fn plot_time(&self, sheet: &mut Sheet) {
        let Progress { ms, system_ms, reset_ms, .. } = self.progress;
        if ms == 0 {
            return;
        }
        let tester = ms.saturating_sub(system_ms + reset_ms);
        let whole = (system_ms + reset_ms + tester).max(1) as f64;
        sheet.head(&format!("where {:.1} s went", ms as f64 / 1000.0));
        for (what, time, class) in
            [("the system", system_ms, "good"), ("resets", reset_ms, "reset"), ("the tester", tester, "bar")]
        {
            let share = time as f64 / whole;
            sheet.bar(what, share, class, &format!("{:.0} %", share * 100.0));
        }
        sheet.y += 14.0;
    }

    /// How often each state was visited, the most visited first.
    fn plot_visits(&self, sheet: &mut Sheet) {
        let mut places: Vec<(u64, String)> = Vec::new();
        for (picture, visits) in self.about.pictures.iter().zip(&self.visits.1) {
            let counted = picture.nodes.iter().zip(&visits.nodes);
            places.extend(counted.map(|(spot, count)| {
                (*count, format!("{}: {}", picture.of, spot.label.replace('\n', ", ")))
            }));
        }
        places.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let Some(&(most, _)) = places.first().filter(|(most, _)| *most > 0) else { return };
        let never = places.iter().filter(|(count, _)| *count == 0).count();
        let all = places.len();
        places.truncate(PLACES);
        sheet.head(&format!("{all} states by visits (logarithmic), {never} never visited"));
        let wide = (RIGHT - LEFT) / places.len() as f64;
        let (top, floor) = (sheet.y, sheet.y + 90.0);
        for (at, (count, name)) in places.iter().enumerate() {
            let share = ((*count + 1) as f64).ln() / ((most + 1) as f64).ln();
            let high = (floor - top) * share;
            let name = xml(&clip(name, 120));
            let _ = writeln!(
                sheet.svg,
                "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{high:.1}\"><title>{name}: {count}</title></rect>",
                LEFT + at as f64 * wide,
                floor - high,
                (wide - 2.0).clamp(1.0, 40.0)
            );
        }
        sheet.line(floor);
        sheet.label(LEFT - 6.0, top + 8.0, "end", &short(most));
        sheet.y = floor + 16.0;
    }
}

impl Sheet {
    fn text(&mut self, x: f64, class: &str, text: &str) {
        let _ = writeln!(
            self.svg,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            self.y + 4.0,
            xml(text)
        );
    }

    fn head(&mut self, text: &str) {
        self.text(8.0, "head", text);
        self.y += 16.0;
    }

    fn label(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let _ = writeln!(
            self.svg,
            "<text class=\"dim\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            xml(text)
        );
    }

    fn line(&mut self, y: f64) {
        let _ = writeln!(self.svg, "<path class=\"axis\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/>");
    }

    /// A curve of steps that holds each value until the next.
    fn curve(&mut self, title: &str, points: &[(u64, f64)], last: u64) {
        self.head(title);
        let (top, floor) = (self.y, self.y + PANEL - 50.0);
        let most = points.iter().map(|(_, value)| *value).fold(1.0, f64::max);
        let end = last.max(points.last().map_or(0, |(steps, _)| *steps)).max(1) as f64;
        let x = |steps: u64| LEFT + (RIGHT - LEFT) * steps as f64 / end;
        let y = |value: f64| floor - (floor - top) * value / most;
        let mut path = String::new();
        for (at, &(steps, value)) in points.iter().enumerate() {
            let (x, y) = (x(steps), y(value));
            let _ = match at {
                0 => write!(path, "M{x:.1} {y:.1}"),
                _ => write!(path, "H{x:.1}V{y:.1}"),
            };
        }
        let _ = write!(path, "H{RIGHT}");
        let first = points.first().map_or(LEFT, |(steps, _)| x(*steps));
        let _ = writeln!(self.svg, "<path class=\"under\" d=\"{path}V{floor:.1}H{first:.1}z\"/>");
        let _ = writeln!(self.svg, "<path class=\"curve\" d=\"{path}\"/>");
        self.line(floor);
        self.label(LEFT - 6.0, top + 8.0, "end", &short(most as u64));
        self.label(LEFT - 6.0, floor, "end", "0");
        self.label(LEFT, floor + 14.0, "start", "0 steps");
        self.label(RIGHT, floor + 14.0, "end", &format!("{} steps", short(end as u64)));
        self.y = floor + 34.0;
    }

    /// A bar with its name before it and its number behind it.
    fn bar(&mut self, name: &str, share: f64, class: &str, number: &str) {
        let start = 200.0;
        let wide = (RIGHT - 60.0 - start) * share;
        self.label(start - 8.0, self.y + 8.0, "end", name);
        let _ = writeln!(
            self.svg,
            "<rect class=\"{class}\" x=\"{start}\" y=\"{:.1}\" width=\"{:.1}\" height=\"11\" rx=\"2\"/>",
            self.y - 2.0,
            wide.max(1.0)
        );
        self.label(start + wide + 8.0, self.y + 8.0, "start", number);
        self.y += 18.0;
    }
}

/// A large number, short.
fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{:.1} k", number as f64 / 1e3),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}
