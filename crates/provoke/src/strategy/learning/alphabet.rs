//! Where there are too many inputs to try each: one of each class that requirements tell apart.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::automaton::Classes;
use crate::learn::Learner;
use crate::letter::{Count, Letter, LetterSet};
use crate::rng::Rng;
use crate::trace::Step;

/// Inputs that stand for their class, and others of the class that are tried in their place now and then: one that is
/// answered otherwise is an input of its own from then on.
pub(super) struct Representatives {
    classes: Vec<Arc<Classes>>,
    inputs: LetterSet,
    of: FxHashMap<Vec<u8>, Letter>,
}

/// No more representatives are taken.
const MOST: usize = 64;
/// In each state of each requirement, so many states are looked at.
const STATES: usize = 16;
/// So many inputs are drawn by chance as well.
const DRAWN: usize = 16;

impl Representatives {
    pub(super) fn new(classes: &[Arc<Classes>]) -> Representatives {
        Representatives { classes: classes.to_vec(), inputs: LetterSet::empty(), of: FxHashMap::default() }
    }

    /// Inputs that may be sent: those of classes that nothing stands for yet.
    pub(super) fn meet(&mut self, inputs: &LetterSet, rng: &mut Rng) -> Vec<Letter> {
        self.inputs = self.inputs.union(inputs);
        let mut drawn: Vec<Letter> = Vec::new();
        for classes in &self.classes {
            for sets in classes.sets().take(STATES) {
                drawn.extend(sets.filter_map(|set| set.iter().next()));
            }
        }
        drawn.extend((0..DRAWN).filter_map(|_| inputs.sample(rng)));
        drawn.retain(|&input| inputs.contains(input));
        let mut chosen = Vec::new();
        for input in drawn {
            let class = self.class(input);
            if self.of.len() < MOST && !self.of.contains_key(&class) {
                self.of.insert(class, input);
                chosen.push(input);
            }
        }
        chosen
    }

    /// How many inputs there are, if more than these are learnt.
    pub(super) fn beyond(&self, learnt: usize) -> Option<Count> {
        Some(self.inputs.count()).filter(|all| *all > Count::small(learnt as u64))
    }

    /// What requirements make of an input, state by state.
    fn class(&self, input: Letter) -> Vec<u8> {
        let places = |classes: &Arc<Classes>| -> Vec<u8> {
            let place = |mut sets: Box<dyn Iterator<Item = &LetterSet> + '_>| {
                sets.position(|set| set.contains(input)).map_or(u8::MAX, |place| place.min(254) as u8)
            };
            classes.sets().take(STATES).map(|sets| place(Box::new(sets))).collect()
        };
        self.classes.iter().flat_map(places).collect()
    }

    /// Puts others of their classes in the place of some inputs.
    pub(super) fn vary(&mut self, plan: &mut VecDeque<Letter>, rng: &mut Rng) {
        let Some(last) = plan.back_mut().filter(|_| rng.chance(0.5)) else { return };
        if let Some(other) = self.edge(rng).or_else(|| self.inputs.sample(rng)) {
            *last = other;
        }
    }

    /// An input at the edge of a class, where values lie side by side.
    fn edge(&self, rng: &mut Rng) -> Option<Letter> {
        if !self.inputs.has_edges() {
            return None;
        }
        let sets: Vec<&LetterSet> =
            self.classes.iter().flat_map(|classes| classes.sets().take(STATES)).flatten().collect();
        let drawn = rng.pick(&sets)?.edge(rng)?;
        self.inputs.contains(drawn).then_some(drawn)
    }

    /// An input that is not in the alphabet joins it where it is answered unlike the one that stands for it.
    pub(super) fn note(&mut self, learner: &mut Learner, step: &Step) {
        if learner.place_of(step.input).is_some() {
            return;
        }
        let class = self.class(step.input);
        let expected = self
            .of
            .get(&class)
            .and_then(|&input| learner.place_of(input))
            .and_then(|place| learner.exchange(learner.state()?, place));
        let full = learner.inputs().len() >= 4 * MOST;
        let is_new = match (self.of.contains_key(&class), expected) {
            (false, _) => true,
            (true, Some(expected)) => expected.output != step.output,
            (true, None) => false,
        };
        if is_new && !full {
            self.of.entry(class).or_insert(step.input);
            learner.grow(step.input);
        }
    }
}
