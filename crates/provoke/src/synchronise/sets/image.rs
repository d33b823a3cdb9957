//! Where a set of states goes under each letter: the one computation all searches spend their time in.

use crate::machine::UNDEFINED;
use crate::synchronise::core::Core;

/// The size of an image that does not exist because the letter is undefined somewhere in the set.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Moves (states times letters) above which a second thread pays for itself.
pub(crate) const WORTH_A_THREAD: usize = 1 << 19;

/// States whose rows are fetched together.
pub(crate) const PART: usize = 256;

/// Room to compute images in.
///
/// A state reached by a letter is marked so that it is counted once. On machines of moderate size the mark is a
/// byte that holds the number of the call, so that nothing has to be cleared afterwards; on larger ones
/// a bit, which fits the cache better.
pub(crate) struct Scratch {
    words: usize,
    /// One byte per state, equal to `call` where marked in this call; empty on large machines.
    marks: Vec<u8>,
    call: u8,
    /// One bit per letter and state on large machines, none on others; all clear between calls.
    bits: Vec<u64>,
    /// What was reached, to clear it again without reading the machine twice.
    reached: Vec<u32>,
    /// The second thread's bits, allocated when first needed.
    helper: Vec<u64>,
}

impl Scratch {
    pub(crate) fn new(core: &Core<'_>) -> Scratch {
        let words = core.states.div_ceil(64).max(1);
        let small = !core.columns.is_empty();
        Scratch {
            words,
            marks: vec![0; if small { core.states } else { 0 }],
            call: 0,
            bits: vec![0; if small { 0 } else { words * core.letters.max(1) }],
            reached: Vec::new(),
            helper: Vec::new(),
        }
    }

    /// The size of the image of `set` under each letter, [`NOWHERE`] where it is not defined on all of it.
    pub(crate) fn sizes(&mut self, core: &Core<'_>, set: &[u32], sizes: &mut [u32]) {
        if !self.marks.is_empty() {
            for (size, column) in sizes.iter_mut().zip(core.columns.chunks_exact(core.states)) {
                *size = self.size(column, set);
            }
        } else if set.len() * core.letters >= WORTH_A_THREAD && core.complete {
            self.sizes_on_two_threads(core, set, sizes);
        } else {
            sizes.fill(0);
            self.sizes_by_bits(core, set, sizes);
        }
    }

    /// A number that no byte holds as a mark.
    #[inline]
    fn next_call(&mut self) -> u8 {
        if self.call == u8::MAX {
            self.marks.fill(0);
            self.call = 0;
        }
        self.call += 1;
        self.call
    }

    /// The size of the image of `set` under the letter of this column, as [`Scratch::sizes`] counts it.
    #[inline]
    pub(crate) fn size(&mut self, column: &[u32], set: &[u32]) -> u32 {
        let call = self.next_call();
        let marks = &mut self.marks[..];
        let mut size = 0;
        for &state in set {
            // An undefined successor is beyond the last mark.
            let Some(mark) = marks.get_mut(column[state as usize] as usize) else { return NOWHERE };
            size += u32::from(*mark != call);
            *mark = call;
        }
        size
    }

    fn sizes_by_bits(&mut self, core: &Core<'_>, set: &[u32], sizes: &mut [u32]) {
        let few = set.len() <= self.words / 8;
        let mut start = 0;
        self.reached.clear();
        for part in set.chunks(PART) {
            if !few {
                self.reached.clear();
                start = 0;
            }
            core.gather(part, &mut self.reached);
            for row in self.reached[start..].chunks_exact(core.letters.max(1)) {
                let rows = row.iter().zip(self.bits.chunks_exact_mut(self.words));
                for ((&to, bits), size) in rows.zip(sizes.iter_mut()) {
                    if to == UNDEFINED {
                        *size = NOWHERE;
                    } else {
                        *size = size.saturating_add(mark(bits, to) as u32);
                    }
                }
            }
            start = self.reached.len();
        }
        if !few {
            self.bits.fill(0);
            return;
        }
        for row in self.reached.chunks_exact(core.letters.max(1)) {
            for (&to, bits) in row.iter().zip(self.bits.chunks_exact_mut(self.words)) {
                if to != UNDEFINED {
                    bits[to as usize >> 6] = 0;
                }
            }
        }
    }

    fn sizes_on_two_threads(&mut self, core: &Core<'_>, set: &[u32], sizes: &mut [u32]) {
        if self.helper.is_empty() {
            self.helper = vec![0; self.bits.len()];
        }
        let words = self.words;
        let fill = |bits: &mut [u64], half: &[u32]| {
            let mut rows = Vec::with_capacity(PART * core.letters);
            for part in half.chunks(PART) {
                rows.clear();
                core.gather(part, &mut rows);
                for row in rows.chunks_exact(core.letters) {
                    for (&to, bits) in row.iter().zip(bits.chunks_exact_mut(words)) {
                        bits[to as usize >> 6] |= 1 << (to & 63);
                    }
                }
            }
        };
        let (left, right) = set.split_at(set.len() / 2);
        let (bits, helper) = (&mut self.bits, &mut self.helper);
        std::thread::scope(|scope| {
            scope.spawn(|| fill(helper, right));
            fill(bits, left);
        });
        let both = self.bits.chunks_exact(words).zip(self.helper.chunks_exact(words));
        for (size, (left, right)) in sizes.iter_mut().zip(both) {
            *size = left.iter().zip(right).map(|(left, right)| (left | right).count_ones()).sum();
        }
        self.bits.fill(0);
        self.helper.fill(0);
    }

    /// How many different states a list holds.
    pub(crate) fn distinct(&mut self, list: impl Iterator<Item = u32> + Clone) -> usize {
        if !self.marks.is_empty() {
            let call = self.next_call();
            let marks = &mut self.marks;
            return list.filter(|&state| std::mem::replace(&mut marks[state as usize], call) != call).count();
        }
        let bits = &mut self.bits[..self.words];
        let count = list.clone().filter(|&state| mark(bits, state) == 1).count();
        list.for_each(|state| bits[state as usize >> 6] = 0);
        count
    }

    /// The image of `set` under one letter, which must be defined on all of it, appended to `image`.
    pub(crate) fn apply(&mut self, core: &Core<'_>, set: &[u32], letter: u32, image: &mut Vec<u32>) {
        if self.marks.is_empty() {
            return self.apply_by_bits(core, set, letter, image);
        }
        let call = self.next_call();
        let column = &core.columns[letter as usize * core.states..(letter as usize + 1) * core.states];
        for &state in set {
            let to = column[state as usize];
            let mark = &mut self.marks[to as usize];
            if *mark != call {
                *mark = call;
                image.push(to);
            }
        }
    }

    fn apply_by_bits(&mut self, core: &Core<'_>, set: &[u32], letter: u32, image: &mut Vec<u32>) {
        let start = image.len();
        let bits = &mut self.bits[..self.words];
        for &state in set {
            let to = core.step(state, letter);
            if mark(bits, to) == 1 {
                image.push(to);
            }
        }
        if set.len() > self.words / 4 {
            // A large image is put in order, so that its rows are next to each other in memory.
            image.truncate(start);
            for (index, word) in bits.iter_mut().enumerate() {
                let mut left = std::mem::take(word);
                while left != 0 {
                    image.push((index as u32) << 6 | left.trailing_zeros());
                    left &= left - 1;
                }
            }
        } else {
            for &to in &image[start..] {
                bits[to as usize >> 6] = 0;
            }
        }
    }
}

/// Sets a state's bit; 1 if it was clear.
#[inline]
fn mark(bits: &mut [u64], state: u32) -> u64 {
    let word = &mut bits[state as usize >> 6];
    let fresh = (*word >> (state & 63) & 1) ^ 1;
    *word |= 1 << (state & 63);
    fresh
}

/// A random-looking number of a state; the fingerprint of a set is the sum over its states.
#[inline]
pub(crate) fn mix(state: u32) -> u64 {
    let spread = (u64::from(state) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (spread ^ (spread >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// The fingerprint of a set.
pub(crate) fn print(set: &[u32]) -> u64 {
    set.iter().fold(0, |sum, &state| sum.wrapping_add(mix(state)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Machine, Names};
    use crate::rng::Rng;

    #[test]
    fn images_agree_with_sorted_lists() {
        let mut rng = Rng::new(3);
        for states in [1usize, 2, 63, 64, 65, 700] {
            let entry = |rng: &mut Rng| if rng.chance(0.001) { UNDEFINED } else { rng.index(states) as u32 };
            let next = (0..states * 3).map(|_| entry(&mut rng)).collect();
            let names = (Names::numbered("", states), Names::numbered("", 3));
            let machine = Machine::from_table(names.0, names.1, next).unwrap();
            let core = Core::new(&machine);
            let mut scratch = Scratch::new(&core);
            let large = Core { columns: Vec::new(), ..Core::new(&machine) };
            let mut by_bits = Scratch::new(&large);
            // More than 255 calls, so that the byte that numbers them starts over.
            for share in [1.0, 0.5, 0.1, 0.01].into_iter().cycle().take(260) {
                let set: Vec<u32> = (0..states as u32).filter(|_| rng.chance(share)).collect();
                let (mut sizes, mut more) = (vec![0; core.letters], vec![0; core.letters]);
                scratch.sizes(&core, &set, &mut sizes);
                by_bits.sizes(&large, &set, &mut more);
                assert_eq!(sizes, more);
                for (letter, &size) in sizes.iter().enumerate() {
                    let mut expected: Vec<u32> = set.iter().map(|&s| core.step(s, letter as u32)).collect();
                    expected.sort_unstable();
                    expected.dedup();
                    if expected.last() == Some(&UNDEFINED) {
                        assert_eq!(size, NOWHERE);
                        continue;
                    }
                    for (scratch, core) in [(&mut scratch, &core), (&mut by_bits, &large)] {
                        let mut image = Vec::new();
                        scratch.apply(core, &set, letter as u32, &mut image);
                        image.sort_unstable();
                        assert_eq!(image, expected);
                    }
                    assert_eq!(size as usize, expected.len());
                }
                assert!(by_bits.bits.iter().all(|&word| word == 0));
            }
        }
    }

    #[test]
    fn two_threads_count_as_one_does() {
        let mut rng = Rng::new(4);
        let states = WORTH_A_THREAD;
        let next = (0..states).map(|_| rng.index(states) as u32).collect();
        let machine = Machine::from_table(Names::numbered("", states), Names::numbered("", 1), next).unwrap();
        let core = Core::new(&machine);
        let mut scratch = Scratch::new(&core);
        let set: Vec<u32> = (0..states as u32).collect();
        let (mut sizes, mut image) = (vec![0], Vec::new());
        scratch.sizes(&core, &set, &mut sizes);
        scratch.apply(&core, &set, 0, &mut image);
        assert_eq!(sizes[0] as usize, image.len());
    }
}
