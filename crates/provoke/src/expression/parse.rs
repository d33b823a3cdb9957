//! From text to expressions.

use std::ops::Range;

use super::MAX_DEPTH;
use super::reader::Reader;
use super::show::{RESERVED, Side, tightness};
use super::token::Token;
use super::tree::{Binary, Chain, Each, Expression, Function, Kind, Unary};
use crate::diagnostic::{Source, SpecError};

/// Reads an expression.
pub fn parse(text: &str) -> Result<Expression, SpecError> {
    parse_in(&Source::new("expression", text), 0..text.len())
}

/// Reads the expression that stands at `span` of a source.
pub fn parse_in(source: &Source, span: Range<usize>) -> Result<Expression, SpecError> {
    let mut reader = Reader::new(source, span.clone())?;
    if reader.at_end() {
        return Err(source.error(span, "there is no expression here"));
    }
    let expression = reader.expression()?;
    if reader.at_end() { Ok(expression) } else { Err(reader.no_operator()) }
}

/// What may stand behind a complete expression.
enum Operator {
    Binary(Binary),
    Chain(Chain),
}

impl Operator {
    fn tightness(&self) -> (u8, Side) {
        match self {
            Operator::Binary(op) => op.tightness(),
            Operator::Chain(Chain::And) => (tightness::AND, Side::Left),
            Operator::Chain(Chain::Or) => (tightness::OR, Side::Left),
        }
    }
}

impl Reader<'_> {
    /// Takes the longest expression that begins here.
    pub(crate) fn expression(&mut self) -> Result<Expression, SpecError> {
        self.holding(tightness::LEAST)
    }

    /// Takes the longest expression that begins here and is no comparison: a domain, a type.
    pub(crate) fn domain(&mut self) -> Result<Expression, SpecError> {
        self.holding(tightness::DOMAIN)
    }

    /// Takes a name with keys, or whatever holds as tightly: what is updated.
    pub(crate) fn closed(&mut self) -> Result<Expression, SpecError> {
        self.holding(Binary::Lookup.tightness().0)
    }

    /// Takes the longest expression that begins here and whose operators hold at least so tightly.
    fn holding(&mut self, least: u8) -> Result<Expression, SpecError> {
        self.nesting += 1;
        // A level takes two of these, with its parentheses.
        if self.nesting > 2 * MAX_DEPTH + MAX_DEPTH / 4 {
            return Err(too_deep(self.source, self.place()));
        }
        let found = self.operators(least);
        self.nesting -= 1;
        found
    }

    fn operators(&mut self, least: u8) -> Result<Expression, SpecError> {
        let start = self.place().start;
        let mut left = self.operand()?;
        // The operator that made `left` here, where a chain of it may go on.
        let mut last = None;
        while let Some((operator, tokens)) = self.operator() {
            let (own, side) = operator.tightness();
            if own < least {
                break;
            }
            if side == Side::Neither && last == Some(own) {
                return Err(self.chained(&operator));
            }
            for _ in 0..tokens {
                self.advance();
            }
            let right = match operator {
                Operator::Binary(Binary::Lookup) => {
                    let open = self.end() - 1..self.end();
                    let key = self.expression()?;
                    self.close("]", open)?;
                    key
                }
                _ => self.holding(own + u8::from(side != Side::Right))?,
            };
            let span = start..self.end();
            left = match (operator, left.kind) {
                // What was joined here goes on, and is one level deep however long it gets.
                (Operator::Chain(op), Kind::Chain(before, mut parts))
                    if op == before && last == Some(own) =>
                {
                    let depth = left.depth.max(right.depth + 1);
                    parts.push(right);
                    self.bounded(Expression { kind: Kind::Chain(op, parts), span, depth })?
                }
                (operator, kind) => {
                    let left = Expression { kind, span: left.span, depth: left.depth };
                    let kind = match operator {
                        Operator::Binary(op) => Kind::Binary(op, Box::new([left, right])),
                        Operator::Chain(op) => Kind::Chain(op, vec![left, right]),
                    };
                    self.made(kind, span)?
                }
            };
            last = Some(own);
        }
        Ok(left)
    }

    fn made(&self, kind: Kind, span: Range<usize>) -> Result<Expression, SpecError> {
        self.bounded(Expression::new(kind, span))
    }

    fn bounded(&self, made: Expression) -> Result<Expression, SpecError> {
        if made.depth > MAX_DEPTH { Err(too_deep(self.source, made.span)) } else { Ok(made) }
    }

    /// The operator that stands here, if any, and how many tokens it is.
    fn operator(&self) -> Option<(Operator, usize)> {
        let found = match self.token() {
            Token::Sign(sign) => match *sign {
                "&" => Operator::Chain(Chain::And),
                "|" => Operator::Chain(Chain::Or),
                "<->" => Operator::Binary(Binary::Iff),
                "^" => Operator::Binary(Binary::Xor),
                "->" => Operator::Binary(Binary::Implies),
                "=" => Operator::Binary(Binary::Equal),
                "!=" => Operator::Binary(Binary::Unequal),
                "<" => Operator::Binary(Binary::Less),
                "<=" => Operator::Binary(Binary::AtMost),
                ">" => Operator::Binary(Binary::Greater),
                ">=" => Operator::Binary(Binary::AtLeast),
                "\\" => Operator::Binary(Binary::Difference),
                ".." => Operator::Binary(Binary::Range),
                "+" => Operator::Binary(Binary::Add),
                "-" => Operator::Binary(Binary::Subtract),
                "*" => Operator::Binary(Binary::Multiply),
                "/" => Operator::Binary(Binary::Divide),
                "%" => Operator::Binary(Binary::Modulo),
                "[" => Operator::Binary(Binary::Lookup),
                _ => return None,
            },
            Token::Word => match self.word()? {
                "and" => Operator::Chain(Chain::And),
                "or" => Operator::Chain(Chain::Or),
                "iff" => Operator::Binary(Binary::Iff),
                "xor" => Operator::Binary(Binary::Xor),
                "implies" => Operator::Binary(Binary::Implies),
                "in" => Operator::Binary(Binary::In),
                "not" if self.word_ahead(1) == Some("in") => {
                    return Some((Operator::Binary(Binary::NotIn), 2));
                }
                "subset" => Operator::Binary(Binary::Subset),
                "union" => Operator::Binary(Binary::Union),
                "minus" => Operator::Binary(Binary::Difference),
                "intersect" => Operator::Binary(Binary::Intersection),
                "mod" => Operator::Binary(Binary::Modulo),
                _ => return None,
            },
            _ => return None,
        };
        Some((found, 1))
    }

    /// Takes what may stand before an operator: a name, a number, something in brackets, or an operator that stands
    /// before an expression, with that expression.
    fn operand(&mut self) -> Result<Expression, SpecError> {
        let place = self.place();
        let start = place.start;
        match self.token().clone() {
            Token::Number(number) => {
                self.advance();
                let number = i64::try_from(number).map_err(|_| {
                    self.source.error(place.clone(), "this number is too large").help("integers have 64 bits")
                })?;
                self.made(Kind::Integer(number), place)
            }
            Token::Decimal(number) => {
                self.advance();
                self.made(Kind::Decimal(number), place)
            }
            Token::Sign("-") => {
                self.advance();
                if *self.token() == Token::Number(i64::MIN.unsigned_abs()) {
                    self.advance();
                    return self.made(Kind::Integer(i64::MIN), start..self.end());
                }
                let part = self.holding(tightness::MINUS + 1)?;
                self.bounded(Expression::minus(part, start..self.end()))
            }
            Token::Sign("!") => {
                self.advance();
                self.not(start)
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.expression()?;
                self.close(")", place)?;
                Ok(Expression { span: start..self.end(), ..inner })
            }
            Token::Sign("{") => self.set(),
            Token::Sign("[") => {
                self.advance();
                let kind = self.each(Each::Map)?;
                self.close("]", place)?;
                self.made(kind, start..self.end())
            }
            Token::Word => self.worded(),
            Token::Quoted(_) => self.named(),
            _ => Err(self.expected("an expression")),
        }
    }

    fn not(&mut self, start: usize) -> Result<Expression, SpecError> {
        let part = self.holding(tightness::NOT)?;
        self.made(Kind::Unary(Unary::Not, Box::new(part)), start..self.end())
    }

    /// Takes an expression that begins with a word.
    fn worded(&mut self) -> Result<Expression, SpecError> {
        let place = self.place();
        let word = self.word().unwrap_or_default();
        match word {
            "true" | "false" => {
                self.advance();
                return self.made(Kind::Boolean(word == "true"), place);
            }
            "not" => {
                self.advance();
                return self.not(place.start);
            }
            "if" => {
                self.advance();
                let condition = self.expression()?;
                self.expect_word("then", "behind the condition of `if`")?;
                let then = self.expression()?;
                self.expect_word("else", "behind what `then` gives")?;
                let otherwise = self.expression()?;
                return self.made(Kind::If(Box::new([condition, then, otherwise])), place.start..self.end());
            }
            _ => {}
        }
        let function = Function::ALL.into_iter().find(|function| function.name() == word);
        if let Some(function) = function.filter(|_| self.is_sign_ahead(1, "(")) {
            self.advance();
            let open = self.advance();
            let parts = self.list(")", open)?;
            return self.made(Kind::Call(function, parts), place.start..self.end());
        }
        let compared = match word {
            "prev" => Some(None),
            "changed" => Some(Some(Binary::Unequal)),
            "rose" => Some(Some(Binary::Greater)),
            "fell" => Some(Some(Binary::Less)),
            _ => None,
        };
        if let Some(compared) = compared.filter(|_| self.is_sign_ahead(1, "(")) {
            return self.before(place, compared);
        }
        // `all`, `some` and `count` are names as well, where no other name and `in` follow.
        let quantifier = Each::WORDS.iter().find(|(known, _)| *known == word);
        if let Some((_, each)) = quantifier.filter(|_| self.starts_each(1)) {
            self.advance();
            let kind = self.each(*each)?;
            return self.made(kind, place.start..self.end());
        }
        self.named()
    }

    /// Whether `name in` stands `ahead` tokens later.
    fn starts_each(&self, ahead: usize) -> bool {
        let named = match self.word_ahead(ahead) {
            Some(word) => !RESERVED.contains(&word),
            None => matches!(self.ahead(ahead).0, Token::Quoted(_)),
        };
        named && self.word_ahead(ahead + 1) == Some("in")
    }

    /// Takes `x in D : e`, or `x in D | e` in a set.
    #[inline(never)]
    fn each(&mut self, each: Each) -> Result<Kind, SpecError> {
        let (name, _) = self.name("what stands for each element")?;
        self.expect_word("in", "behind the name")?;
        let domain = match each {
            Each::Set => self.holding(tightness::DOMAIN)?,
            _ => self.expression()?,
        };
        match each {
            Each::Set if self.take_sign(":") => {}
            Each::Set => self.expect_sign("|", "behind the domain")?,
            _ => self.expect_sign(":", "behind the domain")?,
        }
        let body = self.expression()?;
        Ok(Kind::Each(each, name, Box::new([domain, body])))
    }

    fn set(&mut self) -> Result<Expression, SpecError> {
        let open = self.advance();
        let kind = if self.starts_each(0) {
            let kind = self.each(Each::Set)?;
            self.close("}", open.clone())?;
            kind
        } else {
            Kind::Set(self.list("}", open.clone())?)
        };
        self.made(kind, open.start..self.end())
    }

    /// Takes expressions with commas between them, and what closes them.
    fn list(&mut self, close: &str, open: Range<usize>) -> Result<Vec<Expression>, SpecError> {
        let mut parts = Vec::new();
        if self.take_sign(close) {
            return Ok(parts);
        }
        loop {
            parts.push(self.expression()?);
            if !self.take_sign(",") {
                self.close(close, open)?;
                return Ok(parts);
            }
        }
    }

    fn named(&mut self) -> Result<Expression, SpecError> {
        if self.word().is_some_and(|word| RESERVED.contains(&word)) {
            return Err(self.expected("an expression"));
        }
        let (name, place) = self.name("something")?;
        if self.is_sign(".") {
            self.advance();
            let (value, _) = self.name("a value of the enumeration")?;
            return self.made(Kind::Value(name, value), place.start..self.end());
        }
        self.made(Kind::Name(name), place)
    }

    fn chained(&self, operator: &Operator) -> SpecError {
        let error = self.source.error(self.place(), "comparisons and ranges cannot be chained");
        match operator {
            Operator::Binary(Binary::Range) => error,
            _ => error.help("write `a < b & b < c`, or put one of them in parentheses"),
        }
    }

    /// What to say where an expression is complete and something else follows.
    pub(crate) fn no_operator(&self) -> SpecError {
        let error = self.expected("an operator");
        match self.token() {
            Token::Sign(")" | "]" | "}") => error.help("this bracket was never opened"),
            Token::Sign(":=") => error.help("two values are compared with `=`"),
            Token::Word if self.is_sign_ahead(1, "(") => {
                error.help("the functions are min, max, abs and size")
            }
            Token::Sign("(") => {
                error.help("the functions are min, max, abs and size; maps are looked up as `m[k]`")
            }
            _ => error,
        }
    }

    /// `prev(x)`, or `x` compared with it. A function of its own, because what `worded` holds costs stack at every level.
    #[inline(never)]
    fn before(&mut self, place: Range<usize>, compared: Option<Binary>) -> Result<Expression, SpecError> {
        self.advance();
        let open = self.advance();
        let (name, at) = self.name("a signal")?;
        self.close(")", open)?;
        let before = self.made(Kind::Name(previous(&name).into()), place.start..self.end())?;
        let Some(sign) = compared else { return Ok(before) };
        let now = self.made(Kind::Name(name), at)?;
        self.made(Kind::Binary(sign, Box::new([now, before])), place.start..self.end())
    }
}

/// The name of what a name stood for one step ago.
pub(crate) fn previous(name: &str) -> String {
    format!("prev({name})")
}

fn too_deep(source: &Source, place: Range<usize>) -> SpecError {
    let error = source.error(place, format!("this expression is nested more than {MAX_DEPTH} deep"));
    error.help("chains of `&` and of `|` may be long; other parts may become constants or variables")
}
