//! What a program that exists says to a few inputs, and a protocol that fits.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use provoke::report::count;

use super::signals::{Form, declared, signals};

/// Inputs that programs understand more often than others.
const TRIED: [&str; 8] = ["help", "status", "0", "1", "on", "off", "a=1", "{}"];
/// How long a program may take until its first word.
const START: Duration = Duration::from_secs(5);
/// How long an answer may take before it counts as none.
const PATIENCE: Duration = Duration::from_millis(300);
/// After an answer, so long is listened for more of it.
const MORE: Duration = Duration::from_millis(40);
/// Longer lines are no labels.
const LONGEST: usize = 80;
/// More is not listened to at a time.
const MOST: usize = 1 << 16;

/// A program that is being tried.
struct Probe {
    child: Child,
    words: Receiver<Vec<u8>>,
    complaints: Option<JoinHandle<String>>,
}

/// What it said at a time.
#[derive(Default)]
struct Said {
    lines: Vec<String>,
    /// What came after the last line, without an end.
    rest: String,
    /// Whether it has closed its output.
    gone: bool,
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
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = shell.spawn().with_context(|| format!("failed to start {command}"))?;
        let mut out = child.stdout.take().context("failed to read what it says")?;
        let mut errors = child.stderr.take().context("failed to read its stderr")?;
        let (send, words) = sync_channel(64);
        std::thread::spawn(move || {
            let mut room = [0; 4096];
            while let Ok(length @ 1..) = out.read(&mut room) {
                if send.send(room[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let complaints = std::thread::spawn(move || {
            let (mut kept, mut room) = (Vec::new(), [0; 4096]);
            while let Ok(length @ 1..) = errors.read(&mut room) {
                kept.extend(room[..length].iter().take(MOST - kept.len().min(MOST)));
            }
            String::from_utf8_lossy(&kept).into_owned()
        });
        Ok(Probe { child, words, complaints: Some(complaints) })
    }

    /// What it says now.
    fn listen(&self, mut patience: Duration) -> Said {
        let (mut heard, mut gone) = (Vec::new(), false);
        while heard.len() < MOST {
            match self.words.recv_timeout(patience) {
                Ok(words) => heard.extend(words),
                Err(why) => {
                    gone = why == RecvTimeoutError::Disconnected;
                    break;
                }
            }
            patience = MORE;
        }
        let text = String::from_utf8_lossy(&heard);
        let (whole, rest) = text.rsplit_once('\n').map_or(("", &*text), |(whole, rest)| (whole, rest));
        let has_lines = rest.len() < text.len();
        let lines = whole.split('\n').filter(|_| has_lines).map(|line| line.trim_end().to_owned()).collect();
        Said { lines, rest: rest.to_owned(), gone }
    }

    fn send(&mut self, line: &str) -> bool {
        let written = self.child.stdin.as_mut().map(|to| writeln!(to, "{line}").and_then(|()| to.flush()));
        written.is_some_and(|written| written.is_ok())
    }

    /// How it ended, and the last that it said on stderr.
    fn last_words(mut self) -> String {
        let ended = self.child.wait().ok().and_then(|status: ExitStatus| status.code());
        let code = ended.map(|code| format!(", with exit code {code}")).unwrap_or_default();
        let complaint = self.complaints.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        let last = complaint.lines().rev().find(|line| !line.trim().is_empty()).map(shown);
        code + &last.map(|line| format!(": {line}")).unwrap_or_default()
    }
}

/// How long it takes until this program says its first word, twice over.
fn time_to_start(command: &str) -> Result<Duration> {
    let (mut probe, started) = (Probe::start(command)?, Instant::now());
    probe.send(TRIED[0]);
    let said = probe.listen(START);
    let is_silent = said.lines.is_empty() && said.rest.is_empty() && !said.gone;
    Ok(if is_silent { PATIENCE } else { PATIENCE.max(2 * started.elapsed()) })
}

/// A specification for this program: what was tried, what it said, and a protocol that fits that.
pub(super) fn propose(command: &str, name: &str) -> Result<String> {
    let start = time_to_start(command)?;
    let mut probe = Probe::start(command)?;
    let first = probe.listen(start);
    if first.gone && first.lines.is_empty() && first.rest.is_empty() {
        bail!("`{command}` ended without a word{}", probe.last_words());
    }
    let mut tried: Vec<(&str, Said)> = Vec::new();
    let mut ended = first.gone;
    for input in TRIED {
        let was_silent = |(_, said): &(&str, Said)| said.lines.is_empty() && said.rest.is_empty();
        if ended && (tried.len() >= TRIED.len() || tried.last().is_some_and(was_silent)) {
            break;
        }
        if ended {
            probe = Probe::start(command)?;
            probe.listen(start);
        }
        let sent = probe.send(input);
        let said = probe.listen(PATIENCE);
        ended = said.gone || !sent;
        tried.push((input, said));
    }
    let prompt = first.rest.clone();
    let prompts = !prompt.is_empty() && tried.iter().all(|(_, said)| said.gone || said.rest == prompt);
    // What has no end is a line all the same where it is no prompt.
    let lines = |said: Said| {
        let rest = (!prompts && !said.rest.is_empty()).then(|| said.rest.trim_end().to_owned());
        said.lines.into_iter().chain(rest).collect::<Vec<String>>()
    };
    let banner = lines(first);
    let tried: Vec<(&str, Vec<String>)> =
        tried.into_iter().map(|(input, said)| (input, lines(said))).collect();
    Ok(written(command, name, &banner, prompts.then_some(&*prompt), &tried))
}

/// The signals that answers are about, declared, and how they are written.
fn signals_declared(answers: &[&str]) -> Option<(Form, String)> {
    let (form, values) = signals(answers)?;
    let types: Option<Vec<(String, String)>> =
        values.into_iter().map(|(name, values)| Some((name, declared(&values)?))).collect();
    let types = types?;
    let mut text = String::from(
        "\n# It speaks of signals. What it listens to is not known: name its own inputs in place of `a`. Ranges are\n# wider than what was seen, lists of names are not.\n",
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

fn written(
    command: &str,
    name: &str,
    banner: &[String],
    prompt: Option<&str>,
    tried: &[(&str, Vec<String>)],
) -> String {
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
    // Who always says the same cannot say anything else.
    let tells = outputs.len() + usize::from(silent) > 1;
    let mut text = format!("# {name}: proposed from what `{}` said when it was tried.\n#\n", shown(command));
    for line in banner.iter().take(5) {
        text += &format!("#   (before the first input)  {}\n", shown(line));
    }
    for (input, said) in tried {
        let answer = first(said).unwrap_or_else(|| "(nothing)".to_owned());
        let more = if said.len() > 1 {
            format!("  (and {} more)", count(said.len() - 1, "line"))
        } else {
            String::new()
        };
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
    if let Some(prompt) = prompt {
        text += &format!("prompt = {}\n", quoted(prompt));
    }
    if lines > 1 && same {
        text += &format!("reply_lines = {lines}                      # of which the first is the answer\n");
    } else if lines > 1 {
        text += "# It answers with more lines now than then: `reply_prefix`, `reply_until` or `reply_more` can tell where an\n# answer ends.\n";
    }
    if declared.is_none() && (silent || answered.is_empty()) {
        text += "quiet = \"silence\"                    # no answer is an answer\npatience_ms = 300\n";
    }
    let is_plain = |text: &str| !text.contains(['"', '\\', '\'']);
    let known = answered.iter().filter(|_| tells && declared.is_none()).find_map(|(input, said)| {
        let answer = said.first().filter(|answer| is_plain(answer) && answer.as_str() != *input)?;
        (is_plain(input) && answer.chars().count() <= LONGEST).then_some((input, answer))
    });
    text += &match known {
        Some((input, answer)) => format!(
            "\n# Replace this by what must hold; the guide's page on formulas says what can be written.\n\
             [[requirement]]\nid = \"R1\"\ntext = {}\nltl = {}\n",
            quoted(&format!("It answers {input} as it did when it was tried.")),
            quoted(&format!("G(\"{input}\" -> \"{}\")", shown(answer)))
        ),
        None => "\n# Without a requirement it is sent anything, and only crashes, hangs and answers that cannot be read count. Say\n\
                 # what must hold; the guide's page on formulas says what can be written.\n\
                 # [[requirement]]\n# id = \"R1\"\n# text = \"...\"\n# ltl = \"G(...)\"\n"
            .to_owned(),
    };
    text
}
