//! What can be said of a model program by looking at its first states.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{Direction, ModelProgram};
use crate::diagnostic::SpecError;

/// What a look at a model program found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Survey {
    /// How many states were met.
    pub states: usize,
    /// How many enabled actions, each in each state that was looked at.
    pub actions: usize,
    /// Whether these are all there are.
    pub complete: bool,
    /// The names of actions that are enabled nowhere, as far as was looked.
    pub never_enabled: Vec<String>,
    /// How many states neither side can leave.
    pub dead_ends: usize,
}

impl Survey {
    /// Looks at a model's states, breadth first, until so many actions were tried. A [fault](ModelProgram::fault) of the
    /// model is found on the way, where there is one so near.
    pub fn of<M: ModelProgram>(model: &M, most: usize) -> Survey {
        let mut states: IndexSet<M::State, FxBuildHasher> = model.initials().into_iter().collect();
        let mut unseen: Vec<String> = model.symbols().into_iter().map(|(name, _)| name).collect();
        let (mut enabled, mut to) = (Vec::new(), Vec::new());
        let (mut at, mut actions, mut dead_ends) = (0, 0, 0);
        while at < states.len() && actions < most && model.fault().is_none() {
            let state = states[at].clone();
            enabled.clear();
            model.enabled(Direction::Controllable, &state, &mut enabled);
            model.enabled(Direction::Observable, &state, &mut enabled);
            for action in &enabled {
                to.clear();
                model.steps(&state, action, &mut to);
                states.extend(to.drain(..));
                if !unseen.is_empty() {
                    let shown = model.show(action);
                    let name = shown.split('(').next().unwrap_or_default();
                    unseen.retain(|other| other != name);
                }
            }
            model.may_reset(&state);
            dead_ends += usize::from(enabled.is_empty());
            actions += enabled.len().max(1);
            at += 1;
        }
        let complete = at == states.len() && model.fault().is_none();
        Survey { complete, states: states.len(), actions, never_enabled: unseen, dead_ends }
    }

    /// What is wrong with the model for sure: its [fault](ModelProgram::fault), or an action that is enabled in none of its
    /// states for no parameter.
    pub fn error<M: ModelProgram>(&self, model: &M) -> Option<SpecError> {
        if let Some(fault) = model.fault() {
            return Some(fault);
        }
        let name = self.never_enabled.first().filter(|_| self.complete)?;
        let states = match self.states {
            1 => "its only state".to_owned(),
            states => format!("any of its {states} states"),
        };
        let message = format!("`{name}` is never enabled: for no parameter in {states}");
        Some(model.complain(name, message)?.help("look at its guard and its domains again, or leave it out"))
    }
}
