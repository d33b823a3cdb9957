//! From text to formulas.

mod atom;
mod change;
mod misread;
mod reduce;
#[cfg(test)]
mod tests;
mod word;

use std::fmt;
use std::ops::Range;

use self::atom::Comparisons;
use super::keyword::{binary_word, past_binary, prefix_word};
use super::show::tightness;
use super::token::{self, Token, tokens};
use super::translate::PAST_OF_FUTURE;
use super::{Formula, Op};
use crate::bdd::Space;
use crate::diagnostic::{Source, SpecError};

/// A formula that was read, and what its writer should look at again.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula,
    /// Places that are likely to be misread.
    pub warnings: Vec<Warning>,
}

/// A place in a formula that may not mean what its writer thinks.
#[derive(Clone, Debug)]
pub struct Warning {
    /// Byte offsets in the source.
    pub span: Range<usize>,
    /// What it is taken to mean.
    pub message: String,
    /// How to make it plain.
    pub help: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.help)
    }
}

/// Reads a formula whose propositions may have any name.
pub fn parse(text: &str) -> Result<Parsed, SpecError> {
    parse_in(&Source::new("formula", text), 0..text.len(), None)
}

/// Reads the formula that stands at `span` of a source. With a space, its propositions must be names of the
/// interface, or expressions over its signals where not all of them are Boolean.
///
/// The reader keeps its own stack, so nesting is limited by memory alone.
pub fn parse_in(source: &Source, span: Range<usize>, space: Option<&Space>) -> Result<Parsed, SpecError> {
    let mut comparisons = Comparisons::new(source, space);
    let is_family = |word: &str| space.is_some_and(|space| space.has_family(word));
    let cycle_ms = space.and_then(Space::cycle_ms);
    let tokens =
        tokens(source, span.clone(), is_family, cycle_ms, |found, rest| comparisons.next(found, rest))?;
    let mut parser = Parser {
        source,
        space,
        operands: Vec::new(),
        operators: Vec::new(),
        warnings: comparisons.warnings,
        followed: false,
        past_of_future: None,
    };
    let mut tokens = tokens.into_iter().peekable();
    let mut complete = false;
    while let Some((token, place)) = tokens.next() {
        let bounds = match tokens.next_if(|(token, _)| matches!(token, Token::Bounds(_))) {
            Some((Token::Bounds(bounds), place)) => Some((bounds, place)),
            _ => None,
        };
        parser.followed = tokens.peek().is_some_and(|(token, place)| parser.begins(token, place));
        if !complete && token == Token::Word && bounds.is_none() && parser.change(&place, &mut tokens)? {
            complete = true;
            continue;
        }
        complete = match complete {
            false => parser.operand(token, place, bounds)?,
            true => parser.operator(token, place, bounds)?,
        };
    }
    parser.finish(complete, span)
}

struct Parser<'a> {
    source: &'a Source,
    space: Option<&'a Space>,
    operands: Vec<Operand>,
    operators: Vec<Operator>,
    warnings: Vec<Warning>,
    /// Whether a formula may begin with the next token.
    followed: bool,
    /// Where an operator that looks back stands over one that looks ahead.
    past_of_future: Option<Range<usize>>,
}

struct Operand {
    formula: Formula,
    span: Range<usize>,
    /// Whether parentheses stand around it.
    closed: bool,
    /// Whether it is a prefix operator and, a space apart, a bare operand: `G a`.
    loose: bool,
    /// Whether an operator in it looks ahead.
    ahead: bool,
}

enum Operator {
    Open(Range<usize>),
    /// The operator, how often it stands there, what holds besides at the end of the steps it names, its place.
    Prefix(Op, u32, Besides, Range<usize>),
    Binary(Op, Range<usize>),
}

/// What a prefix operator says besides itself: that there are so many steps ahead.
type Besides = Option<u32>;

type Bounds = Option<(token::Bounds, Range<usize>)>;

impl Parser<'_> {
    /// Takes a token where a formula may begin; true where one is complete.
    fn operand(&mut self, token: Token, place: Range<usize>, bounds: Bounds) -> Result<bool, SpecError> {
        let constant = match token {
            Token::Open => {
                self.operators.push(Operator::Open(place));
                return self.no_bounds(bounds).map(|()| false);
            }
            Token::Not => return self.prefix(Op::Not, place, bounds),
            Token::Globally => return self.prefix(Op::Globally, place, bounds),
            Token::Finally => return self.prefix(Op::Finally, place, bounds),
            Token::Next => return self.prefix(Op::Next, place, bounds),
            Token::Word => return self.word(place, bounds),
            Token::Quoted(name) => {
                self.no_bounds(bounds)?;
                self.check_known(&name, &place)?;
                self.push(Formula::proposition(name), place);
                return Ok(true);
            }
            Token::Number => match &self.source.text[place.clone()] {
                "0" => Formula::constant(false),
                "1" => Formula::constant(true),
                other => {
                    let error = self.source.error(place.clone(), format!("`{other}` is not a formula"));
                    return Err(error.help("only 0 (false) and 1 (true) are"));
                }
            },
            Token::Close => return Err(self.close_too_early(place)),
            _ => {
                let text = &self.source.text[place.clone()];
                return Err(self.source.error(place.clone(), format!("expected a formula before `{text}`")));
            }
        };
        self.no_bounds(bounds)?;
        self.push(constant, place);
        Ok(true)
    }

    /// Takes a token where a complete formula stands to the left; false where another one must follow.
    fn operator(&mut self, token: Token, place: Range<usize>, bounds: Bounds) -> Result<bool, SpecError> {
        let text = &self.source.text[place.clone()];
        let op = match token {
            Token::And => Op::And,
            Token::Or => Op::Or,
            Token::Implies => Op::Implies,
            Token::Iff => Op::Iff,
            Token::Xor => Op::Xor,
            Token::Word => match binary_word(text).or_else(|| past_binary(text)) {
                Some(op) => {
                    self.no_mark(text, &place)?;
                    op
                }
                None => return Err(self.not_an_operator(text, place.clone())),
            },
            Token::Close => {
                self.no_bounds(bounds)?;
                return self.close(place).map(|()| true);
            }
            _ => return Err(self.not_an_operator(text, place.clone())),
        };
        self.no_bounds(bounds)?;
        self.reduce(tightness(&op), right_first(&op));
        self.operators.push(Operator::Binary(op, place));
        Ok(false)
    }

    fn push(&mut self, formula: Formula, span: Range<usize>) {
        self.operands.push(Operand { formula, span, closed: false, loose: false, ahead: false });
    }

    /// Whether a formula may begin with this token.
    fn begins(&self, token: &Token, place: &Range<usize>) -> bool {
        let word = &self.source.text[place.clone()];
        match token {
            Token::Word if self.knows(word) => true,
            Token::Word => binary_word(word).is_none() && past_binary(word).is_none(),
            Token::Quoted(_) | Token::Number | Token::Open | Token::Not => true,
            Token::Globally | Token::Finally | Token::Next => true,
            _ => false,
        }
    }

    fn not_an_operator(&self, text: &str, place: Range<usize>) -> SpecError {
        let error = self.source.error(place, format!("expected an operator before `{text}`"));
        let before = self.operands.last().and_then(|operand| match operand.formula.op() {
            Op::Proposition(name) if !operand.closed => prefix_word(name).map(|op| (name, op)),
            _ => None,
        });
        if let Some((name, op)) = before {
            return error.help(format!("`{name}` is a signal here; the operator is `{}`", sign(&op)));
        }
        match text.to_ascii_lowercase().as_str() {
            "equals" => error.help("equivalence is `<->`"),
            "u" => error.help("until is `U`"),
            "w" | "unless" => error.help("weak until is `W`"),
            "r" | "v" => error.help("release is `R`"),
            "m" => error.help("strong release is `M`"),
            "s" => error.help("since is `S`"),
            "t" => error.help("triggered is `T`"),
            _ => error.help("operators between formulas are & | -> <-> xor U W R M S T"),
        }
    }

    fn close(&mut self, place: Range<usize>) -> Result<(), SpecError> {
        self.reduce(0, false);
        let Some(Operator::Open(open)) = self.operators.pop() else {
            let error = self.source.error(place, "this parenthesis was never opened");
            return Err(error.help("remove it, or open one further left"));
        };
        if let Some(operand) = self.operands.last_mut() {
            operand.closed = true;
            operand.span = open.start..place.end;
        }
        Ok(())
    }

    fn close_too_early(&self, place: Range<usize>) -> SpecError {
        match self.operators.last() {
            Some(Operator::Open(open)) => {
                self.source.error(open.start..place.end, "there is no formula in these parentheses")
            }
            Some(Operator::Prefix(_, _, _, span) | Operator::Binary(_, span)) => {
                let text = &self.source.text[span.clone()];
                self.source.error(span.start..place.end, format!("expected a formula after `{text}`"))
            }
            None => self.source.error(place, "expected a formula before `)`"),
        }
    }

    fn finish(mut self, complete: bool, span: Range<usize>) -> Result<Parsed, SpecError> {
        if !complete {
            return Err(match self.operators.last() {
                Some(
                    Operator::Prefix(_, _, _, place) | Operator::Binary(_, place) | Operator::Open(place),
                ) => {
                    let text = &self.source.text[place.clone()];
                    self.source.error(place.clone(), format!("expected a formula after `{text}`"))
                }
                None => self.source.error(span, "there is no formula here"),
            });
        }
        self.reduce(0, false);
        if let Some(Operator::Open(place)) = self.operators.last() {
            let error = self.source.error(place.clone(), "this parenthesis is never closed");
            return Err(error.help("add `)` where the group ends"));
        }
        if let Some(place) = self.past_of_future {
            let error = self.source.error(place, PAST_OF_FUTURE);
            return Err(error.help("say it from the later step: O(a & X b) is O(b & Y a) one step later"));
        }
        match self.operands.pop() {
            Some(operand) => Ok(Parsed { formula: operand.formula, warnings: self.warnings }),
            None => Err(self.source.error(span, "there is no formula here")),
        }
    }
}

/// The sign of an operator that has a word.
fn sign(op: &Op) -> &'static str {
    match op {
        Op::Not => "!",
        Op::Next => "X",
        Op::Finally => "F",
        Op::Yesterday => "Y",
        Op::WeakYesterday => "Z",
        Op::Once => "O",
        Op::Historically => "H",
        _ => "G",
    }
}

/// Whether a chain of operators that hold alike waits for its right end. Conjunctions and disjunctions do so
/// that they are joined at once; for them the order does not matter.
fn right_first(op: &Op) -> bool {
    *op != Op::Xor
}
