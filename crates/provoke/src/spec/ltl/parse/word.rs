//! Words: names, operators glued to them, and operators with bounds.

use std::ops::Range;

use super::{Bounds, Operator, Parser};
use crate::spec::ltl::token::{Token, glued, is_keyword, is_prefix};
use crate::spec::ltl::{Formula, MAX_BOUND, Op};
use crate::spec::{SpecError, nearest};

impl Parser<'_> {
    pub(super) fn word(&mut self, place: Range<usize>, bounds: Bounds) -> Result<bool, SpecError> {
        let word = &self.source.text[place.clone()];
        let known = |name: &str| self.space.is_some_and(|space| space.proposition(name).is_some());
        match word {
            "true" | "TRUE" | "True" => self.push(Formula::constant(true), place),
            "false" | "FALSE" | "False" => self.push(Formula::constant(false), place),
            _ if known(word) && !word.chars().all(is_prefix) => {
                self.push(Formula::proposition(word), place);
            }
            _ => {
                let letters = self.operator_letters(word);
                let (prefixes, name) = word.split_at(letters);
                if name.is_empty() {
                    return self.prefixes(prefixes, place, bounds).map(|()| false);
                }
                if is_keyword(name) && !matches!(name, "true" | "false") {
                    let error = self.source.error(place, format!("expected a formula before `{name}`"));
                    return Err(
                        error.help(format!("if a signal is called `{name}`, write \"{name}\" in quotes"))
                    );
                }
                if letters > 0 {
                    let split = place.start + letters;
                    self.warn_glued(prefixes, name, &place);
                    self.prefixes(prefixes, place.start..split, None)?;
                    return self.word(split..place.end, bounds);
                }
                self.check_known(name, &place)?;
                self.push(Formula::proposition(name), place);
            }
        }
        self.no_bounds(bounds)?;
        Ok(true)
    }

    /// How many letters at the start of the word are operators. With an interface the rest must be one of
    /// its names or a constant; without, the rule is Spot's.
    fn operator_letters(&self, word: &str) -> usize {
        if word.chars().all(is_prefix) {
            return word.len();
        }
        let Some(space) = self.space else { return glued(word) };
        let mut letters = 0;
        while word[letters..].starts_with(is_prefix) {
            letters += 1;
            let rest = &word[letters..];
            if matches!(rest, "true" | "false") || space.proposition(rest).is_some() {
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
        let wrong = |help: &str| {
            let text = &self.source.text[span.clone()];
            Err(self.source.error(span.clone(), format!("`{text}` does not take these bounds")).help(help))
        };
        let (op, times) = match (op, bounds.map(|(token, _)| token)) {
            (op, None) => (op, 1),
            (op @ (Op::Next | Op::WeakNext), Some(Token::Times(times))) => (op, times),
            (Op::Next, Some(Token::Strong)) => (Op::Next, 1),
            (Op::Finally, Some(Token::Between(first, last))) => (Op::FinallyIn(first, last), 1),
            (Op::Globally, Some(Token::Between(first, last))) => (Op::GloballyIn(first, last), 1),
            (Op::Finally, _) => {
                return wrong("write F[0:3] for within 3 steps, X[3] for exactly 3 steps ahead");
            }
            (Op::Globally, _) => return wrong("write G[0:3] for the next 3 steps"),
            (Op::Next | Op::WeakNext, _) => return wrong("write X[3] for 3 steps ahead"),
            _ => return wrong("X, F and G take bounds, as in X[3], F[0:5], G[2:4]"),
        };
        debug_assert!(times <= MAX_BOUND);
        self.operators.push(Operator::Prefix(op, times, span));
        Ok(false)
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
        Err(match nearest(name, space.names()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => {
                let names: Vec<&str> = space.names().take(9).collect();
                let more = if names.len() == 9 { ", ..." } else { "" };
                error.help(format!("the interface has {}{more}", names[..names.len().min(8)].join(", ")))
            }
        })
    }
}
