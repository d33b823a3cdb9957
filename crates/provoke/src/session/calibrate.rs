//! What a reset costs, measured in steps.

use std::time::{Duration, Instant};

use super::{Pursuit, Session, SessionError};
use crate::campaign::{Event, Limits, Observer, Phase};
use crate::letter::Letter;
use crate::objective::Reach;
use crate::report::Report;
use crate::rng::Rng;
use crate::strategy::{Strategy, View};
use crate::system::{System, SystemError};
use crate::trace::Step;

/// How many resets, and how many steps after each.
const RESETS: u64 = 3;
const STEPS: u32 = 10;

impl Session<'_> {
    /// Measures how many steps a reset is worth and tells the strategy, where the settings ask for it.
    ///
    /// Three times, the system is reset and given the first input that may be sent, ten times over. The first step of
    /// a run counts as part of the reset: a program that was just started is still waking up. What is found on the way
    /// is a finding like any other. Rounded to a power of four, so that noise seldom changes it.
    pub(super) fn calibrate(
        &mut self,
        system: &mut dyn System,
        observer: &mut dyn Observer,
    ) -> Result<(), SessionError> {
        let asks = self.settings.calibrate && self.report.reset_cost.is_some();
        if !asks || self.is_over() {
            return Ok(());
        }
        let permitted = self.specification.permitted(self.settings.state_limit)?;
        observer.on(&Event::Phase(Phase::Calibration))?;
        let mut clocked = Clocked { system, resets: Vec::new(), steps: Vec::new(), fresh: false };
        let limits = Limits { runs: RESETS, steps: STEPS, ..Limits::default() };
        let usual = std::mem::replace(&mut self.settings.limits, limits);
        let Report { runs, resets, steps, .. } = self.report;
        let reset_steps = clocked.reset_steps();
        // Nothing is looked for, not even violations: a run that cannot find any is as good as another here.
        let mut nothing = Reach::one(permitted.game, permitted.guide);
        let pursuit = Pursuit {
            objective: &mut nothing,
            gate: permitted.gate,
            stream: u64::MAX,
            aftermath: None,
            lassos: None,
        };
        let done = self.campaign(pursuit, &mut First, &mut clocked, observer);
        self.settings.limits = usual;
        self.uncounted_reset_steps = clocked.reset_steps() - reset_steps;
        let campaign = done?;
        self.report.calibration = (campaign.runs, campaign.steps);
        (self.report.runs, self.report.resets, self.report.steps) = (runs, resets, steps);
        if self.is_over() {
            return Ok(());
        }
        let cost = clocked.cost();
        self.settings.options.reset_cost = cost;
        self.report.reset_cost = Some(cost);
        Ok(())
    }
}

/// Sends the first input that may be sent.
struct First;

impl Strategy for First {
    fn choose(&mut self, view: &View<'_>, _rng: &mut Rng) -> Option<Letter> {
        view.inputs().iter().next()
    }
}

/// A system with a stopwatch.
struct Clocked<'a> {
    system: &'a mut dyn System,
    resets: Vec<Duration>,
    steps: Vec<Duration>,
    /// Whether the next step is the first after a reset.
    fresh: bool,
}

impl Clocked<'_> {
    /// Resets against steps, the medians of both: a single slow one does not move them.
    fn cost(&mut self) -> u32 {
        let median = |times: &mut Vec<Duration>| {
            times.sort_unstable();
            times.get(times.len() / 2).map(Duration::as_secs_f64)
        };
        match (median(&mut self.resets), median(&mut self.steps)) {
            (Some(reset), Some(step)) => rounded(reset / step.max(1e-9)),
            _ => 1,
        }
    }
}

/// The nearest power of four, from 1 to 4^10.
fn rounded(cost: f64) -> u32 {
    let power = (cost.max(1.0).ln() / 4f64.ln()).round();
    4u32.pow(power.clamp(0.0, 10.0) as u32)
}

impl System for Clocked<'_> {
    fn inner(&self) -> Option<&dyn System> {
        Some(&*self.system)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn System> {
        Some(&mut *self.system)
    }

    fn reset(&mut self) -> Result<(), SystemError> {
        let started = Instant::now();
        let result = self.system.reset();
        self.resets.push(started.elapsed());
        self.fresh = true;
        result
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        self.exchange(input).map(|step| step.output)
    }

    fn exchange(&mut self, input: Letter) -> Result<Step, SystemError> {
        let started = Instant::now();
        let result = self.system.exchange(input);
        match (std::mem::take(&mut self.fresh), self.resets.last_mut()) {
            (true, Some(reset)) => *reset += started.elapsed(),
            _ => self.steps.push(started.elapsed()),
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn costs_are_powers_of_four() {
        let costs = [0.0, 0.5, 1.0, 1.9, 2.1, 7.9, 8.1, 100.0, 1e12].map(rounded);
        assert_eq!(costs, [1, 1, 1, 1, 4, 4, 16, 64, 1 << 20]);
    }
}
