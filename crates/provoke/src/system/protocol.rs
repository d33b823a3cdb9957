//! The options of the line protocol: how to talk to programs that were not written for us.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

use crate::letter::{Alphabet, Interface};

/// How letters become lines and lines become letters. The default is one line `a=1 b=0` each way.
///
/// Every field has a default, and every field is a key of the spec file; see `docs/guide/adapters.md`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Protocol {
    /// How a valuation is written.
    pub form: Form,
    /// What stands between two signals; a blank means any run of blanks.
    pub separator: String,
    /// What stands between a signal and its value.
    pub assign: String,
    /// The word for true.
    #[serde(rename = "true")]
    pub yes: String,
    /// The word for false.
    #[serde(rename = "false")]
    pub no: String,
    /// What is written for a label or signal, where it is not its name.
    pub write: BTreeMap<String, String>,
    /// What is read for a label or signal, where it is not its name.
    pub read: BTreeMap<String, Spellings>,

    /// How many lines the system prints before its first input.
    pub banner_lines: usize,
    /// The beginning of the last line the system prints before its first input.
    pub banner_until: Option<String>,
    /// A prompt without line end that the system prints before it reads.
    pub prompt: Option<String>,
    /// How many lines the system answers.
    pub reply_lines: usize,
    /// Which of them is the answer, from 1.
    pub reply_line: usize,
    /// The beginning of the line that is the answer; other lines are skipped.
    pub reply_prefix: Option<String>,

    /// The line that resets the system. Without it, a reset restarts the process or connects anew.
    pub reset: Option<String>,
    /// The line that acknowledges a reset.
    pub reset_reply: Option<String>,

    /// The most milliseconds from the start to the end of the banner; where there is none, from the first
    /// input to its answer.
    pub start_ms: u64,
    /// The most milliseconds from an input to its answer.
    pub step_ms: u64,
    /// The most milliseconds for the acknowledgement of a reset, or for connecting anew.
    pub reset_ms: u64,
    /// How many milliseconds to listen for extra lines before a verdict.
    pub settle_ms: u64,
}

/// How a valuation is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Every signal with its value: `a=1 b=0`.
    #[default]
    Pairs,
    /// The signals that are true: `a`.
    Names,
    /// One word for each signal, in the order of the interface: `1 0`, or `10` with an empty separator.
    Values,
}

/// One or several texts that mean the same.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Spellings {
    /// The only one.
    One(String),
    /// Any of these.
    Any(Vec<String>),
}

impl Spellings {
    pub(super) fn texts(&self) -> &[String] {
        match self {
            Spellings::One(text) => std::slice::from_ref(text),
            Spellings::Any(texts) => texts,
        }
    }
}

impl Default for Protocol {
    fn default() -> Protocol {
        Protocol {
            form: Form::Pairs,
            separator: " ".into(),
            assign: "=".into(),
            yes: "1".into(),
            no: "0".into(),
            write: BTreeMap::new(),
            read: BTreeMap::new(),
            banner_lines: 0,
            banner_until: None,
            prompt: None,
            reply_lines: 1,
            reply_line: 1,
            reply_prefix: None,
            reset: None,
            reset_reply: None,
            start_ms: 5000,
            step_ms: 1000,
            reset_ms: 1000,
            settle_ms: 50,
        }
    }
}

impl Protocol {
    pub(super) fn start(&self) -> Duration {
        Duration::from_millis(self.start_ms)
    }

    pub(super) fn step(&self) -> Duration {
        Duration::from_millis(self.step_ms)
    }

    pub(super) fn reset_time(&self) -> Duration {
        Duration::from_millis(self.reset_ms)
    }

    pub(super) fn settle(&self) -> Duration {
        Duration::from_millis(self.settle_ms)
    }

    /// Says what is wrong with these options for an interface, as `key: message`.
    pub fn check(&self, interface: &Interface) -> Result<(), String> {
        let known = |key: &str, alphabet: &Alphabet, name: &String| match alphabet.position(name) {
            Some(_) => Ok(()),
            None => {
                let what = if alphabet.is_labelled() { "label" } else { "signal" };
                Err(format!("{key}: {}", alphabet.unknown(what, name)))
            }
        };
        self.write.keys().try_for_each(|name| known("write", &interface.inputs, name))?;
        self.read.keys().try_for_each(|name| known("read", &interface.outputs, name))?;
        if !(1..=self.reply_lines).contains(&self.reply_line) {
            return Err(format!("reply_line: {} is not one of {} lines", self.reply_line, self.reply_lines));
        }
        if self.reply_prefix.is_some() && self.reply_lines != 1 {
            return Err(
                "reply_prefix: choose the answer by its beginning or by `reply_lines`, not both".into()
            );
        }
        if self.yes.is_empty() || self.no.is_empty() {
            return Err("true: neither true nor false can be the empty word".into());
        }
        if self.yes == self.no {
            return Err(format!("true: `{}` cannot mean both true and false", self.yes));
        }
        if self.form == Form::Values && self.separator.is_empty() && self.yes.len() != self.no.len() {
            return Err("separator: words of different length need one".into());
        }
        if self.form != Form::Values && self.separator.is_empty() {
            return Err("separator: only `form = \"values\"` can do without".into());
        }
        if self.reset_reply.is_some() && self.reset.is_none() {
            return Err("reset_reply: there is no `reset` line to acknowledge".into());
        }
        let texts = [&self.separator, &self.assign, &self.yes, &self.no];
        let texts = texts.into_iter().chain(self.write.values()).chain(&self.reset).chain(&self.prompt);
        match texts.into_iter().find(|text| text.contains('\n')) {
            Some(text) => Err(format!("{text:?}: a line cannot contain a line end")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interface() -> Interface {
        Interface::labels(["coin", "button"], ["tea", "quiet"]).unwrap()
    }

    #[test]
    fn options_are_keys_of_a_table() {
        let text = r#"
            write = { coin = "INSERT" }
            read = { tea = ["TEA", "tea!"], quiet = "-" }
            true = "yes"
            false = "no"
            reset = "RST"
            step_ms = 50
        "#;
        let protocol: Protocol = toml::from_str(text).unwrap();
        protocol.check(&interface()).unwrap();
        assert_eq!(protocol.read["tea"].texts(), ["TEA", "tea!"]);
        assert_eq!((protocol.yes.as_str(), protocol.step_ms, protocol.start_ms), ("yes", 50, 5000));
        assert!(toml::from_str::<Protocol>("stepms = 1").unwrap_err().to_string().contains("stepms"));
    }

    #[test]
    fn contradictions_are_told_by_key() {
        let wrong = |text: &str| toml::from_str::<Protocol>(text).unwrap().check(&interface()).unwrap_err();
        assert_eq!(wrong("write = { coim = \"X\" }"), "write: unknown label `coim` (did you mean `coin`?)");
        assert_eq!(wrong("reply_line = 3"), "reply_line: 3 is not one of 1 lines");
        assert_eq!(wrong("true = \"0\""), "true: `0` cannot mean both true and false");
        assert_eq!(wrong("reset_reply = \"ok\""), "reset_reply: there is no `reset` line to acknowledge");
        assert!(wrong("reset = \"a\\nb\"").contains("line end"));
        assert!(wrong("separator = \"\"").starts_with("separator"));
    }
}
