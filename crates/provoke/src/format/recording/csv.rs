//! CSV: a header with the names, then one step a line.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::row::{NOTHING, missing_help, places, with};
use crate::diagnostic::{Source, SpecError};
use crate::letter::{Alphabet, Interface, Letter};
use crate::trace::{Step, Trace};

type Field<'a> = (Cow<'a, str>, Range<usize>);

/// Reads CSV with commas, semicolons or tabs, whichever the header has; columns that the interface does not
/// know are left alone.
pub(super) fn parse(source: &Source, interface: &Interface) -> Result<Trace, SpecError> {
    let text = source.text.strip_prefix('\u{feff}').unwrap_or(&source.text);
    let start = source.text.len() - text.len();
    let separator = separator(text);
    let mut lines = Records { source, separator, at: start };
    let Some(header) = lines.next().transpose()? else {
        return Err(SpecError::whole(source, format!("{} is empty", source.name))
            .help("the first line names the signals, as in a,b,x"));
    };
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    for (at, (name, span)) in header.iter().enumerate() {
        match known.entry(&**name) {
            Entry::Vacant(entry) => drop(entry.insert(at)),
            Entry::Occupied(_) if name.is_empty() => {}
            Entry::Occupied(_) => {
                return Err(source.error(span.clone(), format!("column `{name}` stands twice")));
            }
        }
    }
    let column = |name: &str| {
        known.get(name).copied().ok_or_else(|| {
            let span = header.first().map_or(0..0, |(_, span)| span.clone());
            let span = span.start..header.last().map_or(span.end, |(_, last)| last.end);
            let error = source.error(span, format!("there is no column `{name}`"));
            error.help(missing_help(name, header.iter().map(|(name, _)| &**name)))
        })
    };
    if interface.has_labels() {
        let (input, output) = (column("input")?, column("output")?);
        return lines.steps(header.len(), |fields| {
            Ok(Step {
                input: label(source, &interface.inputs, &fields[input])?,
                output: label(source, &interface.outputs, &fields[output])?,
            })
        });
    }
    let columns = places(interface)
        .map(|place| Ok((column(place.field.name())?, place)))
        .collect::<Result<Vec<_>, SpecError>>()?;
    lines.steps(header.len(), |fields| {
        columns.iter().try_fold(NOTHING, |step, &(at, place)| {
            let (text, span) = &fields[at];
            let value = place.field.read(text).map(|value| with(step, place, value));
            value.or_else(|| place.straying(step, text)).ok_or_else(|| {
                let message = format!("`{text}` is not a value of a signal");
                source.error(span.clone(), message).help(format!("write {}", place.field.spellings()))
            })
        })
    })
}

/// The first of `,`, `;` and tab in the header.
fn separator(text: &str) -> u8 {
    let header = text.lines().next().unwrap_or("");
    header.bytes().find(|byte| matches!(byte, b',' | b';' | b'\t')).unwrap_or(b',')
}

fn label(source: &Source, alphabet: &Alphabet, (text, span): &Field<'_>) -> Result<Letter, SpecError> {
    alphabet.label(text).map_err(|error| source.error(span.clone(), error.to_string()))
}

/// The lines of the file, split into fields.
struct Records<'a> {
    source: &'a Source,
    separator: u8,
    at: usize,
}

impl<'a> Records<'a> {
    fn steps(
        self,
        columns: usize,
        mut step: impl FnMut(&[Field<'a>]) -> Result<Step, SpecError>,
    ) -> Result<Trace, SpecError> {
        let source = self.source;
        let mut trace = Trace::new();
        for fields in self {
            let fields = fields?;
            if fields.len() != columns {
                let span = fields.first().map_or(0, |(_, span)| span.start);
                let end = fields.last().map_or(span, |(_, span)| span.end);
                let plural = if fields.len() == 1 { "field" } else { "fields" };
                let message = format!("this line has {} {plural}, the header has {columns}", fields.len());
                return Err(source.error(span..end, message));
            }
            trace.push(step(&fields)?);
        }
        Ok(trace)
    }

    /// The field at the current place, up to a separator or the end of the line.
    fn field(&mut self) -> Result<Field<'a>, SpecError> {
        let text = &*self.source.text;
        let start = self.at;
        if text.as_bytes().get(start) == Some(&b'"') {
            return self.quoted();
        }
        let stop = |byte: &u8| matches!(byte, b'\n' | b'\r') || *byte == self.separator;
        let length = text.as_bytes()[start..].iter().position(stop).unwrap_or(text.len() - start);
        self.at += length;
        let field = &text[start..self.at];
        let content = field.trim();
        let start = start + (field.len() - field.trim_start().len());
        Ok((Cow::Borrowed(content), start..start + content.len()))
    }

    fn quoted(&mut self) -> Result<Field<'a>, SpecError> {
        let bytes = self.source.text.as_bytes();
        let start = self.at;
        let mut end = start + 1;
        loop {
            match (bytes.get(end), bytes.get(end + 1)) {
                (None, _) => {
                    let error = self.source.error(start..start + 1, "this quote is never closed");
                    return Err(error.help("a quote inside a field is written twice"));
                }
                (Some(b'"'), Some(b'"')) => end += 2,
                (Some(b'"'), _) => break,
                _ => end += 1,
            }
        }
        self.at = end + 1;
        let content = self.source.text[start + 1..end].replace("\"\"", "\"");
        match bytes.get(self.at) {
            None | Some(b'\n' | b'\r') => {}
            Some(byte) if *byte == self.separator => {}
            Some(_) => {
                let error =
                    self.source.error(self.at..self.at + 1, "expected the end of the field behind its quote");
                return Err(error);
            }
        }
        Ok((Cow::Owned(content), start..end + 1))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Vec<Field<'a>>, SpecError>;

    /// The next line that is not empty.
    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.source.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b'\n' | b'\r')) {
            self.at += 1;
        }
        if self.at >= bytes.len() {
            return None;
        }
        let mut fields = Vec::new();
        loop {
            match self.field() {
                Ok(field) => fields.push(field),
                Err(error) => {
                    self.at = bytes.len();
                    return Some(Err(error));
                }
            }
            match bytes.get(self.at) {
                Some(byte) if *byte == self.separator => self.at += 1,
                _ => return Some(Ok(fields)),
            }
        }
    }
}
