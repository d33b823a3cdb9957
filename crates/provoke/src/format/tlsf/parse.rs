//! From tokens to expressions.
//!
//! The precedence is that of the TLSF paper, where `W`, `U` and `R` hold looser than the Boolean operators:
//! `a && b U c` is `(a && b) U c`.

use std::ops::Range;
use std::sync::Arc;

use super::MAX_DEPTH;
use super::expression::{Big, Binary, Binder, Expression, Kind, Over, Unary};
use super::token::{Placed, Token};
use crate::diagnostic::{Source, SpecError};

/// How tight operators hold, loosest first; prefix operators take an operand that holds as tight.
const MATCH: u8 = 3;
const RELEASE: u8 = 4;
const UNTIL: u8 = 5;
const WEAK: u8 = 6;
const IMPLIES: u8 = 7;
const OR: u8 = 8;
const AND: u8 = 9;
const LOGIC_PREFIX: u8 = 10;
const MEMBER: u8 = 11;
const COMPARE: u8 = 12;
const UNION: u8 = 13;
const INTERSECTION: u8 = 14;
const DIFFERENCE: u8 = 15;
const SET_PREFIX: u8 = 16;
const SUM: u8 = 17;
const QUOTIENT: u8 = 18;
const PRODUCT: u8 = 19;
const NUMBER_PREFIX: u8 = 20;

/// Walks over the tokens of a file.
pub(super) struct Parser<'a> {
    pub(super) source: &'a Source,
    tokens: &'a [Placed],
    at: usize,
    depth: usize,
}

enum Infix {
    Chain(bool),
    Binary(Binary),
    Match,
}

impl<'a> Parser<'a> {
    /// `tokens` must end with [`Token::End`].
    pub(super) fn new(source: &'a Source, tokens: &'a [Placed]) -> Parser<'a> {
        Parser { source, tokens, at: 0, depth: 0 }
    }

    pub(super) fn peek(&self) -> Placed {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> Placed {
        let end = self.source.text.len();
        self.tokens.get(self.at + by).cloned().unwrap_or((Token::End, end..end))
    }

    /// The text of the next token.
    pub(super) fn text(&self) -> &'a str {
        self.text_at(0)
    }

    fn text_at(&self, by: usize) -> &'a str {
        let (_, place) = self.ahead(by);
        &self.source.text[place]
    }

    pub(super) fn advance(&mut self) -> Range<usize> {
        let (_, place) = self.peek();
        self.at += 1;
        place
    }

    /// Takes the next token where it is this sign or word.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let (token, _) = self.peek();
        let found = matches!(token, Token::Sign(_) | Token::Word) && self.text() == text;
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<Range<usize>, SpecError> {
        let (_, place) = self.peek();
        if self.take(text) { Ok(place) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    /// The error at the next token.
    pub(super) fn expected(&self, what: &str) -> SpecError {
        let (token, place) = self.peek();
        let found = match token {
            Token::End => "the end of the file".to_owned(),
            Token::Text => "a text".to_owned(),
            _ => format!("`{}`", self.text()),
        };
        self.source.error(place, format!("expected {what}, found {found}"))
    }

    /// A name that is not a word of the language.
    pub(super) fn name(&mut self, what: &str) -> Result<(Arc<str>, Range<usize>), SpecError> {
        let (token, _) = self.peek();
        if token != Token::Word {
            return Err(self.expected(what));
        }
        let word = self.text();
        if is_reserved(word) {
            let error = self.expected(what);
            return Err(error.help(format!("`{word}` is a word of TLSF and cannot be a name")));
        }
        Ok((word.into(), self.advance()))
    }

    /// An expression; it ends where the next token cannot continue it.
    pub(super) fn expression(&mut self) -> Result<Expression, SpecError> {
        self.at_least(MATCH)
    }

    fn at_least(&mut self, tightness: u8) -> Result<Expression, SpecError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let (_, place) = self.peek();
            let error = self.source.error(place, format!("this nests deeper than {MAX_DEPTH} levels"));
            return Err(error.help("name parts of it under DEFINITIONS"));
        }
        let mut left = self.operand()?;
        while let Some((infix, own, right_first)) = self.infix()
            && own >= tightness
        {
            self.advance();
            if let Infix::Chain(all) = infix {
                left = self.chain(all, own, left)?;
                continue;
            }
            let right = self.at_least(if right_first { own } else { own + 1 })?;
            let span = left.span.start..right.span.end;
            let sides = Box::new([left, right]);
            let kind = match infix {
                Infix::Binary(op) => Kind::Binary(op, sides),
                _ => Kind::Match(sides),
            };
            left = Expression { kind, span };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The rest of `first && second && ...`, behind the first operator: one node, however long.
    fn chain(&mut self, all: bool, own: u8, first: Expression) -> Result<Expression, SpecError> {
        let mut parts = vec![first];
        loop {
            parts.push(self.at_least(own + 1)?);
            match self.infix() {
                Some((Infix::Chain(next), ..)) if next == all => self.advance(),
                _ => break,
            };
        }
        let (first, last) = (&parts[0], &parts[parts.len() - 1]);
        let span = first.span.start..last.span.end;
        Ok(Expression { kind: Kind::Chain(all, parts), span })
    }

    /// The operator that comes next, how tight it holds, and whether a chain of it groups to the right.
    fn infix(&self) -> Option<(Infix, u8, bool)> {
        let (token, _) = self.peek();
        if !matches!(token, Token::Sign(_) | Token::Word) || self.is_big() {
            return None;
        }
        let binary = |op: Binary, own: u8, right: bool| Some((Infix::Binary(op), own, right));
        match self.text() {
            "*" | "MUL" => binary(Binary::Times, PRODUCT, false),
            "/" | "DIV" => binary(Binary::Divide, QUOTIENT, true),
            "%" | "MOD" => binary(Binary::Modulo, QUOTIENT, true),
            "+" | "PLUS" => binary(Binary::Plus, SUM, false),
            "-" | "MINUS" => binary(Binary::Minus, SUM, false),
            "(-)" | "(\\)" | "SETMINUS" => binary(Binary::Difference, DIFFERENCE, true),
            "(*)" | "CAP" => binary(Binary::Intersection, INTERSECTION, false),
            "(+)" | "CUP" => binary(Binary::Union, UNION, false),
            "==" | "EQ" => binary(Binary::Equal, COMPARE, false),
            "/=" | "!=" | "NEQ" => binary(Binary::Unequal, COMPARE, false),
            ">" | "GE" => binary(Binary::Greater, COMPARE, false),
            ">=" | "GEQ" => binary(Binary::AtLeast, COMPARE, false),
            "<" | "LE" => binary(Binary::Less, COMPARE, false),
            "<=" | "LEQ" => binary(Binary::AtMost, COMPARE, false),
            "<-" | "IN" | "ELEM" => binary(Binary::In, MEMBER, false),
            "&&" | "AND" => Some((Infix::Chain(true), AND, false)),
            "||" | "OR" => Some((Infix::Chain(false), OR, false)),
            "->" | "IMPLIES" => binary(Binary::Implies, IMPLIES, true),
            "<->" | "EQUIV" => binary(Binary::Iff, IMPLIES, true),
            "W" => binary(Binary::WeakUntil, WEAK, true),
            "U" => binary(Binary::Until, UNTIL, true),
            "R" => binary(Binary::Release, RELEASE, false),
            "~" => Some((Infix::Match, MATCH, false)),
            _ => None,
        }
    }

    /// Whether a big operator comes next: its sign with a bracket right behind it.
    fn is_big(&self) -> bool {
        let ((_, sign), (_, bracket)) = (self.ahead(0), self.ahead(1));
        self.text_at(1) == "[" && sign.end == bracket.start && big(self.text()).is_some()
    }

    fn operand(&mut self) -> Result<Expression, SpecError> {
        let (token, place) = self.peek();
        match token {
            Token::Number => {
                let number = self.text().parse();
                let number =
                    number.map_err(|_| self.source.error(place.clone(), "this number is too large"))?;
                self.advance();
                Ok(Expression { kind: Kind::Number(number), span: place })
            }
            Token::Word | Token::Sign(_) => match big(self.text()) {
                Some((op, own)) if self.text_at(1) == "[" => self.big(op, own),
                _ => self.word_or_sign(token),
            },
            _ => Err(self.expected("an expression")),
        }
    }

    fn word_or_sign(&mut self, token: Token) -> Result<Expression, SpecError> {
        match self.text() {
            "(" => {
                let open = self.advance();
                let inside = self.expression()?;
                let close = self.close(")", &open)?;
                Ok(Expression { span: open.start..close.end, ..inside })
            }
            "{" => self.set(),
            "|" => {
                let open = self.advance();
                let inside = self.expression()?;
                let close = self.close("|", &open)?;
                Ok(Expression {
                    kind: Kind::Unary(Unary::Size, Box::new(inside)),
                    span: open.start..close.end,
                })
            }
            "!" | "NOT" => self.prefix(Unary::Not, LOGIC_PREFIX),
            "X" => self.next(),
            "F" => self.finally_or_globally(false),
            "G" => self.finally_or_globally(true),
            "SIZEOF" => self.prefix(Unary::Width, NUMBER_PREFIX),
            "SIZE" => self.prefix(Unary::Size, NUMBER_PREFIX),
            "MIN" => self.prefix(Unary::Least, NUMBER_PREFIX),
            "MAX" => self.prefix(Unary::Greatest, NUMBER_PREFIX),
            "true" => Ok(Expression { kind: Kind::Truth(true), span: self.advance() }),
            "false" => Ok(Expression { kind: Kind::Truth(false), span: self.advance() }),
            "_" => Ok(Expression { kind: Kind::Wild, span: self.advance() }),
            "-" => Err(self.expected("an expression").help("a negative number is written 0 - 1")),
            _ if token == Token::Word => self.named(),
            _ => Err(self.expected("an expression")),
        }
    }

    /// The closing sign; the error points at the open one where the file ends first.
    fn close(&mut self, sign: &str, open: &Range<usize>) -> Result<Range<usize>, SpecError> {
        let (token, place) = self.peek();
        if self.take(sign) {
            return Ok(place);
        }
        if token == Token::End || matches!(self.text(), ";" | "}") {
            let text = &self.source.text[open.clone()];
            let error = self.source.error(open.clone(), format!("this `{text}` is never closed"));
            return Err(error.help(format!("close it with `{sign}`")));
        }
        let error = self.expected(&format!("`{sign}` or an operator"));
        Err(operator_help(error, self.text()))
    }

    fn prefix(&mut self, op: Unary, own: u8) -> Result<Expression, SpecError> {
        let start = self.advance().start;
        let body = self.at_least(own)?;
        let span = start..body.span.end;
        Ok(Expression { kind: Kind::Unary(op, Box::new(body)), span })
    }

    fn next(&mut self) -> Result<Expression, SpecError> {
        let start = self.advance().start;
        let (mut times, mut strong) = (None, false);
        if self.text() == "[" {
            let open = self.advance();
            strong = self.take("!");
            if self.text() != "]" || !strong {
                times = Some(Box::new(self.expression()?));
            }
            strong |= self.take("!");
            self.close("]", &open)?;
        }
        let body = Box::new(self.at_least(LOGIC_PREFIX)?);
        let span = start..body.span.end;
        Ok(Expression { kind: Kind::Next { times, strong, body }, span })
    }

    fn finally_or_globally(&mut self, every: bool) -> Result<Expression, SpecError> {
        if self.text_at(1) != "[" {
            return self.prefix(if every { Unary::Globally } else { Unary::Finally }, LOGIC_PREFIX);
        }
        let start = self.advance().start;
        let open = self.advance();
        let strong = self.take("!");
        let first = self.expression()?;
        if !self.take(":") {
            return Err(self
                .expected("`:`")
                .help("write F[2:5] for some step and G[2:5] for every step from 2 to 5"));
        }
        let last = self.expression()?;
        let strong = self.take("!") || strong;
        self.close("]", &open)?;
        let body = Box::new(self.at_least(LOGIC_PREFIX)?);
        let span = start..body.span.end;
        let steps = Box::new([first, last]);
        Ok(Expression { kind: Kind::Within { every, strong, steps, body }, span })
    }

    fn set(&mut self) -> Result<Expression, SpecError> {
        let open = self.advance();
        let mut elements = Vec::new();
        while self.text() != "}" {
            elements.push(self.expression()?);
            if self.text() == ".." && elements.len() == 2 {
                self.advance();
                elements.push(self.expression()?);
                let close = self.close("}", &open)?;
                let span = open.start..close.end;
                if let Ok(range) = <[Expression; 3]>::try_from(elements) {
                    return Ok(Expression { kind: Kind::Range(Box::new(range)), span });
                }
                return Err(self.source.error(span, "a range has three parts"));
            }
            if self.text() == ".." {
                let error = self.expected("`,` or `}`");
                return Err(error.help("a range names its first two elements and its last: {0,1..n}"));
            }
            if !self.take(",") {
                break;
            }
        }
        let close = self.close("}", &open)?;
        Ok(Expression { kind: Kind::Set(elements), span: open.start..close.end })
    }

    fn big(&mut self, op: Big, own: u8) -> Result<Expression, SpecError> {
        let start = self.advance().start;
        let open = self.advance();
        let mut binders = Vec::new();
        loop {
            binders.push(self.binder()?);
            if !self.take(",") {
                break;
            }
        }
        self.close("]", &open)?;
        let body = self.at_least(own)?;
        let span = start..body.span.end;
        Ok(Expression { kind: Kind::Big(op, binders, Box::new(body)), span })
    }

    fn binder(&mut self) -> Result<Binder, SpecError> {
        let help = "write `i IN set` or `0 <= i < n`";
        let left = self.at_least(UNION)?;
        if matches!(self.text(), "IN" | "<-" | "ELEM") {
            let Kind::Name(name) = left.kind else {
                return Err(self.source.error(left.span, "expected a name before `IN`").help(help));
            };
            self.advance();
            return Ok(Binder { name, over: Over::Set(self.at_least(UNION)?) });
        }
        let low_closed = self.bound(help)?;
        let (name, _) = self.name("a name")?;
        let high_closed = self.bound(help)?;
        let right = self.at_least(UNION)?;
        Ok(Binder { name, over: Over::Between { bounds: [left, right], closed: [low_closed, high_closed] } })
    }

    /// `<=` (true) or `<` (false).
    fn bound(&mut self, help: &str) -> Result<bool, SpecError> {
        let closed = match self.text() {
            "<=" | "LEQ" => true,
            "<" | "LE" => false,
            _ => return Err(self.expected("`IN`, `<` or `<=`").help(help)),
        };
        self.advance();
        Ok(closed)
    }

    fn named(&mut self) -> Result<Expression, SpecError> {
        let (name, place) = self.name("an expression")?;
        match self.text() {
            "(" => {
                let open = self.advance();
                let mut arguments = Vec::new();
                while self.text() != ")" {
                    arguments.push(self.expression()?);
                    if !self.take(",") {
                        break;
                    }
                }
                let close = self.close(")", &open)?;
                Ok(Expression { kind: Kind::Call(name, arguments), span: place.start..close.end })
            }
            "[" => {
                let open = self.advance();
                let at = Box::new(self.expression()?);
                let close = self.close("]", &open)?;
                Ok(Expression { kind: Kind::Bit(name, at), span: place.start..close.end })
            }
            _ => Ok(Expression { kind: Kind::Name(name), span: place }),
        }
    }
}

fn big(text: &str) -> Option<(Big, u8)> {
    match text {
        "&&" | "AND" | "FORALL" => Some((Big::And, LOGIC_PREFIX)),
        "||" | "OR" | "EXISTS" => Some((Big::Or, LOGIC_PREFIX)),
        "+" | "SUM" => Some((Big::Sum, NUMBER_PREFIX)),
        "*" | "PROD" => Some((Big::Product, NUMBER_PREFIX)),
        "(+)" | "CUP" => Some((Big::Union, SET_PREFIX)),
        "(*)" | "CAP" => Some((Big::Intersection, SET_PREFIX)),
        _ => None,
    }
}

/// Adds what a wrong word between two expressions was probably meant to be.
pub(super) fn operator_help(error: SpecError, found: &str) -> SpecError {
    match found {
        "and" => error.help("conjunction is `&&`"),
        "or" => error.help("disjunction is `||`"),
        "|" => error.help("disjunction is `||`"),
        "=" => error.help("numbers are compared with `==`, formulas with `<->`"),
        "M" => error.help("TLSF has no strong release: `a M b` is `b U (a && b)`"),
        "S" | "T" | "Y" | "H" | "O" => error.help("past operators are not supported"),
        _ => error,
    }
}

/// Whether a word has a meaning in expressions.
pub(super) fn is_reserved(word: &str) -> bool {
    matches!(word, "NOT" | "AND" | "OR" | "IMPLIES" | "EQUIV" | "EQ" | "NEQ" | "LE" | "GE" | "LEQ" | "GEQ")
        || matches!(word, "ELEM" | "IN" | "PLUS" | "MINUS" | "MUL" | "DIV" | "MOD" | "SIZE" | "MIN" | "MAX")
        || matches!(word, "SETMINUS" | "CAP" | "CUP" | "W" | "U" | "R" | "X" | "G" | "F" | "SUM" | "PROD")
        || matches!(word, "SIZEOF" | "FORALL" | "EXISTS" | "true" | "false" | "otherwise" | "_")
}
