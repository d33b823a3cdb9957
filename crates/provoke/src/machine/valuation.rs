//! The many ways in which models write a set of inputs and a valuation of outputs.

use crate::bdd::{Bdd, Space};
use crate::diagnostic::Source;
use crate::letter::{Alphabet, Field, Letter, Value, looks_like_a_value};
use crate::ltl::{self, Formula, Op};

/// The inputs that a guard of a model means. What it does not mention may have any value.
///
/// A cube `1-0` (one character a signal), literals `a !b`, `a, !b` or `a=1 b=0`, a formula `a & (b | !c)`, with comparisons
/// where signals are not all Boolean, `call > 3 & door`;
/// only `{a, b}` is exactly one input: these signals, and no other.
pub(crate) fn guard(space: &Space, text: &str) -> Result<Bdd, String> {
    let (text, inputs) = (text.trim(), &space.interface().inputs);
    let everything = space.bdds().all();
    let has = |field: &Field, value: Value| space.codes(false, &field.codes_of(value));
    if is_cube(text, inputs, "01-") {
        return Ok(cube(inputs, text).fold(everything, |cube, (field, value)| &cube & &has(field, value)));
    }
    if let Some(listed) = between_braces(text) {
        return Ok(space.input(literals(inputs, listed)?.values));
    }
    if text.is_empty() || text == "-" {
        return Err("a guard cannot be empty".to_owned());
    }
    match literals(inputs, text) {
        Ok(Literals { values, mentioned }) => {
            let fields = inputs.fields().iter().enumerate();
            let mentioned = fields.filter(|&(at, _)| mentioned.get(at)).map(|(_, field)| field);
            Ok(mentioned.fold(everything, |cube, field| &cube & &has(field, field.get(values))))
        }
        Err(why @ NoList::Contradiction(_)) => Err(why.into()),
        // What looks like a signal may be part of a comparison.
        Err(_) if space.atoms().is_some() => {
            let parsed = ltl::parse_in(&Source::new("guard", text), 0..text.len(), Some(space));
            let parsed = parsed.map_err(|error| match error.help_text() {
                Some(help) => format!("{} ({help})", error.message()),
                None => error.message().to_owned(),
            });
            formula(space, &parsed?.formula)
        }
        Err(why @ NoList::NoTruth(..)) => Err(why.into()),
        // What looks like an unknown signal may be an operator such as `xor`.
        Err(other) => match ltl::parse(text) {
            Ok(parsed) => formula(space, &parsed.formula),
            Err(error) => Err(match other {
                NoList::Unknown(message) => message,
                _ => error.message().to_owned(),
            }),
        },
    }
}

/// The outputs that a model writes. What it does not mention is false.
///
/// Bits `10` (one a signal), names `x y` or `{x, y}`, literals `x !y` or `x=1 y=0`; `-`, `{}` or nothing at all
/// for no output that is true.
pub(crate) fn valuation(outputs: &Alphabet, text: &str) -> Result<Letter, String> {
    let text = text.trim();
    if is_cube(text, outputs, "01") {
        return Ok(
            cube(outputs, text).fold(outputs.simplest(), |letter, (field, value)| field.set(letter, value))
        );
    }
    let listed = between_braces(text).unwrap_or(text);
    if listed.is_empty() || listed == "-" {
        return Ok(outputs.simplest());
    }
    Ok(literals(outputs, listed)?.values)
}

fn is_cube(text: &str, alphabet: &Alphabet, bits: &str) -> bool {
    let fits = !text.is_empty() && text.len() == alphabet.len() && alphabet.is_boolean();
    fits && text.chars().all(|bit| bits.contains(bit))
}

/// The values that a cube gives to signals.
fn cube<'a>(alphabet: &'a Alphabet, text: &'a str) -> impl Iterator<Item = (&'a Field, Value)> {
    let value = |(field, bit): (&'a Field, u8)| match bit {
        b'-' => None,
        bit => Some((field, field.of_truth(bit == b'1')?)),
    };
    alphabet.fields().iter().zip(text.bytes()).filter_map(value)
}

fn between_braces(text: &str) -> Option<&str> {
    text.strip_prefix('{')?.strip_suffix('}').map(str::trim)
}

/// Why a text is not a list of literals.
enum NoList {
    Shape(String),
    Unknown(String),
    Contradiction(String),
    /// A name alone, of a signal that is not Boolean.
    NoTruth(String, String),
}

impl From<NoList> for String {
    fn from(why: NoList) -> String {
        match why {
            NoList::Shape(text) => format!("`{text}` is not a list of signals"),
            NoList::Unknown(message) => message,
            NoList::Contradiction(name) => format!("signal `{name}` is both true and false"),
            NoList::NoTruth(name, values) => format!("signal `{name}` is {values}: write `{name}=...`"),
        }
    }
}

struct Literals {
    values: Letter,
    mentioned: Letter,
}

/// A list of literals `a`, `!a`, `a=1`, `a=0` between blanks, commas or `&`. What is not mentioned has the simplest
/// value.
fn literals(alphabet: &Alphabet, text: &str) -> Result<Literals, NoList> {
    let separators = |character: char| character.is_whitespace() || [',', '&'].contains(&character);
    let words = text.split(separators).filter(|word| !word.is_empty());
    let literal = |word| literal(alphabet, word);
    let words: Option<Vec<(&str, Said<'_>)>> = words.map(literal).collect();
    let mut found = Literals { values: alphabet.simplest(), mentioned: Letter::default() };
    for (name, said) in words.ok_or_else(|| NoList::Shape(text.to_owned()))? {
        let Some(at) = alphabet.position(name) else {
            return Err(NoList::Unknown(alphabet.unknown("signal", name).to_string()));
        };
        let field = &alphabet.fields()[at];
        let value = match said {
            Said::Truth(truth) => field.of_truth(truth),
            Said::Value(value) => field.parse(value),
        };
        let value = value.ok_or_else(|| NoList::NoTruth(name.to_owned(), field.values()))?;
        if found.mentioned.get(at) && field.get(found.values) != value {
            return Err(NoList::Contradiction(name.to_owned()));
        }
        found.mentioned = found.mentioned.with(at, true);
        found.values = field.set(found.values, value);
    }
    Ok(found)
}

/// The name in a literal, and what is said of it.
fn literal<'a>(alphabet: &Alphabet, word: &'a str) -> Option<(&'a str, Said<'a>)> {
    let (name, value) = match (word.strip_prefix(['!', '~']), word.split_once('=')) {
        (Some(name), None) => (name, Said::Truth(false)),
        (None, Some((name, value))) => (name, Said::Value(value)),
        (None, None) => (word, Said::Truth(true)),
        _ => return None,
    };
    let constant = ["true", "false", "0", "1", "t", "f"].contains(&name);
    let plain = !name.is_empty() && !name.contains(['(', ')', '|', '!', '~', '=', '<', '>', '^', '"']);
    let is_value = |value| match alphabet.field(name) {
        Some(field) => field.parse(value).is_some(),
        None => looks_like_a_value(value),
    };
    let fits = match value {
        Said::Truth(_) => true,
        Said::Value(value) => is_value(value),
    };
    (fits && (alphabet.knows(name) || plain && !constant)).then_some((name, value))
}

/// What a literal says of a signal.
#[derive(Clone, Copy)]
enum Said<'a> {
    Truth(bool),
    Value(&'a str),
}

fn formula(space: &Space, formula: &Formula) -> Result<Bdd, String> {
    let inputs = &space.interface().inputs;
    for name in formula.propositions().iter().filter(|name| inputs.proposition(name).is_none()) {
        let Some(set) = space.proposition(name) else {
            return Err(inputs.unknown("signal", name).to_string());
        };
        if space.interface().outputs.proposition(name).is_some() {
            return Err(format!("`{name}` is an output: a guard speaks of inputs"));
        }
        if set.support().last().is_some_and(|&last| last >= space.input_bits()) {
            return Err(format!("`{name}` depends on an output: a guard speaks of inputs"));
        }
    }
    let bdds = space.bdds();
    let visit = |part: &Formula, sides: &[Option<Bdd>]| {
        let sides: Vec<&Bdd> = sides.iter().map(Option::as_ref).collect::<Option<_>>()?;
        Some(match (part.op(), &sides[..]) {
            (Op::True, _) => bdds.all(),
            (Op::False, _) => bdds.none(),
            (Op::Proposition(name), _) => space.proposition(name)?,
            (Op::Not, [side]) => !*side,
            (Op::And, sides) => sides.iter().fold(bdds.all(), |all, side| &all & side),
            (Op::Or, sides) => sides.iter().fold(bdds.none(), |any, side| &any | side),
            (Op::Implies, [left, right]) => &!*left | right,
            (Op::Iff, [left, right]) => !&(*left ^ right),
            (Op::Xor, [left, right]) => *left ^ right,
            _ => return None,
        })
    };
    formula.fold(visit).ok_or_else(|| "a guard speaks of one moment: no temporal operators".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::Interface;

    fn space() -> Space {
        Space::new(Interface::signals(["a", "b", "c"], ["x", "y"]).unwrap())
    }

    fn inputs(text: &str) -> Result<Vec<u64>, String> {
        let space = space();
        let set = space.input_letters(&guard(&space, text)?);
        let mut letters: Vec<u64> = set.iter().map(Letter::index).collect();
        letters.sort_unstable();
        Ok(letters)
    }

    #[test]
    fn guards_in_every_spelling() {
        for text in ["1-0", "a !c", "a, !c", "a & !c", "a=1 c=0", "a=1,c=0", "!(!a | c)", "a && ~c", "c < a"]
        {
            match text {
                "c < a" => assert!(inputs(text).is_err()),
                _ => assert_eq!(inputs(text), Ok(vec![0b001, 0b011]), "{text}"),
            }
        }
        assert_eq!(inputs("{a, b}"), Ok(vec![0b011]));
        assert_eq!(inputs("{}"), Ok(vec![0]));
        assert_eq!(inputs("true").unwrap().len(), 8);
        assert_eq!(inputs("1").unwrap().len(), 8);
        assert_eq!(inputs("---").unwrap().len(), 8);
        assert_eq!(inputs("a xor b").unwrap().len(), 4);
        assert_eq!(inputs("false"), Ok(vec![]));
    }

    #[test]
    fn faulty_guards_say_why() {
        assert_eq!(inputs("a & d").unwrap_err(), "unknown signal `d`");
        assert_eq!(inputs("a & !a").unwrap_err(), "signal `a` is both true and false");
        assert_eq!(inputs("a | x").unwrap_err(), "`x` is an output: a guard speaks of inputs");
        assert_eq!(inputs("a & X b").unwrap_err(), "a guard speaks of one moment: no temporal operators");
        assert_eq!(inputs("").unwrap_err(), "a guard cannot be empty");
        assert_eq!(inputs("a d").unwrap_err(), "unknown signal `d`");
        assert!(inputs("c < a").is_err());
        assert!(inputs("(a").is_err());
        assert!(inputs("{a").is_err());
    }

    #[test]
    fn outputs_in_every_spelling() {
        let outputs = space().interface().outputs.clone();
        for text in ["10", "x", "{x}", "x !y", "x=1 y=0", "x,!y", "{ x }"] {
            assert_eq!(valuation(&outputs, text), Ok(Letter::from_index(1)), "{text}");
        }
        for text in ["00", "", "-", "{}", "!x !y", "{-}"] {
            assert_eq!(valuation(&outputs, text), Ok(Letter::default()), "{text}");
        }
        for text in ["11", "x y", "{y,x}", "x & y"] {
            assert_eq!(valuation(&outputs, text), Ok(Letter::from_index(3)), "{text}");
        }
        assert_eq!(valuation(&outputs, "x z").unwrap_err(), "unknown signal `z`");
        assert_eq!(valuation(&outputs, "x | y").unwrap_err(), "`x | y` is not a list of signals");
    }
}
