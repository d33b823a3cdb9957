//! What is wrong with a file, shown where it is wrong.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// A text that is being read, and the name its errors show.
#[derive(Clone, Debug)]
pub struct Source {
    /// File name as the user wrote it, or a description such as `--ltl`.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
}

impl Source {
    /// Names a text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into() }
    }

    /// Reads a file; a missing or non-UTF-8 file is an error that names it.
    pub fn read(path: &std::path::Path) -> Result<Source, SpecError> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| {
            SpecError::whole(&Source::new(&*name, ""), format!("cannot read {name}: {error}"))
        })?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source::new(name, text)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let source = Source::new(name, text);
                Err(source.error(at..at + 1, "this file is not UTF-8 text"))
            }
        }
    }

    /// An error about `span` (byte offsets) of this text.
    pub fn error(&self, span: Range<usize>, message: impl Into<String>) -> SpecError {
        SpecError(Box::new(Inner {
            source: self.clone(),
            span: Some(span),
            message: message.into(),
            help: None,
        }))
    }

    /// Line and column, both from 1, of a byte offset.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
    }
}

/// A fault in a specification, model or trace file: the message, the place, and what to do about it.
#[derive(Clone)]
pub struct SpecError(Box<Inner>);

#[derive(Clone)]
struct Inner {
    source: Source,
    span: Option<Range<usize>>,
    message: String,
    help: Option<String>,
}

impl SpecError {
    /// An error about the file as a whole.
    pub fn whole(source: &Source, message: impl Into<String>) -> SpecError {
        SpecError(Box::new(Inner { source: source.clone(), span: None, message: message.into(), help: None }))
    }

    /// The same place with another message in front of what was said of it before.
    pub(crate) fn saying(mut self, message: impl Into<String>) -> SpecError {
        let before = std::mem::replace(&mut self.0.message, message.into());
        if !before.is_empty() {
            self.0.message = format!("{}: {before}", self.0.message);
        }
        self
    }

    /// Adds the line that says what to do.
    pub fn help(mut self, help: impl Into<String>) -> SpecError {
        self.0.help = Some(help.into());
        self
    }

    /// The same with help, where there is any.
    #[must_use]
    pub fn maybe_help(self, help: Option<String>) -> SpecError {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// The same fault shown in another text, whose characters stand at the same places.
    #[must_use]
    pub fn in_source(mut self, source: &Source) -> SpecError {
        self.0.source = source.clone();
        self
    }

    /// The message alone, without place and help.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The help line, if there is one.
    pub fn help_text(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// Line and column of the offending text, both from 1.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        self.0.span.as_ref().map(|span| self.0.source.line_column(span.start))
    }

    /// The message with the offending text underlined; `colour` adds terminal styles.
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let Inner { source, span, message, help } = &*self.0;
        let (message, help) = (shortened(message), help.as_deref().map(lines_shortened));
        let mut group = Level::ERROR.primary_title(&*message).elements(span.iter().map(|span| {
            Snippet::source(&*source.text)
                .path(&*source.name)
                .annotation(AnnotationKind::Primary.span(on_character_bounds(&source.text, span)))
        }));
        if let Some(help) = &help {
            group = group.element(Level::HELP.message(&**help));
        }
        renderer.render(&[group]).to_string()
    }
}

/// Help of several lines is a list: each of its lines is kept, as far as anyone reads on.
fn lines_shortened(help: &str) -> String {
    const LINES: usize = 20;
    help.split('\n').take(LINES).map(shortened).collect::<Vec<_>>().join("\n")
}

/// A message without its middle where it is very long: some quote what stands in the file.
fn shortened(message: &str) -> std::borrow::Cow<'_, str> {
    const EACH_END: usize = 200;
    let start = message.char_indices().nth(EACH_END).map(|(at, _)| at);
    let end = message.char_indices().rev().nth(EACH_END).map(|(at, _)| at);
    match (start, end) {
        (Some(start), Some(end)) if start + 20 < end => {
            format!("{} ... {}", &message[..start], &message[end..]).into()
        }
        _ => message.into(),
    }
}

/// The nearest span the renderer accepts: inside the text and on character boundaries.
fn on_character_bounds(text: &str, span: &Range<usize>) -> Range<usize> {
    let mut start = span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = span.end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl fmt::Debug for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for SpecError {}

/// A text cut short, for messages that quote what may be very long.
pub fn brief(text: &str) -> std::borrow::Cow<'_, str> {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} ...", text[..end].trim_end()).into(),
        None => text.into(),
    }
}

/// A name that nothing has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{name}`{}", .help.as_ref().map(|help| format!("; {help}")).unwrap_or_default())]
pub struct Unknown {
    /// What was looked for: `objective`, `strategy` and the like.
    pub what: &'static str,
    /// The name.
    pub name: String,
    /// The nearest name that there is, or what there is at all.
    pub help: Option<String>,
}

impl Unknown {
    /// What to say where nothing has this name.
    pub fn new<'a>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Unknown {
        const SHOWN: usize = 12;
        let known: Vec<&str> = known.into_iter().collect();
        let more = if known.len() > SHOWN { ", ..." } else { "" };
        let all = || format!("there are {}{more}", known[..known.len().min(SHOWN)].join(", "));
        let some = || if known.is_empty() { "there is none at all".to_owned() } else { all() };
        let help = did_you_mean(name, known.iter().copied()).unwrap_or_else(some);
        Unknown { what, name: brief(name).into_owned(), help: Some(help) }
    }
}

/// The question whether another name was meant, where one is near.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean `{near}`?"))
}

/// The known name most like `name`, if any is close enough to be a slip of the fingers.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let bound = (name.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= bound && distance < name.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo): it guards against mistakes, not against malice, and is the same for ever.
pub(crate) fn checksum(bytes: impl IntoIterator<Item = u8>) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.into_iter().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_long_messages_lose_their_middle() {
        let source = Source::new("t", "x");
        let long = source.error(0..1, format!("`{}` is wrong", "ü".repeat(10_000))).help("y".repeat(1_000));
        let shown = long.render(false);
        assert!(
            shown.len() < 2_000 && shown.contains("ü` is wrong") && shown.contains("error: `ü"),
            "{shown}"
        );
        assert!(source.error(0..1, "m".repeat(400)).render(false).contains(&"m".repeat(400)));
    }

    #[test]
    fn an_error_shows_its_place() {
        let source = Source::new("lift.hoa", "HOA: v1\nStates: many\n");
        let error = source.error(16..20, "expected a number").help("write how many states follow");
        assert_eq!(error.line_column(), Some((2, 9)));
        let shown = error.to_string();
        assert!(shown.contains("lift.hoa:2:9"), "{shown}");
        assert!(shown.contains("^^^^"), "{shown}");
        assert!(shown.contains("help: write how many states follow"), "{shown}");
    }

    #[test]
    fn hostile_spans_are_bent_into_the_text() {
        let source = Source::new("x", "é");
        let shown = |source: &Source, start, end| source.error(start..end, "bad").to_string();
        for (start, end) in [(0, 1), (1, 1), (1, 9), (7, 9), (2, 2)] {
            let text = shown(&source, start, end);
            assert!(text.contains("error: bad") && text.contains("x:1:"), "{start}..{end}: {text}");
        }
        assert!(shown(&Source::new("x", ""), 0, 1).contains("error: bad"));
    }

    #[test]
    fn nearest_names_are_slips_not_guesses() {
        assert_eq!(nearest("fwdlimt", ["bwdlimit", "fwdlimit"]), Some("fwdlimit"));
        assert_eq!(nearest("cargo", ["fwdlimit"]), None);
    }
}
