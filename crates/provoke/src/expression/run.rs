//! The machine that evaluates expressions.

use super::code::{Code, Comparison, Instruction, Keys, Layout};
use super::fault::{Fault, FaultKind};
use super::types::{MAX_DOMAIN, bits};

/// How many elements one evaluation may go through.
const PATIENCE: u32 = 1 << 24;

/// The memory of evaluations; one serves any number of them, one after the other, without allocating.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    stack: Vec<i64>,
    locals: Vec<i64>,
}

impl Machine {
    /// A machine that was not used yet.
    pub fn new() -> Machine {
        Machine::default()
    }
}

impl Code {
    /// The words of the value in a state, with these parameters. Parameters that are not given are 0.
    pub fn evaluate<'m>(
        &self,
        machine: &'m mut Machine,
        state: &[i64],
        parameters: &[i64],
    ) -> Result<&'m [i64], Fault> {
        if machine.stack.len() < self.stack {
            machine.stack.resize(self.stack, 0);
        }
        if machine.locals.len() < self.locals {
            machine.locals.resize(self.locals, 0);
        }
        let given = parameters.len().min(self.locals);
        machine.locals[..given].copy_from_slice(&parameters[..given]);
        let mut at = 0;
        let mut run = Run {
            code: self,
            stack: &mut machine.stack,
            locals: &mut machine.locals,
            state,
            height: 0,
            patience: PATIENCE,
        };
        while let Some(instruction) = self.instructions.get(at) {
            match run.step(instruction) {
                Ok(None) => at += 1,
                Ok(Some(to)) => at = to as usize,
                Err(what) => {
                    let span = &self.spans[at];
                    return Err(Fault { what, span: span.start as usize..span.end as usize });
                }
            }
        }
        Ok(&machine.stack[..self.of.width()])
    }

    /// The value in a state where it takes one word.
    #[inline]
    pub fn word(&self, machine: &mut Machine, state: &[i64], parameters: &[i64]) -> Result<i64, Fault> {
        self.evaluate(machine, state, parameters).map(|words| words.first().copied().unwrap_or(0))
    }

    /// Whether it holds in a state.
    #[inline]
    pub fn holds(&self, machine: &mut Machine, state: &[i64], parameters: &[i64]) -> Result<bool, Fault> {
        self.word(machine, state, parameters).map(|word| word != 0)
    }
}

struct Run<'a> {
    code: &'a Code,
    stack: &'a mut [i64],
    locals: &'a mut [i64],
    state: &'a [i64],
    height: usize,
    patience: u32,
}

type Jump = Result<Option<u32>, FaultKind>;

impl Run<'_> {
    #[inline(always)]
    fn push(&mut self, word: i64) {
        self.stack[self.height] = word;
        self.height += 1;
    }

    #[inline(always)]
    fn pop(&mut self) -> i64 {
        self.height -= 1;
        self.stack[self.height]
    }

    #[inline(always)]
    fn top(&mut self) -> &mut i64 {
        &mut self.stack[self.height - 1]
    }

    #[inline(always)]
    fn binary(&mut self, op: impl Fn(i64, i64) -> Option<i64>) -> Jump {
        let right = self.pop();
        let left = self.top();
        *left = op(*left, right).ok_or(FaultKind::Overflow)?;
        Ok(None)
    }

    #[inline(always)]
    fn step(&mut self, instruction: &Instruction) -> Jump {
        match *instruction {
            Instruction::Push(word) => self.push(word),
            Instruction::Word(at) => self.push(self.state[at as usize]),
            Instruction::Local(at) => self.push(self.locals[at as usize]),
            Instruction::Store(at) => self.locals[at as usize] = self.pop(),
            Instruction::Index { at, keys } => {
                let key = *self.top();
                *self.top() = self.state[at as usize + keys.number(key)?];
            }
            Instruction::Compare(op) => {
                let right = self.pop();
                let left = self.top();
                *left = i64::from(match op {
                    Comparison::Equal => *left == right,
                    Comparison::Unequal => *left != right,
                    Comparison::Less => *left < right,
                    Comparison::AtMost => *left <= right,
                    Comparison::Greater => *left > right,
                    Comparison::AtLeast => *left >= right,
                });
            }
            Instruction::Add => return self.binary(i64::checked_add),
            Instruction::Subtract => return self.binary(i64::checked_sub),
            Instruction::Multiply => return self.binary(i64::checked_mul),
            Instruction::AndThen(to) => {
                if *self.top() == 0 {
                    return Ok(Some(to));
                }
                self.height -= 1;
            }
            Instruction::OrElse(to) => {
                if *self.top() != 0 {
                    return Ok(Some(to));
                }
                self.height -= 1;
            }
            Instruction::Jump(to) => return Ok(Some(to)),
            Instruction::Unless(to) => {
                if self.pop() == 0 {
                    return Ok(Some(to));
                }
            }
            Instruction::Not => *self.top() ^= 1,
            Instruction::Bound { low, high } => {
                let value = *self.top();
                if value < low || value > high {
                    return Err(FaultKind::OutOfBounds { value, low, high });
                }
            }
            Instruction::MemberAt { at, low, size } => {
                let key = *self.top();
                *self.top() = i64::from(contains(&self.state[at as usize..], low, size, key));
            }
            _ => return self.seldom(instruction),
        }
        Ok(None)
    }

    #[inline(never)]
    fn seldom(&mut self, instruction: &Instruction) -> Jump {
        match *instruction {
            Instruction::Minus => {
                let top = self.top();
                *top = top.checked_neg().ok_or(FaultKind::Overflow)?;
            }
            Instruction::Abs => {
                let top = self.top();
                *top = top.checked_abs().ok_or(FaultKind::Overflow)?;
            }
            Instruction::Divide => return self.divide(floor_divide),
            Instruction::Modulo => return self.divide(floor_modulo),
            Instruction::Min => return self.binary(|left, right| Some(left.min(right))),
            Instruction::Max => return self.binary(|left, right| Some(left.max(right))),
            Instruction::Constants { from, words } => {
                let code = self.code;
                self.push_all(&code.constants[from as usize..(from + words) as usize]);
            }
            Instruction::Words { at, words } => {
                let state = self.state;
                self.push_all(&state[at as usize..(at + words) as usize]);
            }
            Instruction::Between => {
                let (high, low) = (self.pop(), self.pop());
                let top = self.top();
                *top = i64::from(low <= *top && *top <= high);
            }
            Instruction::OneOf(count) => {
                let (below, among) = self.stack[..self.height].split_at_mut(self.height - count as usize);
                if let Some(word) = below.last_mut() {
                    *word = i64::from(among.contains(word));
                }
                self.height -= count as usize;
            }
            Instruction::Offset(keys) => {
                let key = *self.top();
                *self.top() = (keys.number(key)? * keys.stride as usize) as i64;
            }
            Instruction::Further(keys) => {
                let key = self.pop();
                *self.top() += (keys.number(key)? * keys.stride as usize) as i64;
            }
            Instruction::Fetch { at, words } => {
                let from = at as usize + self.pop() as usize;
                let state = self.state;
                self.push_all(&state[from..from + words as usize]);
            }
            Instruction::Pick(keys) => {
                let key = self.pop();
                let stride = keys.stride as usize;
                let map = self.height - keys.size as usize * stride;
                let from = map + keys.number(key)? * stride;
                self.stack.copy_within(from..from + stride, map);
                self.height = map + stride;
            }
            Instruction::Squash { drop, keep } => {
                let (drop, keep) = (drop as usize, keep as usize);
                self.stack.copy_within(self.height - keep..self.height, self.height - keep - drop);
                self.height -= drop;
            }
            Instruction::Enter { .. }
            | Instruction::Next { .. }
            | Instruction::Scan { .. }
            | Instruction::Advance { .. }
            | Instruction::Stop { .. }
            | Instruction::Tally
            | Instruction::Keep { .. }
            | Instruction::Put { .. } => return self.walk(instruction),
            _ => return self.sets(instruction),
        }
        Ok(None)
    }

    fn push_all(&mut self, words: &[i64]) {
        self.stack[self.height..self.height + words.len()].copy_from_slice(words);
        self.height += words.len();
    }

    fn divide(&mut self, op: fn(i64, i64) -> Option<i64>) -> Jump {
        if *self.top() == 0 {
            return Err(FaultKind::DivisionByZero);
        }
        self.binary(op)
    }

    /// Going through the elements of a domain.
    fn walk(&mut self, instruction: &Instruction) -> Jump {
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
                if (self.pop() != 0) == when {
                    *self.top() = i64::from(when);
                    return Ok(Some(end));
                }
            }
            Instruction::Tally => {
                let one = self.pop();
                *self.top() += one;
            }
            Instruction::Keep { local, layout } => {
                if self.pop() != 0 {
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

    /// Adds an element to the set on top.
    fn insert(&mut self, layout: Layout, element: i64) {
        let bit = layout.bit(element);
        let set = self.height - layout.words as usize;
        self.stack[set + bit / 64] |= 1 << (bit % 64);
    }

    fn sets(&mut self, instruction: &Instruction) -> Jump {
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

impl Keys {
    /// The number of a key.
    #[inline(always)]
    pub(super) fn number(&self, key: i64) -> Result<usize, FaultKind> {
        let number = key.wrapping_sub(self.low) as u64;
        if key >= self.low && number < u64::from(self.size) {
            return Ok(number as usize);
        }
        Err(FaultKind::NoKey { key, low: self.low, high: self.low + i64::from(self.size) - 1 })
    }
}

impl Layout {
    /// The bit of an element, which is in the set's type.
    fn bit(self, element: i64) -> usize {
        element.wrapping_sub(self.low) as usize
    }
}

/// Whether a set has an element, which may be of another type.
fn contains(words: &[i64], low: i64, size: u32, element: i64) -> bool {
    let bit = element.wrapping_sub(low) as u64;
    element >= low && bit < u64::from(size) && words[(bit / 64) as usize] >> (bit % 64) & 1 == 1
}

fn floor_divide(left: i64, right: i64) -> Option<i64> {
    let quotient = left.checked_div(right)?;
    Some(quotient - i64::from(left % right != 0 && (left < 0) != (right < 0)))
}

fn floor_modulo(left: i64, right: i64) -> Option<i64> {
    // The smallest integer divided by -1 overflows, but leaves 0.
    let rest = left.checked_rem(right).unwrap_or(0);
    Some(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
}
