//! Texts that came from outside, made harmless for each place where they are shown; and commands.

use super::{Account, Finding};
use crate::draw::text::escape;

/// The longest line that is shown, in characters; files with traces have them whole.
const LONGEST: usize = 2_000;

/// One line without control characters.
pub(super) fn line(text: &str) -> String {
    let visible = text.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut line: String = visible.collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push_str("...");
    }
    line
}

/// Text as XML character data or attribute value: what XML forbids is replaced, and a line break is one in an attribute too.
pub(super) fn xml(text: &str) -> String {
    escape(text).replace('\n', "&#10;").replace('\t', " ")
}

/// Names in a sentence.
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [start @ .., last] => format!("{} and {last}", start.join(", ")),
    }
}

/// The text, cut to so many characters.
pub(super) fn clip(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Words as a shell reads them.
pub fn shell(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

impl Account {
    /// What to type to run a finding again: the saved trace, or else the whole session.
    pub fn replay_command(&self, finding: &Finding) -> String {
        let typed = &self.about.command;
        let Some(saved) = &finding.saved else { return shell(typed) };
        let mut words = vec!["provoke".to_owned(), "replay".to_owned(), saved.clone()];
        if !self.about.specification.ends_with(".toml") {
            words.extend(["--spec".to_owned(), self.about.specification.clone()]);
        }
        if let Some(at) = typed.iter().position(|word| word == "--") {
            words.extend_from_slice(&typed[at..]);
        }
        shell(&words)
    }

    /// What to type to run the whole session again.
    pub fn command(&self) -> String {
        shell(&self.about.command)
    }
}
