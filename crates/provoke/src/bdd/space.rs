//! The interface as decision-diagram variables: where letters and sets of valuations meet.

use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use super::{Bdd, Bdds, NODES, OutOfNodes};
use crate::atom::{Atoms, looks_back};
use crate::diagnostic::did_you_mean;
use crate::letter::{Alphabet, Codes, Cuts, Interface, Letter, LetterSet, LetterSetBuilder};

/// An interface with one variable for each bit of an exchange: inputs first, then outputs.
///
/// A Boolean signal is one variable; the value of another field and a label are binary codes over a few, and codes
/// that stand for nothing are in no set. So guards over signals and guards over labels are the same thing.
#[derive(Debug)]
pub struct Space {
    interface: Interface,
    bdds: Bdds,
    input_bits: usize,
    output_bits: usize,
    input_cube: Bdd,
    output_cube: Bdd,
    valid_inputs: Bdd,
    valid_outputs: Bdd,
    cycle_ms: Option<u32>,
    atoms: Option<Atoms>,
    /// What atoms mean, by their text.
    meanings: Mutex<FxHashMap<Box<str>, Option<Bdd>>>,
    /// Expressions that letters would have to say themselves, and do not; and the constants that outputs are compared with
    /// that need not be whole.
    wanted: Mutex<(Vec<String>, Cuts)>,
    /// What pairs of exchanges are described with.
    pairs: OnceLock<Bdds>,
}

/// How many nodes expressions over two exchanges may take together.
const PAIRS: usize = 1 << 20;

impl Space {
    /// The variables of an interface.
    pub fn new(interface: Interface) -> Space {
        Space::with_limit(interface, NODES)
    }

    /// The same with at most so many nodes for all guards together; see [`Bdds::with_limit`].
    pub fn with_limit(interface: Interface, nodes: usize) -> Space {
        let (input_bits, output_bits) = (interface.inputs.bits(), interface.outputs.bits());
        let bdds = Bdds::with_limit(input_bits + output_bits, nodes);
        let valid = |alphabet: &Alphabet, first: usize| {
            alphabet.valid().iter().fold(bdds.all(), |valid, codes| &valid & &between(&bdds, first, codes))
        };
        let valid_inputs = valid(&interface.inputs, 0);
        let valid_outputs = valid(&interface.outputs, input_bits);
        Space {
            input_cube: bdds.cube(0..input_bits),
            output_cube: bdds.cube(input_bits..input_bits + output_bits),
            valid_inputs,
            valid_outputs,
            atoms: Atoms::new(&interface),
            meanings: Mutex::default(),
            wanted: Mutex::default(),
            pairs: OnceLock::new(),
            interface,
            bdds,
            input_bits,
            output_bits,
            cycle_ms: None,
        }
    }

    /// The same, where a step takes so many milliseconds: formulas over it may speak of time.
    #[must_use]
    pub fn with_cycle(self, cycle_ms: Option<u32>) -> Space {
        Space { cycle_ms, ..self }
    }

    /// How many milliseconds a step takes, where that is known.
    pub fn cycle_ms(&self) -> Option<u32> {
        self.cycle_ms
    }

    /// What to say of a proposition that is not known.
    pub(crate) fn help_for(&self, name: &str) -> String {
        const SHOWN: usize = 8;
        did_you_mean(name, self.names()).unwrap_or_else(|| {
            let known: Vec<&str> = self.names().take(SHOWN).collect();
            let more = if self.names().nth(SHOWN).is_some() { ", ..." } else { "" };
            format!("the interface has {}{more}", known.join(", "))
        })
    }

    /// The names of the letters.
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// The manager of all guards over this interface.
    pub fn bdds(&self) -> &Bdds {
        &self.bdds
    }

    /// How many variables the inputs take; the outputs' variables follow.
    pub fn input_bits(&self) -> usize {
        self.input_bits
    }

    /// How many variables the outputs take.
    pub fn output_bits(&self) -> usize {
        self.output_bits
    }

    /// The codes that stand for an input letter.
    pub fn valid_inputs(&self) -> &Bdd {
        &self.valid_inputs
    }

    /// The codes that stand for an output letter.
    pub fn valid_outputs(&self) -> &Bdd {
        &self.valid_outputs
    }

    /// All exchanges: a valid input with a valid output.
    pub fn exchanges(&self) -> Bdd {
        &self.valid_inputs & &self.valid_outputs
    }

    /// The inputs that occur in a set of exchanges with some output.
    pub fn some_output(&self, exchanges: &Bdd) -> Bdd {
        some(exchanges, &self.valid_outputs, &self.output_cube)
    }

    /// The outputs that occur in a set of exchanges with some input.
    pub fn some_input(&self, exchanges: &Bdd) -> Bdd {
        some(exchanges, &self.valid_inputs, &self.input_cube)
    }

    /// The exchanges with this input letter.
    pub fn input(&self, letter: Letter) -> Bdd {
        self.code(letter, 0, self.input_bits)
    }

    /// The exchanges with this output letter.
    pub fn output(&self, letter: Letter) -> Bdd {
        self.code(letter, self.input_bits, self.output_bits)
    }

    fn code(&self, letter: Letter, first: usize, bits: usize) -> Bdd {
        (0..bits)
            .rev()
            .fold(self.bdds.all(), |code, bit| &self.bdds.literal(first + bit, letter.get(bit)) & &code)
    }

    /// The exchanges where the named signal is true, that carry the named label, or of which an expression over signals is
    /// true, such as `floor <= 3`.
    ///
    /// Where an input label and an output label share a name, the name alone means the input; `in.NAME` and
    /// `out.NAME` tell them apart.
    pub fn proposition(&self, name: &str) -> Option<Bdd> {
        let Interface { inputs, outputs } = &self.interface;
        let side = |alphabet: &Alphabet, name: &str, first: usize| {
            alphabet.proposition(name).map(|codes| between(&self.bdds, first, &codes))
        };
        side(inputs, name, 0)
            .or_else(|| side(outputs, name, self.input_bits))
            .or_else(|| side(inputs, name.strip_prefix("in.")?, 0))
            .or_else(|| side(outputs, name.strip_prefix("out.")?, self.input_bits))
            .or_else(|| self.atom(name))
    }

    /// What expressions over the signals are read with; none where all signals are Boolean, or letters labels.
    pub fn atoms(&self) -> Option<&Atoms> {
        self.atoms.as_ref()
    }

    /// The exchanges of which an expression is true.
    fn atom(&self, text: &str) -> Option<Bdd> {
        // A word is no comparison.
        let atoms = self.atoms.as_ref().filter(|_| text.contains(' '))?;
        let mut meanings = self.meanings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = meanings.get(text) {
            return known.clone();
        }
        let atom = atoms.find(text).filter(|atom| !atom.looks_back());
        if let Some(atom) = &atom {
            let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
            for (at, number) in atoms.constants(atom) {
                let Some((true, field)) = atoms.fields().get(at) else { continue };
                let cuts = wanted.1.entry(at - self.interface.inputs.fields().len()).or_default();
                cuts.extend([field.below(number, false), field.below(number, true)]);
            }
            if atom.is_hidden() {
                if !wanted.0.iter().any(|known| known == atom.text()) {
                    wanted.0.push(atom.text().to_owned());
                }
                // Until letters say it, nothing is known of it.
                return Some(self.bdds.none());
            }
        }
        let made = atom.map(|atom| super::atom::exchanges(self, atoms, &atom));
        meanings.insert(text.into(), made.clone());
        made
    }

    /// The expressions that were asked for and that letters would have to say themselves: what they mean here is nothing.
    /// And where numbers that need not be whole were cut by constants.
    pub(crate) fn wanted(&self) -> (Vec<String>, Cuts) {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many variables an exchange has.
    pub(crate) fn bits(&self) -> usize {
        self.input_bits + self.output_bits
    }

    /// The pairs of an exchange and the one before it of which an expression is true that speaks of both. The exchange
    /// has its usual variables, in a manager of its own, and the one before it as many behind them.
    pub(crate) fn relation(&self, text: &str) -> Option<Result<Bdd, OutOfNodes>> {
        let atoms = self.atoms.as_ref().filter(|_| looks_back(text))?;
        let atom = atoms.find(text)?;
        let bdds = self.pairs.get_or_init(|| Bdds::with_limit(2 * self.bits(), PAIRS));
        Some(bdds.checked(Ok(super::atom::pairs(self, atoms, &atom, bdds))))
    }

    /// Whether this is a proposition or an expression of one exchange, or of one and the one before it.
    pub(crate) fn understands(&self, text: &str) -> bool {
        let relates =
            || looks_back(text) && self.atoms.as_ref().is_some_and(|atoms| atoms.find(text).is_some());
        self.proposition(text).is_some() || relates()
    }

    /// Whether this is the name of a family of labels, on either side.
    pub fn has_family(&self, name: &str) -> bool {
        self.interface.inputs.has_family(name) || self.interface.outputs.has_family(name)
    }

    /// The name by which [`proposition`](Space::proposition) knows the input's or output's proposition with this
    /// number.
    pub fn name(&self, output: bool, at: usize) -> Option<String> {
        let Interface { inputs, outputs } = &self.interface;
        let name = if output { outputs } else { inputs }.proposition_at(at)?.name;
        let hidden = output && inputs.proposition(&name).is_some();
        Some(if hidden { format!("out.{name}") } else { name })
    }

    /// The exchanges whose input or output has one of these codes.
    pub fn codes(&self, output: bool, codes: &Codes) -> Bdd {
        between(&self.bdds, if output { self.input_bits } else { 0 }, codes)
    }

    /// Every name of a field or label.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let Interface { inputs, outputs } = &self.interface;
        inputs.names().chain(outputs.names())
    }

    /// The set of input letters with these codes; the set must not depend on outputs.
    pub fn input_letters(&self, set: &Bdd) -> LetterSet {
        self.letters(&(set & &self.valid_inputs), 0, &self.interface.inputs)
    }

    /// The set of output letters with these codes; the set must not depend on inputs.
    pub fn output_letters(&self, set: &Bdd) -> LetterSet {
        self.letters(&(set & &self.valid_outputs), self.input_bits, &self.interface.outputs)
    }

    fn letters(&self, set: &Bdd, first: usize, alphabet: &Alphabet) -> LetterSet {
        let mut known = FxHashMap::default();
        let bits = alphabet.bits();
        LetterSetBuilder::new(bits)
            .with_fields(alphabet.wide_fields())
            .finish_with(|builder| flatten(builder, &mut known, set, first, 0, bits))
    }

    /// One of the exchanges of a set, always the same.
    pub fn first_exchange(&self, exchanges: &Bdd) -> Option<(Letter, Letter)> {
        let input = self.input_letters(&self.some_output(exchanges)).iter().next()?;
        let answers = exchanges.and_exists(&self.input(input), &self.input_cube);
        let output = self.output_letters(&answers).iter().next()?;
        Some((input, output))
    }

    /// The exchanges whose input is in the set.
    pub fn with_inputs(&self, letters: &LetterSet) -> Bdd {
        let bdds = &self.bdds;
        let set =
            letters.fold(bdds.none(), bdds.all(), |bit, low, high| bdds.variable(bit).choose(high, low));
        letters.removed().fold(set, |set, letter| &set - &self.input(letter))
    }

    /// The exchange as a valuation of this space's variables.
    pub fn value(&self, input: Letter, output: Letter) -> impl Fn(usize) -> bool {
        let inputs = self.input_bits;
        move |variable| match variable.checked_sub(inputs) {
            None => input.get(variable),
            Some(at) => output.get(at),
        }
    }
}

/// The valuations that are in both sets for some value of the cube's variables. Where every code is valid there is one
/// set only to look at.
fn some(exchanges: &Bdd, valid: &Bdd, cube: &Bdd) -> Bdd {
    if valid.is_all() { exchanges.exists(cube) } else { exchanges.and_exists(valid, cube) }
}

/// The exchanges with these codes, for letters whose bits start with the variable `first`.
fn between(bdds: &Bdds, first: usize, codes: &Codes) -> Bdd {
    if codes.low > codes.high {
        return bdds.none();
    }
    if codes.low == codes.high {
        return codes.powers().rev().fold(bdds.all(), |code, (bit, power)| {
            &bdds.literal(first + bit, codes.low >> power & 1 == 1) & &code
        });
    }
    let mut variables: Vec<usize> = codes.bits.clone().map(|bit| first + bit).collect();
    if codes.leading {
        variables.reverse();
    }
    &up_to(bdds, &variables, codes.high) - &below(bdds, &variables, codes.low)
}

/// The codes over these variables that are numbers up to `last`, the first variable least significant.
fn up_to(bdds: &Bdds, variables: &[usize], last: u64) -> Bdd {
    match last.checked_add(1) {
        Some(bound) => below(bdds, variables, bound),
        None => bdds.all(),
    }
}

/// The codes over these variables that are numbers below `bound`.
fn below(bdds: &Bdds, variables: &[usize], bound: u64) -> Bdd {
    if bound.checked_shr(variables.len() as u32).is_some_and(|beyond| beyond > 0) {
        return bdds.all();
    }
    variables.iter().enumerate().fold(bdds.none(), |smaller, (bit, &variable)| {
        let variable = bdds.variable(variable);
        if bound >> bit & 1 == 1 { &!&variable | &smaller } else { &!&variable & &smaller }
    })
}

fn flatten(
    builder: &mut LetterSetBuilder,
    known: &mut FxHashMap<(usize, Bdd), u32>,
    set: &Bdd,
    first: usize,
    bit: usize,
    bits: usize,
) -> u32 {
    if set.is_none() {
        return builder.outside();
    }
    if bit == bits {
        return builder.inside();
    }
    if let Some(&at) = known.get(&(bit, set.clone())) {
        return at;
    }
    let (low, high) = match set.split() {
        Some((top, low, high)) if top == first + bit => (low, high),
        _ => (set.clone(), set.clone()),
    };
    let low = flatten(builder, known, &low, first, bit + 1, bits);
    let high = flatten(builder, known, &high, first, bit + 1, bits);
    let at = builder.node(low, high);
    known.insert((bit, set.clone()), at);
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_signals_share_one_encoding() {
        let space = Space::new(Interface::labels(["a", "b", "c"], ["0", "1"]).unwrap());
        assert_eq!(space.input_letters(&space.bdds().all()).count().to_u64(), Some(3));
        let not_b = !&space.proposition("b").unwrap();
        let letters: Vec<u64> = space.input_letters(&not_b).iter().map(Letter::index).collect();
        assert_eq!(letters, [0, 2]);
        assert!(space.input(Letter::from_index(2)) == space.proposition("c").unwrap());
    }

    #[test]
    fn sets_of_inputs_and_letters_are_the_same() {
        let space = Space::new(Interface::signals(["a", "b", "c"], ["x"]).unwrap());
        let [a, b, c] = ["a", "b", "c"].map(|name| space.proposition(name).unwrap());
        for set in [&a | &(&b & &!&c), &b ^ &c, space.bdds().all(), space.bdds().none(), !&c] {
            let mut letters = space.input_letters(&set);
            assert!(space.with_inputs(&letters) == set);
            let first = letters.iter().next();
            if let Some(letter) = first {
                letters.remove(letter);
                assert!(space.with_inputs(&letters) == &set - &space.input(letter));
            }
        }
    }

    #[test]
    fn labels_that_share_a_name_are_told_apart() {
        let space = Space::new(Interface::labels(["0", "1"], ["0", "ok"]).unwrap());
        let named = |name: &str| space.proposition(name).unwrap();
        assert!(named("0") == space.input(Letter::from_index(0)) && named("0") == named("in.0"));
        assert!(named("out.0") == space.output(Letter::from_index(0)));
        assert_eq!(space.name(true, 0).as_deref(), Some("out.0"));
        assert_eq!(space.name(true, 1).as_deref(), Some("ok"));
        assert_eq!(space.name(false, 2), None);
    }

    #[test]
    fn codes_below_a_bound() {
        for (bits, bound) in [(2, 3), (3, 5), (3, 6), (3, 8), (4, 9)] {
            let bdds = Bdds::new(bits);
            let set = below(&bdds, &(0..bits).collect::<Vec<_>>(), bound);
            for code in 0..1u64 << bits {
                assert_eq!(set.contains(|at| code >> at & 1 == 1), code < bound, "{code} of {bound}");
            }
        }
    }

    #[test]
    fn quantifying_over_the_systems_answers() {
        let space = Space::new(Interface::signals(["a"], ["x", "y"]).unwrap());
        let [a, x] = ["a", "x"].map(|name| space.proposition(name).unwrap());
        assert!(space.some_output(&(&a & &x)) == a);
        assert!(space.some_input(&(&a & &x)) == x);
    }
}
