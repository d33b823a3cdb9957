//! Words: names, operators glued to them, and operators with bounds.

use std::ops::Range;

use super::{Besides, Bounds, Operator, Parser, sign};
use crate::diagnostic::SpecError;
use crate::ltl::keyword::{
    almost_constant, binary_word, constant, glued, is_prefix, past_word, prefix_letter, prefix_word,
};
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
            return self.prefixes(letters_of(word), place, bounds).map(|()| false);
        }
        if self.knows(word) {
            self.no_bounds(bounds)?;
            self.push(Formula::proposition(word), place);
            return Ok(true);
        }
        if let Some(ops) = self.past_operators(word).filter(|_| self.followed || bounds.is_some()) {
            return self.prefixes(ops, place, bounds).map(|()| false);
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
            self.prefixes(letters_of(prefixes), place.start..split, None)?;
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

    /// The operators of a word that may be a name as well: `O`, `GH`, `once`. None of its letters is a signal.
    fn past_operators(&self, word: &str) -> Option<Vec<Op>> {
        let letters = word.chars().map(prefix_letter).collect::<Option<Vec<Op>>>();
        let signal = |letter: char| self.knows(letter.encode_utf8(&mut [0; 4]));
        match letters {
            Some(ops) => (!word.chars().any(signal)).then_some(ops),
            None => past_word(word).map(|op| vec![op]),
        }
    }

    pub(super) fn knows(&self, name: &str) -> bool {
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

    /// Takes operators, each a letter of a word or the only one of a whole word.
    fn prefixes(&mut self, ops: Vec<Op>, place: Range<usize>, bounds: Bounds) -> Result<(), SpecError> {
        let last = ops.len().saturating_sub(1);
        let mut bounds = bounds;
        for (at, op) in ops.into_iter().enumerate() {
            let bounds = if at == last { bounds.take() } else { None };
            let end = if at == last { place.end } else { place.start + at + 1 };
            self.prefix(op, place.start + at..end, bounds)?;
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
            (op @ (Op::Yesterday | Op::WeakYesterday), Steps::Times(times)) if !strong => (op, times, None),
            (Op::Once, Steps::Between(first, last)) if !strong => (Op::OnceIn(first, last), 1, None),
            (Op::Historically, Steps::Between(first, last)) if !strong => {
                (Op::HistoricallyIn(first, last), 1, None)
            }
            (op @ (Op::Once | Op::Historically), Steps::Times(steps)) if !strong => {
                self.warn_exact(span, sign(&op), steps);
                (if op == Op::Once { Op::Yesterday } else { Op::WeakYesterday }, steps, None)
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
                    Op::Yesterday | Op::WeakYesterday | Op::Once | Op::Historically => {
                        "write Y[3] for 3 steps ago, O[0:3] for within the last 3 steps and H[0:3] for all of them"
                    }
                    _ => "X, F, G, Y, O and H take bounds, as in X[3], F[0:5], G[2:4], O[0:3]",
                }));
            }
        })
    }

    pub(super) fn no_bounds(&self, bounds: Bounds) -> Result<(), SpecError> {
        let Some((_, span)) = bounds else { return Ok(()) };
        let error = self.source.error(span, "bounds stand behind X, F, G, Y, O or H only");
        Err(error.help("as in X[3] a, F[0:5] a, G[2:4] a, O[0:3] a"))
    }

    pub(super) fn check_known(&self, name: &str, place: &Range<usize>) -> Result<(), SpecError> {
        let Some(space) = self.space else { return Ok(()) };
        if space.understands(name) {
            return Ok(());
        }
        let sides = [&space.interface().inputs, &space.interface().outputs];
        if let Some(field) = sides.iter().find_map(|side| side.field(name)) {
            let message = format!("`{name}` is {}, and a formula says what is true", field.values());
            let value = field.show(field.simplest());
            return Err(self
                .source
                .error(place.clone(), message)
                .help(format!("compare it, as in `{name} = {value}`")));
        }
        let error = self.source.error(place.clone(), format!("unknown proposition `{name}`"));
        Err(error.help(space.help_for(name)))
    }
}

fn letters_of(word: &str) -> Vec<Op> {
    word.chars().filter_map(prefix_letter).collect()
}
