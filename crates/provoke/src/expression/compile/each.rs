//! Names that stand for each element of a domain in turn.

use super::super::code::Instruction;
use super::super::tree::Each;
use super::super::typed::{Domain, Typed};
use super::{Writer, keys, layout};

impl Writer {
    pub(super) fn each(&mut self, each: Each, local: usize, domain: &Domain, body: &Typed, typed: &Typed) {
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
