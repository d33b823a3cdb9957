//! Which letter stands for which action.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Direction, ModelProgram};
use crate::letter::{Alphabet, Idle, Interface, Letter};

/// The letters of a model's actions, looked up as they are met.
pub struct Lexicon<M: ModelProgram> {
    interface: Interface,
    /// The letters for doing nothing, which are no actions.
    pub idle: Idle,
    letters: FxHashMap<M::Action, Letter>,
    /// For each letter, what it stands for, as far as was asked.
    inputs: Meanings<M::Action>,
    outputs: Meanings<M::Action>,
    symbols: Arc<[(String, Direction)]>,
}

/// What letters stand for, by the two halves of their codes: members of one family are dense.
#[derive(Clone, Debug)]
struct Meanings<A>(Vec<Vec<Option<Meaning<A>>>>);

impl<A> Default for Meanings<A> {
    fn default() -> Meanings<A> {
        Meanings(Vec::new())
    }
}

impl<A> Meanings<A> {
    #[inline]
    fn get(&self, letter: Letter) -> Option<&Meaning<A>> {
        let code = letter.index() as usize;
        self.0.get(code >> 16)?.get(code & 0xffff)?.as_ref()
    }

    #[inline]
    fn get_or(&mut self, letter: Letter, find: impl FnOnce() -> Meaning<A>) -> &Meaning<A> {
        let code = letter.index() as usize;
        let (high, low) = (code >> 16, code & 0xffff);
        let is_known = self.0.get(high).and_then(|row| row.get(low)).is_some_and(Option::is_some);
        if !is_known {
            self.put(high, low, find());
        }
        self.0[high][low].as_ref().unwrap_or(&Meaning::Unknown)
    }

    #[cold]
    fn put(&mut self, high: usize, low: usize, meaning: Meaning<A>) {
        if self.0.len() <= high {
            self.0.resize_with(high + 1, Vec::new);
        }
        let row = &mut self.0[high];
        if row.len() <= low {
            row.resize_with(low + 1, || None);
        }
        row[low] = Some(meaning);
    }
}

impl<M: ModelProgram> Clone for Lexicon<M> {
    fn clone(&self) -> Lexicon<M> {
        Lexicon {
            interface: self.interface.clone(),
            idle: self.idle,
            letters: self.letters.clone(),
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            symbols: self.symbols.clone(),
        }
    }
}

/// What a letter stands for.
#[derive(Clone, Debug)]
pub enum Meaning<A> {
    /// An action of the model, whether or not it is ever enabled.
    Action(A),
    /// Something that another requirement knows.
    Foreign,
    /// Nothing that anyone knows.
    Unknown,
}

impl<M: ModelProgram> Lexicon<M> {
    /// The letters of an interface that stand for actions of a model.
    pub fn new(model: &M, interface: &Interface, idle: Idle) -> Lexicon<M> {
        Lexicon {
            interface: interface.clone(),
            idle,
            letters: FxHashMap::default(),
            inputs: Meanings::default(),
            outputs: Meanings::default(),
            symbols: model.symbols().into(),
        }
    }

    /// The letter of an action; none where the alphabet is full.
    #[inline]
    pub fn letter(&mut self, model: &M, direction: Direction, action: &M::Action) -> Option<Letter> {
        if let Some(&letter) = self.letters.get(action) {
            return Some(letter);
        }
        let letter = side(&self.interface, direction).label(&model.show(action)).ok()?;
        self.letters.insert(action.clone(), letter);
        Some(letter)
    }

    /// The letters of both sides.
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// The names of the model's actions, each with the side that takes them.
    pub fn symbols(&self) -> &[(String, Direction)] {
        &self.symbols
    }

    /// The action that a letter of one side is known to stand for: none where it stands for something else, and where
    /// nobody has asked for its [meaning](Lexicon::meaning) yet.
    #[inline]
    pub fn known(&self, direction: Direction, letter: Letter) -> Option<&M::Action> {
        let known = match direction {
            Direction::Controllable => &self.inputs,
            Direction::Observable => &self.outputs,
        };
        match known.get(letter) {
            Some(Meaning::Action(action)) => Some(action),
            _ => None,
        }
    }

    /// What a letter of one side stands for.
    pub fn meaning(&mut self, model: &M, direction: Direction, letter: Letter) -> &Meaning<M::Action> {
        let known = match direction {
            Direction::Controllable => &mut self.inputs,
            Direction::Observable => &mut self.outputs,
        };
        let (interface, symbols) = (&self.interface, &self.symbols);
        known.get_or(letter, || {
            let Some(labels) = side(interface, direction).as_labels() else { return Meaning::Unknown };
            let Some(name) = labels.name(letter) else { return Meaning::Unknown };
            let stem = name.split_once('(').map_or(name, |(stem, _)| stem);
            let is_own = symbols.iter().any(|(symbol, side)| symbol == stem && *side == direction);
            match model.read_as(direction, name) {
                Some(action) if is_own => Meaning::Action(action),
                _ if !is_own && labels.family_of(letter).is_some() => Meaning::Foreign,
                _ => Meaning::Unknown,
            }
        })
    }
}

fn side(interface: &Interface, direction: Direction) -> &Alphabet {
    match direction {
        Direction::Controllable => &interface.inputs,
        Direction::Observable => &interface.outputs,
    }
}
