//! Small circuits as automata: their states written down one by one.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Bits, Wire, Wired};
use crate::automaton::{Acceptance, Automaton, Edge, StateInfo};
use crate::bdd::{Bdd, Bdds, Import, Space};
use crate::format::aiger::Literal;

/// The most states, edges out of one state, diagram nodes, and evaluated gates that are few.
/// The most states of a circuit that is written down as an automaton.
pub const WRITTEN_STATES: usize = 1_024;
const EDGES_A_STATE: usize = 128;
const NODES: usize = 1 << 17;
const GATES: usize = 1 << 20;

/// The automaton of a circuit, with what the latches hold in each of its states; nothing where there is too much to write
/// down.
pub fn enumerated(wired: &Wired, space: &Arc<Space>) -> Option<(Automaton, Vec<Bits>)> {
    // Guards are made aside first: running out of nodes there harms nobody.
    let bdds = Bdds::with_limit(space.bdds().variables(), NODES);
    let start = wired.initial();
    let mut walk = wired.walk();
    let mut numbers: FxHashMap<Bits, u32> = FxHashMap::from_iter([(start.clone(), 0)]);
    let mut states = vec![start];
    let mut rows: Vec<Vec<(Bdd, u32)>> = Vec::new();
    let cost = wired.circuit.gates.len() + 1;
    while rows.len() < states.len() {
        if rows.len() * cost > GATES {
            return None;
        }
        let at = states[rows.len()].clone();
        let mut row = Vec::new();
        for (guard, next) in successors(wired, &bdds, space.input_bits(), &at)? {
            if wired
                .on_entry
                .iter()
                .any(|&value| walk.holds(wired, &next, value) || walk.holds(wired, &at, value))
            {
                continue;
            }
            let fresh = states.len() as u32;
            let number = *numbers.entry(next.clone()).or_insert(fresh);
            if number == fresh {
                states.push(next);
            }
            row.push((guard, number));
        }
        rows.push(row);
        if states.len() > WRITTEN_STATES || bdds.within_bounds().is_err() {
            return None;
        }
    }
    let mut import = Import::into(space.bdds());
    let exchanges = space.exchanges();
    let infos = rows.into_iter().zip(&states).map(|(row, bits)| StateInfo {
        name: Some(name(wired, bits)),
        marks: 0,
        edges: row
            .into_iter()
            .map(|(guard, to)| Edge {
                guard: &import.set(&guard, &|variable| variable) & &exchanges,
                to,
                marks: 0,
            })
            .collect(),
    });
    let infos: Vec<StateInfo> = infos.collect();
    space.bdds().within_bounds().ok()?;
    let automaton = Automaton {
        space: space.clone(),
        name: None,
        states: infos,
        initial: 0,
        acceptance: Acceptance::All,
    };
    Some((automaton, states))
}

/// The latches that are true, by name.
fn name(wired: &Wired, bits: &Bits) -> String {
    let latches = wired.circuit.latches.iter().enumerate();
    let on = latches.filter(|(at, _)| bits[at / 64] >> (at % 64) & 1 == 1);
    let names: Vec<String> =
        on.map(|(at, latch)| latch.name.clone().unwrap_or_else(|| format!("l{at}"))).collect();
    if names.is_empty() { "all latches 0".to_owned() } else { names.join(" ") }
}

/// What the latches may hold next, each with the exchanges that lead there.
fn successors(wired: &Wired, bdds: &Bdds, input_bits: usize, at: &Bits) -> Option<Vec<(Bdd, Bits)>> {
    let circuit = &wired.circuit;
    let mut values: Vec<Bdd> = Vec::with_capacity(circuit.nodes());
    values.push(bdds.none());
    values.extend(wired.wires.iter().map(|wire| match wire {
        Some(Wire::Input(bit)) => bdds.variable(*bit),
        Some(Wire::Output(bit)) => bdds.variable(input_bits + bit),
        None => bdds.none(),
    }));
    let holds = |latch: usize| at[latch / 64] >> (latch % 64) & 1 == 1;
    let constant = |value: bool| if value { bdds.all() } else { bdds.none() };
    values.extend((0..circuit.latches.len()).map(|latch| constant(holds(latch))));
    let get = |values: &[Bdd], literal: Literal| {
        let value = &values[literal.node()];
        if literal.is_negated() { !value } else { value.clone() }
    };
    for &[left, right] in &circuit.gates {
        let value = &get(&values, left) & &get(&values, right);
        values.push(value);
    }
    bdds.within_bounds().ok()?;
    let wrong = wired.in_step.iter().fold(bdds.none(), |sum, &value| &sum | &get(&values, value));
    let mut parts = vec![(!&wrong, vec![0; wired.words()])];
    for (latch, info) in circuit.latches.iter().enumerate() {
        let value = get(&values, info.next);
        let mut split = Vec::with_capacity(parts.len());
        for (guard, bits) in parts {
            let (on, off) = (&guard & &value, &guard - &value);
            if !on.is_none() {
                let mut bits: Bits = bits.clone();
                bits[latch / 64] |= 1 << (latch % 64);
                split.push((on, bits));
            }
            if !off.is_none() {
                split.push((off, bits));
            }
        }
        if split.len() > EDGES_A_STATE || bdds.within_bounds().is_err() {
            return None;
        }
        parts = split;
    }
    parts.retain(|(guard, _)| !guard.is_none());
    Some(parts)
}
