//! When to stop shrinking: what it may cost at most, and whether it still gains.

use std::time::{Duration, Instant};

/// How much a search for a shorter story may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Runs, each with a reset.
    pub runs: u64,
    /// Exchanges.
    pub steps: u64,
    /// Wall time.
    pub time: Duration,
}

/// A system that takes no longer than this for an exchange is as good as free: only counts limit the search, so
/// that it ends in the same place every time. Nothing outside our process is as quick.
const FREE: Duration = Duration::from_micros(8);

/// How many seconds a search on any other system goes on without gaining anything: usually, and where runs were but
/// few.
const PATIENCE: [f64; 2] = [2.0, 6.0];
const FEW_RUNS: f64 = 16.0;

/// What has been spent of a [`Budget`].
#[derive(Debug)]
pub(super) struct Allowance {
    budget: Budget,
    started: Instant,
    pub(super) runs: u64,
    pub(super) steps: u64,
    free: bool,
    /// Seconds that all runs took.
    seconds: f64,
    /// Seconds and runs without a gain.
    idle: (f64, f64),
}

impl Allowance {
    pub(super) fn new(budget: Budget) -> Allowance {
        let started = Instant::now();
        Allowance { budget, started, runs: 0, steps: 0, free: false, seconds: 0.0, idle: (0.0, 0.0) }
    }

    /// About how many runs may still be made if none of them gains anything.
    pub(super) fn left(&self) -> u64 {
        let runs = self.budget.runs.saturating_sub(self.runs);
        let patience = (PATIENCE[0] - self.idle.0).max(0.0);
        match self.free || self.runs == 0 {
            true => runs,
            false => runs.min((patience * self.runs as f64 / self.seconds).round() as u64),
        }
    }

    /// Whether a run of this many steps may still be begun.
    pub(super) fn has(&self, steps: usize) -> bool {
        let (seconds, runs) = self.idle;
        let patience = PATIENCE[usize::from(runs < FEW_RUNS)];
        let gains = self.free || seconds < patience;
        gains
            && self.runs < self.budget.runs
            && self.steps + steps as u64 <= self.budget.steps
            && self.started.elapsed() < self.budget.time
    }

    /// Books a run.
    pub(super) fn spend(&mut self, steps: usize, took: Duration) {
        self.runs += 1;
        self.steps += steps as u64;
        self.free |= took <= FREE * (steps as u32).saturating_add(1);
        self.seconds += took.as_secs_f64();
        self.idle = (self.idle.0 + took.as_secs_f64(), self.idle.1 + 1.0);
    }

    /// The story became shorter or simpler by this share of itself: patience grows back by eight times that,
    /// so that the last step of forty is worth a fifth of what half of them are.
    pub(super) fn gain(&mut self, share: f64) {
        let left = 1.0 - (8.0 * share).min(1.0);
        self.idle = (self.idle.0 * left, self.idle.1 * left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Budget = Budget { runs: 1000, steps: 100_000, time: Duration::from_secs(1000) };

    #[test]
    fn a_slow_system_is_not_asked_a_hundred_times_for_one_step() {
        let mut allowance = Allowance::new(BUDGET);
        let slow = Duration::from_millis(100);
        let until_it_stops = |allowance: &mut Allowance| {
            let before = allowance.runs;
            while allowance.has(39) {
                allowance.spend(39, slow);
            }
            allowance.runs - before
        };
        allowance.spend(39, slow);
        assert_eq!(allowance.left(), 19);
        assert_eq!(until_it_stops(&mut allowance), 19);
        assert_eq!(allowance.left(), 0);
        // From 39 to 38 steps: a few runs more. From 5 to 4: all patience again.
        allowance.gain(1.0 / 39.0);
        assert_eq!(until_it_stops(&mut allowance), 5);
        allowance.gain(1.0 / 5.0);
        assert_eq!(until_it_stops(&mut allowance), 20);
    }

    #[test]
    fn a_free_system_is_limited_by_counts() {
        let mut allowance = Allowance::new(BUDGET);
        while allowance.has(10) {
            allowance.spend(10, Duration::from_micros(20));
        }
        assert_eq!((allowance.runs, allowance.left()), (1000, 0));
        let mut allowance = Allowance::new(Budget { steps: 105, ..BUDGET });
        while allowance.has(10) {
            allowance.spend(10, Duration::from_micros(20));
        }
        assert_eq!(allowance.steps, 100);
    }
}
