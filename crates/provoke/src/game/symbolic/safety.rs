//! Whether the tester can force a violation of a circuit, whatever the system answers: the plain safety game.

use std::time::{Duration, Instant};

use super::diagrams::{Visit, leaves, values};
use super::work::{Spent, Work};
use crate::bdd::Bdds;
use crate::format::aiger::{Circuit, Literal};

/// How much may be spent on an answer.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Time.
    pub time: Duration,
    /// Decision-diagram nodes at once.
    pub nodes: usize,
}

/// What was found out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Whether the tester can force a violation; none where the effort was not enough.
    pub can: Option<bool>,
    /// The most decision-diagram nodes that were there at once.
    pub peak_nodes: usize,
}

/// How many nodes an order of variables gets that is only tried.
const TRIED_NODES: usize = 40_000;

/// The most parts of a violation that are looked at one by one.
const MOST_PARTS: usize = 96;

/// Solves the plain safety game of a circuit: the tester chooses inputs, then the system, which `is_systems` tells by their
/// numbers, chooses the others. A step in which a constraint does not hold wins nothing.
///
/// Backwards from the violation, by putting next-state functions in place of latches, as far as the initial state needs.
/// First with a few orders of variables that the circuit suggests, each with little room; then with the best of them,
/// changing the order on the way (sifting) and with more room as it is needed. The violation is taken apart where it is a
/// disjunction: what the tester can force of each part is a smaller game, and what it can force of all together starts
/// from there.
pub fn tester_can_force(
    circuit: &Circuit,
    is_systems: &dyn Fn(usize) -> bool,
    violations: &[Literal],
    constraints: &[Literal],
    effort: Effort,
) -> Answer {
    let until = Instant::now() + effort.time;
    let mut peak = 0;
    let mut best: Option<(usize, Vec<usize>)> = None;
    for visit in Visit::ALL {
        let order = leaves(circuit, violations.iter().chain(constraints).copied(), visit);
        let game = Safety { circuit, is_systems, violations, constraints, order, parts: false };
        let work = Work::new(game.order.len(), TRIED_NODES.min(effort.nodes), Some(until));
        let mut work = work.patient(usize::MAX);
        let (built, can) = game.solve(&mut work);
        peak = peak.max(work.peak);
        if let Ok(can) = can {
            return Answer { can: Some(can), peak_nodes: peak };
        }
        if best.as_ref().is_none_or(|(nodes, _)| built < *nodes) {
            best = Some((built, game.order));
        }
    }
    let Some((_, order)) = best else { return Answer { can: None, peak_nodes: peak } };
    let game = Safety { circuit, is_systems, violations, constraints, order, parts: true };
    let mut work = Work::new(game.order.len(), effort.nodes, Some(until));
    let (_, can) = game.solve(&mut work);
    Answer { can: can.ok(), peak_nodes: peak.max(work.peak) }
}

struct Safety<'a> {
    circuit: &'a Circuit,
    is_systems: &'a dyn Fn(usize) -> bool,
    violations: &'a [Literal],
    constraints: &'a [Literal],
    /// The nodes of the variables, in order.
    order: Vec<usize>,
    /// Whether the violation is taken apart.
    parts: bool,
}

/// Places in the list of a computation.
struct Places {
    next: Vec<(usize, usize)>,
    /// Exchanges in which every constraint holds.
    fair: usize,
    outputs: usize,
    inputs: usize,
}

impl Safety<'_> {
    /// How many nodes the functions took, and the answer.
    fn solve(&self, work: &mut Work) -> (usize, Result<bool, Spent>) {
        match self.build(work) {
            Err(Spent) => (usize::MAX, Err(Spent)),
            Ok((places, parts)) => (work.bdds.node_count(), self.play(work, &places, &parts)),
        }
    }

    fn first_latch(&self) -> usize {
        1 + self.circuit.inputs.len()
    }

    fn build(&self, work: &mut Work) -> Result<(Places, Vec<usize>), Spent> {
        let (circuit, first_latch) = (self.circuit, self.first_latch());
        let mut variables = vec![None; circuit.first_gate()];
        self.order.iter().enumerate().for_each(|(variable, &node)| variables[node] = Some(variable));
        let latches: Vec<usize> = self.order.iter().copied().filter(|&node| node >= first_latch).collect();
        let parts = if self.parts { self.disjuncts() } else { self.violations.to_vec() };
        let mut wanted = parts.clone();
        wanted.extend(self.constraints);
        wanted.extend(latches.iter().map(|&node| circuit.latches[node - first_latch].next));
        let made = values(work, circuit, &wanted, &|node| variables[node])?;
        let (parts, rest) = made.split_at(parts.len());
        let (constraints, next) = rest.split_at(self.constraints.len());
        let fair =
            work.attempt(|bdds, roots| constraints.iter().fold(bdds.all(), |all, &at| &all & &roots[at]))?;
        let fair = work.keep(fair);
        let next =
            latches.iter().zip(next).map(|(&node, &place)| (variables[node].unwrap_or(0), place)).collect();
        let cube = |bdds: &Bdds, systems: bool| {
            let chosen = self.order.iter().copied();
            let chosen = chosen.filter(|&node| node < first_latch && (self.is_systems)(node - 1) == systems);
            bdds.cube(chosen.filter_map(|node| variables[node]))
        };
        let outputs = work.attempt(|bdds, _| cube(bdds, true))?;
        let outputs = work.keep(outputs);
        let inputs = work.attempt(|bdds, _| cube(bdds, false))?;
        let inputs = work.keep(inputs);
        Ok((Places { next, fair, outputs, inputs }, parts.to_vec()))
    }

    /// What the violation is a disjunction of.
    fn disjuncts(&self) -> Vec<Literal> {
        let first_gate = self.circuit.first_gate();
        let mut open = self.violations.to_vec();
        let mut found: Vec<Literal> = Vec::new();
        while let Some(value) = open.pop() {
            if value.is_negated() && value.node() >= first_gate && found.len() + open.len() < MOST_PARTS {
                open.extend(self.circuit.gates[value.node() - first_gate].map(|side| !side));
            } else if !found.contains(&value) {
                found.push(value);
            }
        }
        found
    }

    fn play(&self, work: &mut Work, places: &Places, parts: &[usize]) -> Result<bool, Spent> {
        let none = work.bdds.none();
        let lost = work.keep(none.clone());
        let error = work.keep(none);
        if parts.len() > 1 && self.parts {
            for &part in parts {
                let none = work.bdds.none();
                let here = work.keep(none);
                if self.force(work, places, part, here)? {
                    return Ok(true);
                }
                work.set(lost, |_, roots| &roots[lost] | &roots[here])?;
                work.forget(here);
            }
        }
        for &part in parts {
            work.set(error, |_, roots| &roots[error] | &roots[part])?;
            work.forget(part);
        }
        self.force(work, places, error, lost)
    }

    /// Adds the states from which the tester forces an error to those that are lost already; whether the initial one is
    /// among them.
    fn force(&self, work: &mut Work, places: &Places, error: usize, lost: usize) -> Result<bool, Spent> {
        let Places { next, fair, outputs, inputs } = places;
        let none = work.bdds.none();
        let after = work.keep(none);
        loop {
            work.set(after, |_, roots| {
                roots[lost].substitute(next.iter().map(|&(variable, place)| (variable, &roots[place])))
            })?;
            if work.roots[*fair].is_all() {
                work.set(after, |_, roots| roots[after].or_forall(&roots[error], &roots[*outputs]))?;
            } else {
                work.set(after, |_, roots| {
                    (&(&roots[after] | &roots[error]) & &roots[*fair]).forall(&roots[*outputs])
                })?;
            }
            let more = work.attempt(|_, roots| &roots[lost] | &roots[after].exists(&roots[*inputs]))?;
            if more.contains(|variable| self.initially(variable)) {
                return Ok(true);
            }
            if more == work.roots[lost] {
                work.forget(after);
                return Ok(false);
            }
            work.roots[lost] = more;
        }
    }

    /// What a variable is at the start.
    fn initially(&self, variable: usize) -> bool {
        let latch = self.order[variable].checked_sub(self.first_latch());
        latch.is_some_and(|latch| self.circuit.latches[latch].reset == Some(true))
    }
}
