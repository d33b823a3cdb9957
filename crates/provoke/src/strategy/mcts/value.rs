//! What a run was worth: small is good, 0 is the objective.

use serde::{Deserialize, Serialize};

/// How the distances seen in a run become its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reward {
    /// The distance at the end of the run (paper 1: lastreward).
    Last,
    /// The distance at the end times the discounted sum of the run's distances (paper 1: disc-reward).
    ///
    /// The sum is that of the whole run, the steps in the tree included. Our own, scaled forms take it.
    #[default]
    Discounted,
    /// The same with the sum of the roll-out alone, from the end of the tree on: the other way to read "all rewards
    /// seen during the simulation" in section 4.2.2. The published forms take it, because `experiments passageway` comes
    /// nearest to Table 1 with it (0 %, 62.7 % and 100 %): with c = 100 it gives 0, 28 and 50 of 50, where the sum of the
    /// whole run gives 0, 49 and 50. With c = 1 both find nearly everything, also without greed.
    DiscountedRollOut,
    /// The smallest distance anywhere in the run; not in the paper. A run that came close and then ran
    /// into a wall is worth more than one that ran into the wall at once.
    Best,
}

/// Follows the distances of one run, step by step.
#[derive(Clone, Debug)]
pub(super) struct Valuation {
    reward: Reward,
    gamma: f64,
    /// What stands for "unreachable": one more than the largest distance, or than the largest seen where distances are
    /// not bounded.
    unreachable: f64,
    last: f64,
    best: f64,
    sum: f64,
    /// gamma to the number of distances in the sum.
    power: f64,
}

impl Valuation {
    pub(super) fn new(reward: Reward, gamma: f64) -> Valuation {
        Valuation { reward, gamma, unreachable: 1.0, last: 1.0, best: 1.0, sum: 0.0, power: 1.0 }
    }

    /// A run starts, in a game with this largest distance, if there is one.
    pub(super) fn begin(&mut self, farthest: Option<u32>) {
        self.unreachable = self.unreachable.max(farthest.map_or(0.0, f64::from) + 1.0);
        (self.last, self.best) = (self.unreachable, self.unreachable);
        (self.sum, self.power) = (0.0, 1.0);
    }

    /// The roll-out begins, if not later: the sum of the roll-out alone starts anew.
    #[inline]
    pub(super) fn begin_roll_out(&mut self) {
        if self.reward == Reward::DiscountedRollOut {
            (self.sum, self.power) = (0.0, 1.0);
        }
    }

    /// A state at this distance was reached.
    #[inline]
    pub(super) fn see(&mut self, distance: Option<u32>) {
        self.last = distance.map_or(self.unreachable, f64::from);
        self.unreachable = self.unreachable.max(distance.map_or(0.0, f64::from) + 1.0);
        self.best = self.best.min(self.last);
        self.sum += self.power * self.last;
        self.power *= self.gamma;
    }

    /// The value of the run; its last distance is repeated up to `steps` distances in all.
    pub(super) fn value(&self, steps: u32) -> f64 {
        match self.reward {
            Reward::Last => self.last,
            Reward::Best => self.best,
            Reward::Discounted | Reward::DiscountedRollOut => {
                self.last * (self.sum + self.last * self.weight_left(steps))
            }
        }
    }

    fn weight_left(&self, steps: u32) -> f64 {
        (self.power - self.gamma.powf(f64::from(steps))).max(0.0) / (1.0 - self.gamma)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(reward: Reward, distances: &[Option<u32>], steps: u32) -> f64 {
        let mut valuation = Valuation::new(reward, 0.5);
        valuation.begin(Some(4));
        distances.iter().for_each(|&distance| valuation.see(distance));
        valuation.value(steps)
    }

    #[test]
    fn values_as_in_section_4_2_2() {
        let run = [Some(3), Some(1), None];
        assert_eq!(value(Reward::Last, &run, 5), 5.0);
        assert_eq!(value(Reward::Best, &run, 5), 1.0);
        // 5 * (3 + 1/2 + 5/4 + 5/8 + 5/16): the last distance is repeated up to 5 distances.
        let expected = 5.0 * (3.0 + 0.5 + 1.25 + 0.625 + 0.3125);
        assert!((value(Reward::Discounted, &run, 5) - expected).abs() < 1e-9);
        assert_eq!(value(Reward::Discounted, &[Some(3), Some(0)], 5), 0.0);
    }

    #[test]
    fn the_roll_out_alone() {
        let mut valuation = Valuation::new(Reward::DiscountedRollOut, 0.5);
        valuation.begin(Some(4));
        for (distance, in_tree) in [(3, true), (2, true), (1, false), (2, false)] {
            if in_tree {
                valuation.begin_roll_out();
            }
            valuation.see(Some(distance));
        }
        // 2 * (2 + 1/2 + 2/4 + 2/8): from the end of the tree on, the last distance repeated up to 4.
        assert!((valuation.value(4) - 2.0 * (2.0 + 0.5 + 0.5 + 0.25)).abs() < 1e-9);
    }
}
