//! Comparisons inside formulas: where one begins and how far it reaches.
//!
//! What joins formulas ends a comparison: in `a = 3 & b = 4` the `&` is that of formulas. Inside brackets and between `if`
//! and `else` everything belongs to the expression.

use std::ops::Range;

use super::Warning;
use crate::atom::Atoms;
use crate::bdd::Space;
use crate::diagnostic::{Source, SpecError, brief};
use crate::expression::quoted;
use crate::ltl::keyword::{
    binary_word, constant, is_prefix, past_binary, past_word, prefix_letter, prefix_word,
};
use crate::ltl::token::{Token, in_word, starts_word};

/// Signs that join formulas or stand before them, the longest first; none of them is part of a comparison.
const JOINTS: &[&str] = &[
    "<-->", "<->", "<=>", "-->", "->", "=>", "[]", "<>", "&&", "/\\", "||", "\\/", "&", "|", "^", "~", "¬",
    "∧", "∨", "⊕", "→", "⇒", "↔", "⇔", "∩", "∪", "⟶", "⟹", "□", "⬜", "◻", "◇", "⋄", "♢", "○", "◯", "Ⓧ",
];

/// Signs that compare.
const COMPARISONS: &[&str] = &["==", "!=", "/=", "<=", ">=", "=", "<", ">", "≤", "≥", "≠"];

/// Looks for comparisons while a formula is split into tokens.
pub(super) struct Comparisons<'a> {
    source: &'a Source,
    known: Option<(&'a Space, &'a Atoms)>,
    /// How many tokens were looked at.
    seen: usize,
    /// Whether a formula may begin behind them.
    open: bool,
    pub(super) warnings: Vec<Warning>,
}

impl<'a> Comparisons<'a> {
    pub(super) fn new(source: &'a Source, space: Option<&'a Space>) -> Comparisons<'a> {
        let known = space.and_then(|space| Some((space, space.atoms()?)));
        Comparisons { source, known, seen: 0, open: true, warnings: Vec::new() }
    }

    /// The comparison that begins where `rest` does, if one does, and where it ends.
    pub(super) fn next(
        &mut self,
        found: &[(Token, Range<usize>)],
        rest: Range<usize>,
    ) -> Result<Option<(Token, usize)>, SpecError> {
        let Some((space, atoms)) = self.known else { return Ok(None) };
        for (token, place) in &found[self.seen..] {
            self.open = match token {
                Token::Word => self.opens(space, &self.source.text[place.clone()]),
                Token::Quoted(_) | Token::Number | Token::Close => false,
                _ => true,
            };
        }
        self.seen = found.len();
        if !self.open {
            return Ok(None);
        }
        let text = &self.source.text[rest.clone()];
        let Some(length) = extent(text, |word| self.opens(space, word)) else { return Ok(None) };
        let place = rest.start..rest.start + length;
        let atom = atoms.read(self.source, place.clone())?;
        for (span, value) in atom.idle_parts() {
            let shown = brief(self.source.text.get(span.clone()).unwrap_or_default()).into_owned();
            self.warnings.push(Warning {
                message: match value {
                    Some(value) => format!("`{shown}` is always {value}"),
                    None => format!("`{shown}` is out of range"),
                },
                help: "compare the constants with what the signals were declared to be".to_owned(),
                span: span.clone(),
            });
        }
        Ok(Some((Token::Quoted(atom.text().to_owned()), place.end)))
    }

    /// Whether a formula must follow a word: it is an operator here.
    fn opens(&self, space: &Space, word: &str) -> bool {
        if !self.open {
            return is_joint(word);
        }
        let is_field = |word: &str| space.names().any(|name| name == word);
        let looks_back = || {
            let is_letter =
                |letter: char| prefix_letter(letter).is_some() && !is_field(letter.encode_utf8(&mut [0; 4]));
            past_word(word).is_some() || word.chars().all(is_letter)
        };
        constant(word).is_none()
            && (word.chars().all(is_prefix)
                || !is_field(word) && (prefix_word(word).is_some() || looks_back()))
    }
}

/// Whether a word joins two formulas.
fn is_joint(word: &str) -> bool {
    binary_word(word).is_some() || past_binary(word).is_some()
}

/// How far the comparison reaches that begins here; none where no comparison does.
fn extent(text: &str, is_operator: impl Fn(&str) -> bool) -> Option<usize> {
    let (mut at, mut end) = (0, 0);
    let (mut depth, mut conditions) = (0usize, 0usize);
    // Whether something is compared, and whether what came last can stand alone.
    let (mut compares, mut complete) = (false, false);
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let outside = depth == 0 && conditions == 0;
        let length = if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        } else if starts_word(next) {
            let length = rest.find(|character| !in_word(character)).unwrap_or(rest.len());
            let before = complete;
            complete = false;
            match &rest[..length] {
                "if" => {
                    compares |= outside && end == 0;
                    conditions += 1;
                }
                "else" => conditions = conditions.saturating_sub(1),
                "in" => compares |= outside,
                "not" if before && outside && rest[length..].trim_start().starts_with("in") => {}
                word if outside && end == 0 && is_operator(word) => return None,
                word if outside && before && is_joint(word) => break,
                _ => complete = true,
            }
            length
        } else if next == '"' {
            complete = true;
            quoted(rest)?.1
        } else if let Some(joint) = JOINTS.iter().find(|joint| rest.starts_with(**joint)) {
            if outside {
                break;
            }
            joint.len()
        } else if let Some(sign) = COMPARISONS.iter().find(|sign| rest.starts_with(**sign)) {
            compares |= outside && end > 0;
            complete = false;
            sign.len()
        } else {
            complete = next.is_ascii_digit() || matches!(next, ')' | '}' | ']');
            match next {
                // Bounds of an operator.
                '[' if end == 0 => return None,
                '(' | '{' | '[' => depth += 1,
                ')' | '}' | ']' if depth == 0 => break,
                ')' | '}' | ']' => depth -= 1,
                '!' | ',' | ';' | ':' if outside => break,
                _ => {}
            }
            next.len_utf8()
        };
        at += length;
        end = at;
    }
    compares.then_some(end)
}

#[cfg(test)]
mod tests;
