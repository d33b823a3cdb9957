//! Whether the tester can force a violation of a circuit, whatever the system answers: the plain safety game.

use std::time::{Duration, Instant};

use super::diagrams::{leaves, values};
use super::work::{Spent, Work};
use crate::bdd::{Bdd, Bdds};
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

/// Solves the game.
pub fn tester_can_force(
    circuit: &Circuit,
    is_systems: &dyn Fn(usize) -> bool,
    violations: &[Literal],
    constraints: &[Literal],
    effort: Effort,
) -> Answer {
    let until = Instant::now() + effort.time;
    let order = leaves(circuit, violations.iter().chain(constraints).copied());
    let mut work = Work::new(order.len(), effort.nodes, Some(until));
    let can = solve(circuit, is_systems, violations, constraints, &order, &mut work).ok();
    Answer { can, peak_nodes: work.peak }
}

fn solve(
    circuit: &Circuit,
    is_systems: &dyn Fn(usize) -> bool,
    violations: &[Literal],
    constraints: &[Literal],
    order: &[usize],
    work: &mut Work,
) -> Result<bool, Spent> {
    let say = std::env::var_os("SAY").is_some();
    let start = Instant::now();
    let first_latch = 1 + circuit.inputs.len();
    let mut variables = vec![None; circuit.first_gate()];
    order.iter().enumerate().for_each(|(variable, &node)| variables[node] = Some(variable));
    let latches: Vec<usize> = order.iter().copied().filter(|&node| node >= first_latch).collect();
    let mut wanted: Vec<Literal> = violations.to_vec();
    wanted.extend(latches.iter().map(|&node| circuit.latches[node - first_latch].next));
    let places = values(work, circuit, &wanted, &|node| variables[node])?;
    let (errors, next) = places.split_at(violations.len());
    let error = work.attempt(|bdds, roots| errors.iter().fold(bdds.none(), |sum, &at| &sum | &roots[at]))?;
    let error = work.keep(error);
    let next: Vec<(usize, usize)> =
        latches.iter().zip(next).map(|(&node, &place)| (variables[node].unwrap_or(0), place)).collect();
    if say { eprintln!("built {:?} nodes {}", start.elapsed(), work.bdds.node_count()); }
    let cube = |bdds: &Bdds, systems: bool| {
        let chosen = order.iter().copied().filter(|&node| node < first_latch && is_systems(node - 1) == systems);
        bdds.cube(chosen.filter_map(|node| variables[node]))
    };
    let outputs = work.attempt(|bdds, _| cube(bdds, true))?;
    let outputs = work.keep(outputs);
    let inputs = work.attempt(|bdds, _| cube(bdds, false))?;
    let inputs = work.keep(inputs);
    let initial = |variable: usize| {
        let node = order[variable];
        node >= first_latch && circuit.latches[node - first_latch].reset == Some(true)
    };
    let none = work.bdds.none();
    let lost = work.keep(none.clone());
    let after = work.keep(none);
    let mut round = 0;
    loop {
        work.set(after, |_, roots| {
            roots[lost].substitute(next.iter().map(|&(variable, place)| (variable, &roots[place])))
        })?;
        work.set(after, |_, roots| roots[after].or_forall(&roots[error], &roots[outputs]))?;
        let more = work.attempt(|_, roots| &roots[lost] | &roots[after].exists(&roots[inputs]))?;
        round += 1;
        if say { eprintln!("round {round} {:?} nodes {} lost {}", start.elapsed(), work.bdds.node_count(), more.node_count()); }
        if more.contains(initial) {
            return Ok(true);
        }
        if more == work.roots[lost] {
            return Ok(false);
        }
        work.roots[lost] = more;
    }
}
