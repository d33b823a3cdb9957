//! `[signals]`: names, and what values they have.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use crate::diagnostic::{Source, SpecError, did_you_mean};
use crate::expression::RESERVED;
use crate::letter::{Alphabet, AlphabetError, Interface, Kind};
use crate::ltl::is_keyword;
use crate::system::{ELAPSED, elapsed_kind};

/// The most values of a number whose codes are exact.
const MOST: u64 = 1 << 20;

/// The signals of both directions.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Signals {
    pub inputs: Side,
    pub outputs: Side,
}

/// `["a", "b"]`, or a table of names and types, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Side(Vec<Declared>);

#[derive(Clone, Debug)]
struct Declared {
    name: Spanned<String>,
    /// A list of names has no types: they are Boolean.
    of: Option<Spanned<Written>>,
}

/// What stands behind a name.
#[derive(Clone, Debug)]
enum Written {
    /// `"0..6"`, `"bool"`
    Word(String),
    /// `["up", "down"]`
    Names(Vec<Spanned<String>>),
}

const WAYS: &str =
    "a list of names, or a table such as { call = \"0..6\", mode = [\"idle\", \"manual\"], door = \"bool\" }";
const TYPES: &str =
    "a type is \"bool\", a range such as \"0..6\", or a list of names such as [\"up\", \"down\"]";

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Side, D::Error> {
        deserializer.deserialize_any(SideVisitor)
    }
}

struct SideVisitor;

impl<'de> Visitor<'de> for SideVisitor {
    type Value = Side;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WAYS)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Side, A::Error> {
        let mut side = Vec::new();
        while let Some(name) = list.next_element()? {
            side.push(Declared { name, of: None });
        }
        Ok(Side(side))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Side, A::Error> {
        let mut side = Vec::new();
        while let Some((name, of)) = table.next_entry()? {
            side.push(Declared { name, of: Some(of) });
        }
        side.sort_by_key(|declared| declared.name.span().start);
        Ok(Side(side))
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Written, D::Error> {
        deserializer.deserialize_any(WrittenVisitor)
    }
}

struct WrittenVisitor;

impl<'de> Visitor<'de> for WrittenVisitor {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TYPES)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Written, E> {
        Ok(Written::Word(word.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Written, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = list.next_element()? {
            names.push(name);
        }
        Ok(Written::Names(names))
    }
}

impl Signals {
    /// The interface of these signals, to which what is measured is added where formulas are `timed`.
    pub(super) fn interface(
        &self,
        source: &Source,
        table: Range<usize>,
        timed: bool,
    ) -> Result<Interface, SpecError> {
        let kinds = |side: &Side| {
            side.0.iter().map(|declared| declared.kind(source)).collect::<Result<Vec<Kind>, SpecError>>()
        };
        let (inputs, outputs) = (kinds(&self.inputs)?, kinds(&self.outputs)?);
        let measured = timed.then(elapsed_kind);
        self.check_names(source, inputs.iter().chain(&outputs).chain(&measured))?;
        let at = |error: AlphabetError| source.error(table.clone(), error.to_string());
        let alphabet = |side: &Side, kinds: Vec<Kind>| {
            let names = side.0.iter().map(|declared| declared.name.get_ref().clone());
            Alphabet::of_fields(names.zip(kinds)).map_err(at)
        };
        Interface::new(alphabet(&self.inputs, inputs)?, alphabet(&self.outputs, outputs)?).map_err(at)
    }

    fn all(&self) -> impl Iterator<Item = &Declared> {
        self.inputs.0.iter().chain(&self.outputs.0)
    }

    /// Names stand in lines `name=0` and, where not all signals are Boolean, in expressions: they must not look like
    /// anything else there.
    fn check_names<'a>(
        &self,
        source: &Source,
        kinds: impl Iterator<Item = &'a Kind> + Clone,
    ) -> Result<(), SpecError> {
        let mut seen: Vec<&str> = Vec::new();
        for declared in self.all() {
            let (name, span) = (declared.name.get_ref().as_str(), declared.name.span());
            check_text(source, name, span.clone(), "the name of a signal", "a name")?;
            if seen.contains(&name) {
                return Err(source.error(span, format!("signal `{name}` is named twice")));
            }
            if name == ELAPSED {
                let error = source.error(span, format!("`{name}` is built in and cannot be declared"));
                return Err(error.help("it is how long the system took to answer; call the signal otherwise"));
            }
            seen.push(name);
        }
        if kinds.clone().all(|kind| *kind == Kind::Boolean) {
            return Ok(());
        }
        for declared in self.all() {
            let (name, span) = (declared.name.get_ref().as_str(), declared.name.span());
            check_word(source, name, span, "the name of a signal")?;
            for value in declared.values() {
                let (text, span) = (value.get_ref().as_str(), value.span());
                if seen.contains(&text) {
                    let message = format!("`{text}` is a signal, and a value of `{name}` here");
                    return Err(source.error(span, message).help("call one of them otherwise"));
                }
            }
        }
        for (declared, kind) in self.all().zip(kinds) {
            let bit = |other: &&&str| {
                let rest = other.strip_prefix(declared.name.get_ref().as_str());
                let power = rest.and_then(|rest| rest.strip_prefix('.'));
                power.is_some_and(|power| power.parse::<u32>().is_ok())
            };
            if let Some(other) = seen.iter().find(bit).filter(|_| *kind != Kind::Boolean) {
                let name = declared.name.get_ref();
                let message = format!("`{other}` is what automata call a bit of `{name}`");
                return Err(source.error(declared.name.span(), message).help("call one of them otherwise"));
            }
        }
        Ok(())
    }
}

impl Declared {
    fn values(&self) -> &[Spanned<String>] {
        match self.of.as_ref().map(Spanned::get_ref) {
            Some(Written::Names(names)) => names,
            _ => &[],
        }
    }

    fn kind(&self, source: &Source) -> Result<Kind, SpecError> {
        let Some(of) = &self.of else { return Ok(Kind::Boolean) };
        match of.get_ref() {
            Written::Word(word) if word.trim() == "bool" => Ok(Kind::Boolean),
            Written::Word(word) => match word.split_once("..") {
                Some((low, high)) => self.range(source, of.span(), low.trim(), high.trim()),
                None => {
                    let error = source.error(of.span(), format!("`{word}` is not a type"));
                    Err(error.help(did_you_mean(word, ["bool"]).unwrap_or_else(|| TYPES.to_owned())))
                }
            },
            Written::Names(names) => enumeration(source, of.span(), names),
        }
    }

    fn range(&self, source: &Source, span: Range<usize>, low: &str, high: &str) -> Result<Kind, SpecError> {
        let name = self.name.get_ref();
        let number = |text: &str| {
            text.parse::<i64>().map_err(|_| {
                let error = source.error(span.clone(), format!("`{text}` is not an integer"));
                error.help("a range is written with both of its ends, \"0..6\" or \"-3..3\"")
            })
        };
        let (low, high) = (number(low)?, number(high)?);
        if low > high {
            let error =
                source.error(span, format!("`{name}` would have no value: {low} is greater than {high}"));
            return Err(error.help("the smaller end of a range comes first"));
        }
        if high.abs_diff(low) >= MOST {
            let error = source.error(span, format!("`{name}` has too many values"));
            return Err(error.help(format!("a range has at most {MOST} values")));
        }
        Ok(Kind::Number { low, high })
    }
}

fn enumeration(source: &Source, span: Range<usize>, names: &[Spanned<String>]) -> Result<Kind, SpecError> {
    if names.is_empty() {
        return Err(source.error(span, "a signal needs at least one value").help("as in [\"up\", \"down\"]"));
    }
    for (number, name) in names.iter().enumerate() {
        let (text, span) = (name.get_ref().as_str(), name.span());
        check_text(source, text, span.clone(), "a value", "a value")?;
        check_word(source, text, span.clone(), "a value")?;
        if text.parse::<f64>().is_ok() {
            let error = source.error(span, format!("the value `{text}` is a number"));
            return Err(
                error.help("a range of integers is written \"0..6\"; names of values begin with a letter")
            );
        }
        if names[..number].iter().any(|known| known.get_ref() == text) {
            return Err(source.error(span, format!("the value `{text}` is named twice")));
        }
    }
    Ok(Kind::enumeration(names.iter().map(|name| name.get_ref().as_str())))
}

/// That a text can stand in a line `name=value`.
fn check_text(
    source: &Source,
    text: &str,
    span: Range<usize>,
    what: &str,
    short: &str,
) -> Result<(), SpecError> {
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '=' | '/' | '#' | '"');
    if text.is_empty() || text.contains(odd) {
        let error = source.error(span, format!("`{text}` cannot be {what}"));
        return Err(error.help(format!("{short} has no blanks and none of = / # \"")));
    }
    Ok(())
}

/// That a text is no word of formulas or expressions.
fn check_word(source: &Source, text: &str, span: Range<usize>, what: &str) -> Result<(), SpecError> {
    if RESERVED.contains(&text) || is_keyword(text) {
        let error = source.error(span, format!("`{text}` cannot be {what}: it is an operator or a constant"));
        return Err(error.help("call it otherwise, `is_...` or `..._on`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specification::Specification;

    fn read(signals: &str) -> Result<Interface, SpecError> {
        let text = format!("{signals}\n[[requirement]]\nid = \"R\"\nltl = \"true\"\n");
        Specification::from_text("t.toml".as_ref(), &text).map(|read| read.space.interface().clone())
    }

    #[test]
    fn signals_have_types() {
        let interface = read(
            "[signals.inputs]\ncall = \"0..6\"\ndoor = \"bool\"\nmode = [\"idle\", \"manual\"]\n\
             [signals]\noutputs = [\"a\", \"b\"]",
        );
        let interface = interface.unwrap_or_else(|error| panic!("{error}"));
        let kinds: Vec<String> = interface
            .inputs
            .fields()
            .iter()
            .map(|field| format!("{}: {}", field.name(), field.kind()))
            .collect();
        assert_eq!(kinds, ["call: 0..6", "door: bool", "mode: idle, manual"]);
        assert_eq!(interface.inputs.bits(), 5);
        assert!(interface.outputs.is_boolean());
        let interface = read("[signals]\ninputs = []\n[signals.outputs]\nt = \"-40 .. 999\"").unwrap();
        assert_eq!(interface.outputs.bits(), 11);
    }

    #[test]
    fn what_is_no_type_says_so_at_its_place() {
        let wrong = |types: &str| {
            let error =
                read(&format!("[signals]\ninputs = [\"a\"]\n[signals.outputs]\n{types}")).unwrap_err();
            (error.message().to_owned(), error.line_column().unwrap_or_default())
        };
        assert_eq!(wrong("x = \"6..0\""), ("`x` would have no value: 6 is greater than 0".into(), (4, 5)));
        assert_eq!(wrong("x = \"0..b\""), ("`b` is not an integer".into(), (4, 5)));
        assert_eq!(wrong("x = \"boolean\""), ("`boolean` is not a type".into(), (4, 5)));
        assert_eq!(wrong("x = []"), ("a signal needs at least one value".into(), (4, 5)));
        assert_eq!(wrong("x = [\"on\", \"on\"]"), ("the value `on` is named twice".into(), (4, 12)));
        assert_eq!(wrong("x = [\"a\", \"b\"]"), ("`a` is a signal, and a value of `x` here".into(), (4, 6)));
        assert_eq!(wrong("x = [\"1\", \"b\"]"), ("the value `1` is a number".into(), (4, 6)));
        assert_eq!(
            wrong("in = \"0..3\""),
            ("`in` cannot be the name of a signal: it is an operator or a constant".into(), (4, 1))
        );
        assert_eq!(
            wrong("x = [\"xor\"]"),
            ("`xor` cannot be a value: it is an operator or a constant".into(), (4, 6))
        );
        assert_eq!(
            wrong("elapsed_ms = \"0..9\""),
            ("`elapsed_ms` is built in and cannot be declared".into(), (4, 1))
        );
        assert_eq!(wrong("x = \"0..9999999\"").0, "`x` has too many values");
        let wide: Vec<String> = (0..14).map(|at| format!("x{at} = \"0..1000000\"")).collect();
        assert!(wrong(&wide.join("\n")).0.contains("take 280 bits, and at most 256 are supported: `x0` 20"));
    }
}
