//! Diagrams of one manager made again in another.

use rustc_hash::FxHashMap;

use super::{Bdd, Bdds};

/// What becomes of a variable when a diagram is made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Become {
    /// It is this variable of the other manager.
    Variable(usize),
    /// It has this value.
    Value(bool),
}

/// Makes diagrams of one manager again in another, whose variables may stand for them in another order.
pub struct Import<'a> {
    into: &'a Bdds,
    known: FxHashMap<Bdd, Bdd>,
}

impl<'a> Import<'a> {
    /// Into this manager.
    pub fn into(into: &'a Bdds) -> Import<'a> {
        Import { into, known: FxHashMap::default() }
    }

    /// The set over the variables that `variable` gives for those of the other manager; always the same function for one
    /// importer.
    pub fn set(&mut self, set: &Bdd, variable: &dyn Fn(usize) -> usize) -> Bdd {
        self.cofactor(set, &|at| Become::Variable(variable(at)))
    }

    /// The same, where some variables have values: what is left of the set.
    pub fn cofactor(&mut self, set: &Bdd, becomes: &dyn Fn(usize) -> Become) -> Bdd {
        let Some((top, low, high)) = set.split() else {
            return if set.is_all() { self.into.all() } else { self.into.none() };
        };
        if let Some(known) = self.known.get(set) {
            return known.clone();
        }
        let made = match becomes(top) {
            Become::Value(value) => self.cofactor(if value { &high } else { &low }, becomes),
            Become::Variable(variable) => {
                let (low, high) = (self.cofactor(&low, becomes), self.cofactor(&high, becomes));
                self.into.variable(variable).choose(&high, &low)
            }
        };
        self.known.insert(set.clone(), made.clone());
        made
    }
}
