//! The options of the line protocol: how to talk to programs that were not written for us.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

use super::SetupError;
use super::codec::Codec;
use super::ends::Ends;
use super::pattern::Pattern;
use super::shape::{Acknowledgement, More, Spellings};
use crate::letter::{Alphabet, Conflict, Field, Idle, Interface};

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
    /// What ends a line that is written, and is written for each line end in a text.
    pub line_end: String,

    /// How many lines the system prints before its first input.
    pub banner_lines: usize,
    /// The beginning of the last line the system prints before its first input.
    pub banner_until: Option<String>,
    /// A prompt without line end that the system prints before it reads.
    pub prompt: Option<String>,
    /// How many lines the system answers; 1 if nothing is said.
    pub reply_lines: Option<usize>,
    /// Which of them is the answer, from 1.
    pub reply_line: Option<usize>,
    /// The beginning of the line that is the answer; other lines are skipped.
    pub reply_prefix: Option<String>,
    /// Picks the signals or the label out of the answer by named groups.
    pub reply_pattern: Option<Pattern>,
    /// Found in the last line of an answer.
    pub reply_until: Option<Pattern>,
    /// After a line in which such a pattern is found, so many more belong to the answer.
    pub reply_more: BTreeMap<Pattern, More>,

    /// The line that resets the system. Without it, a reset restarts the process or connects anew.
    pub reset: Option<String>,
    /// What acknowledges a reset.
    pub reset_reply: Option<Acknowledgement>,

    /// The label that stands for our waiting; [`Idle::WAIT`] unless it says otherwise.
    pub wait: Option<String>,
    /// The label that stands for the system's silence; [`Idle::QUIET`] unless it says otherwise.
    pub quiet: Option<String>,
    /// The label by which the system rejects an input.
    pub refusal: Option<String>,
    /// Which actions an exchange stands for in which both sides do something.
    pub conflict: Conflict,
    /// How many milliseconds nothing must be said to be silence; see [`Protocol::patience`].
    pub patience_ms: Option<u64>,
    /// A line by which the system itself says that it is silent.
    pub quiet_token: Option<String>,
    /// A line that makes the system's own time go on, sent where we wait.
    pub tick: Option<String>,
    /// The labels that stand for the system ending by itself.
    pub ends: Option<Ends>,
    /// Whether answers are also taken from stderr.
    pub read_stderr: bool,

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

/// How long nothing must be said to be silence, unless the specification says.
const PATIENCE_MS: u64 = 100;

/// Who may speak when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The system answers each input, and says nothing else.
    #[default]
    Synchronous,
    /// The system says what it likes when it likes.
    Asynchronous,
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
    /// An object: `{"a":true,"b":false}`, or `{"input":"coin"}` and `{"output":"tea"}` for labels.
    Json,
    /// The commands and answers of TorX adapters: `C_INPUT event=coin`, `A_OUTPUT event=tea`. Labels only.
    Torx,
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
            line_end: "\n".into(),
            banner_lines: 0,
            banner_until: None,
            prompt: None,
            reply_lines: None,
            reply_line: None,
            reply_prefix: None,
            reply_pattern: None,
            reply_until: None,
            reply_more: BTreeMap::new(),
            reset: None,
            reset_reply: None,
            wait: None,
            quiet: None,
            refusal: None,
            conflict: Conflict::default(),
            patience_ms: None,
            quiet_token: None,
            tick: None,
            ends: None,
            read_stderr: false,
            start_ms: 5000,
            step_ms: 1000,
            reset_ms: 1000,
            settle_ms: 50,
        }
    }
}

impl Protocol {
    /// The label that stands for our waiting.
    pub fn wait(&self) -> &str {
        self.wait.as_deref().unwrap_or(Idle::WAIT)
    }

    /// The label that stands for the system's silence.
    pub fn quiet(&self) -> &str {
        self.quiet.as_deref().unwrap_or(Idle::QUIET)
    }

    /// How long nothing must be said to be silence.
    pub fn patience(&self) -> Duration {
        Duration::from_millis(self.patience_ms.unwrap_or(PATIENCE_MS))
    }

    /// Whether a system that answers in turn may answer with silence.
    pub fn takes_silence(&self) -> bool {
        self.quiet.is_some() || self.patience_ms.is_some() || self.quiet_token.is_some()
    }

    /// A key that means something only where the system talks when it likes.
    pub(crate) fn only_asynchronous(&self) -> Option<&'static str> {
        match (&self.tick, self.form) {
            (Some(_), _) => Some("tick"),
            (None, Form::Torx) => Some("form"),
            (None, _) => None,
        }
    }

    /// The mode in which a system talks that was said to talk in this one: TorX adapters give away what was said out of
    /// turn.
    pub fn mode(&self, said: Option<Mode>) -> Mode {
        let usual = if self.form == Form::Torx { Mode::Asynchronous } else { Mode::default() };
        said.unwrap_or(usual)
    }

    /// The labels that these options bring along, inputs and outputs.
    pub fn labels(&self, mode: Mode) -> [Vec<&str>; 2] {
        let freely = mode == Mode::Asynchronous;
        let mut outputs = Vec::new();
        outputs.extend((freely || self.takes_silence()).then_some(self.quiet()));
        outputs.extend(self.refusal.as_deref());
        outputs.extend(self.ends.iter().flat_map(Ends::labels));
        let mut once: Vec<&str> = Vec::new();
        for label in outputs {
            if !once.contains(&label) {
                once.push(label);
            }
        }
        [freely.then_some(self.wait()).into_iter().collect(), once]
    }

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
    pub fn check(&self, interface: &Interface) -> Result<(), SetupError> {
        Ok(self.check_all(interface)?)
    }

    fn check_all(&self, interface: &Interface) -> Result<(), String> {
        let known = |key: &str, alphabet: &Alphabet, name: &String| match alphabet.knows(name) {
            true => Ok(()),
            false => Err(format!("{key}: {}", alphabet.unknown(alphabet.what(), name))),
        };
        self.write.keys().try_for_each(|name| known("write", &interface.inputs, name))?;
        self.read.keys().try_for_each(|name| known("read", &interface.outputs, name))?;
        self.check_reply()?;
        self.check_silence(interface)?;
        if self.yes.is_empty() || self.no.is_empty() {
            return Err("true: neither true nor false can be the empty word".into());
        }
        if self.yes == self.no {
            return Err(format!("true: `{}` cannot mean both true and false", self.yes));
        }
        if self.form == Form::Values && self.separator.is_empty() && self.yes.len() != self.no.len() {
            return Err("separator: words of different length need one".into());
        }
        let boolean = [&interface.inputs, &interface.outputs].map(|side| side.fields());
        let boolean = boolean.into_iter().flatten().all(Field::is_boolean);
        if self.form == Form::Names && !boolean {
            return Err("form: `names` are those of signals that are true, and others have values".into());
        }
        if self.form == Form::Values && self.separator.is_empty() && !boolean {
            return Err("separator: values of different length need one".into());
        }
        if self.form == Form::Json {
            self.check_json()?;
        }
        if self.form != Form::Values && self.separator.is_empty() {
            return Err("separator: only `form = \"values\"` can do without".into());
        }
        if self.reset_reply.is_some() && self.reset.is_none() {
            return Err("reset_reply: there is no `reset` line to acknowledge".into());
        }
        if !["\n", "\r\n"].contains(&self.line_end.as_str()) {
            return Err(format!("line_end: {:?} is neither \"\\n\" nor \"\\r\\n\"", self.line_end));
        }
        let texts = [&self.separator, &self.assign, &self.yes, &self.no];
        let texts = ["separator", "assign", "true", "false"].into_iter().zip(texts);
        let prompt = self.prompt.iter().map(|prompt| ("prompt", prompt));
        let token = self.quiet_token.iter().map(|token| ("quiet_token", token));
        match texts.chain(prompt).chain(token).find(|(_, text)| text.contains('\n')) {
            Some((key, text)) => Err(format!("{key}: {text:?} cannot contain a line end")),
            None => Codec::new(interface, self).map(drop),
        }
    }

    /// Whether it is clear which lines are the answer.
    fn check_reply(&self) -> Result<(), String> {
        let varying = [
            (self.reply_prefix.is_some(), "reply_prefix"),
            (self.reply_until.is_some(), "reply_until"),
            (!self.reply_more.is_empty(), "reply_more"),
        ];
        let varying: Vec<&str> =
            varying.into_iter().filter(|(given, _)| *given).map(|(_, key)| key).collect();
        if let (Some(key), Some(_)) = (varying.first(), self.reply_lines) {
            return Err(format!("{key}: the answer ends as this key says or after `reply_lines`, not both"));
        }
        if let (["reply_prefix", key, ..], _) | (["reply_prefix"], Some(key)) =
            (&varying[..], self.reply_line.as_ref().map(|_| &"reply_line"))
        {
            return Err(format!("{key}: the answer is the one line that `reply_prefix` chooses"));
        }
        match (self.reply_lines.unwrap_or(1), self.reply_line) {
            (0, _) => return Err("reply_lines: an answer has at least one line".into()),
            (_, Some(0)) => return Err("reply_line: lines count from 1".into()),
            (lines, Some(line)) if varying.is_empty() && line > lines => {
                return Err(format!("reply_line: {line} is not one of {lines} lines"));
            }
            _ => {}
        }
        for (pattern, more) in &self.reply_more {
            if let More::Group(name) = more
                && !pattern.has_group(name)
            {
                return Err(format!(
                    "reply_more: {:?} has no group `{name}`: (?<{name}>\\d+)",
                    pattern.text()
                ));
            }
        }
        Ok(())
    }

    /// Whether silence and ends have letters.
    fn check_silence(&self, interface: &Interface) -> Result<(), String> {
        let keys = [
            ("form", self.form == Form::Torx),
            ("quiet", self.quiet.is_some()),
            ("patience_ms", self.patience_ms.is_some()),
            ("quiet_token", self.quiet_token.is_some()),
            ("tick", self.tick.is_some()),
            ("ends", self.ends.is_some()),
        ];
        let Some(labels) = interface.outputs.as_labels() else {
            return match keys.into_iter().find(|(_, given)| *given) {
                Some((key, _)) => Err(format!("{key}: only labels can stand for silence and ends")),
                None => Ok(()),
            };
        };
        if self.patience_ms == Some(0) {
            return Err("patience_ms: silence takes at least a millisecond".into());
        }
        let ends = self.ends.iter().flat_map(Ends::labels).map(|label| ("ends", label));
        let quiet = self.takes_silence().then_some(("quiet", self.quiet()));
        match ends.chain(quiet).find(|(_, label)| labels.find(label).is_none()) {
            Some((key, label)) => Err(format!("{key}: unknown label `{label}`")),
            None => Ok(()),
        }
    }

    /// JSON has separators and words of its own.
    fn check_json(&self) -> Result<(), String> {
        let usual = Protocol::default();
        let keys = [
            ("separator", &self.separator, &usual.separator),
            ("assign", &self.assign, &usual.assign),
            ("true", &self.yes, &usual.yes),
            ("false", &self.no, &usual.no),
        ];
        match keys.into_iter().find(|(_, here, usual)| here != usual) {
            Some((key, ..)) => Err(format!("{key}: `form = \"json\"` has its own")),
            None => Ok(()),
        }
    }

    /// A text as it is written, with its line end.
    pub(super) fn line(&self, text: &str) -> Vec<u8> {
        (self.with_line_ends(text) + &self.line_end).into_bytes()
    }

    /// A text with the line ends that the system wants.
    pub(super) fn with_line_ends(&self, text: &str) -> String {
        match self.line_end.as_str() {
            "\n" => text.to_owned(),
            other => text.replace("\r\n", "\n").replace('\n', other),
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
        let wrong = |text: &str| {
            let protocol: Protocol = toml::from_str(text).unwrap();
            protocol.check(&interface()).unwrap_err().to_string()
        };
        assert_eq!(wrong("write = { coim = \"X\" }"), "write: unknown label `coim` (did you mean `coin`?)");
        assert_eq!(wrong("reply_line = 3"), "reply_line: 3 is not one of 1 lines");
        assert_eq!(wrong("true = \"0\""), "true: `0` cannot mean both true and false");
        assert_eq!(wrong("reset_reply = \"ok\""), "reset_reply: there is no `reset` line to acknowledge");
        assert!(wrong("prompt = \"a\\nb\"").contains("line end"));
        let both = "reply_until: the answer ends as this key says or after `reply_lines`, not both";
        assert_eq!(wrong("reply_until = 'x'\nreply_lines = 2"), both);
        let chosen = "reply_line: the answer is the one line that `reply_prefix` chooses";
        assert_eq!(wrong("reply_prefix = 'x'\nreply_line = 2"), chosen);
        assert_eq!(wrong("reply_prefix = 'x'\nreply_more = { x = 1 }"), chosen.replace("_line", "_more"));
        let group = "reply_more: \"\\\\*.\" has no group `n`: (?<n>\\d+)";
        assert_eq!(wrong("reply_more = { '\\*.' = \"n\" }"), group);
        assert_eq!(wrong("form = 'json'\ntrue = 'on'"), "true: `form = \"json\"` has its own");
        assert_eq!(wrong("line_end = ';'"), "line_end: \";\" is neither \"\\n\" nor \"\\r\\n\"");
        assert_eq!(wrong("read = { tea = 'quiet' }"), "read: `quiet` means two things");
        assert!(wrong("separator = \"\"").starts_with("separator"));
    }
}
