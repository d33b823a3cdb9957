//! Sets of letters as flat decision diagrams: counted, sampled and walked without enumerating them.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use super::{Count, Letter, MAX_SIGNALS};
use crate::rng::Rng;

/// A set of letters of one alphabet. Cloning shares the diagram.
///
/// The letters of a set have an order (signal 0 decides first, 0 before 1) and so each has a rank; sampling
/// draws a rank, which makes it exactly uniform, and removal remembers the ranks taken out.
#[derive(Clone, Debug)]
pub struct LetterSet {
    diagram: Arc<Diagram>,
    // invariant: sorted, no duplicates, each below the diagram's count.
    removed: Vec<Count>,
}

/// A decision diagram with one level a bit, no level skipped: node `at` of level `i` decides bit `i`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Diagram {
    pub(super) bits: usize,
    pub(super) root: u32,
    pub(super) nodes: Vec<Node>,
    count: Count,
    /// The letters in order, where they are few: sampling is the inner loop of every campaign.
    few: Vec<Letter>,
    /// For each node how many letters lie below `low`, where all counts fit a word.
    low_counts: Vec<u64>,
    /// Whether this is every valuation of at most 64 signals: a rank is a letter read backwards.
    full: bool,
    /// The fingerprint of the whole set; see [`Fingerprint`].
    fingerprint: Fingerprint,
    /// The bits of fields whose values lie side by side, and for each node whether the rest of its field decides nothing.
    pub(super) fields: Arc<[Range<usize>]>,
    pub(super) settled: Vec<bool>,
}

/// Sets of at most so many letters are listed.
const FEW: u64 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) low: u32,
    pub(super) high: u32,
    /// How many letters lie below `low`.
    low_count: Count,
}

/// Where a path that leaves the set ends, and where a letter of the set ends.
pub(super) const OUT: u32 = u32::MAX;
const IN: u32 = u32::MAX - 1;

impl LetterSet {
    /// The set without letters.
    pub fn empty() -> LetterSet {
        static EMPTY: LazyLock<Arc<Diagram>> =
            LazyLock::new(|| Arc::new(Diagram { root: OUT, ..Diagram::default() }));
        LetterSet { diagram: EMPTY.clone(), removed: Vec::new() }
    }

    /// All valuations of `bits` signals.
    pub fn all(bits: usize) -> LetterSet {
        LetterSetBuilder::new(bits).finish_with(|builder| {
            (0..bits).rev().fold(builder.inside(), |below, _| builder.node(below, below))
        })
    }

    /// Exactly these letters, of an alphabet of `bits` bits.
    pub fn of(bits: usize, letters: &[Letter]) -> LetterSet {
        let mut letters = letters.to_vec();
        letters.sort_by_key(|letter| reading_order(*letter, bits));
        letters.dedup();
        LetterSetBuilder::new(bits).finish_with(|builder| builder.sorted(0, &letters))
    }

    pub(super) fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    /// What tells this set from others of its alphabet: equal sets have equal ids, however they were made, in every
    /// run and on every machine; different sets have different ones but for a chance of less than 2^-52. Unlike
    /// comparing sets, asking costs nothing.
    #[inline]
    pub fn id(&self) -> u64 {
        let gone = self.removed.iter().map(|&rank| self.diagram.unrank(rank));
        gone.fold(self.diagram.fingerprint, |sum, letter| {
            sum.minus(Fingerprint::of(letter, self.diagram.bits))
        })
        .0
    }

    /// How many letters.
    #[inline]
    pub fn count(&self) -> Count {
        match self.removed.len() {
            0 => self.diagram.count,
            removed => self.diagram.count.minus(Count::small(removed as u64)),
        }
    }

    /// Whether there is no letter.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.diagram.root == OUT || !self.removed.is_empty() && self.count().is_zero()
    }

    /// Whether the letter is in the set.
    pub fn contains(&self, letter: Letter) -> bool {
        self.diagram.rank(letter).is_some_and(|rank| self.removed.binary_search(&rank).is_err())
    }

    /// One letter, each with exactly the same chance; none where the set is empty.
    #[inline]
    pub fn sample(&self, rng: &mut Rng) -> Option<Letter> {
        if self.removed.is_empty() && !self.diagram.few.is_empty() {
            return rng.pick(&self.diagram.few).copied();
        }
        match self.count().to_u64() {
            Some(0) => None,
            Some(count) if self.removed.is_empty() => Some(self.diagram.unrank_word(rng.below(count))),
            _ => Some(self.at(self.count().random_below(rng))),
        }
    }

    /// The letter with this rank among those still in the set; the rank must be below the count.
    fn at(&self, rank: Count) -> Letter {
        let mut rank = rank;
        for &gone in &self.removed {
            if gone > rank {
                break;
            }
            rank = rank.plus(Count::ONE);
        }
        self.diagram.unrank(rank)
    }

    /// Takes a letter out; false where it was not in.
    pub fn remove(&mut self, letter: Letter) -> bool {
        let Some(rank) = self.diagram.rank(letter) else { return false };
        match self.removed.binary_search(&rank) {
            Ok(_) => false,
            Err(place) => {
                self.removed.insert(place, rank);
                true
            }
        }
    }

    /// The letters of either set; both are of one alphabet.
    #[must_use]
    pub fn union(&self, other: &LetterSet) -> LetterSet {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => return other.clone(),
            (_, true) => return self.clone(),
            (false, false) => {}
        }
        let mut known = FxHashMap::default();
        let (left, right) = (&*self.diagram, &*other.diagram);
        let fields = if left.fields.is_empty() { &right.fields } else { &left.fields };
        let builder = LetterSetBuilder::new(left.bits.max(right.bits)).with_fields(fields.clone());
        let mut union =
            builder.finish_with(|builder| builder.joined([left, right], [left.root, right.root], &mut known));
        let gone = self.removed().filter(|&letter| !other.contains(letter));
        let gone = gone.chain(other.removed().filter(|&letter| !self.contains(letter)));
        for letter in gone {
            union.remove(letter);
        }
        union
    }

    /// The letters in order of rank. May be astronomically many: take what you need.
    pub fn iter(&self) -> impl Iterator<Item = Letter> + '_ {
        let count = self.count();
        let mut next = Count::ZERO;
        std::iter::from_fn(move || {
            (next < count).then(|| {
                let letter = self.at(next);
                next = next.plus(Count::ONE);
                letter
            })
        })
    }
}

impl LetterSet {
    /// The set made anew from decisions, bottom-up: `decide` gets a bit and what is left where it is 0 and
    /// where it is 1. Letters that were taken out count as inside; see [`removed`](LetterSet::removed).
    pub(crate) fn fold<V: Clone>(&self, outside: V, inside: V, decide: impl Fn(usize, &V, &V) -> V) -> V {
        let Diagram { root, nodes, .. } = &*self.diagram;
        // Nodes come after those below them: backwards, each level is known in time; forwards, each value.
        let mut level = vec![0; nodes.len()];
        for (at, node) in nodes.iter().enumerate().rev() {
            for below in [node.low, node.high].into_iter().filter(|&below| below < IN) {
                level[below as usize] = level[at] + 1;
            }
        }
        let mut values: Vec<V> = Vec::with_capacity(nodes.len());
        let value = |values: &[V], at: u32| match at {
            OUT => outside.clone(),
            IN => inside.clone(),
            at => values[at as usize].clone(),
        };
        for (node, level) in nodes.iter().zip(level) {
            values.push(decide(level, &value(&values, node.low), &value(&values, node.high)));
        }
        value(&values, *root)
    }

    /// The letters that were taken out.
    pub(crate) fn removed(&self) -> impl Iterator<Item = Letter> + '_ {
        self.removed.iter().map(|&rank| self.diagram.unrank(rank))
    }
}

/// Two sets are equal when they hold the same letters.
impl PartialEq for LetterSet {
    fn eq(&self, other: &LetterSet) -> bool {
        if self.removed.is_empty() && other.removed.is_empty() && Arc::ptr_eq(&self.diagram, &other.diagram) {
            return true;
        }
        self.id() == other.id()
            && self.count() == other.count()
            && self.iter().all(|letter| other.contains(letter))
    }
}

impl Eq for LetterSet {}

impl Diagram {
    /// The letter with a rank, where the count fits a word.
    #[inline]
    fn unrank_word(&self, mut rank: u64) -> Letter {
        if self.full {
            return Letter::from_index(rank.reverse_bits() >> (64 - self.bits));
        }
        let mut words = [0; MAX_SIGNALS / 64];
        let mut at = self.root;
        for bit in 0..self.bits {
            let (node, low_count) = (&self.nodes[at as usize], self.low_counts[at as usize]);
            let high = rank >= low_count;
            at = if high { node.high } else { node.low };
            rank -= if high { low_count } else { 0 };
            words[bit / 64 % words.len()] |= u64::from(high) << (bit % 64);
        }
        Letter::from_words(words)
    }

    #[inline]
    fn unrank(&self, mut rank: Count) -> Letter {
        let mut letter = Letter::default();
        let mut at = self.root;
        for bit in 0..self.bits {
            let node = &self.nodes[at as usize];
            if rank < node.low_count {
                at = node.low;
            } else {
                rank = rank.minus(node.low_count);
                at = node.high;
                letter = letter.with(bit, true);
            }
        }
        letter
    }

    fn rank(&self, letter: Letter) -> Option<Count> {
        let mut rank = Count::ZERO;
        let mut at = self.root;
        for bit in 0..self.bits {
            if at == OUT {
                return None;
            }
            let node = &self.nodes[at as usize];
            if letter.get(bit) {
                rank = rank.plus(node.low_count);
                at = node.high;
            } else {
                at = node.low;
            }
        }
        (at == IN).then_some(rank)
    }
}

/// A number for a set of letters: the sum, over its letters, of the product of one constant for each bit that is true.
///
/// A polynomial of the constants, the same for equal sets; for different ones it differs unless the constants, which were
/// drawn by lot, are a root of the difference: of degree at most 256, in a field of 2^61 - 1 elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fingerprint(u64);

impl Fingerprint {
    const PRIME: u64 = (1 << 61) - 1;
    const ONE: Fingerprint = Fingerprint(1);

    /// The fingerprint of the set of this letter alone.
    fn of(letter: Letter, bits: usize) -> Fingerprint {
        let high = (0..bits).filter(|&bit| letter.get(bit));
        high.fold(Fingerprint::ONE, |product, bit| product.times((bits - bit) as u32))
    }

    /// The fingerprint with a bit in front that is true; `height` bits in all.
    fn times(self, height: u32) -> Fingerprint {
        let constant = crate::rng::scramble(u64::from(height)) % Fingerprint::PRIME;
        let product = u128::from(self.0) * u128::from(constant);
        Fingerprint((product % u128::from(Fingerprint::PRIME)) as u64)
    }

    fn plus(self, other: Fingerprint) -> Fingerprint {
        Fingerprint((self.0 + other.0) % Fingerprint::PRIME)
    }

    fn minus(self, other: Fingerprint) -> Fingerprint {
        Fingerprint((self.0 + Fingerprint::PRIME - other.0) % Fingerprint::PRIME)
    }
}

fn reading_order(letter: Letter, bits: usize) -> impl Ord {
    (0..bits).map(|bit| letter.get(bit)).collect::<Vec<bool>>()
}

/// Builds a [`LetterSet`] bottom-up, one node a decision; equal nodes are shared.
#[derive(Debug)]
pub(crate) struct LetterSetBuilder {
    bits: usize,
    fields: Arc<[Range<usize>]>,
    nodes: Vec<Node>,
    counts: Vec<Count>,
    /// For each node, how many bits it and those below it decide, and the fingerprint of what lies below.
    fingerprints: Vec<(u32, Fingerprint)>,
    known: FxHashMap<(u32, u32), u32>,
}

impl LetterSetBuilder {
    pub(crate) fn new(bits: usize) -> LetterSetBuilder {
        LetterSetBuilder {
            bits,
            fields: Arc::default(),
            nodes: Vec::new(),
            counts: Vec::new(),
            fingerprints: Vec::new(),
            known: Default::default(),
        }
    }

    /// With fields whose values lie side by side, by their bits.
    pub(crate) fn with_fields(self, fields: Arc<[Range<usize>]>) -> LetterSetBuilder {
        LetterSetBuilder { fields, ..self }
    }

    /// The end of a path that leaves the set, at any level.
    pub(crate) fn outside(&self) -> u32 {
        OUT
    }

    /// The end of a letter of the set, below the last level.
    pub(crate) fn inside(&self) -> u32 {
        IN
    }

    /// The decision between two results for the level below.
    pub(crate) fn node(&mut self, low: u32, high: u32) -> u32 {
        if low == OUT && high == OUT {
            return OUT;
        }
        if let Some(&known) = self.known.get(&(low, high)) {
            return known;
        }
        let (low_count, high_count) = (self.count(low), self.count(high));
        let ((low_height, of_low), (high_height, of_high)) = (self.fingerprint(low), self.fingerprint(high));
        let height = low_height.max(high_height) + 1;
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { low, high, low_count });
        self.counts.push(low_count.plus(high_count));
        self.fingerprints.push((height, of_low.plus(of_high.times(height))));
        self.known.insert((low, high), number);
        number
    }

    fn fingerprint(&self, at: u32) -> (u32, Fingerprint) {
        match at {
            OUT => (0, Fingerprint::default()),
            IN => (0, Fingerprint::ONE),
            at => self.fingerprints[at as usize],
        }
    }

    pub(crate) fn finish_with(mut self, build: impl FnOnce(&mut LetterSetBuilder) -> u32) -> LetterSet {
        let root = build(&mut self);
        if root == OUT {
            return LetterSet::empty();
        }
        let count = self.count(root);
        let full = self.bits < 64 && count == Count::small(1 << self.bits);
        let low_counts = match count.to_u64() {
            Some(_) => self.nodes.iter().map(|node| node.low_count.to_u64().unwrap_or(u64::MAX)).collect(),
            None => Vec::new(),
        };
        let (_, fingerprint) = self.fingerprint(root);
        let (bits, nodes, few) = (self.bits, self.nodes, Vec::new());
        let (fields, settled) = (self.fields, Vec::new());
        let mut diagram =
            Diagram { bits, root, nodes, count, few, low_counts, full, fingerprint, fields, settled };
        if !diagram.fields.is_empty() {
            diagram.settle(self.fingerprints.iter().map(|(height, _)| *height));
        }
        if let Some(few) = count.to_u64().filter(|&count| count <= FEW) {
            diagram.few = (0..few).map(|rank| diagram.unrank(Count::small(rank))).collect();
        }
        LetterSet { diagram: Arc::new(diagram), removed: Vec::new() }
    }

    fn count(&self, at: u32) -> Count {
        match at {
            OUT => Count::ZERO,
            IN => Count::ONE,
            at => self.counts[at as usize],
        }
    }

    /// What lies below either of two nodes of the same level.
    fn joined(&mut self, diagrams: [&Diagram; 2], at: [u32; 2], known: &mut FxHashMap<[u32; 2], u32>) -> u32 {
        if at == [OUT, OUT] {
            return OUT;
        }
        if at.contains(&IN) {
            return IN;
        }
        if let Some(&known) = known.get(&at) {
            return known;
        }
        let [left, right] = [0, 1].map(|side| diagrams[side].nodes.get(at[side] as usize));
        let below = |node: Option<&Node>, high: bool| {
            node.map_or(OUT, |node| if high { node.high } else { node.low })
        };
        let low = self.joined(diagrams, [below(left, false), below(right, false)], known);
        let high = self.joined(diagrams, [below(left, true), below(right, true)], known);
        let number = self.node(low, high);
        known.insert(at, number);
        number
    }

    fn sorted(&mut self, bit: usize, letters: &[Letter]) -> u32 {
        if letters.is_empty() {
            return OUT;
        }
        if bit == self.bits {
            return IN;
        }
        let split = letters.partition_point(|letter| !letter.get(bit));
        let low = self.sorted(bit + 1, &letters[..split]);
        let high = self.sorted(bit + 1, &letters[split..]);
        self.node(low, high)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rng::Rng;

    #[test]
    fn sampling_not_both_is_uniform() {
        // !(a & b): a path-wise walk of the diagram would give 1/4, 1/4, 1/2.
        let set = LetterSet::of(2, &[0, 1, 2].map(Letter::from_index));
        let mut rng = Rng::new(5);
        let mut seen = [0i64; 4];
        for _ in 0..30_000 {
            seen[set.sample(&mut rng).unwrap().index() as usize] += 1;
        }
        // 10,000 each; 5 standard deviations are 409.
        assert!(seen[..3].iter().all(|count| (count - 10_000).abs() < 409), "{seen:?}");
        assert_eq!(seen[3], 0);
    }

    #[test]
    fn samples_are_the_letters_of_random_ranks() {
        let odd = |bits: usize| {
            LetterSetBuilder::new(bits).finish_with(|builder| {
                let (mut even, mut odd) = (builder.outside(), builder.inside());
                for _ in 0..bits {
                    (even, odd) = (builder.node(even, odd), builder.node(odd, even));
                }
                odd
            })
        };
        for set in
            [LetterSet::all(7), LetterSet::all(20), LetterSet::all(63), odd(20), odd(64), odd(65), odd(80)]
        {
            let (mut one, mut other) = (Rng::new(4), Rng::new(4));
            for _ in 0..100 {
                let letter = set.sample(&mut one).unwrap();
                assert_eq!(letter, set.at(set.count().random_below(&mut other)));
                assert!(set.contains(letter));
            }
        }
    }

    #[test]
    fn a_set_of_two_to_the_192_letters_is_small() {
        let mut set = LetterSet::all(192);
        assert_eq!(set.diagram.nodes.len(), 192);
        assert_eq!(set.count().to_string(), "1.00*2^192");
        let mut rng = Rng::new(1);
        let letter = set.sample(&mut rng).unwrap();
        assert!(set.remove(letter) && !set.contains(letter) && !set.remove(letter));
        assert!(set.iter().take(3).count() == 3);
    }

    #[test]
    fn different_sets_have_different_ids() {
        let letters = |set: u64| (0..16).filter(move |at| set >> at & 1 == 1).map(Letter::from_index);
        let ids: std::collections::BTreeSet<u64> =
            (0..1 << 16).map(|set| LetterSet::of(4, &letters(set).collect::<Vec<_>>()).id()).collect();
        assert_eq!(ids.len(), 1 << 16);
        assert_ne!(LetterSet::all(200).id(), LetterSet::all(201).id());
    }

    #[test]
    fn the_empty_set_has_no_sample() {
        assert_eq!(LetterSet::empty().sample(&mut Rng::new(0)), None);
        assert_eq!(LetterSet::all(0).count(), Count::ONE);
        assert_eq!(LetterSet::all(0).sample(&mut Rng::new(0)), Some(Letter::default()));
    }

    proptest! {
        #[test]
        fn a_union_has_the_letters_of_both(
            left in proptest::collection::vec(0u64..64, 0..40),
            right in proptest::collection::vec(0u64..64, 0..40),
            gone in proptest::collection::vec(0u64..64, 0..10),
        ) {
            let set = |letters: &[u64]| {
                LetterSet::of(6, &letters.iter().copied().map(Letter::from_index).collect::<Vec<_>>())
            };
            let (mut one, other) = (set(&left), set(&right));
            for &letter in &gone {
                one.remove(Letter::from_index(letter));
            }
            let union = one.union(&other);
            for letter in (0..64).map(Letter::from_index) {
                prop_assert_eq!(union.contains(letter), one.contains(letter) || other.contains(letter));
            }
            prop_assert_eq!(union.id(), other.union(&one).id());
        }

        #[test]
        fn a_set_behaves_like_a_list(
            mut letters in proptest::collection::vec(0u64..64, 0..40),
            gone in proptest::collection::vec(0u64..64, 0..20),
        ) {
            let mut set = LetterSet::of(6, &letters.iter().copied().map(Letter::from_index).collect::<Vec<_>>());
            letters.sort_by_key(|letter| reading_order(Letter::from_index(*letter), 6));
            letters.dedup();
            for letter in gone {
                let known = letters.iter().position(|&known| known == letter);
                prop_assert_eq!(set.remove(Letter::from_index(letter)), known.is_some());
                known.map(|at| letters.remove(at));
            }
            let listed: Vec<u64> = set.iter().map(Letter::index).collect();
            prop_assert_eq!(&listed, &letters);
            let again = LetterSet::of(6, &set.iter().collect::<Vec<_>>());
            prop_assert_eq!(again.id(), set.id());
            prop_assert!(again == set);
            prop_assert_eq!(set.count(), Count::small(letters.len() as u64));
            for letter in 0..64 {
                prop_assert_eq!(set.contains(Letter::from_index(letter)), letters.contains(&letter));
            }
        }
    }
}
