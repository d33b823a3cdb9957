//! `prev(x)`, `changed(x)`, `rose(x)` and `fell(x)`: a signal beside itself one step ago.

use std::iter::Peekable;
use std::ops::Range;

use super::{Parser, Token};
use crate::diagnostic::SpecError;
use crate::expression::Named;
use crate::ltl::Formula;

/// What is said of a signal and of itself one step ago. At the first step it was as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Previous,
    Changed,
    Rose,
    Fell,
}

impl Change {
    fn of(word: &str) -> Option<Change> {
        match word {
            "prev" => Some(Change::Previous),
            "changed" => Some(Change::Changed),
            "rose" => Some(Change::Rose),
            "fell" => Some(Change::Fell),
            _ => None,
        }
    }

    /// What it says of something that is true or false.
    pub(crate) fn formula(self, now: Formula) -> Formula {
        let (was, was_not) = (|| now.clone().yesterday(), || now.clone().not().yesterday());
        let rose = || now.clone().and(was_not());
        let fell = || now.clone().not().and(was());
        match self {
            Change::Previous => was().or(Formula::at_first().and(now.clone())),
            Change::Changed => rose().or(fell()),
            Change::Rose => rose(),
            Change::Fell => fell(),
        }
    }
}

type Placed = (Token, Range<usize>);

impl Parser<'_> {
    /// What is said of a signal that is no truth but a value, as a comparison with `prev`.
    fn comparison(&self, change: Change, name: &str) -> Option<Formula> {
        let space = self.space?;
        let sides = [&space.interface().inputs, &space.interface().outputs];
        sides.iter().find_map(|side| side.field(name)).filter(|field| !field.is_boolean())?;
        let sign = match change {
            Change::Previous => return None,
            Change::Changed => "!=",
            Change::Rose => ">",
            Change::Fell => "<",
        };
        let name = Named(name);
        let atom = space.atoms()?.find(&format!("{name} {sign} prev({name})"))?;
        Some(Formula::proposition(atom.text()))
    }

    /// Takes `rose(x)` where it stands: the word was taken, the rest is still to come. Such a word is a name where the
    /// interface has it, and where no parenthesis follows.
    pub(super) fn change(
        &mut self,
        place: &Range<usize>,
        rest: &mut Peekable<impl Iterator<Item = Placed>>,
    ) -> Result<bool, SpecError> {
        let word = &self.source.text[place.clone()];
        let Some(change) = Change::of(word).filter(|_| !self.knows(word)) else { return Ok(false) };
        if !matches!(rest.peek(), Some((Token::Open, _))) {
            return Ok(false);
        }
        let wrong = |at: Range<usize>| {
            let error = self.source.error(at, format!("`{word}` is about one signal"));
            error.help(format!("write {word}(x); what looks back at more is Y, as in Y(a & b)"))
        };
        let (_, open) = rest.next().unwrap_or((Token::Open, place.clone()));
        let name = match rest.next() {
            Some((Token::Word, at)) => Some((self.source.text[at.clone()].to_owned(), at)),
            Some((Token::Quoted(name), at)) => Some((name, at)),
            _ => None,
        };
        let (Some((name, at)), Some((Token::Close, close))) = (name, rest.next()) else {
            return Err(wrong(place.start..open.end));
        };
        let formula = match self.comparison(change, &name) {
            Some(compared) => compared,
            None => {
                self.check_known(&name, &at)?;
                change.formula(Formula::proposition(name))
            }
        };
        self.push(formula, place.start..close.end);
        if let Some(operand) = self.operands.last_mut() {
            operand.closed = true;
        }
        Ok(true)
    }
}
