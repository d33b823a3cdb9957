//! Is there a run that several automata accept at once? Asked without building their product.

use rustc_hash::FxHashMap;

use super::{Automaton, Marks};
use crate::bdd::Bdd;

/// Whether some infinite word is accepted by all the automata; none where more than `budget` edges would have
/// to be combined to find out, or where guards ran out of nodes.
///
/// Couvreur's search for an accepting component (1999), depth first and on the fly: edges are combined only as
/// far as the search gets. Edges towards acceptance come first, then edges that stay, so that a common word is
/// found long before the product is known.
pub fn common_word(automata: &[&Automaton], budget: usize) -> Option<bool> {
    if automata.iter().any(|automaton| automaton.states.is_empty()) {
        return Some(false);
    }
    let marks: u32 = automata.iter().map(|automaton| automaton.acceptance.marks().count_ones()).sum();
    if automata.is_empty() || marks > 64 {
        return if automata.is_empty() { Some(true) } else { None };
    }
    let found = Search::new(automata).run(budget);
    found.filter(|_| automata.iter().all(|automaton| automaton.space.bdds().within_bounds().is_ok()))
}

struct Search<'a> {
    automata: &'a [&'a Automaton],
    /// For each automaton, how far its marks are shifted among all.
    shifts: Vec<u32>,
    wanted: u64,
    /// For each automaton and state, its edges, those that stay first.
    order: Vec<Vec<Vec<usize>>>,
    /// When each tuple was met; 0 once its component is known to be empty.
    met: FxHashMap<Vec<u32>, u32>,
    /// Components on the path: when their first state was met, and the marks seen inside.
    components: Vec<(u32, u64)>,
    /// The marks of the edge into each component on the path.
    arcs: Vec<u64>,
}

/// A state on the path with the edges that were not tried yet.
struct Frame {
    tuple: Vec<u32>,
    successors: Successors,
}

impl<'a> Search<'a> {
    fn new(automata: &'a [&'a Automaton]) -> Search<'a> {
        let mut shifts = Vec::new();
        let mut total = 0;
        for automaton in automata {
            shifts.push(total);
            total += automaton.acceptance.marks().count_ones();
        }
        let order = |automaton: &&Automaton| {
            let distance = distance_to_marks(automaton);
            let promising_first = |(at, state): (usize, &super::StateInfo)| {
                let mut edges: Vec<usize> = (0..state.edges.len()).collect();
                edges.sort_by_key(|&edge| {
                    let edge = &state.edges[edge];
                    (if edge.marks != 0 { 0 } else { distance[edge.to as usize] }, edge.to as usize != at)
                });
                edges
            };
            automaton.states.iter().enumerate().map(promising_first).collect()
        };
        Search {
            automata,
            shifts,
            wanted: if total == 64 { u64::MAX } else { (1 << total) - 1 },
            order: automata.iter().map(order).collect(),
            met: FxHashMap::default(),
            components: Vec::new(),
            arcs: Vec::new(),
        }
    }

    fn run(mut self, mut budget: usize) -> Option<bool> {
        let start: Vec<u32> = self.automata.iter().map(|automaton| automaton.initial).collect();
        let mut path = vec![self.enter(start, 0)];
        while let Some(frame) = path.last_mut() {
            let next = frame.successors.next(&self, &frame.tuple, &mut budget);
            if budget == 0 {
                return None;
            }
            let Some((to, marks)) = next else {
                let tuple = path.pop().map(|frame| frame.tuple).unwrap_or_default();
                self.leave(&tuple);
                continue;
            };
            match self.met.get(&to) {
                Some(0) => {}
                Some(&met) => {
                    if self.close_cycle(met, marks) == self.wanted {
                        return Some(true);
                    }
                }
                None => path.push(self.enter(to, marks)),
            }
        }
        Some(false)
    }

    fn enter(&mut self, tuple: Vec<u32>, marks: u64) -> Frame {
        let number = self.met.len() as u32 + 1;
        self.met.insert(tuple.clone(), number);
        self.components.push((number, 0));
        self.arcs.push(marks);
        let successors = Successors::new(self.automata);
        Frame { tuple, successors }
    }

    /// All states met since `met` are in one component; gives the marks seen in it.
    fn close_cycle(&mut self, met: u32, marks: u64) -> u64 {
        let mut seen = marks;
        while let Some(&(first, inside)) = self.components.last() {
            seen |= inside;
            if first <= met {
                break;
            }
            seen |= self.arcs.pop().unwrap_or(0);
            self.components.pop();
        }
        if let Some(component) = self.components.last_mut() {
            component.1 = seen;
        }
        seen
    }

    /// Done with a state: if it began its component, no accepting cycle goes through any of it.
    fn leave(&mut self, tuple: &[u32]) {
        let number = self.met[tuple];
        if self.components.last().is_some_and(|&(first, _)| first == number) {
            self.components.pop();
            self.arcs.pop();
            for met in self.met.values_mut().filter(|met| **met >= number) {
                *met = 0;
            }
        }
    }
}

/// For each state, how many edges it takes to a state with an acceptance mark, on itself or on an edge; 0
/// everywhere where every word is accepted.
fn distance_to_marks(automaton: &Automaton) -> Vec<u32> {
    let marked = |state: &super::StateInfo| {
        automaton.acceptance.marks() == 0
            || state.marks != 0
            || state.edges.iter().any(|edge| edge.marks != 0)
    };
    let mut distance: Vec<u32> =
        automaton.states.iter().map(|state| if marked(state) { 0 } else { u32::MAX }).collect();
    loop {
        let mut changed = false;
        for (at, state) in automaton.states.iter().enumerate() {
            let nearest = state.edges.iter().map(|edge| distance[edge.to as usize].saturating_add(1)).min();
            if nearest.is_some_and(|nearest| nearest < distance[at]) {
                distance[at] = nearest.unwrap_or(u32::MAX);
                changed = true;
            }
        }
        if !changed {
            return distance;
        }
    }
}

/// Combinations of one edge a component whose guards meet, one after another.
struct Successors {
    /// The edge tried at each component, as a place in its order; as long as the prefix chosen so far.
    choice: Vec<usize>,
    /// What the guards chosen so far have in common; one more than `choice`.
    common: Vec<Bdd>,
}

impl Successors {
    fn new(automata: &[&Automaton]) -> Successors {
        let space = &automata[0].space;
        Successors { choice: vec![0], common: vec![space.exchanges()] }
    }

    fn next(&mut self, search: &Search<'_>, tuple: &[u32], budget: &mut usize) -> Option<(Vec<u32>, u64)> {
        while !self.choice.is_empty() && *budget > 0 {
            *budget -= 1;
            let place = self.choice.len() - 1;
            let state = tuple[place] as usize;
            let edges = &search.automata[place].states[state].edges;
            let Some(&edge) = search.order[place][state].get(self.choice[place]) else {
                // No more edges here: the one before must move on.
                self.choice.pop();
                self.common.pop();
                if let Some(last) = self.choice.last_mut() {
                    *last += 1;
                }
                continue;
            };
            let guard = &self.common[place] & &edges[edge].guard;
            if guard.is_none() {
                self.choice[place] += 1;
            } else if place + 1 < tuple.len() {
                self.choice.push(0);
                self.common.push(guard);
            } else {
                let found = self.chosen(search, tuple);
                self.choice[place] += 1;
                return Some(found);
            }
        }
        None
    }

    fn chosen(&self, search: &Search<'_>, tuple: &[u32]) -> (Vec<u32>, u64) {
        let mut marks = 0;
        let mut to = Vec::with_capacity(tuple.len());
        for (place, (&state, &choice)) in tuple.iter().zip(&self.choice).enumerate() {
            let info = &search.automata[place].states[state as usize];
            let edge = &info.edges[search.order[place][state as usize][choice]];
            let own: Marks = (info.marks | edge.marks) & search.automata[place].acceptance.marks();
            marks |= u64::from(own) << search.shifts[place];
            to.push(edge.to);
        }
        (to, marks)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::automaton::{buchi, safety_automaton};
    use crate::bdd::Space;
    use crate::letter::Interface;
    use crate::ltl::parse;

    fn common(formulas: &[&str]) -> Option<bool> {
        let space = Arc::new(Space::new(Interface::signals(["a", "b"], ["x", "y"]).unwrap()));
        let automata: Vec<Automaton> =
            formulas.iter().map(|text| buchi(&parse(text).unwrap().formula, &space).unwrap()).collect();
        common_word(&automata.iter().collect::<Vec<_>>(), 10_000)
    }

    #[test]
    fn formulas_together() {
        assert_eq!(common(&["G F a", "G F !a"]), Some(true));
        assert_eq!(common(&["G F a", "F G !a"]), Some(false));
        assert_eq!(common(&["G(a -> X x)", "G a", "F !x"]), Some(true));
        assert_eq!(common(&["G(a -> X x)", "G a", "X F !x"]), Some(false));
        assert_eq!(common(&["a U b", "G !b"]), Some(false));
        assert_eq!(common(&["G F a", "G F b", "G F x", "G !(a & b)", "G !(b & x)"]), Some(true));
        assert_eq!(common(&[]), Some(true));
    }

    #[test]
    fn fifty_independent_properties_are_quick() {
        let names: Vec<String> = (0..40).map(|at| format!("s{at}")).collect();
        let space = Arc::new(Space::new(Interface::signals(names.clone(), vec![]).unwrap()));
        let automata: Vec<Automaton> = (0..50)
            .map(|at| {
                let text = format!("G(s{} -> X(s{} | s{}))", at % 40, (at * 7 + 1) % 40, (at * 3 + 2) % 40);
                safety_automaton(&parse(&text).unwrap().formula, &space).unwrap()
            })
            .collect();
        assert_eq!(common_word(&automata.iter().collect::<Vec<_>>(), 10_000), Some(true));
    }
}
