//! Learning a system for its own sake: its machine, and how sure that is.

use std::sync::Arc;

use super::SessionError;
use crate::campaign::{Breakdown, Campaign, Limits, Observer};
use crate::game::{Game, History};
use crate::learn::{Claims, Gauge, Learnt, Patience, Tree};
use crate::letter::Outline;
use crate::monitor::Judge;
use crate::objective::Hunt;
use crate::specification::{STATE_LIMIT, Specification};
use crate::strategy::{Homing, Learning, Strategy};
use crate::system::System;
use crate::trace::Trace;

/// What learning may cost, and from what it starts.
#[derive(Clone, Debug)]
pub struct Curriculum {
    /// It is over once nothing new came for so long.
    pub patience: Patience,
    /// When it is over in any case.
    pub limits: Limits,
    /// The most exchanges that are remembered.
    pub nodes: usize,
    /// The master seed.
    pub seed: u64,
    /// The system is reset once and never again.
    pub without_reset: bool,
    /// What was seen before.
    pub memory: Option<Tree>,
    /// Runs that were recorded.
    pub recordings: Vec<Trace>,
    /// Where it is told how far learning has come.
    pub gauge: Arc<Gauge>,
}

/// What came of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Lesson {
    /// What was learnt; none where nothing was seen.
    pub learnt: Option<Learnt>,
    /// Runs and steps.
    pub runs: u64,
    /// Exchanges.
    pub steps: u64,
    /// What was wrong with the system.
    pub broken: Option<Breakdown>,
}

/// Learns a system until nothing new comes. Requirements do not matter; only assumptions keep inputs back.
pub fn learn(
    specification: &Specification,
    system: &mut dyn System,
    curriculum: Curriculum,
    observer: &mut dyn Observer,
) -> Result<Lesson, SessionError> {
    let Curriculum { patience, mut limits, nodes, seed, without_reset, memory, recordings, gauge } =
        curriculum;
    let guidance = specification.permitted(STATE_LIMIT)?;
    let game: Arc<dyn Game> = match specification.assumptions.is_empty() {
        true => Arc::new(History::of(guidance.game)),
        false => guidance.game,
    };
    let mut hunt = Hunt::new(game);
    let mut resetting;
    let mut homing;
    let strategy: &mut dyn Strategy = if without_reset {
        (limits.runs, limits.steps) = (1, u32::MAX);
        homing = Homing::new(nodes, patience, gauge);
        &mut homing
    } else {
        let made = Learning::new(Arc::new(Claims::default()), nodes).patient(patience).watched(gauge);
        resetting = match memory {
            Some(tree) => made.resume(tree),
            None => made,
        };
        resetting.take_in(recordings);
        &mut resetting
    };
    let mut campaign = Campaign::new(&mut hunt, Judge::default(), system, strategy, limits, seed);
    campaign.gate = guidance.gate;
    campaign.outline = Outline::new(&specification.interface().outputs);
    let outcome = campaign.run(observer)?;
    Ok(Lesson { learnt: strategy.learnt(), runs: outcome.runs, steps: outcome.steps, broken: outcome.broken })
}
