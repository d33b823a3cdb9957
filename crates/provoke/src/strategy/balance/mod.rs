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
    costs: Vec<u32>,
    /// States that were visited, where that matters.
    visited: FxHashSet<State>,
    most: usize,
}

impl Balanced {
    /// Picks like this, with at most so many weights.
    pub fn new(pick: Pick, oracle: Oracle, most: usize) -> Balanced {
        let (at, chosen, inputs, costs) = (State(0), None, Vec::new(), Vec::new());
        let (weights, visited) = (Weights::new(most), FxHashSet::default());
        Balanced { pick, oracle, weights, at, chosen, inputs, costs, visited, most }
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
        let Balanced { pick, oracle, weights, chosen, inputs, costs, .. } = self;
        let mut choice = Choice { pick: *pick, weights, rng, costs, taken: None };
        let listed = view.game.choose_input(view.at, oracle.idle, &mut |counted| choice.among(counted));
        let input = match listed {
            Some(input) => input,
            None => {
                // There may be too many to list.
                let wait = oracle.idle.map(|idle| idle.wait);
                inputs.clear();
                inputs.extend((0..LOOKED_AT).map_while(|_| view.inputs().sample(choice.rng)));
                inputs.retain(|&input| Some(input) != wait);
                choice.input(view, oracle, inputs)?
            }
        };
        *chosen = choice.taken.map(|transition| (input, transition));
        Some(input)
    }
}

impl Balanced {
    /// An input that may lead to a state that was never visited, if there is one.
    fn onward(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        let Balanced { pick, oracle, weights, chosen, inputs, costs, visited, .. } = self;
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
        let mut choice = Choice { pick: *pick, weights, rng, costs, taken: None };
        let input = choice.input(view, oracle, inputs)?;
        *chosen = choice.taken.map(|transition| (input, transition));
        Some(input)
    }
}

/// One of several.
struct Choice<'a> {
    pick: Pick,
    weights: &'a Weights,
    rng: &'a mut Rng,
    /// Room for the weights of all of them.
    costs: &'a mut Vec<u32>,
    /// What the one that was picked counts as.
    taken: Option<Transition>,
}

impl Choice<'_> {
    /// One of these inputs.
    fn input(&mut self, view: &View<'_>, oracle: &Oracle, inputs: &[Letter]) -> Option<Letter> {
        let output = oracle.idle.map_or_else(Letter::default, |idle| idle.quiet);
        let count = |&input: &Letter| view.game.transition(view.at, &Step { input, output });
        let counted: Vec<Transition> = inputs.iter().map(count).collect();
        self.among(&counted).map(|place| inputs[place])
    }

    /// The place of one of these; none only where there are none. Chance is asked once, and what is looked up does not
    /// depend on what was looked up before: this is most of what a step costs.
    #[inline]
    fn among(&mut self, counted: &[Transition]) -> Option<usize> {
        if counted.is_empty() {
            return None;
        }
        let Choice { pick, weights, rng, costs, .. } = self;
        let place = match pick {
            Pick::Random => rng.index(counted.len()),
            Pick::LeastCost | Pick::Onward => {
                costs.clear();
                let (mut least, mut ties) = (u32::MAX, 0);
                costs.extend(counted.iter().map(|transition| {
                    let cost = weights.get(transition);
                    // Without a branch.
                    ties = if cost < least { 0 } else { ties } + u64::from(cost <= least);
                    least = least.min(cost);
                    cost
                }));
                let skipped = if ties > 1 { rng.below(ties) } else { 0 };
                nth(costs.iter().map(|&cost| cost == least), skipped)
            }
            Pick::RandomisedLeastCost => {
                costs.clear();
                costs.extend(counted.iter().map(|transition| weights.get(transition)));
                let chances = || costs.iter().map(|&cost| 1.0 / f64::from(cost));
                let mut left = rng.unit() * chances().sum::<f64>();
                let is_it = |chance: f64| {
                    left -= chance;
                    left < 0.0
                };
                // What is rounded away at the end is the last one's.
                chances().position(is_it).unwrap_or(counted.len() - 1)
            }
        };
        self.taken = Some(counted[place]);
        Some(place)
    }
}

/// The place of the true one that comes after so many others. Without a branch on any of them, which nobody could guess.
#[inline]
fn nth(ones: impl Iterator<Item = bool>, skipped: u64) -> usize {
    let mut seen = 0;
    ones.map(|one| {
        seen += u64::from(one);
        usize::from(seen <= skipped)
    })
    .sum()
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
        self.weights.raise(&transition);
    }

    fn tells_states_apart(&self) -> bool {
        self.pick == Pick::Onward
    }

    fn memory(&self) -> usize {
        self.weights.memory() + self.visited.capacity() * (size_of::<State>() + 1)
    }
}
