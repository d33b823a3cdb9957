//! AIGER circuits: and-inverter graphs with latches, ASCII and binary, version 1.9 included.
//!
//! Reading and writing of the format itself is left to a crate that only this folder names.

mod build;
mod read;
mod symbols;
#[cfg(test)]
mod tests;
mod write;

pub use build::CircuitBuilder;
pub use read::{is_circuit, read, read_file};

/// A circuit: latches, and gates that say what they hold next.
///
/// Nodes are numbered: 0 is the constant false, then come the inputs, the latches, and the gates, each behind what it
/// reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circuit {
    /// The names of the inputs; `i0`, `i1`, ... where the file has none.
    pub inputs: Vec<String>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// What each gate is the conjunction of.
    pub gates: Vec<[Literal; 2]>,
    /// The outputs.
    pub outputs: Vec<Signal>,
    /// The bad state properties.
    pub bad: Vec<Signal>,
    /// The invariant constraints: what may be taken for granted.
    pub constraints: Vec<Signal>,
    /// How many properties there are that no finite run can break: justice and fairness. They are read and not kept.
    pub left_aside: usize,
    /// What stands behind the circuit in the file.
    pub comment: String,
}

/// One bit of state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latch {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// What it holds after the next step.
    pub next: Literal,
    /// What it holds at the start; none where that may be either.
    pub reset: Option<bool>,
}

/// A named value that a circuit shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Its value.
    pub value: Literal,
}

/// A node or its negation: twice its number, and one more where it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The constant false.
    pub const FALSE: Literal = Literal(0);
    /// The constant true.
    pub const TRUE: Literal = Literal(1);

    /// A node as it is.
    pub fn of(node: usize) -> Literal {
        Literal(2 * node as u32)
    }

    /// The number of the node.
    #[inline]
    pub fn node(self) -> usize {
        self.0 as usize >> 1
    }

    /// Whether the node is negated.
    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The same negated where asked to.
    #[must_use]
    pub fn negated_if(self, negate: bool) -> Literal {
        Literal(self.0 ^ u32::from(negate))
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

impl Circuit {
    /// The node of an input.
    pub fn input(&self, at: usize) -> Literal {
        Literal::of(1 + at)
    }

    /// The node of a latch.
    pub fn latch(&self, at: usize) -> Literal {
        Literal::of(1 + self.inputs.len() + at)
    }

    /// The number of the first gate.
    pub fn first_gate(&self) -> usize {
        1 + self.inputs.len() + self.latches.len()
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.first_gate() + self.gates.len()
    }

    /// Everything it shows that is about finite runs: outputs, then bad state properties.
    pub fn signals(&self) -> impl Iterator<Item = &Signal> {
        self.outputs.iter().chain(&self.bad)
    }

    /// What is read to know these values in one step: for each node, whether it is.
    pub fn read_by(&self, values: impl IntoIterator<Item = Literal>) -> Vec<bool> {
        let mut read = vec![false; self.nodes()];
        values.into_iter().for_each(|value| read[value.node()] = true);
        for gate in (self.first_gate()..self.nodes()).rev() {
            if read[gate] {
                let [left, right] = self.gates[gate - self.first_gate()];
                read[left.node()] = true;
                read[right.node()] = true;
            }
        }
        read
    }

    /// The latches on which these values depend in some number of steps: the cone of influence.
    pub fn cone(&self, values: impl IntoIterator<Item = Literal>) -> Vec<bool> {
        let first = 1 + self.inputs.len();
        let mut wanted: Vec<Literal> = values.into_iter().collect();
        loop {
            let read = self.read_by(wanted.iter().copied());
            let latches = &read[first..first + self.latches.len()];
            let more: Vec<Literal> = latches
                .iter()
                .zip(&self.latches)
                .filter(|(is_read, latch)| **is_read && !wanted.contains(&latch.next))
                .map(|(_, latch)| latch.next)
                .collect();
            if more.is_empty() {
                return latches.to_vec();
            }
            wanted.extend(more);
        }
    }

    /// Works out every node: `values` holds the inputs and the latches in their places, and is filled.
    #[inline]
    pub fn evaluate(&self, values: &mut [bool]) {
        let first = self.first_gate();
        for (at, &[left, right]) in self.gates.iter().enumerate() {
            let value = |literal: Literal| values[literal.node()] ^ literal.is_negated();
            values[first + at] = value(left) & value(right);
        }
    }
}

impl Circuit {
    /// The same circuit with one more latch, which holds what this value was in the step before.
    #[must_use]
    pub fn remembering(&self, value: Literal, name: &str) -> Circuit {
        let place = self.first_gate();
        let moved = |literal: Literal| match literal.node() >= place {
            true => Literal(literal.0 + 2),
            false => literal,
        };
        let signals = |signals: &[Signal]| {
            let signal = |signal: &Signal| Signal { name: signal.name.clone(), value: moved(signal.value) };
            signals.iter().map(signal).collect()
        };
        let latch = |latch: &Latch| Latch { next: moved(latch.next), ..latch.clone() };
        let mut latches: Vec<Latch> = self.latches.iter().map(latch).collect();
        latches.push(Latch { name: Some(name.to_owned()), next: moved(value), reset: Some(false) });
        Circuit {
            inputs: self.inputs.clone(),
            latches,
            gates: self.gates.iter().map(|gate| gate.map(moved)).collect(),
            outputs: signals(&self.outputs),
            bad: signals(&self.bad),
            constraints: signals(&self.constraints),
            left_aside: self.left_aside,
            comment: self.comment.clone(),
        }
    }

    /// Whether a value is known from the latches alone.
    pub fn is_of_latches(&self, value: Literal) -> bool {
        let read = self.read_by([value]);
        !read[1..1 + self.inputs.len()].contains(&true)
    }
}
