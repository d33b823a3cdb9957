//! VCD, the value change dump of IEEE 1364: what simulators and logic analysers record.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::row::{NOTHING, Place, missing_help, places, with};
use super::{wave, write};
use crate::diagnostic::{Source, SpecError};
use crate::letter::{Interface, Letter, Value};
use crate::trace::{Step, Trace};

/// Reads a VCD file.
///
/// Each time stamp is one step, with the values after all changes at that time; a last time stamp without
/// changes only marks the end. With a clock, each of its rising edges is one step, with the values just before
/// it. A Boolean signal of the interface is a one-bit variable of that name, with or without its scopes before it, or
/// bit 3 of a variable `b` where it is called `b_3`; a number is all bits of its variable (in two's complement where it may be
/// negative), and a name is a text.
pub(super) fn parse(source: &Source, interface: &Interface, clock: Option<&str>) -> Result<Trace, SpecError> {
    let mut words = Words { source, at: 0 };
    let variables = declarations(&mut words)?;
    let labels = variables.labels(source, interface)?;
    let carriers = places(interface)
        .map(|place| Ok((variables.carrier(source, place)?, place)))
        .collect::<Result<Vec<_>, SpecError>>()?;
    let clock = clock.map(|name| variables.find(source, name)).transpose()?;
    let sampler =
        Sampler { source, carriers, labels, clock, values: FxHashMap::default(), trace: Trace::new() };
    sampler.changes(&mut words)
}

/// A word and its place.
type Word<'a> = (&'a str, Range<usize>);

struct Words<'a> {
    source: &'a Source,
    at: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let rest = &self.source.text[self.at..];
        let start = self.at + (rest.len() - rest.trim_start().len());
        let rest = &self.source.text[start..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = start + length;
        (length > 0).then(|| (&rest[..length], start..self.at))
    }
}

impl<'a> Words<'a> {
    /// The words up to `$end`, without it.
    fn section(&mut self, opened: &Range<usize>) -> Result<Vec<Word<'a>>, SpecError> {
        let mut words = Vec::new();
        loop {
            match self.next() {
                None => return Err(self.source.error(opened.clone(), "this section has no `$end`")),
                Some(("$end", _)) => return Ok(words),
                Some(word) => words.push(word),
            }
        }
    }
}

/// A declared variable: its name, the scope it stands in, its code, how many bits, and the number of its lowest.
struct Variable {
    name: String,
    scope: Option<usize>,
    code: String,
    width: usize,
    lowest: usize,
}

/// What a file declares. Scopes are kept once each, with the scope around them: written out in front of every
/// variable they would take the square of the file.
#[derive(Default)]
struct Variables {
    scopes: Vec<(Option<usize>, String)>,
    all: Vec<Variable>,
    by_name: FxHashMap<String, Vec<usize>>,
}

impl Variables {
    fn declare(&mut self, variable: Variable) {
        self.by_name.entry(variable.name.clone()).or_default().push(self.all.len());
        self.all.push(variable);
    }

    /// The scopes around a variable, innermost first.
    fn around(&self, variable: &Variable) -> impl Iterator<Item = &str> {
        let outer = |&scope: &usize| self.scopes[scope].0;
        std::iter::successors(variable.scope, outer).map(|scope| self.scopes[scope].1.as_str())
    }

    /// The name with its scopes.
    fn path(&self, variable: &Variable) -> String {
        let mut parts: Vec<&str> = std::iter::once(&*variable.name).chain(self.around(variable)).collect();
        parts.reverse();
        parts.join(".")
    }

    /// The variables of this name, or of this name with scopes, in the order of the file.
    fn named(&self, name: &str) -> Vec<&Variable> {
        let bare = self.by_name.get(name).into_iter().flatten().copied();
        let inner = name.match_indices('.').flat_map(|(dot, _)| {
            let candidates = self.by_name.get(&name[dot + 1..]).into_iter().flatten().copied();
            candidates.filter(move |&at| {
                let mut rest = Some(&name[..dot]);
                for scope in self.around(&self.all[at]) {
                    rest = match rest.and_then(|rest| rest.strip_suffix(scope)) {
                        Some("") => None,
                        Some(shorter) => match shorter.strip_suffix('.') {
                            Some(shorter) => Some(shorter),
                            None => return false,
                        },
                        None => return false,
                    };
                }
                rest.is_none()
            })
        });
        let mut found: Vec<usize> = bare.chain(inner).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| &self.all[at]).collect()
    }
}

fn declarations(words: &mut Words<'_>) -> Result<Variables, SpecError> {
    let source = words.source;
    let mut scope: Option<usize> = None;
    let mut variables = Variables::default();
    while let Some((word, place)) = words.next() {
        match word {
            "$enddefinitions" => {
                words.section(&place)?;
                return Ok(variables);
            }
            "$scope" => {
                let content = words.section(&place)?;
                let name = content.get(1).map_or_else(String::new, |(name, _)| (*name).to_owned());
                variables.scopes.push((scope, name));
                scope = Some(variables.scopes.len() - 1);
            }
            "$upscope" => {
                words.section(&place)?;
                scope = scope.and_then(|scope| variables.scopes[scope].0);
            }
            "$var" => {
                let content = words.section(&place)?;
                variables.declare(declaration(source, scope, &content, &place)?);
            }
            _ if word.starts_with('$') => drop(words.section(&place)?),
            _ => {
                let error = source.error(place, format!("expected a declaration, found `{word}`"));
                return Err(error.help("declarations end with `$enddefinitions $end`"));
            }
        }
    }
    let end = source.text.len();
    Err(source.error(end..end, "the declarations have no `$enddefinitions`"))
}

/// `wire 3 ! bus [2:0]` between `$var` and `$end`.
fn declaration(
    source: &Source,
    scope: Option<usize>,
    words: &[Word<'_>],
    place: &Range<usize>,
) -> Result<Variable, SpecError> {
    let [_, (width, width_place), (code, _), (name, _), range @ ..] = words else {
        let error = source.error(place.clone(), "this variable is not declared in full");
        return Err(error.help("as in `$var wire 1 ! ready $end`"));
    };
    let width = width
        .parse()
        .map_err(|_| source.error(width_place.clone(), format!("`{width}` is not a number of bits")))?;
    // The range may be glued to the name: `bus[2:0]`.
    let mut range: String = range.iter().map(|(word, _)| *word).collect();
    let mut name = (*name).to_owned();
    if let Some(at) = name.find('[').filter(|&at| at > 0 && width > 1) {
        range = name.split_off(at);
    }
    let ends = range.trim_matches(['[', ']']).split(':').filter_map(|end| end.trim().parse::<usize>().ok());
    let lowest = if width > 1 { ends.min().unwrap_or(0) } else { 0 };
    if width == 1 && !range.is_empty() {
        name.push_str(&range);
    }
    Ok(Variable { name, scope, code: (*code).to_owned(), width, lowest })
}

/// The code of a variable, and which of its bits.
type Wire = (String, usize);

/// The wires of one side that has labels: exactly one is 1 in every step.
struct Said {
    is_output: bool,
    what: &'static str,
    wires: Vec<(String, Letter)>,
}

impl Variables {
    /// The wires of labels: one-bit variables with their names in scopes `inputs` and `outputs`.
    fn labels(&self, source: &Source, interface: &Interface) -> Result<Vec<Said>, SpecError> {
        let mut sides = Vec::new();
        for (what, alphabet, is_output) in
            [("inputs", &interface.inputs, false), ("outputs", &interface.outputs, true)]
        {
            let Some(labels) = alphabet.as_labels() else { continue };
            let inside: Vec<&Variable> =
                self.all.iter().filter(|variable| self.around(variable).next() == Some(what)).collect();
            if inside.is_empty() {
                let message =
                    format!("{} has no scope `{what}`, and the specification has labels", source.name);
                let help = "write one wire a label in scopes `inputs` and `outputs`; or use the text form, CSV or JSON lines";
                return Err(SpecError::whole(source, message).help(help));
            }
            let mut wires = Vec::new();
            for variable in inside.iter().filter(|variable| variable.width == 1) {
                let known = labels.iter().find(|(_, name)| write::name(name) == variable.name);
                let letter = match known {
                    Some((letter, _)) => letter,
                    None => alphabet
                        .label(&variable.name)
                        .map_err(|error| SpecError::whole(source, error.to_string()))?,
                };
                wires.push((variable.code.clone(), letter));
            }
            sides.push(Said { is_output, what, wires });
        }
        Ok(sides)
    }
}

/// Where the value of a field stands.
enum Carrier {
    /// In one bit.
    Bit(Wire),
    /// In all of a variable of so many bits.
    Whole(String, usize),
}

impl Variables {
    fn carrier(&self, source: &Source, place: Place<'_>) -> Result<Carrier, SpecError> {
        let name = place.field.name();
        if !place.field.is_boolean() {
            let found = match self.only(source, &write::name(name), &|_| true)? {
                None => self.only(source, name, &|_| true)?,
                found => found,
            };
            let found = found.ok_or_else(|| {
                let error = SpecError::whole(source, format!("{} has no variable `{name}`", source.name));
                error.help(missing_help(name, self.all.iter().map(|variable| variable.name.as_str())))
            })?;
            return Ok(Carrier::Whole(found.code.clone(), found.width));
        }
        match self.only(source, &write::name(name), &|width| width == 1)? {
            Some(found) => Ok(Carrier::Bit((found.code.clone(), 0))),
            None => Ok(Carrier::Bit(self.find(source, name)?)),
        }
    }

    /// The one variable of this name whose width will do.
    fn only(
        &self,
        source: &Source,
        name: &str,
        width: &dyn Fn(usize) -> bool,
    ) -> Result<Option<&Variable>, SpecError> {
        let mut found = self.named(name);
        found.retain(|found| width(found.width));
        match found.split_first() {
            None => Ok(None),
            // The same wire may be seen from several scopes.
            Some((first, others)) if others.iter().all(|other| other.code == first.code) => Ok(Some(*first)),
            Some((first, others)) => {
                let message = format!("`{name}` is the name of several variables in {}", source.name);
                let help = format!("say which: {} or {}", self.path(first), self.path(others[0]));
                Err(SpecError::whole(source, message).help(help))
            }
        }
    }

    /// The wire of a name that means one bit.
    fn find(&self, source: &Source, name: &str) -> Result<Wire, SpecError> {
        let named = |name: &str, width: &dyn Fn(usize) -> bool| self.only(source, name, width);
        if let Some(found) = named(name, &|width| width == 1)? {
            return Ok((found.code.clone(), 0));
        }
        // `b_3`, `b[3]` and `b.3` are bit 3 of `b`; some dumps declare it as a variable of its own.
        let bit = name.trim_end_matches(']').rsplit_once(['_', '[', '.']);
        if let Some((bus, bit)) = bit
            && let Ok(bit) = bit.parse::<usize>()
        {
            if let Some(found) = named(&format!("{bus}[{bit}]"), &|width| width == 1)? {
                return Ok((found.code.clone(), 0));
            }
            if let Some(found) = named(bus, &|width| width > 1)?
                && let Some(at) = bit.checked_sub(found.lowest).filter(|&at| at < found.width)
            {
                return Ok((found.code.clone(), at));
            }
        }
        if let Some(found) = named(name, &|width| width > 1)? {
            let message = format!("variable `{name}` of {} has {} bits", source.name, found.width);
            let help = format!("a signal is one bit: name them `{name}_0`, `{name}_1` and so on");
            return Err(SpecError::whole(source, message).help(help));
        }
        let error = SpecError::whole(source, format!("{} has no variable `{name}`", source.name));
        Err(error.help(missing_help(name, self.all.iter().map(|variable| variable.name.as_str()))))
    }
}

struct Sampler<'a> {
    source: &'a Source,
    carriers: Vec<(Carrier, Place<'a>)>,
    /// Of inputs and outputs that are labels, which wire says which.
    labels: Vec<Said>,
    clock: Option<Wire>,
    /// What each code last was, most significant bit first, and where it was said.
    values: FxHashMap<&'a str, (&'a str, Range<usize>)>,
    trace: Trace,
}

impl<'a> Sampler<'a> {
    fn changes(mut self, words: &mut Words<'a>) -> Result<Trace, SpecError> {
        // The time stamp whose changes are being read, and whether there were any.
        let mut stamp: Option<(Range<usize>, bool)> = None;
        while let Some((word, place)) = words.next() {
            let (value, code) = match word.as_bytes() {
                [b'#', ..] => {
                    if word[1..].parse::<u64>().is_err() {
                        return Err(self.source.error(place, format!("`{word}` is not a time stamp")));
                    }
                    if let Some((before, _)) = stamp.replace((place, false))
                        && self.clock.is_none()
                    {
                        self.sample(&before)?;
                    }
                    continue;
                }
                b"$comment" => {
                    words.section(&place)?;
                    continue;
                }
                // $dumpvars and its like only bracket changes.
                [b'$', ..] => continue,
                [b'0' | b'1' | b'x' | b'X' | b'z' | b'Z', _, ..] => (&word[..1], &word[1..]),
                [b'b' | b'B', ..] => match words.next() {
                    Some((code, _)) => (&word[1..], code),
                    None => return Err(self.source.error(place, "this value belongs to no variable")),
                },
                [b's' | b'S', ..] => match words.next() {
                    Some((code, _)) => (&word[1..], code),
                    None => return Err(self.source.error(place, "this value belongs to no variable")),
                },
                [b'r' | b'R', ..] => match words.next() {
                    Some((code, _)) if self.carries(code) => (&word[1..], code),
                    Some(_) => continue,
                    None => return Err(self.source.error(place, "this value belongs to no variable")),
                },
                _ => {
                    let error = self.source.error(place, format!("expected a value change, found `{word}`"));
                    return Err(error.help("as in `1!`, `b0101 #` or the time stamp `#20`"));
                }
            };
            self.change(value, code, &place, &stamp)?;
            if let Some((_, changed)) = &mut stamp {
                *changed = true;
            }
        }
        if let Some((last, true)) = stamp
            && self.clock.is_none()
        {
            self.sample(&last)?;
        }
        Ok(self.trace)
    }

    fn change(
        &mut self,
        value: &'a str,
        code: &'a str,
        place: &Range<usize>,
        stamp: &Option<(Range<usize>, bool)>,
    ) -> Result<(), SpecError> {
        if let Some((clock, bit)) = self.clock.clone()
            && clock == code
            && self.bit(code, bit) == Some(b'0')
            && bit_of(value, bit) == Some(b'1')
        {
            let at = stamp.as_ref().map_or_else(|| place.clone(), |(stamp, _)| stamp.clone());
            self.sample(&at)?;
        }
        self.values.insert(code, (value, place.clone()));
        Ok(())
    }

    fn bit(&self, code: &str, at: usize) -> Option<u8> {
        self.values.get(code).and_then(|(value, _)| bit_of(value, at))
    }

    /// Whether a variable is all of a signal.
    fn carries(&self, code: &str) -> bool {
        self.carriers.iter().any(|(carrier, _)| matches!(carrier, Carrier::Whole(known, _) if known == code))
    }

    /// Takes the values of all signals as a step.
    fn sample(&mut self, stamp: &Range<usize>) -> Result<(), SpecError> {
        let mut step: Step = NOTHING;
        for Said { is_output, what, wires } in &self.labels {
            let mut said = wires.iter().filter(|(code, _)| self.bit(code, 0) == Some(b'1'));
            let (Some((_, letter)), None) = (said.next(), said.next()) else {
                let message = format!("not exactly one of the {what} is 1 here");
                return Err(self.source.error(stamp.clone(), message));
            };
            match is_output {
                true => step.output = *letter,
                false => step.input = *letter,
            }
        }
        for (carrier, place) in &self.carriers {
            let taken = match carrier {
                Carrier::Bit((code, bit)) => match self.bit(code, *bit) {
                    Some(b'0') => place.field.of_truth(false).map(|value| with(step, *place, value)),
                    Some(b'1') => place.field.of_truth(true).map(|value| with(step, *place, value)),
                    found => return Err(self.unknown(code, found, stamp)),
                },
                Carrier::Whole(code, width) => self.whole(code, *width, (step, *place), stamp)?,
            };
            step = taken.ok_or_else(|| {
                let (name, values) = (place.field.name(), place.field.values());
                let code = if let Carrier::Whole(code, _) = carrier { code } else { "" };
                let found = self.values.get(code).map_or("", |(value, _)| value);
                self.source.error(stamp.clone(), format!("`{name}` is `{found}` here, and not {values}"))
            })?;
        }
        self.trace.push(step);
        Ok(())
    }

    /// The step with the value of a field that has a variable to itself; none where that is no value of it.
    fn whole(
        &self,
        code: &str,
        width: usize,
        (step, place): (Step, Place<'_>),
        stamp: &Range<usize>,
    ) -> Result<Option<Step>, SpecError> {
        let Some((text, _)) = self.values.get(code) else { return Err(self.unknown(code, None, stamp)) };
        let taken = |value: Option<Value>, text: &str| match value {
            Some(value) => Some(with(step, place, value)),
            None => place.straying(step, text),
        };
        if place.field.is_real() {
            return Ok(taken(place.field.parse(text), text));
        }
        let odd = text.bytes().find(|byte| !matches!(byte, b'0' | b'1'));
        let is_bits = odd.is_none() && !text.is_empty();
        let Some((low, _)) = place.field.bounds() else {
            // Simulators write the place of a name in bits; no name is a number.
            let numbered = || {
                let at = u64::try_from(wave::number(text, width, false)?).ok()?;
                (is_bits && at < place.field.count()).then(|| place.field.value(at))
            };
            return Ok(taken(wave::word(place.field, text).or_else(numbered), text));
        };
        if let Some(odd) = odd {
            return Err(self.unknown(code, Some(odd), stamp));
        }
        let number = wave::number(text, width, low < 0);
        Ok(number.and_then(|number| taken(place.field.of_number(number), &number.to_string())))
    }

    fn unknown(&self, code: &str, found: Option<u8>, stamp: &Range<usize>) -> SpecError {
        let time = &self.source.text[stamp.clone()];
        let help = "a trace needs a value of every signal in every step; record from the reset on";
        match (self.values.get(code), found) {
            (Some((value, place)), Some(_)) => {
                let message = format!("this value (`{value}`) is neither 0 nor 1 at {time}");
                self.source.error(place.clone(), message).help(help)
            }
            _ => {
                let message = format!("the variable with the code `{code}` has no value yet at {time}");
                self.source.error(stamp.clone(), message).help(help)
            }
        }
    }
}

/// A bit of a value that is written most significant bit first; short values are extended as the standard says.
fn bit_of(value: &str, at: usize) -> Option<u8> {
    let bytes = value.as_bytes();
    match bytes.len().checked_sub(at + 1) {
        Some(place) => bytes.get(place).map(u8::to_ascii_lowercase),
        None => bytes.first().map(|first| match first {
            b'1' => b'0',
            other => other.to_ascii_lowercase(),
        }),
    }
}
