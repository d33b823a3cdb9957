//! Letters as lines of text, written and read without allocating.

use rustc_hash::FxHashMap;

use super::error::Fault;
use super::json::{INPUT, quoted};
use super::pattern::Groups;
use super::protocol::{Form, Protocol};
use crate::letter::{Alphabet, Field, Interface, Labels, Letter, Value};

/// The most bytes of a line that are repeated in a message.
const SHOWN: usize = 200;

/// Writes input letters and reads output letters.
#[derive(Debug)]
pub(super) struct Codec {
    writer: Writer,
    reader: Reader,
}

#[derive(Debug)]
enum Writer {
    /// The line of each label that was known at the start; how those are written that are met later.
    Labels { lines: Vec<Vec<u8>>, later: Option<(Alphabet, Box<Protocol>)> },
    /// What stands for each field; what stands before, between and after them.
    Fields { pieces: Vec<Piece>, before: Vec<u8>, separator: Vec<u8>, after: Vec<u8> },
}

/// What stands for a field.
#[derive(Debug)]
enum Piece {
    /// The text when a bit is false and when it is true.
    Truth { bit: usize, texts: [Vec<u8>; 2] },
    /// A name, and the value behind it.
    Spelt { field: Field, name: String, json: bool },
}

/// Reads letters in every form; the forms that are no plain text have files of their own.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) outputs: Alphabet,
    /// Whether answers are labels.
    pub(super) labelled: bool,
    // invariant: maps to codes of labels, or to positions of signals in `outputs`.
    names: FxHashMap<Box<[u8]>, u32>,
    /// The spelling that position `i` most likely has.
    likely: Vec<Box<[u8]>>,
    pub(super) form: Form,
    separator: Vec<u8>,
    assign: Vec<u8>,
    yes: Vec<u8>,
    no: Vec<u8>,
    groups: Option<Groups>,
}

impl Codec {
    /// The codec of a protocol that passed [`Protocol::check`]; two spellings of different letters must
    /// differ.
    pub(super) fn new(interface: &Interface, protocol: &Protocol) -> Result<Codec, String> {
        Ok(Codec {
            writer: Writer::new(&interface.inputs, protocol),
            reader: Reader::new(&interface.outputs, protocol)?,
        })
    }

    /// Replaces `line` by the line for an input, line end included.
    #[inline]
    pub(super) fn write(&self, input: Letter, line: &mut Vec<u8>) {
        line.clear();
        match &self.writer {
            Writer::Labels { lines, later } => match (lines.get(input.index() as usize), later) {
                (Some(text), _) => line.extend_from_slice(text),
                (None, Some((inputs, protocol))) => write_later(inputs, protocol, input, line),
                // An index outside the alphabet cannot come from a letter of it.
                (None, None) => {}
            },
            Writer::Fields { pieces, before, separator, after } => {
                line.extend_from_slice(before);
                for piece in pieces {
                    let between = line.len() > before.len();
                    match piece {
                        Piece::Truth { bit, texts } => {
                            let text = &texts[usize::from(input.get(*bit))];
                            if between && !text.is_empty() {
                                line.extend_from_slice(separator);
                            }
                            line.extend_from_slice(text);
                        }
                        Piece::Spelt { field, name, json } => {
                            if between {
                                line.extend_from_slice(separator);
                            }
                            write_value(field, name, *json, input, line);
                        }
                    }
                }
                line.extend_from_slice(after);
            }
        }
    }

    /// Reads an answer of one line, given without its line end.
    #[inline]
    pub(super) fn read(&self, line: &[u8]) -> Result<Letter, Fault> {
        let reader = &self.reader;
        let line = line.trim_ascii();
        if let Some(groups) = &reader.groups {
            return reader.picked(groups, line);
        }
        match (reader.labelled, reader.form) {
            (_, Form::Json) => reader.json(line),
            (true, _) => reader.label(line),
            (false, Form::Pairs) => reader.pairs(line),
            (false, Form::Names) => reader.true_names(line),
            (false, Form::Values) => reader.values(line),
            (false, Form::Torx) => Err(Fault::NotAnAnswer("signals have no events".into())),
        }
    }

    /// Reads an answer of several lines: one of them, from 1, or what they say together. Patterns and labels
    /// may be about all of them; everything else stands in one, the first unless told otherwise.
    pub(super) fn read_several(&self, lines: &[u8], which: Option<usize>) -> Result<Letter, Fault> {
        let reader = &self.reader;
        if which.is_none() {
            if reader.groups.is_some() {
                return self.read(lines);
            }
            if reader.labelled
                && let Some(at) = reader.spelt(lines.trim_ascii())
            {
                return Ok(Letter::from_index(at as u64));
            }
        }
        let wanted = which.unwrap_or(1);
        match lines.split(|&byte| byte == b'\n').nth(wanted - 1) {
            Some(line) => self.read(line),
            None => {
                let count = 1 + lines.iter().filter(|&&byte| byte == b'\n').count();
                let message = format!("it ends after line {count}, and line {wanted} was to be read");
                Err(Fault::NotAnAnswer(message))
            }
        }
    }
}

impl Writer {
    fn new(inputs: &Alphabet, protocol: &Protocol) -> Writer {
        let json = protocol.form == Form::Json;
        if let Some(labels) = inputs.as_labels() {
            // Members of families have codes far beyond these, and are written like those that are met later.
            let first = labels.iter().zip(0..).take_while(|((label, _), at)| label.index() == *at);
            let lines = first.map(|((_, name), _)| label_line(protocol, name)).collect();
            let later = labels.is_open().then(|| (inputs.clone(), Box::new(protocol.clone())));
            return Writer::Labels { lines, later };
        }
        let text = |field: &Field, value: bool| {
            let word = if value { &protocol.yes } else { &protocol.no };
            let text = match protocol.form {
                Form::Json => format!("{}:{value}", quoted(&spelling(protocol, field.name()))),
                Form::Pairs => spelling(protocol, field.name()) + &protocol.assign + word,
                Form::Names if value => spelling(protocol, field.name()),
                Form::Names => String::new(),
                Form::Values | Form::Torx => word.clone(),
            };
            text.into_bytes()
        };
        let piece = |field: &Field| match field.is_boolean() {
            true => Piece::Truth { bit: field.bits().start, texts: [text(field, false), text(field, true)] },
            false => {
                let name = match protocol.form {
                    Form::Json => quoted(&spelling(protocol, field.name())) + ":",
                    Form::Pairs | Form::Names => spelling(protocol, field.name()) + &protocol.assign,
                    Form::Values | Form::Torx => String::new(),
                };
                Piece::Spelt { field: field.clone(), name, json }
            }
        };
        Writer::Fields {
            pieces: inputs.fields().iter().map(piece).collect(),
            before: if json { b"{".to_vec() } else { Vec::new() },
            separator: if json { b",".to_vec() } else { protocol.separator.clone().into_bytes() },
            after: protocol.line(if json { "}" } else { "" }),
        }
    }
}

/// How a name is written.
fn spelling(protocol: &Protocol, name: &str) -> String {
    match protocol.write.get(name).map_or(name, String::as_str) {
        text if protocol.form == Form::Json => text.to_owned(),
        text => protocol.with_line_ends(text),
    }
}

/// The line of an input that is a label.
fn label_line(protocol: &Protocol, name: &str) -> Vec<u8> {
    let text = spelling(protocol, name);
    match protocol.form {
        Form::Json => protocol.line(&format!("{{{}:{}}}", quoted(INPUT), quoted(&text))),
        Form::Torx => protocol.line(&format!("C_INPUT event={text}")),
        _ => protocol.line(&text),
    }
}

/// Writes a label that was not known when the codec was made.
#[cold]
fn write_later(inputs: &Alphabet, protocol: &Protocol, input: Letter, line: &mut Vec<u8>) {
    let name = inputs.as_labels().and_then(|labels| labels.name(input));
    line.extend(name.map(|name| label_line(protocol, name)).unwrap_or_default());
}

/// Writes a value that is neither true nor false.
fn write_value(field: &Field, name: &str, json: bool, input: Letter, line: &mut Vec<u8>) {
    let value = field.get(input);
    let text = match json {
        true => format!("{name}{}", field.show_json(value)),
        false => format!("{name}{}", field.show(value)),
    };
    line.extend_from_slice(text.as_bytes());
}

impl Reader {
    fn new(outputs: &Alphabet, protocol: &Protocol) -> Result<Reader, String> {
        let mut names = FxHashMap::default();
        let mut likely = Vec::new();
        let labels = outputs.as_labels().into_iter().flat_map(Labels::iter);
        let labels = labels.map(|(label, name)| (label.index() as usize, name));
        let fields = outputs.fields().iter().map(Field::name).enumerate();
        for (at, name) in labels.chain(fields) {
            let own = [name.to_owned()];
            let texts = protocol.read.get(name).map_or(&own[..], |spellings| spellings.texts());
            // Lines of an answer are joined by single line ends.
            let plain = |text: &str| text.replace("\r\n", "\n").trim().as_bytes().into();
            likely.push(plain(texts.first().map_or(name, String::as_str)));
            for text in texts {
                if names.insert(plain(text), at as u32).is_some() {
                    return Err(format!("read: `{text}` means two things"));
                }
            }
        }
        let bytes = |text: &String| text.clone().into_bytes();
        let mut reader = Reader {
            outputs: outputs.clone(),
            labelled: outputs.as_labels().is_some(),
            names,
            likely,
            form: protocol.form,
            separator: bytes(&protocol.separator),
            assign: bytes(&protocol.assign),
            yes: bytes(&protocol.yes),
            no: bytes(&protocol.no),
            groups: None,
        };
        if let Some(pattern) = &protocol.reply_pattern {
            reader.groups = Some(reader.groups(pattern).map_err(|error| format!("reply_pattern: {error}"))?);
        }
        Ok(reader)
    }

    /// The position of the signal or label that is spelt like this.
    pub(super) fn spelt(&self, text: &[u8]) -> Option<usize> {
        self.names.get(text).map(|&at| at as usize)
    }

    pub(super) fn label(&self, line: &[u8]) -> Result<Letter, Fault> {
        match self.names.get(line) {
            Some(&at) => Ok(Letter::from_index(u64::from(at))),
            None => self.new_label(line),
        }
    }

    /// A label that had no spelling when the codec was made: an open alphabet takes it in.
    #[cold]
    fn new_label(&self, line: &[u8]) -> Result<Letter, Fault> {
        let unknown = || Fault::Unknown(self.outputs.unknown("label", &shown(line)).to_string());
        match (std::str::from_utf8(line), self.outputs.as_labels().is_some_and(Labels::is_open)) {
            (Ok(name), true) => match self.outputs.label(name) {
                // Those that were known are spelt otherwise.
                Ok(letter) if self.names.values().any(|&at| u64::from(at) == letter.index()) => {
                    Err(unknown())
                }
                Ok(letter) => Ok(letter),
                Err(error) => Err(Fault::Unknown(error.to_string())),
            },
            _ => Err(unknown()),
        }
    }

    fn pairs(&self, line: &[u8]) -> Result<Letter, Fault> {
        let mut letter = Letter::default();
        let mut seen = Letter::default();
        let mut count = 0;
        for pair in self.parts(line) {
            let Some(place) = find(pair, &self.assign) else {
                let message = format!("`{}` has no `{}`", shown(pair), shown(&self.assign));
                return Err(Fault::NotAnAnswer(message));
            };
            let at = self.position(count, pair[..place].trim_ascii_end())?;
            let taken = self.word(letter, at, pair[place + self.assign.len()..].trim_ascii_start())?;
            self.once(at, seen)?;
            seen = seen.with(at, true);
            letter = taken;
            count += 1;
        }
        match count == self.likely.len() {
            true => Ok(letter),
            false => Err(self.first_missing(seen)),
        }
    }

    fn true_names(&self, line: &[u8]) -> Result<Letter, Fault> {
        let mut letter = Letter::default();
        let mut seen = Letter::default();
        for (count, name) in self.parts(line).enumerate() {
            let at = self.position(count, name)?;
            let field = &self.outputs.fields()[at];
            self.once(at, seen)?;
            seen = seen.with(at, true);
            letter = field.set(letter, self.truth(field, true)?);
        }
        Ok(letter)
    }

    fn values(&self, line: &[u8]) -> Result<Letter, Fault> {
        let fields = self.outputs.fields();
        let mut letter = Letter::default();
        let mut count = 0;
        let mut take = |word: &[u8]| {
            if count == fields.len() {
                return Err(Fault::NotAnAnswer(format!("more than {} values", fields.len())));
            }
            letter = self.word(letter, count, word)?;
            count += 1;
            Ok(())
        };
        if self.separator.is_empty() {
            line.chunks(self.yes.len()).try_for_each(&mut take)?;
        } else {
            self.parts(line).try_for_each(&mut take)?;
        }
        match fields.get(count) {
            None => Ok(letter),
            Some(field) => Err(Fault::Missing(field.name().to_owned())),
        }
    }

    /// The parts of a line between separators, without blanks around them and without empty ones.
    fn parts<'a>(&'a self, line: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let blank = self.separator.trim_ascii().is_empty();
        let mut rest = line;
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let (end, next) = if blank {
                    let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
                    (end, (end + 1).min(rest.len()))
                } else {
                    let end = find(rest, &self.separator).unwrap_or(rest.len());
                    (end, (end + self.separator.len()).min(rest.len()))
                };
                let part = rest[..end].trim_ascii();
                rest = &rest[next..];
                if !part.is_empty() {
                    return Some(part);
                }
            }
            None
        })
    }

    /// The position of a signal, given where it most likely is.
    pub(super) fn position(&self, likely: usize, name: &[u8]) -> Result<usize, Fault> {
        if self.likely.get(likely).is_some_and(|likely| **likely == *name) {
            return Ok(likely);
        }
        match self.names.get(name) {
            Some(&at) => Ok(at as usize),
            None => Err(Fault::Unknown(self.outputs.unknown("signal", &shown(name)).to_string())),
        }
    }

    /// The letter with the value of a field that a word means.
    #[inline]
    pub(super) fn word(&self, letter: Letter, at: usize, word: &[u8]) -> Result<Letter, Fault> {
        let field = &self.outputs.fields()[at];
        match field.is_boolean() {
            true => Ok(field.set(letter, self.truth_of(field, word)?)),
            false => {
                let taken =
                    std::str::from_utf8(word).ok().and_then(|word| self.outputs.taking(letter, at, word));
                taken
                    .ok_or_else(|| Fault::NotAnAnswer(format!("`{}` is not {}", shown(word), field.values())))
            }
        }
    }

    /// The truth value that a word means.
    #[inline]
    fn truth_of(&self, field: &Field, word: &[u8]) -> Result<Value, Fault> {
        match (self.form, word) {
            (Form::Json, b"true") => return self.truth(field, true),
            (Form::Json, b"false") => return self.truth(field, false),
            _ => {}
        }
        if word == self.yes {
            return self.truth(field, true);
        }
        if word == self.no {
            return self.truth(field, false);
        }
        let (yes, no) = (shown(&self.yes), shown(&self.no));
        Err(Fault::NotAnAnswer(format!("`{}` is neither `{yes}` nor `{no}`", shown(word))))
    }

    /// The value of a field that is true or false; other fields have none.
    #[inline]
    pub(super) fn truth(&self, field: &Field, truth: bool) -> Result<Value, Fault> {
        field
            .of_truth(truth)
            .ok_or_else(|| Fault::NotAnAnswer(format!("signal `{}` is {}", field.name(), field.values())))
    }

    pub(super) fn once(&self, at: usize, seen: Letter) -> Result<(), Fault> {
        match seen.get(at) {
            false => Ok(()),
            true => Err(Fault::Twice(self.name(at))),
        }
    }

    pub(super) fn first_missing(&self, seen: Letter) -> Fault {
        let missing = (0..self.likely.len()).find(|&at| !seen.get(at)).unwrap_or(0);
        Fault::Missing(self.name(missing))
    }

    fn name(&self, at: usize) -> String {
        self.outputs.fields().get(at).map(|field| field.name().to_owned()).unwrap_or_default()
    }
}

fn find(text: &[u8], pattern: &[u8]) -> Option<usize> {
    match pattern {
        [] => Some(0),
        [byte] => text.iter().position(|at| at == byte),
        _ => text.windows(pattern.len()).position(|window| window == pattern),
    }
}

/// Bytes of the system as they can stand in a message: cut, and with control characters escaped.
pub(super) fn shown(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(SHOWN)];
    let mut text = String::new();
    for character in String::from_utf8_lossy(cut).chars() {
        match character.is_control() {
            true => text.extend(character.escape_default()),
            false => text.push(character),
        }
    }
    if bytes.len() > SHOWN {
        text.push_str("...");
    }
    text
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::letter::Kind;

    pub(in crate::system) fn codec(interface: &Interface, options: &str) -> Codec {
        let protocol: Protocol = toml::from_str(options).unwrap();
        protocol.check(interface).unwrap();
        Codec::new(interface, &protocol).unwrap()
    }

    pub(in crate::system) fn written(codec: &Codec, input: u64) -> String {
        let mut line = Vec::new();
        codec.write(Letter::from_index(input), &mut line);
        String::from_utf8(line).unwrap()
    }

    fn signals() -> Interface {
        Interface::signals(["a", "b", "c"], ["x", "y"]).unwrap()
    }

    #[test]
    fn pairs_by_default() {
        let codec = codec(&signals(), "");
        assert_eq!(written(&codec, 0b101), "a=1 b=0 c=1\n");
        assert_eq!(codec.read(b"x=0 y=1"), Ok(Letter::from_index(2)));
        assert_eq!(codec.read(b"  y=1\tx=0 \r"), Ok(Letter::from_index(2)));
        assert_eq!(codec.read(b"x=0"), Err(Fault::Missing("y".into())));
        assert_eq!(codec.read(b""), Err(Fault::Missing("x".into())));
        assert_eq!(codec.read(b"x=0 x=0 y=1"), Err(Fault::Twice("x".into())));
        assert_eq!(codec.read(b"x=0 y=1 z=1"), Err(Fault::Unknown("unknown signal `z`".into())));
        let word = codec.read(b"x=0 y=2").unwrap_err();
        assert_eq!(word.to_string(), "not an answer: `2` is neither `1` nor `0`");
        let garbage = codec.read(b"\x01\xffhello").unwrap_err();
        assert_eq!(garbage.to_string(), "not an answer: `\\u{1}\u{fffd}hello` has no `=`");
    }

    #[test]
    fn every_form_bends() {
        let names = codec(&signals(), "form = \"names\"\nseparator = \",\"\nwrite = { b = \"BEE\" }");
        assert_eq!(written(&names, 0b110), "BEE,c\n");
        assert_eq!(written(&names, 0), "\n");
        assert_eq!(names.read(b"y, x"), Ok(Letter::from_index(3)));
        assert_eq!(names.read(b""), Ok(Letter::from_index(0)));
        let values = codec(&signals(), "form = \"values\"\nseparator = \"\"");
        assert_eq!(written(&values, 0b110), "011\n");
        assert_eq!(values.read(b"01"), Ok(Letter::from_index(2)));
        assert_eq!(values.read(b"0"), Err(Fault::Missing("y".into())));
        assert!(values.read(b"011").is_err());
        let words = codec(&signals(), "separator = \"; \"\nassign = \": \"\ntrue = \"on\"\nfalse = \"off\"");
        assert_eq!(written(&words, 1), "a: on; b: off; c: off\n");
        assert_eq!(words.read(b"x: on; y: off"), Ok(Letter::from_index(1)));
    }

    #[test]
    fn labels_by_table() {
        let interface = Interface::labels(["coin", "wait"], ["tea", "quiet"]).unwrap();
        let codec = codec(&interface, "write = { wait = \"\" }\nread = { tea = [\"TEA\", \"Tea!\"] }");
        assert_eq!((written(&codec, 0), written(&codec, 1)), ("coin\n".into(), "\n".into()));
        assert_eq!(codec.read(b"Tea!\r"), Ok(Letter::from_index(0)));
        assert_eq!(codec.read(b"quiet"), Ok(Letter::from_index(1)));
        assert_eq!(codec.read(b"tee").unwrap_err().to_string(), "unknown label `tee` (did you mean `tea`?)");
    }

    #[test]
    fn one_spelling_cannot_mean_two_labels() {
        let interface = Interface::labels(["a"], ["x", "y"]).unwrap();
        let protocol: Protocol = toml::from_str("read = { x = \"y\" }").unwrap();
        assert_eq!(Codec::new(&interface, &protocol).unwrap_err(), "read: `y` means two things");
    }

    #[test]
    fn fields_that_are_not_boolean_are_spelt() {
        let level = || ("level", Kind::Number { low: -1, high: 1 });
        let alphabet = |name| Alphabet::of_fields([(name, Kind::Boolean), level()]).unwrap();
        let (inputs, outputs) = (alphabet("a"), alphabet("x"));
        let interface = Interface::new(inputs.clone(), Alphabet::of_fields([("x", Kind::Boolean)]).unwrap());
        let out = |options: &str| {
            let mut line = Vec::new();
            codec(&interface.clone().unwrap(), options)
                .write(inputs.parse("level=-1 a=1").unwrap(), &mut line);
            String::from_utf8(line).unwrap()
        };
        assert_eq!(out(""), "a=1 level=-1\n");
        assert_eq!(out("form = \"values\"\ntrue = \"on\"\nfalse = \"off\""), "on -1\n");
        assert_eq!(out("form = \"json\"\nwrite = { level = \"l\" }"), "{\"a\":true,\"l\":-1}\n");
        let interface = Interface::new(Alphabet::signals(["a"]).unwrap(), outputs.clone()).unwrap();
        let read = |options: &str, line: &str| codec(&interface, options).read(line.as_bytes());
        let wanted = outputs.parse("x=1 level=-1");
        for (options, line) in [
            ("", "x=1 level=-1"),
            ("", "level=-1 x=1"),
            ("form = \"values\"", "1 -1"),
            ("form = \"json\"", r#"{"x":true,"level":-1}"#),
            ("reply_pattern = '(?<x>.)@(?<level>.+)'", "1@-1"),
        ] {
            assert_eq!(read(options, line).ok(), wanted.as_ref().ok().copied(), "{line}");
        }
        for (options, line, message) in [
            ("", "x=1 level=high", "not an answer: `high` is not a number from -1 to 1"),
            ("", "x=1", "signal `level` is missing"),
            (
                "form = \"json\"",
                r#"{"x":1,"level":"high"}"#,
                "not an answer: invalid type: string \"high\", expected a number from -1 to 1",
            ),
        ] {
            assert_eq!(read(options, line).unwrap_err().to_string(), message);
        }
        // A number out of its range is an answer, for its range to be judged.
        for (options, line) in [("", "x=1 level=2"), ("form = \"json\"", r#"{"x":true,"level":2}"#)] {
            let strays = read(options, line).unwrap();
            assert!(outputs.is_stray(strays));
            assert_eq!(interface.outputs.show(strays).to_string(), "x=1 level=2", "{line}");
        }
    }

    #[test]
    fn an_open_alphabet_takes_in_what_the_system_says() {
        let open = |names: &[&str]| Alphabet::open_labels(names.iter().copied()).unwrap();
        let interface = Interface::new(open(&["start"]), open(&["ok"])).unwrap();
        for (options, write, read) in [
            ("read = { ok = \"OK\" }", "put(1)\n", ["OK", "got(1)", "got(2)"]),
            (
                "form = \"json\"",
                "{\"input\":\"put(1)\"}\n",
                [r#"{"output":"ok"}"#, r#"{"output":"got(1)"}"#, r#"{"output":"got(2)"}"#],
            ),
        ] {
            let codec = codec(&interface, options);
            assert_eq!(read.map(|line| codec.read(line.as_bytes()).unwrap().index()), [0, 1, 2]);
            // Taken in after the codec was made.
            let put = interface.inputs.label("put(1)").unwrap();
            assert_eq!(written(&codec, put.index()), write);
            assert!(codec.read(b"\xff").is_err());
        }
        assert_eq!(interface.outputs.names().collect::<Vec<_>>(), ["ok", "got(1)", "got(2)"]);
        let codec = codec(&interface, "read = { ok = \"OK\" }");
        assert_eq!(codec.read(b"ok").unwrap_err().to_string(), "unknown label `ok` (did you mean `ok`?)");
        assert_eq!(codec.read(b"got(2)").map(Letter::index), Ok(2));
        assert_eq!(codec.read(b"got(3)").map(Letter::index), Ok(3));
    }

    proptest! {
        #[test]
        fn what_the_alphabet_shows_is_read(bits in any::<u64>(), signals in 1usize..64) {
            let names: Vec<String> = (0..signals).map(|at| format!("s{at}")).collect();
            let interface = Interface::signals(vec![], names).unwrap();
            let letter = Letter::from_index(bits & (u64::MAX >> (64 - signals)));
            let line = interface.outputs.show(letter).to_string();
            prop_assert_eq!(codec(&interface, "").read(line.as_bytes()), Ok(letter));
        }

        #[test]
        fn every_line_is_an_answer_or_a_fault(line in proptest::collection::vec(any::<u8>(), 0..60), form in 0usize..3) {
            let form = ["pairs", "names", "values"][form];
            let codec = codec(&signals(), &format!("form = \"{form}\"\nseparator = \",\""));
            // Two signals have four letters.
            prop_assert!(codec.read(&line).is_ok_and(|letter| letter.index() < 4) || codec.read(&line).is_err());
        }
    }
}
