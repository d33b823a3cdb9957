//! Sets of letters that many states share.

use rustc_hash::FxHashMap;

use crate::bdd::Bdd;
use crate::bdd::Space;
use crate::letter::LetterSet;

/// Sets of input letters, each kept once.
#[derive(Default)]
pub(super) struct LetterSets {
    pub(super) sets: Vec<LetterSet>,
    known: FxHashMap<Bdd, u32>,
}

impl LetterSets {
    pub(super) fn number(&mut self, space: &Space, inputs: &Bdd) -> u32 {
        if let Some(&number) = self.known.get(inputs) {
            return number;
        }
        self.sets.push(space.input_letters(inputs));
        let number = self.sets.len() as u32 - 1;
        self.known.insert(inputs.clone(), number);
        number
    }
}
