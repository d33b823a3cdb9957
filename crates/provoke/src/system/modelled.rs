//! A model program that plays the system.

use std::sync::Arc;

use super::{System, SystemError};
use crate::action::{Direction, Lexicon, Meaning, ModelProgram};
use crate::letter::{Idle, Interface, Letter};
use crate::rng::Rng;

/// A system that does what a model program says: it takes every controllable action that is enabled, and when the tester
/// waits it does one of the observable actions, each with the same chance.
///
/// An input that is not enabled is refused where there is a letter for that, and otherwise ignored. Where the model does not
/// say which state comes next, chance decides.
pub struct Modelled<M: ModelProgram> {
    model: Arc<M>,
    lexicon: Lexicon<M>,
    /// Where it is, and nothing else.
    at: Vec<M::State>,
    rng: Rng,
    actions: Vec<M::Action>,
    states: Vec<M::State>,
}

impl<M: ModelProgram> Modelled<M> {
    /// A system over an interface whose letters are the actions of the model, with its own dice.
    pub fn new(model: Arc<M>, interface: &Interface, idle: Idle, seed: u64) -> Modelled<M> {
        Modelled {
            lexicon: Lexicon::new(&*model, interface, idle),
            at: vec![model.initial()],
            model,
            rng: Rng::new(seed),
            actions: Vec::new(),
            states: Vec::new(),
        }
    }

    /// Goes on to one of the states that were found; false where there is none.
    #[inline]
    fn go_on(&mut self) -> bool {
        match self.states.len() {
            0 => return false,
            1 => {}
            several => {
                self.states.swap(0, self.rng.index(several));
                self.states.truncate(1);
            }
        }
        // What was just written is not copied, which is slow.
        std::mem::swap(&mut self.at, &mut self.states);
        true
    }
}

impl<M: ModelProgram> System for Modelled<M> {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.states = self.model.initials();
        self.go_on();
        Ok(())
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let Idle { wait, quiet, refusal } = self.lexicon.idle;
        self.states.clear();
        if input != wait {
            if let Some(action) = self.lexicon.known(Direction::Controllable, input) {
                let taken = self.model.steps(&self.at[0], action, &mut self.states);
                return Ok(if taken && self.go_on() { quiet } else { refusal.unwrap_or(quiet) });
            }
            let taken = match self.lexicon.meaning(&self.model, Direction::Controllable, input) {
                Meaning::Action(action) => self.model.steps(&self.at[0], action, &mut self.states),
                Meaning::Foreign => return Ok(quiet),
                Meaning::Unknown => false,
            };
            return Ok(if taken && self.go_on() { quiet } else { refusal.unwrap_or(quiet) });
        }
        self.actions.clear();
        self.model.enabled(Direction::Observable, &self.at[0], &mut self.actions);
        let Some(action) = self.rng.pick(&self.actions) else { return Ok(quiet) };
        // What there is no letter for is not done.
        let letter = self.lexicon.letter(&self.model, Direction::Observable, action);
        let Some(letter) = letter else { return Ok(quiet) };
        self.model.steps(&self.at[0], action, &mut self.states);
        self.go_on();
        Ok(letter)
    }
}
