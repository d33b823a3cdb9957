//! Requirements as sentences: the property specification patterns, in structured English.
//!
//! The patterns are those of M. Dwyer, G. Avrunin, J. Corbett: *Patterns in Property Specifications for
//! Finite-State Verification* (1999); the wording follows S. Konrad and B. Cheng (2005) as SpecPro reads it,
//! and M. Autili and others: *Aligning Qualitative, Real-Time, and Probabilistic Property Specification
//! Patterns* (2015). The formulas are our own: a sentence speaks of stretches of the trace, its scope says
//! which, and both are defined in `docs/guide/patterns.md`. Published tables differ where they are wrong, for
//! chains and for precedence in the scope `after`.

mod catalogue;
mod matcher;
mod meaning;
mod sentence;
mod template;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use self::catalogue::forms;
use self::catalogue::{Kind, Scope};
use self::matcher::{Match, matches};
use self::meaning::{Operands, scoped};
use self::sentence::{Token, tokens, with_parentheses};
use crate::bdd::Space;
use crate::diagnostic::{Source, SpecError};
use crate::ltl::duration::Beats;
use crate::ltl::{self, Formula, MAX_BOUND, Parsed};

/// The largest number in `at most ... times`.
pub const MAX_TIMES: u32 = 1_000;

/// Reads a sentence whose propositions may have any name.
pub fn parse(text: &str) -> Result<Parsed, SpecError> {
    parse_in(&Source::new("pattern", text), 0..text.len(), None)
}

/// Reads the sentence that stands at `span` of a source. With a space, its propositions must be names of the
/// interface.
pub fn parse_in(source: &Source, span: Range<usize>, space: Option<&Space>) -> Result<Parsed, SpecError> {
    let tokens = tokens(source, span.clone())?;
    let (found, stuck) = matches(source, &tokens);
    let Some((scope, kind, fit)) = found.first() else {
        let (place, found) = match tokens.get(stuck.at) {
            Some(token) => (token.place(), format!("`{}`", &source.text[token.place()])),
            None => (span.end..span.end, "the end".to_owned()),
        };
        let message = format!("expected {}, found {found}", stuck.expected());
        return Err(source.error(place, message).help(catalogue::forms()));
    };
    if let Some((other_scope, other_kind, _)) = found.get(1) {
        let error = source.error(span, "this sentence can be read in more than one way");
        let other = (other_scope, other_kind) == (scope, kind);
        let help = if other {
            "put each expression in braces, as in {a and b}"
        } else {
            "put expressions in braces"
        };
        return Err(error.help(help));
    }
    let reader = Reader { source, words: with_parentheses(source, span), tokens: &tokens, space };
    reader.formula(*scope, *kind, fit)
}

struct Reader<'a> {
    source: &'a Source,
    /// The source with parentheses for the braces of the sentence, as a formula has them, each at its place.
    words: Source,
    tokens: &'a [Token],
    space: Option<&'a Space>,
}

impl Reader<'_> {
    fn formula(&self, scope: Scope, kind: Kind, fit: &Match) -> Result<Parsed, SpecError> {
        let mut warnings = Vec::new();
        let mut operands = Operands::default();
        for (slot, at) in &fit.operands {
            let span = self.tokens[at.start].place().start..self.tokens[at.end - 1].place().end;
            let parsed = ltl::parse_in(&self.words, span.clone(), self.space)
                .map_err(|error| error.in_source(self.source))?;
            warnings.extend(parsed.warnings);
            operands.put(*slot, parsed.formula, span);
        }
        if let Some((wrong, span)) = operands.wrong_echo() {
            let error = self.source.error(span, "a response comes after the last of its stimuli");
            return Err(error.help(format!("write `after {wrong}`, or leave it out")));
        }
        let most = if kind == Kind::BoundedExistence { MAX_TIMES } else { MAX_BOUND };
        if let Some((number, at)) = fit.number
            && number > most
        {
            let error = self.source.error(self.tokens[at].place(), format!("{number} is too many"));
            return Err(error.help(format!("at most {most} are supported")));
        }
        let number = match &fit.time {
            None => fit.number.map(|(number, _)| number),
            Some((time, at)) => {
                let span = self.tokens[at.start].place().start..self.tokens[at.end - 1].place().end;
                let cycle_ms = self.space.and_then(Space::cycle_ms);
                Some(Beats { cycle_ms, source: self.source, span }.last(*time)?)
            }
        };
        let formula: Formula = scoped(scope, kind, &operands, number);
        Ok(Parsed { formula, warnings })
    }
}
