//! Regular expressions in the protocol: which lines they mean, and the letters that their groups pick out.

use std::cell::RefCell;
use std::cmp::Ordering;

use regex::bytes::{CaptureLocations, Regex, RegexBuilder};
use serde::Deserialize;

use super::codec::{Reader, shown};
use super::error::Fault;
use super::protocol::Form;
use crate::letter::Letter;

/// The most bytes a compiled pattern may take: what a line costs grows with it.
const MOST: usize = 1 << 21;

/// A regular expression, found anywhere in a line unless it says `^` and `$`. Searching takes time linear in
/// the line, whatever the expression.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Pattern {
    text: String,
    regex: Regex,
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Pattern, String> {
        // In an answer of several lines `^` and `$` mean one of them.
        match RegexBuilder::new(&text).multi_line(true).size_limit(MOST).build() {
            Ok(regex) => Ok(Pattern { text, regex }),
            Err(error) => {
                let message = error.to_string();
                // A syntax error is a picture of several lines; the last says what is wrong.
                let why = message.lines().last().unwrap_or_default();
                let why = why.strip_prefix("error: ").unwrap_or(why);
                Err(format!("{text:?} is not a regular expression: {why}"))
            }
        }
    }
}

impl Pattern {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn is_in(&self, line: &[u8]) -> bool {
        self.regex.is_match(line)
    }

    /// Whether there is a group with this name.
    pub(super) fn has_group(&self, name: &str) -> bool {
        self.regex.capture_names().flatten().any(|known| known == name)
    }

    /// Where the pattern is found, what its named group holds; nothing where that takes no part.
    pub(super) fn group<'a>(&self, name: &str, line: &'a [u8]) -> Option<&'a [u8]> {
        self.regex.captures(line)?.name(name).map(|found| found.as_bytes())
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl PartialOrd for Pattern {
    fn partial_cmp(&self, other: &Pattern) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pattern {
    fn cmp(&self, other: &Pattern) -> Ordering {
        self.text.cmp(&other.text)
    }
}

/// The groups of a pattern, and what each of them is about.
#[derive(Debug)]
pub(super) struct Groups {
    pattern: Pattern,
    /// Numbers of groups with the positions of their signals or labels.
    means: Vec<(usize, usize)>,
    /// The group that holds the text of a label.
    label: Option<usize>,
    /// Where groups were found last, kept so that reading an answer does not allocate.
    found: RefCell<CaptureLocations>,
}

impl Reader {
    /// Finds out what the named groups of a pattern mean; the error says which one means nothing.
    pub(super) fn groups(&self, pattern: &Pattern) -> Result<Groups, String> {
        let mut means = Vec::new();
        let mut label = None;
        for (number, name) in pattern.regex.capture_names().enumerate() {
            let Some(name) = name else { continue };
            match self.spelt(name.as_bytes()) {
                Some(at) => means.push((number, at)),
                None if self.labelled && name == "label" => label = Some(number),
                None => {
                    let unknown = self.outputs.unknown(self.outputs.what(), name);
                    return Err(format!("a group is named for an {unknown}"));
                }
            }
        }
        if self.labelled {
            return match (label, means.is_empty()) {
                (None, true) => Err("it needs a group (?<label>...), or groups named for labels".into()),
                (Some(_), false) => {
                    Err("a group `label` and groups named for labels exclude each other".into())
                }
                _ => Ok(self.with(pattern, means, label)),
            };
        }
        let mut names = self.outputs.names().enumerate();
        match names.find(|(at, _)| means.iter().all(|(_, known)| known != at)) {
            Some((_, name)) => Err(format!("no group is named for the signal `{name}`: (?<{name}>...)")),
            None => Ok(self.with(pattern, means, None)),
        }
    }

    fn with(&self, pattern: &Pattern, means: Vec<(usize, usize)>, label: Option<usize>) -> Groups {
        let found = RefCell::new(pattern.regex.capture_locations());
        Groups { pattern: pattern.clone(), means, label, found }
    }

    /// The letter that the groups pick out of an answer.
    pub(super) fn picked(&self, groups: &Groups, answer: &[u8]) -> Result<Letter, Fault> {
        let mut found = groups.found.borrow_mut();
        if groups.pattern.regex.captures_read(&mut found, answer).is_none() {
            return Err(Fault::NotAnAnswer(format!("it does not match {:?}", groups.pattern.text)));
        }
        let text = |number| found.get(number).map(|(start, end)| &answer[start..end]);
        if let Some(label) = groups.label {
            return match text(label) {
                Some(text) => self.label(text.trim_ascii()),
                None => Err(Fault::NotAnAnswer("the group `label` took no part in the match".into())),
            };
        }
        let mut letter = Letter::default();
        let mut seen = Letter::default();
        let mut labels = None;
        for &(number, at) in &groups.means {
            let Some(text) = text(number) else { continue };
            if self.labelled {
                let label = Letter::from_index(at as u64);
                if let Some(other) = labels.replace(label).filter(|&other| other != label) {
                    let (one, other) = (self.outputs.show(other), self.outputs.show(label));
                    return Err(Fault::NotAnAnswer(format!("it is both `{one}` and `{other}`")));
                }
                continue;
            }
            let field = &self.outputs.fields()[at];
            let taken = match self.form {
                Form::Names => field.set(letter, self.truth(field, true)?),
                _ => self.word(letter, at, text.trim_ascii())?,
            };
            if seen.get(at) && taken != letter {
                return Err(Fault::Twice(field.name().to_owned()));
            }
            seen = seen.with(at, true);
            letter = taken;
        }
        match (self.labelled, labels) {
            (true, Some(label)) => Ok(label),
            (true, None) => Err(Fault::NotAnAnswer(format!("no group took part in `{}`", shown(answer)))),
            (false, _) if self.form == Form::Names => Ok(letter),
            (false, _) => match (0..self.outputs.len()).any(|at| !seen.get(at)) {
                true => Err(self.first_missing(seen)),
                false => Ok(letter),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::codec::Codec;
    use super::super::protocol::Protocol;
    use super::*;
    use crate::letter::Interface;

    fn codec(interface: &Interface, options: &str) -> Result<Codec, String> {
        Codec::new(interface, &toml::from_str::<Protocol>(options).unwrap())
    }

    #[test]
    fn groups_pick_signals_out_of_a_line() {
        let interface = Interface::signals(["a"], ["x", "y-z"]).unwrap();
        let options = r#"
            reply_pattern = 'at \d+: y(?<yz>on|off).* x(?P<x>on|off)'
            read = { "y-z" = "yz" }
            true = "on"
            false = "off"
        "#;
        let codec = codec(&interface, options).unwrap();
        assert_eq!(codec.read(b"log at 12: yon, xoff;"), Ok(Letter::from_index(2)));
        let fault = codec.read(b"at x").unwrap_err().to_string();
        assert!(fault.starts_with("not an answer: it does not match \"at "), "{fault}");
    }

    #[test]
    fn groups_that_take_part_are_true_by_name() {
        let interface = Interface::signals(["a"], ["x", "y"]).unwrap();
        let optional = "reply_pattern = '^(?<x>X)?(?<y>Y)?$'";
        let names = codec(&interface, &format!("form = \"names\"\n{optional}")).unwrap();
        for (line, letter) in [("", 0), ("X", 1), ("Y", 2), ("XY", 3)] {
            assert_eq!(names.read(line.as_bytes()), Ok(Letter::from_index(letter)));
        }
        let pairs = codec(&interface, "reply_pattern = '^x(?<x>1)?y(?<y>.)$'").unwrap();
        assert_eq!(pairs.read(b"x1y0"), Ok(Letter::from_index(1)));
        assert_eq!(pairs.read(b"xy0"), Err(Fault::Missing("x".into())));
        assert!(pairs.read(b"x1y7").unwrap_err().to_string().contains("`7` is neither `1` nor `0`"));
    }

    #[test]
    fn labels_by_a_group_or_by_many() {
        let interface = Interface::labels(["get"], ["hit", "miss"]).unwrap();
        let one =
            codec(&interface, "reply_pattern = 'cache (?<label>\\w+)'\nread = { hit = \"HIT\" }").unwrap();
        assert_eq!(one.read(b"cache HIT"), Ok(Letter::from_index(0)));
        assert_eq!(one.read(b"cache miss"), Ok(Letter::from_index(1)));
        assert_eq!(
            one.read(b"cache hot").unwrap_err(),
            Fault::Unknown("unknown label `hot` (did you mean `hit`?)".into())
        );
        let many = codec(&interface, "reply_pattern = '(?<hit>^VALUE)|(?<miss>^END)'").unwrap();
        assert_eq!(many.read(b"END"), Ok(Letter::from_index(1)));
        assert_eq!(many.read_several(b"VALUE n\n1\nEND", None), Ok(Letter::from_index(0)));
        let both = codec(&interface, "reply_pattern = '(?<hit>a)(?<miss>b)?'").unwrap();
        assert_eq!(both.read(b"ab").unwrap_err().to_string(), "not an answer: it is both `hit` and `miss`");
    }

    #[test]
    fn faulty_patterns_say_why() {
        let interface = Interface::signals(["a"], ["x", "y"]).unwrap();
        let wrong = |pattern: &str| codec(&interface, &format!("reply_pattern = '{pattern}'")).unwrap_err();
        assert_eq!(
            wrong("(?<x>.)(?<yy>.)"),
            "reply_pattern: a group is named for an unknown signal `yy` (did you mean `y`?)"
        );
        assert_eq!(wrong("(?<x>.)"), "reply_pattern: no group is named for the signal `y`: (?<y>...)");
        let error = toml::from_str::<Protocol>("reply_pattern = '(a'").unwrap_err();
        assert_eq!(error.message(), "\"(a\" is not a regular expression: unclosed group");
        let huge = toml::from_str::<Protocol>("reply_pattern = '((a{1000}){1000}){1000}'").unwrap_err();
        assert!(huge.message().contains("size limit"), "{huge}");
    }
}
