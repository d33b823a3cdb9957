//! Numbers for states, given as they are met.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Every state that was met, once; the first is number 0. Memory is bounded by the number of states that it takes.
#[derive(Clone, Debug)]
pub struct Pool {
    width: usize,
    most: usize,
    words: Vec<i64>,
    count: usize,
    /// invariant: a power of two long and at least a third free; [`FREE`] or the number of a state.
    table: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Pool {
    /// For states of so many words, and at most `most` of them.
    pub fn new(width: usize, most: usize) -> Pool {
        Pool { width, most: most.min(FREE as usize), words: Vec::new(), count: 0, table: vec![FREE; 16] }
    }

    /// How many states were met.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether none was met.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The state of a number; panics where there is none.
    pub fn get(&self, number: u32) -> &[i64] {
        assert!((number as usize) < self.count, "there are {} states, not {number}", self.count);
        &self.words[number as usize * self.width..][..self.width]
    }

    /// The number of a state that was met.
    pub fn find(&self, state: &[i64]) -> Option<u32> {
        Some(self.table[self.slot(state)]).filter(|&number| number != FREE)
    }

    /// The number of a state, and whether it is new; nothing where it is new and there is no room for it.
    pub fn meet(&mut self, state: &[i64]) -> Option<(u32, bool)> {
        debug_assert_eq!(state.len(), self.width);
        let slot = self.slot(state);
        if self.table[slot] != FREE {
            return Some((self.table[slot], false));
        }
        if self.count >= self.most {
            return None;
        }
        let number = self.count as u32;
        self.table[slot] = number;
        self.words.extend_from_slice(state);
        self.count += 1;
        if self.count * 3 > self.table.len() * 2 {
            self.grow();
        }
        Some((number, true))
    }

    /// Where a state stands in the table, or is to stand.
    fn slot(&self, state: &[i64]) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash(state) as usize & mask;
        while self.table[slot] != FREE && self.get(self.table[slot]) != state {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.table = vec![FREE; self.table.len() * 2];
        for number in 0..self.count as u32 {
            let slot = self.slot(&self.words[number as usize * self.width..][..self.width]);
            self.table[slot] = number;
        }
    }
}

fn hash(state: &[i64]) -> u64 {
    let mut hasher = FxHasher::default();
    state.iter().for_each(|&word| hasher.write_i64(word));
    // The low bits choose the slot, and this hasher mixes the high ones best.
    hasher.finish().rotate_left(20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_keep_their_numbers() {
        let mut pool = Pool::new(2, 5_000);
        for round in 0..2 {
            for number in 0..5_000 {
                assert_eq!(pool.meet(&[number % 71, number]), Some((number as u32, round == 0)));
            }
        }
        assert_eq!((pool.len(), pool.get(80)), (5_000, &[9, 80][..]));
        assert_eq!((pool.meet(&[1, 2]), pool.find(&[2, 2])), (None, Some(2)));
    }

    #[test]
    fn a_state_without_words_is_one_state() {
        let mut pool = Pool::new(0, 3);
        assert_eq!((pool.meet(&[]), pool.meet(&[]), pool.len()), (Some((0, true)), Some((0, false)), 1));
    }
}
