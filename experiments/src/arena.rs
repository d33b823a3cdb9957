//! One requirement with one objective, solved and ready for campaigns.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use provoke::automaton::Automaton;
use provoke::campaign::{Campaign, Limits, Outcome};
use provoke::game::{Component, Game, Guide, Product, Solved, State, solve};
use provoke::monitor::Monitor;
use provoke::rng::Rng;
use provoke::space::Space;
use provoke::strategy::{Knowledge, Options, StrategyEntry};
use provoke::system::System;

/// What every campaign against one requirement shares.
pub struct Arena {
    /// The game.
    pub product: Arc<Product>,
    /// The objective, solved on it.
    pub guide: Arc<Solved>,
    monitor: Monitor,
}

/// What one campaign cost and whether it found what it looked for.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Whether the objective was covered or the requirement violated.
    pub success: bool,
    /// What the campaign counted.
    pub outcome: Outcome,
    /// Wall time.
    pub seconds: f64,
    /// What the strategy had learnt, in bytes.
    pub memory: usize,
}

impl Arena {
    /// Solves the objective of reaching one of the requirement's states.
    pub fn new(space: Arc<Space>, requirement: Automaton, goal: impl Fn(u32) -> bool) -> Result<Arena> {
        let monitor = Monitor::safety(&requirement);
        let component = Component::requirement(Arc::new(requirement));
        let product = Arc::new(Product::new(space, vec![component], 1_000_000)?);
        let guide =
            Arc::new(solve(product.clone(), |at: State| product.component_state(at, 0).is_some_and(&goal)));
        Ok(Arena { product, guide, monitor })
    }

    /// Runs one campaign with a fresh strategy.
    pub fn attempt(
        &self,
        entry: &StrategyEntry,
        options: &Options,
        limits: Limits,
        system: &mut dyn System,
        seed: u64,
    ) -> Result<Attempt> {
        let knowledge = Knowledge { game: self.product.clone(), guide: self.guide.clone() };
        let started = Instant::now();
        let mut strategy = (entry.build)(&knowledge, options);
        let campaign = Campaign {
            assumptions: Vec::new(),
            game: &*self.product as &dyn Game,
            guide: &*self.guide as &dyn Guide,
            monitors: vec![self.monitor.clone()],
            system,
            strategy: &mut *strategy,
            limits,
            keep_going: false,
            rng: Rng::new(seed),
        };
        let outcome = campaign.run(&mut ())?;
        let success = outcome.covered.is_some() || !outcome.violations.is_empty();
        let (seconds, memory) = (started.elapsed().as_secs_f64(), strategy.memory());
        Ok(Attempt { success, outcome, seconds, memory })
    }
}
