//! Deterministic automata while they are computed with: subset construction and minimisation.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::TranslationError;
use super::graph::{Arrow, EMPTY, Graph, Lists, Marks, Store};
use super::simulation::Dominance;
use crate::forest::Tree;

/// A deterministic automaton; the leaves of a row are states, or [`NOWHERE`].
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) rows: Vec<Tree>,
    pub(crate) initial: u32,
}

/// The leaf of letters that a state does not take.
pub(crate) const NOWHERE: u32 = (1 << 31) - 1;

/// For each state of a chart, the states of the graph it stands for.
pub(crate) type Members = Vec<Rc<[u32]>>;

/// Reads every word with the set of states a graph may be in, and says which states each set holds. Marks do
/// not count. At most `limit` sets are made.
///
/// A state beside which the set holds one that simulates it is left out of the set: it adds no word.
pub(crate) fn subsets(
    store: &mut Store,
    graph: &Graph,
    limit: usize,
) -> Result<(Chart, Members), TranslationError> {
    let dominance = Dominance::new(store, graph);
    let mut sets: Lists<u32> = Lists::default();
    let Store { forest, arrows } = store;
    let rows: Vec<Tree> = graph
        .rows
        .iter()
        .map(|&row| {
            forest.map(row, |leaf| {
                let states = arrows.get(leaf).iter().map(|arrow| arrow.to).collect();
                sets.number(dominance.strongest(states))
            })
        })
        .collect();
    let start = sets.number(vec![graph.initial]);
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    numbers.insert(start, 0);
    let mut order = vec![start];
    let mut chart = Chart { rows: Vec::new(), initial: 0 };
    let mut unions: FxHashMap<(Tree, Tree), Tree> = FxHashMap::default();
    while let Some(&set) = order.get(chart.rows.len()) {
        let members = sets.get(set).clone();
        let mut row = Tree::leaf(EMPTY);
        for &member in members.iter() {
            let mut join = |a: u32, b: u32| {
                if a == b || b == EMPTY {
                    return a;
                }
                let both = sets.get(a).iter().chain(sets.get(b).iter()).copied().collect();
                sets.number(dominance.strongest(both))
            };
            row = forest.zip_known(row, rows[member as usize], &mut join, &mut unions);
        }
        let row = forest.map(row, |leaf| {
            if leaf == EMPTY {
                return NOWHERE;
            }
            *numbers.entry(leaf).or_insert_with(|| {
                order.push(leaf);
                (order.len() - 1) as u32
            })
        });
        chart.rows.push(row);
        if order.len() > limit || forest.is_full() {
            return Err(TranslationError::TooLarge);
        }
    }
    let members = order.iter().map(|&set| sets.get(set).clone()).collect();
    Ok((chart, members))
}

impl Chart {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The states each state leads to.
    pub(crate) fn successors(&self, store: &Store, at: u32) -> Vec<u32> {
        let leaves = store.forest.leaves(self.rows[at as usize]);
        leaves.into_iter().filter(|&leaf| leaf != NOWHERE).collect()
    }

    /// The smallest automaton that tells apart what the colours of states tell apart, and the colour of each
    /// of its states. All states must be reachable.
    ///
    /// Moore's refinement; the signature of a state is its row with classes at the leaves, which is one
    /// number.
    pub(crate) fn minimise(&self, store: &mut Store, colours: &[u32]) -> (Chart, Vec<u32>) {
        let mut class: Vec<u32> = colours.to_vec();
        let mut count = 0;
        loop {
            let mut signatures: FxHashMap<(u32, Tree), u32> = FxHashMap::default();
            let mut next = Vec::with_capacity(class.len());
            for (at, &row) in self.rows.iter().enumerate() {
                let row =
                    store.forest.map(row, |leaf| if leaf == NOWHERE { leaf } else { class[leaf as usize] });
                let fresh = signatures.len() as u32;
                next.push(*signatures.entry((class[at], row)).or_insert(fresh));
            }
            let refined = signatures.len();
            class = next;
            if refined == count {
                break;
            }
            count = refined;
        }
        let first = |class_number: u32| class.iter().position(|&of| of == class_number).unwrap_or_default();
        let firsts: Vec<usize> = (0..count as u32).map(first).collect();
        let moved = |leaf: u32| if leaf == NOWHERE { leaf } else { class[leaf as usize] };
        let rows = firsts.iter().map(|&at| store.forest.map(self.rows[at], moved)).collect();
        let colours = firsts.iter().map(|&at| colours[at]).collect();
        (Chart { rows, initial: class[self.initial as usize] }, colours)
    }

    /// The same automaton as a graph with one mark, on the arrows that leave accepting states.
    pub(crate) fn to_graph(&self, store: &mut Store, accepting: impl Fn(u32) -> bool) -> Graph {
        let Store { forest, arrows } = store;
        let rows = (0u32..).zip(&self.rows).map(|(at, &row)| {
            let marks = Marks::from(accepting(at));
            forest.map(row, |leaf| match leaf {
                NOWHERE => EMPTY,
                to => arrows.number(vec![Arrow { to, marks }]),
            })
        });
        Graph { rows: rows.collect(), initial: self.initial, marks: 1 }
    }

    /// The same automaton with a state for what went nowhere, and the number of that state.
    pub(crate) fn complete(&self, store: &mut Store) -> (Chart, u32) {
        let sink = self.rows.len() as u32;
        let mut rows: Vec<Tree> = Vec::new();
        for &row in &self.rows {
            rows.push(store.forest.map(row, |leaf| if leaf == NOWHERE { sink } else { leaf }));
        }
        rows.push(Tree::leaf(sink));
        (Chart { rows, initial: self.initial }, sink)
    }
}
