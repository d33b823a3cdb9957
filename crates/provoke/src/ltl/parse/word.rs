//! Words: names, operators glued to them, and operators with bounds.

use std::ops::Range;

use super::{Besides, Bounds, Operator, Parser, sign};
use crate::diagnostic::SpecError;
use crate::ltl::keyword::{almost_constant, binary_word, constant, glued, is_prefix, prefix_word};
use crate::ltl::token::{self, Steps, sequence};
use crate::ltl::{Formula, MAX_BOUND, Op};

impl Parser<'_> {
    /// Takes a word where a formula may begin. A name of the interface comes before a word that is an operator,
    /// but `tt`, `true` and the operator letters are never names without quotes.
    pub(super) fn word(&mut self, place: Range<usize>, bounds: Bounds) -> Result<bool, SpecError> {
        let word = &self.source.text[place.clone()];
        if let Some(value) = constant(word) {
            self.no_signal(word, &place)?;
            self.no_bounds(bounds)?;
            self.push(Formula::constant(value), place);
            return Ok(true);
        }
        if word.chars().all(is_prefix) {
            return self.prefixes(word, place, bounds).map(|()| false);
        }
        if self.knows(word) {
            self.no_bounds(bounds)?;
            self.push(Formula::proposition(word), place);
            return Ok(true);
        }
        if let Some(op) = prefix_word(word) {
            self.no_mark(word, &place)?;
            return self.prefix(op, place, bounds);
        }
        let letters = self.operator_letters(word);
        if binary_word(word).is_some() && (self.space.is_none() || letters == 0) {
            let error = self.source.error(place, format!("expected a formula before `{word}`"));
            return Err(error.help(format!("if a signal is called `{word}`, write \"{word}\" in quotes")));
        }
        if word == "first_match" && self.space.is_none() {
            return Err(sequence(self.source, place));
        }
        if letters > 0 {
            let split = place.start + letters;
            let (prefixes, name) = word.split_at(letters);
            if self.space.is_none() && binary_word(name).is_some() {
                let error = self.source.error(place, format!("`{word}` is read as `{prefixes} {name}`"));
                return Err(error.help(format!("write \"{word}\" in quotes if it is one name")));
            }
            self.warn_glued(prefixes, name, &place);
            self.prefixes(prefixes, place.start..split, None)?;
            return self.word(split..place.end, bounds);
        }
        self.check_known(word, &place)?;
        if almost_constant(word) && self.space.is_none() {
            let error = self.source.error(place, format!("`{word}` looks like a constant"));
            return Err(
                error.help(format!("write `true` or `false`, or \"{word}\" in quotes if it is a name"))
            );
        }
        self.no_bounds(bounds)?;
        self.push(Formula::proposition(word), place);
        Ok(true)
    }

    fn knows(&self, name: &str) -> bool {
        self.space.is_some_and(|space| space.proposition(name).is_some())
    }

    /// A constant that the interface has as a name: nobody can tell which is meant.
    fn no_signal(&self, word: &str, place: &Range<usize>) -> Result<(), SpecError> {
        if !self.knows(word) {
            return Ok(());
        }
        let error = self.source.error(place.clone(), format!("`{word}` is a constant and a signal here"));
        let value = constant(word) == Some(true);
        let number = u8::from(value);
        Err(error.help(format!("write \"{word}\" in quotes for the signal, {number} for the constant")))
    }

    /// PSL writes `until!` where we write `until`; `a until !b` is something else.
    pub(super) fn no_mark(&self, word: &str, place: &Range<usize>) -> Result<(), SpecError> {
        let strong_in_psl = matches!(&*word.to_ascii_lowercase(), "until" | "next" | "eventually");
        if !strong_in_psl || !self.source.text[place.end..].starts_with('!') {
            return Ok(());
        }
        let error = self.source.error(
            place.start..place.end + 1,
            format!("`{word}!` is PSL's strong `{word}`, or `{word}` and a negation"),
        );
        Err(error.help(format!("`{word}` is strong by itself; write a space before `!` for a negation")))
    }

    /// How many letters at the start of the word are operators. With an interface the rest must be one of
    /// its names or a constant; without, the rule is Spot's.
    fn operator_letters(&self, word: &str) -> usize {
        if self.space.is_none() {
            return glued(word);
        }
        let mut letters = 0;
        while word[letters..].starts_with(is_prefix) {
            letters += 1;
            let rest = &word[letters..];
            if self.knows(rest) || constant(rest).is_some() {
                return letters;
            }
        }
        0
    }

    fn prefixes(&mut self, letters: &str, place: Range<usize>, bounds: Bounds) -> Result<(), SpecError> {
        let last = letters.len().saturating_sub(1);
        let mut bounds = bounds;
        for (at, letter) in letters.chars().enumerate() {
            let op = match letter {
                'X' => Op::Next,
                'N' => Op::WeakNext,
                'F' => Op::Finally,
                _ => Op::Globally,
            };
            let bounds = if at == last { bounds.take() } else { None };
            self.prefix(op, place.start + at..place.start + at + 1, bounds)?;
        }
        Ok(())
    }

    pub(super) fn prefix(&mut self, op: Op, place: Range<usize>, bounds: Bounds) -> Result<bool, SpecError> {
        let end = bounds.as_ref().map_or(place.end, |(_, span)| span.end);
        let span = place.start..end;
        let (op, times, besides) = match (op, bounds.map(|(bounds, _)| bounds)) {
            (op, None) => (op, 1, None),
            (op, Some(bounds)) => self.bounded(op, bounds, &span)?,
        };
        debug_assert!(times <= MAX_BOUND);
        self.operators.push(Operator::Prefix(op, times, besides, span));
        Ok(false)
    }

    /// An operator with bounds, as Spot reads it: `X[n] a` is `X ... X a`, `F[n:m] a` is `X[n](a | X(a | ...))`,
    /// and with `!` every next is strong. Ours are strong already but for those of `G`.
    fn bounded(
        &mut self,
        op: Op,
        bounds: token::Bounds,
        span: &Range<usize>,
    ) -> Result<(Op, u32, Besides), SpecError> {
        let strong = bounds.strong;
        Ok(match (op, bounds.steps) {
            (Op::Next, Steps::One) => (Op::Next, 1, None),
            (Op::Next, Steps::Times(times)) => (Op::Next, times, None),
            (Op::WeakNext, Steps::Times(times)) if !strong => (Op::WeakNext, times, None),
            (Op::Finally, Steps::Between(first, last)) => (Op::FinallyIn(first, last), 1, None),
            (Op::Globally, Steps::Between(first, last)) => {
                let steps = last.unwrap_or(first);
                (Op::GloballyIn(first, last), 1, (strong && steps > 0).then_some(steps))
            }
            (op @ (Op::Finally | Op::Globally), Steps::Times(steps)) => {
                self.warn_exact(span, sign(&op), steps);
                match op {
                    Op::Globally if !strong => (Op::GloballyIn(steps, Some(steps)), 1, None),
                    _ => (Op::Next, steps, None),
                }
            }
            (op, _) => {
                let text = &self.source.text[span.clone()];
                let error = self.source.error(span.clone(), format!("`{text}` does not take these bounds"));
                return Err(error.help(match op {
                    Op::Finally => "write F[0:3] for within 3 steps, X[3] for exactly 3 steps ahead",
                    Op::Globally => "write G[0:3] for the next 3 steps",
                    Op::WeakNext if strong => "N is the weak next; the strong one is X",
                    Op::Next | Op::WeakNext => {
                        "write X[3] for 3 steps ahead, F[2:5] for some step from 2 to 5 and G[2:5] for every one"
                    }
                    _ => "X, F and G take bounds, as in X[3], F[0:5], G[2:4]",
                }));
            }
        })
    }

    pub(super) fn no_bounds(&self, bounds: Bounds) -> Result<(), SpecError> {
        let Some((_, span)) = bounds else { return Ok(()) };
        let error = self.source.error(span, "bounds stand behind X, F or G only");
        Err(error.help("as in X[3] a, F[0:5] a, G[2:4] a"))
    }

    pub(super) fn check_known(&self, name: &str, place: &Range<usize>) -> Result<(), SpecError> {
        let Some(space) = self.space else { return Ok(()) };
        if space.proposition(name).is_some() {
            return Ok(());
        }
        let error = self.source.error(place.clone(), format!("unknown proposition `{name}`"));
        Err(error.help(space.help_for(name)))
    }
}
