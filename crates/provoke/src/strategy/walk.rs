//! Walks through the monitor of the requirements, by chance or along shortest paths.

use std::sync::Arc;

use super::{Offline, Strategy, View};
use crate::automaton::Cubes;
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::{RunEnd, Step};

/// How a [`Walk`] gets to its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gait {
    /// It takes edges by chance and is content with any goal that has not been covered.
    Random,
    /// It takes a shortest path to one goal, and another one where the system leads it astray.
    Guided,
}

/// Covers the edges of the requirements' monitor: atomic proposition coverage.
///
/// The algorithms of Arcaini, Gargantini and Riccobene (2013) as paper 3, section 4.1, generalises them. Every cube of every
/// transition is a goal, and is tried once: one run of at most `k_max` steps, which ends when a goal is reached. A cube
/// that asks for nothing is no goal: it has no atomic proposition. So there is nothing to try where the requirements can
/// never be violated in finitely many steps.
#[derive(Clone)]
pub struct Walk {
    cubes: Arc<Cubes>,
    gait: Gait,
    k_max: u32,
    covered: Vec<bool>,
    /// Goals before this one were tried.
    next: usize,
    /// The edge to be covered, and how far each state is from where it begins.
    goal: usize,
    distances: Vec<u32>,
    reached: bool,
    at: Vec<u32>,
    /// The edge that was chosen last.
    chosen: Option<usize>,
}

impl Walk {
    /// A walk that has covered nothing yet.
    pub fn new(cubes: Arc<Cubes>, gait: Gait, k_max: u32) -> Walk {
        let covered = cubes.edges.iter().map(|edge| edge.literals == 0).collect();
        let at = cubes.start();
        Walk {
            cubes,
            gait,
            k_max,
            covered,
            next: 0,
            goal: 0,
            distances: Vec::new(),
            reached: false,
            at,
            chosen: None,
        }
    }

    /// The edge towards the goal.
    fn guided(&self, view: &View<'_>) -> Option<usize> {
        let &at = self.at.first()?;
        let goal = &self.cubes.edges[self.goal];
        if at == goal.from && view.inputs().contains(goal.input) {
            return Some(self.goal);
        }
        let here = self.distances[at as usize];
        let nearer = self.cubes.edges_of(at).filter(|(_, edge)| self.distances[edge.to as usize] < here);
        let sendable = nearer.filter(|(_, edge)| view.inputs().contains(edge.input));
        sendable.min_by_key(|(_, edge)| self.distances[edge.to as usize]).map(|(place, _)| place)
    }

    fn random(&self, view: &View<'_>, rng: &mut Rng) -> Option<usize> {
        let &at = self.at.first()?;
        let sendable = self.cubes.edges_of(at).filter(|(_, edge)| view.inputs().contains(edge.input));
        let places: Vec<usize> = sendable.map(|(place, _)| place).collect();
        rng.pick(&places).copied()
    }
}

impl Strategy for Walk {
    fn begin_run(&mut self, _run: u64, _steps: u32) -> bool {
        self.at = self.cubes.start();
        self.reached = false;
        let Some(goal) = (self.next..self.covered.len()).find(|&place| !self.covered[place]) else {
            self.next = self.covered.len();
            return false;
        };
        (self.goal, self.next) = (goal, goal + 1);
        if self.gait == Gait::Guided {
            self.distances = self.cubes.distances_to(&[self.cubes.edges[goal].from]);
        }
        true
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if self.reached || view.trace.len() >= self.k_max as usize {
            return None;
        }
        let planned = match self.gait {
            Gait::Guided if !self.distances.is_empty() => self.guided(view),
            _ => None,
        };
        self.chosen = planned.or_else(|| self.random(view, rng));
        match self.chosen {
            Some(place) => Some(self.cubes.edges[place].input),
            None => view.inputs().sample(rng),
        }
    }

    fn observe(&mut self, step: &Step, _now: &View<'_>) {
        let Walk { cubes, covered, reached, goal, gait, .. } = self;
        for (place, edge) in self.at.iter().flat_map(|&at| cubes.edges_of(at)) {
            if edge.takes(step) {
                let is_new = !std::mem::replace(&mut covered[place], true);
                *reached |= if *gait == Gait::Guided { place == *goal } else { is_new };
            }
        }
        self.at = cubes.after(&self.at, step);
    }

    fn goes_by_what_was_sent(&self) -> bool {
        true
    }

    fn offline(&self) -> Option<&dyn Offline> {
        Some(self)
    }

    fn end_run(&mut self, _end: &RunEnd, _last: &View<'_>) {
        self.at = self.cubes.start();
    }
}

impl Offline for Walk {
    fn fork(&self) -> Box<dyn Strategy> {
        Box::new(self.clone())
    }

    fn hopes_for(&self) -> Option<Letter> {
        self.chosen.map(|place| self.cubes.edges[place].output())
    }
}
