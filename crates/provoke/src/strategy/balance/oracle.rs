//! Whether to act or to watch.

use crate::letter::{Idle, Letter};
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
    /// The tester acts; where it cannot, nobody can, and the run is over.
    Control,
    /// The tester acts; where it cannot, it waits for the system with this letter.
    ControlOr(Letter),
    /// The tester waits for the system to act, with this letter.
    Observe(Letter),
}

impl Oracle {
    /// The advice for a situation. The paper's oracle asks the implementation whether it can act; we cannot look inside,
    /// and ask the model.
    #[inline]
    pub fn advise(&self, view: &View<'_>, rng: &mut Rng) -> Advice {
        let Some(Idle { wait, .. }) = self.idle.filter(|idle| view.game.may_wait(view.at, idle.wait)) else {
            return Advice::Control;
        };
        if view.game.expects_output(view.at) {
            return if rng.chance(self.observe) { Advice::Observe(wait) } else { Advice::ControlOr(wait) };
        }
        if self.listen > 0.0 && rng.chance(self.listen) { Advice::Observe(wait) } else { Advice::Control }
    }
}
