//! Diagrams that may grow: computing with them, putting their variables into better orders, and starting over with more
//! room where there was too little.

use super::diagrams::Board;
use crate::bdd::{Bdd, Bdds, Import};

/// A computation with diagrams: a list of those that are needed, and room for more.
///
/// The room is small at first. An operation that does not fit is tried again after the variables were put into a better
/// order, with four times the room: what other libraries do when they reorder in the middle of an operation.
pub(super) struct Work {
    pub(super) bdds: Bdds,
    /// What is needed: the only diagrams that outlive an operation.
    pub(super) roots: Vec<Bdd>,
    most: usize,
    /// How many nodes there may be before the order is looked at again.
    threshold: usize,
}

/// A computation went no further: there was no room, or no time where that is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spent;

/// How many nodes there is room for at first.
const FIRST_ROOM: usize = 1 << 17;

/// How many nodes there are when the order of variables is looked at for the first time.
const FIRST_THRESHOLD: usize = 4_000;

impl Work {
    pub(super) fn new(variables: usize, most: usize) -> Work {
        Work::with(manager(variables, FIRST_ROOM.min(most)), Vec::new(), most)
    }

    /// With diagrams that are there already.
    fn with(bdds: Bdds, roots: Vec<Bdd>, most: usize) -> Work {
        Work { bdds, roots, most, threshold: FIRST_THRESHOLD }
    }

    /// With copies of these diagrams, in as much room as they have where they are: what happens to the copies does nothing
    /// to them, not even where there is no more room.
    pub(super) fn copying(bdds: &Bdds, diagrams: &[&Bdd], most: usize) -> Work {
        let copy = manager(bdds.variables(), bdds.limit());
        copy.set_order(&bdds.order());
        let mut import = Import::into(&copy);
        let roots = diagrams.iter().map(|set| import.set(set, &|variable| variable)).collect();
        drop(import);
        Work::with(copy, roots, most)
    }

    /// Adds a diagram to the list.
    pub(super) fn keep(&mut self, set: Bdd) -> usize {
        self.roots.push(set);
        self.roots.len() - 1
    }

    /// The result of an operation on the list.
    pub(super) fn attempt<T>(&mut self, operation: impl Fn(&Bdds, &[Bdd]) -> T) -> Result<T, Spent> {
        loop {
            if self.bdds.node_count() > self.threshold {
                self.tidy();
            }
            let result = operation(&self.bdds, &self.roots);
            if self.bdds.within_bounds().is_ok() {
                return Ok(result);
            }
            drop(result);
            self.grow()?;
        }
    }

    /// Puts an operation's result at a place of the list.
    pub(super) fn set(&mut self, at: usize, operation: impl Fn(&Bdds, &[Bdd]) -> Bdd) -> Result<(), Spent> {
        let set = self.attempt(operation)?;
        self.roots[at] = set;
        Ok(())
    }

    /// Throws away what is not needed; looks at the order where that is not enough.
    fn tidy(&mut self) {
        self.bdds.collect();
        if 2 * self.bdds.node_count() > self.threshold {
            let left = self.bdds.sift(None);
            self.threshold = (2 * left).max(FIRST_THRESHOLD);
        }
        self.threshold = self.threshold.max(4 * self.bdds.node_count());
    }

    fn grow(&mut self) -> Result<(), Spent> {
        let room = self.bdds.limit();
        if room >= self.most {
            return Err(Spent);
        }
        self.bdds.collect();
        self.bdds.sift(None);
        let larger = manager(self.bdds.variables(), (4 * room).min(self.most));
        larger.set_order(&self.bdds.order());
        let mut import = Import::into(&larger);
        self.roots = self.roots.iter().map(|root| import.set(root, &|variable| variable)).collect();
        drop(import);
        self.bdds = larger;
        self.threshold = (4 * self.bdds.node_count()).max(room / 2);
        Ok(())
    }
}

fn manager(variables: usize, nodes: usize) -> Bdds {
    Bdds::with_cache(variables, nodes, (nodes / 2).clamp(1 << 14, 1 << 22))
}

impl Board for Work {
    fn leaf(&mut self, variable: Option<usize>) -> Result<usize, Spent> {
        let set = self.attempt(|bdds, _| variable.map_or(bdds.none(), |at| bdds.variable(at)))?;
        Ok(self.keep(set))
    }

    fn both(&mut self, sides: [(usize, bool); 2]) -> Result<usize, Spent> {
        let set = self.attempt(|_, roots| {
            let [left, right] =
                sides.map(|(at, negated)| if negated { !&roots[at] } else { roots[at].clone() });
            &left & &right
        })?;
        Ok(self.keep(set))
    }

    fn copy(&mut self, (at, negated): (usize, bool)) -> Result<usize, Spent> {
        let set = self.attempt(|_, roots| if negated { !&roots[at] } else { roots[at].clone() })?;
        Ok(self.keep(set))
    }

    fn forget(&mut self, at: usize) {
        self.roots[at] = self.bdds.none();
    }
}
