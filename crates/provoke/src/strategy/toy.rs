//! Small games for tests: written down as lists.

use crate::game::{Game, Guide, Next, State, Tier};
use crate::letter::{Letter, LetterSet};

/// For each state, for each input, where its answers lead.
#[derive(Clone, Debug)]
pub(super) struct Toy {
    pub(super) moves: Vec<Vec<Vec<u32>>>,
    pub(super) goals: Vec<u32>,
    sets: Vec<LetterSet>,
}

const BITS: usize = 4;

impl Toy {
    pub(super) fn new(moves: Vec<Vec<Vec<u32>>>, goals: Vec<u32>) -> Toy {
        let sets = moves.iter().map(|inputs| first(inputs.len())).collect();
        Toy { moves, goals, sets }
    }
}

fn first(count: usize) -> LetterSet {
    LetterSet::of(BITS, &(0..count as u64).map(Letter::from_index).collect::<Vec<_>>())
}

impl Game for Toy {
    fn initial(&self) -> State {
        State(0)
    }

    fn inputs(&self, at: State) -> &LetterSet {
        &self.sets[at.0 as usize]
    }

    fn outputs(&self, at: State, input: Letter) -> LetterSet {
        first(self.moves[at.0 as usize][input.index() as usize].len())
    }

    fn next(&self, at: State, input: Letter, output: Letter) -> Next {
        Next::To(State(self.moves[at.0 as usize][input.index() as usize][output.index() as usize]))
    }

    fn list_inputs(&self, at: State, into: &mut Vec<Letter>) -> bool {
        into.extend((0..self.moves[at.0 as usize].len() as u64).map(Letter::from_index));
        true
    }
}

/// Knows where the goals are and nothing else.
impl Guide for Toy {
    fn reached(&self, at: State) -> bool {
        self.goals.contains(&at.0)
    }

    fn distance(&self, at: State) -> Option<u32> {
        Some(u32::from(!self.reached(at)))
    }

    fn rank(&self, _at: State) -> Option<u32> {
        Some(1)
    }

    fn inputs(&self, at: State, _tier: Tier) -> &LetterSet {
        Game::inputs(self, at)
    }

    fn farthest(&self) -> Option<u32> {
        None
    }
}
