//! Every strategy a user can name: one line each feeds `--help`, the README table and the test matrix.

use std::sync::Arc;

use super::{Greedy, Mix, Strategy, Uniform};
use crate::game::{Game, Guide};

/// What a strategy may know besides what it sees.
#[derive(Clone)]
pub struct Knowledge {
    /// The game being played.
    pub game: Arc<dyn Game>,
    /// The objective, solved.
    pub guide: Arc<dyn Guide>,
}

/// The parameters a user can set; each strategy takes those it has.
#[derive(Clone, Debug)]
pub struct Options {
    /// The chance of a uniform choice in epsilon-greedy strategies, in (0, 1).
    pub epsilon: f64,
    /// Steps a run may take.
    pub steps: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { epsilon: 0.25, steps: 250 }
    }
}

/// One line of the catalogue.
pub struct StrategyEntry {
    /// What the user types.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// Makes it.
    pub build: fn(&Knowledge, &Options) -> Box<dyn Strategy>,
}

/// The strategy that is used when none is named.
pub const DEFAULT: &str = "epsilon-greedy";

/// Every strategy, in the order of the README table.
pub const CATALOGUE: &[StrategyEntry] = &[
    StrategyEntry {
        name: "uniform",
        sentence: "any input from which the objective is still reachable, each with the same chance",
        source: "paper 1, section 4.1",
        build: |knowledge, _| Box::new(Uniform(knowledge.guide.clone())),
    },
    StrategyEntry {
        name: "greedy",
        sentence: "inputs that force the objective closer, or else inputs that may bring it closer",
        source: "paper 1, section 5.4",
        build: |knowledge, _| Box::new(Greedy(knowledge.guide.clone())),
    },
    StrategyEntry {
        name: "epsilon-greedy",
        sentence: "greedy, but uniform with probability --epsilon before each input",
        source: "paper 1, section 5.4",
        build: |knowledge, options| {
            Box::new(Mix {
                chance: options.epsilon,
                first: Box::new(Uniform(knowledge.guide.clone())),
                second: Box::new(Greedy(knowledge.guide.clone())),
            })
        },
    },
];

/// The strategy with this name.
pub fn find(name: &str) -> Option<&'static StrategyEntry> {
    CATALOGUE.iter().find(|entry| entry.name == name)
}
