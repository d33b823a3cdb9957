//! One requirement with one objective, solved and ready for campaigns.

use std::sync::Arc;

use anyhow::{Context, Result};
use provoke::automaton::Automaton;
use provoke::bdd::Space;
use provoke::campaign::{Campaign, Limits, Outcome};
use provoke::game::explicit::{Component, Product, Solved, solve};
use provoke::game::{Next, Place, State};
use provoke::monitor::{Judge, Monitor, Monitors};
use provoke::objective::Reach;
use provoke::specification::{Guidance, Objective, STATE_LIMIT, Specification};
use provoke::strategy::{Options, StrategyEntry};
use provoke::system::System;

use crate::clock::processor_time;

/// What every campaign against one requirement shares.
pub struct Arena {
    /// The game.
    pub product: Arc<Product>,
    /// The objective, solved on it.
    pub guide: Arc<Solved>,
    judge: Judge,
}

/// What one campaign cost and whether it found what it looked for.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Whether the objective was covered or the requirement violated.
    pub success: bool,
    /// What the campaign counted.
    pub outcome: Outcome,
    /// Processor time, the making of the strategy included.
    pub seconds: f64,
    /// What the strategy had learnt, in bytes.
    pub memory: usize,
}

impl Arena {
    /// Solves the objective of reaching one of a single requirement's states.
    pub fn new(space: Arc<Space>, requirement: Automaton, goal: impl Fn(u32) -> bool) -> Result<Arena> {
        Arena::of(space, vec![requirement], None, |product, at| {
            product.component_state(at, Place(0)).is_some_and(&goal)
        })
    }

    /// Solves the objective of serving a purpose while requirements are kept: reaching a marked state of it.
    pub fn with_purpose(
        space: Arc<Space>,
        requirements: Vec<Automaton>,
        purpose: Automaton,
    ) -> Result<Arena> {
        let last = requirements.len();
        let marked: Vec<bool> = purpose.states.iter().map(|state| state.marks != 0).collect();
        Arena::of(space, requirements, Some(purpose), |product, at| {
            product.component_state(at, Place(last)).is_some_and(|state| marked[state as usize])
        })
    }

    /// Solves an objective of a specification.
    pub fn of_specification(specification: &Specification, objective: &Objective) -> Result<Arena> {
        let guidance = specification.guidance(Some(objective), STATE_LIMIT)?;
        let (product, guide) = explicit(&guidance)?;
        Ok(Arena { product, guide, judge: specification.judge() })
    }

    fn of(
        space: Arc<Space>,
        requirements: Vec<Automaton>,
        purpose: Option<Automaton>,
        goal: impl Fn(&Product, State) -> bool,
    ) -> Result<Arena> {
        let monitors = requirements.iter().map(Monitor::safety).collect::<Result<_, _>>()?;
        let requirements =
            requirements.into_iter().map(|automaton| Component::requirement(Arc::new(automaton)));
        let components = requirements.chain(purpose.map(|automaton| Component::purpose(Arc::new(automaton))));
        let product = Arc::new(Product::new(space, components.collect(), 1_000_000)?);
        let guide =
            Arc::new(solve(product.clone(), |next| matches!(next, Next::To(at) if goal(&product, at)))?);
        Ok(Arena { product, guide, judge: Judge::new(monitors, Monitors::default()) })
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
        let started = processor_time();
        let mut strategy = (entry.build)(options);
        let mut goal = Reach::one(self.product.clone(), self.guide.clone());
        let campaign = Campaign::new(&mut goal, self.judge.clone(), system, &mut *strategy, limits, seed);
        let outcome = campaign.run(&mut ())?;
        let success = outcome.objectives[0].covered.is_some() || !outcome.violations.is_empty();
        let (seconds, memory) = ((processor_time() - started).as_secs_f64(), strategy.memory());
        Ok(Attempt { success, outcome, seconds, memory })
    }
}

/// The product and the solved objective of a guidance.
pub fn explicit(guidance: &Guidance) -> Result<(Arc<Product>, Arc<Solved>)> {
    let (product, solved) = (guidance.inside.product(), guidance.inside.solved());
    product.cloned().zip(solved.cloned()).context("an objective is always solved")
}
