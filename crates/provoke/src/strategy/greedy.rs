use super::{Strategy, View};
use crate::letter::Letter;
use crate::rng::Rng;

/// Prefers the inputs that bring the goal closer whatever the system answers, then those that may, then any
/// from which the goal is still reachable.
///
/// These are the winning, cooperative and co-reachable inputs of paper 1, section 5.3. Within a tier the
/// choice is uniform, as in section 5.4. Not complete: a goal behind another input is never found.
pub struct Greedy;

impl Strategy for Greedy {
    #[inline]
    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        view.guide.greedy_inputs(view.at).sample(rng)
    }

    fn goes_by_what_was_sent(&self) -> bool {
        true
    }
}
