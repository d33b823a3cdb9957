//! The search tree: places the runs have been, and the inputs tried from them.

use crate::letter::Letter;
use crate::strategy::letters::Letters;

/// Stands for "none" in links between nodes.
const NONE: u32 = u32::MAX;

/// A node after an answer. Its children are the inputs tried from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    output: u32,
    /// The next place after the same input, with another answer.
    sibling: u32,
    first_move: u32,
    /// How many inputs have been tried.
    pub(super) tried: u32,
    /// How often an input was chosen here.
    pub(super) visits: u32,
}

/// A node after an input. Its children are the answers seen; a deterministic system has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    input: u32,
    sibling: u32,
    first_place: u32,
    pub(super) visits: u32,
    /// The mean value of the runs that came through here.
    pub(super) value: f64,
}

const _: () = assert!(size_of::<Place>() <= 64 && size_of::<Move>() <= 64);

/// Places and moves by number; place 0 is where every run starts.
#[derive(Debug)]
pub(super) struct Tree {
    places: Vec<Place>,
    moves: Vec<Move>,
    letters: Letters,
    cap: usize,
}

impl Tree {
    /// A tree of one place that never holds more than `cap` places and moves together.
    pub(super) fn new(cap: usize) -> Tree {
        let root = Place { output: NONE, sibling: NONE, first_move: NONE, tried: 0, visits: 0 };
        Tree { places: vec![root], moves: Vec::new(), letters: Letters::default(), cap: cap.max(3) }
    }

    pub(super) fn nodes(&self) -> usize {
        self.places.len() + self.moves.len()
    }

    /// Whether there is room for one more input and its answer.
    pub(super) fn has_room(&self) -> bool {
        self.nodes() + 2 <= self.cap
    }

    pub(super) fn memory(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
            + self.moves.capacity() * size_of::<Move>()
            + self.letters.memory()
    }

    pub(super) fn place(&self, at: u32) -> &Place {
        &self.places[at as usize]
    }

    pub(super) fn place_mut(&mut self, at: u32) -> &mut Place {
        &mut self.places[at as usize]
    }

    pub(super) fn move_mut(&mut self, at: u32) -> &mut Move {
        &mut self.moves[at as usize]
    }

    pub(super) fn input(&self, at: u32) -> Letter {
        self.letters.get(self.moves[at as usize].input)
    }

    /// The inputs tried from a place, newest first.
    pub(super) fn moves(&self, at: u32) -> impl Iterator<Item = (u32, &Move)> {
        let mut next = self.places[at as usize].first_move;
        std::iter::from_fn(move || {
            let number = next;
            let found = self.moves.get(number as usize)?;
            next = found.sibling;
            Some((number, found))
        })
    }

    /// Whether the input has been tried from the place.
    pub(super) fn has_tried(&self, at: u32, input: Letter) -> bool {
        match self.letters.number_of(input) {
            Some(number) => self.moves(at).any(|(_, tried)| tried.input == number),
            None => false,
        }
    }

    /// Adds an input that has not been tried.
    pub(super) fn add_move(&mut self, at: u32, input: Letter) -> u32 {
        let input = self.letters.number(input);
        let number = self.moves.len() as u32;
        let place = &mut self.places[at as usize];
        self.moves.push(Move { input, sibling: place.first_move, first_place: NONE, visits: 0, value: 0.0 });
        place.first_move = number;
        place.tried += 1;
        number
    }

    /// The place this answer leads to, where it has been seen before.
    pub(super) fn find_place(&self, after: u32, output: Letter) -> Option<u32> {
        let mut next = self.moves[after as usize].first_place;
        while let Some(place) = self.places.get(next as usize) {
            if self.letters.get(place.output) == output {
                return Some(next);
            }
            next = place.sibling;
        }
        None
    }

    /// Adds an answer that has not been seen.
    pub(super) fn add_place(&mut self, after: u32, output: Letter) -> u32 {
        let output = self.letters.number(output);
        let number = self.places.len() as u32;
        let moved = &mut self.moves[after as usize];
        self.places.push(Place { output, sibling: moved.first_place, first_move: NONE, tried: 0, visits: 0 });
        moved.first_place = number;
        number
    }
}
