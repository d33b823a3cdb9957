//! What must not happen: automata all of whose runs are followed at once.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Time;
use super::letters::Letters;
use crate::automaton::{Acceptance, Automaton, Edge};
use crate::bdd::Bdd;
use crate::connected::Components;

/// One automaton of what must not happen, and the place of the promise that it is about.
pub(super) struct Forbidden {
    pub(super) promise: usize,
    pub(super) kind: Kind,
}

/// How an automaton says that a promise is broken.
pub(super) enum Kind {
    /// A deterministic automaton: an exchange without an edge breaks the promise.
    Safety(Rc<Automaton>),
    /// A Büchi automaton of the runs that break the promise.
    Runs(Automaton),
}

impl Forbidden {
    pub(super) fn automaton(&self) -> &Automaton {
        match &self.kind {
            Kind::Safety(automaton) => automaton,
            Kind::Runs(automaton) => automaton,
        }
    }
}

/// The most entries of a table.
const ENTRIES: usize = 1 << 28;

/// Where the runs that are followed may be; larger is worse. For each state 0 where no run is, otherwise one more than
/// how often a run that is there has been accepting since it came to its component.
pub(super) type Counters = Box<[u8]>;

/// All automata of what must not happen, as one table.
#[derive(Clone)]
pub(super) struct Universal {
    /// For each state and pair of letters, the number of a list.
    moves: Vec<Vec<u32>>,
    lists: Vec<List>,
    accepting: Vec<bool>,
    /// The component of each state in which runs may be accepting again and again; none for states outside.
    component: Vec<Option<u32>>,
    promise: Vec<usize>,
    start: Vec<u32>,
    outputs: usize,
}

/// Runs that are in one state.
pub(super) struct Run<'a> {
    state: usize,
    value: u8,
    /// For each pair of letters, the number of a list.
    moves: &'a [u32],
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct List {
    to: Vec<u32>,
    /// The promise is broken for good.
    broken: bool,
}

/// The guards of some automata, those of all exchanges included.
pub(super) fn guards(automata: &[&Automaton]) -> Vec<Bdd> {
    let edges = automata.iter().flat_map(|automaton| automaton.states.iter().flat_map(|state| &state.edges));
    edges.map(|edge| edge.guard.clone()).collect()
}

impl Universal {
    /// The table of some automata; none where it is too large, or time is up.
    pub(super) fn new(forbidden: &[Forbidden], letters: &Letters, time: Time) -> Option<Universal> {
        let states: usize = forbidden.iter().map(|part| part.automaton().states.len()).sum();
        if states.saturating_mul(letters.pairs()) > ENTRIES {
            return None;
        }
        let (mut universal, mut numbers) = (
            Universal {
                moves: Vec::new(),
                lists: Vec::new(),
                accepting: Vec::new(),
                component: Vec::new(),
                promise: Vec::new(),
                start: Vec::new(),
                outputs: letters.outputs.len(),
            },
            FxHashMap::default(),
        );
        let mut components = 0;
        for part in forbidden {
            universal.add(part, letters, &mut numbers, &mut components, time)?;
        }
        Some(universal)
    }

    fn add(
        &mut self,
        part: &Forbidden,
        letters: &Letters,
        numbers: &mut FxHashMap<List, u32>,
        components: &mut u32,
        time: Time,
    ) -> Option<()> {
        let automaton = part.automaton();
        let first = self.moves.len() as u32;
        let is_safety = matches!(part.kind, Kind::Safety(_));
        if automaton.states.is_empty() {
            // A safety automaton without states is broken from the start.
            if is_safety {
                let list = List { to: Vec::new(), broken: true };
                let number = self.number(list, numbers);
                self.push(vec![number; letters.pairs()], false, None, part.promise);
                self.start.push(first);
            }
            return Some(());
        }
        let all = automaton.acceptance.marks();
        let marked = |at: usize| {
            let state = &automaton.states[at];
            !is_safety && (automaton.acceptance == Acceptance::All || state.marks & all == all)
        };
        let hopeless =
            if is_safety { vec![false; automaton.states.len()] } else { universal_states(automaton, marked) };
        let harmless = harmless_states(automaton, is_safety);
        let graph: Vec<Vec<u32>> =
            automaton.states.iter().map(|state| state.edges.iter().map(|edge| edge.to).collect()).collect();
        let found = Components::new(graph.len(), |at| graph[at as usize].iter().copied());
        let mut counts = vec![false; found.count];
        for (at, row) in graph.iter().enumerate() {
            let own = found.of[at] as usize;
            counts[own] |= marked(at) && row.iter().any(|&to| found.of[to as usize] as usize == own);
            // An accepting state counts where its component has a cycle at all.
            counts[own] |= marked(at) && found.of.iter().filter(|&&of| of as usize == own).count() > 1;
        }
        for (at, state) in automaton.states.iter().enumerate() {
            if time.is_up() {
                return None;
            }
            let mut row = Vec::with_capacity(letters.pairs());
            // Inputs of which all edges ask the same are alike.
            let mut alike: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
            let asked: Vec<&[u32]> = state.edges.iter().map(|edge| letters.asked(&edge.guard)).collect();
            for input in 0..letters.inputs.len() {
                let asked: Vec<u32> = asked.iter().map(|row| row[input]).collect();
                if let Some(&first) = alike.get(&asked) {
                    row.extend_from_within(first..first + letters.outputs.len());
                    continue;
                }
                alike.insert(asked.clone(), row.len());
                for output in 0..letters.outputs.len() {
                    let takes = |(_, asked): &(&Edge, &u32)| letters.is_asked(**asked, output);
                    let taken: Vec<&Edge> =
                        state.edges.iter().zip(&asked).filter(takes).map(|(edge, _)| edge).collect();
                    let broken = match is_safety {
                        true => taken.is_empty(),
                        false => taken.iter().any(|edge| hopeless[edge.to as usize]),
                    };
                    let mut to: Vec<u32> = taken
                        .iter()
                        .filter(|edge| !harmless[edge.to as usize])
                        .map(|edge| first + edge.to)
                        .collect();
                    to.sort_unstable();
                    to.dedup();
                    row.push(self.number(List { to, broken }, numbers));
                }
            }
            let component = counts[found.of[at] as usize].then(|| *components + found.of[at]);
            self.push(row, marked(at), component, part.promise);
        }
        *components += found.count as u32;
        if hopeless.get(automaton.initial as usize) == Some(&true) {
            let list = List { to: Vec::new(), broken: true };
            let number = self.number(list, numbers);
            self.moves[(first + automaton.initial) as usize] = vec![number; letters.pairs()];
        }
        if !harmless[automaton.initial as usize] {
            self.start.push(first + automaton.initial);
        }
        Some(())
    }

    fn push(&mut self, row: Vec<u32>, accepting: bool, component: Option<u32>, promise: usize) {
        self.moves.push(row);
        self.accepting.push(accepting);
        self.component.push(component);
        self.promise.push(promise);
    }

    fn number(&mut self, list: List, numbers: &mut FxHashMap<List, u32>) -> u32 {
        *numbers.entry(list.clone()).or_insert_with(|| {
            self.lists.push(list);
            self.lists.len() as u32 - 1
        })
    }

    /// How many states there are.
    pub(super) fn states(&self) -> usize {
        self.moves.len()
    }

    /// Where runs are before the first exchange.
    pub(super) fn initial(&self) -> Counters {
        let mut counters = vec![0; self.states()].into_boxed_slice();
        self.start.iter().for_each(|&at| counters[at as usize] = 1);
        counters
    }

    /// Where runs are after an exchange; none where a promise is broken, or a run has been accepting more often than
    /// the bound. Without a bound only broken promises count.
    pub(super) fn after(
        &self,
        at: &Counters,
        input: usize,
        output: usize,
        bound: Option<u8>,
    ) -> Option<Counters> {
        let mut next = vec![0u8; self.states()].into_boxed_slice();
        self.follow(&self.runs(at), input * self.outputs + output, bound, &mut next).then_some(next)
    }

    /// The runs that counters stand for.
    pub(super) fn runs(&self, at: &[u8]) -> Vec<Run<'_>> {
        let there = at.iter().enumerate().filter(|(_, value)| **value > 0);
        there.map(|(state, &value)| Run { state, value, moves: &self.moves[state] }).collect()
    }

    /// The same as [`after`](Universal::after) into counters that are there; false where there are none.
    pub(super) fn follow(&self, runs: &[Run<'_>], pair: usize, bound: Option<u8>, next: &mut [u8]) -> bool {
        next.fill(0);
        for run in runs {
            let list = &self.lists[run.moves[pair] as usize];
            if list.broken {
                return false;
            }
            for &to in &list.to {
                let to = to as usize;
                let counted = match (bound, self.component[to]) {
                    (Some(bound), Some(own)) => {
                        let before = if self.component[run.state] == Some(own) { run.value } else { 1 };
                        let counted = before + u8::from(self.accepting[to]);
                        if counted > bound + 1 {
                            return false;
                        }
                        counted
                    }
                    _ => 1,
                };
                next[to] = next[to].max(counted);
            }
        }
        true
    }

    /// The promises that an exchange breaks, or keeps waiting for longer than the bound.
    pub(super) fn blame(&self, at: &Counters, input: usize, output: usize, bound: Option<u8>) -> Vec<usize> {
        let letter = input * self.outputs + output;
        let mut found = Vec::new();
        for (state, &value) in at.iter().enumerate().filter(|(_, value)| **value > 0) {
            let list = &self.lists[self.moves[state][letter] as usize];
            let over = |&to: &u32| match (bound, self.component[to as usize]) {
                (Some(bound), Some(own)) if self.accepting[to as usize] => {
                    let before = if self.component[state] == Some(own) { value } else { 1 };
                    before > bound
                }
                _ => false,
            };
            if list.broken || list.to.iter().any(over) {
                found.push(self.promise[state]);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The states of a Büchi automaton that accept every word, as far as that is easily seen: accepting ones that read
/// everything and stay among such.
fn universal_states(automaton: &Automaton, marked: impl Fn(usize) -> bool) -> Vec<bool> {
    let exchanges = automaton.space.exchanges();
    let mut universal: Vec<bool> = (0..automaton.states.len()).map(marked).collect();
    loop {
        let mut changed = false;
        for at in 0..universal.len() {
            if !universal[at] {
                continue;
            }
            let inside = automaton.states[at].edges.iter().filter(|edge| universal[edge.to as usize]);
            let covered = inside.fold(automaton.space.bdds().none(), |sum, edge| &sum | &edge.guard);
            if !exchanges.is_within(&covered) {
                universal[at] = false;
                changed = true;
            }
        }
        if !changed {
            return universal;
        }
    }
}

/// The states of a safety automaton from which nothing is ever broken.
fn harmless_states(automaton: &Automaton, is_safety: bool) -> Vec<bool> {
    if !is_safety {
        return vec![false; automaton.states.len()];
    }
    universal_states(automaton, |_| true)
}
