//! `[signals]`: names, and what values they have.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use crate::diagnostic::{Source, SpecError, did_you_mean};
use crate::expression::RESERVED;
use crate::letter::{ALL_DIGITS, Alphabet, AlphabetError, Finite, Interface, Kind, MAX_SIGNALS};
use crate::ltl::is_keyword;
use crate::system::{ELAPSED, elapsed_kind};

/// The most steps from one end of a range of decimal numbers to the other: each is exact in floating point.
const MOST_UNITS: f64 = (1u64 << 53) as f64;

/// So many places behind the point are sent at least, and so many at most.
const PLACES: (u8, u8) = (2, 15);

/// So many digits of a number that is answered are kept however many there are of them.
const FEWEST_DIGITS: u8 = 6;

/// Room that numbers leave to others: to what strays, and to comparisons of which a game sees whether they are true.
const RESERVED_BITS: usize = 32;

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
    /// `{ real = [-5.0, 5.0] }`
    Real([f64; 2]),
}

/// An end of a range that need not be whole.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum End {
    Whole(i64),
    Real(f64),
}

const WAYS: &str =
    "a list of names, or a table such as { call = \"0..6\", mode = [\"idle\", \"manual\"], door = \"bool\" }";
const TYPES: &str = "a type is \"bool\", a range such as \"0..6\", a list of names such as [\"up\", \"down\"], \"real\", or { real = [-5.0, 5.0] }";

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

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Written, A::Error> {
        let found: Option<(String, [End; 2])> = table.next_entry()?;
        let Some((key, ends)) = found.filter(|(key, _)| key == "real") else {
            return Err(A::Error::custom(TYPES));
        };
        if table.next_key::<String>()?.is_some() {
            return Err(A::Error::custom(format!("nothing stands beside `{key}` here")));
        }
        Ok(Written::Real(ends.map(|end| match end {
            End::Whole(number) => number as f64,
            End::Real(number) => number,
        })))
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
        let kinds = |side: &Side, is_sent: bool| {
            let kind = |declared: &Declared| declared.kind(source, is_sent);
            side.0.iter().map(kind).collect::<Result<Vec<Kind>, SpecError>>()
        };
        let (inputs, outputs) = (kinds(&self.inputs, true)?, kinds(&self.outputs, false)?);
        let measured = timed.then(elapsed_kind);
        let outputs = fitted(outputs, measured.as_ref().map_or(0, Kind::bits));
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

    fn kind(&self, source: &Source, is_sent: bool) -> Result<Kind, SpecError> {
        let Some(of) = &self.of else { return Ok(Kind::Boolean) };
        match of.get_ref() {
            Written::Word(word) if word.trim() == "bool" => Ok(Kind::Boolean),
            Written::Word(word) if word.trim() == "real" && is_sent => {
                let name = self.name.get_ref();
                let error = source.error(of.span(), format!("input `{name}` is a number without bounds"));
                Err(error.help("what is sent needs bounds, as in { real = [-5.0, 5.0] }"))
            }
            Written::Word(word) if word.trim() == "real" => {
                Ok(Kind::Real { low: Finite::ALL.0, high: Finite::ALL.1, digits: ALL_DIGITS })
            }
            Written::Real(ends) => self.real(source, of.span(), *ends, is_sent),
            Written::Word(word) => match word.split_once("..") {
                Some((low, high)) => self.range(source, of.span(), low.trim(), high.trim()),
                None => {
                    let error = source.error(of.span(), format!("`{word}` is not a type"));
                    Err(error.help(did_you_mean(word, ["bool", "real"]).unwrap_or_else(|| TYPES.to_owned())))
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
        if high.abs_diff(low) == u64::MAX {
            let error = source.error(span, format!("`{name}` has too many values"));
            return Err(error.help("a range has fewer values than 64 bits have"));
        }
        Ok(Kind::Number { low, high })
    }

    /// Numbers that need not be whole: what is answered is any, and what is sent has so many places that the constants
    /// of the file and numbers beside them are among it.
    fn real(
        &self,
        source: &Source,
        span: Range<usize>,
        [low, high]: [f64; 2],
        is_sent: bool,
    ) -> Result<Kind, SpecError> {
        let name = self.name.get_ref();
        let wrong = |message: String, help: &str| Err(source.error(span.clone(), message).help(help));
        let (Some(first), Some(last)) = (Finite::new(low), Finite::new(high)) else {
            return wrong(format!("the range of `{name}` does not end"), "both ends are numbers");
        };
        if first > last {
            let message = format!("`{name}` would have no value: {low} is greater than {high}");
            return wrong(message, "the smaller end of a range comes first");
        }
        if !is_sent {
            return Ok(Kind::Real { low: first, high: last, digits: ALL_DIGITS });
        }
        let ends = [first.to_string(), last.to_string()];
        let needed = ends.iter().map(|end| places_of(end)).max().unwrap_or(0);
        let fits = |places: &u8| {
            let units = 10f64.powi(i32::from(*places));
            low.abs().max(high.abs()) * units <= MOST_UNITS
        };
        if needed > PLACES.1 || !fits(&needed) {
            let message = format!("the ends of `{name}` have too many digits to be sent");
            return wrong(message, "a number that is sent has at most 15 digits");
        }
        let wanted = (most_places(&source.text) + 1).clamp(PLACES.0, PLACES.1).max(needed);
        let places = (needed..=wanted).rev().find(fits).unwrap_or(needed);
        let units = |end: f64| (end * 10f64.powi(i32::from(places))).round() as i64;
        Ok(Kind::Decimal { low: units(low), high: units(high), places })
    }
}

/// What is answered, its numbers with as many digits as there is room for beside so many bits, and in any case six.
fn fitted(kinds: Vec<Kind>, beside: usize) -> Vec<Kind> {
    let keeping = |digits: u8| kinds.iter().map(move |kind| kind.clone().keeping(digits));
    let fits = |digits: &u8| {
        let bits: usize = keeping(*digits).map(|kind| kind.bits()).sum();
        bits + beside + RESERVED_BITS <= MAX_SIGNALS
    };
    let digits = (FEWEST_DIGITS..=ALL_DIGITS).rev().find(fits).unwrap_or(FEWEST_DIGITS);
    keeping(digits).collect()
}

/// How many places behind the point a decimal number has.
fn places_of(number: &str) -> u8 {
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let behind = digits.split_once('.').map_or(0, |(_, behind)| behind.len() as i64);
    let places = behind - exponent.parse::<i64>().unwrap_or(0);
    places.clamp(0, u8::MAX.into()) as u8
}

/// The most places of any number of a text that can be sent.
fn most_places(text: &str) -> u8 {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let words = text.split(|c: char| !is_part(c) && c != '-');
    let numbers = words.flat_map(|word| {
        let parts: Vec<&str> = word.split("..").collect();
        parts.into_iter().map(|part| part.trim_matches(['.', '-'])).collect::<Vec<_>>()
    });
    let numbers = numbers.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    numbers
        .filter(|word| Finite::read(word).is_some())
        .map(places_of)
        .filter(|places| *places < PLACES.1)
        .max()
        .unwrap_or(0)
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
    fn where_many_numbers_are_answered_each_keeps_fewer_digits() {
        let outputs = |count: usize, more: &str| {
            let reals: String = (0..count).map(|at| format!("t{at} = \"real\"\n")).collect();
            read(&format!("[signals]\ninputs = [\"a\"]\n[signals.outputs]\n{reals}{more}"))
        };
        let kinds =
            [3, 4, 5, 6, 7].map(|count| outputs(count, "").unwrap().outputs.fields()[0].kind().to_string());
        let digits =
            ["real", "real of 12 digits", "real of 9 digits", "real of 7 digits", "real of 6 digits"];
        assert_eq!(kinds, digits);
        let five = outputs(5, "room = { real = [-40, 85.5] }").unwrap().outputs;
        let text = "t0=20.1 t1=-0.000125 t2=1e300 t3=98.623 t4=0 room=85.5";
        assert_eq!(five.show(five.parse(text).unwrap()).to_string(), text);
        assert!(five.can_stray() && five.is_stray(five.parse_said(&text.replace("85.5", "85.6")).unwrap()));
        let error = outputs(7, "wide = \"0..9999999999\"").unwrap_err().to_string();
        assert!(error.contains("take 265 bits") && error.contains("`wide` 34"), "{error}");
    }

    #[test]
    fn numbers_need_not_be_whole() {
        let interface = read(
            "[signals.inputs]\nspeed = { real = [-5.0, 5] }\nfine = { real = [0, 0.125] }\n\
             [signals.outputs]\ntemp = \"real\"\nroom = { real = [-40, 85.5] }\nwide = \"-1000000000..1000000000\"",
        );
        let interface = interface.unwrap_or_else(|error| panic!("{error}"));
        let kinds = |side: &Alphabet| -> Vec<String> {
            side.fields().iter().map(|field| field.kind().to_string()).collect()
        };
        assert_eq!(
            kinds(&interface.inputs),
            ["real -5..5 in steps of 0.0001", "real 0..0.125 in steps of 0.0001"]
        );
        assert_eq!(kinds(&interface.outputs), ["real", "real -40..85.5", "-1000000000..1000000000"]);
        let outputs = &interface.outputs;
        for text in
            ["temp=20.25 room=85.5 wide=-7", "temp=1e-9 room=-40 wide=0", "temp=-1e300 room=0.1 wide=1"]
        {
            let letter = outputs.parse(text).unwrap();
            assert_eq!(outputs.show(letter).to_string(), text);
        }
        assert_eq!(outputs.real(outputs.parse("temp=-0 room=0 wide=0").unwrap(), "temp"), Some(0.0));
        assert!(
            outputs.parse("temp=nan room=0 wide=0").is_err()
                && outputs.parse("temp=inf room=0 wide=0").is_err()
        );
        assert!(outputs.is_stray(outputs.parse_said("temp=0 room=85.6 wide=0").unwrap()));
        let inputs = &interface.inputs;
        for text in ["speed=-4.9999 fine=0.125", "speed=5 fine=0.0001", "speed=0.3 fine=0"] {
            assert_eq!(inputs.show(inputs.parse(text).unwrap()).to_string(), text);
        }
        assert!(inputs.parse("speed=0.00001 fine=0").is_err());
        let error = read("[signals.inputs]\nspeed = \"real\"\n[signals]\noutputs = [\"a\"]").unwrap_err();
        assert_eq!(error.message(), "input `speed` is a number without bounds");
        assert_eq!(error.line_column(), Some((2, 9)));
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
        assert_eq!(wrong("x = \"-9223372036854775808..9223372036854775807\"").0, "`x` has too many values");
        assert_eq!(wrong("x = { real = [1.5, 0.5] }").0, "`x` would have no value: 1.5 is greater than 0.5");
        let wide: Vec<String> = (0..14).map(|at| format!("x{at} = \"0..1000000\"")).collect();
        assert!(wrong(&wide.join("\n")).0.contains("take 280 bits, and at most 256 are supported: `x0` 20"));
    }
}
