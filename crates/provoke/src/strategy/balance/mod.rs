//! Strategies that balance what was done: paper 2, section 3.2.

mod oracle;
mod weights;

use super::{Strategy, View};
use crate::game::{Game, Guide, State};
use crate::letter::{Idle, Letter};
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
    /// The input that was chosen, and the key of its abstract transition.
    chosen: Option<(Letter, u64)>,
    inputs: Vec<Letter>,
    costs: Vec<u32>,
}

impl Balanced {
    /// Picks like this, with at most so many weights.
    pub fn new(pick: Pick, oracle: Oracle, most: usize) -> Balanced {
        Balanced {
            pick,
            oracle,
            weights: Weights::new(most),
            at: State(0),
            chosen: None,
            inputs: Vec::new(),
            costs: Vec::new(),
        }
    }

    /// How often abstract transitions were taken.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What an input's abstract transition is, and what it costs.
    fn key(&self, view: &View<'_>, input: Letter) -> u64 {
        view.game.transition(view.at, &self.taken(input)).key
    }

    /// The exchange of an input that is taken.
    fn taken(&self, input: Letter) -> Step {
        Step { input, output: self.oracle.idle.map_or_else(Letter::default, |idle| idle.quiet) }
    }

    fn pick(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        self.costs.clear();
        let place = match self.pick {
            Pick::Random => rng.index(self.inputs.len()),
            Pick::LeastCost => {
                let mut least = (u32::MAX, 0, 0);
                let mut ties = 0;
                for (place, &input) in self.inputs.iter().enumerate() {
                    let key = self.key(view, input);
                    let cost = self.weights.get(key);
                    if cost < least.0 {
                        (least, ties) = ((cost, place, key), 1);
                    } else if cost == least.0 {
                        ties += 1;
                        if rng.below(ties) == 0 {
                            least = (cost, place, key);
                        }
                    }
                }
                self.chosen = Some((self.inputs[least.1], least.2));
                return Some(self.inputs[least.1]);
            }
            Pick::RandomisedLeastCost => {
                let costs = self.inputs.iter().map(|&input| self.weights.get(self.key(view, input)));
                let costs: Vec<f64> = costs.map(|cost| 1.0 / f64::from(cost)).collect();
                let mut left = rng.unit() * costs.iter().sum::<f64>();
                let reached = |chance: &f64| {
                    left -= chance;
                    left < 0.0
                };
                costs.iter().position(reached).unwrap_or(costs.len() - 1)
            }
        };
        let input = self.inputs[place];
        self.chosen = Some((input, self.key(view, input)));
        Some(input)
    }
}

impl Strategy for Balanced {
    fn turn_to(&mut self, _game: &dyn Game, _guide: &dyn Guide) {
        // Transitions of another game are other transitions.
        self.weights.clear();
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        (self.at, self.chosen) = (view.at, None);
        self.inputs.clear();
        if !view.game.list_inputs(view.at, &mut self.inputs) {
            let inputs = view.inputs();
            self.inputs.extend((0..LOOKED_AT).map_while(|_| inputs.sample(rng)));
        }
        if let Some(Idle { wait, .. }) = self.oracle.idle {
            let count = self.inputs.len();
            self.inputs.retain(|&input| input != wait);
            let may_wait = self.inputs.len() < count;
            match self.oracle.advise(view, !self.inputs.is_empty(), may_wait, rng) {
                Advice::Control => {}
                Advice::Observe => return Some(wait),
                Advice::End => return None,
            }
        }
        if self.inputs.is_empty() { None } else { self.pick(view, rng) }
    }

    fn observe(&mut self, step: &Step, now: &View<'_>) {
        let taken =
            |input| self.oracle.idle.is_none_or(|idle| step.output == idle.quiet) && input == step.input;
        match self.chosen {
            Some((input, key)) if taken(input) && self.pick != Pick::Random => {
                let weight = now.game.transition(self.at, step).weight;
                self.weights.raise(key, weight);
            }
            _ if self.pick == Pick::Random => {}
            _ => {
                let transition = now.game.transition(self.at, step);
                self.weights.raise(transition.key, transition.weight);
            }
        }
    }

    fn memory(&self) -> usize {
        self.weights.memory()
    }
}
