//! The account as Markdown: the summary of a step in continuous integration, or anywhere.

use std::fmt::Write;

use super::words::line;
use super::{Account, Kind};
use crate::report::count;

/// Longer traces are cut in the middle.
const SHOWN_STEPS: usize = 40;

impl Account {
    /// The account as Markdown.
    pub fn markdown(&self) -> String {
        let mark = match self.verdict() {
            "violated" => "❌",
            "broken" => "💥",
            "covered" => "✅",
            _ => "⏳",
        };
        let tallies = &self.tallies;
        let mut text = format!("## {mark} provoke: {}\n\n", plain(&self.headline()));
        let _ = writeln!(
            text,
            "`{}`: {}, {}, {:.2} s, strategy {}, seed {}\n",
            code(&self.about.specification),
            count(tallies.runs, "run"),
            count(tallies.steps, "step"),
            self.seconds(),
            plain(&self.strategy),
            self.seed
        );
        if !self.requirements.is_empty() {
            text += "| requirement | state | put to the test | text |\n|---|---|---|---|\n";
            for id in &self.requirements {
                let (state, age) = self.state(id);
                let state = match age {
                    Some(age) => format!("pending for {}", count(age, "step")),
                    None if state == "violated" => "**violated**".to_owned(),
                    None => state.replace('_', " "),
                };
                let about = self.about.requirements.iter().find(|about| about.id == *id);
                let words = about
                    .map_or("", |about| if about.text.is_empty() { &about.formula } else { &about.text });
                let runs = count(self.triggered(id), "run");
                let _ = writeln!(text, "| {} | {state} | {runs} | {} |", plain(id), plain(words));
            }
            text.push('\n');
        }
        if !self.objectives.is_empty() {
            text += "| objective | state |\n|---|---|\n";
            for id in &self.objectives {
                let state = match self.objective(id) {
                    (true, _) => "covered".to_owned(),
                    (false, Some(distance)) => {
                        format!("not covered, closest {} away", count(distance, "step"))
                    }
                    (false, None) => "not covered".to_owned(),
                };
                let _ = writeln!(text, "| {} | {state} |", plain(id));
            }
            text.push('\n');
        }
        for finding in self.findings.iter().filter(|finding| finding.kind != Kind::Covered) {
            let title = match finding.kind {
                Kind::Violation => format!("violation of {}", finding.of),
                Kind::Suspected => format!("suspected violation of {}", finding.of),
                _ => format!("the system broke: {}", finding.error.as_deref().unwrap_or_default()),
            };
            let _ = writeln!(text, "### {}\n", plain(&title));
            if let Some(about) = self.about.requirements.iter().find(|about| about.id == finding.of) {
                let place = about.line.map(|line| format!(" ({}:{line})", self.about.specification));
                let _ = writeln!(text, "{}{}\n", plain(&about.text), plain(&place.unwrap_or_default()));
            }
            if let Some(explanation) = &finding.story.explanation {
                let _ = writeln!(text, "{}\n", plain(explanation));
            }
            let table = finding.table(SHOWN_STEPS);
            let stderr: String =
                finding.stderr.iter().map(|said| format!("stderr: {}\n", line(said))).collect();
            let block = format!("{table}{stderr}");
            let fence = fence(&block);
            let _ = writeln!(text, "{fence}text\n{block}{fence}\n");
            let command = self.replay_command(finding);
            let _ = writeln!(text, "{}: `{}`\n", finding.tries(), code(&command));
        }
        for warning in &self.warnings {
            let _ = writeln!(text, "- warning: {}", plain(warning));
        }
        text
    }
}

/// A fence that is longer than every row of backquotes in the text.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat((longest + 1).max(3))
}

/// One line in which nothing is markup.
fn plain(text: &str) -> String {
    let mut escaped = String::new();
    for character in line(text).chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '#' | '!' | '~' => {
                escaped.push('\\');
                escaped.push(character);
            }
            character => escaped.push(character),
        }
    }
    escaped
}

/// What may stand between backquotes.
fn code(text: &str) -> String {
    line(text).replace('`', "'").replace('|', "\\|")
}
