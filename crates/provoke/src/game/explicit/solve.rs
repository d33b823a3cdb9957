//! Who can force what: distances, the winning and cooperative hierarchy, and the inputs of each tier.

use std::sync::Arc;

use super::Product;
use super::sets::LetterSets;
use crate::bdd::{Bdd, OutOfNodes};
use crate::game::{Game, Guide, Next, State, Tier};
use crate::letter::LetterSet;
use crate::trace::RequirementNumber;

/// An objective solved on a product.
///
/// Paper 1, sections 2, 4.2.2 and 5: distance classes C_i from Pre, and the hierarchy W_0, Coop_1, W_1, ...
/// from CPre and Pre, where entering a violation counts as a win for the tester, so that a state in which the
/// requirements together leave no answer to some input is won. One departure: an answer that breaks an assumption
/// ends the run and wins nothing.
pub struct Solved {
    product: Arc<Product>,
    states: Vec<Entry>,
    sets: Vec<LetterSet>,
    farthest: u32,
    /// The requirement whose violation is the goal.
    wanted: Option<RequirementNumber>,
}

#[derive(Clone, Copy)]
struct Entry {
    distance: u32,
    rank: u32,
    /// Places in `sets`, one a tier.
    inputs: [u32; 3],
}

/// Stands for "not co-reachable" in distances and ranks.
const NEVER: u32 = u32::MAX;

/// Solves the game of reaching `goal`: states, and violations of components.
pub fn solve(product: Arc<Product>, goal: impl Fn(Next) -> bool) -> Result<Solved, OutOfNodes> {
    let all = product.numbers_in_all();
    let mut solver = Solver {
        goals: (0..all as u32).map(|at| goal(product.named(at))).collect(),
        distance: vec![NEVER; all],
        rank: vec![NEVER; all],
        greedy: vec![None; product.states()],
        sources: sources(&product),
        product,
    };
    let farthest = solver.distances();
    solver.hierarchy();
    let solved = solver.finish(farthest);
    solved.product.clone().space().bdds().checked(Ok(solved))
}

impl Solved {
    /// The game this was solved on.
    pub fn product(&self) -> &Arc<Product> {
        &self.product
    }

    /// The same, known to be about the violation of this requirement, by its number in the campaign.
    pub fn towards_violating(self, requirement: RequirementNumber) -> Solved {
        Solved { wanted: Some(requirement), ..self }
    }

    /// Whether this is what the objective wants.
    pub fn is_goal(&self, next: Next) -> bool {
        let entry = self.states.get(self.product.number(next) as usize);
        entry.is_some_and(|entry| entry.distance == 0)
    }

    /// Whether the tester can force the objective, or a violation, from the start.
    pub fn can_be_forced(&self) -> bool {
        self.rank(self.product.initial()) == Some(0)
    }
}

impl Guide for Solved {
    #[inline]
    fn distance(&self, at: State) -> Option<u32> {
        let distance = self.states[at.0 as usize].distance;
        (distance != NEVER).then_some(distance)
    }

    #[inline]
    fn rank(&self, at: State) -> Option<u32> {
        let rank = self.states[at.0 as usize].rank;
        (rank != NEVER).then_some(rank)
    }

    #[inline]
    fn inputs(&self, at: State, tier: Tier) -> &LetterSet {
        &self.sets[self.states[at.0 as usize].inputs[tier as usize] as usize]
    }

    fn is_about_states(&self) -> bool {
        self.wanted.is_none()
    }

    fn reached_by_violating(&self, requirement: RequirementNumber) -> bool {
        self.wanted == Some(requirement)
    }

    fn farthest(&self) -> Option<u32> {
        Some(self.farthest)
    }
}

/// For each state, violation states included, the states with an edge into it.
fn sources(product: &Product) -> Vec<Vec<u32>> {
    let mut sources = vec![Vec::new(); product.numbers_in_all()];
    for at in 0..product.states() as u32 {
        for (_, to) in product.numbered_edges(at) {
            sources[*to as usize].push(at);
        }
    }
    sources
}

struct Solver {
    product: Arc<Product>,
    goals: Vec<bool>,
    distance: Vec<u32>,
    rank: Vec<u32>,
    /// The inputs of the greedy strategy, and whether they force.
    greedy: Vec<Option<(Bdd, Tier)>>,
    sources: Vec<Vec<u32>>,
}

impl Solver {
    /// C_0, C_1, ...: breadth-first from the goal, backwards. Gives the largest index.
    fn distances(&mut self) -> u32 {
        let mut layer: Vec<u32> =
            (0..self.goals.len() as u32).filter(|&at| self.goals[at as usize]).collect();
        layer.iter().for_each(|&at| self.distance[at as usize] = 0);
        let mut depth = 0;
        loop {
            let mut next = Vec::new();
            for &at in &layer {
                for &source in &self.sources[at as usize] {
                    if self.distance[source as usize] == NEVER {
                        self.distance[source as usize] = depth + 1;
                        next.push(source);
                    }
                }
            }
            if next.is_empty() {
                return depth;
            }
            depth += 1;
            layer = next;
        }
    }

    /// W_0, Coop_1, W_1, ... until nothing is left to add.
    fn hierarchy(&mut self) {
        let mut added: Vec<u32> =
            (0..self.goals.len() as u32).filter(|&at| self.goals[at as usize]).collect();
        added.iter().for_each(|&at| self.rank[at as usize] = 0);
        // Where an input leaves no other answer, sending it forces a violation.
        let mut corners = self.product.corners().to_vec();
        let mut rank = 0;
        while !added.is_empty() || !corners.is_empty() {
            let attracted = self.attract(&added, std::mem::take(&mut corners), rank);
            added.extend(attracted);
            rank += 1;
            let cooperative = self.undecided_sources(&added);
            for &at in &cooperative {
                let helpful =
                    self.product.space().some_output(&self.guards(at, |to| self.rank[to as usize] < rank));
                self.greedy[at as usize] = Some((helpful, Tier::Helpful));
            }
            cooperative.iter().for_each(|&at| self.rank[at as usize] = rank);
            added = cooperative;
        }
    }

    /// CPre*: layer by layer, the states from which the tester forces an earlier layer or a violation.
    fn attract(&mut self, from: &[u32], corners: Vec<u32>, rank: u32) -> Vec<u32> {
        let mut all = Vec::new();
        let mut candidates = self.undecided_sources(from);
        candidates.extend(corners.into_iter().filter(|&at| self.rank[at as usize] == NEVER));
        candidates.sort_unstable();
        candidates.dedup();
        while !candidates.is_empty() {
            let mut next = Vec::new();
            for at in candidates {
                let forcing = self.forcing(at);
                if !forcing.is_none() {
                    self.greedy[at as usize] = Some((forcing, Tier::Forcing));
                    next.push(at);
                }
            }
            // Marked only now: the inputs of a layer are those that force an *earlier* one.
            next.iter().for_each(|&at| self.rank[at as usize] = rank);
            candidates = self.undecided_sources(&next);
            all.extend(next);
        }
        all
    }

    /// The inputs after which every answer leads into what is ranked already, or into a violation.
    fn forcing(&self, at: u32) -> Bdd {
        let (product, space) = (&self.product, self.product.space());
        let mut escapes =
            self.guards(at, |to| self.rank[to as usize] == NEVER && (to as usize) < product.states());
        let fair = self.guards(at, |_| true);
        let legal = space.some_output(&fair);
        if product.has_assumptions() {
            escapes = &escapes | &(&(&legal & space.valid_outputs()) - &fair);
        }
        &legal - &space.some_output(&escapes)
    }

    fn guards(&self, at: u32, wanted: impl Fn(u32) -> bool) -> Bdd {
        let none = self.product.space().bdds().none();
        let edges = self.product.numbered_edges(at).iter();
        edges.filter(|(_, to)| wanted(*to)).fold(none, |sum, (guard, _)| &sum | guard)
    }

    /// The states with an edge into `targets` that have no rank yet, in order.
    fn undecided_sources(&self, targets: &[u32]) -> Vec<u32> {
        let mut found: Vec<u32> = targets
            .iter()
            .flat_map(|&at| &self.sources[at as usize])
            .copied()
            .filter(|&at| self.rank[at as usize] == NEVER)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn finish(self, farthest: u32) -> Solved {
        let mut sets = LetterSets::default();
        let space = self.product.space().clone();
        let none = sets.number(&space, &space.bdds().none());
        let mut states = Vec::with_capacity(self.goals.len());
        for at in 0..self.goals.len() {
            let mut inputs = [none; 3];
            if at < self.product.states() {
                let reachable = self.guards(at as u32, |to| self.distance[to as usize] != NEVER);
                inputs[Tier::Hopeful as usize] = sets.number(&space, &space.some_output(&reachable));
                if let Some((greedy, tier)) = &self.greedy[at] {
                    inputs[*tier as usize] = sets.number(&space, greedy);
                }
            }
            states.push(Entry { distance: self.distance[at], rank: self.rank[at], inputs });
        }
        Solved { product: self.product, states, sets: sets.sets, farthest, wanted: None }
    }
}
