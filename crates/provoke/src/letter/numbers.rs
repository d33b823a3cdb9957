//! Letters by number, so that what is remembered stays small.

use rustc_hash::FxHashMap;

use super::Letter;

/// Gives every letter it meets a number, in order of appearance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Letters {
    letters: Vec<Letter>,
    numbers: FxHashMap<Letter, u32>,
}

impl Letters {
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Letter {
        self.letters[number as usize]
    }

    #[inline]
    pub(crate) fn number_of(&self, letter: Letter) -> Option<u32> {
        self.numbers.get(&letter).copied()
    }

    pub(crate) fn number(&mut self, letter: Letter) -> u32 {
        *self.numbers.entry(letter).or_insert_with(|| {
            self.letters.push(letter);
            (self.letters.len() - 1) as u32
        })
    }

    pub(crate) fn memory(&self) -> usize {
        self.letters.capacity() * size_of::<Letter>()
            + self.numbers.capacity() * (size_of::<(Letter, u32)>() + 1)
    }
}
