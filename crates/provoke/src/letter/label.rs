//! Letters that are names, told in advance or taken in as they are met.

use std::borrow::Cow;
use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::store::Grown;
use super::{AlphabetError, Codes, Letter, LetterError};

/// The most labels an open alphabet has room for, and the most of each of its families: 16 bits are reserved.
pub const MAX_LABELS: usize = 1 << FAMILY_BITS;

const FAMILY_BITS: usize = 16;

/// The labels of an alphabet, numbered from 0 in the order in which they were named or met.
///
/// An open alphabet may have families: the labels `Search(0)`, `Search(7)` and so on are all of the family `Search`. The
/// members of a family have numbers of their own, so that what is in it is known before any of them is met.
#[derive(Debug)]
pub struct Labels {
    named: Box<[String]>,
    by_name: FxHashMap<String, usize>,
    /// The labels met later that are of no family, where the alphabet is open.
    met: Option<Box<Met>>,
    families: Box<[Family]>,
}

#[derive(Debug)]
struct Family {
    name: String,
    met: Met,
}

#[derive(Debug, Default)]
struct Met {
    // invariant: a label stands in `names` before its number stands here.
    by_name: RwLock<FxHashMap<String, usize>>,
    names: Grown<String>,
}

impl Met {
    fn len(&self) -> usize {
        self.by_name.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.by_name.read().unwrap_or_else(PoisonError::into_inner).get(name).copied()
    }

    /// The place of a name; one that is new is taken in as long as there is room.
    fn intern(&self, name: &str, room: usize) -> Result<usize, LetterError> {
        let mut by_name = self.by_name.write().unwrap_or_else(PoisonError::into_inner);
        // Someone may have taken it in since we looked.
        let fresh = by_name.len();
        match by_name.get(name) {
            Some(&at) => Ok(at),
            None if fresh >= room => Err(LetterError::Full(name.to_owned())),
            None => {
                self.names.get_or_put(fresh, name.to_owned());
                by_name.insert(name.to_owned(), fresh);
                Ok(fresh)
            }
        }
    }
}

impl Labels {
    pub(super) fn new(
        named: Box<[String]>,
        families: impl IntoIterator<Item = String>,
        open: bool,
    ) -> Result<Labels, AlphabetError> {
        if open && named.len() > MAX_LABELS {
            return Err(AlphabetError::TooManyLabels(named.len()));
        }
        let family = |name| Family { name, met: Met::default() };
        let families: Box<[Family]> = families.into_iter().map(family).collect();
        numbered(named.iter().chain(families.iter().map(|family| &family.name)))?;
        let by_name = numbered(named.iter())?;
        Ok(Labels { named, by_name, met: open.then(Box::default), families })
    }

    /// Whether a label that is new is taken in.
    pub fn is_open(&self) -> bool {
        self.met.is_some()
    }

    /// How many labels there are; of an open alphabet, so far.
    pub fn len(&self) -> usize {
        let met = self.met.as_deref().into_iter().chain(self.families.iter().map(|family| &family.met));
        self.named.len() + met.map(Met::len).sum::<usize>()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bits a label's code takes: as many as the labels need, or those that are reserved.
    pub(super) fn bits(&self) -> usize {
        (usize::BITS - self.room().saturating_sub(1).leading_zeros()) as usize
    }

    /// How many codes are labels or reserved for some.
    pub(super) fn room(&self) -> usize {
        if self.is_open() { MAX_LABELS * (1 + self.families.len()) } else { self.named.len() }
    }

    /// The name of a label.
    #[inline]
    pub fn name(&self, letter: Letter) -> Option<&str> {
        let at = usize::try_from(letter.index()).ok()?;
        if let Some(name) = self.named.get(at) {
            return Some(name);
        }
        let (met, at) = match (at >> FAMILY_BITS).checked_sub(1) {
            None => (self.met.as_deref()?, at - self.named.len()),
            Some(family) => (&self.families.get(family)?.met, at % MAX_LABELS),
        };
        met.names.get(at).map(String::as_str)
    }

    /// The families, in order.
    pub fn families(&self) -> impl ExactSizeIterator<Item = &str> {
        self.families.iter().map(|family| family.name.as_str())
    }

    /// The family of a label, by its place.
    pub fn family_of(&self, letter: Letter) -> Option<usize> {
        (letter.index() as usize >> FAMILY_BITS).checked_sub(1)
    }

    /// The codes of a family, those of members that nobody has met as well.
    pub(super) fn family(&self, name: &str) -> Option<Codes> {
        let at = self.families.iter().position(|family| family.name == name)?;
        let low = ((at + 1) << FAMILY_BITS) as u64;
        Some(Codes { bits: 0..self.bits(), leading: false, low, high: low + MAX_LABELS as u64 - 1 })
    }

    /// Every label with its name, in order; of an open alphabet, those met so far.
    pub fn iter(&self) -> impl Iterator<Item = (Letter, &str)> {
        let met = self.met.as_deref().map_or(0, Met::len);
        let first = (0..self.named.len() + met).map(|at| Letter::from_index(at as u64));
        let members = |(at, family): (usize, &Family)| {
            (0..family.met.len()).map(move |member| code(at, member)).collect::<Vec<_>>()
        };
        let letters = first.chain(self.families.iter().enumerate().flat_map(members));
        letters.filter_map(|letter| Some((letter, self.name(letter)?)))
    }

    /// The label of a name that is known.
    pub fn find(&self, name: &str) -> Option<Letter> {
        if let Some(&at) = self.by_name.get(name) {
            return Some(Letter::from_index(at as u64));
        }
        let name = &*compact(name);
        if let Some(family) = self.family_named(name) {
            return Some(code(family, self.families[family].met.find(name)?));
        }
        let at = self.met.as_deref()?.find(name)?;
        Some(Letter::from_index((self.named.len() + at) as u64))
    }

    /// The label of a name; one that is new is taken in, with the next number, where the alphabet is open. Nothing
    /// where it is not.
    pub(super) fn intern(&self, name: &str) -> Option<Result<Letter, LetterError>> {
        if let Some(known) = self.find(name) {
            return Some(Ok(known));
        }
        let met = self.met.as_deref()?;
        let name = &*compact(name);
        if let Some(family) = self.family_named(name) {
            let member = self.families[family].met.intern(name, MAX_LABELS);
            return Some(member.map(|member| code(family, member)));
        }
        let at = met.intern(name, MAX_LABELS - self.named.len());
        Some(at.map(|at| Letter::from_index((self.named.len() + at) as u64)))
    }

    /// The label of a member of a family; one that nobody has met is taken in.
    pub(super) fn member(&self, name: &str) -> Option<Letter> {
        self.family_named(name)?;
        self.intern(name)?.ok()
    }

    /// The place of the family that a name belongs to: `Search` for `Search(0)`, and for `Search` itself.
    fn family_named(&self, name: &str) -> Option<usize> {
        if self.families.is_empty() {
            return None;
        }
        let stem = name.split_once('(').map_or(name, |(stem, _)| stem);
        self.families.iter().position(|family| family.name == stem)
    }
}

fn code(family: usize, member: usize) -> Letter {
    Letter::from_index((((family + 1) << FAMILY_BITS) + member) as u64)
}

/// `Search( 0 )` is `Search(0)`: blanks among arguments mean nothing, unless in quotes.
pub(crate) fn compact(name: &str) -> Cow<'_, str> {
    if !name.contains('(') || !name.contains(' ') {
        return Cow::Borrowed(name);
    }
    let mut quoted = false;
    let keep = |&character: &char| {
        quoted ^= character == '"';
        quoted || character != ' '
    };
    Cow::Owned(name.chars().filter(keep).collect())
}

/// The number of each name.
pub(super) fn numbered<'a>(
    names: impl IntoIterator<Item = &'a String>,
) -> Result<FxHashMap<String, usize>, AlphabetError> {
    let mut by_name = FxHashMap::default();
    for (at, name) in names.into_iter().enumerate() {
        if by_name.insert(name.clone(), at).is_some() {
            return Err(AlphabetError::NamedTwice(name.clone()));
        }
    }
    Ok(by_name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::letter::Alphabet;

    #[test]
    fn a_closed_alphabet_refuses_what_is_new() {
        let alphabet = Alphabet::labels(["tea", "mud"]).unwrap();
        let error = alphabet.label("tee").unwrap_err();
        assert_eq!(error.to_string(), "unknown label `tee` (did you mean `tea`?)");
        assert_eq!(alphabet.len(), 2);
        assert_eq!(alphabet.parse(" mud "), Ok(Letter::from_index(1)));
        assert_eq!(alphabet.show(Letter::from_index(2)).to_string(), "?");
    }

    #[test]
    fn an_open_alphabet_is_full_at_its_bound() {
        let alphabet = Alphabet::open_labels(["first"]).unwrap();
        for at in 1..MAX_LABELS {
            assert_eq!(alphabet.label(&format!("put({at})")), Ok(Letter::from_index(at as u64)));
        }
        assert_eq!(alphabet.label("one more"), Err(LetterError::Full("one more".into())));
        let message = "label `one more` is one too many: an open alphabet has room for 65536";
        assert_eq!(alphabet.parse("one more").unwrap_err().to_string(), message);
        // What was met before stays known.
        assert_eq!(alphabet.label("put(65535)"), Ok(Letter::from_index(65535)));
        assert_eq!(alphabet.len(), MAX_LABELS);
    }

    #[test]
    fn many_threads_agree_on_the_numbers() {
        let alphabet = Alphabet::open_labels(["known"]).unwrap();
        let names = |thread: usize| (0..500).map(move |at| format!("put({})", (at * 7 + thread * 131) % 500));
        let seen: Vec<Vec<(String, Letter)>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|thread| {
                    let alphabet = alphabet.clone();
                    scope.spawn(move || {
                        let letter = |name: String| {
                            let letter = alphabet.label(&name).unwrap();
                            assert_eq!(alphabet.show(letter).to_string(), name);
                            (name, letter)
                        };
                        names(thread).map(letter).collect()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(alphabet.len(), 501);
        let numbers: BTreeSet<u64> = seen[0].iter().map(|(_, letter)| letter.index()).collect();
        assert_eq!(numbers, (1..=500).collect());
        for (name, letter) in seen.iter().flatten() {
            assert_eq!(alphabet.label(name), Ok(*letter));
        }
    }

    proptest! {
        #[test]
        fn labels_are_numbered_as_they_appear(
            known in proptest::collection::btree_set("[a-c]{1,2}", 0..4),
            met in proptest::collection::vec("[a-d]{1,2}", 0..40),
        ) {
            let alphabet = Alphabet::open_labels(known.iter().cloned()).unwrap();
            let mut order: Vec<String> = known.into_iter().collect();
            for name in met {
                let letter = alphabet.clone().parse(&name).unwrap();
                if !order.contains(&name) {
                    order.push(name.clone());
                }
                prop_assert_eq!(&order[letter.index() as usize], &name);
                prop_assert_eq!(alphabet.show(letter).to_string(), name);
            }
            prop_assert_eq!(alphabet.names().collect::<Vec<_>>(), order.iter().map(String::as_str).collect::<Vec<_>>());
            prop_assert_eq!(alphabet.len(), order.len());
        }
    }
}
