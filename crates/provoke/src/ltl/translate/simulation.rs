//! Merges states that can do the same, by simulation.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::draft::{Arrow, Draft, EMPTY, Marks, Store};
use super::prune::reachable;
use super::refine::refine;
use crate::connected::Components;
use crate::ltl::forest::Tree;

/// Sets of states, one for each state, a bit for each member.
#[derive(Clone)]
struct Sets {
    states: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    fn new(states: usize, holds: impl Fn(u32, u32) -> bool) -> Sets {
        let words = states.div_ceil(64);
        let mut sets = Sets { states, words, bits: vec![0; states * words] };
        for of in 0..states {
            for member in (0..states).filter(|&member| holds(of as u32, member as u32)) {
                sets.bits[of * words + member / 64] |= 1 << (member % 64);
            }
        }
        sets
    }

    fn at(&self, of: u32, member: u32) -> bool {
        self.bits[of as usize * self.words + member as usize / 64] >> (member % 64) & 1 == 1
    }

    fn remove(&mut self, of: u32, member: u32) {
        self.bits[of as usize * self.words + member as usize / 64] &= !(1 << (member % 64));
    }
}

/// Which states do whatever others do: `at(q, r)` says that every step of `q` can be answered by `r`.
struct Relation(Sets);

impl Relation {
    fn at(&self, less: u32, more: u32) -> bool {
        self.0.at(less, more)
    }

    fn equal(&self, a: u32, b: u32) -> bool {
        self.at(a, b) && self.at(b, a)
    }
}

/// How many states an automaton may have for its simulation to be computed: every pair is looked at.
const STATES: usize = 1_000;

/// How many arrows and sets may be looked at to compute a simulation.
const WORK: usize = 300_000_000;
/// After how many of them the clock is looked at.
const LOOK: usize = 1_000_000;

/// The largest simulation inside `start`: an arrow is answered by one to a state that does as much and with all
/// its marks. `less` and `more` are the rows of the two sides; they differ in marks at most. Nothing where there
/// are too many states, or too many arrows between them.
fn simulate(
    store: &Store,
    less: &[Tree],
    more: &[Tree],
    start: impl Fn(u32, u32) -> bool,
) -> Option<Relation> {
    let states = less.len();
    if states > STATES {
        return None;
    }
    let before = predecessors(store, less);
    let mut relation = Relation(Sets::new(states, start));
    let words = relation.0.words;
    // Which predecessors a state has, as a set.
    let mut entered = Sets::new(states, |_, _| false);
    for (at, list) in before.iter().enumerate() {
        list.iter().for_each(|&from| entered.bits[at * words + from as usize / 64] |= 1 << (from % 64));
    }
    let mut waiting = relation.0.clone();
    (0..states as u32).for_each(|at| waiting.remove(at, at));
    let mut queue: VecDeque<(u32, u32)> = (0..states as u32)
        .flat_map(|q| (0..states as u32).map(move |r| (q, r)))
        .filter(|&(q, r)| waiting.at(q, r))
        .collect();
    // A list that another does not answer will never be answered by it: the relation only shrinks.
    let mut unanswered: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut known = FxHashSet::default();
    let (mut work, mut looked) = (0, 0);
    while let Some((q, r)) = queue.pop_front() {
        if work > WORK {
            return None;
        }
        if work - looked > LOOK {
            looked = work;
            if store.forest.is_late() {
                return None;
            }
        }
        waiting.remove(q, r);
        let mut answers = |a: u32, b: u32| {
            if unanswered.contains(&(a, b)) {
                return false;
            }
            let (one, two) = (store.arrows.get(a), store.arrows.get(b));
            work += 10 + one.len() * two.len();
            let answered = |one: &Arrow| {
                two.iter().any(|two| one.marks & !two.marks == 0 && relation.at(one.to, two.to))
            };
            let all = one.iter().all(answered);
            if !all {
                unanswered.insert((a, b));
            }
            all
        };
        known.clear();
        if store.forest.all_pairs(less[q as usize], more[r as usize], &mut answers, &mut known) {
            work += 10 * known.len();
            continue;
        }
        work += 10 * known.len() + before[q as usize].len() * words;
        relation.0.remove(q, r);
        for &p in &before[q as usize] {
            for word in 0..words {
                let place = p as usize * words + word;
                let mut again =
                    relation.0.bits[place] & entered.bits[r as usize * words + word] & !waiting.bits[place];
                while again != 0 {
                    let s = word as u32 * 64 + again.trailing_zeros();
                    if s != p {
                        waiting.bits[place] |= again & again.wrapping_neg();
                        queue.push_back((p, s));
                    }
                    again &= again - 1;
                }
            }
        }
    }
    Some(relation)
}

/// The states with an arrow to each state.
fn predecessors(store: &Store, rows: &[Tree]) -> Vec<Vec<u32>> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
    for (from, &row) in (0u32..).zip(rows) {
        let mut targets: Vec<u32> = store.arrows_of(row).iter().map(|arrow| arrow.to).collect();
        targets.dedup();
        targets.into_iter().for_each(|to| before[to as usize].push(from));
    }
    before
}

/// Which states need not stand in a set beside others.
pub(crate) struct Dominance(Option<Relation>);

impl Dominance {
    pub(crate) fn new(store: &Store, draft: &Draft) -> Dominance {
        Dominance(simulate(store, &draft.rows, &draft.rows, |_, _| true))
    }

    /// The states of a set without those that another one simulates.
    pub(crate) fn strongest(&self, mut states: Vec<u32>) -> Vec<u32> {
        states.sort_unstable();
        states.dedup();
        let Some(relation) = &self.0 else { return states };
        let weaker =
            |one: u32, two: u32| one != two && relation.at(one, two) && (!relation.at(two, one) || two < one);
        states.iter().copied().filter(|&one| !states.iter().any(|&two| weaker(one, two))).collect()
    }
}

/// How many states may be compared by their arrows.
const LARGE: usize = 8_000;

/// Merges states that have the same arrows, letter by letter, to merged states. Very large automata are left
/// alone: along two chains, every round of refinement may move a whole chain.
fn bisimilar(store: &mut Store, draft: &Draft) -> Draft {
    if draft.len() > LARGE {
        return draft.clone();
    }
    let before = predecessors(store, &draft.rows);
    let (class, _) = refine(&vec![0; draft.len()], &before, |at, class| {
        let moved = |arrow: &Arrow| Arrow { to: class[arrow.to as usize], ..*arrow };
        store.change(draft.rows[at as usize], |list| list.iter().map(moved).collect())
    });
    let number: Vec<Option<u32>> = class.into_iter().map(Some).collect();
    let merged = draft.renumber(store, &number);
    reachable(store, &merged)
}

/// Merges states that simulate each other and drops arrows beside which a stronger one stands.
pub(crate) fn forward(store: &mut Store, draft: &Draft) -> Draft {
    let draft = &bisimilar(store, draft);
    // Where there is no choice, simulating each other is having the same arrows.
    if draft.is_deterministic(store) {
        return draft.clone();
    }
    match simulate(store, &draft.rows, &draft.rows, |_, _| true) {
        Some(relation) => quotient(store, draft, &relation),
        None => draft.clone(),
    }
}

/// How many arrows an automaton may have for a look at it backwards.
const BACKWARD: usize = 800;

/// The same backwards: merges states that can be reached in the same way. Large automata are left alone.
///
/// With `state_based`, states are merged only if they accept alike.
pub(crate) fn backward(store: &mut Store, draft: &Draft, state_based: bool) -> Draft {
    if draft.arrows(store).iter().map(Vec::len).sum::<usize>() > BACKWARD {
        return draft.clone();
    }
    let turned = transpose(store, draft);
    let initial = draft.initial;
    let marks: Vec<Marks> = match state_based {
        true => draft.arrows(store).iter().map(|list| list.first().map_or(0, |arrow| arrow.marks)).collect(),
        false => vec![0; draft.len()],
    };
    let start =
        |q: u32, r: u32| (q != initial || r == initial) && marks[q as usize] & !marks[r as usize] == 0;
    let Some(relation) = simulate(store, &turned.rows, &turned.rows, start) else { return draft.clone() };
    // Arrows are dropped by where they come from, states merged by joining what leaves them.
    let turned = thin(store, &turned, &relation);
    let draft = transpose(store, &turned);
    let representative = representatives(&relation);
    let mut rows = draft.rows.clone();
    for (at, &first) in representative.iter().enumerate() {
        if first as usize != at {
            rows[first as usize] = store.join(rows[first as usize], rows[at], |a, b| [a, b].concat());
        }
    }
    let merged = Draft { rows, ..draft }.change(store, |_, list| {
        list.iter().map(|arrow| Arrow { to: representative[arrow.to as usize], ..*arrow }).collect()
    });
    let initial = representative[initial as usize];
    reachable(store, &Draft { initial, ..merged })
}

/// Sends what enters a state to another state that accepts the same and lies in a lower component.
///
/// Marks on arrows between components never matter, so here they count for nothing on the weaker side and for
/// everything on the stronger. The relation then says that one accepts what the other does, but no more; that
/// is enough, because such a detour can be taken only finitely often.
pub(crate) fn redirect(store: &mut Store, draft: &Draft) -> Draft {
    let components = Components::of_arrows(&draft.arrows(store));
    if components.count == 1 || draft.len() > STATES {
        return draft.clone();
    }
    let between = |at: u32, arrow: &Arrow| !components.inside(at as usize, arrow);
    let mut with = |marks: Marks| {
        draft.change(store, |at, list| {
            let fit = |arrow: &Arrow| if between(at, arrow) { Arrow { marks, ..*arrow } } else { *arrow };
            list.iter().map(fit).collect()
        })
    };
    let (less, more) = (with(0), with(draft.all_marks()));
    let Some(relation) = simulate(store, &less.rows, &more.rows, |_, _| true) else { return draft.clone() };
    let states = 0..draft.len() as u32;
    let target: Vec<u32> = states
        .clone()
        .map(|at| {
            let lower = |other: &u32| components.of[*other as usize] < components.of[at as usize];
            let equal = states.clone().filter(|&other| relation.equal(at, other)).filter(lower);
            equal.min_by_key(|&other| (components.of[other as usize], other)).unwrap_or(at)
        })
        .collect();
    let changed = draft.change(store, |_, list| {
        list.iter().map(|arrow| Arrow { to: target[arrow.to as usize], ..*arrow }).collect()
    });
    reachable(store, &Draft { initial: target[draft.initial as usize], ..changed })
}

/// The first state of each class of equals.
fn representatives(relation: &Relation) -> Vec<u32> {
    let states = relation.0.states as u32;
    (0..states).map(|at| (0..at).find(|&before| relation.equal(at, before)).unwrap_or(at)).collect()
}

fn quotient(store: &mut Store, draft: &Draft, relation: &Relation) -> Draft {
    let representative = representatives(relation);
    let merged = draft.change(store, |_, list| {
        list.iter().map(|arrow| Arrow { to: representative[arrow.to as usize], ..*arrow }).collect()
    });
    let thinned = thin(store, &merged, relation);
    reachable(store, &Draft { initial: representative[draft.initial as usize], ..thinned })
}

/// Drops arrows that stand beside one to a strictly stronger state with at least their marks.
fn thin(store: &mut Store, draft: &Draft, relation: &Relation) -> Draft {
    draft.change(store, |_, list| {
        let weaker = |one: &Arrow, two: &Arrow| {
            one.marks & !two.marks == 0 && relation.at(one.to, two.to) && !relation.at(two.to, one.to)
        };
        list.iter().filter(|one| !list.iter().any(|two| weaker(one, two))).copied().collect()
    })
}

/// The automaton with all arrows turned round.
fn transpose(store: &mut Store, draft: &Draft) -> Draft {
    let mut rows = vec![Tree::leaf(EMPTY); draft.len()];
    for (from, &row) in (0u32..).zip(&draft.rows) {
        let mut targets: Vec<u32> = store.arrows_of(row).iter().map(|arrow| arrow.to).collect();
        targets.dedup();
        for to in targets {
            let turned = store.change(row, |list| {
                let back = list.iter().filter(|arrow| arrow.to == to);
                back.map(|arrow| Arrow { to: from, marks: arrow.marks }).collect()
            });
            rows[to as usize] = store.join(rows[to as usize], turned, |a, b| [a, b].concat());
        }
    }
    Draft { rows, ..*draft }
}
