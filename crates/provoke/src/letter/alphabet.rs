//! What the letters of one direction are made of.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::label::numbered;
use super::stray::Strays;
use super::{
    AlphabetError, Codes, Field, Kind, Labels, Letter, LetterError, MAX_SIGNALS, Proposition, Sight,
};
use crate::diagnostic::nearest;

/// The letters of one direction: valuations of named fields, such as Boolean signals, or named labels.
///
/// Copies share what they know: a label that is met by one copy of an open alphabet is known to all.
#[derive(Clone, Debug)]
pub struct Alphabet(Arc<Made>);

/// For some fields, by their places, the places of values at which something changes.
pub type Cuts = BTreeMap<usize, BTreeSet<u64>>;

#[derive(Debug)]
enum Made {
    Fields {
        fields: Box<[Field]>,
        by_name: FxHashMap<String, usize>,
        /// Where some field has a range.
        strays: Option<Arc<Strays>>,
        /// What letters say beside their fields, a bit each: expressions that would be too large as sets of letters.
        hidden: Box<[String]>,
        /// For fields of numbers that need not be whole, the places of values at which something changes.
        cuts: Cuts,
    },
    Labels(Labels),
}

impl Alphabet {
    /// Letters that are valuations of these Boolean signals.
    pub fn signals<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Result<Alphabet, AlphabetError> {
        Alphabet::of_fields(names.into_iter().map(|name| (name, Kind::Boolean)))
    }

    /// Letters that are valuations of these fields.
    pub fn of_fields<S: Into<String>>(
        fields: impl IntoIterator<Item = (S, Kind)>,
    ) -> Result<Alphabet, AlphabetError> {
        Alphabet::of(fields.into_iter().map(|(name, kind)| (name.into(), kind, Sight::Whole)).collect(), None)
    }

    /// The same letters with one more field, which the system does not say: it is measured, and seen by monitors, traces
    /// and reports alone. All other fields stay where they are.
    pub fn measuring(&self, name: &str, kind: Kind) -> Result<Alphabet, AlphabetError> {
        let known = self.fields().iter();
        let known = known.map(|field| (field.name().to_owned(), field.kind().clone(), field.sight()));
        Alphabet::of(known.chain([(name.to_owned(), kind, Sight::Nothing)]).collect(), self.shared_strays())
    }

    /// The letters as the system says them: without what is measured.
    pub fn said(&self) -> Alphabet {
        let fields = self.fields();
        let said: Vec<&Field> = fields.iter().filter(|field| field.sight() != Sight::Nothing).collect();
        if said.len() == fields.len() {
            return self.clone();
        }
        let said = said.iter().map(|field| (field.name().to_owned(), field.kind().clone(), field.sight()));
        // What is part of an alphabet is none that is too large.
        Alphabet::of(said.collect(), self.shared_strays()).unwrap_or_else(|_| self.clone())
    }

    /// What strays is known to both where one alphabet is part of the other: the places of fields are the same.
    fn shared_strays(&self) -> Option<Arc<Strays>> {
        match &*self.0 {
            Made::Fields { strays, .. } => strays.clone(),
            Made::Labels(_) => None,
        }
    }

    fn of(
        fields: Vec<(String, Kind, Sight)>,
        strays: Option<Arc<Strays>>,
    ) -> Result<Alphabet, AlphabetError> {
        let names: Vec<String> = fields.iter().map(|(name, ..)| name.clone()).collect();
        let by_name = numbered(&names)?;
        if names.len() > MAX_SIGNALS {
            return Err(AlphabetError::TooManySignals(names.len()));
        }
        let mut made: Vec<Field> = Vec::new();
        for (name, kind, sight) in fields {
            let (bit, first) = made.last().map_or((0, 0), |last| (last.bits().end, last.propositions().end));
            made.push(Field::new(name, kind, bit, first).seen(sight));
        }
        match made.last().map_or(0, |last| last.bits().end) {
            bits if bits > MAX_SIGNALS => Err(AlphabetError::TooManyBits { bits, by: widest(&made) }),
            _ => {
                let is_ranged = |field: &Field| !field.is_boolean() && field.sight() == Sight::Whole;
                let strays = strays.or_else(|| made.iter().any(is_ranged).then(Arc::default));
                let (fields, hidden, cuts) = (made.into(), Box::default(), Cuts::default());
                Ok(Alphabet(Arc::new(Made::Fields { fields, by_name, strays, hidden, cuts })))
            }
        }
    }

    /// Letters that are these labels.
    pub fn labels<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Result<Alphabet, AlphabetError> {
        let labels = Labels::new(names.into_iter().map(Into::into).collect(), [], false)?;
        Ok(Alphabet(Arc::new(Made::Labels(labels))))
    }

    /// Letters that are labels, of which these are known; others are taken in as they are met, each with the next
    /// number, as long as there are at most [`MAX_LABELS`](super::MAX_LABELS) in all.
    ///
    /// Codes are reserved for that many: sets of letters hold labels that nobody has met. A game over such inputs
    /// must say itself what can be sent.
    pub fn open_labels<S: Into<String>>(
        known: impl IntoIterator<Item = S>,
    ) -> Result<Alphabet, AlphabetError> {
        Alphabet::open_families(known, [])
    }

    /// The same, with families of labels: `Search(0)` and `Search(7)` are of the family `Search`, which is a proposition
    /// as well. Each has room for [`MAX_LABELS`](super::MAX_LABELS).
    pub fn open_families<S: Into<String>>(
        known: impl IntoIterator<Item = S>,
        families: impl IntoIterator<Item = S>,
    ) -> Result<Alphabet, AlphabetError> {
        let known = known.into_iter().map(Into::into).collect();
        let labels = Labels::new(known, families.into_iter().map(Into::into), true)?;
        Ok(Alphabet(Arc::new(Made::Labels(labels))))
    }

    /// The fields of a letter, in order; none where letters are labels.
    #[inline]
    pub fn fields(&self) -> &[Field] {
        match &*self.0 {
            Made::Fields { fields, .. } => fields,
            Made::Labels(_) => &[],
        }
    }

    /// The labels, where letters are labels.
    #[inline]
    pub fn as_labels(&self) -> Option<&Labels> {
        match &*self.0 {
            Made::Fields { .. } => None,
            Made::Labels(labels) => Some(labels),
        }
    }

    /// Whether letters are valuations of Boolean signals alone.
    pub fn is_boolean(&self) -> bool {
        self.as_labels().is_none() && self.fields().iter().all(Field::is_boolean)
    }

    /// The fields' or labels' names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let fields = self.fields().iter().map(Field::name);
        let labels = self.as_labels().into_iter().flat_map(Labels::iter).map(|(_, name)| name);
        fields.chain(labels)
    }

    /// How many fields or labels there are.
    pub fn len(&self) -> usize {
        self.as_labels().map_or(self.fields().len(), Labels::len)
    }

    /// Whether there is neither a field nor a label.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is a field or label of this name.
    pub fn knows(&self, name: &str) -> bool {
        self.position(name).is_some() || self.as_labels().is_some_and(|labels| labels.find(name).is_some())
    }

    /// The place of a field among [`fields`](Alphabet::fields).
    pub fn position(&self, name: &str) -> Option<usize> {
        match &*self.0 {
            Made::Fields { by_name, .. } => by_name.get(name).copied(),
            Made::Labels(_) => None,
        }
    }

    /// The field of a name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields().get(self.position(name)?)
    }

    /// The number that a field is in a letter; none where there is no such field, or its values are no numbers.
    pub fn int(&self, letter: Letter, name: &str) -> Option<i64> {
        let field = self.field(name)?;
        field.number(field.get(letter))
    }

    /// The number that a field is in a letter, whole or not; none where there is no such field, or its values are no numbers.
    pub fn real(&self, letter: Letter, name: &str) -> Option<f64> {
        let field = self.field(name)?;
        field.real(field.get(letter))
    }

    /// The name of the value that a field has in a letter; none where there is no such field, or its values have no names.
    pub fn word(&self, letter: Letter, name: &str) -> Option<&str> {
        let field = self.field(name)?;
        field.word(field.get(letter))
    }

    /// The letter of a label. An open alphabet takes in one that is new; a closed one refuses it.
    pub fn label(&self, name: &str) -> Result<Letter, LetterError> {
        let interned = self.as_labels().and_then(|labels| labels.intern(name));
        interned.unwrap_or_else(|| Err(self.unknown("label", name)))
    }

    /// How many bits tell the letters apart: one a Boolean signal, or the length of a label's code.
    pub fn bits(&self) -> usize {
        match &*self.0 {
            Made::Fields { hidden, .. } => self.field_bits() + hidden.len(),
            Made::Labels(labels) => labels.bits(),
        }
    }

    /// The same letters with a bit for each of these expressions, which are no fields: nobody reads or writes them. Values
    /// of fields between cuts look the same to all but monitors.
    pub fn with_hidden(&self, names: &[String], cuts: &Cuts) -> Result<Alphabet, AlphabetError> {
        let Made::Fields { fields, by_name, strays, .. } = &*self.0 else { return Ok(self.clone()) };
        let bits = fields.last().map_or(0, |last| last.bits().end) + names.len();
        if bits > MAX_SIGNALS {
            let by = format!("{}, and {} comparisons of wide signals", widest(fields), names.len());
            return Err(AlphabetError::TooManyBits { bits, by });
        }
        let (fields, by_name, strays) = (fields.clone(), by_name.clone(), strays.clone());
        let (hidden, cuts) = (names.into(), cuts.clone());
        Ok(Alphabet(Arc::new(Made::Fields { fields, by_name, strays, hidden, cuts })))
    }

    /// The places of values at which something changes, where values that lie between them look the same.
    pub(super) fn cuts(&self, field: usize) -> Option<&BTreeSet<u64>> {
        match &*self.0 {
            Made::Fields { cuts, .. } => cuts.get(&field),
            Made::Labels(_) => None,
        }
    }

    /// The expressions that letters hold beside their fields.
    pub fn hidden(&self) -> &[String] {
        match &*self.0 {
            Made::Fields { hidden, .. } => hidden,
            Made::Labels(_) => &[],
        }
    }

    /// The bits of the fields.
    fn field_bits(&self) -> usize {
        self.fields().last().map_or(0, |last| last.bits().end)
    }

    pub(super) fn strays(&self) -> Option<&Strays> {
        match &*self.0 {
            Made::Fields { strays, .. } => strays.as_deref(),
            Made::Labels(_) => None,
        }
    }

    /// The bits of each field that is not Boolean.
    pub(crate) fn wide_fields(&self) -> Arc<[Range<usize>]> {
        self.fields().iter().filter(|field| !field.is_boolean()).map(Field::bits).collect()
    }

    /// Which bits stand for a letter: all these must hold of them.
    pub fn valid(&self) -> Vec<Codes> {
        match &*self.0 {
            Made::Fields { fields, .. } => fields.iter().map(Field::valid).collect(),
            Made::Labels(labels) => vec![Codes::first(0..labels.bits(), labels.room() as u64)],
        }
    }

    /// When a named proposition is true: a Boolean signal, a label, or of another field `name=value` or a bit of its code,
    /// `name.2`.
    pub fn proposition(&self, name: &str) -> Option<Codes> {
        if let Some(labels) = self.as_labels() {
            let label = |label: Letter| Codes::only(0..labels.bits(), label.index());
            let find = || labels.find(name).or_else(|| labels.member(name));
            return labels.family(name).or_else(|| find().map(label));
        }
        if let Some(at) = self.hidden().iter().position(|hidden| hidden == name) {
            let bit = self.field_bits() + at;
            return Some(Codes::only(bit..bit + 1, 1).leading());
        }
        if let Some(field) = self.field(name) {
            return field.of_truth(true).map(|value| field.codes_of(value));
        }
        if let Some((name, value)) = name.split_once('=') {
            let field = self.field(name).filter(|field| !field.is_boolean())?;
            return field.parse(value).map(|value| field.codes_of(value));
        }
        let (name, power) = name.rsplit_once('.')?;
        self.field(name)?.bit(power.parse().ok()?)
    }

    /// Whether this is the name of a family of labels.
    pub fn has_family(&self, name: &str) -> bool {
        self.as_labels().is_some_and(|labels| labels.families().any(|family| family == name))
    }

    fn field_propositions(&self) -> usize {
        self.fields().last().map_or(0, |last| last.propositions().end)
    }

    /// How many propositions [`proposition_at`](Alphabet::proposition_at) numbers.
    pub fn propositions(&self) -> usize {
        self.as_labels().map_or_else(|| self.field_propositions() + self.hidden().len(), Labels::len)
    }

    /// The propositions by number, field by field: one a Boolean signal, one a label, one a bit of other fields.
    pub fn proposition_at(&self, at: usize) -> Option<Proposition> {
        if let Some(labels) = self.as_labels() {
            let (label, name) = match labels.families().len() {
                0 => (Letter::from_index(at as u64), labels.name(Letter::from_index(at as u64))?),
                _ => labels.iter().nth(at)?,
            };
            let codes = Codes::only(0..labels.bits(), label.index());
            return Some(Proposition { name: name.to_owned(), codes });
        }
        if let Some(name) = at.checked_sub(self.field_propositions()).and_then(|at| self.hidden().get(at)) {
            return Some(Proposition { name: name.clone(), codes: self.proposition(name)? });
        }
        let behind = self.fields().partition_point(|field| field.propositions().end <= at);
        self.fields().get(behind).map(|field| field.proposition(at))
    }

    /// The number of the proposition that a bit alone decides.
    pub fn proposition_of_bit(&self, bit: usize) -> Option<usize> {
        if let Some(at) = bit.checked_sub(self.field_bits()) {
            return (at < self.hidden().len()).then(|| self.field_propositions() + at);
        }
        let behind = self.fields().partition_point(|field| field.bits().end <= bit);
        self.fields().get(behind).map(|field| field.propositions().start + bit - field.bits().start)
    }

    /// The bits and the propositions of the labels, of which exactly one is true.
    pub fn choices(&self) -> Option<(Range<usize>, Range<usize>)> {
        self.as_labels().map(|labels| (0..labels.bits(), 0..labels.len()))
    }

    /// What is to be seen where everything is, each with whether it is to be seen false as well: labels, Boolean signals,
    /// and the values of other fields, one by one where they are few and in stretches where they are many.
    pub fn elements(&self) -> Vec<(Proposition, bool)> {
        if self.as_labels().is_some() {
            let labels = (0..self.propositions()).filter_map(|at| self.proposition_at(at));
            return labels.map(|label| (label, false)).collect();
        }
        let of = |field: &Field| match field.is_boolean() {
            true => vec![(field.proposition(field.propositions().start), true)],
            false => field.elements().into_iter().map(|value| (value, false)).collect(),
        };
        // Nobody can be asked to see all that may be measured.
        self.fields().iter().filter(|field| field.sight() != Sight::Nothing).flat_map(of).collect()
    }

    /// What the names are names of, as messages call them: signal or label.
    pub fn what(&self) -> &'static str {
        if self.as_labels().is_some() { "label" } else { "signal" }
    }

    /// The error for a name that is not in the alphabet, with the nearest one that is.
    pub fn unknown(&self, what: &str, name: &str) -> LetterError {
        let near = nearest(name, self.names()).map(str::to_owned);
        LetterError::Unknown { what: what.to_owned(), name: name.to_owned(), near }
    }
}

/// The fields that take most bits, in words.
fn widest(fields: &[Field]) -> String {
    const SHOWN: usize = 6;
    let mut fields: Vec<&Field> = fields.iter().collect();
    fields.sort_by_key(|field| std::cmp::Reverse(field.bits().len()));
    let one = |field: &&Field| format!("`{}` {}", field.name(), field.bits().len());
    let shown = fields.iter().take(SHOWN).map(one).collect::<Vec<_>>().join(", ");
    if fields.len() > SHOWN { shown + ", ..." } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::MAX_LABELS;

    #[test]
    fn there_is_room_for_so_many() {
        let names = |count: usize| (0..count).map(|at| at.to_string());
        assert_eq!(Alphabet::signals(names(256)).unwrap().bits(), 256);
        let error = Alphabet::signals(names(257)).unwrap_err();
        assert_eq!(error.to_string(), "257 signals in one direction; at most 256 are supported");
        assert!(Alphabet::labels(names(MAX_LABELS + 1)).is_ok());
        assert!(Alphabet::open_labels(names(MAX_LABELS)).is_ok());
        let error = Alphabet::open_labels(names(MAX_LABELS + 1)).unwrap_err();
        assert_eq!(error.to_string(), "65537 labels in an open alphabet; at most 65536 are supported");
        let wide = (0..5).map(|at| (at.to_string(), Kind::Number { low: 0, high: (1 << 62) - 1 }));
        assert_eq!(
            Alphabet::of_fields(wide).unwrap_err(),
            AlphabetError::TooManyBits { bits: 310, by: "`0` 62, `1` 62, `2` 62, `3` 62, `4` 62".into() }
        );
    }

    #[test]
    fn labels_take_as_many_bits_as_their_codes() {
        let bits = |count: usize| Alphabet::labels((0..count).map(|at| at.to_string())).unwrap().bits();
        assert_eq!([bits(1), bits(2), bits(3), bits(4), bits(5)], [0, 1, 2, 2, 3]);
        assert_eq!(Alphabet::open_labels(["a"]).unwrap().bits(), 16);
    }

    #[test]
    fn propositions_are_signals_labels_and_values() {
        let of = |alphabet: &Alphabet| -> Vec<String> {
            let all = (0..alphabet.propositions()).filter_map(|at| alphabet.proposition_at(at));
            all.inspect(|one| assert_eq!(alphabet.proposition(&one.name).as_ref(), Some(&one.codes)))
                .map(|one| one.name)
                .collect()
        };
        let signals = Alphabet::signals(["a", "b"]).unwrap();
        assert_eq!(of(&signals), ["a", "b"]);
        assert!(signals.proposition("a=1").is_none() && signals.proposition_at(2).is_none());
        assert_eq!(signals.proposition_of_bit(1), Some(1));
        let labels = Alphabet::labels(["tea", "mud"]).unwrap();
        assert_eq!(of(&labels), ["tea", "mud"]);
        assert!(labels.proposition("tee").is_none() && labels.proposition_of_bit(0).is_none());
        let level = Kind::Number { low: -1, high: 1 };
        let mixed = Alphabet::of_fields([("a", Kind::Boolean), ("level", level), ("b", Kind::Boolean)]);
        let mixed = mixed.unwrap();
        assert_eq!(of(&mixed), ["a", "level.1", "level.0", "b"]);
        assert_eq!([0, 1, 3].map(|bit| mixed.proposition_of_bit(bit)), [Some(0), Some(1), Some(3)]);
        assert!(mixed.proposition("level=-1").is_some() && mixed.proposition("level.2").is_none());
        assert!(mixed.proposition("level").is_none() && mixed.proposition("level=2").is_none());
    }
}
