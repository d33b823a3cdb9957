//! The machine that evaluates expressions.

mod sets;
mod walk;

use sets::contains;

use super::code::{Code, Comparison, Instruction, Keys};
use super::fault::{Fault, FaultKind};

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
    /// The words of the value in a state, which has as many words as the scope says, with a word for each parameter of
    /// the scope.
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
        let run = Run {
            code: self,
            stack: &mut machine.stack,
            locals: &mut machine.locals,
            state,
            height: 0,
            patience: PATIENCE,
        };
        run.all()?;
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

/// An instruction that is not among those that are met often, or has no result.
struct Hard;

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

    /// Follows the instructions to the end.
    fn all(mut self) -> Result<(), Fault> {
        let instructions = &*self.code.instructions;
        let mut at = 0;
        while let Some(instruction) = instructions.get(at) {
            match self.often(instruction) {
                Ok(None) => at += 1,
                Ok(Some(to)) => at = to as usize,
                Err(Hard) => match self.seldom(instruction) {
                    Ok(None) => at += 1,
                    Ok(Some(to)) => at = to as usize,
                    Err(what) => {
                        let span = &self.code.spans[at];
                        return Err(Fault { what, span: span.start as usize..span.end as usize });
                    }
                },
            }
        }
        Ok(())
    }

    /// What most expressions are made of, as long as nothing is wrong.
    #[inline(always)]
    fn often(&mut self, instruction: &Instruction) -> Result<Option<u32>, Hard> {
        match *instruction {
            Instruction::Push(word) => self.push(word),
            Instruction::Word(at) => self.push(self.state[at as usize]),
            Instruction::Local(at) => self.push(self.locals[at as usize]),
            Instruction::Store(at) => self.locals[at as usize] = self.pop(),
            Instruction::IndexLocal { at, local, keys } => {
                let number = keys.number_of(self.locals[local as usize]).ok_or(Hard)?;
                self.push(self.state[at as usize + number]);
            }
            Instruction::Index { at, keys } => {
                let number = keys.number_of(*self.top()).ok_or(Hard)?;
                *self.top() = self.state[at as usize + number];
            }
            Instruction::Compare(op) => {
                let right = self.pop();
                let left = self.top();
                *left = i64::from(op.holds(*left, right));
            }
            Instruction::CompareWith { op, word } => {
                let left = self.top();
                *left = i64::from(op.holds(*left, word));
            }
            Instruction::AddWith(word) => {
                let left = self.top();
                *left = left.checked_add(word).ok_or(Hard)?;
            }
            Instruction::Bound { low, high } => {
                let value = *self.top();
                if value < low || value > high {
                    return Err(Hard);
                }
            }
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
            Instruction::MemberAt { at, low, size } => {
                let key = *self.top();
                *self.top() = i64::from(contains(&self.state[at as usize..], low, size, key));
            }
            _ => return Err(Hard),
        }
        Ok(None)
    }

    /// Everything else, and what is wrong.
    #[inline(never)]
    fn seldom(&mut self, instruction: &Instruction) -> Jump {
        match *instruction {
            Instruction::Add => return self.binary(i64::checked_add),
            Instruction::Subtract => return self.binary(i64::checked_sub),
            Instruction::Multiply => return self.binary(i64::checked_mul),
            Instruction::AddWith(_) => return Err(FaultKind::Overflow),
            Instruction::Bound { low, high } => {
                return Err(FaultKind::OutOfBounds { value: *self.top(), low, high });
            }
            Instruction::Index { keys, .. } => return Err(keys.none(*self.top())),
            Instruction::IndexLocal { local, keys, .. } => return Err(keys.none(self.locals[local as usize])),
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
}

impl Keys {
    /// The number of a key, where it is one.
    #[inline(always)]
    fn number_of(&self, key: i64) -> Option<usize> {
        let number = key.wrapping_sub(self.low) as u64;
        (key >= self.low && number < u64::from(self.size)).then_some(number as usize)
    }

    fn none(&self, key: i64) -> FaultKind {
        FaultKind::NoKey { key, low: self.low, high: self.low + i64::from(self.size) - 1 }
    }

    /// The number of a key.
    #[inline]
    pub(super) fn number(&self, key: i64) -> Result<usize, FaultKind> {
        self.number_of(key).ok_or_else(|| self.none(key))
    }
}

impl Comparison {
    #[inline(always)]
    fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
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
