//! A walk through a model program.

use super::{Direction, ModelProgram};

/// A model program with a current state, as paper 2 has it (section 2.4): `IStepper`.
///
/// Where the model does not say which of several states comes next, the first is taken; monitors and arenas follow all
/// of them.
#[derive(Clone, Debug)]
pub struct Stepper<'a, M: ModelProgram> {
    model: &'a M,
    at: M::State,
}

impl<'a, M: ModelProgram> Stepper<'a, M> {
    /// A stepper in the initial state.
    pub fn new(model: &'a M) -> Stepper<'a, M> {
        Stepper { at: model.initial(), model }
    }

    /// Where it is.
    pub fn state(&self) -> &M::State {
        &self.at
    }

    /// What the tester may do.
    pub fn enabled_controllables(&self) -> Vec<M::Action> {
        self.enabled(Direction::Controllable)
    }

    /// What the system may do.
    pub fn enabled_observables(&self) -> Vec<M::Action> {
        self.enabled(Direction::Observable)
    }

    fn enabled(&self, direction: Direction) -> Vec<M::Action> {
        let mut actions = Vec::new();
        self.model.enabled(direction, &self.at, &mut actions);
        actions
    }

    /// Takes an action; false, and nothing happens, where it is not enabled.
    pub fn do_step(&mut self, action: &M::Action) -> bool {
        let mut to = Vec::new();
        match self.model.steps(&self.at, action, &mut to) {
            true => to.into_iter().next().is_some_and(|next| {
                self.at = next;
                true
            }),
            false => false,
        }
    }

    /// Whether [`reset`](Stepper::reset) may be called.
    pub fn reset_enabled(&self) -> bool {
        self.model.may_reset(&self.at)
    }

    /// Back to the initial state.
    pub fn reset(&mut self) {
        self.at = self.model.initial();
    }
}
