//! Operators applied to the operands that wait for them.

use std::ops::Range;

use super::{Besides, Operand, Operator, Parser};
use crate::ltl::show::tightness;
use crate::ltl::{Formula, Op};

impl Parser<'_> {
    /// Applies the waiting operators that hold tighter than `than`, or as tight where the left goes first.
    pub(super) fn reduce(&mut self, than: u8, right_first: bool) {
        loop {
            let waits = match self.operators.last() {
                None | Some(Operator::Open(_)) => true,
                Some(Operator::Prefix(..)) => false,
                Some(Operator::Binary(op, _)) => {
                    let own = tightness(op);
                    own < than || own == than && right_first
                }
            };
            if waits {
                return;
            }
            match self.operators.pop() {
                Some(Operator::Prefix(op, times, besides, span)) => {
                    self.apply_prefix(op, times, besides, span);
                }
                Some(Operator::Binary(op @ (Op::And | Op::Or), _)) => self.apply_chain(op),
                Some(Operator::Binary(op, _)) => self.apply_binary(op),
                _ => return,
            }
        }
    }

    fn apply_prefix(&mut self, op: Op, times: u32, besides: Besides, span: Range<usize>) {
        let Some(operand) = self.operands.pop() else { return };
        let temporal = op != Op::Not;
        let apart = operand.span.start > span.end;
        let loose = temporal && apart && !operand.closed || operand.loose && !operand.closed;
        let span = span.start..operand.span.end;
        let ahead = self.looks_ahead(&op, operand.ahead, &span);
        let mut formula = operand.formula;
        for _ in 0..times {
            formula = Formula::build(op.clone(), vec![formula]);
        }
        if let Some(steps) = besides {
            formula = formula.and(Formula::constant(true).next_times(steps));
        }
        self.operands.push(Operand { formula, span, closed: false, loose, ahead });
    }

    /// Whether an operator or what it stands over looks ahead. Notes where one that looks back stands over that.
    fn looks_ahead(&mut self, op: &Op, below: bool, span: &Range<usize>) -> bool {
        if op.is_past() && below {
            self.past_of_future.get_or_insert_with(|| span.clone());
        }
        below || op.is_future()
    }

    fn apply_binary(&mut self, op: Op) {
        let (Some(right), Some(left)) = (self.operands.pop(), self.operands.pop()) else { return };
        self.warn_mixed(&op, &left, &right);
        let span = left.span.start..right.span.end;
        let ahead = self.looks_ahead(&op, left.ahead || right.ahead, &span);
        let formula = Formula::build(op, vec![left.formula, right.formula]);
        let loose = right.loose && !right.closed;
        self.operands.push(Operand { formula, span, closed: false, loose, ahead });
    }

    /// Joins the whole chain of equal operators that waits: one formula, however long the chain.
    fn apply_chain(&mut self, op: Op) {
        let mut count = 2;
        while let Some(Operator::Binary(next, _)) = self.operators.last()
            && *next == op
        {
            self.operators.pop();
            count += 1;
        }
        let operands = self.operands.split_off(self.operands.len().saturating_sub(count));
        let (Some(first), Some(last)) = (operands.first(), operands.last()) else { return };
        let span = first.span.start..last.span.end;
        let loose = last.loose && !last.closed;
        for pair in operands.windows(2) {
            self.warn_mixed(&op, &pair[0], &pair[1]);
        }
        let ahead = operands.iter().any(|operand| operand.ahead);
        let formula = Formula::build(op, operands.into_iter().map(|operand| operand.formula).collect());
        self.operands.push(Operand { formula, span, closed: false, loose, ahead });
    }
}
