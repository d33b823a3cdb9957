//! Finds the templates that a sentence fits.

use std::ops::Range;

use super::catalogue::{BODIES, Kind, SCOPES, Scope};
use super::sentence::Token;
use super::template::Item;
use crate::diagnostic::Source;
use crate::ltl::duration::{Amount, amount};

/// What a sentence puts into the places of a template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Match {
    /// Slots, and the tokens that fill them.
    pub(super) operands: Vec<(char, Range<usize>)>,
    /// The number, and its token.
    pub(super) number: Option<(u32, usize)>,
    /// The time, and its tokens.
    pub(super) time: Option<(Amount, Range<usize>)>,
}

/// How far the best attempt came, and what it would have taken there.
#[derive(Clone, Debug, Default)]
pub(super) struct Stuck {
    pub(super) at: usize,
    expected: Vec<String>,
}

impl Stuck {
    fn note(&mut self, at: usize, expected: impl FnOnce() -> String) {
        if at < self.at {
            return;
        }
        if at > self.at {
            self.at = at;
            self.expected.clear();
        }
        let expected = expected();
        if !self.expected.contains(&expected) {
            self.expected.push(expected);
        }
    }

    /// `a, b or c`
    pub(super) fn expected(&self) -> String {
        match self.expected.split_last() {
            None => "a sentence".to_owned(),
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
        }
    }
}

/// Every way to read the sentence.
pub(super) fn matches(source: &Source, tokens: &[Token]) -> (Vec<(Scope, Kind, Match)>, Stuck) {
    let mut matcher =
        Matcher { source, tokens, fit: Match::default(), found: Vec::new(), stuck: Stuck::default() };
    let mut all = Vec::new();
    for (scope, opening) in SCOPES.iter() {
        for (kind, body) in BODIES.iter() {
            matcher.step(opening, &Rest::Then(body, &Rest::End), 0);
            for fit in matcher.found.drain(..) {
                let reading = (*scope, *kind, fit);
                if !all.contains(&reading) {
                    all.push(reading);
                }
            }
        }
    }
    (all, matcher.stuck)
}

/// What follows the items at hand.
enum Rest<'a> {
    End,
    Then(&'a [Item], &'a Rest<'a>),
    /// The items once more, or what follows them.
    Again(&'a [Item], &'a [Item], &'a Rest<'a>),
}

struct Matcher<'a> {
    source: &'a Source,
    tokens: &'a [Token],
    fit: Match,
    found: Vec<Match>,
    stuck: Stuck,
}

impl Matcher<'_> {
    fn step(&mut self, items: &[Item], rest: &Rest<'_>, at: usize) {
        let Some((item, tail)) = items.split_first() else {
            match rest {
                Rest::Then(items, rest) => self.step(items, rest, at),
                Rest::Again(items, tail, rest) => {
                    self.step(items, &Rest::Again(items, tail, rest), at);
                    self.step(tail, rest, at);
                }
                Rest::End if at == self.tokens.len() => self.found.push(self.fit.clone()),
                Rest::End => self.stuck.note(at, || "the end".to_owned()),
            }
            return;
        };
        match item {
            Item::Word(word) => {
                // A comma may stand before any word of a template.
                let at = at + usize::from(self.tokens.get(at).is_some_and(Token::is_comma));
                match self.tokens.get(at) {
                    Some(token) if token.is(word) => self.step(tail, rest, at + 1),
                    _ => self.stuck.note(at, || format!("`{word}`")),
                }
            }
            Item::Expression(slot) => self.expression(*slot, tail, rest, at),
            Item::Number => match self.tokens.get(at).and_then(Token::number) {
                Some(number) => {
                    let before = self.fit.number.replace((number, at));
                    self.step(tail, rest, at + 1);
                    self.fit.number = before;
                }
                None => self.stuck.note(at, || "a number".to_owned()),
            },
            Item::Time => {
                let times: Vec<_> =
                    [1, 2].into_iter().filter_map(|length| self.time(at..at + length)).collect();
                if times.is_empty() {
                    self.stuck.note(at, || "a time".to_owned());
                }
                for (time, place) in times {
                    let end = place.end;
                    let before = self.fit.time.replace((time, place));
                    self.step(tail, rest, end);
                    self.fit.time = before;
                }
            }
            Item::Choice(choices) => {
                for choice in choices {
                    self.step(choice, &Rest::Then(tail, rest), at);
                }
            }
            Item::Optional(items) => {
                self.step(items, &Rest::Then(tail, rest), at);
                self.step(tail, rest, at);
            }
            Item::Repeat(items) => self.step(items, &Rest::Again(items, tail, rest), at),
        }
    }

    /// The time that these tokens are, one or two: `300ms`, `300 ms`.
    fn time(&self, at: Range<usize>) -> Option<(Amount, Range<usize>)> {
        let tokens = self.tokens.get(at.clone())?;
        let place = tokens.first()?.place().start..tokens.last()?.place().end;
        let time = amount(&self.source.text[place])?;
        matches!(time, Amount::Milliseconds(_)).then_some((time, at))
    }

    fn expression(&mut self, slot: char, tail: &[Item], rest: &Rest<'_>, at: usize) {
        let at = at + usize::from(self.tokens.get(at).is_some_and(Token::is_comma));
        if !self.tokens.get(at).is_some_and(Token::in_expression) {
            let taken = self.tokens.get(at).map(|token| &self.source.text[token.place()]);
            self.stuck.note(at, || match taken {
                Some(word) if word.starts_with(char::is_alphabetic) => {
                    format!("an expression (a signal of that name is written {{{word}}})")
                }
                _ => "an expression".to_owned(),
            });
            return;
        }
        let mut end = at + 1;
        loop {
            self.fit.operands.push((slot, at..end));
            self.step(tail, rest, end);
            self.fit.operands.pop();
            if !self.tokens.get(end).is_some_and(Token::in_expression) {
                return;
            }
            end += 1;
        }
    }
}
