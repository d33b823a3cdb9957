//! Learning a system for its own sake: its machine, and how sure that is.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::SessionError;
use crate::campaign::{
    Bench, Breakdown, Campaign, Limits, Loans, Observer, Past, ShrinkLimits, confirm_breakdown,
};
use crate::game::{Game, Gate, History};
use crate::learn::{Claims, Difference, Gauge, Learnt, Old, Patience, Tree, differences_from_anywhere};
use crate::letter::Outline;
use crate::machine::Reactions;
use crate::objective::Hunt;
use crate::report::SystemReport;
use crate::specification::{STATE_LIMIT, Specification};
use crate::strategy::{Homing, Learning, Strategy};
use crate::system::{System, SystemError};
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
    /// An older machine that the system is held against.
    pub old: Option<Reactions>,
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
    pub broken: Option<SystemReport>,
    /// Words on which it differs from the older machine, where there is one: the system was seen to do so.
    pub differences: Option<Vec<Difference>>,
    /// How many steps a run must have to try everything that was learnt, where runs had fewer: beyond them nothing is known.
    pub needed_steps: Option<usize>,
}

/// No more differences are told.
const MOST_DIFFERENCES: usize = 10;
/// How long a way into a breakdown is made shorter: learning found a short one, mostly.
const SHRINKING: Duration = Duration::from_secs(5);

/// Learns a system until nothing new comes. Requirements do not matter; only assumptions keep inputs back.
pub fn learn(
    specification: &Specification,
    system: &mut dyn System,
    curriculum: Curriculum,
    observer: &mut dyn Observer,
) -> Result<Lesson, SessionError> {
    let Curriculum { patience, mut limits, nodes, seed, without_reset, memory, recordings, old, gauge } =
        curriculum;
    let begun = Instant::now();
    let guidance = specification.permitted(STATE_LIMIT)?;
    // Without resets only what may be sent tells situations apart.
    let game: Arc<dyn Game> = match specification.assumptions.is_empty() && !without_reset {
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
        let mut made = Learning::new(Arc::new(Claims::default()), nodes).patient(patience).watched(gauge);
        if let Some(old) = &old {
            made = made.against(Arc::new(Old::new(old)));
        }
        resetting = match memory {
            Some(tree) => made.resume(tree),
            None => made,
        };
        resetting.take_in(recordings);
        &mut resetting
    };
    // What answers is told apart from what breaks an assumption by answering: the one is tried again, the other never.
    let judge = specification.judge_of_assumptions();
    let mut campaign = Campaign::new(&mut hunt, judge, system, strategy, limits, seed);
    campaign.gate = guidance.gate.clone();
    campaign.outline = Outline::new(&specification.interface().outputs);
    let outcome = campaign.run(observer)?;
    if let Some(Breakdown { error: error @ SystemError::Unmodelled { .. }, .. }) = &outcome.broken {
        return Err(SessionError::Unmodelled(error.to_string()));
    }
    let learnt = strategy.learnt();
    let broken = outcome.broken.map(|breakdown| {
        let left = limits.time.map_or(SHRINKING, |time| time.saturating_sub(begun.elapsed()).min(SHRINKING));
        let again = (!without_reset).then_some((guidance.gate, left));
        told(specification, system, breakdown, again, observer)
    });
    let without = |old: &Reactions, learnt: &Learnt| {
        differences_from_anywhere(&learnt.learner, &Old::new(old), MOST_DIFFERENCES)
    };
    let differences = match (&learnt, &old) {
        (Some(learnt), Some(old)) if without_reset => Some(without(old, learnt)),
        (learnt, _) => learnt.as_ref().and_then(|learnt| learnt.differences.clone()),
    };
    let needed = learnt.as_ref().map_or(0, |learnt| learnt.learner.hypothesis().longest_test());
    Ok(Lesson {
        learnt,
        runs: outcome.runs,
        steps: outcome.steps,
        broken,
        differences,
        needed_steps: Some(needed).filter(|&needed| needed > limits.steps as usize),
    })
}

/// What was wrong with the system, and how it came to that: tried again and made shorter, where it may be reset.
fn told(
    specification: &Specification,
    system: &mut dyn System,
    breakdown: Breakdown,
    again: Option<(Gate, Duration)>,
    observer: &mut dyn Observer,
) -> SystemReport {
    let original_len = breakdown.trace.len() + usize::from(breakdown.unanswered.is_some());
    let (breakdown, reproduced) = match again {
        None => (breakdown, (0, 0)),
        Some((gate, time)) => {
            let interface = specification.interface();
            let mut bench = Bench {
                system,
                judge: specification.judge_of_assumptions(),
                gate,
                loans: Loans::default(),
                observer,
                outline: Outline::new(&interface.outputs),
                measured: None,
                past: Past::default(),
                failed: None,
            };
            let limits = ShrinkLimits { time, ..ShrinkLimits::default() };
            let confirmed = confirm_breakdown(&mut bench, &interface.inputs, breakdown, limits);
            (confirmed.breakdown, confirmed.reproduced)
        }
    };
    let Breakdown { error, trace, unanswered, last_words } = breakdown;
    SystemReport {
        error: error.to_string(),
        trace,
        unanswered,
        original_len,
        reproduced,
        stderr: last_words,
        saved: None,
    }
}
