//! Merges states and proves each merger right against the automaton of the negation.

use super::draft::{Arrow, Draft, Marks, Store};
use super::prune::reachable;
use crate::connected::Components;

/// How many arrows may be walked before no further merger is tried.
const WORK: usize = 4_000_000;
/// The most pairs of a state and a state of the negation that are looked at.
const PAIRS: usize = 4_000;

/// Merges states as long as no word of the negation gets accepted.
///
/// A merged state has the arrows of both, so it never accepts less; that it does not accept more is checked on
/// the product with the negation. Few pairs get that far: `q` and `r` can only be merged if no word that leads
/// to one may go on with a word of the other into the negation.
///
/// With `state_based`, the arrows of a state have the same marks, and so have those of a merged state.
pub(crate) fn merge(store: &mut Store, draft: &Draft, negation: &Draft, state_based: bool) -> Draft {
    if draft.len() < 2 || draft.len() * negation.len() > PAIRS || draft.marks + negation.marks > Marks::BITS {
        return draft.clone();
    }
    let mut merger = Merger::new(store, draft, negation, state_based);
    merger.run();
    let class = merger.class;
    if class.iter().enumerate().all(|(at, &first)| at == first as usize) {
        return draft.clone();
    }
    let mut rows = draft.rows.clone();
    for (at, &first) in class.iter().enumerate().filter(|&(at, &first)| at != first as usize) {
        rows[first as usize] = store.join(rows[first as usize], rows[at], |a, b| [a, b].concat());
    }
    let merged = Draft { rows, ..*draft }.change(store, |_, list| {
        list.iter().map(|arrow| Arrow { to: class[arrow.to as usize], ..*arrow }).collect()
    });
    let merged = if state_based { spread(store, &merged) } else { merged };
    reachable(store, &Draft { initial: class[draft.initial as usize], ..merged })
}

/// Gives every arrow of a state the marks that some arrow of it has.
fn spread(store: &mut Store, draft: &Draft) -> Draft {
    let marks = own_marks(store, draft);
    draft.change(store, |at, list| {
        list.iter().map(|arrow| Arrow { marks: marks[at as usize], ..*arrow }).collect()
    })
}

/// For each state the marks that some arrow of it has.
fn own_marks(store: &Store, draft: &Draft) -> Vec<Marks> {
    draft.arrows(store).iter().map(|list| list.iter().fold(0, |all, arrow| all | arrow.marks)).collect()
}

/// The pairs of a state and a state of the negation, each at `state * others + other`.
struct Merger {
    states: usize,
    others: usize,
    arrows: Vec<Vec<Arrow>>,
    start: usize,
    all: Marks,
    /// With `state_based`, the marks of each state: also of arrows that no pair takes, since the negation may
    /// have no arrow beside them.
    marks: Option<Vec<Marks>>,
    /// For each state the first state it is merged with.
    class: Vec<u32>,
}

impl Merger {
    fn new(store: &Store, draft: &Draft, negation: &Draft, state_based: bool) -> Merger {
        let (states, others) = (draft.len(), negation.len());
        let mut arrows = Vec::with_capacity(states * others);
        for &row in &draft.rows {
            for &other in &negation.rows {
                let mut list = Vec::new();
                for (one, two) in store.forest.pairs(row, other) {
                    for one in store.arrows.get(one).iter() {
                        for two in store.arrows.get(two).iter() {
                            let to = one.to * others as u32 + two.to;
                            list.push(Arrow { to, marks: one.marks | two.marks << draft.marks });
                        }
                    }
                }
                list.sort_unstable();
                list.dedup();
                arrows.push(list);
            }
        }
        Merger {
            states,
            others,
            arrows,
            start: draft.initial as usize * others + negation.initial as usize,
            all: draft.all_marks() | negation.all_marks() << draft.marks,
            marks: state_based.then(|| own_marks(store, draft)),
            class: (0..states as u32).collect(),
        }
    }

    fn run(&mut self) {
        let round: usize = self.arrows.iter().map(Vec::len).sum();
        let mut work = 0;
        'again: loop {
            let (arrows, live) = self.merged();
            let reached = self.reached(&arrows);
            let firsts: Vec<usize> = (0..self.states).filter(|&at| self.class[at] as usize == at).collect();
            for (place, &q) in firsts.iter().enumerate() {
                for &r in &firsts[place + 1..] {
                    let clash = |q: usize, r: usize| {
                        let other =
                            |other: usize| reached[q * self.others + other] && live[r * self.others + other];
                        (0..self.others).any(other)
                    };
                    if clash(q, r) || clash(r, q) {
                        continue;
                    }
                    work += round;
                    if work > WORK {
                        return;
                    }
                    let before = self.class.clone();
                    self.class
                        .iter_mut()
                        .filter(|class| **class == r as u32)
                        .for_each(|class| *class = q as u32);
                    let (arrows, live) = self.merged();
                    let start = self.moved(self.start);
                    if self.reached(&arrows).iter().zip(&live).any(|(&reached, &live)| reached && live)
                        || live[start]
                    {
                        self.class = before;
                    } else {
                        continue 'again;
                    }
                }
            }
            return;
        }
    }

    fn moved(&self, pair: usize) -> usize {
        self.class[pair / self.others] as usize * self.others + pair % self.others
    }

    /// The arrows between pairs with classes for states, and for each pair whether some word is accepted by
    /// both sides.
    fn merged(&self) -> (Vec<Vec<Arrow>>, Vec<bool>) {
        let mut arrows = vec![Vec::new(); self.arrows.len()];
        for (pair, list) in self.arrows.iter().enumerate() {
            let moved = |arrow: &Arrow| Arrow { to: self.moved(arrow.to as usize) as u32, ..*arrow };
            arrows[self.moved(pair)].extend(list.iter().map(moved));
        }
        if let Some(marks) = &self.marks {
            let mut joined: Vec<Marks> = vec![0; self.states];
            self.class.iter().zip(marks).for_each(|(&class, &marks)| joined[class as usize] |= marks);
            for (pair, list) in arrows.iter_mut().enumerate() {
                list.iter_mut().for_each(|arrow| arrow.marks |= joined[pair / self.others]);
            }
        }
        let components = Components::of_arrows(&arrows);
        let marks = components.marks(&arrows);
        let mut live = vec![false; arrows.len()];
        for (number, members) in components.members().iter().enumerate() {
            let beyond = |&at: &usize| arrows[at].iter().any(|arrow| live[arrow.to as usize]);
            if marks[number] == Some(self.all) || members.iter().any(beyond) {
                members.iter().for_each(|&at| live[at] = true);
            }
        }
        (arrows, live)
    }

    fn reached(&self, arrows: &[Vec<Arrow>]) -> Vec<bool> {
        let mut reached = vec![false; arrows.len()];
        let mut open = vec![self.moved(self.start)];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                open.extend(arrows[at].iter().map(|arrow| arrow.to as usize));
            }
        }
        reached
    }
}
