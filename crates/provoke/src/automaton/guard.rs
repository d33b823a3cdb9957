//! Guards as text a tester can read: names of signals and labels, never bits of codes.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::factor::{Parts, parts};
use super::values::{self, Place, Stretches, stretches};
use crate::atom::hidden_text;
use crate::bdd::{Bdd, Space};
use crate::letter::{Alphabet, Interface};

/// Functions of signals with more paths than this are described, not written out.
const MANY: u64 = 512;

/// A guard as a formula over names of signals and labels: `a & !x | b`, `true`, `coin & !tea`.
///
/// A set of labels is written with the fewer names: `a | b`, or `!c` where all but one are in it, and values of other
/// signals as stretches, `floor >= 3`. Functions
/// that would fill pages (such as the parity of many signals) are only described, and so are all where there are no
/// nodes left to find words for them.
pub fn show_guard(space: &Space, guard: &Bdd) -> String {
    let mut text = String::new();
    let phrase = by_choices(space, guard, &choices(space), &values::fields(space));
    let phrase = if space.bdds().within_bounds().is_ok() { phrase } else { Phrase::Function(guard.clone()) };
    phrase.write(&mut text, Binding::Or, &mut ForReaders(space));
    text
}

/// How the leaves of a phrase are written.
pub(super) trait Leaves {
    fn constant(&self, value: bool) -> &'static str;
    fn name(&mut self, name: Name) -> String;
    fn values(&mut self, place: Place, stretches: &Stretches) -> String;
    fn function(&mut self, function: &Bdd) -> String;
}

/// Leaves for readers.
struct ForReaders<'a>(&'a Space);

impl Leaves for ForReaders<'_> {
    fn constant(&self, value: bool) -> &'static str {
        if value { "true" } else { "false" }
    }

    fn name(&mut self, name: Name) -> String {
        quoted(&self.0.name(name.output, name.at).unwrap_or_default())
    }

    fn values(&mut self, place: Place, stretches: &Stretches) -> String {
        place.field(self.0).map(|field| values::shown(field, stretches)).unwrap_or_default()
    }

    fn function(&mut self, function: &Bdd) -> String {
        let mut names: Vec<String> = Vec::new();
        for variable in function.support() {
            let name = match field_of(self.0, variable) {
                Some(name) => quoted(name),
                None => self.name(signal(self.0, variable)),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        match &names[..] {
            [first @ .., last] if names.len() <= 3 => match first.join(", ") {
                first if first.is_empty() => format!("(a function of {last})"),
                first => format!("(a function of {first} and {last})"),
            },
            _ => {
                let shown: Vec<String> = names.iter().take(3).cloned().collect();
                format!("(a function of {}, ... {} signals in all)", shown.join(", "), names.len())
            }
        }
    }
}

/// A name as it stands in a phrase: in quotes where it would be misread.
fn quoted(name: &str) -> String {
    if let Some(comparison) = hidden_text(name) {
        return format!("({comparison})");
    }
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"&|!()\"\\".contains(c);
    match !name.is_empty() && name.chars().all(plain) {
        true => name.to_owned(),
        false => format!("\"{}\"", name.escape_debug()),
    }
}

/// A signal, label or value, by direction and number of its proposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Name {
    pub(super) output: bool,
    pub(super) at: usize,
}

/// A guard as it is written: names joined by and, or and not.
#[derive(Clone, Debug)]
pub(super) enum Phrase {
    Literal(Name, bool),
    /// That a field has one of these values.
    Values(Place, Stretches),
    /// True where empty.
    And(Vec<Phrase>),
    /// False where empty.
    Or(Vec<Phrase>),
    /// A function of signals that would be too long when written out.
    Function(Bdd),
}

/// How tightly what stands around a phrase binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Or,
    And,
}

impl Phrase {
    /// Joins parts, leaving out a join of one.
    fn all(mut parts: Vec<Phrase>) -> Phrase {
        if parts.len() == 1 { parts.remove(0) } else { Phrase::And(parts) }
    }

    fn any(mut parts: Vec<Phrase>) -> Phrase {
        if parts.len() == 1 { parts.remove(0) } else { Phrase::Or(parts) }
    }

    /// How many names it is written with. A function counts as many.
    fn literals(&self) -> usize {
        match self {
            Phrase::Literal(..) | Phrase::Values(..) => 1,
            Phrase::And(parts) | Phrase::Or(parts) => parts.iter().map(Phrase::literals).sum(),
            Phrase::Function(_) => MANY as usize,
        }
    }

    /// Writes the phrase, in parentheses where what stands `around` binds more tightly.
    pub(super) fn write(&self, text: &mut String, around: Binding, leaves: &mut dyn Leaves) {
        let (parts, joint, binding) = match self {
            Phrase::Literal(name, value) => {
                text.push_str(if *value { "" } else { "!" });
                return text.push_str(&leaves.name(*name));
            }
            Phrase::Values(place, stretches) => return text.push_str(&leaves.values(*place, stretches)),
            Phrase::Function(function) => return text.push_str(&leaves.function(function)),
            Phrase::And(parts) => (parts, " & ", Binding::And),
            Phrase::Or(parts) => (parts, " | ", Binding::Or),
        };
        if parts.is_empty() {
            return text.push_str(leaves.constant(binding == Binding::And));
        }
        let enclosed = binding < around;
        text.push_str(if enclosed { "(" } else { "" });
        for (at, part) in parts.iter().enumerate() {
            text.push_str(if at == 0 { "" } else { joint });
            part.write(text, binding, leaves);
        }
        text.push_str(if enclosed { ")" } else { "" });
    }
}

/// The guard as a phrase of Boolean signals, labels and bits of other fields.
pub(super) fn phrase(space: &Space, guard: &Bdd) -> Phrase {
    by_choices(space, guard, &choices(space), &[])
}

fn choices(space: &Space) -> Vec<Choice> {
    let Interface { inputs, outputs } = space.interface();
    let choice = |output: bool, alphabet: &Alphabet| {
        alphabet.choices().map(move |(bits, names)| Choice { output, bits, names })
    };
    choice(false, inputs).into_iter().chain(choice(true, outputs)).collect()
}

/// Names of one direction of which exactly one is true, and the bits that decide which.
struct Choice {
    output: bool,
    bits: Range<usize>,
    names: Range<usize>,
}

/// Sorts the values of each field by what else they ask for.
fn by_values(space: &Space, guard: &Bdd, fields: &[Place]) -> Phrase {
    let Some((place, others)) = fields.split_first() else { return signals(space, guard) };
    let Some(groups) = stretches(space, guard, *place) else { return Phrase::Function(guard.clone()) };
    if let [(rest, _)] = &groups[..] {
        return by_values(space, rest, others);
    }
    let mut parts = Vec::new();
    for (rest, stretches) in groups {
        if rest.is_none() {
            continue;
        }
        let own =
            values::apart(space, *place, stretches).into_iter().map(|some| Phrase::Values(*place, some));
        let mut both = vec![Phrase::any(own.collect()), by_values(space, &rest, others)];
        if place.output {
            both.reverse();
        }
        parts.push(Phrase::all(flat(both)));
    }
    let phrase = Phrase::any(parts);
    if phrase.literals() >= MANY as usize { Phrase::Function(guard.clone()) } else { phrase }
}

/// The name of the field that a variable is a bit of, where it is not Boolean.
fn field_of(space: &Space, variable: usize) -> Option<&str> {
    let Interface { inputs, outputs } = space.interface();
    let (alphabet, bit) = match variable.checked_sub(space.input_bits()) {
        None => (inputs, variable),
        Some(bit) => (outputs, bit),
    };
    let field = alphabet.fields().iter().find(|field| field.bits().contains(&bit))?;
    (!field.is_boolean()).then(|| field.name())
}

/// Sorts the names of each choice by what else they ask for.
fn by_choices(space: &Space, guard: &Bdd, choices: &[Choice], fields: &[Place]) -> Phrase {
    let Some((choice, others)) = choices.split_first() else { return by_values(space, guard, fields) };
    let Interface { inputs, outputs } = space.interface();
    let (alphabet, first) = if choice.output { (outputs, space.input_bits()) } else { (inputs, 0) };
    let cube = space.bdds().cube(first + choice.bits.start..first + choice.bits.end);
    let mut groups: Vec<(Bdd, Vec<usize>)> = Vec::new();
    let mut known: FxHashMap<Bdd, usize> = FxHashMap::default();
    for at in choice.names.clone() {
        let Some(proposition) = alphabet.proposition_at(at) else { continue };
        let rest = (guard & &space.codes(choice.output, &proposition.codes)).exists(&cube);
        if rest.is_none() {
            continue;
        }
        let group = *known.entry(rest.clone()).or_insert_with(|| {
            groups.push((rest, Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(at);
    }
    let mut parts = Vec::new();
    for (rest, names) in groups {
        let mut both = vec![some_of(choice, &names), by_choices(space, &rest, others, fields)];
        if choice.output {
            both.reverse();
        }
        parts.push(Phrase::all(flat(both)));
    }
    Phrase::any(parts)
}

/// Conjunctions inside a conjunction, opened up; so `true` goes away.
fn flat(parts: Vec<Phrase>) -> Vec<Phrase> {
    let open = |part| match part {
        Phrase::And(parts) => parts,
        part => vec![part],
    };
    parts.into_iter().flat_map(open).collect()
}

/// That one of these names of a choice is true, written with the fewer names.
fn some_of(choice: &Choice, names: &[usize]) -> Phrase {
    let literal = |at, value| Phrase::Literal(Name { output: choice.output, at }, value);
    if choice.names.len() - names.len() < names.len() {
        let others = choice.names.clone().filter(|at| names.binary_search(at).is_err());
        return Phrase::all(others.map(|at| literal(at, false)).collect());
    }
    Phrase::any(names.iter().map(|&at| literal(at, true)).collect())
}

/// A guard that depends on signals only: as a sum of products, or nested where that is shorter.
fn signals(space: &Space, guard: &Bdd) -> Phrase {
    let products = (paths(guard, &mut FxHashMap::default()) <= MANY).then(|| products(space, guard));
    let nested = match parts(space, guard) {
        Some(Parts::And(first, rest)) => {
            Phrase::And(flat(vec![signals(space, &first), signals(space, &rest)]))
        }
        Some(Parts::Or(first, rest)) => {
            let (first, rest) = (signals(space, &first), signals(space, &rest));
            let open = |part| match part {
                Phrase::Or(parts) => parts,
                part => vec![part],
            };
            Phrase::Or([first, rest].into_iter().flat_map(open).collect())
        }
        None => return products.unwrap_or_else(|| Phrase::Function(guard.clone())),
    };
    match products {
        Some(products) if products.literals() <= nested.literals() => products,
        _ => nested,
    }
}

fn products(space: &Space, guard: &Bdd) -> Phrase {
    let literal = |(variable, value)| Phrase::Literal(signal(space, variable), value);
    let product = |product: Vec<(usize, bool)>| Phrase::all(product.into_iter().map(literal).collect());
    Phrase::any(guard.products().into_iter().map(product).collect())
}

/// The Boolean signal of a variable.
pub(super) fn signal(space: &Space, variable: usize) -> Name {
    let Interface { inputs, outputs } = space.interface();
    let (output, alphabet, bit) = match variable.checked_sub(space.input_bits()) {
        None => (false, inputs, variable),
        Some(bit) => (true, outputs, bit),
    };
    Name { output, at: alphabet.proposition_of_bit(bit).unwrap_or(bit) }
}

/// How many paths of the diagram lead to true.
fn paths(guard: &Bdd, known: &mut FxHashMap<Bdd, u64>) -> u64 {
    let Some((_, low, high)) = guard.split() else { return u64::from(guard.is_all()) };
    if let Some(&count) = known.get(guard) {
        return count;
    }
    let count = paths(&low, known).saturating_add(paths(&high, known));
    known.insert(guard.clone(), count);
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::AlphabetError;

    fn shown(
        interface: Result<Interface, AlphabetError>,
        guard: impl Fn(&dyn Fn(&str) -> Bdd) -> Bdd,
    ) -> String {
        let space = Space::new(interface.unwrap());
        let guard = guard(&|name| space.proposition(name).unwrap());
        show_guard(&space, &(&guard & &space.exchanges()))
    }

    #[test]
    fn signals_are_products() {
        let interface = || Interface::signals(["a", "b c"], ["x", ""]);
        assert_eq!(shown(interface(), |p| &(&p("a") & &!&p("x")) | &p("b c")), "a & !x | \"b c\"");
        assert_eq!(shown(interface(), |p| &p("a") | &!&p("a")), "true");
        assert_eq!(shown(interface(), |p| &p("") & &!&p("")), "false");
        assert_eq!(shown(interface(), |p| !&p("")), "!\"\"");
    }

    #[test]
    fn labels_are_named_not_coded() {
        let interface = || Interface::labels(["a", "b", "c", "d"], ["0", "1", "a"]);
        assert_eq!(shown(interface(), |p| &p("a") & &p("1")), "a & 1");
        assert_eq!(shown(interface(), |p| !&p("b")), "!b");
        assert_eq!(shown(interface(), |p| &p("b") | &p("c")), "b | c");
        assert_eq!(shown(interface(), |p| &(&p("b") | &p("c")) & &p("out.a")), "(b | c) & out.a");
        assert_eq!(shown(interface(), |p| &!&p("b") & &!&p("0")), "!b & !0");
        assert_eq!(shown(interface(), |p| &(&p("b") & &p("0")) | &(&p("a") & &!&p("0"))), "a & !0 | b & 0");
        assert_eq!(shown(interface(), |p| &p("a") | &!&p("a")), "true");
        assert_eq!(shown(interface(), |p| &p("a") & &p("b")), "false");
        assert_eq!(shown(Interface::labels(["go"], ["0", "1"]), |p| &p("go") & &p("1")), "1");
    }

    #[test]
    fn signals_and_labels_mix() {
        let alphabets =
            || (Alphabet::signals(["a", "b"]).unwrap(), Alphabet::labels(["tea", "mud", "ink"]).unwrap());
        let (signals, labels) = alphabets();
        let guard = |p: &dyn Fn(&str) -> Bdd| &(&p("a") & &p("tea")) | &(&!&p("b") & &!&p("tea"));
        assert_eq!(shown(Interface::new(signals, labels), guard), "a & tea | !b & !tea");
        let (signals, labels) = alphabets();
        assert_eq!(shown(Interface::new(labels, signals), guard), "tea & a | !tea & !b");
    }

    #[test]
    fn the_parity_of_thirty_signals_is_described() {
        let names: Vec<String> = (0..30).map(|at| format!("s{at}")).collect();
        let space = Space::new(Interface::signals(names.clone(), vec![]).unwrap());
        let parity =
            names.iter().fold(space.bdds().none(), |sum, name| &sum ^ &space.proposition(name).unwrap());
        assert_eq!(show_guard(&space, &parity), "(a function of s0, s1, s2, ... 30 signals in all)");
    }
}
