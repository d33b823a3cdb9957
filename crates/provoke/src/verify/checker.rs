//! One machine under its assumptions, ready to be asked about requirements.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::graph::{Follower, Graph, Pool};
use super::lasso::{self, Place};
use super::{Counterexample, Outcome, Unknown};
use crate::automaton::{Automaton, TranslationError, buchi, safety_automaton};
use crate::bdd::{OutOfNodes, Space};
use crate::ltl::Formula;
use crate::machine::Reactions;
use crate::trace::{Step, Trace};

/// How many arrows a machine may have together with automata before it is left open what they do.
const ARROWS: usize = 20_000_000;

/// A machine, or what is known of one, with the runs that keep the assumptions for ever.
///
/// A run counts only where all assumptions hold on it as a whole: a machine that breaks a requirement and leaves the
/// environment no way to keep its own promises afterwards does not violate it.
pub struct Checker {
    pool: Pool,
    graph: Option<Graph>,
    limit: usize,
}

impl Checker {
    /// A machine under assumptions, which are automata over its space: a run is accepted if the assumption holds.
    pub fn new(machine: &Reactions, assumptions: &[&Automaton]) -> Result<Checker, OutOfNodes> {
        Checker::within(machine, assumptions, ARROWS)
    }

    /// The same with at most so many arrows in any product.
    pub fn within(
        machine: &Reactions,
        assumptions: &[&Automaton],
        limit: usize,
    ) -> Result<Checker, OutOfNodes> {
        let mut pool = Pool::new(machine.space.clone());
        let start = Graph::of_machine(&mut pool, machine);
        let joined = assumptions
            .iter()
            .try_fold(start, |graph, automaton| graph.with(&mut pool, automaton, limit).map(fair));
        machine.space.bdds().within_bounds()?;
        Ok(Checker { pool, graph: joined.ok(), limit })
    }

    /// The variables of the letters.
    pub fn space(&self) -> &Arc<Space> {
        &self.pool.space
    }

    /// How many states the machine and the assumptions have together; none where they were too many to tell.
    pub fn states(&self) -> Option<usize> {
        self.graph.as_ref().map(|graph| graph.rows.len())
    }

    /// Whether no run of the machine keeps the assumptions, so that every requirement holds for want of one.
    pub fn is_vacuous(&self) -> bool {
        self.graph.as_ref().is_some_and(|graph| graph.rows.is_empty())
    }

    /// Whether the machine keeps a deterministic safety automaton, of which an exchange without an edge is a violation.
    pub fn safety(&mut self, automaton: &Automaton) -> Result<Outcome, OutOfNodes> {
        let Checker { pool, graph, limit } = self;
        let outcome = match graph {
            None => Outcome::Unknown(Unknown::TooLarge),
            Some(graph) => safety(pool, graph, automaton, *limit),
        };
        pool.space.bdds().checked(Ok(outcome))
    }

    /// Whether no run of the machine is accepted by an automaton of the runs that break a requirement.
    pub fn avoids(&mut self, breaks: &Automaton) -> Result<Outcome, OutOfNodes> {
        let Checker { pool, graph, limit } = self;
        let outcome = match graph {
            None => Outcome::Unknown(Unknown::TooLarge),
            Some(graph) => avoids(pool, graph, breaks, *limit),
        };
        pool.space.bdds().checked(Ok(outcome))
    }

    /// Whether the machine keeps a formula, and the shortest run that breaks it where it does not.
    pub fn counterexample(&mut self, formula: &Formula) -> Result<Outcome, TranslationError> {
        let space = self.space().clone();
        let kept = self.safety(&safety_automaton(formula, &space)?)?;
        if matches!(kept, Outcome::Violated(_)) || formula.is_safety() {
            return Ok(kept);
        }
        Ok(self.avoids(&buchi(&formula.clone().not(), &space)?)?)
    }

    /// A run of the machine that satisfies a formula: finite where it has done so for good by then. None where no run
    /// does, as far as the machine is known.
    pub fn witness(&mut self, formula: &Formula) -> Result<Option<Counterexample>, TranslationError> {
        Ok(match self.counterexample(&formula.clone().not())? {
            Outcome::Violated(found) => Some(found),
            Outcome::Holds | Outcome::Unknown(_) => None,
        })
    }
}

/// What is left of a graph when only runs count that see every mark again and again, or come to where the machine is not
/// known.
fn fair(graph: Graph) -> Graph {
    let (components, accepting) = lasso::accepting(&graph);
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); graph.rows.len()];
    for (at, row) in (0..).zip(&graph.rows) {
        row.iter().for_each(|arrow| before[arrow.to as usize].push(at));
    }
    let goes_on = |at: usize| graph.gaps[at].is_some() || accepting[components.of[at] as usize];
    let mut live: Vec<bool> = (0..graph.rows.len()).map(goes_on).collect();
    let mut open: Vec<u32> = (0..graph.rows.len() as u32).filter(|&at| live[at as usize]).collect();
    while let Some(at) = open.pop() {
        for &from in &before[at as usize] {
            if !std::mem::replace(&mut live[from as usize], true) {
                open.push(from);
            }
        }
    }
    if live.first() != Some(&true) {
        return Graph { rows: Vec::new(), gaps: Vec::new(), ..graph };
    }
    // The first node is live, so it keeps its number.
    let mut count = 0;
    let number: Vec<u32> = live
        .iter()
        .map(|&live| {
            count += u32::from(live);
            count.wrapping_sub(1)
        })
        .collect();
    let (rows, gaps) = graph.rows.into_iter().zip(graph.gaps).zip(&live).filter(|(_, live)| **live).fold(
        (Vec::new(), Vec::new()),
        |(mut rows, mut gaps), ((mut row, gap), _)| {
            row.retain(|arrow| live[arrow.to as usize]);
            row.iter_mut().for_each(|arrow| arrow.to = number[arrow.to as usize]);
            rows.push(row);
            gaps.push(gap);
            (rows, gaps)
        },
    );
    Graph { rows, gaps, marks: graph.marks }
}

/// Follows graph and automaton breadth first to the nearest exchange that the automaton does not allow.
fn safety(pool: &mut Pool, graph: &Graph, automaton: &Automaton, limit: usize) -> Outcome {
    if graph.rows.is_empty() {
        return Outcome::Holds;
    }
    if automaton.states.is_empty() {
        return Outcome::Violated(Counterexample { stem: Vec::new(), cycle: Vec::new() });
    }
    let mut follower = Follower::new(automaton);
    let start = (0, automaton.initial);
    let mut from: Ways = FxHashMap::from_iter([(start, None)]);
    let mut open = VecDeque::from([start]);
    let mut gap: Option<(u32, u32)> = None;
    let mut arrows = 0;
    while let Some((node, at)) = open.pop_front() {
        if graph.gaps[node as usize].is_some() {
            gap.get_or_insert((node, at));
        }
        for arrow in &graph.rows[node as usize] {
            arrows += 1;
            if let Some(broken) = follower.missing(pool, arrow.class, at) {
                let mut stem = way(pool, &from, (node, at));
                stem.extend(pool.step(broken));
                return Outcome::Violated(Counterexample { stem, cycle: Vec::new() });
            }
            for taken in follower.arrows(pool, arrow.class, at).iter() {
                let to = (arrow.to, taken.to);
                from.entry(to).or_insert_with(|| {
                    open.push_back(to);
                    Some(((node, at), taken.class))
                });
            }
        }
        if arrows > limit {
            return Outcome::Unknown(Unknown::TooLarge);
        }
    }
    let Some((node, at)) = gap else { return Outcome::Holds };
    unknown_at(pool, graph, node, way(pool, &from, (node, at)))
}

/// For each pair of a node and a state, the one before it and the class of the exchange between; none at the start.
type Ways = FxHashMap<(u32, u32), Option<((u32, u32), u32)>>;

/// The exchanges that led somewhere.
fn way(pool: &Pool, from: &Ways, mut at: (u32, u32)) -> Trace {
    let mut trace = Trace::new();
    while let Some(&Some((before, class))) = from.get(&at) {
        trace.extend(pool.step(class));
        at = before;
    }
    trace.reverse();
    trace
}

fn unknown_at(pool: &Pool, graph: &Graph, node: u32, after: Trace) -> Outcome {
    let gap = graph.gaps[node as usize].as_ref();
    match gap.and_then(|gap| pool.space.input_letters(gap).iter().next()) {
        Some(input) => Outcome::Unknown(Unknown::Gap { after, input }),
        None => Outcome::Holds,
    }
}

fn avoids(pool: &mut Pool, graph: &Graph, breaks: &Automaton, limit: usize) -> Outcome {
    let Ok(product) = graph.with(pool, breaks, limit) else { return Outcome::Unknown(Unknown::TooLarge) };
    let steps = |places: &[Place]| -> Vec<Step> {
        let class = |&(node, place): &Place| product.rows[node as usize][place as usize].class;
        places.iter().filter_map(|place| pool.step(class(place))).collect()
    };
    if let Some((stem, cycle)) = lasso::shortest(&product) {
        let (stem, cycle) = shortened(steps(&stem), steps(&cycle));
        return Outcome::Violated(Counterexample { stem, cycle });
    }
    let is_gap = |at: &u32| product.gaps[*at as usize].is_some();
    match (0..product.rows.len() as u32).find(is_gap) {
        // Nodes are numbered as they are met, the nearest first.
        Some(node) => unknown_at(pool, &product, node, steps(&lasso::way_to(&product, node))),
        None => Outcome::Holds,
    }
}

/// The same infinite run told with fewer exchanges: no cycle within the cycle, no end of the stem that is the end of the
/// cycle.
fn shortened(mut stem: Trace, mut cycle: Trace) -> (Trace, Trace) {
    let repeats = |length: usize| {
        cycle.len().is_multiple_of(length)
            && cycle.iter().skip(length).eq(cycle.iter().take(cycle.len() - length))
    };
    if let Some(length) = (1..cycle.len()).find(|&length| repeats(length)) {
        cycle.truncate(length);
    }
    while !cycle.is_empty() && stem.last() == cycle.last() {
        stem.pop();
        cycle.rotate_right(1);
    }
    (stem, cycle)
}
