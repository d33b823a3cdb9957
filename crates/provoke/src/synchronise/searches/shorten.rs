//! Making a word shorter without changing where it leads.

use crate::machine::UNDEFINED;
use crate::synchronise::core::Core;
use crate::synchronise::sets::image::Scratch;
use crate::synchronise::watch::Watch;

/// The most states of all sets on the word's way together: 256 MB.
const MOST_ENTRIES: usize = 1 << 26;

/// The longest piece that is replaced.
const LONGEST_PIECE: usize = 12;

/// Replaces pieces of a synchronising word by shorter ones, as long as the watch allows.
///
/// Going from the word's end, the states from which the rest leads to the target are known. A piece may be
/// replaced by any shorter word, the empty one too, that leads the set before it into those states.
/// The word stays defined everywhere on its way, and its target the same.
pub(crate) fn shorten(core: &Core<'_>, mut word: Vec<u32>, watch: &mut Watch<'_>) -> Vec<u32> {
    loop {
        match shorter(core, &word, watch) {
            Some(better) => word = better,
            None => return word,
        }
    }
}

fn shorter(core: &Core<'_>, word: &[u32], watch: &mut Watch<'_>) -> Option<Vec<u32>> {
    let way = Way::of(core, word, watch)?;
    let target = *way.set(word.len()).first()?;
    let mut scratch = Scratch::new(core);
    let mut led_there = vec![false; core.states];
    led_there[target as usize] = true;
    for end in (1..=word.len()).rev() {
        // Here `led_there` holds the states from which the letters after `end` lead to the target.
        for length in 1..=LONGEST_PIECE.min(end) {
            let start = end - length;
            let mut piece = Vec::new();
            let set = way.set(start);
            if watch.spent(set.len()) {
                return None;
            }
            if replace(core, set, length - 1, &led_there, &mut piece, &mut scratch, watch) {
                return Some([&word[..start], &piece, &word[end..]].concat());
            }
        }
        if watch.spent(core.states) {
            return None;
        }
        let letter = word[end - 1];
        led_there = (0..core.states as u32)
            .map(|state| led_there.get(core.step(state, letter) as usize).is_some_and(|&led| led))
            .collect();
    }
    None
}

/// Looks for a word of at most `longest` letters that leads all of `set` into the states `inside`.
fn replace(
    core: &Core<'_>,
    set: &[u32],
    longest: usize,
    inside: &[bool],
    piece: &mut Vec<u32>,
    scratch: &mut Scratch,
    watch: &mut Watch<'_>,
) -> bool {
    if set.iter().all(|&state| inside[state as usize]) {
        return true;
    }
    // Words of more than two letters are tried only for sets small enough to afford it.
    let tries = (core.letters as u64).saturating_pow(longest.min(60) as u32);
    if longest == 0 || tries.saturating_mul(set.len() as u64) > 1 << 16 {
        return false;
    }
    for letter in 0..core.letters as u32 {
        if watch.spent(set.len()) {
            return false;
        }
        if set.iter().any(|&state| core.step(state, letter) == UNDEFINED) {
            continue;
        }
        let mut image = Vec::with_capacity(set.len());
        scratch.apply(core, set, letter, &mut image);
        piece.push(letter);
        if replace(core, &image, longest - 1, inside, piece, scratch, watch) {
            return true;
        }
        piece.pop();
    }
    false
}

/// The sets on a word's way, one after another.
struct Way {
    states: Vec<u32>,
    starts: Vec<usize>,
}

impl Way {
    /// None where they do not fit.
    fn of(core: &Core<'_>, word: &[u32], watch: &mut Watch<'_>) -> Option<Way> {
        let mut scratch = Scratch::new(core);
        let mut way = Way { states: (0..core.states as u32).collect(), starts: vec![0] };
        let mut set: Vec<u32> = way.states.clone();
        let mut image = Vec::new();
        for &letter in word {
            if watch.spent(set.len()) || way.states.len() > MOST_ENTRIES {
                return None;
            }
            image.clear();
            scratch.apply(core, &set, letter, &mut image);
            std::mem::swap(&mut set, &mut image);
            way.starts.push(way.states.len());
            way.states.extend_from_slice(&set);
        }
        way.starts.push(way.states.len());
        Some(way)
    }

    fn set(&self, after: usize) -> &[u32] {
        &self.states[self.starts[after]..self.starts[after + 1]]
    }
}
