//! A game in which what was said last counts as a state.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{Game, Next, State};
use crate::letter::{Letter, LetterSet};
use crate::trace::Step;

/// The most situations that are told apart; what comes after them is one with the game's own state alone.
const MOST: usize = 1 << 16;

/// Another game, whose states are told apart by the last exchange as well.
///
/// Where there is no model (paper 2, section 6), what was done and observed is all that strategies have to balance: an
/// input after one answer is not the same as after another.
pub struct History {
    game: Arc<dyn Game>,
    met: Mutex<IndexSet<(State, Option<Step>), FxBuildHasher>>,
}

impl History {
    /// The situations of a game.
    pub fn of(game: Arc<dyn Game>) -> History {
        let start = (game.initial(), None);
        History { game, met: Mutex::new(IndexSet::from_iter([start])) }
    }

    fn met(&self) -> MutexGuard<'_, IndexSet<(State, Option<Step>), FxBuildHasher>> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn inside(&self, at: State) -> State {
        self.met().get_index(at.0 as usize).map_or_else(|| self.game.initial(), |(inside, _)| *inside)
    }
}

impl Game for History {
    fn initial(&self) -> State {
        State(0)
    }

    fn inputs(&self, at: State) -> &LetterSet {
        self.game.inputs(self.inside(at))
    }

    fn outputs(&self, at: State, input: Letter) -> LetterSet {
        self.game.outputs(self.inside(at), input)
    }

    fn next(&self, at: State, input: Letter, output: Letter) -> Next {
        match self.game.next(self.inside(at), input, output) {
            Next::To(to) => {
                let met = &mut *self.met();
                let exact = (to, Some(Step { input, output }));
                let known = match met.get_index_of(&exact) {
                    Some(known) => known,
                    None if met.len() < MOST => met.insert_full(exact).0,
                    None => met.insert_full((to, None)).0,
                };
                Next::To(State(known as u32))
            }
            out => out,
        }
    }

    fn list_inputs(&self, at: State, into: &mut Vec<Letter>) -> bool {
        self.game.list_inputs(self.inside(at), into)
    }

    fn expects_output(&self, at: State) -> bool {
        self.game.expects_output(self.inside(at))
    }
}
