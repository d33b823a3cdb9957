//! From text to formulas.

mod misread;

use std::fmt;
use std::ops::Range;

use super::show::tightness;
use super::token::{Token, glued, is_keyword, is_prefix, tokens};
use super::{Formula, MAX_BOUND, Op};
use crate::space::Space;
use crate::spec::{Source, SpecError, nearest};

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
/// interface.
///
/// The reader keeps its own stack, so nesting is limited by memory alone.
pub fn parse_in(source: &Source, span: Range<usize>, space: Option<&Space>) -> Result<Parsed, SpecError> {
    let tokens = tokens(source, span.clone())?;
    let mut parser =
        Parser { source, space, operands: Vec::new(), operators: Vec::new(), warnings: Vec::new() };
    let mut tokens = tokens.into_iter().peekable();
    let mut complete = false;
    while let Some((token, place)) = tokens.next() {
        let bounds = tokens
            .next_if(|(token, _)| matches!(token, Token::Times(_) | Token::Between(..) | Token::Strong));
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
}

struct Operand {
    formula: Formula,
    span: Range<usize>,
    /// Whether parentheses stand around it.
    closed: bool,
    /// Whether it is a prefix operator and, a space apart, a bare operand: `G a`.
    loose: bool,
}

enum Operator {
    Open(Range<usize>),
    Prefix(Op, u32, Range<usize>),
    Binary(Op, Range<usize>),
}

type Bounds = Option<(Token, Range<usize>)>;

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
            Token::Word => match text {
                "U" => Op::Until,
                "W" => Op::WeakUntil,
                "R" | "V" => Op::Release,
                "M" => Op::StrongRelease,
                "xor" | "XOR" => Op::Xor,
                _ => return Err(self.not_an_operator(text, place.clone())),
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

    fn word(&mut self, place: Range<usize>, bounds: Bounds) -> Result<bool, SpecError> {
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

    fn prefix(&mut self, op: Op, place: Range<usize>, bounds: Bounds) -> Result<bool, SpecError> {
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

    fn no_bounds(&self, bounds: Bounds) -> Result<(), SpecError> {
        let Some((_, span)) = bounds else { return Ok(()) };
        let error = self.source.error(span, "bounds stand behind X, F or G only");
        Err(error.help("as in X[3] a, F[0:5] a, G[2:4] a"))
    }

    fn push(&mut self, formula: Formula, span: Range<usize>) {
        self.operands.push(Operand { formula, span, closed: false, loose: false });
    }

    fn check_known(&self, name: &str, place: &Range<usize>) -> Result<(), SpecError> {
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

    fn not_an_operator(&self, text: &str, place: Range<usize>) -> SpecError {
        let error = self.source.error(place, format!("expected an operator before `{text}`"));
        match text.to_ascii_lowercase().as_str() {
            "and" => error.help("conjunction is `&`"),
            "or" => error.help("disjunction is `|`"),
            "implies" => error.help("implication is `->`"),
            "iff" | "equals" => error.help("equivalence is `<->`"),
            "until" | "u" => error.help("until is `U`"),
            "w" | "unless" => error.help("weak until is `W`"),
            "r" | "v" | "releases" => error.help("release is `R`"),
            "m" => error.help("strong release is `M`"),
            _ => error.help("operators between formulas are & | -> <-> xor U W R M"),
        }
    }

    /// Applies the waiting operators that hold tighter than `than`, or as tight where the left goes first.
    fn reduce(&mut self, than: u8, right_first: bool) {
        loop {
            let waits = match self.operators.last() {
                None | Some(Operator::Open(_)) => true,
                Some(Operator::Prefix(..)) => false,
                Some(Operator::Binary(op, _)) => {
                    let own = tightness(op);
                    own < than || own == than && right_first
                }
            };
            if waits {
                return;
            }
            match self.operators.pop() {
                Some(Operator::Prefix(op, times, span)) => self.apply_prefix(op, times, span),
                Some(Operator::Binary(op @ (Op::And | Op::Or), _)) => self.apply_chain(op),
                Some(Operator::Binary(op, _)) => self.apply_binary(op),
                _ => return,
            }
        }
    }

    fn apply_prefix(&mut self, op: Op, times: u32, span: Range<usize>) {
        let Some(operand) = self.operands.pop() else { return };
        let temporal = op != Op::Not;
        let apart = operand.span.start > span.end;
        let loose = temporal && apart && !operand.closed || operand.loose && !operand.closed;
        let mut formula = operand.formula;
        for _ in 0..times {
            formula = Formula::build(op.clone(), vec![formula]);
        }
        let span = span.start..operand.span.end;
        self.operands.push(Operand { formula, span, closed: false, loose });
    }

    fn apply_binary(&mut self, op: Op) {
        let (Some(right), Some(left)) = (self.operands.pop(), self.operands.pop()) else { return };
        self.warn_mixed(&op, &left, &right);
        let span = left.span.start..right.span.end;
        let formula = Formula::build(op, vec![left.formula, right.formula]);
        self.operands.push(Operand { formula, span, closed: false, loose: right.loose && !right.closed });
    }

    /// Joins the whole chain of equal operators that waits: one formula, however long the chain.
    fn apply_chain(&mut self, op: Op) {
        let mut count = 2;
        while let Some(Operator::Binary(next, _)) = self.operators.last()
            && *next == op
        {
            self.operators.pop();
            count += 1;
        }
        let operands = self.operands.split_off(self.operands.len().saturating_sub(count));
        let (Some(first), Some(last)) = (operands.first(), operands.last()) else { return };
        let span = first.span.start..last.span.end;
        let loose = last.loose && !last.closed;
        for pair in operands.windows(2) {
            self.warn_mixed(&op, &pair[0], &pair[1]);
        }
        let formula = Formula::build(op, operands.into_iter().map(|operand| operand.formula).collect());
        self.operands.push(Operand { formula, span, closed: false, loose });
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
            Some(Operator::Prefix(_, _, span) | Operator::Binary(_, span)) => {
                let text = &self.source.text[span.clone()];
                self.source.error(span.start..place.end, format!("expected a formula after `{text}`"))
            }
            None => self.source.error(place, "expected a formula before `)`"),
        }
    }

    fn finish(mut self, complete: bool, span: Range<usize>) -> Result<Parsed, SpecError> {
        if !complete {
            return Err(match self.operators.last() {
                Some(Operator::Prefix(_, _, place) | Operator::Binary(_, place) | Operator::Open(place)) => {
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
        match self.operands.pop() {
            Some(operand) => Ok(Parsed { formula: operand.formula, warnings: self.warnings }),
            None => Err(self.source.error(span, "there is no formula here")),
        }
    }
}

/// Whether a chain of operators that hold alike waits for its right end. Conjunctions and disjunctions do so
/// that they are joined at once; for them the order does not matter.
fn right_first(op: &Op) -> bool {
    *op != Op::Xor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::Interface;

    fn shown(text: &str) -> String {
        parse(text).unwrap().formula.to_string()
    }

    fn error(text: &str) -> (String, (usize, usize), Option<String>) {
        let error = parse(text).unwrap_err();
        (error.message().to_owned(), error.line_column().unwrap(), error.help_text().map(str::to_owned))
    }

    #[test]
    fn every_spelling_is_read() {
        for text in ["G(a -> F b)", "[](a=><>b)", "G ( ( a ) --> F b )", "□(a → ◇b)", "G(\"a\" ⇒ Fb)"]
        {
            assert_eq!(shown(text), "G(a -> F b)", "{text}");
        }
        assert_eq!(shown("a && b /\\ c & d"), "a & b & c & d");
        assert_eq!(shown("a || b \\/ c | ~d"), "a | b | c | !d");
        assert_eq!(shown("a <-> (b <=> true) ^ 0"), "a <-> ((b <-> 1) xor 0)");
        assert_eq!(shown("(a W b) & (a R b) & (a V b) & (a M b)"), "(a W b) & (a R b) & (a R b) & (a M b)");
        assert_eq!(
            shown("X[3]p & F[0:5]q & G[2..4]r & N s & F[2:]q & X[!]a"),
            "XXX p & F[0:5] q & G[2:4] r & N s & F[2:] q & X a"
        );
        assert_eq!(shown("X[0]p"), "p");
        assert_eq!(
            shown("\"a b\" & \"say \\\"hi\\\"\" & \"U\" & \"Fault\""),
            "\"a b\" & \"say \\\"hi\\\"\" & \"U\" & \"Fault\""
        );
    }

    #[test]
    fn precedence_is_that_of_spot() {
        assert_eq!(shown("a -> b <-> c -> d"), "a -> (b <-> (c -> d))");
        assert_eq!(shown("a | b xor c & d U e"), "a | (b xor (c & (d U e)))");
        assert_eq!(shown("a U b U c"), "a U (b U c)");
        assert_eq!(shown("a U b R c W d M e"), "a U (b R (c W (d M e)))");
        assert_eq!(shown("!a U F b & G c"), "(!a U F b) & G c");
        assert_eq!(shown("a xor b xor c"), "(a xor b) xor c");
        assert_eq!(shown("a & b | c -> d"), "a & b | c -> d");
        assert_eq!(shown("G a -> b"), "G a -> b");
    }

    #[test]
    fn operators_may_be_glued_to_names() {
        assert_eq!(shown("GFp0 & XXXo0 & FG!p1 & GX(a)"), "GF p0 & XXX o0 & FG !p1 & GX a");
        assert_eq!(shown("F1 & X_a & aUb"), "F1 & X_a & aUb");
        assert_eq!(shown("Ftrue"), "F 1");
    }

    #[test]
    fn an_interface_says_what_a_word_is() {
        let space = Space::new(Interface::signals(["Fault", "go", "R"], ["X", "GO"]).unwrap());
        let read = |text: &str| {
            let source = Source::new("r1", text);
            parse_in(&source, 0..text.len(), Some(&space)).map(|parsed| parsed.formula.to_string())
        };
        assert_eq!(read("G(Fault -> Fgo)").unwrap(), "G(\"Fault\" -> F go)");
        assert_eq!(read("R U GO & R").unwrap(), "(\"R\" U \"GO\") & \"R\"");
        assert_eq!(read("X X & \"X\"").unwrap_err().message(), "expected a formula before `&`");
        let error = read("G(Fault -> F gp)").unwrap_err();
        assert_eq!(error.message(), "unknown proposition `gp`");
        assert_eq!(error.help_text(), Some("did you mean `go`?"));
        assert_eq!(error.line_column(), Some((1, 14)));
        let error = read("cargo").unwrap_err();
        assert_eq!(error.help_text(), Some("the interface has Fault, go, R, X, GO"));
    }

    #[test]
    fn errors_point_at_the_fault() {
        let help = |text: &str| Some(text.to_owned());
        assert_eq!(error("G(a -> F b").0, "this parenthesis is never closed");
        assert_eq!(error("G(a -> F b").1, (1, 2));
        assert_eq!(error("a & b) | c").1, (1, 6));
        assert_eq!(error("a &").0, "expected a formula after `&`");
        assert_eq!(error("a & & b"), ("expected a formula before `&`".into(), (1, 5), None));
        assert_eq!(
            error("a and b"),
            ("expected an operator before `and`".into(), (1, 3), help("conjunction is `&`"))
        );
        assert_eq!(error("a = 1").0, "unexpected `=` in a formula");
        assert_eq!(error("").0, "there is no formula here");
        assert_eq!(error("()").0, "there is no formula in these parentheses");
        assert_eq!(error("F[5:2] a").0, "these bounds hold no step: the second is below the first");
        assert_eq!(error("F[3] a").1, (1, 1));
        assert_eq!(error("a [3] & b").0, "bounds stand behind X, F or G only");
        assert_eq!(error("X[99999999999999] a").0, "more than 10000 steps are not supported");
        assert_eq!(error("2 & a").0, "`2` is not a formula");
        assert_eq!(error("\"a").0, "this quoted name has no closing quote");
        assert_eq!(error("G(a ->\n !)").1, (2, 2));
    }

    #[test]
    fn likely_misreadings_are_warned_of() {
        let warned = |text: &str| parse(text).unwrap().warnings.len();
        for text in [
            "G a -> b",
            "G a -> F b",
            "a U b & c",
            "a & b U c",
            "a -> b -> c",
            "a U b U c",
            "F a & b",
            "Fault",
        ] {
            assert_eq!(warned(text), 1, "{text}");
        }
        for text in [
            "G(a -> b)",
            "Ga -> b",
            "(a U b) & c",
            "a -> (b -> c)",
            "(G a) -> b",
            "a & b | c -> d",
            "!a U b",
            "a & G b",
            "G F a & G F b & F G c",
        ] {
            assert_eq!(warned(text), 0, "{text}");
        }
    }

    #[test]
    fn nesting_takes_no_stack() {
        let deep = format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000));
        assert_eq!(shown(&deep), "a");
        let deep = format!("{}a{}", "X(b U ".repeat(10_000), ")".repeat(10_000));
        assert!(parse(&shown(&deep)).unwrap().formula == parse(&deep).unwrap().formula);
        let long = vec!["a"; 100_000].join(" & ");
        assert_eq!(parse(&long).unwrap().formula.args().len(), 100_000);
        assert!(parse(&"(".repeat(10_000)).is_err());
        assert!(parse(&"!".repeat(10_000)).is_err());
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "[abXFGNURWM()!&|<>=\\-\\[\\]0-9: \"é\n]{0,40}") {
            let space = Space::new(Interface::signals(["a"], ["b"]).unwrap());
            if let Ok(parsed) = parse(&text) {
                let again = parse(&parsed.formula.to_string()).expect("what is written can be read");
                proptest::prop_assert!(again.formula == parsed.formula, "{} / {}", parsed.formula, again.formula);
            }
            let source = Source::new("x", &*text);
            if let Err(error) = parse_in(&source, 0..text.len(), Some(&space)) {
                let _ = error.to_string();
            }
        }
    }
}
