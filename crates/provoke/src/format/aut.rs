//! The Aldebaran format: `des (first, transitions, states)`, then `(from, label, to)`, one a line.

use std::ops::Range;

use crate::diagnostic::{Source, SpecError};

/// A file as it is written; what labels mean is for others to say.
pub(super) struct Aut {
    pub(super) initial: u32,
    pub(super) states: usize,
    pub(super) transitions: Vec<Transition>,
}

/// One line of the file.
pub(super) struct Transition {
    pub(super) from: u32,
    /// Without the quotes around it.
    pub(super) label: String,
    pub(super) to: u32,
    /// The whole transition.
    pub(super) span: Range<usize>,
    /// The label as it is written.
    pub(super) label_span: Range<usize>,
}

/// Reads a file. Blank lines and lines that begin with `#`, `//` or `%` are skipped.
///
/// The numbers of transitions and states in the first line must be those of the file, so that a file that
/// was cut off is noticed.
pub(super) fn parse(source: &Source) -> Result<Aut, SpecError> {
    let mut header: Option<(usize, usize, usize)> = None;
    let mut header_span = 0..1;
    let mut transitions = Vec::new();
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        let text = line.trim_matches(is_blank);
        let at = start + (line.len() - line.trim_start_matches(is_blank).len());
        start += line.len();
        if text.is_empty() || ["#", "//", "%"].iter().any(|comment| text.starts_with(comment)) {
            continue;
        }
        let span = at..at + text.len();
        let Some((_, _, states)) = header else {
            header = Some(read_header(source, text, at)?);
            header_span = span;
            continue;
        };
        let (from, edge, to) = triple(source, text, at)?;
        transitions.push(Transition {
            from: state(source, from, states)?,
            label: unquoted(edge.0),
            to: state(source, to, states)?,
            span,
            label_span: edge.1..edge.1 + edge.0.len().max(1),
        });
    }
    let Some((initial, announced, states)) = header else {
        return Err(source.error(0..1, "expected `des (first, transitions, states)`"));
    };
    if transitions.len() != announced {
        let found = transitions.len();
        let message = format!("the first line announces {announced} transitions, but {found} follow");
        return Err(source.error(header_span, message));
    }
    Ok(Aut { initial: initial as u32, states, transitions })
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// A text and its byte offset.
type At<'a> = (&'a str, usize);

fn read_header(source: &Source, text: &str, at: usize) -> Result<(usize, usize, usize), SpecError> {
    let wrong = || {
        source
            .error(at..at + text.len(), "expected `des (first, transitions, states)`")
            .help("the numbers of the initial state, of transitions and of states")
    };
    let inner = text.strip_prefix("des").map(str::trim_start);
    let inner = inner.and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')')).ok_or_else(wrong)?;
    let numbers: Vec<usize> = inner.split(',').map_while(|word| word.trim().parse().ok()).collect();
    match numbers[..] {
        // A hostile count must not allocate more than the file can fill.
        [_, _, states] if states > (1 << 20) + 2 * source.text.len() => {
            Err(source
                .error(at..at + text.len(), format!("{states} states are more than this file can connect")))
        }
        [first, transitions, states] if first < states || states == 0 => Ok((first, transitions, states)),
        [first, _, states] => Err(source
            .error(at..at + text.len(), format!("the initial state {first} is not below {states}"))
            .help("states are numbered from 0")),
        _ => Err(wrong()),
    }
}

/// The three parts of `(from, label, to)`; a label may hold commas and parentheses.
fn triple<'a>(source: &Source, text: &'a str, at: usize) -> Result<(At<'a>, At<'a>, At<'a>), SpecError> {
    let wrong = || source.error(at..at + text.len(), "expected `(from, label, to)`");
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(wrong)?;
    let (from, rest) = inner.split_once(',').ok_or_else(wrong)?;
    let (edge, to) = rest.rsplit_once(',').ok_or_else(wrong)?;
    let place = |part: &'a str| {
        let trimmed = part.trim();
        (trimmed, at + (trimmed.as_ptr() as usize - text.as_ptr() as usize))
    };
    Ok((place(from), place(edge), place(to)))
}

fn state(source: &Source, (text, at): At<'_>, states: usize) -> Result<u32, SpecError> {
    let span = at..at + text.len().max(1);
    match text.parse::<u32>() {
        Ok(state) if (state as usize) < states => Ok(state),
        Ok(state) => Err(source
            .error(span, format!("state {state} does not exist"))
            .help(format!("the first line announces {states} states, numbered from 0"))),
        Err(_) => Err(source.error(span, "expected the number of a state")),
    }
}

/// A label without the quotes around it; inside, a backslash keeps a quote or another backslash.
fn unquoted(label: &str) -> String {
    let Some(inner) = label.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return label.trim_matches('"').to_owned();
    };
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match (character, characters.clone().next()) {
            ('\\', Some(kept @ ('"' | '\\'))) => {
                characters.next();
                text.push(kept);
            }
            _ => text.push(character),
        }
    }
    text
}
