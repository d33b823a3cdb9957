//! Sets of states of small machines as bits, with images and preimages by table.

use crate::machine::UNDEFINED;
use crate::synchronise::core::Core;

/// A set of at most `64 * W` states.
pub(crate) type Bits<const W: usize> = [u64; W];

/// The largest machine whose sets are kept as bits.
pub(crate) const MOST_STATES: usize = 512;

/// What each letter does to four states at a time.
pub(crate) struct Tables<const W: usize> {
    // invariant: `letters * quads * 16` entries; entry (letter, quad, mask) is the union over the mask's states.
    entries: Vec<Bits<W>>,
    quads: usize,
    /// Where each letter is defined; empty for complete machines.
    defined: Vec<Bits<W>>,
    pub(crate) letters: usize,
}

impl<const W: usize> Tables<W> {
    /// Where letters lead.
    pub(crate) fn images(core: &Core<'_>) -> Tables<W> {
        let mut tables = Tables::new(core, |state, to| (state, to));
        if !core.complete {
            tables.defined = vec![[0; W]; core.letters];
            for state in 0..core.states as u32 {
                for (letter, &to) in core.row(state).iter().enumerate() {
                    if to != UNDEFINED {
                        insert(&mut tables.defined[letter], state);
                    }
                }
            }
        }
        tables
    }

    /// From where letters lead.
    pub(crate) fn preimages(core: &Core<'_>) -> Tables<W> {
        Tables::new(core, |state, to| (to, state))
    }

    /// Unions of what `arrow` maps single states to: (from, to).
    fn new(core: &Core<'_>, arrow: impl Fn(u32, u32) -> (u32, u32)) -> Tables<W> {
        let quads = core.states.div_ceil(4);
        let mut entries = Vec::with_capacity(core.letters * quads * 16);
        let mut singles = vec![[0u64; W]; quads * 4];
        for letter in 0..core.letters as u32 {
            singles.fill([0; W]);
            for state in 0..core.states as u32 {
                let to = core.step(state, letter);
                if to != UNDEFINED {
                    let (from, to) = arrow(state, to);
                    insert(&mut singles[from as usize], to);
                }
            }
            for quad in singles.chunks_exact(4) {
                entries.push([0; W]);
                for mask in 1..16usize {
                    let mut union = entries[entries.len() - mask + (mask & (mask - 1))];
                    join(&mut union, &quad[mask.trailing_zeros() as usize]);
                    entries.push(union);
                }
            }
        }
        Tables { entries, quads, defined: Vec::new(), letters: core.letters }
    }

    /// The union over the set's states of what the letter does to them.
    #[inline]
    pub(crate) fn apply(&self, set: &Bits<W>, letter: usize) -> Bits<W> {
        let table = &self.entries[letter * self.quads * 16..(letter + 1) * self.quads * 16];
        let mut result = [0; W];
        for (quad, chunk) in table.chunks_exact(16).enumerate() {
            let mask = set[quad >> 4] >> (4 * (quad & 15)) & 15;
            join(&mut result, &chunk[mask as usize]);
        }
        result
    }

    /// The image, unless the letter is undefined somewhere in the set.
    #[inline]
    pub(crate) fn image(&self, set: &Bits<W>, letter: usize) -> Option<Bits<W>> {
        let defined = self.defined.get(letter).is_none_or(|defined| is_subset(set, defined));
        defined.then(|| self.apply(set, letter))
    }
}

#[inline]
fn join<const W: usize>(set: &mut Bits<W>, other: &Bits<W>) {
    for (word, other) in set.iter_mut().zip(other) {
        *word |= other;
    }
}

#[inline]
pub(crate) fn insert<const W: usize>(set: &mut Bits<W>, state: u32) {
    set[state as usize >> 6] |= 1 << (state & 63);
}

#[inline]
pub(crate) fn size<const W: usize>(set: &Bits<W>) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

#[inline]
pub(crate) fn is_subset<const W: usize>(set: &Bits<W>, of: &Bits<W>) -> bool {
    set.iter().zip(of).all(|(word, of)| word & !of == 0)
}

/// The set of all states.
pub(crate) fn everything<const W: usize>(states: usize) -> Bits<W> {
    let mut set = [0; W];
    (0..states as u32).for_each(|state| insert(&mut set, state));
    set
}

/// The states of a set, in order.
#[inline]
pub(crate) fn members<const W: usize>(set: &Bits<W>) -> impl Iterator<Item = u32> + use<W> {
    let set = *set;
    (0..W as u32).flat_map(move |index| {
        let mut left = set[index as usize];
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (bit < 64).then_some(index << 6 | bit)
        })
    })
}

#[inline]
pub(crate) fn hash<const W: usize>(set: &Bits<W>) -> u64 {
    set.iter().fold(0u64, |hash, word| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Machine, Names};
    use crate::rng::Rng;

    #[test]
    fn tables_agree_with_single_steps() {
        let mut rng = Rng::new(5);
        for states in [1usize, 3, 64, 65, 127] {
            let entry = |rng: &mut Rng| if rng.chance(0.02) { UNDEFINED } else { rng.index(states) as u32 };
            let next = (0..states * 3).map(|_| entry(&mut rng)).collect();
            let names = (Names::numbered("", states), Names::numbered("", 3));
            let machine = Machine::from_table(names.0, names.1, next).unwrap();
            let core = Core::new(&machine);
            let (images, preimages) = (Tables::<2>::images(&core), Tables::<2>::preimages(&core));
            for _ in 0..50 {
                let mut set = [0; 2];
                (0..states as u32).filter(|_| rng.chance(0.1)).for_each(|state| insert(&mut set, state));
                for letter in 0..core.letters {
                    let (mut image, mut preimage, mut total) = ([0; 2], [0; 2], true);
                    for state in 0..states as u32 {
                        let to = core.step(state, letter as u32);
                        let inside = members(&set).any(|member| member == state);
                        total &= to != UNDEFINED || !inside;
                        if inside && to != UNDEFINED {
                            insert(&mut image, to);
                        }
                        if members(&set).any(|member| member == to) {
                            insert(&mut preimage, state);
                        }
                    }
                    assert_eq!(images.image(&set, letter), total.then_some(image));
                    assert_eq!(preimages.apply(&set, letter), preimage);
                }
            }
        }
    }
}
