//! Model programs that are read from a file.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use super::{Direction, ModelProgram, fingerprint};
use crate::diagnostic::SpecError;
use crate::expression::Named;
use crate::format::program::{Action, Actions, Program, States, Workspace};

/// A [`Program`] as a [`ModelProgram`].
///
/// An expression without a value (a division by zero, an overflow, an index out of bounds) is the model's
/// [fault](ModelProgram::fault); from then on nothing is enabled any more.
#[derive(Clone, Debug)]
pub struct FileModel {
    program: Arc<Program>,
    fault: Arc<OnceLock<SpecError>>,
}

/// An action of a [`FileModel`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileAction {
    rule: u32,
    arguments: Arguments,
}

/// A word for each parameter: most actions have few.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Arguments {
    Few(u8, [i64; FEW]),
    Many(Box<[i64]>),
}

const FEW: usize = 3;

impl Arguments {
    fn new(words: &[i64]) -> Arguments {
        match words.len() {
            count @ 0..=FEW => {
                let mut few = [0; FEW];
                few[..count].copy_from_slice(words);
                Arguments::Few(count as u8, few)
            }
            _ => Arguments::Many(words.into()),
        }
    }

    fn words(&self) -> &[i64] {
        match self {
            Arguments::Few(count, words) => &words[..usize::from(*count)],
            Arguments::Many(words) => words,
        }
    }
}

impl FileAction {
    fn of(action: Action<'_>) -> FileAction {
        FileAction { rule: action.rule as u32, arguments: Arguments::new(action.arguments) }
    }

    fn action(&self) -> Action<'_> {
        Action { rule: self.rule as usize, arguments: self.arguments.words() }
    }
}

/// What steps write into.
#[derive(Default)]
struct Desk {
    work: Workspace,
    actions: Actions,
    states: States,
    words: Vec<i64>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

impl FileModel {
    /// A program, ready to be stepped.
    pub fn new(program: Program) -> FileModel {
        FileModel { program: Arc::new(program), fault: Arc::default() }
    }

    /// What it was made of.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Works something out; where that fails, remembers why.
    fn at_desk<T>(&self, work: impl FnOnce(&Program, &mut Desk) -> Result<T, SpecError>) -> Option<T> {
        if self.fault.get().is_some() {
            return None;
        }
        let made = DESK.with_borrow_mut(|desk| work(&self.program, desk));
        made.map_err(|error| self.fault.set(error)).ok()
    }
}

impl ModelProgram for FileModel {
    type State = Box<[i64]>;
    type Action = FileAction;

    fn symbols(&self) -> Vec<(String, Direction)> {
        let rules = self.program.rules().iter();
        rules.map(|rule| (Named(&rule.name).to_string(), rule.direction)).collect()
    }

    fn initial(&self) -> Box<[i64]> {
        self.program.initial().get(0).into()
    }

    fn initials(&self) -> Vec<Box<[i64]>> {
        self.program.initial().iter().map(Into::into).collect()
    }

    fn enabled(&self, direction: Direction, state: &Box<[i64]>, actions: &mut Vec<FileAction>) {
        self.at_desk(|program, desk| {
            program.enabled(direction, state, &mut desk.work, &mut desk.actions)?;
            actions.extend(desk.actions.iter().map(FileAction::of));
            Ok(())
        });
    }

    fn may_act(&self, direction: Direction, state: &Box<[i64]>) -> bool {
        self.at_desk(|program, desk| program.is_anything_enabled(direction, state, &mut desk.work))
            == Some(true)
    }

    fn step(&self, state: &Box<[i64]>, action: &FileAction) -> Option<Box<[i64]>> {
        self.at_desk(|program, desk| {
            let enabled = program.step(state, action.action(), &mut desk.work, &mut desk.states)?;
            Ok(enabled.then(|| desk.states.get(0).into()))
        })
        .flatten()
    }

    fn steps(&self, state: &Box<[i64]>, action: &FileAction, to: &mut Vec<Box<[i64]>>) -> bool {
        let enabled = self.at_desk(|program, desk| {
            let enabled = program.step(state, action.action(), &mut desk.work, &mut desk.states)?;
            to.extend(desk.states.iter().map(Box::from));
            Ok(enabled)
        });
        enabled == Some(true)
    }

    fn restricts_reset(&self) -> bool {
        self.program.restricts_reset()
    }

    fn may_reset(&self, state: &Box<[i64]>) -> bool {
        self.at_desk(|program, desk| program.may_reset(state, &mut desk.work)) == Some(true)
    }

    fn show(&self, action: &FileAction) -> String {
        self.program.show_action(action.action()).to_string()
    }

    fn show_state(&self, state: &Self::State) -> String {
        self.program.show_state(state).to_string()
    }

    fn read(&self, text: &str) -> Option<FileAction> {
        self.at_desk(|program, desk| {
            let rule = program.read_action(text, &mut desk.words).ok();
            Ok(rule.map(|rule| FileAction { rule: rule as u32, arguments: Arguments::new(&desk.words) }))
        })
        .flatten()
    }

    fn abstract_state(&self, state: &Box<[i64]>, action: &FileAction) -> u64 {
        self.words(|program, desk| {
            program.abstract_state(state, action.action(), &mut desk.work, &mut desk.words)
        })
    }

    fn abstract_action(&self, state: &Box<[i64]>, action: &FileAction) -> u64 {
        self.words(|program, desk| {
            program.abstract_action(state, action.action(), &mut desk.work, &mut desk.words)
        })
    }

    fn weight(&self, state: &Box<[i64]>, action: &FileAction) -> u32 {
        self.at_desk(|program, desk| program.weight(state, action.action(), &mut desk.work)).unwrap_or(1)
    }

    fn complain(&self, symbol: &str, message: String) -> Option<SpecError> {
        let rule = self.program.rules().iter().find(|rule| Named(&rule.name).to_string() == symbol)?;
        Some(self.program.source().error(rule.place(), message))
    }

    fn fault(&self) -> Option<SpecError> {
        self.fault.get().cloned()
    }
}

impl FileModel {
    /// The fingerprint of the words that something appends.
    fn words(&self, append: impl FnOnce(&Program, &mut Desk) -> Result<(), SpecError>) -> u64 {
        let made = self.at_desk(|program, desk| {
            desk.words.clear();
            append(program, desk)?;
            Ok(fingerprint(&desk.words))
        });
        made.unwrap_or(0)
    }
}
