//! What a program that exists says to a few inputs, and a protocol that fits.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::signals::{Form, declared, signals};

/// Inputs that programs understand more often than others.
const TRIED: [&str; 8] = ["help", "status", "0", "1", "on", "off", "a=1", "{}"];
/// How long an answer may take before it counts as none.
const PATIENCE: Duration = Duration::from_millis(300);
/// The same of the first answer: a program may still be starting, and what it says late would be taken for something else.
const START: Duration = Duration::from_secs(3);
/// After an answer, so long is listened for more of it.
const MORE: Duration = Duration::from_millis(40);
/// Longer lines are no labels.
const LONGEST: usize = 80;

/// A program that is being tried.
struct Probe {
    child: Child,
    lines: Receiver<String>,
}

impl Drop for Probe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Probe {
    fn start(command: &str) -> Result<Probe> {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec {command}")]);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = shell.spawn().with_context(|| format!("failed to start {command}"))?;
        let out = child.stdout.take().context("failed to read what it says")?;
        let (send, lines) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(out);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                line.clear();
                if send.send(text).is_err() {
                    return;
                }
            }
        });
        Ok(Probe { child, lines })
    }

    /// What it says now; whether it is gone.
    fn listen(&self, mut patience: Duration) -> (Vec<String>, bool) {
        let mut said = Vec::new();
        loop {
            match self.lines.recv_timeout(patience) {
                Ok(line) => said.push(line),
                Err(RecvTimeoutError::Timeout) => return (said, false),
                Err(RecvTimeoutError::Disconnected) => return (said, true),
            }
            patience = MORE;
            if said.len() > 1000 {
                return (said, false);
            }
        }
    }

    fn send(&mut self, line: &str) -> bool {
        let written = self.child.stdin.as_mut().map(|to| writeln!(to, "{line}").and_then(|()| to.flush()));
        written.is_some_and(|written| written.is_ok())
    }
}

/// A specification for this program: what was tried, what it said, and a protocol that fits that.
pub(super) fn propose(command: &str, name: &str) -> Result<String> {
    let mut probe = Probe::start(command)?;
    let (banner, gone) = probe.listen(PATIENCE);
    if gone && banner.is_empty() {
        bail!("`{command}` ended without a word");
    }
    let mut tried: Vec<(&str, Vec<String>)> = Vec::new();
    let mut ended = gone;
    for input in TRIED {
        if ended && (tried.len() >= TRIED.len() || tried.last().is_some_and(|(_, said)| said.is_empty())) {
            break;
        }
        if ended {
            probe = Probe::start(command)?;
            probe.listen(PATIENCE);
        }
        let sent = probe.send(input);
        let is_first = banner.is_empty() && tried.is_empty();
        let (said, gone) = probe.listen(if is_first { START } else { PATIENCE });
        ended = gone || !sent;
        tried.push((input, said));
    }
    Ok(written(command, name, &banner, &tried))
}

/// The signals that answers are about, declared, and how they are written.
fn signals_declared(answers: &[&str]) -> Option<(Form, String)> {
    let (form, values) = signals(answers)?;
    let types: Option<Vec<(String, String)>> =
        values.into_iter().map(|(name, values)| Some((name, declared(&values)?))).collect();
    let types = types?;
    let mut text = String::from(
        "\n# It speaks of signals. What it listens to is not known: name its own inputs in place of `a`. Ranges and names go as far as was\n# seen.\n",
    );
    if types.iter().all(|(_, of)| of == "\"bool\"") {
        let names: Vec<String> = types.iter().map(|(name, _)| quoted(name)).collect();
        text += &format!("[signals]\ninputs  = [\"a\"]\noutputs = [{}]\n", names.join(", "));
    } else {
        text += "[signals.inputs]\na = \"bool\"\n\n[signals.outputs]\n";
        types.iter().for_each(|(name, of)| text += &format!("{name} = {of}\n"));
    }
    Some((form, text))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// One line without what could end a comment.
fn shown(text: &str) -> String {
    text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn written(command: &str, name: &str, banner: &[String], tried: &[(&str, Vec<String>)]) -> String {
    let answered: Vec<&(&str, Vec<String>)> = tried.iter().filter(|(_, said)| !said.is_empty()).collect();
    let inputs: Vec<String> = match answered.is_empty() {
        true => vec![quoted("help")],
        false => answered.iter().map(|(input, _)| quoted(input)).collect(),
    };
    let lines = answered.iter().map(|(_, said)| said.len()).max().unwrap_or(1);
    let same = answered.iter().all(|(_, said)| said.len() == lines);
    let first = |said: &Vec<String>| said.first().map(|line| shown(line));
    let outputs: BTreeSet<String> =
        answered.iter().filter_map(|(_, said)| first(said)).map(|line| quoted(&line)).collect();
    let silent = answered.len() < tried.len();
    let mut text = format!("# {name}: proposed from what `{}` said when it was tried.\n#\n", shown(command));
    for line in banner.iter().take(5) {
        text += &format!("#   (before the first input)  {}\n", shown(line));
    }
    for (input, said) in tried {
        let answer = first(said).unwrap_or_else(|| "(nothing)".to_owned());
        let more =
            if said.len() > 1 { format!("  (and {} lines more)", said.len() - 1) } else { String::new() };
        text += &format!("#   {input:<8} -> {answer}{more}\n");
    }
    let declared =
        signals_declared(&answered.iter().filter_map(|(_, said)| Some(&**said.first()?)).collect::<Vec<_>>());
    match &declared {
        Some((_, signals)) => text += signals,
        None => {
            text += "\n# Labels are whole lines. Programs that speak of signals (`a=1 b=0`) have [signals] instead.\n[labels]\n";
            text += &format!("inputs  = [{}]\n", inputs.join(", "));
            let mut all: Vec<String> = outputs.into_iter().collect();
            if silent || all.is_empty() {
                all.push(quoted("silence"));
            }
            text += &format!("outputs = [{}]\n", all.join(", "));
        }
    }
    text += "\n[system]\n";
    text += &format!("command = [\"sh\", \"-c\", {}]\n", quoted(&format!("exec {command}")));
    text += "cwd = \"..\"                           # where it was tried\n\n[system.protocol]\n";
    if let Some((Form::Json, _)) = &declared {
        text += "form = \"json\"                        # an object a line, each way\n";
    }
    if !banner.is_empty() {
        text += &format!("banner_lines = {}\n", banner.len());
    }
    if lines > 1 && same {
        text += &format!("reply_lines = {lines}                      # of which the first is the answer\n");
    } else if lines > 1 {
        text += "# It answers with more lines now than then: `reply_prefix`, `reply_until` or `reply_more` can tell where an\n# answer ends.\n";
    }
    if declared.is_none() && (silent || answered.is_empty()) {
        text += "quiet = \"silence\"                    # no answer is an answer\npatience_ms = 300\n";
    }
    text += "\n# Replace this by what must hold; the guide's page on formulas says what can be written.\n[[requirement]]\nid = \"R1\"\n";
    if declared.is_some() {
        return text + "text = \"It does not break.\"\nltl = \"G true\"\n";
    }
    let is_plain = |text: &str| !text.contains(['"', '\\', '\'']);
    let known = answered.iter().find_map(|(input, said)| {
        let answer = said.first().filter(|answer| is_plain(answer) && answer.as_str() != *input)?;
        (is_plain(input) && answer.chars().count() <= LONGEST).then_some((input, answer))
    });
    match known {
        Some((input, answer)) => {
            text +=
                &format!("text = {}\n", quoted(&format!("It answers {input} as it did when it was tried.")));
            text += &format!("ltl = {}\n", quoted(&format!("G(\"{input}\" -> \"{}\")", shown(answer))));
        }
        None => text += "text = \"It does not break.\"\nltl = \"G true\"\n",
    }
    text
}
