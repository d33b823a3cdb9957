//! What was said: steps, traces, how a run ended, and the text form that can be run again.

use std::fmt::Write as _;

use crate::diagnostic::{Source, SpecError};
use crate::letter::{Alphabet, Interface, Letter, LetterError, Outline};

/// One exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// What the tester sent.
    pub input: Letter,
    /// What the system answered.
    pub output: Letter,
}

impl Step {
    /// What is seen of it where not all of the answer is.
    #[inline]
    #[must_use]
    pub fn outlined(self, outline: &Outline) -> Step {
        Step { output: outline.of(self.output), ..self }
    }
}

/// The exchanges of one run, from the reset on.
pub type Trace = Vec<Step>;

/// The steps before the first answer that is out of range: nothing behind it means anything, and no letter it is.
pub fn in_range<'t>(outputs: &Alphabet, trace: &'t [Step]) -> &'t [Step] {
    let end = match outputs.can_stray() {
        true => trace.iter().position(|step| outputs.is_stray(step.output)),
        false => None,
    };
    &trace[..end.unwrap_or(trace.len())]
}

/// The number of a requirement in its specification, from 0: by it monitors, campaigns and reports know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequirementNumber(pub usize);

/// How a run ended: the four ends of paper 1, section 4, and a system that broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunEnd {
    /// The objective was reached ("covering").
    Covered,
    /// The requirement with this number was violated ("error").
    Violated(RequirementNumber),
    /// The objective can no longer be reached, whatever the system does.
    Inconclusive,
    /// The environment broke an assumption, as nobody could know before the answer: nobody is to blame for anything after it.
    Unfair,
    /// The step limit or the strategy ended the run while the objective was still reachable.
    Active,
    /// The system crashed, hung or broke the protocol; says nothing about the requirements.
    Broken,
    /// The connection was lost and may be opened again; the run says nothing about anything.
    Lost,
}

impl RunEnd {
    /// Whether nothing can be said of how it would have gone on, for whatever reason.
    pub fn is_inconclusive(&self) -> bool {
        matches!(self, RunEnd::Inconclusive | RunEnd::Unfair)
    }
}

/// The exchanges of a run, and the input that a system which broke did not answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The exchanges.
    pub steps: Trace,
    /// The input after them that was not answered.
    pub unanswered: Option<Letter>,
    /// The comments at the top of the file it was read from, without their `#`.
    pub notes: Vec<String>,
    /// The steps that are repeated at the end, where it is a lasso.
    pub lasso: Option<Loop>,
}

/// How a run goes round at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// How many steps come before the first round; those after it are one round.
    pub stem: usize,
    /// How many rounds there are.
    pub rounds: u32,
}

/// The most steps that a run with rounds may take: it is remembered as a whole.
pub const MOST_STEPS: u64 = 1 << 22;

impl Loop {
    /// The same with so many rounds of so many steps each; with so many others where that would be too long for one run.
    #[must_use]
    pub fn with_rounds(self, round: usize, wanted: u32, otherwise: u32) -> Loop {
        let left = MOST_STEPS.saturating_sub(self.stem as u64);
        let most = u32::try_from(left / (round as u64).max(1)).unwrap_or(u32::MAX);
        let rounds = if wanted <= most { wanted } else { otherwise.min(most) };
        Loop { rounds: rounds.max(1), ..self }
    }

    /// Every step of a run that is written with one round.
    pub fn unrolled(self, steps: &[Step]) -> Trace {
        let (stem, round) = steps.split_at(self.stem.min(steps.len()));
        let rounds = std::iter::repeat_n(round, self.rounds as usize);
        stem.iter().copied().chain(rounds.flatten().copied()).collect()
    }
}

impl Recording {
    /// Every input, the unanswered one included, and those of a round as often as it is made.
    pub fn inputs(&self) -> impl Iterator<Item = Letter> {
        self.unrolled().into_iter().map(|step| step.input).chain(self.unanswered)
    }

    /// Every exchange, those of a round as often as it is made.
    pub fn unrolled(&self) -> Trace {
        self.lasso.map_or_else(|| self.steps.clone(), |lasso| lasso.unrolled(&self.steps))
    }
}

/// What stands for the answer that did not come.
const NO_ANSWER: &str = "!no answer";

/// How the first line of a trace begins, and the version that is written and the highest that is read.
const TITLE: &str = "provoke trace ";
const VERSION: u64 = 2;

/// What stands before the round of a lasso, with the number of rounds: a trace with it has version 2, others version 1.
const LOOP: &str = "!loop ";

/// Writes a trace, one step a line: `inputs / outputs`. Notes become comment lines at the top.
pub fn write_trace(interface: &Interface, trace: &[Step], notes: &[String]) -> String {
    write_recording(interface, trace, None, notes)
}

/// The same with an input at the end that was not answered.
pub fn write_recording(
    interface: &Interface,
    trace: &[Step],
    unanswered: Option<Letter>,
    notes: &[String],
) -> String {
    write_any(interface, trace, (unanswered, None), notes)
}

/// The same of a run that goes round at its end.
pub fn write_lasso(interface: &Interface, trace: &[Step], lasso: Loop, notes: &[String]) -> String {
    write_any(interface, trace, (None, Some(lasso)), notes)
}

fn write_any(
    interface: &Interface,
    trace: &[Step],
    (unanswered, lasso): (Option<Letter>, Option<Loop>),
    notes: &[String],
) -> String {
    let mut text = format!("# {TITLE}{}\n", if lasso.is_some() { VERSION } else { 1 });
    for note in notes.iter().flat_map(|note| note.lines()) {
        let _ = writeln!(text, "# {note}");
    }
    for (at, step) in trace.iter().enumerate() {
        if let Some(lasso) = lasso.filter(|lasso| lasso.stem == at) {
            let _ = writeln!(text, "{LOOP}{}", lasso.rounds);
        }
        let _ = writeln!(
            text,
            "{} / {}",
            side(&interface.inputs, step.input),
            side(&interface.outputs, step.output)
        );
    }
    if let Some(input) = unanswered {
        let _ = writeln!(text, "{} / {NO_ANSWER}", side(&interface.inputs, input));
    }
    text
}

/// A letter as it stands in a trace: labels that could be misread are quoted.
fn side(alphabet: &Alphabet, letter: Letter) -> String {
    let shown = alphabet.show(letter).to_string();
    let odd = shown.contains(['/', '"', '#', '\n', '\r', '\\']) || shown.starts_with('!');
    let plain = !odd && shown.trim() == shown;
    if alphabet.as_labels().is_none() || (plain && !shown.is_empty()) {
        return shown;
    }
    serde_json::Value::String(shown).to_string()
}

/// Reads what [`write_trace`] wrote; an input without an answer is not part of it.
pub fn read_trace(interface: &Interface, source: &Source) -> Result<Trace, SpecError> {
    read(interface, source, Alphabet::parse_answer).map(|recording| recording.steps)
}

/// Reads what [`write_recording`] wrote, to be run again: what is measured may be missing.
pub fn read_recording(interface: &Interface, source: &Source) -> Result<Recording, SpecError> {
    read(interface, source, Alphabet::parse_said)
}

/// How an output letter is read.
type Parse = fn(&Alphabet, &str) -> Result<Letter, LetterError>;

fn read(interface: &Interface, source: &Source, parse: Parse) -> Result<Recording, SpecError> {
    let mut recording = Recording::default();
    let mut offset = 0;
    for line in source.text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let content = line.trim();
        if let Some(note) = content.strip_prefix('#') {
            if let Some(version) = newer(note) {
                let span = start..start + line.trim_end().len();
                let known = format!("and this program knows versions up to {VERSION}");
                return Err(source
                    .error(span, format!("this trace has version {version}, {known}"))
                    .help("a later version of this program wrote it"));
            }
            if recording.steps.is_empty() {
                recording.notes.push(note.trim().to_owned());
            }
            continue;
        }
        if content.is_empty() {
            continue;
        }
        let start = start + (line.len() - line.trim_start().len());
        let span = start..start + content.len();
        if let Some(rounds) = content.strip_prefix(LOOP) {
            let rounds =
                rounds.trim().parse().ok().filter(|&rounds: &u32| rounds > 0 && recording.lasso.is_none());
            let Some(rounds) = rounds else {
                return Err(source.error(span, "expected one number of rounds, 1 or more"));
            };
            recording.lasso = Some(Loop { stem: recording.steps.len(), rounds });
            continue;
        }
        let Some(slash) = separator(content) else {
            return Err(source.error(span, "expected `inputs / outputs`").help(
                "a trace has one step a line, the input letter before the slash, the output letter after",
            ));
        };
        let letter = |is_said: bool, text: &str, at: usize| {
            let alphabet = if is_said { &interface.outputs } else { &interface.inputs };
            let trimmed = text.trim();
            let at = at + (text.len() - text.trim_start().len());
            let span = at..at + trimmed.len().max(1);
            let parse = if is_said { parse } else { Alphabet::parse };
            parse_side(alphabet, trimmed, parse).map_err(|message| source.error(span, message))
        };
        if recording.unanswered.is_some() {
            return Err(source.error(span, "nothing follows an input without an answer"));
        }
        let input = letter(false, &content[..slash], start)?;
        if content[slash + 1..].trim() == NO_ANSWER {
            recording.unanswered = Some(input);
            continue;
        }
        let output = letter(true, &content[slash + 1..], start + slash + 1)?;
        recording.steps.push(Step { input, output });
    }
    if recording
        .lasso
        .is_some_and(|lasso| lasso.stem == recording.steps.len() || recording.unanswered.is_some())
    {
        return Err(SpecError::whole(source, "a loop needs steps, and answers to all of them"));
    }
    Ok(recording)
}

/// The version in the title of a trace, where it is higher than those that are known. Other comments are none of ours.
fn newer(note: &str) -> Option<&str> {
    let version = note.trim().strip_prefix(TITLE)?;
    let is_number = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
    let is_known = version.parse::<u64>().is_ok_and(|version| version <= VERSION);
    (is_number && !is_known).then_some(version)
}

/// The slash between the sides: the first one outside quotes.
fn separator(line: &str) -> Option<usize> {
    let mut quoted = false;
    let mut escaped = false;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'/' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

fn parse_side(alphabet: &Alphabet, text: &str, parse: Parse) -> Result<Letter, String> {
    let letter = if alphabet.as_labels().is_some() && text.starts_with('"') {
        let label: String =
            serde_json::from_str(text).map_err(|_| "this quoted label does not end".to_owned())?;
        alphabet.label(&label)
    } else {
        parse(alphabet, text)
    };
    letter.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_trace_is_readable_text() {
        let interface = Interface::signals(["a", "b"], ["x"]).unwrap();
        let trace = vec![Step { input: Letter::from_index(1), output: Letter::from_index(1) }];
        let text = write_trace(&interface, &trace, &["violates R1".to_owned()]);
        assert_eq!(text, "# provoke trace 1\n# violates R1\na=1 b=0 / x=1\n");
        assert_eq!(read_trace(&interface, &Source::new("t", text)).unwrap(), trace);
    }

    #[test]
    fn an_input_without_an_answer_comes_last() {
        let interface = Interface::labels(["go"], ["!no answer", "ok"]).unwrap();
        let steps = vec![Step { input: Letter::from_index(0), output: Letter::from_index(0) }];
        let text = write_recording(&interface, &steps, Some(Letter::from_index(0)), &["breaks".to_owned()]);
        assert_eq!(text, "# provoke trace 1\n# breaks\ngo / \"!no answer\"\ngo / !no answer\n");
        let read = read_recording(&interface, &Source::new("t", &*text)).unwrap();
        let notes = vec!["provoke trace 1".to_owned(), "breaks".to_owned()];
        assert_eq!(read, Recording { steps, unanswered: Some(Letter::from_index(0)), notes, lasso: None });
        let more = format!("{text}go / ok\n");
        let error = read_recording(&interface, &Source::new("t", more)).unwrap_err();
        assert_eq!(error.line_column(), Some((5, 1)));
    }

    #[test]
    fn a_lasso_is_written_with_one_round() {
        let interface = Interface::signals(["a"], ["x"]).unwrap();
        let step =
            |input, output| Step { input: Letter::from_index(input), output: Letter::from_index(output) };
        let steps = vec![step(1, 0), step(0, 0), step(0, 1)];
        let lasso = Loop { stem: 1, rounds: 3 };
        let text = write_lasso(&interface, &steps, lasso, &[]);
        assert_eq!(text, "# provoke trace 2\na=1 / x=0\n!loop 3\na=0 / x=0\na=0 / x=1\n");
        let read = read_recording(&interface, &Source::new("t", &*text)).unwrap();
        assert_eq!((&read.steps, read.lasso), (&steps, Some(lasso)));
        assert_eq!(read.unrolled().len(), 7);
        // As many rounds as a run may have, and never none.
        let rounds = |wanted, otherwise| Loop { stem: 1, rounds: 3 }.with_rounds(2, wanted, otherwise).rounds;
        let most = (MOST_STEPS / 2 - 1) as u32;
        assert_eq!([rounds(most, 5), rounds(most + 1, 5)], [most, 5]);
        assert_eq!([rounds(u32::MAX, u32::MAX), rounds(0, 5)], [most, 1]);
        assert_eq!(read.inputs().count(), 7);
        for bad in
            ["!loop 0\na=1 / x=1\n", "a=1 / x=1\n!loop 2\n", "!loop 2\n!loop 2\na=1 / x=1\n", "!loop\n"]
        {
            assert!(read_recording(&interface, &Source::new("t", bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_later_version_is_said_and_not_guessed_at() {
        let interface = Interface::signals(["a"], ["x"]).unwrap();
        let read = |text: &str| read_trace(&interface, &Source::new("t", text));
        let error = read("# provoke trace 3\na=1 / x=1 !new\n").unwrap_err();
        assert_eq!(error.message(), "this trace has version 3, and this program knows versions up to 2");
        assert_eq!(error.line_column(), Some((1, 1)));
        assert!(read("# provoke trace 99999999999999999999\n").is_err());
        for harmless in ["# provoke trace one", "# provoke trace 1", "# provoke trace 0", "# a trace 2", ""] {
            assert_eq!(read(&format!("{harmless}\na=1 / x=1\n")).unwrap().len(), 1);
        }
    }

    #[test]
    fn a_bad_line_is_shown() {
        let interface = Interface::signals(["a"], ["x"]).unwrap();
        let error = read_trace(&interface, &Source::new("t", "a=1 / x=1\n\n a=1 / y=1\n")).unwrap_err();
        assert_eq!(error.line_column(), Some((3, 8)));
        assert_eq!(error.message(), "unknown signal `y`");
        let error = read_trace(&interface, &Source::new("t", "a=1 x=1")).unwrap_err();
        assert_eq!(error.message(), "expected `inputs / outputs`");
    }

    proptest! {
        #[test]
        fn hostile_labels_survive(labels in proptest::collection::btree_set("\\PC{0,6}|[/\"#\\\\ \n]{1,4}", 1..5)) {
            let names: Vec<String> = labels.into_iter().collect();
            let interface = Interface::labels(names.clone(), names.clone()).unwrap();
            let trace: Trace = (0..names.len() as u64)
                .map(|at| Step { input: Letter::from_index(at), output: Letter::from_index(names.len() as u64 - 1 - at) })
                .collect();
            let text = write_trace(&interface, &trace, &[]);
            prop_assert_eq!(read_trace(&interface, &Source::new("t", text)).unwrap(), trace);
        }

        #[test]
        fn what_is_read_can_be_written_and_read_again(text in "\\PC*|([ax]=?[01]?|[ /#]){0,9}") {
            let interface = Interface::signals(["a"], ["x"]).unwrap();
            match read_trace(&interface, &Source::new("t", &*text)) {
                Ok(trace) => {
                    let written = write_trace(&interface, &trace, &[]);
                    prop_assert_eq!(read_trace(&interface, &Source::new("t", written)).unwrap(), trace);
                }
                Err(error) => prop_assert!(!error.message().is_empty()),
            }
        }
    }
}
