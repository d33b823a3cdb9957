//! What is known of a hypothesis as a whole.

use crate::learn::{Hypothesis, Learner, Splitting};
use crate::rng::Rng;

/// What is known of a hypothesis as a whole, until it changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    /// The version of the hypothesis, and how many exchanges were known when it was last looked at.
    version: Option<u64>,
    steps: u64,
    /// The states from which every way leads into something that is never left.
    pub(super) doomed: Vec<bool>,
    /// How many of the transitions of the others lead there, of one.
    pub(super) falls: f64,
    /// The last transition of a shortest way to each state that keeps away from those, where there is one.
    pub(super) ways: Vec<Option<(u32, usize)>>,
    /// Which words tell states apart, once that is asked for.
    pub(super) splitting: Option<Splitting>,
}

/// It is looked at after so many steps, and one in so many of all.
const OFTEN: u64 = 100;
const SELDOM: u64 = 8;
/// The farthest of so many states is far away.
const DRAWN: usize = 16;

impl Survey {
    /// Looks at the hypothesis if it has changed.
    pub(super) fn update(&mut self, learner: &Learner) {
        self.steps = learner.steps();
        if self.version != Some(learner.version()) {
            *self = Survey::new(learner.hypothesis(), learner.version(), self.steps);
        }
    }

    /// Looks at it now and then.
    pub(super) fn follow(&mut self, learner: &Learner) {
        if learner.steps() >= self.steps + self.steps / SELDOM + OFTEN {
            self.update(learner);
        }
    }

    /// Whether every way from a state leads into something that is never left. Where all seems to be lost from the start, the
    /// hypothesis knows too little to say so.
    pub(super) fn is_doomed(&self, state: u32) -> bool {
        self.doomed.first() != Some(&true) && self.doomed.get(state as usize) == Some(&true)
    }

    fn new(hypothesis: &Hypothesis, version: u64, steps: u64) -> Survey {
        let doomed = hypothesis.doomed();
        let ways = hypothesis.ways(&doomed);
        let others = (0..doomed.len() as u32).filter(|&state| !doomed[state as usize]);
        let known = others.flat_map(|state| hypothesis.row(state)).filter(|edge| edge.is_known());
        let (fall, all) = known
            .fold((0u32, 0u32), |(fall, all), edge| (fall + u32::from(doomed[edge.to as usize]), all + 1));
        let falls = f64::from(fall) / f64::from(all.max(1));
        Survey { version: Some(version), steps, doomed, falls, ways, splitting: None }
    }

    /// A way to a state that is far away and not doomed: the longest of some. Chance alone comes only so far in one run.
    pub(super) fn far(&self, rng: &mut Rng) -> Vec<usize> {
        let is_fine = |&state: &u32| self.ways[state as usize].is_some() && !self.doomed[state as usize];
        let states: Vec<u32> = (0..self.ways.len() as u32).filter(is_fine).collect();
        let drawn = (0..DRAWN).filter_map(|_| Hypothesis::word(&self.ways, *rng.pick(&states)?));
        drawn.max_by_key(Vec::len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Edge;

    #[test]
    fn the_way_is_long_and_leads_to_nothing_that_is_doomed() {
        // A ring of twenty states that input 0 goes through; input 1 leads to a state that is never left.
        let (ring, sink) = (20, 20);
        let edge = |to| Edge { to, output: 0 };
        let mut edges: Vec<Edge> =
            (0..ring).flat_map(|state| [edge((state + 1) % ring), edge(sink)]).collect();
        edges.extend([edge(sink); 2]);
        let survey = Survey::new(&Hypothesis { inputs: 2, edges }, 1, 0);
        assert_eq!(survey.falls, 0.5);
        let mut rng = Rng::new(1);
        let ways: Vec<Vec<usize>> = (0..100).map(|_| survey.far(&mut rng)).collect();
        assert!(ways.iter().flatten().all(|&input| input == 0), "never into the sink");
        assert!(ways.iter().filter(|way| way.len() >= 15).count() > 80, "{ways:?}");
        assert!(ways.iter().any(|way| way.len() == 19) && ways.iter().any(|way| way.len() < 19));
        let lost = Survey::new(&Hypothesis { inputs: 1, edges: vec![edge(0)] }, 1, 0);
        assert_eq!(lost.far(&mut rng), Vec::<usize>::new(), "where all seems to be lost there is no way");
    }
}
