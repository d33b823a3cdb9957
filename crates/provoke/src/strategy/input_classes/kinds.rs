//! Inputs that no requirement tells apart where it is.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use crate::automaton::Classes;
use crate::letter::Letter;
use crate::rng::Rng;
use crate::strategy::View;

/// The states of all requirements; none for one that is over.
pub(super) type States = Vec<Option<u32>>;

/// Where inputs are too many to be listed, so many are drawn.
const DRAWN: usize = 48;
/// Of each class so many are drawn at its edges.
const EDGES: usize = 24;
/// No more kinds are kept for later.
const KEPT: usize = 1 << 14;

/// The inputs of one place, split into kinds: two are of one kind where no requirement tells them apart.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    /// Members of each kind: all, where inputs can be listed.
    pub(super) members: Vec<Vec<Letter>>,
    numbers: FxHashMap<u64, u32>,
    /// How many inputs there are in all, where they can be listed.
    pub(super) all: Option<usize>,
}

impl Kinds {
    fn new(classes: &[Arc<Classes>], states: &States, view: &View<'_>, rng: &mut Rng) -> Kinds {
        let mut letters = Vec::new();
        let mut kinds = Kinds::default();
        if view.game.list_inputs(view.at, &mut letters) {
            kinds.all = Some(letters.len());
        } else {
            for (classes, at) in classes.iter().zip(states) {
                let Some(at) = *at else { continue };
                letters.extend(classes.inputs(at).filter_map(|inputs| inputs.sample(rng)));
                for inputs in classes.inputs(at).filter(|inputs| inputs.has_edges()) {
                    letters.extend((0..EDGES).filter_map(|_| inputs.edge(rng)));
                }
            }
            letters.sort_unstable();
            letters.dedup();
            letters.extend((0..DRAWN).filter_map(|_| view.inputs().sample(rng)));
            letters.retain(|&letter| view.inputs().contains(letter));
        }
        for letter in letters {
            let fresh = kinds.members.len() as u32;
            let number = *kinds.numbers.entry(kind(classes, states, letter)).or_insert(fresh);
            if number == fresh {
                kinds.members.push(Vec::new());
            }
            kinds.members[number as usize].push(letter);
        }
        kinds
    }

    /// The number of the kind that an input is of.
    pub(super) fn number(&self, classes: &[Arc<Classes>], states: &States, input: Letter) -> Option<u32> {
        self.numbers.get(&kind(classes, states, input)).copied()
    }
}

fn kind(classes: &[Arc<Classes>], states: &States, input: Letter) -> u64 {
    let mut hasher = FxHasher::default();
    for (classes, at) in classes.iter().zip(states) {
        at.and_then(|at| classes.class(at, input)).hash(&mut hasher);
    }
    hasher.finish()
}

/// The kinds of places that were met.
#[derive(Default)]
pub(super) struct Catalogue {
    kept: FxHashMap<(States, usize), Arc<Kinds>>,
}

impl Catalogue {
    /// The kinds of inputs where requirements are in these states.
    pub(super) fn kinds(
        &mut self,
        classes: &[Arc<Classes>],
        states: &States,
        view: &View<'_>,
        rng: &mut Rng,
    ) -> Arc<Kinds> {
        // Assumptions may withhold some inputs in one place and not in another.
        let key = (states.clone(), view.inputs().count().to_u64().unwrap_or(u64::MAX) as usize);
        if let Some(known) = self.kept.get(&key) {
            return known.clone();
        }
        let made = Arc::new(Kinds::new(classes, states, view, rng));
        if self.kept.len() < KEPT {
            self.kept.insert(key, made.clone());
        }
        made
    }
}
