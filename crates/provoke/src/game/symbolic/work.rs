//! Diagrams that may grow: computing with them, putting their variables into better orders, and starting over with more
//! room where there was too little.

use std::time::{Duration, Instant};

use crate::bdd::{Bdd, Bdds, Import};

/// A computation with diagrams: a list of those that are needed, and room for more.
///
/// The room is small at first. An operation that does not fit is tried again after the variables were put into a better
/// order, with four times the room: what other libraries do when they reorder in the middle of an operation.
pub(super) struct Work {
    pub(super) bdds: Bdds,
    /// What is needed: the only diagrams that outlive an operation.
    pub(super) roots: Vec<Bdd>,
    /// When time is over; a computation whose result must not depend on time has none.
    until: Option<Instant>,
    most: usize,
    /// How many nodes there may be before the order is looked at again.
    threshold: usize,
    /// The most nodes that were there at once.
    pub(super) peak: usize,
}

/// Why a computation went no further: no time, or no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spent;

/// How many nodes there is room for at first.
const FIRST_ROOM: usize = 1 << 17;

/// How many nodes there are when the order of variables is looked at for the first time.
const FIRST_THRESHOLD: usize = 4_000;

impl Work {
    pub(super) fn new(variables: usize, most: usize, until: Option<Instant>) -> Work {
        Work::with(manager(variables, FIRST_ROOM.min(most)), Vec::new(), most, until)
    }

    /// With diagrams that are there already.
    pub(super) fn with(bdds: Bdds, roots: Vec<Bdd>, most: usize, until: Option<Instant>) -> Work {
        Work { bdds, roots, until, most, threshold: FIRST_THRESHOLD, peak: 0 }
    }

    /// With copies of these diagrams, in as much room as they have where they are: what happens to the copies does nothing
    /// to them, not even where there is no more room.
    pub(super) fn copying(bdds: &Bdds, diagrams: &[&Bdd], most: usize) -> Work {
        let copy = manager(bdds.variables(), bdds.limit());
        copy.set_order(&bdds.order());
        let mut import = Import::into(&copy);
        let roots = diagrams.iter().map(|set| import.set(set, &|variable| variable)).collect();
        drop(import);
        Work::with(copy, roots, most, None)
    }

    /// The order is left alone until there are so many nodes.
    pub(super) fn patient(mut self, threshold: usize) -> Work {
        self.threshold = threshold;
        self
    }

    /// Adds a diagram to the list.
    pub(super) fn keep(&mut self, set: Bdd) -> usize {
        self.roots.push(set);
        self.roots.len() - 1
    }

    /// Takes a diagram out of the list; its place stays.
    pub(super) fn forget(&mut self, at: usize) {
        self.roots[at] = self.bdds.none();
    }

    /// The result of an operation on the list.
    pub(super) fn attempt<T>(&mut self, operation: impl Fn(&Bdds, &[Bdd]) -> T) -> Result<T, Spent> {
        loop {
            if self.until.is_some_and(|until| Instant::now() > until) {
                return Err(Spent);
            }
            if self.bdds.node_count() > self.threshold {
                self.tidy();
            }
            let result = operation(&self.bdds, &self.roots);
            self.peak = self.peak.max(self.bdds.node_count());
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
            let left = self.sift();
            self.threshold = (2 * left).max(FIRST_THRESHOLD);
        }
        self.threshold = self.threshold.max(4 * self.bdds.node_count());
    }

    fn sift(&mut self) -> usize {
        const MOST: Duration = Duration::from_secs(8);
        let slice = |until: Instant| {
            let now = Instant::now();
            now + (until.saturating_duration_since(now) / 5).min(MOST)
        };
        self.bdds.sift(self.until.map(slice))
    }

    fn grow(&mut self) -> Result<(), Spent> {
        let room = self.bdds.limit();
        if room >= self.most {
            return Err(Spent);
        }
        self.bdds.collect();
        self.sift();
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
