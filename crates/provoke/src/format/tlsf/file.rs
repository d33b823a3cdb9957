//! The sections of a TLSF file.

use std::ops::Range;
use std::sync::Arc;

use super::expression::Expression;
use super::parse::{Parser, operator_help};
use super::token::{Token, tokens};
use super::{MachineKind, Section, Semantics};
use crate::diagnostic::{Source, SpecError, did_you_mean};

/// A file as it is written, nothing expanded.
#[derive(Debug)]
pub(super) struct File {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) semantics: Semantics,
    pub(super) target: MachineKind,
    pub(super) tags: Vec<String>,
    pub(super) parameters: Vec<Definition>,
    pub(super) definitions: Vec<Definition>,
    pub(super) enumerations: Vec<Enumeration>,
    pub(super) inputs: Vec<Declaration>,
    pub(super) outputs: Vec<Declaration>,
    pub(super) clauses: Vec<(Section, Expression)>,
}

/// `name(arguments) = cases`
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) name: Arc<str>,
    pub(super) place: Range<usize>,
    pub(super) arguments: Vec<Arc<str>>,
    pub(super) cases: Vec<Case>,
}

#[derive(Debug)]
pub(super) struct Case {
    pub(super) guard: Guard,
    pub(super) body: Expression,
}

#[derive(Debug)]
pub(super) enum Guard {
    Always,
    When(Expression),
    Otherwise,
}

/// `enum name = value: codes ...`
#[derive(Debug)]
pub(super) struct Enumeration {
    pub(super) name: Arc<str>,
    pub(super) place: Range<usize>,
    pub(super) width: usize,
    pub(super) values: Vec<EnumerationValue>,
}

#[derive(Debug)]
pub(super) struct EnumerationValue {
    pub(super) name: Arc<str>,
    pub(super) place: Range<usize>,
    /// One or more codes, bit 0 first; `None` is `*`, either.
    pub(super) codes: Vec<Vec<Option<bool>>>,
}

#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) name: Arc<str>,
    pub(super) place: Range<usize>,
    pub(super) shape: Shape,
}

#[derive(Debug)]
pub(super) enum Shape {
    Signal,
    Bus(Expression),
    /// A bus as wide as the named enumeration.
    Typed(Arc<str>, Range<usize>),
}

const MAIN_SECTIONS: &[&str] = &[
    "INPUTS",
    "OUTPUTS",
    "INITIALLY",
    "PRESET",
    "REQUIRE",
    "REQUIREMENTS",
    "ASSERT",
    "INVARIANTS",
    "ASSUME",
    "ASSUMPTIONS",
    "GUARANTEE",
    "GUARANTEES",
];

/// Reads the sections of a file.
pub(super) fn read_file(source: &Source) -> Result<File, SpecError> {
    let tokens = tokens(source)?;
    let mut parser = Parser::new(source, &tokens);
    let mut file = File {
        title: String::new(),
        description: String::new(),
        semantics: Semantics { machine: MachineKind::Mealy, strict: false, finite: false },
        target: MachineKind::Mealy,
        tags: Vec::new(),
        parameters: Vec::new(),
        definitions: Vec::new(),
        enumerations: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        clauses: Vec::new(),
    };
    file.info(&mut parser)?;
    if parser.text() == "GLOBAL" {
        file.global(&mut parser)?;
    }
    file.main(&mut parser)?;
    match parser.peek().0 {
        Token::End => Ok(file),
        _ => Err(parser
            .expected("the end of the file")
            .help("a file has INFO, GLOBAL and MAIN, in this order")),
    }
}

impl File {
    fn info(&mut self, parser: &mut Parser<'_>) -> Result<(), SpecError> {
        if parser.text() != "INFO" {
            let error = parser.expected("`INFO`");
            return Err(error.help("a TLSF file begins with INFO { TITLE: ... SEMANTICS: ... TARGET: ... }"));
        }
        let place = parser.advance();
        parser.expect("{")?;
        let mut seen = Vec::new();
        while !parser.take("}") {
            let key = parser.text();
            let known = ["TITLE", "DESCRIPTION", "SEMANTICS", "TARGET", "TAGS"];
            if !known.contains(&key) {
                return Err(unknown_section(parser, "INFO", &known));
            }
            if seen.contains(&key) {
                let (_, place) = parser.peek();
                return Err(parser.source.error(place, format!("{key} is given twice")));
            }
            seen.push(key);
            parser.advance();
            parser.expect(":")?;
            match key {
                "TITLE" => self.title = text(parser)?,
                "DESCRIPTION" => self.description = text(parser)?,
                "SEMANTICS" => self.semantics = semantics(parser)?,
                "TARGET" => self.target = machine(parser)?,
                _ => self.tags = tags(parser)?,
            }
        }
        match ["SEMANTICS", "TARGET"].iter().find(|key| !seen.contains(key)) {
            Some(key) => {
                Err(parser.source.error(place, format!("INFO has no {key}")).help("add `Mealy` or `Moore`"))
            }
            None => Ok(()),
        }
    }

    fn global(&mut self, parser: &mut Parser<'_>) -> Result<(), SpecError> {
        parser.expect("GLOBAL")?;
        parser.expect("{")?;
        while !parser.take("}") {
            match parser.text() {
                "PARAMETERS" => {
                    parser.advance();
                    entries(parser, |parser| {
                        self.parameters.push(definition(parser)?);
                        Ok(())
                    })?;
                }
                "DEFINITIONS" => {
                    parser.advance();
                    entries(parser, |parser| {
                        match parser.take("enum") {
                            true => self.enumerations.push(enumeration(parser)?),
                            false => self.definitions.push(definition(parser)?),
                        }
                        Ok(())
                    })?;
                }
                _ => return Err(unknown_section(parser, "GLOBAL", &["PARAMETERS", "DEFINITIONS"])),
            }
        }
        Ok(())
    }

    fn main(&mut self, parser: &mut Parser<'_>) -> Result<(), SpecError> {
        parser.expect("MAIN")?;
        parser.expect("{")?;
        while !parser.take("}") {
            let section = match parser.text() {
                "INPUTS" | "OUTPUTS" => {
                    let inputs = parser.text() == "INPUTS";
                    parser.advance();
                    let into = if inputs { &mut self.inputs } else { &mut self.outputs };
                    entries(parser, |parser| {
                        into.push(declaration(parser)?);
                        Ok(())
                    })?;
                    continue;
                }
                "INITIALLY" => Section::Initially,
                "PRESET" => Section::Preset,
                "REQUIRE" | "REQUIREMENTS" => Section::Require,
                "ASSERT" | "INVARIANTS" => Section::Assert,
                "ASSUME" | "ASSUMPTIONS" => Section::Assume,
                "GUARANTEE" | "GUARANTEES" => Section::Guarantee,
                _ => return Err(unknown_section(parser, "MAIN", MAIN_SECTIONS)),
            };
            parser.advance();
            entries(parser, |parser| {
                self.clauses.push((section, parser.expression()?));
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// `{ entry; entry; ... }`; the last semicolon may be missing.
fn entries(
    parser: &mut Parser<'_>,
    mut entry: impl FnMut(&mut Parser<'_>) -> Result<(), SpecError>,
) -> Result<(), SpecError> {
    parser.expect("{")?;
    loop {
        while parser.take(";") {}
        if parser.take("}") {
            return Ok(());
        }
        entry(parser)?;
        if !matches!(parser.text(), ";" | "}") {
            let error = parser.expected("`;` or an operator");
            return Err(operator_help(error, parser.text()));
        }
    }
}

fn unknown_section(parser: &Parser<'_>, within: &str, known: &[&str]) -> SpecError {
    let error = parser.expected(&format!("a section of {within} or `}}`"));
    let near = did_you_mean(parser.text(), known.iter().copied());
    error.help(near.unwrap_or_else(|| format!("{within} has {}", known.join(", "))))
}

fn text(parser: &mut Parser<'_>) -> Result<String, SpecError> {
    let (token, place) = parser.peek();
    if token != Token::Text {
        return Err(parser.expected("a text in double quotes"));
    }
    parser.advance();
    Ok(parser.source.text[place.start + 1..place.end - 1].to_owned())
}

fn machine(parser: &mut Parser<'_>) -> Result<MachineKind, SpecError> {
    if parser.take("Mealy") {
        return Ok(MachineKind::Mealy);
    }
    if parser.take("Moore") {
        return Ok(MachineKind::Moore);
    }
    Err(parser.expected("`Mealy` or `Moore`"))
}

fn semantics(parser: &mut Parser<'_>) -> Result<Semantics, SpecError> {
    let (_, start) = parser.peek();
    let (mut kind, mut strict, mut finite) = (None, false, false);
    loop {
        match parser.text() {
            "Strict" if !strict => strict = true,
            "Finite" if !finite => finite = true,
            "Mealy" if kind.is_none() => kind = Some(MachineKind::Mealy),
            "Moore" if kind.is_none() => kind = Some(MachineKind::Moore),
            _ => return Err(parser.expected("`Mealy` or `Moore`, with `Strict` or `Finite`")),
        }
        let end = parser.advance().end;
        if parser.take(",") {
            continue;
        }
        let span = start.start..end;
        return match kind {
            _ if strict && finite => {
                Err(parser.source.error(span, "semantics cannot be both strict and finite"))
            }
            None => {
                let error = parser.source.error(span, "these semantics name no kind of machine");
                Err(error.help("as in `Mealy,Strict` or `Moore,Finite`"))
            }
            Some(machine) => Ok(Semantics { machine, strict, finite }),
        };
    }
}

fn tags(parser: &mut Parser<'_>) -> Result<Vec<String>, SpecError> {
    let mut tags = Vec::new();
    loop {
        tags.push(parser.name("a tag")?.0.to_string());
        if !parser.take(",") {
            return Ok(tags);
        }
    }
}

fn definition(parser: &mut Parser<'_>) -> Result<Definition, SpecError> {
    let (name, place) = parser.name("a name to define")?;
    let mut arguments = Vec::new();
    if parser.take("(") {
        while parser.text() != ")" {
            let (argument, place) = parser.name("the name of an argument")?;
            if arguments.contains(&argument) {
                return Err(parser.source.error(place, format!("argument `{argument}` is named twice")));
            }
            arguments.push(argument);
            if !parser.take(",") {
                break;
            }
        }
        parser.expect(")")?;
    }
    parser.expect("=")?;
    let mut cases = Vec::new();
    while !matches!(parser.text(), ";" | "}") || cases.is_empty() {
        cases.push(case(parser)?);
    }
    Ok(Definition { name, place, arguments, cases })
}

fn case(parser: &mut Parser<'_>) -> Result<Case, SpecError> {
    if parser.take("otherwise") {
        parser.expect(":")?;
        return Ok(Case { guard: Guard::Otherwise, body: parser.expression()? });
    }
    let body = parser.expression()?;
    match parser.take(":") {
        true => Ok(Case { guard: Guard::When(body), body: parser.expression()? }),
        false => Ok(Case { guard: Guard::Always, body }),
    }
}

fn enumeration(parser: &mut Parser<'_>) -> Result<Enumeration, SpecError> {
    let (name, place) = parser.name("the name of the enumeration")?;
    parser.expect("=")?;
    let mut values = Vec::new();
    let mut width = None;
    while !matches!(parser.text(), ";" | "}") || values.is_empty() {
        let (name, place) = parser.name("the name of a value")?;
        parser.expect(":")?;
        let mut codes = Vec::new();
        loop {
            codes.push(code(parser, &mut width)?);
            if !parser.take(",") {
                break;
            }
        }
        values.push(EnumerationValue { name, place, codes });
    }
    Ok(Enumeration { name, place, width: width.unwrap_or(0), values })
}

/// A word over `0`, `1` and `*`, as long as those before it.
fn code(parser: &mut Parser<'_>, width: &mut Option<usize>) -> Result<Vec<Option<bool>>, SpecError> {
    let help = "a code is a word over 0, 1 and * (either), one character a bit of the bus";
    let (_, start) = parser.peek();
    let mut end = start.start;
    while parser.peek().1.start == end && (parser.peek().0 == Token::Number || parser.text() == "*") {
        end = parser.advance().end;
    }
    let span = start.start..end;
    if span.is_empty() {
        return Err(parser.expected("a code").help(help));
    }
    let bits: Option<Vec<Option<bool>>> = parser.source.text[span.clone()]
        .chars()
        .map(|bit| match bit {
            '0' => Some(Some(false)),
            '1' => Some(Some(true)),
            '*' => Some(None),
            _ => None,
        })
        .collect();
    let bits = bits.ok_or_else(|| parser.source.error(span.clone(), "this is not a code").help(help))?;
    let expected = *width.get_or_insert(bits.len());
    if bits.len() != expected {
        let message = format!("this code has {} bits, the first one has {expected}", bits.len());
        return Err(parser.source.error(span, message).help("all codes of an enumeration are of one length"));
    }
    Ok(bits)
}

fn declaration(parser: &mut Parser<'_>) -> Result<Declaration, SpecError> {
    let (first, place) = parser.name("the name of a signal")?;
    if parser.take("[") {
        let width = parser.expression()?;
        parser.expect("]")?;
        return Ok(Declaration { name: first, place, shape: Shape::Bus(width) });
    }
    if parser.peek().0 == Token::Word {
        let (name, own) = parser.name("the name of a signal")?;
        return Ok(Declaration { name, place: own, shape: Shape::Typed(first, place) });
    }
    Ok(Declaration { name: first, place, shape: Shape::Signal })
}
