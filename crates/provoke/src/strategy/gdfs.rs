//! Guided depth-first search through the automaton of the requirements.

use std::cmp::Reverse;
use std::sync::Arc;

use super::{Offline, Strategy, View};
use crate::automaton::Cubes;
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::{RunEnd, Step};

/// Takes, again and again, the edge of the requirements' automaton that it took least often, until every edge it has met
/// was taken: each run is one test.
///
/// Algorithm 1 of paper 3. Edges that leave a state are registered when the state is met; of those with the fewest visits
/// the one is taken whose target is nearest to an accepting state, then the one whose target has more edges, then the first
/// (the paper says "degree"; its published library does this). All edges with the same input are counted. A test ends in an
/// accepting state after at least `k_min` steps, after `k_max` steps, or with a violation.
///
/// Departures: where the automaton guesses, all states that it may be in are followed, and edges of all of them are chosen from. An
/// edge whose input may not be sent counts as visited. Where no state is left although no requirement is violated by itself,
/// inputs are drawn by chance until one is or the test ends; the paper's oracle would have failed the test.
#[derive(Clone)]
pub struct Gdfs {
    cubes: Arc<Cubes>,
    k_min: u32,
    k_max: u32,
    /// How often each edge was taken; none where it has not been met.
    visits: Vec<Option<u32>>,
    /// How many edges have been met and not taken.
    open: usize,
    may_be: Vec<u32>,
    /// The edge that was chosen last.
    chosen: Option<usize>,
}

impl Gdfs {
    /// A search that has seen nothing yet but the first state.
    pub fn new(cubes: Arc<Cubes>, k_min: u32, k_max: u32) -> Gdfs {
        let visits = vec![None; cubes.edges.len()];
        let may_be = cubes.start();
        let mut made = Gdfs { cubes, k_min, k_max, visits, open: 0, may_be, chosen: None };
        made.register();
        made
    }

    /// Takes in the edges that leave the states that it may be in.
    fn register(&mut self) {
        for &at in &self.may_be {
            for place in self.cubes.states[at as usize].edges.clone() {
                if self.visits[place].is_none() {
                    self.visits[place] = Some(0);
                    self.open += 1;
                }
            }
        }
    }

    fn visit(&mut self, place: usize) {
        let visits = self.visits[place].get_or_insert(0);
        self.open -= usize::from(*visits == 0);
        *visits = visits.saturating_add(1);
    }

    fn is_done(&self, steps: usize) -> bool {
        steps >= self.k_max as usize || steps >= self.k_min as usize && self.cubes.accepts(&self.may_be)
    }

    /// The edge to be taken next, of those whose input may be sent.
    fn select(&self, view: &View<'_>) -> Option<usize> {
        let edges = self.may_be.iter().flat_map(|&at| self.cubes.edges_of(at));
        let may_send = edges.filter(|(_, edge)| view.inputs().contains(edge.input));
        let order = |(place, to): (usize, u32)| {
            let target = &self.cubes.states[to as usize];
            (self.visits[place], target.distance, Reverse(target.edges.len()), place)
        };
        may_send.map(|(place, edge)| (place, edge.to)).min_by_key(|&edge| order(edge)).map(|(place, _)| place)
    }
}

impl Strategy for Gdfs {
    fn begin_run(&mut self, _run: u64, _steps: u32) -> bool {
        self.may_be = self.cubes.start();
        self.open > 0
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if self.is_done(view.trace.len()) {
            return None;
        }
        self.register();
        self.chosen = self.select(view);
        let input = match self.chosen {
            Some(place) => self.cubes.edges[place].input,
            None => view.inputs().sample(rng)?,
        };
        for at in std::mem::take(&mut self.may_be) {
            for place in self.cubes.states[at as usize].edges.clone() {
                let own = self.cubes.edges[place].input;
                let counts = own == input || self.visits[place] == Some(0) && !view.inputs().contains(own);
                if counts {
                    self.visit(place);
                }
            }
            self.may_be.push(at);
        }
        Some(input)
    }

    fn observe(&mut self, step: &Step, _now: &View<'_>) {
        self.may_be = self.cubes.after(&self.may_be, step);
    }

    fn goes_by_what_was_sent(&self) -> bool {
        true
    }

    fn offline(&self) -> Option<&dyn Offline> {
        Some(self)
    }

    fn end_run(&mut self, _end: &RunEnd, _last: &View<'_>) {
        self.may_be = self.cubes.start();
    }
}

impl Offline for Gdfs {
    fn fork(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn hopes_for(&self) -> Option<Letter> {
        self.chosen.map(|place| self.cubes.edges[place].output())
    }
}
