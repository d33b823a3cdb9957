use super::{Strategy, View};
use crate::game::{State, Tier};
use crate::letter::Letter;
use crate::rng::Rng;

/// Goes to what is nearest, taking the system to help, and from there to what is nearest then.
///
/// For objectives that want all of something: the guide leads to the nearest element that was not covered, and is asked anew
/// before each input, so that an answer that leads elsewhere changes the plan at once. A run is given up where a reset is
/// the shorter way. Among inputs that may lead there, the choice is uniform.
pub struct Tour {
    reset_cost: u32,
    start: State,
}

impl Tour {
    /// With resets that are worth so many steps.
    pub fn new(reset_cost: u32) -> Tour {
        Tour { reset_cost, start: State(0) }
    }
}

impl Strategy for Tour {
    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if view.trace.is_empty() {
            self.start = view.at;
        } else if let (Some(from_here), Some(from_start)) =
            (view.guide.distance(view.at), view.guide.distance(self.start))
            && from_here > from_start.saturating_add(self.reset_cost)
        {
            return None;
        }
        let helpful = view.guide.greedy_inputs(view.at);
        match helpful.is_empty() {
            true => view.guide.inputs(view.at, Tier::Hopeful).sample(rng),
            false => helpful.sample(rng),
        }
    }

    fn goes_by_what_was_sent(&self) -> bool {
        true
    }
}
