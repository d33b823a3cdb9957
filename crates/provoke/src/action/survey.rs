//! What can be said of a model program by looking at its first states.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{Direction, ModelProgram};

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
        let (mut enabled, mut to) = (Vec::new(), Vec::new());
        let mut seen = FxHashSet::default();
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
                let shown = model.show(action);
                seen.insert(shown.split('(').next().unwrap_or_default().to_owned());
            }
            dead_ends += usize::from(enabled.is_empty());
            actions += enabled.len().max(1);
            at += 1;
        }
        let symbols = model.symbols().into_iter().map(|(name, _)| name);
        Survey {
            complete: at == states.len(),
            states: states.len(),
            actions,
            never_enabled: symbols.filter(|name| !seen.contains(name)).collect(),
            dead_ends,
        }
    }
}
