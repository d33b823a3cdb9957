//! Sets, one bit an element.

use super::super::code::{Instruction, Layout};
use super::super::fault::FaultKind;
use super::super::types::bits;
use super::{Jump, Run};

impl Run<'_> {
    /// Adds an element to the set on top.
    pub(super) fn insert(&mut self, layout: Layout, element: i64) {
        let bit = layout.bit(element);
        let set = self.height - layout.words as usize;
        self.stack[set + bit / 64] |= 1 << (bit % 64);
    }

    pub(super) fn sets(&mut self, instruction: &Instruction) -> Jump {
        match *instruction {
            Instruction::Zeros(words) => {
                self.stack[self.height..self.height + words as usize].fill(0);
                self.height += words as usize;
            }
            Instruction::Insert(layout) => {
                let element = self.pop();
                self.insert(layout, element);
            }
            Instruction::Interval(layout) => {
                let (high, low) = (self.pop(), self.pop());
                self.stack[self.height..self.height + layout.words as usize].fill(0);
                self.height += layout.words as usize;
                (low..=high).for_each(|element| self.insert(layout, element));
            }
            Instruction::Member { layout, size } => {
                let set = self.height - layout.words as usize;
                let key = self.stack[set - 1];
                self.stack[set - 1] = i64::from(contains(&self.stack[set..], layout.low, size, key));
                self.height = set;
            }
            Instruction::Union(words) => self.combine(words, |left, right| left | right),
            Instruction::Difference(words) => self.combine(words, |left, right| left & !right),
            Instruction::Intersection(words) => self.combine(words, |left, right| left & right),
            Instruction::Subset(words) => self.judge(words, |left, right| left & !right == 0),
            Instruction::Same(words) => self.judge(words, |left, right| left == right),
            Instruction::Size(words) => {
                let set = self.height - words as usize;
                let size = self.stack[set..self.height].iter().map(|word| i64::from(word.count_ones())).sum();
                self.height = set;
                self.push(size);
            }
            Instruction::Least(layout) => return self.furthest(layout, |words| bits(words).next()),
            Instruction::Greatest(layout) => return self.furthest(layout, |words| bits(words).last()),
            Instruction::Rebase { from, to, size } => return self.rebase(from, to, size),
            _ => {}
        }
        Ok(None)
    }

    fn combine(&mut self, words: u32, op: impl Fn(i64, i64) -> i64) {
        let right = self.height - words as usize;
        let left = right - words as usize;
        (0..words as usize)
            .for_each(|at| self.stack[left + at] = op(self.stack[left + at], self.stack[right + at]));
        self.height = right;
    }

    fn judge(&mut self, words: u32, op: impl Fn(i64, i64) -> bool) {
        let right = self.height - words as usize;
        let left = right - words as usize;
        let all = (0..words as usize).all(|at| op(self.stack[left + at], self.stack[right + at]));
        self.height = left;
        self.push(i64::from(all));
    }

    fn furthest(&mut self, layout: Layout, of: impl Fn(&[i64]) -> Option<usize>) -> Jump {
        let set = self.height - layout.words as usize;
        let bit = of(&self.stack[set..self.height]).ok_or(FaultKind::EmptySet)?;
        self.height = set;
        self.push(layout.low + bit as i64);
        Ok(None)
    }

    /// Moves the set on top to another layout.
    fn rebase(&mut self, from: Layout, to: Layout, size: u32) -> Jump {
        let set = self.height - from.words as usize;
        let high = to.low + i64::from(size) - 1;
        let outside = bits(&self.stack[set..self.height])
            .map(|bit| from.low + bit as i64)
            .find(|&element| element < to.low || element > high);
        if let Some(value) = outside {
            return Err(FaultKind::OutOfBounds { value, low: to.low, high });
        }
        let (from_words, to_words) = (from.words as usize, to.words as usize);
        // Above the old words lies room for the new ones: the writer counted both.
        let fresh = set + from_words;
        self.stack[fresh..fresh + to_words].fill(0);
        for bit in 0..from_words * 64 {
            if self.stack[set + bit / 64] >> (bit % 64) & 1 == 1 {
                let moved = to.bit(from.low + bit as i64);
                self.stack[fresh + moved / 64] |= 1 << (moved % 64);
            }
        }
        self.stack.copy_within(fresh..fresh + to_words, set);
        self.height = set + to_words;
        Ok(None)
    }
}

impl Layout {
    /// The bit of an element, which is in the set's type.
    pub(super) fn bit(self, element: i64) -> usize {
        element.wrapping_sub(self.low) as usize
    }
}

/// Whether a set has an element, which may be of another type.
pub(super) fn contains(words: &[i64], low: i64, size: u32, element: i64) -> bool {
    let bit = element.wrapping_sub(low) as u64;
    element >= low && bit < u64::from(size) && words[(bit / 64) as usize] >> (bit % 64) & 1 == 1
}
