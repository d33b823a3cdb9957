//! Exact search between stretches of a word.

use super::{Exact, Lookup, exact, singles};
use crate::synchronise::Goals;
use crate::synchronise::core::Core;
use crate::synchronise::sets::bits::{Bits, everything};
use crate::synchronise::watch::Watch;

/// The largest machine whose stretches are searched.
pub(crate) const MOST_STATES: usize = 4096;

/// The most bytes of tables for it.
const MOST_BYTES: usize = 1 << 26;

/// The most 64-bit words of all sets on the word's way together: 64 MB.
const MOST_WORDS: usize = 1 << 22;

/// Letters of the shortest stretch that is searched; each further one is half as long again.
const SHORTEST: usize = 8;

/// True where the sets of a machine fit an exact search at all.
pub(crate) fn fits(core: &Core<'_>) -> bool {
    let words = core.states.div_ceil(64).next_power_of_two();
    let bytes = 2 * core.letters * core.states.div_ceil(4) * 16 * words * 8;
    core.states <= MOST_STATES && bytes <= MOST_BYTES
}

/// A shorter word, in which some stretch of letters is replaced by a shortest one that does as well; none where
/// no stretch can be made shorter, as far as the work allows to see.
///
/// What comes before a stretch leads all states into some set, and what comes after it is right for some set of
/// states: between these two, [`exact`] looks for a shortest way.
pub(crate) fn stretch(
    core: &Core<'_>,
    goals: &Goals,
    word: &[u32],
    watch: &mut Watch<'_>,
) -> Option<Vec<u32>> {
    if !fits(core) {
        return None;
    }
    match core.states.div_ceil(64) {
        0 | 1 => stretches::<1>(core, goals, word, watch),
        2 => stretches::<2>(core, goals, word, watch),
        3 | 4 => stretches::<4>(core, goals, word, watch),
        5..=8 => stretches::<8>(core, goals, word, watch),
        9..=16 => stretches::<16>(core, goals, word, watch),
        17..=32 => stretches::<32>(core, goals, word, watch),
        _ => stretches::<64>(core, goals, word, watch),
    }
}

fn stretches<const W: usize>(
    core: &Core<'_>,
    goals: &Goals,
    word: &[u32],
    watch: &mut Watch<'_>,
) -> Option<Vec<u32>> {
    if word.len().saturating_mul(2 * W) > MOST_WORDS {
        return None;
    }
    let lookup = Lookup::<W>::new(core);
    let mut way = Way::of(&lookup, core, word.to_vec())?;
    let mut length = SHORTEST;
    while length < way.word.len() && !watch.spent(16 * W) {
        // Short stretches are quick; long ones may take a share of what is left, one after another.
        let each = watch.left() / 16;
        let mut start = 0;
        while start < way.word.len() && !watch.spent(16 * W) {
            let end = (start + length).min(way.word.len());
            let known = Some(way.word[start..end].to_vec());
            let found = watch.limited("stretch", each, |watch| {
                if end == way.word.len() {
                    exact(&lookup, way.before[start], &singles(&goals.list), known, watch)
                } else {
                    exact(&lookup, way.before[start], &[way.after[end]], known, watch)
                }
            });
            if let Exact::Word(piece) | Exact::Spent(Some(piece)) = found
                && piece.len() < end - start
            {
                let shorter = [&way.word[..start], &piece, &way.word[end..]].concat();
                way = Way::of(&lookup, core, shorter)?;
            } else {
                start += length.div_ceil(4);
            }
        }
        length += length / 2;
    }
    (way.word.len() < word.len()).then_some(way.word)
}

/// A word with the sets on its way.
struct Way<const W: usize> {
    word: Vec<u32>,
    /// The states that all states are led to by the letters before each place.
    before: Vec<Bits<W>>,
    /// The states from which the letters after each place lead where the word does.
    after: Vec<Bits<W>>,
}

impl<const W: usize> Way<W> {
    /// None where the word is undefined somewhere.
    fn of(lookup: &Lookup<W>, core: &Core<'_>, word: Vec<u32>) -> Option<Way<W>> {
        let mut before = vec![everything(core.states)];
        for &letter in &word {
            before.push(lookup.images().image(before.last()?, letter as usize)?);
        }
        let mut after = vec![*before.last()?];
        for &letter in word.iter().rev() {
            after.push(lookup.preimages().apply(after.last()?, letter as usize));
        }
        after.reverse();
        Some(Way { word, before, after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Machine, Names};
    use crate::rng::Rng;
    use crate::synchronise::pairs::greedy::{Searched, greedy};
    use crate::synchronise::verify;

    #[test]
    fn a_greedy_word_gets_shorter_and_stays_a_word() {
        let mut gained = 0;
        for (seed, states) in [40usize, 150, 600].into_iter().enumerate() {
            let mut rng = Rng::new(seed as u64);
            let next = (0..states * 3).map(|_| rng.index(states) as u32).collect();
            let machine =
                Machine::from_table(Names::numbered("", states), Names::numbered("", 3), next).unwrap();
            let core = Core::new(&machine);
            let mut watch = Watch::new(None, None);
            let Searched::Word(word) = greedy(&core, &mut watch) else { panic!("no word") };
            let goals = Goals { any: true, list: (0..states as u32).collect() };
            let shorter = watch.limited("stretch", 1 << 24, |watch| stretch(&core, &goals, &word, watch));
            if let Some(shorter) = shorter {
                assert!(verify(&machine, &core.word(&shorter)).is_ok());
                gained += word.len() - shorter.len();
            }
        }
        assert!(gained > 0);
    }
}
