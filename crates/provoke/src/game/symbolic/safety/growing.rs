//! A computation in a forest: what is needed, and when the forest is tidied.

use super::Until;
use super::forest::{Edge, Forest, Stop};
use crate::game::symbolic::diagrams::Board;
use crate::game::symbolic::work::Spent;

/// How many nodes there are when the order of variables is looked at for the first time.
const FIRST_SIFT: usize = 4_000;

/// Moving variables costs about as much as making so many nodes for each that is needed.
const COST_OF_MOVING: u64 = 150;

/// A list of functions that are needed, and room for more.
///
/// An operation that meets too many nodes is stopped. Then what is not needed is freed, the variables are put into a
/// better order where what is left is twice as much as it was after the last time or where as much was spent since then
/// as that costs, and the operation starts over: what it had found so far counts as needed until then, and its results
/// are remembered.
pub(super) struct Growing<'a> {
    pub(super) forest: Forest,
    /// What is needed: the only functions that outlive an operation.
    pub(super) roots: Vec<Edge>,
    /// How many nodes that are needed there may be before variables are moved.
    next_sift: usize,
    /// How many nodes may be made before they are moved in any case.
    next_made: u64,
    patience: u64,
    /// How many were needed when that was last known.
    live: usize,
    most: usize,
    /// The most nodes that were there at once.
    pub(super) peak: usize,
    /// Asked between operations whether something else knows the answer.
    meanwhile: Option<&'a mut dyn FnMut() -> Option<bool>>,
    /// The answer that something else knew.
    pub(super) answered: Option<bool>,
}

impl<'a> Growing<'a> {
    pub(super) fn new(variables: usize, most: usize, until: Until) -> Growing<'a> {
        let forest = Forest::new(variables, until);
        Growing {
            forest,
            roots: Vec::new(),
            next_sift: FIRST_SIFT,
            next_made: COST_OF_MOVING * FIRST_SIFT as u64,
            patience: COST_OF_MOVING,
            live: 0,
            most,
            peak: 0,
            meanwhile: None,
            answered: None,
        }
    }

    /// The order of variables is left as it is.
    pub(super) fn in_order(mut self) -> Growing<'a> {
        self.next_sift = usize::MAX / 4;
        self.next_made = u64::MAX;
        self
    }

    /// Between operations this is asked for the answer; once it knows, operations fail.
    pub(super) fn asking(mut self, meanwhile: &'a mut dyn FnMut() -> Option<bool>) -> Growing<'a> {
        self.meanwhile = Some(meanwhile);
        self
    }

    /// Fails where something else knows the answer.
    fn ask(&mut self) -> Result<(), Spent> {
        self.answered = self.answered.or_else(|| self.meanwhile.as_mut().and_then(|ask| ask()));
        if self.answered.is_some() { Err(Spent) } else { Ok(()) }
    }

    /// Adds a function to the list.
    pub(super) fn keep(&mut self, function: Edge) -> usize {
        self.roots.push(function);
        self.roots.len() - 1
    }

    /// Frees what is not needed; how many nodes are left.
    pub(super) fn tidied(&mut self) -> usize {
        self.forest.collect(&self.roots);
        self.live = self.forest.len();
        self.live
    }

    /// The result of an operation on the list.
    pub(super) fn attempt(
        &mut self,
        operation: impl Fn(&mut Forest, &[Edge]) -> Result<Edge, Stop>,
    ) -> Result<Edge, Spent> {
        self.ask()?;
        if self.forest.len() > self.room() / 4 * 3 && self.forest.len() > self.live + self.live / 2 {
            self.tidied();
        }
        self.forest.threshold = self.room();
        loop {
            let result = operation(&mut self.forest, &self.roots);
            self.peak = self.peak.max(self.forest.len());
            match result {
                Ok(function) => return Ok(function),
                Err(Stop::Late) => return Err(Spent),
                Err(Stop::Tidy) => self.tidy()?,
            }
        }
    }

    /// Puts an operation's result at a place of the list.
    pub(super) fn set(
        &mut self,
        at: usize,
        operation: impl Fn(&mut Forest, &[Edge]) -> Result<Edge, Stop>,
    ) -> Result<(), Spent> {
        self.roots[at] = self.attempt(operation)?;
        Ok(())
    }

    /// How many nodes there may be before an operation is stopped.
    fn room(&self) -> usize {
        (3 * self.live).max(2 * self.next_sift.min(self.most)).min(self.most)
    }

    /// After an operation was stopped.
    fn tidy(&mut self) -> Result<(), Spent> {
        let before = self.forest.threshold;
        let needed = self.tidied();
        let moved = needed > self.next_sift || self.forest.made > self.next_made;
        if moved {
            self.forest.sift(&self.roots, self.most);
            self.live = self.forest.len();
            // Where it did not help much, it is not tried again soon.
            let (left, needed) = (self.live as f64, needed as f64);
            let factor = if left < 0.7 * needed { 2 } else { 3 };
            self.next_sift = (factor * self.live).max(FIRST_SIFT);
            self.patience *= if left < 0.9 * needed { 1 } else { 2 };
            self.next_made = self.forest.made + self.patience * self.live.max(FIRST_SIFT) as u64;
        }
        self.forest.drop_pending();
        self.ask()?;
        if self.forest.until.is_over() || !moved && before >= self.most || self.live >= self.most / 10 * 9 {
            return Err(Spent);
        }
        let more = if moved { self.room() } else { before.saturating_mul(2).max(self.room()) };
        self.forest.threshold = more.min(self.most);
        self.forest.remember(self.forest.threshold);
        Ok(())
    }
}

impl Board for Growing<'_> {
    fn leaf(&mut self, variable: Option<usize>) -> Result<usize, Spent> {
        let function = self.attempt(|forest, _| match variable {
            Some(variable) => forest.variable(variable),
            None => Ok(Edge::FALSE),
        })?;
        Ok(self.keep(function))
    }

    fn both(&mut self, sides: [(usize, bool); 2]) -> Result<usize, Spent> {
        let function = self.attempt(|forest, roots| {
            let [left, right] = sides.map(|(at, negated)| roots[at].opposite_if(negated));
            forest.and(left, right)
        })?;
        Ok(self.keep(function))
    }

    fn copy(&mut self, (at, negated): (usize, bool)) -> Result<usize, Spent> {
        Ok(self.keep(self.roots[at].opposite_if(negated)))
    }

    fn forget(&mut self, at: usize) {
        self.roots[at] = Edge::FALSE;
    }
}
