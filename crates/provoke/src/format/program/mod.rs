//! Model programs: guarded update rules over a state, read from a file.
//!
//! What a file may say is described in `docs/guide/programs.md`. A [`Program`] is stepped from outside: it says which
//! actions are enabled in a state and where they lead. States are plain words; [`Pool`] gives them numbers as they are met.
//!
//! The model programs of paper 2 (Veanes, Roy, Campbell: Online Testing with Reinforcement Learning), definition 1. An
//! update is a sequence of assignments, each of which sees what those before it did, as in the paper's examples.
//!
//! ```
//! use provoke::diagnostic::Source;
//! use provoke::format::program::{Actions, Direction, Program, States, Workspace};
//!
//! let text = "var level : 0..3 = 0
//!             controllable Fill  when level < 3  level := level + 1
//!             observable Leak  when level > 0  level :in 0..level - 1";
//! let program = Program::read(&Source::new("tank.model", text))?;
//! let (mut work, mut actions, mut states) = (Workspace::new(), Actions::new(), States::new());
//!
//! let empty = program.initial().get(0);
//! program.enabled(Direction::Controllable, empty, &mut work, &mut actions)?;
//! assert_eq!(program.show_action(actions.get(0)).to_string(), "Fill");
//! assert!(program.step(empty, actions.get(0), &mut work, &mut states)?);
//! assert_eq!(program.show_state(states.get(0)).to_string(), "level = 1");
//! # Ok::<(), provoke::diagnostic::SpecError>(())
//! ```

mod abstraction;
mod action;
mod buffers;
mod declare;
mod follow;
mod pool;
mod read;
mod rule;
mod show;
mod step;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::diagnostic::{Source, SpecError};
use crate::expression::{Code, Domain, Place, Scope, Type};

pub use action::NoAction;
pub use buffers::{Action, Actions, States, Workspace};
pub use pool::Pool;

/// The most words that all states that one action may lead to take together.
const MAX_WORDS: usize = 1 << 24;

/// The most combinations of arguments that are tried in one state.
const MAX_TRIED: u32 = 1 << 22;

/// A model program, read and checked.
#[derive(Clone, Debug)]
pub struct Program {
    source: Source,
    scope: Scope,
    variables: Vec<Variable>,
    rules: Vec<Rule>,
    reset: Option<Code>,
    initial: States,
}

/// A part of the state.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// Its first word.
    pub at: usize,
    /// Its type.
    pub of: Type,
}

/// Who takes an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The tester.
    Controllable,
    /// The system.
    Observable,
}

/// A guarded update rule: a family of actions, one for each choice of arguments.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name of the actions.
    pub name: Arc<str>,
    /// Who takes them.
    pub direction: Direction,
    /// Where its name stands.
    place: std::ops::Range<usize>,
    parameters: Vec<(Arc<str>, Domain)>,
    guards: Vec<Code>,
    updates: Vec<Update>,
    /// How many values are chosen on the way.
    chosen: usize,
    state: Option<Tuple>,
    action: Option<Tuple>,
    weight: Option<Code>,
}

#[derive(Clone, Debug)]
enum Update {
    Assign(Place, Code),
    /// Any value of the domain.
    Among(Place, Domain),
    /// Any value of the domain, under a name.
    Choose(Domain),
}

/// Values that stand for a state or an action.
#[derive(Clone, Debug)]
struct Tuple {
    codes: Vec<Code>,
    /// invariant: equal for tuples of values that can be compared, and only for those.
    shape: i64,
}

impl Program {
    /// Reads and checks a model file.
    pub fn read(source: &Source) -> Result<Program, SpecError> {
        Program::read_with(source, &[])
    }

    /// The same, with other values for some of its integer constants.
    pub fn read_with(source: &Source, constants: &[(&str, i64)]) -> Result<Program, SpecError> {
        read::read(source, constants)
    }

    /// The text that it was read from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What its names mean: for expressions over its states.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The parts of its states, in order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Its rules, in the order of the file.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// How many words a state has.
    pub fn width(&self) -> usize {
        self.scope.width()
    }

    /// The states that a run may begin in.
    pub fn initial(&self) -> &States {
        &self.initial
    }

    /// Whether it says when the system may be reset.
    pub fn restricts_reset(&self) -> bool {
        self.reset.is_some()
    }

    /// Whether every action leads to at most one state, and there is one initial state.
    pub fn is_deterministic(&self) -> bool {
        let assigns = |update: &Update| matches!(update, Update::Assign(..));
        self.initial.len() == 1 && self.rules.iter().all(|rule| rule.updates.iter().all(assigns))
    }
}

impl Rule {
    /// Where its name stands in the file.
    pub fn place(&self) -> std::ops::Range<usize> {
        self.place.clone()
    }

    /// The names of the parameters, and what each may be.
    pub fn parameters(&self) -> impl ExactSizeIterator<Item = (&str, &Domain)> {
        self.parameters.iter().map(|(name, domain)| (&**name, domain))
    }
}
