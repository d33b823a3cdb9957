//! Regret matching: inputs that would have brought more are tried more often.

use super::tree::Node;
use crate::rng::Rng;

/// How much of every mixed strategy is spread over all inputs.
const SPREAD: f64 = 0.1;

impl Node {
    /// After an exchange: every other input is regretted by what it would have brought on average with the same answer.
    ///
    /// From Bošanský and others (2016), the algorithm that paper 4, section 6.2.3, proposes. Departures: only the tester
    /// regrets, because nothing is assumed of the system; where an input is not answered like that, its own average stands
    /// in; an exchange that was taken because it had not been tried is no part of any strategy.
    pub(super) fn regret(&mut self, input: usize, answer: usize, score: f64, is_selected: bool) {
        let total: f64 = self.regrets.iter().map(|(regret, _)| regret.max(0.0)).sum();
        let count = self.regrets.len() as f64;
        for other in 0..self.regrets.len() {
            let chance = share_of(self.regrets[other].0, total, count);
            let would = if other == input { score } else { self.would(other, answer) };
            let (regret, share) = &mut self.regrets[other];
            *regret += would - score;
            if is_selected {
                *share += chance;
            }
        }
    }

    /// What an input brings with an answer: the answers of different inputs are the same where they are listed alike.
    fn would(&self, input: usize, answer: usize) -> f64 {
        let end = self.first.get(input + 1).map_or(self.pairs.len(), |&end| end as usize);
        let place = self.first[input] as usize + answer;
        if place < end { self.pairs[place].average() } else { self.inputs[input].average() }
    }

    /// An input drawn from the mixed strategy of now.
    pub(super) fn mixed(&self, rng: &mut Rng) -> Option<usize> {
        let total: f64 = self.regrets.iter().map(|(regret, _)| regret.max(0.0)).sum();
        let count = self.regrets.len() as f64;
        let mut left = rng.unit();
        let reached = |(regret, _): &(f64, f64)| {
            left -= (1.0 - SPREAD) * share_of(*regret, total, count) + SPREAD / count;
            left < 0.0
        };
        let drawn = self.regrets.iter().position(reached);
        drawn.or(self.regrets.len().checked_sub(1))
    }

    /// How much of all mixed strategies an input had; its average where there were none yet.
    pub(super) fn share(&self, input: usize) -> f64 {
        let all: f64 = self.regrets.iter().map(|(_, share)| share).sum();
        if all > 0.0 { self.regrets[input].1 / all } else { self.inputs[input].average() }
    }
}

fn share_of(regret: f64, total: f64, count: f64) -> f64 {
    if total > 0.0 { regret.max(0.0) / total } else { 1.0 / count }
}
