use super::{Strategy, View};
use crate::game::Tier;
use crate::letter::Letter;
use crate::rng::Rng;

/// Any input from which the goal is still reachable, each with the same chance.
///
/// The uniform testing of paper 1, section 4.1: the baseline, and complete with probability 1.
pub struct Uniform;

impl Strategy for Uniform {
    #[inline]
    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        view.guide.inputs(view.at, Tier::Hopeful).sample(rng)
    }

    fn goes_by_what_was_sent(&self) -> bool {
        true
    }
}
