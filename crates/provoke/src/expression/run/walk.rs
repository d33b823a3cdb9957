//! Going through the elements of a domain.

use super::super::code::{Instruction, Layout};
use super::super::fault::FaultKind;
use super::super::types::MAX_DOMAIN;
use super::{Jump, Run};

impl Run<'_> {
    pub(super) fn walk(&mut self, instruction: &Instruction) -> Jump {
        match *instruction {
            Instruction::Enter { local, end } => {
                let (low, high) = (self.locals[local as usize], self.locals[local as usize + 1]);
                if low > high {
                    return Ok(Some(end));
                }
                if high.abs_diff(low) >= MAX_DOMAIN {
                    return Err(FaultKind::LongRange { low, high });
                }
            }
            Instruction::Next { local, start } => {
                let last = self.locals[local as usize + 1];
                let value = &mut self.locals[local as usize];
                if *value < last {
                    *value += 1;
                    return self.again(start);
                }
            }
            Instruction::Scan { local, at, layout, end } => match self.element(at, layout, 0) {
                Some(bit) => self.locals[local as usize] = layout.low + bit as i64,
                None => return Ok(Some(end)),
            },
            Instruction::Advance { local, at, layout, start } => {
                let last = layout.bit(self.locals[local as usize]);
                if let Some(bit) = self.element(at, layout, last + 1) {
                    self.locals[local as usize] = layout.low + bit as i64;
                    return self.again(start);
                }
            }
            Instruction::Stop { when, end } => {
                let holds = self.pop() != 0;
                if holds == when {
                    *self.top() = i64::from(when);
                    return Ok(Some(end));
                }
            }
            Instruction::Tally => {
                let one = self.pop();
                *self.top() += one;
            }
            Instruction::Keep { local, layout } => {
                let holds = self.pop() != 0;
                if holds {
                    let element = self.locals[local as usize];
                    self.insert(layout, element);
                }
            }
            Instruction::Put { local, keys } => {
                let stride = keys.stride as usize;
                let from = self.height - stride;
                let map = from - keys.size as usize * stride;
                let to = map + keys.number(self.locals[local as usize])? * stride;
                self.stack.copy_within(from..from + stride, to);
                self.height = from;
            }
            _ => {}
        }
        Ok(None)
    }

    fn again(&mut self, start: u32) -> Jump {
        self.patience = self.patience.checked_sub(1).ok_or(FaultKind::TooLong)?;
        Ok(Some(start))
    }

    /// The first element, as a bit, from `from` on, of a set that lies at `at` of the stack.
    fn element(&self, at: u32, layout: Layout, from: usize) -> Option<usize> {
        let words = &self.stack[at as usize..at as usize + layout.words as usize];
        let mut number = from / 64;
        let mut left = *words.get(number)? as u64 & (u64::MAX << (from % 64));
        while left == 0 {
            number += 1;
            left = *words.get(number)? as u64;
        }
        Some(number * 64 + left.trailing_zeros() as usize)
    }
}
