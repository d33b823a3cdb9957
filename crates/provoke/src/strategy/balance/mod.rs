//! Strategies that balance what was done: paper 2, section 3.2.

mod oracle;
mod weights;

use rustc_hash::FxHashSet;

use super::{Strategy, View};
use crate::game::{Game, Guide, Next, State, Transition};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::Step;

pub use oracle::{Advice, Oracle};
pub use weights::Weights;

/// How many of too many inputs are looked at.
const LOOKED_AT: usize = 64;

/// How one of the inputs is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// Any, each with the same chance (Rnd).
    Random,
    /// One whose abstract transition has the least weight (Lct); chance decides among several.
    LeastCost,
    /// Each with a chance that is inversely proportional to the weight of its abstract transition (Rlc). The paper's
    /// formula leaves the action itself out of the sum it divides by, and its chances do not add up to 1; its bag does this.
    RandomisedLeastCost,
    /// Among the inputs that may lead to a state that was never visited, or else among all, one whose abstract transition
    /// has the least weight. So it does not take turns for ever between actions that count alike (example 3 of the paper: a
    /// stack of n is full after n steps, not after 2n).
    Onward,
}

/// Takes turns between controlling and observing as an [`Oracle`] advises, and picks the inputs by how often their abstract
/// transitions were taken, in this run and in all before.
///
/// Where there are too many inputs to be listed, some are drawn and the pick is among them: nearly all of them were never
/// taken anyway.
pub struct Balanced {
    pick: Pick,
    oracle: Oracle,
    weights: Weights,
    at: State,
    /// The input that was chosen, and what it counts as.
    chosen: Option<(Letter, Transition)>,
    inputs: Vec<Letter>,
    /// States that were visited, where that matters.
    visited: FxHashSet<State>,
    most: usize,
}

impl Balanced {
    /// Picks like this, with at most so many weights.
    pub fn new(pick: Pick, oracle: Oracle, most: usize) -> Balanced {
        let (at, chosen, inputs) = (State(0), None, Vec::new());
        let (weights, visited) = (Weights::new(most), FxHashSet::default());
        Balanced { pick, oracle, weights, at, chosen, inputs, visited, most }
    }

    /// How often abstract transitions were taken.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    fn pick(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if self.pick == Pick::Onward
            && let Some(input) = self.onward(view, rng)
        {
            return Some(input);
        }
        let Balanced { pick, oracle, weights, chosen, inputs, .. } = self;
        let mut choice = Choice::new(*pick, weights, rng);
        let listed = view.game.choose_input(view.at, oracle.idle, &mut |transition| choice.takes(transition));
        let input = match listed {
            Some(input) => input,
            None => {
                // There may be too many to list.
                let wait = oracle.idle.map(|idle| idle.wait);
                inputs.clear();
                inputs.extend((0..LOOKED_AT).map_while(|_| view.inputs().sample(choice.rng)));
                inputs.retain(|&input| Some(input) != wait);
                let output = oracle.idle.map_or_else(Letter::default, |idle| idle.quiet);
                let takes = |input: &&Letter| {
                    choice.takes(view.game.transition(view.at, &Step { input: **input, output }))
                };
                inputs.iter().filter(takes).last().copied()?
            }
        };
        *chosen = choice.taken.map(|transition| (input, transition));
        Some(input)
    }
}

impl Balanced {
    /// An input that may lead to a state that was never visited, if there is one.
    fn onward(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        let Balanced { pick, oracle, weights, chosen, inputs, visited, .. } = self;
        inputs.clear();
        // Asking where such a state leads would push it out of memory.
        if view.at.is_passing() || !view.game.list_inputs(view.at, inputs) {
            return None;
        }
        let is_new = |next: Next| matches!(next, Next::To(to) if !to.is_passing() && !visited.contains(&to));
        let quiet = oracle.idle.map(|idle| idle.quiet);
        let leads_on = |&input: &Letter| match quiet {
            Some(quiet) => is_new(view.game.next(view.at, input, quiet)),
            None => {
                let outputs = view.game.outputs(view.at, input);
                outputs.iter().take(LOOKED_AT).any(|output| is_new(view.game.next(view.at, input, output)))
            }
        };
        let wait = oracle.idle.map(|idle| idle.wait);
        inputs.retain(|input| Some(*input) != wait && leads_on(input));
        let mut choice = Choice::new(*pick, weights, rng);
        let output = quiet.unwrap_or_default();
        let takes =
            |input: &&Letter| choice.takes(view.game.transition(view.at, &Step { input: **input, output }));
        let input = inputs.iter().filter(takes).last().copied()?;
        *chosen = choice.taken.map(|transition| (input, transition));
        Some(input)
    }
}

/// One of several, each shown once: the last that is taken.
struct Choice<'a> {
    pick: Pick,
    weights: &'a Weights,
    rng: &'a mut Rng,
    least: u32,
    /// How many were shown that are as good as any, or what their chances add up to.
    ties: u64,
    sum: f64,
    /// The last that was taken.
    taken: Option<Transition>,
}

impl<'a> Choice<'a> {
    fn new(pick: Pick, weights: &'a Weights, rng: &'a mut Rng) -> Choice<'a> {
        Choice { pick, weights, rng, least: u32::MAX, ties: 0, sum: 0.0, taken: None }
    }

    /// Whether to take this one instead of what was taken before.
    #[inline]
    fn takes(&mut self, transition: Transition) -> bool {
        let takes = self.prefers(transition.key);
        self.taken = if takes { Some(transition) } else { self.taken };
        takes
    }

    #[inline]
    fn prefers(&mut self, key: u64) -> bool {
        match self.pick {
            Pick::Random => {
                self.ties += 1;
                self.ties == 1 || self.rng.below(self.ties) == 0
            }
            Pick::LeastCost | Pick::Onward => match self.weights.get(key) {
                cost if cost < self.least || self.ties == 0 => {
                    (self.least, self.ties) = (cost, 1);
                    true
                }
                cost if cost == self.least => {
                    self.ties += 1;
                    self.rng.below(self.ties) == 0
                }
                _ => false,
            },
            Pick::RandomisedLeastCost => {
                let chance = 1.0 / f64::from(self.weights.get(key));
                self.sum += chance;
                self.rng.unit() * self.sum < chance
            }
        }
    }
}

impl Strategy for Balanced {
    fn turn_to(&mut self, _game: &dyn Game, _guide: &dyn Guide) {
        // Transitions of another game are other transitions.
        self.weights.clear();
        self.visited.clear();
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        (self.at, self.chosen) = (view.at, None);
        if self.pick == Pick::Onward && self.visited.len() < self.most {
            self.visited.insert(view.at);
        }
        match self.oracle.advise(view, rng) {
            Advice::Observe(wait) => Some(wait),
            Advice::Control => self.pick(view, rng),
            Advice::ControlOr(wait) => self.pick(view, rng).or(Some(wait)),
        }
    }

    fn observe(&mut self, step: &Step, now: &View<'_>) {
        if self.pick == Pick::Random {
            return;
        }
        let is_taken = self.oracle.idle.is_none_or(|idle| step.output == idle.quiet);
        let transition = match self.chosen {
            Some((input, transition)) if is_taken && input == step.input => transition,
            _ => now.game.transition(self.at, step),
        };
        self.weights.raise(transition.key, transition.weight);
    }

    fn tells_states_apart(&self) -> bool {
        self.pick == Pick::Onward
    }

    fn memory(&self) -> usize {
        self.weights.memory() + self.visited.capacity() * (size_of::<State>() + 1)
    }
}
