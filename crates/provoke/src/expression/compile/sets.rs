//! Sets, and values that become ones of another type.

use super::super::code::Instruction;
use super::super::tree::{Binary, Function};
use super::super::typed::{Typed, What};
use super::super::types::Type;
use super::{Writer, layout};

impl Writer {
    /// Writes what is about sets.
    pub(super) fn set(&mut self, typed: &Typed) {
        let width = typed.of.width();
        match &typed.what {
            What::Elements(parts) => {
                self.put(Instruction::Zeros(width as u32), 0, width, typed);
                for part in parts {
                    self.value(part);
                    self.put(Instruction::Insert(layout(&typed.of)), 1, 0, part);
                }
            }
            What::Interval(parts) => self.both(Instruction::Interval(layout(&typed.of)), parts, width, typed),
            What::Between(parts) => {
                parts.iter().for_each(|part| self.value(part));
                self.put(Instruction::Between, 3, 1, typed);
            }
            What::OneOf(parts) => {
                parts.iter().for_each(|part| self.value(part));
                self.put(Instruction::OneOf(parts.len() as u32 - 1), parts.len(), 1, typed);
            }
            What::Member(parts) => self.member(parts, typed),
            What::Combine(op, parts) => {
                let instruction = match op {
                    Binary::Union => Instruction::Union(width as u32),
                    Binary::Difference => Instruction::Difference(width as u32),
                    _ => Instruction::Intersection(width as u32),
                };
                self.both(instruction, parts, width, typed);
            }
            What::Subset(parts) => {
                self.both(Instruction::Subset(parts[0].of.width() as u32), parts, 1, typed);
            }
            What::Size(part) => self.unary(Instruction::Size(part.of.width() as u32), part, typed),
            What::Furthest(Function::Min, part) => {
                self.unary(Instruction::Least(layout(&part.of)), part, typed)
            }
            What::Furthest(_, part) => self.unary(Instruction::Greatest(layout(&part.of)), part, typed),
            _ => {}
        }
    }

    fn member(&mut self, parts: &[Typed; 2], typed: &Typed) {
        let [element, set] = parts;
        let layout = layout(&set.of);
        let size = match &set.of {
            Type::Set(Some(of)) => of.size().unwrap_or(0) as u32,
            _ => 0,
        };
        if let What::Variable(at) = set.what {
            let instruction = Instruction::MemberAt { at: at as u32, low: layout.low, size };
            return self.unary(instruction, element, typed);
        }
        self.both(Instruction::Member { layout, size }, parts, 1, typed);
    }

    pub(super) fn fit(&mut self, part: &Typed, typed: &Typed) {
        self.value(part);
        match &typed.of {
            Type::Scalar(of) => {
                let (low, high) = of.bounds();
                self.put(Instruction::Bound { low, high }, 1, 1, typed);
            }
            Type::Set(Some(of)) => {
                let size = of.size().unwrap_or(0) as u32;
                let (from, to) = (layout(&part.of), layout(&typed.of));
                // While it is moved, both lie on the stack.
                self.most = self.most.max(self.height + to.words as usize);
                let rebase = Instruction::Rebase { from, to, size };
                self.put(rebase, from.words as usize, to.words as usize, typed);
            }
            Type::Set(None) | Type::Map(..) => {}
        }
    }
}
