//! Warnings where a formula is likely to be misread.

use std::ops::Range;

use super::{Operand, Parser, Warning, tightness};
use crate::diagnostic::brief;
use crate::ltl::Op;

/// A formula with more surprises than this is long, and nobody reads a warning for each.
const MOST: usize = 10;

impl Parser<'_> {
    fn warn(&mut self, span: Range<usize>, message: String, help: String) {
        if self.warnings.len() < MOST {
            self.warnings.push(Warning { span, message, help });
        }
    }

    pub(super) fn warn_glued(&mut self, prefixes: &str, name: &str, place: &Range<usize>) {
        let looks_like_a_word =
            prefixes.len() == 1 && name.len() >= 3 && name.chars().all(char::is_lowercase);
        if self.space.is_none() && looks_like_a_word {
            let message = format!("`{prefixes}{name}` is read as `{prefixes} {name}`");
            self.warn(
                place.clone(),
                message,
                format!("write \"{prefixes}{name}\" in quotes if it is one name"),
            );
        }
    }

    /// `F[3] a` looks like a deadline and is none.
    pub(super) fn warn_exact(&mut self, span: &Range<usize>, letter: &str, steps: u32) {
        let shown = self.source.text[span.clone()].to_owned();
        let (next, whither) = match letter {
            "O" => ("Y", "ago"),
            "H" => ("Z", "ago"),
            _ => ("X", "ahead"),
        };
        let message = format!("`{shown}` is {steps} steps {whither}, no sooner and no later");
        self.warn(
            span.clone(),
            message,
            format!("write {next}[{steps}] for that, {letter}[:{steps}] for up to then"),
        );
    }

    /// Notes where the reading of `left op right` may surprise: `G a -> b` is `(G a) -> b`, `a U b U c` and
    /// `a -> b -> c` group to the right, `a & b U c` is `a & (b U c)`.
    pub(super) fn warn_mixed(&mut self, op: &Op, left: &Operand, right: &Operand) {
        if self.warnings.len() >= MOST {
            return;
        }
        let span = left.span.start..right.span.end;
        // Nobody reads `G F a & G F b` as `G F(a & G F b)`.
        let alike = matches!(op, Op::And | Op::Or) && !right.closed && is_prefix_op(right.formula.op());
        if left.loose && !left.closed && is_prefix_op(left.formula.op()) && !alike {
            let shown = brief(&self.source.text[left.span.clone()]);
            let message = format!("`{shown}` ends before the operator that follows");
            self.warn(span, message, format!("write ({shown}) or put its operand in parentheses"));
            return;
        }
        let bare = |side: &Operand| (!side.closed).then(|| side.formula.op().clone());
        let sides = [(bare(left), left), (bare(right), right)];
        for (inner, side) in sides {
            let Some(inner) = inner else { continue };
            let shown = brief(&self.source.text[side.span.clone()]);
            let surprising = match op {
                Op::Implies | Op::Iff => matches!(inner, Op::Implies | Op::Iff),
                Op::Until | Op::WeakUntil | Op::Release | Op::StrongRelease => tightness(&inner) == 5,
                Op::Since | Op::Triggered => tightness(&inner) == 5,
                Op::And | Op::Or | Op::Xor => {
                    tightness(&inner) == 5
                        || *op == Op::Xor && inner == Op::And
                        || *op == Op::Or && inner == Op::Xor
                }
                _ => false,
            };
            if surprising {
                let message = format!("`{shown}` is taken together here");
                self.warn(span, message, format!("write ({shown}) to make it plain"));
                return;
            }
        }
    }
}

fn is_prefix_op(op: &Op) -> bool {
    (op.is_future() || op.is_past()) && tightness(op) == 6
}
