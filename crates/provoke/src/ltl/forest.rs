//! Functions from letters to numbers as shared decision trees.
//!
//! This is what automata are computed with: the row of a state is one tree whose leaves number the sets of
//! edges a letter may take. Sums, products, determinisation, minimisation and simulation walk two trees
//! together and join their leaves; no letter is ever enumerated, and two rows are the same function exactly
//! when they are the same number.

use std::cell::Cell;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bdd::{Bdd, Bdds};

/// A function from letters to numbers, in the [`Forest`] that made it. Equal functions are equal trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Tree(u32);

const LEAF: u32 = 1 << 31;

impl Tree {
    /// The same number for every letter.
    pub(crate) const fn leaf(number: u32) -> Tree {
        Tree(number | LEAF)
    }

    /// The number, if it is the same for every letter.
    pub(crate) fn as_leaf(self) -> Option<u32> {
        (self.0 & LEAF != 0).then_some(self.0 & !LEAF)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Tree,
    high: Tree,
}

/// How a forest was before something was tried.
pub(crate) struct Reserve {
    nodes: usize,
    limit: usize,
}

/// The nodes of all trees made so far, each once.
#[derive(Debug)]
pub(crate) struct Forest {
    nodes: Vec<Node>,
    known: FxHashMap<Node, Tree>,
    limit: usize,
    /// When to stop, how often a decision was asked for, and whether it is too late.
    deadline: Option<Instant>,
    asked: u32,
    late: bool,
}

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Translations that are begun by `work` are too large where they are not done by then. Not handed down from one to the
/// next: some dozen steps lead from a formula to its automaton, and all of them end where the forest is full.
pub(crate) fn until<T>(deadline: Option<Instant>, work: impl FnOnce() -> T) -> T {
    struct Before(Option<Instant>);
    impl Drop for Before {
        fn drop(&mut self) {
            DEADLINE.set(self.0);
        }
    }
    let _before = Before(DEADLINE.replace(deadline));
    work()
}

/// The clock is looked at once in so many decisions.
const LOOK: u32 = 1 << 12;

impl Default for Forest {
    fn default() -> Forest {
        let deadline = DEADLINE.get();
        let late = deadline.is_some_and(|deadline| Instant::now() > deadline);
        Forest { nodes: Vec::new(), known: FxHashMap::default(), limit: 4_000_000, deadline, asked: 0, late }
    }
}

impl Forest {
    /// The decision between two trees whose variables all come later.
    pub(crate) fn node(&mut self, variable: u32, low: Tree, high: Tree) -> Tree {
        self.asked = self.asked.wrapping_add(1);
        if self.asked.is_multiple_of(LOOK) {
            self.late |= self.is_late();
        }
        if low == high || self.is_full() {
            return low;
        }
        let node = Node { variable, low, high };
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            Tree((self.nodes.len() - 1) as u32)
        })
    }

    /// Whether the memory set aside is used up, or the time. What was computed since is meaningless then.
    pub(crate) fn is_full(&self) -> bool {
        self.late || self.nodes.len() >= self.limit
    }

    /// Whether the time is used up.
    pub(crate) fn is_late(&self) -> bool {
        self.late || self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    /// Sets aside at most this many nodes for what follows, and says what [`Forest::close`] wants to know.
    pub(crate) fn open(&mut self, nodes: usize) -> Reserve {
        let reserve = Reserve { nodes: self.nodes.len(), limit: self.limit };
        self.limit = self.limit.min(reserve.nodes + nodes);
        reserve
    }

    /// Whether the nodes set aside were enough. Where they were not, all trees made since are forgotten and must
    /// not be used.
    pub(crate) fn close(&mut self, reserve: Reserve) -> bool {
        let enough = !self.is_full();
        self.limit = reserve.limit;
        if !enough {
            for node in self.nodes.drain(reserve.nodes..) {
                self.known.remove(&node);
            }
        }
        enough
    }

    fn around(&self, tree: Tree, variable: u32) -> (Tree, Tree) {
        match self.nodes.get(tree.0 as usize) {
            Some(node) if node.variable == variable => (node.low, node.high),
            _ => (tree, tree),
        }
    }

    /// The first variable that two trees, not both leaves, decide on.
    fn first(&self, a: Tree, b: Tree) -> u32 {
        match (self.top(a), self.top(b)) {
            (Some(a), Some(b)) => a.min(b),
            (a, b) => a.or(b).unwrap_or_default(),
        }
    }

    fn top(&self, tree: Tree) -> Option<u32> {
        self.nodes.get(tree.0 as usize).map(|node| node.variable)
    }

    /// The tree with every leaf replaced.
    pub(crate) fn map(&mut self, tree: Tree, mut leaf: impl FnMut(u32) -> u32) -> Tree {
        self.map_inner(tree, &mut leaf, &mut FxHashMap::default())
    }

    fn map_inner(
        &mut self,
        tree: Tree,
        leaf: &mut dyn FnMut(u32) -> u32,
        known: &mut FxHashMap<Tree, Tree>,
    ) -> Tree {
        if let Some(&mapped) = known.get(&tree) {
            return mapped;
        }
        let mapped = match tree.as_leaf() {
            Some(number) => Tree::leaf(leaf(number)),
            None => {
                let Node { variable, low, high } = self.nodes[tree.0 as usize];
                let low = self.map_inner(low, leaf, known);
                let high = self.map_inner(high, leaf, known);
                self.node(variable, low, high)
            }
        };
        known.insert(tree, mapped);
        mapped
    }

    /// The tree of `join` applied to the leaves of two trees.
    pub(crate) fn zip(&mut self, a: Tree, b: Tree, mut join: impl FnMut(u32, u32) -> u32) -> Tree {
        self.zip_known(a, b, &mut join, &mut FxHashMap::default())
    }

    /// The same with a memory of earlier calls with the same `join`.
    pub(crate) fn zip_known(
        &mut self,
        a: Tree,
        b: Tree,
        join: &mut dyn FnMut(u32, u32) -> u32,
        known: &mut FxHashMap<(Tree, Tree), Tree>,
    ) -> Tree {
        if let (Some(a), Some(b)) = (a.as_leaf(), b.as_leaf()) {
            return Tree::leaf(join(a, b));
        }
        if let Some(&joined) = known.get(&(a, b)) {
            return joined;
        }
        let variable = self.first(a, b);
        let ((a_low, a_high), (b_low, b_high)) = (self.around(a, variable), self.around(b, variable));
        let low = self.zip_known(a_low, b_low, join, known);
        let high = self.zip_known(a_high, b_high, join, known);
        let joined = self.node(variable, low, high);
        known.insert((a, b), joined);
        joined
    }

    /// The tree of `join(leaf of by, leaf of tree)` over the variables before `first`. `by` has only those; whatever of
    /// the tree's comes later has the value that `value(leaf of by, variable)` says.
    pub(crate) fn decided(
        &mut self,
        by: Tree,
        tree: Tree,
        first: u32,
        value: impl Fn(u32, u32) -> bool,
        mut join: impl FnMut(u32, u32) -> u32,
    ) -> Tree {
        self.decided_inner(by, tree, first, &value, &mut join, &mut FxHashMap::default())
    }

    fn decided_inner(
        &mut self,
        by: Tree,
        tree: Tree,
        first: u32,
        value: &dyn Fn(u32, u32) -> bool,
        join: &mut dyn FnMut(u32, u32) -> u32,
        known: &mut FxHashMap<(Tree, Tree), Tree>,
    ) -> Tree {
        if let Some(&decided) = known.get(&(by, tree)) {
            return decided;
        }
        let later = self.top(tree).is_none_or(|variable| variable >= first);
        let decided = match by.as_leaf() {
            Some(leaf) if later => {
                let there = self.at(tree, |variable| value(leaf, variable));
                Tree::leaf(join(leaf, there))
            }
            _ => {
                let variable = if later { self.top(by).unwrap_or_default() } else { self.first(by, tree) };
                let ((by_low, by_high), (low, high)) =
                    (self.around(by, variable), self.around(tree, variable));
                let low = self.decided_inner(by_low, low, first, value, join, known);
                let high = self.decided_inner(by_high, high, first, value, join, known);
                self.node(variable, low, high)
            }
        };
        known.insert((by, tree), decided);
        decided
    }

    /// Whether `test` holds of the two leaves for every letter. `known` holds pairs that passed already.
    pub(crate) fn all_pairs(
        &self,
        a: Tree,
        b: Tree,
        test: &mut dyn FnMut(u32, u32) -> bool,
        known: &mut FxHashSet<(Tree, Tree)>,
    ) -> bool {
        if known.contains(&(a, b)) {
            return true;
        }
        let passed = match (a.as_leaf(), b.as_leaf()) {
            (Some(a), Some(b)) => test(a, b),
            _ => {
                let variable = self.first(a, b);
                let ((a_low, a_high), (b_low, b_high)) = (self.around(a, variable), self.around(b, variable));
                self.all_pairs(a_low, b_low, test, known) && self.all_pairs(a_high, b_high, test, known)
            }
        };
        if passed {
            known.insert((a, b));
        }
        passed
    }

    /// The distinct pairs of leaves that some letter has in two trees.
    pub(crate) fn pairs(&self, a: Tree, b: Tree) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            if !seen.insert((a, b)) {
                continue;
            }
            if let (Some(a), Some(b)) = (a.as_leaf(), b.as_leaf()) {
                found.push((a, b));
                continue;
            }
            let variable = self.first(a, b);
            let ((a_low, a_high), (b_low, b_high)) = (self.around(a, variable), self.around(b, variable));
            open.extend([(a_high, b_high), (a_low, b_low)]);
        }
        found
    }

    /// The distinct leaves, those of smaller letters first.
    pub(crate) fn leaves(&self, tree: Tree) -> Vec<u32> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![tree];
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            match at.as_leaf() {
                Some(number) => found.push(number),
                None => {
                    let node = self.nodes[at.0 as usize];
                    open.extend([node.high, node.low]);
                }
            }
        }
        found
    }

    /// Some letter with this leaf, as the variables that matter and their values; the leaf must occur.
    pub(crate) fn letter(&self, tree: Tree, leaf: u32) -> Option<Vec<(u32, bool)>> {
        let mut dead = FxHashSet::default();
        let mut path: Vec<(Tree, bool)> = Vec::new();
        let mut at = tree;
        loop {
            let fits = match at.as_leaf() {
                Some(number) if number == leaf => {
                    let value = |&(at, high): &(Tree, bool)| Some((self.top(at)?, high));
                    return path.iter().map(value).collect();
                }
                Some(_) => false,
                None => !dead.contains(&at),
            };
            if fits {
                path.push((at, false));
                at = self.nodes[at.0 as usize].low;
                continue;
            }
            // Back to the last decision whose other side was not tried.
            loop {
                let (back, high) = path.pop()?;
                if !high {
                    path.push((back, true));
                    at = self.nodes[back.0 as usize].high;
                    break;
                }
                dead.insert(back);
            }
        }
    }

    /// The leaf of one letter.
    pub(crate) fn at(&self, tree: Tree, value: impl Fn(u32) -> bool) -> u32 {
        let mut at = tree;
        loop {
            match at.as_leaf() {
                Some(number) => return number,
                None => {
                    let node = self.nodes[at.0 as usize];
                    at = if value(node.variable) { node.high } else { node.low };
                }
            }
        }
    }

    /// The tree that is 1 inside the set and 0 outside.
    pub(crate) fn import(&mut self, set: &Bdd) -> Tree {
        self.import_inner(set, &mut FxHashMap::default())
    }

    fn import_inner(&mut self, set: &Bdd, known: &mut FxHashMap<Bdd, Tree>) -> Tree {
        let Some((variable, low, high)) = set.split() else { return Tree::leaf(u32::from(set.is_all())) };
        if let Some(&tree) = known.get(set) {
            return tree;
        }
        let low = self.import_inner(&low, known);
        let high = self.import_inner(&high, known);
        let tree = self.node(variable as u32, low, high);
        known.insert(set.clone(), tree);
        tree
    }

    /// The set of letters whose leaf passes the test.
    pub(crate) fn export(&self, tree: Tree, bdds: &Bdds, test: impl Fn(u32) -> bool) -> Bdd {
        self.export_inner(tree, bdds, &test, &mut FxHashMap::default())
    }

    fn export_inner(
        &self,
        tree: Tree,
        bdds: &Bdds,
        test: &dyn Fn(u32) -> bool,
        known: &mut FxHashMap<Tree, Bdd>,
    ) -> Bdd {
        if let Some(number) = tree.as_leaf() {
            return if test(number) { bdds.all() } else { bdds.none() };
        }
        if let Some(set) = known.get(&tree) {
            return set.clone();
        }
        let Node { variable, low, high } = self.nodes[tree.0 as usize];
        let low = self.export_inner(low, bdds, test, known);
        let high = self.export_inner(high, bdds, test, known);
        let set = bdds.variable(variable as usize).choose(&high, &low);
        known.insert(tree, set.clone());
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// A random function of four bits to numbers below three.
    fn random(forest: &mut Forest, rng: &mut Rng) -> (Tree, Vec<u32>) {
        let table: Vec<u32> = (0..16).map(|_| rng.below(3) as u32).collect();
        fn build(forest: &mut Forest, table: &[u32], variable: u32) -> Tree {
            if let [only] = table {
                return Tree::leaf(*only);
            }
            let (low, high) = table.split_at(table.len() / 2);
            let (low, high) = (build(forest, low, variable + 1), build(forest, high, variable + 1));
            forest.node(variable, low, high)
        }
        (build(forest, &table, 0), table)
    }

    fn bit(code: usize) -> impl Fn(u32) -> bool {
        move |variable| code >> (3 - variable) & 1 == 1
    }

    #[test]
    fn trees_behave_like_tables() {
        let (mut forest, mut rng) = (Forest::default(), Rng::new(4));
        for _ in 0..200 {
            let (a, a_table) = random(&mut forest, &mut rng);
            let (b, b_table) = random(&mut forest, &mut rng);
            let joined = forest.zip(a, b, |a, b| a * 3 + b);
            let mapped = forest.map(a, |a| a % 2);
            for code in 0..16 {
                assert_eq!(forest.at(a, bit(code)), a_table[code]);
                assert_eq!(forest.at(joined, bit(code)), a_table[code] * 3 + b_table[code]);
                assert_eq!(forest.at(mapped, bit(code)), a_table[code] % 2);
            }
            let below = forest.all_pairs(a, b, &mut |a, b| a <= b, &mut FxHashSet::default());
            assert_eq!(below, a_table.iter().zip(&b_table).all(|(a, b)| a <= b));
            let mut leaves = forest.leaves(a);
            leaves.sort_unstable();
            let mut expected = a_table.clone();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(leaves, expected);
            for leaf in 0..3 {
                let letter = forest.letter(a, leaf);
                assert_eq!(letter.is_some(), a_table.contains(&leaf));
                if let Some(letter) = letter {
                    let value = |variable| letter.contains(&(variable, true));
                    assert_eq!(forest.at(a, value), leaf);
                }
            }
            assert_eq!(a == b, a_table == b_table);
        }
    }

    #[test]
    fn sets_come_and_go() {
        let bdds = Bdds::new(3);
        let set = &(&bdds.variable(0) & &!&bdds.variable(2)) | &bdds.variable(1);
        let mut forest = Forest::default();
        let tree = forest.import(&set);
        assert!(forest.export(tree, &bdds, |leaf| leaf == 1) == set);
        assert!(forest.export(tree, &bdds, |leaf| leaf == 0) == !&set);
    }
}
