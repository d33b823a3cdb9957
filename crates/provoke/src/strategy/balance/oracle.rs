//! Whether to act, to watch, or to end.

use crate::letter::Idle;
use crate::rng::Rng;
use crate::strategy::View;

/// Whether the tester shall act or watch (paper 2, section 3).
#[derive(Clone, Copy, Debug)]
pub struct Oracle {
    /// The letters for doing nothing; without them the tester always acts.
    pub idle: Option<Idle>,
    /// The chance of watching where both sides can act.
    pub observe: f64,
    /// The chance of watching where the system should not act: it might all the same.
    pub listen: f64,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// The tester acts.
    Control,
    /// The tester waits for the system to act.
    Observe,
    /// Nobody can act: the run is over.
    End,
}

impl Oracle {
    /// The advice for a situation. The paper's oracle asks the implementation whether it can act; we cannot look inside,
    /// and ask the model.
    pub fn advise(&self, view: &View<'_>, can_act: bool, may_wait: bool, rng: &mut Rng) -> Advice {
        match (can_act, may_wait && view.game.expects_output(view.at)) {
            (false, false) => Advice::End,
            (false, true) => Advice::Observe,
            (true, false) if may_wait && self.listen > 0.0 && rng.chance(self.listen) => Advice::Observe,
            (true, false) => Advice::Control,
            (true, true) if rng.chance(self.observe) => Advice::Observe,
            (true, true) => Advice::Control,
        }
    }
}
