//! From checked expressions to code.

mod each;
mod sets;

use std::ops::Range;

use super::always::always;
use super::code::{Code, Comparison, Instruction, Keys, Layout};
use super::tree::{Binary, Chain, Function};
use super::typed::{Typed, What};
use super::types::{Scalar, Type};

/// Turns a checked expression into code; `locals` are those that the checker gave out.
pub(super) fn compile(typed: &Typed, locals: usize) -> Code {
    let mut writer = Writer { locals, ..Writer::default() };
    writer.value(typed);
    Code {
        instructions: writer.instructions.into(),
        spans: writer.spans.into(),
        constants: writer.constants.into(),
        locals: writer.locals,
        stack: writer.most,
        of: typed.of.clone(),
        whole: typed.span.clone(),
        always: always(typed),
    }
}

#[derive(Default)]
struct Writer {
    instructions: Vec<Instruction>,
    spans: Vec<Range<u32>>,
    constants: Vec<i64>,
    locals: usize,
    /// How many words lie on the stack here.
    height: usize,
    most: usize,
}

impl Writer {
    /// Writes an instruction that takes some words from the stack and leaves some.
    fn put(&mut self, instruction: Instruction, takes: usize, leaves: usize, of: &Typed) -> usize {
        self.put_at(instruction, takes, leaves, &of.span)
    }

    fn put_at(
        &mut self,
        instruction: Instruction,
        takes: usize,
        leaves: usize,
        span: &Range<usize>,
    ) -> usize {
        self.height = self.height.saturating_sub(takes) + leaves;
        self.most = self.most.max(self.height);
        self.instructions.push(instruction);
        self.spans.push(span.start as u32..span.end as u32);
        self.instructions.len() - 1
    }

    /// Lets a jump lead to what is written next.
    fn land(&mut self, jump: usize) {
        let here = self.instructions.len() as u32;
        use Instruction::{AndThen, Enter, Jump, OrElse, Scan, Stop, Unless};
        match &mut self.instructions[jump] {
            AndThen(to) | OrElse(to) | Jump(to) | Unless(to) => *to = here,
            Enter { end, .. } | Scan { end, .. } | Stop { end, .. } => *end = here,
            _ => {}
        }
    }

    fn value(&mut self, typed: &Typed) {
        let width = typed.of.width();
        match &typed.what {
            What::Constant(words) => self.constant(words, typed),
            What::Variable(at) => self.state(*at, width, typed),
            What::Local(at) => {
                self.put(Instruction::Local(*at as u32), 0, 1, typed);
            }
            What::Not(part) => self.unary(Instruction::Not, part, typed),
            What::Minus(part) => self.unary(Instruction::Minus, part, typed),
            What::Abs(part) => self.unary(Instruction::Abs, part, typed),
            What::Arithmetic(op, parts) => {
                let added = match op {
                    Binary::Add => single(&parts[1]),
                    Binary::Subtract => single(&parts[1]).and_then(i64::checked_neg),
                    _ => None,
                };
                if let Some(word) = added {
                    return self.unary(Instruction::AddWith(word), &parts[0], typed);
                }
                let instruction = match op {
                    Binary::Add => Instruction::Add,
                    Binary::Subtract => Instruction::Subtract,
                    Binary::Multiply => Instruction::Multiply,
                    Binary::Divide => Instruction::Divide,
                    _ => Instruction::Modulo,
                };
                self.both(instruction, parts, 1, typed);
            }
            What::Extreme(function, parts) => {
                let instruction =
                    if *function == Function::Min { Instruction::Min } else { Instruction::Max };
                for (number, part) in parts.iter().enumerate() {
                    self.value(part);
                    if number > 0 {
                        self.put(instruction, 2, 1, typed);
                    }
                }
            }
            What::Compare(op, parts) => {
                let op = Comparison::of(*op);
                match single(&parts[1]) {
                    Some(word) => self.unary(Instruction::CompareWith { op, word }, &parts[0], typed),
                    None => self.both(Instruction::Compare(op), parts, 1, typed),
                }
            }
            What::Same(parts) => {
                self.both(Instruction::Same(parts[0].of.width() as u32), parts, 1, typed);
            }
            What::Chain(op, parts) => self.chain(*op, parts, typed),
            What::Implies(parts) => {
                self.unary(Instruction::Not, &parts[0], typed);
                let jump = self.put(Instruction::OrElse(0), 1, 0, typed);
                self.value(&parts[1]);
                self.land(jump);
            }
            What::If(parts) => {
                self.value(&parts[0]);
                let unless = self.put(Instruction::Unless(0), 1, 0, typed);
                self.value(&parts[1]);
                let jump = self.put(Instruction::Jump(0), width, 0, typed);
                self.land(unless);
                self.value(&parts[2]);
                self.land(jump);
            }
            What::Each(each, local, domain, body) => self.each(*each, *local, domain, body, typed),
            What::Lookup(parts) => self.lookup(parts, typed),
            What::Fit(part) => self.fit(part, typed),
            What::Elements(_)
            | What::Interval(_)
            | What::Between(_)
            | What::OneOf(_)
            | What::Member(_)
            | What::Combine(..)
            | What::Subset(_)
            | What::Size(_)
            | What::Furthest(..) => self.set(typed),
        }
    }

    fn constant(&mut self, words: &[i64], typed: &Typed) {
        if let [word] = words {
            self.put(Instruction::Push(*word), 0, 1, typed);
            return;
        }
        let from = self.constants.len() as u32;
        self.constants.extend_from_slice(words);
        self.put(Instruction::Constants { from, words: words.len() as u32 }, 0, words.len(), typed);
    }

    fn state(&mut self, at: usize, width: usize, typed: &Typed) {
        let at = at as u32;
        match width {
            1 => self.put(Instruction::Word(at), 0, 1, typed),
            _ => self.put(Instruction::Words { at, words: width as u32 }, 0, width, typed),
        };
    }

    /// Writes a part and an instruction that makes one word of it.
    fn unary(&mut self, instruction: Instruction, part: &Typed, typed: &Typed) {
        self.value(part);
        self.put(instruction, part.of.width(), 1, typed);
    }

    /// Writes two parts and an instruction that makes `leaves` words of them.
    fn both(&mut self, instruction: Instruction, parts: &[Typed; 2], leaves: usize, typed: &Typed) {
        self.value(&parts[0]);
        self.value(&parts[1]);
        self.put(instruction, parts[0].of.width() + parts[1].of.width(), leaves, typed);
    }

    fn chain(&mut self, op: Chain, parts: &[Typed], typed: &Typed) {
        let mut jumps = Vec::with_capacity(parts.len());
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                let jump = if op == Chain::And { Instruction::AndThen(0) } else { Instruction::OrElse(0) };
                jumps.push(self.put(jump, 1, 0, typed));
            }
            self.value(part);
        }
        jumps.into_iter().for_each(|jump| self.land(jump));
    }

    fn lookup(&mut self, parts: &[Typed; 2], typed: &Typed) {
        let [map, key] = parts;
        let keys = keys(&map.of);
        let width = typed.of.width();
        if let (What::Variable(at), Type::Scalar(_)) = (&map.what, &typed.of) {
            let at = *at as u32;
            if let What::Local(local) = key.what {
                self.put(Instruction::IndexLocal { at, local: local as u32, keys }, 0, 1, key);
            } else {
                self.unary(Instruction::Index { at, keys }, key, key);
            }
        } else if let Some(at) = self.offset(typed) {
            self.put(Instruction::Fetch { at: at as u32, words: width as u32 }, 1, width, typed);
        } else {
            self.value(map);
            self.value(key);
            self.put(Instruction::Pick(keys), 1 + map.of.width(), width, key);
        }
    }

    /// Writes how far a value lies behind the beginning of a variable, and gives where that begins; writes nothing
    /// where it is no part of a variable.
    fn offset(&mut self, typed: &Typed) -> Option<usize> {
        let What::Lookup(parts) = &typed.what else { return None };
        let [map, key] = &**parts;
        let keys = keys(&map.of);
        if let What::Variable(at) = map.what {
            self.value(key);
            self.put(Instruction::Offset(keys), 1, 1, key);
            return Some(at);
        }
        let at = self.offset(map)?;
        self.value(key);
        self.put(Instruction::Further(keys), 2, 1, key);
        Some(at)
    }
}

/// The word of a constant that has one.
fn single(typed: &Typed) -> Option<i64> {
    match (&typed.what, &typed.of) {
        (What::Constant(words), Type::Scalar(_)) => words.first().copied(),
        _ => None,
    }
}

fn layout(of: &Type) -> Layout {
    match of {
        Type::Set(Some(element)) => Layout { low: element.bounds().0, words: of.width() as u32 },
        _ => Layout { low: 0, words: 0 },
    }
}

fn keys(of: &Type) -> Keys {
    match of {
        Type::Map(key, value) => keys_of(key, value),
        _ => Keys { low: 0, size: 0, stride: 0 },
    }
}

pub(super) fn keys_of(key: &Scalar, value: &Type) -> Keys {
    Keys { low: key.bounds().0, size: key.size().unwrap_or(0) as u32, stride: value.width() as u32 }
}
