//! Annotations of GitHub's checks: one error a violated requirement, at its line in the specification.

use std::fmt::Write;

use super::words::line;
use super::{Account, Kind};

impl Account {
    /// One workflow command a line.
    pub fn annotations(&self) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let (level, title) = match finding.kind {
                Kind::Violation if finding.is_flaky() => {
                    ("error", format!("{} violated (flaky)", finding.of))
                }
                Kind::Violation => ("error", format!("{} violated", finding.of)),
                Kind::Suspected => ("warning", format!("{} suspected", finding.of)),
                Kind::Broken => ("error", "the system broke".to_owned()),
                Kind::Covered => continue,
            };
            let about = self.about.requirements.iter().find(|about| about.id == finding.of);
            let at = about.and_then(|about| about.line).unwrap_or(1);
            let mut message = about.map_or_else(String::new, |about| format!("{}\n", about.text));
            message += finding.story.explanation.as_deref().or(finding.error.as_deref()).unwrap_or_default();
            let _ = write!(message, "\nreplay: {}", self.replay_command(finding));
            let message: Vec<String> = message.lines().map(line).collect();
            let _ = writeln!(
                text,
                "::{level} file={},line={at},title={}::{}",
                property(&line(&self.about.specification)),
                property(&line(&title)),
                data(message.join("\n").trim())
            );
        }
        text
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
