//! What a state is worth to a search.

use crate::game::Guide;
use crate::game::chart::{Backward, Chart, NEVER};

/// What gives a state its score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// A goal scores 1, everything else 0 (paper 4, section 5).
    #[default]
    Goal,
    /// The nearer to a goal, the more (the proposal of section 5.1): 0.9 to the power of the steps there with a system
    /// that helps, and of 4 more where the goal cannot be forced.
    Proximity,
    /// What the specification says; a goal scores 1.
    Specification,
}

/// What one more step takes of a score, unless goals alone score.
const DECAY: f64 = 0.9;
/// How many steps the system's help is worth.
const HELP: i32 = 4;

/// The scores of the states of a chart, as they are asked for.
#[derive(Clone, Debug)]
pub(in crate::strategy) struct Scores {
    score: Score,
    /// Those that are known, by place; one that is not is not a number.
    known: Vec<f64>,
}

impl Scores {
    /// The scores of this kind.
    pub(in crate::strategy) fn new(score: Score, chart: &Chart, guide: &dyn Guide) -> Scores {
        let known = match score {
            Score::Proximity => proximity(chart, guide),
            Score::Goal | Score::Specification => Vec::new(),
        };
        Scores { score, known }
    }

    /// Scores that are given, by place; the goals are those of 1 and more. Others score 0.
    pub(in crate::strategy) fn given(known: Vec<f64>) -> Scores {
        Scores { score: Score::Goal, known }
    }

    /// What a step on the way takes of what comes after it.
    pub(super) fn decay(&self) -> f64 {
        if self.score == Score::Goal { 1.0 } else { DECAY }
    }

    /// The score of the state in a place: 1 for a goal.
    #[inline]
    pub(super) fn of(&mut self, place: u32, chart: &Chart, guide: &dyn Guide) -> f64 {
        let place = place as usize;
        if place >= self.known.len() {
            self.known.resize(place + 1, f64::NAN);
        }
        if self.known[place].is_nan() {
            let at = chart.state(place as u32);
            self.known[place] = match self.score {
                _ if guide.reached(at) => 1.0,
                Score::Specification => guide.score(at).unwrap_or(0.0).clamp(0.0, JUST_BELOW_A_GOAL),
                // A state that was met after its distance could have been known.
                Score::Goal | Score::Proximity => 0.0,
            };
        }
        self.known[place]
    }

    pub(super) fn memory(&self) -> usize {
        self.known.capacity() * size_of::<f64>()
    }
}

/// No state but a goal is worth as much as one.
const JUST_BELOW_A_GOAL: f64 = 0.999_999;

fn proximity(chart: &Chart, guide: &dyn Guide) -> Vec<f64> {
    let is_goal = |place: &u32| guide.reached(chart.state(*place));
    let goals: Vec<u32> = (0..chart.len() as u32).filter(is_goal).collect();
    let backward = Backward::of(chart);
    let (distances, _) = backward.distances(&goals, usize::MAX);
    let forced = backward.forced(chart, &goals);
    let score = |(&distance, forced): (&u32, &Option<_>)| match (distance, forced) {
        (NEVER, _) => 0.0,
        (steps, Some(_)) => DECAY.powi(steps as i32),
        (steps, None) => DECAY.powi((steps as i32).saturating_add(HELP)),
    };
    distances.iter().zip(&forced).map(score).collect()
}
