//! Small changes to a story: steps left out, inputs made simpler, replaced or moved.

use super::candidates::{Candidates, Stop};
use super::seen::ROOT;
use crate::letter::{Field, Letter};

/// Stories longer than this are changed by blocks and by what looks alike alone: there are too many ranges.
const SHORT: usize = 40;

/// So many ranges after which all looks as before are tried: in a long story that is the same all along there are
/// too many.
const ALIKE: usize = 200;

/// Drops ever smaller blocks of steps (the ddmin of Zeller and Hildebrandt 2002), last steps first: what
/// comes late depends on what came early, not the other way round.
pub(super) fn drop_blocks(candidates: &mut Candidates<'_>) -> Result<(), Stop> {
    let mut block = candidates.best().len() / 2;
    while block > 0 {
        let mut end = candidates.best().len();
        while end > 0 {
            let start = end.saturating_sub(block);
            let word = candidates.word();
            candidates.try_out(&spliced(&word, start, &[], end))?;
            end = start.min(candidates.best().len());
        }
        block /= 2;
    }
    Ok(())
}

/// Makes numbers as small or as great as they can be, everywhere: what drives a system hardest may show in fewer steps what
/// other values need more for.
pub(super) fn to_the_ends(candidates: &mut Candidates<'_>) -> Result<(), Stop> {
    let inputs = candidates.alphabet();
    let is_number = |field: &&Field| field.real(field.simplest()).is_some();
    for field in inputs.fields().iter().filter(is_number) {
        for end in [0, field.count().saturating_sub(1)] {
            let mut word = candidates.word();
            if word.len() > 1 {
                word.iter_mut().for_each(|letter| *letter = field.set(*letter, field.value(end)));
                candidates.try_out(&word)?;
            }
        }
    }
    Ok(())
}

/// Makes fields as simple as they can be, everywhere and then one at a time, and labels earlier ones.
pub(super) fn simplify(candidates: &mut Candidates<'_>) -> Result<(), Stop> {
    let inputs = candidates.alphabet();
    for field in inputs.fields() {
        let mut word = candidates.word();
        word.iter_mut().for_each(|letter| *letter = field.set(*letter, field.simplest()));
        candidates.try_out(&word)?;
    }
    let mut place = 0;
    while place < candidates.best().len() {
        let current = candidates.best()[place].input;
        for simpler in inputs.simpler(current) {
            let mut word = candidates.word();
            let Some(letter) = word.get_mut(place) else { break };
            // A field made simple earlier in this loop stays so.
            *letter = simpler.of(*letter);
            candidates.try_out(&word)?;
        }
        place += 1;
    }
    Ok(())
}

/// Drops ranges of steps, long ones first: those after which the system looked as it did before them, and then,
/// where the story is short, all of them.
pub(super) fn drop_ranges(candidates: &mut Candidates<'_>) -> Result<(), Stop> {
    for alike_only in [true, false] {
        let mut tries = 0;
        let mut len = candidates.best().len().saturating_sub(1);
        while len > 0 {
            let mut start = 0;
            while start + len < candidates.best().len() {
                let word = candidates.word();
                let promising = match alike_only {
                    true => tries < ALIKE && alike(candidates, &word, start, start + len),
                    false => word.len() <= SHORT,
                };
                if promising {
                    tries += 1;
                    candidates.try_out(&spliced(&word, start, &[], start + len))?;
                }
                start += 1;
            }
            len -= 1;
        }
    }
    Ok(())
}

/// Whether nothing seen tells the system after `one` steps of the story from the system after `other` steps.
fn alike(candidates: &mut Candidates<'_>, word: &[Letter], one: usize, other: usize) -> bool {
    let numbers: Vec<u32> = word[..other].iter().map(|&letter| candidates.seen.input(letter)).collect();
    let places = [one, other].map(|len| candidates.seen.follow(ROOT, &numbers[..len]));
    match places {
        [Some(one), Some(other)] => !candidates.seen.apart(one, other),
        _ => false,
    }
}

/// Replaces two to four neighbouring steps by one of the inputs of the story.
pub(super) fn replace(candidates: &mut Candidates<'_>) -> Result<(), Stop> {
    for len in (2..=4).rev() {
        let mut start = 0;
        while start + len < candidates.best().len() && candidates.best().len() <= SHORT {
            for letter in distinct(candidates.word()) {
                let word = candidates.word();
                if start + len < word.len() {
                    candidates.try_out(&spliced(&word, start, &[letter], start + len))?;
                }
            }
            start += 1;
        }
    }
    Ok(())
}

/// Moves a step to an earlier place, for a violation that comes sooner then.
pub(super) fn reorder(candidates: &mut Candidates<'_>) -> Result<(), Stop> {
    let mut from = 1;
    while from < candidates.best().len() && candidates.best().len() <= SHORT {
        for to in 0..from {
            let mut word = candidates.word();
            if from < word.len() {
                word[to..=from].rotate_right(1);
                candidates.try_out(&word)?;
            }
        }
        from += 1;
    }
    Ok(())
}

/// The word with other letters from `start` to `end`.
fn spliced(word: &[Letter], start: usize, letters: &[Letter], end: usize) -> Vec<Letter> {
    [&word[..start], letters, &word[end.min(word.len())..]].concat()
}

/// The letters of a word, each once, in order.
pub(super) fn distinct(mut word: Vec<Letter>) -> Vec<Letter> {
    word.sort();
    word.dedup();
    word
}
