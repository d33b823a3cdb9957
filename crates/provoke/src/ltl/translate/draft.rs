//! Automata while they are computed with: one decision tree a state.

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::TranslationError;
use crate::ltl::forest::{Forest, Tree};

/// Acceptance marks while an automaton is computed with; bit `i` is mark `i`.
pub(crate) type Marks = u64;

/// One way a letter may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Arrow {
    pub(crate) to: u32,
    pub(crate) marks: Marks,
}

/// Sorted lists, each kept once under a number. Number 0 is the empty list.
#[derive(Debug)]
pub(crate) struct Lists<T> {
    lists: Vec<Rc<[T]>>,
    known: FxHashMap<Rc<[T]>, u32>,
}

pub(crate) const EMPTY: u32 = 0;

impl<T: Ord + Hash + Clone> Default for Lists<T> {
    fn default() -> Lists<T> {
        let mut lists = Lists { lists: Vec::new(), known: FxHashMap::default() };
        lists.number(Vec::new());
        lists
    }
}

impl<T: Ord + Hash + Clone> Lists<T> {
    /// The number of a list; order and repetition do not matter.
    pub(crate) fn number(&mut self, mut list: Vec<T>) -> u32 {
        list.sort_unstable();
        list.dedup();
        if let Some(&number) = self.known.get(&list[..]) {
            return number;
        }
        let number = self.lists.len() as u32;
        let list: Rc<[T]> = list.into();
        self.lists.push(list.clone());
        self.known.insert(list, number);
        number
    }

    pub(crate) fn get(&self, number: u32) -> &Rc<[T]> {
        &self.lists[number as usize]
    }
}

/// The trees of some automata and the lists of arrows at their leaves.
#[derive(Debug, Default)]
pub(crate) struct Store {
    pub(crate) forest: Forest,
    pub(crate) arrows: Lists<Arrow>,
}

/// A generalised Büchi automaton with marks on arrows; the leaves of a row number lists of arrows.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) rows: Vec<Tree>,
    pub(crate) initial: u32,
    /// How many marks an accepting run must see again and again.
    pub(crate) marks: u32,
}

impl Draft {
    /// The automaton that accepts nothing.
    pub(crate) fn nothing() -> Draft {
        Draft { rows: vec![Tree::leaf(EMPTY)], initial: 0, marks: 0 }
    }

    /// The same, for an automaton that accepts nothing and says so by having nowhere to start.
    pub(crate) fn without_states() -> Draft {
        Draft { rows: Vec::new(), initial: 0, marks: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// All marks together.
    pub(crate) fn all_marks(&self) -> Marks {
        all_marks(self.marks)
    }

    /// The arrows that leave each state, whatever the letter; none twice.
    pub(crate) fn arrows(&self, store: &Store) -> Vec<Vec<Arrow>> {
        self.rows.iter().map(|&row| store.arrows_of(row)).collect()
    }

    /// Whether every letter takes at most one arrow from every state.
    pub(crate) fn is_deterministic(&self, store: &Store) -> bool {
        let single =
            |row: &Tree| store.forest.leaves(*row).iter().all(|&leaf| store.arrows.get(leaf).len() <= 1);
        self.rows.iter().all(single)
    }

    /// The same automaton with every list of arrows replaced by what `change(state, list)` makes of it.
    pub(crate) fn change(
        &self,
        store: &mut Store,
        mut change: impl FnMut(u32, &[Arrow]) -> Vec<Arrow>,
    ) -> Draft {
        let rows =
            (0..).zip(&self.rows).map(|(at, &row)| store.change(row, |list| change(at, list))).collect();
        Draft { rows, ..*self }
    }

    /// The automaton whose state `number[q]` takes the place of state `q`; states without a number vanish with
    /// the arrows that lead to them. The first state with a number gives the row.
    pub(crate) fn renumber(&self, store: &mut Store, number: &[Option<u32>]) -> Draft {
        let count = number.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let Some(initial) = number[self.initial as usize] else { return Draft::nothing() };
        let mut rows = vec![None; count];
        for (at, &row) in self.rows.iter().enumerate() {
            let Some(new) = number[at] else { continue };
            if rows[new as usize].is_none() {
                let moved =
                    |arrow: &Arrow| Some(Arrow { to: number[arrow.to as usize]?, marks: arrow.marks });
                rows[new as usize] = Some(store.change(row, |list| list.iter().filter_map(moved).collect()));
            }
        }
        let rows = rows.into_iter().map(|row| row.unwrap_or(Tree::leaf(EMPTY))).collect();
        Draft { rows, initial, marks: self.marks }
    }
}

pub(crate) fn all_marks(count: u32) -> Marks {
    if count >= Marks::BITS { Marks::MAX } else { (1 << count) - 1 }
}

/// The most arrows an automaton may have, each with a guard of its own.
const ARROWS: usize = 250_000;

impl Store {
    /// Refuses a draft that is too large, or was made when the forest was full.
    pub(crate) fn check(&self, draft: &Draft) -> Result<(), TranslationError> {
        let mut arrows = 0;
        let fits = |&row: &Tree| {
            arrows += self.arrows_of(row).len();
            arrows <= ARROWS
        };
        match !self.forest.is_full() && draft.rows.iter().all(fits) {
            true => Ok(()),
            false => Err(TranslationError::TooLarge),
        }
    }

    /// What a step makes that may fail: nothing where it takes more than this many nodes, and the forest is as
    /// before then.
    pub(crate) fn attempt<T>(
        &mut self,
        nodes: usize,
        step: impl FnOnce(&mut Store) -> Option<T>,
    ) -> Option<T> {
        let reserve = self.forest.open(nodes);
        let made = step(self);
        if self.forest.close(reserve) { made } else { None }
    }

    /// The distinct arrows of a row, whatever the letter.
    pub(crate) fn arrows_of(&self, row: Tree) -> Vec<Arrow> {
        let leaves = self.forest.leaves(row);
        let mut all: Vec<Arrow> =
            leaves.iter().flat_map(|&leaf| self.arrows.get(leaf).iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The row with every list of arrows replaced.
    pub(crate) fn change(&mut self, row: Tree, mut change: impl FnMut(&[Arrow]) -> Vec<Arrow>) -> Tree {
        let Store { forest, arrows } = self;
        forest.map(row, |leaf| {
            let list = arrows.get(leaf).clone();
            arrows.number(weed(change(&list)))
        })
    }

    /// The row with what `join` makes of the lists of two rows.
    pub(crate) fn join(
        &mut self,
        a: Tree,
        b: Tree,
        mut join: impl FnMut(&[Arrow], &[Arrow]) -> Vec<Arrow>,
    ) -> Tree {
        let Store { forest, arrows } = self;
        forest.zip(a, b, |a, b| {
            let (a, b) = (arrows.get(a).clone(), arrows.get(b).clone());
            arrows.number(weed(join(&a, &b)))
        })
    }
}

/// Drops the arrows beside which the list has one to the same state with more marks.
fn weed(mut list: Vec<Arrow>) -> Vec<Arrow> {
    list.sort_unstable();
    list.dedup();
    let better = |arrow: &Arrow, other: &Arrow| {
        other.to == arrow.to && other.marks != arrow.marks && other.marks & arrow.marks == arrow.marks
    };
    let kept: Vec<Arrow> =
        list.iter().filter(|arrow| !list.iter().any(|other| better(arrow, other))).copied().collect();
    kept
}
