//! The part of a HOA file before `--BODY--`.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::acceptance::{Condition, read_acceptance};
use super::label::{Label, LabelOp, read_label};
use super::token::{Token, Word, Words, shorten};
use super::{Hoa, aborted};
use crate::diagnostic::{SpecError, nearest};

/// Headers whose meaning we know; a header that is almost one of them is a slip.
const KNOWN: [&str; 11] = [
    "States",
    "Start",
    "AP",
    "Alias",
    "Acceptance",
    "acc-name",
    "tool",
    "name",
    "properties",
    "HOA",
    "controllable-AP",
];

/// What the header announces and the body must keep to.
pub(super) struct Limits {
    pub(super) states: Option<u32>,
    pub(super) sets: u32,
}

struct Header<'a, 'b> {
    words: &'b mut Words<'a>,
    hoa: Hoa,
    states: Option<u32>,
    sets: Option<u32>,
    /// The headers read so far that may stand only once.
    seen: Vec<(&'static str, Range<usize>)>,
}

/// Reads from `HOA:` to `--BODY--`.
pub(super) fn read_header(words: &mut Words<'_>) -> Result<(Hoa, Limits), SpecError> {
    read_version(words)?;
    let mut header = Header { words, hoa: Hoa::default(), states: None, sets: None, seen: Vec::new() };
    loop {
        let Word { token, span } = header.words.peek().clone();
        match token {
            Token::Header(name) => {
                header.words.take()?;
                header.item(&name, span)?;
            }
            Token::Body => {
                header.words.take()?;
                return header.finish(span);
            }
            Token::Abort => return Err(aborted(header.words)),
            _ => {
                let error = header.words.expected("a header such as `AP:`, or `--BODY--`");
                return Err(error.help("headers end in a colon without a blank before it"));
            }
        }
    }
}

fn read_version(words: &mut Words<'_>) -> Result<(), SpecError> {
    let help = "a HOA file begins with `HOA: v1`";
    if !matches!(&words.peek().token, Token::Header(name) if name == "HOA") {
        return Err(words.expected("`HOA: v1`").help(help));
    }
    words.take()?;
    match &words.peek().token {
        Token::Word(version) if version == "v1" || version == "v1.1" => words.take().map(|_| ()),
        Token::Word(_) => {
            let Word { span, .. } = words.peek().clone();
            let version = shorten(&words.source.text[span.clone()]);
            let message = format!("version `{version}` of the format is not supported");
            Err(words.source.error(span, message).help(help))
        }
        _ => Err(words.expected("the version `v1`").help(help)),
    }
}

impl Header<'_, '_> {
    fn item(&mut self, name: &str, span: Range<usize>) -> Result<(), SpecError> {
        match name {
            "States" => {
                self.once("States", span)?;
                self.states = Some(self.words.number("the number of states")?.0);
            }
            "Start" => {
                let state = self.words.number("the number of the initial state")?;
                if matches!(self.words.peek().token, Token::Symbol('&')) {
                    return Err(alternation(self.words));
                }
                self.hoa.starts.push(state);
            }
            "AP" => {
                self.once("AP", span)?;
                self.propositions()?;
            }
            "controllable-AP" => {
                self.once("controllable-AP", span)?;
                let mut numbers = Vec::new();
                while matches!(self.words.peek().token, Token::Number(_)) {
                    numbers.push(self.words.number("the number of a proposition")?);
                }
                self.hoa.controllable = Some(numbers);
            }
            "Alias" => self.alias()?,
            "Acceptance" => {
                self.once("Acceptance", span)?;
                let (sets, _) = self.words.number("the number of acceptance sets")?;
                self.sets = Some(sets);
                let Condition { recurring, ceasing } = read_acceptance(self.words, sets)?;
                (self.hoa.recurring, self.hoa.ceasing) = (recurring, ceasing);
            }
            "name" => {
                self.once("name", span)?;
                match self.words.take()? {
                    Word { token: Token::Text(name), .. } => self.hoa.name = Some(name),
                    Word { span, .. } => {
                        let error = self.words.source.error(span, "expected the automaton's name");
                        return Err(error.help("write it in double quotes"));
                    }
                }
            }
            "HOA" => {
                let error = self.words.source.error(span, "a second automaton begins here");
                return Err(
                    error.help("the first one has no `--BODY--`; put each automaton into its own file")
                );
            }
            "State" => {
                let error = self.words.source.error(span, "a state before `--BODY--`");
                return Err(error.help("put `--BODY--` on a line of its own before the first state"));
            }
            "properties" => loop {
                // The draft v1.1 has `!complete` and the like.
                self.skip_values()?;
                if self.words.take_if(&Token::Symbol('!'))?.is_none() {
                    break;
                }
            },
            "acc-name" | "tool" => self.skip_values()?,
            _ => self.unknown(name, span)?,
        }
        Ok(())
    }

    /// Headers with a small first letter may be skipped, others may not: they could change the meaning.
    fn unknown(&mut self, name: &str, span: Range<usize>) -> Result<(), SpecError> {
        let slip = nearest(name, KNOWN).filter(|known| known.len() > 3 || known.eq_ignore_ascii_case(name));
        if slip.is_none() && name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_') {
            return self.skip_values();
        }
        let error = self.words.source.error(span, format!("unknown header `{}:`", shorten(name)));
        Err(match slip {
            Some(slip) => error.help(format!("did you mean `{slip}:`?")),
            None => error.help("headers that start with a capital letter may change an automaton's meaning, so they are not skipped"),
        })
    }

    fn skip_values(&mut self) -> Result<(), SpecError> {
        while let Token::Word(_) | Token::Text(_) | Token::Number(_) = self.words.peek().token {
            self.words.take()?;
        }
        Ok(())
    }

    fn once(&mut self, name: &'static str, span: Range<usize>) -> Result<(), SpecError> {
        if let Some((_, first)) = self.seen.iter().find(|(seen, _)| *seen == name) {
            let (line, _) = self.words.source.line_column(first.start);
            let error = self.words.source.error(span, format!("a second `{name}:`"));
            return Err(error.help(format!("the first one is in line {line}; keep one of them")));
        }
        self.seen.push((name, span));
        Ok(())
    }

    fn propositions(&mut self) -> Result<(), SpecError> {
        let (count, span) = self.words.number("the number of propositions")?;
        let mut known: FxHashSet<String> = FxHashSet::default();
        while let Token::Text(name) = &self.words.peek().token {
            if !known.insert(name.clone()) {
                let message = format!("proposition \"{}\" is listed twice", shorten(name));
                let error = self.words.source.error(self.words.peek().span.clone(), message);
                return Err(error.help("take one of them out and number the labels anew"));
            }
            let name = name.clone();
            let span = self.words.take()?.span;
            self.hoa.propositions.push((name, span));
        }
        let listed = self.hoa.propositions.len();
        if listed == count as usize {
            return Ok(());
        }
        let error = self.words.source.error(span, format!("`AP:` announces {count} and lists {listed}"));
        Err(match &self.words.peek().token {
            Token::Word(_) => error.help("names of propositions stand in double quotes"),
            _ => error.help(format!("write `AP: {listed}`, or list the missing names in double quotes")),
        })
    }

    fn alias(&mut self) -> Result<(), SpecError> {
        let Token::Alias(name) = self.words.peek().token.clone() else {
            return Err(self.words.expected("an alias").help("write `Alias: @name 0 & !1`"));
        };
        if self.hoa.by_alias.contains_key(&name) {
            let message = format!("alias @{name} is defined twice");
            let error = self.words.source.error(self.words.peek().span.clone(), message);
            return Err(error.help("give one of them another name"));
        }
        self.words.take()?;
        let label = read_label(self.words, |name| alias_position(&self.hoa, name))?;
        self.hoa.by_alias.insert(name.clone(), self.hoa.aliases.len() as u32);
        self.hoa.aliases.push((name, label));
        Ok(())
    }

    /// Checks what could not be checked before all headers were read.
    fn finish(self, body: Range<usize>) -> Result<(Hoa, Limits), SpecError> {
        let source = self.words.source;
        let Some(sets) = self.sets else {
            let error = source.error(body, "the header has no `Acceptance:`");
            return Err(error.help("for a safety requirement, write `Acceptance: 0 t` above this line"));
        };
        for (_, label) in &self.hoa.aliases {
            check_propositions(self.words, &self.hoa, label)?;
        }
        for (number, span) in self.hoa.controllable.iter().flatten() {
            if *number as usize >= self.hoa.propositions.len() {
                return Err(no_such_proposition(self.words, &self.hoa, *number, span.clone()));
            }
        }
        let limits = Limits { states: self.states, sets };
        for (state, span) in &self.hoa.starts {
            limits.check_state(self.words, *state, span.clone())?;
        }
        Ok((self.hoa, limits))
    }
}

impl Limits {
    /// A state's number must be below `States:`. It must also be in proportion to the file, so that a few
    /// digits cannot ask for gigabytes.
    pub(super) fn check_state(
        &self,
        words: &Words<'_>,
        state: u32,
        span: Range<usize>,
    ) -> Result<(), SpecError> {
        if let Some(states) = self.states.filter(|&states| state >= states) {
            let error = words.source.error(span, format!("there is no state {state}"));
            return Err(error.help(match states {
                0 => "`States:` announces no states".to_owned(),
                _ => format!("`States:` announces {states}, numbered from 0 to {}", states - 1),
            }));
        }
        if state as usize > words.source.text.len() {
            let error = words.source.error(span, format!("state {state} is out of proportion to this file"));
            return Err(error.help("states are numbered from 0 without gaps"));
        }
        Ok(())
    }
}

pub(super) fn alias_position(hoa: &Hoa, name: &str) -> Result<u32, String> {
    hoa.by_alias.get(name).copied().ok_or_else(|| {
        match nearest(name, hoa.aliases.iter().map(|(known, _)| known.as_str())) {
            Some(near) => format!("unknown alias @{} (did you mean @{near}?)", shorten(name)),
            None => format!("unknown alias @{}", shorten(name)),
        }
    })
}

pub(super) fn check_propositions(words: &Words<'_>, hoa: &Hoa, label: &Label) -> Result<(), SpecError> {
    for (op, span) in &label.postfix {
        if let LabelOp::Proposition(number) = op
            && *number as usize >= hoa.propositions.len()
        {
            return Err(no_such_proposition(words, hoa, *number, span.clone()));
        }
    }
    Ok(())
}

fn no_such_proposition(words: &Words<'_>, hoa: &Hoa, number: u32, span: Range<usize>) -> SpecError {
    let error = words.source.error(span, format!("there is no proposition {number}"));
    error.help(match hoa.propositions.len() {
        0 => "`AP:` lists no propositions".to_owned(),
        1 => "`AP:` lists one proposition, number 0".to_owned(),
        listed => format!("`AP:` lists {listed} propositions, numbered from 0 to {}", listed - 1),
    })
}

/// The error for `&` between states.
pub(super) fn alternation(words: &Words<'_>) -> SpecError {
    let error = words.source.error(words.peek().span.clone(), "universal branching is not supported");
    error.help("an edge leads to one state; make the automaton non-alternating first")
}
