//! Deterministic automata while they are computed with: subset construction and minimisation.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::TranslationError;
use super::draft::{Arrow, Draft, EMPTY, Lists, Marks, Store};
use super::refine::refine;
use super::simulation::Dominance;
use crate::bdd::Space;
use crate::ltl::forest::{Forest, Tree};

/// A deterministic automaton; the leaves of a row are states, or [`NOWHERE`].
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) rows: Vec<Tree>,
    pub(crate) initial: u32,
}

/// The leaf of letters that a state does not take.
pub(crate) const NOWHERE: u32 = (1 << 31) - 1;

/// How many members all sets may have that are joined while a chart is made.
const MEMBERS: usize = 10_000_000;

/// How many ways may lead from a set to another.
const WAYS: usize = 500_000;

/// For each state of a chart, the states of the draft it stands for.
pub(crate) type Members = Vec<Rc<[u32]>>;

/// Reads every word with the set of states a draft may be in, and says which states each set holds. Marks do
/// not count. At most `limit` sets are made.
///
/// A state beside which the set holds one that simulates it is left out of the set: it adds no word.
pub(crate) fn subsets(
    store: &mut Store,
    draft: &Draft,
    limit: usize,
) -> Result<(Chart, Members), TranslationError> {
    if draft.is_deterministic(store) {
        let members = (0..draft.len() as u32).map(|at| Rc::from([at])).collect();
        return Ok((Chart::of_deterministic(store, draft), members));
    }
    let dominance = Dominance::new(store, draft);
    let targets = |list: &[Arrow]| dominance.strongest(list.iter().map(|arrow| arrow.to).collect());
    Subsets::new(store, draft, targets, |set| dominance.strongest(set)).run(vec![draft.initial], limit)
}

/// Reads every finite word and says whether a draft accepts it: by a run whose last arrow has a mark. The empty
/// word is accepted if `empty` says so. What leads nowhere is accepted no more.
pub(crate) fn endings(
    store: &mut Store,
    draft: &Draft,
    empty: bool,
    limit: usize,
) -> Result<(Chart, Vec<bool>), TranslationError> {
    let dominance = Dominance::new(store, draft);
    // A state of its own, without arrows, says that the word may end here.
    let end = draft.len() as u32;
    let strongest = |mut set: Vec<u32>| {
        let ends = set.contains(&end);
        set.retain(|&at| at != end);
        let mut set = dominance.strongest(set);
        set.extend(ends.then_some(end));
        set
    };
    let targets = |list: &[Arrow]| {
        let ends = list.iter().any(|arrow| arrow.marks != 0);
        strongest(list.iter().map(|arrow| arrow.to).chain(ends.then_some(end)).collect())
    };
    let mut start = vec![draft.initial];
    start.extend(empty.then_some(end));
    let (chart, members) = Subsets::new(store, draft, targets, strongest).run(start, limit)?;
    Ok((chart, members.iter().map(|set| set.contains(&end)).collect()))
}

/// The subset construction.
struct Subsets<'a, F> {
    forest: &'a mut Forest,
    sets: Lists<u32>,
    /// The rows of the draft, with numbers of sets at the leaves; the last one is empty.
    rows: Vec<Tree>,
    /// Takes out of a set what it does not need.
    strongest: F,
}

impl<'a, F: Fn(Vec<u32>) -> Vec<u32>> Subsets<'a, F> {
    fn new(
        store: &'a mut Store,
        draft: &Draft,
        targets: impl Fn(&[Arrow]) -> Vec<u32>,
        strongest: F,
    ) -> Subsets<'a, F> {
        let mut sets: Lists<u32> = Lists::default();
        let Store { forest, arrows } = store;
        let mut row = |&row: &Tree| forest.map(row, |leaf| sets.number(targets(arrows.get(leaf))));
        let mut rows: Vec<Tree> = draft.rows.iter().map(&mut row).collect();
        rows.push(Tree::leaf(EMPTY));
        Subsets { forest, sets, rows, strongest }
    }

    fn run(self, start: Vec<u32>, limit: usize) -> Result<(Chart, Members), TranslationError> {
        let Subsets { forest, mut sets, rows, strongest } = self;
        let start = sets.number(start);
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        numbers.insert(start, 0);
        let mut order = vec![start];
        let mut chart = Chart { rows: Vec::new(), initial: 0 };
        let mut unions: FxHashMap<(Tree, Tree), Tree> = FxHashMap::default();
        let (mut joined, mut ways) = (0, 0);
        while let Some(&set) = order.get(chart.rows.len()) {
            let members = sets.get(set).clone();
            let mut join = |a: u32, b: u32| {
                if a == b || b == EMPTY {
                    return a;
                }
                joined += sets.get(a).len() + sets.get(b).len();
                if joined > MEMBERS {
                    return EMPTY;
                }
                let both = sets.get(a).iter().chain(sets.get(b).iter()).copied().collect();
                sets.number(strongest(both))
            };
            let mut join_row = |sum: Tree, &member: &u32| {
                forest.zip_known(sum, rows[member as usize], &mut join, &mut unions)
            };
            let row = members.iter().fold(Tree::leaf(EMPTY), &mut join_row);
            chart.rows.push(forest.map(row, |leaf| {
                if leaf == EMPTY {
                    return NOWHERE;
                }
                *numbers.entry(leaf).or_insert_with(|| {
                    order.push(leaf);
                    (order.len() - 1) as u32
                })
            }));
            ways += chart.rows.last().map_or(0, |&row| forest.leaves(row).len());
            if order.len() > limit || forest.is_full() || joined > MEMBERS || ways > WAYS {
                return Err(TranslationError::TooLarge);
            }
        }
        let members = order.iter().map(|&set| sets.get(set).clone()).collect();
        Ok((chart, members))
    }
}

impl Chart {
    /// The chart that reads every word.
    pub(crate) fn of_everything(space: &Space, store: &mut Store) -> Chart {
        let valid = store.forest.import(&space.exchanges());
        let row = store.forest.map(valid, |leaf| if leaf == 1 { 0 } else { NOWHERE });
        Chart { rows: vec![row], initial: 0 }
    }

    /// The chart of a draft where every letter takes at most one arrow.
    fn of_deterministic(store: &mut Store, draft: &Draft) -> Chart {
        let Store { forest, arrows } = store;
        let target = |leaf: u32| arrows.get(leaf).first().map_or(NOWHERE, |arrow| arrow.to);
        let rows = draft.rows.iter().map(|&row| forest.map(row, target)).collect();
        Chart { rows, initial: draft.initial }
    }

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
    /// The signature of a state is its row with classes at the leaves, which is one number.
    pub(crate) fn minimise(&self, store: &mut Store, colours: &[u32]) -> (Chart, Vec<u32>) {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        for from in 0..self.len() as u32 {
            self.successors(store, from).into_iter().for_each(|to| before[to as usize].push(from));
        }
        let (class, count) = refine(colours, &before, |at, class| {
            let moved = |leaf: u32| if leaf == NOWHERE { leaf } else { class[leaf as usize] };
            store.forest.map(self.rows[at as usize], moved)
        });
        let mut firsts: Vec<usize> = Vec::with_capacity(count);
        for (at, &own) in class.iter().enumerate() {
            if own as usize == firsts.len() {
                firsts.push(at);
            }
        }
        let moved = |leaf: u32| if leaf == NOWHERE { leaf } else { class[leaf as usize] };
        let rows = firsts.iter().map(|&at| store.forest.map(self.rows[at], moved)).collect();
        let colours = firsts.iter().map(|&at| colours[at]).collect();
        (Chart { rows, initial: class[self.initial as usize] }, colours)
    }

    /// The same automaton as a draft with one mark, on the arrows that leave accepting states.
    pub(crate) fn to_draft(&self, store: &mut Store, accepting: impl Fn(u32) -> bool) -> Draft {
        let Store { forest, arrows } = store;
        let rows = (0u32..).zip(&self.rows).map(|(at, &row)| {
            let marks = Marks::from(accepting(at));
            forest.map(row, |leaf| match leaf {
                NOWHERE => EMPTY,
                to => arrows.number(vec![Arrow { to, marks }]),
            })
        });
        Draft { rows: rows.collect(), initial: self.initial, marks: 1 }
    }

    /// The same automaton with nowhere to go outside the valid letters.
    pub(crate) fn within(&self, store: &mut Store, valid: Tree) -> Chart {
        let mut inside =
            |&row: &Tree| store.forest.zip(valid, row, |valid, leaf| if valid == 1 { leaf } else { NOWHERE });
        Chart { rows: self.rows.iter().map(&mut inside).collect(), ..*self }
    }

    /// For each state, whether every word of valid letters can be read from it.
    pub(crate) fn reads_all(&self, store: &mut Store, valid: Tree) -> Vec<bool> {
        const IGNORED: u32 = NOWHERE - 1;
        let mut leaves = |&row: &Tree| {
            let row = store.forest.zip(valid, row, |valid, leaf| if valid == 1 { leaf } else { IGNORED });
            store.forest.leaves(row).into_iter().filter(|&leaf| leaf != IGNORED).collect()
        };
        let leaves: Vec<Vec<u32>> = self.rows.iter().map(&mut leaves).collect();
        let mut all = vec![true; self.len()];
        loop {
            let fails =
                |at: usize| all[at] && leaves[at].iter().any(|&leaf| leaf == NOWHERE || !all[leaf as usize]);
            let failed: Vec<usize> = (0..self.len()).filter(|&at| fails(at)).collect();
            if failed.is_empty() {
                return all;
            }
            failed.into_iter().for_each(|at| all[at] = false);
        }
    }

    /// Runs two deterministic automata together: states are numbered pairs. Where one has nowhere to go, its
    /// half of the pair is [`NOWHERE`] and stays so.
    pub(crate) fn pair(
        store: &mut Store,
        a: &Chart,
        b: &Chart,
        limit: usize,
    ) -> Result<(Chart, Vec<(u32, u32)>), TranslationError> {
        let row = |chart: &Chart, at: u32| match at {
            NOWHERE => Tree::leaf(NOWHERE),
            at => chart.rows[at as usize],
        };
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut pairs = vec![(a.initial, b.initial)];
        numbers.insert(pairs[0], 0);
        let mut rows = Vec::new();
        while let Some(&(left, right)) = pairs.get(rows.len()) {
            let (left, right) = (row(a, left), row(b, right));
            let both = store.forest.zip(left, right, |left, right| {
                *numbers.entry((left, right)).or_insert_with(|| {
                    pairs.push((left, right));
                    (pairs.len() - 1) as u32
                })
            });
            rows.push(both);
            if pairs.len() > limit || store.forest.is_full() {
                return Err(TranslationError::TooLarge);
            }
        }
        Ok((Chart { rows, initial: 0 }, pairs))
    }

    /// The same automaton without the states that are to go and without unreachable ones, and the old number of
    /// each state that stays; nothing where the initial state is to go.
    pub(crate) fn without(&self, store: &mut Store, gone: impl Fn(u32) -> bool) -> Option<(Chart, Vec<u32>)> {
        if gone(self.initial) {
            return None;
        }
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order = vec![self.initial];
        numbers.insert(self.initial, 0);
        let mut rows = Vec::new();
        while let Some(&at) = order.get(rows.len()) {
            rows.push(store.forest.map(self.rows[at as usize], |leaf| {
                if leaf == NOWHERE || gone(leaf) {
                    return NOWHERE;
                }
                *numbers.entry(leaf).or_insert_with(|| {
                    order.push(leaf);
                    (order.len() - 1) as u32
                })
            }));
        }
        Some((Chart { rows, initial: 0 }, order))
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
