//! From checked expressions to code.

use std::ops::Range;

use super::always::always;
use super::code::{Code, Comparison, Instruction, Keys, Layout};
use super::tree::{Binary, Chain, Each, Function};
use super::typed::{Domain, Typed, What};
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
            What::Compare(op, parts) => self.both(Instruction::Compare(Comparison::of(*op)), parts, 1, typed),
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

    /// Writes what is about sets.
    fn set(&mut self, typed: &Typed) {
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

    fn fit(&mut self, part: &Typed, typed: &Typed) {
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

    fn lookup(&mut self, parts: &[Typed; 2], typed: &Typed) {
        let [map, key] = parts;
        let keys = keys(&map.of);
        let width = typed.of.width();
        if let (What::Variable(at), Type::Scalar(_)) = (&map.what, &typed.of) {
            self.value(key);
            self.put(Instruction::Index { at: *at as u32, keys }, 1, 1, key);
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

    fn each(&mut self, each: Each, local: usize, domain: &Domain, body: &Typed, typed: &Typed) {
        let local = local as u32;
        let before = self.height;
        // What is gone through: two locals, or a set on the stack.
        let (range, at) = match domain {
            Domain::Range(ends) => {
                let (counter, last) = (self.locals as u32, self.locals as u32 + 1);
                self.locals += 2;
                self.value(&ends[0]);
                self.put(Instruction::Store(counter), 1, 0, typed);
                self.value(&ends[1]);
                self.put(Instruction::Store(last), 1, 0, &ends[1]);
                (Some(counter), 0)
            }
            Domain::Set(set) => {
                self.value(set);
                (None, before as u32)
            }
        };
        let below = self.height - before;
        let width = typed.of.width();
        match each {
            Each::All => self.put(Instruction::Push(1), 0, 1, typed),
            Each::Some | Each::Count => self.put(Instruction::Push(0), 0, 1, typed),
            Each::Set | Each::Map => self.put(Instruction::Zeros(width as u32), 0, width, typed),
        };
        let (enter, set) = match (range, domain) {
            (Some(counter), Domain::Range(ends)) => {
                let span = ends[0].span.start..ends[1].span.end;
                (self.put_at(Instruction::Enter { local: counter, end: 0 }, 0, 0, &span), None)
            }
            (_, Domain::Set(set)) => {
                let layout = layout(&set.of);
                (self.put(Instruction::Scan { local, at, layout, end: 0 }, 0, 0, set), Some(layout))
            }
            _ => return,
        };
        let start = self.instructions.len() as u32;
        if let Some(counter) = range {
            self.put(Instruction::Local(counter), 0, 1, typed);
            self.put(Instruction::Store(local), 1, 0, typed);
        }
        self.value(body);
        let stop = match each {
            Each::All => Some(self.put(Instruction::Stop { when: false, end: 0 }, 1, 0, typed)),
            Each::Some => Some(self.put(Instruction::Stop { when: true, end: 0 }, 1, 0, typed)),
            Each::Count => {
                self.put(Instruction::Tally, 1, 0, typed);
                None
            }
            Each::Set => {
                self.put(Instruction::Keep { local, layout: layout(&typed.of) }, 1, 0, typed);
                None
            }
            Each::Map => {
                self.put(Instruction::Put { local, keys: keys(&typed.of) }, body.of.width(), 0, typed);
                None
            }
        };
        match (range, set) {
            (Some(counter), _) => self.put(Instruction::Next { local: counter, start }, 0, 0, typed),
            (None, Some(layout)) => self.put(Instruction::Advance { local, at, layout, start }, 0, 0, typed),
            _ => return,
        };
        self.land(enter);
        stop.into_iter().for_each(|stop| self.land(stop));
        if below > 0 {
            self.put(
                Instruction::Squash { drop: below as u32, keep: width as u32 },
                below + width,
                width,
                typed,
            );
        }
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
