//! From a model file to a program: declarations and rules, one after the other.

use std::ops::Range;
use std::sync::Arc;

use super::{MAX_WORDS, Program, Rule, States, Variable};
use crate::diagnostic::{Source, SpecError, brief, did_you_mean};
use crate::expression::{Code, Machine, Reader, Scope, Token};

/// The words that begin a declaration.
const DECLARATIONS: [&str; 7] = ["const", "type", "enum", "var", "controllable", "observable", "reset"];

/// The words that begin a part of a rule.
const PARTS: [&str; 4] = ["when", "abstract", "weight", "choose"];

pub(super) struct Builder<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) source: &'a Source,
    pub(super) scope: Scope,
    pub(super) constants: &'a [(&'a str, i64)],
    /// Which of those were found.
    pub(super) set: Vec<bool>,
    pub(super) variables: Vec<Variable>,
    pub(super) initial: States,
    pub(super) rules: Vec<Rule>,
    pub(super) reset: Option<Code>,
    /// What abstract states look like; the place is the shape.
    pub(super) shapes: Vec<String>,
    pub(super) machine: Machine,
}

pub(super) fn read(source: &Source, constants: &[(&str, i64)]) -> Result<Program, SpecError> {
    let reader = Reader::new(source, 0..source.text.len())?;
    let mut initial = States::new();
    initial.push(&[]);
    let mut builder = Builder {
        reader,
        source,
        scope: Scope::new(),
        constants,
        set: vec![false; constants.len()],
        variables: Vec::new(),
        initial,
        rules: Vec::new(),
        reset: None,
        shapes: Vec::new(),
        machine: Machine::new(),
    };
    while !builder.reader.at_end() {
        builder.declaration()?;
        while builder.reader.take_sign(";") {}
    }
    builder.finish()
}

impl Builder<'_> {
    fn declaration(&mut self) -> Result<(), SpecError> {
        let place = self.reader.place();
        match self.reader.word() {
            Some("const") => self.constant(),
            Some("type") => self.type_name(),
            Some("enum") => self.enumeration(),
            Some("var") => self.variable(),
            Some("controllable" | "observable") => self.rule(),
            Some("reset") => {
                self.reader.advance();
                if self.reset.is_some() {
                    return Err(self.source.error(place, "`reset` is declared twice"));
                }
                self.reader.expect_word("when", "behind `reset`")?;
                let guard = self.reader.expression()?;
                self.reset =
                    Some(guard.compile(self.source, &self.scope, Some(&crate::expression::Type::BOOLEAN))?);
                Ok(())
            }
            Some(word) => {
                let error = self.reader.expected("a declaration");
                let all = || format!("a declaration begins with {}", DECLARATIONS.join(", "));
                Err(error.help(did_you_mean(word, DECLARATIONS).unwrap_or_else(all)))
            }
            None => Err(self.reader.no_operator()),
        }
    }

    /// Takes a name that is being declared.
    pub(super) fn fresh(&mut self, what: &str) -> Result<(Arc<str>, Range<usize>), SpecError> {
        if let Some(word) = self.reader.word()
            && (DECLARATIONS.contains(&word) || PARTS.contains(&word))
        {
            let error =
                self.source.error(self.reader.place(), format!("`{word}` cannot be the name of {what}"));
            return Err(error
                .help(format!("it begins a part of a model; in double quotes, `\"{word}\"`, it is a name")));
        }
        self.reader.name(what)
    }

    pub(super) fn taken(&self, name: &str, place: Range<usize>) -> SpecError {
        self.source
            .error(place, format!("`{}` means something else already", brief(name)))
            .help("take another name")
    }

    /// Whether a part of a rule that begins with a word stands here.
    pub(super) fn part(&self) -> Option<&'static str> {
        let word = self.reader.word()?;
        PARTS.into_iter().find(|part| *part == word)
    }

    /// Whether something else than a part of a rule stands here.
    pub(super) fn rule_ends(&self) -> bool {
        match self.reader.token() {
            Token::Word => self.reader.word().is_some_and(|word| DECLARATIONS.contains(&word)),
            Token::Quoted(_) => false,
            _ => true,
        }
    }

    fn finish(self) -> Result<Program, SpecError> {
        let unset = self.set.iter().position(|set| !set).map(|at| self.constants[at].0);
        if let Some(name) = unset {
            let message = format!("there is no constant `{}` to give another value", brief(name));
            return Err(SpecError::whole(self.source, message));
        }
        if self.rules.is_empty() {
            let error = SpecError::whole(self.source, format!("{} declares no action", self.source.name));
            return Err(error.help("actions begin with `controllable` or `observable`"));
        }
        Ok(Program {
            source: self.source.clone(),
            scope: self.scope,
            variables: self.variables,
            rules: self.rules,
            reset: self.reset,
            initial: self.initial,
        })
    }

    /// Widens every initial state by values of a new variable, given as words one after the other.
    pub(super) fn widen(
        &mut self,
        place: Range<usize>,
        mut values: impl FnMut(&mut Machine, &[i64], &mut Vec<i64>) -> Result<(), SpecError>,
        width: usize,
    ) -> Result<(), SpecError> {
        let mut wider = States::new();
        let (mut row, mut found) = (Vec::new(), Vec::new());
        for state in self.initial.iter() {
            found.clear();
            values(&mut self.machine, state, &mut found)?;
            if found.is_empty() {
                return Err(self.source.error(place, "there is nothing to choose from"));
            }
            for value in found.chunks(width.max(1)) {
                row.clear();
                row.extend_from_slice(state);
                row.extend_from_slice(value);
                if wider.len().saturating_mul(row.len()) > MAX_WORDS {
                    return Err(self.source.error(place, "there are too many initial states"));
                }
                wider.push(&row);
            }
        }
        self.initial = wider;
        Ok(())
    }
}
