//! The nodes of a circuit as decision diagrams.

use super::work::{Spent, Work};
use crate::bdd::Bdd;
use crate::format::aiger::{Circuit, Literal};

/// Which side of a gate is looked at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visit {
    Left,
    Right,
    /// The one with more gates below each other.
    Deeper,
    /// The one with fewer.
    Shallower,
}

impl Visit {
    pub(super) const ALL: [Visit; 4] = [Visit::Right, Visit::Deeper, Visit::Left, Visit::Shallower];
}

/// Inputs and latches in the order in which they are met on the way from these values down: what is read together is
/// near each other. Latches bring in what they hold next.
pub(super) fn leaves(
    circuit: &Circuit,
    roots: impl IntoIterator<Item = Literal>,
    visit: Visit,
) -> Vec<usize> {
    let first_latch = 1 + circuit.inputs.len();
    let first_gate = circuit.first_gate();
    let mut depth = vec![0u32; circuit.nodes()];
    for (at, [left, right]) in circuit.gates.iter().enumerate() {
        depth[first_gate + at] = 1 + depth[left.node()].max(depth[right.node()]);
    }
    let mut seen = vec![false; circuit.nodes()];
    seen[0] = true;
    let mut order = Vec::new();
    let mut roots: std::collections::VecDeque<Literal> = roots.into_iter().collect();
    while let Some(root) = roots.pop_front() {
        let mut open = vec![root.node()];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            if node >= first_gate {
                let [left, right] = circuit.gates[node - first_gate].map(Literal::node);
                let right_first = match visit {
                    Visit::Left => false,
                    Visit::Right => true,
                    Visit::Deeper => depth[right] > depth[left],
                    Visit::Shallower => depth[right] < depth[left],
                };
                open.extend(if right_first { [left, right] } else { [right, left] });
                continue;
            }
            order.push(node);
            if node >= first_latch {
                roots.push_back(circuit.latches[node - first_latch].next);
            }
        }
    }
    order
}

/// The diagrams of these values, as new entries of the list; `variable` gives the variables of inputs and latches, by
/// node, and nodes that have none are false. Gates are forgotten as soon as nothing needs them.
pub(super) fn values(
    work: &mut Work,
    circuit: &Circuit,
    wanted: &[Literal],
    variable: &dyn Fn(usize) -> Option<usize>,
) -> Result<Vec<usize>, Spent> {
    let first_gate = circuit.first_gate();
    let read = circuit.read_by(wanted.iter().copied());
    // How many still need each node.
    let mut users = vec![0usize; circuit.nodes()];
    for node in (first_gate..circuit.nodes()).filter(|&node| read[node]) {
        circuit.gates[node - first_gate].iter().for_each(|side| users[side.node()] += 1);
    }
    wanted.iter().for_each(|literal| users[literal.node()] += 1);
    let mut places: Vec<Option<usize>> = vec![None; circuit.nodes()];
    let mut free: Vec<usize> = Vec::new();
    let put = |work: &mut Work, free: &mut Vec<usize>, set: Bdd| match free.pop() {
        Some(place) => {
            work.roots[place] = set;
            place
        }
        None => work.keep(set),
    };
    for node in (0..circuit.nodes()).filter(|&node| read[node]) {
        let place = match node.checked_sub(first_gate) {
            None => {
                let set =
                    work.attempt(|bdds, _| variable(node).map_or(bdds.none(), |at| bdds.variable(at)))?;
                put(work, &mut free, set)
            }
            Some(gate) => {
                let sides = circuit.gates[gate];
                let [left, right] = sides.map(|side| places[side.node()].unwrap_or(0));
                let set = work.attempt(|_, roots| {
                    let side = |place: usize, literal: Literal| {
                        if literal.is_negated() { !&roots[place] } else { roots[place].clone() }
                    };
                    &side(left, sides[0]) & &side(right, sides[1])
                })?;
                for side in sides {
                    users[side.node()] -= 1;
                    if users[side.node()] == 0
                        && let Some(place) = places[side.node()].take()
                    {
                        work.forget(place);
                        free.push(place);
                    }
                }
                put(work, &mut free, set)
            }
        };
        places[node] = Some(place);
    }
    let mut made = Vec::new();
    for literal in wanted {
        let place = places[literal.node()].unwrap_or(0);
        let set = work.attempt(
            |_, roots| {
                if literal.is_negated() { !&roots[place] } else { roots[place].clone() }
            },
        )?;
        made.push(work.keep(set));
    }
    for place in places.into_iter().flatten() {
        work.forget(place);
    }
    Ok(made)
}
