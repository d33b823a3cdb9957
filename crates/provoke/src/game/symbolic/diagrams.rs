//! The nodes of a circuit as decision diagrams.

use super::work::Spent;
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

/// A list of functions to which more are added; each has its place.
pub(super) trait Board {
    /// Adds a variable, or where there is none the function that is never true.
    fn leaf(&mut self, variable: Option<usize>) -> Result<usize, Spent>;

    /// Adds the conjunction of two places, each negated where asked to.
    fn both(&mut self, sides: [(usize, bool); 2]) -> Result<usize, Spent>;

    /// Adds a place once more, negated where asked to.
    fn copy(&mut self, from: (usize, bool)) -> Result<usize, Spent>;

    /// What is at a place is not needed any more.
    fn forget(&mut self, at: usize);
}

/// The functions of these values, as new entries of the list; `variable` gives the variables of inputs and latches, by
/// node, and nodes that have none are false. Gates are forgotten as soon as nothing needs them.
pub(super) fn values(
    board: &mut impl Board,
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
    for node in (0..circuit.nodes()).filter(|&node| read[node]) {
        let place = match node.checked_sub(first_gate) {
            None => board.leaf(variable(node))?,
            Some(gate) => {
                let sides = circuit.gates[gate];
                let place =
                    board.both(sides.map(|side| (places[side.node()].unwrap_or(0), side.is_negated())))?;
                for side in sides {
                    users[side.node()] -= 1;
                    if users[side.node()] == 0
                        && let Some(place) = places[side.node()].take()
                    {
                        board.forget(place);
                    }
                }
                place
            }
        };
        places[node] = Some(place);
    }
    let made = wanted
        .iter()
        .map(|literal| board.copy((places[literal.node()].unwrap_or(0), literal.is_negated())))
        .collect::<Result<Vec<usize>, Spent>>()?;
    places.into_iter().flatten().for_each(|place| board.forget(place));
    Ok(made)
}
