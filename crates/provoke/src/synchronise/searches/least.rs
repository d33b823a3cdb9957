//! Choosing what a beam keeps.

use crate::synchronise::sets::image::NOWHERE;

/// Scores that are told apart, from the least on.
const CLASSES: usize = 2048;

/// The places of the `width` least scores and of some more to make up for duplicates, the least first.
///
/// Scores are compared without their last `shift` bits, and those far above the least count as one. Of the highest
/// that are kept, only some are needed: they are taken evenly from all over. [`NOWHERE`] is no score.
pub(crate) fn keep_least(scores: &[u32], shift: u32, width: usize, kept: &mut Vec<u32>) {
    kept.clear();
    let Some(least) = scores.iter().copied().min().filter(|&least| least != NOWHERE) else { return };
    let class = |score: u32| ((score - least) >> shift).min(CLASSES as u32 - 1) as usize;
    let mut starts = [0u32; CLASSES];
    let mut nowhere = 0;
    for &score in scores {
        starts[class(score)] += 1;
        nowhere += u32::from(score == NOWHERE);
    }
    starts[CLASSES - 1] -= nowhere;
    let look = (width + width / 2 + 8).min(scores.len() - nowhere as usize) as u32;
    let (mut last, mut before, mut of_last) = (0, 0, 0);
    for (class, start) in starts.iter_mut().enumerate() {
        (last, of_last) = (class, *start);
        *start = before;
        if before + of_last >= look {
            break;
        }
        before += of_last;
    }
    let room = look - before;
    kept.resize(look as usize, 0);
    let above = if last == CLASSES - 1 { NOWHERE } else { least + ((last as u32 + 1) << shift) };
    let mut due = 0;
    for (place, &score) in (0u32..).zip(scores) {
        if score >= above {
            continue;
        }
        let class = class(score);
        if class == last {
            due += room;
            if due < of_last {
                continue;
            }
            due -= of_last;
        }
        kept[starts[class] as usize] = place;
        starts[class] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn nothing_that_is_kept_is_above_what_is_not() {
        let mut rng = Rng::new(8);
        let mut kept = Vec::new();
        for round in 0..200 {
            let scores: Vec<u32> = (0..rng.index(400))
                .map(|_| if rng.chance(0.1) { NOWHERE } else { 1000 + rng.index(1 + round * 20) as u32 })
                .collect();
            let shift = (round % 4) as u32;
            keep_least(&scores, shift, rng.index(60), &mut kept);
            let mut sorted: Vec<u32> = scores.iter().copied().filter(|&score| score != NOWHERE).collect();
            sorted.sort_unstable();
            let Some(&least) = sorted.first() else {
                assert!(kept.is_empty());
                continue;
            };
            let class = |score: u32| ((score - least) >> shift).min(CLASSES as u32 - 1);
            let expected: Vec<u32> = sorted.iter().take(kept.len()).map(|&score| class(score)).collect();
            assert_eq!(kept.iter().map(|&place| class(scores[place as usize])).collect::<Vec<_>>(), expected);
            kept.sort_unstable();
            kept.dedup();
            assert_eq!(kept.len(), expected.len());
        }
    }
}
