//! All short words: where there are few enough, no guess is needed.

use super::candidates::{Candidates, Stop};
use super::seen::{Answer, ROOT};

/// The most exchanges that this may take.
const MOST_STEPS: u64 = 100_000;

/// Sends every word of one length that is shorter than the story, the longest length that fits: what is the shortest
/// story up to that length is known then. Words that could not all be sent would tell nothing.
pub(super) fn search(candidates: &mut Candidates<'_>) -> Result<(), Stop> {
    let letters: Vec<u32> =
        candidates.letters().into_iter().filter(|&letter| !candidates.seen.is_given_up(letter)).collect();
    let mut len = 0;
    let mut words = 1u64;
    while len + 1 < candidates.best().len() {
        words = words.saturating_mul(letters.len() as u64);
        if words.saturating_mul(len as u64 + 1) > MOST_STEPS || words > candidates.allowance.left() {
            break;
        }
        len += 1;
    }
    extend(candidates, &mut Vec::new(), &letters, len)
}

fn extend(
    candidates: &mut Candidates<'_>,
    word: &mut Vec<u32>,
    letters: &[u32],
    len: usize,
) -> Result<(), Stop> {
    // A story that got shorter meanwhile needs shorter words.
    if word.len() >= len.min(candidates.best().len().saturating_sub(1)) {
        return candidates.try_out(&candidates.seen.letters(word)).map(drop);
    }
    for &letter in letters {
        if !candidates.seen.is_sure() {
            return Ok(());
        }
        let next = candidates.seen.follow(ROOT, word).and_then(|place| candidates.seen.next(place, letter));
        if next.is_none_or(|next| matches!(candidates.seen.answer(next), Answer::Output(_))) {
            word.push(letter);
            extend(candidates, word, letters, len)?;
            word.pop();
        }
    }
    Ok(())
}
